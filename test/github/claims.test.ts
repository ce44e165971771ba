import { expect, test } from "vitest";
import { isOlderClaim, type StoredClaim, triggerKey } from "../../src/github/claims.ts";

const trigger = {
  repositoryId: "101",
  eventKind: "issue-comment",
  subject: "IC_1",
  body: "/docs go\nnow",
  command: "agent",
  target: "prj_1",
};

test("a trigger is the same with other line ends, and another one with any other difference", () => {
  const key = triggerKey(trigger);

  expect(triggerKey({ ...trigger, body: "/docs go\r\nnow" })).toBe(key);
  const others = Object.entries(trigger).map(([name, value]) =>
    triggerKey({ ...trigger, [name]: `${value}x` }),
  );
  expect(new Set([key, ...others]).size).toBe(Object.keys(trigger).length + 1);
});

test.each([
  [
    "the first time",
    { id: 2, createdAt: "2026-01-01T00:00:00Z" },
    { id: 1, createdAt: "2026-01-01T00:00:01Z" },
  ],
  ["the lower number at the same time", ...numbered("2026-01-01T00:00:00Z")],
  ["the lower number without times", ...numbered(undefined)],
])("of two claims, the older one has %s", (_order, older, newer) => {
  const [one, other] = [older as StoredClaim, newer as StoredClaim];

  expect(isOlderClaim(one, other)).toBe(true);
  expect(isOlderClaim(other, one)).toBe(false);
  expect(isOlderClaim(one, one)).toBe(false);
});

function numbered(createdAt: string | undefined) {
  const time = createdAt === undefined ? {} : { createdAt };
  return [
    { id: 1, ...time },
    { id: 2, ...time },
  ] as const;
}
