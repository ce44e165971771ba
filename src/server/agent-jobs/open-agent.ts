import { mkdir } from "node:fs/promises";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { isLoopback } from "../../base/network.ts";
import type { Log } from "../../base/runtime.ts";
import { createAgentEnvironment } from "./agent-environment.ts";
import { type AgentJobs, openAgentJobs, recordsFolder } from "./agent-jobs.ts";
import { type AgentRepository, openAgentRepository } from "./agent-repository.ts";
import type { AgentAuthor } from "./agent-worktree.ts";
import { endLeftoverAgents } from "./end-leftover-agents.ts";
import { createGit, type Git } from "./git.ts";
import { createGithubHost } from "./github-host.ts";
import { createGithubPullRequests } from "./github-pull-requests.ts";
import type { GithubRemote } from "./github-remote.ts";
import { createLocalHost } from "./local-host.ts";
import { type LocalPullRequests, openLocalPullRequests } from "./local-pull-requests.ts";
import type { PullRequestHost } from "./pull-request-host.ts";
import { readServedRepository, type ServedRepository } from "./served-repository.ts";
import { splitCommand } from "./split-command.ts";

/** How a platform works on agent jobs. Only the command and the repository have no default. */
export interface AgentOptions {
  /** Program and arguments; a string is split into words, never given to a shell. */
  readonly command: string | readonly [string, ...string[]];
  /** The git repository that holds the documents. */
  readonly repository: string;
  /** Environment of this process; agents see the part of it that they need and that is no secret. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that agents see. */
  readonly passedVariables?: readonly string[];
  /** Branch that pull requests ask to change. */
  readonly base?: string | undefined;
  /** Where pull requests are opened; on pages of the platform itself unless set. */
  readonly github?: GithubRemote | undefined;
  readonly author?: AgentAuthor;
  readonly timeLimitMs?: number;
  /** Jobs worked on at once. */
  readonly concurrency?: number;
  /** Jobs created and messages sent, per project and rolling hour (specification §8). */
  readonly usesPerHour?: number;
  readonly archiveAfterMs?: number;
  /** Pauses before a failed request to GitHub is repeated. */
  readonly retryDelaysMs?: readonly number[];
}

/** The parts of a platform that work on agent jobs. */
export interface OpenedAgent extends AsyncDisposable {
  readonly jobs: AgentJobs;
  readonly git: Git;
  readonly served: ServedRepository;
  /** The pages of pull requests; `undefined` where they are GitHub's. */
  readonly pullRequests: LocalPullRequests | undefined;
}

const day = 24 * 60 * 60 * 1000;
const defaults = {
  author: { name: "docs-agent", email: "docs-agent@localhost" },
  timeLimitMs: 30 * 60 * 1000,
  concurrency: 2,
  usesPerHour: 100,
  archiveAfterMs: 30 * day,
  retryDelaysMs: [1000, 5000, 15_000],
};

/**
 * Composes what works on agent jobs, and resumes those of the data directory.
 *
 * @throws {ActionError} when the command or the repository cannot be used.
 */
export async function openAgent(
  { directory, docsDir, ...given }: AgentOptions & { directory: string; docsDir: string },
  { log, now, signal }: { log: Log; now: () => number; signal: AbortSignal },
): Promise<OpenedAgent> {
  const options = { ...defaults, ...given };
  const command = typeof options.command === "string" ? splitCommand(options.command) : options.command;
  const environment = createAgentEnvironment(options.environment, options.passedVariables ?? []);
  const git = createGit(options.environment);
  const served = await readServedRepository({ repository: options.repository, docsDir }, { git, signal });
  await mkdir(recordsFolder(directory), { recursive: true, mode: 0o700 });
  await endLeftoverAgents(recordsFolder(directory));
  const repository = await openAgentRepository(
    { directory, served, author: options.author },
    { git, signal },
  );
  await using stack = new AsyncDisposableStack();
  const hosting = { ...options, directory, served, dispatcher: stack.use(openDispatcher(options.github)) };
  const { host, pullRequests } = await openHost(hosting, { git, repository, log, now });
  const jobs = stack.use(
    await openAgentJobs(
      {
        ...options,
        directory,
        agent: { command, environment, timeLimitMs: options.timeLimitMs, docsPath: served.docsPath },
      },
      { repository, host, log, now },
    ),
  );
  const resources = stack.move();
  return { jobs, git, served, pullRequests, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

interface HostingOptions {
  readonly directory: string;
  readonly served: ServedRepository;
  readonly base?: string | undefined;
  readonly github?: GithubRemote | undefined;
  readonly retryDelaysMs: readonly number[];
  readonly dispatcher: Dispatcher;
}

interface HostingDeps {
  readonly git: Git;
  readonly repository: AgentRepository;
  readonly log: Log;
  readonly now: () => number;
}

/** GitHub where there is one, else pages of the platform's own. */
async function openHost(
  { directory, served, base, github, ...connection }: HostingOptions,
  { git, repository, log, now }: HostingDeps,
): Promise<{ host: PullRequestHost; pullRequests: LocalPullRequests | undefined }> {
  if (github !== undefined) {
    const onGithub = createGithubPullRequests(github, connection);
    const host = createGithubHost({ remote: github, base }, { repository, pullRequests: onGithub });
    return { host, pullRequests: undefined };
  }
  const pullRequests = await openLocalPullRequests({ directory, root: served.root }, { log, now });
  return { host: createLocalHost({ served, base }, { git, repository, pullRequests }), pullRequests };
}

/** The way to GitHub: through the usual proxy variables, except to this machine. */
function openDispatcher(github: GithubRemote | undefined): Dispatcher & AsyncDisposable {
  const isHere = github !== undefined && isLoopback(new URL(github.apiUrl));
  const dispatcher = isHere ? new Agent() : new EnvHttpProxyAgent();
  return Object.assign(dispatcher, { [Symbol.asyncDispose]: () => dispatcher.close() });
}
