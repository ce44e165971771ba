/**
 * Builds `dist/` from `src/`: tsc takes the types off, ncc bundles one entry with a chunk for each lazy import, rolldown's
 * minifier drops what no module uses, white space and the names of variables; those of functions and classes stay, for
 * stack traces. The result depends on the sources and the lock file only.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { minify } from "rolldown/utils";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder to fill; tests build into one of their own. */
const out = process.argv[2] ?? join(root, "dist");

/**
 * Modules that no run reaches, and what stands in their place.
 *
 * Of undici: a parser that only UNDICI_USE_MILO switches on, and the one for processors without vector instructions; they are
 * required where they would be used. Of `@actions/artifact`: what downloads artifacts and asks GitHub's API for them. It is
 * imported with the rest, so a module that exists is named instead, which has none of its exports.
 */
const unreached = {
  "../milo/simd.js": "../milo/simd.js",
  "../milo/no-simd.js": "../milo/no-simd.js",
  "../llhttp/llhttp-wasm.js": "../llhttp/llhttp-wasm.js",
  "unzip-stream": "node:module",
  "bottleneck/light.js": "node:module",
  "@octokit/plugin-paginate-rest": "node:module",
  "@octokit/plugin-rest-endpoint-methods": "node:module",
};

/** The part of ncc's interface that is used here; it has no types of its own. */
type Ncc = (
  entry: string,
  options: { license: string; cache: false; externals: Readonly<Record<string, string>> },
) => Promise<{ code: string; assets: Readonly<Record<string, { source: string | Buffer }>> }>;

/** What each of Lucide's icons repeats, as JSON in a string; the renderer takes it out, for the style sheet says it. */
const iconAttributes =
  ' fill=\\\\"none\\\\" stroke=\\\\"currentColor\\\\" stroke-linecap=\\\\"round\\\\" stroke-linejoin=\\\\"round\\\\" stroke-width=\\\\"2\\\\"';

await rm(`${root}.build`, { recursive: true, force: true });
await rm(out, { recursive: true, force: true });
await node(`${root}node_modules/typescript/bin/tsc`, ["-p", "tsconfig.build.json"]);
const ncc = require("@vercel/ncc") as Ncc;
const options = { license: "licenses.txt", cache: false, externals: unreached } as const;
const { code, assets } = await ncc(`${root}.build/lib/main.js`, options);
await mkdir(out, { recursive: true });
await writeFile(join(out, "index.js"), code);
for (const [name, { source }] of Object.entries(assets)) await writeFile(join(out, name), source);
await rm(`${root}.build`, { recursive: true, force: true });
// The post step and the threads that render pages start the same entry, which tells by these files' names what is meant.
for (const name of ["post", "render-worker"])
  await writeFile(join(out, `${name}.js`), 'import "./index.js";\n');
for await (const file of glob("*.js", { cwd: out })) await finish(join(out, file));
await mergeLicenses(join(out, "licenses.txt"));

/** Makes a chunk small; what ncc could not find would be an `eval` that fails when it is reached. */
async function finish(path: string): Promise<void> {
  const bundled = await readFile(path, "utf8");
  const missing = /eval\("require"\)\("([^"]+)"\)/.exec(bundled)?.[1];
  if (missing !== undefined) throw new Error(`${path} needs ${missing}, which could not be found.`);
  const { code, errors } = await minify(path, bundled.replaceAll(iconAttributes, ""), {
    module: true,
    compress: { target: "node24", keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join("; ")}`);
  await writeFile(path, code);
}

/** Writes each license text once, below the names of all packages that it belongs to. */
async function mergeLicenses(path: string): Promise<void> {
  const lines = (await readFile(path, "utf8")).split("\n");
  // An entry begins with the package's name, the license's name and the text.
  const starts = lines.flatMap((line, index) =>
    lines[index + 1] && (index === 0 || lines[index - 1] === "") && isPackage(line) ? [index] : [],
  );
  const names = new Map<string, string[]>();
  for (const [entry, start] of starts.entries()) {
    const text = lines
      .slice(start + 1, starts[entry + 1])
      .join("\n")
      .trim();
    names.set(text, [...(names.get(text) ?? []), lines[start] ?? ""]);
  }
  // Texts of one license differ in a few words: next to each other they compress to these.
  const wordsOf = (text: string) => text.replace(/copyright.*|\s+/gi, " ").trim();
  const alike = [...names].sort(([one], [other]) => (wordsOf(one) < wordsOf(other) ? -1 : 1));
  const merged = alike.map(([text, packages]) => `${packages.join("\n")}\n${text}\n`);
  await writeFile(path, merged.join("\n"));
}

function isPackage(name: string): boolean {
  return (
    /^(?:@[\w.-]+\/)?[\w.-]+$/.test(name) && existsSync(join(root, "node_modules", name, "package.json"))
  );
}

/** Runs a tool and shows what it says; ends the build with its exit code when it fails. */
async function node(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code !== 0) process.exit(1);
}
