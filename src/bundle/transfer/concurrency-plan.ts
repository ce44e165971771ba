/** What the plan is told, again and again. */
interface TransferSample {
  readonly nowMs: number;
  /** Bytes received so far over all connections. */
  readonly bytes: number;
  /** Connections that have received something. */
  readonly delivering: number;
  /** Bytes that are still to come. */
  readonly remaining: number;
}

/** Decides how many connections a transfer uses, from what more of them were seen to bring. */
export interface ConcurrencyPlan {
  /** Connections that should be at work now. */
  readonly target: number;
  /** Bytes per second over all connections, as last measured; 0 before the first measurement. */
  readonly bytesPerSecond: number;
  observe(sample: TransferSample): void;
  /** Storage turned a connection away: one fewer, for a while. */
  refused(nowMs: number): void;
}

const windowMs = 50;
const windowBytes = 128 * 1024;
const maxWindowMs = 500;
/** Connections that have brought nothing for so long do not delay the judgement any more. */
const maxSilenceMs = 2000;
/** Two windows in a row that agree so well are a rate; while a connection still speeds up, they do not. */
const agreement = 1.25;
const maxSettleMs = 1500;
const stepFactor = 4;
/** More connections stay when they bring at least this much more. */
const requiredGain = 1.25;
const firstHoldMs = 1500;
const maxHoldMs = 30_000;
/** With less than this left, another connection would not pay for itself. */
const worthMs = 500;

interface Measurement {
  readonly connections: number;
  readonly bytesPerSecond: number;
}

/**
 * Starts with one connection. Each measured window either tries more connections, keeps those that raised the total,
 * or goes back to as many as were better; then it waits before it tries again.
 */
export function createConcurrencyPlan({ max }: { readonly max: number }): ConcurrencyPlan {
  let target = 1;
  let rate = 0;
  let windowStart: { readonly nowMs: number; readonly bytes: number } | undefined;
  let windowRate: number | undefined;
  let levelSince: number | undefined;
  let before: Measurement | undefined;
  let holdUntil = 0;
  let holdMs = firstHoldMs;

  function moveTo(connections: number, nowMs: number): void {
    target = connections;
    windowStart = undefined;
    windowRate = undefined;
    levelSince = nowMs;
  }

  function hold(nowMs: number): void {
    before = undefined;
    holdUntil = nowMs + holdMs;
    holdMs = Math.min(maxHoldMs, holdMs * 2);
  }

  /** The rate of the window that ends now, if it is long enough; the next one begins. */
  function closeWindow({ nowMs, bytes }: TransferSample): number | undefined {
    windowStart ??= { nowMs, bytes };
    const elapsedMs = nowMs - windowStart.nowMs;
    const arrived = bytes - windowStart.bytes;
    if (elapsedMs < windowMs || (arrived < windowBytes && elapsedMs < maxWindowMs)) return undefined;
    windowStart = { nowMs, bytes };
    windowRate = (arrived / elapsedMs) * 1000;
    return windowRate;
  }

  function judge({ nowMs, remaining }: TransferSample): void {
    if (before && rate < before.bytesPerSecond * requiredGain) {
      moveTo(before.connections, nowMs);
      hold(nowMs);
      return;
    }
    const isWorth = remaining / Math.max(rate, 1) > worthMs / 1000;
    if (target >= max || nowMs < holdUntil || !isWorth) {
      before = undefined;
      return;
    }
    before = { connections: target, bytesPerSecond: rate };
    moveTo(Math.min(max, target * stepFactor), nowMs);
  }

  return {
    get target() {
      return target;
    },
    get bytesPerSecond() {
      return rate;
    },
    observe(sample) {
      if (sample.delivering === 0) return;
      levelSince ??= sample.nowMs;
      const levelMs = sample.nowMs - levelSince;
      // New connections count from their first byte on.
      if (sample.delivering < target && levelMs <= maxSilenceMs) return;
      const previous = windowRate;
      const current = closeWindow(sample);
      if (current === undefined) return;
      const isSteady = agree(previous, current);
      if (!isSteady && levelMs < maxSettleMs) return;
      rate = meanOf(isSteady ? previous : undefined, current);
      judge(sample);
    },
    refused(nowMs) {
      moveTo(Math.max(1, target - 1), nowMs);
      hold(nowMs);
    },
  };
}

function agree(previous: number | undefined, current: number): boolean {
  if (previous === undefined) return false;
  return Math.max(previous, current) <= Math.min(previous, current) * agreement;
}

function meanOf(previous: number | undefined, current: number): number {
  return previous === undefined ? current : (previous + current) / 2;
}
