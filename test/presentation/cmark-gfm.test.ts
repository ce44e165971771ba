/** GitHub's own parser, where the machine has it (Debian's `cmark-gfm`), must find nothing active in untrusted text either. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeCell, codeSpan, escapeInline } from "../../src/presentation/markdown.ts";
import { sanitizeAnswer } from "../../src/presentation/sanitize-answer.ts";
import { renderStatusComment } from "../../src/presentation/status-comment.ts";
import { cardStates } from "../support/card-states.ts";

const extensions = ["autolink", "table", "strikethrough", "tagfilter", "tasklist"];

function render(markdown: string): string {
  const argv = ["--unsafe", ...extensions.flatMap((name) => ["--extension", name])];
  const { stdout, stderr, status } = spawnSync("cmark-gfm", argv, { input: markdown, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Links, pictures, and elements that Markdown has no marks for; the spans are around dollars. */
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
const numRuns = 400;

const isMissing = spawnSync("cmark-gfm", ["--version"]).error !== undefined;

describe.skipIf(isMissing)("GitHub's parser", () => {
  test.each<[string, (value: string) => string]>([
    ["a sentence", (value) => `before ${escapeInline(value)} after`],
    ["a cell", (value) => `| a | b |\n|---|---|\n| x ${escapeInline(value)} | ${codeCell(value)} |`],
    ["a code span", (value) => `before ${codeSpan(value)} after`],
    ["an answer", (value) => sanitizeAnswer(value, { baseUrl: undefined, allowed: [] }, 10_000).markdown],
  ])("finds no link, image or element in %s", (_place, show) => {
    fc.assert(
      fc.property(text, (value) => {
        expect(activeIn(render(show(value)))).toStrictEqual([]);
      }),
      { numRuns },
    );
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
    fc.assert(
      fc.property(text, (value) => {
        expect(activeIn(render(show(value)))).toStrictEqual(own);
      }),
      { numRuns },
    );
  });

  test("finds them in unescaped text", () => {
    expect(activeIn(render("evil\\@x.example and www.evil.example <img src=x>"))).toHaveLength(3);
  });
});
