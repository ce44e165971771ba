/** Builds the action for the tests that run it as a process, so that a stale bundle cannot pass; unchanged sources are built once. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFile, glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "node_modules/.cache/built-action");
const stamp = join(folder, "dist/built-from.txt");

/** Vitest's global setup of the end-to-end tests; `ACTION_FOLDER` names what they run. */
export async function setup(): Promise<void> {
  if (process.env["ACTION_FOLDER"] !== undefined) return;
  const digest = await digestOfSources();
  const built = await readFile(stamp, "utf8").catch(() => "");
  if (built !== digest) {
    const build = spawn(process.execPath, [join(root, "scripts/build.ts"), join(folder, "dist")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(build, "close");
    if (code !== 0) throw new Error("The action could not be built; `npm run build` shows why.");
    await writeFile(stamp, digest);
  }
  for await (const file of glob(["action.yml", "*/action.yml"], { cwd: root })) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(root, file), join(folder, file));
  }
  process.env["ACTION_FOLDER"] = folder;
}

async function digestOfSources(): Promise<string> {
  const digest = createHash("sha256");
  const files = ["package-lock.json", "tsconfig.json", "tsconfig.build.json", "scripts/build.ts"];
  for await (const file of glob(["src/**/*.*", "packed/*"], { cwd: root })) files.push(file);
  for (const file of files.sort()) digest.update(`${file}\n`).update(await readFile(join(root, file)));
  return digest.digest("hex");
}
