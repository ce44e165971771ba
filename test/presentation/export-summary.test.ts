import { describe, expect, test } from "vitest";
import { type ExportSummary, renderExportSummary } from "../../src/presentation/export-summary.ts";

const summary: ExportSummary = {
  subject: "docs.example.com",
  jobId: "se_1",
  pageCount: 12,
  bundle: { path: "docs-export.zip", size: 1500, sha256: "ab".repeat(32), files: 30, isKept: false },
  expiresAt: undefined,
  sitePath: undefined,
  artifact: undefined,
  valuesFile: undefined,
  tookMs: 4000,
};

describe("the summary of an export", () => {
  test("counts in words that fit", () => {
    expect(renderExportSummary(summary)).toContain("1.5 kB (1500 bytes), 30 files");
    const tiny = { ...summary, bundle: { ...summary.bundle, size: 1, files: 1 } };
    expect(renderExportSummary(tiny)).toContain("1 byte (1 byte), 1 file\n");
  });

  test("warns of an export without pages, and only of that", () => {
    expect(renderExportSummary({ ...summary, pageCount: 0 })).toContain(
      "> [!WARNING]\n> The export holds no page.",
    );
    expect(renderExportSummary(summary)).not.toContain("WARNING");
    expect(renderExportSummary({ ...summary, pageCount: undefined })).not.toContain("WARNING");
  });
});
