/** The branch that the agent of the embedded platform works on. */
import { expect, test } from "vitest";
import type { AgentRun } from "../../src/commands/agent-job.ts";
import { describeEmbeddedAgent, findBase } from "../../src/commands/embedded-agent.ts";
import { quotesDiffs } from "../../src/commands/prompt.ts";
import { connectRun } from "../support/connect-github.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";

const pullRequest = { type: "pull-request", base: { ref: "next" }, head: { ref: "retry" } };
const closed = { ...pullRequest, merged: true, isFork: true };

/** A run with an event. */
function runOf(
  event: object,
  eventName = "",
  ref = "",
  rollingBranch?: string,
  api?: AgentRun["github"]["api"],
) {
  return {
    rollingBranch,
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
  [
    "a rolling branch",
    runOf({ type: "other" }, "schedule", "refs/heads/main", "refs/heads/next"),
    { base: "next" },
  ],
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

const fixed = "Bring the documentation in line with what this thread is about.";
const thread = { title: "fix(api): retry @all", url: "https://github.localhost/octo-org/widgets/issues/3" };
const textEvent = { type: "text", thread, text: { url: `${thread.url}#issuecomment-1` } };
const pushed = {
  type: "push",
  head: { id: "c0ffee", message: "" },
  commits: ["feat: add retry\n\nBody", "Merge pull request #2 from a/b"].map((message) => ({ message })),
};

function describeTexts(event: object, instruction: string) {
  const serverUrl = new URL("https://github.localhost");
  const context = { serverUrl, apiUrl: "", repository: { owner: "octo-org", name: "widgets" }, runUrl: "" };
  const agent = {
    inputs: { agentCommand: "agent", githubToken: "token" },
    github: { context, event, signer: { reference: () => `docs-automation-${"0".repeat(24)}` } },
  };
  const request = { instruction, draft: { requester: "mona", trigger: "t" }, base: undefined };
  const described = describeEmbeddedAgent(
    request as unknown as Parameters<typeof describeEmbeddedAgent>[0],
    agent as unknown as AgentRun,
  )?.request;
  return `${described?.title}\n\n${described?.describe("aj_1", "Done, @mona.\nCloses #1")}`;
}

test("a user's request names its pull request and is quoted in it", () => {
  expect(describeTexts(textEvent, "explain retry\nand <!-- hide --> @all")).toMatchInlineSnapshot(`
    "explain retry

    > **mona:** explain retry
    > and &lt;!-- hide --&gt; @‌all

    [Request](https://github.localhost/octo-org/widgets/issues/3#issuecomment-1)

    The agent's last output:

    > Done, @‌mona.
    > Closes \\#‌1

    Agent job \`aj_1\` · Reference: docs-automation-000000000000000000000000
    "
  `);
});

test("without a user's request, the title of the thread or of the pushed commit names the pull request", () => {
  expect(describeTexts(textEvent, fixed)).toMatchInlineSnapshot(`
    "retry @all

    Documentation for [fix\\(api\\): retry @‌all](https://github.localhost/octo-org/widgets/issues/3#issuecomment-1).

    The agent's last output:

    > Done, @‌mona.
    > Closes \\#‌1

    Agent job \`aj_1\` · Reference: docs-automation-000000000000000000000000
    "
  `);
  expect(describeTexts(pushed, fixed)).toMatch(/^add retry\n\nDocumentation for \[feat: add retry\]\(/);
});

test("a very long first line of a commit leaves a description that GitHub accepts", () => {
  const head = { id: "c0ffee", message: "$".repeat(70_000) };

  const texts = describeTexts({ ...pushed, head, commits: [] }, fixed);

  expect(texts.split("\n\n").slice(1).join("\n\n").length).toBeLessThan(10_000);
});

test("`context: auto` quotes diffs for the embedded platform only", () => {
  const baseUrl = new URL("https://platform.example");
  expect(quotesDiffs({ context: "auto", baseUrl: "local" })).toBe(true);
  expect(quotesDiffs({ context: "auto", baseUrl })).toBe(false);
  expect(quotesDiffs({ context: "changes", baseUrl })).toBe(true);
  expect(quotesDiffs({ context: "thread", baseUrl: "local" })).toBe(false);
});
