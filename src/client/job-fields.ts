/** Reads the fields of jobs. Separate from `contract.ts`, whose schema library is loaded only with the first response. */
import { isJsonObject } from "../base/text.ts";

/** Final statuses of an export job. With any other status the job is still running (specification §3.2). */
export const endedExportStatuses = ["completed", "failed"] as const;

/** Final statuses of an agent job (specification §3.1). */
export const endedAgentStatuses = ["completed", "archived", "failed"] as const;

/** Reads the identifier of a job: a word that is safe in a URL path. A number is converted to text. */
export function readJobId(value: unknown): string | undefined {
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const id = isNumber ? String(value) : value;
  return typeof id === "string" && /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id) ? id : undefined;
}

/**
 * Reads progress as a percentage (0 to 100) from a number, "42%", `{percent}` or `{done, total}`; `undefined` for anything else. A
 * number is a percentage: no known platform sends a fraction between 0 and 1.
 */
export function readPercent(progress: unknown): number | undefined {
  const value = percentOf(progress);
  const isPercentage = typeof value === "number" && value >= 0 && value <= 100;
  return isPercentage ? Math.round(value * 10) / 10 : undefined;
}

function percentOf(progress: unknown): unknown {
  if (typeof progress === "string") return Number(/^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(progress)?.[1]);
  if (!isJsonObject(progress)) return progress;
  const { percent, percentage, done, total } = progress;
  const isShare = typeof done === "number" && typeof total === "number" && total > 0;
  return isShare ? (100 * done) / total : (percent ?? percentage);
}

/** Reads a page count, which may be sent as text; `undefined` if it is not a whole number. */
export function readPageCount(pageCount: string | number | null | undefined): number | undefined {
  if (pageCount === undefined || pageCount === null || pageCount === "") return undefined;
  const count = Number(pageCount);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** Reads a date-time, or seconds or milliseconds since the epoch as number or text; `undefined` for anything else. */
export function readTimestamp(value: string | number | null | undefined): Date | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  // Seconds are below 1e11 until the year 5138; milliseconds have been above it since 1973.
  const date = Number.isFinite(number) ? new Date(number < 1e11 ? number * 1000 : number) : new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
