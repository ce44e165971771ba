/** The job summaries of `reconcile`, of `doctor`, and of runs that failed or had nothing to do. */
import { shorten } from "../base/text.ts";
import { codeCell, escapeInline, factTable, pageLink } from "./markdown.ts";

/** The summary of a run that had nothing to do, or was not allowed to. */
export function renderSkipped(command: string, message: string): string {
  return `### Docs ${escapeInline(command)}: skipped\n\n${escapeInline(message)}\n`;
}

export interface FailureSummary {
  readonly command: string;
  readonly outcome: string;
  readonly report: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly status?: number;
    readonly requestId?: string;
  };
  /** Outputs set before the failure. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** What went wrong, the next step, and what is known all the same. */
export function renderFailureSummary({ command, outcome, report, facts }: FailureSummary): string {
  const rows = [
    ["Outcome", codeCell(outcome)],
    ["Code", codeCell(report.code)],
    ...(report.status === undefined ? [] : [["HTTP status", codeCell(String(report.status))]]),
    ...(report.requestId === undefined ? [] : [["Request", codeCell(report.requestId)]]),
    ...facts.map(({ name, value }) => [codeCell(name), codeCell(shorten(value, 200))]),
  ];
  return [
    `### Docs automation: ${escapeInline(command)}`,
    "",
    `**${escapeInline(report.message)}**`,
    "",
    // A hint is our own text: its code spans are meant.
    report.hint,
    "",
    ...factTable(rows),
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
    const location = pageLink(name, url)[0] ?? name;
    return `| ${location} | ${jobId === undefined ? "" : codeCell(jobId)} | ${escapeInline(kind)} | ${escapeInline(detail)} |`;
  });
  const table = ["| Request | Job | Result | |", "|---|---|---|---|", ...lines];
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

interface DoctorSummary {
  readonly outcome: "healthy" | "unhealthy";
  readonly findings: readonly Finding[];
}

const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };

/** The findings of a diagnosis, each with its next step. */
export function renderDoctorSummary({ outcome, findings }: DoctorSummary): string {
  const rows = findings.map(
    ({ subject, result, detail, isQuoted, hint }) =>
      `| ${marks[result]} ${result} | ${cell(subject)} | ${isQuoted ? escapeInline(detail) : cell(detail)} | ${cell(hint ?? "")} |`,
  );
  return [
    `### Set-up: ${outcome}`,
    "",
    "| | what | finding | next step |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function cell(markdown: string): string {
  return markdown.replaceAll("|", "\\|").replaceAll("\n", " ");
}
