import { describe, expect, test } from "vitest";
import {
  type AnswerView,
  listSources,
  renderAnswerComment,
  renderAnswerSummary,
  renderInterruptedComment,
} from "../../src/presentation/answer-comment.ts";

const links = { baseUrl: "https://docs.example.com/", allowed: ["https://docs.example.com/"] };
const view: AnswerView = {
  state: "answered",
  text: "Press **Rotate**.",
  sources: [{ url: "/keys#rotate", title: "Rotate a key" }],
  links,
  question: "How do I rotate a key?",
  requester: "mona",
  runUrl: "https://github.com/o/r/actions/runs/1",
  triggerPhrase: "/ask",
};

describe("the comment of an answer", () => {
  test("quotes the question, answers, and names the sources and the next step", () => {
    expect(renderAnswerComment(view)).toMatchInlineSnapshot(`
      "> How do I rotate a key?  
      > <sub>asked by mona</sub>

      Press **Rotate**.

      **Sources**

      1. [Rotate a key](https://docs.example.com/keys#rotate)

      <sub>Generated from the documentation by an assistant: check it against the sources. To follow up, comment /ask and your question in the same thread; the conversation goes on. · [log](https://github.com/o/r/actions/runs/1)</sub>"
    `);
  });

  test("speaks of no sources where there are none, and of no answer where there is none", () => {
    expect(renderAnswerComment({ ...view, sources: [] })).toContain("by an assistant. To follow up");
    const failed = renderAnswerComment({ ...view, state: "failed", text: "", sources: [], problem: "No." });
    expect(failed).toContain("> **There is no answer.** No.");
    expect(failed).not.toContain("Generated");
    expect(failed).toContain("<sub>Comment /ask and your question to ask again. · ");
  });

  test("says what stopped the model", () => {
    expect(renderAnswerComment({ ...view, stoppedBy: "length" })).toContain("reached its length limit");
    expect(renderAnswerComment({ ...view, stoppedBy: "filter" })).toContain("content filter");
  });

  test("says when a queued question is asked again", () => {
    const queuedUntil = new Date("2026-11-21T10:30:00Z");
    expect(renderAnswerComment({ ...view, state: "queued", queuedUntil })).toContain(
      "the question is asked again at 2026-11-21 10:30 UTC",
    );
  });

  test.each(["answered", "failed", "answering"] as const)(
    "fits a comment with its marker, however long everything in it is: %s",
    (state) => {
      const sources = Array.from({ length: 500 }, (_, page) => ({
        url: `/${page}/${"ü".repeat(150)}`,
        title: "<*".repeat(1000),
      }));
      const comment = renderAnswerComment({
        ...view,
        state,
        sources,
        text: "<*_[@x".repeat(20).concat(" ").repeat(1000),
        question: "@#<".repeat(200),
        problem: "<".repeat(1000),
        notes: Array.from({ length: 8 }, () => "<".repeat(300)),
      });
      expect(comment.length).toBeLessThan(53_000);
      expect(comment.length).toBeGreaterThan(30_000);
    },
  );

  test("keeps what a killed run had shown", () => {
    const answering = renderAnswerComment({ ...view, state: "answering" });
    const failed = { ...view, state: "failed", text: "", sources: [], problem: "The run ended." } as const;
    const comment = renderInterruptedComment(failed, answering);
    expect(comment).toContain("> **This answer is incomplete.** The run ended.\n\nPress **Rotate**.\n");
    expect(comment).not.toContain("still answering");
    expect(comment.match(/How do I rotate/g)).toHaveLength(1);
    const asking = renderAnswerComment({ ...view, state: "asking" });
    expect(renderInterruptedComment(failed, asking)).toContain("> **There is no answer.** The run ended.");
  });
});

describe("the summary of a question", () => {
  test("tells nobody to comment where there is no thread", () => {
    const summary = renderAnswerSummary({ ...view, triggerPhrase: undefined }, { commentUrl: undefined });
    expect(summary).toMatch(/^### Docs assistant: answered\n/);
    expect(summary).not.toContain("comment /ask");
  });
});

describe("the sources of an answer", () => {
  test("are absolute, each once, with a title where one is known, and of the documentation only", () => {
    const sources = [
      { url: "/a", title: undefined },
      { url: "https://docs.example.com/a", title: "A" },
      { url: "javascript:alert(1)", title: "J" },
      { url: "data:text/html,x", title: "D" },
      { url: "https://user:secret@docs.example.com/b", title: "S" },
      { url: "//evil.example/x", title: "E" },
      { url: `/${"x".repeat(3000)}`, title: "long" },
    ];
    expect(listSources(sources, links)).toEqual([{ url: "https://docs.example.com/a", title: "A" }]);
  });
});
