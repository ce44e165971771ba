/**
 * Downloads one version of a bundle: parallel ranges, resumption, fresh links, and replacement of slow connections. The bundle is
 * verified while it arrives.
 */
import { writeSync } from "node:fs";
import { type FileHandle, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { ActionError } from "../base/errors.ts";
import { formatRequestLog, type ProxySettings } from "../base/http.ts";
import type { LinkPolicy } from "../base/network.ts";
import { type Backoff, backoffMs, type RetryDeps } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { formatBytes, formatDuration } from "../base/text.ts";
import { userAgent } from "../base/version.ts";
import { BundleError, corrupt, fromWriteError } from "./errors.ts";
import { type PresignedLinkCache, parseStorageUrl, type UsableLink } from "./presigned-link.ts";
import { type Segment, SegmentMap } from "./segments.ts";
import { StorageConnection, type StorageNetwork, type TakeBytes } from "./storage-connection.ts";
import {
  type Checksum,
  classifyStorageError,
  type ObjectIdentity,
  type ObjectResponse,
  ObjectUnchanged,
  objectChanged,
  type ResponseHead,
  RestartNeeded,
  readChecksums,
  readObjectResponse,
  TransientError,
} from "./storage-response.ts";
import type { VerifiedBundle } from "./verify.ts";

export interface DownloadOptions extends RetryDeps {
  /** Path of the complete, verified bundle. Until then, the file is `<path>.<process id>.part`. */
  readonly path: string;
  /** Whether to append `.zip` or `.tar.gz`, depending on the archive's format, to a path without it. */
  readonly withExtension?: boolean;
  /** Maximum size of the bundle, and of its unpacked content. */
  readonly maxBytes: number;
  /** Maximum number of connections; default: 8. */
  readonly connections?: number;
  readonly proxies: ProxySettings;
  /** The hosts that links and redirects may lead to. */
  readonly linkPolicy: LinkPolicy;
  readonly log: Log;
}

/** Statistics of a download, over all its attempts. */
export interface TransferStats {
  requests: number;
  retries: number;
  restarts: number;
  /** Highest number of simultaneous connections. */
  connections: number;
}

export const transferBackoff: Backoff = { baseMs: 400, maxMs: 10_000 };

type Connection = ReturnType<typeof createConnection>;

function createConnection(storage: StorageConnection, nowMs: number) {
  return {
    storage,
    isDelivering: false,
    /** Why the current segment is requested again. */
    failure: undefined as TransientError | undefined,
    /** When the last byte was received or, before the first one, the request was sent. */
    lastByteMs: 0,
    /** Bytes received in the current window, over which its speed is measured. */
    received: 0,
    windowStartMs: nowMs,
    windowMs: firstWindowMs,
    abort: new AbortController(),
  };
}

const tickMs = 250;
/** A connection that receives nothing for this long is closed. */
const stallMs = 30_000;
const progressEveryMs = 3000;
const maxFailures = 8;
/** An additional connection that fails this often in a row without receiving a byte is given up. */
const maxAttemptsWithoutProgress = 2;
const maxRetryAfterMs = 5 * 60_000;
const maxErrorBytes = 4096;
/** A smaller bundle uses fewer connections than allowed. */
const bytesPerConnection = 4 * 1024 * 1024;
/** A connection is replaced if it is slower than the transfer's average connection by this factor. */
const slowFactor = 8;
const firstWindowMs = 2000;

export interface AttemptOptions extends DownloadOptions {
  readonly connections: number;
  /** Entity tag of the cached version. If storage still has it, the attempt ends with {@link ObjectUnchanged}. */
  readonly cachedEtag: string | undefined;
  readonly links: PresignedLinkCache;
  readonly network: StorageNetwork;
  /** The file until it is complete. */
  readonly partPath: string;
  readonly file: FileHandle;
  readonly stats: TransferStats;
}

/** One attempt to download and verify one version of the bundle. */
export class DownloadAttempt {
  readonly #options: AttemptOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #segments: SegmentMap;
  /** Maximum number of connections; before the first response, only one. */
  #maxConnections = 1;
  readonly #connections = new Set<Connection>();
  readonly #running: Promise<void>[] = [];
  readonly #fetched = Promise.withResolvers<void>();
  readonly #fail = (error: unknown) => this.#stop.abort(error);
  /** The object in storage, as the first response describes it. All later responses must describe the same one. */
  #object: ObjectIdentity | undefined;
  #verification: Promise<VerifiedBundle> | undefined;
  #acceptEncoding: "identity" | "gzip" = "identity";
  /** Bytes written to disk, over all connections. */
  #received = 0;
  /** Consecutive failures, over all connections, without a byte received in between. */
  #failures = 0;
  readonly #reportedFailures = new Set<string>();
  #reported: { readonly atMs: number; readonly bytes: number };
  readonly #startedMs: number;

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#segments = new SegmentMap(undefined, this.#signal);
    this.#startedMs = options.clock.now();
    this.#reported = { atMs: this.#startedMs, bytes: 0 };
  }

  /**
   * Resolves when the bundle is complete on disk and verified.
   *
   * @throws {ObjectUnchanged} if the cached version is current
   * @throws {RestartNeeded} if another attempt may succeed
   * @throws {BundleError} if no further attempt can succeed
   */
  async run(): Promise<VerifiedBundle & { readonly etag: string | undefined }> {
    // If the platform states the size, it is checked before the first request to storage.
    const { sizeBytes } = await this.#options.links.current();
    if (sizeBytes !== undefined) await this.#requireDiskSpace(sizeBytes);
    const ticking = this.#tick();
    try {
      this.#startConnections();
      // A failure aborts `#stop`, which makes `ticking` reject with the error.
      await Promise.race([this.#fetched.promise, ticking]);
      this.#segments.notify();
      if (!this.#verification) throw corrupt("Storage ended its response before it started.");
      const verified = await this.#verification;
      return { ...verified, etag: this.#object?.etag };
    } finally {
      this.#stop.abort(new Error("The attempt has ended."));
      await Promise.allSettled([this.#verification, ticking, ...this.#running]);
    }
  }

  async #tick(): Promise<never> {
    const { clock } = this.#options;
    for (;;) {
      await clock.sleep(tickMs, this.#signal);
      const now = clock.now();
      for (const connection of this.#connections) {
        if (now - connection.lastByteMs > stallMs)
          connection.abort.abort(new TransientError(`no data arrived for ${stallMs / 1000} s`));
        else this.#replaceIfSlow(connection, now);
      }
      if (now >= this.#reported.atMs + progressEveryMs) this.#report();
    }
  }

  #startConnections(): void {
    while (this.#connections.size < this.#maxConnections) {
      const segment = this.#segments.next(this.#maxConnections);
      if (!segment) break;
      const running = this.#runConnection(segment).then(() => {
        if (this.#segments.isDone) this.#fetched.resolve();
        else this.#startConnections();
      }, this.#fail);
      this.#running.push(running);
    }
    this.#options.stats.connections = Math.max(this.#options.stats.connections, this.#connections.size);
  }

  /** Opens a connection that downloads segments until none are left. */
  async #runConnection(first: Segment): Promise<void> {
    using storage = new StorageConnection(this.#options.network);
    const connection = createConnection(storage, this.#options.clock.now());
    this.#connections.add(connection);
    try {
      for (let segment: Segment | undefined = first; segment; ) {
        const isComplete = await this.#fetchSegment(segment, connection);
        this.#segments.release(segment);
        if (!isComplete) {
          this.#maxConnections = Math.max(1, this.#maxConnections - 1);
          return;
        }
        segment = this.#segments.next(this.#maxConnections);
      }
    } finally {
      this.#connections.delete(connection);
    }
  }

  /** Downloads a segment, with retries; `false` if this additional connection should be given up. */
  async #fetchSegment(segment: Segment, connection: Connection): Promise<boolean> {
    let attemptsWithoutProgress = 0;
    connection.failure = undefined;
    while (segment.written < segment.end) {
      const before = segment.written;
      try {
        await this.#request(segment, connection);
      } catch (error) {
        this.#signal.throwIfAborted();
        attemptsWithoutProgress = segment.written > before ? 0 : attemptsWithoutProgress + 1;
        const isAlone = this.#connections.size === 1;
        const isAllowed = isAlone || attemptsWithoutProgress < maxAttemptsWithoutProgress;
        if (error !== slowConnection && !(await this.#canRetry(error, isAllowed, connection))) return false;
      } finally {
        connection.isDelivering = false;
      }
    }
    return true;
  }

  /**
   * Whether Google decompressed the bundle, which is stored with `Content-Encoding: gzip`, because of `Accept-Encoding: identity`: a tar.gz
   * arrives as a tar, without ranges, and its checksums are those of the stored bytes (https://cloud.google.com/storage/docs/transcoding).
   */
  #needsStoredBytes({ headers }: ResponseHead): boolean {
    const isGzip = headers.get("x-goog-stored-content-encoding") === "gzip";
    return this.#acceptEncoding === "identity" && isGzip && !headers.has("content-encoding");
  }

  /** Requests the missing part of a segment once. Resolves when its bytes are on disk, or the next request may be sent. */
  async #request(segment: Segment, connection: Connection): Promise<void> {
    const { clock, log, links, linkPolicy, connections, stats } = this.#options;
    const link = await links.current();
    stats.requests += 1;
    connection.abort = new AbortController();
    let other: (ResponseHead & { text: string }) | undefined;
    const startedMs = clock.now();
    connection.lastByteMs = startedMs;
    const cachedEtag = this.#object ? undefined : this.#options.cachedEtag;
    // No response header is logged, not even a request identifier, because a link may lead to another host than storage.
    const logResponse = (url: URL, status: number) => {
      const request = { method: "GET", attempt: this.#failures + 1 };
      log.debug(formatRequestLog(request, url, clock.now() - startedMs, status));
    };
    const begin = (head: ResponseHead, url: URL): TakeBytes => {
      logResponse(url, head.status);
      if (head.status === 304 && cachedEtag) throw new ObjectUnchanged();
      if ((head.status === 200 || head.status === 206) && !this.#needsStoredBytes(head)) {
        const body = readObjectResponse(head, segment.written, this.#object, connection.failure);
        if (!this.#object) this.#acceptObject(body, head.headers, link);
        connection.isDelivering = true;
        return (bytes) => this.#write(bytes, segment, connection);
      }
      const response = { ...head, text: "" };
      other = response;
      return (bytes) => {
        response.text += bytes.toString("latin1");
        return response.text.length <= maxErrorBytes;
      };
    };
    // A single connection needs no range for the whole object, which some storage serves wrongly.
    const needsRange = connections > 1 || segment.written > 0;
    const headers = {
      ...commonHeaders,
      "accept-encoding": this.#acceptEncoding,
      ...(needsRange && rangeHeaders(segment, this.#object)),
      ...(cachedEtag && { "if-none-match": cachedEtag }),
    };
    const signal = AbortSignal.any([this.#signal, connection.abort.signal]);
    const parse = (location: string, base: URL, status: number) => {
      logResponse(base, status);
      return parseStorageUrl(location, linkPolicy, base);
    };
    await connection.storage.follow(link.url, headers, signal, begin, parse);
    if (other && this.#needsStoredBytes(other)) this.#acceptEncoding = "gzip";
    else if (other) links.reject(link, other.status, classifyStorageError(other, this.#object, clock.now()));
    // Without a stated length, the end of the body is the end of the object.
    else if (segment.end === Number.POSITIVE_INFINITY) this.#segments.setTotal(segment.written);
    else if (segment.written < segment.end) throw new TransientError("the response ended early");
  }

  /**
   * Writes received bytes to the segment's position in the file; `false` at the segment's end, which may have moved.
   *
   * The write is synchronous: it usually only copies to the page cache, and a slow disk then slows down receiving instead of filling
   * the memory.
   */
  #write(bytes: Buffer, segment: Segment, connection: Connection): boolean {
    const { clock, maxBytes, path, file } = this.#options;
    const part = bytes.subarray(0, segment.end - segment.written);
    try {
      for (let done = 0; done < part.length; )
        done += writeSync(file.fd, part, done, part.length - done, segment.written + done);
    } catch (error) {
      throw fromWriteError(error, path);
    }
    segment.written += part.length;
    connection.received += part.length;
    connection.lastByteMs = clock.now();
    this.#received += part.length;
    this.#failures = 0;
    this.#options.links.progressed();
    this.#segments.notify();
    if (segment.written > maxBytes) throw tooLarge(segment.written, maxBytes);
    return segment.written < segment.end;
  }

  /**
   * Aborts the request of a connection that is much slower than the transfer was so far. A new connection may use a faster route. It gets
   * more time to show that, as all of storage may have become slow.
   */
  #replaceIfSlow(connection: Connection, nowMs: number): void {
    const elapsedMs = nowMs - connection.windowStartMs;
    if (this.#maxConnections === 1 || elapsedMs < connection.windowMs) return;
    const average = this.#received / (nowMs - this.#startedMs) / this.#maxConnections;
    if (connection.isDelivering && connection.received / elapsedMs < average / slowFactor) {
      connection.abort.abort(slowConnection);
      connection.windowMs *= 4;
    }
    connection.received = 0;
    connection.windowStartMs = nowMs;
  }

  /** Handles the first response: checks and remembers the object, and starts the verification. */
  #acceptObject(
    { object, isRange, isWhole }: ObjectResponse,
    headers: ResponseHead["headers"],
    link: UsableLink,
  ): void {
    // Some storage ignores `If-None-Match`.
    if (object.etag !== undefined && object.etag === this.#options.cachedEtag) throw new ObjectUnchanged();
    this.#object = object;
    const { total } = object;
    const { sizeBytes } = link;
    if (total !== undefined) {
      if (sizeBytes !== undefined && sizeBytes !== total)
        throw objectChanged(`the platform stated ${sizeBytes} bytes, but storage has ${total}`);
      this.#requireDiskSpace(total).catch(this.#fail);
      // Without support for ranges, a second connection would receive the whole object again.
      if (isRange || headers.get("accept-ranges") === "bytes")
        this.#maxConnections = Math.min(
          this.#options.connections,
          Math.ceil(total / bytesPerConnection) || 1,
        );
      this.#segments.setTotal(total, this.#maxConnections);
    }
    this.#verification = this.#verify(readChecksums(headers, isWhole), sizeBytes);
    this.#verification.catch(this.#fail);
    this.#startConnections();
  }

  async #verify(checksums: readonly Checksum[], sizeBytes: number | undefined): Promise<VerifiedBundle> {
    const { verifyArriving } = await import("./verify.ts");
    const { partPath: path, maxBytes } = this.#options;
    const task = { path, total: this.#segments.total, checksums, sizeBytes, maxBytes };
    return verifyArriving(task, this.#segments, this.#signal);
  }

  /** Waits before the next retry; `false` if there is none. */
  async #canRetry(error: unknown, isAllowed: boolean, connection: Connection): Promise<boolean> {
    if ([ActionError, RestartNeeded, ObjectUnchanged].some((kind) => error instanceof kind)) throw error;
    if (!isAllowed) return false;
    const { clock, random, log } = this.#options;
    const failure = TransientError.fromConnection(error);
    connection.failure = failure;
    this.#failures += 1;
    const isLast = this.#failures >= maxFailures || failure.advice.hint !== undefined;
    if (isLast) throw failure.toBundleError(this.#failures);
    this.#options.stats.retries += 1;
    const minDelayMs = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs);
    const delayMs = Math.max(minDelayMs, backoffMs(this.#failures, random, transferBackoff));
    const line = `Download: ${failure.message}; trying again in ${formatDuration(delayMs)}.`;
    // All connections may fail for the same reason, and often.
    if (this.#reportedFailures.has(failure.message)) log.debug(line);
    else log.info(line);
    this.#reportedFailures.add(failure.message);
    await clock.sleep(delayMs, this.#signal);
    return true;
  }

  async #requireDiskSpace(bytes: number): Promise<void> {
    const { maxBytes, path } = this.#options;
    if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
    const { bavail, bsize } = await statfs(dirname(path));
    const free = bavail * bsize;
    if (free >= bytes) return;
    throw new BundleError(
      "disk-full",
      `The bundle needs ${bytes} bytes, but the disk of ${path} has only ${free} bytes left.`,
    );
  }

  #report(): void {
    const { clock, log } = this.#options;
    const [atMs, bytes, total] = [clock.now(), this.#received, this.#object?.total];
    const bytesPerSecond = (1000 * (bytes - this.#reported.bytes)) / (atMs - this.#reported.atMs);
    this.#reported = { atMs, bytes };
    if (bytesPerSecond === 0) return;
    this.#reportedFailures.clear();
    // Only the end of the verification is missing.
    if (this.#segments.isDone) return;
    const progress = describeProgress(bytes, total, bytesPerSecond);
    log.info(`Download: ${progress}`, total && (100 * bytes) / total);
  }
}

/** The progress as one line: "42 % of 500 MB · 52.5 MB/s · 6 s left". `total` is `undefined` if storage does not state it. */
export function describeProgress(bytes: number, total: number | undefined, bytesPerSecond: number): string {
  const speed = `${formatBytes(bytesPerSecond)}/s`;
  if (!total) return `${formatBytes(bytes)} · ${speed}`;
  const left = formatDuration(1000 * Math.ceil((total - bytes) / bytesPerSecond));
  return `${Math.floor((bytes / total) * 100)} % of ${formatBytes(total)} · ${speed} · ${left} left`;
}

/** The reason to abort a slow connection's request, so that the segment is requested again. */
const slowConnection = new Error("The connection is much slower than the others.");

function tooLarge(bytes: number, maxBytes: number): BundleError {
  return new BundleError(
    "bundle-too-large",
    `The bundle has at least ${bytes} bytes, but the limit is ${maxBytes} bytes.`,
  );
}

const commonHeaders = { accept: "*/*", "user-agent": userAgent };

/** The headers for the range of a segment; while the length is unknown, up to the end. */
function rangeHeaders({ written, end }: Segment, object: ObjectIdentity | undefined): Record<string, string> {
  const range = `bytes=${written}-${object && Number.isFinite(end) ? end - 1 : ""}`;
  if (object?.etag) return { range, "if-match": object.etag };
  return object?.lastModified ? { range, "if-unmodified-since": object.lastModified } : { range };
}
