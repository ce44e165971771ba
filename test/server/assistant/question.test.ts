import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readV1Question } from "../../../src/server/assistant/question.ts";
import { contentTerms } from "../../../src/server/assistant/text-terms.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** What stays in memory of 20 results, in megabytes. */
function measureKept(create: (number: number) => unknown): number {
  const measure = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const before = measure();
  const kept = Array.from({ length: 20 }, (_, number) => create(number));
  const megabytes = measure() - before;
  expect(kept).toHaveLength(20);
  return megabytes;
}

test("reads a message with very many parts of unknown types in linear time", () => {
  const parts = Array.from({ length: 300_000 }, (_, at) => ({ type: at % 3 === 0 ? "other" : "step-start" }));
  const message = { id: "1", role: "user", content: "", parts: [...parts, { type: "text", text: "How?" }] };
  const before = process.threadCpuUsage();
  expect(readV1Question({ fp: "a", messages: [message] }).query.question).toBe("How?");
  // Half a second of the processor; with quadratic time, six.
  expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000);
});

test("a question that is stored does not keep the text that it was cut from", () => {
  const kept = measureKept((number) => {
    const content = `How do I rotate a key? ${number} ${"x".repeat(1_000_000)}`;
    return readV1Question({ fp: "a", messages: [{ id: "1", role: "user", content, parts: [] }] }).query
      .question;
  });
  expect(kept).toBeLessThan(10);
});

test("the terms of a text do not keep the text", () => {
  expect(
    measureKept((number) => contentTerms(`word${number}ofthequestion${" ".repeat(1_000_000)}`)),
  ).toBeLessThan(10);
});

test("long words are not kept", () => {
  expect(measureKept((number) => contentTerms(`${"a".repeat(1_000_000)}${number}`).length)).toBeLessThan(10);
});
