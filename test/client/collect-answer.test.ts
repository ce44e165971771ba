import { Readable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { readAnswerEvents } from "../../src/client/assistant-stream.ts";
import { collectAnswer } from "../../src/client/collect-answer.ts";
import { chunksCutAt, singleBytes } from "../support/chunked-bytes.ts";

const quiet = { onText: () => undefined, signal: new AbortController().signal };
const eventsOf = (body: AsyncIterable<Uint8Array>) => (signal: AbortSignal) =>
  readAnswerEvents(Readable.from(body), signal);

function collectV1(lines: readonly string[]) {
  const events = eventsOf(chunksCutAt(lines.map((line) => `${line}\n`).join(""), []));
  return collectAnswer({ events, threadId: "from-header" }, quiet);
}

function collectV2(body: AsyncIterable<Uint8Array>) {
  return collectAnswer({ events: eventsOf(body), threadId: undefined }, quiet);
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\r\n\r\n`;
const v2Answer = [
  ": keep-alive\r\n\r\n",
  event({ type: "start", messageId: "m" }),
  event({ type: "text-start", id: "t" }),
  event({ type: "text-delta", id: "t", delta: "Grüße 🌍" }),
  event({ type: "text-end", id: "t" }),
  event({ type: "source-url", sourceId: "s", url: "/a", title: "A" }),
  event({
    type: "tool-output-available",
    toolCallId: "c",
    output: { results: [{ path: "/b", title: "B" }] },
  }),
  event({ type: "something-new", x: 1 }),
  event({ type: "finish", threadId: "t-top", messageMetadata: { threadId: "t-2" } }),
  "data: [DONE]\r\n\r\n",
].join("");

describe("a collected v1 answer", () => {
  test("is complete with a finish, and prefers the stream's thread identifier to the header's", async () => {
    const answer = await collectV1(['0:"a"', 'd:{"finishReason":"stop","threadId":"t"}']);
    expect(answer).toMatchObject({ text: "a", threadId: "t", failure: undefined, stoppedBy: undefined });
    expect((await collectV1(['0:"a"', 'd:{"finishReason":"stop"}'])).threadId).toBe("from-header");
  });

  test("is complete after any number of blank lines", async () => {
    const blank = Array.from({ length: 70_000 }, () => "");
    expect(await collectV1([...blank, '0:"a"', 'd:{"finishReason":"stop"}'])).toMatchObject({
      text: "a",
      failure: undefined,
    });
  });

  test("separates the texts of two steps, unless the second continues the first", async () => {
    const steps = (isContinued: boolean) => [
      '0:"one"',
      `e:{"finishReason":"stop","isContinued":${isContinued}}`,
      '0:"two"',
      'd:{"finishReason":"stop"}',
    ];
    expect((await collectV1(steps(false))).text).toBe("one\n\ntwo");
    expect((await collectV1(steps(true))).text).toBe("onetwo");
  });

  test.each([
    ["an error part", ['0:"a"', '3:"Overloaded"', 'd:{"finishReason":"stop"}'], "stream-cut", "Overloaded"],
    ["an error finish", ['0:"a"', 'd:{"finishReason":"error"}'], "stream-cut", "no reason"],
    ["two errors", ['3:"First"', '3:"Second"'], "stream-cut", "The assistant failed while answering: First."],
    ["an error without a reason", ['3:" "'], "stream-cut", "failed while answering and gave no reason."],
    ["a reason after the error", ['3:" "', '3:"Quota"'], "stream-cut", "answering: Quota."],
    ["an error with a message", ['3:{"message":"Overloaded"}'], "stream-cut", "answering: Overloaded."],
    [
      "a credential in its reason",
      ['3:"401 for Authorization: Bearer sk-abc123def456 at https://u:pw@x.example/p?api_key=1"'],
      "stream-cut",
      "answering: 401 for Authorization: Bearer *** at https://x.example/p.",
    ],
    ["a reason of several lines", ['3:"a\\n::error::b"'], "stream-cut", "answering: a ::error::b."],
    ["a very long reason", [`3:"${"x".repeat(1_000_000)}"`], "stream-cut", `answering: ${"x".repeat(299)}…`],
    ["no finish but that of a step", ['e:{"finishReason":"stop"}'], "stream-cut", "without a finish"],
    ["a finish without fields", ['0:"a"', "d:null"], "stream-cut", "without a finish"],
    ["no finish", ['0:"a"', 'e:{"finishReason":"stop"}'], "stream-cut", "without a finish"],
    ["a damaged line", ['0:"a"', '0:"b', 'd:{"finishReason":"stop"}'], "stream-cut", "not a part"],
    ["no stream at all", ["hello"], "unexpected-response", "not a part"],
    [
      "JSON",
      ["{", '  "error": "Credits are used up"', "}"],
      "unexpected-response",
      "not a part of a data stream",
    ],
    ["a page", ["", "<!doctype html>", "<title>Sign in</title>"], "unexpected-response", "titled “Sign in”"],
  ])("fails with %s", async (_name, lines, code, message) => {
    const { failure } = await collectV1(lines);
    expect(failure).toMatchObject({ code });
    expect(failure?.message).toContain(message);
  });

  test.each([
    ["length", "length"],
    ["content-filter", "filter"],
  ])("is complete but stopped with the finish reason %s", async (finishReason, stoppedBy) => {
    const answer = await collectV1(['0:"a"', `d:${JSON.stringify({ finishReason })}`]);
    expect(answer).toMatchObject({ failure: undefined, stoppedBy });
  });

  test("is incomplete if it is cut before its finish, and complete if it is cut after it", async () => {
    const stream = '0:"Grüße 🌍"\n2:[{"threadId":"t"}]\nd:{"finishReason":"stop"}\nz:{"more":1}\n0:" and"\n';
    const bytes = new TextEncoder().encode(stream);
    const end = new TextEncoder().encode(stream.slice(0, stream.indexOf("z:") - 1)).length;
    async function* upTo(length: number) {
      yield bytes.subarray(0, length);
    }
    for (let length = 0; length <= bytes.length; length += 1) {
      const events = eventsOf(upTo(length));
      const { text, failure } = await collectAnswer({ events, threadId: undefined }, quiet);
      expect(failure === undefined, `${length}: ${failure?.message}`).toBe(length >= end);
      if (failure === undefined) expect(text).toMatch(/^Grüße 🌍/);
    }
  });

  test("lists each page once, with its first title", async () => {
    const { cited } = await collectV1([
      'h:{"sourceType":"url","id":"1","url":"/a"}',
      'h:{"sourceType":"url","id":"2","url":"/b","title":"B"}',
      'h:{"sourceType":"url","id":"3","url":"/a","title":"A"}',
      '0:"a"',
      'd:{"finishReason":"stop"}',
    ]);
    expect(cited).toEqual([
      { url: "/a", title: "A" },
      { url: "/b", title: "B" },
    ]);
  });

  test("keeps at most 500 pages of a search, and none with a very long URL", async () => {
    const results = Array.from({ length: 100_000 }, (_, page) => ({ url: `/pages/${page}` }));
    const endless = { url: `/${"x".repeat(5000)}` };
    const { found } = await collectV1([
      `9:${JSON.stringify({ toolCallId: "c", toolName: "search", args: {} })}`,
      `a:${JSON.stringify({ toolCallId: "c", result: [endless, ...results] })}`,
      '0:"a"',
      'd:{"finishReason":"stop"}',
    ]);
    expect(found).toHaveLength(500);
    expect(found[0]?.url).toBe("/pages/0");
  });

  test("keeps an address of 2000 characters, and no longer one", async () => {
    const urls = [2000, 2001].map((length) => `/${"x".repeat(length - 1)}`);
    const { cited } = await collectV1(urls.map((url) => `h:${JSON.stringify({ url })}`));
    expect(cited).toEqual([{ url: urls[0], title: undefined }]);
  });

  test.each([
    [499_999, "abc", 500_002],
    [500_000, "abc", 500_000],
  ])("of %i characters is continued up to its limit", async (length, more, total) => {
    const answer = await collectV1([
      ...[`0:"${"a".repeat(length - 3)}"`, 'e:{"finishReason":"stop"}', '0:"b"'],
      ...[`0:${JSON.stringify(more)}`, 'd:{"finishReason":"stop"}'],
    ]);
    expect(answer.text).toHaveLength(total);
    expect(answer.stoppedBy).toBe("length");
  });

  test("starts no paragraph without text, and no text before it ends", async () => {
    const steps = ['e:{"finishReason":"stop"}', '0:""', '0:"one  "', 'e:{"finishReason":"stop"}'];
    const texts: string[] = [];
    const events = eventsOf(chunksCutAt(`${steps.join("\n")}\n0:""\n0:"two"\n`, []));
    await collectAnswer({ events, threadId: undefined }, { ...quiet, onText: (text) => texts.push(text) });
    expect(texts).toEqual(["one  ", "one\n\ntwo"]);
  });

  test("ends soon after its finish, even if the connection stays open", async () => {
    vi.useFakeTimers();
    try {
      const open = new Readable({ read: () => undefined });
      open.push('0:"a"\nd:{"finishReason":"stop"}\n');
      const answer = collectAnswer(
        { events: (signal) => readAnswerEvents(open, signal), threadId: undefined },
        quiet,
      );
      await vi.advanceTimersByTimeAsync(1999);
      expect(open.destroyed).toBe(false);
      open.push('x:{"threadId":"t"}\n');
      await vi.advanceTimersByTimeAsync(1);
      expect(await answer).toMatchObject({ text: "a", threadId: "t", failure: undefined });
      expect(open.destroyed).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is ended by no timer that its end leaves", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await collectV1(['0:"a"', 'd:{"finishReason":"stop"}']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is limited to half a million characters, in linear time", async () => {
    const lines = Array.from({ length: 200_000 }, () => '0:"ten letters"');
    const { text, stoppedBy, failure } = await collectV1([...lines, 'd:{"finishReason":"stop"}']);
    expect(failure).toBeUndefined();
    expect(stoppedBy).toBe("length");
    expect(text.length).toBeGreaterThanOrEqual(500_000);
    expect(text.length).toBeLessThan(500_100);
  });

  test("is collected in linear time with many paragraphs", async () => {
    const lines = Array.from({ length: 60_000 }, () => '0:"a"\ne:{"finishReason":"stop"}');
    const { text, failure } = await collectV1([...lines, 'd:{"finishReason":"stop"}']);
    expect(failure).toBeUndefined();
    expect(text).toBe(Array.from({ length: 60_000 }, () => "a").join("\n\n"));
  });

  test("keeps the received part and the reason if it is interrupted", async () => {
    const stop = new AbortController();
    const endless = new Readable({ read: () => undefined });
    endless.push('0:"first"\n');
    const answer = await collectAnswer(
      { events: (signal) => readAnswerEvents(endless, signal), threadId: undefined },
      {
        signal: stop.signal,
        onText: () => stop.abort(new InterruptedError("cancelled", "The workflow was cancelled.")),
      },
    );
    expect(answer.text).toBe("first");
    expect(answer.failure).toMatchObject({ code: "cancelled" });
  });
});

describe("a collected v2 answer", () => {
  test("is the same from complete chunks and from single bytes", async () => {
    const whole = await collectV2(chunksCutAt(v2Answer, []));
    expect(whole).toEqual({
      text: "Grüße 🌍",
      threadId: "t-top",
      cited: [{ url: "/a", title: "A" }],
      found: [{ url: "/b", title: "B" }],
      failure: undefined,
      stoppedBy: undefined,
    });
    expect(await collectV2(singleBytes(v2Answer))).toEqual(whole);
    const { length } = new TextEncoder().encode(v2Answer);
    for (let cut = 1; cut < length; cut += 1)
      expect(await collectV2(chunksCutAt(v2Answer, [cut]))).toEqual(whole);
  });

  test("is incomplete if it is cut anywhere before its finish", async () => {
    const bytes = new TextEncoder().encode(v2Answer);
    const finish = v2Answer.indexOf('data: {"type":"finish"');
    const lastByte = new TextEncoder().encode(v2Answer.slice(0, finish)).length + 10;
    async function* upTo(length: number) {
      yield bytes.subarray(0, length);
    }
    for (let length = 0; length <= lastByte; length += 1) {
      expect((await collectV2(upTo(length))).failure, String(length)).toBeDefined();
    }
  });

  test.each([
    ["an error chunk", event({ type: "error", errorText: "Overloaded" }), "Overloaded"],
    ["an abort", event({ type: "abort", reason: "stopped" }), "stopped"],
    [
      "an abort without a reason",
      event({ type: "abort" }),
      "The assistant failed while answering and gave no reason.",
    ],
  ])("fails with %s", async (_name, bad, message) => {
    const body = event({ type: "text-delta", id: "t", delta: "a" }) + bad + event({ type: "finish" });
    const { failure, text } = await collectV2(chunksCutAt(body, []));
    expect(text).toBe("a");
    expect(failure).toMatchObject({ code: "stream-cut" });
    expect(failure?.message).toContain(message);
  });

  test("fails if the body is another document", async () => {
    const { failure } = await collectV2(chunksCutAt("<!doctype html><title>Sign in</title>", []));
    expect(failure).toMatchObject({ code: "unexpected-response" });
  });
});
