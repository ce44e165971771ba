/** Connections of every request that the action makes by itself. */
import { type Dispatcher, EnvHttpProxyAgent } from "undici";

const timeouts = { connect: { timeout: 10_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };

/**
 * A dispatcher with time-outs for connect, headers and body. The usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)
 * are honoured, except for this machine itself, which no proxy can reach.
 *
 * @param noProxy the hosts that the environment excludes from proxying
 */
export function createDispatcher({ noProxy }: { readonly noProxy?: string | undefined } = {}): Dispatcher {
  const excluded = [noProxy ?? "", "localhost", "127.0.0.1", "[::1]", "::1"].filter((host) => host !== "");
  return new EnvHttpProxyAgent({ ...timeouts, noProxy: noProxy?.trim() === "*" ? "*" : excluded.join(",") });
}

/** Whether a URL's host is this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`). */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
