import { expect, test } from "vitest";
import { contentTerms } from "../../../src/server/assistant/text-terms.ts";

test.each([
  ["How do I rotate the keys?", ["rotat", "kei"]],
  ["getStaticProps", ["getstaticprop", "get", "static", "prop"]],
  ["MAX_RETRY_COUNT", ["maxretrycount", "maximum", "retri", "count"]],
  ["Schlüssel drehen", ["schlussel", "drehen"]],
  ["ＡＰＩ キーを更新する", ["api", "キー", "を", "更新", "する"]],
  ["Logging in", ["login"]],
  ["Get started, quick start", ["quickstart", "quickstart"]],
  ["Turn off checks, switched on", ["deactiv", "verifi", "enabl"]],
  ["the cost of a photo", ["price", "imag"]],
  ["what I sent", ["send"]],
  ["found and spent", ["find", "spend"]],
  ["It doesn't and won’t work", ["work"]],
  ["5 min, 10mins, min size", ["5", "minut", "10", "minut", "minimum", "size"]],
  ["", []],
])("the terms of a text %j are %j", (text, terms) => {
  expect(contentTerms(text)).toEqual(terms);
});
