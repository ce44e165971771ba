import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import { attemptFields } from "../base/attempt.ts";
import type { AgentRepository, CommitFacts } from "./agent-repository.ts";
import type { Isolation } from "./isolation.ts";
import { describeCommit, describeSubject, type PullRequestHost } from "./published-change.ts";
import { type AgentRun, endProcessesOf, jobVariable, runAgentCommand } from "./run-command.ts";

/** One prompt of a job. */
const Turn = z.object({
  prompt: z.string(),
  requestedAt: z.iso.datetime(),
  /** What the agent printed, by its blob's name; known once it has ended. */
  output: z.optional(z.string()),
});

/** An agent job as it is kept on disk. */
export const AgentJobRecord = z.object({
  id: z.string(),
  projectId: z.string(),
  status: z.enum(["active", "completed", "failed", "archived"]),
  /** The prompt it was created with, and the messages that followed; an active job works on the last one. */
  turns: z.array(Turn),
  /** An address, or a path below the platform's own. */
  repository: z.string(),
  branch: z.string(),
  /** The branch that the work is for; known once the work has begun. */
  base: z.optional(z.string()),
  model: z.string(),
  /** Address of the pull request, or the branch's name where only that was pushed. */
  pullRequest: z.nullable(z.string()),
  /** Why it failed, in words for clients. */
  error: z.optional(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  archivedAt: z.nullable(z.iso.datetime()),
  ...attemptFields,
});
export type AgentJobRecord = z.infer<typeof AgentJobRecord>;

/** How agents are run, and where their work goes. */
export interface AgentSetup extends AgentRunner, AgentProject {}

/** How agents are run. */
export interface AgentRunner extends Pick<AgentRun, "command" | "environment" | "timeLimitMs"> {
  readonly isolation: Isolation;
  readonly author: CommitFacts["author"];
  /** Folder of the files that hold what agents print. */
  readonly logDirectory: string;
  /** Takes secrets out of what is told of a failure. */
  readonly redact: (text: string) => string;
}

/** Where the work of a project begins and goes. */
export interface AgentProject {
  readonly repository: AgentRepository;
  readonly host: PullRequestHost;
}

/**
 * Has the agent follow the last prompt of a job and publishes what it changed. Each step leaves a mark in git, so that a turn that was
 * interrupted anywhere goes on instead of being done twice: a ref here for the commit, and its trailer on the job's branch, where
 * other machines find it.
 *
 * @param onStart Called before the agent runs, with the branch that its work is for.
 * @returns what the host's `publish` returns; `undefined` when there is nothing to publish.
 * @throws {JobFailedError} when the agent, git or GitHub fails for good.
 */
export async function runTurn(
  job: AgentJobRecord,
  setup: AgentSetup,
  onStart: (base: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { repository, host } = setup;
  const { id: jobId, branch } = job;
  const prompts = job.turns.map(({ prompt }) => prompt);
  // The time as well: a job that was found by its branch alone counts its prompts from the beginning again.
  const turn = `${jobId}/${prompts.length - 1}-${Date.parse(job.turns.at(-1)?.requestedAt ?? "")}`;
  const mark = `refs/docs-agent/${turn}`;
  const marked = await repository.run(["for-each-ref", "--format=%(objectname)", mark], signal);
  let [commit, base]: (string | undefined)[] = [marked || undefined, job.base];
  if (commit === undefined || base === undefined) {
    const start = await host.findStart(branch, signal);
    base = start.base;
    await onStart(base);
    commit = await repository.findTurn(start.commit, turn, signal);
    // Merged, and its branch deleted, before it was recorded: nothing is left to publish.
    if (commit !== undefined && !start.hasBranch) return undefined;
    commit ??= await editDocuments(jobId, turn, prompts, start.commit, setup, signal);
    if (commit === undefined) return undefined;
    await repository.run(["update-ref", mark, commit], signal);
  }
  const title = describeSubject(prompts[0] ?? "");
  return host.publish({ jobId, turn, branch, base, commit, title, prompts }, signal);
}

/** Runs the agent in a worktree; the commit of its changes, if there are any. */
async function editDocuments(
  id: string,
  turn: string,
  prompts: readonly string[],
  start: string,
  setup: AgentSetup,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { repository, isolation, timeLimitMs, author, logDirectory } = setup;
  const prompt = prompts.at(-1) ?? "";
  const environment = {
    ...setup.environment,
    [jobVariable]: id,
    DOCS_AGENT_DOCS_DIR: repository.served.docsPath || ".",
  };
  const logFile = join(logDirectory, `${id}-${prompts.length - 1}.log`);
  const edit = async (cwd: string) => {
    const command = await isolation.wrap(setup.command, cwd);
    try {
      await runAgentCommand({ command, cwd, prompt, environment, timeLimitMs, logFile }, signal);
    } finally {
      // What the command left running, in whatever process group, must not write into the worktree any more.
      await endProcessesOf([id]);
    }
  };
  // A name of its own for each attempt: an agent that outlived a killed platform must not write into this one.
  const name = `${id}-${randomBytes(4).toString("hex")}`;
  const facts = { author, message: describeCommit(id, turn, prompt) };
  return repository.commitEdits(name, start, facts, edit, signal);
}
