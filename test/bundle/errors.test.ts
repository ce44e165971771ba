import { expect, test } from "vitest";
import { fromEntryError, fromWriteError } from "../../src/bundle/errors.ts";

test.each(["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"])(
  "%s is reported as a clash of two entries",
  (code) => {
    expect(fromEntryError(Object.assign(new Error("open"), { code }), "/site/a")).toMatchObject({
      code: "unsafe-archive",
      message: `Two entries of the archive clash at /site/a (${code}).`,
    });
  },
);

test.each([
  ["ENOSPC", "Free space on the runner"],
  ["EDQUOT", "Free space on the runner"],
  ["EACCES", "The runner cannot write to this path"],
])("%s is reported as a path that cannot be written, with what to do", (code, hint) => {
  expect(fromEntryError(Object.assign(new Error("write"), { code }), "/site/bundle")).toMatchObject({
    code: "disk-full",
    message: expect.stringContaining("/site/bundle"),
    hint: expect.stringContaining(hint),
  });
});

test("EISDIR for a file that is no entry of an archive is no clash", () => {
  const error = Object.assign(new Error("rename"), { code: "EISDIR" });
  expect(fromWriteError(error, "/docs.zip")).toMatchObject({ code: "disk-full" });
});
