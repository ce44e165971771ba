/** The job summaries of `reconcile` and `doctor`, and of runs that failed or were skipped. */
import type { ErrorReport } from "../base/errors.ts";
import { shorten } from "../base/text.ts";
import { codeBlock, codeSpan, escapeInline, escapeMessage, pageLink, renderDetails } from "./markdown.ts";

/** The summary of a skipped run; `link` is a Markdown link to a page with more details. */
export function renderSkipped(command: string, message: string, link?: string): string {
  const page = link === undefined ? "" : `\n${link}\n`;
  return `### Docs ${escapeInline(command)}: skipped\n\n${escapeMessage(message)}\n${page}`;
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
export function renderFailureSummary({
  command,
  outcome,
  problems,
  report,
  outputs,
  versions,
}: FailureSummary): string {
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
  readonly hint?: string;
}

const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };

/** The findings of `doctor`, each with its next step. */
export function renderDoctorSummary(outcome: "healthy" | "unhealthy", findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ subject, result, detail, isQuoted, hint }) =>
      `| ${marks[result]} ${result} | ${cell(subject)} | ${isQuoted ? escapeInline(detail) : cell(detail)} | ${cell(hint ?? "")} |`,
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
