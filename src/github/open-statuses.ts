/**
 * Finds the commits whose statuses contain an open record of the agent. One request reads a page of branches or commits with their
 * statuses.
 */

import * as z from "zod/mini";
import { GitHubError, GraphqlFailure, isRefusal, missingPermission, parseResponse } from "./errors.ts";
import { eachPage, type GitHubApi } from "./github-api.ts";
import { pageSchema } from "./graphql-schemas.ts";
import { isOpenAgentStatus } from "./status-claims.ts";

/** The limits of the search, which the documentation of `reconcile` names. */
const limits = {
  /** Branches and, separately, tags: the commit of each. */
  refs: 3000,
  /** Newest commits of the default branch; the first 100 regardless of their age. */
  defaultCommits: 500,
  /** Recently changed branches whose newest `branchCommits` commits are searched. */
  activeBranches: 500,
  branchCommits: 20,
  /** Recently changed pull requests whose newest `branchCommits` commits are searched, as their branches may be deleted. */
  pullRequests: 500,
} as const;

const doing = "search the repository's commits";

/** Branches or pull requests whose commits one request reads: GitHub aborts requests after ten seconds. */
const batchSize = 20;

/**
 * Searches branches, tags and pull requests for open records since a time (ISO 8601). If GraphQL is unavailable or too slow, it
 * returns the newest 100 commits of the default branch instead.
 */
export async function findOpenStatuses(
  since: string,
  api: GitHubApi,
): Promise<Pick<CommitSearch, "shas" | "notSearched">> {
  const search = new CommitSearch(since, api);
  try {
    await search.searchDefaultBranch();
    await search.searchBranches();
    await search.searchRefs("refs/tags/");
    await search.searchPullRequests();
    return search;
  } catch (error) {
    const codesForFallback = ["not-found", "unavailable", "unexpected-response"];
    if (!(error instanceof GitHubError) || !codesForFallback.includes(error.code)) throw error;
    const purpose = { doing: "list the recent commits", permission: "contents: read" };
    const commits = await api.request(purpose, "GET /repos/{owner}/{repo}/commits", { per_page: 100 });
    const limit = `Commit statuses: only those of the newest ${commits.length} commits of the default branch were searched: ${error.message}`;
    return { shas: commits.map(({ sha }) => sha), notSearched: [limit] };
  }
}

/** A commit with the newest status of each context. */
const Commit = z.object({
  id: z.string(),
  oid: z.string(),
  committedDate: z.string(),
  status: z.nullable(
    z.object({
      contexts: z.array(z.object({ context: z.string(), state: z.string(), createdAt: z.string() })),
    }),
  ),
});
type Commit = z.infer<typeof Commit>;

/** The fields of `Commit`, as a selection. */
const commitFields = "id oid committedDate status { contexts { context state createdAt } }";
const pageFields = "totalCount pageInfo { hasNextPage endCursor }";

/** A page of commits, branches, tags or pull requests. If the last item has a time, it is the oldest of the page. */
const Page = pageSchema(
  z.looseObject({ committedDate: z.optional(z.string()), updatedAt: z.optional(z.string()) }),
);

/** All queries use the alias `list` for their list. */
const SearchResponse = z.object({
  repository: z.object({
    list: z.nullish(Page),
    defaultBranchRef: z.nullish(z.object({ target: z.nullable(z.object({ list: Page })) })),
  }),
});

/** The permission to list the commits; their statuses also need `statuses: write`. */
type Permission = "contents: read" | "pull-requests: write";

/** Collects the commits with an open record since a time. */
class CommitSearch {
  readonly shas: string[] = [];
  /** What was not searched, one sentence each. */
  readonly notSearched: string[] = [];
  readonly #sinceMs: number;
  readonly #api: GitHubApi;
  readonly #known = new Set<string>();

  constructor(since: string, api: GitHubApi) {
    this.#sinceMs = Date.parse(since);
    this.#api = api;
  }

  /** Searches the default branch. A scheduled run on an inactive branch writes to its old head commit. */
  async searchDefaultBranch(): Promise<void> {
    const limit = limits.defaultCommits;
    const selection = `defaultBranchRef { target { ... on Commit {
      list: history(first: 100, after: $cursor) { ${pageFields} nodes { ${commitFields} } } } } }`;
    const describeRest = () => `Default branch: only its newest ${limit} commits were searched.`;
    await this.#search(selection, limit, describeRest);
  }

  /** Searches the newest commit of every branch, and more commits of recently changed branches. */
  async searchBranches(): Promise<void> {
    const tips = await this.searchRefs("refs/heads/");
    const active = tips.filter(({ committedDate }) => this.#isRecent(committedDate));
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commit {
      history(first: ${limits.branchCommits}) { nodes { ${commitFields} } } } } }`;
    for (let from = 0; from < Math.min(active.length, limits.activeBranches); from += batchSize) {
      const ids = active.slice(from, from + batchSize).map(({ id }) => id);
      this.#collect(await this.#query(query, { ids }, z.unknown()));
    }
    const remaining = active.length - limits.activeBranches;
    if (remaining <= 0) return;
    this.notSearched.push(
      `Branches: of ${remaining} that changed recently only the newest commit was searched.`,
    );
  }

  /** Searches the commits of branches or tags, and returns the new ones. */
  searchRefs(prefix: "refs/heads/" | "refs/tags/"): Promise<Commit[]> {
    const subject = prefix === "refs/heads/" ? "Branches" : "Tags";
    const commit = `... on Commit { ${commitFields} }`;
    // An annotated tag points to a tag object, which points to a commit.
    const selection = `list: refs(refPrefix: "${prefix}", first: 100, after: $cursor,
      orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      ${pageFields} nodes { target { ${commit} ... on Tag { target { ${commit} } } } } }`;
    const describeRest = (count: number, total: number) =>
      `${subject}: ${total - count} of ${total} were not searched.`;
    return this.#search(selection, limits.refs, describeRest);
  }

  /** Searches the commits of pull requests: those of deleted branches and GitHub's test merges are on no branch. */
  async searchPullRequests(): Promise<void> {
    const limit = limits.pullRequests;
    const selection = `list: pullRequests(first: ${batchSize}, after: $cursor,
      orderBy: { field: UPDATED_AT, direction: DESC }) { ${pageFields} nodes {
        updatedAt mergeCommit { ${commitFields} } potentialMergeCommit { ${commitFields} }
        commits(last: ${limits.branchCommits}) { nodes { commit { ${commitFields} } } } } }`;
    const describeRest = () => `Pull requests: only the ${limit} that changed last were searched.`;
    try {
      await this.#search(selection, limit, describeRest, "pull-requests: write");
    } catch (error) {
      if (!(error instanceof GitHubError) || !isRefusal(error)) throw error;
      this.notSearched.push(`Commits of pull requests were not searched: ${error.message} ${error.hint}`);
    }
  }

  /**
   * Reads a list until its items are too old, up to a limit, and returns the new commits.
   *
   * @param selection GraphQL fields of the repository, with `$cursor` for the page
   * @param describeRest describes the items beyond the limit
   */
  async #search(
    selection: string,
    limit: number,
    describeRest: (count: number, total: number) => string,
    permission?: Permission,
  ): Promise<Commit[]> {
    const query = `query ($owner: String!, $name: String!, $cursor: String) {
      repository(owner: $owner, name: $name) { ${selection} } }`;
    const { owner, name } = this.#api.repository;
    const pages = eachPage(async (cursor) => {
      const { repository } = await this.#query(query, { owner, name, cursor }, SearchResponse, permission);
      return repository.list ?? repository.defaultBranchRef?.target?.list;
    });
    const commits: Commit[] = [];
    let count = 0;
    for await (const { nodes, totalCount = 0, pageInfo } of pages) {
      commits.push(...this.#collect(nodes));
      count += nodes.length;
      const { committedDate, updatedAt = committedDate } = nodes.at(-1) ?? {};
      if (updatedAt !== undefined && !this.#isRecent(updatedAt)) break;
      if (count < limit || !pageInfo.hasMore) continue;
      this.notSearched.push(describeRest(count, totalCount));
      break;
    }
    return commits;
  }

  #isRecent(time: string): boolean {
    return Date.parse(time) >= this.#sinceMs;
  }

  /** Finds all commits in a response, keeps those with an open record, and returns the new ones. */
  #collect(response: unknown): Commit[] {
    if (typeof response !== "object" || response === null) return [];
    if (!("oid" in response)) return Object.values(response).flatMap((value) => this.#collect(value));
    const commit = parseResponse(Commit, response, { doing, permission: "contents: read" });
    if (this.#known.has(commit.oid)) return [];
    this.#known.add(commit.oid);
    const isOpen = commit.status?.contexts.some(
      (status) => isOpenAgentStatus(status) && this.#isRecent(status.createdAt),
    );
    if (isOpen) this.shas.push(commit.oid);
    return [commit];
  }

  /** @throws {GitHubError} that names the missing permission: for commits or for statuses. */
  async #query<Schema extends z.ZodMiniType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    schema: Schema,
    permission: Permission = "contents: read",
  ): Promise<z.output<Schema>> {
    try {
      return await this.#api.graphql({ doing, permission }, query, variables, schema);
    } catch (error) {
      const isRefused = error instanceof GitHubError && error.code === "missing-permission";
      const failure = isRefused && error.cause instanceof GraphqlFailure ? error.cause : undefined;
      // One query reads commits and their statuses. The error's path shows which of them GitHub refused.
      if (!failure?.errors.some(({ path }) => path?.includes("status"))) throw error;
      throw missingPermission("statuses: write", { doing: "read commit statuses", cause: failure });
    }
  }
}
