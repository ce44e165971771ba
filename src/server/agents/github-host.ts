import * as z from "zod/mini";
import { ActionError, JobFailedError } from "../../base/errors.ts";
import { retry } from "../../base/retry.ts";
import { type Log, systemClock } from "../../base/runtime.ts";
import { endWithPeriod, messageOf } from "../../base/text.ts";
import type { CallPurpose } from "../../github/errors.ts";
import { GitHubApi } from "../../github/github-api.ts";
import type { AgentOptions } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { createBranchHost, hostBackoff } from "./git-remote.ts";
import type { PullRequestHost } from "./published-change.ts";

const PullRequest = z.object({
  html_url: z.url(),
  state: z.string(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string() }),
  /** Only in the response for a single pull request. */
  merged: z.optional(z.boolean()),
});
type PullRequest = z.infer<typeof PullRequest>;

const permissionsHint =
  "The token needs `contents: write` and `pull-requests: write`, and the settings must allow GitHub Actions to create pull requests.";

type Attempt<T> = (api: GitHubApi, purpose: CallPurpose) => Promise<T>;

/** Creates a host that pushes branches to GitHub and opens pull requests. */
export function createGitHubHost(options: AgentOptions, agents: AgentRepository, log: Log): PullRequestHost {
  const { github, retryBackoff = hostBackoff } = options;
  if (github === undefined) throw new Error("The options name no GitHub repository.");
  const { owner, repository: name } = github;
  const page = `${github.serverUrl}/${owner}/${name}`;
  const url = github.gitUrl ?? `${page}.git`;
  const access = { origin: new URL(url).origin, token: github.token };
  const branches = createBranchHost({ url, access, hint: permissionsHint }, options, agents, log);
  /** @throws {JobFailedError} with GitHub's message if it rejects the request or does not respond. */
  const callGitHub = async <T>(doing: string, signal: AbortSignal, attempt: Attempt<T>, attempts = 4) => {
    const target = { owner, name, id: `${owner}/${name}` };
    const { redact = (text: string) => text } = github;
    const deps = { log, signal, random: Math.random, clock: systemClock, redact };
    const api = new GitHubApi({ ...github, repository: target, attempts: 1 }, deps);
    const retryAfterMs = (error: unknown) => (isTransient(error) ? 0 : undefined);
    const run = () => attempt(api, { doing, permission: "pull-requests: write" });
    try {
      return await retry(run, { attempts, backoff: retryBackoff, retryAfterMs, ...deps });
    } catch (error) {
      signal.throwIfAborted();
      throw describeFailure(error, doing);
    }
  };
  /** The pull requests of a branch, newest first. */
  const listPulls = (branch: string, api: GitHubApi, purpose: CallPurpose) => {
    const query = { head: `${owner}:${branch}`, state: "all", per_page: 100 } as const;
    return api.request(purpose, "GET /repos/{owner}/{repo}/pulls", query, z.array(PullRequest));
  };
  const isOpen = ({ state }: PullRequest) => state === "open";

  return {
    repository: page,
    findStart: branches.findStart,
    async findOpen(branch, signal) {
      const list: Attempt<PullRequest[]> = (api, purpose) => listPulls(branch, api, purpose);
      // A single attempt, as below, because a client is waiting for the response.
      const found = (await callGitHub("find a pull request", signal, list, 1)).find(isOpen);
      return found && { pullRequest: found.html_url, base: found.base.ref };
    },
    async readState({ pullRequest }, signal) {
      const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
      const query = { pull_number: Number(/\/pull\/(\d+)$/.exec(pullRequest ?? "")?.[1]) };
      const read: Attempt<PullRequest> = (api, purpose) => api.request(purpose, route, query, PullRequest);
      const pull = await callGitHub("read the pull request", signal, read, 1);
      return pull.merged ? "merged" : isOpen(pull) ? "open" : "closed";
    },
    async publish(change, signal) {
      const { branch, title, body, start } = change;
      const commit = await branches.push(change, signal);
      // Each attempt searches first: an earlier attempt may have opened the pull request although its response was lost.
      // The error names the branch, which has the change.
      return callGitHub(`open a pull request for ${branch}`, signal, async (api, purpose) => {
        const listed = await listPulls(branch, api, purpose);
        const existing = listed.find(isOpen) ?? listed.find(({ head }) => head.sha === commit);
        if (existing !== undefined) return existing.html_url;
        const pull = { title, body, base: start.base, head: branch };
        return (await api.request(purpose, "POST /repos/{owner}/{repo}/pulls", pull, PullRequest)).html_url;
      });
    },
  };
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof ActionError)) return false;
  const { status, message } = error;
  return status === undefined || status >= 500 || status === 429 || message.includes("already exists");
}

/** Turns a failed request to GitHub into an error for the operator; other errors stay as they are. */
function describeFailure(error: unknown, doing: string): unknown {
  if (!(error instanceof ActionError)) return error;
  const { status, message, cause } = error;
  if (status === undefined) return new JobFailedError(message, { cause: error });
  const problem = `GitHub responded with ${status} to the request to ${doing}: ${endWithPeriod(messageOf(cause))}`;
  const hint = [401, 403, 404].includes(status) ? ` ${permissionsHint}` : "";
  return new JobFailedError(problem + hint, { cause: error });
}
