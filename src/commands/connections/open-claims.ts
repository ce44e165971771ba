/** Opens the place where a run's records are kept: the thread's status comment, or the triggering commit's statuses. */
import type { ClaimStore } from "../../github/claim-store.ts";
import { createCommentClaims } from "../../github/comment-claims.ts";
import type { ThreadAddress } from "../../github/comments.ts";
import { createThreadComments } from "../../github/comments.ts";
import type { Account } from "../../github/event.ts";
import type { GitHubApi } from "../../github/github-api.ts";
import type { RecordSigner } from "../../github/record-signer.ts";
import { createStatusClaims } from "../../github/status-claims.ts";
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
  readonly signer: RecordSigner;
  readonly now: () => number;
}

export function openClaims(
  options: OpenClaimsOptions,
  { api, identity, signer, now }: OpenClaimsDeps,
): ClaimStore {
  const { place, trigger } = options;
  if (place.kind === "commit") {
    return createStatusClaims(
      { sha: place.sha, trigger },
      { api, identity, signer, describe: describeStatus },
    );
  }
  return createCommentClaims(
    { thread: place.thread, trigger, since: place.since },
    {
      comments: createThreadComments(place.thread, api),
      identity,
      signer,
      api,
      render: (record) => renderStatusComment(record, now()),
    },
  );
}
