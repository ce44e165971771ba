import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HttpClient } from "../../src/base/http.ts";
import type { Clock } from "../../src/base/runtime.ts";
import type { CollectedAnswer } from "../../src/client/collect-answer.ts";
import { PlatformClient } from "../../src/client/platform-client.ts";
import { askAssistant } from "../../src/commands/assistant-answer.ts";
import { LiveEdits } from "../../src/commands/assistant-comment.ts";
import { type ScriptedAnswer, startAssistantPlatform, v1Answer } from "../support/assistant-platform.ts";
import { createPatientClock } from "../support/fake-clock.ts";
import { createRecordingRun } from "../support/recording-run.ts";

const apiKey = "svc_dsc_key";

const refusal = (retryAfterSeconds?: number): ScriptedAnswer => ({
  status: 429,
  headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
  chunks: [JSON.stringify({ error: "Too many questions" })],
});

/** Asks a platform that gives these answers in turn. */
async function ask(answers: readonly ScriptedAnswer[], isThreadGiven = false) {
  await using platform = await startAssistantPlatform(answers);
  const { clock, waits, deadlineMs } = createPatientClock(Date.UTC(2026, 0, 1));
  const run = createRecordingRun({ clock, deadlineMs });
  const http = new HttpClient();
  await using closing = new AsyncDisposableStack();
  closing.defer(() => http.close());
  const options = { baseUrl: new URL(platform.url), apiKey, http };
  const queued: string[] = [];
  const [result] = await Promise.allSettled([
    askAssistant(
      {
        compose: (threadId = isThreadGiven ? "t-1" : undefined) => ({
          version: "v1",
          domain: "d",
          request: {
            fp: "anonymous",
            retrievalPageSize: 5,
            messages: [{ id: "1", role: "user", content: "?", parts: [{ type: "text", text: "?" }] }],
            ...(threadId !== undefined && { threadId }),
          },
        }),
        ...(!isThreadGiven && { threadId: "t-1" }),
      },
      new PlatformClient(options, run),
      { showText: () => undefined, showQueued: async (until) => void queued.push(until.toISOString()) },
      run,
    ),
  ]);
  return { result, queued, waits, run, threads: platform.asked.map(({ body }) => body["threadId"]) };
}

describe("a question that the platform's limit refuses", () => {
  test("is asked again when the platform says, or less and less often, and each wait is logged", async () => {
    const refusals = [refusal(90), refusal(), refusal(), refusal(), refusal(), refusal()];
    const { result, queued, waits } = await ask([...refusals, { chunks: v1Answer(["Yes."]) }]);
    expect(result).toMatchObject({ value: { text: "Yes.", failure: undefined } });
    expect(waits).toEqual([90_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
    expect(queued).toHaveLength(6);
    expect(queued[0]).toBe("2026-01-01T00:01:30.000Z");
    const impatient = await ask([refusal(0), { chunks: v1Answer(["Yes."]) }]);
    expect(impatient.waits).toEqual([1_000]);
  });

  test("is asked less and less often also where the platform names a short wait each time", async () => {
    const { waits, result } = await ask([...Array(8).fill(refusal(1)), { chunks: v1Answer(["Yes."]) }]);
    expect(result).toMatchObject({ value: { text: "Yes." } });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test.each([48 * 60 * 60, 1e14])(
    "is given up where the wait would outlast the deadline: %d seconds",
    async (seconds) => {
      const { result, queued } = await ask([refusal(seconds)]);
      expect(result).toMatchObject({ reason: { code: "rate-limited" } });
      expect(queued).toEqual([]);
    },
  );
});

describe("a conversation that the platform has forgotten", () => {
  const forgotten: ScriptedAnswer = { status: 404, chunks: [JSON.stringify({ error: "No such thread" })] };

  test("is replaced by a new one, unless a user named it", async () => {
    const { result, threads } = await ask([forgotten, { chunks: v1Answer(["Yes."]) }]);
    expect(result).toMatchObject({ value: { text: "Yes." } });
    expect(threads).toEqual(["t-1", undefined]);
    const given = await ask([forgotten], true);
    expect(given.result).toMatchObject({ reason: { code: "not-found" } });
    expect(given.threads).toEqual(["t-1"]);
  });
});

describe("what is shown of an answer", () => {
  test("holds nothing invisible, and the thread's key is masked from then on", async () => {
    const headers = { "x-thread-key": "k-9f8e7d6c5b4a/3210" };
    const chunks = v1Answer(["One\u200b, k-9f8e7d6c5b4a/3210 and k-9f8e7d6c5b4a%2F3210."]);
    const { result, run } = await ask([{ headers, chunks }]);
    expect(result).toMatchObject({ value: { text: expect.stringMatching(/^One, /) } });
    expect(run.facts).toContain("mask:k-9f8e7d6c5b4a/3210");
    const { text } = (result as PromiseFulfilledResult<CollectedAnswer>).value;
    expect(run.redact(text)).toBe("One, *** and ***.");
  });

  test.each(["e", "docs", "documentation", "https://github.com/octo-org/widgets"])(
    "is not masked where the platform calls %j a key",
    async (word) => {
      const headers = { "x-thread-key": word };
      const { run } = await ask([{ headers, chunks: v1Answer(["Yes."]) }]);
      expect(run.facts).not.toContain(`mask:${word}`);
      expect(run.redact(`the word ${word}`)).toBe(`the word ${word}`);
    },
  );

  test("is none where nothing of it can be seen", async () => {
    const { result } = await ask([{ chunks: v1Answer(["<!-- nothing -->"]) }]);
    expect(result).toMatchObject({ value: { text: "", failure: { code: "unexpected-response" } } });
  });
});

/** A clock whose sleepers wake when the test moves it. */
function createManualClock() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ at: now + ms, wake: resolve });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  };
  async function pass(ms: number) {
    now += ms;
    for (const sleeper of sleepers.splice(0)) {
      if (sleeper.at <= now) sleeper.wake();
      else sleepers.push(sleeper);
    }
    await turn();
  }
  return { clock, pass };
}

describe("live edits", () => {
  test("show the first words soon and the next ones seconds later, only where something changed", async () => {
    const { clock, pass } = createManualClock();
    const shown: string[] = [];
    const select = (text: string) => text.slice(0, text.lastIndexOf(".") + 1);
    const edits = new LiveEdits(select, async (text) => void shown.push(text), clock);
    edits.update("One. tw");
    await pass(799);
    expect(shown).toEqual([]);
    await pass(1);
    expect(shown).toEqual(["One."]);
    edits.update("One. two");
    await pass(3_999);
    edits.update("One. two. three.");
    await pass(1);
    expect(shown).toEqual(["One.", "One. two. three."]);
    await pass(10_000);
    edits.update("One. two. three. fo");
    await pass(10_000);
    expect(shown).toHaveLength(2);
    await edits.stop();
  });

  test("stop at once, after the edit under way", async () => {
    const { clock, pass } = createManualClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    const edits = new LiveEdits(String, () => promise, clock);
    edits.update("One.");
    await pass(800);
    let isStopped = false;
    const stopped = edits.stop().then(() => {
      isStopped = true;
    });
    await turn();
    expect(isStopped).toBe(false);
    resolve();
    await stopped;
  });
});
