/** Pages at the addresses that have moved, so that old links work in a site without a server that redirects. */
import { findMoved, type LinkIndex } from "./link-resolver.ts";
import { renderRedirectPage } from "./page/redirect-page.ts";
import type { SitePlan } from "./plan-site.ts";
import { toPortablePath } from "./portable-path.ts";
import { relativeLink } from "./routes.ts";

const maxRedirectPages = 5_000;

/** Path in the site for an address; `undefined` for those that are no page's. */
function outPathOf(address: string): string | undefined {
  if (address === "") return "index.html";
  const written = address.replace(/\.html?$/i, "");
  // `/robots.txt` and the like are files, not pages; `..` is no place of the site.
  const isPage = written.split("/").every((segment) => segment !== "" && !/^\./.test(segment));
  if (!isPage || /\.[a-z0-9]{1,5}$/i.test(written)) return undefined;
  return `${toPortablePath(written)}.html`;
}

/** The files to write: path in the site, and content. Addresses that a page has are not taken from it. */
export function renderRedirectPages(
  { pages }: Pick<SitePlan, "pages">,
  links: LinkIndex,
): ReadonlyMap<string, string> {
  const titles = new Map(pages.map(({ route, title }) => [route.source, title]));
  const files = new Map<string, string>();
  for (const address of links.redirects.exact.keys()) {
    const outPath = outPathOf(address);
    const target = findMoved(address, links);
    if (outPath === undefined || target === undefined || !links.claims.isFree(outPath)) continue;
    if (files.size >= maxRedirectPages) break;
    const path = links.claims.claim(outPath);
    files.set(path, renderTarget(path, target, titles));
  }
  return files;
}

function renderTarget(
  outPath: string,
  target: NonNullable<ReturnType<typeof findMoved>>,
  titles: ReadonlyMap<string, string>,
): string {
  if (target.kind === "external") return renderRedirectPage({ href: target.href, title: target.href });
  const hash = target.id ? `#${encodeURIComponent(target.id)}` : "";
  return renderRedirectPage({
    href: `${relativeLink(outPath, target.route.outPath)}${hash}`,
    title: titles.get(target.route.source) ?? target.route.slug,
  });
}
