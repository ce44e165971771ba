import { describe, expect, test } from "vitest";
import { createGitHubApi, type GitHubApi } from "../../src/github/github-api.ts";
import { startHttpServer } from "../support/http-server.ts";
import { createRecordingLog } from "../support/recording-log.ts";

const purpose = { doing: "read the repository", permission: "contents: read" };
const ask = (api: GitHubApi) => api.call(purpose, (octokit, target) => octokit.rest.repos.get({ ...target }));

/** A GitHub that takes a request and never answers it, until it is let go. */
async function startSilentGitHub() {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const server = await startHttpServer(async () => {
    arrived.resolve();
    await held.promise;
    return Response.json({});
  });
  const controller = new AbortController();
  const connect = (patience: { timeoutMs: number; attempts: number }) =>
    createGitHubApi(
      {
        apiUrl: server.url,
        token: "ghs_token-of-this-test",
        userAgent: "docs-automation-action/test",
        repository: { id: "1", owner: "octo-org", name: "widgets" },
        patience,
      },
      { log: createRecordingLog(), signal: controller.signal, random: () => 0 },
    );
  return {
    connect,
    controller,
    arrived: arrived.promise,
    async [Symbol.asyncDispose]() {
      held.resolve();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("a request to a GitHub that does not answer", () => {
  test("ends with the signal's reason, not with GitHub's answer", async () => {
    await using github = await startSilentGitHub();
    const answer = ask(github.connect({ timeoutMs: 600_000, attempts: 1 }));
    await github.arrived;
    const reason = new Error("the workflow was cancelled");
    github.controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  test("ends as unreachable when its time is over", async () => {
    await using github = await startSilentGitHub();
    await expect(ask(github.connect({ timeoutMs: 50, attempts: 1 }))).rejects.toMatchObject({
      code: "unreachable",
    });
  });
});
