import { expect, test } from "vitest";
import { fromWriteError } from "../../src/bundle/errors.ts";

test.each([
  ["ENOSPC", "Free space on the runner"],
  ["EDQUOT", "Free space on the runner"],
  ["EACCES", "The runner cannot write to this path"],
  ["EISDIR", "The runner cannot write to this path"],
])("%s is reported as a path that cannot be written, with what to do", (code, hint) => {
  expect(fromWriteError(Object.assign(new Error("write"), { code }), "/site/bundle")).toMatchObject({
    code: "disk-full",
    message: expect.stringContaining("/site/bundle"),
    hint: expect.stringContaining(hint),
  });
});
