/** The identifiers of a page's sections, as the places where its format is usually read make them. */
import GithubSlugger from "github-slugger";

/** Whose identifiers links expect: those of sites with a `docs.json`, or of GitHub, which shows any other Markdown. */
export type SlugStyle = "docs-json" | "github";

/** A section's identifiers: its own, and others under which links may look for it. No two sections share one. */
export interface SectionIds {
  readonly id: string;
  readonly aliases: string[];
}

/**
 * Makes the identifiers of one page's sections, in their order.
 *
 * @param taken Identifiers that the page's elements have; the sections' own are added to it.
 */
export function createSectionIds(style: SlugStyle, taken = new Set<string>()) {
  const slugger = new GithubSlugger();
  const counts = new Map<string, number>();
  const isFree = (id: string) => id !== "" && !taken.has(id);

  function claim(base: string, first: number): string {
    let id = base;
    // Titles may be equal thousands of times: each search goes on where the last one ended.
    let count = counts.get(base) ?? first;
    for (; !isFree(id); count += 1) id = `${base}-${count}`;
    counts.set(base, count);
    taken.add(id);
    return id;
  }

  return (text: string): SectionIds => {
    const title = text || "section";
    const onGithub = slugger.slug(title);
    if (style === "github") return { id: claim(onGithub || "section", 1), aliases: [] };
    const id = claim(docsSlug(title) || "section", 2);
    // Links to sections are often written by GitHub's rule, or by what earlier versions of the format did: some kept every sign.
    return {
      id,
      aliases: [
        ...new Set([
          onGithub,
          plainSlug(title),
          title.trim().toLowerCase().replace(/\s+/g, "-"),
          encodedSlug(title, /[^a-z\d%]+/gi),
        ]),
      ].filter((alias) => isFree(alias) && /\p{L}/u.test(alias)),
    };
  };
}

/** The identifier of a field: `on-finish` for `onFinish`. */
export function fieldSlug(name: string): string {
  return plainSlug(name.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
}

/** Letters and digits in lower case, and hyphens: what any rule makes of a plain title. */
export function plainSlug(text: string): string {
  return text
    .replace(/['’]/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/**
 * The identifier of a heading by the format's rules (https://www.mintlify.com/docs/create/text#automatic-anchor-ids): the
 * title is percent-encoded, cut at what is no letter or digit, and decoded, so that `/`, `&` and other scripts stay.
 */
function docsSlug(title: string): string {
  return encodedSlug(title, /[^\w%]+/g).replace(
    /[?,;:!'"()[\]{}]|\p{Extended_Pictographic}|[\u200D\uFE0E\uFE0F]/gu,
    "",
  );
}

/** The same with signs that are encoded, such as `,` and `?`, as an earlier version of the format left them. */
function encodedSlug(title: string, cuts: RegExp): string {
  const typographic = title
    .replace(/(?<=\S)'/g, "’")
    .replace(/'/g, "‘")
    .replace(/(?<![\s(])(?<=.)"/gs, "”")
    .replace(/"/g, "“")
    .replaceAll("...", "…");
  const words = typographic.toLowerCase().trim().replace(/\s+/g, "-").toWellFormed();
  const slug = encodeURIComponent(words)
    .replace(cuts, "-")
    // What is meant for the end of "what's" takes the hyphen of any single letter.
    .replace(/([a-z\d])-([ts])(?=-|$)/gi, "$1$2")
    .replace(/-{2,}/g, "-")
    .replace(/^-|-$/g, "");
  return decodeURIComponent(slug);
}
