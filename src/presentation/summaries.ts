/** The job summaries of `reconcile`, of `doctor`, and of runs that failed or had nothing to do. */
import type { ErrorReport } from "../base/errors.ts";
import { shorten } from "../base/text.ts";
import { codeBlock, codeCell, codeSpan, escapeInline, factList, pageLink } from "./markdown.ts";

/** The summary of a run that had nothing to do, or was not allowed to; `link` leads to the page that says more. */
export function renderSkipped(command: string, message: string, link?: string): string {
  const page = link === undefined ? "" : `\n${link}\n`;
  return `### Docs ${escapeInline(command)}: skipped\n\n${escapeInline(message)}\n${page}`;
}

/** Anyone who knows a request's reference could pass a pull request off as the agent's; a summary is widely readable. */
const reference = /\bdocs-automation-[0-9a-f]{24}\b/g;

/** The summary of a dry run: what would be sent, except for an agent's reference. */
export function renderDryRun(command: string, request: string, content: string | undefined): string {
  const shown = content?.replaceAll(reference, "docs-automation-…");
  const block = shown === undefined ? "." : ` with this:\n\n${codeBlock(shown)}`;
  return `### Docs ${command}: dry run\n\nNothing was sent. The first request would be ${codeSpan(request)}${block}\n`;
}

export interface FailureSummary {
  readonly command: string;
  readonly outcome: string;
  readonly report: Omit<ErrorReport, "class" | "code" | "retryable"> & { readonly code: string };
  /** Outputs set before the failure. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly versions: string;
}

/** What went wrong, the next step, and what is known all the same. */
export function renderFailureSummary({ command, outcome, report, facts, versions }: FailureSummary): string {
  const list = factList([
    ["Outcome", codeSpan(outcome)],
    ["Code", codeSpan(report.code)],
    ["HTTP status", report.status === undefined ? undefined : codeSpan(String(report.status))],
    ["Request", report.requestId && codeSpan(report.requestId)],
    ...facts.map(({ name, value }) => [codeSpan(name), codeSpan(shorten(value, 200))] as const),
    ["Versions", codeSpan(versions)],
  ]);
  return [
    `### Docs automation: ${escapeInline(command)}`,
    "",
    `**${escapeInline(report.message)}**`,
    "",
    // A hint is our own text: its code spans are meant.
    `${report.hint} [More about this error](${report.docsUrl})`,
    "",
    ...list,
    "",
  ].join("\n");
}

export interface ReconciledRow {
  readonly where: string;
  readonly url: string | undefined;
  readonly jobId: string | undefined;
  readonly kind: string;
  readonly detail: string;
}

/** How each open request ended, and what was not checked. */
export function renderReconcileSummary(rows: readonly ReconciledRow[], notes: readonly string[]): string {
  const lines = rows.map(({ where, url, jobId, kind, detail }) => {
    const name = escapeInline(where);
    return `| ${pageLink(name, url) ?? name} | ${jobId === undefined ? "" : codeCell(jobId)} | ${escapeInline(kind)} | ${escapeInline(detail)} |`;
  });
  const table = ["| Request | Job | Result | Detail |", "|---|---|---|---|", ...lines];
  return [
    "### Docs reconcile",
    "",
    ...(rows.length === 0 ? ["No open request was found."] : table),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${escapeInline(note)}`)]),
    "",
  ].join("\n");
}

/** One finding of a diagnosis; `unknown`: it shows only by doing something. */
export interface Finding {
  readonly subject: string;
  readonly result: "ok" | "advice" | "problem" | "unknown";
  /** Markdown of ours; plain text where it quotes others. */
  readonly detail: string;
  readonly isQuoted?: true;
  /** The next step, where there is one. */
  readonly hint?: string;
}

const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };

/** The findings of a diagnosis, each with its next step. */
export function renderDoctorSummary(outcome: "healthy" | "unhealthy", findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ subject, result, detail, isQuoted, hint }) =>
      `| ${marks[result]} ${result} | ${cell(subject)} | ${isQuoted ? escapeInline(detail) : cell(detail)} | ${cell(hint ?? "")} |`,
  );
  return [
    `### Set-up: ${outcome}`,
    "",
    "| Result | What | Finding | Next step |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function cell(markdown: string): string {
  return markdown.replaceAll("|", "\\|").replaceAll("\n", " ");
}
