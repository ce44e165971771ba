/** Finds the passages that answer a question: sections ranked by BM25F and pages by MiniSearch, merged by their ranks. */
import MiniSearch from "minisearch";
import { contentTerms } from "./analyze-text.ts";
import type { WeightedTerms } from "./bm25-index.ts";
import type { DocsPage, DocsSection } from "./docs-section.ts";
import { addressWords, type IndexedSections, indexSections } from "./indexed-sections.ts";
import { matchesFilter } from "./matches-filter.ts";
import { type RetrievalQuery, weighTerms } from "./query.ts";
import { calibrateThreshold, judgeRelevance, type RankedPage } from "./relevance.ts";

/** The best section of a page that may answer. */
export interface Passage {
  readonly page: DocsPage;
  readonly section: DocsSection;
}

export interface Retrieval {
  /** At most one for each page, best first. */
  readonly passages: readonly Passage[];
  /** Whether the documents answer the question at all, as far as words can tell. */
  readonly isAnswered: boolean;
  /** Terms that were searched for, and how much each tells apart. */
  readonly terms: WeightedTerms;
}

export interface DocsIndex {
  readonly pages: readonly DocsPage[];
  search(query: RetrievalQuery, options: { readonly pageSize: number }): Retrieval;
}

/** Reciprocal rank fusion: the smaller, the more the first ranks count. */
const fusionOffset = 10;
const sectionRankWeight = 1.5;
/** Pages that are merged from each ranking. */
const fusedPages = 100;
/** A page's second-best section speaks for it too. */
const secondSectionShare = 0.2;
const samePageBoost = 1.25;
const sameFolderBoost = 1.1;

/** Indexes pages; takes about a millisecond for each. */
export function createDocsIndex(pages: readonly DocsPage[]): DocsIndex {
  const indexed = indexSections(pages);
  const byPage = indexPages(pages);
  const judgeAlone = (question: string) => {
    const terms = new Map(contentTerms(question).map((term) => [term, 1]));
    const sections = rankScores(indexed.index.search(terms));
    return judgeRelevance(
      { question, terms, sections, pages: rankPages(byPage, terms, undescribed) },
      indexed,
    );
  };
  const descriptions = pages.flatMap(({ description }) => description ?? []);
  const threshold = calibrateThreshold({ descriptions, pages: pages.length }, judgeAlone);
  return {
    pages,
    search(query, { pageSize }) {
      const terms = weighTerms(query);
      const isWanted = (page: DocsPage) => matchesFilter(page, query);
      const sections = rankScores(indexed.index.search(terms)).filter(([number]) => {
        const page = indexed.sections[number]?.page;
        return page !== undefined && isWanted(page);
      });
      const ranked = fuse(
        [
          { pages: rankPagesBySections(sections, indexed), weight: sectionRankWeight },
          {
            pages: rankPages(byPage, terms, fields).flatMap(([page]) => (isWanted(page) ? [page] : [])),
            weight: 1,
          },
        ],
        query.currentPath,
      );
      const judgedPages = rankPages(byPage, terms, undescribed).filter(([page]) => isWanted(page));
      const relevance = judgeRelevance({ ...query, terms, sections, pages: judgedPages }, indexed);
      return {
        passages: ranked.slice(0, pageSize).flatMap((page) => bestPassage(page, sections, indexed)),
        isAnswered: relevance >= threshold,
        terms: new Map([...terms].map(([term, weight]) => [term, weight * indexed.index.idf(term)])),
      };
    },
  };
}

/** What a page is found by. Whether it answers is judged without descriptions: they are what that is calibrated on. */
const undescribed = ["title", "slug", "headings", "text"];
const fields = [...undescribed, "description"];

interface PageDocument {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly headings: string;
  readonly description: string;
  readonly text: string;
}

interface PageIndex {
  readonly pages: readonly DocsPage[];
  readonly index: MiniSearch<PageDocument>;
}

function indexPages(pages: readonly DocsPage[]): PageIndex {
  const index = new MiniSearch<PageDocument>({
    fields,
    tokenize: contentTerms,
    processTerm: (term) => term,
    searchOptions: { boost: { title: 3, headings: 2, description: 2 } },
  });
  index.addAll(
    pages.map(({ title, slug, description = "", sections }, id) => ({
      id,
      title,
      slug: addressWords(slug),
      headings: sections.map(({ headings }) => headings.at(-1) ?? "").join("\n"),
      description,
      text: sections.map(({ text, code }) => `${text} ${code}`).join("\n"),
    })),
  );
  return { pages, index };
}

function rankPages({ pages, index }: PageIndex, terms: WeightedTerms, searched: string[]): RankedPage[] {
  const options = {
    fields: searched,
    tokenize: (text: string) => text.split(" "),
    boostTerm: (term: string) => terms.get(term) ?? 1,
  };
  return index.search([...terms.keys()].join(" "), options).flatMap(({ id, score }): RankedPage[] => {
    const page = pages[id];
    return page === undefined ? [] : [[page, score]];
  });
}

function rankScores(scores: ReadonlyMap<number, number>): [number, number][] {
  return [...scores].sort(([, left], [, right]) => right - left);
}

function rankPagesBySections(
  ranked: readonly (readonly [number, number])[],
  { sections }: IndexedSections,
): DocsPage[] {
  const scores = new Map<DocsPage, { first: number; second: number }>();
  for (const [number, score] of ranked) {
    const page = sections[number]?.page;
    if (page === undefined) continue;
    const known = scores.get(page);
    if (known === undefined) scores.set(page, { first: score, second: 0 });
    else if (known.second === 0) known.second = score;
  }
  const total = ({ first, second }: { first: number; second: number }) => first + secondSectionShare * second;
  return [...scores].sort(([, left], [, right]) => total(right) - total(left)).map(([page]) => page);
}

function fuse(
  rankings: readonly { readonly pages: readonly DocsPage[]; readonly weight: number }[],
  currentPath: string | undefined,
): DocsPage[] {
  const scores = new Map<DocsPage, number>();
  for (const { pages, weight } of rankings) {
    for (const [rank, page] of pages.slice(0, fusedPages).entries()) {
      scores.set(page, (scores.get(page) ?? 0) + weight / (fusionOffset + rank + 1));
    }
  }
  const boosted = [...scores].map(([page, score]) => [page, score * nearness(page, currentPath)] as const);
  return boosted.sort(([, left], [, right]) => right - left).map(([page]) => page);
}

/** What stands near the page that the asker looks at is a little likelier to be meant. */
function nearness({ slug }: DocsPage, currentPath: string | undefined): number {
  if (currentPath === undefined) return 1;
  const current = currentPath
    .replace(/^https?:\/\/[^/]+/i, "")
    .replace(/[?#].*$/, "")
    .replace(/\.(?:mdx?|html)$/i, "")
    .replace(/^\/+|\/+$/g, "");
  if (current === slug || current.endsWith(`/${slug}`)) return samePageBoost;
  const folder = slug.replace(/(?:^|\/)[^/]*$/, "");
  return folder !== "" && current.includes(folder) ? sameFolderBoost : 1;
}

function bestPassage(
  page: DocsPage,
  ranked: readonly (readonly [number, number])[],
  { sections }: IndexedSections,
): Passage[] {
  const best = ranked.find(([number]) => sections[number]?.page === page)?.[0];
  const section = (best === undefined ? undefined : sections[best]?.section) ?? page.sections[0];
  return section === undefined ? [] : [{ page, section }];
}
