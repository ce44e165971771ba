import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../../src/base/errors.ts";
import { createGitHubApi } from "../../../src/github/github-api.ts";
import { decoratePullRequest } from "../../../src/github/pull-requests/decorate-pull-request.ts";
import { readPullRequest } from "../../../src/github/pull-requests/pull-requests.ts";
import { type Permissions, startGitHubStandIn } from "../../support/github-stand-in.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const nothing = { labels: [], reviewers: [], draft: false };

async function openScene(permissions: Permissions) {
  const github = await startGitHubStandIn();
  const cancel = new AbortController();
  const log = createRecordingLog();
  const api = createGitHubApi(
    {
      apiUrl: github.run.apiUrl,
      token: github.runToken(permissions),
      userAgent: "test",
      repository: { owner: "octo-org", name: "widgets", id: "101" },
    },
    { log, signal: cancel.signal, random: () => 0.5 },
  );
  const { number } = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
  const pull = await readPullRequest({ owner: "octo-org", name: "widgets", number }, api);
  if (pull === undefined || pull === "hidden") throw new Error("The pull request is not there.");
  return { cancel, log, pull, api, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("labels and reviewers that GitHub refuses", () => {
  test("are a warning that names the permission", async () => {
    await using scene = await openScene({ "pull-requests": "read" });

    await decoratePullRequest(scene.pull, { ...nothing, labels: ["docs"] }, scene);

    expect(scene.log.lines).toStrictEqual([
      expect.stringMatching(/^warning: Pull request #\d+: .*label.*`pull-requests: write`/),
    ]);
  });

  test("do not hold up the end of a cancelled run", async () => {
    await using scene = await openScene({ "pull-requests": "write" });
    const cancelled = new InterruptedError("cancelled", "The workflow was cancelled.");
    scene.cancel.abort(cancelled);

    const decorated = decoratePullRequest(scene.pull, { ...nothing, labels: ["docs"], draft: true }, scene);

    await expect(decorated).rejects.toBe(cancelled);
    expect(scene.log.lines).toStrictEqual([]);
  });
});
