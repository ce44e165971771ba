import { describe, expect, test } from "vitest";
import { draftRecord } from "../../../src/commands/submission/draft-record.ts";
import { ClaimRecord } from "../../../src/github/claim-store.ts";
import type { GitHubEvent } from "../../../src/github/event/event.ts";

const facts = {
  command: "assistant",
  target: "docs.example.com",
  trigger: "a".repeat(64),
  runUrl: "https://github.com/octo-org/widgets/actions/runs/1",
  request: "How?",
  notes: [],
} as const;

function written(action: string): GitHubEvent {
  return {
    type: "written",
    action,
    text: { author: { login: "mona" } },
    sender: { login: "hubot" },
  } as Partial<Extract<GitHubEvent, { type: "written" }>> as GitHubEvent;
}

describe("the draft of a record", () => {
  test.each([
    ["created", "mona"],
    ["labeled", "hubot"],
  ])("of a text that was %s names %s as the one who asked", (action, requester) => {
    expect(draftRecord({ ...facts, event: written(action) })).toMatchObject({ requester });
  });

  test("keeps within the record's limits, however much was asked and noted", () => {
    const notes = Array.from({ length: 20 }, () => "note ".repeat(100));

    const draft = draftRecord({ ...facts, event: written("created"), request: "x".repeat(70_000), notes });

    expect(ClaimRecord.partial().safeParse(draft)).toMatchObject({ success: true });
    expect(draft.request).toMatch(/^x{599}…$/);
  });
});
