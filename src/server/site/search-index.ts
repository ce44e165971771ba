import MiniSearch from "minisearch";
import { indexOptions, type SearchEntry } from "./client/find-matches.ts";
import type { RenderedPage } from "./render-page.ts";

const maxSections = 40;

/** Collects pages for the site's offline search. */
export class SearchIndex {
  readonly #index = new MiniSearch<SearchEntry & { id: number; headings: string; text: string }>(
    indexOptions,
  );

  /** `location` and `part` say where in the site the page is. */
  add({ source, headings, text }: RenderedPage, location: string, part: string): void {
    this.#index.add({
      id: this.#index.documentCount,
      title: source.title,
      path: source.route.outPath,
      location,
      part,
      summary: summarize(source.frontMatter.description ?? text),
      sections: headings.slice(0, maxSections).map((heading) => [heading.id, heading.text]),
      headings: headings.map((heading) => heading.text).join("\n"),
      text,
    });
  }

  /** A classic script: pages opened from disk can load scripts, and cannot fetch. */
  toScript(): string {
    // Parsing a string is several times faster for a browser than reading the same data as a script.
    return `self.docsSearchIndex=JSON.parse(${JSON.stringify(JSON.stringify(this.#index))});\n`;
  }
}

function summarize(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 160).replace(/\s+\S*$/, "")} …`;
}
