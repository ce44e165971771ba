import { Evaluator, Lexer, Parser } from "@actions/expressions";
import { Dictionary } from "@actions/expressions/data/dictionary";
import { StringData } from "@actions/expressions/data/string";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findTrigger, triggerCondition } from "../../src/github/trigger.ts";
import fixture from "../fixtures/trigger-vectors.json" with { type: "json" };

interface Vector {
  readonly name: string;
  readonly body: string;
  readonly phrase?: string;
  readonly triggers: boolean;
  readonly request?: string;
  readonly reason?: string;
}

const vectors: readonly Vector[] = fixture.vectors;

/** Runs an expression in GitHub's own evaluator, as the workflow's `if:` would be. */
function evaluateCondition(body: string, phrase: string): boolean {
  const comment = new Dictionary({ key: "body", value: new StringData(body) });
  const event = new Dictionary({ key: "comment", value: comment });
  const context = new Dictionary({ key: "github", value: new Dictionary({ key: "event", value: event }) });
  const { tokens } = new Lexer(triggerCondition("github.event.comment.body", phrase)).lex();
  const expression = new Parser(tokens, ["github"], []).parse();
  return new Evaluator(expression, context).evaluate().coerceString() === "true";
}

describe("findTrigger", () => {
  test.each(vectors)("$name", ({ body, phrase = "/docs", triggers, request, reason }) => {
    const found = findTrigger(body, phrase);

    if (triggers) expect(found).toMatchObject({ kind: "called", request });
    else expect(found).toStrictEqual(reason ? { kind: "near-miss", reason } : { kind: "absent" });
  });

  test("says how much hidden text it took out of the request", () => {
    expect(findTrigger("/docs a <!-- b --> [c](https://d.example 'e')\u200b", "/docs")).toMatchObject({
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

  test.each(["/docs", "@docs-bot", "docs!", "[docs]", "a.b+c?", "/文档", "it's"])(
    "is true for every text that calls %s",
    (phrase) => {
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
      const body = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

      fc.assert(
        fc.property(
          body,
          (text) => findTrigger(text, phrase).kind !== "called" || evaluateCondition(text, phrase),
        ),
        { numRuns: 1500 },
      );
    },
  );
});
