import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { composeQuestion, fingerprintOf } from "../../../src/commands/assistant/compose-question.ts";

const fields = {
  version: "v1",
  domain: "docs.example.com",
  retrievalPageSize: 5,
  filterVersion: undefined,
  filterLanguage: undefined,
  currentPath: undefined,
  context: [],
} as const;
const asked = { id: "ask-1", text: "How?", fp: "anonymous", threadId: undefined };

describe("a question", () => {
  test("is the smallest request that the specification allows", () => {
    expect(composeQuestion(fields, asked).request).toEqual({
      fp: "anonymous",
      retrievalPageSize: 5,
      messages: [{ id: "ask-1", role: "user", content: "How?", parts: [{ type: "text", text: "How?" }] }],
    });
  });

  test("names the input that the specification does not allow", () => {
    const compose = () => composeQuestion({ ...fields, currentPath: "p".repeat(201) }, asked);
    expect(compose).toThrow(InputError);
    expect(compose).toThrow("`current-path`");
  });
});

describe("a fingerprint", () => {
  test("is the same for a thread, another for another, and names neither", () => {
    const one = fingerprintOf("123", "issue:7");
    expect(fingerprintOf("123", "issue:7")).toBe(one);
    expect(fingerprintOf("123", "issue:8")).not.toBe(one);
    expect(fingerprintOf("124", "issue:7")).not.toBe(one);
    expect(one).toMatch(/^thread-[0-9a-f]{32}$/);
    expect(fingerprintOf("123", undefined)).toBe("anonymous");
  });
});
