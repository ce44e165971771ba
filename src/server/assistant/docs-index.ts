/** Finds the passages that answer a question. MiniSearch ranks sections; a page ranks by its best sections. */
import MiniSearch from "minisearch";
import { wordsOf } from "../site/client/words.ts";
import { plainText } from "../site/content/component.ts";
import { coverageOf, readClosely } from "./close-reading.ts";
import {
  asksForNumber,
  hasPronoun,
  numberTerm,
  removePageReferences,
  removeQuestionWords,
} from "./question-form.ts";
import { type DocsPage, type Passage, paragraphOf } from "./sections.ts";
import { Spelling } from "./spelling.ts";
import {
  contentTerms,
  documentTerms,
  isWeakTerm,
  languageOfQuestion,
  synonymsOf,
  totalWeight,
  type WeightedTerms,
} from "./text-terms.ts";

export interface RetrievalQuery {
  /** The text of the question. */
  readonly question: string;
  /** Earlier questions of the conversation, oldest first. A follow-up question relies on their words. */
  readonly earlier: readonly string[];
  /** Code and selected text that the question refers to. */
  readonly context: readonly string[];
  /** URL, path or file of the page that the user has open. */
  readonly currentPath: string | undefined;
  readonly version: string | undefined;
  readonly language: string | undefined;
}

export interface Retrieval {
  /** The best section of each page, best first. */
  readonly passages: readonly Passage[];
  /** Other matching sections of the first page, best first. */
  readonly otherSections: readonly Passage[];
  /** Whether the documentation seems to answer the question. */
  readonly isAnswered: boolean;
  /** The searched terms. A term that few sections contain weighs more. */
  readonly terms: WeightedTerms;
  /** Language of the question without its region, or else of the first page; empty if neither is known. */
  readonly language: string;
}

export type DocsIndex = Awaited<ReturnType<typeof createDocsIndex>>;

/** A section that contains terms of the question. */
interface Hit {
  readonly passage: Passage;
  readonly score: number;
}

/** Tuned on the corpora that `npm run bench -- retrieval` marks as tuned on. */
const ranking = { boost: { title: 2, headings: 0.5, code: 0.5, names: 1 }, bm25: { k: 2, b: 0.7, d: 0 } };
/** Share of a page's second-best section in the page's score. */
const secondSectionShare = 0.2;
const samePageBoost = 1.6;
const sameFolderBoost = 1.1;
/** Additional boost of the open page if one of its statements covers nearly all of the question. */
const fittingPageBoost = 2;
/** Boost of a page whose title is the whole subject of the question ("What is a work pool?"). A title that is a part of it gets less. */
const sameTitleBoost = 1.5;
/** Share of pages in another version or language. They answer only if no other page does. */
const otherVersionShare = 0.5;
const otherLanguageShare = 0.25;
/** Share of API reference pages: they contain words of all subjects, while guides usually have the answer. */
const referenceShare = 0.75;
/** Boost of the open page for a question that refers to it. */
const subjectPageBoost = 4;

/** The indexed fields of a section and its page. */
const fields = ["title", "slug", "headings", "text", "code", "description", "names"];

/** Indexes pages, a few milliseconds each. Other requests are served in between. */
export async function createDocsIndex(pages: readonly DocsPage[]) {
  const passages = pages.flatMap((page) => page.sections.map((section): Passage => ({ page, section })));
  const spelling = new Spelling();
  // MiniSearch's term tree branches by character, and Chinese has thousands. With numbers as terms, indexing takes a third of the time.
  const keys = new Map<string, string>();
  const keyOf = (term: string) => {
    const key = keys.get(term) ?? keys.size.toString(36);
    keys.set(term, key);
    return key;
  };
  const tokenize = (text: string) => documentTerms(text, (words) => spelling.learn(words)).map(keyOf);
  const index = new MiniSearch({ fields, tokenize, processTerm: (term) => term });
  await index.addAllAsync(
    passages.map(({ page: { title, slug, description = "" }, section }, id) => {
      const { text, code } = section;
      const [headings, names] = [section.headings.join(" "), section.names.join(" ")];
      return { id, title, slug: slugWords(slug), description, headings, names, text, code };
    }),
  );

  /** The sections that contain any of these terms, best first, and the number of sections with each term. */
  function findSections(terms: WeightedTerms, isIncluded: (passage: Passage) => boolean) {
    const searched = new Map<string, { term: string; weight: number }>();
    for (const [term, weight] of withSynonyms(terms)) {
      const key = keys.get(term);
      if (key !== undefined) searched.set(key, { term, weight });
    }
    const options = {
      ...ranking,
      tokenize: (text: string) => text.split(" "),
      boostTerm: (key: string) => searched.get(key)?.weight ?? 1,
    };
    const hits: Hit[] = [];
    const counts = new Map<string, number>();
    // Results are not copied: a common word is in most sections of a site.
    for (const result of index.search([...searched.keys()].join(" "), options)) {
      for (const key of result.terms) counts.set(key, (counts.get(key) ?? 0) + 1);
      const passage = passages[result.id];
      if (passage !== undefined && isIncluded(passage)) hits.push({ passage, score: result.score });
    }
    return { hits, counts: new Map([...searched].map(([key, { term }]) => [term, counts.get(key) ?? 0])) };
  }

  /** Multiplies the weight of each term by its inverse section frequency. */
  function weighByRarity(terms: WeightedTerms, counts: ReadonlyMap<string, number>): WeightedTerms {
    return new Map(
      [...terms].map(([term, weight]) => {
        const own = counts.get(term) ?? 0;
        const count = own > 0 ? own : Math.max(0, ...synonymsOf(term).map((other) => counts.get(other) ?? 0));
        return [term, weight * Math.log(1 + (passages.length - count + 0.5) / (count + 0.5))];
      }),
    );
  }

  const titles = new Map(pages.map((page) => [page, new Set(contentTerms(page.title))]));
  const languages = new Set(
    pages.flatMap(({ language }) => (language === undefined ? [] : primaryOf(language))),
  );
  const versions = [...new Set(pages.flatMap(({ version }) => version ?? []))];
  // The language for questions whose own language cannot be recognized.
  const mainLanguage = languages.has("en") ? "en" : [...languages][0];

  /** Scores pages by the open page, the version and the language, independently of their text. */
  function preferenceOf(
    { question, version, language }: RetrievalQuery,
    openPage: DocsPage | undefined,
    path: string | undefined,
    subjectPage: DocsPage | undefined,
  ): (page: DocsPage) => number {
    const recognized = languageOfQuestion(question);
    const expectedLanguage =
      recognized !== undefined && languages.has(recognized)
        ? recognized
        : (openPage?.language ?? mainLanguage);
    const terms = new Set(contentTerms(question));
    const namedVersions = versions.filter((label) => isNamed(label, question));
    const isExpectedVersion = ({ version: own, isDefaultVersion }: DocsPage) => {
      if (namedVersions.length > 0) return namedVersions.includes(own ?? "");
      return openPage?.version === undefined ? isDefaultVersion : own === openPage.version;
    };
    const openPageBoost = openPage === subjectPage ? subjectPageBoost : samePageBoost;
    return (page) => {
      const isVersion = version !== undefined || page.version === undefined || isExpectedVersion(page);
      const isLanguage =
        language !== undefined ||
        page.language === undefined ||
        primaryOf(page.language) === primaryOf(expectedLanguage ?? "");
      const share = (isVersion ? 1 : otherVersionShare) * (isLanguage ? 1 : otherLanguageShare);
      const titleShare = 1 + (sameTitleBoost - 1) * shareAsTitle(titles.get(page), terms);
      const typeShare = page.isReference === true ? referenceShare : 1;
      return typeShare * share * titleShare * (page === openPage ? openPageBoost : folderBoost(page, path));
    };
  }

  return {
    search(request: RetrievalQuery, pageSize: number): Retrieval {
      const path = request.currentPath === undefined ? undefined : addressOf(request.currentPath);
      const openPage = path === undefined ? undefined : findOpenPage(pages, path);
      const text = openPage === undefined ? request.question : removePageReferences(request.question);
      const query = { ...request, question: spelling.correct(removeQuestionWords(text)) };
      const subjectPage = text !== request.question || isVague(query) ? openPage : undefined;
      const weights = weighTerms(query, subjectPage?.name ?? subjectPage?.title);
      const { hits, counts } = findSections(weights, ({ page }) => matchesFilter(page, query));
      const terms = withNumber(weighByRarity(weights, counts), request.question);
      const ranked = rankPages(hits, terms, preferenceOf(query, openPage, path, subjectPage), openPage);
      const first = ranked[0]?.passage;
      const isExplained = ranked
        .slice(0, maxExplainingPages)
        .some(({ passage }) => explainsName(passage, query.question, terms));
      return {
        passages: ranked.slice(0, pageSize).map(({ passage }) => passage),
        otherSections: hits
          .map(({ passage }) => passage)
          .filter(({ page, section }) => page === first?.page && section.anchor !== first.section.anchor),
        isAnswered: isExplained || isAnswered(hits[0], ranked[0], terms),
        terms,
        language: languageOfQuestion(request.question) ?? primaryOf(first?.page.language ?? ""),
      };
    },
  };
}

/** Minimum relevance of an answer. docs/assistant.md has the measured error rates. */
const answerThreshold = 2.55;
/** Weight of the best section's score in the relevance. */
const scoreWeight = 0.7;
/** Coverage from which a statement answers nearly the whole question. */
const nearlyComplete = 0.9;

/**
 * Whether the documentation answers a question. The relevance adds up the best section's score and the coverage of the question by the
 * first page: by its best statement and by the whole section.
 */
function isAnswered(best: Hit | undefined, first: RankedPage | undefined, terms: WeightedTerms): boolean {
  if (best === undefined || first === undefined) return false;
  if (first.coverage >= nearlyComplete) return true;
  const score = Math.log(1 + best.score / totalWeight(terms));
  return scoreWeight * score + first.coverage + coverageOf(first.passage, terms) >= answerThreshold;
}

/** A slug as words: `guides/rotate-keys` becomes `guides rotate keys`. */
function slugWords(slug: string): string {
  return slug.replace(/[/._-]+/g, " ");
}

/** Weights of terms from the conversation and the context. They count more for a question of few terms ("what does this do?"). */
const normalWeights = { earlier: 0.35, context: 0.25, contextTerms: 40 };
const shortQuestionWeights = { earlier: 0.6, context: 1, contextTerms: 12 };
const shortQuestionTerms = 2;
/** Weight of a word that rarely identifies the subject of a question. */
const weakTermWeight = 0.3;
/** A question of this many terms does not depend on the previous one. */
const selfContainedTerms = 8;

/** Whether a short question has a pronoun for its subject, and neither conversation nor context. */
function isVague({ question, earlier, context }: RetrievalQuery): boolean {
  const isShort = contentTerms(question).length <= shortQuestionTerms;
  return isShort && earlier.length + context.length === 0 && hasPronoun(question);
}

/**
 * The terms to search for: the question's, and with less weight those of the conversation and the context.
 *
 * @param subject Name of the page that the question points at.
 */
function weighTerms(
  { question, earlier, context }: RetrievalQuery,
  subject: string | undefined,
): WeightedTerms {
  const weights = new Map<string, number>();
  const add = (terms: readonly string[], weight: number) => {
    for (const term of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  };
  const asked = contentTerms(question);
  for (const term of asked) add([term], isWeakTerm(term) ? weakTermWeight : 1);
  const weight = asked.length <= shortQuestionTerms ? shortQuestionWeights : normalWeights;
  if (subject !== undefined) add(contentTerms(subject), 1);
  const last = earlier.at(-1);
  if (last !== undefined && asked.length < selfContainedTerms) add(contentTerms(last), weight.earlier);
  for (const value of context) {
    add([...new Set(contentTerms(value))].slice(0, weight.contextTerms), weight.context);
  }
  return weights;
}

/** Weight of "any number" for a question about a quantity, relative to all its terms. */
const numberWeight = 0.2;

function withNumber(terms: WeightedTerms, question: string): WeightedTerms {
  return asksForNumber(question)
    ? new Map([...terms, [numberTerm, numberWeight * totalWeight(terms)]])
    : terms;
}

/** Adds the synonyms of the terms. */
function withSynonyms(terms: WeightedTerms): WeightedTerms {
  const searched = new Map(terms);
  for (const [term, weight] of terms)
    for (const other of synonymsOf(term))
      searched.set(other, Math.max(weight * synonymWeight, searched.get(other) ?? 0));
  return searched;
}

/** Weight of a synonym relative to the term itself. */
const synonymWeight = 0.3;

/** A page by its best section. */
interface RankedPage {
  readonly passage: Passage;
  /** Coverage of the question by its best statement (`readClosely`); 0 if the page was not read. */
  readonly coverage: number;
}

/** Ranks pages by their two best sections. The first pages are then read closely and ranked by coverage too. */
function rankPages(
  hits: readonly Hit[],
  terms: WeightedTerms,
  preferenceFor: (page: DocsPage) => number,
  openPage: DocsPage | undefined,
): RankedPage[] {
  const byPage = Map.groupBy(hits, ({ passage }) => passage.page);
  const ranked = [...byPage].flatMap(([page, sections]) => {
    const [best, second] = sections;
    if (best === undefined) return [];
    const score = best.score + secondSectionShare * (second?.score ?? 0);
    return [{ passage: best.passage, coverage: 0, sections, score: score * preferenceFor(page) }];
  });
  ranked.sort((left, right) => right.score - left.score);
  const read = ranked.slice(0, maxReadPages).map(({ sections, score }) => {
    const { passage, coverage } = bestSection(sections, terms);
    const fit = passage.page === openPage && coverage >= nearlyComplete ? fittingPageBoost : 1;
    return { passage, coverage, score: score * fit * (1 + coverageWeight * coverage) };
  });
  read.sort((left, right) => right.score - left.score);
  return [...read, ...ranked.slice(maxReadPages)];
}

/** Maximum number of pages that are read closely. */
const maxReadPages = 20;
/** Weight of a page's coverage relative to its score. */
const coverageWeight = 2;

/** Chooses the section of a page that covers most of the question, or the introduction if the question is the page's title. */
function bestSection(sections: readonly Hit[], terms: WeightedTerms) {
  const read = sections.map(({ passage, score }) => {
    const { coverage } = readClosely(passage, terms);
    return { passage, coverage, value: Math.sqrt(score) * coverage };
  });
  const best = read.reduce((first, other) => (other.value > first.value ? other : first));
  // The title applies to all sections of the page.
  const title = new Set(contentTerms(best.passage.page.title));
  const inTitle = new Map([...terms].filter(([term]) => title.has(term)));
  const isTitle = totalWeight(inTitle) >= nearlyComplete * totalWeight(terms);
  const introduction = isTitle ? introductionOf(best.passage.page) : undefined;
  return { ...best, passage: introduction ?? best.passage };
}

/** The description of a page and its content before the first heading. */
function introductionOf(page: DocsPage): Passage | undefined {
  const [first] = page.sections;
  const { blocks, text, code, names } =
    first?.anchor === "" ? first : { blocks: [], text: "", code: "", names: [] };
  const description = plainText(page.description ?? "");
  const described = description === "" ? [] : [paragraphOf(description)];
  if (described.length + blocks.length === 0) return undefined;
  const all = `${description}\n${text}`.trim();
  return {
    page,
    section: { anchor: "", headings: [], blocks: [...described, ...blocks], text: all, code, names },
  };
}

/** Whether a question names a version by its number: "in v2", "in the 2025-06-18 version". */
function isNamed(version: string, question: string): boolean {
  const words = new Set(wordsOf(question));
  const numbers = wordsOf(version).filter((word) => /\d/.test(word));
  return numbers.length > 0 && numbers.every((word) => words.has(word));
}

/** The share of the question's terms that a title consists of; 0 if the title has other terms too. */
function shareAsTitle(title: ReadonlySet<string> | undefined, terms: ReadonlySet<string>): number {
  return title?.isSubsetOf(terms) === true ? title.size / Math.max(1, terms.size) : 0;
}

/** Number of best pages in which an explanation of a name is looked for. */
const maxExplainingPages = 3;
/** Share of the question that a section must cover if it explains a name in the question. */
const explainedCoverage = 0.85;

/** Generic nouns in questions about a name ("the limit parameter"). Documentation often omits them. */
const genericNouns = new Set(
  contentTerms("parameter option field property argument setting flag value column meaning"),
);

/** Whether a section explains a name in the question and covers nearly all other terms. */
function explainsName({ page, section }: Passage, question: string, terms: WeightedTerms): boolean {
  const asked = new Set(contentTerms(question).filter((term) => !genericNouns.has(term)));
  const isAsked = section.names.some((name) => {
    const nameTerms = contentTerms(name);
    return nameTerms.length > 0 && nameTerms.every((term) => asked.has(term));
  });
  if (!isAsked) return false;
  const contained = new Set(contentTerms(`${page.title} ${section.headings.join(" ")} ${section.text}`));
  const weightOf = (own: ReadonlySet<string>) =>
    [...own].reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
  return weightOf(asked.intersection(contained)) >= explainedCoverage * weightOf(asked);
}

/** Removes origin, query, fragment, extension and `index` from the URL of a page. */
function addressOf(path: string): string {
  return path
    .replace(/^https?:\/\/[^/]+/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/\.(?:mdx?|html)$/i, "")
    .replace(/(?:^|\/)index$/, "")
    .replace(/^\/+|\/+$/g, "");
}

/** Finds a page by its path. The site may be served below a folder: the longest slug at the end of the path wins. */
function findOpenPage(pages: readonly DocsPage[], path: string): DocsPage | undefined {
  const slugs = pages.map((page) => ({ page, slug: addressOf(page.slug) }));
  const found = slugs.filter(({ slug }) => slug === path || (slug !== "" && path.endsWith(`/${slug}`)));
  return found.sort((left, right) => right.slug.length - left.slug.length)[0]?.page;
}

/** Boost of pages in the folder of the open page or above it. */
function folderBoost({ slug }: DocsPage, path: string | undefined): number {
  const folder = slug.replace(/(?:^|\/)[^/]*$/, "");
  return folder !== "" && path?.includes(folder) === true ? sameFolderBoost : 1;
}

/** A language tag without its region: `pt` for `pt-BR`. */
function primaryOf(language: string): string {
  return language.toLowerCase().split("-", 1)[0] ?? "";
}

/** Whether a page matches the version and language filter of a query. A page without a version or language always matches. */
function matchesFilter(page: DocsPage, { version, language }: RetrievalQuery): boolean {
  const isVersion = (page.version ?? version)?.toLowerCase() === (version ?? page.version)?.toLowerCase();
  if (!isVersion || page.language === undefined || language === undefined) return isVersion;
  // `en` matches every regional variant; `en-GB` also matches pages in `en`.
  const [own, expected] = [page.language.toLowerCase(), language.toLowerCase()];
  return own === expected || own.startsWith(`${expected}-`) || expected.startsWith(`${own}-`);
}
