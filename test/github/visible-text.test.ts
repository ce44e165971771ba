import { characterEntities } from "character-entities";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripInvisibleCharacters } from "../../src/base/invisible-characters.ts";
import { keepVisibleText, parseMarkdown, readVisibleText } from "../../src/github/visible-text.ts";
import { caseCount } from "../support/property-seed.ts";
import { renderLabels, renderText } from "../support/rendered-text.ts";

const tags = (text: string) =>
  [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join("");

const marks = [
  ...'<!-- --> --!> <!- - <b> </b> <p_title=" "> \' " = <div_a\'b="c\'> <script> </script> <script/x> <style> </style>'.split(
    " ",
  ),
  ..."<template> </template> <rp> </rp> <rp/> <rt> <ruby> </ruby> <div> </div> <li> <svg> </svg> <![CDATA[ ]]> <? ?> <!X".split(
    " ",
  ),
  ..."<title> </title> <p> </p> <details> [a] [a]:_u 'x' (u_\" \") ![ ]( ) [ ] ` `` ``` ~~~ | &lt; &#60; !".split(
    " ",
  ),
  ..."* ** _ ~~ [^1] [^1]:_ < > \\ <a_href= <img_alt= <br> http://x.y/ </rp_x> <object> </object> </textarea>".split(
    " ",
  ),
].map((mark) => mark.replaceAll("_", " "));
marks.push(..."&zwnj; &#xE0064; &#8203; &shy &nbsp; \\&zwnj; [&nbsp;](http://x.y/ [![](a)](".split(" "));
marks.push("\n", "\n", "\n\n", "\n\n", "> ", "- ", "1. ", "# ", "    ", "\n|---|\n", " ", " ", "_");

describe("keepVisibleText", () => {
  test.each([
    ["a comment", "a <!-- EVIL --> b"],
    ["a comment over several paragraphs", "a\n\n<!-- EVIL\n\nEVIL -->\n\nb"],
    ["an unfinished comment", "a\n\n<!-- EVIL"],
    ["an unfinished comment in a quote, which swallows the rest of the page", "> <!-- EVIL\n\nEVIL"],
    ["a comment that browsers close early", "<!-- EVIL --!>\n\nb"],
    ["a comment that forms when another is cut", "<!-<!-- x -->- EVIL -->"],
    ["a comment that forms when a tag is cut", "<<b>!-- EVIL -->"],
    ["a tag that the marker of its quote seems to end", "> <div\n> EVIL"],
    ["a tag in a sentence that the marker of its quote seems to end", "> a <b\n>EVIL> c"],
    ["a tag that never ends in a block below a quote", "> a\n<g>\n<b EVIL"],
    ["a video below a footnote", "[^1]: a\n<video>\nEVIL"],
    ["a text area that continues a footnote", "[^1]: a\n<textarea>EVIL"],
    ["a footnote with a bracket in its name", "a\n[^[]: EVIL"],
    ["a footnote with a backslash in its name", "[^a\\]: EVIL"],
    ["a tag that never ends in a text area", "<textarea>\n<b EVIL"],
    ["a definition in a text area", "<textarea>\n\n[a]: https://b.example 'EVIL'"],
    ["a footnote in use, below which a comment is not closed", "a[^1]\n\n[^1]: EVIL\n\n<!--"],
    ["a comment that only later versions of CommonMark end", "- <!--\n\nb <!--> EVIL"],
    ["a definition after the box of a task", "- [x] [a]: b 'EVIL'"],
    ["a definition with an invisible name", "[\u200b]: https://b.example 'EVIL'"],
    ["an address with a line separator", "[a](b\u2028EVIL)"],
    ["a processing instruction", "a <?EVIL?> b"],
    ["a declaration", "a <!EVIL > b"],
    ["a link definition", "[//]: # (EVIL)"],
    ["a link definition with an empty address", '[x]: <> "EVIL"'],
    ["an unused link definition", "a\n\n[k]: https://b.example/EVIL"],
    ["the title of a definition in use", "[a][k]\n\n[k]: https://b.example 'EVIL'"],
    ["a link title in parentheses", "[a](u (EVIL))"],
    ["a link title in quotes", '[a](u "EVIL")'],
    ["a link without text", "[](https://b.example/EVIL)"],
    ["an address that holds prose", "[a](<EVIL do this>)"],
    ["an address longer than people write", `[a](https://b.example/EVIL${"x".repeat(2000)})`],
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
    ["an unused footnote", "a\n\n[^1]: EVIL"],
    ["a footnote that only refers to itself", "a\n\n[^1]: EVIL[^1]"],
    ["a footnote's label that holds prose", "a[^EVIL-do-this-at-once]\n\n[^EVIL-do-this-at-once]: b"],
    ["a reference's label that holds prose", "[a][EVIL do this]\n\n[EVIL do this]: https://b.example"],
    ["a definition's address that holds prose", "[a][k]\n\n[k]: <EVIL do this>"],
    ["the parentheses of a ruby", "<ruby>a<rp>EVIL</rp><rt>b</rt></ruby>"],
    ["a ruby's parentheses around other elements", "<rp>x<div></rp>EVIL</div></rp>"],
    ["a ruby's parentheses that end inside a template", "<rp>x<template></rp>EVIL</template>"],
    ["a ruby's parentheses that end inside a list", "<rp>\n\n- a </rp> EVIL"],
    ["a template in a template", "<template><template></template>EVIL</template>"],
    ["a template that ends in a comment", "<template><!-- </template> -->EVIL</template>"],
    ["a template inside a script that is shown", "<script><template></script>EVIL"],
    ["a script in a spelling that the tag filter misses", "<div>\n<script/x>EVIL</script>EVIL"],
    ["an address in a template", "a <template>https://b.example/EVIL"],
    ["a link in a template", "<template>[a](https://b.example/EVIL)</template>"],
    ["a quote that begins inside an attribute's name", "<div a'b=\"c'>EVIL\">\nx"],
    ["a tag that ends in none of the later ones", '<p class="\n\n<b>EVIL</b>\n\n">x'],
    ["character data", "a <![CDATA[EVIL]]> b"],
    ["character data in a picture", "<svg><![CDATA[</svg>EVIL]]></svg>"],
    ["an instruction", "<?php EVIL ?>\n\nb"],
    ["a document type", "<!DOCTYPE EVIL>\n\nb"],
    ["a picture's sources", '<picture><source srcset="EVIL"><img src="a" title="EVIL"></picture>'],
    ["the fallback content of a video", "<video src='a'>EVIL</video>"],
    ["a link whose label is a space", "[&nbsp;](https://b.example/EVIL)"],
    ["a link whose label is an invisible reference", "[&#xE0064;&zwnj;](https://b.example/EVIL)"],
    ["a link whose label is empty emphasis around a space", "[**&#8203;** \u3000](https://b.example/EVIL)"],
    ["a reference whose label shows nothing", "[&nbsp;][k]\n\n[k]: https://b.example/EVIL"],
    ["a link whose label is an element", "[<b></b>](https://b.example/EVIL)"],
    ["a link around an image without a description", "a [![&nbsp;](b.png)](https://b.example/EVIL)"],
    ["an image whose description is a space", "![&nbsp;](https://b.example/EVIL)"],
    ["a comment that a reference interrupts", "a <&zwnj;!-- EVIL -->"],
  ])("removes %s", (_name, source) => {
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
    ["combining grapheme joiners, blank braille and a blank note", "a\u034fb\u2800c\u{1d159}\u{16fe4}"],
    ["private use", "a\ue000b\u{f0000}c"],
    ["unassigned", "abc\u0378"],
    ["terminal escapes and other controls", "a\u001bb\u0000\u0008c"],
    ["lone surrogates", "a\ud800bc"],
    ["characters after an emoji", "abc \u2764\ufe0f\u200b 1\ufe0f\u20e3\u200d"],
    ["tag characters that references spell", "a&#xE0064;&#Xe0065;b&#917604;c"],
    ["the names of invisible characters", "a&zwnj;b&zwj;&shy;&ZeroWidthSpace;&lrm;&NoBreak;&ic;c"],
    [
      "references in emphasis, cells and notes",
      "a*&zwnj;b*&zwnj;c[^1]\n\n[^1]: &lrm;\n\n|&zwnj;|\n|---|\n|&shy;|",
    ],
    ["references in an element, also without semicolons", "<p>\na&#xE0064&shy;b&shyc</p>"],
  ])("removes %s", (_name, source) => {
    const { text, invisibleCharacters } = keepVisibleText(source);

    const withoutEmoji = text.replace(/\u2764\ufe0f|1\ufe0f\u20e3/g, "");
    expect(withoutEmoji).toMatch(/^[\n -~\ufffd]*$/);
    expect(withoutEmoji.replace(/\[.*/g, "").replace(/[^abc]/g, "")).toBe("abc");
    expect(text).not.toMatch(/&\w|&#/);
    expect(invisibleCharacters).toBeGreaterThan(0);
  });

  test.each([
    ["prose with inline marks", "Say *hello* to **you**, `<!-- code -->` & 1 < 2 > 0"],
    ["lists and tasks", "- one\n  - two\n- [x] three\n\n1. four"],
    ["quotes", "> quoted\n> text"],
    ["names of elements in prose", "the <title> of a page and a <script> of ours"],
    ["formulas and prices", "$\\frac{a}{b} \\color{red} c$ at $5, 100 % of $10, and $$x \\% y$$"],
    ["diagrams", "```mermaid\ngraph TD\n%% a note\nA[Issue #12] --> B\nstyle A fill:#f9f\n```"],
    ["references that are spelt out", "\\&zwnj; &amp;zwnj; `&zwnj;` &zwnj &#xE0064 &nbsp; &#0000008203;"],
    ["comments that are spelt out", "&lt;!-- shown --&gt; and \\<!-- shown -->"],
    ["Persian and Hindi joiners", "می\u200cخواهم क्\u200dष"],
    ["alerts, tasks and short codes", "> [!NOTE]\n> a :rocket:\n\n- [ ] b `#fff`"],
    ["suggestions", "```suggestion\na\n```"],
    ["fenced code with comments in it", "```html\n<!-- shown --> <b title='shown'>\n```"],
    ["tables", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["links", "[guide](https://docs.example/a?b=c#d) and <https://x.example> and www.y.example"],
    ["footnotes in use", "a[^n]\n\n[^n]: shown"],
    [
      "emoji",
      "\u2764\ufe0f 1\ufe0f\u20e3 \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f3}\ufe0f\u200d\u{1f308}",
    ],
    ["other scripts", "日本語 العربية हिन्दी"],
  ])("keeps %s unchanged", (_name, source) => {
    expect(keepVisibleText(source)).toStrictEqual({
      text: source,
      hiddenSegments: 0,
      invisibleCharacters: 0,
    });
  });

  test("removes every named HTML reference to an invisible character", () => {
    const names = Object.entries(characterEntities).filter(
      ([, shown]) => stripInvisibleCharacters(shown).text === "",
    );

    expect(names).toHaveLength(17);
    for (const [name] of names) expect(keepVisibleText(`a&${name};b`).text).toBe("ab");
  });

  test("removes references from a URL, which counts as hidden text", () => {
    expect(keepVisibleText("[a](https://b.example/&#xE0064;) <https://b.example/&zwnj;>")).toStrictEqual({
      text: "[a](https://b.example/) <https://b.example/>",
      hiddenSegments: 1,
      invisibleCharacters: 1,
    });
  });

  test("keeps encoded joiners of emoji and Persian words, decoded", () => {
    expect(keepVisibleText("می&zwnj;خواهم \u{1f468}&#x200D;\u{1f469}")).toStrictEqual({
      text: "می\u200cخواهم \u{1f468}\u200d\u{1f469}",
      hiddenSegments: 0,
      invisibleCharacters: 0,
    });
  });

  test.each([
    ["a <!X<rp>hidden</rp> b", "a  b"],
    ["<!x<rp>hidden</rp> b", "&lt;!x b"],
    ["a <!-- -- <rp> --> hidden", "a"],
    ["<div><!--\n\na <!X--> hidden\n\n<!x--> hidden", ""],
    [" <!x <rp>hidden", "&lt;!x"],
    ["a <b c=d/e hidden text>b</b>", "a b"],
    ["<b c=d/ hidden text>\nb", "b"],
    ["> a <rp c=https://x.example/y\n> hidden>hidden</rp> b", "> a  b"],
    ["`<b c=d/ e>` \\<b c=d/ e>", "`<b c=d/ e>` \\<b c=d/ e>"],
    ["a <?><script>?>hidden", "a"],
    ["| a |\n|---|\n|\n    <template>hidden", "| a |\n|---|\n\n|"],
  ])("removes what is hidden in Markdown that only GitHub reads as it does: %j", (markdown, expected) => {
    expect(keepVisibleText(markdown).text).toBe(expected);
  });

  test("keeps a text that begins with indented code", () => {
    const text = "    <template>\n    <p>one</p>\n\nPlease fix the docs";
    expect(keepVisibleText(`  \n${text}\n\n`)).toStrictEqual({
      text,
      hiddenSegments: 0,
      invisibleCharacters: 0,
    });
  });

  test("keeps the text inside HTML elements and removes the tags", () => {
    expect(
      keepVisibleText("<details open><summary>Log</summary>\n\nline<br>two\n\n</details>"),
    ).toStrictEqual({
      text: "Log \n\nline two",
      hiddenSegments: 0,
      invisibleCharacters: 0,
    });
  });

  test("removes a link that begins in a hidden element, and keeps what follows the element", () => {
    expect(keepVisibleText("a <template>b [c</template> d](https://b.example) e").text).toBe("a  d e");
  });

  test("says where a linked image was", () => {
    expect(keepVisibleText("a [![](b.png)](https://b.example) c").text).toBe("a (image) c");
  });

  test("keeps the content of closed `<details>`, which a click shows", () => {
    expect(keepVisibleText("<details><summary>Log</summary>line</details>").text).toBe("Log line");
  });

  test.each([
    ["a <!-- b --> c <!-- d -->", 2],
    ["a\n<!-- b\n\nc\n\nd --> <i title='e'>f</i>", 2],
    ["[a](u 'b') ![c](d) <i title='e'>f</i>", 3],
    ["a<rp>(</rp>b<rp>)</rp>", 2],
    ["<b>a</b> <details>c</details>", 0],
  ])("counts what it removes from %j: %i", (source, count) => {
    expect(keepVisibleText(source).hiddenSegments).toBe(count);
  });

  test.each([
    ["a <?x?> b", "a  b", 1],
    ["a <![CDATA[x]]> b", "a  b", 1],
    ["<!DOCTYPE x>\n\nb", "b", 1],
    ["a\n\n<?x\n\ny", "a", 1],
    ["a <template><?x?></template> b", "a  b", 1],
    ["a <template>b [c](https://b.example) d</template> e", "a  e", 1],
    ["a <template>x\n\ny</template> z", "a", 2],
    ["a\n\n<template>\n\nx</template>\n\ny", "a", 3],
    ["a<rp>(<b>x</b>)</rp>b", "ab", 1],
    ["a <!-- x --> b <template>c</template> d <?e?> f", "a  b  d  f", 3],
    ["<b x=1 y>a</b>", "a", 1],
    ["a <p\nb=c> d", "a   d", 1],
    ["> <div\n> title=x>b", ">  b", 1],
    ["> a\n<g>\nb", "> a\n\n\nb", 0],
    ["[a](javascript:x)", "a", 1],
    ["[a<!-- x -->b](https://b.example)", "[ab](https://b.example)", 1],
    ["[a](<https://b.example/x>)", "[a](https://b.example/x)", 0],
    ["[a][k]\n\n[k]: https://one.example\n[k]: https://two.example", "[a](https://one.example)", 1],
    ["[![][i]](https://b.example)\n\n[i]: a.png", "(image)", 1],
    ["[*![](a.png)*](https://b.example)", "(image)", 1],
    ["![](a.png)", "(image)", 0],
    ["- [x] [a]: https://b.example\n\n[a]", "- \n\n[a](https://b.example)", 0],
    ["```js x\na\n```", "```js\na\n```", 1],
    ["```js-<x\na\n```", "```\na\n```", 1],
    ["|a|b|\n|-|-|\n|<!-- x -->1|2<!-- y -->|", "|a|b|\n|-|-|\n|1|2|", 2],
    ["a[^1]\n\n[^1]: b[^2]\n\n[^2]: c", "a[^1]\n\n[^1]: b[^2]\n\n[^2]: c", 0],
    ["a[^1]\n\n[^1]: b\n\n[^1]: c", "a[^1]\n\n[^1]: b", 1],
    ["a&#x10ffff;b&#x110000;", "ab&#x110000;", 0],
    ["&#13;a&#8232;b", "a b", 0],
  ])("leaves of %j exactly what is visible", (source, text, hiddenSegments) => {
    expect(keepVisibleText(source)).toMatchObject({ text, hiddenSegments });
  });

  test.each([
    [2000, true],
    [2001, false],
  ])("keeps an address of %i characters: %s", (length, isKept) => {
    const source = `[a](${"https://b.example/".padEnd(length, "x")})`;

    expect(keepVisibleText(source).text).toBe(isKept ? source : "a");
  });

  test("keeps the text after a tag that is only mentioned, without an end tag", () => {
    expect(keepVisibleText("explain <svg> icons and the <head> in full").text).toBe(
      "explain  icons and the  in full",
    );
  });

  test("keeps no word that the rendered page hides", () => {
    const mark = fc.constantFrom(...marks);
    const source = fc
      .array(fc.oneof(mark, mark, mark, fc.constant(undefined)), { maxLength: 18 })
      .map((pieces) => pieces.map((piece, index) => piece ?? `wq${index}z`).join(""));

    fc.assert(
      fc.property(source, (text) => {
        const shown = renderText(text);
        const kept = keepVisibleText(text).text;
        // The language of a fence, the URL of a link and the label of a footnote are kept.
        const words = kept.replace(/(?:[`~]{3,}[ \t]*|\]\([^)\n]*|\[\^)[\w+#.-]+/g, "").match(/wq\d+z/g);
        expect((words ?? []).filter((word) => !shown.includes(word))).toStrictEqual([]);
        const { labels, text: rendered } = renderLabels(kept);
        expect(stripInvisibleCharacters(rendered).invisibleCharacters).toBe(0);
        expect(labels.filter((label) => label.trim() === "")).toStrictEqual([]);
      }),
      { numRuns: caseCount(600) },
    );
  });

  test("replaces a used link definition by an inline link, which counts as no hidden text", () => {
    const { text, hiddenSegments } = keepVisibleText(
      "see [the guide][g] and [g]\n\n[g]: https://a.example/x(y)",
    );

    expect(text).toBe("see [the guide](https://a.example/x%28y%29) and [g](https://a.example/x%28y%29)");
    expect(hiddenSegments).toBe(0);
  });

  test("removes a text completely if it changes in every round", () => {
    const nested = (times: number) => `${"<!-".repeat(times)}<!-- x -->${"- x -->".repeat(times)}`;

    expect(keepVisibleText(`a ${nested(17)}`).text).toBe("a");
    expect(keepVisibleText(`a ${nested(18)}`)).toStrictEqual({
      text: "",
      hiddenSegments: 1,
      invisibleCharacters: 0,
    });
  });

  test.each([
    [45, true],
    [55, false],
  ])("reads lists in %i levels, each of them two elements, to a depth of 100: %s", (levels, isRead) => {
    const lists = Array.from({ length: levels }, (_, level) => `${" ".repeat(2 * level)}- a`).join("\n");

    expect(parseMarkdown(lists) !== undefined).toBe(isRead);
    expect(keepVisibleText(lists).text !== "").toBe(isRead);
  });

  test("is idempotent", () => {
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
      { numRuns: caseCount(600) },
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
    "](",
    "]]",
    "a ] ",
    "a\n===\n",
    "a*b ",
    "a <? ",
    "<!X ",
    "a|b\n-|-\n",
    "+ a\n- b\n",
    "<a b='x ",
    "$a% ",
    "$$",
    "[^1]: a\n",
    "\n",
  ])("survives 65,536 characters of %j", (piece) => {
    const source = piece.repeat(Math.floor(65_536 / piece.length));

    expect(keepVisibleText(source).text.length).toBeLessThanOrEqual(source.length);
  });

  test.each(["]]", "a*b ", "a\n===\n", "a <? ", "> ".repeat(200), "1\n"])(
    "refuses %j over and over: reading it would take too long",
    (piece) => {
      expect(readVisibleText(piece.repeat(Math.floor(65_536 / piece.length)))).toBeUndefined();
    },
  );

  test.each([
    ["links", "- [a guide](https://docs.example.com/guide) and **more** of `it`, [x]\n"],
    ["a table", "| `timeout_minutes` | [limits](https://docs.example.com/limits) | *optional* |\n"],
    ["code", "    const a_b = [1, 2, [3]] * c[4];\n\n"],
    ["elements", "<tr><td>a</td><td title='b'>c</td></tr>\n"],
  ])("reads 65,536 characters of %s", (_name, line) => {
    expect(readVisibleText(line.repeat(Math.floor(65_536 / line.length)))).toBeDefined();
  });

  test("keeps an indented line of a paragraph that looks like a footnote", () => {
    expect(keepVisibleText("a\n    [^1]: b").text).toBe("a\n    [^-]: b");
  });

  test("reads a text area in a quote", () => {
    expect(keepVisibleText("> a\n> <textarea>b").text).toBe("> a\n> b");
  });
});
