/** What our own comments on a thread say in their signed markers: the records of triggers, and the origin of a pull request. */
import type * as z from "zod/mini";
import { ClaimRecord } from "../base/claim-record.ts";
import type { ClaimStore, StoredClaim } from "./claim-store.ts";
import { type Comment, type CommentLocation, createThreadComments, type ThreadAddress } from "./comments.ts";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { type RecordSigner, signedForm } from "./record-signer.ts";
import { isSameAccount } from "./token.ts";

/** What tells our comments, statuses and pull requests from those of others. */
export interface OwnershipDeps {
  readonly api: GitHubApi;
  readonly identity: Account;
  readonly signer: RecordSigner;
}

export interface CommentClaimsOptions {
  readonly thread: ThreadAddress;
  /** Records that were written or changed before this are of no interest: time of the text that triggers. */
  readonly since?: string;
  /** What was listed of the thread before; later changes are added. */
  readonly listed?: ListedComments | undefined;
}

/** The comments of a thread at a point in time, by GitHub's clock (ISO 8601). */
export interface ListedComments {
  readonly comments: readonly Comment[];
  readonly at: string;
}

/** @param render writes the comment's visible part */
export function createCommentClaims(
  { thread, listed, since: textAt }: CommentClaimsOptions,
  { render, ...ownership }: OwnershipDeps & { readonly render: (record: ClaimRecord) => string },
): ClaimStore {
  const { api } = ownership;
  const since = listed?.at ?? textAt;
  const comments = createThreadComments(thread, api);
  const compose = (record: ClaimRecord, place: Omit<MarkerLocation, "thread">, body = render(record)) =>
    body + markerIn({ thread, ...place }, "claim", record, ownership);
  const written = (comment: Comment, record: ClaimRecord): StoredClaim => {
    const { id, nodeId, isReviewComment, createdAt, url } = comment;
    return { id, nodeId, isReviewComment, createdAt, record, url, ageMs: 0 };
  };
  // Comments on a diff have ids of their own series.
  const keyOf = ({ id, isReviewComment }: Pick<Comment, "id" | "isReviewComment">) =>
    isReviewComment ? -id : id;
  const deleted = new Set<number>();
  return {
    listed: listed && (() => readClaims(listed.comments, thread, ownership)),
    async list() {
      // A text that seems to be from the future, as a clock may have it, must not hide what stands there now.
      const isPast = since !== undefined && Date.parse(since) <= api.serverNow();
      const changed = await comments.list(isPast ? { since } : {});
      const all = new Map([...(listed?.comments ?? []), ...changed].map((each) => [keyOf(each), each]));
      // What changed since does not tell of them.
      for (const key of deleted) all.delete(key);
      return readClaims([...all.values()], thread, ownership);
    },
    async reread(claim) {
      const comment = await comments.read(claim);
      if (!comment) deleted.add(keyOf(claim));
      return comment && readClaims([comment], thread, ownership)[0];
    },
    async create(record) {
      const write = (home: CommentLocation) => compose(record, { ...home, comment: "new" });
      return written(await comments.create(write), record);
    },
    async update(claim, record, body) {
      const { id: comment, isReviewComment } = claim;
      return written(
        await comments.update(claim, compose(record, { comment, isReviewComment }, body)),
        record,
      );
    },
    remove: (claim) => comments.remove(claim),
  };
}

/** The records among a thread's comments. */
export function readClaims(
  comments: readonly Comment[],
  thread: ThreadAddress,
  deps: OwnershipDeps,
): StoredClaim[] {
  return readOwnMarkers(comments, thread, { kind: "claim", schema: ClaimRecord }, deps).map(
    ({ comment, value: record, isUnverifiable }) => {
      const { id, nodeId, isReviewComment, createdAt, url, body, updatedAt } = comment;
      const ageMs = Math.max(0, deps.api.serverNow() - Date.parse(updatedAt));
      return { id, nodeId, isReviewComment, createdAt, record, url, body, ageMs, isUnverifiable };
    },
  );
}

/** What kind of marker it is; the kind is part of what is signed. */
type MarkerKind = "claim" | "origin" | "addressed" | "notice";

const markers = new RegExp(
  `<!-- docs-automation:(claim|origin|addressed|notice):v1 (${signedForm}) -->`,
  "g",
);

/** A comment as far as a marker is read from it. */
export type MarkedComment = Pick<Comment, "id" | "isReviewComment" | "author" | "body">;

/**
 * The comments of a thread that our account wrote and that hold a genuine marker of a kind, with the value of the last one,
 * also where other text or markers were added below it; `isUnverifiable` where it is signed with another key.
 */
export function readOwnMarkers<Found extends MarkedComment, Schema extends z.ZodMiniType>(
  comments: readonly Found[],
  thread: Pick<ThreadAddress, "kind" | "number">,
  { kind, schema }: { readonly kind: MarkerKind; readonly schema: Schema },
  { api, identity, signer }: OwnershipDeps,
) {
  return comments.flatMap((comment) => {
    if (!isSameAccount(comment.author, identity.login)) return [];
    const { id, isReviewComment, body } = comment;
    const places = [id, "new" as const].map((each) =>
      describeMarkerLocation(kind, { thread, comment: each, isReviewComment }, api),
    );
    const genuine = [...body.matchAll(markers)]
      .filter(([, found]) => found === kind)
      .map(([, , signed = ""]) => signer.read(signed, schema, places))
      .filter((reading) => reading.kind !== "forged");
    const reading = genuine.findLast((each) => each.kind === "valid") ?? genuine.at(-1);
    return reading ? [{ comment, value: reading.value, isUnverifiable: reading.kind === "other-key" }] : [];
  });
}

interface MarkerLocation extends CommentLocation {
  readonly thread: Pick<ThreadAddress, "kind" | "number">;
  /** Number of the comment that holds the marker; `new` while it is not posted yet. */
  readonly comment: number | "new";
}

/** The end of a comment of ours: the hidden marker that holds a signed value. */
export function markerIn(
  place: MarkerLocation,
  kind: MarkerKind,
  value: unknown,
  { api, signer }: Pick<OwnershipDeps, "api" | "signer">,
): string {
  const signed = signer.sign(value, describeMarkerLocation(kind, place, api));
  return `\n\n<!-- docs-automation:${kind}:v1 ${signed} -->`;
}

/** What a marker is signed for: one that is copied to another comment, thread or repository is forged. */
function describeMarkerLocation(
  kind: MarkerKind,
  { thread, comment, isReviewComment }: MarkerLocation,
  { repository }: Pick<GitHubApi, "repository">,
): string {
  const key = threadKey(thread, isReviewComment);
  return `v1 ${kind} repository:${repository.id} thread:${key} comment:${comment}`;
}

/**
 * The name of a thread in signed places; a pull request's conversation is an issue's. The comments on its diff have
 * numbers of their own, so a marker that is copied between the two is forged.
 */
export function threadKey(
  { kind, number }: { readonly kind: string; readonly number: number },
  isReviewComment = false,
): string {
  const family = kind === "discussion" ? "discussion" : isReviewComment ? "review" : "issue";
  return `${family}:${number}`;
}
