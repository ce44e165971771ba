/**
 * A remote repository at any git host: agents' branches are fetched from it and pushed to it. Without an API of the host, users open the
 * pull request themselves.
 */
import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ActionError, JobFailedError } from "../../base/errors.ts";
import { isLoopback } from "../../base/network.ts";
import { retry } from "../../base/retry.ts";
import type { Log } from "../../base/runtime.ts";
import { formatCount } from "../../base/text.ts";
import type { AgentOptions, GitPush } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { type GitAccess, GitError, optionalOutput } from "./git.ts";
import type { PublishedChange, PublishedJob, PullRequestHost } from "./published-change.ts";

/** A remote repository and its credentials. */
export interface RemoteAddress {
  /** Git URL without credentials. */
  readonly url: string;
  readonly access?: GitAccess | undefined;
  /** The next step if the server denies access. */
  readonly hint: string;
}

type RemoteOptions = Pick<AgentOptions, "base" | "retryBackoff">;
type JobBranches = Pick<PublishedJob, "branch" | "base">;

/** Messages of servers, git and ssh for missing, wrong or insufficient credentials. */
const accessDenied = /could not read Username|Authentication failed|error: 40[13]|Permission denied/;

const transientFailure =
  /could not resolve|failed to connect|connection (?:refused|reset|closed|timed out)|operation timed out|empty reply|hung up|early EOF|error: (?:429|5\d\d)/i;

/** Backoff of attempts to reach a host, unless the options name another one. */
export const hostBackoff = { baseMs: 2000, maxMs: 15_000 };

interface RetryOptions extends Pick<RemoteAddress, "hint">, Pick<AgentOptions, "retryBackoff"> {
  readonly attempts: number;
  readonly signal: AbortSignal;
  /** For all attempts together; defaults to half an hour. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs a git command that contacts a server, with retries after temporary failures.
 *
 * @throws {JobFailedError} with the hint if the server denies access, and after the timeout; {GitError} for other failures.
 */
export async function retryGit(
  run: (signal: AbortSignal) => Promise<string>,
  options: RetryOptions,
): Promise<string> {
  const { hint, attempts, retryBackoff: backoff = hostBackoff, timeoutMs = 1_800_000 } = options;
  // Git itself never gives up on a server that sends a few bytes now and then.
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  const retryAfterMs = (error: unknown) =>
    error instanceof GitError && transientFailure.test(error.message) ? 0 : undefined;
  try {
    return await retry(() => run(signal), { attempts, backoff, retryAfterMs, signal });
  } catch (error) {
    if (error === timeout.reason)
      throw new JobFailedError(
        `git was stopped: the server took more than ${formatCount(timeoutMs / 60_000, "minute")}.`,
      );
    if (!(error instanceof GitError) || !accessDenied.test(error.message)) throw error;
    throw new JobFailedError(`${error.message}. ${hint}`, { cause: error });
  }
}

/** Parses the output of `git ls-remote --symref`. */
export function parseRefListing(listing: string) {
  const [, defaultBranch] = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing) ?? [];
  const lines = listing.matchAll(/^([\da-f]+)\t(.+)$/gm);
  return { defaultBranch, tips: new Map([...lines].map(([, tip, name]) => [name, tip])) };
}

/**
 * Creates a host that pushes branches to a remote repository.
 *
 * @param options `base` defaults to the remote's default branch.
 */
export function createBranchHost(
  { url, access, hint }: RemoteAddress,
  { base: configuredBase, ...retryOptions }: RemoteOptions,
  agents: AgentRepository,
  log: Log,
): PullRequestHost & { push(change: PublishedChange, signal: AbortSignal): Promise<string> } {
  const git = (args: readonly string[], signal: AbortSignal, attempts = 4) =>
    retryGit((stop) => agents.run(args, stop, { access }), { hint, ...retryOptions, attempts, signal });

  /** Fetches the base branch and the job's branch into the platform's repository; returns their tips. */
  const fetchTips = async (job: JobBranches, signal: AbortSignal, attempts?: number) => {
    const ref = `refs/heads/${job.branch}`;
    const headOf = (base: string | undefined) => (base === undefined ? "HEAD" : `refs/heads/${base}`);
    const [defaultHead, jobHead] = [headOf(configuredBase), headOf(job.base ?? configuredBase)];
    const names = [jobHead, defaultHead, ref];
    const listing = await git(["ls-remote", "--quiet", "--symref", "--", url, ...names], signal, attempts);
    const { defaultBranch, tips } = parseRefListing(listing);
    const head = tips.has(jobHead) ? jobHead : defaultHead;
    const base = head === defaultHead ? (configuredBase ?? defaultBranch) : job.base;
    const [baseTip, tip] = [tips.get(head), tips.get(ref)];
    if (base === undefined || baseTip === undefined)
      throw new JobFailedError(
        `${url} has no ${configuredBase === undefined ? "default branch" : `branch ${base}`}.`,
      );
    const commits = [baseTip, tip].filter((commit) => commit !== undefined);
    if (!commits.every(agents.hasCommit)) {
      // No refs are written, so that concurrent fetches do not block each other. Nothing prunes the objects.
      const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head"];
      const refs = [head, ref].slice(0, commits.length);
      await git(["fetch", ...quietly, "--", url, ...refs], signal, attempts);
      agents.addCommits(commits, baseTip);
    }
    return { base, baseTip, tip };
  };

  /**
   * Pushes a commit without force, so git accepts fast-forwards only. If two attempts of a turn push, git rejects the second, even
   * from another machine. It also rejects a push that would undo commits of users. A rejected attempt uses the commit that is
   * already on the branch for its turn.
   *
   * @returns the commit on the branch that contains the turn's work.
   */
  const push = async (change: PublishedChange, signal: AbortSignal): Promise<string> => {
    const { branch, commit, isPushed, turn } = change;
    if (isPushed) return commit;
    try {
      await git(["push", "--quiet", "--", url, `${commit}:refs/heads/${branch}`], signal);
      return commit;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      signal.throwIfAborted();
      const { tip } = await fetchTips(change, signal).catch(() => ({ tip: undefined }));
      const work = tip && (await agents.findTurn(tip, turn, signal).catch(() => undefined));
      if (work !== undefined) return work;
      throw new JobFailedError(`The branch ${branch} could not be pushed: ${error.message}`, {
        cause: error,
      });
    }
  };

  /** The state of a pushed branch: `closed` if it was deleted, `merged` if the base contains it. */
  const readState = async (job: JobBranches, signal: AbortSignal) => {
    // A single attempt, because a client is waiting for the response.
    const { baseTip, tip } = await fetchTips(job, signal, 1);
    if (tip === undefined) return "closed";
    const ancestorCheck = agents.run(["merge-base", "--is-ancestor", tip, baseTip], signal);
    return (await optionalOutput(ancestorCheck)) === undefined ? "open" : "merged";
  };

  log.info(`Agents' branches are pushed to ${url}.`);
  return {
    // As a file URL, because a path would mean a page of the platform.
    repository: isAbsolute(url) ? pathToFileURL(url).href : url,
    async findStart(job, signal) {
      const { base, baseTip, tip } = await fetchTips(job, signal);
      return { commit: tip ?? baseTip, base, hasBranch: tip !== undefined };
    },
    push,
    readState,
    async findOpen(branch, signal) {
      return (await readState({ branch }, signal)) === "open" ? { pullRequest: branch } : undefined;
    },
    async publish(change, signal) {
      await push(change, signal);
      log.info(`Agent job ${change.jobId} pushed the branch ${change.branch} to ${url}.`);
      return change.branch;
    },
  };
}

/**
 * Creates a host that pushes branches to a remote of the served repository, or to a URL.
 *
 * @throws {ActionError} if there is no such remote, or git cannot push to the URL.
 */
export async function openBranchHost(
  push: GitPush,
  options: RemoteOptions,
  agents: AgentRepository,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<PullRequestHost> {
  const readUrl = () => agents.runInServed(["remote", "get-url", "--push", "--", push.remote], signal);
  // The names of remotes contain no colon. Without such a remote, git exits with code 2.
  const url = push.remote.includes(":") ? undefined : await optionalOutput(readUrl(), [2]);
  const address = url ?? push.remote;
  return createBranchHost(readRemoteAddress(address, push.token, agents.served.root), options, agents, log);
}

/** `user@host:path`, as ssh accepts it. A single letter is a Windows drive; `::` starts a remote helper. */
const sshForm = /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/|:)./;
const hint =
  "Set DOCS_PLATFORM_GIT_TOKEN to a token with the permission to push. With ssh, the user's ssh-agent or ~/.ssh must have the key, and known_hosts the host.";

/**
 * Parses the URL of a remote. Credentials are removed from the URL, because other processes can see git's arguments. The token is
 * sent to this host only.
 *
 * @param root Base of relative paths.
 * @throws {ActionError} if git cannot or must not push to the address.
 */
export function readRemoteAddress(address: string, token: string | undefined, root: string): RemoteAddress {
  if (sshForm.test(address) && !address.startsWith("-")) return { url: address, hint };
  const url = address.includes("://") ? URL.parse(address) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") {
    const access = token ? createAccess(url, token) : undefined;
    return { url: `${url.origin}${url.pathname}`, access, hint };
  }
  if (url?.protocol === "ssh:") return { url: Object.assign(url, { password: "" }).href, hint };
  if (url?.protocol === "file:") return { url: url.href, hint };
  if (url === undefined && /[/\\]/.test(address)) return { url: resolve(root, address), hint };
  const shown = address.replace(/\/\/.*@/, "//");
  const message = `The repository has no remote ${shown}, and git cannot push there.`;
  throw new ActionError("invalid-input", message, {
    hint: "Set `--push` to the name of a remote, or an https, ssh or file URL. `git remote -v` lists the remotes.",
  });
}

/** @throws {ActionError} if others could read the token on its way. */
function createAccess(url: URL, token: string): GitAccess {
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new ActionError("invalid-input", `A token is not sent to ${url.origin}, which is not encrypted.`, {
      hint: "Use the repository's https or ssh URL.",
    });
  }
  // Some hosts require a certain user name with a token.
  const username = /^[\w.-]+$/.test(url.username) ? url.username : undefined;
  return { origin: url.origin, token, username };
}
