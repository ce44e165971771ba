/** The report that an export may hold: what its site does not show as the authors meant it. */
import * as z from "zod/mini";
import { parseJson } from "./text.ts";

/** Path of the report in a bundle. */
export const exportReportPath = "export-report.json";

/** A longer report is not kept while the bundle is verified. */
export const maxExportReportBytes = 8 * 1024 * 1024;

const Warning = z.object({
  kind: z.string(),
  page: z.string(),
  line: z.optional(z.int()),
  message: z.string(),
});

const ExportReport = z.object({
  pageCount: z.int(),
  warningCount: z.int().check(z.nonnegative()),
  warningsByKind: z.record(z.string(), z.int()),
  /** The first of them; there may be fewer than `warningCount`. */
  warnings: z.array(Warning),
});
export type ExportReport = z.infer<typeof ExportReport>;

/** Reads the text of a report, which is not trusted; `undefined` for what is none. */
export function parseExportReport(text: string): ExportReport | undefined {
  return ExportReport.safeParse(parseJson(text)).data;
}
