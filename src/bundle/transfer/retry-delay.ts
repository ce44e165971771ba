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
