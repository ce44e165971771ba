/** The example workflows hold what the documentation promises of them, and what they grant is enough for a whole run. */
import { readFile } from "node:fs/promises";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import {
  type AgentScene,
  openAgentPull,
  openingPull,
  pullUrl,
  runAgent,
  setAgentScene,
} from "../support/agent-scene.ts";
import type { Permissions } from "../support/github-stand-in.ts";
import { triggerCondition } from "../support/trigger-condition.ts";

const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      if: z.optional(z.string()),
      "timeout-minutes": z.number(),
      permissions: z.record(z.string(), z.enum(["read", "write"])),
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

const asked = { author: "mona", body: "/docs explain retries" };

function push({ github }: AgentScene) {
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const after = github.addCommit({ message: "Retry", files: ["src/retry.ts"], author: "mona" });
  return { ...github.events.push({ before, after, sender: "mona" }), sha: after, ref: "refs/heads/main" };
}

/** What each example of the agent runs for, on a thread of number 1. */
const events = {
  "agent-comment": ({ github }: AgentScene) => {
    const { number: issue } = github.addIssue({ author: "alice", title: "Retries" });
    return github.events.issueComment(github.addComment({ issue, ...asked }));
  },
  "agent-review": ({ github }: AgentScene) => {
    const { number: pull } = github.openPullRequest({ author: "alice", head: "x", files: ["docs/a.md"] });
    return github.events.review(github.addReview({ pull, ...asked }));
  },
  "agent-issue": ({ github }: AgentScene) => {
    const issue = github.addIssue({ author: "alice", title: "Retries", labels: ["docs"] });
    return github.events.issueLabeled(issue, { label: "docs", sender: "mona" });
  },
  "agent-push": (scene: AgentScene) => {
    scene.github.addIssue({ author: "alice" });
    return push(scene);
  },
  "agent-rolling": (scene: AgentScene) => {
    scene.github.addIssue({ author: "alice" });
    return push(scene);
  },
  "agent-merged": ({ github }: AgentScene) => {
    const pull = github.openPullRequest({ author: "alice", head: "x", files: ["src/retry.ts"] });
    github.mergePullRequest(pull);
    return github.events.pullRequestMerged(pull);
  },
};

/** What an example gives the action besides the platform, and what its token may do. */
async function readUse(name: string) {
  const { job } = await readWorkflow(name);
  const given = Object.entries(job.steps[0]?.with ?? {}).map(([key, value]) => [key, String(value)] as const);
  const inputs = Object.fromEntries(
    given.filter(([key, value]) => key !== "command" && !value.includes("${{")),
  );
  return { inputs, permissions: job.permissions as Permissions };
}

describe("an example of the agent", () => {
  test.each(Object.entries(events))("%s is enough for a whole run", async (name, prepare) => {
    await using scene = await setAgentScene(openingPull(2));
    const triggered = prepare(scene);

    const { outputs, visibleText } = await runAgent(scene, triggered, await readUse(name));

    expect(outputs["outcome"], visibleText).toBe("pull-request");
    expect(visibleText).not.toMatch(/warning/i);
  });

  test("agent-rolling keeps one pull request, and lists in it what was pushed", async () => {
    await using scene = await setAgentScene({
      polls: [{ status: "completed", prLink: pullUrl(1) }],
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
      onMessage: (github) =>
        void github.addCommit({ branch: "docs/agent", message: "Follow", author: "agent[bot]" }),
    });
    const use = await readUse("agent-rolling");

    await runAgent(scene, push(scene), use);
    const { outputs, visibleText } = await runAgent(scene, push(scene), use);

    expect(outputs["outcome"], visibleText).toBe("updated");
    expect(scene.platform.created).toHaveLength(1);
    expect(scene.github.state.issues.get(1)?.body).toMatch(/Source changes\n\n- .*Retry\n- .*Retry\n/);
  });

  test("agent-docs-repository sends the diffs, and links the other repository's pull request", async () => {
    const prLink = "https://github.localhost/octo-org/docs/pull/7";
    await using scene = await setAgentScene({ polls: [{ status: "completed", prLink }] });
    const { inputs, permissions } = await readUse("agent-docs-repository");
    const { github, platform } = scene;
    const before = github.state.refs.get("refs/heads/main") ?? "";
    const file = { filename: "src/retry.ts", status: "modified", patch: "@@ -1 +1 @@\n-1\n+2" } as const;
    const after = github.addCommit({ message: "Retry", files: [file], author: "mona" });
    const triggered = { ...github.events.push({ before, after, sender: "mona" }), sha: after };

    const { outputs, visibleText } = await runAgent(scene, triggered, {
      inputs: { ...inputs, "docs-repository": "octo-org/docs" },
      permissions,
    });

    expect(outputs, visibleText).toMatchObject({ outcome: "pull-request", "pull-request-url": prLink });
    expect(platform.created).toStrictEqual([expect.stringContaining("diff of src/retry.ts")]);
  });

  test.each([...Object.keys(events), "agent-docs-repository", "reconcile"])(
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

  // In a group of `concurrency`, a run that waits is replaced by the next one, also by one that has nothing to do.
  test.each([
    ["opened", "/docs explain", undefined, true],
    ["opened", "Keys", undefined, false],
    ["labeled", "Keys", "docs", true],
    ["labeled", "/docs explain", "bug", false],
    ["labeled", "Keys", "bug", false],
  ])(
    "agent-issue runs for an issue that was %s, with the text %j and the label %s: %s",
    async (action, body, name, runs) => {
      const { job } = await readWorkflow("agent-issue");
      const event = { action, issue: { body }, ...(name !== undefined && { label: { name } }) };
      const { tokens } = new Lexer(job.if ?? "").lex();
      const github = JSON.parse(JSON.stringify({ github: { event } }), data.reviver);
      const result = new Evaluator(new Parser(tokens, ["github"], []).parse(), github).evaluate();
      expect(result.coerceString()).toBe(String(runs));
    },
  );
});
