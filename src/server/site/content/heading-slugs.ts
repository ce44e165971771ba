/** Creates the ids of a page's sections, as the format's hosted sites or GitHub create them. */
import GithubSlugger from "github-slugger";

/** `docs-json`: the rule of sites with a `docs.json`. `github`: GitHub's rule, for all other Markdown. */
export type SlugStyle = "docs-json" | "github";

/**
 * Creates a function that returns the ids of a page's next section: its id, and alternative ids that links may use. No two sections
 * share an id.
 *
 * @param usedIds Ids of the page's other elements; the sections' own ids are added.
 */
export function createSectionIds(style: SlugStyle, usedIds = new Set<string>()) {
  const slugger = new GithubSlugger();
  const counts = new Map<string, number>();
  const isUnused = (id: string) => id !== "" && !usedIds.has(id);

  function addId(base: string, firstCount: number): string {
    let id = base;
    // A page may repeat a title thousands of times, so counting continues at the last count.
    let count = counts.get(base) ?? firstCount;
    for (; !isUnused(id); count += 1) id = `${base}-${count}`;
    counts.set(base, count);
    usedIds.add(id);
    return id;
  }

  return (text: string) => {
    const title = text || "section";
    const [githubSlug, plain] = [slugger.slug(title), plainSlug(title)];
    const isGithub = style === "github";
    const id = isGithub ? addId(githubSlug || "section", 1) : addId(docsSlug(title) || "section", 2);
    // Authors also write links by the rule of VitePress, by GitHub's, or by those of earlier versions of the format.
    const others = isGithub ? [plain] : [githubSlug, plain, encodedSlug(title, /[^a-z\d%]+/gi)];
    return { id, aliases: [...new Set(others)].filter((alias) => isUnused(alias) && /\p{L}/u.test(alias)) };
  };
}

/** The id of a field: `on-finish` for `onFinish`. */
export function fieldSlug(name: string): string {
  return plainSlug(name.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
}

/** Lower-case letters, digits and hyphens. All rules give this for a title without punctuation. */
export function plainSlug(text: string): string {
  return text
    .replace(/['’]/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/**
 * A heading's id by the format's rule (https://www.mintlify.com/docs/create/text#automatic-anchor-ids). The title is
 * percent-encoded, other characters are replaced by hyphens, and the result is decoded. `/`, `&` and non-Latin letters stay.
 */
function docsSlug(title: string): string {
  return encodedSlug(title, /[^\w%]+/g).replace(
    /[?,;:!'"()[\]{}]|\p{Extended_Pictographic}|[\u200D\uFE0E\uFE0F]/gu,
    "",
  );
}

/** The same rule, but encoded punctuation such as `,` and `?` stays, as in an earlier version of the format. */
function encodedSlug(title: string, separators: RegExp): string {
  const typographic = title
    .replace(/(?<=\S)'/g, "’")
    .replace(/'/g, "‘")
    .replace(/(?<![\s(])(?<=.)"/gs, "”")
    .replace(/"/g, "“")
    .replaceAll("...", "…");
  const words = typographic.trim().toLowerCase().replace(/\s+/g, "-").toWellFormed();
  const slug = encodeURIComponent(words)
    .replace(separators, "-")
    // Meant for "what's", but the format removes the hyphen before every single `t` or `s`.
    .replace(/([a-z\d])-([ts])(?=-|$)/gi, "$1$2")
    .replace(/-{2,}/g, "-")
    .replace(/^-|-$/g, "");
  return decodeURIComponent(slug);
}
