import fc from "fast-check";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import {
  codeBlock,
  codeSpan,
  escapeInline,
  escapeMessage,
  unescapeMarkdown,
} from "../../src/presentation/markdown.ts";
import { caseCount } from "../support/property-seed.ts";

const toHtml = (markdown: string) =>
  String(
    unified()
      .use(remarkParse)
      .use(remarkGfm)
      .use(remarkRehype, { allowDangerousHtml: true })
      .use(rehypeRaw)
      .use(rehypeStringify)
      .processSync(markdown),
  );

const hostile = [
  "<img src=x onerror=alert(1)>",
  "@octo-org/everyone @mona",
  "closes #1, fixes octo/repo#2, GH-3",
  "![beacon](https://evil.example/x.png)",
  "[click](javascript:alert(1))",
  "https://evil.example www.evil.example",
  "`code` **bold** ~~gone~~ | cell",
  "</details><!-- hidden -->",
  "a\n# heading\n- item",
  "mail me@evil.example",
  "mail evil\\@x.example and evil&#64;x.example",
  ".@.t",
  "www.",
  "$\\color{red}{x}$ and $$y$$ and $`z`$",
  "[^1]: note [^1]",
  "[!WARNING] all is lost",
  "ftp://evil.example mailto:me@evil.example xmpp:me@evil.example",
  "<!-- docs-automation:claim:v1 x.00000000.y -->",
  "fixed in 0123456789abcdef0123456789abcdef01234567, CVE-2021-44228, GHSA-abcd-efgh-ijkl",
  "\u202Egnp.exe \u001B[31mred\u001B]8;;https://evil.example\u0007here\u001B]8;;\u0007",
  "        indented",
];

/** The rendered text; our only HTML element, `<span>$</span>`, counts as a dollar sign. */
const shown = (html: string) => html.replaceAll("<span>$</span>", "$");

describe("escapeMessage", () => {
  test.each(hostile)("shows %j as text and code", (text) => {
    for (const part of [text, `\`${text}`, `${text}\``, `\`${text}\``])
      expect(shown(toHtml(`before ${escapeMessage(part)} after`)).replace(/<\/?code>/g, "")).toMatch(
        /^<p>before [^<]* after<\/p>$/,
      );
  });

  test("shows names as code and nothing else", () => {
    expect(escapeMessage("`api-key` is *not* `set` to `")).toBe("`api-key` is \\*not\\* `set` to \\`");
  });
});

describe("escapeInline", () => {
  test.each(hostile)("turns %j into plain text", (text) => {
    expect(shown(toHtml(`before ${escapeInline(text)} after`))).toMatch(/^<p>before [^<]* after<\/p>$/);
  });

  test.each(hostile)("keeps %j one paragraph at the start of a line, a quote and a list item", (text) => {
    for (const start of ["", "> ", "- "]) {
      const html = shown(toHtml(`${start}${escapeInline(text)}`));
      expect(html.replace(/<\/?(?:p|ul|li|blockquote)>|\n/g, "")).not.toContain("<");
    }
  });

  test.each([
    "0123456789abcdef0123456789abcdef01234567",
    "abc1234",
    "CVE-2021-44228",
    "xGHSA-abcd-efgh-ijkl",
    "_GH-12",
    "octo/repo@abc1234",
    "[!NOTE]",
  ])("breaks everything in %j that GitHub links automatically", (text) => {
    expect(toHtml(escapeInline(text))).not.toMatch(/(?:GH|GHSA|CVE)-\w|(?<!\w)[0-9a-f]{7,40}(?!\w)|@\w|\[!/i);
  });

  test("keeps UUIDs intact, so that they can be copied", () => {
    expect(escapeInline("job 3f2a9c1e-0b7d-4c59-9a1e-1234567890ab, 1234567 pages")).toBe(
      "job 3f2a9c1e-0b7d-4c59-9a1e-1234567890ab, 1234567 pages",
    );
  });

  test("drops terminal sequences, bidirectional controls and lone surrogates", () => {
    expect(escapeInline("\u001B[1;31mred\u001B[0m a\u202Eb \uD83D c\u0000d \u009B2Jx")).toBe("red ab  c d x");
  });

  test("keeps indentation without creating a code block", () => {
    expect(toHtml(escapeInline("      a < b"))).toBe(`<p>${"\u00a0".repeat(6)}a &#x3C; b</p>`);
  });

  test.each(["1. first", "12) twelfth", "- item", "+ item", "===", "---"])(
    "keeps %j at the start of a line",
    (text) => {
      expect(toHtml(escapeInline(text))).toBe(`<p>${text}</p>`);
    },
  );

  test.each(["@mona", "#12", "GH-3", "octo/repo#2", "fixes #1"])("breaks the reference %j", (text) => {
    const rendered = toHtml(escapeInline(text));
    expect(rendered).not.toMatch(/@\w|#\d|GH-\d/);
  });

  test("produces one paragraph of text for any input, in a sentence and in a cell", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(..."<>[]()!`*_~|\\@#:/.-+=&;\n\t abhtpsw1"), maxLength: 60 }),
      fc.constantFrom(...hostile),
    );
    fc.assert(
      fc.property(text, (value) => {
        expect(shown(toHtml(`before ${escapeInline(value)} after`))).toMatch(/^<p>before[^<]*after<\/p>$/);
        const table = toHtml(`| a | b |\n|---|---|\n| x ${escapeInline(value)} | y |`);
        // GFM drops what one cell too many pushes out of the table.
        expect(table.match(/<td>/g)).toHaveLength(2);
        expect(table).toContain("<td>y</td>");
      }),
      { numRuns: caseCount(300) },
    );
  });
});

describe("codeSpan", () => {
  test("contains any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."`|<\\ a\n@#"), maxLength: 30 }), (value) => {
        expect(toHtml(`before ${codeSpan(value)} after`)).toMatch(
          /^<p>before (<code>[^<]*<\/code>|—) after<\/p>$/,
        );
      }),
    );
  });
});

describe("code", () => {
  const marker = "<!-- docs-automation:claim:v1 x.00000000.y -->";

  test.each([escapeInline(marker), codeSpan(marker), codeBlock(marker)])(
    "holds no marker of ours: %j",
    (text) => {
      expect(text).not.toContain("<!-- docs-automation:");
    },
  );

  test("drops invisible characters, bidirectional controls and terminal sequences", () => {
    expect(codeBlock("a\u001B[31mb\u202Ec\rd\u0007\te")).toBe("```text\nabc\nd\te\n```");
    expect(codeSpan("a\u001B[31mb\u202Ec\uD83D")).toBe("`abc`");
  });
});

test.each(["می\u200cخواهم", "क्\u200dष", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} ❤️"])(
  "%s keeps the joiners that it needs",
  (text) => {
    expect(escapeInline(text)).toBe(text);
    expect(codeSpan(text)).toBe(`\`${text}\``);
    expect(codeBlock(text)).toContain(text);
  },
);

describe("codeBlock", () => {
  test("cannot be closed by its content", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."`~<\n a#@"), maxLength: 60 }), (value) => {
        expect(toHtml(`${codeBlock(value)}\n\nafter`)).toMatch(
          /^<pre><code class="language-text">[^<]*<\/code><\/pre>\n<p>after<\/p>$/,
        );
      }),
    );
  });
});

describe("unescapeMarkdown", () => {
  test.each([
    "the link #zzz (1) is <b> &lt; @mona",
    "fixes octo/repo#2: https://www.example.com/a_b_c, $5",
    "0123456789abcdef0123456789abcdef01234567",
  ])("shows %j as it was", (text) => {
    expect(unescapeMarkdown(escapeInline(text))).toBe(text);
  });

  test.each([
    ["<details><summary>Details</summary>\n<sub>a</sub>", "Details\na"],
    ["`a\\_b &lt;` \\`c\\` ```text\n\\* <sub>\n```", "`a\\_b &lt;` `c` ```text\n\\* <sub>\n```"],
  ])("shows %j without tags, and code as it is", (markdown, expected) => {
    expect(unescapeMarkdown(markdown)).toBe(expected);
  });

  test("takes linear time", () => {
    for (const part of ["`", "``a", "<", "\\", "&"]) {
      const before = process.threadCpuUsage();
      unescapeMarkdown(part.repeat(300_000));
      expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
    }
  });
});
