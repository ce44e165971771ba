import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import { InterruptedError } from "../../src/base/errors.ts";
import { notifyOfResult, react, refuseChangedText } from "../../src/commands/reply.ts";
import { permissionToWrite } from "../../src/github/comments.ts";
import { readEvent, type TextEvent } from "../../src/github/event.ts";
import { connectRun } from "../support/connect-github.ts";
import { createFakeClock } from "../support/fake-clock.ts";
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

  test("gets no reaction and no warning if it was deleted", async () => {
    await using scene = await setScene();
    const run = createRecordingRun();
    scene.remove();

    await react(scene, run, "THUMBS_UP");

    expect(run.log.lines).toStrictEqual([]);
  });

  test("gets no reaction with a token that may not react, and the warning names the missing line", async () => {
    await using scene = await setScene();
    const run = createRecordingRun();
    const api = connectRun(scene.github, {}, { attempts: 1 });

    await react({ ...scene, api }, run, "THUMBS_UP");

    const line = permissionToWrite(scene.event.thread.kind);
    expect(run.log.lines.join()).toMatch(/^warning: The run's token may not react to the text/);
    expect(run.log.lines.join()).toContain(`Add \`${line}\` to the job's \`permissions:\`.`);
  });
});

describe("a notice of the result", () => {
  const nowMs = Date.UTC(2026, 0, 1, 12);
  const claimedAt = (agoMs: number) => new Date(nowMs - agoMs).toISOString();
  const long = 10 * 60_000;

  async function setScene(signal = new AbortController().signal) {
    const github = await startGitHubStandIn({ clock: () => nowMs });
    const { number } = github.addIssue({ author: "mona" });
    const api = connectRun(github, permissions, { attempts: 1, signal });
    const run = createRecordingRun({ clock: createFakeClock(nowMs), signal });
    const notify = (change: Partial<ClaimRecord> = {}) => {
      const record: ClaimRecord = {
        ...{ command: "agent", target: "p", trigger: "a".repeat(64), owner: "1.1.x", leaseSeconds: 0 },
        ...{ state: "ended", outcome: "failed", requester: "mona", claimedAt: claimedAt(long), ...change },
      };
      const claim = { id: 1, record, url: "https://github.localhost/status", ageMs: 0 };
      return notifyOfResult(claim, { kind: "issue", number, nodeId: "" }, { api }, run);
    };
    const notices = () => github.commentsOn(number).map(({ body }) => body);
    return { github, run, notify, notices, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
  }

  test("mentions the requester once, ten minutes after the request", async () => {
    await using scene = await setScene();

    await scene.notify({ claimedAt: claimedAt(long - 1) });
    expect(scene.github.requests).toHaveLength(0);
    await scene.notify();
    await scene.notify({ startedAt: claimedAt(0) });

    expect(scene.notices()).toStrictEqual([expect.stringContaining("@mona")]);
  });

  test.each<Partial<ClaimRecord>>([{ requester: undefined }, { state: "released" }, { state: "unknown" }])(
    "is not written for %j",
    async (change) => {
      await using scene = await setScene();

      await scene.notify(change);

      expect(scene.notices()).toStrictEqual([]);
    },
  );

  test("is written once by two runs at the same time: the first one stays", async () => {
    await using scene = await setScene();

    await Promise.all([scene.notify(), scene.notify()]);

    expect(scene.notices()).toHaveLength(1);
    const methods = scene.github.requests.map(({ method }) => method);
    expect(methods.filter((method) => method === "DELETE")).toHaveLength(
      methods.filter((method) => method === "POST").length - 1,
    );
  });

  test("is only warned of if GitHub refuses it, unless the run was cancelled", async () => {
    const controller = new AbortController();
    const reason = new InterruptedError("cancelled", "The workflow was cancelled.");
    await using scene = await setScene(controller.signal);
    const fault = { kind: "answer", status: 403 } as const;
    scene.github.faults.add({ path: "/comments", fault, times: Number.POSITIVE_INFINITY });

    await scene.notify();
    expect(scene.run.log.lines.filter((line) => line.startsWith("warning: "))).toHaveLength(1);
    controller.abort(reason);
    await expect(scene.notify()).rejects.toBe(reason);
  });
});
