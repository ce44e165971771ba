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
