/** The job summary of `reconcile`. */
import { codeCell, escapeInline } from "./escape-markdown.ts";

export interface ReconciledRow {
  readonly where: string;
  readonly url: string | undefined;
  readonly jobId: string | undefined;
  readonly kind: string;
  readonly detail: string;
}

/** What became of each open request, and what was not looked at. */
export function renderReconcileSummary(rows: readonly ReconciledRow[], notes: readonly string[]): string {
  const limits = notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${escapeInline(note)}`)];
  return ["### Docs reconcile", "", ...renderRows(rows), ...limits, ""].join("\n");
}

function renderRows(rows: readonly ReconciledRow[]): string[] {
  if (rows.length === 0) return ["No open request was found."];
  return [
    "| Request | Job | Result | |",
    "|---|---|---|---|",
    ...rows.map(({ where, url, jobId, kind, detail }) => {
      const name = escapeInline(where);
      const place = url !== undefined && URL.canParse(url) ? `[${name}](${new URL(url).href})` : name;
      return `| ${place} | ${jobId === undefined ? "" : codeCell(jobId)} | ${escapeInline(kind)} | ${escapeInline(detail)} |`;
    }),
  ];
}
