/** Finds our records all over the repository: in comments of threads, in statuses of commits. */
import { z } from "zod";
import type { ClaimRecord } from "./claim-record.ts";
import type { ClaimStore, StoredClaim } from "./claim-store.ts";
import { createCommentClaims } from "./comment-claims.ts";
import { createThreadComments, type ThreadAddress } from "./comments.ts";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { isSameAccount } from "./identity.ts";
import { hasMarker } from "./marker.ts";
import type { Seal } from "./seal.ts";
import { createStatusClaims } from "./status-claims.ts";

export interface OpenRecordsDeps {
  readonly api: GitHubApi;
  readonly identity: Account;
  readonly seal: Seal;
  readonly render: (record: ClaimRecord) => string;
  readonly describe: (record: ClaimRecord) => string;
}

/** A record and the store that can change it. */
export interface FoundRecord {
  readonly claim: StoredClaim;
  readonly claims: ClaimStore;
  /** Where it stands, for people: `#12`, or a commit. */
  readonly where: string;
}

/** Commits of the default branch whose statuses are looked at, newest first. */
const maxCommits = 100;

/** Lists genuine records that were written or changed since a time (ISO 8601). */
export async function listRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecord[]> {
  const threads = [...(await listIssueThreads(since, deps)), ...(await listDiscussionThreads(since, deps))];
  const found: FoundRecord[] = [];
  for (const thread of threads) {
    const claims = createCommentClaims(
      { repositoryId: deps.api.repository.id, thread, since },
      { ...deps, comments: createThreadComments(thread, deps.api), serverNow: deps.api.serverNow },
    );
    found.push(...(await claims.list()).map((claim) => ({ claim, claims, where: `#${thread.number}` })));
  }
  return [...found, ...(await listStatusRecords(deps))];
}

const RepositoryComment = z.object({
  body: z.string().nullish(),
  issue_url: z.string(),
  html_url: z.string(),
  user: z.object({ login: z.string(), id: z.number(), type: z.string() }).nullish(),
});

/** Threads with a comment of ours that changed since then: one listing for the whole repository. */
async function listIssueThreads(since: string, { api, identity }: OpenRecordsDeps): Promise<ThreadAddress[]> {
  const purpose = { doing: "list the repository's comments", permission: "issues: write" };
  const comments = await api.call(purpose, async (octokit, target) => {
    const parameters = { ...target, since, sort: "updated", direction: "desc", per_page: 100 } as const;
    return z
      .array(RepositoryComment)
      .parse(await octokit.paginate(octokit.rest.issues.listCommentsForRepo, parameters));
  });
  const threads = new Map<number, ThreadAddress>();
  for (const { body, issue_url, html_url, user } of comments) {
    const author = user ? { login: user.login, id: user.id, isBot: user.type === "Bot" } : undefined;
    if (!hasMarker(body ?? "") || !isSameAccount(author, identity.login)) continue;
    const number = Number(/\/(\d+)$/.exec(issue_url)?.[1]);
    const kind = html_url.includes("/pull/") ? "pull-request" : "issue";
    threads.set(number, { kind, number, nodeId: "" });
  }
  return [...threads.values()];
}

const DiscussionPage = z.object({
  repository: z.object({
    discussions: z.object({
      nodes: z.array(z.object({ id: z.string(), number: z.number(), updatedAt: z.string() })),
    }),
  }),
});

/** Discussions that changed since then, the newest hundred. A repository without discussions has none. */
async function listDiscussionThreads(since: string, { api }: OpenRecordsDeps): Promise<ThreadAddress[]> {
  const query = `query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {
    discussions(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { id number updatedAt } } } }`;
  const purpose = { doing: "list the repository's discussions", permission: "discussions: write" };
  const { owner, name } = api.repository;
  const page = await api.call(purpose, async (octokit) =>
    DiscussionPage.parse(await octokit.graphql<unknown>(query, { owner, name })),
  );
  return page.repository.discussions.nodes
    .filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since))
    .map(({ id, number }) => ({ kind: "discussion", number, nodeId: id }));
}

/** Records on the newest commits, however old these are: a schedule on a quiet branch writes to its old head. */
async function listStatusRecords(deps: OpenRecordsDeps): Promise<FoundRecord[]> {
  const purpose = { doing: "list the recent commits", permission: "contents: read" };
  const { data: commits } = await deps.api.call(purpose, (octokit, target) =>
    octokit.rest.repos.listCommits({ ...target, per_page: maxCommits }),
  );
  const found: FoundRecord[] = [];
  for (const { sha } of commits) {
    const claims = createStatusClaims({ sha }, deps);
    found.push(
      ...(await claims.list()).map((claim) => ({ claim, claims, where: `commit ${sha.slice(0, 7)}` })),
    );
  }
  return found;
}
