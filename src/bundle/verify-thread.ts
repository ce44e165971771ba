/** Verification in a thread of its own: the network, the checksums and the inflating have a processor each. */
import { on, once } from "node:events";
import { readSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { ErrorCode } from "../base/errors.ts";
import { stackOf } from "../base/text.ts";
import { startWorkerThread } from "../base/worker-thread.ts";
import type { ArchiveLimits, ByteSource } from "./archive.ts";
import { BundleError } from "./errors.ts";
import { type BundleFacts, type VerifiedBundle, verifyBundle } from "./verify.ts";

/** What is known of a file that is being fetched. */
export interface Arrivals extends Pick<ByteSource, "size"> {
  /** How many bytes there are from a position on without a hole, as soon as there are any; 0 at the end. */
  available(position: number): Promise<number>;
}

/** What there is to verify. */
export interface VerificationTask extends BundleFacts {
  readonly path: string;
  /** Length of the file in the end; `Infinity` while that is unknown. */
  readonly total: number;
}

/** What the thread says. */
type Message =
  /** It waits for the bytes at a position; the answer is what {@link Arrivals.available} says. */
  | { readonly kind: "await"; readonly position: number }
  | { readonly kind: "verified"; readonly verified: VerifiedBundle }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string; readonly hint: string }
  | { readonly kind: "failed"; readonly stack: string };

/** From this length on it pays off to start a thread. */
const threadFromBytes = 16 * 1024 * 1024;

/** {@link verifyBundle} for a bundle that is being fetched: one that is large is verified in a thread. */
export async function verifyArriving(
  task: VerificationTask,
  arrivals: Arrivals,
  signal: AbortSignal,
): Promise<VerifiedBundle> {
  const { path, total } = task;
  if (total < threadFromBytes || total === Number.POSITIVE_INFINITY) {
    await using source = await openArriving(path, arrivals);
    return await verifyBundle(source, task, signal);
  }
  signal.throwIfAborted();
  const thread = startWorkerThread("verify", task, { maxYoungGenerationSizeMb: 2 });
  // The loop's own listener goes with the loop; what fails after it, while the thread is ended, must not end the process.
  thread.on("error", () => undefined);
  try {
    for await (const [said] of on(thread, "message", { signal, close: ["exit"] })) {
      const message: Message = said;
      if (message.kind === "verified") return message.verified;
      if (message.kind === "refused")
        throw new BundleError(message.code, message.message, { hint: message.hint });
      if (message.kind === "failed") throw new Error(message.stack);
      thread.postMessage(await arrivals.available(message.position));
    }
    throw new Error("The thread that verifies the bundle has ended.");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
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
  const { size: total } = await stat(path);
  const arrivals = { size: async () => total, available: async (position: number) => total - position };
  return verifyArriving({ path, total, checksums: [], sizeBytes, limits }, arrivals, signal);
}

/** The thread's side. */
export async function runVerification(task: VerificationTask): Promise<void> {
  const port = parentPort as MessagePort;
  const say = (message: Message) => port.postMessage(message);
  const available = async (position: number): Promise<number> => {
    say({ kind: "await", position });
    // One read follows the other: the next message is the answer.
    const [bytes] = await once(port, "message");
    return bytes;
  };
  try {
    await using source = await openArriving(task.path, { size: async () => task.total, available });
    say({ kind: "verified", verified: await verifyBundle(source, task, new AbortController().signal) });
  } catch (error) {
    if (!(error instanceof BundleError)) say({ kind: "failed", stack: stackOf(error) });
    else say({ kind: "refused", code: error.code, message: error.message, hint: error.hint });
  }
}

/** The file as a source; one read follows the other. */
async function openArriving(
  path: string,
  { size, available }: Arrivals,
): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, "r");
  /** Bytes that are known to be there. */
  let known = { start: 0, end: 0 };
  return {
    size,
    async read(buffer, position) {
      if (position < known.start || position >= known.end) {
        const bytes = await available(position);
        known = { start: position === known.end ? known.start : position, end: position + bytes };
      }
      // It is in the page cache: another turn of the event loop would cost more than the copy.
      return readSync(file.fd, buffer, 0, Math.min(buffer.length, known.end - position), position);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
