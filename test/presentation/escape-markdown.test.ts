import fc from "fast-check";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import { codeBlock, codeCell, codeSpan, escapeInline } from "../../src/presentation/escape-markdown.ts";

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
];

describe("escapeInline", () => {
  test.each(hostile)("leaves nothing but text of %j", (text) => {
    expect(toHtml(`before ${escapeInline(text)} after`)).toMatch(/^<p>before [^<]* after<\/p>$/);
  });

  test.each(["@mona", "#12", "GH-3", "octo/repo#2", "fixes #1"])("takes the reference from %j", (text) => {
    const rendered = toHtml(escapeInline(text));
    expect(rendered).not.toMatch(/@\w|#\d|GH-\d/);
  });

  test("is one paragraph of text for any input, in a sentence and in a cell", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(..."<>[]()!`*_~|\\@#:/.-+=&;\n\t abhtpsw1"), maxLength: 60 }),
      fc.constantFrom(...hostile),
    );
    fc.assert(
      fc.property(text, (value) => {
        expect(toHtml(`before ${escapeInline(value)} after`)).toMatch(/^<p>before[^<]*after<\/p>$/);
        const table = toHtml(`| a | b |\n|---|---|\n| x ${escapeInline(value)} | y |`);
        expect(table.match(/<td>/g)).toHaveLength(2);
      }),
      { numRuns: 500 },
    );
  });
});

describe("codeSpan", () => {
  test("holds any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."`|<\\ a\n@#"), maxLength: 30 }), (value) => {
        expect(toHtml(`before ${codeSpan(value)} after`)).toMatch(
          /^<p>before (<code>[^<]*<\/code>|—) after<\/p>$/,
        );
        expect(toHtml(`| a | b |\n|---|---|\n| ${codeCell(value)} | y |`).match(/<td>/g)).toHaveLength(2);
      }),
    );
  });
});

describe("codeBlock", () => {
  test("cannot be left by what it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."`~<\n a#@"), maxLength: 60 }), (value) => {
        expect(toHtml(`${codeBlock(value)}\n\nafter`)).toMatch(
          /^<pre><code class="language-text">[^<]*<\/code><\/pre>\n<p>after<\/p>$/,
        );
      }),
    );
  });
});
