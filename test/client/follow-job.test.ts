import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { PlatformError } from "../../src/client/errors.ts";
import { type FollowJobOptions, followJob } from "../../src/client/follow-job.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createRecordingLog } from "../support/recording-log.ts";

interface Job {
  readonly status?: string | undefined;
  readonly percent?: number;
}
type Answer = Job | Error;

/** Follows a job whose looks are answered from a list; the last answer repeats. */
function follow(answers: readonly Answer[], options: Partial<FollowJobOptions<Job>> = {}) {
  const clock = createFakeClock();
  const log = createRecordingLog();
  const controller = new AbortController();
  let looks = 0;
  const read = async () => {
    const answer = answers[Math.min(looks, answers.length - 1)];
    looks += 1;
    if (answer instanceof Error) throw answer;
    return answer ?? {};
  };
  const ended = followJob<Job>(
    {
      name: "export job se_1",
      read,
      describe: ({ status, percent }) => ({
        status,
        percent,
        line: [status ?? "?", percent].filter((word) => word !== undefined).join(", "),
      }),
      isEnded: (status) => status === "completed" || status === "failed",
      goingStatuses: ["queued", "running"],
      submittedMs: clock.now(),
      deadlineMs: clock.now() + 3_600_000,
      ...options,
    },
    { clock, log, random: () => 0.5, signal: controller.signal },
  );
  return { ended, clock, log, controller, looks: () => looks };
}

const unavailable = new PlatformError("unavailable", "Could not look: the platform answered 503.");

describe("followJob", () => {
  test("returns the job once its status is final", async () => {
    const { ended, clock, looks } = follow([
      { status: "queued" },
      { status: "running" },
      { status: "completed" },
    ]);
    expect(await ended).toEqual({ status: "completed" });
    expect(looks()).toBe(3);
    expect(clock.waits).toEqual([2000, 2000, 2828]);
  });

  test("writes one line per change, and one every 30 seconds without change", async () => {
    const { ended, log } = follow([
      { status: "queued" },
      ...Array.from({ length: 12 }, () => ({ status: "running", percent: 5 })),
      { status: "completed" },
    ]);
    await ended;
    expect(log.lines).toMatchInlineSnapshot(`
      [
        "info: Export job se_1: queued (2 s)",
        "info: Export job se_1: running, 5 (4 s)",
        "info: Export job se_1: running, 5 (34 s)",
        "info: Export job se_1: running, 5 (1 min 4 s)",
        "info: Export job se_1: running, 5 (1 min 34 s)",
        "info: Export job se_1: completed (1 min 38 s)",
      ]
    `);
  });

  test("says once that it does not know a status, and goes on", async () => {
    const { ended, log } = follow([
      { status: "warming" },
      { status: "warming" },
      {},
      {},
      { status: "completed" },
    ]);
    await ended;
    expect(log.lines.filter((line) => line.startsWith("warning"))).toEqual([
      "warning: Export job se_1 has a status this action does not know (“warming”); still waiting.",
      "warning: The answer about export job se_1 has no status; still waiting.",
    ]);
  });

  test("tolerates nine failed looks in a row, again and again", async () => {
    const nine = Array.from({ length: 9 }, () => unavailable);
    const { ended } = follow([...nine, { status: "running" }, ...nine, { status: "completed" }]);
    expect(await ended).toEqual({ status: "completed" });
  });

  test("gives up after ten failed looks in a row with the last reason", async () => {
    const { ended, looks } = follow([unavailable]);
    await expect(ended).rejects.toBe(unavailable);
    expect(looks()).toBe(10);
  });

  test.each(["unauthorized", "forbidden", "rejected"] as const)("gives up at once on %s", async (code) => {
    const { ended, looks } = follow([new PlatformError(code, "no")]);
    await expect(ended).rejects.toMatchObject({ code });
    expect(looks()).toBe(1);
  });

  test("tolerates an unknown job for the first 30 seconds only", async () => {
    const unknown = new PlatformError("not-found", "no such job");
    await expect(follow([unknown, { status: "completed" }]).ended).resolves.toEqual({ status: "completed" });
    const { ended, clock } = follow([unknown]);
    await expect(ended).rejects.toBe(unknown);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(30_000);
  });

  test("takes the platform's word, but not a proxy's, that a job which was there is gone", async () => {
    const page = new PlatformError("not-found", "an HTML page");
    const pages = Array.from({ length: 8 }, () => page);
    const running = Array.from({ length: 20 }, () => ({ status: "running" }));
    await expect(follow([...running, ...pages, { status: "completed" }]).ended).resolves.toEqual({
      status: "completed",
    });
    const gone = new PlatformError("not-found", "gone", { isFromApi: true });
    const { ended, looks } = follow([...running, gone]);
    await expect(ended).rejects.toBe(gone);
    expect(looks()).toBe(21);
  });

  test("waits as long as Retry-After says", async () => {
    const limited = new PlatformError("rate-limited", "slow down", { retryAfterMs: 90_000 });
    const { ended, clock } = follow([limited, { status: "completed" }]);
    await ended;
    expect(clock.waits).toEqual([2000, 28_000, 30_000, 30_000, 2000]);
  });

  test("looks a last time exactly at the deadline, and takes what it sees then", async () => {
    const deadlineMs = createFakeClock().now() + 5000;
    const { ended, clock } = follow([{ status: "running" }, { status: "running" }, { status: "completed" }], {
      deadlineMs,
    });
    await expect(ended).resolves.toEqual({ status: "completed" });
    expect(clock.now()).toBe(deadlineMs);
  });

  test("times out at the deadline and says what it last saw", async () => {
    const { ended } = follow([{ status: "running", percent: 40 }], {
      deadlineMs: createFakeClock().now() + 5000,
    });
    await expect(ended).rejects.toMatchObject({
      code: "timed-out",
      message:
        "Stopped waiting for export job se_1: `timeout-minutes` has passed. It was last seen running, 40.",
    });
  });

  test("warns once of a job that has not moved for fifteen minutes", async () => {
    const { ended, log } = follow([
      ...Array.from({ length: 60 }, () => ({ status: "running" })),
      { status: "completed" },
    ]);
    await ended;
    expect(log.lines.filter((line) => line.startsWith("warning"))).toEqual([
      "warning: Export job se_1 has not moved for 15 minutes.",
    ]);
  });

  test("looks at once at a job that may have ended long ago", async () => {
    const { ended, clock } = follow([{ status: "completed" }], { lookAtOnce: true });
    await ended;
    expect(clock.waits).toEqual([0]);
  });

  test("stops waiting with the signal's reason", async () => {
    const { ended, controller } = follow([{ status: "running" }]);
    const reason = new InterruptedError("cancelled", "The workflow was cancelled.");
    controller.abort(reason);
    await expect(ended).rejects.toBe(reason);
  });
});
