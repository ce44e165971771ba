/** A whole conversation on the local platform: the built action as a process, a real git remote, and an agent that is a script. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { agentOf, quoteCommand, startAgentPlatform } from "../server/agents/agent-platform.ts";
import { startGitRemote } from "../support/git-http.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { createActionJob } from "../support/run-action.ts";
import type { StepResult } from "../support/step-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);

/** Writes the request into a document; changes nothing for a question. */
const agent = agentOf(`
  const [request] = prompt.split("\\n");
  if (!request.includes("?")) fs.appendFileSync("docs/written.md", request + "\\n");
`);

const places = ["a server", "the runs themselves"] as const;

/** A repository whose issue 1 is talked on; the platform is a server of its own, or a part of each run. */
async function createConversation(place: (typeof places)[number] = "the runs themselves") {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await startGitRemote());
  await remote.commit({ files: { "docs/index.md": "# Home\n" } });
  const github = stack.use(await startGitHubStandIn({ remote }));
  github.addPerson("mona", "write");
  const issue = github.addIssue({ author: "mona", title: "Retries", body: "How often?" });
  const folder = stack.use(await createTemporaryFolder());
  const workspace = join(folder.path, "widgets");
  await run("git", ["clone", "--quiet", "--depth", "1", remote.authenticatedUrl, workspace]);
  const token = github.runToken({ contents: "write", issues: "write", "pull-requests": "write" });
  remote.acceptToken(token);

  const startServer = async () => {
    const [owner = "", repository = ""] = github.run.repository.split("/");
    const { serverUrl, apiUrl } = github.run;
    const connection = { serverUrl, apiUrl, owner, repository, gitUrl: remote.url, token };
    const settings = { repository: workspace, command: agent, github: connection };
    const server = stack.use(await startAgentPlatform(settings));
    return { "base-url": server.url, "api-key": server.adminKey, "project-id": "p1" };
  };
  const embedded = { "base-url": "local", "agent-command": quoteCommand(agent) };
  const inputs: Record<string, string> = place === "a server" ? await startServer() : embedded;
  let runId = 1;
  /** Comments on a thread, and runs the action for it. */
  const ask = async (thread: number, body: string): Promise<StepResult> => {
    runId += 1;
    await using job = await createActionJob({
      inputs: { command: "agent", ...inputs },
      run: { ...github.run, token, runId, ...github.say(thread, body) },
      environment: { DOCS_AGENT_ISOLATION: "none" },
      workspace,
    });
    return await job.main();
  };
  const owned = stack.move();
  return {
    remote,
    github,
    issue,
    ask,
    pulls: () =>
      [...github.state.issues.values()].flatMap((each) => (each.pull ? [{ ...each, pull: each.pull }] : [])),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const outcomeOf = ({ outputs, log }: StepResult) => outputs["outcome"] ?? log;

describe.concurrent("a conversation with an agent", () => {
  test.each(places)(
    "goes on in one job and one pull request, until that is merged; the platform is %s",
    async (place) => {
      await using scene = await createConversation(place);
      const { remote, github, issue } = scene;

      const first = await scene.ask(issue.number, "/docs explain retries");
      const [pull] = scene.pulls();
      if (pull === undefined) throw new Error(`No pull request was opened:\n${first.log}`);
      const branch = pull.pull.head;
      const headBefore = await remote.git("rev-parse", branch);
      const second = await scene.ask(issue.number, "/docs name the limits");
      const headAfter = await remote.git("rev-parse", branch);
      const third = await scene.ask(pull.number, "/docs and the units");
      const question = await scene.ask(issue.number, "/docs is it right?");

      expect([first, second, third, question].map(outcomeOf), question.log).toEqual([
        "pull-request",
        "updated",
        "updated",
        "unchanged",
      ]);
      expect(scene.pulls()).toHaveLength(1);
      expect(headAfter).not.toBe(headBefore);
      expect(await remote.git("rev-parse", `${headAfter}^`)).toBe(headBefore);
      expect(await remote.git("show", `${branch}:docs/written.md`)).toBe(
        "explain retries\nname the limits\nand the units",
      );
      for (const { outputs } of [second, third, question]) {
        expect(outputs["job-id"]).toBe(first.outputs["job-id"]);
        expect(outputs["pull-request-url"]).toBe(first.outputs["pull-request-url"]);
      }

      // Merged on GitHub: the base branch moves to the head.
      github.mergePullRequest(pull);
      scene.github.state.issues.set(pull.number, { ...pull, state: "closed" });
      await remote.git("update-ref", "refs/heads/main", branch);
      const after = await scene.ask(issue.number, "/docs and in French");

      expect(outcomeOf(after), after.log).toBe("pull-request");
      expect(after.outputs["job-id"]).not.toBe(first.outputs["job-id"]);
      const [, next, ...others] = scene.pulls();
      expect([next?.state, others]).toEqual(["open", []]);
      expect(await remote.git("show", `${next?.pull.head}:docs/written.md`)).toMatch(/and in French$/);
    },
  );
});
