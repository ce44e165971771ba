/** Connections of every request that the action makes by itself. */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";

const timeouts = { connect: { timeout: 10_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };

/**
 * A dispatcher with time-outs for connect, headers and body. The usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)
 * are honoured, except for loopback, which no proxy can reach.
 */
export function createDispatcher({ loopback = false } = {}): Dispatcher {
  return loopback ? new Agent(timeouts) : new EnvHttpProxyAgent(timeouts);
}

/** Whether a URL's host is this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`). */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
