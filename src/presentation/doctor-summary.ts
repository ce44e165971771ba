/** The job summary of a diagnosis. */
import { escapeInline } from "./escape-markdown.ts";

interface DoctorSummary {
  readonly outcome: "healthy" | "unhealthy";
  readonly findings: readonly {
    readonly subject: string;
    readonly verdict: "ok" | "advice" | "problem" | "unknown";
    /** Markdown of ours; plain text where it quotes somebody else. */
    readonly detail: string;
    readonly isQuoted?: true;
    readonly hint?: string;
  }[];
}

const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };

export function renderDoctorSummary({ outcome, findings }: DoctorSummary): string {
  const rows = findings.map(
    ({ subject, verdict, detail, isQuoted, hint }) =>
      `| ${marks[verdict]} ${verdict} | ${cell(subject)} | ${isQuoted ? escapeInline(detail) : cell(detail)} | ${cell(hint ?? "")} |`,
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
