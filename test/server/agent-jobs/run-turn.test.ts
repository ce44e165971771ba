import { join } from "node:path";
import { expect, test } from "vitest";
import type { AgentJobRecord } from "../../../src/server/agent-jobs/agent-job-record.ts";
import { openAgentRepository } from "../../../src/server/agent-jobs/agent-repository.ts";
import { createGit } from "../../../src/server/agent-jobs/git.ts";
import type { PublishedChange, PullRequestHost } from "../../../src/server/agent-jobs/pull-request-host.ts";
import { runTurn } from "../../../src/server/agent-jobs/run-turn.ts";
import { readServedRepository } from "../../../src/server/agent-jobs/served-repository.ts";
import { agentOf, createRepository, git } from "./agent-platform.ts";

const job: AgentJobRecord = {
  id: "aj_1",
  projectId: "p1",
  status: "active",
  turns: [{ prompt: "Work", requestedAt: "2026-01-01T00:00:00Z", state: "waiting" }],
  repository: "/local/project",
  branch: "docs-agent/aj_1",
  model: "test",
  pullRequest: null,
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  archivedAt: null,
};

test("a turn that was interrupted between commit and publication publishes the same commit, without the agent", async () => {
  await using folder = await createRepository();
  const { signal } = new AbortController();
  const run = createGit(process.env);
  const served = await readServedRepository(
    { repository: folder.root, docsDir: join(folder.root, "docs") },
    { git: run, signal },
  );
  const author = { name: "a", email: "a@example.com" };
  const repository = await openAgentRepository(
    { directory: folder.path, served, author },
    { git: run, signal },
  );
  const commit = await git(folder.root, "rev-parse", "HEAD");
  const published: PublishedChange[] = [];
  const host: PullRequestHost = {
    repository: "/local/project",
    findStart: async () => ({ commit, base: "main" }),
    publish: async (change) => {
      published.push(change);
      if (published.length === 1) throw new Error("the machine went away");
      return "/local/project/pull/1";
    },
  };
  const options = {
    command: agentOf(`fs.writeFileSync("docs/" + process.pid + ".md", "");`),
    environment: { PATH: process.env["PATH"] ?? "" },
    timeLimitMs: 60_000,
    docsPath: "docs",
    logDirectory: folder.path,
  };
  let started = job;
  const onStart = async (base: string) => {
    started = { ...job, base };
  };

  await expect(runTurn({ job, turn: 0 }, options, { repository, host, signal, onStart })).rejects.toThrow(
    "went away",
  );
  const link = await runTurn({ job: started, turn: 0 }, options, { repository, host, signal, onStart });

  expect(link).toBe("/local/project/pull/1");
  expect(published).toHaveLength(2);
  expect(published[1]).toEqual(published[0]);
});
