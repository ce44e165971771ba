/** What retrieval reads in a text: its terms, which are words without endings and without those that say nothing, and its language. */
import { findSimilarWords, writeWordList } from "../site/client/word-list.ts";
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

/** The terms that tell a question apart, in order. */
export function contentTerms(text: string): string[] {
  return toTerms(wordsOf(joinVerbs(text)));
}

/**
 * The terms that a document is found by; also the pairs of characters that a question may be cut into differently.
 *
 * @param spelling Learns the document's words.
 */
export function documentTerms(text: string, spelling?: Spelling): string[] {
  const words = indexedWords(joinVerbs(text));
  spelling?.learn(words);
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
const verbsOfTwoWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "back up": "backup",
    "log in": "login",
    "log on": "login",
    "log out": "logout",
    "log off": "logout",
    "set up": "setup",
    "sign in": "login",
    "sign out": "logout",
    "sign up": "signup",
    "switch off": "disable",
    "switch on": "enable",
    "turn off": "disable",
    "turn on": "enable",
  }),
);

/** Short and irregular forms that questions have and documents write out, or the reverse. */
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
    began: "begin",
    begun: "begin",
    bought: "buy",
    broken: "break",
    built: "build",
    chosen: "choose",
    found: "find",
    gave: "give",
    given: "give",
    got: "get",
    hidden: "hide",
    kept: "keep",
    knew: "know",
    left: "leave",
    lost: "lose",
    made: "make",
    meant: "mean",
    paid: "pay",
    ran: "run",
    sent: "send",
    shown: "show",
    spent: "spend",
    taken: "take",
    told: "tell",
    written: "write",
    wrote: "write",
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

/** Shorter words are not guessed at, and few longer ones are words of a language. */
const lengthsForTypos = { least: 5, most: 30 };
/** From this length on a word may have two typing errors. */
const fewestForTwoTypos = 8;
/** So many words of a question are looked for: each is compared with all words of the documents, and other requests wait. */
const maxCorrections = 10;

/** The words that documents are written in: the nearest of them stands for one that no document holds. */
export class Spelling {
  readonly #counts = new Map<string, number>();
  #terms: ReadonlySet<string> | undefined;
  #list: string | undefined;

  /** Counts words of documents. */
  learn(words: readonly string[]): void {
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** A question with each word that no document holds as the nearest one that documents hold, if any is near. */
  correct(question: string): string {
    let tries = 0;
    return question.replace(/[\p{L}\p{M}\p{N}_$]+/gu, (written) => {
      const [word = "", ...parts] = wordsOf(written);
      if (parts.length > 0 || this.#isKnown(word) || tries >= maxCorrections) return written;
      tries += 1;
      return stopWordsByLetters.get(lettersOf(word)) ?? this.#nearest(word) ?? written;
    });
  }

  #isKnown(word: string): boolean {
    this.#terms ??= new Set([...this.#counts.keys()].map(toTerm));
    return stopWords.has(word) || this.#terms.has(toTerm(word)) || synonymsOf(toTerm(word)).length > 0;
  }

  #nearest(word: string): string | undefined {
    if (word.length < lengthsForTypos.least || word.length > lengthsForTypos.most) return undefined;
    this.#list ??= writeWordList([...this.#counts].filter(([known]) => isSpelt(known)).sort(byWord));
    const maxTypos = word.length < fewestForTwoTypos ? 1 : 2;
    const similar = findSimilarWords(this.#list, word, maxTypos, false)
      // The first letter is rarely the wrong one.
      .filter(
        ({ written, typos }) => written[0] === word[0] || (typos === 1 && word.length > fewestForTwoTypos),
      )
      .sort((left, right) => left.typos - right.typos || right.frequency - left.frequency);
    return similar[0]?.written;
  }
}

/** Short words have their letters swapped, if anything. */
const stopWordsByLetters = new Map([...stopWords].map((word) => [lettersOf(word), word]));

function lettersOf(word: string): string {
  return [...word].sort().join("");
}

function isSpelt(word: string): boolean {
  return word.length >= lengthsForTypos.least - 1 && word < "\u0e00" && /^\p{L}+$/u.test(word);
}

function byWord([left]: readonly [string, number], [right]: readonly [string, number]): number {
  return left < right ? -1 : Number(left > right);
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

/**
 * A question without the words that only ask, in languages that write them without spaces, or on other words: no stop word is cut
 * out of those, and most of Japanese grammar is written in a script of its own.
 */
export function withoutAsking(question: string): string {
  const rest = question.replace(asking, " ").replace(/\p{Script=Hiragana}+/gu, " ");
  return contentTerms(rest).length > 0 ? rest : question;
}

const asking =
  /请问|为什么|是什么|怎么[办样]?|怎样|如何|什么|能不能|可不可以|是不是|有没有|是否|能否|可以|应该|需要|哪[些个里儿]|[几多]少?个|多少|多久|一个|谁|[吗呢的了]|把(?=旧|它|我)|(?<=[^功性智])能(?=有|读|用|看|做|装|在)|(?<=.)是(?=\s|$|[？?])|何(?=[個回件分秒時日人])|方法|어떻게|무엇|왜|언제|어디서?|얼마나|(?:할 수 )?있(?:나요|습니까|어요)|(?:하|되|인)(?:나요|ㄴ가요|가요)|수 있/gu;

/** A question without the words that point at the page which its reader has open. */
export function withoutPointing(question: string): string {
  return question.replace(pointing, " ");
}

const pointing =
  /\b(?:(?:about|of|on|in) )?(?:this|the current) (?:page|section|guide|article|document|tutorial)\b|\bhere\b|\b(?:auf |in )?diese[rs]? (?:seite|abschnitt)\b|\bhier\b|\b(?:sur |de )?cette (?:page|section)\b|\bici\b|\b(?:en )?esta (?:página|sección|seção)\b|\baquí|\baqui\b|\b(?:in )?questa (?:pagina|sezione)\b|на этой странице|эт[аоу]й? страниц[аыу]|здесь|このページ|ここ|这(?:个|一)?页面?|本页面?|此页面?|这里|이 페이지|여기/giu;

/** Whether a question names what it is about by a pronoun only, as far as its words tell. */
export function hasPronoun(question: string): boolean {
  return pronouns.test(question);
}

const pronouns =
  /\b(?:it|its|this|that|these|those|there|one|das|dies|es|ça|cela|esto|eso|isto|isso|questo)\b|это|这个|它|これ|それ|이것|그것/iu;

/** Stands for any number in what a question of quantity asks for. */
export const numberTerm = "#";

/** Whether a number answers a question: how many, how long, the limit. */
export function asksForNumber(text: string): boolean {
  return quantity.test(text);
}

const quantity =
  /\bhow (?:many|much|long|often|far|big|large|fast|high|old|soon)\b|\b(?:limit|maximum|minimum|max|min|price|cost)s?\b|\bwie (?:viele?|lange|oft|groß|hoch|weit)\b|\bcombien\b|\bcuánt|\bquant[oiae]s?\b|сколько|多少|几个|多久|多长|いくつ|何[個回件分秒時日]|どのくらい|얼마|몇/iu;

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
