import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import type { AgentRepository, CommitFacts } from "./agent-repository.ts";
import type { Isolation } from "./isolation.ts";
import { describeCommit, describeSubject, type PullRequestHost } from "./published-change.ts";
import { type AgentRun, endProcessesOf, jobVariable, runAgentCommand } from "./run-command.ts";

/** One prompt of a job and what became of it. */
const Turn = z.object({
  prompt: z.string(),
  requestedAt: z.iso.datetime(),
  state: z.enum(["waiting", "done", "failed"]),
  /** Why it failed; for the log and the operator, the wire has no field for it. */
  failure: z.optional(z.string()),
});

/** An agent job as it is kept on disk. */
export const AgentJobRecord = z.object({
  id: z.string(),
  projectId: z.string(),
  status: z.enum(["active", "completed", "failed", "archived"]),
  /** The prompt it was created with, and the messages that followed. */
  turns: z.array(Turn).check(z.minLength(1)),
  /** Absolute, or a path below the platform's own address. */
  repository: z.string(),
  branch: z.string(),
  /** The branch that the work is for; known once the work has begun. */
  base: z.optional(z.string()),
  model: z.string(),
  pullRequest: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  archivedAt: z.nullable(z.iso.datetime()),
});
export type AgentJobRecord = z.infer<typeof AgentJobRecord>;

/** How agents are run, and where their work goes. */
export interface AgentSetup extends Pick<AgentRun, "command" | "environment" | "timeLimitMs"> {
  readonly isolation: Isolation;
  readonly author: CommitFacts["author"];
  /** Folder of the files that hold what agents print. */
  readonly logDirectory: string;
  readonly repository: AgentRepository;
  readonly host: PullRequestHost;
}

/**
 * Has the agent follow one prompt of a job and publishes what it changed. Each step leaves a mark in git, so that a turn that was
 * interrupted anywhere goes on instead of being done twice.
 *
 * @param onStart Called before the agent runs, with the branch that its work is for.
 * @returns the pull request's address; `undefined` when the agent changed nothing.
 * @throws {JobFailedError} when the agent, git or GitHub fails for good.
 */
export async function runTurn(
  job: AgentJobRecord,
  turn: number,
  setup: AgentSetup,
  onStart: (base: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { repository, host } = setup;
  const { id: jobId, branch } = job;
  const prompts = job.turns.slice(0, turn + 1).map(({ prompt }) => prompt);
  const mark = `refs/docs-agent/${jobId}/turn-${turn}`;
  const marked = await repository.run(["for-each-ref", "--format=%(objectname)", mark], signal);
  let [commit, base]: (string | undefined)[] = [marked || undefined, job.base];
  if (commit === undefined || base === undefined) {
    const start = await host.findStart(branch, signal);
    base = start.base;
    await onStart(base);
    commit = await editDocuments(job, turn, start.commit, setup, signal);
    if (commit === undefined) return undefined;
    await repository.run(["update-ref", mark, commit], signal);
  }
  const title = describeSubject(prompts[0] ?? "");
  return host.publish({ jobId, branch, base, commit, title, prompts }, signal);
}

/** Runs the agent in a worktree; the commit of its changes, if there are any. */
async function editDocuments(
  { id, turns }: AgentJobRecord,
  turn: number,
  start: string,
  setup: AgentSetup,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { repository, isolation, timeLimitMs, author, logDirectory } = setup;
  const prompt = turns[turn]?.prompt ?? "";
  const environment = {
    ...setup.environment,
    [jobVariable]: id,
    DOCS_AGENT_DOCS_DIR: repository.served.docsPath || ".",
  };
  const logFile = join(logDirectory, `${id}-${turn}.log`);
  const edit = async (cwd: string) => {
    const command = await isolation.wrap(setup.command);
    try {
      await runAgentCommand({ command, cwd, prompt, environment, timeLimitMs, logFile }, signal);
    } finally {
      // What the command left running, in whatever process group, must not write into the worktree any more.
      await endProcessesOf([id]);
    }
  };
  // A name of its own for each attempt: an agent that outlived a killed platform must not write into this one.
  const name = `${id}-${randomBytes(4).toString("hex")}`;
  return repository.commitEdits(name, start, { author, message: describeCommit(id, prompt) }, edit, signal);
}
