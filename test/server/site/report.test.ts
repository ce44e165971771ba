import { expect, test } from "vitest";
import { collectWarnings } from "../../../src/server/site/report.ts";

test("a warning is listed once, and shortened", () => {
  const { warnings, onWarning } = collectWarnings();
  for (const end of ["a", "a", "b"])
    onWarning("page.md", `the link ${"x".repeat(2_000_000)}${end} is broken`, "link", 3);
  onWarning("page.md", "another one", "link");
  expect(warnings).toEqual([
    { kind: "link", page: "page.md", line: 3, message: `the link ${"x".repeat(990)}…` },
    { kind: "link", page: "page.md", message: "another one" },
  ]);
});
