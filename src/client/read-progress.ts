/** Reads the job record's `progress` and `pageCount`, whose types the specification leaves open (§2.4). */
import type { ExportJob } from "./contract.ts";

/**
 * Progress in percent (0 to 100): from a number, "42%", `{percent}`, or `{done, total}`; `undefined` where it cannot be
 * told. A number is a percentage: the documented type; no platform is known to send a fraction of one.
 */
export function readPercent(progress: ExportJob["progress"]): number | undefined {
  if (progress === undefined || progress === null) return undefined;
  if (typeof progress === "number") return toPercent(progress);
  if (typeof progress === "string") {
    const match = /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(progress);
    return match ? toPercent(Number(match[1])) : undefined;
  }
  const { percent, percentage, done, total } = progress;
  if (done !== undefined && total !== undefined && total > 0) return toPercent((100 * done) / total);
  return toPercent(percent ?? percentage ?? Number.NaN);
}

/** A page count as a whole number, also where it was sent as text; `undefined` where it is neither. */
export function readPageCount(pageCount: ExportJob["pageCount"]): number | undefined {
  if (pageCount === undefined || pageCount === null || pageCount === "") return undefined;
  const count = Number(pageCount);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

function toPercent(value: number): number | undefined {
  return Number.isFinite(value) && value >= 0 && value <= 100 ? Math.round(value * 10) / 10 : undefined;
}
