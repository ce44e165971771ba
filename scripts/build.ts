/** Builds `dist/` from `src/`: compile with tsc, bundle with ncc. The result depends on the sources and the lock file only. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const root = new URL("..", import.meta.url).pathname;

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

async function node(program: string, args: readonly string[]): Promise<void> {
  try {
    const { stdout } = await run(process.execPath, [program, ...args], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    process.stdout.write(stdout);
  } catch (error) {
    if (error instanceof Error && "stdout" in error) process.stderr.write(`${error.stdout}`);
    if (error instanceof Error && "stderr" in error) process.stderr.write(`${error.stderr}`);
    throw new Error(`${program} ${args.join(" ")} failed`, { cause: error });
  }
}
