/** Parameters of a presigned link that make it a credential, whatever the storage. */
const secretParameter = /signature|^sig$|token|credential|secret|^key$|^policy$|^s$/i;

/**
 * What to mask of a presigned link: the whole link, and each secret parameter in every spelling a log may show, so that
 * a part of it is no use either.
 */
export function secretPartsOfLink(text: string): string[] {
  const link = new URL(text);
  // Some storages carry the secret in the path.
  const parts = new Set([text, link.href, link.origin + link.pathname, link.search.slice(1), link.password]);
  for (const pair of link.search.slice(1).split("&")) {
    const [name = "", raw = ""] = pair.split("=", 2);
    if (!secretParameter.test(name)) continue;
    parts.add(raw);
    parts.add(link.searchParams.get(name) ?? raw);
  }
  // Masking a short word would blot out the log.
  return [...parts].filter((part) => part.length >= 8);
}
