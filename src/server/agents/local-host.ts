import { basename } from "node:path";
import { JobFailedError } from "../../base/errors.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { GitError, optionalOutput } from "./git.ts";
import type { PublishedJob, PullRequestHost } from "./published-change.ts";

/** The change of a job's branch. */
export interface LocalChange {
  /** `closed` if the branch was deleted. */
  readonly state: "open" | "merged" | "closed";
  /** `undefined` if the branch was deleted, or the diff is too long. */
  readonly diff: string | undefined;
}

export type LocalHost = ReturnType<typeof createLocalHost>;

/**
 * Creates a host that puts branches into the served repository. The records of jobs are its pull requests, each with a page of the
 * platform.
 *
 * @param configuredBase Base branch; defaults to the branch that is checked out.
 */
export function createLocalHost(configuredBase: string | undefined, agents: AgentRepository) {
  const repository = `/local/${basename(agents.served.root).replaceAll(/[^\w.-]+/g, "-") || "repository"}`;
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

  const readChange = async (
    { branch, base = "" }: PublishedJob,
    signal: AbortSignal,
  ): Promise<LocalChange> => {
    const { tips } = await readBranches(signal);
    const head = tips.get(branch);
    // On a detached HEAD, the base is a commit.
    const baseTip = tips.get(base) ?? (/^[\da-f]{40,64}$/.test(base) ? base : undefined);
    if (head === undefined || baseTip === undefined) return { state: "closed", diff: undefined };
    const ancestorCheck = runInServed(signal, "merge-base", "--is-ancestor", head, baseTip);
    const isMerged = (await optionalOutput(ancestorCheck)) !== undefined;
    const diff = await readDiff(agents, `${baseTip}...${head}`, signal);
    return { state: isMerged ? "merged" : "open", diff };
  };

  const host: PullRequestHost = {
    repository,
    // A job without a record has no pull request.
    findOpen: async () => undefined,
    readState: async (job, signal) => (await readChange(job, signal)).state,
    async findStart({ branch }, signal) {
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
    async publish({ jobId, branch, start, commit, isPushed }, signal) {
      // Git rejects this if a user changed the branch meanwhile.
      const expected = start.hasBranch ? start.commit : "";
      if (!isPushed) await runInServed(signal, "update-ref", `refs/heads/${branch}`, commit, expected);
      return `${repository}/pull/${jobId}`;
    },
  };
  return { ...host, readChange };
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
