/** Verification in a thread of its own: the network, the checksums and the inflating have a processor each. */
import { readSync } from "node:fs";
import { open } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import type { ErrorCode } from "../base/errors.ts";
import { stackOf } from "../base/text.ts";
import { startThread } from "../base/thread.ts";
import type { ArchiveLimits, ByteSource } from "./archive.ts";
import { BundleError } from "./errors.ts";
import type { Checksum } from "./storage-response.ts";
import { openSource, type VerifiedBundle, verifyBundle } from "./verify.ts";

/** A file that is being fetched. */
export interface ArrivingSource extends ByteSource {
  /** How many bytes there are from a position on without a hole, as soon as there are any; 0 at the end. */
  available(position: number): Promise<number>;
}

/** What there is to verify. */
export interface VerificationTask {
  readonly path: string;
  /** Length of the file in the end; `Infinity` while that is unknown. */
  readonly total: number;
  readonly checksums: readonly Checksum[];
  readonly sizeBytes: number | undefined;
  readonly limits: Partial<ArchiveLimits>;
}

/** What the thread says. */
type Message =
  /** It waits for the bytes at a position; the answer is how many there are from there on without a hole, 0 at the end. */
  | { readonly kind: "await"; readonly position: number }
  | { readonly kind: "verified"; readonly verified: VerifiedBundle }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string; readonly hint: string }
  | { readonly kind: "failed"; readonly stack: string };

interface Arrival {
  readonly position: number;
  readonly available: number;
}

/** From this length on it pays off to start a thread. */
const threadFromBytes = 16 * 1024 * 1024;

/** {@link verifyBundle} for a bundle that is being fetched: one that is large is verified in a thread. */
export async function verifyArriving(
  task: VerificationTask,
  source: ArrivingSource,
  signal: AbortSignal,
): Promise<VerifiedBundle> {
  const { total, checksums, sizeBytes, limits } = task;
  if (total < threadFromBytes || total === Number.POSITIVE_INFINITY)
    return verifyBundle(source, checksums, sizeBytes, limits, signal);
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<VerifiedBundle>();
  const thread = startThread("verify", task, { maxYoungGenerationSizeMb: 2 });
  thread.on("error", reject);
  thread.on("exit", () => reject(new Error("The thread that verifies the bundle has ended.")));
  thread.on("message", (message: Message) => {
    if (message.kind === "await") {
      const { position } = message;
      source.available(position).then((bytes) => {
        const arrival: Arrival = { position, available: bytes };
        thread.postMessage(arrival);
      }, reject);
    } else if (message.kind === "verified") resolve(message.verified);
    else if (message.kind === "refused")
      reject(new BundleError(message.code, message.message, { hint: message.hint }));
    else reject(new Error(message.stack));
  });
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await thread.terminate();
  }
}

/** {@link verifyArriving} for a file that has arrived. */
export async function verifyFile(
  path: string,
  sizeBytes: number | undefined,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
): Promise<VerifiedBundle> {
  await using file = await openSource(path);
  const total = await file.size();
  const source = {
    size: file.size,
    read: file.read,
    available: async (position: number) => total - position,
  };
  return await verifyArriving({ path, total, checksums: [], sizeBytes, limits }, source, signal);
}

/** The thread's side. */
export async function runVerification({
  path,
  total,
  checksums,
  sizeBytes,
  limits,
}: VerificationTask): Promise<void> {
  const say = (message: Message) => parentPort?.postMessage(message);
  try {
    await using source = await openGrowingFile(path, total, (position) => say({ kind: "await", position }));
    const verified = await verifyBundle(source, checksums, sizeBytes, limits, new AbortController().signal);
    say({ kind: "verified", verified });
  } catch (error) {
    if (!(error instanceof BundleError)) say({ kind: "failed", stack: stackOf(error) });
    else say({ kind: "refused", code: error.code, message: error.message, hint: error.hint });
  }
}

async function openGrowingFile(
  path: string,
  total: number,
  ask: (position: number) => void,
): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, "r");
  /** Bytes that are known to be there. */
  let known = { start: 0, end: 0 };
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  parentPort?.on("message", ({ position, available }: Arrival) => {
    const end = position + available;
    const isNext = known.start <= position && position <= known.end;
    known = { start: isNext ? known.start : position, end: isNext ? Math.max(known.end, end) : end };
    waiting.get(position)?.resolve();
    waiting.delete(position);
  });
  return {
    size: async () => total,
    async read(buffer, position) {
      if (position >= total) return 0;
      while (position < known.start || position >= known.end) {
        const arrival = waiting.get(position) ?? Promise.withResolvers<void>();
        if (!waiting.has(position)) ask(position);
        waiting.set(position, arrival);
        await arrival.promise;
      }
      const length = Math.min(buffer.length, known.end - position);
      // It is in the page cache: another turn of the event loop would cost more than the copy.
      return readSync(file.fd, buffer, 0, length, position);
    },
    [Symbol.asyncDispose]: async () => {
      parentPort?.removeAllListeners("message");
      await file.close();
    },
  };
}
