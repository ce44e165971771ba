import { describe, expect, test } from "vitest";
import { createGitHubApi } from "../../../src/github/github-api.ts";
import { isSameAccount, readIdentity } from "../../../src/github/people/identity.ts";
import { startGitHubStandIn } from "../../support/github-stand-in.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

async function openScene() {
  const github = await startGitHubStandIn();
  const api = createGitHubApi(
    {
      apiUrl: github.run.apiUrl,
      token: github.runToken({ contents: "read" }),
      userAgent: "test",
      repository: { owner: "octo-org", name: "widgets", id: "101" },
    },
    { log: createRecordingLog(), signal: new AbortController().signal, random: () => 0 },
  );
  return { github, api, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("readIdentity", () => {
  test("is the account that GitHub names", async () => {
    await using scene = await openScene();

    expect(await readIdentity(scene.api)).toMatchObject({ login: "github-actions[bot]", isBot: true });
  });

  test("is the workflow's account where the server offers no GraphQL", async () => {
    await using scene = await openScene();
    const fault = { kind: "answer", status: 404, body: '{"message":"Not Found"}' } as const;
    scene.github.faults.add({ path: "/graphql", fault });

    expect(await readIdentity(scene.api)).toMatchObject({ login: "github-actions[bot]", isBot: true });
  });

  test("is not guessed where GitHub refuses or fails", async () => {
    await using scene = await openScene();
    const fault = { kind: "answer", status: 403, body: '{"message":"Forbidden"}' } as const;
    scene.github.faults.add({ path: "/graphql", times: Number.POSITIVE_INFINITY, fault });

    await expect(readIdentity(scene.api)).rejects.toMatchObject({ name: "GitHubError" });
  });
});

describe("isSameAccount", () => {
  test.each([
    ["github-actions[bot]", { login: "github-actions[bot]", id: 1, isBot: true }, true],
    ["github-actions[bot]", { login: "github-actions", id: 1, isBot: true }, true],
    ["github-actions[bot]", { login: "github-actions", id: 1, isBot: false }, false],
    ["mona", { login: "Mona", id: 1, isBot: false }, true],
    ["mona", { login: "mona2", id: 1, isBot: false }, false],
    ["mona", undefined, false],
  ])("of %s and %j: %s", (login, account, expected) => {
    expect(isSameAccount(account, login)).toBe(expected);
  });
});
