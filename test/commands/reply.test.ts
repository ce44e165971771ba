import { describe, expect, test } from "vitest";
import { react, refuseChangedText } from "../../src/commands/reply.ts";
import { readEvent, type TextEvent } from "../../src/github/event.ts";
import { connectRun } from "../support/connect-github.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";
import { type GitHubStandIn, startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingRun } from "../support/recording-run.ts";

const permissions = { issues: "write", "pull-requests": "write", discussions: "write" } as const;
const asked = { author: "mona", body: "/docs explain\nretries" };

interface Text {
  readonly triggered: TriggeredRun;
  /** Its current state on GitHub. */
  readonly held: { body: string; readonly reactions: readonly { readonly content: string }[] };
  readonly remove: () => void;
}

const texts: Readonly<Record<TextEvent["text"]["kind"], (github: GitHubStandIn) => Text>> = {
  issue: (github) => {
    const held = github.addIssue(asked);
    return { triggered: github.events.issueOpened(held), held, remove: () => github.state.issues.clear() };
  },
  "issue-comment": (github) => {
    const held = github.addComment({ issue: github.addIssue({ author: "alice" }).number, ...asked });
    return { triggered: github.events.issueComment(held), held, remove: () => github.state.comments.clear() };
  },
  "review-comment": (github) => {
    const pull = github.openPullRequest({ author: "alice", head: "a" }).number;
    const held = github.addReviewComment({ pull, ...asked });
    const remove = () => github.state.reviewComments.clear();
    return { triggered: github.events.reviewComment(held), held, remove };
  },
  review: (github) => {
    const pull = github.openPullRequest({ author: "alice", head: "a" }).number;
    const held = github.addReview({ pull, ...asked });
    return { triggered: github.events.review(held), held, remove: () => github.state.reviews.clear() };
  },
  discussion: (github) => {
    const held = github.addDiscussion(asked);
    return {
      triggered: github.events.discussionOpened(held),
      held,
      remove: () => github.state.discussions.clear(),
    };
  },
  "discussion-comment": (github) => {
    const discussion = github.addDiscussion({ author: "alice" }).number;
    const held = github.addDiscussionComment({ discussion, ...asked });
    const remove = () => github.state.discussionComments.clear();
    return { triggered: github.events.discussionComment(held), held, remove };
  },
};

describe.each(Object.entries(texts))("the text of a triggering %s", (kind, write) => {
  async function setScene() {
    const github = await startGitHubStandIn();
    github.addPerson("mona", "write");
    const { triggered, held, remove } = write(github);
    const event = readEvent(triggered.eventName, triggered.event);
    if (event.type !== "text") throw new Error("Nothing was written.");
    expect(event.text.kind).toBe(kind);
    const api = connectRun(github, permissions, { attempts: 1 });
    return { github, event, api, held, remove, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
  }

  test("is compared with its current state", async () => {
    await using scene = await setScene();
    const compare = async () => (await refuseChangedText(scene))?.reason;

    expect(await compare()).toBeUndefined();
    scene.held.body = asked.body.replace("\n", "\r\n");
    expect(await compare()).toBeUndefined();
    scene.held.body = "/docs delete everything";
    expect(await compare()).toBe("text-edited");
    scene.remove();
    expect(await compare()).toBe("text-deleted");
  });

  test("gets a reaction in one request", async () => {
    await using scene = await setScene();

    await react(scene, createRecordingRun(), "THUMBS_UP");

    expect(scene.github.requests.map(({ operation }) => operation)).toStrictEqual(["graphql:addReaction"]);
    expect(scene.held.reactions).toMatchObject([{ content: "+1" }]);
  });
});
