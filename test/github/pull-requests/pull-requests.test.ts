import { describe, expect, test } from "vitest";
import { createGitHubApi } from "../../../src/github/github-api.ts";
import { readIdentity } from "../../../src/github/people/identity.ts";
import {
  createReferenceFinder,
  findByReference,
} from "../../../src/github/pull-requests/find-by-reference.ts";
import { countOpenOwn, introducePullRequest } from "../../../src/github/pull-requests/pull-requests.ts";
import { createRecordSigner } from "../../../src/github/record-signer.ts";
import { startGitHubStandIn } from "../../support/github-stand-in.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const wanted = "docs-automation-0123456789abcdef01234567";
const since = "2020-01-01T00:00:00.000Z";

async function openScene() {
  const github = await startGitHubStandIn();
  const api = createGitHubApi(
    {
      apiUrl: github.run.apiUrl,
      token: github.runToken({ "pull-requests": "write", contents: "read" }),
      userAgent: "test",
      repository: { owner: "octo-org", name: "widgets", id: "101" },
    },
    { log: createRecordingLog(), signal: new AbortController().signal, random: () => 0.5 },
  );
  const deps = { api, identity: await readIdentity(api), signer: createRecordSigner("svc_key-one") };
  return { github, api, deps, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("findByReference", () => {
  test("finds the pull request whose description holds the reference", async () => {
    await using scene = await openScene();
    const body = `Retries.\n\nReference: ${wanted}`;
    const pull = scene.github.openPullRequest({ author: "agent[bot]", head: "docs/retries", body });

    expect(await findByReference({ wanted, since }, scene.api)).toMatchObject({ number: pull.number });
  });

  test("finds it also where the clock of the runner that asked for it is hours ahead", async () => {
    await using scene = await openScene();
    const body = `Reference: ${wanted}`;
    const pull = scene.github.openPullRequest({ author: "agent[bot]", head: "docs/retries", body });
    const inSixHours = new Date(Date.now() + 6 * 60 * 60_000).toISOString();

    expect(await findByReference({ wanted, since: inSixHours }, scene.api)).toMatchObject({
      number: pull.number,
    });
  });

  test("does not take a fork's pull request, whatever it says", async () => {
    await using scene = await openScene();
    scene.github.openPullRequest({
      author: "mallory",
      head: "docs/retries",
      headRepository: "mallory/widgets",
      body: `Reference: ${wanted}`,
    });

    expect(await findByReference({ wanted, since }, scene.api)).toBeUndefined();
  });
});

describe("many searches for references", () => {
  test("list the repository's pull requests once", async () => {
    await using scene = await openScene();
    const { number } = scene.github.openPullRequest({ author: "agent[bot]", head: "docs/a", body: wanted });
    for (let count = 0; count < 120; count += 1) scene.github.openPullRequest({ author: "mona", head: "x" });
    const find = createReferenceFinder(scene.api);
    const from = scene.github.requests.length;

    const found = [
      await find({ wanted: "docs-automation-none", since }),
      await find({ wanted, since }),
      await find({ wanted, since: "2999-01-01T00:00:00Z" }),
    ];

    expect(found).toMatchObject([undefined, { number }, undefined]);
    expect(scene.github.requests.length - from).toBe(2);
  });

  test("do not take a page that could not be read for the end of the list", async () => {
    await using scene = await openScene();
    const { number } = scene.github.openPullRequest({ author: "agent[bot]", head: "docs/a", body: wanted });
    scene.github.faults.add({ path: "/pulls", fault: { kind: "answer", status: 403, body: "{}" } });
    const find = createReferenceFinder(scene.api);

    await expect(find({ wanted, since })).rejects.toMatchObject({ code: "missing-permission" });
    expect(await find({ wanted, since })).toMatchObject({ number });
  });
});

test("A pull request is introduced once by two runs at the same time", async () => {
  await using scene = await openScene();
  const { number } = scene.github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
  const introduction = { number, text: "Made by a job.", origin: { project: "prj_1", jobId: "job-1" } };

  await Promise.all([
    introducePullRequest(introduction, scene.deps),
    introducePullRequest(introduction, scene.deps),
  ]);

  expect(scene.github.commentsOn(number)).toHaveLength(1);
});

describe("a pull request with a reference", () => {
  test.each([
    `Reference: ${wanted}`,
    `Retries.\r\n\r\nReference: ${wanted}\r\n`,
    `- **Reference:** \`${wanted}\``,
    `<!-- Reference: ${wanted} -->`,
  ])("is the agent's where the reference stands as the prompt asks: %j", async (body) => {
    await using scene = await openScene();
    scene.github.openPullRequest({ author: "mona", head: "docs/retries", body });

    expect(await countOpenOwn(1, scene.deps)).toBe(1);
  });

  test.each([`This follows up on ${wanted}.`, `> Reference: ${wanted}\n\nWhat is this?`])(
    "is somebody else's where it only mentions or quotes it: %j",
    async (body) => {
      await using scene = await openScene();
      scene.github.openPullRequest({ author: "mona", head: "docs/retries", body });

      expect(await countOpenOwn(1, scene.deps)).toBe(0);
    },
  );
});
