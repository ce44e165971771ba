/** The job summary of `reconcile`. */
import { codeCell, escapeInline } from "./escape-markdown.ts";

export interface ReconciledRow {
  readonly where: string;
  readonly url: string | undefined;
  readonly jobId: string | undefined;
  readonly kind: string;
  readonly detail: string;
}

export function renderReconcileSummary(rows: readonly ReconciledRow[]): string {
  if (rows.length === 0) return "### Docs reconcile\n\nNo open request was found.\n";
  return [
    "### Docs reconcile",
    "",
    "| Request | Job | Result | |",
    "|---|---|---|---|",
    ...rows.map(({ where, url, jobId, kind, detail }) => {
      const name = escapeInline(where);
      const place = url !== undefined && URL.canParse(url) ? `[${name}](${new URL(url).href})` : name;
      return `| ${place} | ${jobId === undefined ? "" : codeCell(jobId)} | ${escapeInline(kind)} | ${escapeInline(detail)} |`;
    }),
    "",
  ].join("\n");
}
