import { expect, test } from "vitest";
import {
  GitHubError,
  GraphqlFailure,
  isPermanentFailure,
  isRefusal,
  isSecondaryLimit,
  isTransient,
  RequestFailure,
  translateError,
  undefinedIfGone,
} from "../../src/github/errors.ts";

const purpose = { doing: "read it", permission: "issues: write" };

test.each([
  [400, "no", true],
  [403, "no", true],
  [403, "Error from intermediary", false],
  [408, "no", false],
  [429, "no", false],
  [499, "no", true],
  [500, "no", false],
])("a response %i (%s) is final: %s", (status, message, isFinal) => {
  expect(isPermanentFailure(new RequestFailure(status, message))).toBe(isFinal);
});

test("a failed connection is final only if the certificate is not trusted", () => {
  const failure = (code: string) => Object.assign(new Error("failed"), { code });

  expect(isPermanentFailure(failure("ECONNRESET"))).toBe(false);
  expect(isPermanentFailure(failure("SELF_SIGNED_CERT_IN_CHAIN"))).toBe(true);
});

test.each([
  [new RequestFailure(403, "You have exceeded a secondary rate limit"), true],
  [new RequestFailure(429, "abuse detection"), true],
  [new RequestFailure(422, "Validation Failed: was submitted too quickly"), true],
  [new RequestFailure(422, "Validation Failed: base abuse"), true],
  [new RequestFailure(422, "Validation Failed: base invalid"), false],
  [
    new GraphqlFailure([{ type: "UNPROCESSABLE", message: "was submitted too quickly", path: [] }], null),
    true,
  ],
  [new RequestFailure(403, "API rate limit exceeded"), false],
  [new Error("secondary rate limit"), false],
])("a secondary rate limit is recognized: %s, %s", (error, isLimit) => {
  expect(isSecondaryLimit(error)).toBe(isLimit);
});

test("a failure of GraphQL has the status of its first error's type", () => {
  const errors = ["NOT_FOUND", "FORBIDDEN"].map((type) => ({ type, message: `${type}!`, path: [] }));

  expect(new GraphqlFailure(errors, null)).toMatchObject({ status: 404, message: "NOT_FOUND!; FORBIDDEN!" });
  expect(new GraphqlFailure([{ type: "OTHER", message: "", path: [] }], null).status).toBe(502);
});

test.each([
  [301, "moved", "not-found", "config", "Make a new request"],
  [401, "Bad credentials", "unauthorized", "auth", "That of a GitHub App expires after an hour."],
  [403, "Resource not accessible", "missing-permission", "github", "Add `issues: write` to"],
  [
    403,
    "Repository was archived so is read-only.",
    "missing-permission",
    "github",
    "GitHub's reason says what",
  ],
  [403, "API rate limit exceeded", "rate-limited", "quota", "Run again later"],
  [403, "issue is locked", "conflict", "github", "Unlock it"],
  [404, "Not Found", "not-found", "config", "If it was not deleted, check that the token is valid"],
  [409, "Merge conflict", "unavailable", "github", "include `issues: write`"],
  [410, "Gone", "not-found", "config", "Make a new request"],
  [422, "Validation failed", "rejected", "github", "Running again does not help"],
  [429, "Slow down", "rate-limited", "quota", "Run again later"],
  [499, "no", "unavailable", "github", "include `issues: write`"],
  [500, "no", "unavailable", "github", "proxy"],
] as const)("status %i (%s) is `%s` of the class %s: %s", (status, message, code, of, hint) => {
  const error = translateError(new RequestFailure(status, message), purpose);

  expect(error).toMatchObject({ name: "GitHubError", code, class: of, status });
  expect((error as GitHubError).hint).toContain(hint);
});

test("a failure of any call is translated once, and a bug is not", () => {
  const translated = new GitHubError("conflict", "no");
  const bug = new TypeError("x is undefined");

  expect(translateError(translated, purpose)).toBe(translated);
  expect(translateError(bug, purpose)).toBe(bug);
  expect(translateError(new Error("read ECONNRESET"), purpose)).toMatchObject({
    code: "unreachable",
    message: "No response from GitHub; could not read it: read ECONNRESET.",
  });
});

test.each([
  ["missing-permission", true, false],
  ["not-found", true, false],
  ["unauthorized", false, false],
  ["unavailable", false, true],
  ["rate-limited", false, true],
] as const)("`%s` is a refusal: %s, and may pass: %s", (code, refused, passes) => {
  const error = new GitHubError(code, "no");

  expect(isRefusal(error)).toBe(refused);
  expect(isTransient(error)).toBe(passes);
  expect(isTransient(Object.assign(new Error("no"), { retryable: true }))).toBe(false);
});

test("a response that is gone is none, unless its status is another one", async () => {
  const fail = (status?: number) =>
    Promise.reject(new GitHubError("not-found", "no", status === undefined ? {} : { status }));

  for (const status of [404, 410]) expect(await undefinedIfGone(fail(status))).toBeUndefined();
  expect(await undefinedIfGone(fail(422), [422])).toBeUndefined();
  await expect(undefinedIfGone(fail(404), [422])).rejects.toThrow("no");
  await expect(undefinedIfGone(fail(), [404])).rejects.toThrow("no");
  await expect(undefinedIfGone(Promise.reject(new RequestFailure(404, "raw")))).rejects.toThrow("raw");
  expect(await undefinedIfGone(Promise.resolve(1))).toBe(1);
});
