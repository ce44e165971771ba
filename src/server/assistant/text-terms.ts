/** What retrieval reads in a text: its terms, which are words without endings and without those that say nothing, and its language. */
import { indexedWords, stemOf, stopWords, wordsOf } from "../site/client/words.ts";

/** Terms of a question, and how much each counts. */
export type WeightedTerms = ReadonlyMap<string, number>;

/** The terms that tell a question apart, in order. */
export function contentTerms(text: string): string[] {
  return toTerms(wordsOf(text));
}

/** The terms that a document is found by; also the pairs of characters that a question may be cut into differently. */
export function documentTerms(text: string): string[] {
  return toTerms(indexedWords(text));
}

/** Short forms that questions have and documents write out, or the reverse. */
const longForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    args: "arguments",
    arg: "argument",
    config: "configuration",
    db: "database",
    dir: "directory",
    docs: "documents",
    env: "environment",
    expiry: "expire",
    expiration: "expire",
    max: "maximum",
    min: "minimum",
    param: "parameter",
    params: "parameters",
    repo: "repository",
    var: "variable",
    vars: "variables",
  }),
);

/** Terms of the words met before: a text repeats its words, and taking off endings is most of the work. */
const knownTerms = new Map<string, string>();
const maxKnownTerms = 50_000;

function toTerms(words: readonly string[]): string[] {
  return words.map(toTerm).filter((term) => !stopWords.has(term));
}

function toTerm(word: string): string {
  const known = knownTerms.get(word);
  if (known !== undefined) return known;
  // Stop words are compared as they are written.
  const term = stopWords.has(word) ? word : stemOf(longForms.get(word) ?? word);
  if (knownTerms.size >= maxKnownTerms) knownTerms.clear();
  knownTerms.set(word, term);
  return term;
}

/** Words that say what is done with a thing or asked of it, and seldom which thing it is. */
const weakTerms: ReadonlySet<string> = new Set(
  toTerms(
    wordsOf(
      `allow ask call change common difference different exact fail find get give go going happen have help keep
      know let like long look lot make many miss much need one pass possible put question right say see set show start
      take tell thing think try understand use want way whole wonder work wrong`,
    ),
  ),
);

/** Whether a term is one of those that seldom say what a question is about. */
export function isWeakTerm(term: string): boolean {
  return weakTerms.has(term);
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
