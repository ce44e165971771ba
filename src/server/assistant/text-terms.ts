/** What retrieval reads in a text: its terms, which are words without endings and without those that say nothing, and its language. */
import { indexedWords, stemOf, stopWords, wordsOf } from "../site/client/words.ts";

/** Terms of a question, and how much each counts. */
export type WeightedTerms = ReadonlyMap<string, number>;

/** What a term counts in a text that says it in another word. */
const synonymShare = 0.6;

/** How much a text says of a term: all where it holds it, less where it holds a word of the same meaning. */
export function shareIn(term: string, has: (term: string) => number): number {
  const share = has(term);
  if (share >= 1) return share;
  return synonymsOf(term).reduce((best, other) => Math.max(best, synonymShare * has(other)), share);
}

/** What terms are worth together. */
export function sumOf(terms: WeightedTerms): number {
  return [...terms.values()].reduce((sum, worth) => sum + worth, 0);
}

/** What a text says of terms is worth. @param has How much it says of one, aside from words of the same meaning. */
export function worthIn(terms: WeightedTerms, has: (term: string) => number): number {
  return [...terms].reduce((sum, [term, worth]) => sum + worth * shareIn(term, has), 0);
}

/** The terms that tell a question apart, in order. */
export function contentTerms(text: string): string[] {
  return toTerms(wordsOf(joinVerbs(text)));
}

/**
 * The terms that a document is found by; also the pairs of characters that a question may be cut into differently.
 *
 * @param onWords Gets the document's words.
 */
export function documentTerms(
  text: string,
  onWords: (words: readonly string[]) => void = () => undefined,
): string[] {
  const words = indexedWords(joinVerbs(text));
  onWords(words);
  return toTerms(words);
}

/** Verbs of two words, as one: each of the two says little, or something else. */
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

/** Short and irregular forms that questions have and documents write out, or the reverse. */
const longForms = readForms(`
  argument: arg; arguments: args; configuration: config; database: db; directory: dir; documents: docs; environment: env;
  expire: expiry, expiration; maximum: max; minimum: min; parameter: param; parameters: params; repository: repo;
  variable: var; variables: vars;
  begin: began, begun; break: broken; build: built; buy: bought; choose: chosen; find: found; get: got; give: gave, given;
  hide: hidden; keep: kept; know: knew; leave: left; lose: lost; make: made; mean: meant; pay: paid; run: ran; send: sent;
  show: shown; spend: spent; take: taken; tell: told; write: written, wrote`);

/** Reads a list such as `login: log in, sign in`: the word that each form stands for. */
function readForms(list: string): ReadonlyMap<string, string> {
  const entries = list.split(";").map((entry) => entry.trim().split(/: |, /));
  return new Map(entries.flatMap(([word = "", ...forms]) => forms.map((form) => [form, word] as const)));
}

/** Terms of the words met before: a text repeats its words, and taking off endings is most of the work. */
const knownTerms = new Map<string, string>();
const maxKnownTerms = 50_000;

function toTerms(words: readonly string[]): string[] {
  return words.map(toTerm).filter((term) => !stopWords.has(term));
}

/** A word without its ending, in the form that documents write. */
export function toTerm(word: string): string {
  const known = knownTerms.get(word);
  if (known !== undefined) return known;
  // Stop words are compared as they are written.
  const term = stopWords.has(word) ? word : stemOf(longForms.get(word) ?? word);
  if (knownTerms.size >= maxKnownTerms) knownTerms.clear();
  knownTerms.set(word, term);
  return term;
}

/** Words of one meaning, as people ask and as documents say it. */
const meanings = `
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
for (const line of meanings.trim().split("\n")) {
  const terms = toTerms(wordsOf(line));
  for (const term of terms) synonyms.set(term, new Set([...(synonyms.get(term) ?? []), ...terms]));
}

/** Other terms of the same meaning. */
export function synonymsOf(term: string): readonly string[] {
  return [...(synonyms.get(term) ?? [])].filter((other) => other !== term);
}

/** Words that say what is done with a thing or asked of it, and seldom which thing it is. */
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

/** Whether a term is one of those that seldom say what a question is about. */
export function isWeakTerm(term: string): boolean {
  return weakTerms.has(term) || /^\p{Script=Han}$/u.test(term);
}

/** Scripts that one language of documentation is written in; kana before the characters that Japanese shares with Chinese. */
const scripts: readonly (readonly [script: RegExp, lang: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Cyrillic}/u, "ru"],
];

/** Words that most questions in a language have, and few in the others. */
const smallWords: Readonly<Record<string, readonly string[]>> = {
  en: "what how the does is are do can where which my to of in when why".split(" "),
  de: "wie was ist der die das ich kann man ein eine und wo für mit nicht".split(" "),
  es: "cómo como qué que el la los las puedo es se para una dónde cuál del".split(" "),
  fr: "comment quoi quel quelle le la les est je puis un une pour où des du".split(" "),
  it: "come cosa il lo gli posso è per una dove quale del della si che".split(" "),
  pt: "como o que os as posso é para uma um onde qual do da não".split(" "),
};

/** The tag of its language, without a region; `undefined` where nothing tells. */
export function languageOfQuestion(text: string): string | undefined {
  const written = scripts.find(([script]) => script.test(text));
  if (written !== undefined) return written[1];
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(smallWords).map(([lang, small]) => {
    return { lang, count: words.filter((word) => small.includes(word)).length };
  });
  const [first, second] = counts.sort((left, right) => right.count - left.count);
  return first !== undefined && first.count > (second?.count ?? 0) ? first.lang : undefined;
}
