/** The job summary of an export. */
import type { ExportReport } from "../base/export-report.ts";
import { formatDuration } from "../base/text.ts";
import { codeSpan, escapeInline, factList, formatBytes, formatCount, formatTime } from "./markdown.ts";

export interface ExportSummary {
  /** The site, or the job whose bundle was fetched. */
  readonly subject: string;
  readonly jobId: string;
  readonly pageCount: number | undefined;
  readonly bundle: {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
    readonly files: number;
    /** Whether the runner had it already. */
    readonly isCached: boolean;
  };
  /** What the site does not show as its authors meant it, where the bundle says. */
  readonly report: ExportReport | undefined;
  /** `null` where the link ended with the embedded platform. */
  readonly expiresAt: Date | undefined | null;
  readonly sitePath: string | undefined;
  readonly artifact:
    | { readonly name: string; readonly url: string; readonly digest: string | undefined }
    | undefined;
  readonly valuesFile:
    | { readonly path: string; readonly isChanged: boolean; readonly isDurable: boolean }
    | undefined;
  readonly tookMs: number;
}

/** The summary of a bundle that was downloaded and verified. */
export function renderExportSummary(summary: ExportSummary): string {
  const { bundle, expiresAt, sitePath, artifact, valuesFile } = summary;
  const digest = artifact?.digest === undefined ? "" : `, SHA-256 ${codeSpan(artifact.digest)}`;
  const size = `${formatBytes(bundle.size)} (${formatCount(bundle.size, "byte")})`;
  const state = valuesFile?.isChanged ? "updated" : "was current already";
  const facts = [
    ["Job", codeSpan(summary.jobId)],
    ["Pages", summary.pageCount === undefined ? "not reported" : String(summary.pageCount)],
    ["Bundle", `${codeSpan(bundle.path)}, ${size}, ${formatCount(bundle.files, "file")}`],
    ["SHA-256", codeSpan(bundle.sha256)],
    ["Link expires", describeExpiry(expiresAt)],
    ["Site", sitePath && codeSpan(sitePath)],
    ["Artifact", artifact && `[${escapeInline(artifact.name)}](${artifact.url})${digest}`],
    ["Values file", valuesFile && `${codeSpan(valuesFile.path)}, ${state}`],
    ["Took", formatDuration(summary.tookMs)],
  ] as const;
  return [
    `### Documentation export: ${escapeInline(summary.subject)}`,
    "",
    bundle.isCached
      ? "The bundle is verified. This runner had kept it, so nothing was downloaded."
      : "The bundle is downloaded and verified.",
    "",
    // Everything else about an export without pages looks like a success.
    ...(summary.pageCount === 0 ? ["> [!WARNING]", `> ${noPagesWarning}`, ""] : []),
    ...factList(facts),
    "",
    ...listWarnings(summary.report),
    ...warnOfExpiringLink(summary),
  ].join("\n");
}

function describeExpiry(expiresAt: ExportSummary["expiresAt"]): string | undefined {
  if (expiresAt === null) return undefined;
  return expiresAt ? formatTime(expiresAt) : "not reported";
}

const maxKinds = 12;
/** So many warnings are listed; the bundle's report has the others. */
const maxListed = 50;

/** How many warnings a report has, and of which kinds, as one sentence for the log. */
export function describeWarnings({ warningCount, warningsByKind }: ExportReport): string {
  const kinds = Object.entries(warningsByKind).slice(0, maxKinds);
  const counts = kinds.map(([kind, count]) => `${kind.replace(/[^\w-]/g, "").slice(0, 40)} ${count}`);
  const list = counts.length === 0 ? "" : ` (${counts.join(", ")})`;
  return `The export has ${formatCount(warningCount, "warning")}${list}; the bundle's \`export-report.json\` lists them.`;
}

function listWarnings(report: ExportReport | undefined): string[] {
  if (report === undefined || report.warningCount === 0) return [];
  const { warnings, warningCount } = report;
  const shown = warnings.slice(0, maxListed);
  const title = shown.length < warningCount ? `The first ${shown.length} of them` : "Details";
  const rows = shown.map(
    ({ kind, page, line, message }) =>
      `- ${codeSpan(line === undefined ? page : `${page}:${line}`)} (${escapeInline(kind)}): ${escapeInline(message)}`,
  );
  return [
    "> [!NOTE]",
    `> ${describeWarnings(report)}`,
    "",
    ...(rows.length === 0 ? [] : [`<details><summary>${title}</summary>`, "", ...rows, "", "</details>", ""]),
  ];
}

/** What is said of an export that holds no page. */
export const noPagesWarning =
  "The export holds no page. Check `docs-dir` (with `base-url: local`), `domain` and `export-paths`.";

/** A presigned link in a values file works only until it expires: the summary says when. */
function warnOfExpiringLink({ valuesFile, expiresAt }: ExportSummary): string[] {
  if (valuesFile === undefined || valuesFile.isDurable) return [];
  const expires = expiresAt ? `at ${formatTime(expiresAt)}` : "soon; the platform did not say when";
  return [
    "> [!WARNING]",
    `> The link in the values file expires ${expires}. A pod that starts later cannot fetch the bundle. Set \`values-bundle-url\` to an address that lasts, or refresh the file before then (\`job-id\` needs no new export).`,
    "",
  ];
}

/** The summary of an export that was started and left to run. */
export function renderDetachedExport(jobId: string): string {
  return [
    "### Documentation export: started",
    "",
    `Export job ${codeSpan(jobId)} runs at the platform. Run the export again with \`job-id: ${jobId.replace(/[^\w.-]/g, "")}\` to fetch its bundle.`,
    "",
  ].join("\n");
}
