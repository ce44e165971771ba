/** Concurrent requests for a job without a record, which is restored from its branch. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openAgentJobs } from "../../../src/server/agents/agent-jobs.ts";
import type { PullRequestHost } from "../../../src/server/agents/published-change.ts";
import type { AgentProject, AgentRunner } from "../../../src/server/agents/turn.ts";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import { StorageUnavailableError } from "../../../src/server/base/storage.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const id = "aj_0123456789abcdef";
const branch = `docs-agent/${id}`;
const found = { pullRequest: branch, base: "main" };
const ignore = () => undefined;
const { signal } = new AbortController();
const unused = async (): Promise<never> => {
  throw new Error("Nothing works on the jobs.");
};

/** Jobs without a record, and a host with a fixed response. */
async function openJobs(
  findOpen: PullRequestHost["findOpen"],
  readState: PullRequestHost["readState"] = async () => "open",
) {
  const folder = await createTemporaryFolder();
  const log = createRecordingLog();
  const links = { lifetimeMs: 1000, publicUrl: () => "", now: Date.now };
  const storage = await openFileStorage(folder.path, links, log);
  const host: PullRequestHost = {
    repository: "https://example.com/docs.git",
    findStart: unused,
    findOpen,
    readState,
    publish: unused,
  };
  const project = { host } as AgentProject;
  const runner: AgentRunner = {
    command: ["agent"],
    environment: {},
    timeLimitMs: 1000,
    isolation: { mode: "none", wrap: async (command) => command },
    author: { name: "A", email: "a@example.com" },
    redact: (text) => text,
    stateTimeoutMs: 20,
  };
  const observer = { request: ignore, job: ignore, answer: ignore };
  let time = Date.now();
  const now = () => {
    time += 1;
    return time;
  };
  const everyHour = async () => undefined;
  const context = { storage, dataDir: folder.path, runsJobs: false, log, observer, now, everyHour };
  const jobs = await openAgentJobs(runner, async () => project, 1, context);
  const advance = (ms: number) => {
    time += ms;
  };
  return { jobs, storage, advance, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

test("a job without a record is restored once for concurrent requests", async () => {
  const answer = Promise.withResolvers<typeof found>();
  await using opened = await openJobs(() => answer.promise);

  const restored = [1, 2, 3].map(() => opened.jobs.find("p1", id, signal));
  answer.resolve(found);

  expect((await Promise.all(restored)).map((job) => job?.id)).toEqual([id, id, id]);
  expect(new Set((await Promise.all(restored)).map((job) => job?.createdAt)).size).toBe(1);
});

test("a restored job does not overwrite a message that was faster", async () => {
  const late = Promise.withResolvers<typeof found>();
  const answers = [Promise.resolve(found), late.promise];
  await using opened = await openJobs(() => answers.shift() ?? unused());

  const [first, second] = [1, 2].map(() => opened.jobs.find("p1", id, signal));
  const job = await first;
  if (job === undefined) throw new Error("The job was not found.");
  await opened.jobs.message(job, "Go on", async () => undefined, signal);
  late.resolve(found);

  expect(await second).toMatchObject({ status: "active", turns: [{ prompt: "Go on" }] });
});

test("a message is accepted while the host of its pull request does not respond", async () => {
  const hang = (_job: unknown, stop: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      stop.addEventListener("abort", () => reject(stop.reason));
    });
  await using opened = await openJobs(async () => found, hang);
  const job = await opened.jobs.find("p1", id, signal);
  if (job === undefined) throw new Error("The job was not found.");

  const answered = await opened.jobs.message(job, "Go on", async () => undefined, signal);

  expect(answered).toMatchObject({ status: "active", turns: [{ prompt: "Go on" }] });
});

test("unknown ids are looked up one after the other", async () => {
  let [running, mostRunning] = [0, 0];
  await using opened = await openJobs(async () => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await nextTurn();
    running -= 1;
    return undefined;
  });
  const guesses = Array.from({ length: 100 }, (_, guess) => `aj_${String(guess).padStart(16, "0")}`);

  const jobs = await Promise.all(guesses.map((guess) => opened.jobs.find("p1", guess, signal)));

  expect(new Set(jobs)).toEqual(new Set([undefined]));
  expect(mostRunning).toBe(1);
});

test("a job is created while the output of old ones cannot be removed", async () => {
  await using opened = await openJobs(async () => found);
  await opened.jobs.find("p1", id, signal);
  Object.assign(opened.storage.blobs, {
    removeAll: async () => {
      throw new StorageUnavailableError("Object storage does not respond.");
    },
  });
  opened.advance(40 * 24 * 60 * 60 * 1000);

  expect(await opened.jobs.create("p1", "Work")).toMatchObject({ status: "active" });
});
