/** The example workflow of the assistant holds what the documentation promises of it. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { v1Answer } from "../support/assistant-platform.ts";
import { type AssistantScene, runAssistantHere, setAssistantScene } from "../support/assistant-scene.ts";
import { triggerCondition } from "../support/trigger-condition.ts";

const body = "/ask how do I rotate a key?";

const events = {
  issue: ({ github }: AssistantScene) => {
    const { number: issue } = github.addIssue({ author: "alice" });
    return github.say(issue, body);
  },
  "pull request": ({ github }: AssistantScene) => {
    const { number: issue } = github.openPullRequest({ author: "alice", head: "x" });
    return github.say(issue, body);
  },
  discussion: ({ github }: AssistantScene) =>
    github.events.discussionOpened(github.addDiscussion({ author: "mona", title: "Keys", body })),
};

describe("the example of the assistant", () => {
  test.each(Object.entries(events))(
    "grants enough for an answer on a private %s",
    async (_thread, prepare) => {
      const workflow = parse(
        await readFile(new URL("../../examples/assistant.yml", import.meta.url), "utf8"),
      );
      await using scene = await setAssistantScene({ chunks: v1Answer(["Press Rotate."]) });
      const { permissions } = workflow.jobs.assistant;
      const { outputs, visibleText } = await runAssistantHere(scene, prepare(scene), {}, permissions);
      expect(outputs["outcome"], visibleText).toBe("answered");
      expect(visibleText).not.toMatch(/warning/i);
    },
  );

  test("has the generated condition, grants nothing at the top, and runs nothing that a stranger writes", async () => {
    const text = await readFile(new URL("../../examples/assistant.yml", import.meta.url), "utf8");
    const workflow = parse(text);
    const job = workflow.jobs.assistant;
    expect(workflow.permissions).toStrictEqual({});
    expect(job.if.replace(/\s+/g, " ")).toContain(
      triggerCondition("github.event.comment.body || github.event.discussion.body", ["/ask"]).replace(
        /\s+/g,
        " ",
      ),
    );
    expect(job["timeout-minutes"]).toBeGreaterThan(job.steps[0].with["timeout-minutes"]);
    expect(text).not.toMatch(/run:|\$\{\{[^}]*\.(?:body|title)/);
  });
});
