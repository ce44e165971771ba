/** The repository, its pull requests, commits and statuses as REST shows them. */

import type { ChangedFile, Commit, CommitStatus, Release } from "./records.ts";
import { renderLogin } from "./render-people.ts";
import { type RenderContext, repositoryUrls } from "./render-threads.ts";

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
