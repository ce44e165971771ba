/** The report of an export: everything that the site does not show as its author meant it. */

/** What a warning is about; the report counts by it. */
export type WarningKind =
  | "configuration"
  | "markup"
  | "script"
  | "component"
  | "icon"
  | "diagram"
  | "formula"
  | "api"
  | "link"
  | "media"
  | "file";

/** Something that was left out, or is shown in another way than it was written. */
export interface Warning {
  readonly kind: WarningKind;
  /** Source file, by its path from the documents folder. */
  readonly page: string;
  /** Line of that file, from 1, where it is known. */
  readonly line?: number;
  readonly message: string;
}

/** Takes a warning about a file. */
export type WarningReporter = (page: string, message: string, kind: WarningKind, line?: number) => void;

/** Takes a warning about the page at hand. */
export type PageReporter = (message: string, kind: WarningKind, line?: number) => void;

/** A reporter that is told each thing once. */
export function withoutRepeats<Told extends unknown[]>(
  report: (...told: Told) => void,
): (...told: Told) => void {
  const known = new Set<string>();
  return (...told) => {
    const key = JSON.stringify(told);
    if (!known.has(key)) report(...told);
    known.add(key);
  };
}

/** A warning about the page at hand. */
export type PageWarning = Omit<Warning, "page">;

/** Collects the warnings about a page. */
export function collectWarnings() {
  const warnings: PageWarning[] = [];
  const onWarning: PageReporter = (message, kind, line) =>
    void warnings.push({ kind, ...(line !== undefined && { line }), message });
  return { warnings, onWarning };
}

/** A report with more is cut: it says how many there are. */
const maxWarnings = 20_000;

/** How many warnings there are of each kind, most first. */
export function countWarnings(warnings: readonly Warning[]): Readonly<Partial<Record<WarningKind, number>>> {
  const counts = [...Map.groupBy(warnings, ({ kind }) => kind)].map(
    ([kind, { length }]) => [kind, length] as const,
  );
  return Object.fromEntries(counts.sort((left, right) => right[1] - left[1]));
}

/** The report as the bundle holds it; docs/exported-site.md describes the fields. */
export function printReport(pageCount: number, warnings: readonly Warning[]): string {
  const report = {
    formatVersion: 1,
    pageCount,
    warningCount: warnings.length,
    warningsByKind: countWarnings(warnings),
    warnings: warnings.slice(0, maxWarnings),
  };
  return `${JSON.stringify(report, null, 1)}\n`;
}
