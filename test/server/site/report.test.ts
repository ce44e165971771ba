import { expect, test } from "vitest";
import { maxExportReportBytes, parseExportReport } from "../../../src/base/export-report.ts";
import { collectWarnings, printReport } from "../../../src/server/site/report.ts";

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

test("a report of many long warnings is short enough to be read", () => {
  const { warnings, onWarning } = collectWarnings();
  const [page, link] = ["a/".repeat(100), "x".repeat(1_000)];
  for (let line = 1; line <= 20_001; line += 1) onWarning(page, `${line} ${link}`, "link", line);

  const report = printReport(1, warnings);

  expect(Buffer.byteLength(report)).toBeLessThan(maxExportReportBytes);
  expect(parseExportReport(report)?.warningCount).toBe(20_001);
});
