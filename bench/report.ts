/** The frame of the benchmarks: what each returns, and how `docs/benchmarks.md` shows it. */
import { cpus, release, totalmem } from "node:os";

export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What a benchmark found. Every figure is a count, or a ratio to something that was measured in the same run. */
export interface Report {
  /** What is measured, and how; Markdown. */
  readonly intro: string;
  readonly tables: readonly Table[];
}

export interface Benchmark {
  /** The heading of its section. */
  readonly title: string;
  run(args: readonly string[]): Promise<Report>;
}

/** The benchmarks, each a file of this folder, in the order of their sections. */
export const benchmarks = [
  "startup",
  "waiting",
  "transfer",
  "upload",
  "requests",
  "platform",
  "cluster",
  "search",
  "retrieval",
  "answers",
  "acknowledgement",
  "weight",
] as const;

/** The body of a section: how to repeat it, where it was measured, and the tables, aligned for a terminal too. */
export function renderReport({ intro, tables }: Report, command: string, measuredOn: string): string {
  const parts = tables.flatMap(({ caption, columns, rows }) => [caption, renderTable([columns, ...rows])]);
  return [`\`${command}\`, ${measuredOn}.`, intro, ...parts].join("\n\n");
}

function renderTable(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => String(cell).replaceAll("|", "\\|")));
  const widths =
    cells[0]?.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = cells.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return lines
    .toSpliced(1, 0, rule)
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
}

/**
 * The page with the text below one of its headings replaced.
 *
 * @throws when the page has no such heading.
 */
export function replaceSection(page: string, title: string, body: string): string {
  const heading = `\n## ${title}\n`;
  const start = page.indexOf(heading);
  if (start === -1)
    throw new Error(`docs/benchmarks.md has no heading “${title}”: write it where it belongs.`);
  const next = page.indexOf("\n## ", start + heading.length);
  return `${page.slice(0, start)}${heading}\n${body}\n${next === -1 ? "" : page.slice(next)}`;
}

/** Date, Node and machine of this run: "2026-01-31, Node v24.0.0, Linux 6.1, 2 cores (…), 8 GB". */
export function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${date}, Node ${process.version}, Linux ${Number.parseFloat(release())}, ${cpus().length} cores (${cpu?.model.trim()}), ${memory}`;
}
