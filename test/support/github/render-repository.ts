/** The repository, its pull requests, commits and statuses as REST shows them. */

import { renderLogin } from "./render-people.ts";
import { type RenderContext, renderLabel, renderWriting, repositoryUrls } from "./render-threads.ts";
import type {
  ChangedFile,
  Commit,
  CommitStatus,
  Issue,
  PullFacts,
  Release,
  Review,
  ReviewComment,
} from "./state.ts";

export function renderRepository(context: RenderContext) {
  const { owner, name, isPrivate, defaultBranch } = context.state;
  const { api, html } = repositoryUrls(context);
  return {
    id: 101,
    node_id: "R_101",
    name,
    full_name: `${owner}/${name}`,
    private: isPrivate,
    owner: renderLogin(owner, context),
    html_url: html,
    url: api,
    fork: false,
    default_branch: defaultBranch,
    visibility: isPrivate ? "private" : "public",
    clone_url: `${html}.git`,
    has_issues: true,
    has_discussions: true,
  };
}

/** What a branch or commit stands for, or the name itself if it is a commit. */
export function shaOf(name: string, { state }: RenderContext): string | undefined {
  if (state.commits.has(name)) return name;
  return state.refs.get(`refs/heads/${name}`) ?? state.refs.get(`refs/tags/${name}`) ?? state.refs.get(name);
}

function renderSide(branch: string, { repository, context }: { repository: string; context: RenderContext }) {
  const { owner, name } = context.state;
  const [sideOwner = ""] = repository.split("/");
  return {
    label: `${sideOwner}:${branch}`,
    ref: branch,
    sha: shaOf(branch, context) ?? "0".repeat(40),
    user: renderLogin(sideOwner, context),
    repo: repository === `${owner}/${name}` ? renderRepository(context) : null,
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

export function renderCommit({ sha, parents, message, author, date }: Commit, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const person = { name: author, email: `${author}@example.com`, date };
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${api}/commits/${sha}`,
    html_url: `${html}/commit/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    commit: {
      url: `${api}/git/commits/${sha}`,
      message,
      author: person,
      committer: person,
      comment_count: 0,
      tree: { sha, url: `${api}/git/trees/${sha}` },
    },
    author: renderLogin(author, context),
    committer: renderLogin(author, context),
    parents: parents.map((parent) => ({ sha: parent, url: `${api}/commits/${parent}` })),
  };
}

export function renderFile(
  { filename, status, previousFilename, patch }: ChangedFile,
  context: RenderContext,
) {
  const { api, html } = repositoryUrls(context);
  const path = encodeURIComponent(filename);
  return {
    sha: "0".repeat(40),
    filename,
    status,
    additions: 1,
    deletions: 0,
    changes: 1,
    blob_url: `${html}/blob/main/${path}`,
    raw_url: `${html}/raw/main/${path}`,
    contents_url: `${api}/contents/${path}`,
    ...(patch === undefined ? {} : { patch }),
    ...(previousFilename === undefined ? {} : { previous_filename: previousFilename }),
  };
}

export function renderStatus(status: CommitStatus, context: RenderContext) {
  const { api } = repositoryUrls(context);
  return {
    id: status.id,
    node_id: `SC_${status.id}`,
    url: `${api}/statuses/${status.sha}`,
    state: status.state,
    context: status.context,
    description: status.description ?? null,
    target_url: status.targetUrl ?? null,
    avatar_url: null,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: renderLogin(status.creator, context),
  };
}

export function renderRelease({ id, tag, name, body, author, createdAt }: Release, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  return {
    id,
    node_id: `RE_${id}`,
    url: `${api}/releases/${id}`,
    html_url: `${html}/releases/tag/${tag}`,
    tag_name: tag,
    target_commitish: context.state.defaultBranch,
    name,
    body,
    draft: false,
    prerelease: false,
    created_at: createdAt,
    published_at: createdAt,
    author: renderLogin(author, context),
    assets: [],
  };
}
