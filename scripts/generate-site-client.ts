/** Bundles the exported site's style sheet and scripts into a module of strings, which the renderer writes into each site. */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const clientDir = new URL("../src/server/site/client/", import.meta.url);
const target = new URL("../src/server/site/client-assets.ts", import.meta.url);

const assets = [
  { name: "siteStyles", entry: "site.css", description: "Style sheet of every page." },
  { name: "themeScript", entry: "theme.ts", description: "Script that runs before the first paint." },
  { name: "siteScript", entry: "site.ts", description: "Script of every page." },
  { name: "searchScript", entry: "search.ts", description: "Search box, loaded when it is first used." },
];

async function bundleAsset(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, clientDir))],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    charset: "utf8",
    legalComments: "none",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
  });
  return result.outputFiles[0]?.text.trimEnd() ?? "";
}

function toLiteral(text: string): string {
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, "\\$&")}\\n\``;
}

async function generateSiteClient(): Promise<string> {
  const parts = ["/** Generated from `client/` by `npm run generate`; do not edit. */\n"];
  for (const { name, entry, description } of assets) {
    parts.push(`/** ${description} */\nexport const ${name} = ${toLiteral(await bundleAsset(entry))};\n`);
  }
  return parts.join("\n");
}

/** Whether the committed module is what the sources give. */
export async function isSiteClientCurrent(): Promise<boolean> {
  return (await readFile(target, "utf8")) === (await generateSiteClient());
}

/** Writes the generated module. */
export async function writeSiteClient(): Promise<void> {
  await writeFile(target, await generateSiteClient());
}

if (import.meta.main) await writeSiteClient();
