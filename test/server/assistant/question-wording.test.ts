import { expect, test } from "vitest";
import {
  isContinuation,
  languageOfQuestion,
  pointsAtSubject,
  removePageReferences,
  removeQuestionWords,
  splitAtFences,
} from "../../../src/server/assistant/question-wording.ts";

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
  ["چگونه کلید را عوض کنم", "fa"],
  ["Как сменить ключ", "ru"],
  ["rate limits", undefined],
  ["default spending limit per hour", undefined],
  ["OS requirements", undefined],
  ["¿Cómo configurar claves?", "es"],
  ["", undefined],
] as const)("the language of “%s”", (question, lang) => {
  expect(languageOfQuestion(question)).toBe(lang);
});

test.each([
  ["撤销的快捷键是什么", "撤销 快捷键"],
  ["文档提取器能读 PowerPoint 吗？", "文档提取器 读 PowerPoint ？"],
  ["画像を取り込めますか", "画像 取 込"],
  ["導入の方法を教えてください", "導入"],
  ["料金について知りたい", "料金"],
  ["能不能？", "？"],
  ["那在 Docker 里呢？", "在 Docker 里 ？"],
  ["つかいかた", "つかいかた"],
  ["なぜですか", ""],
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

test.each([
  ["And on Linux?", true],
  ["How do I delete it?", true],
  ["Why?", true],
  ["那在 Docker 里呢", true],
  ["为什么？", true],
  ["Dockerの場合は？", true],
  ["How do I rotate an API key?", false],
  ["如何重置管理员密码", false],
  ["管理者パスワードをリセットする方法", false],
])("whether %j continues the previous question: %j", (question, isContinued) => {
  expect(isContinuation(question)).toBe(isContinued);
});

test.each([
  ["What does this command return?", true],
  ["Welche Werte hat diese Option?", true],
  ["这个命令返回什么", true],
  ["What does the command return?", false],
])("whether %j points at its subject: %j", (question, points) => {
  expect(pointsAtSubject(question)).toBe(points);
});

test("a long row of fence characters takes linear time", () => {
  const question = "~".repeat(100_000);
  const before = process.threadCpuUsage();
  expect(splitAtFences(question)).toEqual({ prose: question, code: [] });
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
});
