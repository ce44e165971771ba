/** The interface between `action/` and a command: what a command gets, and what it returns. */
import { type ActionError, InterruptedError } from "../base/errors.ts";
import type { Clock, Environment, Log } from "../base/runtime.ts";
import type { SecretRedactor } from "../base/secrets.ts";
import { renderDryRun, renderSkipped } from "../presentation/summaries.ts";
import type { InputsOf } from "./inputs.ts";
import type { CommandName, OutcomeOf, OutputKey } from "./outputs.ts";

export interface Run {
  readonly log: Log;
  /** Writes a text of many lines to the log; a workflow shows it folded. */
  logGroup(title: string, text: string): void;
  readonly clock: Clock;
  /** Uniform in [0, 1), for jitter. */
  readonly random: () => number;
  /** Aborts on SIGINT, SIGTERM and SIGHUP, and a little after the deadline; its reason is an InterruptedError. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch: the run's deadline (`timeout-minutes`). */
  readonly deadlineMs: number;
  /** The environment of the runner, without the inputs: `GITHUB_…`, `RUNNER_…`. */
  readonly environment: Environment;
  /** Sets an output immediately, so that it exists however the step ends. */
  setOutput(key: OutputKey, value: string): void;
  /** Masks a credential of this run in everything that is written from now on. */
  maskSecret(value: string): void;
  /** Masks a secret that a response contained; the caller checks that the value looks random. */
  maskIssued(value: string): void;
  /** Removes both from a text that is written elsewhere than to the runner. */
  readonly redact: SecretRedactor["redact"];
  saveState(name: string, value: string): void;
}

/** How a command ended. */
export interface CommandResult<Command extends CommandName = CommandName> {
  readonly outcome: OutcomeOf<Command>;
  readonly message: string;
  readonly summary: string;
  readonly skipReason?: string;
  /** Fails the step, whatever the outcome. */
  readonly isFailure?: boolean;
  /** The error behind an outcome that the command itself chose. */
  readonly error?: ActionError | undefined;
}

/** Why a run ends with the outcome `skipped`; `reason` is the output `skip-reason`. */
export interface Skip {
  readonly reason: string;
  readonly message: string;
  /** URL of a page with more details. */
  readonly page?: string | undefined;
  /** One line of Markdown for the requester, if there is something to do. */
  readonly hint?: string;
  /** The job summary, if it says more than the message. */
  readonly summary?: string;
}

/** A dry run: the first request that would be sent, and its content. */
export function describeDryRun(command: CommandName, request: string, content?: string): Skip {
  const message = `Dry run: nothing was sent; the first request would be ${request}.`;
  return { reason: "dry-run", message, summary: renderDryRun(command, request, content) };
}

/** The result of a command that ended, or was skipped. `reconcile` and `doctor` are skipped only without a key. */
export function toResult(command: CommandName, end: CommandResult | Skip): CommandResult {
  if (!("reason" in end)) return end;
  const { reason: skipReason, message, page } = end;
  const summary = end.summary ?? renderSkipped(command, message, page);
  return { outcome: "skipped", skipReason, message, summary };
}

/**
 * Throws an error; that of an interrupted run says what happens to its job.
 *
 * @param advice the next step, if the code's hint does not fit
 */
export function rethrowInterrupted(
  error: unknown,
  { baseUrl }: { readonly baseUrl: URL | "local" },
  { signal }: Run,
  message: string,
  advice?: string,
): never {
  if (!(error instanceof InterruptedError)) throw error;
  if (baseUrl === "local") {
    const next = error.code === "timed-out" ? "Start again, or raise `timeout-minutes`." : "Start again.";
    const hint = `A job of the embedded platform ends with its run. ${next}`;
    throw new InterruptedError(error.code, error.message, { hint, retryable: false, cause: error });
  }
  if (error !== signal.reason) throw error;
  const reason = error.code === "timed-out" ? `${error.message} ` : "";
  throw new InterruptedError(error.code, reason + message, { cause: error, hint: advice });
}

/** A command, from its inputs to its result. */
export type RunCommand<Command extends CommandName> = (
  inputs: InputsOf<Command>,
  run: Run,
) => Promise<CommandResult<Command> | Skip>;

/** What the post step of a command gets. */
export interface PostRun extends Pick<Run, "environment" | "log" | "clock" | "signal" | "redact"> {
  /** Reads a value that the main step saved with `saveState`; empty if it saved none. */
  readonly state: (name: string) => string;
}
