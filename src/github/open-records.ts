/** Finds our claim records in the whole repository: in comments and in commit statuses. */

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

/** `render` and `describe` write an updated record's visible text in a comment and in a status. */
interface OpenRecordsDeps extends OwnershipDeps {
  readonly render: (record: ClaimRecord) => string;
  readonly describe: (record: ClaimRecord) => string;
}

/** A record and the store that can update it. */
export interface FoundRecord {
  readonly claim: StoredClaim;
  readonly claims: Pick<ClaimStore, "reread" | "update">;
  /** Its location for the summary: `#12`, or a commit. */
  readonly where: string;
  /** Its thread, if it is in a comment. */
  readonly thread?: ThreadAddress;
}

export interface RecordSearch {
  readonly records: readonly FoundRecord[];
  /** What was not searched, one sentence each. */
  readonly notSearched: readonly string[];
  /** Errors other than missing permissions. */
  readonly failures: readonly GitHubError[];
}

type FoundRecords = Omit<RecordSearch, "failures">;

/** The searches, each with the subject of sentences about it. */
const searches: Readonly<Record<string, (since: string, deps: OpenRecordsDeps) => Promise<FoundRecords>>> = {
  "Comments on issues and pull requests": (since, deps) => listCommentRecords("conversation", since, deps),
  "Review comments": (since, deps) => listCommentRecords("diff", since, deps),
  Discussions: listDiscussionRecords,
  "Commit statuses": listStatusRecords,
};

/**
 * Lists the genuine records that were created or changed since a time (ISO 8601). `notSearched` names what the token may not read.
 *
 * @throws {GitHubError} if the token may read neither comments nor statuses, and discussions contain no record.
 */
export async function listRecords(since: string, deps: OpenRecordsDeps): Promise<RecordSearch> {
  const records: FoundRecord[] = [];
  const notSearched: string[] = [];
  const failures: GitHubError[] = [];
  const refusals: GitHubError[] = [];
  for (const [name, list] of Object.entries(searches)) {
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
  // The search of discussions is never refused if the repository has none.
  if (first && records.length === 0 && refusals.length >= Object.keys(searches).length - 1) throw first;
  return { records, notSearched, failures };
}

/** Maximum pages of 100 comments that are listed, newest changes first. */
const maxCommentPages = 200;

/** The genuine claims in comments that were created or changed since a time, from at most `maxPages` pages. */
export async function listCommentClaims(
  type: keyof typeof commentRoutes,
  since: string,
  deps: OwnershipDeps,
  maxPages: number,
): Promise<{ claims: readonly { claim: StoredClaim; thread: ThreadAddress }[]; isComplete: boolean }> {
  const { listName, listRoute, permission } = commentRoutes[type];
  const purpose = { doing: `list the repository's ${listName}`, permission };
  const order = { since, sort: "updated", direction: "desc" } as const;
  /** By comment ID: a comment that changes while the pages are listed may be listed twice. */
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
  type: keyof typeof commentRoutes,
  since: string,
  deps: OpenRecordsDeps,
): Promise<FoundRecords> {
  const { claims, isComplete } = await listCommentClaims(type, since, deps, maxCommentPages);
  const records = claims.map(({ claim, thread }) => toRecord(claim, thread, deps));
  const limit = `Only the ${maxCommentPages * 100} ${commentRoutes[type].listName} that changed last were searched.`;
  return { records, notSearched: isComplete ? [] : [limit] };
}

/** The thread of a comment with this URL. */
function threadAt(url: string): ThreadAddress {
  const [, path, number] = /\/(issues|pull)\/(\d+)#/.exec(url) ?? [];
  return { kind: path === "pull" ? "pull-request" : "issue", number: Number(number), nodeId: "" };
}

function toRecord(claim: StoredClaim, thread: ThreadAddress, deps: OpenRecordsDeps): FoundRecord {
  return { claim, claims: createCommentClaims({ thread }, deps), where: `#${thread.number}`, thread };
}

/** Maximum discussions that are searched, newest changes first. */
const maxDiscussions = 1000;

/** Missing on servers without replies. */
const replies = z.nullish(lastPageSchema(z.object({ author: Actor })));

const Discussion = z.object({
  id: z.string(),
  number: z.number(),
  updatedAt: z.string(),
  comments: lastPageSchema(z.object({ author: Actor, replies })),
});
type Discussion = z.infer<typeof Discussion>;

const Discussions = z.object({ repository: z.object({ discussions: pageSchema(Discussion) }) });

// Replies make a page expensive: with these numbers, it costs 11 of the 1,000 points that a repository has in an hour.
const discussionsQuery = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
  discussions(first: 50, after: $cursor, orderBy: { field: UPDATED_AT, direction: DESC }) {
    nodes { id number updatedAt
      comments(last: 20) { pageInfo { hasPreviousPage startCursor } nodes { author { __typename login }
        replies(last: 10) { pageInfo { hasPreviousPage startCursor } nodes { author { __typename login } } } } } }
    pageInfo { hasNextPage endCursor } } } }`;

/** Records in discussions. Only discussions that may contain one of our comments are read completely. */
async function listDiscussionRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { api, identity } = deps;
  const purpose = { doing: "list the repository's discussions", permission: "discussions: write" };
  const { owner, name } = api.repository;
  const pages = eachPage(async (cursor) => {
    const variables = { owner, name, cursor };
    const response = await api.graphql(purpose, discussionsQuery, variables, Discussions);
    return response.repository.discussions;
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
  for (const discussion of discussions.filter((each) => mayContainOurs(each, identity.login))) {
    const thread: ThreadAddress = { kind: "discussion", number: discussion.number, nodeId: discussion.id };
    const comments = await createThreadComments(thread, api).list({ since });
    records.push(...readClaims(comments, thread, deps).map((claim) => toRecord(claim, thread, deps)));
  }
  return { records, notSearched };
}

/** Whether a comment or reply is ours, or not all of them were listed. */
function mayContainOurs({ comments }: Discussion, login: string): boolean {
  return [comments, ...comments.nodes.map(({ replies }) => replies)].some(
    (list) => list?.pageInfo.hasMore || list?.nodes.some(({ author }) => isSameAccount(author, login)),
  );
}

/** Maximum commits whose statuses are read, one request each. */
const maxCommits = 300;

/** Open records in the commit statuses of all branches, tags and pull requests. */
async function listStatusRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { shas, notSearched } = await findOpenStatuses(since, deps.api);
  const records: FoundRecord[] = [];
  for (const sha of shas.slice(0, maxCommits)) {
    const claims = createStatusClaims({ sha }, deps);
    const where = `commit ${sha.slice(0, 7)}`;
    for (const claim of await claims.list()) records.push({ claim, claims, where });
  }
  const remaining = shas.length - maxCommits;
  const limit = `Commit statuses: ${remaining} more commits with open requests are left for the next run.`;
  return { records, notSearched: remaining > 0 ? [...notSearched, limit] : notSearched };
}
