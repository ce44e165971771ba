/** Finds our claim records in the whole repository: in comments and in commit statuses. */
import * as z from "zod/mini";
import type { ClaimRecord } from "../base/claim-record.ts";
import { messageWithHint } from "../base/errors.ts";
import {
  type ClaimStore,
  createCommentClaimStore,
  type OwnershipDeps,
  readClaims,
  type StoredClaim,
} from "./claims.ts";
import { commentRoutes, createThreadComments, RestComment, type ThreadAddress } from "./comments.ts";
import { GitHubError, isRefusal } from "./errors.ts";
import { isSameAccount } from "./event.ts";
import { eachPage } from "./github-api.ts";
import { Actor, listSchema, pageSchema } from "./graphql-schemas.ts";
import { hasMarker } from "./may-trigger.ts";
import {
  CommitWithStatus,
  commitFields,
  createStatusClaimStore,
  queryCommits,
  readCommit,
  readHistory,
} from "./status-claims.ts";

/** `render` and `describe` write an updated record's visible text in a comment and in a status. */
interface OpenRecordsDeps extends OwnershipDeps {
  readonly render: (record: ClaimRecord) => string;
  readonly describe: (record: ClaimRecord) => string;
  /** The same for the assistant's comments, which are signed with another key. */
  readonly assistant: Pick<OpenRecordsDeps, "signer" | "render">;
}

/** A record and the store that can update it. */
export interface FoundRecord {
  readonly claim: StoredClaim;
  readonly store: Pick<ClaimStore, "reread" | "update">;
  /** Its name for the summary: `#12`, or a commit. */
  readonly name: string;
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
        notSearched.push(`${name} were not searched: ${messageWithHint(error)}`);
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
  for await (const page of deps.api.pages(purpose, listRoute, order, RestComment)) {
    for (const comment of page) {
      if (!hasMarker(comment.body)) continue;
      const [, path, number] = /\/(issues|pull)\/(\d+)#/.exec(comment.url) ?? [];
      const kind = path === "pull" ? "pull-request" : "issue";
      const thread: ThreadAddress = { kind, number: Number(number), nodeId: "" };
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

function toRecord(claim: StoredClaim, thread: ThreadAddress, deps: OpenRecordsDeps): FoundRecord {
  const isQuestion = claim.record.command === "assistant";
  const store = createCommentClaimStore({ thread }, isQuestion ? { ...deps, ...deps.assistant } : deps);
  // A question's record is verified when it is read again, before it is changed.
  const found = isQuestion ? { ...claim, isUnverifiable: false } : claim;
  return { claim: found, store, name: `#${thread.number}`, thread };
}

/** Reads a list, newest changes first, until its items are from before `since` or the limit is reached, which `rest` reports. */
async function readRecent<Item>(
  pages: AsyncIterable<{ readonly nodes: readonly Item[]; readonly pageInfo: { readonly hasMore: boolean } }>,
  since: string,
  timeOf: (item: Item) => string,
  { limit, rest }: { readonly limit: number; readonly rest: string },
): Promise<{ readonly items: readonly Item[]; readonly notSearched: readonly string[] }> {
  const items: Item[] = [];
  for await (const { nodes, pageInfo } of pages) {
    items.push(...nodes);
    const last = nodes.at(-1);
    if (last !== undefined && Date.parse(timeOf(last)) < Date.parse(since)) break;
    if (items.length >= limit && pageInfo.hasMore) return { items, notSearched: [rest] };
  }
  return { items, notSearched: [] };
}

const replies = pageSchema(z.object({ author: Actor }));

const Discussion = z.object({
  id: z.string(),
  number: z.number(),
  updatedAt: z.string(),
  comments: pageSchema(z.object({ author: Actor, replies })),
});
type Discussion = z.infer<typeof Discussion>;

const Discussions = z.object({ repository: z.object({ discussions: pageSchema(Discussion) }) });

// Replies make a page expensive: with these numbers, it costs 11 of the 1,000 points that a repository has in an hour.
const discussionsQuery = `query ($owner: String!, $name: String!, $cursor: String, $size: Int!) { repository(owner: $owner, name: $name) {
  discussions(first: $size, after: $cursor, orderBy: { field: UPDATED_AT, direction: DESC }) {
    nodes { id number updatedAt
      comments(last: 20) { pageInfo { hasPreviousPage startCursor } nodes { author { __typename login }
        replies(last: 10) { pageInfo { hasPreviousPage startCursor } nodes { author { __typename login } } } } } }
    pageInfo { hasNextPage endCursor } } } }`;

/** Records in discussions. Only discussions that may contain one of our comments are read completely. */
async function listDiscussionRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { api, identity } = deps;
  const purpose = { doing: "list the repository's discussions", permission: "discussions: write" };
  const { owner, name } = api.repository;
  const pages = eachPage(async (cursor, size) => {
    const variables = { owner, name, cursor, size };
    const response = await api.graphql(purpose, discussionsQuery, variables, Discussions);
    return response.repository.discussions;
  }, 50);
  const { items, notSearched } = await readRecent(pages, since, ({ updatedAt }) => updatedAt, {
    limit: 1000,
    rest: "Discussions: only the 1000 that changed last were searched.",
  });
  const records: FoundRecord[] = [];
  for (const discussion of items) {
    const isRecent = Date.parse(discussion.updatedAt) >= Date.parse(since);
    if (!isRecent || !mayContainOurs(discussion, identity.login)) continue;
    const thread: ThreadAddress = { kind: "discussion", number: discussion.number, nodeId: discussion.id };
    const comments = await createThreadComments(thread, api).list({ since });
    records.push(...readClaims(comments, thread, deps).map((claim) => toRecord(claim, thread, deps)));
  }
  return { records, notSearched };
}

/** Whether a comment or reply is ours, or not all of them were listed. */
function mayContainOurs({ comments }: Discussion, login: string): boolean {
  return [comments, ...comments.nodes.map(({ replies }) => replies)].some(
    (list) => list.pageInfo.hasMore || list.nodes.some(({ author }) => isSameAccount(author, login)),
  );
}

/** Records in the commit statuses of the default branch and of recently changed branches. */
async function listStatusRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const main = await readRecent(readHistory("HEAD", deps.api), since, ({ committedDate }) => committedDate, {
    limit: 500,
    rest: "Default branch: only its newest 500 commits were searched.",
  });
  const tipTime = ({ target }: z.infer<typeof Branch>) => target.history.nodes[0]?.committedDate ?? "";
  const recent = eachPage(
    async (cursor, size) =>
      (await queryCommits(branchesQuery, { cursor, size }, Branches, deps.api)).repository.refs,
    20,
  );
  const branches = await readRecent(recent, since, tipTime, {
    limit: 500,
    rest: "Branches: only the 500 that changed last were searched.",
  });
  const commits = [...main.items, ...branches.items.flatMap(({ target }) => target.history.nodes)];
  const maxAgeMs = deps.api.serverNow() - Date.parse(since);
  const unique = new Map(commits.map((commit) => [commit.oid, commit]));
  const records = [...unique.values()].flatMap((commit): FoundRecord[] => {
    const { sha, claims } = readCommit(commit, deps);
    const store = createStatusClaimStore({ sha }, deps);
    const name = `commit ${sha.slice(0, 7)}`;
    return claims.filter(({ ageMs }) => ageMs <= maxAgeMs).map((claim) => ({ claim, store, name }));
  });
  return { records, notSearched: [...main.notSearched, ...branches.notSearched] };
}

/** A branch with its newest commits. */
const Branch = z.object({ target: z.object({ history: listSchema(CommitWithStatus) }) });
const Branches = z.object({ repository: z.object({ refs: pageSchema(Branch) }) });

// GitHub aborts requests after ten seconds, so a page is small.
const branchesQuery = `query ($owner: String!, $name: String!, $cursor: String, $size: Int!) { repository(owner: $owner, name: $name) {
  refs(refPrefix: "refs/heads/", first: $size, after: $cursor, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
    pageInfo { hasNextPage endCursor }
    nodes { target { ... on Commit { history(first: 20) { nodes { ${commitFields} } } } } } } } }`;
