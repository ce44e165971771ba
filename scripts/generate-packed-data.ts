/** Packs the renderer's data from the packages that it comes from: one Brotli stream is half of what the bundled modules take. */
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import { icons } from "@iconify-json/lucide";
import { icons as brands } from "@iconify-json/simple-icons";
import { nameToEmoji } from "gemoji";
import type { LanguageRegistration } from "shiki/core";
import { type BundledLanguage, bundledLanguages } from "shiki/langs";
import { grammarNames, scopesByClass } from "../src/server/site/content/code-blocks.ts";
import { buildDiagrams } from "./pack-diagrams.ts";

const folder = new URL("../packed/", import.meta.url);

/** What each of Lucide's drawings repeats; the style sheet says it. */
const iconAttributes =
  ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';

async function packIcons(): Promise<string> {
  const drawings: Record<string, string> = {};
  const aliases: Record<string, string> = {};
  for (const [name, { body }] of Object.entries(icons.icons))
    drawings[name] = cutNumbers(body.replaceAll(iconAttributes, ""));
  for (const [name, { parent }] of Object.entries(icons.aliases ?? {})) aliases[name] = parent;
  for (const [name, others] of await readCounterparts("font-awesome-icons.txt")) {
    const parent = icons.aliases?.[name]?.parent ?? name;
    if (icons.icons[parent] === undefined) throw new Error(`Lucide has no icon ${name}.`);
    for (const other of others) aliases[other] = parent;
  }
  for (const [name, others] of await readCounterparts("brand-icons.txt")) {
    const brand = brands.icons[name];
    if (brand === undefined) throw new Error(`Simple Icons has no icon ${name}.`);
    drawings[`brand/${name}`] = cutNumbers(brand.body.replace(" d=", ' stroke="none" d='));
    for (const other of others) aliases[other] = `brand/${name}`;
  }
  return JSON.stringify({ drawings, aliases });
}

/** A hundredth of a unit is less than a screen shows of a drawing of 24. Cut, since rounding could join two numbers. */
function cutNumbers(drawing: string): string {
  return drawing.replace(/(\.\d\d)\d+/g, "$1");
}

/** The names that Font Awesome has for icons of another collection: a line for each of these. */
async function readCounterparts(file: string): Promise<[name: string, others: string[]][]> {
  const lines = (await readFile(new URL(file, import.meta.url), "utf8")).trim().split("\n");
  return lines.map((line) => {
    const [name = "", others = ""] = line.split(": ");
    return [name, others.split(" ")];
  });
}

/** Lists of what a language's libraries define; what is called is marked as a function without them. */
const libraryNames =
  /^(?:support\.(?:function|class|variable|type|constant\.(?!property))|string\.emoji|constant\.(?:character\.entity|language\.character))/;
const longList = 1000;

/** Each grammar once, on a line after its name, with those that it embeds. */
async function packGrammars(): Promise<string> {
  const grammars = new Map<string, LanguageRegistration>();
  for (const name of grammarNames) {
    const { default: registrations } = await bundledLanguages[name as BundledLanguage]();
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
  "emoji.br": async () => JSON.stringify(nameToEmoji),
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
