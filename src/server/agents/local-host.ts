import { basename } from "node:path";
import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { PlatformContext } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { GitError, optionalOutput } from "./git.ts";
import { completePush, type PullRequestHost } from "./published-change.ts";

/** A pull request that is shown on a page of the platform. */
const LocalPullRequest = z.object({
  number: z.int(),
  jobId: z.string(),
  branch: z.string(),
  /** Branch name, or a commit if the repository was on a detached HEAD. */
  base: z.string(),
  title: z.string(),
  prompts: z.array(z.string()),
  createdAt: z.iso.datetime(),
});
type LocalPullRequest = z.infer<typeof LocalPullRequest>;

/** Data of the pull request page. */
export interface PullRequestView extends LocalPullRequest {
  /** `closed` if the branch was deleted. */
  readonly state: "open" | "merged" | "closed";
  /** `undefined` if the branch was deleted, or the diff is too long. */
  readonly diff: string | undefined;
}

export type LocalHost = Awaited<ReturnType<typeof openLocalHost>>;

/**
 * Opens a host that pushes branches to the served repository, and shows them as pull requests on pages of the platform.
 *
 * @param configuredBase Base branch; defaults to the branch that is checked out.
 */
export async function openLocalHost(
  configuredBase: string | undefined,
  agents: AgentRepository,
  { storage, now }: PlatformContext,
) {
  const records = await storage.records("agents/pull-requests", LocalPullRequest);
  const repository = `/local/${basename(agents.served.root).replaceAll(/[^\w.-]+/g, "-") || "repository"}`;
  let lastNumber = Math.max(0, ...(await records.list()).map(({ number }) => number));

  const query = (signal: AbortSignal, ...args: string[]) => optionalOutput(agents.runInServed(args, signal));
  /** Resolves a revision; `undefined` if it does not exist. */
  const findCommit = (name: string, signal: AbortSignal) =>
    query(signal, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);

  /** Reads a pull request with its current state; `undefined` if the number is unknown. */
  const read = async (number: number, signal: AbortSignal): Promise<PullRequestView | undefined> => {
    const pullRequest = await records.get(String(number));
    if (pullRequest === undefined) return undefined;
    const head = await findCommit(`refs/heads/${pullRequest.branch}`, signal);
    const base =
      (await findCommit(`refs/heads/${pullRequest.base}`, signal)) ??
      (await findCommit(pullRequest.base, signal));
    if (head === undefined || base === undefined) return { ...pullRequest, state: "closed", diff: undefined };
    const isMerged = (await query(signal, "merge-base", "--is-ancestor", head, base)) !== undefined;
    const diff = await readDiff(agents, `${base}...${head}`, signal);
    return { ...pullRequest, state: isMerged ? "merged" : "open", diff };
  };

  const host: PullRequestHost = {
    repository,
    // Jobs and pull requests are both records: a job without a record has no pull request either.
    findOpen: async () => undefined,
    async readState(pullRequest, signal) {
      return (await read(Number(basename(pullRequest)), signal))?.state ?? "closed";
    },
    async findStart(branch, signal) {
      const base = configuredBase ?? (await query(signal, "symbolic-ref", "--quiet", "--short", "HEAD"));
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
      await completePush(change, fetch, findWork, signal);
      const [existing] = await records.list({ where: { jobId } });
      // No `await` between reading and incrementing: each job gets its own number.
      const number = existing?.number ?? ++lastNumber;
      const createdAt = existing?.createdAt ?? new Date(now()).toISOString();
      const pullRequest = { number, jobId, branch, base, title, prompts: [...prompts], createdAt };
      await records.put(String(number), pullRequest);
      return `${repository}/pull/${number}`;
    },
  };
  return { ...host, read };
}

/** `undefined` if the diff is too long for a page. */
async function readDiff(agents: AgentRepository, range: string, signal: AbortSignal) {
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
  try {
    return await agents.runInServed(["diff", ...plain, range], signal);
  } catch (error) {
    if (error instanceof GitError && error.isOutputTooLong) return undefined;
    throw error;
  }
}
