import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that disappears with the test. */
export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a folder with these files, by their paths in it. */
export async function createFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "docs-site-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The files of a folder, by their paths in it, in order. */
export async function readFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths
    .sort()
    .map(async (path) => [path.slice(folder.length + 1), await readFile(path, "utf8")] as const);
  return new Map(await Promise.all(files));
}
