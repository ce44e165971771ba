/** The terms of a text (stemmed words without function words), and what the wording of a question tells. */
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
  return toTerms(wordsOf(joinVerbs(text)));
}

/**
 * The terms under which a document is indexed. They include pairs of characters for languages without spaces, where a question may be
 * segmented differently.
 */
export function documentTerms(text: string): string[] {
  return toTerms(indexedWords(joinVerbs(text)));
}

/** "log in" means the same as "login", and neither "log" nor "in". */
function joinVerbs(text: string): string {
  return text.replace(/\b(back|log|set|sign)(?:ging|ned|ning)? (in|off|on|out|up)\b/gi, "$1$2");
}

/** Other forms of words, and synonyms, for which questions and documents often differ. Each counts as the first word of its entry. */
const forms = new Map(
  `argument: arg; configuration: config; database: db; directory: dir, folder; document: doc; environment: env; expire: expiry;
  maximum: max; minimum: min; parameter: param; repository: repo; variable: var;
  begin: began, begun; break: broken; build: built; buy: bought; choose: chosen, pick, select; find: found; get: got;
  give: gave, given; hide: hidden; keep: kept; know: knew; leave: left; lose: lost; make: made; mean: meant; pay: paid;
  run: ran; send: sent; show: shown, display; spend: spent; take: taken; tell: told; write: written, wrote;
  billing: invoice; company: organization; deactivate: disable; decrease: reduce; delete: erase, remove; duplicate: copy;
  edit: modify; enable: activate; error: failure, problem; fast: quick; image: photo, picture; increase: raise;
  invalid: incorrect; latency: delay; limit: quota, restriction; login: logon, signin; logout: logoff, signout;
  member: teammate; parallel: concurrent, simultaneous; price: charge, cost, fee; reject: decline, deny, refuse;
  requirement: prerequisite; verify: validate; website: site`
    .split(";")
    .map((entry) => entry.trim().split(/: |, /).map(stemOf))
    .flatMap(([word = "", ...others]) => others.map((form) => [form, word] as const)),
);

/** Cache of terms by word: words repeat, and stemming dominates the cost. */
const termCache = new Map<string, string>();
const maxCachedTerms = 50_000;

function toTerms(words: readonly string[]): string[] {
  return words.map(toTerm).filter((term) => !stopWords.has(term));
}

function toTerm(word: string): string {
  const cached = termCache.get(word);
  if (cached !== undefined) return cached;
  const stem = stemOf(word);
  // Stop words are compared unstemmed.
  const term = stopWords.has(word) ? word : (forms.get(stem) ?? stem);
  if (termCache.size >= maxCachedTerms) termCache.clear();
  termCache.set(word, term);
  return term;
}

/** Words for actions and requests, which rarely identify the subject of a question. */
const weakTerms: ReadonlySet<string> = new Set(
  contentTerms(
    `allow anybody anyone anything api ask best bit call cant change common difference different doesnt dont everything exact
    exist fail find get give go going happen have hello help hey hi hows im isnt ive keep kind know let like long look lot
    make many miss much need new one pass place please pls plz possible put question really right say see seem set show
    someone something sort start stuff supposed take tell thanks thing think thx try understand use want wat way whats
    wheres whole wonder wont work wrong wht yet
    parameter option field property argument setting flag value column meaning`,
  ),
);

/** Whether a term rarely identifies the subject of a question. */
export function isWeakTerm(term: string): boolean {
  return weakTerms.has(term) || /^\p{Script=Han}$/u.test(term);
}

/** Question words of languages that write without spaces or attach suffixes, where stop words do not match. */
const questionWords =
  /请问|为什么|是?什么|怎[么样]样?|如何|能不能|可不可以|是不是|有没有|[是能]否|可以|应该|需要|哪[些个里儿]|[几多]少?个|多[少久]|谁|[吗呢的了]|(?<=[^功性智])能(?=有|读|用|看|做|装|在)|(?<=.)是(?=\s|$|[？?])|방법|어떻게|무엇|왜|언제|어디서?|얼마나|(?:할 수 )?있(?:나요|습니까|어요)/gu;

/** Removes question words. Hiragana is removed entirely, as it is mostly Japanese grammar. */
export function removeQuestionWords(question: string): string {
  const rest = question.replace(questionWords, " ").replace(/\p{Script=Hiragana}+/gu, " ");
  return contentTerms(rest).length > 0 ? rest : question;
}

const pageReferences =
  /\b(?:(?:about|of|on|in) )?(?:this|the current) (?:page|section|guide|article|document|tutorial)\b|\bhere\b|\b(?:auf |in )?diese[rs]? (?:seite|abschnitt)\b|\bhier\b|\b(?:sur |de )?cette (?:page|section)\b|\bici\b|\b(?:en )?esta (?:página|sección|seção)\b|\baquí|\baqui\b|на этой странице|このページ|ここ|[这本此]个?页面?|这里|이 페이지|여기/giu;

/** Removes references to the open page, such as "on this page". */
export function removePageReferences(question: string): string {
  return question.replace(pageReferences, " ");
}

const pronouns =
  /\b(?:it|its|this|that|these|those|there|one|das|dies|es|ça|cela|esto|eso|isto|isso|questo)\b|这|它|これ|それ|이것|그것/iu;

/** Whether a question contains a pronoun that may stand for its subject. */
export function hasPronoun(question: string): boolean {
  return pronouns.test(question);
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
