import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { loadEvent, type RecordedEvent } from "./event.ts";
import { startGitHubStandIn } from "./github-stand-in.ts";

const recorded = readdirSync(fileURLToPath(new URL("../fixtures/events", import.meta.url))).map(
  (file) => file.replace(/\.json$/, "") as RecordedEvent,
);

const require = createRequire(import.meta.url);
const ajv = new Ajv({ strict: false });

beforeAll(() => {
  formats.default(ajv);
  const { definitions } = require("@octokit/webhooks-schemas") as { definitions: object };
  // Without the schema of any webhook, which refers to all the others and takes seconds to compile.
  ajv.addSchema({ definitions }, "webhooks");
});

/** What GitHub's schema of webhooks has against a payload. */
function problemsOf(eventName: string, payload: { action?: unknown }): string {
  const isDispatch = eventName === "repository_dispatch";
  const definition =
    payload.action === undefined || isDispatch ? `${eventName}$event` : `${eventName}$${payload.action}`;
  const validate = ajv.getSchema(`webhooks#/definitions/${definition}`);
  if (validate === undefined) throw new Error(`There is no schema ${definition}`);
  return validate(payload) ? "" : ajv.errorsText(validate.errors);
}

describe("recorded events", () => {
  // GitHub publishes no schema for scheduled runs: they are no webhooks.
  test.each(recorded.filter((name) => name !== "schedule"))("%s is as GitHub describes it", (name) => {
    expect(problemsOf(name.split(".")[0] ?? "", loadEvent(name))).toBe("");
  });

  test("change only where a test says so", () => {
    const event = loadEvent("issue_comment.created", { comment: { body: "/docs explain" } });
    const original = loadEvent("issue_comment.created");
    expect(event).toEqual({
      ...original,
      comment: { ...(original["comment"] as object), body: "/docs explain" },
    });
  });
});

describe("events of a scene", () => {
  test("are as GitHub describes them", async () => {
    await using github = await startGitHubStandIn();
    const { events } = github;
    const issue = github.addIssue({ author: "mona", body: "/docs all" });
    const pull = github.openPullRequest({ author: "mona", head: "change" });
    const discussion = github.addDiscussion({ author: "mona" });
    const number = pull.number;
    const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs" });
    const inReview = github.addReviewComment({ pull: number, author: "mona", body: "/docs" });
    const review = github.addReview({ pull: number, author: "mona", body: "/docs" });
    const reply = github.addDiscussionComment({
      discussion: discussion.number,
      author: "mona",
      body: "/ask",
    });
    const before = github.state.refs.get("refs/heads/main") ?? "";
    const after = github.mergePullRequest(pull);
    const release = github.addRelease({ tag: "v1.0.0" });
    const runs = [
      events.issueComment(comment),
      github.say(number, "/docs"),
      events.reviewComment(inReview),
      events.reviewComment(inReview, { action: "edited", sender: "hubot" }),
      events.issueComment(comment, { action: "edited", sender: "hubot" }),
      events.discussionComment(reply, { action: "edited", sender: "hubot" }),
      events.review(review),
      events.discussionComment(reply),
      events.discussionOpened(discussion),
      events.discussionLabeled(discussion, { label: "docs", sender: "mona" }),
      events.issueOpened(issue),
      events.issueLabeled(issue, { label: "docs", sender: "hubot" }),
      events.pullRequestMerged(pull),
      events.push({ before, after }),
      events.releasePublished(release),
    ];
    const problems = runs.map(({ eventName, event }) => `${eventName}: ${problemsOf(eventName, event)}`);
    expect(problems).toEqual(runs.map(({ eventName }) => `${eventName}: `));
  });
});
