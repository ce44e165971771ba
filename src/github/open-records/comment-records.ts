import { z } from "zod";
import type { ClaimStore, StoredClaim } from "../claims/claim-store.ts";
import { createCommentClaims } from "../claims/comment-claims.ts";
import { hasMarker } from "../claims/marker.ts";
import type { Comment, ThreadAddress } from "../comments/comment.ts";
import { RestComment } from "../comments/issue-comments.ts";
import { createThreadComments } from "../comments/thread-comments.ts";
import { isSameAccount } from "../people/identity.ts";
import type { FoundRecord, FoundRecords, OpenRecordsDeps } from "./found-record.ts";

/** Pages of a hundred comments that are listed at most, newest changes first. */
const maxPages = 200;

const RepositoryComment = z.object({ issue_url: z.string(), html_url: z.string() });

/** Records in comments on issues and pull requests: one listing for the whole repository, however many threads there are. */
export async function listCommentRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { api, identity } = deps;
  const purpose = { doing: "list the repository's comments", permission: "issues: write" };
  const threads = new Map<number, { thread: ThreadAddress; comments: Map<number, Comment> }>();
  const take = (value: unknown) => {
    const comment = RestComment.parse(value);
    if (!hasMarker(comment.body) || !isSameAccount(comment.author, identity.login)) return;
    const thread = readThread(RepositoryComment.parse(value));
    const known = threads.get(thread.number) ?? { thread, comments: new Map() };
    // A comment that changes while the pages are listed comes twice.
    threads.set(thread.number, { thread, comments: known.comments.set(comment.id, comment) });
  };
  let pages = 0;
  await api.call(purpose, async (octokit, target) => {
    const parameters = { ...target, since, sort: "updated", direction: "desc", per_page: 100 } as const;
    for await (const { data } of octokit.paginate.iterator(
      octokit.rest.issues.listCommentsForRepo,
      parameters,
    )) {
      for (const comment of data) take(comment);
      pages += 1;
      if (pages === maxPages) break;
    }
  });
  const found = await Promise.all(
    [...threads.values()].map(({ thread, comments }) => readRecords(thread, [...comments.values()], deps)),
  );
  const isCut = pages === maxPages;
  return {
    records: found.flat(),
    unseen: isCut
      ? [`Comments on issues and pull requests: only the ${maxPages * 100} that changed last were looked at.`]
      : [],
  };
}

function readThread({ issue_url, html_url }: z.infer<typeof RepositoryComment>): ThreadAddress {
  const number = Number(/\/(\d+)$/.exec(issue_url)?.[1]);
  return { kind: html_url.includes("/pull/") ? "pull-request" : "issue", number, nodeId: "" };
}

/** The genuine records among a thread's comments, without asking for these again. */
export async function readRecords(
  thread: ThreadAddress,
  comments: readonly Comment[],
  deps: OpenRecordsDeps,
): Promise<FoundRecord[]> {
  const claimsIn = (listed: readonly Comment[]) => openClaims(thread, listed, deps);
  const claims = claimsIn(comments);
  const reread = async ({ id, nodeId = "" }: StoredClaim) => {
    const comment = await createThreadComments(thread, deps.api).read({ id, nodeId });
    return comment && (await claimsIn([comment]).list())[0];
  };
  const where = `#${thread.number}`;
  return (await claims.list()).map((claim) => ({ claim, claims, reread: () => reread(claim), where }));
}

function openClaims(thread: ThreadAddress, listed: readonly Comment[], deps: OpenRecordsDeps): ClaimStore {
  const comments = { ...createThreadComments(thread, deps.api), list: async () => listed };
  return createCommentClaims(
    { repositoryId: deps.api.repository.id, thread },
    { ...deps, comments, serverNow: deps.api.serverNow },
  );
}
