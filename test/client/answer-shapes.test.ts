/** The formats in which compatible platforms send the same answer: each is read completely or not at all. */
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAnswerEvents } from "../../src/client/assistant-stream.ts";
import { type CollectedAnswer, collectAnswer } from "../../src/client/collect-answer.ts";
import { chunksCutAt, singleBytes } from "../support/chunked-bytes.ts";
import { caseCount } from "../support/property-seed.ts";

function collect(body: AsyncIterable<Uint8Array>): Promise<CollectedAnswer> {
  const events = (signal: AbortSignal) => readAnswerEvents(Readable.from(body), signal);
  const deps = { onText: () => undefined, signal: new AbortController().signal };
  return collectAnswer({ events, threadId: undefined }, deps);
}

const collectText = (text: string) => collect(chunksCutAt(text, []));
const part = (code: string, value: unknown) => `${code}:${JSON.stringify(value)}`;
const lines = (...parts: string[]) => parts.map((each) => `${each}\n`).join("");
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

const text = part("0", "Grüße 🌍");
const finish = part("d", { finishReason: "stop" });

function nestedSource(depth: number): object {
  return depth === 0 ? { url: "/a", title: "A" } : { source: nestedSource(depth - 1) };
}

/** The source in each format. */
const shapesOfSources: readonly (readonly [shape: string, kind: "cited" | "found", body: string])[] = [
  ["a source part", "cited", lines(part("h", { sourceType: "url", url: "/a", title: "A" }), text, finish)],
  ["a source part with a path", "cited", lines(part("h", { path: "/a", title: "A" }), text, finish)],
  ["a source in a part", "cited", lines(part("h", { source: { url: "/a", title: "A" } }), text, finish)],
  [
    "annotations",
    "cited",
    lines(text, part("8", [{ type: "source", url: "/a", title: "A" }, { note: "x" }]), finish),
  ],
  ...["source", "sources", "citations", "references", "pages", "nodes", "data"].map(
    (name) =>
      [
        `a list of ${name} in annotations`,
        "cited",
        lines(text, part("8", [{ [name]: [{ path: "/a", title: "A" }] }]), finish),
      ] as const,
  ),
  [
    "nodes in annotations",
    "cited",
    lines(
      text,
      part("8", [{ type: "sources", data: { nodes: [{ url: "/a", metadata: { title: "A" } }] } }]),
      finish,
    ),
  ],
  ["data", "cited", lines(text, part("2", [{ url: "/a", title: "A" }]), finish)],
  [
    "data that finishes",
    "cited",
    lines(text, part("2", [{ type: "finish", sources: [{ url: "/a", title: "A" }] }]), finish),
  ],
  [
    "documents in data",
    "found",
    lines(text, part("2", [{ documents: [{ path: "/a", title: "A" }] }]), finish),
  ],
  [
    "a tool's documents",
    "found",
    lines(part("a", { toolCallId: "c", result: { documents: [{ path: "/a", title: "A" }] } }), text, finish),
  ],
  ["a deep list", "found", lines(part("a", { result: [[[[[{ url: "/a", title: "A" }]]]]] }), text, finish)],
  ["a deep object", "cited", lines(part("h", nestedSource(5)), text, finish)],
  [
    "a tool's result as text",
    "found",
    lines(part("a", { toolCallId: "c", result: JSON.stringify([{ url: "/a", title: "A" }]) }), text, finish),
  ],
  [
    "a tool's result in metadata",
    "found",
    lines(part("a", { toolCallId: "c", result: [{ metadata: { path: "/a", title: "A" } }] }), text, finish),
  ],
  [
    "a source chunk",
    "cited",
    event({ type: "text-delta", delta: "Grüße 🌍" }) +
      event({ type: "source-url", url: "/a", title: "A" }) +
      event({ type: "finish" }),
  ],
  [
    "a data chunk",
    "cited",
    event({ type: "text-delta", delta: "Grüße 🌍" }) +
      event({ type: "data-sources", data: [{ path: "/a", title: "A" }] }) +
      event({ type: "finish" }),
  ],
  [
    "a finish's metadata",
    "cited",
    event({ type: "text-delta", delta: "Grüße 🌍" }) +
      event({ type: "finish", messageMetadata: { sources: [{ url: "/a", title: "A" }] } }),
  ],
  [
    "a tool's output",
    "found",
    event({ type: "tool-output-available", output: { documents: [{ path: "/a", title: "A" }] } }) +
      event({ type: "text-delta", delta: "Grüße 🌍" }) +
      event({ type: "finish" }),
  ],
];

describe("an answer with sources in any format", () => {
  test.each(shapesOfSources)("finds them in %s", async (_shape, kind, body) => {
    const source = [{ url: "/a", title: "A" }];
    expect(await collectText(body)).toMatchObject({
      text: "Grüße 🌍",
      failure: undefined,
      cited: kind === "cited" ? source : [],
      found: kind === "found" ? source : [],
    });
  });

  test.each([
    ["a status", part("2", [{ type: "status", url: "/a" }])],
    ["a picture's metadata", part("8", [{ type: "image", metadata: { url: "/a" } }])],
    ["a list nested too deep", part("a", { result: [[[[[[{ url: "/a" }]]]]]] })],
    ["an object nested too deep", part("h", nestedSource(6))],
    ["an address that is no text", part("h", { url: 7, path: ["/a"] })],
  ])("finds none in %s", async (_name, line) => {
    expect(await collectText(lines(line, text, finish))).toMatchObject({ cited: [], found: [] });
  });

  test("does not exhaust the stack with deeply nested lists", async () => {
    const depth = 100_000;
    const nested = `2:${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(await collectText(lines(text, nested, finish))).toMatchObject({ failure: undefined });
  });
});

describe("an answer with its finish in the data", () => {
  const inData = part("2", [{ type: "finish", threadId: "t" }]);

  test.each([
    ["alone", lines(text, inData)],
    ["in a step that is left open", lines(part("f", { messageId: "m" }), text, inData)],
    ["before a step's end", lines(text, inData, part("e", { finishReason: "stop" }))],
    ["in annotations", lines(text, part("8", [{ type: "finish", threadId: "t" }]))],
    ["in a part of no known code", lines(text, part("x", { type: "finish", threadId: "t" }))],
    ["more than once", lines(inData, text, inData)],
  ])("is complete: %s", async (_name, body) => {
    expect(await collectText(body)).toMatchObject({ text: "Grüße 🌍", threadId: "t", failure: undefined });
  });

  test.each([
    ["text follows", lines(inData, text)],
    ["an error follows", lines(text, inData, part("3", "Overloaded"))],
    ["it is an error", lines(text, part("2", [{ type: "finish", finishReason: "error" }]))],
    ["the finish that follows is an error", lines(text, inData, part("d", { finishReason: "error" }))],
    ["it is an object in the data", lines(text, part("2", [{ event: { type: "finish" } }]))],
    ["it is another data part", lines(text, part("2", [{ type: "finished" }]))],
  ])("is incomplete if %s", async (_name, body) => {
    expect((await collectText(body)).failure).toMatchObject({ code: "stream-cut" });
  });

  test("reports why the model stopped", async () => {
    const body = lines(text, part("2", [{ type: "finish", finishReason: "length" }]));
    expect(await collectText(body)).toMatchObject({ failure: undefined, stoppedBy: "length" });
  });
});

const noise = fc.constantFrom("", "\n", "\r\n", ": keep-alive\n", ":\n\n", `: ${"x".repeat(40)}\r\n`, "  \n");

/** An answer in each protocol, and v1 parts in server-sent events. */
const protocols = {
  parts: (texts: readonly string[]) => [
    part("f", { messageId: "m" }),
    ...texts.map((each) => part("0", each)),
    part("8", [{ sources: [{ path: "/a" }] }]),
    part("d", { finishReason: "stop", threadId: "t" }),
  ],
  chunks: (texts: readonly string[]) => [
    ...texts.map((delta) => JSON.stringify({ type: "text-delta", id: "1", delta })),
    JSON.stringify({ type: "data-sources", data: [{ path: "/a" }] }),
    JSON.stringify({ type: "finish", messageMetadata: { threadId: "t" } }),
  ],
};

const frame = (pieces: readonly string[], isEvents: boolean, lineEnd: string) =>
  pieces.map((piece) => (isEvents ? `data: ${piece}${lineEnd}${lineEnd}` : `${piece}${lineEnd}`));

/** A complete answer in any format, and the offset from which on it is complete. */
const answers = fc
  .record({
    noise: fc.array(noise, { maxLength: 3 }),
    texts: fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
    }),
    shape: fc.constantFrom("parts", "chunks", "parts in events"),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  })
  .map(({ noise: before, texts, shape, lineEnd }) => {
    const pieces = shape === "chunks" ? protocols.chunks(texts) : protocols.parts(texts);
    const framed = frame(pieces, shape !== "parts", lineEnd);
    const body = before.join("") + framed.join("");
    return { body, texts, shape, finishAt: body.length - (framed.at(-1) ?? "").length };
  });

describe("the protocol of an answer", () => {
  test("is detected from its first bytes, however they are split and whatever precedes them", async () => {
    await fc.assert(
      fc.asyncProperty(answers, fc.array(fc.nat(300), { maxLength: 10 }), async ({ body, texts }, cuts) => {
        const failure = undefined;
        const expected = { text: texts.join(""), threadId: "t", cited: [{ url: "/a" }], failure };
        expect(await collect(chunksCutAt(body, cuts))).toMatchObject(expected);
        expect(await collect(singleBytes(body))).toMatchObject(expected);
      }),
      { numRuns: caseCount(150) },
    );
  });

  test("is incomplete if the body is cut at any byte before its finish", async () => {
    await fc.assert(
      fc.asyncProperty(
        answers,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async ({ body, finishAt }, share) => {
          const before = new TextEncoder().encode(body.slice(0, finishAt));
          // The first bytes of the finish's line are not a finish.
          const length = Math.floor(share * (before.length + 8));
          async function* cut() {
            yield new TextEncoder().encode(body).subarray(0, length);
          }
          expect((await collect(cut())).failure).toBeDefined();
        },
      ),
      { numRuns: caseCount(500) },
    );
  });

  test.each(['data: {"type":"start"}', "event: message", "id: 1", "retry: 1"])(
    "is incomplete if it is cut within its first line: %s",
    async (line) => {
      for (let length = 1; length <= line.length; length += 1) {
        async function* cut() {
          yield new TextEncoder().encode(line.slice(0, length));
        }
        expect((await collect(cut())).failure, line.slice(0, length)).toMatchObject({ code: "stream-cut" });
      }
    },
  );

  test("is read in linear time after a comment that is split into many chunks", async () => {
    async function* body() {
      yield new TextEncoder().encode(":");
      for (let chunk = 0; chunk < 60_000; chunk += 1) yield new TextEncoder().encode(" still thinking");
      yield new TextEncoder().encode(`\n${lines(text, finish)}`);
    }
    expect(await collect(body())).toMatchObject({ text: "Grüße 🌍", failure: undefined });
  });

  test.each([
    ["events:", "malformed"],
    ["datum", "malformed"],
    ["data", "event"],
    [": ping\n", "finish"],
    ["\n\n", "finish"],
  ])("is not detected in %j", async (body) => {
    expect((await collectText(body)).failure).toBeDefined();
  });

  test("closes the body if its first chunk is invalid", async () => {
    const body = Readable.from(chunksCutAt("hello\n", []));
    const reading = Array.fromAsync(readAnswerEvents(body, new AbortController().signal));
    await expect(reading).rejects.toMatchObject({ reason: "malformed" });
    expect(body.destroyed).toBe(true);
  });
});
