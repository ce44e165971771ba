/** What the frame gives to a step and wants back from it; a step composes one command. */

import type { ActionError } from "../base/errors.ts";
import type { Clock, Environment, Log } from "../base/runtime.ts";
import type { SecretRedactor } from "../base/secrets.ts";
import { renderDryRun } from "../presentation/summaries.ts";
import type { InputsOf } from "./inputs.ts";
import type { CommandName, OutcomeOf, OutputKey } from "./outputs.ts";

export interface Run {
  readonly log: Log;
  readonly clock: Clock;
  /** Uniform in [0, 1), for jitter. */
  readonly random: () => number;
  /** Aborts on SIGINT and SIGTERM, and a little after the deadline; its reason is an InterruptedError. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch: the run's deadline (`timeout-minutes`). */
  readonly deadlineMs: number;
  /** Environment of the runner: `GITHUB_…`, `RUNNER_…`; without the inputs. */
  readonly environment: Environment;
  /** Sets an output at once, so that it is there however the step ends. */
  setOutput(key: OutputKey, value: string): void;
  /** Keeps a credential of this run out of everything that the run writes from now on. */
  maskSecret(value: string): void;
  /** Keeps a secret that an answer brought out of it; its caller checks that it looks like one. */
  maskIssued(value: string): void;
  /** Text without those; for what a run writes elsewhere than to the runner. */
  readonly redact: SecretRedactor["redact"];
  /** Keeps a value for the post step. */
  saveState(name: string, value: string): void;
}

/** How a command ended. */
export interface CommandResult<Command extends CommandName = CommandName> {
  readonly outcome: OutcomeOf<Command>;
  /** One line for the log: what happened. */
  readonly message: string;
  /** The job summary, as Markdown. */
  readonly summary: string;
  readonly skipReason?: string;
  /** Why the step fails all the same, whatever the outcome. */
  readonly failure?: string | undefined;
  /** What went wrong, where the outcome is a failure that the command itself told apart. */
  readonly error?: ActionError | undefined;
}

/** The end of a dry run: the first request that would be sent, and what with. */
export function dryRunResult(command: CommandName, request: string, content?: string) {
  const message = `Dry run: nothing was sent; the first request would be ${request}.`;
  const summary = renderDryRun(command, request, content);
  return { outcome: "skipped", skipReason: "dry-run", message, summary } as const;
}

/** A command, from its inputs to its end. */
export type RunCommand<Command extends CommandName> = (
  inputs: InputsOf<Command>,
  run: Run,
) => Promise<CommandResult<Command>>;

/** What the frame gives to the post step of a command. */
export interface PostRun {
  readonly environment: Environment;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What the main step kept with `saveState`; empty where it kept nothing. */
  readonly state: (name: string) => string;
  readonly redact: (text: string) => string;
}
