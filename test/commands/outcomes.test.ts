import { describe, expect, test } from "vitest";
import {
  ActionError,
  errorCodes,
  InterruptedError,
  JobFailedError,
  toErrorReport,
} from "../../src/base/errors.ts";
import { PlatformError } from "../../src/client/errors.ts";
import { outcomeOfError, outputs } from "../../src/commands/outputs.ts";

test.each([
  [new InterruptedError("cancelled", "x"), "export", "cancelled"],
  [new InterruptedError("timed-out", "x"), "export", "timed-out"],
  [new JobFailedError("x"), "export", "failed"],
  [new PlatformError("rate-limited", "x"), "agent", "rate-limited"],
  [new PlatformError("unavailable", "x", { maybeSubmitted: true }), "export", "unknown"],
  [new PlatformError("unavailable", "x"), "export", "error"],
  [new PlatformError("forbidden", "x"), "export", "error"],
  [new ActionError("stream-cut", "x"), "assistant", "failed"],
  [new PlatformError("unavailable", "x", { maybeSubmitted: true }), "assistant", "error"],
  [new InterruptedError("cancelled", "x"), "doctor", "error"],
  [new TypeError("x"), "export", "error"],
  ["a string", "export", "error"],
] as const)("outcomeOfError %s in %s means %s", (error, command, outcome) => {
  expect(outcomeOfError(error, command)).toBe(outcome);
});

describe("toErrorReport", () => {
  test("calls anything unexpected a bug", () => {
    expect(toErrorReport(new TypeError("x is undefined"))).toMatchObject({
      code: "internal",
      class: "bug",
      message: "TypeError: x is undefined",
    });
    expect(toErrorReport(undefined)).toMatchObject({
      code: "internal",
      message: "A value was thrown: undefined",
    });
  });

  test("has the fields that the description of `error-json` names", () => {
    const error = new PlatformError("not-found", "x", { status: 404, requestId: "req-1" });
    const [, named = ""] = /`\{(.*)\}`/.exec(outputs.errorJson.description) ?? [];
    expect(Object.keys(toErrorReport(error))).toEqual(named.replaceAll("?", "").split(", "));
  });

  test("gives every code a hint that is a sentence", () => {
    for (const code of errorCodes)
      expect(toErrorReport(new ActionError(code, "x")).hint).toMatch(/^[A-Z].+\.$/);
  });
});
