/** What the tests of the download share: a storage, a folder, a clock whose waits are short, and a log that is kept. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent } from "undici";
import type { Clock } from "../../src/base/runtime.ts";
import { type DownloadedBundle, downloadBundle } from "../../src/bundle/download.ts";
import type { DownloadDeps, DownloadOptions } from "../../src/bundle/download-interface.ts";
import { type Storage, type StorageOptions, startStorage } from "../support/storage.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** A running set-up; everything in it ends when it goes out of scope. */
export interface DownloadSetup extends AsyncDisposable {
  readonly storage: Storage;
  /** Lines of the log so far. */
  readonly lines: readonly string[];
  /** Milliseconds of every wait so far, at the pace of the clock that the download sees. */
  readonly waits: readonly number[];
  download(options?: Partial<DownloadOptions>, deps?: Partial<DownloadDeps>): Promise<DownloadedBundle>;
  /** Names of all files left in the folder. */
  leftovers(): Promise<string[]>;
  readBundle(): Promise<Buffer>;
}

/** A clock on which backoffs take a hundredth of their time, and the transfer's own ticks stay what they are. */
function createShortClock(waits: number[]): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      signal.throwIfAborted();
      const isTick = ms === 25;
      if (!isTick) waits.push(ms);
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, isTick ? ms : ms / 100);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      });
    },
  };
}

/** Starts storage and everything a download from it needs. */
export async function setUpDownload(options: StorageOptions): Promise<DownloadSetup> {
  await using resources = new AsyncDisposableStack();
  const storage = resources.use(await startStorage(options));
  const folder = resources.use(await createTemporaryFolder());
  const dispatcher = new Agent();
  resources.defer(() => dispatcher.destroy());
  const lines: string[] = [];
  const waits: number[] = [];
  const keep = (message: string) => {
    lines.push(message);
  };
  const path = join(folder.path, "bundle.tar.gz");
  const owned = resources.move();
  return {
    storage,
    lines,
    waits,
    download: (changes, deps) =>
      downloadBundle(
        { path, maxBytes: 1e9, stallMs: 300, ...changes },
        {
          getLink: () => storage.getLink(),
          dispatcher,
          clock: createShortClock(waits),
          log: { debug: keep, info: keep, notice: keep, warning: keep },
          signal: new AbortController().signal,
          ...deps,
        },
      ),
    leftovers: () => readdir(folder.path),
    readBundle: () => readFile(path),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Lower-case hexadecimal SHA-256. */
export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
