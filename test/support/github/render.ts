/** People, threads, commits and releases as REST shows them; what is left out here is filled up from GitHub's description. */

import type { Links } from "./api-call.ts";
import { isOutdated } from "./review-threads.ts";
import {
  type ChangedFile,
  type Collaborator,
  type Commit,
  type CommitStatus,
  type GitHubState,
  type Issue,
  type IssueComment,
  type Person,
  type PullFacts,
  type Release,
  type Review,
  type ReviewComment,
  ROLES,
  rememberPerson,
  shaOf,
  type Writing,
} from "./state.ts";

export interface RenderContext {
  readonly state: GitHubState;
  readonly links: Links;
}

/** The app behind the token of every run. */
export const ACTIONS_BOT = "github-actions[bot]";

const unknownSha = "0".repeat(40);

/** Address of the repository in the API and for people. */
export function repositoryUrls({ state: { owner, name }, links: { api, html } }: RenderContext) {
  return { api: `${api}/repos/${owner}/${name}`, html: `${html}/${owner}/${name}` };
}

export function renderPerson({ login, id, type }: Person, { html }: Links) {
  const page = type === "Bot" ? `apps/${login.replace("[bot]", "")}` : login;
  return { login, id, node_id: `U_${id}`, html_url: `${html}/${page}`, type, site_admin: false };
}

/** The same, by login. */
export function renderLogin(login: string, { state, links }: RenderContext) {
  return renderPerson(rememberPerson(state, login), links);
}

/** `user.permissions` of a collaborator: every role includes the weaker ones. */
export function permissionFlags(role: Collaborator["role"] | undefined) {
  const rank = role === undefined ? -1 : ROLES.indexOf(role);
  return {
    admin: rank >= ROLES.indexOf("admin"),
    maintain: rank >= ROLES.indexOf("maintain"),
    push: rank >= ROLES.indexOf("write"),
    triage: rank >= ROLES.indexOf("triage"),
    pull: rank >= ROLES.indexOf("read"),
  };
}

/** How a person belongs to the repository. A private organization member shows as nothing here: not to be trusted. */
function authorAssociation({ collaborators, owner }: GitHubState, login: string): string {
  if (login.toLowerCase() === owner.toLowerCase()) return "OWNER";
  return collaborators.has(login.toLowerCase()) ? "COLLABORATOR" : "NONE";
}

/** What every text on a thread has in common. */
export function renderWriting(writing: Writing, url: string, context: RenderContext) {
  const app = { id: 15368, slug: "github-actions", name: "GitHub Actions", permissions: {} };
  return {
    id: writing.id,
    url,
    body: writing.body,
    user: renderLogin(writing.author, context),
    created_at: writing.createdAt,
    updated_at: writing.updatedAt,
    author_association: authorAssociation(context.state, writing.author),
    performed_via_github_app: writing.author === ACTIONS_BOT ? app : null,
  };
}

/** Path of a thread's page. */
const threadPath = ({ number, pull }: Issue) => `${pull === undefined ? "issues" : "pull"}/${number}`;

export function renderIssueComment(comment: IssueComment, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const issue = context.state.issues.get(comment.issueNumber);
  return {
    ...renderWriting(comment, `${api}/issues/comments/${comment.id}`, context),
    node_id: `IC_${comment.id}`,
    issue_url: `${api}/issues/${comment.issueNumber}`,
    html_url: `${html}/${issue === undefined ? "issues/0" : threadPath(issue)}#issuecomment-${comment.id}`,
    minimized: comment.isMinimized ? { reason: "spam" } : null,
  };
}

export function renderLabel(name: string, { state: { labels, nextId } }: RenderContext) {
  const id = labels.get(name) ?? nextId();
  labels.set(name, id);
  return { id, node_id: `LA_${id}`, name, color: "ededed", default: false };
}

/** An issue, or a pull request seen as one. */
export function renderIssue(issue: Issue, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const page = `${html}/${threadPath(issue)}`;
  const pull = {
    url: `${api}/pulls/${issue.number}`,
    html_url: page,
    merged_at: issue.pull?.mergedAt ?? null,
  };
  return {
    ...renderWriting(issue, `${api}/issues/${issue.number}`, context),
    node_id: `${issue.pull === undefined ? "I" : "PR"}_${issue.id}`,
    number: issue.number,
    title: issue.title,
    state: issue.state,
    locked: issue.locked,
    labels: issue.labels.map((label) => renderLabel(label, context)),
    html_url: page,
    ...(issue.pull === undefined ? {} : { pull_request: pull }),
  };
}

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
  };
}

/** A pull request; `isFull` adds what only a single one carries. */
export function renderPull(issue: Issue & { pull: PullFacts }, isFull: boolean, context: RenderContext) {
  const { pull, number } = issue;
  const { api, html } = repositoryUrls(context);
  const home = renderRepository(context);
  const side = (branch: string, repository: string) => {
    const [owner = "", name = ""] = repository.split("/");
    // Of a fork, the scene knows only the name.
    const fork = {
      id: home.id + 1,
      name,
      full_name: repository,
      owner: renderLogin(owner, context),
      fork: true,
    };
    return {
      label: `${owner}:${branch}`,
      ref: branch,
      sha: shaOf(branch, context) ?? unknownSha,
      user: renderLogin(owner, context),
      repo: repository === home.full_name ? home : { ...home, ...fork },
    };
  };
  const { performed_via_github_app: _, ...writing } = renderWriting(issue, `${api}/pulls/${number}`, context);
  return {
    ...writing,
    node_id: `PR_${issue.id}`,
    number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    html_url: `${html}/pull/${number}`,
    labels: issue.labels.map((label) => renderLabel(label, context)),
    draft: pull.draft,
    closed_at: issue.state === "closed" ? issue.updatedAt : null,
    merged_at: pull.mergedAt ?? null,
    merge_commit_sha: pull.mergeCommitSha ?? null,
    requested_reviewers: pull.reviewers.map((login) => renderLogin(login, context)),
    head: side(pull.head, pull.headRepository),
    base: side(pull.base, home.full_name),
    ...(isFull ? { merged: pull.mergedAt !== undefined, merged_by: null } : {}),
  };
}

export function renderReviewComment(comment: ReviewComment, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const url = `${api}/pulls/comments/${comment.id}`;
  const { performed_via_github_app: _, ...writing } = renderWriting(comment, url, context);
  return {
    ...writing,
    node_id: `PRRC_${comment.id}`,
    path: comment.path,
    diff_hunk: comment.diffHunk,
    // What later commits changed has no line any more.
    line: isOutdated(comment, context) ? null : (comment.line ?? null),
    original_line: comment.line ?? null,
    subject_type: comment.line === undefined ? "file" : "line",
    commit_id: comment.commitSha ?? unknownSha,
    original_commit_id: comment.commitSha ?? unknownSha,
    pull_request_url: `${api}/pulls/${comment.pullNumber}`,
    pull_request_review_id: comment.reviewId ?? null,
    html_url: `${html}/pull/${comment.pullNumber}#discussion_r${comment.id}`,
    ...(comment.inReplyTo === undefined ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
}

export function renderReview(review: Review, context: RenderContext) {
  const { html } = repositoryUrls(context);
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: renderLogin(review.author, context),
    body: review.body,
    state: review.state,
    submitted_at: review.createdAt,
    commit_id: null,
    html_url: `${html}/pull/${review.pullNumber}#pullrequestreview-${review.id}`,
    author_association: "NONE",
  };
}

export function renderCommit({ sha, parents, message, author, date }: Commit, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const person = { name: author, email: `${author}@example.com`, date };
  return {
    sha,
    node_id: `C_${sha}`,
    html_url: `${html}/commit/${sha}`,
    commit: { message, author: person, committer: person },
    author: renderLogin(author, context),
    committer: renderLogin(author, context),
    parents: parents.map((parent) => ({ sha: parent, url: `${api}/commits/${parent}` })),
  };
}

export function renderFile(file: ChangedFile) {
  const { filename, status, previousFilename, patch } = file;
  const { additions, deletions } = changedLinesOf([file]);
  return {
    sha: unknownSha,
    filename,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    ...(patch === undefined ? {} : { patch }),
    ...(previousFilename === undefined ? {} : { previous_filename: previousFilename }),
  };
}

/** How many lines changes add and remove together; one is added where the scene says nothing of it. */
export function changedLinesOf(files: readonly ChangedFile[]) {
  const sum = { additions: 0, deletions: 0 };
  for (const { additions = 1, deletions = 0 } of files) {
    sum.additions += additions;
    sum.deletions += deletions;
  }
  return sum;
}

export function renderStatus(status: CommitStatus, context: RenderContext) {
  return {
    id: status.id,
    node_id: `SC_${status.id}`,
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
  return {
    id,
    node_id: `RE_${id}`,
    html_url: `${repositoryUrls(context).html}/releases/tag/${tag}`,
    tag_name: tag,
    target_commitish: context.state.defaultBranch,
    name,
    body,
    draft: false,
    created_at: createdAt,
    published_at: createdAt,
    author: renderLogin(author, context),
  };
}
