/**
 * Verifies a bundle, during or after its download: format, structure, length and checksums. Large bundles are verified in a worker
 * thread, so that network, checksums and decompression use different processors.
 */
import { createHash, type Hash } from "node:crypto";
import { on, once } from "node:events";
import { readSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { ErrorCode } from "../base/errors.ts";
import { endWorkerThread, startWorkerThread } from "../base/worker-thread.ts";
import { ArchiveContents, type ArchiveLimits, type ByteSource, streamRange } from "./archive.ts";
import { BundleError, corrupt, fromWriteError, storageErrorCode } from "./errors.ts";
import { preparePart } from "./prepare-part.ts";
import type { Checksum } from "./storage-response.ts";
import { readTarGz } from "./tar.ts";
import { readZip } from "./zip.ts";

export type ArchiveFormat = "zip" | "tar.gz";

export type ArchiveReport = Readonly<Awaited<ReturnType<typeof readArchive>>>;

/**
 * Reads an archive once, to its last byte, and unpacks it into a new folder, if one is given. It checks structure, lengths,
 * checksums, names and limits. The archive may still be downloading.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive` as soon as the archive cannot be safe and complete; the
 *   folder may already contain entries
 */
export async function readArchive(
  source: ByteSource,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
  folder?: string,
) {
  signal.throwIfAborted();
  const format = await detectFormat(source);
  using contents = new ArchiveContents(limits, folder);
  await (format === "zip" ? readZip : readTarGz)(source, contents, signal);
  signal.throwIfAborted();
  const { files, totalBytes, report } = contents;
  if (files === 0) throw corrupt("The archive holds no files.");
  return { format, files, totalBytes, report };
}

/** Opens a complete file as a {@link ByteSource}. */
export async function openSource(path: string): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, "r");
  return {
    size: async () => (await file.stat()).size,
    read: async (buffer, position) => (await file.read(buffer, 0, buffer.length, position)).bytesRead,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

export type VerifiedBundle = Readonly<Awaited<ReturnType<typeof verifyBundle>>>;

export interface BundleExpectations {
  readonly checksums: readonly Checksum[];
  readonly sizeBytes: number | undefined;
  readonly maxBytes: number;
}

/** Verifies a bundle in one pass; `sha256` is in lower-case hexadecimal. @throws {BundleError} as soon as a check fails */
export async function verifyBundle(
  source: ByteSource,
  { checksums, sizeBytes, maxBytes }: BundleExpectations,
  signal: AbortSignal,
) {
  const hashed = new HashedSource(source, checksums);
  const archive = await readArchive(hashed, { maxTotalBytes: maxBytes }, signal);
  const { sha256, size } = await hashed.finish(signal);
  if (sizeBytes !== undefined && sizeBytes !== size)
    throw corrupt(`The bundle has ${size} bytes, but the platform stated ${sizeBytes}.`);
  return { ...archive, sha256, size };
}

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
    await endWorkerThread(thread);
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

/** The archive reader skips parts up to this size, such as data descriptors. They are read only for the checksums. */
const maxSkippedBytes = 1024 * 1024;

/** A source that computes SHA-256 and the stated checksums while its bytes are read in order. */
class HashedSource implements ByteSource {
  readonly #source: ByteSource;
  readonly #stated: readonly Checksum[];
  readonly #hashes: ReadonlyMap<string, Hash>;
  /** Bytes before this position have been hashed, or are about to be. */
  #position = 0;
  #hashing: Promise<void> = Promise.resolve();

  constructor(source: ByteSource, stated: readonly Checksum[]) {
    const algorithms = new Set(["sha256", ...stated.map(({ algorithm }) => algorithm)]);
    this.#source = source;
    this.#stated = stated;
    this.#hashes = new Map([...algorithms].map((algorithm) => [algorithm, createHash(algorithm)]));
  }

  size(): Promise<number> {
    return this.#source.size();
  }

  async read(buffer: Buffer, position: number): Promise<number> {
    await this.#hashing;
    if (position > this.#position && position - this.#position <= maxSkippedBytes)
      for await (const chunk of streamRange(this.#source, this.#position, position)) this.#update(chunk);
    const bytesRead = await this.#source.read(buffer, position);
    // Hashed in the next turn of the event loop, so that zlib inflates the same bytes in another thread at the same time.
    if (position <= this.#position) {
      const fresh = buffer.subarray(this.#position - position, bytesRead);
      this.#hashing = nextTurn().then(() => this.#update(fresh));
    }
    return bytesRead;
  }

  /** Hashes the bytes that the archive reader did not read, and compares all checksums. */
  async finish(signal: AbortSignal): Promise<{ sha256: string; size: number }> {
    await this.#hashing;
    for await (const chunk of streamRange(this.#source, this.#position)) {
      signal.throwIfAborted();
      this.#update(chunk);
    }
    const digests = new Map([...this.#hashes].map(([algorithm, hash]) => [algorithm, hash.digest()]));
    for (const { algorithm, base64, field } of this.#stated) {
      const actual = digests.get(algorithm)?.toString("base64");
      if (actual !== base64)
        throw corrupt(`The bundle's ${algorithm} is ${actual}, but storage stated ${base64} (${field}).`);
    }
    return { sha256: digests.get("sha256")?.toString("hex") ?? "", size: this.#position };
  }

  #update(chunk: Buffer): void {
    for (const hash of this.#hashes.values()) hash.update(chunk);
    this.#position += chunk.length;
  }
}

const sniffBytes = 512;

/** How files of other types start, as Latin-1; the first match counts. Storage and proxies return errors as documents. */
const fileTypes: readonly (readonly [name: string, start: RegExp])[] = [
  ["empty (0 bytes)", /^$/],
  ["an uncompressed tar archive", /^[\s\S]{257}ustar/],
  ["an HTML page", /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)\b/i],
  ["an XML document", /^(?:\xef\xbb\xbf)?\s*<(?:\?xml\b|Error>)/i],
  ["a JSON document", /^(?:\xef\xbb\xbf)?\s*[{[]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish data from text.
  ["plain text", /^[^\0-\x08\x0e-\x1f]*$/],
  ["unknown data", /^/],
];

/**
 * Detects the format of an archive from its first bytes, because names and media types are unreliable.
 *
 * @throws {BundleError} `bundle-corrupt` with the actual type of the file
 */
async function detectFormat(source: ByteSource): Promise<ArchiveFormat> {
  const buffer = Buffer.alloc(sniffBytes);
  let filled = 0;
  for (let more = 1; more > 0 && filled < sniffBytes; filled += more)
    more = await source.read(buffer.subarray(filled), filled);
  const start = buffer.toString("latin1", 0, filled);
  if (start.startsWith("\x1f\x8b")) return "tar.gz";
  if (["PK\x03\x04", "PK\x05\x06"].includes(start.slice(0, 4))) return "zip";
  const [name] = fileTypes.find(([, pattern]) => pattern.test(start)) ?? [];
  const code = storageErrorCode(start);
  throw corrupt(`The bundle is ${name}${code ? ` (${code})` : ""}, not a zip or tar.gz archive.`);
}

/**
 * Unpacks and verifies an archive in one pass into a temporary folder beside the destination, which then replaces the destination. On
 * failure or abort, the destination stays unchanged and the temporary folder is removed.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large`, `unsafe-archive`, `disk-full`
 */
export async function extractArchive(
  archive: string,
  destination: string,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
): Promise<ArchiveReport> {
  const target = resolve(destination);
  try {
    await using source = await openSource(archive);
    await using part = await preparePart(target);
    await mkdir(part.path, { mode: 0o755 });
    const report = await readArchive(source, limits, signal, part.path);
    await rm(target, { recursive: true, force: true, maxRetries: 10 });
    await part.publish();
    return report;
  } catch (error) {
    throw fromWriteError(error, target);
  }
}
