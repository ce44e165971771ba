import { z } from "zod";
import { ActionError, JobFailedError } from "../../base/errors.ts";
import { type Backoff, retry } from "../../base/retry.ts";
import { type Log, systemClock } from "../../base/runtime.ts";
import { messageOf, withStop } from "../../base/text.ts";
import type { CallPurpose } from "../../github/errors.ts";
import { checkAnswer, createGitHubApi, type GitHubApi } from "../../github/github-api.ts";
import type { AgentOptions, GitHubRemote } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import {
  describePullRequest,
  moveBranch,
  type PublishedChange,
  type PullRequestHost,
} from "./published-change.ts";

const PullRequest = z.object({
  html_url: z.url(),
  state: z.string(),
  head: z.object({ sha: z.string() }),
});

const permissionsHint =
  "The token needs `contents: write` and `pull-requests: write`, and the repository's settings must allow GitHub Actions to create pull requests.";

/** Fetches from, pushes to and opens pull requests on GitHub. */
export class GitHubHost implements PullRequestHost {
  readonly repository: string;
  readonly #remote: GitHubRemote;
  /** Branch that pull requests ask to change; GitHub's default branch of the repository unless set. */
  readonly #base: string | undefined;
  readonly #backoff: Backoff;
  readonly #agents: AgentRepository;
  readonly #log: Log;

  constructor(remote: GitHubRemote, options: AgentOptions, agents: AgentRepository, log: Log) {
    this.repository = `${remote.serverUrl}/${remote.owner}/${remote.repository}`;
    this.#remote = remote;
    this.#base = options.base;
    this.#backoff = options.retryBackoff ?? { baseMs: 2000, maxMs: 15_000 };
    this.#agents = agents;
    this.#log = log;
  }

  async findStart(branch: string, signal: AbortSignal): Promise<{ commit: string; base: string }> {
    const base = this.#base ?? (await this.#readDefaultBranch(signal));
    const refs = [branch, base].map((name) => `refs/heads/${name}`);
    const listed = await this.#git(["ls-remote", "--quiet", this.#gitUrl, ...refs], signal);
    const tips = new Map(listed.split("\n").map((line) => line.split("\t").toReversed() as [string, string]));
    const start = tips.has(`refs/heads/${branch}`) ? branch : base;
    const commit = tips.get(`refs/heads/${start}`);
    if (commit === undefined) throw new JobFailedError(`${this.repository} has no branch ${base}.`);
    await this.#fetch(start, branch, signal);
    return { commit, base };
  }

  async publish(change: PublishedChange, signal: AbortSignal): Promise<string> {
    const { branch, commit } = change;
    const push = this.#git(["push", "--quiet", this.#gitUrl, `${commit}:refs/heads/${branch}`], signal);
    const contains = async () => {
      const tip = await this.#fetch(branch, branch, signal);
      await this.#git(["merge-base", "--is-ancestor", commit, tip], signal);
    };
    await moveBranch(branch, push, contains, signal);
    // Each attempt searches first, so that one whose answer was lost does not open a second pull request.
    return this.#withRetries("open a pull request", signal, async (api, purpose) => {
      const query = { head: `${api.repository.owner}:${branch}`, state: "all", per_page: 100 } as const;
      const answer = await api.request(purpose, "GET /repos/{owner}/{repo}/pulls", query);
      const listed = checkAnswer(z.array(PullRequest), answer, purpose);
      const found =
        listed.find(({ state }) => state === "open") ?? listed.find(({ head }) => head.sha === commit);
      if (found !== undefined) return found.html_url;
      const { title, base, jobId, prompts } = change;
      const pull = { title, body: describePullRequest(jobId, prompts), base, head: branch };
      const opened = await api.request(purpose, "POST /repos/{owner}/{repo}/pulls", pull);
      return checkAnswer(PullRequest, opened, purpose).html_url;
    });
  }

  #readDefaultBranch(signal: AbortSignal): Promise<string> {
    return this.#withRetries("read the repository", signal, async (api, purpose) => {
      const found = await api.request(purpose, "GET /repos/{owner}/{repo}");
      return checkAnswer(z.object({ default_branch: z.string() }), found, purpose).default_branch;
    });
  }

  /** Brings a branch's tip into the platform's own repository, and gives the ref that names it there. */
  async #fetch(branch: string, jobBranch: string, signal: AbortSignal): Promise<string> {
    const ref = `refs/docs-agent/${jobBranch}/remote`;
    const options = ["--quiet", "--no-tags", "--no-write-fetch-head"];
    await this.#git(["fetch", ...options, this.#gitUrl, `+refs/heads/${branch}:${ref}`], signal);
    return ref;
  }

  get #gitUrl(): string {
    return this.#remote.gitUrl ?? `${this.repository}.git`;
  }

  /** Git with a setting that makes it send the token to this host only. */
  #git(args: readonly string[], signal: AbortSignal): Promise<string> {
    const credentials = Buffer.from(`x-access-token:${this.#remote.token}`).toString("base64");
    const name = `http.${new URL(this.#gitUrl).origin}/.extraheader`;
    return this.#agents.run(args, signal, { settings: [[name, `AUTHORIZATION: basic ${credentials}`]] });
  }

  /** @throws {JobFailedError} with what GitHub said, when it refuses or stays away. */
  async #withRetries<T>(
    doing: string,
    signal: AbortSignal,
    attempt: (api: GitHubApi, purpose: CallPurpose) => Promise<T>,
  ): Promise<T> {
    const { owner, repository: name, ...connection } = this.#remote;
    const api = createGitHubApi(
      {
        ...connection,
        userAgent: "docs-automation-action",
        repository: { owner, name, id: `${owner}/${name}` },
        attempts: 1,
      },
      { log: this.#log, signal, random: Math.random, clock: systemClock },
    );
    try {
      return await retry(() => attempt(api, { doing, permission: "pull-requests: write" }), {
        attempts: 4,
        backoff: this.#backoff,
        retryAfterMs: (error) => (isTransient(error) ? 0 : undefined),
        clock: systemClock,
        random: Math.random,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw describeFailure(error, doing);
    }
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof ActionError)) return false;
  const { status, message } = error;
  return status === undefined || status >= 500 || status === 429 || message.includes("already exists");
}

/** A failure of GitHub in words for the operator; a defect as it is. */
function describeFailure(error: unknown, doing: string): unknown {
  if (!(error instanceof ActionError)) return error;
  const { status, message, cause } = error;
  if (status === undefined) return new JobFailedError(message, { cause: error });
  const said = `GitHub answered ${status} when asked to ${doing}: ${withStop(messageOf(cause))}`;
  const hint = [401, 403, 404].includes(status) ? ` ${permissionsHint}` : "";
  return new JobFailedError(said + hint, { cause: error });
}
