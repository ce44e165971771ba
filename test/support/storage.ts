/** Object storage that presigned links point to, with every way of misbehaving that a test may order. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Clock, systemClock } from "../../src/base/runtime.ts";
import type { BundleLink } from "../../src/bundle/presigned-link.ts";
import { type ListeningServer, listen } from "./listen.ts";

/** What is stored. */
interface StoredObject {
  readonly body: Buffer;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Further header fields of every answer that brings bytes. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request as storage saw it. */
interface StorageRequest {
  /** Counts from 0. */
  readonly index: number;
  readonly headers: IncomingMessage["headers"];
  /** First byte asked for. */
  readonly start: number;
  readonly isRanged: boolean;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Status sent; `undefined` until then. */
  status?: number;
  /** Bytes of the body sent. */
  sent: number;
}

/** How one request is answered otherwise than storage should. */
type Misbehaviour =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The connection is closed after so many bytes of the body. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** Nothing comes after so many bytes of the body, and the connection stays open. */
  | { readonly kind: "stall"; readonly afterBytes: number }
  /** This answer comes slower than the others. */
  | { readonly kind: "slow"; readonly bytesPerSecond: number }
  /** Header fields of the usual answer are replaced. */
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> }
  /** Other bytes than were asked for, under the right header fields or the wrong ones. */
  | { readonly kind: "shift"; readonly by: number }
  /** The object is replaced before this request is answered. */
  | { readonly kind: "replace"; readonly object: StoredObject };

/** What is set for the whole life of a storage. */
export interface StorageOptions {
  readonly object: StoredObject;
  /** Time by which links expire and answers are slowed down; the real one by default. */
  readonly clock?: Clock;
  /** Links expire so long after they were issued; they never do by default. */
  readonly linkLifeMs?: number;
  /** What a link says of its life: its length, nothing, or an hour more. */
  readonly announcedLife?: "true" | "none" | "longer";
  readonly sizeBytes?: number;
  readonly ignoresRanges?: boolean;
  readonly ignoresConditions?: boolean;
  /** Answers come in chunks without a length. */
  readonly hidesLength?: boolean;
  /** Bytes per second of each answer. */
  readonly bytesPerSecond?: number;
  /** Called for every request with a valid link. */
  readonly misbehave?: (request: StorageRequest) => Misbehaviour | undefined;
}

/** A running storage; stops when it goes out of scope. */
export interface Storage extends AsyncDisposable {
  readonly origin: string;
  readonly requests: readonly StorageRequest[];
  /** Links issued so far. */
  readonly links: number;
  /** Bytes of bodies sent over all requests. */
  readonly sentBytes: number;
  /** Issues a fresh link, as the platform does. */
  getLink(): Promise<BundleLink>;
}

const expiredBody =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';

class ScriptedStorage implements Storage {
  readonly requests: StorageRequest[] = [];
  readonly #options: StorageOptions;
  #server: ListeningServer | undefined;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #expiries = new Map<string, number>();
  #object: StoredObject;

  constructor(options: StorageOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#object = options.object;
  }

  async start(): Promise<void> {
    this.#server = await listen(
      createServer((request, response) => {
        this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
      }),
    );
  }

  get origin(): string {
    return this.#server?.url ?? "";
  }

  get links(): number {
    return this.#expiries.size;
  }

  get sentBytes(): number {
    return this.requests.reduce((sum, { sent }) => sum + sent, 0);
  }

  async getLink(): Promise<BundleLink> {
    const { linkLifeMs = Number.POSITIVE_INFINITY, announcedLife = "true", sizeBytes } = this.#options;
    const signature = `secret-${this.#expiries.size}`;
    this.#expiries.set(signature, this.#clock.now() + linkLifeMs);
    const announcedMs = announcedLife === "longer" ? 3_600_000 : linkLifeMs;
    const issuedAt = new Date(this.#clock.now());
    const isAnnounced = announcedLife !== "none" && Number.isFinite(announcedMs);
    return {
      url: `${this.origin}/exports/bundle.tar.gz?X-Amz-Signature=${signature}`,
      issuedAt,
      expiresAt: isAnnounced ? new Date(issuedAt.getTime() + announcedMs) : undefined,
      sizeBytes,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#server?.[Symbol.asyncDispose]();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", this.origin);
    const range = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? "");
    const request: StorageRequest = {
      index: this.requests.length,
      headers: incoming.headers,
      method: incoming.method ?? "",
      url: incoming.url ?? "",
      start: Number(range?.[1] ?? 0),
      isRanged: range !== null,
      sent: 0,
    };
    this.requests.push(request);
    response.once("close", () => {
      request.status ??= response.statusCode;
    });
    const expiry = this.#expiries.get(url.searchParams.get("X-Amz-Signature") ?? "");
    if (expiry === undefined || this.#clock.now() >= expiry) {
      response.writeHead(403, { "content-type": "application/xml" }).end(expiredBody);
      return;
    }
    const misbehaviour = this.#options.misbehave?.(request);
    if (misbehaviour?.kind === "answer") {
      response.writeHead(misbehaviour.status, misbehaviour.headers).end(misbehaviour.body);
      return;
    }
    if (misbehaviour?.kind === "replace") this.#object = misbehaviour.object;
    await this.#serve({ request, response, last: range?.[2] }, misbehaviour);
  }

  async #serve(
    {
      request,
      response,
      last,
    }: { request: StorageRequest; response: ServerResponse; last: string | undefined },
    misbehaviour: Misbehaviour | undefined,
  ): Promise<void> {
    const { body, etag } = this.#object;
    const condition = request.headers["if-match"];
    if (condition !== undefined && condition !== etag && !this.#options.ignoresConditions) {
      response.writeHead(412).end();
      return;
    }
    if (etag !== undefined && request.headers["if-none-match"] === etag && !this.#options.ignoresConditions) {
      response.writeHead(304, { etag }).end();
      return;
    }
    const isRanged = request.isRanged && !this.#options.ignoresRanges;
    if (isRanged && request.start >= body.length) {
      response.writeHead(416, { "content-range": `bytes */${body.length}` }).end();
      return;
    }
    const start = isRanged ? request.start : 0;
    const end = isRanged && last ? Math.min(body.length, Number(last) + 1) : body.length;
    const shift = misbehaviour?.kind === "shift" ? misbehaviour.by : 0;
    response.writeHead(isRanged ? 206 : 200, {
      ...this.#objectFields(end - start),
      ...(isRanged ? { "content-range": `bytes ${start + shift}-${end - 1 + shift}/${body.length}` } : {}),
      ...(misbehaviour?.kind === "headers" ? misbehaviour.headers : {}),
    });
    await this.#send({ request, response, bytes: body.subarray(start + shift, end + shift) }, misbehaviour);
  }

  #objectFields(length: number): Record<string, string> {
    const { etag, lastModified, headers } = this.#object;
    return {
      ...headers,
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { "last-modified": lastModified }),
      ...(this.#options.hidesLength ? {} : { "content-length": String(length) }),
    };
  }

  async #send(
    { request, response, bytes }: { request: StorageRequest; response: ServerResponse; bytes: Buffer },
    misbehaviour: Misbehaviour | undefined,
  ): Promise<void> {
    const isShort = misbehaviour?.kind === "cut" || misbehaviour?.kind === "stall";
    const allowed = isShort ? bytes.subarray(0, misbehaviour.afterBytes) : bytes;
    const { bytesPerSecond } = misbehaviour?.kind === "slow" ? misbehaviour : this.#options;
    const stepBytes = bytesPerSecond ? Math.max(1, Math.round(bytesPerSecond / 100)) : 256 * 1024;
    const startedAt = this.#clock.now();
    for (let sent = 0; sent < allowed.length && !response.destroyed; ) {
      const chunk = allowed.subarray(sent, sent + stepBytes);
      sent += chunk.length;
      request.sent += chunk.length;
      if (!response.write(chunk)) await drained(response);
      const delayMs = bytesPerSecond ? startedAt + (sent / bytesPerSecond) * 1000 - this.#clock.now() : 0;
      // A late timer is made up for by the next one.
      if (delayMs > 0) await this.#clock.sleep(delayMs, this.#stop.signal);
    }
    if (misbehaviour?.kind === "cut") await cut(response);
    else if (misbehaviour?.kind !== "stall") response.end();
  }
}

/** Closes the connection when what was written is on its way: a reset would take it back. */
async function cut(response: ServerResponse): Promise<void> {
  response.flushHeaders();
  const { socket } = response;
  await new Promise<void>((resolve) => socket?.write("", () => resolve()));
  socket?.destroy();
}

/** Resolves when the connection takes more, or is gone. */
async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = () => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
  });
}

/** Starts storage on a free port of the loopback interface. */
export async function startStorage(options: StorageOptions): Promise<Storage> {
  const storage = new ScriptedStorage(options);
  await storage.start();
  return storage;
}
