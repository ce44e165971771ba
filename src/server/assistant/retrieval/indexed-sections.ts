/** Pages as lists of terms, once for every use of them. */
import { contentTerms } from "./analyze-text.ts";
import { type Bm25Index, createBm25Index } from "./bm25-index.ts";
import type { DocsPage, DocsSection } from "./docs-section.ts";

/** A section with its terms. */
export interface IndexedSection {
  readonly page: DocsPage;
  readonly section: DocsSection;
  /** Terms of the page's title and of its address. */
  readonly name: readonly string[];
  readonly headings: readonly string[];
  readonly text: readonly string[];
}

export interface IndexedSections {
  readonly sections: readonly IndexedSection[];
  /** Section numbers of every page. */
  readonly ofPage: ReadonlyMap<DocsPage, readonly number[]>;
  readonly index: Bm25Index;
}

/** Chosen on the corpora that `npm run bench -- retrieval` marks as tuned on. */
const fieldWeights = {
  title: { weight: 10, lengthNormalization: 0.3 },
  slug: { weight: 2, lengthNormalization: 0.3 },
  headings: { weight: 2, lengthNormalization: 0.5 },
  text: { weight: 1, lengthNormalization: 0.75 },
  code: { weight: 0.5, lengthNormalization: 0.75 },
};

/** Indexes every section of the pages. */
export function indexSections(pages: readonly DocsPage[]): IndexedSections {
  const sections: IndexedSection[] = [];
  const ofPage = new Map<DocsPage, number[]>();
  const documents: string[][][] = [];
  for (const page of pages) {
    const title = contentTerms(page.title);
    const slug = contentTerms(addressWords(page.slug));
    const numbers: number[] = [];
    ofPage.set(page, numbers);
    for (const section of page.sections) {
      const headings = contentTerms(section.headings.join(" "));
      const text = contentTerms(section.text);
      numbers.push(sections.length);
      sections.push({ page, section, name: [...title, ...slug], headings, text });
      documents.push([title, slug, headings, text, contentTerms(section.code)]);
    }
  }
  return { sections, ofPage, index: createBm25Index(documents, Object.values(fieldWeights)) };
}

/** An address as words: `guides/rotate-keys` says what the page is about. */
export function addressWords(slug: string): string {
  return slug.replace(/[/._-]+/g, " ");
}
