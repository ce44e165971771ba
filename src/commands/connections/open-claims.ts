/** Opens the place where a run's records are kept: the thread's status comment, or the triggering commit's statuses. */
import type { ClaimStore } from "../../github/claims/claim-store.ts";
import { createCommentClaims } from "../../github/claims/comment-claims.ts";
import type { Seal } from "../../github/claims/seal.ts";
import { createStatusClaims } from "../../github/claims/status-claims.ts";
import type { ThreadAddress } from "../../github/comments/comment.ts";
import { createThreadComments } from "../../github/comments/thread-comments.ts";
import type { Account } from "../../github/event/event.ts";
import type { GitHubApi } from "../../github/github-api.ts";
import { describeStatus, renderStatusComment } from "../../presentation/status-comment.ts";

/** Where records are kept; plain data, so that the post step can open it again. */
export type ClaimPlace =
  | { readonly kind: "thread"; readonly thread: ThreadAddress; readonly since: string }
  | { readonly kind: "commit"; readonly sha: string };

export interface OpenClaimsOptions {
  readonly place: ClaimPlace;
  readonly trigger: string;
}

export interface OpenClaimsDeps {
  readonly api: GitHubApi;
  readonly identity: Account;
  readonly seal: Seal;
  readonly now: () => number;
}

export function openClaims(
  options: OpenClaimsOptions,
  { api, identity, seal, now }: OpenClaimsDeps,
): ClaimStore {
  const { place, trigger } = options;
  if (place.kind === "commit") {
    return createStatusClaims({ sha: place.sha, trigger }, { api, identity, seal, describe: describeStatus });
  }
  return createCommentClaims(
    { repositoryId: api.repository.id, thread: place.thread, trigger, since: place.since },
    {
      comments: createThreadComments(place.thread, api),
      identity,
      seal,
      serverNow: api.serverNow,
      render: (record) => renderStatusComment(record, now()),
    },
  );
}
