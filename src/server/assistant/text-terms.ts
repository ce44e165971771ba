/** The terms of a text (stemmed words without stop words) and the language of a question. */
import { indexedWords, stemOf, stopWords, wordsOf } from "../site/client/words.ts";

/** The terms of a question with their weights. */
export type WeightedTerms = ReadonlyMap<string, number>;

/** Share of a term that a text contains only as a synonym. */
const synonymShare = 0.6;

/** The share (0 to 1, or more) of a term that a text contains, itself or as a synonym. @param shareOf share without synonyms */
export function shareWithSynonyms(term: string, shareOf: (term: string) => number): number {
  const share = shareOf(term);
  if (share >= 1) return share;
  return synonymsOf(term).reduce((best, other) => Math.max(best, synonymShare * shareOf(other)), share);
}

/** The sum of the weights. */
export function totalWeight(terms: WeightedTerms): number {
  return [...terms.values()].reduce((sum, weight) => sum + weight, 0);
}

/** The weight of the terms that a text contains. @param shareOf share of one term, without synonyms */
export function coveredWeight(terms: WeightedTerms, shareOf: (term: string) => number): number {
  return [...terms].reduce((sum, [term, weight]) => sum + weight * shareWithSynonyms(term, shareOf), 0);
}

/** The terms of a text in order, without stop words. */
export function contentTerms(text: string): string[] {
  return toTerms(wordsOf(joinVerbs(text)));
}

/**
 * The terms under which a document is indexed. They include pairs of characters for languages without spaces, where a question may be
 * segmented differently.
 *
 * @param onWords receives the unstemmed words
 */
export function documentTerms(
  text: string,
  onWords: (words: readonly string[]) => void = () => undefined,
): string[] {
  const words = indexedWords(joinVerbs(text));
  onWords(words);
  return toTerms(words);
}

/** Replaces verbs of two words by one word, as their parts mean little or something else. */
function joinVerbs(text: string): string {
  return text.replace(verbs, (written, verb: string, particle: string) => {
    const joined = `${verb} ${particle}`.toLowerCase();
    return verbsOfTwoWords.get(joined) ?? written;
  });
}

const verbs =
  /\b(back|log|set|sign|switch|turn)(?:s|ed|ged|ing|ging|ting|ning)? (?:it |this |that |them )?(in|off|on|out|up)\b/gi;
const verbsOfTwoWords = readForms(`
  backup: back up; setup: set up; login: log in, log on, sign in; logout: log off, log out, sign out; signup: sign up;
  disable: switch off, turn off; enable: switch on, turn on`);

/** Short and irregular forms of words, for which questions and documents often differ. */
const longForms = readForms(`
  argument: arg; arguments: args; configuration: config; database: db; directory: dir; documents: docs; environment: env;
  expire: expiry, expiration; maximum: max; minimum: min; parameter: param; parameters: params; repository: repo;
  variable: var; variables: vars;
  begin: began, begun; break: broken; build: built; buy: bought; choose: chosen; find: found; get: got; give: gave, given;
  hide: hidden; keep: kept; know: knew; leave: left; lose: lost; make: made; mean: meant; pay: paid; run: ran; send: sent;
  show: shown; spend: spent; take: taken; tell: told; write: written, wrote`);

/** Reads a list such as `login: log in, sign in` into a map from each form to its word. */
function readForms(list: string): ReadonlyMap<string, string> {
  const entries = list.split(";").map((entry) => entry.trim().split(/: |, /));
  return new Map(entries.flatMap(([word = "", ...forms]) => forms.map((form) => [form, word] as const)));
}

/** Cache of terms by word: words repeat, and stemming dominates the cost. */
const termCache = new Map<string, string>();
const maxCachedTerms = 50_000;

function toTerms(words: readonly string[]): string[] {
  return words.map(toTerm).filter((term) => !stopWords.has(term));
}

/** Normalizes and stems a word. */
export function toTerm(word: string): string {
  const cached = termCache.get(word);
  if (cached !== undefined) return cached;
  // Stop words are compared unstemmed.
  const term = stopWords.has(word) ? word : stemOf(longForms.get(word) ?? word);
  if (termCache.size >= maxCachedTerms) termCache.clear();
  termCache.set(word, term);
  return term;
}

/** Groups of synonyms, one per line. */
const synonymGroups = `
  add create new insert
  allow permit permission access role
  backup snapshot restore recover undo
  begin start
  bill billing charge cost fee invoice pay payment price pricing
  bitcoin crypto cryptocurrency
  browser web
  cancel kill stop terminate
  card payment
  change edit modify rename update
  clear delete discard erase remove
  clone copy duplicate
  company organization team
  compatible support
  concurrent parallel simultaneous several multiple
  connect attach integrate link
  crash outage downtime
  credential password secret
  credit balance fund money
  cron interval periodic schedule
  deactivate disable
  activate enable
  decline deny refuse reject
  decrease reduce shrink smaller
  increase grow bigger larger raise
  delay latency slow wait
  deploy publish release
  directory folder
  download dump export
  earn revenue reward
  error fail failure issue problem trouble troubleshoot
  execute launch run
  expire lifetime valid ttl
  fast performance quick speed throughput
  image photo picture
  import load upload
  install setup
  invalid wrong incorrect
  keep persist retain retention store
  limit limitation maximum quota restriction
  log monitor
  authenticate authentication login signin
  member people person teammate user
  memory ram
  migrate move transfer
  mobile phone
  need prerequisite requirement require
  node server machine host instance
  notify notification alert
  choose pick select
  private internal
  receive fetch
  see show view display
  send submit push
  check validate verify
  site website`;

const synonyms = new Map<string, ReadonlySet<string>>();
for (const group of synonymGroups.trim().split("\n")) {
  const terms = toTerms(wordsOf(group));
  for (const term of terms) synonyms.set(term, new Set([...(synonyms.get(term) ?? []), ...terms]));
}

/** The synonyms of a term, without the term itself. */
export function synonymsOf(term: string): readonly string[] {
  return [...(synonyms.get(term) ?? [])].filter((other) => other !== term);
}

/** Words for actions and requests, which rarely identify the subject of a question. */
const weakTerms: ReadonlySet<string> = new Set(
  toTerms(
    wordsOf(
      `allow anybody anyone anything api ask best bit call cant change common difference different doesnt dont everything exact
      exist fail find get give go going happen have hello help hey hi hows im isnt ive keep kind know let like long look lot
      make many miss much need new one pass place please pls plz possible put question really right say see seem set show
      someone something sort start stuff supposed take tell thanks thing think thx try understand use want wat way whats
      wheres whole wonder wont work wrong wht yet`,
    ),
  ),
);

/** Whether a term rarely identifies the subject of a question. */
export function isWeakTerm(term: string): boolean {
  return weakTerms.has(term) || /^\p{Script=Han}$/u.test(term);
}

/** Scripts that identify a language. Kana precede Han, which Japanese shares with Chinese. */
const scripts: readonly (readonly [script: RegExp, lang: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Cyrillic}/u, "ru"],
];

/** Words that are frequent in the questions of one language and rare in others. */
const frequentWords: Readonly<Record<string, readonly string[]>> = {
  en: "what how the does is are do can where which my to of in when why".split(" "),
  de: "wie was ist der die das ich kann man ein eine und wo für mit nicht".split(" "),
  es: "cómo como qué que el la los las puedo es se para una dónde cuál del".split(" "),
  fr: "comment quoi quel quelle le la les est je puis un une pour où des du".split(" "),
  it: "come cosa il lo gli posso è per una dove quale del della si che".split(" "),
  pt: "como o que os as posso é para uma um onde qual do da não".split(" "),
};

/** Guesses the language of a question, as a tag without a region; `undefined` if undecidable. */
export function languageOfQuestion(text: string): string | undefined {
  const byScript = scripts.find(([script]) => script.test(text));
  if (byScript !== undefined) return byScript[1];
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(frequentWords).map(([lang, frequent]) => {
    return { lang, count: words.filter((word) => frequent.includes(word)).length };
  });
  const [first, second] = counts.sort((left, right) => right.count - left.count);
  return first !== undefined && first.count > (second?.count ?? 0) ? first.lang : undefined;
}
