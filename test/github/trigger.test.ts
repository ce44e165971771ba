import { Evaluator, Lexer, Parser } from "@actions/expressions";
import { Dictionary } from "@actions/expressions/data/dictionary";
import { StringData } from "@actions/expressions/data/string";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMisspelt, mayTrigger, readPlainRequest } from "../../src/github/may-trigger.ts";
import { findTrigger } from "../../src/github/trigger.ts";
import fixture from "../fixtures/trigger-vectors.json" with { type: "json" };
import { caseCount } from "../support/property-seed.ts";
import { triggerCondition } from "../support/trigger-condition.ts";

interface Vector {
  readonly name: string;
  readonly body: string;
  readonly phrase?: string;
  readonly triggers: boolean;
  readonly request?: string;
  readonly reason?: string;
  readonly hint?: boolean;
}

const vectors: readonly Vector[] = fixture.vectors;

/** Evaluates an `if:` expression with GitHub's own evaluator. */
function evaluateCondition(body: string, phrase: string): boolean {
  const comment = new Dictionary({ key: "body", value: new StringData(body) });
  const event = new Dictionary({ key: "comment", value: comment });
  const context = new Dictionary({ key: "github", value: new Dictionary({ key: "event", value: event }) });
  const { tokens } = new Lexer(triggerCondition("github.event.comment.body", [phrase])).lex();
  const expression = new Parser(tokens, ["github"], []).parse();
  return new Evaluator(expression, context).evaluate().coerceString() === "true";
}

describe("findTrigger", () => {
  test.each(vectors)("$name", ({ body, phrase = "/docs", triggers, request, reason, hint }) => {
    const found = findTrigger(body, ["/other", phrase]);

    if (triggers) expect(found).toMatchObject({ kind: "called", request });
    else if (reason === undefined) expect(found).toStrictEqual({ kind: "absent" });
    else expect(found).toStrictEqual({ kind: "near-miss", reason, phrase, isAttempt: hint ?? false });
  });

  test("reports how much hidden text it removed from the request", () => {
    expect(findTrigger("/docs a <!-- b --> [c](https://d.example 'e')\u200b", ["/docs"])).toMatchObject({
      removed: { hiddenSegments: 2, invisibleCharacters: 1 },
    });
  });
});

describe("triggerCondition", () => {
  test.each(vectors.filter(({ triggers }) => triggers))(
    "lets through: $name",
    ({ body, phrase = "/docs" }) => {
      expect(evaluateCondition(body, phrase)).toBe(true);
    },
  );

  test("starts no runner for addresses and paths that contain the phrase", () => {
    expect(evaluateCondition("see https://example.com/docs and src/docs/x.md", "/docs")).toBe(false);
  });
});

/** Texts made of phrases and of Markdown around them. */
function textsAround(phrase: string) {
  const piece = fc.constantFrom(
    ...[phrase, phrase, phrase, phrase.toUpperCase(), `${phrase}x`],
    ..." |\n|\r\n|\r|\t|*|**|_|__|# |> |- |1. |```\n|<!--|-->|<b>|</b>|x|[|](u)|[^1]: |\\|&#47;docs|---\n|.|:|,|，".split(
      "|",
    ),
    ...[
      "|",
      "\u200b",
      "\ufeff",
      "\u00a0",
      "\u2028",
      "\u0085",
      "\u0000",
      "🚀",
      "![a](b)",
      "- [ ] ",
      "~~",
      "`",
      "    ",
    ],
  );
  return fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
}

const phrases = ["/docs", "@docs-bot", "docs!", "[docs]", "a.b+c?", "/文档", "it's"];

const calls = fc
  .constantFrom(...phrases)
  .chain((phrase) => fc.tuple(fc.constant(phrase), textsAround(phrase)));

test("a text that calls a phrase passes the workflow's `if:`, and like a misspelt one the first check of the event", () => {
  fc.assert(
    fc.property(calls, ([phrase, text]) => {
      const { kind } = findTrigger(text, [phrase]);
      if (kind === "called") expect(evaluateCondition(text, phrase)).toBe(true);
      if (kind !== "absent")
        expect(mayTrigger("issue_comment", { comment: { body: text } }, ["/other", phrase])).toBe(true);
    }),
    { numRuns: caseCount(1000) },
  );
});

test.each([
  ["/dcos go", true],
  ["/odcs", true],
  ["/dosc", true],
  ["/dcso", false],
  ["/docz", true],
  ["/dzcs", true],
  ["/zzcs", false],
  ["/doc", true],
  ["/ocs", true],
  ["/do", false],
  ["/docss", true],
  ["/ddocs", true],
  ["/xdocs", true],
  ["/docsxy", false],
  ["/dxxocs", false],
  ["/scod", false],
  ["/docs", false],
  ["docz", false],
  ["@docz", false],
  ["/do/s", false],
  ["/DCOS, go", true],
  ["# **/dcos** go", true],
  ["/dcos.md", false],
  ["say /dcos", false],
])("the first word of %j is a misspelt `/docs`: %s", (body, misspelt) => {
  expect(isMisspelt(body, "/Docs")).toBe(misspelt);
});

test.each([
  ["/aab", "/ab", true],
  ["/aab", "/aaab", true],
  ["/as", "/ass", false],
  ["docs", "dcos", false],
])("of the phrase %s, %s is misspelt: %s", (phrase, word, misspelt) => {
  expect(isMisspelt(word, phrase)).toBe(misspelt);
});

describe("readPlainRequest", () => {
  test.each(["/docs", "@docs-bot"])("reads the same as the parser from plain words after %s", (phrase) => {
    const pieces = fc.constantFrom(
      ..." |  |a|WWW.b.example|- |-|--|1. |(c|)|'|\"|,|?|!|;|.|/|/d |..".split("|"),
      phrase,
    );
    const texts = fc
      .array(pieces, { maxLength: 12 })
      .map((words) => `${phrase.toUpperCase()} ${words.join("")}`);
    const removed = { hiddenSegments: 0, invisibleCharacters: 0 };
    fc.assert(
      fc.property(texts, (text) => {
        const request = readPlainRequest(text, ["/other", phrase]);
        if (!text.includes("@", 1)) expect(request).toBeDefined();
        if (request === undefined) return;
        expect(findTrigger(text, ["/other", phrase])).toStrictEqual({ kind: "called", request, removed });
      }),
      { numRuns: caseCount(300) },
    );
  });

  test.each(vectors)(
    "agrees or leaves it to the parser: $name",
    ({ body, phrase = "/docs", triggers, request }) => {
      expect([undefined, triggers ? request : undefined]).toContain(
        readPlainRequest(body, ["/other", phrase]),
      );
    },
  );
});

describe("mayTrigger", () => {
  const comment = (body: unknown) => ({ action: "created", comment: { body } });
  const edited = (body: string, marker = "\n<!-- docs-automation:claim:v1 x -->") => ({
    action: "edited",
    comment: { body: `${body}${marker}` },
    changes: { body: { from: `- [ ] Try again${marker}` } },
  });

  test.each(vectors.filter(({ triggers, reason }) => triggers || reason))(
    "lets through: $name",
    ({ body, phrase = "/docs" }) => {
      expect(mayTrigger("issue_comment", comment(body), [phrase])).toBe(true);
    },
  );

  test.each([
    ["a comment without a phrase", "issue_comment", comment("Thanks!")],
    ["a comment that was emptied", "discussion_comment", comment(null)],
    ["a review without words", "pull_request_review", { action: "submitted", review: { body: null } }],
    ["an issue without a phrase", "issues", { action: "opened", issue: { body: "Broken" } }],
    ["an edit of a text of ours", "issue_comment", edited("- [x] Try again, and more")],
    [
      "an edit that ticks another's box",
      "issue_comment",
      { ...edited("- [x] Try again", ""), action: "edited" },
    ],
    ["another label", "issues", { action: "labeled", issue: { body: "/docs" }, label: { name: "bug" } }],
  ])("rejects %s", (_, eventName, payload) => {
    expect(mayTrigger(eventName, payload, ["/docs", "@docs"])).toBe(false);
  });

  test.each([
    ["the label of a phrase", "issues", { action: "labeled", issue: { body: "" }, label: { name: "Docs" } }],
    ["a misspelt phrase", "issue_comment", comment("/dcos go")],
    ["the box of ours", "issue_comment", edited("- [x] Try again")],
    ["a push", "push", {}],
    ["a merged pull request", "pull_request", { action: "closed" }],
    ["a payload that is not understood", "issue_comment", undefined],
    ["a body of another type", "issue_comment", comment(7)],
  ])("passes %s to the full check", (_, eventName, payload) => {
    expect(mayTrigger(eventName, payload, ["/docs"])).toBe(true);
  });

  test("checks a comment of many equal characters", () => {
    expect(mayTrigger("issue_comment", comment(`${"#".repeat(200_000)}!x`), ["/docs"])).toBe(false);
  });
});
