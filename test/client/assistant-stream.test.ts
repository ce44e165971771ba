import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnswerEvent, readAnswerEvents, StreamFault } from "../../src/client/assistant-stream.ts";
import { chunksCutAt, singleBytes } from "../support/chunked-bytes.ts";

const captured = [
  'f:{"messageId":"msg-1"}',
  'g:"thinking"',
  'j:{"signature":"c2ln"}',
  'i:{"data":"cmVk"}',
  'h:{"sourceType":"url","id":"s1","url":"https://docs.example.com/a","title":"Ä title"}',
  '0:"Grüße, 世界 🌍"',
  'k:{"data":"aGk=","mimeType":"text/plain"}',
  'b:{"toolCallId":"c1","toolName":"search"}',
  'c:{"toolCallId":"c1","argsTextDelta":"{\\"q\\":1}"}',
  '9:{"toolCallId":"c1","toolName":"search","args":{"q":1}}',
  'a:{"toolCallId":"c1","result":[{"path":"/b","metadata":{"title":"B"}}]}',
  'e:{"finishReason":"tool-calls","usage":{"promptTokens":null,"completionTokens":null},"isContinued":false}',
  'f:{"messageId":"msg-2"}',
  '0:" and more"',
  '2:[{"type":"finish","threadId":"t-2"}]',
  '8:[{"note":"x"}]',
  'e:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2},"isContinued":false}',
  'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2},"threadId":"t-2"}',
].join("\n");

const never = new AbortController().signal;

/** All events of a body, including its fault. */
async function read(body: AsyncIterable<Uint8Array>): Promise<(AnswerEvent | StreamFault)[]> {
  const events: (AnswerEvent | StreamFault)[] = [];
  try {
    for await (const event of readAnswerEvents(Readable.from(body), never)) events.push(event);
  } catch (error) {
    if (!(error instanceof StreamFault)) throw error;
    events.push(error);
  }
  return events;
}

const finish = (reason: string) => ({ type: "finish", reason });

function textOf(events: (AnswerEvent | StreamFault)[]): string {
  return events.map((event) => ("text" in event ? event.text : "")).join("");
}

describe("the v1 data stream", () => {
  test("yields the events of every part", async () => {
    expect(await read(chunksCutAt(`${captured}\n`, []))).toMatchInlineSnapshot(`
      [
        {
          "cited": true,
          "title": "Ä title",
          "type": "source",
          "url": "https://docs.example.com/a",
        },
        {
          "text": "Grüße, 世界 🌍",
          "type": "text",
        },
        {
          "cited": false,
          "title": "B",
          "type": "source",
          "url": "/b",
        },
        {
          "type": "break",
        },
        {
          "text": " and more",
          "type": "text",
        },
        {
          "threadId": "t-2",
          "type": "thread",
        },
        {
          "reason": "stop",
          "type": "data-finish",
        },
        {
          "type": "break",
        },
        {
          "threadId": "t-2",
          "type": "thread",
        },
        {
          "reason": "stop",
          "type": "finish",
        },
      ]
    `);
  });

  test("yields the same events wherever it is split", async () => {
    const text = `${captured}\n`;
    const whole = await read(chunksCutAt(text, []));
    for (let cut = 1; cut < new TextEncoder().encode(text).length; cut += 1) {
      expect(await read(chunksCutAt(text, [cut]))).toEqual(whole);
    }
    expect(await read(singleBytes(text))).toEqual(whole);
  });

  test("reads any texts from any chunks, with LF or CRLF", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary" }), { maxLength: 8 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        fc.constantFrom("\n", "\r\n"),
        async (texts, cuts, lineEnd) => {
          const body = [...texts.map((text) => `0:${JSON.stringify(text)}`), 'd:{"finishReason":"stop"}'];
          const events = await read(chunksCutAt(body.join(lineEnd), cuts));
          // What JSON can carry and UTF-8 cannot (a lone surrogate) is escaped by JSON.stringify, so nothing is lost.
          expect(events).toEqual([
            ...texts.map((text) => ({ type: "text", text })),
            { type: "finish", reason: "stop" },
          ]);
        },
      ),
    );
  });

  test("yields every complete part before a cut and no finish", async () => {
    const bytes = new TextEncoder().encode(`${captured}\n`);
    const whole = await read(chunksCutAt(`${captured}\n`, []));
    const lastLine = captured.lastIndexOf("\n");
    const lastLineByte = new TextEncoder().encode(captured.slice(0, lastLine)).length;
    for (let length = 0; length <= lastLineByte + 4; length += 1) {
      const events = await read(chunksOf(bytes.subarray(0, length)));
      const known = events.filter((event) => !("reason" in event && event.reason === "cut"));
      expect(whole.slice(0, known.length)).toEqual(known);
      expect(events.some((event) => "type" in event && event.type === "finish")).toBe(false);
    }
  });

  test("skips unknown codes, empty lines and comments", async () => {
    const events = await read(
      chunksCutAt(
        '0:"a"\n\r\n: ping\nz:{"x":1}\n5:{"threadId":"t-5"}\nq:not json\n0:"b"\nd:{"finishReason":"stop"}\n',
        [],
      ),
    );
    expect(textOf(events)).toBe("ab");
    expect(events).toContainEqual({ type: "thread", threadId: "t-5" });
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop" });
  });

  test.each([
    ['d:{"type":"finish","threadId":"t"}', "the finish part without a finish reason"],
    ['e:{"finishReason":"stop","threadId":"t"}', "a step's finish"],
    ['f:{"messageId":"m","threadId":"t"}', "a step's start"],
    ['2:[{"type":"finish","threadId":"t"}]', "data"],
    ['8:[{"threadId":"t"}]', "annotations"],
    ['x:{"threadId":"t"}', "a part of no known code"],
  ])("finds the thread identifier in %s", async (line) => {
    expect(await read(chunksCutAt(`${line}\n`, []))).toContainEqual({ type: "thread", threadId: "t" });
  });

  test("reads a line of megabytes that comes in small chunks", async () => {
    const page = "x".repeat(4_000_000);
    const body = `a:${JSON.stringify({ toolCallId: "c", result: page })}\n0:"after"\nd:{"finishReason":"stop"}\n`;
    const cuts = Array.from({ length: 4000 }, (_, index) => index * 1000);
    expect(textOf(await read(chunksCutAt(body, cuts)))).toBe("after");
  });

  test("fails on a line that is too long", async () => {
    async function* endless() {
      yield new TextEncoder().encode('0:"fine"\n0:"');
      for (;;) yield new Uint8Array(1_000_000).fill(120);
    }
    const events = await read(endless());
    expect(events).toEqual([{ type: "text", text: "fine" }, expect.objectContaining({ reason: "too-long" })]);
  });

  const mebibyte = 1024 * 1024;

  test.each([
    [0, []],
    [1, [expect.objectContaining({ reason: "too-long" })]],
  ])("fails on a line that is longer than 16 Mi characters: by %i", async (more, fault) => {
    const line = `2:${" ".repeat(16 * mebibyte + more - 4)}[]`;
    expect(await read(chunksCutAt(line, []))).toEqual(fault);
  });

  test.each([
    [0, []],
    [1, [expect.objectContaining({ reason: "too-long" })]],
  ])(
    "fails on an answer that is longer than 64 MiB, even if no line of it is: by %i",
    async (more, fault) => {
      async function* long() {
        const comment = new TextEncoder().encode(`:${"x".repeat(8 * mebibyte - 2)}\n`);
        yield comment.subarray(0, comment.length - 9 + more);
        yield new TextEncoder().encode('\n0:"fine"');
        yield new TextEncoder().encode("\n");
        for (let count = 0; count < 6; count += 1) yield comment;
        yield comment.subarray(0, -1);
      }
      expect(await read(long())).toEqual([{ type: "text", text: "fine" }, ...fault]);
    },
  );

  test("fails on an event that is too long, even if no line of it is", async () => {
    const line = `data: ${"x".repeat(6_000_000)}\n`;
    expect(await read(chunksCutAt(`${line.repeat(3)}\n`, []))).toEqual([
      expect.objectContaining({ reason: "too-long" }),
    ]);
  });

  test("reads an event whose data is in several lines, and skips unknown fields", async () => {
    const body = 'retry: 9\n\ndata: {"type":"text-delta",\nnote: x\ndata: "delta":"one"}\n\ndata:0:"two"\n\n';
    expect(await read(chunksCutAt(body, []))).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ]);
  });

  test.each([
    ['d:{"type":"finish","threadId":"t"}', [{ type: "thread", threadId: "t" }, finish("unknown")]],
    ["d:null", []],
    ['2:[{"type":"finish"}]', [{ type: "data-finish", reason: "stop" }]],
    ['data: {"type":"finish"}\n', [finish("stop")]],
    ['data: {"type":"finish","messageMetadata":{"finishReason":"length"}}\n', [finish("length")]],
    [
      'data: {"type":"finish","finishReason":"error","messageMetadata":{"finishReason":"length","threadId":"t"}}\n',
      [{ type: "thread", threadId: "t" }, finish("error")],
    ],
    ['data: {"type":"data-thread","data":{"threadId":"t"}}\n', [{ type: "thread", threadId: "t" }]],
    ['data: {"type":"thread","data":{"threadId":"t"}}\n', []],
    ['data: {"type":"start","messageMetadata":{"url":"/a"}}\n', []],
    ['data: {"type":"data-status","data":{"url":"/a"}}\n', []],
    ['data: {"type":"sources","data":{"url":"/a"}}\n', []],
    ['data: {"type":"abort"}\n', [{ type: "error", message: "" }]],
    ['data: {"type":"text-delta"}\n', [{ type: "text", text: "" }]],
  ])("yields of %s only what it states", async (line, events) => {
    expect(await read(chunksCutAt(`${line}\n`, []))).toEqual(events);
  });

  test.each([
    ["0:7\n", "malformed", 'a line is not a part of a data stream: "0:7"'],
    [`${"x".repeat(100)}\n`, "malformed", `a line is not a part of a data stream: "${"x".repeat(79)}…"`],
    ["hello", "malformed", 'a line is not a part of a data stream: "hello"'],
    ['{\n  "error": "quota"\n}\n', "malformed", 'a line is not a part of a data stream: "quota"'],
    ['{"token":"ghp_0123456789"}\n', "malformed", "a line is not a part of a data stream"],
    ["d", "cut", "the last part is cut off"],
    ["0:", "cut", "the last part is cut off"],
    ["data: one\n\n", "malformed", 'an event is not JSON: "one"'],
    ['data: {"error":1}\n\n', "malformed", "an event is not a chunk of a message stream"],
  ])("fails on %j: %s", async (body, reason, message) => {
    expect(await read(chunksCutAt(body, []))).toEqual([expect.objectContaining({ reason, message })]);
  });

  test("reads a part after the white space that kept the connection open", async () => {
    expect(textOf(await read(chunksCutAt('\n  0:"one"\n', [])))).toBe("one");
  });

  test.each(["", "\n", "\r\n", "\r"])("reads a complete last event that ends with %j", async (end) => {
    const start = 'data: {"type":"text-delta","delta":"one"}\n\n';
    const events = ['{"type":"finish"}', 'd:{"finishReason":"stop"}', '{"type":\ndata: "finish"}'];
    for (const event of events) {
      const body = `${start}data: ${event}${end}`;
      expect(await read(chunksCutAt(body, []))).toEqual([{ type: "text", text: "one" }, finish("stop")]);
      expect(await read(singleBytes(body))).toEqual([{ type: "text", text: "one" }, finish("stop")]);
    }
  });

  test("drops a last event that is cut off", async () => {
    const start = 'data: {"type":"text-delta","delta":"one"}\n\n';
    const event = 'data: {"type":"finish","threadId":"t"}';
    for (let length = 0; length < event.length; length += 1)
      for (const end of ["", "\n"])
        expect(await read(chunksCutAt(`${start}${event.slice(0, length)}${end}`, []))).toEqual([
          { type: "text", text: "one" },
        ]);
  });

  test("skips empty events and the end mark of server-sent events", async () => {
    const body = 'data:\n\ndata: {"type":"text-delta","delta":"one"}\n\ndata: [DONE]\n\n';
    expect(await read(chunksCutAt(body, []))).toEqual([{ type: "text", text: "one" }]);
  });

  test("distinguishes an HTML page from a damaged stream", async () => {
    const page = await read(chunksCutAt("<!doctype html>\n<title>Sign in</title>\n", []));
    expect(page).toEqual([expect.objectContaining({ reason: "malformed" })]);
    const damaged = await read(chunksCutAt('0:"good"\n0:"bad\n0:"never"\n', []));
    expect(damaged).toEqual([
      { type: "text", text: "good" },
      expect.objectContaining({ reason: "malformed" }),
    ]);
  });

  test("yields the events before a broken connection", async () => {
    async function* broken() {
      yield new TextEncoder().encode('0:"one"\n0:"two"\n0:"th');
      throw new Error("read ECONNRESET");
    }
    expect(await read(broken())).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two" },
      expect.objectContaining({ reason: "cut", message: "the connection broke (read ECONNRESET)" }),
    ]);
  });
});

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test.each(["\n", "\r\n", "\r"])(
  "an event of several lines that end with %j is read wherever it is split",
  async (end) => {
    const event = `data: {"type":"text-delta",${end}data: "id":"0","delta":"a"}${end}${end}`;
    const whole = await read(chunksCutAt(event, []));

    expect(whole[0]).toEqual({ type: "text", text: "a" });
    for (let cut = 1; cut < event.length; cut += 1)
      expect(await read(chunksCutAt(event, [cut]))).toEqual(whole);
  },
);
