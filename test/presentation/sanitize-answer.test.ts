import fc from "fast-check";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { finishedPart, resolveLink, sanitizeAnswer } from "../../src/presentation/sanitize-answer.ts";
import { caseCount } from "../support/property-seed.ts";

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const links = { baseUrl: "https://docs.example.com/", allowed: ["https://docs.example.com/"] };
const sanitize = (markdown: string, limit = 50_000) => sanitizeAnswer(markdown, links, limit).markdown;

describe("sanitizeAnswer", () => {
  test.each([
    [
      "Ask @mona, @octo-org/docs or mail a@b.example.",
      "Ask `@mona`, `@octo-org/docs` or mail `a@b.example`.",
    ],
    ["Look at `a\n@mona b`\n---", "#### Look at `a @mona b`"],
    ["می\u200cخواهم `क्\u200dष` a\u200cb\u{e0064}", "می\u200cخواهم `क्\u200dष` ab"],
    ["&#64;mona and \\@mona", "`@mona` and `@mona`"],
    ["evil\\@x.example, me&commat;x.example", "`evil@x.example`, `me@x.example`"],
    [
      "<me@x.example> mailto:me@x.example éa@x.example",
      "`me@x.example` `mailto:me@x.example` é`a@x.example`",
    ],
    ["@x@mona GH-1@mona a@b@mona", "`@x@mona` `GH-1@mona` `a@b@mona`"],
    ["It closes #12, octo/cat#3 and GH-4.", "It closes `#12`, `octo/cat#3` and `GH-4`."],
    ["Fixed by #1https://evil.example/x", "Fixed by `#1https://evil.example/x`"],
    ["See octo/cat@0123456789abcdef.", "See `octo/cat@0123456789abcdef`."],
    ["![secret](https://evil.example/?q=1)", "\\[image: secret]"],
    [
      "[here](/keys) or [there](https://docs.example.com/a)",
      "[here](https://docs.example.com/keys) or [there](https://docs.example.com/a)",
    ],
    ["[click](https://evil.example/x)", "click (`https://evil.example/x`)"],
    ["[click](javascript:alert(1))", "click"],
    ["[a][1]\n\n[1]: https://evil.example 'x'", "a (`https://evil.example`)"],
    [
      "https://evil.example/a. And https://docs.example.com/b.",
      "`https://evil.example/a`. And <https://docs.example.com/b>.",
    ],
    ["www.evil.example/a", "`www.evil.example/a`"],
    [
      "[https://docs.example.com](https://evil.example)",
      "[https://docs.example.com](https://docs.example.com/) (`https://evil.example`)",
    ],
    ["@<b>mona</b> #<i>1</i> GH<!-- -->-2", "`@mona` `#1` `GH-2`"],
    ["@[mona](https://evil.example) @![](x)mona", "`@mona` (`https://evil.example`) @\\[image]mona"],
    ["@&#x200b;mona a&#8238;b", "`@mona` ab"],
    [
      "Fixed in a5c3785ed8d6a35868bc169f07e40e889087fd2e, not 12345678.",
      "Fixed in `a5c3785ed8d6a35868bc169f07e40e889087fd2e`, not 12345678.",
    ],
    ["$\\rule{9em}{9em}$ for $5", "\\$\\rule{9em}{9em}\\$ for \\$5"],
    ["~~[~~deleted~~](x:)~~", "~~deleted~~"],
    ["one<br>two", "one two"],
    [
      "Said[^b].\n\n[^b]: In @mona's [page](/a).\n\n[^c]: not hidden",
      "Said\\[b].\n\nIn `@mona`'s [page](https://docs.example.com/a).\n\nnot hidden",
    ],
    ["<b>bold</b> <img src=x onerror=y> Map<string, T>", "bold  Map`<string, T>`"],
    ["<details><summary>x</summary>\n\ntext\n\n</details>", "`x`\n\ntext"],
    ["before <!-- hidden --> after\n\n<!-- docs-automation:claim:v1 x.00000000.y -->", "before  after"],
    ["<!-- never closed\n\n# still text?", ""],
    ["```js\nlet open = '```'", "````js\nlet open = '```'\n````"],
    ["```suggestion\nx\n```", "```text\nx\n```"],
    ["# Title\n\n## Part", "### Title\n\n#### Part"],
    ["`@mona closes #1` stays code", "`@mona closes #1` stays code"],
    ["```sh\nrm \u202ea\u2066\n```", "```sh\nrm a\n```"],
    ["<div>a\u202eb</div>", "`ab`"],
    ["Said[^a\u202eb].\n\n[^a\u202eb]: x", "Said\\[ab].\n\nx"],
    ["[x](https://evil.example/\u202ea)", "x (`https://evil.example/a`)"],
  ])("%j becomes %j", (markdown, expected) => {
    expect(sanitize(markdown)).toBe(expected);
  });

  test("keeps lists, tables, quotes and code", () => {
    const markdown = "- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> quoted\n\n```sh\nnpm i\n```";
    expect(sanitize(markdown)).toBe(markdown);
  });

  test("sanitizes any combination of these parts", () => {
    const piece = fc.constantFrom(
      "@mona ",
      "#1 ",
      "`",
      "```\n",
      "<b>",
      "</details>",
      "<!--",
      "-->",
      "[a](",
      "https://evil.example/x",
      ")",
      "![",
      "]",
      "\n\n",
      "> ",
      "- ",
      "| ",
      "*",
      "_",
      "&#64;x",
      "@",
      "mona",
      "#",
      "1",
      "</b>",
      "<br>",
      "$",
      "[^1]",
      "\n\n[^1]: ",
      "\\",
      "text ",
      "\u2028",
      "&#8232;",
      "\u200c",
      "&zwnj;",
      "م",
      ..."\\@ me . x.example &commat; _ + - mailto: xmpp: www. é".split(" "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        // Parsed again, as GitHub does, the text outside code contains nothing active.
        visit(parser.parse(sanitize(pieces.join(""))), (node) => {
          expect(["html", "image", "imageReference", "definition"]).not.toContain(node.type);
          if (node.type === "link") expect(node.url).toMatch(/^https:\/\/docs\.example\.com\//);
          if (node.type === "text")
            expect(node.value).not.toMatch(/(?:^|[^\p{L}\p{N}])@[a-z\d]|[\w.+:-]@[\w.-]*\w|#\d+\b|<[!/a-z]/u);
        });
      }),
      { numRuns: caseCount(300) },
    );
  });

  test.each([
    ["one paragraph", "word ".repeat(2000)],
    ["one list", "- word\n".repeat(1500)],
    ["one table", `| a | b |\n| - | - |\n${"| c | d |\n".repeat(1200)}`],
    ["one block of code", `\`\`\`js\n${"let a;\n".repeat(1500)}\`\`\``],
  ])("keeps the beginning of an answer that is too long and %s", (_name, markdown) => {
    const answer = sanitizeAnswer(markdown, links, 5000);
    expect(answer.isShortened).toBe(true);
    expect(answer.markdown.length).toBeGreaterThan(3000);
    expect(answer.markdown.length).toBeLessThanOrEqual(5000);
    const [block, ...more] = parser.parse(answer.markdown).children;
    expect(more).toEqual([]);
    expect(block?.type).toBe(parser.parse(markdown).children[0]?.type);
  });

  test.each([
    ["quotes", "> ".repeat(5000)],
    ["lists", "- ".repeat(5000)],
    [
      "lists by indentation",
      Array.from({ length: 300 }, (_, depth) => `${" ".repeat(2 * depth)}- a`).join("\n"),
    ],
    ["emphasis", `${"*a ".repeat(9000)}${"b* ".repeat(9000)}`],
    ["brackets", "[a](".repeat(20_000)],
  ])("shows Markdown as code if it is nested too deeply: %s", (_name, markdown) => {
    const [block, ...more] = parser.parse(sanitize(markdown)).children;
    expect(more).toEqual([]);
    expect(block).toMatchObject({ type: "code", lang: "text" });
  });

  test.each([
    ["table", `| a | b |\n| - | - |\n${"| `MAX_LINK_AGE` | `a_b` |\n".repeat(500)}`],
    ["code", `\`\`\`json\n${'["a_b"],'.repeat(1000)}\n\`\`\`\n`],
    ["paragraph", `${"长".repeat(5000)}\n`],
  ] as const)("keeps the form of a long %s", (type, markdown) => {
    const [block] = parser.parse(sanitize(`Text.\n\n${markdown}\n\nText.`)).children;
    expect(block?.type).toBe("paragraph");
    expect(parser.parse(sanitize(markdown)).children).toMatchObject([{ type }]);
  });

  test("keeps eight levels of emphasis", () => {
    expect(sanitize(`${"*a ".repeat(300)}${"b* ".repeat(300)}`)).toMatch(/^(?:\*a ){8}(?:a )+/);
  });

  test.each(["`", "```\n"])("breaks our own marker in code between %j", (fence) => {
    const marker = "<!-- docs-automation:claim:v1 x.00000000.y -->";
    expect(sanitize(`${fence}${marker}${fence === "`" ? fence : `\n${fence}`}`)).not.toContain(
      "<!-- docs-automation:",
    );
  });

  test.each(["a ] ", "a\n===\n", "a <? "])(
    "shows many repetitions of %j as code, without parsing it",
    (piece) => {
      expect(sanitize(piece.repeat(Math.floor(40_000 / piece.length)))).toMatch(/^```text\n[^`]*\n```$/);
    },
  );

  test("closes a code block that it cuts", () => {
    const answer = sanitizeAnswer(`a\n\n\`\`\`\n${"b".repeat(90)}\n\`\`\``, links, 60);
    expect(answer.markdown).toMatch(/^a\n\n```\nb+\n```$/);
    expect(answer.isShortened).toBe(true);
  });
});

describe("resolveLink", () => {
  const below = {
    baseUrl: "https://github.com/o/r/blob/abc/docs/",
    allowed: ["https://github.com/o/r/blob/abc/docs/"],
  };
  test.each([
    ["/keys.md#a", "https://github.com/o/r/blob/abc/docs/keys.md#a"],
    ["../../../../evil", undefined],
    ["//evil.example/x", undefined],
    ["/\\evil.example/x", undefined],
    ["https://github.com/o/r/issues/1", undefined],
    ["https://github.com/o/r/blob/abc/docs-evil/x", undefined],
    ["https://user:secret@github.com/o/r/blob/abc/docs/x", undefined],
    ["mailto:a@b.example", undefined],
  ])("resolves %s to %s", (address, expected) => {
    expect(resolveLink(address, below)).toBe(expected);
  });
});

test("links to files stay links below the documents' folder only", () => {
  const folder = "file:///home/mona/docs";
  const files = { baseUrl: folder, allowed: [folder] };
  expect(resolveLink("file:///home/mona/docs/a%20b.md#c", files)).toBe("file:///home/mona/docs/a%20b.md#c");
  for (const address of [
    "file:///home/mona/keys",
    "file://host/home/mona/docs/a",
    "https:///home/mona/docs/a",
    "../keys",
  ])
    expect(resolveLink(address, files)).toBeUndefined();
  expect(resolveLink("file:///a", links)).toBeUndefined();
});

describe("finishedPart", () => {
  test.each([
    ["One two thr", "One two"],
    ["Para one.\n\nPara tw", "Para one."],
    ["Text\n\n```js\nlet a", "Text"],
    ["", ""],
  ])("of %j is %j", (text, expected) => {
    expect(finishedPart(text)).toBe(expected);
  });
});
