/** Connections of every request that the action makes by itself. */
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { ActionError } from "../base/errors.ts";

const timeouts = { connect: { timeout: 10_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };

/** The proxy variables of the environment, as they are. */
export interface ProxySettings {
  readonly httpsProxy?: string | undefined;
  readonly httpProxy?: string | undefined;
  /** Hosts that are excluded from proxying. */
  readonly noProxy?: string | undefined;
}

/**
 * A dispatcher with time-outs for connect, headers and body. The usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)
 * are honoured, except for this machine itself, which no proxy can reach.
 *
 * @throws {ActionError} `invalid-input` for a proxy that is not an address
 */
export function createDispatcher({ httpsProxy, httpProxy, noProxy }: ProxySettings = {}): Dispatcher {
  const excluded = [noProxy ?? "", "localhost", "127.0.0.1", "[::1]", "::1"].filter((host) => host !== "");
  return new EnvHttpProxyAgent({
    ...timeouts,
    httpProxy: proxyAddress("HTTP_PROXY", httpProxy),
    httpsProxy: proxyAddress("HTTPS_PROXY", httpsProxy),
    noProxy: noProxy?.trim() === "*" ? "*" : excluded.join(","),
  });
}

/** The address of a proxy; `proxy.example:3128`, as curl takes it, means http. Empty: none. */
function proxyAddress(variable: string, value = ""): string {
  if (value.trim() === "") return "";
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(address)) return address;
  throw new ActionError("invalid-input", `${variable} is not the address of a proxy.`, {
    hint: "It must look like `http://proxy.example:3128`.",
  });
}
