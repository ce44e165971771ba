/** Shared by the tests of downloads: storage, a folder, a clock without real waits, and a recorded log. */
import { createHash } from "node:crypto";
import { addAbortListener } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../src/base/runtime.ts";
import { type DownloadedBundle, downloadBundle } from "../../src/bundle/download.ts";
import type { BundleLink } from "../../src/bundle/presigned-link.ts";
import { type Storage, type StorageOptions, startStorage } from "../support/storage.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** A running set-up, which is closed when it is disposed. */
export interface DownloadSetup extends AsyncDisposable {
  readonly storage: Storage;
  readonly folder: string;
  readonly clock: Clock;
  /** Lines of the log so far. */
  readonly lines: readonly string[];
  /** Milliseconds of every wait of the download so far, except its ticks. */
  readonly waits: readonly number[];
  download(
    options?: Partial<Parameters<typeof downloadBundle>[1]>,
    getLink?: () => Promise<BundleLink>,
  ): Promise<DownloadedBundle>;
  /** Names of all files in the folder. */
  files(): Promise<string[]>;
  readBundle(): Promise<Buffer>;
}

/** Number of event loop turns for pending work before the time advances. */
const turnsPerWait = 12;

/** A clock that advances to the end of the next wait when there is no other work. */
function createSteppingClock(): Clock {
  let now = Date.UTC(2026, 0, 1);
  let isStepping = false;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  async function step(): Promise<void> {
    isStepping = true;
    while (sleepers.size > 0) {
      for (let turn = 0; turn < turnsPerWait; turn += 1) await nextTurn();
      if (sleepers.size > 0) now = Math.max(now, Math.min(...[...sleepers].map(({ at }) => at)));
      for (const sleeper of sleepers) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    }
    isStepping = false;
  }

  return {
    now: () => now,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      const sleeper = { at: now + ms, wake: resolve };
      sleepers.add(sleeper);
      using _listening = addAbortListener(signal, () => {
        sleepers.delete(sleeper);
        resolve();
      });
      if (!isStepping) void step();
      await promise;
      signal.throwIfAborted();
    },
  };
}

/** Starts storage and sets up a download from it. */
export async function setUpDownload(options: Omit<StorageOptions, "clock">): Promise<DownloadSetup> {
  await using resources = new AsyncDisposableStack();
  const clock = createSteppingClock();
  const storage = resources.use(await startStorage({ ...options, clock }));
  const folder = resources.use(await createTemporaryFolder());
  const lines: string[] = [];
  const waits: number[] = [];
  const keep = (message: string) => {
    lines.push(message);
  };
  const path = join(folder.path, "bundle.tar.gz");
  const sleep: Clock["sleep"] = (ms, signal) => {
    if (ms !== 250) waits.push(ms);
    return clock.sleep(ms, signal);
  };
  const owned = resources.move();
  return {
    storage,
    folder: folder.path,
    clock,
    lines,
    waits,
    download: (changes, getLink = () => storage.getLink()) =>
      downloadBundle(getLink, {
        path,
        maxBytes: 1e9,
        // On a busy machine more connections might help; tests of several connections request them explicitly.
        connections: 1,
        proxies: {},
        linkPolicy: () => true,
        clock: { now: clock.now, sleep },
        // No wait before a retry is as long as the pause between two measurements, which is not counted.
        random: () => 0.5,
        log: { debug: keep, info: keep, notice: keep, warning: keep },
        signal: new AbortController().signal,
        ...changes,
      }),
    files: () => readdir(folder.path),
    readBundle: () => readFile(path),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Lower-case hexadecimal SHA-256. */
export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
