import { BundleError, corrupt } from "../errors.ts";
import type { AttemptOutcome } from "./attempt-segment.ts";

/** Ends one round of a transfer: what is on disk is of no use, and the next round starts at the first byte. */
export class RestartNeeded extends Error {
  override readonly name = "RestartNeeded";
  /** What to report when restarting has not helped. */
  readonly verdict: BundleError;
  /** Whether the next round must do without ranges. */
  readonly withoutRanges: boolean;

  constructor(verdict: BundleError, { withoutRanges = false } = {}) {
    super(verdict.message);
    this.verdict = verdict;
    this.withoutRanges = withoutRanges;
  }
}

/** No bytes for too long. */
export class StalledError extends Error {
  override readonly name = "StalledError";
}

/** How a request failed that may be tried again. */
export type PassingFailure =
  | { readonly kind: "broken"; readonly error: unknown }
  | { readonly kind: "cut"; readonly position: number }
  | Extract<AttemptOutcome, { kind: "transient" | "wrong-range" }>;

const storageHint =
  "Storage, not the platform, gave this answer. Run again with `job-id`: the bundle is fetched anew without a new export.";
const networkHint =
  "Check the runner's network and the proxy variables (HTTPS_PROXY, NO_PROXY), then run again with `job-id`: the export need not be made again.";

/** One line about a failure, without the address that was asked. */
export function describeFailure(failure: PassingFailure): string {
  switch (failure.kind) {
    case "broken":
      return describeConnectionError(failure.error);
    case "cut":
      return `the answer ended early, at byte ${failure.position}`;
    case "transient":
      return failure.reason;
    case "wrong-range":
      return `storage sent ${failure.reason}`;
  }
}

/** What to report when a passing failure did not pass. */
export function lastingError(failure: PassingFailure, tries: number): BundleError {
  const isNetwork = failure.kind === "broken" || failure.kind === "cut";
  return new BundleError(
    isNetwork ? "unreachable" : "unavailable",
    `The bundle could not be fetched: ${tries} tries in a row failed, the last because ${describeFailure(failure)}.`,
    {
      hint: isNetwork ? networkHint : storageHint,
      cause: failure.kind === "broken" ? failure.error : undefined,
    },
  );
}

/** What to report for an answer that no further try can mend. */
export function fatalError(outcome: Extract<AttemptOutcome, { kind: "empty" | "fatal" }>): BundleError {
  if (outcome.kind === "empty") return corrupt("The bundle is empty (0 bytes).");
  return new BundleError("unexpected-response", `${outcome.reason}.`, { hint: storageHint });
}

/** The reason to start again because the object is not what it was. */
export function objectChanged(reason: string): RestartNeeded {
  return new RestartNeeded(corrupt(`The bundle changed while it was fetched: ${reason}.`));
}

/** The reason to start again in one stream. */
export function rangesUnusable(reason: string): RestartNeeded {
  const verdict = new BundleError(
    "unexpected-response",
    `Storage does not serve ranges as it should: ${reason}.`,
    {
      hint: storageHint,
    },
  );
  return new RestartNeeded(verdict, { withoutRanges: true });
}

function describeConnectionError(error: unknown): string {
  if (error instanceof StalledError) return error.message;
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  return `the connection failed (${code ?? (error instanceof Error ? error.name : String(error))})`;
}
