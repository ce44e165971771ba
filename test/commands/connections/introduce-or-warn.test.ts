import { describe, expect, test } from "vitest";
import { introduceOrWarn } from "../../../src/commands/connections/introduce-or-warn.ts";
import { createRecordSigner } from "../../../src/github/record-signer.ts";
import { connectRun } from "../../support/connect-github.ts";
import { type Permissions, startGitHubStandIn } from "../../support/github-stand-in.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

/** A run whose job has these permissions, on a repository with one pull request of the agent. */
async function openScene(permissions: Permissions, signal = new AbortController().signal) {
  const github = await startGitHubStandIn();
  const log = createRecordingLog();
  const api = connectRun(github, permissions, { log, signal });
  const identity = { login: "github-actions[bot]", id: 1, isBot: true };
  const pull = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
  const introduction = {
    pull,
    origin: { project: "prj_1", jobId: "job-1" },
    source: undefined,
    triggerPhrase: "/docs",
  };
  const deps = { api, identity, signer: createRecordSigner("svc_key-one"), log, signal };
  return { github, log, introduction, deps, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("introducing a pull request of the agent", () => {
  test("says which job made it and how to reach the agent", async () => {
    await using scene = await openScene({ "pull-requests": "write" });

    await introduceOrWarn(scene.introduction, scene.deps);

    const [comment] = scene.github.commentsOn(scene.introduction.pull.number);
    expect(comment?.body).toMatch(/job-1.*\/docs/);
    expect(scene.log.lines).toStrictEqual([]);
  });

  test("is a warning that names the permission where the token may not comment", async () => {
    await using scene = await openScene({ "pull-requests": "read" });

    await introduceOrWarn(scene.introduction, scene.deps);

    expect(scene.log.lines.join("\n")).toMatch(/^warning: Pull request #\d+: .*: write/);
  });

  test("ends a run that was cancelled meanwhile", async () => {
    const cancelled = new Error("cancelled");
    await using scene = await openScene({ "pull-requests": "write" }, AbortSignal.abort(cancelled));

    await expect(introduceOrWarn(scene.introduction, scene.deps)).rejects.toBe(cancelled);
  });
});
