import { expect, test } from "vitest";
import { readV1Question } from "../../../src/server/assistant/question.ts";

test("reads a message with very many parts of unknown types in linear time", () => {
  const parts = Array.from({ length: 300_000 }, (_, at) => ({ type: at % 3 === 0 ? "other" : "step-start" }));
  const message = { id: "1", role: "user", content: "", parts: [...parts, { type: "text", text: "How?" }] };
  const before = process.threadCpuUsage();
  expect(readV1Question({ fp: "a", messages: [message] }).text).toBe("How?");
  // Half a second of the processor; with quadratic time, six.
  expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000);
});
