/** Pull requests and what is written on them, as REST shows it. */

import type { Issue, PullFacts, Review, ReviewComment } from "./records.ts";
import { renderLogin } from "./render-people.ts";
import { renderRepository, shaOf } from "./render-repository.ts";
import { type RenderContext, renderLabel, renderWriting, repositoryUrls } from "./render-threads.ts";

function renderSide(branch: string, { repository, context }: { repository: string; context: RenderContext }) {
  const { owner, name } = context.state;
  const [sideOwner = ""] = repository.split("/");
  return {
    label: `${sideOwner}:${branch}`,
    ref: branch,
    sha: shaOf(branch, context) ?? "0".repeat(40),
    user: renderLogin(sideOwner, context),
    repo: repository === `${owner}/${name}` ? renderRepository(context) : renderFork(repository, context),
  };
}

/** The repository that a fork's pull request comes from, which the scene knows only by name. */
function renderFork(repository: string, context: RenderContext) {
  const [owner = "", name = ""] = repository.split("/");
  const home = renderRepository(context);
  return {
    ...home,
    id: home.id + 1,
    node_id: `R_${home.id + 1}`,
    name,
    full_name: repository,
    owner: renderLogin(owner, context),
    fork: true,
  };
}

/** A pull request; `isFull` adds what only a single one carries. */
export function renderPull(
  issue: Issue & { pull: PullFacts },
  { isFull, context }: { isFull: boolean; context: RenderContext },
) {
  const { pull } = issue;
  const { api, html } = repositoryUrls(context);
  const { owner, name } = context.state;
  const url = `${api}/pulls/${issue.number}`;
  const link = (path: string) => ({ href: `${url}${path}` });
  const { reactions: _, performed_via_github_app: __, ...writing } = renderWriting(issue, { url, context });
  return {
    ...writing,
    node_id: `PR_${issue.id}`,
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    html_url: `${html}/pull/${issue.number}`,
    issue_url: `${api}/issues/${issue.number}`,
    labels: issue.labels.map((label) => renderLabel(label, context)),
    draft: pull.draft,
    closed_at: issue.state === "closed" ? issue.updatedAt : null,
    merged_at: pull.mergedAt ?? null,
    merge_commit_sha: pull.mergeCommitSha ?? null,
    requested_reviewers: pull.reviewers.map((login) => renderLogin(login, context)),
    requested_teams: [],
    head: renderSide(pull.head, { repository: pull.headRepository, context }),
    base: renderSide(pull.base, { repository: `${owner}/${name}`, context }),
    _links: {
      self: link(""),
      html: { href: `${html}/pull/${issue.number}` },
      issue: { href: `${api}/issues/${issue.number}` },
      comments: { href: `${api}/issues/${issue.number}/comments` },
      review_comments: link("/comments"),
      review_comment: link("/comments{/number}"),
      commits: link("/commits"),
      statuses: { href: `${api}/statuses/${shaOf(pull.head, context)}` },
    },
    ...(isFull
      ? { merged: pull.mergedAt !== undefined, mergeable: true, mergeable_state: "clean", merged_by: null }
      : {}),
  };
}

export function renderReviewComment(comment: ReviewComment, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const url = `${api}/pulls/comments/${comment.id}`;
  const { performed_via_github_app: _, ...writing } = renderWriting(comment, { url, context });
  return {
    ...writing,
    node_id: `PRRC_${comment.id}`,
    path: comment.path,
    diff_hunk: "@@ -1 +1 @@",
    commit_id: "0".repeat(40),
    original_commit_id: "0".repeat(40),
    pull_request_review_id: comment.reviewId ?? null,
    pull_request_url: `${api}/pulls/${comment.pullNumber}`,
    html_url: `${html}/pull/${comment.pullNumber}#discussion_r${comment.id}`,
    ...(comment.inReplyTo === undefined ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
}

export function renderReview(review: Review, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const pull = `${api}/pulls/${review.pullNumber}`;
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: renderLogin(review.author, context),
    body: review.body,
    state: review.state,
    submitted_at: review.createdAt,
    commit_id: null,
    html_url: `${html}/pull/${review.pullNumber}#pullrequestreview-${review.id}`,
    pull_request_url: pull,
    author_association: "NONE",
  };
}
