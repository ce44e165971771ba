/**
 * Finds the commits whose statuses hold an open record of the agent. A page of branches, or of commits, is one request, and
 * a commit without such a status costs none of its own.
 */
import * as z from "zod/mini";
import { GitHubError, isRefusal, missingPermission } from "./errors.ts";
import type { GitHubApi } from "./github-api.ts";
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

/** Branches or pull requests whose commits are asked for at once: GitHub gives up on what takes it ten seconds. */
const atOnce = 20;

export interface OpenStatuses {
  readonly shas: readonly string[];
  /** What there is and was not searched, one sentence each. */
  readonly notSearched: readonly string[];
}

/**
 * Searches branches, tags and pull requests for open records written since a time (ISO 8601). Without GraphQL, or where
 * its answer takes GitHub too long, what the REST API lists at once has to do.
 */
export async function findOpenStatuses(since: string, api: GitHubApi): Promise<OpenStatuses> {
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

const History = z.object({ history: pageOf(Commit) });

const DefaultBranch = z.object({
  repository: z.object({ defaultBranchRef: z.nullable(z.object({ target: z.nullable(History) })) }),
});

/** What a branch or tag names: a commit, an annotated tag's object that leads to one, or something without statuses. */
const RefTarget = z.union([
  Commit,
  z.pipe(
    z.object({ target: Commit }),
    z.transform(({ target }) => target),
  ),
  z.pipe(
    z.unknown(),
    z.transform(() => undefined),
  ),
]);
const Refs = z.object({
  repository: z.object({ refs: z.nullable(pageOf(z.object({ target: RefTarget }))) }),
});

const PullRequests = z.object({
  repository: z.object({
    pullRequests: pageOf(
      z.object({
        updatedAt: z.string(),
        mergeCommit: z.nullable(Commit),
        potentialMergeCommit: z.nullable(Commit),
        commits: z.object({ nodes: z.array(z.object({ commit: Commit })) }),
      }),
    ),
  }),
});

/** Reading commits needs one permission, reading their statuses another: `statuses: write`. */
type Permission = "contents: read" | "pull-requests: write";

/** A question about the repository's lists, page by page. */
function queryRepository(selection: string): string {
  return `query ($owner: String!, $name: String!, $cursor: String) {
    repository(owner: $owner, name: $name) { ${selection} } }`;
}

const pageFields = "totalCount pageInfo { hasNextPage endCursor }";

/** The commits seen so far, and those of them with an open record since a time. */
class CommitSearch implements OpenStatuses {
  readonly shas: string[] = [];
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
    const query = queryRepository(`defaultBranchRef { target { ... on Commit {
      history(first: 100, after: $cursor) { ${pageFields} nodes { ${commitFields} } } } } }`);
    const { defaultCommits: limit } = limits;
    await this.#walk(
      async (cursor) => {
        const { repository } = await this.#askRepository(query, cursor, DefaultBranch);
        return repository.defaultBranchRef?.target?.history;
      },
      (commits) => {
        this.#takeAll(commits);
        return this.#isRecent(commits.at(-1)?.committedDate ?? "");
      },
      { limit, note: () => `Default branch: only its newest ${limit} commits were searched.` },
    );
  }

  /** Every branch's newest commit, and some before it where that one is recent. */
  async searchBranches(): Promise<void> {
    const tips = await this.searchRefs("refs/heads/");
    const active = tips.filter(({ committedDate }) => this.#isRecent(committedDate));
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commit {
      history(first: ${limits.branchCommits}) { ${pageFields} nodes { ${commitFields} } } } } }`;
    const schema = z.object({ nodes: z.array(z.nullable(History)) });
    for (let from = 0; from < Math.min(active.length, limits.activeBranches); from += atOnce) {
      const ids = active.slice(from, from + atOnce).map(({ id }) => id);
      const { nodes } = await this.#ask(query, { ids }, schema, "contents: read");
      this.#takeAll(nodes.flatMap((node) => node?.history.nodes ?? []));
    }
    const left = active.length - limits.activeBranches;
    if (left <= 0) return;
    this.notSearched.push(`Branches: of ${left} that changed recently only the newest commit was searched.`);
  }

  /** The commits that branches or tags name; returns those not seen before. */
  async searchRefs(prefix: "refs/heads/" | "refs/tags/"): Promise<Commit[]> {
    const commit = `... on Commit { ${commitFields} }`;
    const query = queryRepository(`refs(refPrefix: "${prefix}", first: 100, after: $cursor,
      orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      ${pageFields} nodes { target { ${commit} ... on Tag { target { ${commit} } } } } }`);
    const kind = prefix === "refs/heads/" ? "Branches" : "Tags";
    const fresh: Commit[] = [];
    await this.#walk(
      async (cursor) => (await this.#askRepository(query, cursor, Refs)).repository.refs ?? undefined,
      (refs) => {
        const commits = refs.map(({ target }) => target).filter((commit) => commit !== undefined);
        fresh.push(...this.#takeAll(commits));
        return true;
      },
      {
        limit: limits.refs,
        note: (count, total) => `${kind}: ${total - count} of ${total} were not searched.`,
      },
    );
    return fresh;
  }

  /** Commits that no branch leads to any more, or never did: of deleted branches, and GitHub's trial merges. */
  async searchPullRequests(): Promise<void> {
    const query = queryRepository(`pullRequests(first: ${atOnce}, after: $cursor,
      orderBy: { field: UPDATED_AT, direction: DESC }) { ${pageFields} nodes {
        updatedAt mergeCommit { ${commitFields} } potentialMergeCommit { ${commitFields} }
        commits(last: ${limits.branchCommits}) { nodes { commit { ${commitFields} } } } } }`);
    const { pullRequests: limit } = limits;
    try {
      await this.#walk(
        async (cursor) => {
          const answer = await this.#askRepository(query, cursor, PullRequests, "pull-requests: write");
          return answer.repository.pullRequests;
        },
        (pulls) => {
          const recent = pulls.filter(({ updatedAt }) => this.#isRecent(updatedAt));
          for (const { mergeCommit, potentialMergeCommit, commits } of recent) {
            const merges = [mergeCommit, potentialMergeCommit].filter((commit) => commit !== null);
            this.#takeAll([...merges, ...commits.nodes.map(({ commit }) => commit)]);
          }
          return recent.length === pulls.length;
        },
        { limit, note: () => `Pull requests: only the ${limit} that changed last were searched.` },
      );
    } catch (error) {
      if (!(error instanceof GitHubError) || !isRefusal(error)) throw error;
      this.notSearched.push(`Commits of pull requests were not searched: ${error.message} ${error.hint}`);
    }
  }

  /** Goes through a list as long as `take` expects more, up to a limit; what is left then is noted. */
  async #walk<Item>(
    fetchPage: (cursor: string | null) => Promise<Page<Item> | undefined>,
    take: (items: readonly Item[]) => boolean,
    { limit, note }: { readonly limit: number; readonly note: (count: number, total: number) => string },
  ): Promise<void> {
    let count = 0;
    for await (const { nodes, totalCount = 0, pageInfo } of eachPage(fetchPage)) {
      count += nodes.length;
      if (!take(nodes)) return;
      if (count < limit || !pageInfo.hasNextPage) continue;
      this.notSearched.push(note(count, totalCount));
      return;
    }
  }

  #isRecent(time: string): boolean {
    return Date.parse(time) >= this.#sinceMs;
  }

  /** Keeps the commits with an open record; returns those not seen before. */
  #takeAll(commits: readonly Commit[]): Commit[] {
    const fresh: Commit[] = [];
    for (const commit of commits) {
      if (this.#seen.has(commit.oid)) continue;
      this.#seen.add(commit.oid);
      fresh.push(commit);
      const isOpen = commit.status?.contexts.some(
        (status) => isOpenAgentStatus(status) && this.#isRecent(status.createdAt),
      );
      if (isOpen) this.shas.push(commit.oid);
    }
    return fresh;
  }

  #askRepository<Schema extends z.ZodMiniType>(
    query: string,
    cursor: string | null,
    schema: Schema,
    permission: Permission = "contents: read",
  ): Promise<z.output<Schema>> {
    const { owner, name } = this.#api.repository;
    return this.#ask(query, { owner, name, cursor }, schema, permission);
  }

  /** @throws {GitHubError} that names the permission for commits or for statuses, whichever is missing. */
  async #ask<Schema extends z.ZodMiniType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    schema: Schema,
    permission: Permission,
  ): Promise<z.output<Schema>> {
    const purpose = { doing: "search the repository's commits", permission };
    try {
      return await this.#api.graphql(purpose, query, variables, schema);
    } catch (error) {
      const isRefused = error instanceof GitHubError && error.code === "missing-permission";
      if (!isRefused || !isAboutStatus(error.cause)) throw error;
      throw missingPermission("statuses: write", { doing: "read commit statuses", cause: error.cause });
    }
  }
}

const Refusal = z.object({ errors: z.array(z.object({ path: z._default(z.array(z.unknown()), []) })) });

/** One question reads commits and their statuses; which of them is refused, the error's path tells. */
function isAboutStatus(cause: unknown): boolean {
  const { data } = Refusal.safeParse(cause);
  return data?.errors.some(({ path }) => path.includes("status")) ?? false;
}

/** A page of a list, as GraphQL gives it. */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    nodes: z.array(item),
    totalCount: z.optional(z.number()),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullable(z.string()) }),
  });
}

interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly totalCount?: number | undefined;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Goes through a list page by page; the first page has no cursor. */
export async function* eachPage<Item>(
  fetchPage: (cursor: string | null) => Promise<Page<Item> | undefined>,
): AsyncGenerator<Page<Item>> {
  for (let cursor: string | null = null; ; ) {
    const page: Page<Item> | undefined = await fetchPage(cursor);
    if (!page) return;
    yield page;
    if (!page.pageInfo.hasNextPage) return;
    cursor = page.pageInfo.endCursor;
  }
}
