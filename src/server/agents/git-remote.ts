/**
 * A repository elsewhere, with nothing but git: agents' branches are fetched from it and pushed to it, whatever serves it. Where no more
 * is known of the host, people ask for the merge.
 */
import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ActionError, JobFailedError } from "../../base/errors.ts";
import { retry } from "../../base/retry.ts";
import type { Log } from "../../base/runtime.ts";
import type { AgentOptions, GitPush } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { type GitAccess, GitError, orUndefined } from "./git.ts";
import {
  moveBranch,
  type PublishedChange,
  type PullRequestHost,
  type TurnStart,
} from "./published-change.ts";

/** Where a repository is, and how to get in. */
export interface RemoteAddress {
  /** What git takes; without credentials. */
  readonly url: string;
  readonly access?: GitAccess | undefined;
  /** What to do when the server lets us in no further. */
  readonly hint: string;
}

type RemoteOptions = Pick<AgentOptions, "base" | "retryBackoff">;

/** What servers, git and ssh say of a missing, wrong or weak credential. */
const refusals = /could not read Username|Authentication failed|error: 40[13]|Permission denied/;

/** What they say of a server that may answer a moment later. */
const interruptions =
  /could not resolve|failed to connect|connection (?:refused|reset|closed|timed out)|operation timed out|empty reply|hung up|early EOF|error: (?:429|5\d\d)/i;

interface ReachOptions extends Pick<RemoteAddress, "hint">, Pick<AgentOptions, "retryBackoff"> {
  readonly attempts: number;
  readonly signal: AbortSignal;
  /** For all attempts together; half an hour unless set. */
  readonly withinMs?: number;
}

/**
 * Runs git against a server, again where the server may answer a moment later.
 *
 * @throws {JobFailedError} with the hint, where the server lets us in no further, and when it takes too long; a {GitError} otherwise.
 */
export async function reachServer(
  run: (signal: AbortSignal) => Promise<string>,
  options: ReachOptions,
): Promise<string> {
  const { hint, retryBackoff: backoff = { baseMs: 2000, maxMs: 15_000 }, attempts } = options;
  const { withinMs = 1_800_000 } = options;
  // A server that sends a little now and then would be waited for without an end.
  const late = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([options.signal, late]);
  const retryAfterMs = (error: unknown) =>
    error instanceof GitError && interruptions.test(error.message) ? 0 : undefined;
  try {
    return await retry(() => run(signal), { attempts, backoff, retryAfterMs, signal });
  } catch (error) {
    if (error === late.reason)
      throw new JobFailedError(`git stopped: its server took more than ${withinMs / 60_000} minutes.`);
    if (!(error instanceof GitError) || !refusals.test(error.message)) throw error;
    throw new JobFailedError(`${error.message}. ${hint}`, { cause: error });
  }
}

/** @param options The branch that the work is for is by default the remote's own. */
export function createGitRemote(
  { url, access, hint }: RemoteAddress,
  { base: givenBase, ...waits }: RemoteOptions,
  agents: AgentRepository,
) {
  const git = (args: readonly string[], signal: AbortSignal, attempts = 4) =>
    reachServer((until) => agents.run(args, until, { access }), { hint, ...waits, attempts, signal });

  /** The base branch and the tips of both, which the platform's own repository holds then. */
  const fetchTips = async (branch: string, signal: AbortSignal, attempts?: number) => {
    const head = givenBase === undefined ? "HEAD" : `refs/heads/${givenBase}`;
    const ref = `refs/heads/${branch}`;
    const listing = await git(["ls-remote", "--quiet", "--symref", "--", url, head, ref], signal, attempts);
    const base = givenBase ?? /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing)?.[1];
    const tips = new Map([...listing.matchAll(/^([\da-f]+)\t(.+)$/gm)].map(([, tip, name]) => [name, tip]));
    const baseTip = tips.get(head);
    if (base === undefined || baseTip === undefined)
      throw new JobFailedError(
        `${url} has no ${givenBase === undefined ? "default branch" : `branch ${base}`}.`,
      );
    const refs = tips.has(ref) ? [head, ref] : [head];
    // No ref names what is fetched, so that two requests never wait for each other; nothing is ever pruned here.
    const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head"];
    await git(["fetch", ...quietly, "--", url, ...refs], signal, attempts);
    return { base, baseTip, tip: tips.get(ref) };
  };

  return {
    url,
    async findStart(branch: string, signal: AbortSignal): Promise<TurnStart> {
      const { base, baseTip, tip } = await fetchTips(branch, signal);
      return { commit: tip ?? baseTip, base, hasBranch: tip !== undefined };
    },
    /** Brings the change to its branch; the commit there that holds its turn's work. */
    async push(change: PublishedChange, signal: AbortSignal): Promise<string> {
      const ref = `refs/heads/${change.branch}`;
      const push = git(["push", "--quiet", "--", url, `${change.commit}:${ref}`], signal);
      const findWork = async () => {
        const { tip } = await fetchTips(change.branch, signal);
        return tip && agents.findTurn(tip, change.turn, signal);
      };
      return moveBranch(change, push, findWork, signal);
    },
    /** What became of a pushed branch. */
    async readState(branch: string, signal: AbortSignal): Promise<"open" | "merged" | "closed"> {
      // Once: a client waits for it.
      const { baseTip, tip } = await fetchTips(branch, signal, 1);
      if (tip === undefined) return "closed";
      const contained = agents.run(["merge-base", "--is-ancestor", tip, baseTip], signal);
      return (await orUndefined(contained)) === undefined ? "open" : "merged";
    },
  };
}

/**
 * Pushes branches to a remote of the served repository, or to an address.
 *
 * @throws {ActionError} when there is no such remote, or git could not push there.
 */
export async function openBranchHost(
  push: GitPush,
  options: RemoteOptions,
  agents: AgentRepository,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<PullRequestHost> {
  const names = (await agents.runInServed(["remote"], signal)).split("\n");
  const isName = names.includes(push.remote);
  const address = isName
    ? await agents.runInServed(["remote", "get-url", "--push", push.remote], signal)
    : push.remote;
  return createBranchHost(readRemoteAddress(address, push.token, agents.served.root), options, agents, log);
}

/** Pushes branches to an address. */
export function createBranchHost(
  address: RemoteAddress,
  options: RemoteOptions,
  agents: AgentRepository,
  log: Log,
): PullRequestHost {
  const remote = createGitRemote(address, options, agents);
  log.info(`The agents' branches are pushed to ${remote.url}.`);
  return {
    // A path would be taken for one of the platform's own pages.
    repository: isAbsolute(remote.url) ? pathToFileURL(remote.url).href : remote.url,
    findStart: remote.findStart,
    async findOpen(branch, signal) {
      return (await remote.readState(branch, signal)) === "open" ? branch : undefined;
    },
    readState: remote.readState,
    async publish(change, signal) {
      await remote.push(change, signal);
      log.info(`Agent job ${change.jobId} is on the branch ${change.branch} of ${remote.url}.`);
      return change.branch;
    },
  };
}

/** `user@host:path`, as ssh takes it; a single letter is a drive, and two colons are another program's. */
const sshForm = /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/|:)./;
const hint =
  "Set DOCS_PLATFORM_GIT_TOKEN to a token that may push there; over ssh, the key must be in the user's agent or folder, and the host in known_hosts.";

/**
 * An address as git is given it: without the credentials that it may hold, which other processes would see. The token goes to
 * its host alone.
 *
 * @param root What a relative path starts from.
 * @throws {ActionError} for what git could not push to, or must not.
 */
export function readRemoteAddress(address: string, token: string | undefined, root: string): RemoteAddress {
  if (sshForm.test(address) && !address.startsWith("-")) return { url: address, hint };
  const url = address.includes("://") ? URL.parse(address) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") {
    // Some hosts want a certain name beside a token.
    const username = /^[\w.-]+$/.test(url.username) ? url.username : undefined;
    const access = token ? { origin: url.origin, token, username } : undefined;
    return { url: `${url.origin}${url.pathname}`, access, hint };
  }
  if (url?.protocol === "ssh:") return { url: Object.assign(url, { password: "" }).href, hint };
  if (url?.protocol === "file:") return { url: url.href, hint };
  if (url === undefined && /[/\\]/.test(address)) return { url: resolve(root, address), hint };
  const shown = address.replace(/\/\/.*@/, "//");
  const message = `The repository has no remote ${shown}, and git cannot push there.`;
  throw new ActionError("invalid-input", message, {
    hint: "Give `--push` the name of a remote, or an https, ssh or file address. `git remote -v` lists the remotes.",
  });
}
