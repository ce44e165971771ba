/** Which links of an answer are shown as links. */

export interface LinkPolicy {
  /** What relative addresses are relative to; without it, they are no links. */
  readonly baseUrl: string | undefined;
  /** Addresses below which links may lead: the documentation's. */
  readonly allowed: readonly string[];
}

/** The absolute address that a link of an answer leads to; `undefined` where it must not be a link. */
export function resolveLink(address: string, { baseUrl, allowed }: LinkPolicy): string | undefined {
  const url = parse(relativeToBase(address.trim()), baseUrl);
  if (url === undefined || url.username !== "" || url.password !== "") return undefined;
  return allowed.some((prefix) => isBelow(url, prefix)) ? url.href : undefined;
}

/** `/guides/x` is a path of the site, wherever below its host the site is. */
function relativeToBase(address: string): string {
  return /^\/(?![/\\])/.test(address) ? `.${address}` : address;
}

function parse(address: string, baseUrl: string | undefined): URL | undefined {
  const url = URL.parse(address, baseUrl);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

function isBelow(url: URL, prefix: string): boolean {
  const root = URL.parse(prefix);
  if (root === null || url.origin !== root.origin) return false;
  const folder = root.pathname.endsWith("/") ? root.pathname : `${root.pathname}/`;
  return `${url.pathname}/`.startsWith(folder);
}
