/** The events that a scene's texts would have caused: recorded payloads that tell of this repository. */

import { type EventPayload, eventNameOf, loadEvent, type RecordedEvent } from "../event.ts";
import { ancestry } from "./history.ts";
import {
  type RenderContext,
  renderIssue,
  renderIssueComment,
  renderLabel,
  renderLogin,
  renderPull,
  renderRelease,
  renderRepository,
  renderReview,
  renderReviewComment,
  renderWriting,
  repositoryUrls,
} from "./render.ts";
import {
  type Commit,
  type Discussion,
  type DiscussionComment,
  type Issue,
  type IssueComment,
  type PullFacts,
  type Release,
  type Review,
  type ReviewComment,
  rememberPerson,
  type Writing,
} from "./state.ts";

/** What of a run an event decides; fits `run` of an action's use. */
export interface TriggeredRun {
  readonly eventName: string;
  readonly event: EventPayload;
  readonly actor: string;
  readonly triggeringActor: string;
}

type TextAction = "created" | "edited";

export type SceneEvents = ReturnType<typeof createSceneEvents>;

const NOTHING = "0".repeat(40);

/** Makes the events of one scene. Their actor is who wrote the text, unless `sender` says otherwise. */
export function createSceneEvents(context: RenderContext) {
  const { state } = context;

  const triggered = (
    name: RecordedEvent,
    { sender, facts }: { sender: string; facts: EventPayload },
  ): TriggeredRun => {
    rememberPerson(state, sender);
    const about = { repository: renderRepository(context), sender: renderLogin(sender, context) };
    return {
      eventName: eventNameOf(name),
      event: loadEvent(name, { ...about, ...facts }),
      actor: sender,
      triggeringActor: sender,
    };
  };

  const issueOf = (number: number): Issue => {
    const issue = state.issues.get(number);
    if (issue === undefined) throw new Error(`The scene has no issue ${number}`);
    return issue;
  };

  const pullOf = (number: number, isFull: boolean) => {
    const issue = issueOf(number);
    if (issue.pull === undefined) throw new Error(`${number} is not a pull request`);
    return renderPull({ ...issue, pull: issue.pull }, isFull, context);
  };

  const discussionFacts = (discussion: Discussion) => {
    const { html } = repositoryUrls(context);
    const url = `${html}/discussions/${discussion.number}`;
    const { performed_via_github_app: _, url: __, ...writing } = renderWriting(discussion, url, context);
    return {
      ...writing,
      node_id: `D_${discussion.id}`,
      number: discussion.number,
      title: discussion.title,
      html_url: url,
      locked: discussion.locked,
    };
  };

  const pushedCommit = ({ sha, author, date, message, files }: Commit) => {
    const person = { name: author, email: `${author}@example.com`, username: author };
    return {
      id: sha,
      tree_id: sha,
      timestamp: date,
      distinct: true,
      message,
      url: `${repositoryUrls(context).html}/commit/${sha}`,
      author: person,
      committer: person,
      added: [],
      removed: [],
      modified: files.map(({ filename }) => filename),
    };
  };

  /** What an edit of a text says besides: the text from before its last edit. */
  const actionFacts = ({ edits, body }: Writing, action: TextAction): EventPayload =>
    action === "created" ? {} : { action, changes: { body: { from: edits.at(-1)?.previousBody ?? body } } };

  /** An event does not say whether the comment is hidden. */
  const sentComment = (comment: IssueComment) => {
    const { minimized: _, ...sent } = renderIssueComment(comment, context);
    return sent;
  };

  return {
    issueComment: (
      comment: IssueComment,
      { sender = comment.author, action = "created" as TextAction } = {},
    ) =>
      triggered(`issue_comment.${action}`, {
        sender,
        facts: {
          ...actionFacts(comment, action),
          issue: renderIssue(issueOf(comment.issueNumber), context),
          comment: sentComment(comment),
        },
      }),

    reviewComment: (
      comment: ReviewComment,
      { sender = comment.author, action = "created" as TextAction } = {},
    ) => {
      const pull = pullOf(comment.pullNumber, false);
      return triggered("pull_request_review_comment.created", {
        sender,
        facts: {
          ...actionFacts(comment, action),
          pull_request: pull,
          comment: renderReviewComment(comment, context),
        },
      });
    },

    review: (review: Review, { sender = review.author } = {}) => {
      const pull = pullOf(review.pullNumber, false);
      const reviewState = review.state.toLowerCase();
      return triggered("pull_request_review.submitted", {
        sender,
        facts: {
          pull_request: pull,
          review: { ...renderReview(review, context), state: reviewState, commit_id: NOTHING },
        },
      });
    },

    discussionComment: (
      comment: DiscussionComment,
      { sender = comment.author, action = "created" as TextAction } = {},
    ) => {
      const discussion = state.discussions.get(comment.discussionNumber);
      if (discussion === undefined)
        throw new Error(`The scene has no discussion ${comment.discussionNumber}`);
      const url = `${repositoryUrls(context).html}/discussions/${discussion.number}#discussioncomment-${comment.id}`;
      const { performed_via_github_app: _, url: __, ...writing } = renderWriting(comment, url, context);
      return triggered("discussion_comment.created", {
        sender,
        facts: {
          ...actionFacts(comment, action),
          discussion: discussionFacts(discussion),
          comment: {
            ...writing,
            node_id: `DC_${comment.id}`,
            html_url: url,
            parent_id: comment.replyTo ?? null,
            discussion_id: discussion.id,
          },
        },
      });
    },

    discussionOpened: (discussion: Discussion, { sender = discussion.author } = {}) =>
      triggered("discussion.created", { sender, facts: { discussion: discussionFacts(discussion) } }),

    discussionLabeled: (discussion: Discussion, { label, sender }: { label: string; sender: string }) =>
      triggered("discussion.labeled", {
        sender,
        facts: { discussion: discussionFacts(discussion), label: renderLabel(label, context) },
      }),

    issueOpened: (issue: Issue, { sender = issue.author } = {}) =>
      triggered("issues.opened", { sender, facts: { issue: renderIssue(issue, context) } }),

    issueLabeled: (issue: Issue, { label, sender }: { label: string; sender: string }) =>
      triggered("issues.labeled", {
        sender,
        facts: { issue: renderIssue(issue, context), label: renderLabel(label, context) },
      }),

    /** Closed, by merging it or without. */
    pullRequestMerged: (issue: Issue & { pull: PullFacts }, { sender = issue.author } = {}) =>
      triggered("pull_request.closed", {
        sender,
        facts: {
          number: issue.number,
          pull_request: {
            ...pullOf(issue.number, true),
            // The recorded event has none; a recorded sender has every field of an account.
            merged_by:
              issue.pull.mergedAt === undefined
                ? null
                : {
                    ...(loadEvent("pull_request.closed")["sender"] as object),
                    ...renderLogin(sender, context),
                  },
          },
        },
      }),

    push: (options: {
      before?: string;
      after: string;
      branch?: string;
      sender?: string;
      forced?: boolean;
    }) => {
      const { before = NOTHING, after, branch = state.defaultBranch, forced = false } = options;
      const base = before === NOTHING ? state.refs.get(`refs/heads/${state.defaultBranch}`) : before;
      const known = new Set(base === undefined ? [] : ancestry(base, state).map(({ sha }) => sha));
      const tip = state.commits.get(after);
      const commits = ancestry(after, state)
        .filter(({ sha }) => !known.has(sha))
        .toReversed();
      const { html } = repositoryUrls(context);
      return triggered("push", {
        sender: options.sender ?? tip?.author ?? state.owner,
        facts: {
          ref: `refs/heads/${branch}`,
          before,
          after,
          created: before === NOTHING,
          forced,
          compare: `${html}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
          head_commit: tip && pushedCommit(tip),
          commits: commits.map(pushedCommit),
        },
      });
    },

    releasePublished: (release: Release, { sender = release.author } = {}) =>
      triggered("release.published", { sender, facts: { release: renderRelease(release, context) } }),
  };
}
