/** The action's outputs: one zod schema; `action.yml` and the tables in the documentation are generated from here. */
import { z } from "zod";
import { type CommandName, commandNames } from "./command-names.ts";
import { outcomesByCommand } from "./outcomes.ts";

const output = (commands: readonly CommandName[], description: string) =>
  z.string().optional().meta({ commands, description });

const outcomeList = Object.entries(outcomesByCommand)
  .map(([command, outcomes]) => `${command}: ${outcomes.map((outcome) => `\`${outcome}\``).join(", ")}`)
  .join("; ");

/** Every output, as the text that is set. */
export const Outputs = z.object({
  outcome: output(commandNames, `How it ended. ${outcomeList}; any: \`error\`.`),
  jobId: output(
    ["agent", "export"],
    "Identifier of the job; set as soon as the job exists, also when the step fails later.",
  ),
  status: output(["agent", "export"], "The platform's last status of the job."),
  pullRequestUrl: output(["agent"], "The agent's pull request, after verification."),
  pullRequestNumber: output(["agent"], "Number of the agent's pull request."),
  pageCount: output(["export"], "Number of exported pages."),
  bundlePath: output(["export"], "Path of the verified archive."),
  bundleSize: output(["export"], "Size of the archive in bytes."),
  bundleSha256: output(["export"], "SHA-256 of the archive, in hexadecimal."),
  sitePath: output(["export"], "Folder of the extracted site, with `upload: site` or `pages`."),
  bundleUrl: output(
    ["export"],
    "Link to the bundle; masked in logs, usable in later steps of the same job until it expires.",
  ),
  expiresAt: output(["export"], "Time after which the link no longer works."),
  artifactId: output(["export"], "Identifier of the workflow artifact."),
  artifactUrl: output(["export"], "Address of the workflow artifact."),
  artifactDigest: output(["export"], "SHA-256 of the artifact as the service keeps it, in hexadecimal."),
  answer: output(["assistant"], "The answer, as Markdown."),
  threadId: output(["assistant"], "Identifier of the conversation, for `thread-id`."),
  sources: output(["assistant"], "JSON list of `{url, title?}`."),
  skipReason: output(commandNames, "Why the outcome is `skipped`."),
  errorCode: output(commandNames, "On failure: what went wrong, as a code of the error reference."),
  errorJson: output(
    commandNames,
    "On failure: `{code, class, message, hint, retryable, status?, requestId?}`.",
  ),
});
export type Outputs = z.infer<typeof Outputs>;
export type OutputKey = keyof Outputs;
