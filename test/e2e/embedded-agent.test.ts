/** `command: agent` with `base-url: local`: the built action as a process, its own platform, a real git remote. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { isolationModes, requireIsolation } from "../server/agents/isolation-modes.ts";
import { startGitRemote } from "../support/git-http.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { type ActionUse, createActionJob } from "../support/run-action.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const caretaker = fileURLToPath(new URL("../../examples/agents/caretaker/main.mjs", import.meta.url));

const spy = fileURLToPath(new URL("../server/agents/spy.ts", import.meta.url));

const files = {
  "docs/index.md": "# Home\n\nRead [the setup](setup.md).\n",
  "docs/guides/setup.md": "# Setup\n",
};

/** A repository on whose issue 1 `mona` asks, and the jobs that the comment starts. */
async function createScene() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await startGitRemote());
  await remote.commit({ files });
  const github = stack.use(await startGitHubStandIn({ remote }));
  github.addPerson("mona", "write");
  const workspace = stack.use(await createTemporaryFolder()).path;
  await run("git", ["clone", "--quiet", "--depth", "1", remote.authenticatedUrl, workspace]);
  const token = github.runToken({
    contents: "write",
    issues: "write",
    "pull-requests": "write",
    statuses: "write",
  });
  remote.acceptToken(token);
  const { number: issue } = github.addIssue({ author: "mona", title: "Links", body: "They are broken." });
  const triggered = github.say(issue, "/docs fix the links");
  const owned = stack.move();
  return {
    remote,
    github,
    token,
    createJob: (
      agentCommand: string,
      { run, environment = {} }: Pick<ActionUse, "run" | "environment"> = {},
    ) =>
      createActionJob({
        inputs: { command: "agent", "base-url": "local", "agent-command": agentCommand },
        run: { ...github.run, token, ...triggered, ...run },
        workspace,
        environment,
      }),
    status: () => github.commentsOn(issue).at(-1)?.body,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe("a comment that calls the agent of the embedded platform", () => {
  test("becomes a branch and a pull request on GitHub, by an agent that runs in the workflow", async () => {
    await using scene = await createScene();
    const { github, remote } = scene;
    await using job = await scene.createJob(`node ${caretaker}`);

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
    expect(result.log).not.toContain(scene.token);
  });

  test.runIf(process.platform === "linux").for(isolationModes)(
    "starts a command that finds no secret of the step in any process, with isolation: %s",
    async (isolation, context) => {
      await requireIsolation(isolation, context);
      await using scene = await createScene();
      const secrets = {
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: "oidc-7d21-token",
        DOCS_PLATFORM_MODEL_KEY: "sk-0a33-key",
      };
      const spied = { secrets: { ...secrets, token: scene.token }, folders: [] };
      const task = Buffer.from(JSON.stringify(spied)).toString("base64");
      const environment = { DOCS_AGENT_ISOLATION: isolation, ...secrets };
      await using job = await scene.createJob(`node ${spy} ${task}`, { environment });

      const result = await job.main();

      expect(result.exitCode, result.log).toBe(0);
      const branch = `docs-agent/${result.outputs["job-id"]}`;
      const found = (await scene.remote.git("show", `${branch}:docs/found.md`)).split("\n");
      // Without isolation, the memory of a process of the same user may be readable.
      const readable = isolation === "none" ? /^(?:memory: .+)?$/ : /^$/;
      expect(found.filter((line) => !readable.test(line))).toEqual([]);
    },
  );

  // The runner empties its folder after each job; nothing empties the system's on a self-hosted runner.
  test("puts all its files into the runner's temporary folder", async () => {
    await using scene = await createScene();
    const environment = { TMPDIR: "/nonexistent" };
    await using job = await scene.createJob("sh -c 'pwd > docs/new.md'", { environment });

    const { outputs, log } = await job.main();

    expect(outputs["outcome"], log).toBe("pull-request");
    const branch = `docs-agent/${outputs["job-id"]}`;
    expect(await scene.remote.git("show", `${branch}:docs/new.md`)).toContain(job.folders.temp);
  });

  test("starts no program of the working directory on Windows", async () => {
    await using scene = await createScene();
    await using job = await scene.createJob("env");

    const { outputs, log } = await job.main();

    expect(outputs["outcome"], log).toBe("no-pull-request");
    expect(log).toContain("NoDefaultCurrentDirectoryInExePath=1");
  });

  test("shows in the log what the agent printed, and on the thread why it changed nothing", async () => {
    await using scene = await createScene();
    const text =
      "Read 2 pages.\\n::error::no\\n\\n\\033[32mNothing to do:\\033[0m the links\\nlead to @octocat.";
    await using job = await scene.createJob(`printf '${text}'`);

    const { outputs, log } = await job.main();

    expect(outputs["outcome"], log).toBe("no-pull-request");
    expect(log).toContain(
      "##[group]The agent's output\nRead 2 pages.\n:\u200b:error::no\n\nNothing to do: the links\nlead to @octocat.\n##[endgroup]",
    );
    expect(scene.status()).toMatch(
      /^The agent's last output: Nothing to do: the links lead to @\u200coctocat\.$/m,
    );
  });

  test("says, when the run is cancelled, that its job ended with the run", async () => {
    await using scene = await createScene();
    await using job = await scene.createJob("sleep 60");
    const step = await job.startMain();
    await step.waitForLog(/aj_\w+: active/);

    const cancelled = await step.cancel();
    const shown = scene.status();
    await using again = await scene.createJob("sleep 60", { run: { runAttempt: 2 } });
    const rerun = await again.main();

    expect(cancelled.outputs).toMatchObject({ outcome: "cancelled" });
    expect(shown).toContain("Docs agent: stopped");
    expect(rerun.outputs, rerun.log).toMatchObject({ outcome: "failed", "error-code": "job-failed" });
    expect(scene.status()).toContain("ended with the run that started it");
  });
});
