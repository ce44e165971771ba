import { describe, expect, test } from "vitest";
import { createGitHubApi } from "../../src/github/github-api.ts";
import { readIdentity } from "../../src/github/identity.ts";
import { countOpenOwn, findByReference } from "../../src/github/pull-requests.ts";
import { createSeal } from "../../src/github/seal.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingLog } from "../support/recording-log.ts";

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
  const deps = { api, identity: await readIdentity(api), seal: createSeal("svc_key-one") };
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
