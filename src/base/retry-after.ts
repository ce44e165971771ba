/**
 * Reads `Retry-After` (seconds or an HTTP date, RFC 9110 §10.2.3).
 *
 * @returns milliseconds from `nowMs`, never negative; `undefined` where the header is absent or not understood.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  // An HTTP date names its month: what Date.parse makes of bare numbers is not one.
  const dateMs = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
