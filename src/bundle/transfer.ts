/** Fetches one version of a bundle: ranges, resumption, fresh links, as many connections as help, and checks meanwhile. */
import { writeSync } from "node:fs";
import { type FileHandle, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { ActionError } from "../base/errors.ts";
import { certificateErrorDetails, formatRequestLog, type ProxySettings } from "../base/http.ts";
import type { LinkPolicy } from "../base/network.ts";
import { type Backoff, backoffMs } from "../base/retry.ts";
import type { Clock, Log } from "../base/runtime.ts";
import { codeOf, messageOf } from "../base/text.ts";
import { BundleError, corrupt, fromWriteError } from "./errors.ts";
import { describeUrl, type PresignedLinkCache, parseStorageUrl, type UsableLink } from "./presigned-link.ts";
import { ConnectionPlan, type Segment, SegmentMap } from "./segments.ts";
import { StorageConnection, type StorageNetwork, type TakeBytes } from "./storage-connection.ts";
import {
  type Checksum,
  classifyErrorResponse,
  type ObjectIdentity,
  type ObjectResponse,
  ObjectUnchanged,
  objectChanged,
  PassingFailure,
  type ResponseHead,
  RestartNeeded,
  readChecksums,
  readObjectResponse,
  unexpectedResponse,
} from "./storage-response.ts";
import type { VerifiedBundle } from "./verify.ts";

/** What a download needs and may use. */
export interface DownloadOptions {
  /** Where the bundle appears when it is whole and verified; until then there is `<path>.<process>.part`. */
  readonly path: string;
  /** Adds `.zip` or `.tar.gz` to the path, now that the first bytes have told which. */
  readonly withExtension?: boolean;
  /** Neither the bundle nor what it unpacks to may be larger. */
  readonly maxBytes: number;
  /** Most connections at once; 8 unless said. */
  readonly connections?: number;
  /** Without a byte for so long, a connection is given up; 30 s unless said. */
  readonly stallMs?: number;
  readonly proxies: ProxySettings;
  /** Where links and redirects may lead. */
  readonly linkPolicy: LinkPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called every few seconds, and once at the end. */
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** How far a download is. */
export interface DownloadProgress {
  readonly bytes: number;
  /** Length of the whole; `undefined` where storage does not say it. */
  readonly total: number | undefined;
  /** Since the last report. */
  readonly bytesPerSecond: number;
  readonly connections: number;
}

/** Counts of a whole download. */
export interface TransferStats {
  requests: number;
  retries: number;
  restarts: number;
  /** Most connections at work at once. */
  connections: number;
}

/** Waits between two tries. */
export const transferBackoff: Backoff = { baseMs: 400, maxMs: 10_000 };

interface Connection {
  readonly storage: StorageConnection;
  /** Whether bytes have come since its last failure. */
  isDelivering: boolean;
  /** When the last byte came, or the request was sent. */
  lastByteAt: number;
  /** Bytes that came over it, all in all. */
  received: number;
  /** Where it was when its speed was last looked at. */
  seen: { readonly atMs: number; readonly received: number };
  /** Ends the running request. */
  abort: AbortController;
}

const tickMs = 25;
const progressEveryMs = 3000;
const maxRedirects = 5;
const maxFailures = 8;
/** An additional connection that fails so often in a row without a byte is taken as one too many. */
const maxAttemptsWithoutProgress = 2;
const maxRetryAfterMs = 5 * 60_000;
const maxErrorBytes = 4096;
const maxUncheckedBytes = 32 * 1024 * 1024;
/** A connection is looked at so often, and given up where it brings so much less than the others on average. */
const speedWindowMs = 2000;
const slowFactor = 8;

/** What one attempt works with. */
export interface AttemptOptions extends DownloadOptions {
  /** Whether to ask for ranges; without them there is one connection, and a cut means to start again. */
  readonly isRanged: boolean;
  /** Entity tag of the version that is here already: the attempt ends with {@link ObjectUnchanged} where storage still has it. */
  readonly knownEtag: string | undefined;
  readonly links: PresignedLinkCache;
  readonly network: StorageNetwork;
  /** The file that the bundle grows in. */
  readonly part: { readonly path: string; readonly file: FileHandle };
  readonly stats: TransferStats;
}

/** Fetches and verifies one version of the bundle, both at once. */
export class DownloadAttempt {
  readonly #options: AttemptOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #segments: SegmentMap;
  readonly #plan: ConnectionPlan;
  readonly #connections = new Set<Connection>();
  readonly #running = new Set<Promise<void>>();
  readonly #fetched = Promise.withResolvers<void>();
  /** Ends the attempt with an error. */
  readonly #fail = (error: unknown) => this.#stop.abort(error);
  /** The object all answers must be about; set by the first. */
  #object: ObjectIdentity | undefined;
  #verification: Promise<VerifiedBundle> | undefined;
  /** Bytes on disk, over all connections. */
  #received = 0;
  /** Failures in a row, over all connections, without a byte in between. */
  #failures = 0;
  #reported: { readonly atMs: number; readonly bytes: number };

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#segments = new SegmentMap(undefined, this.#signal);
    this.#plan = new ConnectionPlan(options.isRanged ? (options.connections ?? 8) : 1);
    this.#reported = { atMs: options.clock.now(), bytes: 0 };
  }

  /**
   * Resolves when the bundle is on disk and nothing is wrong with it.
   *
   * @throws {ObjectUnchanged} when nothing need be fetched
   * @throws {RestartNeeded} when another attempt may succeed
   * @throws {BundleError} when none can
   */
  async run(): Promise<VerifiedBundle & { readonly etag: string | undefined }> {
    // What the platform promises is checked before storage gets a request.
    const { sizeBytes } = await this.#options.links.current();
    if (sizeBytes !== undefined) await this.#requireRoom(sizeBytes);
    const requestsBefore = this.#options.stats.requests;
    const ticking = this.#tick();
    try {
      this.#fill();
      // What fails aborts, and what is aborted ends the ticks with the reason.
      await Promise.race([this.#fetched.promise, ticking]);
      this.#segments.grown();
      if (!this.#verification) throw corrupt("Storage ended its answer before it began.");
      const verified = await this.#verification;
      this.#report();
      return { ...verified, etag: this.#object?.etag };
    } catch (error) {
      const isOneAnswer = this.#options.stats.requests - requestsBefore === 1;
      throw isOneAnswer ? error : this.#suspectMixture(error);
    } finally {
      this.#stop.abort(new Error("The attempt has ended."));
      await Promise.allSettled([this.#verification, ticking, ...this.#running]);
    }
  }

  async #tick(): Promise<never> {
    const { clock, stallMs = 30_000 } = this.#options;
    for (;;) {
      await clock.sleep(tickMs, this.#signal);
      const now = clock.now();
      for (const connection of this.#connections) {
        if (now - connection.lastByteAt > stallMs)
          connection.abort.abort(new PassingFailure(`no byte came for ${stallMs / 1000} s`));
      }
      this.#replaceSlow(now);
      const delivering = [...this.#connections].filter(({ isDelivering }) => isDelivering).length;
      // What the checks cannot keep up with need not come faster.
      const isAhead = this.#received - this.#segments.asked > maxUncheckedBytes;
      this.#plan.observe(now, this.#received, delivering, isAhead ? 0 : this.#segments.remainingBytes);
      this.#fill();
      if (now >= this.#reported.atMs + progressEveryMs) this.#report();
    }
  }

  /** Starts connections until as many are at work as the plan says; until the first answer, one. */
  #fill(): void {
    while (this.#connections.size < (this.#object ? this.#plan.target : 1)) {
      const segment = this.#segments.next(this.#plan.target, this.#plan.bytesPerSecond);
      if (!segment) break;
      const running: Promise<void> = this.#work(segment)
        .then(() => {
          if (this.#segments.isDone) this.#fetched.resolve();
          else this.#fill();
        }, this.#fail)
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
    this.#options.stats.connections = Math.max(this.#options.stats.connections, this.#connections.size);
  }

  /** Lets one connection fetch segments until there are none, or it is one too many. */
  async #work(first: Segment): Promise<void> {
    using storage = new StorageConnection(this.#options.network);
    const connection: Connection = {
      storage,
      isDelivering: false,
      lastByteAt: 0,
      received: 0,
      seen: { atMs: this.#options.clock.now(), received: 0 },
      abort: new AbortController(),
    };
    this.#connections.add(connection);
    try {
      for (let segment: Segment | undefined = first; segment; ) {
        const isComplete = await this.#fetch(segment, connection);
        this.#segments.release(segment);
        if (!isComplete) return this.#plan.refused(this.#options.clock.now());
        const isNeeded = this.#connections.size <= this.#plan.target;
        segment = isNeeded ? this.#segments.next(this.#plan.target, this.#plan.bytesPerSecond) : undefined;
      }
    } finally {
      this.#connections.delete(connection);
    }
  }

  /** Fetches a segment to its end; `false` where this connection is one too many. */
  async #fetch(segment: Segment, connection: Connection): Promise<boolean> {
    let attemptsWithoutProgress = 0;
    while (segment.written < segment.end) {
      const before = segment.written;
      try {
        await this.#request(segment, connection);
      } catch (error) {
        this.#signal.throwIfAborted();
        attemptsWithoutProgress = segment.written > before ? 0 : attemptsWithoutProgress + 1;
        const isAlone = this.#connections.size === 1;
        const isAllowed = isAlone || attemptsWithoutProgress < maxAttemptsWithoutProgress;
        if (error !== tooSlow && !(await this.#canRetry(error, isAllowed))) return false;
      } finally {
        connection.isDelivering = false;
      }
    }
    return true;
  }

  /** Asks once for what is missing of a segment and writes what arrives; returns when the next request may go out. */
  async #request(segment: Segment, connection: Connection): Promise<void> {
    const link = await this.#options.links.current();
    this.#options.stats.requests += 1;
    let url = link.url;
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#get(url, link, segment, connection);
      if (!response) return;
      if (response.status === 304 && this.#options.knownEtag) throw new ObjectUnchanged();
      const error = classifyErrorResponse(response, this.#object, this.#options.clock.now());
      if (error.kind === "link-refused")
        return this.#options.links.reject(link, response.status, error.detail);
      if (redirects >= maxRedirects)
        throw unexpectedResponse(`Storage (${describeUrl(link.url)}) redirects in circles.`);
      url = parseStorageUrl(error.location, this.#options.linkPolicy, url);
    }
  }

  /** Sends one GET. Resolves when its body is on disk, or with an answer that brings no bytes of the object. */
  async #get(
    url: URL,
    link: UsableLink,
    segment: Segment,
    connection: Connection,
  ): Promise<(ResponseHead & { readonly text: string }) | undefined> {
    connection.abort = new AbortController();
    let answer: (ResponseHead & { text: string }) | undefined;
    const { clock, log } = this.#options;
    const startedMs = clock.now();
    connection.lastByteAt = startedMs;
    const begin = (head: ResponseHead): TakeBytes => {
      const request = { method: "GET", attempt: this.#failures + 1 };
      // Nothing that the host says is shown, not even an identifier: a link may lead to another one than storage.
      log.debug(formatRequestLog(request, url, clock.now() - startedMs, head.status));
      if (head.status === 200 || head.status === 206) {
        const body = readObjectResponse(head, segment.written, this.#object);
        if (!this.#object) this.#begin(body, head.headers, link);
        connection.isDelivering = true;
        return (bytes) => this.#write(bytes, segment, connection);
      }
      const refusal = { ...head, text: "" };
      answer = refusal;
      return (bytes) => {
        refusal.text += bytes.toString("latin1");
        return refusal.text.length <= maxErrorBytes;
      };
    };
    const knownEtag = this.#object ? undefined : this.#options.knownEtag;
    const headers = {
      ...plainHeaders,
      ...(this.#options.isRanged && rangeHeaders(segment, this.#object)),
      ...(knownEtag && { "if-none-match": knownEtag }),
    };
    const signal = AbortSignal.any([this.#signal, connection.abort.signal]);
    await connection.storage.get(url, headers, signal, begin);
    if (answer) return answer;
    // Storage that does not say the length says it by ending.
    if (segment.end === Number.POSITIVE_INFINITY) this.#segments.bound(segment.written);
    if (segment.written >= segment.end) return undefined;
    throw new PassingFailure(`the answer ended early, at byte ${segment.written}`);
  }

  /**
   * Writes what has arrived into the segment's place; `false` at its end, which may have been moved nearer meanwhile.
   *
   * Synchronous: the page cache takes the bytes at once, and a disk that is slow slows storage down instead of filling memory.
   */
  #write(bytes: Buffer, segment: Segment, connection: Connection): boolean {
    const { clock, maxBytes, path } = this.#options;
    const part = bytes.subarray(0, segment.end - segment.written);
    try {
      for (let done = 0; done < part.length; )
        done += writeSync(this.#options.part.file.fd, part, done, part.length - done, segment.written + done);
    } catch (error) {
      throw fromWriteError(error, path);
    }
    segment.written += part.length;
    connection.received += part.length;
    connection.lastByteAt = clock.now();
    this.#received += part.length;
    this.#failures = 0;
    this.#options.links.progressed();
    this.#segments.grown();
    if (segment.written > maxBytes) throw tooLarge(segment.written, maxBytes);
    return segment.written < segment.end;
  }

  /** Gives up a connection that brings far less than the others: a new one may take a better way. */
  #replaceSlow(nowMs: number): void {
    const due = [...this.#connections].filter(({ seen }) => nowMs - seen.atMs >= speedWindowMs);
    if (due.length < 2) return;
    const rates = due.map(({ received, seen }) => (received - seen.received) / (nowMs - seen.atMs));
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    for (const [index, connection] of due.entries()) {
      connection.seen = { atMs: nowMs, received: connection.received };
      if (connection.isDelivering && (rates[index] ?? 0) * slowFactor < mean) connection.abort.abort(tooSlow);
    }
  }

  /** The first answer has told what is being fetched. */
  #begin(
    { object, isRange, isWhole }: ObjectResponse,
    headers: ResponseHead["headers"],
    link: UsableLink,
  ): void {
    // Storage need not heed the condition.
    if (object.etag !== undefined && object.etag === this.#options.knownEtag) throw new ObjectUnchanged();
    this.#object = object;
    const { total } = object;
    const { sizeBytes } = link;
    if (total !== undefined) {
      if (sizeBytes !== undefined && sizeBytes !== total) {
        const [type] = shownTypes.exec(headers.get("content-type") ?? "") ?? ["of another type"];
        throw objectChanged(`the platform promised ${sizeBytes} bytes, but storage has ${total} (${type})`);
      }
      this.#segments.bound(total);
      this.#requireRoom(total).catch(this.#fail);
    }
    // Storage would answer the request for another range like this one.
    if (!isRange && headers.get("accept-ranges") !== "bytes") this.#plan.limit(1);
    this.#verification = this.#verify(readChecksums(headers, isWhole), sizeBytes);
    this.#verification.catch(this.#fail);
  }

  async #verify(checksums: readonly Checksum[], sizeBytes: number | undefined): Promise<VerifiedBundle> {
    const { verifyArriving } = await import("./verify-thread.ts");
    const limits = { maxTotalBytes: this.#options.maxBytes };
    const task = { path: this.#options.part.path, total: this.#segments.total, checksums, sizeBytes, limits };
    return verifyArriving(task, this.#segments, this.#signal);
  }

  /** Waits before the next try, where there may be one. */
  async #canRetry(error: unknown, isAllowed: boolean): Promise<boolean> {
    if ([ActionError, RestartNeeded, ObjectUnchanged].some((kind) => error instanceof kind)) throw error;
    if (!isAllowed) return false;
    const { clock, random, log } = this.#options;
    const failure =
      error instanceof PassingFailure
        ? error
        : new PassingFailure(
            `the connection failed (${codeOf(error) ?? messageOf(error)}${(error as { via?: string }).via ?? ""})`,
            { cause: error },
          );
    this.#failures += 1;
    const advice = certificateErrorDetails(codeOf(error));
    const isLast = this.#failures >= maxFailures || advice.hint !== undefined;
    if (isLast || (!this.#options.isRanged && this.#received > 0)) {
      const lasting = failure.lasting(this.#failures, advice);
      throw isLast ? lasting : new RestartNeeded(lasting, { withoutRanges: true });
    }
    this.#options.stats.retries += 1;
    const leastMs = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs);
    const delayMs = Math.max(leastMs, backoffMs(this.#failures, random, transferBackoff));
    log.debug(`Fetching the bundle: ${failure.message}; trying again in ${delayMs} ms.`);
    await clock.sleep(delayMs, this.#signal);
    return true;
  }

  async #requireRoom(bytes: number): Promise<void> {
    const { maxBytes, path } = this.#options;
    if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
    const { bavail, bsize } = await statfs(dirname(path));
    const free = bavail * bsize;
    if (free >= bytes) return;
    throw new BundleError(
      "disk-full",
      `The bundle needs ${bytes} bytes, but the disk of ${path} has ${free} left.`,
    );
  }

  /**
   * Storage that names no version may have sent parts of two. Then damage proves nothing yet: one stream cannot be a
   * mixture.
   */
  #suspectMixture(error: unknown): unknown {
    const { etag, lastModified } = this.#object ?? {};
    const isNamed = etag !== undefined || lastModified !== undefined;
    const isDamage = error instanceof BundleError && error.code === "bundle-corrupt";
    return isDamage && !isNamed && this.#options.isRanged
      ? new RestartNeeded(error, { withoutRanges: true })
      : error;
  }

  #report(): void {
    const { clock, onProgress } = this.#options;
    const total = this.#object?.total;
    const bytes = total === undefined ? this.#received : total - this.#segments.remainingBytes;
    const atMs = clock.now();
    const seconds = Math.max(1, atMs - this.#reported.atMs) / 1000;
    const bytesPerSecond = Math.max(0, bytes - this.#reported.bytes) / seconds;
    this.#reported = { atMs, bytes };
    onProgress?.({ bytes, total, bytesPerSecond, connections: this.#connections.size });
  }
}

/** Ends a request so that another connection takes it over. */
const tooSlow = new Error("The connection is much slower than the others.");

function tooLarge(bytes: number, maxBytes: number): BundleError {
  return new BundleError(
    "bundle-too-large",
    `The bundle has ${bytes} bytes or more; at most ${maxBytes} are allowed.`,
  );
}

/** Media types that say what came instead of a bundle; any other may be chosen by a host that is not storage. */
const shownTypes = /^(?:text\/(?:html|plain|xml)|application\/(?:json|xml|zip|gzip|x-tar|octet-stream))\b/;

const plainHeaders = {
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "docs-automation-action",
};

/** Asks for a segment; for all the rest while the length is unknown. */
function rangeHeaders({ written, end }: Segment, object: ObjectIdentity | undefined): Record<string, string> {
  const range = `bytes=${written}-${object && Number.isFinite(end) ? end - 1 : ""}`;
  if (object?.etag) return { range, "if-match": object.etag };
  return object?.lastModified ? { range, "if-unmodified-since": object.lastModified } : { range };
}
