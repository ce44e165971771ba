import { describe, expect, test } from "vitest";
import type { Clock } from "../../../src/base/runtime.ts";
import {
  type AssistantQuestion,
  type AssistantStream,
  readAnswerEvents,
} from "../../../src/client/assistant-stream.ts";
import { PlatformError } from "../../../src/client/errors.ts";
import { askAssistant } from "../../../src/commands/assistant/ask-assistant.ts";
import { chunksCutAt } from "../../support/chunked-bytes.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const day = 24 * 60 * 60_000;

/** Waits of less than a day pass at once; the deadline, a day away, does not come. */
function createPatientClock() {
  const clock = createFakeClock();
  const patient: Clock = {
    now: clock.now,
    sleep: (ms, signal) =>
      ms < day / 2
        ? clock.sleep(ms, signal)
        : new Promise((_, reject) => signal.addEventListener("abort", reject)),
  };
  return { clock: patient, waits: clock.waits };
}

const refusal = (retryAfterMs?: number) =>
  new PlatformError("rate-limited", "429", retryAfterMs === undefined ? {} : { retryAfterMs });

function answer(text: string, threadKey?: string): AssistantStream {
  const lines = `0:${JSON.stringify(text)}\nd:{"finishReason":"stop"}\n`;
  const events: AssistantStream["events"] = (signal) =>
    readAnswerEvents(chunksCutAt(lines, []), "data-stream", signal);
  return { threadId: undefined, threadKey, events };
}

/** Asks a platform that gives these answers in turn. */
async function ask(
  answers: readonly (PlatformError | AssistantStream)[],
  changes: Record<string, unknown> = {},
) {
  const { clock, waits } = createPatientClock();
  const asked: (string | null | undefined)[] = [];
  const queued: string[] = [];
  const secrets = ["svc_dsc_key"];
  const compose = (threadId: string | undefined): AssistantQuestion => ({
    version: "v1",
    domain: "d",
    request: { fp: "anonymous", messages: [], threadId },
  });
  const result = askAssistant(
    { compose, threadId: "t-1", isThreadGiven: false, deadlineMs: clock.now() + day, ...changes },
    {
      async openStream({ request }) {
        asked.push(request.threadId);
        const next = answers[asked.length - 1];
        if (next === undefined || next instanceof PlatformError) throw next;
        return next;
      },
      keepSecret: (secret) => void secrets.push(secret),
      redact: (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text),
      onText: () => undefined,
      onQueued: async (until) => void queued.push(until.toISOString()),
      clock,
      log: createRecordingLog(),
      signal: new AbortController().signal,
    },
  );
  return { result, asked, queued, waits };
}

describe("a question that the platform's limit refuses", () => {
  test("is asked again when the platform says, or ever more seldom, and each wait is told", async () => {
    const refusals = [refusal(90_000), refusal(), refusal(), refusal(), refusal(), refusal()];
    const { result, queued, waits } = await ask([...refusals, answer("Yes.")]);
    expect(await result).toMatchObject({ text: "Yes.", failure: undefined });
    expect(waits).toEqual([90_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
    expect(queued).toHaveLength(6);
    expect(queued[0]).toBe("2026-01-01T00:01:30.000Z");
  });

  test("is given up where the wait would outlast the deadline", async () => {
    const { result, queued } = await ask([refusal(2 * day)]);
    await expect(result).rejects.toMatchObject({ code: "rate-limited" });
    expect(queued).toEqual([]);
  });
});

describe("a conversation that the platform has forgotten", () => {
  const forgotten = new PlatformError("not-found", "404");

  test("begins anew, unless a user named it", async () => {
    const { result, asked } = await ask([forgotten, answer("Yes.")]);
    expect(await result).toMatchObject({ text: "Yes." });
    expect(asked).toEqual(["t-1", undefined]);
    await expect((await ask([forgotten], { isThreadGiven: true })).result).rejects.toBe(forgotten);
  });
});

describe("what is shown of an answer", () => {
  test("holds neither the key nor the thread's key nor what nobody sees", async () => {
    const { result } = await ask([answer("svc_dsc_key\u200b and thread-key.", "thread-key")]);
    expect((await result).text).toBe("*** and ***.");
  });

  test("is none where nothing of it can be seen", async () => {
    const { result } = await ask([answer("<!-- nothing -->")]);
    expect(await result).toMatchObject({ text: "", failure: { code: "unexpected-response" } });
  });
});
