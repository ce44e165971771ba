/** Words as retrieval compares them: the same for documents and questions. */
import { stemmer } from "stemmer";

/** English words that say how a question is asked, not what it asks. */
const stopWords = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could d did do does doing don down during each few for from further had has have having he her here hers
  him his how i if in into is it its itself just let ll m may me might more most must my myself no nor not now of off
  on once only or other our ours out over own please re s same shall she should so some such t than that the their
  theirs them then there these they this those through to too under until up ve very was we were what when where
  which while who whom why will with would you your yours`.split(/\s+/),
);

const word = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Scripts that put no space between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * The terms that tell a text apart, in order, without stop words: lower case, without accents and English endings; `camelCase` and `snake_case` count as
 * a whole and by their parts; Chinese, Japanese and Thai are cut into words by their dictionaries.
 */
export function contentTerms(text: string): string[] {
  const words = text.normalize("NFKC").match(word) ?? [];
  const terms = words.flatMap((found) => (unspaced.test(found) ? segmentWords(found) : termsOf(found)));
  return terms.filter((term) => !stopWords.has(term));
}

function segmentWords(text: string): string[] {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

function termsOf(identifier: string): string[] {
  const parts = identifier
    .split(/[_$]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter((part) => part !== "")
    .map(normalize);
  return parts.length > 1 ? [normalize(identifier.replace(/[_$]/g, "")), ...parts] : parts;
}

/** Terms of the words met before: a text repeats its words, and taking off endings is most of the work. */
const knownTerms = new Map<string, string>();
const maxKnownTerms = 50_000;

function normalize(part: string): string {
  const known = knownTerms.get(part);
  if (known !== undefined) return known;
  const term = toTerm(part);
  if (knownTerms.size >= maxKnownTerms) knownTerms.clear();
  knownTerms.set(part, term);
  return term;
}

function toTerm(part: string): string {
  const plain = part.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  // Stop words are compared unstemmed; Porter's rules are English, and do no harm to what is not.
  return stopWords.has(plain) || !/^[a-z]{3,}$/.test(plain) ? plain : stemmer(plain);
}
