import { expect, test } from "vitest";
import { languageOfQuestion } from "../../../src/server/assistant/question-language.ts";

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
