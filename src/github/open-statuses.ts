/**
 * Finds the commits whose statuses hold an open record of the agent. A page of branches, or of commits, is one request, and
 * a commit without such a status costs none of its own.
 */

import * as z from "zod/mini";
import { GitHubError, GraphqlFailure, isRefusal, missingPermission, parseResponse } from "./errors.ts";
import { eachPage, type GitHubApi } from "./github-api.ts";
import { pageSchema } from "./graphql-schemas.ts";
import { isOpenAgentStatus } from "./status-claims.ts";

/** What is searched, at most; the documentation of `reconcile` names these figures. */
const limits = {
  /** Branches, and as many tags: the commit that each names. */
  refs: 3000,
  /** Newest commits of the default branch; the first hundred however old they are. */
  defaultCommits: 500,
  /** Branches that changed recently: also this many of their newest commits. */
  activeBranches: 500,
  branchCommits: 20,
  /** Pull requests that changed recently: as many of their commits, for their branches may be gone. */
  pullRequests: 500,
} as const;

const doing = "search the repository's commits";

/** Branches or pull requests whose commits are asked for at once: GitHub gives up on what takes it ten seconds. */
const atOnce = 20;

/**
 * Searches branches, tags and pull requests for open records written since a time (ISO 8601). Without GraphQL, or where
 * its answer takes GitHub too long, what the REST API lists at once has to do.
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
    const mayListInstead = ["not-found", "unavailable", "unexpected-response"];
    if (!(error instanceof GitHubError) || !mayListInstead.includes(error.code)) throw error;
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

/** A page of commits, or of what names commits; where its last item has a time, that is the oldest. */
const Page = pageSchema(
  z.looseObject({ committedDate: z.optional(z.string()), updatedAt: z.optional(z.string()) }),
);

/** Each query calls its list `list`, wherever it is. */
const Answer = z.object({
  repository: z.object({
    list: z.nullish(Page),
    defaultBranchRef: z.nullish(z.object({ target: z.nullable(z.object({ list: Page })) })),
  }),
});

/** Reading commits needs one permission, reading their statuses another: `statuses: write`. */
type Permission = "contents: read" | "pull-requests: write";

/** The commits seen so far, and those of them with an open record since a time. */
class CommitSearch {
  readonly shas: string[] = [];
  /** What there is and was not searched, one sentence each. */
  readonly notSearched: string[] = [];
  readonly #sinceMs: number;
  readonly #api: GitHubApi;
  readonly #seen = new Set<string>();

  constructor(since: string, api: GitHubApi) {
    this.#sinceMs = Date.parse(since);
    this.#api = api;
  }

  /** The default branch: a schedule on a quiet one writes to its old head. */
  async searchDefaultBranch(): Promise<void> {
    const limit = limits.defaultCommits;
    const selection = `defaultBranchRef { target { ... on Commit {
      list: history(first: 100, after: $cursor) { ${pageFields} nodes { ${commitFields} } } } } }`;
    const rest = () => `Default branch: only its newest ${limit} commits were searched.`;
    await this.#search(selection, limit, rest);
  }

  /** Every branch's newest commit, and some before it where that one is recent. */
  async searchBranches(): Promise<void> {
    const tips = await this.searchRefs("refs/heads/");
    const active = tips.filter(({ committedDate }) => this.#isRecent(committedDate));
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commit {
      history(first: ${limits.branchCommits}) { nodes { ${commitFields} } } } } }`;
    for (let from = 0; from < Math.min(active.length, limits.activeBranches); from += atOnce) {
      const ids = active.slice(from, from + atOnce).map(({ id }) => id);
      this.#takeFrom(await this.#ask(query, { ids }, z.unknown()));
    }
    const left = active.length - limits.activeBranches;
    if (left <= 0) return;
    this.notSearched.push(`Branches: of ${left} that changed recently only the newest commit was searched.`);
  }

  /** The commits that branches or tags name; returns those not seen before. */
  searchRefs(prefix: "refs/heads/" | "refs/tags/"): Promise<Commit[]> {
    const kind = prefix === "refs/heads/" ? "Branches" : "Tags";
    const commit = `... on Commit { ${commitFields} }`;
    // A tag may be annotated: then it names an object that leads to a commit.
    const selection = `list: refs(refPrefix: "${prefix}", first: 100, after: $cursor,
      orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      ${pageFields} nodes { target { ${commit} ... on Tag { target { ${commit} } } } } }`;
    const rest = (count: number, total: number) => `${kind}: ${total - count} of ${total} were not searched.`;
    return this.#search(selection, limits.refs, rest);
  }

  /** Commits that no branch leads to any more, or never did: of deleted branches, and GitHub's trial merges. */
  async searchPullRequests(): Promise<void> {
    const limit = limits.pullRequests;
    const selection = `list: pullRequests(first: ${atOnce}, after: $cursor,
      orderBy: { field: UPDATED_AT, direction: DESC }) { ${pageFields} nodes {
        updatedAt mergeCommit { ${commitFields} } potentialMergeCommit { ${commitFields} }
        commits(last: ${limits.branchCommits}) { nodes { commit { ${commitFields} } } } } }`;
    const rest = () => `Pull requests: only the ${limit} that changed last were searched.`;
    try {
      await this.#search(selection, limit, rest, "pull-requests: write");
    } catch (error) {
      if (!(error instanceof GitHubError) || !isRefusal(error)) throw error;
      this.notSearched.push(`Commits of pull requests were not searched: ${error.message} ${error.hint}`);
    }
  }

  /**
   * Goes through a list as far as it is recent, up to its limit; returns the commits not seen before.
   *
   * @param selection the fields of the repository that are asked for, with `$cursor` for the page
   * @param describeRest what is said of those beyond the limit
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
      const { repository } = await this.#ask(query, { owner, name, cursor }, Answer, permission);
      return repository.list ?? repository.defaultBranchRef?.target?.list;
    });
    const fresh: Commit[] = [];
    let count = 0;
    for await (const { nodes, totalCount = 0, pageInfo } of pages) {
      fresh.push(...this.#takeFrom(nodes));
      count += nodes.length;
      const { committedDate, updatedAt = committedDate } = nodes.at(-1) ?? {};
      if (updatedAt !== undefined && !this.#isRecent(updatedAt)) break;
      if (count < limit || !pageInfo.hasMore) continue;
      this.notSearched.push(describeRest(count, totalCount));
      break;
    }
    return fresh;
  }

  #isRecent(time: string): boolean {
    return Date.parse(time) >= this.#sinceMs;
  }

  /** Keeps the commits of an answer with an open record; returns those not seen before. */
  #takeFrom(answer: unknown): Commit[] {
    if (typeof answer !== "object" || answer === null) return [];
    if (!("oid" in answer)) return Object.values(answer).flatMap((value) => this.#takeFrom(value));
    const commit = parseResponse(Commit, answer, { doing, permission: "contents: read" });
    if (this.#seen.has(commit.oid)) return [];
    this.#seen.add(commit.oid);
    const isOpen = commit.status?.contexts.some(
      (status) => isOpenAgentStatus(status) && this.#isRecent(status.createdAt),
    );
    if (isOpen) this.shas.push(commit.oid);
    return [commit];
  }

  /** @throws {GitHubError} that names the permission for commits or for statuses, whichever is missing. */
  async #ask<Schema extends z.ZodMiniType>(
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
      // One question reads commits and their statuses; which of them is refused, the error's path tells.
      if (!failure?.errors.some(({ path }) => path?.includes("status"))) throw error;
      throw missingPermission("statuses: write", { doing: "read commit statuses", cause: failure });
    }
  }
}
