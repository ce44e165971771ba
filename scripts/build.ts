/**
 * Builds `dist/` from `src/`: tsc takes the types off, ncc bundles one entry with a chunk for each lazy import, esbuild
 * takes the white space out and keeps every name. The result depends on the sources and the lock file only.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder to fill; tests build into one of their own. */
const out = process.argv[2] ?? join(root, "dist");

/** Of undici: a parser that only UNDICI_USE_MILO switches on, and the one for processors without vector instructions. */
const unreached = ["../milo/simd.js", "../milo/no-simd.js", "../llhttp/llhttp-wasm.js"];

await rm(`${root}.build`, { recursive: true, force: true });
await rm(out, { recursive: true, force: true });
await node(`${root}node_modules/typescript/bin/tsc`, ["-p", "tsconfig.build.json"]);
const ncc = require.resolve("@vercel/ncc/dist/ncc/cli.js");
const left = unreached.flatMap((module) => ["--external", module]);
await node(ncc, [
  "build",
  ".build/lib/main.js",
  "--out",
  out,
  "--license",
  "licenses.txt",
  "--no-cache",
  ...left,
]);
await rm(`${root}.build`, { recursive: true, force: true });
// `runs.post` starts the same entry, which tells by this file's name that it is the post step.
await writeFile(join(out, "post.js"), 'import "./index.js";\n');
for await (const file of glob("*.js", { cwd: out })) await finish(join(out, file));

/** Takes the white space out of a chunk; what ncc could not find would be an `eval` that fails when it is reached. */
async function finish(path: string): Promise<void> {
  const bundled = await readFile(path, "utf8");
  const missing = /eval\("require"\)\("([^"]+)"\)/.exec(bundled)?.[1];
  if (missing !== undefined) throw new Error(`${path} needs ${missing}, which could not be found.`);
  const { code } = await transform(bundled, {
    minifyWhitespace: true,
    target: "node24",
    legalComments: "none",
  });
  await writeFile(path, code);
}

/** Runs a tool and shows what it says; ends the build with its exit code when it fails. */
async function node(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code !== 0) process.exit(1);
}
