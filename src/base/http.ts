/**
 * The one HTTP client for requests to an API, over Node's own `http` and `https`: an HTTP library costs a run twice the time
 * of bare Node before its first byte is sent. Bundles are fetched by an engine of their own (`bundle/transfer.ts`).
 */
import http, { type AgentOptions, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { ActionError } from "./errors.ts";
import { isLoopback, normalizeHost } from "./network.ts";
import type { Environment, Log } from "./runtime.ts";
import { codeOf, messageOf } from "./text.ts";

export interface HttpRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  /** Ends the request, and the reading of its answer. */
  readonly signal: AbortSignal;
  /** Time-out for the answer's head in milliseconds; 60 s unless said. */
  readonly headersTimeoutMs?: number | undefined;
  /** Is told of the request and its end: no query, no header but the answer's identifier, no body. */
  readonly log?: Pick<Log, "debug">;
  /** Which one it is of the same request, for the log. */
  readonly attempt?: number | undefined;
}

/** The proxy variables of the environment, as they are. */
export interface ProxySettings {
  readonly httpsProxy?: string | undefined;
  readonly httpProxy?: string | undefined;
  /** Hosts that are excluded from proxying. */
  readonly noProxy?: string | undefined;
}

const connectTimeoutMs = 10_000;
const usualHeadersTimeoutMs = 60_000;
/** An answer that says nothing for so long is cut. */
const bodyTimeoutMs = 60_000;
/** Connections are kept for the next request, shorter than any server between keeps them. */
const keepAliveMs = 4_000;

/** The usual variables, in either spelling. */
export function readProxySettings(environment: Environment): ProxySettings {
  return {
    httpsProxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"],
    httpProxy: environment["http_proxy"] ?? environment["HTTP_PROXY"],
    noProxy: environment["no_proxy"] ?? environment["NO_PROXY"],
  };
}

/**
 * The address of a proxy; `proxy.example:3128`, as curl takes it, means http. Empty: none.
 *
 * @throws {ActionError} `invalid-input` where it is no address
 */
export function proxyAddress(variable: string, value = ""): string {
  if (value.trim() === "") return "";
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(address)) return address;
  throw new ActionError("invalid-input", `${variable} is not the address of a proxy.`, {
    hint: "It must look like `http://proxy.example:3128`.",
  });
}

/** Sends requests over connections of its own; no proxy is asked for this machine itself, which none can reach. */
export class HttpClient {
  readonly #agents = new Map<string, http.Agent>();
  readonly #proxies: ProxySettings;
  readonly #proxyEnv: NodeJS.ProcessEnv | undefined;

  /** @throws {ActionError} `invalid-input` for a proxy that is not an address */
  constructor(proxies: ProxySettings = {}) {
    this.#proxies = proxies;
    const HTTPS_PROXY = proxyAddress("HTTPS_PROXY", proxies.httpsProxy);
    const HTTP_PROXY = proxyAddress("HTTP_PROXY", proxies.httpProxy);
    if (HTTPS_PROXY !== "" || HTTP_PROXY !== "")
      this.#proxyEnv = { HTTPS_PROXY, HTTP_PROXY, NO_PROXY: proxies.noProxy?.trim() ?? "" };
  }

  /**
   * Sends one request, once, and follows no redirect.
   *
   * @returns the answer's head; its body is read by the caller, or thrown away with `resume()`.
   * @throws what Node says of a failed connection; an error with the code `CONNECT_TIMEOUT`, `HEADERS_TIMEOUT` or
   *   `BODY_TIMEOUT`; the signal's reason.
   */
  async send(url: URL, request: HttpRequest): Promise<IncomingMessage> {
    const { method, headers, body, signal, headersTimeoutMs = usualHeadersTimeoutMs } = request;
    signal.throwIfAborted();
    const startedMs = Date.now();
    const logEnd = (end?: number | string, headers?: IncomingMessage["headers"]) =>
      request.log?.debug(formatRequestLog(request, url, Date.now() - startedMs, end, headers));
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    // TLS is half of what an HTTP client costs at its start; a platform on this machine needs none.
    const { Agent, request: open } = url.protocol === "https:" ? await import("node:https") : http;
    const sent = open(
      url,
      { method, agent: this.#agentFor(url, Agent), signal, headers: { ...headers, ...length } },
      resolve,
    ).on("error", reject);
    const cut = (code: string, what: string, afterMs: number) =>
      setTimeout(() => sent.destroy(timeoutError(code, what, afterMs)), afterMs);
    const connecting = cut("CONNECT_TIMEOUT", "no connection within", connectTimeoutMs);
    const waiting = cut("HEADERS_TIMEOUT", "no answer within", headersTimeoutMs);
    sent.on("socket", (socket) => {
      if (!socket.connecting) clearTimeout(connecting);
      else
        socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => clearTimeout(connecting));
    });
    sent.end(body);
    try {
      const response = await answered;
      logEnd(response.statusCode, response.headers);
      response.setTimeout(bodyTimeoutMs, () => {
        response.destroy(timeoutError("BODY_TIMEOUT", "the answer was silent for", bodyTimeoutMs));
      });
      return response;
    } catch (error) {
      logEnd(codeOf(error));
      signal.throwIfAborted();
      throw addProxyToError(error, url, this.#proxies);
    } finally {
      clearTimeout(connecting);
      clearTimeout(waiting);
    }
  }

  /** Whether requests may go through a proxy, so that a connection's address is not the server's. */
  get isProxied(): boolean {
    return this.#proxyEnv !== undefined;
  }

  /** Closes the connections that are kept. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agentFor(url: URL, Agent: new (options: AgentOptions) => http.Agent): http.Agent {
    const proxyEnv = isLoopback(url) ? undefined : this.#proxyEnv;
    const name = `${url.protocol}${proxyEnv === undefined ? "" : "proxy"}`;
    const options = { keepAlive: true, timeout: keepAliveMs, ...(proxyEnv && { proxyEnv }) };
    const agent = this.#agents.get(name) ?? new Agent(options);
    this.#agents.set(name, agent);
    return agent;
  }
}

/** The proxy that requests to an address go through; `undefined` for none. */
export function findProxy(url: URL, { httpsProxy, httpProxy, noProxy = "" }: ProxySettings): URL | undefined {
  const isSecure = url.protocol === "https:";
  const address = isSecure ? proxyAddress("HTTPS_PROXY", httpsProxy) : proxyAddress("HTTP_PROXY", httpProxy);
  return address === "" || isLoopback(url) || isExcludedFromProxy(url, noProxy)
    ? undefined
    : new URL(address);
}

/** A connection's failure with its proxy, if it has one: in the message, and alone in `via`. Never with user name and password. */
export function addProxyToError(cause: unknown, url: URL, proxies: ProxySettings): unknown {
  const proxy = findProxy(url, proxies);
  if (proxy === undefined) return cause;
  const via = `; the request went through the proxy ${proxy.protocol}//${proxy.host}`;
  return Object.assign(new Error(messageOf(cause) + via, { cause }), { code: codeOf(cause), via });
}

/** What to do about a certificate that is not trusted now, and so is not a moment later; nothing for other errors. */
export function certificateErrorDetails(code = "") {
  if (!/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ERR_TLS_CERT_)/.test(code))
    return {};
  return {
    retryable: false,
    section: "certificate",
    hint: "This runner does not trust the server's certificate. If a proxy opens the traffic, or the server has a certificate of your own authority, name its file as `NODE_EXTRA_CA_CERTS` in the step's `env:`, or set `NODE_USE_SYSTEM_CA: 1` there to trust what the runner trusts.",
  };
}

/** One line of debug logging: no query, which may be a credential, and of an answer only its status and identifier. */
export function formatRequestLog(
  { method, attempt = 1 }: Pick<HttpRequest, "method" | "attempt">,
  url: URL,
  tookMs: number,
  end: number | string = "no answer",
  headers: IncomingMessage["headers"] = {},
): string {
  const requestId = readRequestId(headers);
  const facts = [end, requestId && `request ${requestId}`, `${Math.round(tookMs)} ms`, `attempt ${attempt}`];
  return `${method} ${url.origin}${url.pathname}: ${facts.filter(Boolean).join(", ")}`;
}

/** Whether `NO_PROXY` names an address: its host, with its port, a domain that it is in, or `*` for all. */
function isExcludedFromProxy({ hostname, port }: URL, noProxy: string): boolean {
  const host = normalizeHost(hostname);
  const places = [host, `${host}:${port || 443}`];
  return (noProxy.toLowerCase().match(/[^\s,]+/g) ?? []).some((entry) => {
    const name = entry.replace(/^\*?\./, "");
    return entry === "*" || places.some((place) => place === name || place.endsWith(`.${name}`));
  });
}

const requestIdHeader = /^(?:x-)?(?:(?:github|amzn?|ms)-)?request-?id$|^x-correlation-id$|^cf-ray$/;

/** The identifier that a server gave a request, as one line of at most 100 characters. */
export function readRequestId(headers: IncomingMessage["headers"]): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => requestIdHeader.test(name)) ?? [];
  const line = String(value ?? "").slice(0, 100);
  return line.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim() || undefined;
}

/** All bytes of a body; `undefined` where there are more than `maxBytes`, which are never held. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function timeoutError(code: string, what: string, ms: number): Error {
  return Object.assign(new Error(`${what} ${ms / 1000} s`), { code });
}
