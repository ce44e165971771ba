import { expect, test } from "vitest";
import { fromWriteError } from "../../src/bundle/errors.ts";

test.each([
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
])("%s is reported as a disk that cannot be written", (code, expected) => {
  expect(fromWriteError(Object.assign(new Error("write"), { code }), "/site/bundle")).toMatchObject({
    code: expected,
    message: expect.stringContaining("/site/bundle"),
  });
});
