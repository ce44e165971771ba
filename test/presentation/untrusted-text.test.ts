import fc from "fast-check";
import type { Root } from "hast";
import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { expect, test } from "vitest";
import { renderAnswerComment } from "../../src/presentation/answer-comment.ts";
import {
  renderEndNotice,
  renderPullRequestIntroduction,
  renderStatusComment,
} from "../../src/presentation/status-comment.ts";
import {
  renderFailureSummary,
  renderReconcileSummary,
  renderSkipped,
} from "../../src/presentation/summaries.ts";
import { caseCount } from "../support/property-seed.ts";

const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .freeze();

/** All elements, link targets and comments of the rendered page, without its text and code. */
function structureOf(markdown: string): string[] {
  const found: string[] = [];
  const tree: Root = pipeline.runSync(pipeline.parse(markdown));
  visit(tree, (node) => {
    if (node.type === "comment") found.push("comment");
    if (node.type !== "element") return;
    const isDollar = node.tagName === "span" && JSON.stringify(node.children).includes('"value":"$"');
    // Messages may have code.
    const isCode = node.tagName === "code" && Object.keys(node.properties).length === 0;
    if (!isDollar && !isCode) found.push(`${node.tagName} ${JSON.stringify(node.properties)}`);
  });
  return found;
}

/** What GitHub would link in the text of a page outside code. */
function activeWords(markdown: string): string[] {
  const tree: Root = pipeline.runSync(pipeline.parse(markdown));
  const words: string[] = [];
  visit(tree, (node) => {
    if (node.type === "element" && node.tagName === "code") return "skip";
    if (node.type === "text") {
      words.push(
        ...(node.value.match(
          /(?:^|[^\p{L}\p{N}_])[@#]\w|GH-\d|:\/\/|www\.\w|[\p{Bidi_Control}\p{Cs}]|(?![\t\n])\p{Cc}/giu,
        ) ?? []),
      );
    }
    return undefined;
  });
  return words;
}

const views: Readonly<Record<string, (text: string) => string>> = {
  "a working request": (text) =>
    renderStatusComment({
      command: "agent",
      state: "working",
      claimedAt: "2026-01-01T12:00:00Z",
      jobId: text,
      requester: text,
      request: text,
      notes: [text, text],
      message: text,
      runUrl: "https://github.com/o/r/actions/runs/1",
    }),
  "a finished request": (text) =>
    renderStatusComment({
      command: "agent",
      state: "ended",
      outcome: "updated",
      claimedAt: "2026-01-01T12:00:00Z",
      endedAt: text,
      target: text,
      triggerPhrase: text,
      message: text,
      requester: text,
      headBefore: "a".repeat(40),
      headAfter: "b".repeat(40),
      pullRequestUrl: "https://github.com/o/r/pull/1",
      pull: {
        title: text,
        state: "open",
        additions: 1,
        deletions: 1,
        fileCount: 3,
        files: [
          { path: text, additions: 1, deletions: 1, previewUrl: "https://preview.example/a" },
          { path: text, additions: 1, deletions: 1 },
        ],
        previewUrl: text,
        commits: [
          { sha: "a".repeat(40), title: "x" },
          { sha: text, title: text },
        ],
      },
      // Our own number.
    }).replace(" #1](", "]("),
  "a failed request": (text) =>
    renderStatusComment({
      command: "agent",
      state: "ended",
      outcome: "failed",
      claimedAt: text,
      triggerPhrase: text,
      message: text,
      pullRequestUrl: text,
    }),
  "the reply at the end": (text) =>
    renderEndNotice(
      {
        command: "agent",
        state: "ended",
        outcome: text,
        claimedAt: text,
        // The mention of a login is intended.
        requester: `${text}/`,
        pullRequestUrl: "http://127.0.0.1:9/pulls/a",
      },
      text,
    ),
  "a queued request": (text) =>
    renderStatusComment({
      command: "agent",
      state: "claimed",
      outcome: text,
      claimedAt: "2026-01-01T12:00:00Z",
    }),
  "a failure": (text) =>
    renderFailureSummary({
      command: text,
      outcome: text,
      problems: [text, text],
      report: {
        code: text,
        hint: "Do this.",
        status: 500,
        requestId: text,
        docsUrl: "https://docs.example",
      },
      outputs: [{ name: text, value: text }],
      versions: text,
    }),
  "a failure of one problem": (text) =>
    renderFailureSummary({
      command: text,
      outcome: text,
      problems: [text],
      report: { code: text, hint: "Do this.", docsUrl: "https://docs.example" },
      outputs: [],
      versions: text,
    }),
  "a skipped run": (text) => renderSkipped(text, text),
  "an introduction": (text) => renderPullRequestIntroduction(text, undefined, text),
  "a reconciliation": (text) =>
    renderReconcileSummary(
      [{ name: text, url: "https://github.com/o/r/issues/1", jobId: text, kind: text, detail: text }],
      [text],
    ),
  "a failed answer": (text) =>
    renderAnswerComment(
      {
        links: { baseUrl: "https://docs.example.com/", allowed: ["https://docs.example.com/"] },
        request: text,
        requester: text,
        triggerPhrase: text,
        notes: [text],
      },
      {
        state: "failed",
        answer: {
          text: "Yes.",
          cited: [{ url: "https://docs.example.com/a", title: text }],
          found: [],
          stoppedBy: undefined,
        },
        problem: text,
      },
    ),
};

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."<img src=x> <b> </details> </sub> <!-- --> <!--_docs-automation:claim:v1 @mona @octo-org/all #12 GH-3 o/r#4 closes_#1 ![a](b) [a](javascript:b) [a]: http://e.example www.e.example me@e.example ftp://e.example ` `` ``` ~~~ | || \\ \\| $x$ $$ [^1] [^1]: [!NOTE] * ** _ ~~ :eyes: &lt; &#60; &amp; < > # - + 1. 1) === ---"
          .split(" ")
          .map((piece) => piece.replaceAll("_", " ")),
      ),
      fc.constantFrom(
        " ",
        "  ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\u2028",
        "\u0085",
        "\u0000",
        "\u001B[31m",
        "\u202E",
        "\u200B",
        "\uD83D",
        "word",
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => `x${pieces.join("")}x`);

test.each(Object.keys(views))("untrusted text adds no element, link or reference to %s", (name) => {
  const render = views[name] ?? String;
  const plain = structureOf(render("x"));

  fc.assert(
    fc.property(hostile, (text) => {
      // The lines of a request become separate paragraphs.
      const oneLine = text.replace(/\r\n|[\r\n\u2028\u2029]/g, " ");
      expect(structureOf(render(oneLine))).toStrictEqual(plain);
      const rendered = render(text);
      expect(activeWords(rendered)).toStrictEqual([]);
      expect(rendered).not.toContain("<!-- docs-automation:");
    }),
    { numRuns: caseCount(100) },
  );
});
