import { basename } from "node:path";
import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { PlatformContext } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { GitError, orUndefined } from "./git.ts";
import { moveBranch, type PullRequestHost } from "./published-change.ts";

/** A pull request that is a page of the platform's own. */
const LocalPullRequest = z.object({
  number: z.int(),
  jobId: z.string(),
  branch: z.string(),
  /** A branch's name, or a commit where none was checked out. */
  base: z.string(),
  title: z.string(),
  prompts: z.array(z.string()),
  createdAt: z.iso.datetime(),
});
type LocalPullRequest = z.infer<typeof LocalPullRequest>;

/** What a pull request's page shows. */
export interface PullRequestView extends LocalPullRequest {
  /** `closed` when its branch is gone. */
  readonly state: "open" | "merged" | "closed";
  /** `undefined` when its branch is gone, or when there is too much of it. */
  readonly diff: string | undefined;
}

export type LocalHost = Awaited<ReturnType<typeof openLocalHost>>;

/**
 * Leaves branches in the served repository, and shows them as pull requests on pages of the platform's own.
 *
 * @param givenBase The branch that the work is for; by default the one that is checked out.
 */
export async function openLocalHost(
  givenBase: string | undefined,
  agents: AgentRepository,
  { storage, now }: PlatformContext,
) {
  const records = await storage.records("agents/pull-requests", LocalPullRequest);
  const repository = `/local/${basename(agents.served.root).replaceAll(/[^\w.-]+/g, "-") || "repository"}`;
  let lastNumber = Math.max(0, ...(await records.list()).map(({ number }) => number));

  const ask = (signal: AbortSignal, ...args: string[]) => orUndefined(agents.runInServed(args, signal));
  /** What a commit's name stands for; `undefined` where there is no such commit. */
  const findCommit = (name: string, signal: AbortSignal) =>
    ask(signal, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);

  /** A pull request as its branches are now; `undefined` where none has this number. */
  const read = async (number: number, signal: AbortSignal): Promise<PullRequestView | undefined> => {
    const pullRequest = await records.get(String(number));
    if (pullRequest === undefined) return undefined;
    const head = await findCommit(`refs/heads/${pullRequest.branch}`, signal);
    const base =
      (await findCommit(`refs/heads/${pullRequest.base}`, signal)) ??
      (await findCommit(pullRequest.base, signal));
    if (head === undefined || base === undefined) return { ...pullRequest, state: "closed", diff: undefined };
    const isMerged = (await ask(signal, "merge-base", "--is-ancestor", head, base)) !== undefined;
    const diff = await readDiff(agents, `${base}...${head}`, signal);
    return { ...pullRequest, state: isMerged ? "merged" : "open", diff };
  };

  const host: PullRequestHost = {
    repository,
    // The pages are records too.
    findOpen: async () => undefined,
    async readState(pullRequest, signal) {
      return (await read(Number(basename(pullRequest)), signal))?.state ?? "closed";
    },
    async findStart(branch, signal) {
      const base = givenBase ?? (await ask(signal, "symbolic-ref", "--quiet", "--short", "HEAD"));
      const tip = await findCommit(`refs/heads/${branch}`, signal);
      const commit = tip ?? (await findCommit(base === undefined ? "HEAD" : `refs/heads/${base}`, signal));
      if (commit !== undefined) return { commit, base: base ?? commit, hasBranch: tip !== undefined };
      throw new JobFailedError(`The served repository has no branch ${base ?? "HEAD"}.`);
    },
    async publish(change, signal) {
      const { jobId, branch, base, title, prompts } = change;
      const ref = `refs/heads/${branch}`;
      await agents.run(["update-ref", ref, change.commit], signal);
      const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
      const fetch = agents.runInServed(["fetch", ...quietly, agents.path, `${ref}:${ref}`], signal);
      const findWork = async () => {
        const tip = await findCommit(ref, signal);
        return tip && agents.findTurn(tip, change.turn, signal);
      };
      await moveBranch(change, fetch, findWork, signal);
      const [found] = await records.list({ where: { jobId } });
      // Taken before the next await: two jobs never get the same number.
      const number = found?.number ?? ++lastNumber;
      const createdAt = found?.createdAt ?? new Date(now()).toISOString();
      const facts = { number, jobId, branch, base, title, prompts: [...prompts], createdAt };
      await records.put(String(number), facts);
      return `${repository}/pull/${number}`;
    },
  };
  return { ...host, read };
}

/** `undefined` when it is longer than a page can be. */
async function readDiff(agents: AgentRepository, range: string, signal: AbortSignal) {
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
  try {
    return await agents.runInServed(["diff", ...plain, range], signal);
  } catch (error) {
    if (error instanceof GitError && error.isOutputTooLong) return undefined;
    throw error;
  }
}
