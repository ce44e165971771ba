/** The report in an exported bundle. It lists content that the exported site cannot show as in the source. */
import * as z from "zod/mini";
import { parseJson } from "./text.ts";

export const exportReportPath = "export-report.json";

/** A longer report is not read; those of the embedded platform are shorter. */
export const maxExportReportBytes = 32 * 1024 * 1024;

const ReportedWarning = z.object({
  kind: z.string(),
  page: z.string(),
  line: z.optional(z.int()),
  message: z.string(),
});

const ReportFile = z.object({
  pageCount: z.int(),
  warningCount: z.int().check(z.nonnegative()),
  warningsByKind: z.record(z.string(), z.int()),
  /** The first warnings; there may be fewer than `warningCount`. */
  warnings: z.array(ReportedWarning),
});

export type ExportReport = z.infer<typeof ReportFile> & {
  readonly groups: ReturnType<typeof groupWarnings>;
};

/** Parses the untrusted text of a report, and groups its warnings; `undefined` if it is not a report. */
export function parseExportReport(text: string): ExportReport | undefined {
  const { data } = ReportFile.safeParse(parseJson(text));
  return data && { ...data, groups: groupWarnings(data.warnings) };
}

type ReportedWarning = z.infer<typeof ReportedWarning>;

/**
 * Lists each message once, with its first location and the number of further ones. The same cause often affects many pages, such as
 * those of all versions.
 */
export function groupWarnings(warnings: readonly ReportedWarning[]) {
  const groups = Map.groupBy(warnings, ({ kind, message }) => JSON.stringify([kind, message]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { kind, page, line, message } = first;
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const location = line === undefined ? page : `${page}:${line}`;
    return [{ kind, message, page, line, location, more }];
  });
}
