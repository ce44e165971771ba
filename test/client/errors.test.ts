import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFailureReason, readErrorMessage } from "../../src/client/errors.ts";

describe("readErrorMessage", () => {
  test.each([
    ['{"error":"Job not found"}', "Job not found"],
    ['{"message":"no such page"}', "no such page"],
    ['{"error":{"code":"E1","message":"nested reason"}}', "nested reason"],
    ['{"error":"","message":"second choice"}', "second choice"],
    ['{"errors":[{"message":"first of many"},"other"]}', "first of many"],
    ['{"type":"about:blank","title":"Not Found","detail":"no domain"}', "no domain"],
    ['"just text"', "just text"],
    ["upstream connect error", "upstream connect error"],
    ["{ not json", "{ not json"],
    ['{"error":["r1","r2"]}', "r1"],
    ['{"error":{"detail":"nested detail"}}', "nested detail"],
    ["see https://user:pw@s.example/b.tgz?sig=SECRET#x now", "see https://s.example/b.tgz now"],
    ['{"error":"bad link http://s.example/b?X-Amz-Signature=SECRET"}', "bad link http://s.example/b"],
    [
      "no access to s.example/b?X-Amz-Date=1&X-Amz-Signature=SECRET&x=1",
      "no access to s.example/b?X-Amz-Date=1&X-Amz-Signature=***&x=1",
    ],
    ["/b?sv=1&amp;sig=SECRET%3D is over", "/b?sv=1&amp;sig=*** is over"],
    ["bad header Authorization: Bearer abc.SECRET-1= sent", "bad header Authorization: Bearer *** sent"],
    ["bearer authentication is missing", "bearer authentication is missing"],
    [
      "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>",
      "an HTML page titled “502 Bad Gateway”",
    ],
    ["<!DOCTYPE html><body><style>p{}</style><p>Sign &amp; in</p><script>evil()</script>", "an HTML page"],
    ["line one\r\nline two\u202e", "line one line two"],
  ])("reads %j", (body, message) => {
    expect(readErrorMessage(body)).toBe(message);
  });

  test.each([
    "",
    "  \n",
    "\u0000",
    '{"status":"bad"}',
    '{"data":{"bundleUrl":"https://s.example/b?sig=SECRET"}}',
    "[1]",
    '{"error":{"error":{"error":{"error":{"message":"nested too deeply"}}}}}',
    `${"[".repeat(5_000)}"x"${"]".repeat(5_000)}`,
  ])("finds no message in %j", (body) => {
    expect(readErrorMessage(body)).toBeUndefined();
  });

  test.each([
    '{"errorUrl":"https://s.example/b?sig=SECRET","messageId":"m1","error_code":"E1","reasonToken":"SECRET"}',
    '{"error":true,"errorCount":3,"errors":[]}',
  ])("ignores other fields: %j", (body) => {
    expect(readErrorMessage(body)).toBeUndefined();
  });

  test("returns one line of at most 300 characters without control characters for any body", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 800 }), fc.json()), (body) => {
        const message = readErrorMessage(body) ?? "";
        expect(message.length).toBeLessThanOrEqual(300);
        expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test.each([
    ["?", "sig"],
    ["<html>", "<title>a"],
    ["", '{"error":'],
    ["", "["],
  ])("reads a megabyte: %j and then %j again and again", (start, piece) => {
    const body = start + piece.repeat(1_000_000 / piece.length);
    for (const text of [body, JSON.stringify({ error: body })])
      expect(readErrorMessage(text)?.length ?? 0).toBeLessThanOrEqual(300);
  });
});

test.each([
  [{ error: "out of credits" }],
  [{ error: null, message: "out of credits" }],
  [{ failureReason: { message: "out of credits" } }],
  [{ errors: [{ detail: "out of credits" }] }],
  [{ messageToUser: "out of credits" }],
])("the reason of a failed job is read from %j", (fields) => {
  expect(describeFailureReason({ id: "job_1", status: "failed", ...fields })).toBe(": out of credits.");
});

test("a failed job without a reason has a sentence that says so", () => {
  const job = { status: "failed", title: "Explain retries", error: "" };

  expect(describeFailureReason(job)).toBe("; the platform gives no reason.");
});
