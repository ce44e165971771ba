import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReceivedAnswer } from "../../src/base/answer.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import {
  type AskedQuestion,
  describeAnswer,
  noAnswer,
  readShownAnswer,
  renderAnswerComment,
  renderAnswerSummary,
} from "../../src/presentation/answer-comment.ts";

const links = { baseUrl: "https://docs.example.com/", allowed: ["https://docs.example.com/"] };
const asked: AskedQuestion = {
  links,
  request: "How do I rotate a key?",
  requester: "mona",
  runUrl: "https://github.com/o/r/actions/runs/1",
  triggerPhrase: "/ask",
};
const answer: ReceivedAnswer = {
  ...noAnswer,
  text: "Press **Rotate**.",
  cited: [{ url: "/keys#rotate", title: "Rotate a key" }],
};
const answered = (changes: Partial<ReceivedAnswer> = {}) =>
  renderAnswerComment(asked, { state: "answered", answer: { ...answer, ...changes } });

describe("renderAnswerComment", () => {
  test("shows the question, the answer, the sources and the next step", () => {
    expect(answered()).toMatchInlineSnapshot(`
      "> How do I rotate a key?  
      > <sub>asked by mona</sub>

      Press **Rotate**.

      ---

      **Sources**

      1. [Rotate a key](https://docs.example.com/keys#rotate)

      <sub>Generated from the documentation by an assistant: check it against the sources. To follow up, comment /ask and your question in the same thread. · [log](https://github.com/o/r/actions/runs/1)</sub>"
    `);
  });

  test("mentions no sources without sources, and reports a missing answer", () => {
    expect(answered({ cited: [] })).toContain("by an assistant. To follow up");
    const failed = renderAnswerComment(asked, {
      state: "failed",
      answer: { ...answer, text: "" },
      problem: "No. Check `base-url`, @mona.",
    });
    expect(failed).toContain("> **There is no answer.** No. Check `base-url`, @\u200cmona.");
    expect(failed).not.toContain("Generated");
    expect(failed).not.toContain("Sources");
    expect(failed).toContain("<sub>Comment /ask and your question to ask again. · ");
  });

  test("leaves room for its record, whatever the question, the answer and the error", () => {
    const request = "問".repeat(4000);
    const message = "誤".repeat(1000);
    const long = { ...answer, text: "word ".repeat(20_000) };
    const body = renderAnswerComment(
      { ...asked, request },
      { state: "failed", answer: long, problem: message },
    );
    const record = { ...asked, command: "assistant", request, message, threadId: "t".repeat(500) };

    const comment = body + createRecordSigner("svc_key").sign(record, "a comment");

    expect(comment.length).toBeGreaterThan(60_000);
    expect(comment.length).toBeLessThan(65_000);
  });

  test("omits sources that are long because of their escapes", () => {
    const long = (page: number) => ({ url: `/${page}${"(".repeat(900)}`, title: "$".repeat(150) });
    const cited = [...Array.from({ length: 12 }, (_, page) => long(page)), ...answer.cited];

    expect(answered({ cited: cited.slice(0, 12) })).not.toContain("ources");
    expect(answered({ cited: cited.slice(1) })).toContain("1. [Rotate a key](");
  });

  test("of a long answer has the same words in a comment and in a job summary", () => {
    const state = { state: "answered", answer: { ...answer, text: "word ".repeat(20_000) } } as const;
    const line = "*The answer is too long to be shown here; the rest is omitted.*";
    expect(renderAnswerComment(asked, state)).toContain(line);
    expect(renderAnswerSummary({ ...asked, triggerPhrase: undefined }, state, undefined)).toContain(line);
  });

  test("explains why the answer stops", () => {
    expect(answered({ stoppedBy: "length" })).toContain("reached its length limit");
    expect(answered({ stoppedBy: "filter" })).toContain("content filter");
  });

  test("shows when a queued question is sent again", () => {
    const until = new Date("2026-11-21T10:30:00Z");
    expect(renderAnswerComment(asked, { state: "queued", until })).toContain(
      "The question will be sent again at 2026-11-21 10:30 UTC",
    );
  });

  test.each(["answered", "failed", "answering"] as const)(
    "stays within the limit of a comment with its marker: %s",
    (state) => {
      const text = "<*_[@x".repeat(20).concat(" ").repeat(1000);
      const cited = Array.from({ length: 500 }, (_, page) => ({
        url: `/${page}/${"ü".repeat(150)}`,
        title: "<*".repeat(1000),
      }));
      const comment = renderAnswerComment(
        {
          ...asked,
          request: "@#<".repeat(200),
          notes: Array.from({ length: 8 }, () => "<".repeat(300)),
        },
        { state, answer: { ...answer, text, cited }, problem: "<".repeat(1000) },
      );
      expect(comment.length).toBeLessThan(53_000);
      expect(comment.length).toBeGreaterThan(30_000);
    },
  );
});

describe("readShownAnswer", () => {
  const block = fc.constantFrom(
    "Press **Rotate**.",
    "**Sources**",
    "**Ask next**",
    "1. [Keys](https://docs.example.com/keys)",
    "<sub>Generated from the documentation by an assistant.</sub>",
    "```text\n**Sources**\n\n<sub>Generated from the documentation by an assistant.\n```",
    "> quoted",
    "```text\n/ask Why?\n```",
    "<!-- hidden -->",
    "# Heading",
  );

  test("returns the answer without the text around it, whatever it contains", () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 5 }),
        fc.boolean(),
        fc.boolean(),
        (blocks, isCited, hasSuggestions) => {
          const text = [
            "Yes.",
            ...blocks,
            "End.",
            ...(hasSuggestions ? ["```suggestions\nWhy?\nHow?\n```"] : []),
          ];
          const received = { ...answer, text: text.join("\n\n"), cited: isCited ? answer.cited : [] };
          const comment = renderAnswerComment(asked, { state: "answered", answer: received });
          expect(readShownAnswer(asked, `${comment}\n\n<!-- marker -->`)).toBe(
            describeAnswer(received, links).markdown,
          );
        },
      ),
    );
  });

  test("reads an answer that imitates many sources", () => {
    const lines = ["**Sources**", "", ...Array<string>(29).fill("1. [](a)](b)"), "End."];
    const text = `\`\`\`text\n\n\n${lines.join("\n")}\n\`\`\``;

    expect(readShownAnswer(asked, answered({ text, cited: [] }))).toBe(text);
  });

  test("returns nothing for another comment", () => {
    const failed = renderAnswerComment(asked, { state: "asking" });
    expect(readShownAnswer(asked, failed)).toBeUndefined();
    expect(readShownAnswer({ ...asked, request: "Why?" }, answered())).toBeUndefined();
  });
});

describe("renderAnswerSummary", () => {
  test("suggests no comment if there is no thread", () => {
    const shown = { state: "answered", answer } as const;
    const summary = renderAnswerSummary({ ...asked, triggerPhrase: undefined }, shown, undefined);
    expect(summary).toMatch(/^### Docs assistant: answered\n/);
    expect(summary).not.toContain("comment /ask");
  });
});

describe("the sources of an answer", () => {
  const sourcesOf = (changes: Partial<ReceivedAnswer>, policy = links) =>
    describeAnswer({ ...answer, cited: [], ...changes }, policy).sources;

  test("are unique absolute URLs of the documentation, with their titles", () => {
    const cited = [
      { url: "/a", title: undefined },
      { url: "https://docs.example.com/a", title: "A" },
      { url: "javascript:alert(1)", title: "J" },
      { url: "data:text/html,x", title: "D" },
      { url: "https://user:secret@docs.example.com/b", title: "S" },
      { url: "//evil.example/x", title: "E" },
      { url: `/${"x".repeat(3000)}`, title: "long" },
    ];
    expect(sourcesOf({ cited })).toEqual([{ url: "https://docs.example.com/a", title: "A" }]);
  });

  test("cannot break out of their links", () => {
    const cited = [{ url: "https://docs.example.com/a)@mona", title: "A" }];

    expect(answered({ cited })).toContain("1. [A](https://docs.example.com/a%29@mona)");
  });

  test("are the first found pages if none is cited", () => {
    const found = Array.from({ length: 7 }, (_, page) => ({ url: `/page-${page}`, title: undefined }));
    expect(sourcesOf({ found, text: "Yes." })).toHaveLength(5);
  });

  test("define the documentation's host if the domain identifier is not a host name", () => {
    const cited = [{ url: "https://docs.example.com/a", title: "A" }];
    const open = { baseUrl: undefined, allowed: [] };
    const { markdown } = describeAnswer(
      { ...answer, cited, text: "[a](/b), [c](https://evil.example/)" },
      open,
    );
    expect(markdown).toBe("[a](https://docs.example.com/b), c (`https://evil.example/`)");
  });
});
