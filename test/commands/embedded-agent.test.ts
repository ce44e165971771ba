/** The branch that the agent of the embedded platform works on. */
import { expect, test } from "vitest";
import type { AgentRun } from "../../src/commands/agent-run.ts";
import { findBase } from "../../src/commands/embedded-agent.ts";
import { quotesDiffs } from "../../src/commands/prompt.ts";
import { connectRun } from "../support/connect-github.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";

const pullRequest = { type: "pull-request", base: { ref: "next" }, head: { ref: "retry" } };
const closed = { ...pullRequest, merged: true, isFork: true };

/** A run with an event; `mode` is `pull-request-mode`. */
function runOf(
  event: object,
  eventName = "",
  ref = "",
  mode = "per-request",
  api?: AgentRun["github"]["api"],
) {
  return {
    inputs: { pullRequestMode: mode },
    run: { environment: { GITHUB_REF: ref } },
    github: { event, context: { eventName }, api },
  } as unknown as AgentRun;
}

const note = expect.stringContaining("from a fork");

test.each([
  ["a pushed branch", runOf({ type: "push" }, "push", "refs/heads/v1/next"), { base: "v1/next" }],
  ["a pushed tag", runOf({ type: "push" }, "push", "refs/tags/v1"), {}],
  ["a dispatch", runOf({ type: "other" }, "workflow_dispatch", "refs/heads/next"), { base: "next" }],
  ["a schedule", runOf({ type: "other" }, "schedule", "refs/heads/main"), {}],
  ["a merge", runOf(closed, "pull_request", "refs/heads/main"), { base: "next" }],
  ["an open pull request", runOf({ ...pullRequest, merged: false, isFork: false }), { base: "retry" }],
  ["an open pull request of a fork", runOf({ ...pullRequest, merged: false, isFork: true }), { note }],
  ["a rolling branch", runOf({ type: "other" }, "schedule", "refs/heads/next", "rolling"), { base: "next" }],
  ["an issue", runOf({ type: "text", thread: { kind: "issue" } }, "issue_comment", "refs/heads/main"), {}],
])("the base of %s", async (_, agent, expected) => {
  expect(await findBase(agent)).toEqual(expected);
});

test("the base of a comment on a pull request depends on its state", async () => {
  await using github = await startGitHubStandIn();
  const api = connectRun(github, { "pull-requests": "read", contents: "read" });
  github.addCommit({ branch: "next", author: "mona", files: ["a.md"], message: "Next" });
  const open = (head: string, headRepository?: string) =>
    github.openPullRequest({
      author: "mona",
      head,
      base: "next",
      ...(headRepository === undefined ? {} : { headRepository }),
    });
  const [opened, merged, closed, fork] = [
    open("one"),
    open("two"),
    open("three"),
    open("four", "eve/widgets"),
  ];
  github.mergePullRequest(merged);
  github.closeThread(closed);

  const bases = await Promise.all(
    [opened, merged, closed, fork].map(({ number }) =>
      findBase(
        runOf({ type: "text", thread: { kind: "pull-request", number } }, "issue_comment", "", "", api),
      ),
    ),
  );

  expect(bases).toEqual([{ base: "one" }, { base: "next" }, {}, { note }]);
});

test("`context: auto` quotes diffs for the embedded platform only", () => {
  const baseUrl = new URL("https://platform.example");
  expect(quotesDiffs({ context: "auto", baseUrl: "local" })).toBe(true);
  expect(quotesDiffs({ context: "auto", baseUrl })).toBe(false);
  expect(quotesDiffs({ context: "changes", baseUrl })).toBe(true);
  expect(quotesDiffs({ context: "thread", baseUrl: "local" })).toBe(false);
});
