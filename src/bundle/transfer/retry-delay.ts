const firstDelayMs = 200;
const maxDelayMs = 10_000;
const maxRetryAfterMs = 5 * 60_000;

/** How long to wait before try `failures + 1`: full jitter, but never less than storage asked for. */
export function retryDelay(
  { failures, retryAfterMs }: { readonly failures: number; readonly retryAfterMs: number | undefined },
  random: () => number,
): number {
  const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** failures);
  return Math.max(random() * ceiling, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}

/**
 * Reads `Retry-After`: seconds or an HTTP date (RFC 9110 §10.2.3).
 *
 * @returns milliseconds from `nowMs`, or `undefined` where the field is absent or not understood
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // An HTTP date names its month: what Date.parse makes of bare numbers is not one.
  const dateMs = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
