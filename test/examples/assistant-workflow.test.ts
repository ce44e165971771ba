/** The example workflow of the assistant holds what the documentation promises of it. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { triggerCondition } from "../../src/github/trigger.ts";

describe("the example of the assistant", () => {
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
