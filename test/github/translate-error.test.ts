import { expect, test } from "vitest";
import { z } from "zod";
import { ActionError } from "../../src/base/errors.ts";
import { translateError } from "../../src/github/translate-error.ts";

const purpose = { doing: "comment on #1", permission: "issues: write" };

test.each([
  ["no answer", new Error("read ECONNRESET"), "unreachable"],
  ["an answer of another shape", z.object({ id: z.number() }).safeParse({}).error, "unexpected-response"],
])("%s of GitHub is not blamed on the platform's address", (_, failure, code) => {
  const error = translateError(failure, purpose);

  expect(error).toMatchObject({ code, message: expect.stringContaining("comment on #1") });
  expect(error instanceof ActionError && error.hint).not.toContain("base-url");
});
