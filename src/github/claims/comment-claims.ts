/** Records of triggers in our own comments on one thread. */

import type { Comment, ThreadAddress, ThreadComments } from "../comments/comment.ts";
import type { Account } from "../event/event.ts";
import { isSameAccount } from "../people/identity.ts";
import { ClaimRecord } from "./claim-record.ts";
import type { ClaimStore, StoredClaim } from "./claim-store.ts";
import { type MarkerPlace, readMarker, writeMarker } from "./marker.ts";
import type { Seal } from "./seal.ts";

export interface CommentClaimsOptions {
  readonly repositoryId: string;
  readonly thread: ThreadAddress;
  /** The trigger whose records are wanted; without it, all. */
  readonly trigger?: string;
  /** Nothing of ours is older: time of the text that triggers. */
  readonly since?: string;
}

export interface CommentClaimsDeps {
  readonly comments: ThreadComments;
  readonly identity: Account;
  readonly seal: Seal;
  readonly serverNow: () => number;
  /** The comment's visible part. */
  readonly render: (record: ClaimRecord) => string;
}

/** The marker's name of a thread; a pull request's conversation is an issue's. */
export function threadKey({ kind, number }: Pick<ThreadAddress, "kind" | "number">): string {
  return `${kind === "discussion" ? "discussion" : "issue"}:${number}`;
}

export function createCommentClaims(options: CommentClaimsOptions, deps: CommentClaimsDeps): ClaimStore {
  const place = (comment: string): MarkerPlace => ({
    repositoryId: options.repositoryId,
    thread: threadKey(options.thread),
    comment,
  });
  const compose = (record: ClaimRecord, comment: string) =>
    `${deps.render(record)}\n\n${writeMarker("claim", record, { place: place(comment), seal: deps.seal })}`;
  const read = (comment: Comment) => readClaim(comment, { place: place(String(comment.id)), deps });
  const written = (comment: Comment, record: ClaimRecord): StoredClaim => ({
    id: comment.id,
    nodeId: comment.nodeId,
    record,
    url: comment.url,
    ageMs: 0,
  });

  return {
    async list() {
      const comments = await deps.comments.list(recentOnly(options.since, deps.serverNow()));
      const claims = comments.map(read).filter((claim) => claim !== undefined);
      return claims.filter(({ record }) => !options.trigger || record.trigger === options.trigger);
    },
    async create(record) {
      return written(await deps.comments.create(compose(record, "new")), record);
    },
    async update({ id, nodeId = "" }, record) {
      return written(await deps.comments.update({ id, nodeId }, compose(record, String(id))), record);
    },
    remove: ({ id, nodeId = "" }) => deps.comments.remove({ id, nodeId }),
  };
}

/** The record that a comment holds, if the comment is ours and its marker is genuine. */
function readClaim(
  comment: Comment,
  { place, deps }: { place: MarkerPlace; deps: CommentClaimsDeps },
): StoredClaim | undefined {
  if (!isSameAccount(comment.author, deps.identity.login)) return undefined;
  const marker = readMarker(comment.body, { kind: "claim", schema: ClaimRecord, place, seal: deps.seal });
  if (marker.kind === "none" || marker.kind === "forged") return undefined;
  return {
    id: comment.id,
    nodeId: comment.nodeId,
    record: marker.value,
    url: comment.url,
    ageMs: Math.max(0, deps.serverNow() - Date.parse(comment.updatedAt)),
    ...(marker.kind === "other-key" ? { isUnverifiable: true } : {}),
  };
}

/** What to list. A text that seems to be from the future, as a clock may have it, must not hide what stands there now. */
function recentOnly(since: string | undefined, nowMs: number): { readonly since?: string } {
  return since && Date.parse(since) <= nowMs ? { since } : {};
}
