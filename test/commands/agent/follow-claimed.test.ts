import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../../src/base/errors.ts";
import type { AgentJob } from "../../../src/client/contract.ts";
import { PlatformError } from "../../../src/client/errors.ts";
import type { AgentOptions, ClaimedDeps } from "../../../src/commands/agent/agent-interface.ts";
import { concludeElsewhere, followClaimed } from "../../../src/commands/agent/follow-claimed.ts";
import type { PullRequest } from "../../../src/github/pull-requests.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createMemoryClaims } from "../../support/memory-claims.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const pull: PullRequest = {
  number: 45,
  nodeId: "PR_45",
  url: "https://github.com/octo-org/widgets/pull/45",
  title: "Retries",
  isDraft: false,
  isOpen: true,
};

interface Facts {
  readonly looks: readonly (AgentJob | Error)[];
  readonly pull?: PullRequest | "hidden" | undefined;
  readonly found?: PullRequest;
  readonly adoptionFails?: boolean;
  readonly isEmbedded?: boolean;
}

/** Follows a job that an earlier run recorded two hours ago. */
async function follow({ isEmbedded = false, ...facts }: Facts, created?: AgentJob, isFollowUp = false) {
  const { claim, deps, ...scene } = await setScene(facts);
  const options = {
    projectId: "prj_1",
    wait: true,
    isEmbedded,
    runUrl: "https://github.com/octo-org/widgets/actions/runs/2",
    repository: { owner: "octo-org", name: "widgets", id: "101" },
    serverUrl: new URL("https://github.com"),
    localOrigin: undefined,
    deadlineMs: scene.clock.now() + 3_600_000,
  } as Partial<AgentOptions> as AgentOptions;
  const given = created ? { jobId: "job_1", job: created, isFollowUp } : undefined;
  const result = followClaimed({ claim, created: given }, options, deps);
  return { result: await result.catch((error: unknown) => error), ...scene };
}

/** The record of such a job, and the world around it. */
async function setScene({ looks, found, adoptionFails, ...facts }: Omit<Facts, "isEmbedded">) {
  const clock = createFakeClock();
  const claims = createMemoryClaims(clock.now);
  const log = createRecordingLog();
  const claim = await claims.create({
    command: "agent",
    target: "prj_1",
    trigger: "a".repeat(64),
    state: "working",
    owner: "1.1.x",
    claimedAt: new Date(clock.now() - 7_200_000).toISOString(),
    leaseSeconds: 15,
    jobId: "job_1",
  });
  let looked = 0;
  const adopted: unknown[] = [];
  const deps: ClaimedDeps = {
    claims,
    lastWords: claims,
    clock,
    log,
    random: () => 0.5,
    signal: new AbortController().signal,
    onRecord: () => undefined,
    referenceOf: () => "docs-automation-1",
    observer: { jobKnown: () => undefined, statusSeen: () => undefined, pullRequestKnown: () => undefined },
    platform: {
      async getAgentJob() {
        const look = looks[Math.min(looked, looks.length - 1)];
        looked += 1;
        if (look instanceof Error || look === undefined) throw look ?? new Error("no more looks");
        return look;
      },
      createAgentJob: () => Promise.reject(new Error("nothing is created")),
      messageAgentJob: () => Promise.reject(new Error("nothing is sent")),
    },
    github: {
      findByReference: async () => found,
      readPullRequest: async () => ("pull" in facts ? facts.pull : pull),
      adoptPullRequest: async ({ number }, origin) => {
        adopted.push({ number, ...origin });
        if (adoptionFails) throw new Error("comments are closed");
      },
    } as Partial<ClaimedDeps["github"]> as ClaimedDeps["github"],
  };
  return { claim, deps, claims, clock, log, adopted };
}

const completed: AgentJob = { id: "job_1", status: "completed", prLink: pull.url };

describe("followClaimed", () => {
  test("looks at once at a job that an earlier run started", async () => {
    const { result, clock } = await follow({ looks: [completed] });

    expect(result).toMatchObject({
      outcome: "pull-request",
      status: { state: "ended", pullRequestUrl: pull.url },
    });
    expect(clock.waits.every((wait) => wait === 0)).toBe(true);
  });

  test("needs no look at a job that ended with its creation", async () => {
    const { result, clock } = await follow({ looks: [] }, completed);

    expect(result).toMatchObject({ outcome: "pull-request" });
    expect(clock.waits).toStrictEqual([]);
  });

  test("tolerates missing fields, unknown statuses and passing failures", async () => {
    const looks = [
      {},
      { status: "thinking" },
      new PlatformError("unavailable", "502"),
      { ...completed, prLink: null },
    ];

    expect((await follow({ looks })).result).toMatchObject({ outcome: "no-pull-request" });
  });

  test("logs an unknown status of any length as one short line", async () => {
    const status = `thinking\nhard ${"x".repeat(70_000)}`;

    const { log } = await follow({ looks: [{ status }, { ...completed, prLink: null }] });

    expect(log.lines.join("\n")).toContain("thinking hard xxx");
    expect(Math.max(...log.lines.map((line) => line.length))).toBeLessThan(400);
  });

  test("does not take the former end of a continued job for the new one", async () => {
    const looks = [completed, { status: "active" }, { ...completed, prLink: null }];

    const { result } = await follow({ looks }, { id: "job_1", status: "completed" }, true);

    expect(result).toMatchObject({ outcome: "no-pull-request" });
  });

  test("ends a job that the platform has forgotten, with its pull request if there is one", async () => {
    const gone = new PlatformError("not-found", "404", { isFromApi: true });

    expect((await follow({ looks: [gone] })).result).toMatchObject({
      outcome: "failed",
      status: { state: "ended", message: "The platform no longer knows agent job job_1." },
    });
    expect((await follow({ looks: [gone], found: pull })).result).toMatchObject({ outcome: "pull-request" });
  });

  test("leaves a job open that only a wrong address or a proxy knows nothing of", async () => {
    const { result, claims } = await follow({ looks: [new PlatformError("not-found", "404: a page")] });

    expect(result).toMatchObject({ code: "not-found" });
    expect(claims.records()).toMatchObject([
      { state: "working", outcome: "failed", message: expect.stringContaining("base-url") },
    ]);
  });

  test("ends a job that the platform forgets while it is followed", async () => {
    const looks = [{ status: "active" }, new PlatformError("not-found", "404", { isFromApi: true })];

    const { result, claims } = await follow({ looks }, { id: "job_1", status: "active" });

    expect(result).toMatchObject({ outcome: "failed", error: { code: "job-failed" } });
    expect(claims.records()).toMatchObject([{ state: "ended", outcome: "failed" }]);
  });

  test.each([{ adoptionFails: false }, { adoptionFails: true }])(
    "adopts the found pull request of a forgotten job, and keeps it where that fails: $adoptionFails",
    async (facts) => {
      const looks = [new PlatformError("not-found", "404", { isFromApi: true })];

      const { result, adopted, log } = await follow({ looks, found: pull, ...facts });

      expect(result).toMatchObject({ outcome: "pull-request", status: { pullRequestUrl: pull.url } });
      expect(adopted).toStrictEqual([{ number: 45, project: "prj_1", jobId: "job_1" }]);
      expect(log.lines.some((line) => line.includes("comments are closed"))).toBe(facts.adoptionFails);
    },
  );

  test("refuses a pull request that GitHub does not know", async () => {
    const { result } = await follow({ looks: [completed], pull: undefined });

    expect(result).toMatchObject({ outcome: "failed", error: { code: "pull-request-mismatch" } });
  });

  test("accepts a pull request of the job's own repository that the token cannot see", async () => {
    const elsewhere = {
      ...completed,
      prLink: "https://github.com/octo-org/site/pull/3",
      source: { repository: "octo-org/site" },
    };

    expect((await follow({ looks: [elsewhere], pull: "hidden" })).result).toMatchObject({
      outcome: "pull-request",
    });
  });

  test("writes down that the job goes on when time runs out", async () => {
    const { result, claims } = await follow({ looks: [{ status: "active" }] });

    expect(result).toBeInstanceOf(InterruptedError);
    expect(claims.records()).toMatchObject([{ state: "working", outcome: "timed-out", jobId: "job_1" }]);
  });

  test("writes down why it could not go on", async () => {
    const { result, claims } = await follow({ looks: [new PlatformError("unauthorized", "401: expired")] });

    expect(result).toBeInstanceOf(PlatformError);
    expect(claims.records()).toMatchObject([
      { state: "working", outcome: "failed", message: expect.stringContaining("401") },
    ]);
  });
});

describe("a job of the embedded platform", () => {
  test("ends with its run, and is not said to go on", async () => {
    const active = { id: "job_1", status: "active" };

    const { result, claims } = await follow({ looks: [active], isEmbedded: true }, active);

    expect(result).toMatchObject({ code: "timed-out", hint: expect.stringContaining("end with their run") });
    expect(claims.records()).toMatchObject([{ state: "working", outcome: "stopped", jobId: "job_1" }]);
  });

  test("is left to the run that works on it", async () => {
    const { claim, deps, claims } = await setScene({ looks: [] });
    const held = { ...claim, record: { ...claim.record, leaseSeconds: 3_600 } };

    const result = await concludeElsewhere(held, { owner: { runId: "2", runAttempt: 1, word: "y" } }, deps);

    expect(result).toMatchObject({ outcome: "skipped", reason: "other-run" });
    expect(claims.records()).toMatchObject([{ state: "working" }]);
  });

  test.each([
    ["failed", undefined],
    ["pull-request", pull],
  ])("that another run left behind ends as %s", async (outcome, found) => {
    const { claim, deps, claims } = await setScene({ looks: [], ...(found ? { found } : {}) });

    const result = await concludeElsewhere(claim, { owner: { runId: "1", runAttempt: 2, word: "y" } }, deps);

    expect(result).toMatchObject({ outcome });
    expect(claims.records()).toMatchObject([{ state: "ended", outcome }]);
  });
});
