/** The wording of questions: question words, references to the open page, pronouns and questions about quantities. */
import { contentTerms } from "./text-terms.ts";

/**
 * Removes question words from languages that write without spaces or attach suffixes: stop words do not match there. Hiragana is removed
 * entirely, as it is mostly Japanese grammar.
 */
export function removeQuestionWords(question: string): string {
  const rest = question.replace(questionWords, " ").replace(/\p{Script=Hiragana}+/gu, " ");
  return contentTerms(rest).length > 0 ? rest : question;
}

const questionWords =
  /请问|为什么|是什么|怎么[办样]?|怎样|如何|什么|能不能|可不可以|是不是|有没有|是否|能否|可以|应该|需要|哪[些个里儿]|[几多]少?个|多少|多久|一个|谁|[吗呢的了]|把(?=旧|它|我)|(?<=[^功性智])能(?=有|读|用|看|做|装|在)|(?<=.)是(?=\s|$|[？?])|何(?=[個回件分秒時日人])|方法|어떻게|무엇|왜|언제|어디서?|얼마나|(?:할 수 )?있(?:나요|습니까|어요)|(?:하|되|인)(?:나요|ㄴ가요|가요)|수 있/gu;

/** Removes references to the open page, such as "on this page". */
export function removePageReferences(question: string): string {
  return question.replace(pageReferences, " ");
}

const pageReferences =
  /\b(?:(?:about|of|on|in) )?(?:this|the current) (?:page|section|guide|article|document|tutorial)\b|\bhere\b|\b(?:auf |in )?diese[rs]? (?:seite|abschnitt)\b|\bhier\b|\b(?:sur |de )?cette (?:page|section)\b|\bici\b|\b(?:en )?esta (?:página|sección|seção)\b|\baquí|\baqui\b|\b(?:in )?questa (?:pagina|sezione)\b|на этой странице|эт[аоу]й? страниц[аыу]|здесь|このページ|ここ|这(?:个|一)?页面?|本页面?|此页面?|这里|이 페이지|여기/giu;

/** Whether a question contains a pronoun that may stand for its subject. */
export function hasPronoun(question: string): boolean {
  return pronouns.test(question);
}

const pronouns =
  /\b(?:it|its|this|that|these|those|there|one|das|dies|es|ça|cela|esto|eso|isto|isso|questo)\b|это|这个|它|これ|それ|이것|그것/iu;

/** The term that stands for any number. */
export const numberTerm = "#";

/** Whether a question asks for a number: how many, how long, the limit. */
export function asksForNumber(text: string): boolean {
  return quantity.test(text);
}

const quantity =
  /\bhow (?:many|much|long|often|far|big|large|fast|high|old|soon)\b|\b(?:limit|maximum|minimum|max|min|price|cost)s?\b|\bwie (?:viele?|lange|oft|groß|hoch|weit)\b|\bcombien\b|\bcuánt|\bquant[oiae]s?\b|сколько|多少|几个|多久|多长|いくつ|何[個回件分秒時日]|どのくらい|얼마|몇/iu;
