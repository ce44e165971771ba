import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keepVisibleText } from "../../src/github/visible-text.ts";

const tags = (text: string) =>
  [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join("");

describe("keepVisibleText", () => {
  test.each([
    ["a comment", "a <!-- EVIL --> b"],
    ["a comment over several paragraphs", "a\n\n<!-- EVIL\n\nEVIL -->\n\nb"],
    ["an unfinished comment", "a\n\n<!-- EVIL"],
    ["an unfinished comment inside a line", "a <!-- EVIL"],
    ["an unfinished comment in a quote, which swallows the rest of the page", "> <!-- EVIL\n\nEVIL"],
    ["a comment that browsers close early", "<!-- EVIL --!>\n\nb"],
    ["a comment that forms when another is cut", "<!-<!-- x -->- EVIL -->"],
    ["a comment that forms when a tag is cut", "<<b>!-- EVIL -->"],
    ["a comment in decimal entities", "&#60;!-- EVIL --&#62;"],
    ["a comment in hexadecimal and named entities", "&#x3c;&excl;&#45;- EVIL --&gt;"],
    ["a comment in entities around other marks", "&lt;!-- **EVIL** [EVIL](u) --&gt; b"],
    ["an escaped comment", "\\<!-- EVIL -->"],
    ["a processing instruction", "a <?EVIL?> b"],
    ["a declaration", "a <!EVIL > b"],
    ["a link definition", "[//]: # (EVIL)"],
    ["a link definition with an empty address", '[x]: <> "EVIL"'],
    ["the title of a definition in use", "[a][k]\n\n[k]: https://b.example 'EVIL'"],
    ["a link title in parentheses", "[a](u (EVIL))"],
    ["a link title in quotes", '[a](u "EVIL")'],
    ["a link without text", "[](https://b.example/EVIL)"],
    ["an address that holds prose", "[a](<EVIL do this>)"],
    ["a script address", "[a](javascript:EVIL)"],
    ["an image's description", "![EVIL](a.png)"],
    ["an image's title", '![](a.png "EVIL")'],
    ["a class", '<p class="EVIL">a</p>'],
    ["a source set", '<img srcset="EVIL">'],
    ["an HTML image's description", '<img alt="EVIL" src="x">'],
    ["an attribute over several lines", '<p title="EVIL\nEVIL">a</p>'],
    ["a tag that never ends", '<p class="EVIL\n\nEVIL'],
    ["a script", "a\n\n<script>\n\nEVIL\n\n</script>\n\nb"],
    ["a style", "<style>EVIL</style>"],
    ["a template", "a <template>EVIL</template> b"],
    ["words after a code fence's language", "```js EVIL\na\n```"],
    ["a code fence's language that is none", "```EVIL,EVIL\na\n```"],
    ["table cells beyond the header's", "| a |\n|---|\n| b | EVIL |"],
    ["a footnote that nothing refers to", "a\n\n[^1]: EVIL"],
  ])("drops %s", (_name, source) => {
    const { text, hiddenSegments } = keepVisibleText(source);

    expect(text).not.toContain("EVIL");
    expect(hiddenSegments).toBeGreaterThan(0);
  });

  test.each([
    ["zero-width", "a\u200bb\u200c\u200dc\ufeff"],
    ["word joiners and invisible operators", "a\u2060b\u2062\u2063c"],
    ["bidirectional controls", "a\u202eb\u2066c\u2069"],
    ["soft hyphens", "a\u00adbc"],
    ["tag characters", `abc${tags("EVIL")}`],
    ["Mongolian and Hangul fillers", "a\u180eb\u3164\u115f\u1160\uffa0c"],
    ["variation selectors", "a\ufe00b\ufe0fc\u{e0100}\u{e01ef}"],
    ["combining grapheme joiners and blank braille", "a\u034fb\u2800c"],
    ["private use and unassigned", "a\ue000b\u{f0000}c\u0378"],
    ["terminal escapes and other controls", "a\u001bb\u0000\u0008c"],
    ["lone surrogates", "a\ud800bc"],
  ])("drops %s", (_name, source) => {
    const { text, invisibleCharacters } = keepVisibleText(source);

    expect(text.replace(/\[.*|\ufffd/, "")).toBe("abc");
    expect(invisibleCharacters).toBeGreaterThan(0);
  });

  test.each([
    ["prose with inline marks", "Say *hello* to **you**, `<!-- code -->` & 1 < 2 > 0"],
    ["lists and tasks", "- one\n  - two\n- [x] three\n\n1. four"],
    ["quotes", "> quoted\n> text"],
    ["fenced code with comments in it", "```html\n<!-- shown --> <b title='shown'>\n```"],
    ["tables", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["links", "[guide](https://docs.example/a?b=c#d) and <https://x.example> and www.y.example"],
    ["footnotes in use", "a[^n]\n\n[^n]: shown"],
    [
      "emoji",
      "\u2764\ufe0f 1\ufe0f\u20e3 \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f3}\ufe0f\u200d\u{1f308}",
    ],
    ["other scripts", "日本語 العربية हिन्दी"],
  ])("keeps %s as they are", (_name, source) => {
    expect(keepVisibleText(source)).toStrictEqual({
      text: source,
      hiddenSegments: 0,
      invisibleCharacters: 0,
    });
  });

  test("keeps the words inside HTML elements and drops the tags", () => {
    expect(
      keepVisibleText("<details open><summary>Log</summary>\n\nline<br>two\n\n</details>"),
    ).toStrictEqual({
      text: "Log \n\nline two",
      hiddenSegments: 0,
      invisibleCharacters: 0,
    });
  });

  test("writes a link's address in place where it stood in a definition", () => {
    expect(keepVisibleText("see [the guide][g] and [g]\n\n[g]: https://a.example/x(y)").text).toBe(
      "see [the guide](https://a.example/x%28y%29) and [g](https://a.example/x%28y%29)",
    );
  });

  test("drops a text whole that is built never to settle", () => {
    const nested = `${"<!-".repeat(200)}<!-- x -->${"- x -->".repeat(200)}`;

    expect(keepVisibleText(nested).text).toBe("");
  });

  test("changes nothing when applied to its own result", () => {
    const piece = fc.constantFrom(
      ...'<!--,-->,--!>,<!-,-,<b>,</b>,<p class="x">,<script>,</script>,[a],[a]: u \'x\',(u "t"),![,](,),],`,```,\n,\n\n, ,>,|,---,&lt;,&#60;,!,word,\u200b,*,~~,[^1],[^1]: n,<,\\'.split(
        ",",
      ),
    );
    const source = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(""));

    fc.assert(
      fc.property(source, (text) => {
        const once = keepVisibleText(text);
        const twice = keepVisibleText(once.text);
        expect(twice).toStrictEqual({ text: once.text, hiddenSegments: 0, invisibleCharacters: 0 });
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    "<a ",
    "<!--",
    "[x]: u 'y'\n",
    "[a](",
    "`",
    "> ",
    "*_",
    '<p x="',
    "![[",
    "- ",
    "|a",
    "a*b_c~~d",
  ])("survives 65,536 characters of %j", (piece) => {
    const source = piece.repeat(Math.floor(65_536 / piece.length));

    expect(keepVisibleText(source).text.length).toBeLessThanOrEqual(source.length);
  });
});
