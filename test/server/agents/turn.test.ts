import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgentRepository } from "../../../src/server/agents/agent-repository.ts";
import { createGit } from "../../../src/server/agents/git.ts";
import { findIsolation } from "../../../src/server/agents/isolation.ts";
import type { PublishedChange, PullRequestHost } from "../../../src/server/agents/published-change.ts";
import { readServedRepository } from "../../../src/server/agents/served-repository.ts";
import { runTurn } from "../../../src/server/agents/turn.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { agentOf, createRepository, git } from "./agent-platform.ts";

test("a turn that was interrupted between commit and publication publishes the same commit, without the agent", async () => {
  await using folder = await createRepository();
  const { signal } = new AbortController();
  const run = createGit(process.env);
  const served = await readServedRepository(run, folder.root, join(folder.root, "docs"), signal);
  const commit = await git(folder.root, "rev-parse", "HEAD");
  const published: PublishedChange[] = [];
  const host: PullRequestHost = {
    repository: "/local/project",
    findStart: async () => ({ commit, base: "main" }),
    findOpen: async () => undefined,
    readState: async () => "open",
    publish: async (change) => {
      published.push(change);
      if (published.length === 1) throw new Error("the machine went away");
      return "/local/project/pull/1";
    },
  };
  const setup = {
    command: agentOf(`fs.writeFileSync("docs/" + process.pid + ".md", "");`),
    isolation: await findIsolation(folder.path, {}, "none", { log: createRecordingLog(), signal }),
    environment: { PATH: process.env["PATH"] ?? "" },
    timeLimitMs: 60_000,
    author: { name: "a", email: "a@example.com" },
    docsPath: "docs",
    logDirectory: folder.path,
    repository: await openAgentRepository(folder.path, served, run, signal),
    host,
    redact: (text: string) => text,
  };
  const time = "2026-01-01T00:00:00Z";
  const job = {
    id: "aj_1",
    projectId: "p1",
    status: "active" as const,
    turns: [{ prompt: "Work", requestedAt: time }],
    repository: "/local/project",
    branch: "docs-agent/aj_1",
    model: "test",
    pullRequest: null,
    createdAt: time,
    updatedAt: time,
    archivedAt: null,
    attempt: 1,
  };
  const bases: string[] = [];
  const onStart = async (base: string) => bases.push(base);

  await expect(runTurn(job, setup, onStart, signal)).rejects.toThrow("went away");
  const link = await runTurn({ ...job, base: bases[0] }, setup, onStart, signal);

  expect(link).toBe("/local/project/pull/1");
  expect(bases).toEqual(["main"]);
  expect(published).toHaveLength(2);
  expect(published[1]).toEqual(published[0]);
});
