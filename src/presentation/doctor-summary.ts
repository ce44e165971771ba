/** The job summary of a diagnosis. */

interface DoctorSummary {
  readonly outcome: "healthy" | "unhealthy";
  readonly findings: readonly {
    readonly subject: string;
    readonly verdict: "ok" | "advice" | "problem" | "unknown";
    /** Markdown. */
    readonly detail: string;
    readonly hint?: string;
  }[];
}

const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };

export function renderDoctorSummary({ outcome, findings }: DoctorSummary): string {
  const rows = findings.map(
    ({ subject, verdict, detail, hint }) =>
      `| ${marks[verdict]} ${verdict} | ${cell(subject)} | ${cell(detail)} | ${cell(hint ?? "")} |`,
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
