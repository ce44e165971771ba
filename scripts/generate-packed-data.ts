/** Packs the renderer's data from the packages that it comes from: one Brotli stream is half of what the bundled modules take. */
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import { icons } from "@iconify-json/lucide";
import type { LanguageRegistration } from "shiki/core";
import { bundledLanguages } from "shiki/langs";
import { grammarNames, scopesByClass } from "../src/server/site/content/code-blocks.ts";
import { buildDiagrams } from "./pack-diagrams.ts";

const folder = new URL("../packed/", import.meta.url);

/** What each of Lucide's drawings repeats; the style sheet says it. */
const iconAttributes =
  ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';

/** Font Awesome's names by their counterparts in Lucide: a line for each. */
const fontAwesome = new URL("font-awesome-icons.txt", import.meta.url);

async function packIcons(): Promise<string> {
  const drawings = Object.entries(icons.icons).map(([name, { body }]) => [
    name,
    // A hundredth of a unit is less than a screen shows of a drawing of 24. Cut, since rounding could join two numbers.
    body.replaceAll(iconAttributes, "").replace(/(\.\d\d)\d+/g, "$1"),
  ]);
  const lines = (await readFile(fontAwesome, "utf8")).trim().split("\n");
  const counterparts = lines.flatMap((line) => {
    const [name = "", others = ""] = line.split(": ");
    const parent = icons.aliases?.[name]?.parent ?? name;
    if (icons.icons[parent] === undefined) throw new Error(`Lucide has no icon ${name}.`);
    return others.split(" ").map((other) => [other, parent]);
  });
  const former = Object.entries(icons.aliases ?? {}).map(([name, { parent }]) => [name, parent]);
  const aliases = [...former, ...counterparts];
  return JSON.stringify({ drawings: Object.fromEntries(drawings), aliases: Object.fromEntries(aliases) });
}

/** Lists of what a language's libraries define; what is called is marked as a function without them. */
const libraryNames =
  /^(?:support\.(?:function|class|variable|type|constant\.(?!property))|string\.emoji|constant\.(?:character\.entity|language\.character))/;
const longList = 1000;

/** Each grammar once, on a line after its name, with those that it embeds. */
async function packGrammars(): Promise<string> {
  const grammars = new Map<string, LanguageRegistration>();
  for (const name of grammarNames) {
    const { default: registrations } = await bundledLanguages[name]();
    for (const grammar of registrations) grammars.set(grammar.name, grammar);
  }
  const slim = createSlimmer([...grammars.values()]);
  return [...grammars]
    .map(([key, { name, scopeName, aliases, displayName, ...rest }]) => {
      const identity = { name, scopeName, aliases };
      return `${key} ${JSON.stringify({ ...identity, ...(slim(rest) as object) })}`;
    })
    .join("\n");
}

/** Takes out of grammars what the highlighter's classes do not tell apart: they are a fifth smaller. */
function createSlimmer(grammars: readonly LanguageRegistration[]): (part: unknown) => unknown {
  const words = (text: string) => text.match(/[\w-]+(?:\.[\w-]+)*/g) ?? [];
  // Grammars are put into others by their scopes, too.
  const selectors = grammars.flatMap(({ injectionSelector = "", injections = {}, injectTo = [] }) =>
    [injectionSelector, ...Object.keys(injections), ...injectTo].flatMap(words),
  );
  const known = new Set([...Object.values(scopesByClass).flatMap(words), ...selectors]);

  /** The longest part of a scope's name that something looks for; what a match fills in may become any. */
  function slimScope(scope: string): string {
    const [fixed = "", filled] = scope.split("$", 2);
    if (filled !== undefined && [...known].some((word) => word.startsWith(fixed))) return scope;
    const parts = scope.split(".");
    while (parts.length > 0 && !known.has(parts.join("."))) parts.pop();
    return parts.join(".");
  }

  return function slim(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(slim).filter((item) => item !== undefined);
    if (typeof part !== "object" || part === null) return part;
    const { match, name } = part as { readonly match?: string; readonly name?: string };
    if (typeof match === "string" && match.length > longList && libraryNames.test(name ?? ""))
      return undefined;
    const entries = Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
      const isScope = (key === "name" || key === "contentName") && typeof value === "string";
      const kept = isScope ? value.split(" ").map(slimScope).filter(Boolean).join(" ") : slim(value);
      const isNote = key === "comment" && typeof value === "string";
      return isNote || kept === undefined || kept === "" ? [] : [[key, kept]];
    });
    return Object.fromEntries(entries);
  };
}

async function packEngine(): Promise<Uint8Array> {
  const file = new URL(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  return new Uint8Array(await readFile(file));
}

const sources = {
  "diagrams.br": buildDiagrams,
  "grammars.br": packGrammars,
  "icons.br": packIcons,
  "quickjs.br": packEngine,
};

/** Whether the committed files are what the packages give. */
export async function isPackedDataCurrent(): Promise<boolean> {
  const checks = Object.entries(sources).map(async ([name, pack]) => {
    const packed = brotliDecompressSync(await readFile(new URL(name, folder)));
    return packed.equals(Buffer.from(await pack()));
  });
  return (await Promise.all(checks)).every(Boolean);
}

/** Writes the packed files. */
export async function writePackedData(): Promise<void> {
  for (const [name, pack] of Object.entries(sources)) {
    const data = Buffer.from(await pack());
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
    };
    await writeFile(new URL(name, folder), await promisify(brotliCompress)(data, { params }));
  }
}

if (import.meta.main) await writePackedData();
