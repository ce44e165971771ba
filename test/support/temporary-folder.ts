import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
