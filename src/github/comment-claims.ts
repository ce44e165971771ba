/** Records of triggers in our own comments on one thread. */
import { ClaimRecord, type ClaimStore, type StoredClaim } from "./claim-store.ts";
import type { Comment, ThreadAddress, ThreadComments } from "./comments.ts";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import {
  type MarkerLocation,
  type RecordSigner,
  readMarker,
  threadKey,
  writeMarker,
} from "./record-signer.ts";
import { isSameAccount } from "./token.ts";

export interface CommentClaimsOptions {
  readonly thread: ThreadAddress;
  /** The trigger whose records are searched; without it, all. */
  readonly trigger?: string;
  /** Nothing of ours is older: time of the text that triggers. */
  readonly since?: string;
}

export interface CommentClaimsDeps {
  readonly comments: ThreadComments;
  readonly api: Pick<GitHubApi, "repository" | "serverNow">;
  readonly identity: Account;
  readonly signer: RecordSigner;
  /** The comment's visible part. */
  readonly render: (record: ClaimRecord) => string;
}

export function createCommentClaims(
  { thread, trigger, since }: CommentClaimsOptions,
  { comments, api, identity, signer, render }: CommentClaimsDeps,
): ClaimStore {
  const locationOf = (comment: number | "new"): MarkerLocation => ({
    repositoryId: api.repository.id,
    thread: threadKey(thread),
    comment,
  });
  const compose = (record: ClaimRecord, comment: number | "new", body = render(record)) =>
    `${body}\n\n${writeMarker("claim", record, locationOf(comment), signer)}`;
  const written = ({ id, nodeId, url }: Comment, record: ClaimRecord): StoredClaim => ({
    id,
    nodeId,
    record,
    url,
    ageMs: 0,
  });
  /** The record that a comment holds, if the comment is ours and its marker is genuine. */
  const read = ({ id, nodeId, url, author, body, updatedAt }: Comment): StoredClaim | undefined => {
    if (!isSameAccount(author, identity.login)) return undefined;
    const marker = readMarker(body, { kind: "claim", schema: ClaimRecord }, locationOf(id), signer);
    if (marker.kind === "none" || marker.kind === "forged") return undefined;
    const ageMs = Math.max(0, api.serverNow() - Date.parse(updatedAt));
    const isUnverifiable = marker.kind === "other-key" ? { isUnverifiable: true } : {};
    return { id, nodeId, record: marker.value, url, body, ageMs, ...isUnverifiable };
  };

  return {
    async list() {
      // A text that seems to be from the future, as a clock may have it, must not hide what stands there now.
      const isPast = since !== undefined && Date.parse(since) <= api.serverNow();
      const listed = await comments.list(isPast ? { since } : {});
      const claims = listed.map(read).filter((claim) => claim !== undefined);
      return claims.filter(({ record }) => trigger === undefined || record.trigger === trigger);
    },
    async create(record) {
      return written(await comments.create(compose(record, "new")), record);
    },
    async update({ id, nodeId = "" }, record, body) {
      return written(await comments.update({ id, nodeId }, compose(record, id, body)), record);
    },
    remove: ({ id, nodeId = "" }) => comments.remove({ id, nodeId }),
  };
}
