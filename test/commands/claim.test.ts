import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { ClaimRecord, stoppedByUser } from "../../src/base/claim-record.ts";
import { InterruptedError } from "../../src/base/errors.ts";
import type { AgentJob } from "../../src/client/contract.ts";
import { PlatformError } from "../../src/client/errors.ts";
import type { ClaimedAgentRun } from "../../src/commands/agent-job.ts";
import { ActiveRequests, draftRecord, type RunAttempt, refuseInProgress } from "../../src/commands/claim.ts";
import { ClaimLease, type ClaimRun } from "../../src/commands/claim-lease.ts";
import { type PreparedRequest, submitOnce } from "../../src/commands/submit-once.ts";
import type { ClaimStore, StoredClaim } from "../../src/github/claims.ts";
import { GitHubError } from "../../src/github/errors.ts";
import type { GitHubEvent } from "../../src/github/event.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createMemoryClaims } from "../support/memory-claims.ts";
import { createRecordingRun } from "../support/recording-run.ts";

const draft = { command: "agent", target: "prj_1", trigger: "a".repeat(64) } as const;
const ours: RunAttempt = { runId: "1", runAttempt: 1 };
/** The clocks of runners and of GitHub differ by less than this. */
const graceMs = 15_000;
const cancelled = new InterruptedError("cancelled", "The workflow was cancelled.");

const mona = { login: "mona", id: 1, isBot: false };
const text = { kind: "issue-comment", nodeId: "IC_1", author: mona, body: "/docs explain" };
const request = { source: "text", composePrompt: () => "Explain." } as unknown as PreparedRequest;

interface Attempt {
  readonly owner?: Partial<RunAttempt>;
  readonly onAmbiguous?: "stop" | "resubmit";
  readonly claims?: Partial<ClaimStore>;
  readonly shutdownStore?: Partial<ClaimStore>;
  readonly run?: Partial<ClaimRun>;
  /** The platform's response to the creating request. */
  readonly send?: () => Promise<AgentJob>;
  /** Whether the text of the request is deleted by now. */
  readonly isDeleted?: boolean;
}

/** A record store and a platform that several runs share. */
function setScene() {
  const clock = createFakeClock();
  const claims = createMemoryClaims(clock.now);
  const saved: string[] = [];
  let submissions = 0;
  const recorded = createRecordingRun({ clock });
  const attempt = async ({ owner, onAmbiguous = "stop", isDeleted, ...changes }: Attempt = {}) => {
    const saveState = (name: string, value: string) => {
      saved.push(name === "claim" ? JSON.parse(value).record.state : `${name}: ${value}`);
    };
    const run = { ...recorded, saveState, deadlineMs: clock.now() + 3_600_000, ...changes.run };
    const trigger = {
      location: { kind: "commit", sha: "1" } as const,
      store: { ...claims, ...changes.claims },
      shutdownStore: { ...claims, ...changes.shutdownStore },
    };
    const context = { ...ours, ...owner, actor: "mona", triggeringActor: "mona" };
    const lease = new ClaimLease(trigger, context, draft, run);
    const resolution = await lease.resolve();
    if (resolution.kind === "found" || resolution.kind === "busy") return resolution;
    if (resolution.kind === "lost" && onAmbiguous !== "resubmit") return resolution;
    const createAgentJob = async (): Promise<AgentJob> => {
      submissions += 1;
      return changes.send ? changes.send() : { id: `job-${submissions}` };
    };
    const agent = {
      inputs: { onAmbiguous, followUp: "new", statusComment: true, allowedUsers: ["mona"] },
      run,
      lease,
      projectId: "prj_1",
      platform: { createAgentJob, getAgentJob: async () => ({ status: "active" }) },
      github: {
        context,
        event: { type: "text", action: "created", sender: mona, thread: { kind: "issue" }, text },
        api: { graphql: async () => ({ node: isDeleted ? null : text }) },
      },
    };
    const result = await submitOnce(request, agent as unknown as ClaimedAgentRun);
    if (result instanceof PlatformError) return { kind: "lost", error: result } as const;
    if (!("reason" in result)) return { kind: "submitted", job: result } as const;
    const kind = result.reason === "other-run" ? result.reason : "withdrawn";
    return { kind, refusal: result } as const;
  };
  const seed = (record: Partial<ClaimRecord>) =>
    claims.create({
      ...draft,
      state: "claimed",
      owner: "9.1.x",
      claimedAt: new Date(clock.now()).toISOString(),
      leaseSeconds: 15,
      ...record,
    });
  /** Creates a claim after something else has happened, or before it. */
  const createAfter =
    (act: () => Promise<unknown>): ClaimStore["create"] =>
    async (record) => {
      await act();
      return claims.create(record);
    };
  const createBefore =
    (act: (held: StoredClaim) => Promise<unknown>): ClaimStore["create"] =>
    async (record) => {
      const held = await claims.create(record);
      await act(held);
      return held;
    };
  /** Other requests that are being sent for two hours. */
  const seedQueue = (length: number) =>
    Promise.all(
      Array.from({ length }, (_, index) =>
        seed({ trigger: `${index}`, state: "submitting", owner: `${index}.1.x`, leaseSeconds: 7200 }),
      ),
    );
  /** Changes a record; a user stops the request at the same time if it is queued with these words, and this run does not see that. */
  const stopWhile =
    (queued: string): ClaimStore["update"] =>
    async (claim, record) => {
      const isStopped = record.outcome?.startsWith(queued) ?? queued === "";
      const stopped = { ...record, state: "released", outcome: stoppedByUser } as const;
      return { ...(await claims.update(claim, isStopped ? stopped : record)), record };
    };
  const passTime = (ms: number) => clock.sleep(ms, new AbortController().signal);
  /** A lease without a request. */
  const open = (changes: Partial<ClaimStore> = {}) => {
    const store = { ...claims, ...changes };
    const run = { ...recorded, deadlineMs: clock.now() + 3_600_000 };
    return new ClaimLease(
      { location: { kind: "commit", sha: "1" }, store, shutdownStore: store },
      ours,
      draft,
      run,
    );
  };
  const { log } = recorded;
  return {
    ...{ clock, claims, log, attempt, open, saved, passTime, submissions: () => submissions },
    ...{ seed, seedQueue, createAfter, createBefore, stopWhile },
  };
}

/** A store whose every response takes the given time. */
function createSlowClaims({ claims, passTime }: ReturnType<typeof setScene>, responseMs: number) {
  const slowly = async <T>(result: Promise<T>) => {
    const response = await result;
    await passTime(responseMs);
    return response;
  };
  const { list, create, update, remove }: ClaimStore = claims;
  return {
    list: () => slowly(list()),
    create: (record) => slowly(create(record)),
    update: (claim, record) => slowly(update(claim, record)),
    remove: (claim) => slowly(remove(claim)),
  } satisfies Partial<ClaimStore>;
}

const refusal = (code: "rate-limited" | "forbidden", retryAfterMs?: number) => () =>
  Promise.reject(new PlatformError(code, `${code}: no`, { retryAfterMs }));
const unreachable = new GitHubError("unreachable", "No response from GitHub.", { hint: "" });
const lost = () => Promise.reject(new PlatformError("unavailable", "500", { maybeSubmitted: true }));

describe("a free trigger", () => {
  test("has written down what is about to be done before it is done", async () => {
    const scene = setScene();

    expect(await scene.attempt()).toMatchObject({ kind: "submitted", job: { jobId: "job-1" } });
    expect(scene.claims.history).toStrictEqual(["claimed", "submitting", "working"]);
    expect(scene.claims.records()).toMatchObject([
      { jobId: "job-1", leaseSeconds: 3600, owner: expect.stringMatching(/^1\.1\.[0-9a-f]{12}$/) },
    ]);
    expect(scene.log.lines).toStrictEqual(["info: Agent job job-1 is created."]);
  });

  test("is submitted without another check of its text where it did not wait", async () => {
    const scene = setScene();

    expect(await scene.attempt({ isDeleted: true })).toMatchObject({ kind: "submitted" });
  });

  test("has a job also if the platform's response comes after the deadline", async () => {
    const scene = setScene();
    const send = async () => {
      await scene.passTime(2 * 3_600_000);
      return { id: "job-1" };
    };

    expect(await scene.attempt({ send })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toMatchObject([{ state: "working", leaseSeconds: 0 }]);
  });

  test("stays claimed for the whole lease after each change of its record", async () => {
    const { claims, open, passTime } = setScene();
    const lease = open();
    await lease.acquire();
    const leaseMs = lease.claim.record.leaseSeconds * 1000;
    await passTime(leaseMs - 1000);
    await lease.write({});
    await passTime(leaseMs);

    expect(await lease.markSubmitting()).toBeUndefined();

    // Not withdrawn and claimed again.
    expect(claims.history).toStrictEqual(["claimed", "claimed", "submitting"]);
  });

  test("is claimed again, as the youngest and by another owner, once the lease is over", async () => {
    const { claims, clock, open, passTime } = setScene();
    const lease = open();
    await lease.acquire();
    const { owner } = lease.claim.record;
    await passTime(lease.claim.record.leaseSeconds * 1000 + 1);

    expect(await lease.markSubmitting()).toBeUndefined();

    expect(claims.history).toStrictEqual(["claimed", "claimed"]);
    const [again, ...others] = claims.records();
    expect([again?.claimedAt, others]).toStrictEqual([new Date(clock.now()).toISOString(), []]);
    expect(again?.owner).not.toBe(owner);
  });

  test.each([
    [29_999, ["claimed", "submitting"]],
    [30_000, ["claimed", "submitting", "claimed"]],
  ])("is claimed again if GitHub responds to the last change after %i ms", async (ms, history) => {
    const { claims, open, passTime } = setScene();
    const update: ClaimStore["update"] = async (claim, record) => {
      await passTime(ms);
      return claims.update(claim, record);
    };
    const lease = open({ update });
    await lease.acquire();

    await lease.markSubmitting();

    expect(claims.history).toStrictEqual(history);
  });

  test.each([20_000, 29_000])("is sent where each response of GitHub takes %i ms", async (responseMs) => {
    const scene = setScene();

    expect(await scene.attempt({ claims: createSlowClaims(scene, responseMs) })).toMatchObject({
      kind: "submitted",
    });
    expect(scene.submissions()).toBe(1);
    expect(scene.claims.records()).toHaveLength(1);
  });

  test("is not sent after a user stopped it while it waited", async () => {
    const scene = setScene();
    const update: ClaimStore["update"] = async (claim, record) => {
      const written = await scene.claims.update(claim, record);
      if (record.outcome?.startsWith("queued until")) {
        await scene.claims.update(written, { ...record, state: "released", outcome: stoppedByUser });
      }
      return written;
    };

    const stopped = scene.attempt({ send: refusal("rate-limited", 60_000), claims: { update } });

    const hint = "Nothing was sent.";
    await expect(stopped).rejects.toMatchObject({ code: "cancelled", hint, retryable: false });
    expect(scene.submissions()).toBe(1);
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: stoppedByUser }]);
  });

  test.each([
    ["runs", { runId: "2" }],
    ["steps of the same attempt", {}],
  ])("goes to one of two %s that claim at once", async (_name, owner) => {
    const scene = setScene();

    const both = await Promise.all([scene.attempt(), scene.attempt({ owner })]);

    expect(both.map(({ kind }) => kind).sort()).toStrictEqual(["other-run", "submitted"]);
    expect(scene.submissions()).toBe(1);
    expect(scene.claims.records()).toHaveLength(1);
  });

  test("goes to the older of two claims also if it had to be written twice", async () => {
    const scene = setScene();
    const create: ClaimStore["create"] = async (record) => {
      const first = await scene.claims.create(record);
      await scene.seed({ owner: "2.1.x" });
      return { ...first, id: first.id + 2 };
    };

    expect(await scene.attempt({ claims: { create } })).toMatchObject({ kind: "submitted" });
  });

  test("goes to the older of two claims also if GitHub lists both late", async () => {
    const scene = setScene();
    const create = scene.createAfter(() => scene.seed({ owner: "2.1.x" }));
    const isLate = () => scene.clock.waits.length < 2;
    const list: ClaimStore["list"] = async () => (isLate() ? [] : scene.claims.list());

    expect(await scene.attempt({ claims: { create, list } })).toMatchObject({ kind: "other-run" });
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.records()).toMatchObject([{ owner: "2.1.x" }]);
  });

  test("is submitted although GitHub does not list its claim for a long time", async () => {
    const scene = setScene();

    const attempt = scene.attempt({ claims: { list: async () => [] } });

    expect(await attempt).toMatchObject({ kind: "submitted" });
    expect(scene.clock.waits).toStrictEqual([2_000, 2_000, 2_000]);
  });

  test("is not left to a run that withdraws its claim at the same moment, which is still listed", async () => {
    const scene = setScene();
    let withdrawn: StoredClaim | undefined;
    let listings = 0;
    const create = scene.createAfter(async () => {
      withdrawn ??= await scene.seed({ owner: "2.1.x" });
    });
    // The other run sees this run's claim until it is removed.
    const remove: ClaimStore["remove"] = async (claim) => {
      if (withdrawn) await scene.claims.remove(withdrawn);
      await scene.claims.remove(claim);
    };
    const list: ClaimStore["list"] = async () => {
      const claims = await scene.claims.list();
      if (withdrawn === undefined || listings === 3) return claims;
      listings += 1;
      return [withdrawn, ...claims];
    };

    expect(await scene.attempt({ claims: { create, remove, list } })).toMatchObject({ kind: "submitted" });
    expect(scene.clock.waits).toStrictEqual([2_000, 2_000, 2_000]);
    expect(scene.claims.records()).toHaveLength(1);
  });

  test("leaves no claim behind if it is cancelled before it claims again", async () => {
    const scene = setScene();
    const create = scene.createAfter(() => scene.seed({ owner: "2.1.x" }));
    const clock = { now: scene.clock.now, sleep: () => Promise.reject(cancelled) };

    const attempt = scene.attempt({ claims: { create, reread: async () => undefined }, run: { clock } });

    await expect(attempt).rejects.toBe(cancelled);
    expect(scene.claims.records()).toMatchObject([{ owner: "2.1.x" }]);
    expect(scene.saved.slice(-2)).toStrictEqual(["released", "unsettled: false"]);
  });

  test("is released at the deadline if a withdrawn claim is listed so long", async () => {
    const scene = setScene();
    const create = scene.createAfter(() => scene.seed({ owner: "2.1.x" }));
    const reread = async () => undefined;
    const run = { deadlineMs: scene.clock.now() + 5_000 };

    await expect(scene.attempt({ claims: { create, reread }, run })).rejects.toMatchObject({
      code: "timed-out",
    });
    expect(scene.clock.now()).toBe(run.deadlineMs);
    expect(scene.claims.records()).toContainEqual(
      expect.objectContaining({ state: "released", outcome: "timed-out" }),
    );
  });

  test("is left to a run whose claim looked stale but has a job by now", async () => {
    const scene = setScene();
    const stale = await scene.seed({ state: "released", owner: "2.1.x" });
    const working = { ...stale.record, state: "working", jobId: "job-9" } as const;
    const create = scene.createAfter(() => scene.claims.update(stale, working));

    expect(await scene.attempt({ claims: { create } })).toMatchObject({ kind: "other-run" });
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.records()).toMatchObject([{ jobId: "job-9" }]);
  });

  test.each<Partial<ClaimRecord>>([
    { state: "submitting", leaseSeconds: 180 },
    { state: "claimed", outcome: "queued until 2026-01-01T00:10:00.000Z", leaseSeconds: 180 },
  ])("goes to a run that was elected before the own claim could be seen: $state", async (rival) => {
    const scene = setScene();
    // Two more that claimed later; the last of them found no other claim yet.
    const create = scene.createBefore(async () => {
      await scene.seed({ owner: "2.1.x" });
      await scene.seed({ owner: "3.1.x", runUrl: "https://github.localhost/runs/3", ...rival });
    });

    const submission = await scene.attempt({ claims: { create } });

    expect(submission).toMatchObject({
      kind: "other-run",
      refusal: { page: "https://github.localhost/runs/3" },
    });
    expect(scene.submissions()).toBe(0);
    expect(scene.saved.slice(-2)).toStrictEqual(["released", "unsettled: false"]);
  });
});

describe("a run that finds an earlier record", () => {
  test("resumes the job instead of creating one", async () => {
    const scene = setScene();
    await scene.attempt();

    for (const owner of [{ runAttempt: 2 }, { runId: "2" }, {}])
      expect(await scene.attempt({ owner })).toMatchObject({
        kind: "found",
        claim: { record: { jobId: "job-1" } },
      });
    expect(scene.submissions()).toBe(1);
  });

  test.each<[state: string, leaseMs: number, seed: Partial<ClaimRecord>, then: string]>([
    ["claimed", 15_000, {}, "submitted"],
    ["queued", 195_000, { outcome: "queued until …", leaseSeconds: 195 }, "submitted"],
    ["submitting", 180_000, { state: "submitting", leaseSeconds: 180 }, "lost"],
  ])(
    "leaves one that is %s to its run for the lease and the grace after it",
    async (_state, leaseMs, seed, then) => {
      const scene = setScene();
      await scene.seed(seed);

      await scene.passTime(leaseMs + graceMs - 1);
      expect(await scene.attempt()).toMatchObject({ kind: "busy", claim: { record: { owner: "9.1.x" } } });
      expect([scene.submissions(), scene.claims.records().length]).toStrictEqual([0, 1]);

      await scene.passTime(1);
      expect(await scene.attempt()).toMatchObject({ kind: then });
      expect(scene.claims.records()).toHaveLength(1);
    },
  );

  test("takes over at once from an earlier attempt of its own run", async () => {
    const scene = setScene();
    await scene.seed({ owner: "1.1.x" });

    expect(await scene.attempt({ owner: { runAttempt: 2 } })).toMatchObject({ kind: "submitted" });
    expect(scene.clock.waits).toStrictEqual([]);
    expect(scene.log.lines).toStrictEqual([
      "info: An earlier run claimed this request but sent nothing; starting again.",
      "info: Agent job job-1 is created.",
    ]);
  });

  test("names the run that works on the request", async () => {
    const scene = setScene();
    const claim = await scene.seed({ runUrl: "https://github.example/runs/9" });

    expect(refuseInProgress(claim)).toMatchObject({
      reason: "other-run",
      message: expect.stringMatching(/^In progress: .*https:\/\/github\.example\/runs\/9/),
    });
  });

  test("leaves a lost answer alone, now and later", async () => {
    const scene = setScene();

    const first = await scene.attempt({ send: lost });
    const second = await scene.attempt({ owner: { runAttempt: 2 } });

    expect([first.kind, second.kind]).toStrictEqual(["lost", "lost"]);
    expect(scene.claims.records()).toMatchObject([{ state: "unknown" }]);
    expect(scene.submissions()).toBe(1);
  });

  test("takes the record of a run that was killed while submitting for a lost answer", async () => {
    const scene = setScene();
    await scene.seed({ state: "submitting", owner: "1.1.x", leaseSeconds: 180 });

    expect(await scene.attempt({ owner: { runAttempt: 2 } })).toMatchObject({ kind: "lost" });
    expect(scene.submissions()).toBe(0);
  });

  test("submits once more where the workflow accepts a second job, and no more than once", async () => {
    const scene = setScene();
    await scene.seed({ state: "unknown" });

    expect(await scene.attempt({ onAmbiguous: "resubmit", send: lost })).toMatchObject({ kind: "lost" });
    expect(scene.submissions()).toBe(2);
    expect(scene.log.lines).toContain("warning: 500 Submitting again, because of `on-ambiguous: resubmit`.");
    expect(await scene.attempt({ onAmbiguous: "resubmit" })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toMatchObject([{ state: "working" }]);
  });

  test("neither believes nor ignores one under a replaced key", async () => {
    const scene = setScene();
    const claim = await scene.seed({ state: "working", jobId: "job-0" });
    const list = async () => [{ ...claim, isUnverifiable: true }];

    expect(await scene.attempt({ claims: { list } })).toMatchObject({ kind: "lost" });
    expect(scene.submissions()).toBe(0);
  });
});

describe("a request in a queue", () => {
  test.each([
    [1, { list: 2, reread: 146, update: 22 }],
    [20, { list: 14, reread: 1, update: 3 }],
  ])("behind %i others makes few requests in an hour: %j", async (others, expected) => {
    const scene = setScene();
    await scene.seedQueue(others);
    const calls = { list: 0, reread: 0, update: 0 };
    const count = <Arguments extends unknown[], Result>(
      name: keyof typeof calls,
      call: (...given: Arguments) => Result,
    ) => {
      return (...given: Arguments) => {
        calls[name] += 1;
        return call(...given);
      };
    };
    const { list, reread, update } = scene.claims;
    const claims = {
      list: count("list", list),
      reread: count("reread", reread),
      update: count("update", update),
    };

    await expect(scene.attempt({ claims })).rejects.toMatchObject({ code: "timed-out" });
    expect(calls).toStrictEqual(expected);
    expect(scene.clock.waits.slice(0, 3)).toStrictEqual([3_000, 3_900, 5_070].map((ms) => ms * others));
    expect(Math.max(...scene.clock.waits)).toBe(30_000 * others);
  });

  test("comes after an older one that waits, and after every one that was sent", async () => {
    const scene = setScene();
    const rival = { leaseSeconds: 600, outcome: "queued behind job-1" } as const;
    await scene.seed({ trigger: "older", owner: "2.1.x", ...rival });
    const create = scene.createBefore(async () => {
      await scene.seed({ trigger: "younger", owner: "3.1.x", ...rival });
      await scene.seed({ trigger: "sent", owner: "4.1.x", state: "working", leaseSeconds: 300 });
    });

    expect(await scene.attempt({ claims: { create } })).toMatchObject({ kind: "submitted" });
    const story = scene.claims.history.filter((each) => each.includes("behind https://"));
    expect([...new Set(story)].map((each) => each.slice(-2))).toStrictEqual(["/4", "/1"]);
  });

  test("waits as long as it is told to where no run is known to come first", async () => {
    const { clock, open } = setScene();
    const lease = open();
    await lease.acquire();

    await lease.waitAndRenew("queued", clock.now() + 60_000, "Queued.", () => 0);

    expect(clock.waits).toStrictEqual([60_000]);
  });

  test("outlasts an hour without answers of GitHub", async () => {
    const scene = setScene();
    await scene.seed({ trigger: "other", state: "submitting", owner: "1.1.x", leaseSeconds: 600 });
    const isDown = () => scene.clock.now() > startMs && scene.clock.now() < startMs + 50 * 60_000;
    const startMs = scene.clock.now();
    let refused = 0;
    const failing =
      <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments) => {
        if (!isDown()) return call(...given);
        refused += 1;
        throw new GitHubError("rate-limited", "GitHub's rate limit is reached.");
      };
    const { list, reread, update, create } = scene.claims;
    const claims = {
      list: failing(list),
      reread: failing(reread),
      update: failing(update),
      create: failing(create),
    };

    expect(await scene.attempt({ claims })).toMatchObject({ kind: "submitted" });
    expect(scene.clock.now() - startMs).toBeGreaterThan(50 * 60_000);
    expect(refused).toBeLessThan(60);
    expect(scene.log.lines).toContain("notice: GitHub's rate limit is reached. The request stays queued.");
    expect(scene.submissions()).toBe(1);
  });

  test("ends with a failure of GitHub that does not pass", async () => {
    const scene = setScene();
    await scene.seed({ trigger: "other", state: "submitting", owner: "1.1.x", leaseSeconds: 600 });
    const reread = () => Promise.reject(new GitHubError("missing-permission", "no"));

    await expect(scene.attempt({ claims: { reread } })).rejects.toMatchObject({ code: "missing-permission" });
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.records().at(-1)).toMatchObject({
      state: "released",
      message: expect.stringContaining("`permissions:`"),
    });
  });

  test("notices soon that a user stopped it", async () => {
    const scene = setScene();
    await scene.seedQueue(10);
    const startMs = scene.clock.now();

    await expect(scene.attempt({ claims: { update: scene.stopWhile("") } })).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(scene.clock.now() - startMs).toBeLessThan(60_000);
  });

  test("notices soon that its turn has come", async () => {
    const scene = setScene();
    const queue = await scene.seedQueue(10);
    const startMs = scene.clock.now();
    // Each of the others takes two minutes.
    const list: ClaimStore["list"] = async () => {
      const ended = Math.floor((scene.clock.now() - startMs) / 120_000);
      for (const { id } of queue.splice(0, ended - (10 - queue.length)))
        await scene.claims.remove({ id } as StoredClaim);
      return scene.claims.list();
    };
    const reread: ClaimStore["reread"] = async (claim) => {
      await list();
      return scene.claims.reread(claim);
    };

    expect(await scene.attempt({ claims: { list, reread } })).toMatchObject({ kind: "submitted" });
    expect((scene.clock.now() - startMs) / 60_000).toBeLessThan(20.6);
  });
});

describe("a used-up limit", () => {
  test("holds the request back visibly, then it is submitted", async () => {
    const scene = setScene();
    let refusals = 2;
    const send = async () => {
      refusals -= 1;
      return refusals >= 0 ? refusal("rate-limited", 600_000)() : { id: "job-1" };
    };

    expect(await scene.attempt({ send })).toMatchObject({ kind: "submitted" });
    const tenMinutes = [180_000, 180_000, 180_000, 60_000];
    expect(scene.clock.waits).toStrictEqual([...tenMinutes, ...tenMinutes]);
    expect(scene.log.lines.filter((line) => line.startsWith("notice: "))).toStrictEqual(
      ["00:10", "00:20"].map(
        (time) =>
          `notice: The platform's rate limit for jobs is reached; queued until 2026-01-01T${time}:00.000Z.`,
      ),
    );
    expect(new Set(scene.claims.history)).toStrictEqual(
      new Set([
        "claimed",
        "submitting",
        "claimed: queued until 2026-01-01T00:10:00.000Z",
        "claimed: queued until 2026-01-01T00:20:00.000Z",
        "working",
      ]),
    );
  });

  test("renews the waiting claim with a change each time, as GitHub takes nothing else for one", async () => {
    const scene = setScene();
    const written: string[] = [];
    const update: ClaimStore["update"] = (claim, record) => {
      written.push(JSON.stringify(record));
      return scene.claims.update(claim, record);
    };

    await scene
      .attempt({ send: refusal("rate-limited", 1_200_000), claims: { update } })
      .catch(() => undefined);

    expect(written.length).toBeGreaterThan(6);
    expect(written.filter((each, index) => each === written[index - 1])).toStrictEqual([]);
  });

  test("is waited for where GitHub responds later than the wait ends", async () => {
    const scene = setScene();
    const delaysMs = [60_000];
    const reread: ClaimStore["reread"] = async (claim) => {
      await scene.passTime(delaysMs.shift() ?? 0);
      return scene.claims.reread(claim);
    };
    const answers = [refusal("rate-limited", 181_000)];
    const send = () => answers.shift()?.() ?? Promise.resolve({ id: "job-1" });

    const leases: number[] = [];
    const update: ClaimStore["update"] = (claim, record) => {
      if (record.state === "claimed") leases.push(record.leaseSeconds);
      return scene.claims.update(claim, record);
    };

    expect(await scene.attempt({ send, claims: { reread, update } })).toMatchObject({ kind: "submitted" });
    expect(leases).toStrictEqual([195, 15]);
  });

  test("ends within three minutes after a user stopped the request", async () => {
    const scene = setScene();
    const startMs = scene.clock.now();
    const claims = { update: scene.stopWhile("queued until") };

    const stopped = scene.attempt({ send: refusal("rate-limited", 1_200_000), claims });

    await expect(stopped).rejects.toMatchObject({ code: "cancelled" });
    expect(scene.clock.now() - startMs).toBe(3 * 60_000);
  });

  test("sends nothing after the deadline if GitHub responds late", async () => {
    const scene = setScene();
    const reread: ClaimStore["reread"] = async (claim) => {
      await scene.passTime(10_000);
      return scene.claims.reread(claim);
    };
    const run = { deadlineMs: scene.clock.now() + 65_000 };

    const late = scene.attempt({ send: refusal("rate-limited", 60_000), claims: { reread }, run });

    await expect(late).rejects.toMatchObject({ code: "timed-out" });
    expect(scene.submissions()).toBe(1);
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "timed-out" }]);
  });

  test("is asked ever less often where the platform names a time that is over", async () => {
    const scene = setScene();

    await expect(scene.attempt({ send: refusal("rate-limited", 0) })).rejects.toMatchObject({
      code: "rate-limited",
    });
    expect(scene.clock.waits.slice(0, 8)).toStrictEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
  });

  test("that lasts longer than the run may wait ends it, and lets a later run try", async () => {
    const scene = setScene();

    const until = new Date(scene.clock.now() + 3_600_000).toISOString();

    await expect(scene.attempt({ send: refusal("rate-limited", 3_600_000) })).rejects.toMatchObject({
      code: "rate-limited",
    });
    expect(scene.claims.records()).toMatchObject([
      { state: "released", outcome: `rate-limited until ${until}` },
    ]);
    expect(await scene.attempt({ owner: { runAttempt: 2 } })).toMatchObject({ kind: "submitted" });
  });

  test("leaves the request to another run once its queued run is gone", async () => {
    const scene = setScene();
    const gone = new Error("The runner is gone.");
    const clock = { now: scene.clock.now, sleep: () => Promise.reject(gone) };
    const update: ClaimStore["update"] = (claim, record) =>
      record.state === "released" ? Promise.reject(gone) : scene.claims.update(claim, record);
    const send = refusal("rate-limited", 3_000_000);
    await expect(scene.attempt({ send, claims: { update }, run: { clock } })).rejects.toBe(gone);
    expect(await scene.attempt({ owner: { runId: "2" } })).toMatchObject({ kind: "busy" });

    await scene.passTime(4 * 60_000);

    expect(await scene.attempt({ owner: { runId: "2" } })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toMatchObject([{ state: "working" }]);
  });

  test("is waited for no longer than the request stands", async () => {
    const scene = setScene();

    expect(await scene.attempt({ send: refusal("rate-limited", 1000), isDeleted: true })).toMatchObject({
      kind: "withdrawn",
      refusal: { reason: "text-deleted" },
    });
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "skipped" }]);
  });
});

describe("nothing is sent", () => {
  test("where another run took the request while the machine was asleep", async () => {
    const scene = setScene();
    const sleep = async (ms: number, signal: AbortSignal) => {
      await scene.clock.sleep(ms + 3_600_000, signal);
      await scene.seed({ owner: "2.1.x", state: "submitting", leaseSeconds: 180 });
    };
    const run = { clock: { now: scene.clock.now, sleep }, deadlineMs: scene.clock.now() + 3 * 3_600_000 };

    expect(await scene.attempt({ send: refusal("rate-limited", 60_000), run })).toMatchObject({
      kind: "other-run",
    });
    expect(scene.submissions()).toBe(1);
  });

  test("where another run took the request while GitHub did not respond to the queued run", async () => {
    const scene = setScene();
    let renewals = 0;
    const update: ClaimStore["update"] = async (claim, record) => {
      renewals += Number(record.outcome?.startsWith("queued until") ?? false);
      if (renewals === 2 && record.state === "claimed") {
        await scene.passTime(10 * 60_000);
        expect(await scene.attempt({ owner: { runId: "2" } })).toMatchObject({ kind: "submitted" });
      }
      return scene.claims.update(claim, record);
    };

    expect(
      await scene.attempt({ send: refusal("rate-limited", 1_200_000), claims: { update } }),
    ).toMatchObject({ kind: "other-run" });
    expect(scene.submissions()).toBe(2);
  });

  test("where GitHub responds so slowly that every claim expires", async () => {
    const scene = setScene();
    const claims = createSlowClaims(scene, 200_000);

    await expect(scene.attempt({ claims })).rejects.toMatchObject({ code: "unavailable" });
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.history).toStrictEqual([...Array(4).fill("claimed"), "released: failed"]);
    expect(scene.claims.records()).toMatchObject([
      { message: expect.stringContaining("GitHub responds too slowly") },
    ]);
  });

  test("when the run's time is over", async () => {
    const scene = setScene();

    await expect(scene.attempt({ run: { deadlineMs: scene.clock.now() } })).rejects.toMatchObject({
      code: "timed-out",
      hint: "Run again, or raise `timeout-minutes`.",
    });
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "timed-out" }]);
  });

  test("where it could not be written down that it is about to be", async () => {
    const scene = setScene();
    const update: ClaimStore["update"] = (claim, record) =>
      record.state === "submitting" ? Promise.reject(new Error("502")) : scene.claims.update(claim, record);

    await expect(scene.attempt({ claims: { update } })).rejects.toThrow("502");
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "failed" }]);
    expect(scene.claims.records()[0]).not.toHaveProperty("message");
  });
});

describe("what is left behind", () => {
  test("is a released claim when the platform turns the request away", async () => {
    const scene = setScene();

    await expect(scene.attempt({ send: refusal("forbidden") })).rejects.toMatchObject({ code: "forbidden" });
    expect(scene.claims.records()).toMatchObject([
      { state: "released", outcome: "failed", message: expect.stringMatching(/^forbidden: no \w.*\.$/) },
    ]);
    expect(scene.submissions()).toBe(1);
  });

  test.each([
    ["before it sent anything", "claimed", "released", "before the request was sent"],
    ["while it waits for the answer", "submitting", "unknown", "may have started an agent job"],
  ])("is true when the run is cancelled %s", async (_name, during, left, message) => {
    const scene = setScene();
    const controller = new AbortController();
    const cancel = () => {
      controller.abort(cancelled);
      return Promise.reject(cancelled);
    };
    const update: ClaimStore["update"] = (claim, record) =>
      during === "claimed" || controller.signal.aborted ? cancel() : scene.claims.update(claim, record);

    await expect(
      scene.attempt({ claims: { update }, send: cancel, run: { signal: controller.signal } }),
    ).rejects.toMatchObject({ message: expect.stringContaining(message), cause: cancelled });
    expect(scene.claims.records()).toMatchObject([{ state: left, outcome: "cancelled" }]);
    expect(scene.claims.records()[0]).not.toHaveProperty("message");
    // The post step reads it again: GitHub may execute a change that was cut off after this one.
    expect(scene.saved.slice(-2)).toStrictEqual([left, "unsettled: true"]);
  });

  test.each<[string, (create: ClaimStore["create"]) => ClaimStore["create"]]>([
    [
      "the answer to it was lost",
      (create) => async (record) => {
        await create(record);
        throw new Error("connection reset");
      },
    ],
    [
      "GitHub refused it and wrote it nevertheless",
      (create) => async (record) => {
        await create(record);
        return create(record);
      },
    ],
  ])("is one claim when %s", async (_name, disturb) => {
    const scene = setScene();

    const claims = { create: disturb(scene.claims.create) };

    expect(await scene.attempt({ claims })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toMatchObject([{ state: "working" }]);
  });

  test.each([false, true])(
    "is one claim when GitHub did not get the first, or lists it late: %s",
    async (isLate) => {
      const scene = setScene();
      const records: ClaimRecord[] = [];
      const create: ClaimStore["create"] = async (record) => {
        records.push(record);
        if (records.length === 1) throw unreachable;
        if (isLate) await scene.claims.create(records[0] ?? record);
        return scene.claims.create(record);
      };

      expect(await scene.attempt({ claims: { create } })).toMatchObject({ kind: "submitted" });
      expect(records).toHaveLength(2);
      expect(scene.claims.records()).toMatchObject([{ state: "working" }]);
    },
  );

  test("is one claim when GitHub wrote the first, and lists the second later", async () => {
    const scene = setScene();
    let requests = 0;
    const create: ClaimStore["create"] = async (record) => {
      const claim = await scene.claims.create(record);
      requests += 1;
      if (requests === 2) return claim;
      throw unreachable;
    };
    // After each pause, one claim more is listed.
    const list: ClaimStore["list"] = async () =>
      (await scene.claims.list()).slice(0, Math.max(0, scene.clock.waits.length));

    expect(await scene.attempt({ claims: { create, list } })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toMatchObject([{ state: "working" }]);
  });

  test("is known to the post step before it is written", async () => {
    const scene = setScene();

    await expect(
      scene.attempt({ claims: { create: () => Promise.reject(new Error("403")) } }),
    ).rejects.toThrow("403");
    expect(scene.saved).toStrictEqual(["claimed", "unsettled: true", "released", "unsettled: false"]);
  });

  test("is a released claim when a cancellation cuts off the answer to it", async () => {
    const scene = setScene();
    const controller = new AbortController();
    const create: ClaimStore["create"] = async (record) => {
      await scene.claims.create(record);
      controller.abort(cancelled);
      throw cancelled;
    };

    await expect(
      scene.attempt({ claims: { create }, run: { signal: controller.signal } }),
    ).rejects.toMatchObject({
      cause: cancelled,
      message: "Stopped before the request was sent.",
      hint: "Run again to send it.",
    });
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "cancelled" }]);
  });

  test("is for the post step to find where GitHub does not respond to a cancelled run", async () => {
    const scene = setScene();
    const controller = new AbortController();
    const create: ClaimStore["create"] = async () => {
      controller.abort(cancelled);
      throw cancelled;
    };
    const shutdownStore = { list: () => Promise.reject(new Error("no response")) };

    await expect(
      scene.attempt({ claims: { create }, shutdownStore, run: { signal: controller.signal } }),
    ).rejects.toMatchObject({ cause: cancelled });
    expect(scene.saved).toStrictEqual(["claimed", "unsettled: true"]);
  });

  test("is the job, also when the run is cancelled while it is written down", async () => {
    const scene = setScene();
    const controller = new AbortController();
    const update: ClaimStore["update"] = (claim, record) => {
      if (record.state !== "working") return scene.claims.update(claim, record);
      controller.abort(cancelled);
      return Promise.reject(cancelled);
    };

    await scene.attempt({ claims: { update }, run: { signal: controller.signal } });

    expect(scene.claims.records()).toMatchObject([{ state: "working", jobId: "job-1" }]);
  });

  /** A store that refuses to write one state. */
  const refusing = ({ claims }: ReturnType<typeof setScene>, state: ClaimRecord["state"]) => ({
    update: ((claim, record) =>
      record.state === state
        ? Promise.reject(new Error("502"))
        : claims.update(claim, record)) satisfies ClaimStore["update"],
  });

  test("is for the post step to write where GitHub does not take it", async () => {
    const scene = setScene();

    const attempt = scene.attempt({ send: lost, claims: refusing(scene, "unknown") });

    expect(await attempt).toMatchObject({ kind: "lost" });
    expect(scene.saved.slice(-2)).toStrictEqual(["unknown", "unsettled: true"]);
  });

  test("is the job, also where it cannot be written down", async () => {
    const scene = setScene();

    expect(await scene.attempt({ claims: refusing(scene, "working") })).toMatchObject({
      kind: "submitted",
      job: { jobId: "job-1" },
    });
    expect(scene.log.lines.join()).toContain("could not be written");
    expect(scene.saved.slice(-2)).toStrictEqual(["working", "unsettled: true"]);
  });
});

describe("an active request", () => {
  const hasEnded = new Set<string>();
  const setRequests = () => {
    hasEnded.clear();
    const scene = setScene();
    const active = new ActiveRequests(ours, async (jobId) => hasEnded.has(jobId), scene.clock);
    const find = async () => (await active.findLast(await scene.claims.list()))?.id;
    return { ...scene, active, find };
  };

  test.each<[isActive: boolean, record: Partial<ClaimRecord>]>([
    [true, { state: "claimed", outcome: "queued behind job-1" }],
    [true, { state: "submitting" }],
    [true, { state: "working", jobId: "job-1" }],
    [true, { state: "working" }],
    [false, { state: "working", jobId: "job-1", outcome: "detached" }],
    [false, { state: "unknown" }],
    [false, { state: "ended" }],
    [false, { state: "released" }],
  ])("is %j for %j", async (isActive, record) => {
    const { seed, find, passTime } = setRequests();
    await seed(record);

    await passTime(15_000 + graceMs - 1);
    expect(await find()).toBe(isActive ? 1 : undefined);
    await passTime(1);
    expect(await find()).toBeUndefined();
  });

  test("is the last one, and none under a replaced key", async () => {
    const { active, claims, seed, find } = setRequests();
    await seed({ state: "submitting" });
    await seed({ state: "working", jobId: "job-1" });
    await seed({ state: "ended" });

    expect(await find()).toBe(2);
    const unverifiable = (await claims.list()).map((claim) => ({ ...claim, isUnverifiable: true }));
    expect(await active.findLast(unverifiable)).toBeUndefined();
  });

  test("has ninety seconds to record the end of its job", async () => {
    const { seed, find, passTime } = setRequests();
    await seed({ state: "working", jobId: "job-1", leaseSeconds: 3_600 });
    hasEnded.add("job-1");

    expect(await find()).toBe(1);
    await passTime(89_999);
    expect(await find()).toBe(1);
    await passTime(1);
    expect(await find()).toBeUndefined();
    // A later job of the same thread is not over.
    await seed({ state: "working", jobId: "job-2", owner: "8.1.x", leaseSeconds: 3_600 });
    hasEnded.add("job-2");
    expect(await find()).toBe(2);
  });
});

describe("the draft of a record", () => {
  const facts = { ...draft, runUrl: "https://github.com/octo-org/widgets/actions/runs/1" };
  const written = (action: string) =>
    ({
      type: "text",
      action,
      text: { author: { login: "mona" } },
      sender: { login: "hubot" },
    }) as Partial<Extract<GitHubEvent, { type: "text" }>> as GitHubEvent;

  test.each(["created", "labeled", "edited"])(
    "of a text that was %s names the sender of the event",
    (action) => {
      expect(draftRecord(facts, "How?", [], written(action))).toMatchObject({ requester: "hubot" });
    },
  );

  test("keeps within the record's limits, however much was asked and noted", () => {
    const notes = Array.from({ length: 20 }, (_, index) => `${index} note `.repeat(100));

    const draft = draftRecord(facts, "x".repeat(70_000), notes, written("created"));

    expect(z.partial(ClaimRecord).safeParse(draft)).toMatchObject({ success: true });
    expect(draft.request).toMatch(/^x{3999}…$/);
    expect(draft.notes?.map((note) => note.charAt(0))).toStrictEqual([..."01234567"]);
    expect(draftRecord(facts, "How?", [], written("created"))).not.toHaveProperty("notes");
    expect(draftRecord(facts, "How?", ["note"], written("created"))).toHaveProperty("notes", ["note"]);
  });
});
