import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { AgentJobRecord } from "./agent-job-record.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { describeCommit, describeSubject } from "./describe-change.ts";
import { endProcessesOf, jobVariable } from "./end-leftover-agents.ts";
import type { PullRequestHost } from "./pull-request-host.ts";
import { runAgentCommand } from "./run-agent-command.ts";

/** How long an agent that must stop may take to do so. */
const graceMs = 5000;

/** How agents are run. */
export interface AgentCommandOptions {
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly timeLimitMs: number;
  /** Path of the documents from the top of the worktree. */
  readonly docsPath: string;
  /** Folder of the files that hold what agents print. */
  readonly logDirectory: string;
}

/** What one turn works with. */
export interface TurnDeps {
  readonly repository: AgentRepository;
  readonly host: PullRequestHost;
  readonly signal: AbortSignal;
  /** Called before the agent runs, with the branch that its work is for. */
  readonly onStart: (base: string) => Promise<void>;
}

/**
 * Has the agent follow one prompt of a job and publishes what it changed; the pull request's address, or `undefined` when it
 * changed nothing. Each step leaves a mark in git, so that a turn that was interrupted anywhere goes on instead of
 * being done twice.
 *
 * @throws {JobFailedError} when the agent, git or GitHub fails for good.
 */
export async function runTurn(
  { job, turn }: { job: AgentJobRecord; turn: number },
  options: AgentCommandOptions,
  deps: TurnDeps,
): Promise<string | undefined> {
  const { repository, host, signal } = deps;
  const prompts = job.turns.slice(0, turn + 1).map(({ prompt }) => prompt);
  const mark = `refs/docs-agent/${job.id}/turn-${turn}`;
  const marked = await repository.run(["for-each-ref", "--format=%(objectname)", mark], { signal });
  let { base } = job;
  let commit = marked === "" ? undefined : marked;
  if (commit === undefined || base === undefined) {
    const start = await host.findStart(job, { signal });
    base = start.base;
    await deps.onStart(base);
    commit = await editDocuments({ job, turn, start: start.commit }, options, deps);
    if (commit === undefined) return undefined;
    await repository.run(["update-ref", mark, commit], { signal });
  }
  const title = describeSubject(prompts[0] ?? "");
  return host.publish({ jobId: job.id, branch: job.branch, base, commit, title, prompts }, { signal });
}

/** Runs the agent in a worktree; the commit of its changes, if there are any. */
async function editDocuments(
  { job, turn, start }: { job: AgentJobRecord; turn: number; start: string },
  options: AgentCommandOptions,
  { repository, signal }: TurnDeps,
): Promise<string | undefined> {
  const prompt = job.turns[turn]?.prompt ?? "";
  // A name of its own for each attempt: an agent that outlived a killed platform must not write into this one.
  const name = `${job.id}-${randomBytes(4).toString("hex")}`;
  await using worktree = await repository.addWorktree({ name, commit: start }, { signal });
  // What the command left running, wherever it put it, must not write into the worktree any more.
  await using stragglers = new AsyncDisposableStack();
  stragglers.defer(() => endProcessesOf([job.id]));
  await runAgentCommand(
    {
      command: options.command,
      cwd: worktree.path,
      prompt,
      environment: {
        ...options.environment,
        [jobVariable]: job.id,
        DOCS_AGENT_DOCS_DIR: options.docsPath || ".",
      },
      timeLimitMs: options.timeLimitMs,
      graceMs,
      logFile: join(options.logDirectory, `${job.id}-${turn}.log`),
    },
    { signal },
  );
  await stragglers.disposeAsync();
  return await worktree.commit(describeCommit({ jobId: job.id, prompt }));
}
