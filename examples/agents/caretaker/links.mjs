/** Points links at the pages that moved away from under them. */
import { posix } from "node:path";
import { findPage, mapProse } from "./documents.mjs";

const inlineLink = /(\]\(<?)([^()\s<>]+)(?=[\s)>])/g;
const definition = /^( {0,3}\[[^\]]+\]:\s+<?)([^\s<>]+)/gm;
const elsewhere = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;

/**
 * Repairs each link to a page that is gone when exactly one page elsewhere has its name; names the others.
 *
 * @param {import("./documents.mjs").Documents} documents
 */
export async function repairLinks(documents) {
  const remarks = [];
  for (const page of documents.pages) {
    const before = await documents.read(page);
    const repair = (link, start, target) => {
      const found = findTarget(target, page, documents.pages);
      if (found === undefined) return link;
      remarks.push(`${page}: ${target} ${found === "" ? "leads nowhere" : `is now ${found}`}`);
      return start + (found || target);
    };
    const after = mapProse(before, (prose) => prose.replace(inlineLink, repair).replace(definition, repair));
    if (after !== before) await documents.write(page, after);
  }
  return remarks.length > 0 ? remarks : ["Every link to a page leads to one."];
}

/** The new target of a broken link, "" where there is none, `undefined` where the link is no broken link to a page. */
function findTarget(target, page, pages) {
  if (elsewhere.test(target)) return undefined;
  const [, path, rest] = /^([^?#]*)(.*)$/.exec(target);
  const extension = posix.extname(path);
  // Pictures and other files are not pages.
  if (path === "" || !["", ".md", ".mdx", ".html"].includes(extension.toLowerCase())) return undefined;
  const address = path.startsWith("/") ? path : posix.join(posix.dirname(page), decode(path));
  if (findPage(pages, address.replace(/\.html$/i, "")) !== undefined) return undefined;

  const name = nameOf(address);
  const candidates = [...pages].filter((candidate) => nameOf(candidate) === name);
  if (candidates.length !== 1) return "";
  const [moved] = candidates;
  const absolute = extension === "" ? moved.replace(/\.mdx?$/, "") : moved;
  if (path.startsWith("/")) return `/${absolute}${rest}`;
  const relative = posix.relative(posix.dirname(page), absolute);
  return `${path.startsWith("./") && !relative.startsWith(".") ? "./" : ""}${relative}${rest}`;
}

/** The last part of an address, without its ending; the folder's name for an index. */
function nameOf(address) {
  return posix.basename(address.replace(/\/?(?:index)?(?:\.mdx?|\.html)?$/i, "")).toLowerCase();
}

function decode(path) {
  try {
    return decodeURI(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
