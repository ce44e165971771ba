import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JobFailedError } from "../../src/base/errors.ts";
import { connectPlatform } from "../../src/commands/connect-platform.ts";
import { git } from "../server/agents/agent-platform.ts";
import { until } from "../server/test-platform.ts";
import { startGitRemote } from "../support/git-http.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingRun } from "../support/recording-run.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

test("documents of another repository get a pull request there, into its default branch", async () => {
  const repository = "octo-org/docs";
  await using remote = await startGitRemote({ repository });
  await using github = await startGitHubStandIn({ repository, remote });
  await using folder = await createTemporaryFolder();
  await remote.commit({ files: { "docs/index.md": "# Welcome\n" } });
  // A branch that has the same name as the request's, by chance.
  await remote.commit({ branch: "next", files: { "docs/next.md": "# Next\n" } });
  const workspace = join(folder.path, "docs");
  await git(folder.path, "clone", "--quiet", remote.authenticatedUrl, workspace);
  const token = github.runToken({ contents: "write", "pull-requests": "write" });
  remote.acceptToken(token);
  const { serverUrl, apiUrl } = github.run;
  const run = createRecordingRun({
    environment: { ...process.env, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: folder.path },
  });
  const agent = {
    command: "cp docs/index.md docs/new.md",
    github: { serverUrl, apiUrl, owner: "octo-org", repository: "widgets", token },
    request: { title: "Retries", base: "next", describe: () => "" },
  };
  const inputs = { baseUrl: "local", apiKey: undefined, docsDir: "docs" } as const;

  await using platform = await connectPlatform(inputs, run, { agent });
  const { id } = await platform.createAgentJob("p1", { prompt: "Work" });
  const job = await until(
    () => platform.getAgentJob("p1", id ?? ""),
    ({ status }) => status !== "active",
  );

  expect(job, JSON.stringify(run.log)).toMatchObject({
    status: "completed",
    source: { repository: `${serverUrl}/${repository}` },
    prLink: expect.stringMatching(/\/octo-org\/docs\/pull\/\d+$/),
  });
  expect(github.changes()).toMatchObject([{ operation: "pulls/create", body: { base: "main" } }]);
  expect(await remote.git("diff", "--name-only", "main", `docs-agent/${id}`)).toBe("docs/new.md");
});

test("files that cannot be removed at the end are a warning, and hide neither result nor error", async () => {
  await using folder = await createTemporaryFolder();
  const temporary = join(folder.path, "temporary");
  await mkdir(join(folder.path, "docs"));
  const environment = { ...process.env, GITHUB_WORKSPACE: folder.path, RUNNER_TEMP: temporary };
  const run = createRecordingRun({ environment });
  const inputs = { baseUrl: "local", apiKey: undefined, docsDir: "docs" } as const;
  const work = async () => {
    await mkdir(temporary);
    await using _platform = await connectPlatform(inputs, run);
    await rename(temporary, join(folder.path, "moved"));
    await writeFile(temporary, "Its folders are not found any more.");
    throw new JobFailedError("The job failed.");
  };

  await expect(work()).rejects.toThrow(JobFailedError);

  expect(run.log.lines.join()).toMatch(
    /warning: The embedded platform could not be removed completely: ENOTDIR/,
  );
});
