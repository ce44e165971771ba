/** Builds `dist/` from `src/`: compile with tsc, bundle with ncc. The result depends on the sources and the lock file only. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));

/** The two files that `action.yml` names. */
const entries = ["main", "post"];

await rm(`${root}.build`, { recursive: true, force: true });
await rm(`${root}dist`, { recursive: true, force: true });
await node(`${root}node_modules/typescript/bin/tsc`, ["-p", "tsconfig.build.json"]);
for (const entry of entries) {
  const cli = require.resolve("@vercel/ncc/dist/ncc/cli.js");
  await node(cli, [
    "build",
    `.build/lib/${entry}.js`,
    "--out",
    `dist/${entry}`,
    "--license",
    "licenses.txt",
    "--no-cache",
  ]);
}
await rm(`${root}.build`, { recursive: true, force: true });
await requireWhole();

/** A module that ncc cannot find becomes an `eval` that fails when it is reached: better now. */
async function requireWhole(): Promise<void> {
  for await (const file of glob("dist/*/*.js", { cwd: root })) {
    const missing = /eval\("require"\)\("([^"]+)"\)/.exec(await readFile(`${root}${file}`, "utf8"))?.[1];
    if (missing === undefined) continue;
    console.error(`${file} needs ${missing}, which could not be found.`);
    process.exit(1);
  }
}

/** Runs a tool and shows what it says; ends the build with its exit code when it fails. */
async function node(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code !== 0) process.exit(1);
}
