/** `command: agent`: the built action as a process, against GitHub's stand-in and a scripted platform. */
import { describe, expect, test } from "vitest";
import { type AgentPlatform, firstJobId, startAgentPlatform } from "../support/agent-platform.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";
import { type ActionUse, createActionJob } from "../support/run-action.ts";

const apiKey = "svc_admin-key-of-this-test";
const permissions: Permissions = {
  contents: "read",
  issues: "write",
  "pull-requests": "write",
  statuses: "write",
  discussions: "write",
};

interface Scene {
  readonly github: GitHubStandIn;
  readonly platform: AgentPlatform;
}

/** Runs `command: agent` for an event of the scene. */
async function runAgent(
  { github, platform }: Scene,
  triggered: TriggeredRun,
  { inputs = {}, run = {} }: { inputs?: Record<string, string>; run?: ActionUse["run"] } = {},
) {
  await using job = await createActionJob({
    inputs: {
      command: "agent",
      "base-url": platform.url,
      "api-key": apiKey,
      "project-id": "prj_1",
      ...inputs,
    },
    run: { ...github.run, token: github.runToken(permissions), ...triggered, ...run },
  });
  return await job.main();
}

describe("a comment that calls the agent", () => {
  test("becomes a job and a pull request link on the thread", async () => {
    await using github = await startGitHubStandIn();
    github.addPerson("mona", "write");
    const issue = github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
    await using platform = await startAgentPlatform({
      looks: [
        { status: "active" },
        { status: "completed", prLink: "https://github.localhost/octo-org/widgets/pull/2" },
      ],
      onCreate: ({ prompt }) => {
        const reference = /Reference: (\S+)"/.exec(prompt)?.[1];
        github.openPullRequest({
          author: "docs-agent[bot]",
          head: "docs/retries",
          title: "Retries",
          body: `Reference: ${reference}`,
        });
      },
    });
    const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs explain retries" });

    const result = await runAgent({ github, platform }, github.events.issueComment(comment));

    expect(result.outputs, result.log).toMatchObject({
      outcome: "pull-request",
      "job-id": firstJobId,
      "pull-request-number": "2",
    });
    expect(platform.created).toHaveLength(1);
    console.log(
      result.log,
      result.summary,
      github.commentsOn(issue.number).at(-1)?.body,
      platform.created[0],
      github.commentsOn(2),
      github.requests.map((r) => `${r.method} ${r.path} ${r.operation} ${r.status}`),
    );
  });
});
