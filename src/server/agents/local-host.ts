import { basename } from "node:path";
import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { PlatformContext } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { GitError, optionalOutput } from "./git.ts";
import type { PullRequestHost } from "./published-change.ts";

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

  const runInServed = (signal: AbortSignal, ...args: string[]) => agents.runInServed(args, signal);
  /** The tips of all branches, and the branches that are checked out. */
  const readBranches = async (signal: AbortSignal) => {
    const format = "--format=%(HEAD)%(if)%(worktreepath)%(then)+%(else)-%(end) %(objectname) %(refname)";
    const listing = await runInServed(signal, "for-each-ref", format, "refs/heads");
    const lines = [...listing.matchAll(/^(.)(.) (\S+) refs\/heads\/(.+)$/gm)];
    return {
      tips: new Map(lines.map(([, , , tip = "", name = ""]) => [name, tip])),
      current: lines.find(([, mark]) => mark === "*")?.[4],
      isCheckedOut: (branch: string) => lines.some(([, , mark, , name]) => mark === "+" && name === branch),
    };
  };

  /** Reads a pull request with its current state; `undefined` if the number is unknown. */
  const read = async (number: number, signal: AbortSignal): Promise<PullRequestView | undefined> => {
    const pullRequest = await records.get(String(number));
    if (pullRequest === undefined) return undefined;
    const { tips } = await readBranches(signal);
    const head = tips.get(pullRequest.branch);
    const isCommit = /^[\da-f]{40,64}$/.test(pullRequest.base);
    const base = tips.get(pullRequest.base) ?? (isCommit ? pullRequest.base : undefined);
    if (head === undefined || base === undefined) return { ...pullRequest, state: "closed", diff: undefined };
    const ancestorCheck = runInServed(signal, "merge-base", "--is-ancestor", head, base);
    const isMerged = (await optionalOutput(ancestorCheck)) !== undefined;
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
      const { tips, current, isCheckedOut } = await readBranches(signal);
      if (isCheckedOut(branch))
        throw new JobFailedError(`The branch ${branch} is checked out: check out another branch first.`);
      const base = configuredBase ?? current;
      const baseTip =
        base === undefined ? await runInServed(signal, "rev-parse", "HEAD^{commit}") : tips.get(base);
      const tip = tips.get(branch);
      const commit = tip ?? baseTip;
      if (commit !== undefined) return { commit, base: base ?? commit, hasBranch: tip !== undefined };
      throw new JobFailedError(`The served repository has no branch ${base}.`);
    },
    async publish({ jobId, branch, start, commit, isPushed, title, prompts }, signal) {
      if (!isPushed) {
        // Git rejects this if a user changed the branch meanwhile.
        const expected = start.hasBranch ? start.commit : "";
        await runInServed(signal, "update-ref", `refs/heads/${branch}`, commit, expected);
      }
      const [existing] = await records.list({ where: { jobId } });
      // No `await` between reading and incrementing: each job gets its own number.
      const number = existing?.number ?? ++lastNumber;
      const createdAt = existing?.createdAt ?? new Date(now()).toISOString();
      const pullRequest = {
        number,
        jobId,
        branch,
        base: start.base,
        title,
        prompts: [...prompts],
        createdAt,
      };
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
