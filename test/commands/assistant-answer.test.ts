import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HttpClient } from "../../src/base/http.ts";
import type { Clock } from "../../src/base/runtime.ts";
import type { CollectedAnswer } from "../../src/client/collect-answer.ts";
import { PlatformClient } from "../../src/client/platform-client.ts";
import {
  askAssistant,
  codeContextOf,
  composeQuestion,
  fingerprintOf,
  readContextItems,
} from "../../src/commands/assistant-answer.ts";
import { LiveAnswer } from "../../src/commands/assistant-comment.ts";
import type { ClaimLease } from "../../src/commands/claim-lease.ts";
import type { AssistantInputs } from "../../src/commands/inputs.ts";
import { readRequest } from "../../src/commands/request-from-event.ts";
import { readEvent } from "../../src/github/event.ts";
import { type ScriptedAnswer, startAssistantPlatform, v1Answer } from "../support/assistant-platform.ts";
import { loadEvent } from "../support/event.ts";
import { createPatientClock } from "../support/fake-clock.ts";
import { createRecordingRun } from "../support/recording-run.ts";

const baseUrl = new URL("https://api.example.com");
const inputs = { baseUrl, apiVersion: "v1", retrievalPageSize: 5 } as AssistantInputs;
const options = { triggerPhrases: ["/ask"], prompt: undefined, runId: "1", requestType: "question" } as const;
const conversation = (threadId?: string) => ({ threadId, turns: [] });
const asked = { domain: "docs.example.com", id: "ask-1", text: "How?", fp: "anonymous", context: [] };

describe("a question", () => {
  test("is the smallest request that the specification allows", () => {
    const message = { id: "ask-1", role: "user", parts: [{ type: "text", text: "How?" }] };
    const common = { fp: "anonymous", retrievalPageSize: 5 };
    expect(composeQuestion(inputs, asked, conversation()).request).toEqual({
      ...common,
      messages: [{ ...message, content: "How?" }],
    });
    expect(composeQuestion({ ...inputs, apiVersion: "v2" }, asked, conversation("t-1")).request).toEqual({
      ...common,
      threadId: "t-1",
      messages: [message],
    });
    const local = composeQuestion(
      { ...inputs, baseUrl: "local", threadId: "t-2" },
      asked,
      conversation("t-1"),
    );
    expect(local.request, "its conversations ended").not.toHaveProperty("threadId");
  });

  test("says which documentation and page it is about, as far as that is known", () => {
    const item = { type: "code", value: "rotate()" } as const;
    const requestOf = (change: Partial<Parameters<typeof composeQuestion>[0]>, context = [item]) =>
      composeQuestion({ ...inputs, ...change }, { ...asked, context }, conversation()).request;

    expect(requestOf({ filterVersion: "2" })).toMatchObject({ filter: { version: "2" }, context: [item] });
    expect(requestOf({ filterLanguage: "de" }).filter).toStrictEqual({ language: "de" });
    expect(requestOf({ currentPath: "/keys" }).currentPath).toBe("/keys");
    expect(Object.keys(requestOf({}, []))).toStrictEqual(["fp", "retrievalPageSize", "messages"]);
  });
});

test("a question on code carries what can be seen of the code, and tells what can not be seen of the question", async () => {
  const payload = loadEvent("pull_request_review_comment.created", {
    action: "created",
    comment: {
      body: "/ask why?<!-- hidden -->",
      path: "ci\u200b.js",
      diff_hunk: "@@ -1 +1 @@\n+ro\u200btate()",
    },
  });
  const event = readEvent("pull_request_review_comment", payload);
  expect(await readRequest(event, options)).toMatchObject({
    instruction: "why?",
    removed: { hiddenSegments: 1 },
  });
  expect(codeContextOf(event)).toEqual([{ type: "code", value: "@@ -1 +1 @@\n+rotate()", path: "ci.js" }]);
});

describe("context items", () => {
  test("are read from YAML or JSON", async () => {
    const item = { type: "code", value: "rotate()", path: "ci.js" };
    expect(await readContextItems("- type: code\n  value: rotate()\n  path: ci.js\n")).toEqual([item]);
    expect(await readContextItems(JSON.stringify([item]))).toEqual([item]);
    expect(await readContextItems(undefined)).toEqual([]);
  });

  test.each([
    [
      "- type: picture\n  value: x\n",
      "Item 1 of `context-items` needs `type: code` or `type: textSelection`.",
    ],
    ["- { type: code, value: x }\n- { type: code }", "Item 2 of `context-items` needs a text as `value`."],
    [
      "- { type: code, value: x, line: 1 }",
      "Item 1 of `context-items` has a field that does not exist: line.",
    ],
    ["[x]", "Item 1 of `context-items` must have `type` and `value`."],
    ["type: code", "`context-items` must be a list of items with `type` and `value`."],
    ["[", "neither YAML nor JSON"],
    [`- &a x\n${"- [*a, *a, *a, *a, *a]\n".repeat(21)}`, "neither YAML nor JSON"],
  ])("that are not as the specification has them are refused: %j", async (text, message) => {
    await expect(readContextItems(text)).rejects.toThrow(message);
  });
});

test("a fingerprint is the same for a thread, another for another, and names neither", () => {
  const one = fingerprintOf("123", "issue:7");
  expect(fingerprintOf("123", "issue:7")).toBe(one);
  expect(fingerprintOf("123", "issue:8")).not.toBe(one);
  expect(fingerprintOf("124", "issue:7")).not.toBe(one);
  expect(one).toMatch(/^thread-[0-9a-f]{32}$/);
  expect(fingerprintOf("123", undefined)).toBe("anonymous");
});

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
        inputs: { ...inputs, threadId: isThreadGiven ? "t-1" : undefined },
        content: asked,
        conversation: { threadId: isThreadGiven ? undefined : "t-1", turns: [] },
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

/** An answer on a thread whose comment's first line is kept of each edit; `written` ends each of them. */
function startLiveAnswer(clock: Clock, written: () => Promise<unknown> = () => turn()) {
  const shown: string[] = [];
  const lease = {
    hasClaim: true,
    claim: { record: { state: "submitting" } },
    async write(_change: unknown, body: string) {
      shown.push(body.split("\n", 1)[0] ?? "");
      await written();
    },
    tryWrite: async () => undefined,
  };
  const asked = { links: { baseUrl: undefined, allowed: [] }, triggerPhrase: undefined };
  const live = new LiveAnswer(lease as unknown as ClaimLease, asked, createRecordingRun({ clock }));
  return { live, shown };
}

describe("live edits", () => {
  test("show the first words soon and the next ones seconds later, only where something changed", async () => {
    const { clock, pass } = createManualClock();
    const { live, shown } = startLiveAnswer(clock);
    live.showText("One. tw");
    await pass(799);
    expect(shown).toEqual([]);
    await pass(1);
    expect(shown).toEqual(["One."]);
    live.showText("One. two");
    await pass(3_999);
    live.showText("One. two. three.");
    await pass(1);
    expect(shown).toEqual(["One.", "One. two."]);
    await pass(10_000);
    live.showText("One. two. four.");
    await pass(10_000);
    expect(shown).toHaveLength(2);
    await live.fail(new Error("The end."));
  });

  test("stop at once, after the edit under way", async () => {
    const { clock, pass } = createManualClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { live } = startLiveAnswer(clock, () => promise);
    live.showText("One. tw");
    await pass(800);
    let isStopped = false;
    const stopped = live.fail(new Error("The end.")).then(() => {
      isStopped = true;
    });
    await turn();
    expect(isStopped).toBe(false);
    resolve();
    await stopped;
  });
});
