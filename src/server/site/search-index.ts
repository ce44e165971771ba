import MiniSearch from "minisearch";
import type { RenderedPage } from "./render-page.ts";

/** A page as the search index stores it; the client's `search.ts` reads the same fields. */
interface SearchEntry {
  readonly id: number;
  readonly title: string;
  readonly path: string;
  /** Where the page stands, such as `Guides / Deploy`. */
  readonly place: string;
  /** Version, language and product of the page, for preferring those of the reader; empty where there is one of each. */
  readonly part: string;
  readonly summary: string;
  /** Identifiers and texts of its headings. */
  readonly sections: readonly (readonly [id: string, text: string])[];
}

/** Fields that are searched; the client must name the same ones. */
const searchOptions = {
  fields: ["title", "headings", "summary", "text"],
  storeFields: ["title", "path", "place", "part", "summary", "sections"],
};

const maxSections = 40;

/** Collects pages for the site's offline search. */
export interface SearchIndexBuilder {
  add(page: RenderedPage, where: { readonly place: string; readonly part: string }): void;
  /** A classic script: pages opened from disk can load scripts, and cannot fetch. */
  toScript(): string;
}

function summarize({ source, text }: RenderedPage): string {
  const summary = source.frontMatter.description ?? text;
  return summary.length <= 160 ? summary : `${summary.slice(0, 160).replace(/\s+\S*$/, "")} …`;
}

/** Creates the search index of one site. */
export function createSearchIndex(): SearchIndexBuilder {
  const index = new MiniSearch<SearchEntry & { headings: string; text: string }>(searchOptions);
  let count = 0;

  function add(page: RenderedPage, { place, part }: { readonly place: string; readonly part: string }): void {
    index.add({
      id: count,
      title: page.source.title,
      path: page.source.route.outPath,
      place,
      part,
      summary: summarize(page),
      sections: page.headings.slice(0, maxSections).map(({ id, text }) => [id, text]),
      headings: page.headings.map(({ text }) => text).join("\n"),
      text: page.text,
    });
    count += 1;
  }

  // Parsing a string is several times faster for a browser than reading the same data as a script.
  const toScript = () => `self.docsSearchIndex=JSON.parse(${JSON.stringify(JSON.stringify(index))});\n`;

  return { add, toScript };
}
