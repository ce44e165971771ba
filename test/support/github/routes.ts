/** The operations of the REST API that the stand-in offers, by GitHub's identifiers. */

import {
  type ApiCall,
  ApiError,
  type Handler,
  linkHeader,
  notFound,
  readPage,
  requireStored,
  validationFailed,
} from "./api-call.ts";
import { changedFiles, compareCommits, pullCommits } from "./history.ts";
import {
  ACTIONS_BOT,
  changedLinesOf,
  permissionFlags,
  renderCommit,
  renderFile,
  renderIssue,
  renderIssueComment,
  renderLabel,
  renderPerson,
  renderPull,
  renderRelease,
  renderRepository,
  renderReviewComment,
  renderStatus,
  repositoryUrls,
} from "./render.ts";
import { addReviewComment, findDraft, listSubmittedComments } from "./review-threads.ts";
import {
  type ChangedFile,
  type CommitStatus,
  editWriting,
  findPerson,
  type GitHubState,
  type Issue,
  type IssueComment,
  type PullFacts,
  type ReviewComment,
  shaOf,
  startWriting,
  type Writing,
} from "./state.ts";

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

const labelNames = (labels: unknown): string[] =>
  (Array.isArray(labels) ? labels : []).map((label: string | { name: string }) =>
    typeof label === "string" ? label : label.name,
  );

type Pull = Issue & { pull: PullFacts };

const isPull = (issue: Issue): issue is Pull => issue.pull !== undefined;

function findPull({ state, path }: ApiCall): Pull {
  const issue = requireStored(state.issues, Number(path["pull_number"]));
  if (!isPull(issue)) throw notFound();
  return issue;
}

const findReviewComment = ({ state, path }: ApiCall): ReviewComment =>
  requireStored(state.reviewComments, Number(path["comment_id"]));

const full = (pull: Pull, context: ApiCall) => renderPull(pull, true, context);
const simple = (pull: Pull, context: ApiCall) => renderPull(pull, false, context);

/** `head=owner:branch`, as a list of pull requests is asked for one branch. */
const hasHead = (wanted: string | null) => (issue: Pull) =>
  wanted === null || `${issue.pull.headRepository.split("/")[0]}:${issue.pull.head}` === wanted;

function requireBranches({ state, body }: ApiCall): void {
  for (const field of ["head", "base"]) {
    const name = String(body[field]).replace(`${state.owner}:`, "");
    if (shaOf(name, { state }) !== undefined) continue;
    throw new ApiError(422, "Validation Failed", [{ resource: "PullRequest", field, code: "invalid" }]);
  }
}

function requireNoTwin(call: ApiCall): void {
  const head = String(call.body["head"]).replace(`${call.state.owner}:`, "");
  const twin = [...call.state.issues.values()]
    .filter(isPull)
    .find(({ state, pull }) => state === "open" && pull.head === head && pull.base === call.body["base"]);
  if (twin === undefined) return;
  const message = `A pull request already exists for ${call.state.owner}:${head}.`;
  throw new ApiError(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
}

/** GitHub lists no more files of a comparison. */
const MAX_COMPARED_FILES = 300;
const MAX_STATUS_DESCRIPTION = 140;

function findSha(name: string, call: ApiCall): string {
  const sha = shaOf(name, call);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${name}`);
  return sha;
}

const statusesOf = (sha: string, { statuses }: Pick<GitHubState, "statuses">): CommitStatus[] =>
  statuses.filter((status) => status.sha === sha).toReversed();

/** The newest status of every context. */
export function latestStatuses(sha: string, { statuses, shownStatuses }: GitHubState): CommitStatus[] {
  const latest = new Map<string, CommitStatus>();
  for (const status of statusesOf(sha, { statuses: statuses.slice(0, shownStatuses) }))
    if (!latest.has(status.context)) latest.set(status.context, status);
  return [...latest.values()];
}

function sumLines(files: readonly ChangedFile[]) {
  const { additions, deletions } = changedLinesOf(files);
  return { additions, deletions, total: additions + deletions };
}

/** What each operation does. */
export const routes: Readonly<Record<string, Handler>> = {
  "issues/list-for-repo": (call) => {
    const issues = sorted([...call.state.issues.values()], call);
    return { status: 200, list: issues.map((issue) => renderIssue(issue, call)) };
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

  "issues/add-labels": (call) => {
    const issue = findIssue(call);
    issue.labels = [...new Set([...issue.labels, ...labelNames(call.body["labels"])])];
    return { status: 200, body: issue.labels.map((label) => renderLabel(label, call)) };
  },

  "pulls/list": (call) => {
    const { query, state } = call;
    const wanted = query.get("state") ?? "open";
    const pulls = [...state.issues.values()]
      .filter(isPull)
      .filter((pull) => wanted === "all" || pull.state === wanted)
      .filter(hasHead(query.get("head")))
      .filter(({ pull }) => query.get("base") === null || pull.base === query.get("base"));
    const sign = query.get("direction") === "asc" ? 1 : -1;
    const ordered = pulls.toSorted((one, other) => sign * (one.number - other.number));
    return { status: 200, list: ordered.map((pull) => simple(pull, call)) };
  },

  "pulls/get": (call) => ({ status: 200, body: full(findPull(call), call) }),

  "pulls/create": (call) => {
    const { state, body, actor } = call;
    if (actor.login === ACTIONS_BOT && !state.actionsMayOpenPullRequests) {
      throw new ApiError(403, "GitHub Actions is not permitted to create or approve pull requests.");
    }
    requireBranches(call);
    requireNoTwin(call);
    const pull: Pull = {
      ...startWriting(state, { author: actor.login, body: String(body["body"] ?? "") }),
      number: state.nextNumber(),
      title: String(body["title"] ?? ""),
      state: "open",
      locked: false,
      labels: [],
      pull: {
        head: String(body["head"]).replace(`${state.owner}:`, ""),
        headRepository: `${state.owner}/${state.name}`,
        base: String(body["base"]),
        draft: body["draft"] === true,
        mergedAt: undefined,
        mergeCommitSha: undefined,
        reviewers: [],
        teams: [],
      },
    };
    state.issues.set(pull.number, pull);
    return { status: 201, body: full(pull, call) };
  },

  "pulls/update": (call) => {
    const pull = findPull(call);
    const { title, body, state } = call.body;
    if (pull.pull.mergedAt !== undefined && state === "open") {
      throw validationFailed({
        resource: "PullRequest",
        field: "state",
        message: "state cannot be changed.",
      });
    }
    if (typeof title === "string") pull.title = title;
    if (typeof body === "string") {
      const edited = { writing: pull, editor: call.actor.login, body: checkBody(body, "PullRequest") };
      editWriting(call.state, edited);
    }
    if (state === "open" || state === "closed") pull.state = state;
    pull.updatedAt = call.state.now();
    return { status: 200, body: full(pull, call) };
  },

  "pulls/request-reviewers": (call) => {
    const pull = findPull(call);
    const reviewers = (call.body["reviewers"] ?? []) as string[];
    if (reviewers.includes(pull.author)) {
      throw new ApiError(422, "Review cannot be requested from pull request author.");
    }
    const teams = (call.body["team_reviewers"] ?? []) as string[];
    // The token of a run has no permission on an organization, so it does not see its teams.
    if (teams.length > 0 && call.actor.login === ACTIONS_BOT) {
      throw new ApiError(422, "Validation Failed", [
        "Could not resolve to a node with the global id of 'T_1'.",
      ]);
    }
    if (reviewers.some((login) => findPerson(call.state, login) === undefined)) {
      throw new ApiError(
        422,
        "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.",
      );
    }
    pull.pull.reviewers = [...new Set([...pull.pull.reviewers, ...reviewers])];
    pull.pull.teams = [...new Set([...pull.pull.teams, ...teams])];
    return { status: 201, body: simple(pull, call) };
  },

  "pulls/list-files": (call) => {
    const { pull } = findPull(call);
    const files = changedFiles(pullCommits(pull, call));
    return { status: 200, list: files.map((file) => renderFile(file)) };
  },

  "pulls/list-review-comments": (call) => {
    const { number } = findPull(call);
    const all = listSubmittedComments(call.state).filter(({ pullNumber }) => pullNumber === number);
    const comments = bySince(all, call) as ReviewComment[];
    // `direction` counts only beside `sort`.
    const ordered = call.query.has("sort") ? sorted(comments, call) : comments;
    return { status: 200, list: ordered.map((comment) => renderReviewComment(comment, call)) };
  },

  "pulls/list-review-comments-for-repo": (call) => {
    const comments = bySince(listSubmittedComments(call.state), call) as ReviewComment[];
    const ordered = call.query.has("sort") ? sorted(comments, call) : comments;
    return { status: 200, list: ordered.map((comment) => renderReviewComment(comment, call)) };
  },

  "pulls/create-reply-for-review-comment": (call) => {
    const { state, body, actor } = call;
    const { number: pull, locked } = findPull(call);
    const first = findReviewComment(call);
    // There are no replies to replies.
    if (first.pullNumber !== pull || first.inReplyTo !== undefined) throw notFound();
    if (locked) throw new ApiError(403, "Unable to create comment because issue is locked.");
    const text = checkBody(body["body"], "PullRequestReviewComment");
    if (findDraft(pull, actor.login, state) !== undefined) {
      const message = "user_id can only have one pending review per pull request";
      throw validationFailed({ resource: "PullRequestReview", field: "user_id", message });
    }
    const reply = addReviewComment(state, { pull, author: actor.login, body: text, inReplyTo: first.id });
    return { status: 201, body: renderReviewComment(reply, call) };
  },

  "pulls/update-review-comment": (call) => {
    const writing = findReviewComment(call);
    const body = checkBody(call.body["body"], "PullRequestReviewComment");
    editWriting(call.state, { writing, editor: call.actor.login, body });
    return { status: 200, body: renderReviewComment(writing, call) };
  },

  "pulls/delete-review-comment": (call) => {
    call.state.reviewComments.delete(findReviewComment(call).id);
    return { status: 204 };
  },

  "pulls/get-review-comment": (call) => ({
    status: 200,
    body: renderReviewComment(findReviewComment(call), call),
  }),

  "repos/compare-commits-with-basehead": (call) => {
    const [base = "", head = ""] = String(call.path["basehead"]).split("...");
    const { ahead, behind, mergeBase, status } = compareCommits({ base, head }, call);
    const { page, perPage } = readPage(call.query, { perPage: 250, maximum: 250 });
    const isPaged = call.query.has("page") || call.query.has("per_page");
    const commits = isPaged ? ahead.slice((page - 1) * perPage, page * perPage) : ahead.slice(-perPage);
    const files = page === 1 ? changedFiles(ahead).slice(0, MAX_COMPARED_FILES) : undefined;
    return {
      status: 200,
      headers: linkHeader({ url: call.url, total: ahead.length, page, perPage }),
      body: {
        html_url: `${repositoryUrls(call).html}/compare/${base}...${head}`,
        base_commit: renderCommit(requireStored(call.state.commits, findSha(base, call)), call),
        merge_base_commit: renderCommit(mergeBase, call),
        status,
        ahead_by: ahead.length,
        behind_by: behind.length,
        total_commits: ahead.length,
        commits: commits.map((commit) => renderCommit(commit, call)),
        ...(files === undefined ? {} : { files: files.map((file) => renderFile(file)) }),
      },
    };
  },

  "repos/get-commit": (call) => {
    const commit = requireStored(call.state.commits, findSha(String(call.path["ref"]), call));
    return {
      status: 200,
      body: {
        ...renderCommit(commit, call),
        stats: sumLines(commit.files),
        files: commit.files.slice(0, MAX_COMPARED_FILES).map((file) => renderFile(file)),
      },
    };
  },

  "repos/list-pull-requests-associated-with-commit": (call) => {
    const sha = String(call.path["commit_sha"]);
    const brings = (pull: PullFacts) =>
      pull.mergeCommitSha === sha ||
      pull.landedCommits?.includes(sha) === true ||
      pullCommits(pull, call).some((commit) => commit.sha === sha);
    const pulls = [...call.state.issues.values()].filter(
      (issue): issue is Issue & { pull: PullFacts } => issue.pull !== undefined && brings(issue.pull),
    );
    return { status: 200, list: pulls.map((pull) => renderPull(pull, false, call)) };
  },

  "repos/create-commit-status": (call) => {
    const { state, body, actor } = call;
    const sha = String(call.path["sha"]);
    if (!state.commits.has(sha)) throw new ApiError(422, `No commit found for SHA: ${sha}`);
    const description = body["description"];
    if (typeof description === "string" && description.length > MAX_STATUS_DESCRIPTION) {
      throw validationFailed({
        resource: "Status",
        field: "description",
        message: `description is too long (maximum is ${MAX_STATUS_DESCRIPTION} characters)`,
      });
    }
    const status: CommitStatus = {
      id: state.nextId(),
      sha,
      state: body["state"] as CommitStatus["state"],
      context: String(body["context"] ?? "default"),
      description: typeof description === "string" ? description : undefined,
      targetUrl: typeof body["target_url"] === "string" ? body["target_url"] : undefined,
      creator: actor.login,
      createdAt: state.now(),
    };
    state.statuses.push(status);
    return { status: 201, body: renderStatus(status, call) };
  },

  "repos/list-commit-statuses-for-ref": (call) => {
    const sha = findSha(String(call.path["ref"]), call);
    return { status: 200, list: statusesOf(sha, call.state).map((status) => renderStatus(status, call)) };
  },

  "repos/get": (call) => ({ status: 200, body: renderRepository(call) }),

  "repos/get-collaborator-permission-level": (call) => {
    const login = String(call.path["username"]);
    const person = findPerson(call.state, login);
    if (person === undefined || person.type === "Bot") throw new ApiError(404, `${login} is not a user`);
    const collaborator = call.state.collaborators.get(login.toLowerCase());
    const role = collaborator?.role ?? (call.state.isPrivate ? undefined : "read");
    const { admin, push, pull } = permissionFlags(role);
    const roleName = collaborator?.customRole ?? role ?? "none";
    return {
      status: 200,
      body: {
        permission: admin ? "admin" : push ? "write" : pull ? "read" : "none",
        role_name: roleName,
        user: {
          ...renderPerson(person, call.links),
          permissions: permissionFlags(role),
          role_name: roleName,
        },
      },
    };
  },

  "repos/list-releases": (call) => ({
    status: 200,
    list: call.state.releases.toReversed().map((release) => renderRelease(release, call)),
  }),
};
