/**
 * Claim records, through which a run finds out what an earlier run did for the same trigger; their store in a thread's comments, and the
 * signed hidden markers in our own comments, which hold them.
 */
import { createHash } from "node:crypto";
import type * as z from "zod/mini";
import { ClaimRecord } from "../base/claim-record.ts";
import { normalizeLineEndings } from "../base/text.ts";
import { type Comment, type CommentType, createThreadComments, type ThreadAddress } from "./comments.ts";
import { type Identity, isSameAccount } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { type RecordSigner, signedForm } from "./record-signer.ts";

/** A claim record that is stored on GitHub. */
export interface StoredClaim {
  /** Increases with each claim in the same store. */
  readonly id: number;
  /** GitHub's node ID of the comment that contains it. */
  readonly nodeId?: string;
  /** True if it is in a review comment, whose IDs form a separate series. */
  readonly isReviewComment?: boolean | undefined;
  /** Creation time by GitHub's clock, if it is known. */
  readonly createdAt?: string | undefined;
  readonly record: ClaimRecord;
  /** URL of the comment or run, and the comment's text. */
  readonly url: string | undefined;
  readonly body?: string;
  /** Milliseconds since its last change, by GitHub's clock. */
  readonly ageMs: number;
  /** True if it is signed with a key that was replaced since: it must be neither trusted nor ignored. */
  readonly isUnverifiable?: boolean;
}

/** Whether a record was created before another. Every run gets the same order. */
export function isOlderClaim(one: StoredClaim, other: StoredClaim): boolean {
  const differenceMs = Date.parse(one.createdAt ?? "") - Date.parse(other.createdAt ?? "");
  return differenceMs ? differenceMs < 0 : one.id < other.id;
}

/** Stores records in the comments of a thread or in the statuses of a commit. */
export interface ClaimStore {
  /** All genuine records, of any trigger, oldest first. */
  list(): Promise<readonly StoredClaim[]>;
  /** The records at the start of the run, if they were read then. */
  readonly listedAtStart?: (() => readonly StoredClaim[]) | undefined;
  /** The current state of a record; `undefined` if it was deleted. */
  reread(claim: StoredClaim): Promise<StoredClaim | undefined>;
  create(record: ClaimRecord): Promise<StoredClaim>;
  /** Changes a record; `body` is the visible part of the comment, by default rendered from the record. */
  update(claim: StoredClaim, record: ClaimRecord, body?: string): Promise<StoredClaim>;
  /** Deletes a record that is not needed any more. */
  remove(claim: StoredClaim): Promise<void>;
}

/** Two runs with the same values have the same trigger. */
export interface TriggerIdentity {
  readonly repositoryId: string;
  /** The type of event without its action: an edit that leaves the text unchanged is the same trigger. */
  readonly eventKind: string;
  /** Node ID of the text, pull request or release; the commit of a push; otherwise the run's ID. */
  readonly subject: string;
  readonly body: string;
  readonly command: string;
  readonly target: string;
}

/** The trigger's key: 64 hexadecimal digits. */
export function triggerKey(identity: TriggerIdentity): string {
  const { repositoryId, eventKind, subject, body, command, target } = identity;
  const bodyHash = createHash("sha256").update(normalizeLineEndings(body)).digest("hex");
  const parts = [repositoryId, eventKind, subject, bodyHash, command, target];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** What identifies our own comments, statuses and pull requests. */
export interface OwnershipDeps {
  readonly api: GitHubApi;
  readonly identity: Identity;
  readonly signer: RecordSigner;
}

export interface CommentClaimsOptions {
  readonly thread: ThreadAddress;
  /** Time of the trigger's text: records that did not change since are not listed. */
  readonly since?: string;
  /** Comments that were already listed; only later changes are requested. */
  readonly listed?: ListedComments | undefined;
}

/** The comments of a thread at a point in time. */
export interface ListedComments {
  readonly comments: readonly Comment[];
  /** By GitHub's clock (ISO 8601); `undefined` if GitHub did not find the thread, which may be wrong for a moment. */
  readonly at: string | undefined;
}

/**
 * Creates the store of claims in a thread's comments.
 *
 * @param render renders the visible part of the comment
 */
export function createCommentClaimStore(
  { thread, listed, since: textAt }: CommentClaimsOptions,
  { render, ...ownership }: OwnershipDeps & { readonly render: (record: ClaimRecord) => string },
): ClaimStore {
  const { api } = ownership;
  const since = listed ? listed.at : textAt;
  const sinceMs = Date.parse(since ?? "");
  const comments = createThreadComments(thread, api);
  const compose = (record: ClaimRecord, location: Omit<MarkerLocation, "thread">, body = render(record)) =>
    body + markerIn({ thread, ...location }, "claim", record, ownership);
  const written = (comment: Comment, record: ClaimRecord): StoredClaim => ({ ...comment, record, ageMs: 0 });
  // Review comments have a separate series of IDs.
  const keyOf = ({ id, isReviewComment }: Pick<Comment, "id" | "isReviewComment">) =>
    isReviewComment ? -id : id;
  const deleted = new Set<number>();
  return {
    // A claim was as old as this when it was listed: its owner may have renewed it since.
    listedAtStart: listed?.at ? () => readClaims(listed.comments, thread, ownership, sinceMs) : undefined,
    async list() {
      // If the time seems to be in the future because of clock skew, all comments are listed.
      const isPast = since !== undefined && sinceMs <= api.serverNow();
      const changed = await comments.list(isPast ? { since } : {});
      // The list of changed comments does not include deletions. What it includes exists, even if a request did not find it.
      const earlier = (listed?.comments ?? []).filter((each) => !deleted.has(keyOf(each)));
      const all = new Map([...earlier, ...changed].map((each) => [keyOf(each), each]));
      return readClaims([...all.values()], thread, ownership);
    },
    async reread(claim) {
      const comment = await comments.read(claim);
      if (!comment) deleted.add(keyOf(claim));
      return comment && readClaims([comment], thread, ownership)[0];
    },
    async create(record) {
      const write = (type: CommentType) => compose(record, { ...type, comment: "new" });
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

/** The genuine claim records in a thread's comments. `nowMs`: the time that their age is counted to. */
export function readClaims(
  comments: readonly Comment[],
  thread: ThreadAddress,
  deps: OwnershipDeps,
  nowMs = deps.api.serverNow(),
): StoredClaim[] {
  return readOwnMarkers(comments, thread, { kind: "claim", schema: ClaimRecord }, deps).map(
    ({ comment, value: record, isUnverifiable }) => {
      const ageMs = Math.max(0, nowMs - Date.parse(comment.updatedAt));
      return { ...comment, record, ageMs, isUnverifiable };
    },
  );
}

/** The type of a marker, which is part of the signed location. */
type MarkerKind = "claim" | "origin" | "addressed";

const markers = new RegExp(`<!-- docs-automation:(claim|origin|addressed):v1 (${signedForm}) -->`, "g");

/** The part of a comment that markers are read from. */
export type MarkedComment = Pick<Comment, "id" | "isReviewComment" | "author" | "body">;

/**
 * The comments by our account that contain a genuine marker of a kind, with the value of its last genuine marker. Text and
 * forged markers below it are ignored. `isUnverifiable`: signed with another key.
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
    const locations = [id, "new" as const].map((each) =>
      describeMarkerLocation(kind, { thread, comment: each, isReviewComment }, api),
    );
    const genuine = [...body.matchAll(markers)]
      .filter(([, found]) => found === kind)
      .map(([, , signed = ""]) => signer.read(signed, schema, locations))
      .filter((reading) => reading.kind !== "forged");
    const reading = genuine.findLast((each) => each.kind === "valid") ?? genuine.at(-1);
    return reading ? [{ comment, value: reading.value, isUnverifiable: reading.kind === "other-key" }] : [];
  });
}

interface MarkerLocation extends CommentType {
  readonly thread: Pick<ThreadAddress, "kind" | "number">;
  /** ID of the comment that contains the marker; `new` if the comment did not exist when it was signed. */
  readonly comment: number | "new";
}

/** The hidden marker with a signed value, which ends our own comments. */
export function markerIn(
  location: MarkerLocation,
  kind: MarkerKind,
  value: unknown,
  { api, signer }: Pick<OwnershipDeps, "api" | "signer">,
): string {
  const signed = signer.sign(value, describeMarkerLocation(kind, location, api));
  return `\n\n<!-- docs-automation:${kind}:v1 ${signed} -->`;
}

/** The location that a marker is signed for: a marker that is copied to another comment, thread or repository is forged. */
function describeMarkerLocation(
  kind: MarkerKind,
  { thread, comment, isReviewComment }: MarkerLocation,
  { repository }: Pick<GitHubApi, "repository">,
): string {
  const key = threadKey(thread, isReviewComment);
  return `v1 ${kind} repository:${repository.id} thread:${key} comment:${comment}`;
}

/**
 * The name of a thread in signed locations. A pull request's conversation is that of an issue. Review comments have a separate
 * series of IDs and their own name, so a marker that is copied between the two is forged.
 */
export function threadKey(
  { kind, number }: { readonly kind: string; readonly number: number },
  isReviewComment = false,
): string {
  const family = kind === "discussion" ? "discussion" : isReviewComment ? "review" : "issue";
  return `${family}:${number}`;
}
