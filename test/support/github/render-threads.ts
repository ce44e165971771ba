/** Issues, comments and reactions as REST shows them; what is left out here is filled up from GitHub's description. */

import type { Links } from "./api-call.ts";
import type { Issue, IssueComment, Reaction, Writing } from "./records.ts";
import { ACTIONS_BOT, authorAssociation, renderLogin } from "./render-people.ts";
import type { GitHubState } from "./state.ts";

export interface RenderContext {
  readonly state: GitHubState;
  readonly links: Links;
}

/** Address of the repository in the API and for people. */
export function repositoryUrls({ state: { owner, name }, links: { api, html } }: RenderContext) {
  return { api: `${api}/repos/${owner}/${name}`, html: `${html}/${owner}/${name}` };
}

/** Which app wrote a text, where one did. */
function renderApp(author: string, { links }: RenderContext) {
  if (author !== ACTIONS_BOT) return null;
  return {
    id: 15368,
    slug: "github-actions",
    node_id: "A_15368",
    name: "GitHub Actions",
    html_url: `${links.html}/apps/github-actions`,
    external_url: "https://help.github.com/en/actions",
    events: [],
    permissions: {},
  };
}

function rollUpReactions({ reactions }: Writing, url: string) {
  const contents = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];
  const counts = contents.map((content) => [
    content,
    reactions.filter((one) => one.content === content).length,
  ]);
  return { url, total_count: reactions.length, ...Object.fromEntries(counts) };
}

/** What every text on a thread has in common. */
export function renderWriting(writing: Writing, { url, context }: { url: string; context: RenderContext }) {
  return {
    id: writing.id,
    url,
    body: writing.body,
    user: renderLogin(writing.author, context),
    created_at: writing.createdAt,
    updated_at: writing.updatedAt,
    author_association: authorAssociation(context.state, writing.author),
    performed_via_github_app: renderApp(writing.author, context),
    reactions: rollUpReactions(writing, `${url}/reactions`),
  };
}

/** Path of a thread's page. */
export const threadPath = ({ number, pull }: Issue) => `${pull === undefined ? "issues" : "pull"}/${number}`;

export function renderIssueComment(comment: IssueComment, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const issue = context.state.issues.get(comment.issueNumber);
  const url = `${api}/issues/comments/${comment.id}`;
  return {
    ...renderWriting(comment, { url, context }),
    node_id: `IC_${comment.id}`,
    issue_url: `${api}/issues/${comment.issueNumber}`,
    html_url: `${html}/${issue === undefined ? "issues/0" : threadPath(issue)}#issuecomment-${comment.id}`,
  };
}

export function renderLabel(name: string, context: RenderContext) {
  const { labels, nextId } = context.state;
  const id = labels.get(name) ?? nextId();
  labels.set(name, id);
  const { api } = repositoryUrls(context);
  return {
    id,
    node_id: `LA_${id}`,
    url: `${api}/labels/${encodeURIComponent(name)}`,
    name,
    color: "ededed",
    default: false,
    description: "",
  };
}

/** An issue, or a pull request seen as one. */
export function renderIssue(issue: Issue, context: RenderContext) {
  const { api, html } = repositoryUrls(context);
  const url = `${api}/issues/${issue.number}`;
  const comments = [...context.state.comments.values()].filter(
    ({ issueNumber }) => issueNumber === issue.number,
  );
  return {
    ...renderWriting(issue, { url, context }),
    node_id: `${issue.pull === undefined ? "I" : "PR"}_${issue.id}`,
    number: issue.number,
    title: issue.title,
    state: issue.state,
    state_reason: issue.stateReason ?? null,
    locked: issue.locked,
    labels: issue.labels.map((label) => renderLabel(label, context)),
    assignees: issue.assignees.map((login) => renderLogin(login, context)),
    comments: comments.length,
    repository_url: api,
    html_url: `${html}/${threadPath(issue)}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    ...(issue.pull === undefined
      ? {}
      : {
          draft: issue.pull.draft,
          pull_request: {
            url: `${api}/pulls/${issue.number}`,
            html_url: `${html}/pull/${issue.number}`,
            diff_url: `${html}/pull/${issue.number}.diff`,
            patch_url: `${html}/pull/${issue.number}.patch`,
            merged_at: issue.pull.mergedAt ?? null,
          },
        }),
  };
}

export function renderReaction({ id, content, author, createdAt }: Reaction, context: RenderContext) {
  return {
    id,
    node_id: `REA_${id}`,
    user: renderLogin(author, context),
    content,
    created_at: createdAt,
  };
}
