import { describe, expect, test } from "vitest";
import { createGitHubApi } from "../../src/github/github-api.ts";
import { probeToken } from "../../src/github/probe-token.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingLog } from "../support/recording-log.ts";

function probe(github: GitHubStandIn, permissions: Permissions, timeoutMs = 30_000) {
  const api = createGitHubApi(
    {
      apiUrl: github.run.apiUrl,
      token: github.runToken(permissions),
      userAgent: "test",
      repository: { owner: "octo-org", name: "widgets", id: "101" },
      patience: { timeoutMs, attempts: 1 },
    },
    { log: createRecordingLog(), signal: new AbortController().signal, random: () => 0.5 },
  );
  return probeToken(api);
}

describe("the probe of a token", () => {
  test("names what the token may not read", async () => {
    await using github = await startGitHubStandIn();

    expect(await probe(github, { contents: "read", issues: "read" })).toStrictEqual([
      { line: "contents: read", readable: true },
      { line: "issues: write", readable: true },
      { line: "pull-requests: write", readable: false },
    ]);
  });

  test("fails where GitHub says nothing, and does not wait for it", async () => {
    await using github = await startGitHubStandIn();
    const held = Promise.withResolvers<void>();
    github.faults.add({ path: "/issues", fault: { kind: "hold", until: held.promise } });

    await expect(probe(github, { contents: "read", issues: "read" }, 100)).rejects.toMatchObject({
      code: "unreachable",
    });
    held.resolve();
  });
});
