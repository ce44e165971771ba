import { describe, expect, test } from "vitest";
import { readRequest } from "../../src/commands/request-from-event.ts";
import type { WrittenEvent } from "../../src/github/event.ts";

const issue = (action: string, body: string, label?: string) =>
  ({
    type: "written",
    action,
    sender: undefined,
    thread: {},
    text: { kind: "issue", nodeId: "I_1", id: 1, body },
    label,
  }) as unknown as WrittenEvent;
const options = { prompt: undefined, bareRequest: "Go.", changeRequest: undefined, runId: "1" };

describe("readRequest", () => {
  test("takes a label in any letters for the phrase", () => {
    const reading = readRequest(issue("labeled", "Add a page.", "文档"), {
      ...options,
      triggerPhrase: "/文档",
    });

    expect(reading).toMatchObject({ kind: "request", instruction: "Add a page." });
  });

  test.each([
    ["opened", `/docs ${"]".repeat(10_000)}`],
    ["labeled", "]".repeat(10_000)],
  ])("starts nothing for an issue %s with a text beyond reading", (action, body) => {
    const reading = readRequest(issue(action, body, "docs"), { ...options, triggerPhrase: "/docs" });

    expect(reading).toMatchObject({
      kind: "skip",
      reason: "near-miss",
      message: expect.stringContaining("nested or marked beyond reading"),
    });
  });
});
