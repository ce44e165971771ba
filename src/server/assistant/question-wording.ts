/** What the wording of a question tells: its language, its references, and which of its words matter. */
import { piecesOf } from "../site/client/words.ts";
import { languageOfScript } from "../site/interface-words.ts";
import { contentTerms } from "./text-terms.ts";

/** Code between fences. The last fence may be open. */
const fencedCode = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~)).*\n([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Separates the code of a question from its prose. If there is only code, it is the question. */
export function splitAtFences(question: string): {
  readonly prose: string;
  readonly code: readonly string[];
} {
  const prose = question.replace(fencedCode, "").trim();
  const code = Array.from(question.matchAll(fencedCode), ([, , content = ""]) => content);
  return prose === "" ? { prose: code.join("\n"), code: [] } : { prose, code };
}

/** Words for actions and requests, which rarely identify the subject of a question. */
const weakTerms: ReadonlySet<string> = new Set(
  contentTerms(
    `allow already anybody anyone anything api ask best bit call cant certain change common describe difference different doesnt dont
    everything exact example exist explain fail find get give go going happen have hello help hey hi hows im isnt ive keep kind know let
    like long look lot make many miss much need new often one pass place please pls plz possible put question really rid right say see
    seem set show someone something sort start stuff summarize summary supposed take tell thanks thing think thx try understand use versus
    vs want wat way whats wheres whole wonder wont work wrong wht yet
    parameter option field property argument setting flag value column meaning`,
  ),
);

/** Whether a term rarely identifies the subject of a question. A small number, as in "after 7 days", is often an example. */
export function isWeakTerm(term: string): boolean {
  return weakTerms.has(term) || /^(?:\p{Script=Han}|\d{1,2})$/u.test(term);
}

/** The terms of the question's names: words with a digit, or with a capital that does not begin the question. */
export function namesIn(question: string): ReadonlySet<string> {
  const names = [...piecesOf(question)].filter(
    ({ text }, index) => /\d|.\p{Lu}/u.test(text) || (index > 0 && /^\p{Lu}/u.test(text)),
  );
  return new Set(names.flatMap(({ text }) => contentTerms(text)));
}

/** Question words of languages that write without spaces or attach suffixes, where stop words do not match. */
const questionWords =
  /^那么?|请问|为什么|是?什么|怎[么样]样?|如何|能不能|可不可以|是不是|有没有|[是能]否|可以|应该|需要|哪[些个里儿]|[几多]少?个|多[少久]|谁|[吗呢的了]|なぜ|どうして|方法|教えて|知りたい|ですか|(?<=[^功性智])能(?=有|读|用|看|做|装|在)|(?<=.)是(?=\s|$|[？?])|방법|어떻게|무엇|왜|언제|어디서?|얼마나|(?:할 수 )?있(?:나요|습니까|어요)/gu;

/** Removes question words. Hiragana is removed too if other words remain, as it is mostly Japanese grammar. */
export function removeQuestionWords(question: string): string {
  const rest = question.replace(questionWords, " ");
  const withoutHiragana = rest.replace(/\p{Script=Hiragana}+/gu, " ");
  return contentTerms(withoutHiragana).length > 0 ? withoutHiragana : rest;
}

const pageReferences =
  /\b(?:(?:about|of|on|in) )?(?:this|the current) (?:page|section|guide|article|document|tutorial)\b|\bhere\b|\b(?:auf |in )?diese[rs]? (?:seite|abschnitt)\b|\bhier\b|\b(?:sur |de )?cette (?:page|section)\b|\bici\b|\b(?:en )?esta (?:página|sección|seção)\b|\baquí|\baqui\b|на этой странице|このページ|ここ|[这本此]个?页面?|这里|이 페이지|여기/giu;

/** Removes references to the open page, such as "on this page". */
export function removePageReferences(question: string): string {
  return question.replace(pageReferences, " ");
}

/** Words that may stand for the subject of a question. */
const pronouns =
  /\b(?:it|its|they|them|their|this|that|these|those|then|one|das|dies|es|ça|cela|esto|eso|isto|isso|questo)\b|这|它|これ|それ|이것|그것/iu;

/** Whether a question points at its subject: "What does this command return?". */
export function pointsAtSubject(question: string): boolean {
  return /\b(?:this|these|diese[mnrs]?|cette|ces|est[ae]s?|quest[aeio])\b|[这此]|この/iu.test(question);
}

/** Whether a question names its subject: by two words that may identify it, or by one and no pronoun ("what does this key do?"). */
export function hasSubject(question: string): boolean {
  return tellingTerms(question).length > Number(pronouns.test(question));
}

/** The terms of a question that may identify its subject. */
export function tellingTerms(question: string): string[] {
  return contentTerms(removeQuestionWords(question)).filter((term) => !isWeakTerm(term));
}

/** How a question begins, or ends in Chinese and Japanese, that continues the previous one. */
const continuations =
  /^[^\p{L}]*(?:(?:and|but|or|so|what about|how about|what if|und|aber|et|mais|y|pero|e|ma|mas|а|и)(?=\s)|那|では|じゃあ|그럼|그러면)|(?:呢|の場合は?|は)[?？]?\s*$/iu;

/** Whether a question seems to continue the previous one: by how it begins or ends, a pronoun, or hardly a subject. */
export function isContinuation(question: string): boolean {
  return tellingTerms(question).length <= 1 || continuations.test(question) || pronouns.test(question);
}

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
  const byScript = languageOfScript(text) ?? (/\p{Script=Cyrillic}/u.test(text) ? "ru" : undefined);
  if (byScript !== undefined) return byScript;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(frequentWords).map(([lang, frequent]) => {
    return { lang, count: words.filter((word) => frequent.includes(word)).length };
  });
  const [first, second] = counts.sort((left, right) => right.count - left.count);
  // One such word may be another word in English: "per hour", "OS requirements". An accented letter makes it certain.
  const isCertain = first?.lang === "en" || /[\u00c0-\u024f]/.test(text);
  const least = Math.max(isCertain ? 1 : 2, 1 + (second?.count ?? 0));
  return first !== undefined && first.count >= least ? first.lang : undefined;
}
