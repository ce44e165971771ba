/**
 * Finds the commits whose statuses hold an open record of the agent. A page of branches, or of commits, is one request, and
 * a commit without such a status costs none of its own.
 */
import { z } from "zod";
import { GitHubError, isRefusal } from "../errors.ts";
import type { GitHubApi } from "../github-api.ts";
import { askAboutCommits, eachPage, pageOf } from "./ask-about-commits.ts";
import { CommitSieve, commitFields, MarkedCommit } from "./commit-sieve.ts";

export interface MarkedCommits {
  readonly shas: readonly string[];
  /** What there is and was not looked at, one sentence each. */
  readonly unseen: readonly string[];
}

/** What is looked at, at most; the documentation of `reconcile` names these figures. */
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

interface Walk {
  readonly sieve: CommitSieve;
  readonly api: GitHubApi;
}

/** Looks through branches, tags and pull requests for open records written since a time (ISO 8601). */
export async function findMarkedCommits(since: string, api: GitHubApi): Promise<MarkedCommits> {
  const walk: Walk = { sieve: new CommitSieve(since), api };
  const unseen = [
    ...(await walkDefaultBranch(walk)),
    ...(await walkBranches(walk)),
    ...(await walkRefs("refs/tags/", walk)).unseen,
    ...(await walkPullRequests(walk)),
  ];
  return { shas: walk.sieve.marked, unseen };
}

const History = z.object({ history: pageOf(MarkedCommit) });
const DefaultBranch = z.object({
  repository: z.object({ defaultBranchRef: z.object({ target: History.nullable() }).nullable() }),
});

/** The default branch: a schedule on a quiet one writes to its old head. */
async function walkDefaultBranch({ sieve, api }: Walk): Promise<string[]> {
  const query = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
    defaultBranchRef { target { ... on Commit { history(first: 100, after: $cursor) {
      nodes { ${commitFields} } pageInfo { hasNextPage endCursor } } } } } } }`;
  const { owner, name } = api.repository;
  let count = 0;
  const pages = eachPage(async (cursor) => {
    const variables = { owner, name, cursor };
    const question = { query, variables, schema: DefaultBranch, permission: "contents: read" } as const;
    return (await askAboutCommits(question, api)).repository.defaultBranchRef?.target?.history;
  });
  for await (const { nodes, pageInfo } of pages) {
    for (const commit of nodes) sieve.take(commit);
    count += nodes.length;
    if (!sieve.isRecent(nodes.at(-1)?.committedDate ?? "")) break;
    if (count >= limits.defaultCommits && pageInfo.hasNextPage)
      return [`Default branch: only its newest ${limits.defaultCommits} commits were looked at.`];
  }
  return [];
}

/** Every branch's newest commit, and some before it where that one is recent. */
async function walkBranches({ sieve, api }: Walk): Promise<string[]> {
  const { fresh, unseen } = await walkRefs("refs/heads/", { sieve, api });
  const active = fresh.filter(({ committedDate }) => sieve.isRecent(committedDate));
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commit {
    history(first: ${limits.branchCommits}) { nodes { ${commitFields} } pageInfo { hasNextPage endCursor } } } } }`;
  const schema = z.object({ nodes: z.array(History.nullable()) });
  for (let from = 0; from < Math.min(active.length, limits.activeBranches); from += atOnce) {
    const variables = { ids: active.slice(from, from + atOnce).map(({ id }) => id) };
    const answer = await askAboutCommits({ query, variables, schema, permission: "contents: read" }, api);
    for (const commit of answer.nodes.flatMap((node) => node?.history.nodes ?? [])) sieve.take(commit);
  }
  const isCut = active.length > limits.activeBranches;
  const sentence = `Branches: of ${active.length - limits.activeBranches} that changed recently only the newest commit was looked at.`;
  return [...unseen, ...(isCut ? [sentence] : [])];
}

/** What a branch or tag names: a commit, an annotated tag's object that leads to one, or something without statuses. */
const Target = z.union([
  MarkedCommit,
  z.object({ target: MarkedCommit }).transform(({ target }) => target),
  z.unknown().transform(() => undefined),
]);
const Refs = z.object({
  repository: z.object({ refs: pageOf(z.object({ target: Target })).nullable() }),
});

/** The commits that branches or tags name; `fresh` are those not seen before. */
async function walkRefs(
  prefix: "refs/heads/" | "refs/tags/",
  { sieve, api }: Walk,
): Promise<{ fresh: MarkedCommit[]; unseen: string[] }> {
  const query = `query ($owner: String!, $name: String!, $prefix: String!, $cursor: String) {
    repository(owner: $owner, name: $name) {
      refs(refPrefix: $prefix, first: 100, after: $cursor, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { target { ... on Commit { ${commitFields} } ... on Tag { target { ... on Commit { ${commitFields} } } } } }
      } } }`;
  const { owner, name } = api.repository;
  const fresh: MarkedCommit[] = [];
  let count = 0;
  const pages = eachPage(async (cursor) => {
    const variables = { owner, name, prefix, cursor };
    const question = { query, variables, schema: Refs, permission: "contents: read" } as const;
    return (await askAboutCommits(question, api)).repository.refs ?? undefined;
  });
  for await (const { nodes, totalCount = 0, pageInfo } of pages) {
    const commits = nodes.map(({ target }) => target).filter((commit) => commit !== undefined);
    fresh.push(...commits.filter((commit) => sieve.take(commit)));
    count += nodes.length;
    if (count >= limits.refs && pageInfo.hasNextPage) {
      const kind = prefix === "refs/heads/" ? "Branches" : "Tags";
      return { fresh, unseen: [`${kind}: ${totalCount - count} of ${totalCount} were not looked at.`] };
    }
  }
  return { fresh, unseen: [] };
}

const PullRequest = z.object({
  updatedAt: z.string(),
  mergeCommit: MarkedCommit.nullable(),
  potentialMergeCommit: MarkedCommit.nullable(),
  commits: z.object({ nodes: z.array(z.object({ commit: MarkedCommit })) }),
});
const PullRequests = z.object({ repository: z.object({ pullRequests: pageOf(PullRequest) }) });

/** Commits that no branch leads to any more, or never did: of deleted branches, and GitHub's trial merges. */
async function walkPullRequests({ sieve, api }: Walk): Promise<string[]> {
  const query = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
    pullRequests(first: ${atOnce}, after: $cursor, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes { updatedAt mergeCommit { ${commitFields} } potentialMergeCommit { ${commitFields} }
        commits(last: ${limits.branchCommits}) { nodes { commit { ${commitFields} } } } }
    } } }`;
  const { owner, name } = api.repository;
  let count = 0;
  const pages = eachPage(async (cursor) => {
    const variables = { owner, name, cursor };
    const question = { query, variables, schema: PullRequests, permission: "pull-requests: write" } as const;
    return (await askAboutCommits(question, api)).repository.pullRequests;
  });
  try {
    for await (const { nodes, pageInfo } of pages) {
      const recent = nodes.filter(({ updatedAt }) => sieve.isRecent(updatedAt));
      for (const commit of recent.flatMap(commitsOf)) sieve.take(commit);
      count += nodes.length;
      if (recent.length < nodes.length) break;
      if (count >= limits.pullRequests && pageInfo.hasNextPage)
        return [`Pull requests: only the ${limits.pullRequests} that changed last were looked at.`];
    }
    return [];
  } catch (error) {
    if (!(error instanceof GitHubError) || !isRefusal(error)) throw error;
    return [`Commits of pull requests were not looked at: ${error.message} ${error.hint}`];
  }
}

function commitsOf({
  mergeCommit,
  potentialMergeCommit,
  commits,
}: z.infer<typeof PullRequest>): MarkedCommit[] {
  const merges = [mergeCommit, potentialMergeCommit].filter((commit) => commit !== null);
  return [...merges, ...commits.nodes.map(({ commit }) => commit)];
}
