/** Bundles the exported site's style sheet and scripts into a module of strings, which the renderer writes into each site. */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

const clientDir = new URL("../src/server/site/client/", import.meta.url);
const target = new URL("../src/server/site/client-assets.ts", import.meta.url);

/** Names of the files in a site, with their sources; `not-found.js` is a part of the page `404.html`. */
const assets = {
  "not-found.js": "not-found.ts",
  "search.js": "search.ts",
  "site.css": "site.css",
  "site.js": "site.ts",
  "theme.js": "theme.ts",
};

/** Bundles a style sheet or script of the client with what it imports. */
export async function bundleAsset(entry: string, options: BuildOptions = {}): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, clientDir))],
    bundle: true,
    minify: true,
    format: "iife",
    charset: "utf8",
    legalComments: "none",
    // What the site may use of a browser.
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    ...options,
    write: false,
  });
  return `${result.outputFiles[0]?.text.trimEnd()}\n`;
}

function toLiteral(text: string): string {
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, "\\$&").replaceAll("\n", "\\n")}\``;
}

async function generateSiteClient(): Promise<string> {
  const lines = [
    "/** The exported site's style sheet and scripts; generated from `client/` by `npm run generate`. */",
  ];
  lines.push("export const clientAssets = {");
  for (const [name, entry] of Object.entries(assets))
    lines.push(`  "${name}": ${toLiteral(await bundleAsset(entry))},`);
  return [...lines, "};", ""].join("\n");
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
