import { expect, test } from "vitest";
import { triggerKey } from "../../src/github/claim-store.ts";

const identity = {
  repositoryId: "101",
  eventKind: "issue-comment",
  subject: "IC_1",
  body: "/docs go\nnow",
  command: "agent",
  target: "prj_1",
};

test("a trigger is the same with other line ends, and another one with any other difference", () => {
  const key = triggerKey(identity);

  expect(triggerKey({ ...identity, body: "/docs go\r\nnow" })).toBe(key);
  const others = Object.entries(identity).map(([name, value]) =>
    triggerKey({ ...identity, [name]: `${value}x` }),
  );
  expect(new Set([key, ...others]).size).toBe(Object.keys(identity).length + 1);
});
