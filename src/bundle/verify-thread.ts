/** Verifies large bundles in a worker thread, so that network, checksums and decompression use different processors. */
import { on, once } from "node:events";
import { readSync } from "node:fs";
import { open } from "node:fs/promises";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { ErrorCode } from "../base/errors.ts";
import { startWorkerThread } from "../base/worker-thread.ts";
import type { ByteSource } from "./archive.ts";
import { BundleError } from "./errors.ts";
import { type BundleExpectations, type VerifiedBundle, verifyBundle } from "./verify.ts";

/** The state of a file that is being downloaded. */
export interface Arrivals extends Pick<ByteSource, "size"> {
  /** Number of contiguous bytes from a position on; waits until there are any, and returns 0 at the end. */
  available(position: number): Promise<number>;
}

export interface VerificationTask extends BundleExpectations {
  readonly path: string;
  /** Length of the complete file; `Infinity` if unknown. */
  readonly total: number;
}

export type VerificationMessage =
  /** The thread waits for the bytes at a position; the reply is the result of {@link Arrivals.available}. */
  | { readonly type: "await"; readonly position: number }
  | { readonly type: "verified"; readonly verified: VerifiedBundle }
  | { readonly type: "refused"; readonly code: ErrorCode; readonly message: string; readonly hint: string };

/** Minimum length for which a worker thread is faster. */
const threadFromBytes = 16 * 1024 * 1024;

/** {@link verifyBundle} for a bundle that is being downloaded. A large one is verified in a worker thread. */
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
  // The loop removes its own error listener when it ends. Errors during the termination of the thread must not end the process.
  thread.on("error", () => undefined);
  try {
    for await (const [received] of on(thread, "message", { signal, close: ["exit"] })) {
      const message: VerificationMessage = received;
      if (message.type === "verified") return message.verified;
      if (message.type === "refused")
        throw new BundleError(message.code, message.message, { hint: message.hint });
      thread.postMessage(await arrivals.available(message.position));
    }
    throw new Error("The worker thread that verifies the bundle has ended.");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await thread.terminate();
  }
}

/** Runs the verification in the worker thread. */
export async function runVerification(task: VerificationTask): Promise<void> {
  const port = parentPort as MessagePort;
  const send = (message: VerificationMessage) => port.postMessage(message);
  const available = async (position: number): Promise<number> => {
    send({ type: "await", position });
    // Reads are sequential, so the next message is the reply.
    const [bytes] = await once(port, "message");
    return bytes;
  };
  try {
    await using source = await openArriving(task.path, { size: async () => task.total, available });
    send({ type: "verified", verified: await verifyBundle(source, task, new AbortController().signal) });
  } catch (error) {
    // The loop of `verifyArriving` throws any other error of the thread.
    if (!(error instanceof BundleError)) throw error;
    send({ type: "refused", code: error.code, message: error.message, hint: error.hint });
  }
}

/** Opens a growing file as a {@link ByteSource} for sequential reads. */
async function openArriving(
  path: string,
  { size, available }: Arrivals,
): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, "r");
  /** The range that is known to be on disk. */
  let availableRange = { start: 0, end: 0 };
  return {
    size,
    async read(buffer, position) {
      const { start, end } = availableRange;
      if (position < start || position >= end) {
        const bytes = await available(position);
        availableRange = { start: position === end ? start : position, end: position + bytes };
      }
      // Synchronous, because the bytes are in the page cache: a turn of the event loop would take longer than the copy.
      return readSync(file.fd, buffer, 0, Math.min(buffer.length, availableRange.end - position), position);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
