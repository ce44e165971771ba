/** Packs the renderer's data from the packages that it comes from: one Brotli stream is half of what the bundled modules take. */
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import { icons } from "@iconify-json/lucide";
import type { LanguageRegistration } from "shiki/core";
import { bundledLanguages } from "shiki/langs";
import { grammarNames } from "../src/server/site/content/code-blocks.ts";
import { buildDiagrams } from "./pack-diagrams.ts";

const folder = new URL("../src/server/site/content/", import.meta.url);

/** What each of Lucide's drawings repeats; the style sheet says it. */
const iconAttributes =
  ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';

/** Font Awesome's names by their counterparts in Lucide: a line for each. */
const fontAwesome = new URL("font-awesome-icons.txt", import.meta.url);

async function packIcons(): Promise<string> {
  const drawings = Object.entries(icons.icons).map(([name, { body }]) => [
    name,
    body.replaceAll(iconAttributes, ""),
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

/** Each grammar once, on a line after its name, with those that it embeds. */
async function packGrammars(): Promise<string> {
  const grammars = new Map<string, LanguageRegistration>();
  for (const name of grammarNames) {
    const { default: registrations } = await bundledLanguages[name]();
    for (const grammar of registrations) grammars.set(grammar.name, grammar);
  }
  return [...grammars].map(([name, grammar]) => `${name} ${JSON.stringify(grammar)}`).join("\n");
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
