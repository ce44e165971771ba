import { describe, expect, test } from "vitest";
import { AgentJob } from "../../src/client/contract.ts";

describe("an agent job", () => {
  test("is read without the spaces around its status", () => {
    expect(AgentJob.parse({ id: "job-1", status: " failed\n" })).toStrictEqual({
      id: "job-1",
      status: "failed",
    });
  });

  test.each([
    ["a number", 42, "42"],
    ["more than one word", "a\n::error::b", undefined],
    ["a step up the path", "..", undefined],
    ["longer than any identifier", "x".repeat(10_000), undefined],
  ])("has no identifier that cannot stand in a path: %s", (_, id, read) => {
    expect(AgentJob.parse({ id }).id).toBe(read);
  });
});
