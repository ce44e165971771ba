/** The terms of a text: stemmed words without function words. */
import { copyText } from "../../base/text.ts";
import { indexedWords, stemOf, stopWords, wordsOf } from "../site/client/words.ts";

/** Terms with their weights. */
export type WeightedTerms = ReadonlyMap<string, number>;

/** The sum of the weights. */
export function totalWeight(terms: WeightedTerms): number {
  return [...terms.values()].reduce((sum, weight) => sum + weight, 0);
}

/** The weight of the terms that a text contains. */
export function weightIn(own: ReadonlySet<string>, terms: WeightedTerms): number {
  return [...terms].reduce((sum, [term, weight]) => sum + (own.has(term) ? weight : 0), 0);
}

/** The terms of a text in order. */
export function contentTerms(text: string): string[] {
  return termsOf(wordsOf(normalizeWording(text)));
}

/**
 * The words under whose terms a document is indexed. They include pairs of characters for languages without spaces, where a question may be
 * segmented differently.
 */
export function documentWords(text: string): string[] {
  return indexedWords(normalizeWording(text));
}

/**
 * "log in" means the same as "login", and neither "log" nor "in"; so do "get started" and "quickstart"; "turn off" means "disable"; "5 min" is
 * a time and no minimum. "How much" and verbs such as "doesn't" tell nothing apart, like the stop words.
 */
function normalizeWording(text: string): string {
  return text
    .replace(/(?<=\d) ?mins?\b/gi, " minutes")
    .replace(/\b[a-z]+n['’]t\b|\bhow (?:much|many)\b/gi, " ")
    .replace(/\b(back|log|set|sign)(?:ging|ned|ning)? (in|off|on|out|up)\b/gi, "$1$2")
    .replace(/\b(?:get(?:ting)?|got) started\b|\bquick[ -]?start/gi, "quickstart")
    .replace(/\b(?:turn|switch)(?:e[ds]|ing|s)? (?:on|(off))\b/gi, (_, off) => (off ? "disable" : "enable"));
}

/** Other forms of words, and synonyms, for which questions and documents often differ. Each counts as the first word of its entry. */
const forms = new Map(
  `argument: arg; configuration: config; database: db; directory: dir, folder; document: doc; environment: env; expire: expiry;
  maximum: max; minimum: min; parameter: param; repository: repo; variable: var;
  begin: began, begun; break: broken; build: built; buy: bought; choose: chosen, pick, select; come: came; find:
  found; forget: forgot, forgotten; get: got; give: gave, given; hide: hidden; hold: held; keep: kept; know: knew;
  leave: left; lose: lost; make: made; mean: meant; pay: paid; run: ran; send: sent; show: shown, display; spend:
  spent; take: taken; tell: told; write: written, wrote;
  billing: invoice; company: organization; deactivate: disable; decrease: reduce; delete: erase, remove; duplicate: copy;
  edit: modify; enable: activate; error: failure, problem; fast: quick; image: photo, picture; increase: raise;
  invalid: incorrect; latency: delay; limit: quota, restriction; login: logon, signin; logout: logoff, signout;
  member: teammate; parallel: concurrent, simultaneous; price: charge, cost, fee; reject: decline, deny, refuse;
  requirement: prerequisite; verify: validate, check; website: site`
    .split(";")
    .map((entry) =>
      entry
        .trim()
        .split(/[:,]\s+/)
        .map(stemOf),
    )
    .flatMap(([word = "", ...others]) => others.map((form) => [form, word] as const)),
);

/** Cache of terms by word: words repeat, and stemming dominates the cost. */
const termCache = new Map<string, string>();
const maxCachedTerms = 50_000;
const maxCachedLength = 100;

/** The terms of words; function words have none. */
export function termsOf(words: readonly string[]): string[] {
  return words.map(toTerm).filter((term) => !stopWords.has(term));
}

function toTerm(part: string): string {
  const cached = termCache.get(part);
  if (cached !== undefined) return cached;
  const word = copyText(part);
  const stem = stemOf(word);
  // Stop words are compared unstemmed.
  const term = stopWords.has(word) ? word : (forms.get(stem) ?? stem);
  if (termCache.size >= maxCachedTerms) termCache.clear();
  if (word.length <= maxCachedLength) termCache.set(word, term);
  return term;
}
