/** The names of commands, outcomes and outputs. */
import { ActionError, type ErrorCode } from "../base/errors.ts";
import { PlatformError } from "../client/errors.ts";

export const commandNames = ["agent", "assistant", "export", "reconcile", "doctor"] as const;
export type CommandName = (typeof commandNames)[number];

export const outcomesByCommand = {
  agent: [
    "pull-request",
    "updated",
    "unchanged",
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

/** All outcomes that `fail-on` may contain; `error` fails the step in any case. */
export const allOutcomes: readonly Outcome[] = [...new Set(Object.values(outcomesByCommand).flat()), "error"];

/** The outcome for each error code; other codes have the outcome `error`. */
const outcomeOfCode: Readonly<Partial<Record<ErrorCode, Outcome>>> = {
  cancelled: "cancelled",
  "timed-out": "timed-out",
  "rate-limited": "rate-limited",
  "job-failed": "failed",
  "stream-cut": "failed",
};

/** The outcome of a command that threw an error; `error` if the command does not have that outcome. */
export function outcomeOfError(error: unknown, command: CommandName | undefined): Outcome {
  const isLost = error instanceof PlatformError && error.maybeSubmitted;
  const ofCode = error instanceof ActionError ? outcomeOfCode[error.code] : undefined;
  const outcome = isLost ? "unknown" : (ofCode ?? "error");
  const possible: readonly string[] = command === undefined ? ["cancelled"] : outcomesByCommand[command];
  return possible.includes(outcome) ? outcome : "error";
}

const outcomeList = Object.entries(outcomesByCommand)
  .map(([command, outcomes]) => `${command}: ${outcomes.map((outcome) => `\`${outcome}\``).join(", ")}`)
  .join("; ");

/** Every output by its name in code; `action.yml` and the tables in the documentation are generated from here. */
export const outputs = {
  outcome: {
    commands: commandNames,
    description: `How the run ended. ${outcomeList}; any: \`error\`, and \`skipped\` by \`on-missing-key: skip\`.`,
  },
  jobId: {
    commands: ["agent", "export"],
    description: "Identifier of the job; set as soon as the job exists, even if the step fails later.",
  },
  status: { commands: ["agent", "export"], description: "The platform's last status of the job." },
  pullRequestUrl: { commands: ["agent"], description: "The agent's pull request, after verification." },
  pullRequestNumber: { commands: ["agent"], description: "Number of the agent's pull request." },
  pageCount: { commands: ["export"], description: "Number of exported pages." },
  bundlePath: { commands: ["export"], description: "Path of the verified archive." },
  bundleSize: { commands: ["export"], description: "Size of the archive in bytes." },
  bundleSha256: { commands: ["export"], description: "SHA-256 of the archive, in hexadecimal." },
  sitePath: {
    commands: ["export"],
    description: "Folder of the extracted site, with `upload: site` or `pages`.",
  },
  bundleUrl: {
    commands: ["export"],
    description:
      "Link to the bundle; masked in logs, usable in later steps of the same job until it expires; empty with `base-url: local`, like `expires-at`, because the link ends with the step.",
  },
  expiresAt: { commands: ["export"], description: "Time after which the link no longer works." },
  artifactId: { commands: ["export"], description: "Identifier of the workflow artifact." },
  artifactUrl: { commands: ["export"], description: "Address of the workflow artifact." },
  artifactDigest: {
    commands: ["export"],
    description: "SHA-256 of the artifact as stored by the artifact service, in hexadecimal.",
  },
  answer: { commands: ["assistant"], description: "The answer, as Markdown." },
  threadId: { commands: ["assistant"], description: "Identifier of the conversation, for `thread-id`." },
  sources: { commands: ["assistant"], description: "JSON list of `{url, title?}`." },
  skipReason: { commands: commandNames, description: "Why the outcome is `skipped`." },
  errorCode: {
    commands: commandNames,
    description: "On failure: the error code; the error reference lists all codes.",
  },
  errorJson: {
    commands: commandNames,
    description: "On failure: `{code, class, message, hint, retryable, status?, requestId?, docsUrl}`.",
  },
} as const satisfies Record<
  string,
  { readonly commands: readonly CommandName[]; readonly description: string }
>;
export type OutputKey = keyof typeof outputs;
