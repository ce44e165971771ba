/** Issues, their comments, labels and reactions. */

import {
  type ApiCall,
  ApiError,
  type Handler,
  notFound,
  requireStored,
  validationFailed,
} from "./api-call.ts";
import type { Issue, IssueComment, Writing } from "./records.ts";
import { renderIssue, renderIssueComment, renderLabel, renderReaction } from "./render-threads.ts";
import { editWriting, startWriting } from "./state.ts";

const MAX_BODY_CHARACTERS = 65_536;

function checkBody(body: unknown, resource: string): string {
  const text = String(body ?? "");
  if (text.length <= MAX_BODY_CHARACTERS) return text;
  throw validationFailed({
    resource,
    field: "body",
    message: `body is too long (maximum is ${MAX_BODY_CHARACTERS} characters)`,
  });
}

const findIssue = ({ state, path }: ApiCall): Issue =>
  requireStored(state.issues, Number(path["issue_number"]));

const findComment = ({ state, path }: ApiCall): IssueComment =>
  requireStored(state.comments, Number(path["comment_id"]));

const bySince = (writings: readonly Writing[], { query }: ApiCall) => {
  const since = Date.parse(query.get("since") ?? "1970-01-01");
  return writings.filter(({ updatedAt }) => Date.parse(updatedAt) >= since);
};

/** Sorted as `sort` and `direction` say; GitHub's default for lists of issues is newest first. */
function sorted<Item extends Writing>(items: readonly Item[], { query }: ApiCall): Item[] {
  const field = query.get("sort") === "updated" ? "updatedAt" : "createdAt";
  const sign = query.get("direction") === "asc" ? 1 : -1;
  return items.toSorted(
    (one, other) => sign * (Date.parse(one[field]) - Date.parse(other[field]) || one.id - other.id),
  );
}

function createReaction(writing: Writing, { state, links, actor, body }: ApiCall) {
  const content = String(body["content"]);
  const known = writing.reactions.find((one) => one.content === content && one.author === actor.login);
  if (known !== undefined) return { status: 200, body: renderReaction(known, { state, links }) };
  const reaction = { id: state.nextId(), content, author: actor.login, createdAt: state.now() };
  writing.reactions.push(reaction);
  return { status: 201, body: renderReaction(reaction, { state, links }) };
}

function deleteReaction(writing: Writing, { path }: ApiCall) {
  const index = writing.reactions.findIndex(({ id }) => id === Number(path["reaction_id"]));
  if (index < 0) throw notFound();
  writing.reactions.splice(index, 1);
  return { status: 204 };
}

const labelNames = (labels: unknown): string[] =>
  (Array.isArray(labels) ? labels : []).map((label: string | { name: string }) =>
    typeof label === "string" ? label : label.name,
  );

/** An issue that a search or a list asks for, by the state in the query. */
const inState = (wanted: string | null) => (issue: Issue) =>
  wanted === "all" || issue.state === (wanted ?? "open");

export const issueRoutes: Readonly<Record<string, Handler>> = {
  "issues/get": (call) => ({ status: 200, body: renderIssue(findIssue(call), call) }),

  "issues/list-for-repo": (call) => {
    const wanted = labelNames(call.query.get("labels")?.split(","));
    const creator = call.query.get("creator");
    const issues = [...call.state.issues.values()]
      .filter(inState(call.query.get("state")))
      .filter((issue) => wanted.every((label) => issue.labels.includes(label)))
      .filter((issue) => creator === null || issue.author === creator);
    const since = bySince(issues, call) as Issue[];
    return { status: 200, list: sorted(since, call).map((issue) => renderIssue(issue, call)) };
  },

  "issues/create": (call) => {
    const { state, body, actor } = call;
    const issue: Issue = {
      ...startWriting(state, { author: actor.login, body: checkBody(body["body"], "Issue") }),
      number: state.nextNumber(),
      title: String(body["title"]),
      state: "open",
      stateReason: undefined,
      locked: false,
      labels: labelNames(body["labels"]),
      assignees: [],
    };
    state.issues.set(issue.number, issue);
    return { status: 201, body: renderIssue(issue, call) };
  },

  "issues/update": (call) => {
    const issue = findIssue(call);
    const { state, body, actor } = call;
    if (body["title"] !== undefined) issue.title = String(body["title"]);
    if (body["state"] !== undefined) issue.state = body["state"] === "closed" ? "closed" : "open";
    if (body["body"] !== undefined) {
      editWriting(state, { writing: issue, editor: actor.login, body: checkBody(body["body"], "Issue") });
    }
    issue.updatedAt = state.now();
    return { status: 200, body: renderIssue(issue, call) };
  },

  "issues/list-comments": (call) => {
    const { number } = findIssue(call);
    const comments = [...call.state.comments.values()].filter(({ issueNumber }) => issueNumber === number);
    return {
      status: 200,
      list: bySince(comments, call).map((comment) => renderIssueComment(comment as IssueComment, call)),
    };
  },

  "issues/list-comments-for-repo": (call) => {
    const comments = bySince([...call.state.comments.values()], call) as IssueComment[];
    // Here alone the default is ascending, and `direction` counts only beside `sort`.
    const ordered = call.query.has("sort") ? sorted(comments, call) : comments;
    return { status: 200, list: ordered.map((comment) => renderIssueComment(comment, call)) };
  },

  "issues/get-comment": (call) => ({ status: 200, body: renderIssueComment(findComment(call), call) }),

  "issues/create-comment": (call) => {
    const { state, body, actor } = call;
    const issue = findIssue(call);
    if (issue.locked) throw new ApiError(403, "Unable to create comment because issue is locked.");
    const comment: IssueComment = {
      ...startWriting(state, { author: actor.login, body: checkBody(body["body"], "IssueComment") }),
      issueNumber: issue.number,
    };
    state.comments.set(comment.id, comment);
    issue.updatedAt = state.now();
    return { status: 201, body: renderIssueComment(comment, call) };
  },

  "issues/update-comment": (call) => {
    const comment = findComment(call);
    const body = checkBody(call.body["body"], "IssueComment");
    editWriting(call.state, { writing: comment, editor: call.actor.login, body });
    return { status: 200, body: renderIssueComment(comment, call) };
  },

  "issues/delete-comment": (call) => {
    call.state.comments.delete(findComment(call).id);
    return { status: 204 };
  },

  "issues/list-labels-on-issue": (call) => ({
    status: 200,
    list: findIssue(call).labels.map((label) => renderLabel(label, call)),
  }),

  "issues/add-labels": (call) => {
    const issue = findIssue(call);
    issue.labels = [...new Set([...issue.labels, ...labelNames(call.body["labels"])])];
    return { status: 200, body: issue.labels.map((label) => renderLabel(label, call)) };
  },

  "issues/set-labels": (call) => {
    const issue = findIssue(call);
    issue.labels = labelNames(call.body["labels"]);
    return { status: 200, body: issue.labels.map((label) => renderLabel(label, call)) };
  },

  "issues/remove-label": (call) => {
    const issue = findIssue(call);
    if (!issue.labels.includes(String(call.path["name"]))) throw new ApiError(404, "Label does not exist");
    issue.labels = issue.labels.filter((label) => label !== call.path["name"]);
    return { status: 200, body: issue.labels.map((label) => renderLabel(label, call)) };
  },

  "reactions/create-for-issue": (call) => createReaction(findIssue(call), call),
  "reactions/create-for-issue-comment": (call) => createReaction(findComment(call), call),
  "reactions/create-for-pull-request-review-comment": (call) =>
    createReaction(requireStored(call.state.reviewComments, Number(call.path["comment_id"])), call),
  "reactions/delete-for-issue": (call) => deleteReaction(findIssue(call), call),
  "reactions/delete-for-issue-comment": (call) => deleteReaction(findComment(call), call),
  "reactions/delete-for-pull-request-comment": (call) =>
    deleteReaction(requireStored(call.state.reviewComments, Number(call.path["comment_id"])), call),
  "reactions/list-for-issue": (call) => ({
    status: 200,
    list: findIssue(call).reactions.map((reaction) => renderReaction(reaction, call)),
  }),
  "reactions/list-for-issue-comment": (call) => ({
    status: 200,
    list: findComment(call).reactions.map((reaction) => renderReaction(reaction, call)),
  }),
};
