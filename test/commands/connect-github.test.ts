import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { connectGitHub } from "../../src/commands/connect-github.ts";
import { GitHubError } from "../../src/github/errors.ts";
import { permissions } from "../support/agent-scene.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingRun } from "../support/recording-run.ts";
import { createRunnerFolders, DEFAULT_RUN, runnerVariables } from "../support/runner-environment.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const nowMs = Date.UTC(2026, 0, 1);

/** The connection of a run that a comment started. */
async function setScene(signal = new AbortController().signal) {
  await using stack = new AsyncDisposableStack();
  const github = stack.use(await startGitHubStandIn({ clock: () => nowMs }));
  const folder = stack.use(await createTemporaryFolder());
  const workflowRun = {
    ...DEFAULT_RUN,
    ...github.run,
    ...github.say(github.addIssue({ author: "eve" }).number, "/docs go"),
  };
  const folders = createRunnerFolders(folder.path, workflowRun.event);
  const environment = runnerVariables(workflowRun, { folders, actionFolder: folder.path });
  const run = createRecordingRun({ environment, signal });
  const connection = connectGitHub(
    "agent",
    { githubToken: github.runToken(permissions), apiKey: "key" },
    run,
  );
  const owned = stack.move();
  return { github, connection, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test("without a token names permissions only if there is a thread", async () => {
  await using folder = await createTemporaryFolder();
  await using github = await startGitHubStandIn({ clock: () => nowMs });
  const hintOf = (event: Partial<typeof DEFAULT_RUN>) => {
    const workflowRun = { ...DEFAULT_RUN, ...github.run, ...event };
    const folders = createRunnerFolders(folder.path, workflowRun.event);
    const environment = runnerVariables(workflowRun, { folders, actionFolder: folder.path });
    try {
      connectGitHub("agent", { githubToken: undefined, apiKey: "key" }, createRecordingRun({ environment }));
    } catch (error) {
      return error instanceof GitHubError ? error.hint : error;
    }
    return undefined;
  };

  const advice = "Leave the input out: the default is the workflow's token.";
  expect(hintOf({})).toBe(advice);
  expect(hintOf(github.say(github.addIssue({ author: "eve" }).number, "/ask why"))).toBe(
    `${advice} The job's \`permissions:\` need \`issues: write\` and \`pull-requests: write\`.`,
  );
});

describe("the connection to GitHub", () => {
  test("lists a thread once, and takes it for ten seconds older than it is", async () => {
    await using scene = await setScene();
    const { api, listComments } = scene.connection;

    const { comments, at } = await listComments();

    expect(comments).toHaveLength(1);
    expect(api.serverNow() - Date.parse(at ?? "")).toBe(10_000);
    const sent = scene.github.requests.length;
    expect(sent).toBeGreaterThan(0);
    await listComments();
    expect(scene.github.requests).toHaveLength(sent);
  });

  test("has two tries for the last writes of a cancelled run", async () => {
    const reason = new InterruptedError("cancelled", "The workflow was cancelled.");
    await using scene = await setScene(AbortSignal.abort(reason));
    const { api, shutdownApi } = scene.connection;
    const fault = { kind: "answer", status: 502 } as const;
    scene.github.faults.add({ path: "/repos/", fault, times: Number.POSITIVE_INFINITY });
    const read = (from: typeof api) =>
      from.request({ doing: "read the repository" }, "GET /repos/{owner}/{repo}", {});

    await expect(read(api)).rejects.toBe(reason);
    expect(scene.github.requests).toHaveLength(0);
    await expect(read(shutdownApi)).rejects.toMatchObject({ code: "unavailable" });
    expect(scene.github.requests).toHaveLength(2);
  });
});
