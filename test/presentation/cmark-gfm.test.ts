/** Checks untrusted text with GitHub's own parser, if it is installed (Debian's `cmark-gfm`). */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeSpan, escapeInline } from "../../src/presentation/markdown.ts";
import { sanitizeAnswer } from "../../src/presentation/sanitize-answer.ts";
import { renderStatusComment } from "../../src/presentation/status-comment.ts";
import { cardStates } from "../support/card-states.ts";
import { caseCount } from "../support/property-seed.ts";

const extensions = ["autolink", "table", "strikethrough", "tagfilter", "tasklist"];

function render(markdown: string): string {
  const argv = ["--unsafe", ...extensions.flatMap((name) => ["--extension", name])];
  const { stdout, stderr, status } = spawnSync("cmark-gfm", argv, {
    input: markdown,
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/**
 * Renders texts one by one, all in one run of the parser. A heading stands before each; that all are seen as headings shows that no
 * text reaches beyond its end.
 */
function renderEach(texts: readonly string[]): string[] {
  const html = render(texts.map((text, at) => `\n\n###### of ${at}\n\n${text}`).join(""));
  const [before, ...parts] = html.split(/^<h6>of (\d+)<\/h6>\n/m);
  const numbers = parts.filter((_, at) => at % 2 === 0).map(Number);
  if (before !== "" || numbers.length !== texts.length) {
    const last = texts[numbers.findIndex((number, at) => number !== at) - 1] ?? texts.at(-1);
    throw new Error(`A text does not end where it ends, this one or one after it: ${JSON.stringify(last)}`);
  }
  return parts.filter((_, at) => at % 2 === 1);
}

/** What is active in each text as it is shown, for those where that is something else than expected. */
function findActive(show: (value: string) => string, expected: readonly string[]) {
  const values = fc.sample(text, caseCount(400));
  const found = renderEach(values.map(show)).map(activeIn);
  return values
    .map((value, at) => ({ value, found: found[at] }))
    .filter((each) => JSON.stringify(each.found) !== JSON.stringify(expected));
}

/** Links, images, and HTML elements that Markdown does not produce; `<span>` is allowed around dollar signs. */
function activeIn(html: string): string[] {
  const found = html
    .replaceAll(/<span>\$<\/span>/g, "")
    .match(/<(?:a|img|span|script|style|iframe|!--)\b[^>]*>?|<[^>]*\bon\w+=/gi);
  return found ?? [];
}

const piece = fc.constantFrom(
  ..."evil \\@ @ x.example a@b.co mailto: xmpp: www. http:// https://evil.example ftp:// ://  . - _ + ` `` * ** ~~ [ ] ( ) ![ ]( < > <b> <img_src=x_onerror=a()> <!-- --> & &#64; &commat; | \\| \\ # : ; \n \n\n".split(
    " ",
  ),
  "evil\\@x.example",
  "mailto:@.a",
  ".@.t",
  "\t",
);
const text = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join("").replaceAll("_", " "));

const isMissing = spawnSync("cmark-gfm", ["--version"]).error !== undefined;

describe.skipIf(isMissing)("GitHub's parser", () => {
  test.each<[string, (value: string) => string]>([
    ["a sentence", (value) => `before ${escapeInline(value)} after`],
    ["a cell", (value) => `| a | b |\n|---|---|\n| x ${escapeInline(value)} | y |`],
    ["a code span", (value) => `before ${codeSpan(value)} after`],
    ["an answer", (value) => sanitizeAnswer(value, { baseUrl: undefined, allowed: [] }, 10_000).markdown],
  ])("finds no link, image or element in %s", (_place, show) => {
    expect(findActive(show, [])).toStrictEqual([]);
  });

  test("finds only our own links and elements in a status comment with untrusted text", () => {
    const { pull } = cardStates["updated by several commits"];
    const show = (value: string) =>
      renderStatusComment({
        ...cardStates["updated by several commits"],
        pull: {
          ...pull,
          title: value,
          files: [{ ...pull.files[0], path: value }],
          commits: pull.commits.map((commit) => ({ ...commit, title: value })),
        },
        ...{ requester: value, request: value.replaceAll("\n", " "), message: value },
        ...{ jobId: value, target: value, notes: [value], triggerPhrase: `/${value}` },
      });
    const own = activeIn(render(show("x")));

    expect(own).toHaveLength(5);
    expect(findActive(show, own)).toStrictEqual([]);
  });

  test("finds them in unescaped text", () => {
    expect(activeIn(render("evil\\@x.example and www.evil.example <img src=x>"))).toHaveLength(3);
    expect(renderEach(["a", "www.evil.example", "b"]).map((html) => activeIn(html).length)).toEqual([
      0, 1, 0,
    ]);
    for (const open of ["```", "<!--", "<script>"])
      expect(() => renderEach([open, "a"])).toThrow("does not end");
  });
});
