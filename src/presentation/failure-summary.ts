/** The job summary of a run that failed: what went wrong, the next step, and what is known all the same. */
import { shorten } from "../base/text.ts";
import { codeCell, escapeInline } from "./escape-markdown.ts";

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
    "| | |",
    "|---|---|",
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    "",
  ].join("\n");
}
