import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import type { AgentOptions } from "../base/context.ts";
import { jobFields } from "../base/jobs.ts";
import type { AgentRepository, CommitOptions } from "./agent-repository.ts";
import type { Isolation } from "./isolation.ts";
import {
  describeCommit,
  describePullRequest,
  describeSubject,
  type PullRequestHost,
} from "./published-change.ts";
import { type AgentCommand, endProcessesOf, runAgentCommand, worktreeVariable } from "./run-command.ts";

const Turn = z.object({
  prompt: z.string(),
  requestedAt: z.iso.datetime(),
  /** Name of the blob with the agent's output; set when the turn has ended. */
  output: z.optional(z.string()),
});

/** The stored agent job. */
export const AgentJobRecord = z.object({
  id: z.string(),
  projectId: z.string(),
  status: z.enum(["active", "completed", "failed", "archived"]),
  /** The initial prompt, then the messages. An active job is working on the last one. */
  turns: z.array(Turn),
  /** URL of the repository, or the path of a page of the platform. */
  repository: z.string(),
  branch: z.string(),
  /** Base branch; set when the first turn starts. */
  base: z.optional(z.string()),
  model: z.string(),
  /** URL of the pull request, or the name of the branch if there is only a pushed branch. */
  pullRequest: z.nullable(z.string()),
  archivedAt: z.nullable(z.iso.datetime()),
  /** The last paragraph of the agent's output for the last prompt, as one line; set when the turn has ended. */
  lastOutput: z.optional(z.string()),
  ...jobFields,
});
export type AgentJobRecord = z.infer<typeof AgentJobRecord>;

/** How agents run. */
export interface AgentRunner
  extends Pick<AgentCommand, "command" | "environment" | "timeLimitMs">,
    Pick<AgentOptions, "request" | "onOutput">,
    Pick<CommitOptions, "author"> {
  readonly isolation: Isolation;
  /** Removes secrets from output and error messages. */
  readonly redact: (text: string) => string;
  /** How long a message waits for the state of its job's pull request. */
  readonly stateTimeoutMs?: number;
}

/** The repository of a project and the host that its changes are published to. */
export interface AgentProject {
  readonly repository: AgentRepository;
  readonly host: PullRequestHost;
}

/**
 * Runs the agent with the last prompt of a job and publishes its changes. A turn whose work is published already is not repeated: a
 * trailer of the commit message identifies it on the job's branch.
 *
 * @param onStart Called with the base branch before the agent runs.
 * @returns the result of the host's `publish`; `undefined` if there is nothing to publish.
 * @throws {JobFailedError} if the agent, git or GitHub fails permanently.
 */
export async function runTurn(
  job: AgentJobRecord,
  setup: AgentRunner & AgentProject,
  onStart: (base: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { repository, host } = setup;
  const { id: jobId, branch, base } = job;
  const prompts = job.turns.map(({ prompt }) => prompt);
  // Includes the time, because a job that is restored from its branch counts its prompts from 0 again.
  const turn = `${jobId}/${prompts.length - 1}-${Date.parse(job.turns.at(-1)?.requestedAt ?? "")}`;
  const start = await host.findStart({ branch, base }, signal);
  await onStart(start.base);
  const isFirstAttempt = job.attempt <= prompts.length;
  const published = isFirstAttempt ? undefined : await repository.findTurn(start.commit, turn, signal);
  // The turn's commit is already merged and its branch is deleted: nothing is left to publish.
  if (published !== undefined && !start.hasBranch) return undefined;
  let output = "";
  const onOutput = (text: string) => {
    output = setup.redact(text);
    setup.onOutput?.(output);
  };
  const commit = published ?? (await editDocuments(job, turn, start.commit, { ...setup, onOutput }, signal));
  if (commit === undefined) return undefined;
  const { request } = setup;
  const title = describeSubject(request?.title ?? prompts[0] ?? "");
  const body = request?.describe(jobId, endOf(output)) ?? describePullRequest(jobId, prompts);
  const isPushed = published !== undefined;
  return host.publish({ jobId, turn, branch, start, commit, isPushed, title, body }, signal);
}

/** Runs the agent in a worktree; returns the commit of its changes, or `undefined` without changes. */
async function editDocuments(
  job: AgentJobRecord,
  turn: string,
  start: string,
  setup: AgentRunner & AgentProject & Pick<AgentCommand, "onOutput">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { repository, isolation, timeLimitMs, author, onOutput } = setup;
  const { id } = job;
  // Each attempt has its own worktree: an agent that outlived a killed platform must not write to this one.
  const name = `${id}-${randomBytes(4).toString("hex")}`;
  const prompt = job.turns.at(-1)?.prompt ?? "";
  const environment = {
    ...setup.environment,
    [worktreeVariable]: name,
    DOCS_AGENT_JOB_ID: id,
    DOCS_AGENT_DOCS_DIR: repository.served.docsPath || ".",
  };
  const edit = async (cwd: string) => {
    const command = await isolation.wrap(setup.command, [cwd, repository.objects]);
    try {
      await runAgentCommand({ command, cwd, prompt, environment, timeLimitMs, onOutput }, signal);
    } finally {
      // Processes that the command left running in other process groups must not write to the worktree.
      await endProcessesOf([name]);
    }
  };
  const options = { author, message: describeCommit(id, turn, setup.request?.title ?? prompt) };
  return repository.commitEdits(name, start, options, edit, signal);
}

/** More output does not help the readers of a pull request. */
const maxOutputEnd = 2000;

function endOf(untrimmed: string): string {
  const output = untrimmed.trim();
  return output.length <= maxOutputEnd ? output : output.slice(-maxOutputEnd).replace(/^.*\n/, "");
}
