import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that exists until it goes out of scope. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes an empty folder in the system's temporary directory; `await using` removes it with all it holds. */
export async function createTemporaryFolder(prefix = "docs-automation-"): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  return {
    path,
    // One call into the system's library; the asynchronous form costs several for each file.
    [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Files by their paths in a folder; an object that is no bytes is written as JSON. */
export type Files = Readonly<Record<string, string | object>>;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const isText = typeof content === "string" || content instanceof Uint8Array;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), isText ? content : JSON.stringify(content));
  }
}

/** Makes a temporary folder with these files. */
export async function createFolder(files: Files = {}): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder();
  await writeFiles(folder.path, files);
  return folder;
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

const templates = new Map<string, Promise<string>>();

/** A folder that is filled once per process, to be copied: several calls of git take longer than a copy. It stays to the end of the run. */
export function template(key: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const create = async () => {
    const { path } = await createTemporaryFolder("template-");
    await fill(path);
    return path;
  };
  const known = templates.get(key) ?? create();
  templates.set(key, known);
  return known;
}
