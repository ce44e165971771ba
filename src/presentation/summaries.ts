/** The job summaries of `export`, `reconcile` and `doctor`, and of runs that failed or were skipped. */
import type { ErrorReport } from "../base/errors.ts";
import type { ExportReport } from "../base/export-report.ts";
import { formatBytes, formatCount, formatDuration, shorten } from "../base/text.ts";
import {
  codeBlock,
  codeSpan,
  escapeInline,
  escapeMessage,
  formatTime,
  pageLink,
  renderDetails,
} from "./markdown.ts";

/** The summary of a skipped run; `page` is the URL of a page with more details. */
export function renderSkipped(command: string, message: string, page?: string): string {
  const link = pageLink("Details", page);
  const lines = [`### Docs ${escapeInline(command)}: skipped`, escapeMessage(message), link];
  return `${lines.filter(Boolean).join("\n\n")}\n`;
}

/** Hidden because a summary is public: with a known reference, anyone can make a pull request look like the agent's. */
const reference = /\bdocs-automation-[0-9a-f]{24}\b/g;

/** The summary of a dry run: the first request and its content, without the agent's reference. */
export function renderDryRun(command: string, request: string, content: string | undefined): string {
  const shown = content?.replaceAll(reference, "docs-automation-…");
  const block = shown === undefined ? "." : ` with this content:\n\n${codeBlock(shown)}`;
  return `### Docs ${command}: dry run\n\nNothing was sent. The first request would be ${codeSpan(request)}${block}\n`;
}

export interface FailureSummary {
  readonly command: string;
  readonly outcome: string;
  /** All problems of the inputs, or the error's message. */
  readonly problems: readonly string[];
  readonly report: Omit<ErrorReport, "class" | "code" | "message" | "retryable"> & { readonly code: string };
  readonly outputs: readonly { readonly name: string; readonly value: string }[];
  readonly versions: string;
}

/** The error, its hint, and the outputs that were set before it. */
export function renderFailureSummary(failure: FailureSummary): string {
  const { command, outcome, problems, report, outputs, versions } = failure;
  const details = renderDetails([
    ["Outcome", codeSpan(outcome)],
    ["Code", codeSpan(report.code)],
    ["HTTP status", report.status === undefined ? undefined : codeSpan(String(report.status))],
    ["Request", report.requestId && codeSpan(report.requestId)],
    ...outputs.map(({ name, value }) => [codeSpan(name), codeSpan(shorten(value, 200))] as const),
    ["Versions", codeSpan(versions)],
  ]);
  return [
    `### Docs automation: ${escapeInline(command)}`,
    "",
    ...(problems.length === 1
      ? [`**${escapeMessage(problems[0] ?? "")}**`]
      : problems.map((problem) => `- ${escapeMessage(problem)}`)),
    "",
    // Hints are constants of this project with intended code spans.
    `${report.hint} [More about this error](${report.docsUrl})`,
    "",
    ...details,
    "",
  ].join("\n");
}

export interface ReconciledRow {
  readonly name: string;
  readonly url: string | undefined;
  readonly jobId: string | undefined;
  readonly kind: string;
  readonly detail: string;
}

/** The result of each open request, and notes on what was not checked. */
export function renderReconcileSummary(rows: readonly ReconciledRow[], notes: readonly string[]): string {
  const lines = rows.map(({ name, url, jobId, kind, detail }) => {
    const label = escapeInline(name);
    return `| ${pageLink(label, url) ?? label} | ${escapeInline(jobId ?? "")} | ${escapeInline(kind)} | ${escapeInline(detail)} |`;
  });
  const table = ["| Request | Job | Result | Detail |", "|---|---|---|---|", ...lines];
  return [
    "### Docs reconcile",
    "",
    ...(rows.length === 0 ? ["No open requests found."] : table),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${escapeMessage(note)}`)]),
    "",
  ].join("\n");
}

/** One finding of `doctor`; `unknown`: it cannot be checked without side effects. */
export interface Finding {
  readonly subject: string;
  readonly result: "ok" | "advice" | "problem" | "unknown";
  /** Markdown, or untrusted plain text if `isQuoted`. */
  readonly detail: string;
  readonly isQuoted?: true;
  /** The next step; empty if there is none. */
  readonly hint: string;
}

const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };

/** The findings of `doctor`, each with its next step. */
export function renderDoctorSummary(outcome: "healthy" | "unhealthy", findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ subject, result, detail, isQuoted, hint }) =>
      `| ${marks[result]} ${result} | ${cell(subject)} | ${isQuoted ? escapeInline(detail) : cell(detail)} | ${cell(hint)} |`,
  );
  return [
    `### Setup: ${outcome}`,
    "",
    "| Result | Check | Finding | Next step |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function cell(markdown: string): string {
  return markdown.replaceAll("|", "\\|").replaceAll("\n", " ");
}

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
  /** `undefined` if it is not known, or the link ended with the embedded platform. */
  readonly expiresAt: Date | undefined;
  readonly isExpired: boolean;
  readonly sitePath: string | undefined;
  readonly artifact: { readonly name: string; readonly url: string; readonly digest: string } | undefined;
  readonly valuesFile: { readonly path: string; readonly isChanged: boolean } | undefined;
  readonly tookMs: number;
}

/** The summary of a bundle that was downloaded and verified. */
export function renderExportSummary(summary: ExportSummary): string {
  const { bundle, expiresAt, sitePath, artifact, valuesFile } = summary;
  const size = `${formatBytes(bundle.size)} (${formatCount(bundle.size, "byte")})`;
  const state = valuesFile?.isChanged ? "updated" : "already up to date";
  const details = [
    ["Job", codeSpan(summary.jobId)],
    ["Pages", summary.pageCount?.toString()],
    ["Bundle", `${codeSpan(bundle.path)}, ${size}, ${formatCount(bundle.files, "file")}`],
    ["SHA-256", codeSpan(bundle.sha256)],
    ["Link expires", expiresAt && `${formatTime(expiresAt)}${summary.isExpired ? ", which has passed" : ""}`],
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
