import { writeFileSync } from "node:fs";
import { join } from "node:path";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import { describe, expect, test } from "vitest";
import { readEvent, readRunContext } from "../../src/github/event.ts";
import { eventNameOf, loadEvent } from "../support/event.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

interface EventExamples {
  readonly name: string;
  readonly examples: readonly unknown[];
}

/** Recorded webhook payloads from GitHub. */
const recorded: readonly EventExamples[] = examples as unknown as readonly EventExamples[];

const readTypes: Readonly<Record<string, string>> = {
  issue_comment: "text",
  pull_request_review_comment: "text",
  pull_request_review: "text",
  discussion_comment: "text",
  issues: "text",
  discussion: "text",
  pull_request: "pull-request",
  push: "push",
  release: "release",
  workflow_dispatch: "other",
  repository_dispatch: "other",
  check_run: "other",
  fork: "other",
};

describe("readEvent", () => {
  test.each(Object.entries(readTypes))("reads every recorded payload of %s", (name, type) => {
    const payloads = recorded.find((event) => event.name === name)?.examples ?? [];

    expect(payloads.length).toBeGreaterThan(0);
    for (const payload of payloads) expect(readEvent(name, payload).type).toBe(type);
  });

  test("reads every field of a review comment", () => {
    const replying = { comment: { in_reply_to_id: 284_312_600, original_line: 7 } };
    const payload = loadEvent("pull_request_review_comment.created", replying);
    const author = { login: "Codertocat", id: 21_031_067, isBot: false };
    const comment = { id: 284_312_630, nodeId: "MDI0OlB1bGxSZXF1ZXN0UmV2aWV3Q29tbWVudDI4NDMxMjYzMA==" };
    const pull = "https://github.com/Codertocat/Hello-World/pull/2";

    expect(readEvent("pull_request_review_comment", payload)).toStrictEqual({
      type: "text",
      action: "created",
      sender: author,
      thread: {
        kind: "pull-request",
        number: 2,
        title: "Update the README with new information.",
        nodeId: "MDExOlB1bGxSZXF1ZXN0Mjc5MTQ3NDM3",
        author,
        body: "This is a pretty simple change that we need to pull into master.",
        url: pull,
        createdAt: "2019-05-15T15:20:33Z",
        triggerComment: { ...comment, topId: 284_312_600 },
      },
      text: {
        kind: "review-comment",
        ...comment,
        author,
        body: "Maybe you should use more emoji on this line.",
        url: `${pull}#discussion_r284312630`,
        createdAt: "2019-05-15T15:20:37Z",
        changedAt: "2019-05-15T15:20:38Z",
      },
      label: undefined,
      previousBody: undefined,
      location: { path: "README.md", line: 265, hunk: "@@ -1 +1 @@\n-# Hello-World" },
      reviewId: 237_895_671,
    });
  });

  test("reads the line that a review comment was written on, if later commits changed it", () => {
    const changed = { comment: { line: null, original_line: 7, pull_request_review_id: null } };
    const event = readEvent(
      "pull_request_review_comment",
      loadEvent("pull_request_review_comment.created", changed),
    );

    expect(event).toMatchObject({ location: { line: 7 } });
    expect(event).not.toHaveProperty("reviewId");
  });

  test.each([
    ["issue_comment.edited", { previousBody: "You are totally right! I'll get this fixed right away." }],
    ["issues.labeled", { text: { kind: "issue" }, label: "bug" }],
    ["discussion.labeled", { text: { kind: "discussion" }, thread: { kind: "discussion" }, label: "bug" }],
    [
      "pull_request_review.submitted",
      {
        thread: { kind: "pull-request" },
        text: { kind: "review", createdAt: "2019-05-15T15:20:38Z", changedAt: "2019-05-15T15:20:38Z" },
        reviewId: 237_895_671,
      },
    ],
    ["issue_comment.created", { text: { kind: "issue-comment" }, label: undefined, previousBody: undefined }],
    ["discussion_comment.created", { text: { kind: "discussion-comment" }, thread: { kind: "discussion" } }],
  ] as const)("reads what only some events have: %s", (name, fields) => {
    expect(readEvent(eventNameOf(name), loadEvent(name))).toMatchObject(fields);
  });

  test("reads every field of a pull request, a push and a release", () => {
    const pull = loadEvent("pull_request.closed", { pull_request: { merged: true } });
    const push = loadEvent("push", { deleted: true, forced: true, head_commit: { id: "another" } });
    const release = loadEvent("release.published", { release: { name: "First", body: "New.", draft: true } });

    expect(readEvent("pull_request", pull)).toMatchObject({
      thread: { kind: "pull-request", number: 2 },
      merged: true,
      base: { ref: "master", sha: "f95f852bd8fca8fcc58a9a2d6c842781e32a215e" },
      head: { ref: "changes", sha: "ec26c3e57ca3a959ca5aad62de7213c562f8c821" },
      mergeSha: "c4295bd74fb0f4fda03689c3df3f2803b658fd85",
    });
    const unmerged = loadEvent("pull_request.closed", { pull_request: { merge_commit_sha: null } });
    expect(readEvent("pull_request_target", unmerged)).toMatchObject({ merged: false, mergeSha: undefined });
    const id = "6113728f27ae82c7b1a177c8d03f9e96e0adf246";
    expect(readEvent("push", push)).toMatchObject({
      ref: "refs/heads/master",
      before: "0".repeat(40),
      after: id,
      head: { id, message: "" },
      deleted: true,
      forced: true,
      commits: [{ id, message: "Initial commit" }],
      defaultBranch: "master",
    });
    expect(readEvent("release", release)).toMatchObject({
      tag: "0.0.1",
      name: "First",
      body: "New.",
      url: "https://github.com/Codertocat/Hello-World/releases/tag/0.0.1",
      isDraft: true,
      author: { login: "Codertocat" },
    });
  });

  test.each([
    ["docs-app[bot]", "User", true],
    ["docs-app", "Bot", true],
    ["docs-app", "User", false],
  ])("knows whether %s (%s) is a bot", (login, type, isBot) => {
    const event = readEvent("push", loadEvent("push", { sender: { login, type } }));

    expect(event.sender).toMatchObject({ login, isBot });
  });

  test("distinguishes comments on pull requests and issues", () => {
    const onIssue = loadEvent("issue_comment.created");
    const onPull = loadEvent("issue_comment.created", {
      issue: { pull_request: { url: "https://api.example/1" } },
    });

    expect(readEvent("issue_comment", onIssue)).toMatchObject({ thread: { kind: "issue" } });
    expect(readEvent("issue_comment", onPull)).toMatchObject({ thread: { kind: "pull-request" } });
  });

  test("reads when an edited text was changed last", () => {
    const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-02T00:00:00Z" };
    const edited = loadEvent("issue_comment.created", { comment: times });

    expect(readEvent("issue_comment", edited)).toMatchObject({
      text: { createdAt: times.created_at, changedAt: times.updated_at },
    });
  });

  test("does not map an imported author to an account with the same login", () => {
    const imported = loadEvent("issue_comment.created", { comment: { user: { type: "Mannequin" } } });

    expect(readEvent("issue_comment", loadEvent("issue_comment.created"))).toHaveProperty(
      "text.author.login",
    );
    expect(readEvent("issue_comment", imported)).toHaveProperty("text.author", undefined);
  });

  test("reads the thread of a discussion comment", () => {
    const comment = { id: 550_062, nodeId: "MDE3OkRpc2N1c3Npb25Db21tZW50NTUwMDYy" };
    const top = loadEvent("discussion_comment.created");
    const reply = loadEvent("discussion_comment.created", { comment: { parent_id: 550_001 } });

    expect(readEvent("discussion_comment", top)).toMatchObject({
      thread: { triggerComment: { ...comment, topId: 550_062 } },
    });
    expect(readEvent("discussion_comment", reply)).toMatchObject({
      thread: { triggerComment: { ...comment, topId: 550_001 } },
    });
    expect(readEvent("discussion", loadEvent("discussion.created"))).not.toHaveProperty(
      "thread.triggerComment",
    );
  });

  test("distinguishes two releases with the same tag", () => {
    const [first, second] = ["RE_1", "RE_2"].map((node_id) =>
      readEvent("release", loadEvent("release.published", { release: { node_id } })),
    );

    expect(first).toMatchObject({ nodeId: "RE_1" });
    expect(second).toEqual({ ...first, nodeId: "RE_2" });
  });

  test("has no author if the account was deleted", () => {
    const event = readEvent("issue_comment", loadEvent("issue_comment.created", { comment: { user: null } }));

    expect(event.type === "text" && event.text.author).toBeUndefined();
  });

  test.each([
    ["the repository", {}, false],
    ["a fork", { pull_request: { head: { repo: { id: 1 } } } }, true],
    ["a deleted fork", { pull_request: { head: { repo: null } } }, true],
  ])("knows where a pull request of %s comes from", (_from, changes, isFork) => {
    const event = readEvent("pull_request", loadEvent("pull_request.closed", changes));

    expect(event).toMatchObject({ type: "pull-request", isFork });
  });

  test("resolves an annotated tag to its commit", () => {
    const commit = { id: "c".repeat(40), message: "Release 2" };
    const payload = { ref: "refs/tags/v2", after: "a".repeat(40), head_commit: commit };

    expect(readEvent("push", loadEvent("push", payload))).toMatchObject({
      after: "a".repeat(40),
      head: commit,
    });
  });

  test("names the invalid field of a payload", () => {
    expect(() => readEvent("issue_comment", { action: "created" })).toThrow(/`comment` is missing/);
    expect(() => readEvent("push", loadEvent("push", { commits: [null] }))).toThrow(/`commit` is missing/);
  });
});

describe("readRunContext", () => {
  const environment = { GITHUB_REPOSITORY: "acme/docs", GITHUB_RUN_ID: "7", GITHUB_EVENT_NAME: "push" };

  test("reads a run on another server", () => {
    const context = readRunContext({
      ...environment,
      GITHUB_REPOSITORY_ID: "99",
      GITHUB_RUN_ATTEMPT: "3",
      GITHUB_SHA: "abc",
      GITHUB_ACTOR: "mona",
      GITHUB_TRIGGERING_ACTOR: "hubot",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_API_URL: "https://github.example/api/v3",
    });

    expect(context).toStrictEqual({
      repository: { owner: "acme", name: "docs", id: "99" },
      eventName: "push",
      payload: {},
      sha: "abc",
      runId: "7",
      runAttempt: 3,
      actor: "mona",
      triggeringActor: "hubot",
      serverUrl: new URL("https://github.example"),
      apiUrl: "https://github.example/api/v3",
      runUrl: "https://github.example/acme/docs/actions/runs/7/attempts/3",
    });
  });

  test("has a value for everything that a runner may not set", () => {
    expect(readRunContext({ ...environment, GITHUB_ACTOR: "mona" })).toMatchObject({
      repository: { id: "acme/docs" },
      sha: "",
      runAttempt: 1,
      actor: "mona",
      triggeringActor: "mona",
      apiUrl: "https://api.github.com",
      runUrl: "https://github.com/acme/docs/actions/runs/7/attempts/1",
    });
    expect(readRunContext(environment)).toMatchObject({ actor: "", triggeringActor: "" });
  });

  test.each(Object.keys(environment))("names %s if it is not set", (name) => {
    expect(() => readRunContext({ ...environment, [name]: "" })).toThrow(`${name} is not set`);
  });

  test("reads the payload, and says what is wrong with it", async () => {
    await using folder = await createTemporaryFolder();
    const GITHUB_EVENT_PATH = join(folder.path, "event.json");
    const read = () => readRunContext({ ...environment, GITHUB_EVENT_PATH }).payload;

    expect(read).toThrow(/GITHUB_EVENT_PATH cannot be read: .*ENOENT/);
    writeFileSync(GITHUB_EVENT_PATH, "no JSON");
    expect(read).toThrow("it is not JSON");
    writeFileSync(GITHUB_EVENT_PATH, '{"action":"opened"}');
    expect(read()).toStrictEqual({ action: "opened" });
  });
});
