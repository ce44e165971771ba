/** A repository elsewhere, with nothing but git: agents' branches are fetched from it and pushed to it, whatever serves it. */
import { JobFailedError } from "../../base/errors.ts";
import { retry } from "../../base/retry.ts";
import { systemClock } from "../../base/runtime.ts";
import type { AgentOptions } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { type GitAccess, GitError, orUndefined } from "./git.ts";
import { moveBranch, type PublishedChange, type TurnStart } from "./published-change.ts";

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
    const deps = { signal, random: Math.random, clock: systemClock };
    return await retry(() => run(signal), { attempts, backoff, retryAfterMs, ...deps });
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
