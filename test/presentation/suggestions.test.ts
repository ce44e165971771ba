/** Suggested questions are shown as comments to copy, which must contain only their visible text. */
import fc from "fast-check";
import type { Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { findTrigger } from "../../src/github/trigger.ts";
import {
  type AskedQuestion,
  describeAnswer,
  noAnswer,
  renderAnswerComment,
} from "../../src/presentation/answer-comment.ts";
import { caseCount } from "../support/property-seed.ts";

const links = { baseUrl: "https://docs.example.com/", allowed: ["https://docs.example.com/"] };
const asked: AskedQuestion = { links, request: "How?", requester: "mona", triggerPhrase: "/ask" };
const parser = unified().use(remarkParse).use(remarkGfm).freeze();

function render(text: string, changes: Partial<AskedQuestion> = {}): string {
  return renderAnswerComment({ ...asked, ...changes }, { state: "answered", answer: { ...noAnswer, text } });
}

const block = (...lines: readonly string[]) =>
  `Press Rotate.\n\n\`\`\`suggestions\n${lines.join("\n")}\n\`\`\`\n`;

/** The code blocks of a comment, which a user can copy. */
function copied(comment: string): string[] {
  return parser.parse(comment).children.flatMap((node) => (node.type === "code" ? [node.value] : []));
}

/** The types of all nodes in a Markdown text. */
function nodesOf(markdown: string): string[] {
  const found: string[] = [];
  visit(parser.parse(markdown), (node: Nodes) => void found.push(node.type));
  return found;
}

describe("the suggestions of an answer", () => {
  test("are shown below the sources as ready-to-post comments, not in the answer", () => {
    const answer = {
      ...noAnswer,
      text: block("(How do I revoke a key?)[/keys#revoke]", "(Rotate a key)[/keys]"),
      cited: [{ url: "/keys", title: "Keys" }],
    };
    expect(renderAnswerComment(asked, { state: "answered", answer })).toMatchInlineSnapshot(`
      "> How?  
      > <sub>asked by mona</sub>

      Press Rotate.

      ---

      **Sources**

      1. [Keys](https://docs.example.com/keys)

      **Ask next**

      \`\`\`text
      /ask How do I revoke a key?
      \`\`\`

      \`\`\`text
      /ask Rotate a key
      \`\`\`

      <sub>Generated from the documentation by an assistant: check it against the sources. To follow up, comment /ask and your question in the same thread.</sub>"
    `);
    expect(describeAnswer(answer, links).markdown).toBe("Press Rotate.");
  });

  test.each([
    ["the phrase in use", { triggerPhrase: "@docs-bot" }, "@docs-bot How?"],
    ["the words alone, where no comment can ask", { triggerPhrase: undefined }, "How?"],
  ])("start with %s", (_name, changes, line) => {
    expect(copied(render(block("How?"), changes))).toEqual([line]);
  });

  test("are at most five, unique, and at most 200 characters long", () => {
    const many = Array.from({ length: 30 }, (_, number) => `What is step ${number % 7}?`);
    expect(copied(render(block(...many, "x".repeat(300))))).toEqual(
      Array.from({ length: 5 }, (_, number) => `/ask What is step ${number}?`),
    );
    expect(copied(render(block(...Array(50_000).fill("@mona"), "How?")))[0]).toContain("@mona");
  });

  test.each([
    ["a block in the middle", `${block("How?")}\nMore.`],
    ["a block of another kind", block("How?").replace("suggestions", "suggestion")],
    ["a block without a question that can be shown", block("(@mona)[/x]", "<!-- x -->", "#12")],
    ["a block in a quote", "Press.\n\n> ```suggestions\n> How?\n> ```\n"],
  ])("are not read from %s, which stays code", (_name, text) => {
    const comment = render(text);
    expect(comment).not.toContain("Ask next");
    expect(comment).toContain("```text");
  });

  test("are not shown while the answer streams in, nor after a failure", () => {
    const text = block("How?");
    expect(renderAnswerComment(asked, { state: "answering", answer: { ...noAnswer, text } })).not.toContain(
      "How?\n```",
    );
    const failed = { state: "failed", answer: { ...noAnswer, text }, problem: "No." } as const;
    expect(renderAnswerComment(asked, failed)).not.toContain("How?\n```");
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ..."word @mona @octo-org/all #12 GH-3 o/r#4 0123abc `code` ``` ~~~ <!-- --> <b> <img/src=x> &lt; &#x40; \\@ [a](b) ![a](b) (a)[/b] https://e.example www.e.example me@e.example $x$ | * ** _a_ ~~ # > - + 1. === --- :eyes: /docs /ask ? . )[ ]( <!--_docs-automation:claim:v1".split(
        " ",
      ),
    ),
    fc.constantFrom(
      " ",
      "\t",
      "\u00a0",
      "\u2028",
      "\u0085",
      "\u200b",
      "\u202e",
      "\u3164",
      "\u0000",
      "\ud83d",
      "\r",
    ),
    fc.string({ unit: "grapheme", maxLength: 6 }),
  );
  const line = fc
    .tuple(fc.constantFrom("How", "¿Cómo", ""), fc.array(piece, { maxLength: 4 }))
    .map(([first, pieces]) => [first, ...pieces].join(" "));

  test("ask exactly what they show when posted, and are plain text there", () => {
    let shown = 0;
    const plain = nodesOf(render("Press Rotate."));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const comment = render(block(...lines));
        if (!comment.includes("**Ask next**")) return;
        for (const each of copied(comment)) {
          shown += 1;
          const found = findTrigger(each, ["/ask"]);
          expect(found).toEqual({
            kind: "called",
            request: each.slice("/ask ".length),
            removed: { hiddenSegments: 0, invisibleCharacters: 0 },
          });
          expect(nodesOf(each)).toEqual(["root", "paragraph", "text"]);
          expect(each).not.toMatch(/[\n<>$`\\&]|(?:^|[^\p{L}\p{N}_])[@#]\w|:\/\/|www\.\w/u);
        }
        // The rest is the same as the comment without suggestions.
        const heading = ["paragraph", "strong", "text"];
        const blocks = copied(comment).map(() => "code");
        expect(nodesOf(comment).toSorted()).toEqual([...plain, ...heading, ...blocks].toSorted());
      }),
      { numRuns: caseCount(100) },
    );
    expect(shown).toBeGreaterThan(30);
  });
});
