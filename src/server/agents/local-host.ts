import { basename, join } from "node:path";
import { z } from "zod";
import { JobFailedError } from "../../base/errors.ts";
import type { PlatformContext } from "../base/context.ts";
import { openRecordStore, type RecordStore } from "../base/records.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { GitError, orUndefined } from "./git.ts";
import { moveBranch, type PublishedChange, type PullRequestHost } from "./published-change.ts";

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
  readonly state: "open" | "merged" | "gone";
  /** `undefined` when its branch is gone, or when there is too much of it. */
  readonly diff: string | undefined;
}

/** Opens the pull requests kept in a folder; `base` is the branch that the work is for, by default the one checked out. */
export async function openLocalHost(
  directory: string,
  base: string | undefined,
  agents: AgentRepository,
  { log, now }: PlatformContext,
): Promise<LocalHost> {
  const store = await openRecordStore(join(directory, "pull-requests"), LocalPullRequest, log);
  return new LocalHost(store, base, agents, now);
}

/** Leaves branches in the served repository, and shows them as pull requests on pages of the platform's own. */
export class LocalHost implements PullRequestHost {
  readonly repository: string;
  readonly #store: RecordStore<LocalPullRequest>;
  readonly #base: string | undefined;
  readonly #agents: AgentRepository;
  readonly #now: () => number;
  #lastNumber: number;

  constructor(
    store: RecordStore<LocalPullRequest>,
    base: string | undefined,
    agents: AgentRepository,
    now: () => number,
  ) {
    this.repository = `/local/${basename(agents.served.root).replaceAll(/[^\w.-]+/g, "-") || "repository"}`;
    this.#store = store;
    this.#base = base;
    this.#agents = agents;
    this.#now = now;
    this.#lastNumber = Math.max(0, ...store.list().map(({ number }) => number));
  }

  async findStart(branch: string, signal: AbortSignal): Promise<{ commit: string; base: string }> {
    const checkedOut = ["symbolic-ref", "--quiet", "--short", "HEAD"];
    const base = this.#base ?? (await orUndefined(this.#agents.runInServed(checkedOut, signal)));
    const commit =
      (await this.#findCommit(`refs/heads/${branch}`, signal)) ??
      (await this.#findCommit(base === undefined ? "HEAD" : `refs/heads/${base}`, signal));
    if (commit === undefined) {
      throw new JobFailedError(`The served repository has no branch ${base ?? "HEAD"}.`);
    }
    return { commit, base: base ?? commit };
  }

  async publish(change: PublishedChange, signal: AbortSignal): Promise<string> {
    const { jobId, branch, commit, base, title, prompts } = change;
    const ref = `refs/heads/${branch}`;
    await this.#agents.run(["update-ref", ref, commit], signal);
    const options = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
    const fetch = ["fetch", ...options, this.#agents.path, `${ref}:${ref}`];
    const contains = () => this.#agents.runInServed(["merge-base", "--is-ancestor", commit, ref], signal);
    await moveBranch(branch, this.#agents.runInServed(fetch, signal), contains, signal);

    const found = this.#store.list().find((pullRequest) => pullRequest.jobId === jobId);
    // Taken before the next await: two jobs never get the same number.
    const number = found?.number ?? ++this.#lastNumber;
    const createdAt = found?.createdAt ?? new Date(this.#now()).toISOString();
    const facts = { number, jobId, branch, base, title, prompts: [...prompts], createdAt };
    await this.#store.put(String(number), facts);
    return `${this.repository}/pull/${number}`;
  }

  /** A pull request as its branches are now; `undefined` where none has this number. */
  async read(number: number, signal: AbortSignal): Promise<PullRequestView | undefined> {
    const pullRequest = this.#store.get(String(number));
    if (pullRequest === undefined) return undefined;
    const head = await this.#findCommit(`refs/heads/${pullRequest.branch}`, signal);
    const base =
      (await this.#findCommit(`refs/heads/${pullRequest.base}`, signal)) ??
      (await this.#findCommit(pullRequest.base, signal));
    if (head === undefined || base === undefined) return { ...pullRequest, state: "gone", diff: undefined };
    const merged = await orUndefined(
      this.#agents.runInServed(["merge-base", "--is-ancestor", head, base], signal),
    );
    const state = merged === undefined ? "open" : "merged";
    return { ...pullRequest, state, diff: await this.#diff(`${base}...${head}`, signal) };
  }

  /** What a commit's name stands for; `undefined` where there is no such commit. */
  #findCommit(name: string, signal: AbortSignal): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", `${name}^{commit}`];
    return orUndefined(this.#agents.runInServed(args, signal));
  }

  /** `undefined` when it is longer than a page can be. */
  async #diff(range: string, signal: AbortSignal): Promise<string | undefined> {
    const options = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
    try {
      return await this.#agents.runInServed(["diff", ...options, range], signal);
    } catch (error) {
      if (error instanceof GitError && error.isOutputTooLong) return undefined;
      throw error;
    }
  }
}
