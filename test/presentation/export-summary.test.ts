import { describe, expect, test } from "vitest";
import { parseExportReport } from "../../src/base/export-report.ts";
import { type ExportSummary, renderExportSummary } from "../../src/presentation/summaries.ts";

const summary: ExportSummary = {
  subject: "docs.example.com",
  jobId: "se_1",
  pageCount: 12,
  report: undefined,
  isFailure: false,
  bundle: { path: "docs-export.zip", size: 1500, sha256: "ab".repeat(32), files: 30, isCached: false },
  expiresAt: undefined,
  isExpired: false,
  sitePath: undefined,
  artifact: undefined,
  valuesFile: undefined,
  tookMs: 4000,
};

const render = (report: object) =>
  renderExportSummary({ ...summary, report: parseExportReport(JSON.stringify(report)) });

describe("the summary of an export", () => {
  test("uses the singular and plural of units", () => {
    expect(renderExportSummary(summary)).toContain("1.5 kB (1500 bytes), 30 files");
    const tiny = { ...summary, bundle: { ...summary.bundle, size: 1, files: 1 } };
    expect(renderExportSummary(tiny)).toContain("1 byte (1 byte), 1 file\n");
  });

  test("names what was stored, and where", () => {
    const artifact = {
      name: "docs_export",
      url: "https://github.com/o/r/artifacts/1",
      digest: "cd".repeat(32),
    };
    const valuesFile = { path: "deploy/values.yaml", isChanged: true };
    const text = renderExportSummary({ ...summary, sitePath: "site", artifact, valuesFile });
    expect(text.slice(text.indexOf("SHA-256"))).toMatchInlineSnapshot(`
      "SHA-256: \`abababababababababababababababababababababababababababababababab\`
      - Site: \`site\`
      - Artifact: [docs\\_export](https://github.com/o/r/artifacts/1), SHA-256 \`cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd\`
      - Values file: \`deploy/values.yaml\`, updated
      - Duration: 4 s
      "
    `);
  });

  test("marks an expiry that has passed", () => {
    const expiresAt = new Date("2020-01-01T00:00:00Z");
    expect(renderExportSummary({ ...summary, expiresAt })).toContain("2020-01-01 00:00 UTC\n");
    expect(renderExportSummary({ ...summary, expiresAt, isExpired: true })).toContain(
      "2020-01-01 00:00 UTC, which has passed\n",
    );
  });

  test("counts the report's warnings and lists the first ones as escaped text", () => {
    const warnings = [
      { kind: "link", page: "a`b.mdx", line: 3, message: "the link @octocat <b> is broken" },
      ...Array.from({ length: 60 }, (_, at) => ({ kind: "icon", page: `p${at}.md`, message: `none: ${at}` })),
    ];
    const report = { pageCount: 61, warningCount: 3016, warningsByKind: { icon: 3015, link: 1 }, warnings };
    const text = render(report);
    expect(text).toContain(
      "> [!NOTE]\n> The export has 3016 warnings (icon 3015, link 1); the bundle's `export-report.json` lists them.",
    );
    expect(text).toContain("<details><summary>The first 50 warnings</summary>");
    expect(text.match(/^- .*: none: \d+$/gm)).toHaveLength(49);
    expect(text).toContain("``a`b.mdx:3`` (link): the link");
    expect(text).not.toMatch(/@octocat|<b>/);
    const none = { pageCount: 61, warningCount: 0, warningsByKind: {}, warnings: [] };
    expect(render(none)).toBe(renderExportSummary(summary));
  });

  test("lists a warning about many pages once", () => {
    const warnings = ["v2/a.md", "v1/a.md", "v1/b.md"].map((page) => ({
      kind: "icon",
      page,
      message: "no icon",
    }));
    const report = { pageCount: 3, warningCount: 4, warningsByKind: { icon: 4 }, warnings };
    const other = { kind: "link", page: "v1/a.md", line: 3, message: "no icon" };
    const text = render({ ...report, warnings: [...warnings, other] });
    expect(text).toContain(
      "<summary>Details</summary>\n\n- `v2/a.md` and 2 more (icon): no icon\n- `v1/a.md:3` (link): no icon\n\n",
    );
    expect(render(report)).toContain("<summary>The first 1 warning</summary>");
  });
});
