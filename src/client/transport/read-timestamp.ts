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
