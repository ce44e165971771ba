import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  classifyConnectionError,
  classifyErrorResponse,
  classifyInvalidResponse,
  describeFailureReason,
  mayRepeat,
  PlatformError,
  type RetryPolicy,
  readErrorMessage,
  readJobId,
} from "../../src/client/errors.ts";

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
    ['{"error":{"error":{"error":{"message":"as deep as is read"}}}}', "as deep as is read"],
    ["see https://user:pw@s.example/b.tgz?sig=SECRET#x now", "see https://s.example/b.tgz now"],
    ['{"error":"bad link http://s.example/b?X-Amz-Signature=SECRET"}', "bad link http://s.example/b"],
    [
      "no access to s.example/b?X-Amz-Date=1&X-Amz-Signature=SECRET&x=1",
      "no access to s.example/b?X-Amz-Date=1&X-Amz-Signature=***&x=1",
    ],
    [
      String.raw`{error: /b?a=1\u0026X-Amz-Signature=SECRET}`,
      String.raw`{error: /b?a=1\u0026X-Amz-Signature=***`,
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

describe("a failed request is repeated", () => {
  const all: readonly RetryPolicy[] = ["freely", "unless-limited", "unless-sent", "unless-arrived", "never"];

  test.each([
    ["unreachable", {}, ["freely", "unless-limited", "unless-sent", "unless-arrived"]],
    ["unreachable", { retryable: false }, []],
    ["unreachable", { maybeSubmitted: true }, []],
    ["rate-limited", {}, ["freely", "unless-sent"]],
    ["unavailable", {}, ["freely", "unless-limited"]],
    ["conflict", {}, ["freely", "unless-limited"]],
    ["unexpected-response", { status: 200 }, ["freely", "unless-limited"]],
    ["unexpected-response", { status: 300 }, []],
    ["unexpected-response", {}, []],
    ["not-found", {}, ["freely"]],
    ["forbidden", {}, ["freely"]],
    ["not-found", { isFromApi: true }, []],
    ["unauthorized", { status: 200 }, []],
    ["rejected", {}, []],
  ] as const)("on %s %o only if it is sent %j", (code, details, policies) => {
    const error = new PlatformError(code, "no", details);
    expect(all.filter((retry) => mayRepeat({ name: "do it", retry }, error))).toEqual(policies);
  });
});

describe("an error response", () => {
  const create = { name: "create it", retry: "unless-sent" } as const;
  const classify = (status: number, body?: unknown, headers = {}) =>
    classifyErrorResponse(create, { status, headers, body: JSON.stringify(body) }, 0);

  test.each([
    [199, true],
    [302, true],
    [399, true],
    [400, false],
    [407, false],
    [408, true],
    [409, false],
    [425, false],
    [429, false],
    [499, false],
    [500, true],
  ])("of status %i: a job may have been created: %s", (status, maybeSubmitted) => {
    const error = classify(status);
    expect(error).toMatchObject({ name: "PlatformError", status, maybeSubmitted });
    expect(error.message.includes(" so it is not sent again.")).toBe(maybeSubmitted);
    expect(error.docsUrl.endsWith("#outcome-unknown")).toBe(maybeSubmitted);
  });

  test.each([
    [299, undefined, "."],
    [300, undefined, ". It redirects to another path, but requests with the API key follow no redirects."],
    [399, "https://a.example/b?c", ". It redirects to https://a.example, but requests with"],
    [400, undefined, "."],
  ])("of status %i to %s says so", (status, location, end) => {
    const start = `Could not create it: the platform returned ${status}`;
    const { message } = classify(status, undefined, location === undefined ? {} : { location });
    expect(message).toContain(`${start}${end}`);
    expect(message.includes("redirects")).toBe(end.includes("redirects"));
  });

  test.each([
    [409, { jobId: "a" }, "a"],
    [409, { job: { id: 7 } }, "7"],
    [409, { job: "a" }, undefined],
    [409, "a", undefined],
    [400, { jobId: "a" }, undefined],
  ])("of status %i with %j names the running job %s", (status, body, conflictingJobId) => {
    expect(classify(status, body)).toMatchObject({ conflictingJobId });
  });

  test("knows who sent it, and asks for a payment only with 402", () => {
    expect(classify(402, {})).toMatchObject({ isFromApi: true, hint: expect.stringMatching(/payment/) });
    expect(classify(403)).toMatchObject({ isFromApi: false, hint: expect.not.stringMatching(/payment/) });
  });

  test("that is not the API's names the fields that are missing", () => {
    const { error } = z.object({ data: z.object({ link: z.string() }) }).safeParse({ data: {} });
    const text = z.string().safeParse({});
    const response = { status: 200, headers: {}, body: "{}" };
    expect(classifyInvalidResponse(create, response, error as never).message).toContain(
      "but not the API's JSON: JSON without a usable data.link. The platform may",
    );
    expect(classifyInvalidResponse(create, response, text.error as never).message).toContain(
      "usable object.",
    );
    const { message } = classifyInvalidResponse(create, { ...response, body: undefined }, error as never);
    expect(message).toContain("the body is too long.");
  });
});

const refused = Object.assign(new Error("another"), { code: "ECONNREFUSED" });
const slow = Object.assign(new Error("connect ETIMEDOUT 192.0.2.1:443"), {
  code: "ETIMEDOUT",
  syscall: "connect",
});
/** As Node reports a host with several addresses. */
const noRoute = Object.assign(new Error("connect ENETUNREACH ::1:443"), { syscall: "connect" });
const noAddress = Object.assign(new AggregateError([slow, noRoute]), { code: "ETIMEDOUT" });

test.each([
  [Object.assign(new Error("read failed"), { code: "ECONNRESET" }), "(ECONNRESET, read failed)", true],
  [Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), "(read ECONNRESET)", true],
  [Object.assign(new Error("no host"), { code: "ENOTFOUND" }), "(ENOTFOUND, no host)", false],
  [new Error("fetch failed"), "(fetch failed)", true],
  [Object.assign(new Error("read"), { code: "ETIMEDOUT", syscall: "read" }), "(ETIMEDOUT, read)", true],
  [Object.assign(new Error("early"), { code: "CERT_NOT_YET_VALID" }), "(CERT_NOT_YET_VALID, early)", false],
  [slow, "(connect ETIMEDOUT 192.0.2.1:443)", false],
  [new Error("via a proxy", { cause: slow }), "(ETIMEDOUT, via a proxy)", false],
  [noAddress, "(connect ETIMEDOUT 192.0.2.1:443; connect ENETUNREACH ::1:443)", false],
  [
    new Error("failed", { cause: new AggregateError([new Error("one"), refused]) }),
    "(ECONNREFUSED, failed)",
    false,
  ],
])("a failed connection has a reason, and may have been sent: %s", (error, reason, maybeSubmitted) => {
  const request = { name: "create it", retry: "unless-arrived" } as const;
  const where = { origin: "https://p.example", isSent: false };
  const failure = classifyConnectionError(request, error, where);
  expect(failure).toMatchObject({ code: "unreachable", maybeSubmitted });
  expect(failure.message).toContain(`no response from https://p.example ${reason}.`);
  const sent = classifyConnectionError(request, error, { ...where, isSent: true });
  expect(sent.maybeSubmitted).toBe(true);
});

test.each([
  [7, "7"],
  [0, "0"],
  [-1, undefined],
  [1.5, undefined],
  ["se_1", "se_1"],
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), undefined],
  [".", undefined],
  ["..", undefined],
  ["a b", undefined],
  ["", undefined],
  [null, undefined],
])("the job identifier %j is read as %s", (value, id) => {
  expect(readJobId(value)).toBe(id);
});
