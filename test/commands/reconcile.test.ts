import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import type { ErrorCode } from "../../src/base/errors.ts";
import { InterruptedError } from "../../src/base/errors.ts";
import type { AgentJob } from "../../src/client/contract.ts";
import { PlatformError } from "../../src/client/errors.ts";
import { type ReconcileContext, reconcileRecords, runReconcile } from "../../src/commands/reconcile.ts";
import type { StoredClaim } from "../../src/github/claims.ts";
import { GitHubError } from "../../src/github/errors.ts";
import type { FoundRecord, RecordSearch } from "../../src/github/open-records.ts";
import type { PullRequest } from "../../src/github/pull-requests.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { connectRun, connectTo } from "../support/connect-github.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { createMemoryClaims } from "../support/memory-claims.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";

const hour = 60 * 60_000;
const identity = { login: "github-actions[bot]", id: 1, isBot: true };
const signer = createRecordSigner("svc_key-one");
const pull: PullRequest = {
  number: 7,
  nodeId: "PR_7",
  url: "https://github.localhost/octo-org/widgets/pull/7",
  title: "Explain retries",
  state: "open",
  headSha: "c".repeat(40),
  headBranch: "docs-agent/aj_1",
  baseBranch: "main",
  createdAt: "2026-01-01T00:05:00Z",
  isFork: false,
  body: "",
  ...{ additions: 3, deletions: 1, fileCount: 1, files: [], commits: [] },
};

const base: ClaimRecord = {
  command: "agent",
  target: "prj_1",
  trigger: "a".repeat(64),
  state: "working",
  jobId: "job-1",
  owner: "1.1.x",
  claimedAt: "2026-01-01T00:00:00.000Z",
  leaseSeconds: 15,
};

function outage(code: ErrorCode, details: { isFromApi?: boolean } = {}): PlatformError {
  return new PlatformError(code, "The platform is not there.", details);
}

/** A repository with records in it that are some hours old. */
async function setScene(
  records: readonly Partial<ClaimRecord>[],
  { ageMs = hour, isUnverifiable = false } = {},
) {
  let nowMs = 0;
  const claims = createMemoryClaims(() => nowMs);
  for (const record of records) await claims.create({ ...base, ...record });
  nowMs = ageMs;
  const written = claims.history.length;
  const log = createRecordingLog();
  const controller = new AbortController();
  /** The jobs that were asked about, in order, and every poll. */
  const asked: string[] = [];
  const polls: string[] = [];
  const api = connectTo("http://127.0.0.1:9");
  const run = async (
    answer: (jobId: string) => AgentJob | PlatformError | Promise<AgentJob | PlatformError>,
    changes: Partial<ReconcileContext> = {},
    failures: RecordSearch["failures"] = [],
  ) => {
    const found = (await claims.list()).map(
      (claim): FoundRecord => ({
        claim: isUnverifiable ? { ...claim, isUnverifiable } : claim,
        store: claims,
        name: `#${claim.id}`,
      }),
    );
    const platform = {
      origin: "https://p.example",
      async getAgentJob(_project: string, jobId: string) {
        polls.push(jobId);
        if (asked.at(-1) !== jobId) asked.push(jobId);
        const said = await answer(jobId);
        if (said instanceof PlatformError) throw said;
        return said;
      },
    };
    const ownership = { api, signer, identity };
    const serverUrl = new URL("https://github.localhost");
    const fixed = { projectId: "prj_1", dryRun: false, platform, ownership, serverUrl };
    const findPull = async () => undefined;
    const search = { records: found, notSearched: [], failures };
    const deps = { log, signal: controller.signal, clock: createFakeClock() };
    return reconcileRecords(search, { ...deps, ...fixed, findPull, ...changes });
  };
  /** What was written since the scene was set. */
  const writes = () => claims.history.slice(written);
  return { claims, controller, asked, polls, log, run, writes };
}

const completed: AgentJob = { id: "job", status: "completed", prLink: null };
const jobs = (count: number) => Array.from({ length: count }, (_, index) => ({ jobId: `job-${index + 1}` }));

describe("an outage", () => {
  test("of the platform for half the records leaves the other half finished", async () => {
    const scene = await setScene(jobs(6));

    const { rows, failure } = await scene.run((id) =>
      Number(id.slice(4)) % 2 === 0 ? outage("unavailable") : completed,
    );

    expect(rows.map(({ kind }) => kind)).toStrictEqual([
      "finished",
      "failed-to-check",
      "finished",
      "failed-to-check",
      "finished",
      "failed-to-check",
    ]);
    expect(failure).toBeUndefined();
    expect(scene.log.lines.slice(0, 1)).toMatchObject([
      expect.stringMatching(/^warning: #2: The platform is not there\. ./),
    ]);
  });

  test("of five records in a row ends the run, which says how many are left", async () => {
    const scene = await setScene(jobs(9));

    const { rows, notes } = await scene.run((id) => (id === "job-1" ? completed : outage("unreachable")));

    expect(scene.asked).toHaveLength(6);
    expect(rows).toHaveLength(6);
    expect(notes).toStrictEqual(["Left for the next run: 3 open requests."]);
  });

  test("is not counted on after a record that could be checked", async () => {
    const scene = await setScene(jobs(9));

    await scene.run((id) => (id === "job-5" ? completed : outage("unreachable")));

    expect(scene.asked).toHaveLength(9);
  });

  test("of all records is the run's failure", async () => {
    const scene = await setScene(jobs(9));

    const { failure } = await scene.run((id) => new PlatformError("unavailable", `${id}: no`));

    expect(failure).toMatchObject({ code: "unavailable", message: "job-1: no" });
    expect(scene.asked).toHaveLength(5);
  });

  test("by a used-up limit ends the run at once", async () => {
    const scene = await setScene(jobs(3));

    await scene.run((id) => (id === "job-2" ? outage("rate-limited") : completed));

    expect(scene.asked).toStrictEqual(["job-1", "job-2"]);
  });

  test.each(["unauthorized", "forbidden"] as const)("of a key that is %s is the run's end", async (code) => {
    const scene = await setScene(jobs(3));

    await expect(scene.run(() => outage(code))).rejects.toMatchObject({ code });
    expect(scene.asked).toHaveLength(1);
    expect(scene.writes()).toStrictEqual([]);
  });
});

test("A place that GitHub fails to show is the run's failure, after everything else was done", async () => {
  const scene = await setScene(jobs(1));
  const failed = new GitHubError("unavailable", "GitHub could not list the comments.");

  const { rows, failure } = await scene.run(() => completed, {}, [failed]);

  expect(rows).toMatchObject([{ kind: "finished" }]);
  expect(failure).toBe(failed);
});

describe("a record", () => {
  test("that is signed with another key is counted, and neither asked about nor written", async () => {
    const scene = await setScene(jobs(2), { isUnverifiable: true });

    const { rows, notes } = await scene.run(() => completed);

    expect(rows).toStrictEqual([]);
    expect(notes).toMatchObject([expect.stringMatching(/another `api-key`.*: 2 open requests\.$/)]);
    expect([scene.asked, scene.writes()]).toStrictEqual([[], []]);
  });

  test.each([
    ["of another project", { target: "prj_2" }],
    ["that has ended", { state: "ended" as const, outcome: "failed" }],
    ["that was released", { state: "released" as const }],
  ])("%s is none of its business", async (_name, change) => {
    const scene = await setScene([change]);

    const { rows } = await scene.run(() => completed);

    expect([rows, scene.asked, scene.writes()]).toStrictEqual([[], [], []]);
  });

  test("that its run finishes while the platform is asked is left as the run wrote it", async () => {
    const scene = await setScene([{ outcome: "detached" }]);
    const [claim] = await scene.claims.list();
    if (!claim) throw new Error("There is no record.");
    const end = { ...base, state: "ended", outcome: "archived" } as const;

    const { rows } = await scene.run(async () => {
      await scene.claims.update(claim, end);
      return completed;
    });

    expect(rows).toMatchObject([{ kind: "running", detail: "another run has just changed the record" }]);
    expect(scene.claims.records()).toStrictEqual([end]);
  });

  test("of a question is left alone if it turns out to be signed with another key", async () => {
    const scene = await setScene([{ command: "assistant", target: "docs.example.com", state: "submitting" }]);
    const reread = async (claim: StoredClaim) => ({ ...claim, isUnverifiable: true });
    Object.assign(scene.claims, { reread });

    const { rows } = await scene.run(() => completed);

    expect(rows).toMatchObject([{ kind: "running" }]);
    expect(scene.writes()).toStrictEqual([]);
  });

  test("that is deleted during the platform's request is not created again", async () => {
    const scene = await setScene([{ outcome: "detached" }]);
    const [claim] = await scene.claims.list();
    if (!claim) throw new Error("There is no record.");

    await scene.run(async () => {
      await scene.claims.remove(claim);
      return completed;
    });

    expect(scene.claims.records()).toStrictEqual([]);
  });

  test("that two runs reconcile at once is finished once", async () => {
    const scene = await setScene(jobs(3));

    await Promise.all([scene.run(() => completed), scene.run(() => completed)]);

    expect(scene.claims.records().map(({ outcome }) => outcome)).toStrictEqual(
      Array(3).fill("no-pull-request"),
    );
    expect(new Set(scene.writes())).toStrictEqual(new Set(["ended: no-pull-request"]));
  });

  test("that a run is about to submit is left alone, and released when it did not", async () => {
    const claim = { state: "claimed", leaseSeconds: 20 * 60 } as const;
    const young = await setScene([claim], { ageMs: 30 * 60_000 - 1 });
    const old = await setScene([claim], { ageMs: 30 * 60_000 });

    expect((await young.run(() => completed)).rows).toMatchObject([{ kind: "running" }]);
    expect((await old.run(() => completed)).rows).toMatchObject([{ kind: "released" }]);
    expect([young.writes(), old.writes()]).toStrictEqual([[], ["released: interrupted"]]);
  });
});

describe("a submission", () => {
  const lost = /its response was lost/;
  test.each([
    ["is left alone for half an hour", 30 * 60_000 - 1, "running", /a run is submitting it/, []],
    ["is lost after half an hour", 30 * 60_000, "unknown", lost, ["unknown"]],
  ])("%s", async (_name, ageMs, kind, detail, writes) => {
    const scene = await setScene([{ state: "submitting" }], { ageMs });

    const { rows } = await scene.run(() => completed);

    expect(rows).toMatchObject([{ kind, detail: expect.stringMatching(detail) }]);
    expect(scene.writes()).toStrictEqual(writes);
  });
});

describe("a job that goes on", () => {
  test.each([
    ["is not read while a run may wait for it", 10 * 60_000 - 1, undefined, "a run waits for it"],
    ["is read after ten minutes", 10 * 60_000, undefined, "active"],
    ["is read at once if no run waits for it", 1000, "detached", "active"],
  ])("%s", async (_name, ageMs, outcome, detail) => {
    const scene = await setScene([{ outcome, leaseSeconds: 20 * 60 }], { ageMs });

    const { rows } = await scene.run(() => ({ id: "job", status: "active" }));

    expect(rows).toMatchObject([{ kind: "running", detail }]);
    expect(scene.asked).toHaveLength(detail === "active" ? 1 : 0);
  });

  test.each([
    ["is its run's to show until the lease is over", 20 * 60_000 - 1, []],
    ["is shown as left by its run once the lease is over", 20 * 60_000, ["working: interrupted"]],
  ])("%s", async (_name, ageMs, writes) => {
    const scene = await setScene([{ leaseSeconds: 20 * 60 }], { ageMs });

    const { rows } = await scene.run(() => ({ id: "job", status: "active" }));

    expect(rows).toMatchObject([{ kind: "running", detail: "active" }]);
    expect(scene.writes()).toStrictEqual(writes);
  });
});

describe("a job that is completed without a pull request", () => {
  test("is asked about once more before that is written down", async () => {
    await using github = await startGitHubStandIn();
    const { number } = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
    const prLink = `https://github.localhost/octo-org/widgets/pull/${number}`;
    const api = connectRun(github, { "pull-requests": "write" });
    const scene = await setScene([{}]);
    const clock = createFakeClock();

    await scene.run(() => (scene.polls.length > 1 ? { ...completed, prLink } : completed), {
      ownership: { api, signer, identity },
      clock,
    });

    expect(clock.waits).toStrictEqual([5_000]);

    expect(scene.claims.records()).toMatchObject([{ outcome: "pull-request", pullRequestUrl: prLink }]);
  });

  test("is left to the next run where it cannot be asked again", async () => {
    const scene = await setScene([{}]);

    await scene.run(() => (scene.polls.length > 1 ? outage("unavailable") : completed));

    expect(scene.writes()).toStrictEqual([]);
  });
});

describe("a job that the platform does not know", () => {
  const notFound = outage("not-found", { isFromApi: true });

  test("has failed", async () => {
    const scene = await setScene([{}]);

    await scene.run(() => notFound);

    expect(scene.claims.records()).toMatchObject([{ state: "ended", outcome: "failed" }]);
  });

  test("has made the pull request that carries its reference", async () => {
    const scene = await setScene([{}]);
    await using github = await startGitHubStandIn();
    const { number } = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
    const api = connectRun(github, { "pull-requests": "write" });

    await scene.run(() => notFound, {
      findPull: async () => ({ ...pull, number }),
      ownership: { api, signer, identity },
    });

    expect(scene.claims.records()).toMatchObject([{ outcome: "pull-request", pullRequestUrl: pull.url }]);
    expect(github.commentsOn(number)).toMatchObject([{ body: expect.stringContaining("job-1") }]);
  });

  test("changes nothing at a pull request of another repository", async () => {
    const scene = await setScene([{}]);

    await scene.run(() => notFound, { findPull: async () => ({ ...pull, isInOtherRepository: true }) });

    expect(scene.claims.records()).toMatchObject([{ outcome: "pull-request", pullRequestUrl: pull.url }]);
    expect(scene.log.lines.filter((line) => line.startsWith("warning"))).toStrictEqual([]);
  });

  test("may not be known yet", async () => {
    const young = await setScene([{ outcome: "detached" }], { ageMs: 10 * 60_000 - 1 });
    const old = await setScene([{ outcome: "detached" }], { ageMs: 10 * 60_000 });

    expect((await young.run(() => notFound)).rows).toMatchObject([{ kind: "running" }]);
    expect((await old.run(() => notFound)).rows).toMatchObject([{ kind: "finished" }]);
    expect(young.writes()).toStrictEqual([]);
  });

  test("is not given up where the answer is not the API's own", async () => {
    const scene = await setScene([{}], { ageMs: 25 * hour });

    expect((await scene.run(() => outage("not-found"))).rows).toMatchObject([{ kind: "failed-to-check" }]);
    expect(scene.writes()).toStrictEqual([]);
  });
});

test("A cancelled run keeps what it has written and touches nothing more", async () => {
  const scene = await setScene(jobs(3));
  const reason = new InterruptedError("cancelled", "The workflow was cancelled.");

  const run = scene.run((id) => {
    if (id === "job-2") {
      scene.controller.abort(reason);
      return outage("unreachable");
    }
    return completed;
  });

  await expect(run).rejects.toBe(reason);
  expect(scene.asked).toStrictEqual(["job-1", "job-2"]);
  expect(scene.writes()).toStrictEqual(["ended: no-pull-request"]);
});

test("The embedded platform has nothing to reconcile, with or without a project", async () => {
  for (const projectId of ["p1", ""]) {
    const inputs = { "base-url": "local", "project-id": projectId };
    const { end } = await runInProcess("reconcile", runReconcile, DEFAULT_RUN, inputs);
    expect(String(end)).toContain("`base-url: local` has nothing to reconcile");
  }
});
