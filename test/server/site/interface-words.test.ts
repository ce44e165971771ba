import { describe, expect, test } from "vitest";
import {
  interfaceLanguages,
  isRightToLeft,
  languageTag,
  wordsFor,
} from "../../../src/server/site/interface-words.ts";

describe("words of the interface", () => {
  test.each(interfaceLanguages)(
    "the table of %s has every word, and each takes what English takes",
    (language) => {
      const [english, words] = [wordsFor("en"), wordsFor(language)];
      expect(Object.keys(words)).toEqual(Object.keys(english));
      for (const [name, word] of Object.entries(words)) {
        expect.soft(word?.trim(), name).toBe(word);
        expect.soft(word, name).not.toBe("");
        const written = english[name as keyof typeof english];
        expect.soft(word?.split("{}").length, name).toBe(written.split("{}").length);
      }
      expect(words.body).not.toContain("|");
    },
  );

  test.each([
    ["de-AT", "Suchen"],
    ["pt-BR", "Pesquisar"],
    ["zh", "搜索"],
    ["zh-Hans-CN", "搜索"],
    ["zh-TW", "搜尋"],
    ["zh-Hant", "搜尋"],
    ["xx", "Search"],
    ["", "Search"],
  ])("%s searches with %s", (language, word) => {
    expect(wordsFor(language).search).toBe(word);
  });

  test("a language tag is valid in HTML", () => {
    const written = ["pt-BR", "pt_BR", "cn", "jp", "en", "Deutsch", '"><script>', "", undefined];
    expect(written.map(languageTag)).toEqual([
      "pt-BR",
      "pt-BR",
      "zh-CN",
      "ja",
      "en",
      ...Array(4).fill(undefined),
    ]);
  });

  test("Arabic, Hebrew, Persian and Urdu are written from right to left", () => {
    expect(["ar", "he-IL", "fa", "ur", "en", "arn", "uz"].filter(isRightToLeft)).toEqual([
      "ar",
      "he-IL",
      "fa",
      "ur",
    ]);
  });
});
