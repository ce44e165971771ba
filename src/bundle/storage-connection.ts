/**
 * A minimal HTTP/1.1 client for GET requests to storage. All connections read into one buffer. An HTTP library allocates an object
 * for every few kilobytes and copies them twice, which takes three times the processor time of the rest of a download
 * (`npm run bench -- transfer`).
 */
import { type LookupAddress, lookup } from "node:dns";
import { addAbortListener } from "node:events";
import { Agent } from "node:https";
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { addProxyToError, allowDistantHosts, findProxy, type ProxySettings } from "../base/http.ts";
import { classifyAddress, type LinkPolicy, normalizeHost } from "../base/network.ts";
import { describeUrl, forbiddenHostError } from "./presigned-link.ts";
import { type ResponseHead, unexpectedResponse } from "./storage-response.ts";

/** Processes the next bytes of a body, which are valid only during the call; `false` if no more are needed. */
export type TakeBytes = (bytes: Buffer) => boolean;

/** Opens connections, through a proxy if one is configured, and only to addresses that the link policy allows. */
export class StorageNetwork {
  readonly #proxies: ProxySettings;
  readonly #lookup: LookupFunction;
  /** All connections share this buffer, because received bytes are processed before the next read. */
  readonly #buffer = Buffer.allocUnsafeSlow(1024 * 1024);

  constructor({ httpsProxy, noProxy }: ProxySettings, policy: LinkPolicy) {
    allowDistantHosts();
    // Only links to this machine may be http, and a proxy is never used for them.
    this.#proxies = { httpsProxy, noProxy };
    this.#lookup = createLookup(policy);
  }

  /** Adds the proxy, if the connection uses one, to an error. */
  explain(url: URL, error: Error | undefined): unknown {
    return error && addProxyToError(error, url, this.#proxies);
  }

  /**
   * Opens a connection. Received bytes are passed to `onBytes` and are valid only during the call.
   *
   * @throws {ActionError} `invalid-input` if it needs a proxy, whose URL is invalid
   */
  async connect(url: URL, onBytes: (bytes: Buffer) => void): Promise<Socket> {
    const buffer = this.#buffer;
    const onread: TcpNetConnectOpts["onread"] = {
      buffer,
      callback(length) {
        onBytes(buffer.subarray(0, length));
        return true;
      },
    };
    const host = normalizeHost(url.hostname);
    const target = { host, lookup: this.#lookup, onread };
    if (url.protocol === "http:") return connect({ ...target, port: Number(url.port || 80) });
    const servername = isIP(host) === 0 ? host : "";
    const options: ConnectionOptions = { ...target, port: Number(url.port || 443), servername };
    const proxy = findProxy(url, this.#proxies);
    if (proxy === undefined) return connectTls(options);
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const agent = new Agent({ proxyEnv: { HTTPS_PROXY: proxy.href } });
    agent.createConnection(options, (error, tunnel) => {
      if (error) {
        tunnel?.destroy();
        return reject(this.explain(url, error));
      }
      // A TLS connection within a tunnel does not support `onread`.
      tunnel.on("data", onBytes);
      resolve(tunnel as Socket);
    });
    return promise;
  }
}

/**
 * Creates a DNS lookup that returns only addresses that the policy allows. The connection uses one of them, so a later DNS response
 * cannot redirect it.
 */
export function createLookup(policy: LinkPolicy, resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
      const host = normalizeHost(hostname);
      const allowed = addresses.filter(({ address }) => policy(classifyAddress(address), host));
      const [first] = allowed;
      if (error || first === undefined) callback(error ?? forbiddenHostError(hostname), [], 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

const maxRedirects = 5;

/** Sends requests over one connection, which is reused for the next request to the same origin. */
export class StorageConnection implements Disposable {
  readonly #network: StorageNetwork;
  #socket: Socket | undefined;
  #origin = "";
  #request: { readonly reader: ResponseReader; readonly end: (error?: unknown) => void } | undefined;

  constructor(network: StorageNetwork) {
    this.#network = network;
  }

  /**
   * Sends one GET request without following redirects. Resolves at the end of the body, or when no more of it is needed.
   *
   * @param begin called with the status and headers; returns the function that processes the body
   * @throws the errors of `begin` and `TakeBytes`, Node's error for a failed connection, and the signal's reason
   */
  async get(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    begin: (head: ResponseHead) => TakeBytes,
  ): Promise<void> {
    signal.throwIfAborted();
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    const reader = new ResponseReader(begin);
    this.#request = { reader, end: (error) => (error === undefined ? resolve() : reject(error)) };
    using _listening = addAbortListener(signal, () => reject(signal.reason));
    try {
      await Promise.race([ended, this.#send(url, headers)]);
      await ended;
    } finally {
      this.#request = undefined;
      if (!reader.isReusable) this[Symbol.dispose]();
    }
  }

  /**
   * Like {@link get}, but follows up to five redirects. `begin` is called for the response that is none.
   *
   * @param parse returns the URL of a redirect, given its location and the URL and status of the response; throws if it is not allowed
   */
  async follow(
    link: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    begin: (head: ResponseHead, url: URL) => TakeBytes,
    parse: (location: string, base: URL, status: number) => URL,
  ): Promise<void> {
    let next: URL | undefined = link;
    for (let redirects = 0; next !== undefined; redirects += 1) {
      if (redirects > maxRedirects)
        throw unexpectedResponse(`Storage (${describeUrl(link)}) redirects in circles.`);
      const url: URL = next;
      next = undefined;
      await this.get(url, headers, signal, (head) => {
        const isRedirect = [301, 302, 303, 307, 308].includes(head.status);
        const location = isRedirect && head.headers.get("location");
        if (!location) return begin(head, url);
        next = parse(location, url, head.status);
        return () => false;
      });
    }
  }

  async #send(url: URL, headers: Readonly<Record<string, string>>): Promise<void> {
    const { origin, host, pathname, search } = url;
    if (!this.#socket?.writable || this.#origin !== origin) {
      this[Symbol.dispose]();
      const request = this.#request;
      const socket = await this.#network.connect(url, (bytes) => this.#receive(bytes));
      if (this.#request !== request) {
        socket.destroy();
        return;
      }
      this.#socket = socket;
      this.#origin = origin;
      const onEnd = (error?: Error) => {
        if (this.#socket === socket) this.#request?.end(this.#network.explain(url, error));
      };
      // Node emits "close" after each "error".
      socket.on("error", onEnd);
      socket.on("close", () => {
        const error = Object.assign(new Error("The connection was closed."), { code: "ECONNRESET" });
        onEnd(this.#request?.reader.isEndedByClose ? undefined : error);
      });
    }
    const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${fields.join("")}\r\n`, "latin1");
  }

  #receive(bytes: Buffer): void {
    // Bytes without a request are not part of any response.
    if (this.#request === undefined) this[Symbol.dispose]();
    else
      try {
        if (this.#request.reader.read(bytes)) this.#request.end();
      } catch (error) {
        this.#request.end(error);
      }
  }

  [Symbol.dispose](): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

const maxHeadBytes = 64 * 1024;
const maxChunkLineBytes = 1024;

/** Parses one response incrementally. Its generator yields when it needs more bytes. */
class ResponseReader {
  isEndedByClose = false;
  /** Whether the connection can be reused; set at the end. */
  isReusable = false;
  readonly #begin: (head: ResponseHead) => TakeBytes;
  readonly #reading = this.#readResponse();
  #bytes: Buffer = Buffer.alloc(0);

  constructor(begin: (head: ResponseHead) => TakeBytes) {
    this.#begin = begin;
  }

  /** Processes the next bytes; `true` if no more are needed. */
  read(bytes: Buffer): boolean {
    this.#bytes = bytes;
    return this.#reading.next().done ?? false;
  }

  *#readResponse(): Generator<void, void, void> {
    let head = yield* this.#readHead();
    while (head.status < 200) head = yield* this.#readHead();
    const take = this.#begin(head);
    const { status, headers } = head;
    const encoding = headers.get("transfer-encoding")?.toLowerCase();
    const length = headers.get("content-length");
    if (encoding !== undefined && encoding !== "chunked") throw notHttp();
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw notHttp();
    const hasBody = status !== 204 && status !== 304;
    this.isEndedByClose = hasBody && encoding === undefined && length === undefined;
    const bytes = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
    const isComplete =
      hasBody && encoding === "chunked"
        ? yield* this.#readChunks(take)
        : yield* this.#readBody(hasBody ? bytes : 0, take);
    this.isReusable =
      isComplete && this.#bytes.length === 0 && !/close/i.test(headers.get("connection") ?? "");
  }

  *#readHead(): Generator<void, ResponseHead, void> {
    const statusLine = yield* this.#readLine(maxHeadBytes);
    const [, version, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine) ?? [];
    if (version === undefined) throw notHttp();
    const headers = new Map(version === "0" ? [["connection", "close"]] : []);
    for (let left = maxHeadBytes - statusLine.length; ; ) {
      const line = yield* this.#readLine(left);
      if (line === "") return { status: Number(status), headers };
      left -= line.length;
      const [, name = "", field = ""] = /^([!#$%&'*+\-.^_`|~\w]+):([^\0\r\n]*)$/.exec(line) ?? [];
      // The second alternative begins only where the white space does, so that it takes linear time.
      const value = field.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
      const previous = headers.get(name.toLowerCase());
      if (name === "" || (/^content-length$/i.test(name) && (previous ?? value) !== value)) throw notHttp();
      const isRepeated = previous !== undefined && previous !== value;
      headers.set(name.toLowerCase(), isRepeated ? `${previous}, ${value}` : value);
    }
  }

  /** `false` if `take` needs no more bytes before the end of the body. */
  *#readBody(length: number, take: TakeBytes): Generator<void, boolean, void> {
    for (let left = length; left > 0; ) {
      if (this.#bytes.length === 0) yield;
      const part = this.#bytes.subarray(0, left);
      this.#bytes = this.#bytes.subarray(part.length);
      left -= part.length;
      if (!take(part)) return left === 0;
    }
    return true;
  }

  *#readChunks(take: TakeBytes): Generator<void, boolean, void> {
    for (;;) {
      const [, size] = /^([\da-f]{1,12})[ \t]*(?:;|$)/i.exec(yield* this.#readLine(maxChunkLineBytes)) ?? [];
      if (size === undefined) throw notHttp();
      const length = Number.parseInt(size, 16);
      if (length === 0) break;
      if (!(yield* this.#readBody(length, take))) return false;
      if ((yield* this.#readLine(maxChunkLineBytes)) !== "") throw notHttp();
    }
    while ((yield* this.#readLine(maxHeadBytes)) !== "");
    return true;
  }

  *#readLine(maxBytes: number): Generator<void, string, void> {
    let line = "";
    for (;;) {
      if (this.#bytes.length === 0) yield;
      const end = this.#bytes.indexOf(0x0a);
      const part = this.#bytes.subarray(0, end === -1 ? this.#bytes.length : end + 1);
      line += part.toString("latin1");
      this.#bytes = this.#bytes.subarray(part.length);
      if (line.length > maxBytes) throw notHttp();
      if (end !== -1) return line.replace(/\r?\n$/, "");
    }
  }
}

function notHttp(): Error {
  return unexpectedResponse("Storage returned something that is not HTTP/1.1.");
}
