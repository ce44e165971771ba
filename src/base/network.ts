/** What an address says about where it leads. */

/** Whether a URL's host is this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`). */
export function isLoopback({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}
