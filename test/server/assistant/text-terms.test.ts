import { describe, expect, test } from "vitest";
import {
  asksForNumber,
  removePageReferences,
  removeQuestionWords,
} from "../../../src/server/assistant/question-form.ts";
import { Spelling } from "../../../src/server/assistant/spelling.ts";
import {
  contentTerms,
  documentTerms,
  languageOfQuestion,
  shareWithSynonyms,
} from "../../../src/server/assistant/text-terms.ts";

describe("the terms of a text", () => {
  test.each([
    ["How do I rotate the keys?", ["rotat", "kei"]],
    ["getStaticProps", ["getstaticprop", "get", "static", "prop"]],
    ["MAX_RETRY_COUNT", ["maxretrycount", "maximum", "retri", "count"]],
    ["Schlüssel drehen", ["schlussel", "drehen"]],
    ["ＡＰＩ キーを更新する", ["api", "キー", "を", "更新", "する"]],
    ["Logging in, and how to turn it off", ["login", "disabl"]],
    ["what I sent", ["send"]],
    ["", []],
  ])("%j are %j", (text, terms) => {
    expect(contentTerms(text)).toEqual(terms);
  });
});

test.each([
  ["How do I rotate a key?", "en"],
  ["Wie kann ich einen Schlüssel erneuern?", "de"],
  ["¿Cómo puedo rotar una clave?", "es"],
  ["Comment est-ce que je change une clé ?", "fr"],
  ["Come posso ruotare una chiave?", "it"],
  ["Como posso trocar uma chave do projeto?", "pt"],
  ["キーを更新する方法", "ja"],
  ["代码压缩", "zh"],
  ["키를 교체하는 방법", "ko"],
  ["كيف أغير المفتاح", "ar"],
  ["Как сменить ключ", "ru"],
  ["rate limits", undefined],
  ["", undefined],
] as const)("the language of “%s”", (question, lang) => {
  expect(languageOfQuestion(question)).toBe(lang);
});

describe("a word with typing errors", () => {
  const spelling = new Spelling();
  documentTerms(
    "Confirm the authentication of webhooks; a certificate of the table is configured.",
    (words) => spelling.learn(words),
  );

  test.each([
    ["confgured webhoks?", "configured webhooks?"],
    ["authentification of the certficate", "authentication of the certificate"],
    ["wehn is it cnofirm", "when is it confirm"],
    ["Tableau and Kafka", "Tableau and Kafka"],
    ["confirmed by bitcoin", "confirmed by bitcoin"],
    ["get_tabel of tabel", "get_tabel of table"],
  ])("%j is corrected to %j", (question, corrected) => {
    expect(spelling.correct(question)).toBe(corrected);
  });

  test("is corrected only among the first words", () => {
    const unknown = Array.from({ length: 10 }, (_, at) => `zzzzz${String.fromCodePoint(97 + at)}`).join(" ");
    expect(spelling.correct(`webhoks ${unknown} webhoks`)).toBe(`webhooks ${unknown} webhoks`);
  });
});

test("a synonym counts less than the term itself", () => {
  const has =
    (...words: string[]) =>
    (term: string) =>
      Number(contentTerms(words.join(" ")).includes(term));
  const [term = ""] = contentTerms("price");
  expect(shareWithSynonyms(term, has("price"))).toBe(1);
  expect(shareWithSynonyms(term, has("billing"))).toBeGreaterThan(0);
  expect(shareWithSynonyms(term, has("billing"))).toBeLessThan(1);
  expect(shareWithSynonyms(term, has("colour"))).toBe(0);
});

test.each([
  ["How long is a token valid?", true],
  ["最多几个？", true],
  ["Wie viele Schlüssel gibt es?", true],
  ["Who may delete it?", false],
])("detects whether %j asks for a number: %j", (question, expected) => {
  expect(asksForNumber(question)).toBe(expected);
});

test.each([
  ["撤销的快捷键是什么", "撤销 快捷键"],
  ["文档提取器能读 PowerPoint 吗？", "文档提取器 读 PowerPoint ？"],
  ["画像を取り込めますか", "画像 取 込"],
  ["能不能？", "能不能？"],
  ["How do I ask?", "How do I ask?"],
])("removes the question words of %j: %j", (question, rest) => {
  expect(removeQuestionWords(question).replace(/ +/g, " ").trim()).toBe(rest);
});

test.each([
  ["What are the limits on this page?", "What are the limits ?"],
  ["Was steht auf dieser Seite?", "Was steht ?"],
  ["このページの制限", " の制限"],
  ["Is this the page of limits?", "Is this the page of limits?"],
])("removes references to the open page from %j", (question, rest) => {
  expect(removePageReferences(question).replace(/ +/g, " ")).toBe(rest);
});
