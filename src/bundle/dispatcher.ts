/** Connections to storage. */
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { type ProxySettings, proxyAddress } from "../base/http.ts";

const timeouts = { connect: { timeout: 10_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };

/**
 * A dispatcher with time-outs for connect, headers and body. The usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)
 * are honoured, except for this machine itself, which no proxy can reach.
 *
 * @throws {ActionError} `invalid-input` for a proxy that is not an address
 */
export function createDispatcher({ httpsProxy, httpProxy, noProxy }: ProxySettings): Dispatcher {
  const excluded = [noProxy ?? "", "localhost", "127.0.0.1", "[::1]", "::1"].filter((host) => host !== "");
  return new EnvHttpProxyAgent({
    ...timeouts,
    httpProxy: proxyAddress("HTTP_PROXY", httpProxy),
    httpsProxy: proxyAddress("HTTPS_PROXY", httpsProxy),
    noProxy: noProxy?.trim() === "*" ? "*" : excluded.join(","),
  });
}
