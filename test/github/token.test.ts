import { describe, expect, test } from "vitest";
import { probeToken } from "../../src/commands/doctor.ts";
import { isSameAccount } from "../../src/github/event.ts";
import { readIdentity } from "../../src/github/gate.ts";
import { Actor } from "../../src/github/graphql-schemas.ts";
import { connectRun } from "../support/connect-github.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";

async function openScene() {
  const github = await startGitHubStandIn();
  const api = connectRun(github, { contents: "read" });
  return { github, api, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("readIdentity", () => {
  test("returns the token's account", async () => {
    await using scene = await openScene();

    expect(await readIdentity(scene.api)).toMatchObject({ login: "github-actions[bot]" });
  });

  test("assumes no account if GitHub does not name it", async () => {
    await using scene = await openScene();
    const body = '{"data":{"viewer":null}}';
    scene.github.faults.add({ path: "/graphql", fault: { kind: "answer", status: 200, body } });

    await expect(readIdentity(scene.api)).rejects.toMatchObject({ code: "unexpected-response" });
  });

  test("throws if GitHub refuses the request or fails", async () => {
    await using scene = await openScene();
    const fault = { kind: "answer", status: 403, body: '{"message":"Forbidden"}' } as const;
    scene.github.faults.add({ path: "/graphql", times: Number.POSITIVE_INFINITY, fault });

    await expect(readIdentity(scene.api)).rejects.toMatchObject({ name: "GitHubError" });
  });
});

test.each([
  [
    { __typename: "Bot", login: "github-actions" },
    { login: "github-actions[bot]", id: 0, isBot: true },
  ],
  [
    { __typename: "User", login: "mona", databaseId: 7 },
    { login: "mona", id: 7, isBot: false },
  ],
  [{ __typename: "Mannequin", login: "mona", databaseId: 7 }, undefined],
])("an account of GraphQL of %j is %j", (actor, account) => {
  expect(Actor.parse(actor)).toStrictEqual(account);
});

test.each([
  ["github-actions[bot]", { login: "github-actions[bot]", id: 1, isBot: true }, true],
  ["github-actions[bot]", { login: "github-actions", id: 1, isBot: true }, true],
  ["github-actions[bot]", { login: "github-actions", id: 1, isBot: false }, false],
  ["mona", { login: "Mona", id: 1, isBot: false }, true],
  ["mona", { login: "mona2", id: 1, isBot: false }, false],
  ["mona", undefined, false],
])("isSameAccount of %s and %j: %s", (login, account, expected) => {
  expect(isSameAccount(account, login)).toBe(expected);
});

function probe(github: GitHubStandIn, permissions: Permissions, timeoutMs = 30_000) {
  return probeToken(connectRun(github, permissions, { attempts: 1, timeoutMs }));
}

describe("probeToken", () => {
  test("reports what the token may not read", async () => {
    await using github = await startGitHubStandIn();

    expect(await probe(github, { contents: "read", issues: "read" })).toStrictEqual([
      { line: "contents: read", readable: true },
      { line: "issues: write", readable: true },
      { line: "pull-requests: write", readable: false },
    ]);
  });

  test("reports no missing permission in a repository without issues", async () => {
    await using github = await startGitHubStandIn();
    const body = '{"message":"Issues are disabled for this repo"}';
    github.faults.add({ path: "/issues", fault: { kind: "answer", status: 410, body } });

    const found = await probe(github, { contents: "read", issues: "write", "pull-requests": "write" });

    expect(found.every(({ readable }) => readable)).toBe(true);
  });

  test("fails without waiting if GitHub does not respond", async () => {
    await using github = await startGitHubStandIn();
    const held = Promise.withResolvers<void>();
    github.faults.add({ path: "/issues", fault: { kind: "hold", until: held.promise } });

    await expect(probe(github, { contents: "read", issues: "read" }, 100)).rejects.toMatchObject({
      code: "unreachable",
    });
    held.resolve();
  });
});
