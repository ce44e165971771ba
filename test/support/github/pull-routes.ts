/** Pull requests, their reviews and review comments. */

import { type ApiCall, ApiError, type Handler, notFound, requireStored } from "./api-call.ts";
import { changedFiles, pullCommits } from "./history.ts";
import type { Issue, PullFacts, ReviewComment } from "./records.ts";
import { ACTIONS_BOT } from "./render-people.ts";
import { renderPull, renderReview, renderReviewComment } from "./render-pulls.ts";
import { renderCommit, renderFile, shaOf } from "./render-repository.ts";
import { editWriting, findPerson, startWriting } from "./state.ts";

type Pull = Issue & { pull: PullFacts };

const isPull = (issue: Issue): issue is Pull => issue.pull !== undefined;

function findPull({ state, path }: ApiCall): Pull {
  const issue = requireStored(state.issues, Number(path["pull_number"]));
  if (!isPull(issue)) throw notFound();
  return issue;
}

const findReviewComment = ({ state, path }: ApiCall): ReviewComment =>
  requireStored(state.reviewComments, Number(path["comment_id"]));

const full = (pull: Pull, context: ApiCall) => renderPull(pull, { isFull: true, context });
const simple = (pull: Pull, context: ApiCall) => renderPull(pull, { isFull: false, context });

/** `head=owner:branch`, as a list of pull requests is asked for one branch. */
const hasHead = (wanted: string | null) => (issue: Pull) =>
  wanted === null || `${issue.pull.headRepository.split("/")[0]}:${issue.pull.head}` === wanted;

function requireBranches({ state, body, links }: ApiCall): void {
  for (const field of ["head", "base"]) {
    const name = String(body[field]).replace(`${state.owner}:`, "");
    if (shaOf(name, { state, links }) !== undefined) continue;
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

export const pullRoutes: Readonly<Record<string, Handler>> = {
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
      stateReason: undefined,
      locked: false,
      labels: [],
      assignees: [],
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
    const { state, body, actor } = call;
    if (body["title"] !== undefined) pull.title = String(body["title"]);
    if (body["state"] !== undefined) pull.state = body["state"] === "closed" ? "closed" : "open";
    if (body["body"] !== undefined) {
      editWriting(state, { writing: pull, editor: actor.login, body: String(body["body"]) });
    }
    pull.updatedAt = state.now();
    return { status: 200, body: full(pull, call) };
  },

  "pulls/request-reviewers": (call) => {
    const pull = findPull(call);
    const reviewers = (call.body["reviewers"] ?? []) as string[];
    if (reviewers.includes(pull.author)) {
      throw new ApiError(422, "Review cannot be requested from pull request author.");
    }
    if (reviewers.some((login) => findPerson(call.state, login) === undefined)) {
      throw new ApiError(
        422,
        "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.",
      );
    }
    pull.pull.reviewers = [...new Set([...pull.pull.reviewers, ...reviewers])];
    pull.pull.teams = [
      ...new Set([...pull.pull.teams, ...((call.body["team_reviewers"] ?? []) as string[])]),
    ];
    return { status: 201, body: simple(pull, call) };
  },

  "pulls/list-files": (call) => {
    const { pull } = findPull(call);
    const files = changedFiles(pullCommits(pull, call));
    return { status: 200, list: files.map((file) => renderFile(file, call)) };
  },

  "pulls/list-commits": (call) => {
    const { pull } = findPull(call);
    return { status: 200, list: pullCommits(pull, call).map((commit) => renderCommit(commit, call)) };
  },

  "pulls/list-reviews": (call) => {
    const { number } = findPull(call);
    const reviews = [...call.state.reviews.values()].filter(({ pullNumber }) => pullNumber === number);
    return { status: 200, list: reviews.map((review) => renderReview(review, call)) };
  },

  "pulls/get-review": (call) => ({
    status: 200,
    body: renderReview(requireStored(call.state.reviews, Number(call.path["review_id"])), call),
  }),

  "pulls/list-review-comments": (call) => {
    const { number } = findPull(call);
    const comments = [...call.state.reviewComments.values()].filter(
      ({ pullNumber }) => pullNumber === number,
    );
    return { status: 200, list: comments.map((comment) => renderReviewComment(comment, call)) };
  },

  "pulls/get-review-comment": (call) => ({
    status: 200,
    body: renderReviewComment(findReviewComment(call), call),
  }),

  "pulls/update-review-comment": (call) => {
    const comment = findReviewComment(call);
    editWriting(call.state, { writing: comment, editor: call.actor.login, body: String(call.body["body"]) });
    return { status: 200, body: renderReviewComment(comment, call) };
  },

  "pulls/create-reply-for-review-comment": (call) => {
    const { state, body, actor } = call;
    const parent = findReviewComment(call);
    const reply: ReviewComment = {
      ...startWriting(state, { author: actor.login, body: String(body["body"]) }),
      pullNumber: parent.pullNumber,
      path: parent.path,
      reviewId: undefined,
      inReplyTo: parent.inReplyTo ?? parent.id,
    };
    state.reviewComments.set(reply.id, reply);
    return { status: 201, body: renderReviewComment(reply, call) };
  },
};
