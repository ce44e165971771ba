/** `command: agent` with `base-url: local`: the built action as a process, its own platform, a real git remote. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startGitRemote } from "../support/git-http.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { createActionJob } from "../support/run-action.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const caretaker = fileURLToPath(new URL("../../examples/agents/caretaker/main.mjs", import.meta.url));

const files = {
  "docs/index.md": "# Home\n\nRead [the setup](setup.md).\n",
  "docs/guides/setup.md": "# Setup\n",
};

async function createScene() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await startGitRemote());
  await remote.commit({ files });
  const github = stack.use(await startGitHubStandIn({ remote }));
  github.addPerson("mona", "write");
  const workspace = stack.use(await createTemporaryFolder());
  await run("git", ["clone", "--quiet", "--depth", "1", remote.authenticatedUrl, workspace.path]);
  const token = github.runToken({
    contents: "write",
    issues: "write",
    "pull-requests": "write",
    statuses: "write",
  });
  remote.acceptToken(token);
  const owned = stack.move();
  return {
    remote,
    github,
    workspace: workspace.path,
    token,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe("a comment that calls the agent of the embedded platform", () => {
  test("becomes a branch and a pull request on GitHub, by an agent that runs in the workflow", async () => {
    await using scene = await createScene();
    const { github, remote, token, workspace } = scene;
    const issue = github.addIssue({ author: "mona", title: "Links", body: "They are broken." });
    const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs fix the links" });
    await using job = await createActionJob({
      inputs: { command: "agent", "base-url": "local", "agent-command": `node ${caretaker}` },
      run: { ...github.run, token, ...github.events.issueComment(comment) },
      workspace,
    });

    const result = await job.main();

    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs).toMatchObject({
      outcome: "pull-request",
      "pull-request-url": expect.stringMatching(
        /^https:\/\/github\.localhost\/octo-org\/widgets\/pull\/\d+$/,
      ),
    });
    const branch = `docs-agent/${result.outputs["job-id"]}`;
    expect(await remote.git("diff", "-U0", "main", branch)).toContain("+Read [the setup](guides/setup.md).");
    expect(github.changes()).toContainEqual({
      operation: "pulls/create",
      body: expect.objectContaining({ title: "docs: fix the links", head: branch, base: "main" }),
    });
    expect(result.log).not.toContain(token);
  });

  test("without changes ends as a success without a pull request", async () => {
    await using scene = await createScene();
    const { github, remote, token, workspace } = scene;
    const issue = github.addIssue({ author: "mona", title: "Poem", body: "" });
    const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs write a poem" });
    await using job = await createActionJob({
      inputs: { command: "agent", "base-url": "local", "agent-command": `node ${caretaker}` },
      run: { ...github.run, token, ...github.events.issueComment(comment) },
      workspace,
    });

    const result = await job.main();

    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs["outcome"]).toBe("no-pull-request");
    expect(await remote.git("branch", "--list")).toBe("* main");
  });
});
