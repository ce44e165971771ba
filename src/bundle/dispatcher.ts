/** Connections to storage. */
import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { type ProxySettings, proxyAddress } from "../base/http.ts";
import { bareHost, type LinkPolicy, networkOfAddress } from "../base/network.ts";
import { refuseHost } from "./presigned-link.ts";

const timeouts = { headersTimeout: 60_000, bodyTimeout: 60_000 };

/**
 * A dispatcher with time-outs for connect, headers and body, which connects to no address where links may not lead. The
 * usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) are honoured, except for this machine itself, which no proxy can reach.
 *
 * @throws {ActionError} `invalid-input` for a proxy that is not an address
 */
export function createDispatcher(
  { httpsProxy, httpProxy, noProxy }: ProxySettings,
  policy: LinkPolicy,
): Dispatcher {
  const excluded = [noProxy ?? "", "localhost", "127.0.0.1", "[::1]", "::1"].filter((host) => host !== "");
  return new EnvHttpProxyAgent({
    ...timeouts,
    connect: { timeout: 10_000, lookup: createLookup(policy) },
    httpProxy: proxyAddress("HTTP_PROXY", httpProxy),
    httpsProxy: proxyAddress("HTTPS_PROXY", httpsProxy),
    noProxy: noProxy?.trim() === "*" ? "*" : excluded.join(","),
  });
}

/**
 * Resolves a name for a connection to the addresses that its links may lead to. The connection is made to one of these: what
 * the name server answers later changes nothing.
 */
export function createLookup(policy: LinkPolicy, resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
      const host = bareHost(hostname);
      const allowed = addresses.filter(({ address }) => policy(networkOfAddress(address), host));
      const [first] = allowed;
      if (error || first === undefined) callback(error ?? refuseHost(hostname), [], 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
