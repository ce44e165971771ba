/** The example workflows hold what the documentation promises of them. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { triggerCondition } from "../../src/github/trigger.ts";

const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      if: z.optional(z.string()),
      "timeout-minutes": z.number(),
      permissions: z.record(z.string(), z.string()),
      concurrency: z.optional(z.object({ "cancel-in-progress": z.literal(false) })),
      steps: z.array(
        z.object({ uses: z.string(), with: z.record(z.string(), z.union([z.string(), z.number()])) }),
      ),
    }),
  ),
});

async function readWorkflow(name: string) {
  const text = await readFile(new URL(`../../examples/${name}.yml`, import.meta.url), "utf8");
  const workflow = Workflow.parse(parse(text));
  const [job] = Object.values(workflow.jobs);
  if (!job) throw new Error(`${name} has no job.`);
  return { text, workflow, job };
}

describe("an example of the agent", () => {
  test.each(["agent-comment", "agent-review", "agent-issue", "agent-push", "agent-merged", "reconcile"])(
    "%s grants nothing at the top, and lets the action end before the job",
    async (name) => {
      const { text, workflow, job } = await readWorkflow(name);

      expect(workflow.permissions).toStrictEqual({});
      expect(job["timeout-minutes"]).toBeGreaterThan(Number(job.steps[0]?.with["timeout-minutes"]));
      // Nothing that a stranger writes becomes part of a script.
      expect(text).not.toMatch(/run:/);
      expect(text).not.toMatch(/\$\{\{[^}]*\.(?:body|title)/);
    },
  );

  test.each([
    ["agent-comment", "github.event.comment.body"],
    ["agent-review", "github.event.comment.body || github.event.review.body"],
    ["agent-issue", "github.event.issue.body"],
  ])("%s has the condition that is generated from the trigger's rule", async (name, path) => {
    const { job } = await readWorkflow(name);

    expect(job.if).toContain(triggerCondition(path, ["/docs"]));
  });
});
