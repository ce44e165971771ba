/** How far a download is. */
export interface DownloadProgress {
  readonly bytes: number;
  /** Length of the whole; `undefined` where storage does not say it. */
  readonly total: number | undefined;
  /** Over the last seconds. */
  readonly bytesPerSecond: number;
  readonly secondsLeft: number | undefined;
  readonly connections: number;
}

const rateWindowMs = 5000;

/** Turns counts of bytes into a rate over the last seconds. */
export interface RateMeter {
  /** @returns bytes per second */
  add(nowMs: number, bytes: number): number;
}

/** Starts measuring. */
export function createRateMeter(): RateMeter {
  let samples: { readonly nowMs: number; readonly bytes: number }[] = [];
  return {
    add(nowMs, bytes) {
      samples = samples.filter((sample) => nowMs - sample.nowMs <= rateWindowMs);
      samples.push({ nowMs, bytes });
      const first = samples[0];
      const elapsedMs = nowMs - (first?.nowMs ?? nowMs);
      // A restart counts from zero again: never a negative rate.
      return elapsedMs === 0 ? 0 : Math.max(0, ((bytes - (first?.bytes ?? 0)) / elapsedMs) * 1000);
    },
  };
}

/** One line for the log: "42 % · 210.0 of 500.0 MB · 52.5 MB/s · 6 s left · 4 connections". */
export function describeProgress({
  bytes,
  total,
  bytesPerSecond,
  secondsLeft,
  connections,
}: DownloadProgress): string {
  return [
    total ? `${Math.floor((bytes / total) * 100)} %` : undefined,
    total ? `${megabytes(bytes)} of ${megabytes(total)} MB` : `${megabytes(bytes)} MB`,
    `${megabytes(bytesPerSecond)} MB/s`,
    secondsLeft === undefined ? undefined : `${describeSeconds(secondsLeft)} left`,
    connections > 1 ? `${connections} connections` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function describeSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
