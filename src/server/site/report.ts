/** The report of an export: everything that the site does not show as intended. */
import { shorten } from "../../base/text.ts";

/** Type of a warning. The report counts warnings by type. */
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

/** Content that was left out or is shown differently. */
export interface Warning {
  readonly kind: WarningKind;
  /** Path of the source file from the documents folder. */
  readonly page: string;
  /** Line in that file, starting at 1, if known. */
  readonly line?: number;
  readonly message: string;
}

/** Receives a warning about a file. */
export type WarningReporter = (page: string, message: string, kind: WarningKind, line?: number) => void;

/** Receives a warning about the current page. */
export type PageReporter = (message: string, kind: WarningKind, line?: number) => void;

/** A message may name an address or keys of any length. */
const maxMessageLength = 1_000;

/** Creates a collector of warnings, each once: languages of a site, for instance, often repeat the same configuration. */
export function collectWarnings() {
  const warnings: Warning[] = [];
  const collected = new Set<string>();
  const onWarning: WarningReporter = (page, whole, kind, line) => {
    const message = shorten(whole, maxMessageLength);
    const warning = { kind, page, ...(line !== undefined && { line }), message };
    const key = JSON.stringify(warning);
    if (!collected.has(key)) warnings.push(warning);
    collected.add(key);
  };
  return { warnings, onWarning };
}

/** Maximum number of warnings in a report. `warningCount` has the total. */
const maxWarnings = 20_000;

/** The number of warnings of each type, in descending order. */
export function countWarnings(warnings: readonly Warning[]): Readonly<Partial<Record<WarningKind, number>>> {
  const counts = [...Map.groupBy(warnings, ({ kind }) => kind)].map(
    ([kind, { length }]) => [kind, length] as const,
  );
  return Object.fromEntries(counts.sort((left, right) => right[1] - left[1]));
}

/** Prints the report file of the bundle. docs/exported-site.md describes its fields. */
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
