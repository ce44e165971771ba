/** Finds the passages that answer a question. MiniSearch ranks sections; a page ranks by its two best sections. */
import { setImmediate } from "node:timers/promises";
import MiniSearch from "minisearch";
import { decodePercent } from "../../base/text.ts";
import { coverageOf, readClosely } from "./close-reading.ts";
import {
  hasSubject,
  isContinuation,
  isWeakTerm,
  languageOfQuestion,
  namesIn,
  pointsAtSubject,
  removePageReferences,
  removeQuestionWords,
  splitAtFences,
  tellingTerms,
} from "./question-wording.ts";
import type { DocsPage, Passage } from "./sections.ts";
import {
  contentTerms,
  documentWords,
  termsOf,
  totalWeight,
  type WeightedTerms,
  weightIn,
} from "./text-terms.ts";

export interface RetrievalQuery {
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
  /** Whether the first passage seems to answer the question (`clear`), one of the passages may (`possible`), or none does. */
  readonly certainty: "clear" | "possible" | "none";
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
const secondSectionShare = 0.4;
/** Boosts of the open page: for a question that refers to it, and for others. */
const openPageBoosts = { subject: 4, other: 1.6 };
/** Additional boost of the open page if one of its statements covers nearly all of the question. */
const fittingPageBoost = 2;
/** Shares of pages in another version or language. They answer only if no other page does. */
const otherVersionShare = 0.5;
const otherLanguageShare = 0.25;
/** Share of API reference pages: they contain words of all subjects, while guides usually have the answer. */
const referenceShare = 0.6;

/** Boost of a site's first page for a question that names only the product: “What is Acme?”. */
const firstPageBoost = 20;

/** Number of occurrences of a question's rarer terms from which its other terms find no sections. */
const enoughOccurrences = 2000;

const fields = ["title", "slug", "headings", "text", "code", "description", "names"];

/** Letters of a term for each typing error that it may have, up to two. */
const lettersPerTypo = 5;
/** A longer term is no word. The search for similar terms takes memory that grows with the square of the length. */
const maxCorrectedLength = 100;
/** Maximum number of corrections per question, as each takes long. */
const maxCorrections = 10;

/** Indexes pages, ten sections in a few milliseconds. Other requests are served in between. */
export async function createDocsIndex(pages: readonly DocsPage[]) {
  const passages = pages.flatMap((page) => page.sections.map((section): Passage => ({ page, section })));
  // In how many fields of sections each term occurs.
  const counts = new Map<string, number>();
  const tokenize = (text: string) => {
    const terms = termsOf(documentWords(text));
    for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return terms;
  };
  const index = new MiniSearch({ fields, tokenize, processTerm: (term) => term });
  for (const [id, { page, section }] of passages.entries()) {
    const { title, description = "" } = page;
    const { text, code } = section;
    const [headings, names] = [section.headings.join(" "), section.names.join(" ")];
    // As words: `guides/rotate-keys` becomes `guides rotate keys`.
    const slug = page.slug.replace(/[/._-]+/g, " ");
    index.add({ id, title, slug, description, headings, names, text, code });
    if (id % 10 === 0) await setImmediate();
  }
  const languages = new Set(pages.flatMap(({ language }) => primaryOf(language ?? "") || []));
  // The language for questions whose own language cannot be recognized.
  const mainLanguage = languages.has("en") ? "en" : [...languages][0];

  /**
   * The sections with any of these terms, best first. Once rarer terms occur often enough, further ones only count in the sections of those:
   * a term that most sections of a large site contain finds nothing, and takes long.
   *
   * @param terms the same terms, weighted by rarity too
   */
  function findSections(weights: WeightedTerms, terms: WeightedTerms, query: RetrievalQuery): Hit[] {
    const rarest = [...terms].sort(([, left], [, right]) => right - left).map(([term]) => term);
    const included = new Set(pages.filter((page) => matchesFilter(page, query)));
    const found = new Set<number>();
    let occurrences = 0;
    let current = { term: "", isFinding: true };
    const results = index.search(rarest.join(" "), {
      ...ranking,
      tokenize: (text) => text.split(" "),
      boostTerm: (term) => weights.get(term) ?? 1,
      // Called for each occurrence of the first term, then of the second, and so on.
      boostDocument: (id: number, term) => {
        const page = passages[id]?.page;
        if (page === undefined || !included.has(page)) return 0;
        if (term !== current.term) current = { term, isFinding: occurrences < enoughOccurrences };
        occurrences += 1;
        if (current.isFinding) found.add(id);
        return Number(found.has(id));
      },
    });
    return results.flatMap(({ id, score }) => {
      const passage = passages[id];
      return passage === undefined ? [] : [{ passage, score }];
    });
  }

  /** The most similar term of the documents; the first letter of a word is rarely wrong. */
  function findSimilar(term: string): string | undefined {
    const fuzzy = Math.min(2, Math.floor(term.length / lettersPerTypo));
    const whole = { prefix: false, tokenize: (text: string) => [text] };
    const suggestions = index.autoSuggest(term, { ...ranking, ...whole, fuzzy });
    return suggestions.flatMap(({ terms }) => terms).find((other) => other[0] === term[0]);
  }

  /** The term with two adjacent letters swapped, if the documents contain it; empty if that is a function word. */
  function findSwapped(term: string): string | undefined {
    for (let index = 1; index < term.length - 1; index += 1) {
      const swapped = `${term.slice(0, index)}${term[index + 1]}${term[index]}${term.slice(index + 2)}`;
      if (termsOf([swapped]).length === 0) return "";
      if (term.length >= lettersPerTypo && counts.has(swapped)) return swapped;
    }
    return undefined;
  }

  /** Replaces terms that occur nowhere by similar ones, unless they are names. */
  function correct(terms: WeightedTerms, names: ReadonlySet<string>): WeightedTerms {
    const unknown = [...terms.keys()].filter(
      (term) => !counts.has(term) && !names.has(term) && term.length <= maxCorrectedLength,
    );
    const similar = new Map(
      unknown.slice(0, maxCorrections).map((term) => [term, findSwapped(term) ?? findSimilar(term)]),
    );
    const corrected = [...terms].map(([term, weight]) => [similar.get(term) ?? term, weight] as const);
    return new Map(corrected.filter(([term]) => term !== ""));
  }

  function weighByRarity(terms: WeightedTerms): WeightedTerms {
    const rarity = (term: string) => Math.log(1 + passages.length / ((counts.get(term) ?? 0) + 0.5));
    return new Map([...terms].map(([term, weight]) => [term, weight * rarity(term)]));
  }

  /** Scores pages by the open page, the version and the language, independently of their text. */
  function preferenceFor(
    { question, version, language }: RetrievalQuery,
    openPage: DocsPage | undefined,
    openPageBoost: number,
  ): (page: DocsPage) => number {
    const asked = languageOfQuestion(question);
    const isKnown = asked !== undefined && languages.has(asked);
    const expectedLanguage = language ?? (isKnown ? asked : (openPage?.language ?? mainLanguage ?? ""));
    const expectedVersion = (version ?? openPage?.version)?.toLowerCase();
    const isVersion = (page: DocsPage) =>
      expectedVersion === undefined
        ? page.version === undefined || page.isDefaultVersion
        : (page.version?.toLowerCase() ?? expectedVersion) === expectedVersion;
    const subject = tellingTerms(question);
    const isLanguage = (page: DocsPage) =>
      primaryOf(page.language ?? expectedLanguage) === primaryOf(expectedLanguage);
    return (page) => {
      const versionShare = isVersion(page) ? 1 : otherVersionShare;
      const languageShare = isLanguage(page) ? 1 : otherLanguageShare;
      const typeShare = page.isReference === true ? referenceShare : 1;
      const open = page === openPage ? openPageBoost : 1;
      const first = introduces(page, subject) ? firstPageBoost : 1;
      return versionShare * languageShare * typeShare * open * first;
    };
  }

  return {
    search(request: RetrievalQuery, pageSize: number): Retrieval {
      const openPage = findOpenPage(pages, request.currentPath);
      const { prose, code } = splitAtFences(request.question);
      const question = openPage === undefined ? prose : removePageReferences(prose);
      const query = { ...request, question, context: [...code, ...request.context] };
      const isAboutPage = openPage !== undefined && (question !== prose || isVague(query));
      const names = namesIn(question);
      const asked = languageOfQuestion(prose);
      const subject = isAboutPage ? openPage.title : "";
      const own = correct(weighTerms(query, subject), names);
      const weights = new Map(own);
      for (const value of query.context)
        addTerms(weights, [...new Set(contentTerms(value))].slice(0, maxContextTerms), contextWeight);
      // Code contains many words that no page explains: a question with a subject of its own is judged without them.
      const judged = hasSubject(question) ? own : weights;
      const terms = weighByRarity(judged);
      const hits = findSections(weights, weighByRarity(weights), query);
      const boost = isAboutPage ? openPageBoosts.subject : openPageBoosts.other;
      const ranked = rankPages(hits, terms, preferenceFor(query, openPage, boost), openPage);
      return {
        passages: ranked.slice(0, pageSize).map(({ passage }) => passage),
        certainty: certaintyOf(hits[0], ranked, terms),
        terms,
        language: asked ?? primaryOf(ranked[0]?.passage.page.language ?? ""),
      };
    },
  };
}

/** Minimum relevance of an answer. docs/assistant.md has the measured error rates. */
const answerThreshold = 2.5;
/** Weight of the best section's score in the relevance. */
const scoreWeight = 0.7;
/** Coverage from which a statement answers nearly the whole question. */
const nearlyComplete = 0.9;
const clearCoverage = 0.7;
/** A term that most sections contain weighs less, and rarely identifies a subject. */
const tellingWeight = 1;

/** Number of best pages among which a complete answer is looked for. */
const maxAnsweringPages = 3;

/**
 * How certain it is that the documentation answers a question. The relevance adds up the best section's score and the coverage of the
 * question by the first page: by its best statement and by the whole section.
 */
function certaintyOf(
  best: Hit | undefined,
  ranked: readonly RankedPage[],
  terms: WeightedTerms,
): Retrieval["certainty"] {
  const [first] = ranked;
  if (best === undefined || first === undefined) return "none";
  const score = Math.log(1 + best.score / totalWeight(terms));
  const relevance = scoreWeight * score + first.coverage + coverageOf(first.passage, terms);
  const isComplete = ranked.slice(0, maxAnsweringPages).some(({ coverage }) => coverage >= nearlyComplete);
  if (!isComplete && relevance < answerThreshold) return "none";
  const telling = [...terms].filter(([term, weight]) => weight >= tellingWeight && !isWeakTerm(term));
  const isAnswer = telling.length > 1 || isNamedAfter(first, terms);
  return first.coverage >= clearCoverage && isAnswer ? "clear" : "possible";
}

/** Whether a page, a section or an explained name has a term of the question. Any page may mention the only word of “Is it free?”. */
function isNamedAfter({ passage: { page, section }, coverage }: RankedPage, terms: WeightedTerms): boolean {
  const named = titleTerms(page).union(new Set(contentTerms(section.headings.join(" "))));
  return coverage > 1 || weightIn(named, terms) > 0;
}

/** Weight of the terms of an earlier question, relative to the question that continues it. */
const earlierWeight = 0.5;
/** Older questions weigh next to nothing. */
const maxContinued = 4;
/** Weight and number of the terms from each item of the context. */
const contextWeight = 0.5;
const maxContextTerms = 40;
/** Weight of a word that rarely identifies the subject of a question. */
const weakTermWeight = 0.3;

/** Whether a question names no subject, or only points at it, and neither conversation nor context has one. */
function isVague({ question, earlier, context }: RetrievalQuery): boolean {
  return earlier.length + context.length === 0 && (!hasSubject(question) || pointsAtSubject(question));
}

/**
 * The terms of the question and its subject, and with less weight those of the questions that it continues. A question back, the weight
 * halves.
 */
function weighTerms({ question, earlier }: RetrievalQuery, subject: string): WeightedTerms {
  const weights = new Map<string, number>();
  const before = earlier.slice(-maxContinued).map((each) => splitAtFences(each).prose);
  const questions = [question, ...before.toReversed()];
  const start = questions.findIndex((each) => !isContinuation(each));
  const continued = start === -1 ? questions : questions.slice(0, start + 1);
  for (const [age, each] of continued.entries()) {
    const weight = earlierWeight ** age;
    for (const term of contentTerms(removeQuestionWords(each)))
      addTerms(weights, [term], isWeakTerm(term) ? weight * weakTermWeight : weight);
  }
  addTerms(weights, contentTerms(subject), 1);
  return weights;
}

function addTerms(weights: Map<string, number>, terms: readonly string[], weight: number): void {
  for (const term of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
}

/** A page by its best section. */
interface RankedPage {
  readonly passage: Passage;
  /** Coverage of the question by its best statement (`readClosely`); 0 if the page was not read. */
  readonly coverage: number;
}

const maxReadPages = 20;
/** Weight of a page's coverage relative to its score. */
const coverageWeight = 2;

/** Factor for a page whose title is what is asked for: “Work pools” for “What is a work pool?”. */
const exactTitleBoost = 2;

const overviewTerms: ReadonlySet<string> = new Set(contentTerms("introduction overview"));

/** The terms of a page's title. An overview is named after its folder. */
function titleTerms({ title, slug }: DocsPage): ReadonlySet<string> {
  const own = new Set(contentTerms(title));
  const folder = slug.split("/").at(-2)?.replace(/[._-]/g, " ");
  return folder !== undefined && own.isSubsetOf(overviewTerms) ? new Set(contentTerms(folder)) : own;
}

/** The terms of a page's title and, on a site's first page, of the site's name. */
function nameTerms(page: DocsPage): ReadonlySet<string> {
  return titleTerms(page).union(new Set(contentTerms(page.siteName ?? "")));
}

/** Whether a page is a site's first one, and the terms name nothing but the product. */
function introduces(page: DocsPage, terms: readonly string[]): boolean {
  return page.siteName !== undefined && terms.length > 0 && new Set(terms).isSubsetOf(nameTerms(page));
}

/** Ranks pages by their two best sections. The first pages are then read closely and ranked by coverage too. */
function rankPages(
  hits: readonly Hit[],
  terms: WeightedTerms,
  preferenceOf: (page: DocsPage) => number,
  openPage: DocsPage | undefined,
): RankedPage[] {
  const byScore = (left: { readonly score: number }, right: { readonly score: number }) =>
    right.score - left.score;
  const ranked = [...Map.groupBy(hits, ({ passage }) => passage.page)]
    .map(([page, sections]) => {
      const [best, second] = sections as [Hit, Hit?];
      const score = best.score + secondSectionShare * (second?.score ?? 0);
      return { passage: best.passage, coverage: 0, sections, score: score * preferenceOf(page) };
    })
    .sort(byScore);
  const read = ranked.slice(0, maxReadPages).map(({ sections, score }) => {
    const { passage, coverage } = bestSection(sections, terms);
    const fit = passage.page === openPage && coverage >= nearlyComplete ? fittingPageBoost : 1;
    const title = titleTerms(passage.page).symmetricDifference(terms).size === 0 ? exactTitleBoost : 1;
    return { passage, coverage, score: score * fit * title * (1 + coverageWeight * coverage) };
  });
  return [...withoutCopies(read.sort(byScore)), ...ranked.slice(maxReadPages)];
}

/** Removes pages whose section another page has too, such as another version of it. */
function withoutCopies(pages: readonly RankedPage[]): RankedPage[] {
  const found = new Set<string>();
  return pages.filter(({ passage: { page, section } }) => {
    const { size } = found;
    return found.add(JSON.stringify([page.title, section.text, section.code])).size > size;
  });
}

/**
 * Chooses the section of a page that covers most of the question, or the first one if the question asks for nothing but what the page is
 * named after.
 */
function bestSection(sections: readonly Hit[], terms: WeightedTerms): RankedPage {
  const read = sections.map(({ passage }) => ({ passage, ...readClosely(passage, terms) }));
  const best = read.reduce((first, other) => (other.coverage > first.coverage ? other : first));
  const { page, section } = best.passage;
  const name = nameTerms(page);
  const explained = best.statement.names.union(new Set(contentTerms(section.headings.at(-1) ?? "")));
  const isName = (term: string) => name.has(term) || (isWeakTerm(term) && !explained.has(term));
  const introduction = page.sections.find(({ blocks }) => blocks.length > 0);
  if (introduction === undefined || weightIn(name, terms) === 0 || ![...terms.keys()].every(isName))
    return best;
  return { ...best, passage: { page, section: introduction } };
}

/** Removes origin, query, fragment, percent-encoding, extension and `index` from the URL of a page. */
function addressOf(path: string): string {
  const encoded = path.replace(/^https?:\/\/[^/]+/i, "").replace(/[?#].*$/s, "");
  return decodePercent(encoded)
    .replace(/\.(?:mdx?|html)$/i, "")
    .replace(/(?:^|\/)index$/, "")
    .replace(/^\/+|\/+$/g, "");
}

/** Finds a page by its address. The site may be served below a folder: the longest slug at the end of the path wins. */
function findOpenPage(pages: readonly DocsPage[], address: string | undefined): DocsPage | undefined {
  if (address === undefined) return undefined;
  const path = addressOf(address);
  const slugs = pages.map((page) => ({ page, slug: addressOf(page.slug) }));
  const found = slugs.filter(({ slug }) => slug === path || (slug !== "" && path.endsWith(`/${slug}`)));
  return found.sort((left, right) => right.slug.length - left.slug.length)[0]?.page;
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
