/** Pages of lists, with the `Link` header that leads through them. */

interface PageOptions {
  readonly url: URL;
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** GitHub's pages are of thirty unless asked otherwise, and never of more than a hundred. */
export function readPage(query: URLSearchParams, { perPage = 30, maximum = 100 } = {}) {
  return {
    page: Math.max(1, Number(query.get("page") ?? 1)),
    perPage: Math.min(maximum, Math.max(1, Number(query.get("per_page") ?? perPage))),
  };
}

/** The `Link` header of a page; none where one page holds everything. */
export function linkHeader({ url, total, page, perPage }: PageOptions): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const targets: [relation: string, page: number][] = [];
  if (page > 1) targets.push(["prev", Math.min(page - 1, last)]);
  if (page < last) targets.push(["next", page + 1], ["last", last]);
  if (page > 1) targets.push(["first", 1]);
  if (targets.length === 0) return {};
  const links = targets.map(([relation, target]) => {
    const address = new URL(url);
    address.searchParams.set("page", String(target));
    return `<${address}>; rel="${relation}"`;
  });
  return { link: links.join(", ") };
}
