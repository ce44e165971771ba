/** Finds the passages that answer a question: MiniSearch ranks the sections, and the pages by their best ones. */
import MiniSearch from "minisearch";
import { wordsOf } from "../site/client/words.ts";
import { plainText } from "../site/content/component.ts";
import { coverageOf, readClosely } from "./close-reading.ts";
import { asksForNumber, hasPronoun, numberTerm, withoutAsking, withoutPointing } from "./question-form.ts";
import { type DocsPage, type Passage, paragraphOf } from "./sections.ts";
import { Spelling } from "./spelling.ts";
import {
  contentTerms,
  documentTerms,
  isWeakTerm,
  languageOfQuestion,
  sumOf,
  synonymsOf,
  type WeightedTerms,
} from "./text-terms.ts";

export interface RetrievalQuery {
  /** The words that ask. */
  readonly question: string;
  /** What the same person asked before, oldest first: a follow-up leaves out what was said. */
  readonly earlier: readonly string[];
  /** Code and text that the question is about. */
  readonly context: readonly string[];
  /** Address or file of the page that the reader has open. */
  readonly currentPath: string | undefined;
  readonly version: string | undefined;
  readonly language: string | undefined;
}

export interface Retrieval {
  /** At most one for each page, best first. */
  readonly passages: readonly Passage[];
  /** The other sections of the first page that hold terms of the question, best first. */
  readonly besides: readonly Passage[];
  /** Whether the documents answer the question at all, as far as words can tell. */
  readonly isAnswered: boolean;
  /** Terms that were searched for, and how much each tells sections apart. */
  readonly terms: WeightedTerms;
  /** The question's language without a region, as far as it can be told; else that of the first page; empty: neither is known. */
  readonly language: string;
}

export type DocsIndex = Awaited<ReturnType<typeof createDocsIndex>>;

/** A section that holds terms of the question. */
interface Hit {
  readonly passage: Passage;
  readonly score: number;
}

/** Chosen on the corpora that `npm run bench -- retrieval` marks as tuned on. */
const ranking = { boost: { title: 2, headings: 0.5, code: 0.5, names: 1 }, bm25: { k: 2, b: 0.7, d: 0 } };
/** A page's second-best section speaks for it too. */
const secondSectionShare = 0.2;
const samePageBoost = 1.6;
const sameFolderBoost = 1.1;
/** What the open page counts besides if it says nearly all that was asked in one place. */
const fittingPageBoost = 2;
/** A page that is about just what was asked ("What is a work pool?") is called like it; less counts one that is called like a part. */
const sameTitleBoost = 1.5;
/** What a page counts of a version or in a language that was not asked for: it answers where nothing else does. */
const otherVersionShare = 0.5;
const otherLanguageShare = 0.25;
/** What a page of an operation counts: it has words of all subjects, and what people ask is said in guides. */
const referenceShare = 0.75;
/** What the open page counts for a question that points at it. */
const pointedAtBoost = 4;

/** What a page is found by. */
const fields = ["title", "slug", "headings", "text", "code", "description", "names"];

/** Indexes pages; takes a few milliseconds for each, between which other requests go on. */
export async function createDocsIndex(pages: readonly DocsPage[]) {
  const passages = pages.flatMap((page) => page.sections.map((section): Passage => ({ page, section })));
  const spelling = new Spelling();
  // MiniSearch's tree of terms goes through all characters that a term may begin with, thousands in Chinese: numbers take a third of the time.
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
      return { id, title, slug: addressWords(slug), description, headings, names, text, code };
    }),
  );

  /** The sections that hold these terms, best first, and how many hold each of them. */
  function findSections(terms: WeightedTerms, isMeant: (passage: Passage) => boolean) {
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
    // A common word is in most sections of a site: nothing is copied for each of them.
    for (const result of index.search([...searched.keys()].join(" "), options)) {
      for (const key of result.terms) counts.set(key, (counts.get(key) ?? 0) + 1);
      const passage = passages[result.id];
      if (passage !== undefined && isMeant(passage)) hits.push({ passage, score: result.score });
    }
    return { hits, counts: new Map([...searched].map(([key, { term }]) => [term, counts.get(key) ?? 0])) };
  }

  /** What each term is worth: its weight, and how rare it is among all sections. */
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
  // A question of a few names has no language of its own.
  const mainLanguage = languages.has("en") ? "en" : [...languages][0];

  /** How likely each page is meant, besides what it says: by the page that is open, the version and the language. */
  function preferenceOf(
    { question, version, language }: RetrievalQuery,
    open: DocsPage | undefined,
    path: string | undefined,
    pointedAt: DocsPage | undefined,
  ): (page: DocsPage) => number {
    const asked = languageOfQuestion(question);
    const known = asked !== undefined && languages.has(asked) ? asked : (open?.language ?? mainLanguage);
    const terms = new Set(contentTerms(question));
    const named = versions.filter((label) => isNamed(label, question));
    const isMainVersion = ({ version: own, isDefaultVersion }: DocsPage) => {
      if (named.length > 0) return named.includes(own ?? "");
      return open?.version === undefined ? isDefaultVersion : own === open.version;
    };
    const openBoost = open === pointedAt ? pointedAtBoost : samePageBoost;
    return (page) => {
      const isVersion = version !== undefined || page.version === undefined || isMainVersion(page);
      const isLanguage =
        language !== undefined ||
        page.language === undefined ||
        primaryOf(page.language) === primaryOf(known ?? "");
      const share = (isVersion ? 1 : otherVersionShare) * (isLanguage ? 1 : otherLanguageShare);
      const titleShare = 1 + (sameTitleBoost - 1) * shareAsTitle(titles.get(page), terms);
      return shareOfKind(page) * share * titleShare * (page === open ? openBoost : nearness(page, path));
    };
  }

  return {
    search(asked: RetrievalQuery, pageSize: number): Retrieval {
      const path = asked.currentPath === undefined ? undefined : addressOf(asked.currentPath);
      const open = path === undefined ? undefined : findOpenPage(pages, path);
      const words = open === undefined ? asked.question : withoutPointing(asked.question);
      const query = { ...asked, question: spelling.correct(withoutAsking(words)) };
      const pointedAt = words !== asked.question || isVague(query) ? open : undefined;
      const weights = weighTerms(query, pointedAt?.name ?? pointedAt?.title);
      const { hits, counts } = findSections(weights, ({ page }) => matchesFilter(page, query));
      const terms = withNumber(weighByRarity(weights, counts), asked.question);
      const ranked = rankPages(hits, terms, preferenceOf(query, open, path, pointedAt), open);
      const first = ranked[0]?.passage;
      const isExplained = ranked
        .slice(0, explainingPages)
        .some(({ passage }) => explains(passage, query.question, terms));
      return {
        passages: ranked.slice(0, pageSize).map(({ passage }) => passage),
        besides: hits
          .map(({ passage }) => passage)
          .filter(({ page, section }) => page === first?.page && section.anchor !== first.section.anchor),
        isAnswered: isExplained || isAnswered(hits[0], ranked[0], terms),
        terms,
        language: languageOfQuestion(asked.question) ?? primaryOf(first?.page.language ?? ""),
      };
    },
  };
}

/** What an answer must come to; docs/assistant.md says what that achieves. */
const answeredFrom = 2.55;
/** What the best section's score counts in it, in proportion to all that was asked. */
const scoreShare = 0.7;
/** What a page is worth that says nearly everything in one place. */
const nearlyEverything = 0.9;

/**
 * Whether the docs answer a question: how much the best section has of it, and how much the first page's section says in one
 * place and anywhere.
 */
function isAnswered(best: Hit | undefined, first: RankedPage | undefined, terms: WeightedTerms): boolean {
  if (best === undefined || first === undefined) return false;
  if (first.worth >= nearlyEverything) return true;
  const score = Math.log(1 + best.score / sumOf(terms));
  return scoreShare * score + first.worth + coverageOf(first.passage, terms) >= answeredFrom;
}

/** An address as words: `guides/rotate-keys` says what the page is about. */
function addressWords(slug: string): string {
  return slug.replace(/[/._-]+/g, " ");
}

/** How much counts what stands around a question; a question of few terms points at it ("what does this do?"). */
const besides = { earlier: 0.35, context: 0.25, contextTerms: 40 };
const pointedAt = { earlier: 0.6, context: 1, contextTerms: 12 };
const pointingQuestion = 2;
/** What a word counts that seldom says what a question is about. */
const weakShare = 0.3;
/** A question of this many terms stands for itself. */
const longQuestion = 8;

/** Whether a question names what it is about by a pronoun, and nothing that was said before it tells. */
function isVague({ question, earlier, context }: RetrievalQuery): boolean {
  const isShort = contentTerms(question).length <= pointingQuestion;
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
  for (const term of asked) add([term], isWeakTerm(term) ? weakShare : 1);
  const weight = asked.length <= pointingQuestion ? pointedAt : besides;
  if (subject !== undefined) add(contentTerms(subject), 1);
  const last = earlier.at(-1);
  if (last !== undefined && asked.length < longQuestion) add(contentTerms(last), weight.earlier);
  for (const value of context) {
    add([...new Set(contentTerms(value))].slice(0, weight.contextTerms), weight.context);
  }
  return weights;
}

/** What a number counts where it answers, beside all that was asked. */
const numberShare = 0.2;

function withNumber(terms: WeightedTerms, question: string): WeightedTerms {
  return asksForNumber(question) ? new Map([...terms, [numberTerm, numberShare * sumOf(terms)]]) : terms;
}

/** The terms with those that documents may say instead. */
function withSynonyms(terms: WeightedTerms): WeightedTerms {
  const searched = new Map(terms);
  for (const [term, weight] of terms)
    for (const other of synonymsOf(term))
      searched.set(other, Math.max(weight * synonymWeight, searched.get(other) ?? 0));
  return searched;
}

/** What a term of the same meaning counts in a search, beside the one that was asked for. */
const synonymWeight = 0.3;

/** A page by its best section. */
interface RankedPage {
  readonly passage: Passage;
  /** What it says of the question in one place (`readClosely`); 0 where it was not read. */
  readonly worth: number;
}

/** The best section of each page; the pages in the order of their best two, and the first of them by what they say of the question. */
function rankPages(
  hits: readonly Hit[],
  worths: WeightedTerms,
  preference: (page: DocsPage) => number,
  open: DocsPage | undefined,
): RankedPage[] {
  const byPage = Map.groupBy(hits, ({ passage }) => passage.page);
  const ranked = [...byPage].flatMap(([page, sections]) => {
    const [best, second] = sections;
    if (best === undefined) return [];
    const score = best.score + secondSectionShare * (second?.score ?? 0);
    return [{ passage: best.passage, worth: 0, sections, score: score * preference(page) }];
  });
  ranked.sort((left, right) => right.score - left.score);
  const read = ranked.slice(0, closelyRead).map(({ sections, score }) => {
    const { passage, worth } = bestSection(sections, worths);
    const fit = passage.page === open && worth >= nearlyEverything ? fittingPageBoost : 1;
    return { passage, worth, score: score * fit * (1 + readingWeight * worth) };
  });
  read.sort((left, right) => right.score - left.score);
  return [...read, ...ranked.slice(closelyRead)];
}

/** So many of the best pages are read closely for the section that answers. */
const closelyRead = 20;
/** How much counts what a page says in one place, beside its score. */
const readingWeight = 2;

/** Of a page's sections the one that says most of what was asked, above all in one place. */
function bestSection(sections: readonly Hit[], worths: WeightedTerms) {
  const read = sections.map(({ passage, score }) => {
    const { worth } = readClosely(passage, worths);
    return { passage, worth, value: Math.sqrt(score) * worth };
  });
  const best = read.reduce((first, other) => (other.value > first.value ? other : first));
  // The words of the title are in all sections.
  const title = new Set(contentTerms(best.passage.page.title));
  const inTitle = new Map([...worths].filter(([term]) => title.has(term)));
  const isTitle = sumOf(inTitle) >= nearlyEverything * sumOf(worths);
  const introduction = isTitle ? introductionOf(best.passage.page) : undefined;
  return { ...best, passage: introduction ?? best.passage };
}

/** What a page says before its first heading, its description included. */
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

function shareOfKind({ isReference }: DocsPage): number {
  return isReference === true ? referenceShare : 1;
}

/** Whether a question names a version by its number: "in v2", "in the 2025-06-18 version". */
function isNamed(version: string, question: string): boolean {
  const words = new Set(wordsOf(question));
  const numbers = wordsOf(version).filter((word) => /\d/.test(word));
  return numbers.length > 0 && numbers.every((word) => words.has(word));
}

/** The share of these terms that a title consists of; none if it says anything else. */
function shareAsTitle(title: ReadonlySet<string> | undefined, terms: ReadonlySet<string>): number {
  return title?.isSubsetOf(terms) === true ? title.size / Math.max(1, terms.size) : 0;
}

/** So many of the best pages are searched for the explanation of a name. */
const explainingPages = 3;
/** The share of a question's worth that a section must hold which explains a name in it. */
const explainedShare = 0.85;

/** What people call a name that is explained; documents often do not. */
const kindsOfName = new Set(
  contentTerms("parameter option field property argument setting flag value column meaning"),
);

/** Whether a section explains a name that the question holds, and holds nearly all of what else is asked. */
function explains({ page, section }: Passage, question: string, worths: WeightedTerms): boolean {
  const asked = new Set(contentTerms(question).filter((term) => !kindsOfName.has(term)));
  const isAsked = section.names.some((name) => {
    const terms = contentTerms(name);
    return terms.length > 0 && terms.every((term) => asked.has(term));
  });
  if (!isAsked) return false;
  const held = new Set(contentTerms(`${page.title} ${section.headings.join(" ")} ${section.text}`));
  const worthOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + (worths.get(term) ?? 0), 0);
  return worthOf([...asked].filter((term) => held.has(term))) >= explainedShare * worthOf([...asked]);
}

/** A page's address without what a link to it may have around: origin, query, extension, `index`. */
function addressOf(path: string): string {
  return path
    .replace(/^https?:\/\/[^/]+/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/\.(?:mdx?|html)$/i, "")
    .replace(/(?:^|\/)index$/, "")
    .replace(/^\/+|\/+$/g, "");
}

/** The page at an address; a site may be served below a folder, so its end counts where no page has all of it. */
function findOpenPage(pages: readonly DocsPage[], path: string): DocsPage | undefined {
  const slugs = pages.map((page) => ({ page, slug: addressOf(page.slug) }));
  const found = slugs.filter(({ slug }) => slug === path || (slug !== "" && path.endsWith(`/${slug}`)));
  return found.sort((left, right) => right.slug.length - left.slug.length)[0]?.page;
}

/** What stands in the folder of the page that the reader has open, or above it, is a little likelier to be meant. */
function nearness({ slug }: DocsPage, path: string | undefined): number {
  const folder = slug.replace(/(?:^|\/)[^/]*$/, "");
  return folder !== "" && path?.includes(folder) === true ? sameFolderBoost : 1;
}

/** A language without its region: `pt` of `pt-BR`. */
function primaryOf(language: string): string {
  return language.toLowerCase().split("-", 1)[0] ?? "";
}

/** Whether a page is of the version and in the language that a query asks for; a page that names none is of all. */
function matchesFilter(page: DocsPage, { version, language }: RetrievalQuery): boolean {
  const isVersion = (page.version ?? version)?.toLowerCase() === (version ?? page.version)?.toLowerCase();
  if (!isVersion || page.language === undefined || language === undefined) return isVersion;
  // `en` asks for every English; `en-GB` takes pages that say `en` only.
  const [own, expected] = [page.language.toLowerCase(), language.toLowerCase()];
  return own === expected || own.startsWith(`${expected}-`) || expected.startsWith(`${own}-`);
}
