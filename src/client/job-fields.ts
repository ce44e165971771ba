/** What the fields of a job mean; apart from their schemas in `contract.ts`, which are loaded when an answer is there. */
import { isJsonObject } from "../base/text.ts";

/** Statuses that end an export job; any other value means that it is still under way (specification §3.2). */
export const endedExportStatuses = ["completed", "failed"] as const;

/** Statuses that end an agent job (specification §3.1). */
export const endedAgentStatuses = ["completed", "archived", "failed"] as const;

/** Identifier of a job: one word that can stand in a path; a number is taken for its digits. */
export function readJobId(value: unknown): string | undefined {
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const id = isNumber ? String(value) : value;
  return typeof id === "string" && /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id) ? id : undefined;
}

/**
 * Progress in percent (0 to 100): from a number, "42%", `{percent}`, or `{done, total}`; `undefined` where it cannot be
 * told. A number is a percentage: the documented type; no platform is known to send a fraction of one.
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

/** A page count as a whole number, also where it was sent as text; `undefined` where it is neither. */
export function readPageCount(pageCount: string | number | null | undefined): number | undefined {
  if (pageCount === undefined || pageCount === null || pageCount === "") return undefined;
  const count = Number(pageCount);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

/**
 * A point in time as platforms send it: a date-time, or seconds or milliseconds since the epoch, as number or text.
 *
 * @returns `undefined` where it is none of these.
 */
export function readTimestamp(value: string | number | null | undefined): Date | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  // Seconds stay below 1e11 until the year 5138; milliseconds have been above it since 1973.
  const date = Number.isFinite(number) ? new Date(number < 1e11 ? number * 1000 : number) : new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
