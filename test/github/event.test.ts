import examples from "@octokit/webhooks-examples" with { type: "json" };
import { describe, expect, test } from "vitest";
import { readEvent } from "../../src/github/event.ts";
import { loadEvent } from "../support/event.ts";

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
