/** Every value of the output `outcome`, by command; and which of them a thrown error means. */
import { ActionError } from "../base/errors.ts";
import { PlatformError } from "../client/errors.ts";
import type { CommandName } from "./command-names.ts";

export const outcomesByCommand = {
  agent: [
    "pull-request",
    "no-pull-request",
    "failed",
    "archived",
    "timed-out",
    "rate-limited",
    "unknown",
    "detached",
    "skipped",
    "cancelled",
  ],
  assistant: ["answered", "failed", "timed-out", "rate-limited", "skipped", "cancelled"],
  export: ["exported", "failed", "timed-out", "rate-limited", "unknown", "detached", "skipped", "cancelled"],
  reconcile: ["reconciled"],
  doctor: ["healthy", "unhealthy"],
} as const satisfies Record<CommandName, readonly string[]>;

export type OutcomeOf<Command extends CommandName> = (typeof outcomesByCommand)[Command][number];
export type Outcome = OutcomeOf<CommandName> | "error";

/** All outcomes that `fail-on` may name; `error` always fails the step and need not be named. */
export const allOutcomes: readonly Outcome[] = [...new Set(Object.values(outcomesByCommand).flat()), "error"];

/** What a thrown error means for the command; `error` where the command has no such outcome. */
export function outcomeOfError(error: unknown, command: CommandName | undefined): Outcome {
  const outcome = meaningOf(error);
  const known: readonly string[] = command === undefined ? [] : outcomesByCommand[command];
  return known.includes(outcome) || (command === undefined && outcome === "cancelled") ? outcome : "error";
}

function meaningOf(error: unknown): Outcome {
  if (error instanceof PlatformError && error.maybeSubmitted) return "unknown";
  if (!(error instanceof ActionError)) return "error";
  switch (error.code) {
    case "cancelled":
    case "timed-out":
    case "rate-limited":
      return error.code;
    case "job-failed":
    case "stream-cut":
      return "failed";
    default:
      return "error";
  }
}
