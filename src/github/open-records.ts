/** Finds our records all over the repository: in comments of threads, in statuses of commits. */

import * as z from "zod/mini";
import type { ClaimRecord } from "../base/claim-record.ts";
import type { ClaimStore, StoredClaim } from "./claim-store.ts";
import { createCommentClaims, type OwnershipDeps, readClaims } from "./comment-claims.ts";
import { commentRoutes, createThreadComments, RestComment, type ThreadAddress } from "./comments.ts";
import { GitHubError, isRefusal, parseResponse } from "./errors.ts";
import { eachPage } from "./github-api.ts";
import { Actor, lastPageSchema, pageSchema } from "./graphql-schemas.ts";
import { hasMarker } from "./may-trigger.ts";
import { findOpenStatuses } from "./open-statuses.ts";
import { createStatusClaims } from "./status-claims.ts";
import { isSameAccount } from "./token.ts";

/** Besides, how a record is shown that is written again: in a comment, and in a status. */
interface OpenRecordsDeps extends OwnershipDeps {
  readonly render: (record: ClaimRecord) => string;
  readonly describe: (record: ClaimRecord) => string;
}

/** A record and what can change it. */
export interface FoundRecord {
  readonly claim: StoredClaim;
  readonly claims: Pick<ClaimStore, "reread" | "update">;
  /** Where it stands, for people: `#12`, or a commit. */
  readonly where: string;
  /** The thread that it stands on, if any. */
  readonly thread?: ThreadAddress;
}

export interface RecordSearch {
  readonly records: readonly FoundRecord[];
  /** What there is and was not searched, one sentence each. */
  readonly notSearched: readonly string[];
  /** Why a kind of place could not be read that the token may read. */
  readonly failures: readonly GitHubError[];
}

type FoundRecords = Omit<RecordSearch, "failures">;

/** Each kind of place, in words that begin a sentence. */
const places: Readonly<Record<string, (since: string, deps: OpenRecordsDeps) => Promise<FoundRecords>>> = {
  "Comments on issues and pull requests": (since, deps) => listCommentRecords("conversation", since, deps),
  "Review comments": (since, deps) => listCommentRecords("diff", since, deps),
  Discussions: listDiscussionRecords,
  "Commit statuses": listStatusRecords,
};

/**
 * Lists genuine records that were written or changed since a time (ISO 8601). What the token may not read is left out,
 * and named.
 *
 * @throws {GitHubError} when it may read neither comments nor statuses, and there is nothing in discussions.
 */
export async function listRecords(since: string, deps: OpenRecordsDeps): Promise<RecordSearch> {
  const records: FoundRecord[] = [];
  const notSearched: string[] = [];
  const failures: GitHubError[] = [];
  const refusals: GitHubError[] = [];
  for (const [name, list] of Object.entries(places)) {
    try {
      const found = await list(since, deps);
      records.push(...found.records);
      notSearched.push(...found.notSearched);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (isRefusal(error)) {
        refusals.push(error);
        notSearched.push(`${name} were not searched: ${error.message} ${error.hint}`);
      } else failures.push(error);
    }
  }
  const [first] = refusals;
  // A repository without discussions has none to refuse.
  if (first && records.length === 0 && refusals.length >= Object.keys(places).length - 1) throw first;
  return { records, notSearched, failures };
}

/** Pages of a hundred comments that are listed at most, newest changes first. */
const maxCommentPages = 200;

/** The genuine claims in comments that were written or changed since a time, in at most so many pages; each once. */
export async function listCommentClaims(
  home: keyof typeof commentRoutes,
  since: string,
  deps: OwnershipDeps,
  maxPages: number,
): Promise<{ claims: readonly { claim: StoredClaim; thread: ThreadAddress }[]; isComplete: boolean }> {
  const { listName, listRoute, permission } = commentRoutes[home];
  const purpose = { doing: `list the repository's ${listName}`, permission };
  const order = { since, sort: "updated", direction: "desc" } as const;
  /** By the comment: one that changes while the pages are listed comes twice. */
  const claims = new Map<number, { claim: StoredClaim; thread: ThreadAddress }>();
  let pages = 0;
  for await (const page of deps.api.pages(purpose, listRoute, order)) {
    for (const listed of page) {
      const comment = parseResponse(RestComment, listed, purpose);
      if (!hasMarker(comment.body)) continue;
      const thread = threadAt(comment.url);
      const [claim] = readClaims([comment], thread, deps);
      if (claim) claims.set(comment.id, { claim, thread });
    }
    pages += 1;
    if (pages === maxPages) break;
  }
  return { claims: [...claims.values()], isComplete: pages < maxPages };
}

async function listCommentRecords(
  home: keyof typeof commentRoutes,
  since: string,
  deps: OpenRecordsDeps,
): Promise<FoundRecords> {
  const { claims, isComplete } = await listCommentClaims(home, since, deps, maxCommentPages);
  const records = claims.map(({ claim, thread }) => toRecord(claim, thread, deps));
  const limit = `Only the ${maxCommentPages * 100} ${commentRoutes[home].listName} that changed last were searched.`;
  return { records, notSearched: isComplete ? [] : [limit] };
}

/** The thread of a comment with this address. */
function threadAt(url: string): ThreadAddress {
  const [, path, number] = /\/(issues|pull)\/(\d+)#/.exec(url) ?? [];
  return { kind: path === "pull" ? "pull-request" : "issue", number: Number(number), nodeId: "" };
}

function toRecord(claim: StoredClaim, thread: ThreadAddress, deps: OpenRecordsDeps): FoundRecord {
  return { claim, claims: createCommentClaims({ thread }, deps), where: `#${thread.number}`, thread };
}

/** Discussions that are searched at most, newest changes first. */
const maxDiscussions = 1000;

/** A server that knows no replies has none. */
const replies = z.nullish(lastPageSchema(z.object({ author: Actor })));

const Discussion = z.object({
  id: z.string(),
  number: z.number(),
  updatedAt: z.string(),
  comments: lastPageSchema(z.object({ author: Actor, replies })),
});
type Discussion = z.infer<typeof Discussion>;

const Discussions = z.object({ repository: z.object({ discussions: pageSchema(Discussion) }) });

// Replies make a page expensive: with these numbers one costs 11 of the 1,000 points that a repository has in an hour.
const discussionsQuery = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
  discussions(first: 50, after: $cursor, orderBy: { field: UPDATED_AT, direction: DESC }) {
    nodes { id number updatedAt
      comments(last: 20) { pageInfo { hasPreviousPage startCursor } nodes { author { __typename login }
        replies(last: 10) { pageInfo { hasPreviousPage startCursor } nodes { author { __typename login } } } } } }
    pageInfo { hasNextPage endCursor } } } }`;

/** Records in comments on discussions; only discussions that may hold a comment of ours are read. */
async function listDiscussionRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { api, identity } = deps;
  const purpose = { doing: "list the repository's discussions", permission: "discussions: write" };
  const { owner, name } = api.repository;
  const pages = eachPage(async (cursor) => {
    const variables = { owner, name, cursor };
    const answer = await api.graphql(purpose, discussionsQuery, variables, Discussions);
    return answer.repository.discussions;
  });
  const notSearched: string[] = [];
  const discussions: Discussion[] = [];
  for await (const { nodes, pageInfo } of pages) {
    const recent = nodes.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since));
    discussions.push(...recent);
    if (recent.length < nodes.length) break;
    if (discussions.length < maxDiscussions || !pageInfo.hasMore) continue;
    notSearched.push(`Discussions: only the ${maxDiscussions} that changed last were searched.`);
    break;
  }
  const records: FoundRecord[] = [];
  for (const discussion of discussions.filter((each) => mayHoldOurs(each, identity.login))) {
    const thread: ThreadAddress = { kind: "discussion", number: discussion.number, nodeId: discussion.id };
    const comments = await createThreadComments(thread, api).list({ since });
    records.push(...readClaims(comments, thread, deps).map((claim) => toRecord(claim, thread, deps)));
  }
  return { records, notSearched };
}

/** Whether a comment or reply is ours, or there are more of them than were listed. */
function mayHoldOurs({ comments }: Discussion, login: string): boolean {
  return [comments, ...comments.nodes.map(({ replies }) => replies)].some(
    (list) => list?.pageInfo.hasMore || list?.nodes.some(({ author }) => isSameAccount(author, login)),
  );
}

/** Commits whose statuses are read in whole, at most: each is a request. */
const maxCommits = 300;

/** Open records in commit statuses, on whatever branch, tag or pull request their commit is. */
async function listStatusRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { shas, notSearched } = await findOpenStatuses(since, deps.api);
  const records: FoundRecord[] = [];
  for (const sha of shas.slice(0, maxCommits)) {
    const claims = createStatusClaims({ sha }, deps);
    const where = `commit ${sha.slice(0, 7)}`;
    for (const claim of await claims.list()) records.push({ claim, claims, where });
  }
  const left = shas.length - maxCommits;
  const limit = `Commit statuses: ${left} more commits with open requests are left for the next run.`;
  return { records, notSearched: left > 0 ? [...notSearched, limit] : notSearched };
}
