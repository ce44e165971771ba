/** The job summary of an export. */
import type { ExportReport } from "../base/export-report.ts";
import { formatBytes, formatCount, formatDuration } from "../base/text.ts";
import { codeSpan, escapeInline, formatTime, renderDetails } from "./markdown.ts";

export interface ExportSummary {
  /** The site, or the ID of the job whose bundle was downloaded. */
  readonly subject: string;
  readonly jobId: string;
  readonly pageCount: number | undefined;
  readonly bundle: {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
    readonly files: number;
    readonly isCached: boolean;
  };
  readonly report: ExportReport | undefined;
  /** Whether the report's warnings fail the step. */
  readonly isFailure: boolean;
  /** `null` if the link ended with the embedded platform. */
  readonly expiresAt: Date | undefined | null;
  readonly isExpired: boolean;
  readonly sitePath: string | undefined;
  readonly artifact: { readonly name: string; readonly url: string; readonly digest: string } | undefined;
  readonly valuesFile: { readonly path: string; readonly isChanged: boolean } | undefined;
  readonly tookMs: number;
}

/** The summary of a bundle that was downloaded and verified. */
export function renderExportSummary(summary: ExportSummary): string {
  const { bundle, sitePath, artifact, valuesFile } = summary;
  const size = `${formatBytes(bundle.size)} (${formatCount(bundle.size, "byte")})`;
  const state = valuesFile?.isChanged ? "updated" : "already up to date";
  const details = [
    ["Job", codeSpan(summary.jobId)],
    ["Pages", summary.pageCount === undefined ? "not reported" : String(summary.pageCount)],
    ["Bundle", `${codeSpan(bundle.path)}, ${size}, ${formatCount(bundle.files, "file")}`],
    ["SHA-256", codeSpan(bundle.sha256)],
    ["Link expires", describeExpiry(summary)],
    ["Site", sitePath && codeSpan(sitePath)],
    [
      "Artifact",
      artifact && `[${escapeInline(artifact.name)}](${artifact.url}), SHA-256 ${codeSpan(artifact.digest)}`,
    ],
    ["Values file", valuesFile && `${codeSpan(valuesFile.path)}, ${state}`],
    ["Duration", formatDuration(summary.tookMs)],
  ] as const;
  return [
    `### Documentation export: ${escapeInline(summary.subject)}`,
    "",
    bundle.isCached
      ? "The bundle was verified. It was in the runner's cache, so nothing was downloaded."
      : "The bundle was downloaded and verified.",
    "",
    ...renderDetails(details),
    "",
    ...(summary.pageCount === 0 ? ["> [!WARNING]", `> ${noPages} ${noPagesHint}`, ""] : []),
    ...listWarnings(summary),
  ].join("\n");
}

function describeExpiry({ expiresAt, isExpired }: ExportSummary): string | undefined {
  if (expiresAt === null) return undefined;
  if (expiresAt === undefined) return "not reported";
  return isExpired ? `${formatTime(expiresAt)}, which has passed` : formatTime(expiresAt);
}

const maxKinds = 12;
/** The bundle's report lists all warnings. */
const maxListed = 50;

/** The number of warnings, in total and of each kind, as one sentence. */
export function describeWarnings({ warningCount, warningsByKind }: ExportReport): string {
  const kinds = Object.entries(warningsByKind).slice(0, maxKinds);
  const counts = kinds.map(([kind, count]) => `${kind.replace(/[^\w-]/g, "").slice(0, 40)} ${count}`);
  const list = counts.length === 0 ? "" : ` (${counts.join(", ")})`;
  return `The export has ${formatCount(warningCount, "warning")}${list}; the bundle's \`export-report.json\` lists them.`;
}

function listWarnings({ report, isFailure }: Pick<ExportSummary, "report" | "isFailure">): string[] {
  if (report === undefined || report.warningCount === 0) return [];
  const { groups } = report;
  const rows = groups
    .slice(0, maxListed)
    .map(
      ({ kind, location, more, message }) =>
        `- ${codeSpan(location)}${more} (${escapeInline(kind)}): ${escapeInline(message)}`,
    );
  const isComplete = rows.length === groups.length && report.warnings.length === report.warningCount;
  const title = isComplete ? "Details" : `The first ${formatCount(rows.length, "warning")}`;
  return [
    isFailure ? "> [!CAUTION]" : "> [!NOTE]",
    `> ${isFailure ? "`fail-on-warnings` fails this step. " : ""}${describeWarnings(report)}`,
    "",
    ...(rows.length === 0 ? [] : [`<details><summary>${title}</summary>`, "", ...rows, "", "</details>", ""]),
  ];
}

/** The warning about an export without pages, which otherwise looks like a success, and its hint. */
export const noPages = "The export contains no pages.";
export const noPagesHint = "Check `docs-dir` (with `base-url: local`), `domain` and `export-paths`.";

/** The summary of an export that was started without waiting for it. */
export function renderDetachedExport(jobId: string): string {
  return [
    "### Documentation export: started",
    "",
    `Export job ${codeSpan(jobId)} is running on the platform. To download its bundle, run the export again with \`job-id: ${jobId.replace(/[^\w.-]/g, "")}\`.`,
    "",
  ].join("\n");
}
