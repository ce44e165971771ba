import { describe, expect, test } from "vitest";
import { contentTerms, languageOfQuestion } from "../../../src/server/assistant/text-terms.ts";

describe("the terms of a text", () => {
  test.each([
    ["How do I rotate the keys?", ["rotat", "kei"]],
    ["getStaticProps", ["getstaticprop", "get", "static", "prop"]],
    ["MAX_RETRY_COUNT", ["maxretrycount", "maximum", "retri", "count"]],
    ["Schlüssel drehen", ["schlussel", "drehen"]],
    ["ＡＰＩ キーを更新する", ["api", "キー", "を", "更新", "する"]],
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
