/**
 * The HTTP client for API requests. It uses Node's `http` and `https`, because loading an HTTP library takes twice the start-up
 * time of Node itself. Bundles are downloaded by `bundle/download-attempt.ts` instead.
 */
import http, { type AgentOptions, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { ActionError } from "./errors.ts";
import { isLoopback, normalizeHost } from "./network.ts";
import type { Environment, Log } from "./runtime.ts";
import { codeOf, messageOf, toOneLine } from "./text.ts";
import { userAgent } from "./version.ts";

export interface HttpRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Time-out for the response headers in milliseconds; default: 60 s. */
  readonly headersTimeoutMs?: number | undefined;
  /** True for a request that must not be lost because the server is closing an idle connection. */
  readonly needsNewConnection?: boolean;
  /** Receives one line per request, without query, body and headers other than the request identifier. */
  readonly log?: Pick<Log, "debug">;
  readonly attempt?: number | undefined;
}

/** A response to a request of this client, which always has a status. */
export type HttpResponse = IncomingMessage & { readonly statusCode: number };

const connectTimeoutMs = 10_000;
/** Time for a connection to one address of a host before the next address is tried. */
const addressTimeoutMs = 2_500;
export const defaultHeadersTimeoutMs = 60_000;
/** A response that sends nothing for this long is closed, and so is one that is read into memory and does not end by then. */
const bodyTimeoutMs = 60_000;
/** Idle connections are kept for this long, which is shorter than the keep-alive time of common servers and proxies. */
const keepAliveMs = 4_000;

/** The unvalidated values of the proxy variables. */
export type ProxySettings = Readonly<Partial<ReturnType<typeof readProxySettings>>>;

/** Reads the proxy variables, in lower or upper case. */
export function readProxySettings(environment: Environment) {
  return {
    httpsProxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"],
    httpProxy: environment["http_proxy"] ?? environment["HTTP_PROXY"],
    noProxy: environment["no_proxy"] ?? environment["NO_PROXY"],
  };
}

/**
 * Gives every address of a host time for its first round trip, in all connections of the process. Node's 250 ms are too short for a
 * distant host, which is unreachable then if its last address is IPv6 without a route (https://github.com/nodejs/node/issues/54359).
 */
export function allowDistantHosts(): void {
  const timeoutMs = Math.max(addressTimeoutMs, getDefaultAutoSelectFamilyAttemptTimeout());
  setDefaultAutoSelectFamilyAttemptTimeout(timeoutMs);
}

/**
 * Validates the URL of an HTTP proxy. Like curl, it reads `proxy.example:3128` as an http URL. An empty value means no proxy. Node would
 * ignore a proxy of another kind, such as SOCKS, and send requests past it.
 *
 * @throws {ActionError} `invalid-input` if it is no such URL
 */
function proxyAddress(variable: string, value = ""): string {
  if (value.trim() === "") return "";
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  // A password may contain a percent sign that is not encoded, which Node cannot decode.
  const address = url.replace(/%(?![\da-f]{2})/gi, "%25");
  if (/^https?:/i.test(address) && URL.canParse(address)) return address;
  throw new ActionError("invalid-input", `${variable} is not the URL of an HTTP proxy.`, {
    hint: "It must look like `http://proxy.example:3128`.",
  });
}

/** Sends requests over its own connections. Requests to this machine never use a proxy. */
export class HttpClient {
  readonly #agents = new Map<string, http.Agent>();
  readonly #proxies: ProxySettings;
  readonly #proxyEnv: NodeJS.ProcessEnv | undefined;

  /** @throws {ActionError} `invalid-input` for an invalid proxy URL */
  constructor(proxies: ProxySettings = {}) {
    allowDistantHosts();
    this.#proxies = proxies;
    const HTTPS_PROXY = proxyAddress("HTTPS_PROXY", proxies.httpsProxy);
    const HTTP_PROXY = proxyAddress("HTTP_PROXY", proxies.httpProxy);
    if (HTTPS_PROXY !== "" || HTTP_PROXY !== "") this.#proxyEnv = { HTTPS_PROXY, HTTP_PROXY };
  }

  /**
   * Sends one request without retries and without following redirects.
   *
   * @returns the response with its headers. The caller reads the body or discards it with `resume()`.
   * @throws Node's error for a failed connection; an error with the code `CONNECT_TIMEOUT`, `CONNECT_RESET`, `HEADERS_TIMEOUT` or
   *   `BODY_TIMEOUT`; the signal's reason.
   */
  async send(url: URL, request: HttpRequest): Promise<HttpResponse> {
    const { method, headers, body, signal, headersTimeoutMs = defaultHeadersTimeoutMs } = request;
    const { needsNewConnection = false } = request;
    signal.throwIfAborted();
    const startedMs = Date.now();
    const logEnd = (end?: number | string, headers?: IncomingMessage["headers"]) =>
      request.log?.debug(formatRequestLog(request, url, Date.now() - startedMs, end, headers));
    const { promise: responded, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    // Without this field, a server may compress its response (RFC 9110 §12.5.3), which nothing here reads.
    const sentHeaders = { "accept-encoding": "identity", "user-agent": userAgent, ...headers, ...length };
    // Loading TLS is half of an HTTP client's start-up time. A platform on this machine does not need it.
    const { Agent, request: open } = url.protocol === "https:" ? await import("node:https") : http;
    const sent = open(
      url,
      { method, agent: this.#agentFor(url, Agent, !needsNewConnection), signal, headers: sentHeaders },
      resolve,
    ).on("error", reject);
    const startTimeout = (code: string, what: string, afterMs: number) =>
      setTimeout(() => sent.destroy(timeoutError(code, what, afterMs)), afterMs);
    const connectTimer = startTimeout("CONNECT_TIMEOUT", "no connection within", connectTimeoutMs);
    const headersTimer = startTimeout("HEADERS_TIMEOUT", "no response within", headersTimeoutMs);
    let isConnected = false;
    const onConnected = () => {
      isConnected = true;
      clearTimeout(connectTimer);
    };
    sent.on("socket", (socket) => {
      if (!socket.connecting) onConnected();
      else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", onConnected);
    });
    sent.end(body);
    try {
      const response = (await responded) as HttpResponse;
      logEnd(response.statusCode, response.headers);
      response.setTimeout(bodyTimeoutMs, () => {
        response.destroy(timeoutError("BODY_TIMEOUT", "the response sent no data for", bodyTimeoutMs));
      });
      return response;
    } catch (error) {
      logEnd(codeOf(error));
      signal.throwIfAborted();
      if (isConnected || codeOf(error) !== "ECONNRESET") throw addProxyToError(error, url, this.#proxies);
      // A firewall may reset a connection during its TLS handshake. Node's error does not show that nothing was sent.
      const reset = new Error("the connection was reset before the request was sent", { cause: error });
      throw addProxyToError(Object.assign(reset, { code: "CONNECT_RESET" }), url, this.#proxies);
    } finally {
      clearTimeout(connectTimer);
      clearTimeout(headersTimer);
    }
  }

  /** Whether requests to a URL go through a proxy. The remote address of their connections is then the proxy's. */
  isProxied(url: URL): boolean {
    return findProxy(url, this.#proxies) !== undefined;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agentFor(url: URL, Agent: new (options: AgentOptions) => http.Agent, keepAlive: boolean): http.Agent {
    // Node's own rule for NO_PROXY leaves out the subdomains of a domain.
    const proxyEnv = this.isProxied(url) ? this.#proxyEnv : undefined;
    const name = `${url.protocol}${proxyEnv === undefined ? "" : "proxy"}${keepAlive}`;
    const options = { keepAlive, timeout: keepAliveMs, ...(proxyEnv && { proxyEnv }) };
    const agent = this.#agents.get(name) ?? new Agent(options);
    this.#agents.set(name, agent);
    return agent;
  }
}

/**
 * The proxy for requests to a URL; `undefined` if they are sent directly.
 *
 * @throws {ActionError} `invalid-input` if its URL is invalid
 */
export function findProxy(url: URL, { httpsProxy, httpProxy, noProxy = "" }: ProxySettings): URL | undefined {
  if (isLoopback(url) || isExcludedFromProxy(url, noProxy)) return undefined;
  const isSecure = url.protocol === "https:";
  const address = isSecure ? proxyAddress("HTTPS_PROXY", httpsProxy) : proxyAddress("HTTP_PROXY", httpProxy);
  return address === "" ? undefined : new URL(address);
}

/** Adds the proxy, if the connection used one, to the error's message and as its property `via`. Credentials are left out. */
export function addProxyToError(cause: unknown, url: URL, proxies: ProxySettings): unknown {
  const proxy = findProxy(url, proxies);
  if (proxy === undefined) return cause;
  const via = `; the request went through the proxy ${proxy.protocol}//${proxy.host}`;
  return Object.assign(new Error(messageOf(cause) + via, { cause }), { code: codeOf(cause), via });
}

/** Error details for an untrusted certificate, which a retry cannot fix; empty for other error codes. */
export function certificateErrorDetails(code = "") {
  if (!/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ERR_TLS_CERT_)/.test(code))
    return {};
  const isInvalid = /EXPIRED|NOT_YET_VALID|ALTNAME/.test(code);
  return {
    retryable: false,
    section: "certificate",
    hint: isInvalid
      ? "The server's certificate is for another host or another time, so no setting of the action helps: correct the address, the certificate or the runner's clock."
      : "This runner does not trust the server's certificate. If a proxy decrypts the traffic, or your own certificate authority issued the certificate, set `NODE_EXTRA_CA_CERTS` in the step's `env:` to the file of that authority's certificate. Or set `NODE_USE_SYSTEM_CA: 1` there to trust the runner's own certificate store.",
  };
}

/** One line for the debug log. It leaves out the query, which may hold a credential, and all headers but the request identifier. */
export function formatRequestLog(
  { method, attempt = 1 }: Pick<HttpRequest, "method" | "attempt">,
  url: URL,
  tookMs: number,
  end: number | string = "no response",
  headers: IncomingMessage["headers"] = {},
): string {
  const requestId = readRequestId(headers);
  const details = [
    end,
    requestId && `request ${requestId}`,
    `${Math.round(tookMs)} ms`,
    `attempt ${attempt}`,
  ];
  return `${method} ${url.origin}${url.pathname}: ${details.filter(Boolean).join(", ")}`;
}

/** Whether `NO_PROXY` has an entry for a URL: its host, its host and port, a parent domain, or `*`, as in curl. */
function isExcludedFromProxy({ hostname, port }: URL, noProxy: string): boolean {
  const host = normalizeHost(hostname);
  const names = [host, `${host}:${port || 443}`];
  return (noProxy.toLowerCase().match(/[^\s,]+/g) ?? []).some((entry) => {
    const excluded = entry.replace(/^\*?\./, "");
    return entry === "*" || names.some((name) => name === excluded || name.endsWith(`.${excluded}`));
  });
}

const requestIdHeader = /^(?:x-)?(?:(?:github|amzn?|ms)-)?request-?id$|^x-correlation-id$|^cf-ray$/;

/** The request identifier in a response's headers, as one line of at most 100 characters. */
export function readRequestId(headers: IncomingMessage["headers"]): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => requestIdHeader.test(name)) ?? [];
  return toOneLine(String(value ?? "").slice(0, 100)) || undefined;
}

/**
 * Reads a response into memory; `undefined` if it has more than `maxBytes` bytes.
 *
 * @throws Node's error for a broken connection, and an error with the code `BODY_TIMEOUT` if the response does not end in time.
 */
export async function readResponse(
  response: IncomingMessage,
  maxBytes: number,
  timeoutMs = bodyTimeoutMs,
): Promise<Buffer | undefined> {
  const stop = () => {
    response.destroy(timeoutError("BODY_TIMEOUT", "the response did not end within", timeoutMs));
  };
  const timer = setTimeout(stop, timeoutMs);
  try {
    return await readAtMost(response, maxBytes);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a body into memory; `undefined` if it has more than `maxBytes` bytes. */
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
