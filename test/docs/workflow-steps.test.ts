/**
 * The steps that the pages show, with their inputs as they stand there: the built action as a process, in a job with the permissions of the
 * block. `vars` and `secrets` have the values that a test gives them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startTestPlatform } from "../server/test-platform.ts";
import { openingPull, permissions, setAgentScene } from "../support/agent-scene.ts";
import { startArtifactService } from "../support/artifact-service.ts";
import { v1Answer } from "../support/assistant-platform.ts";
import { ask, setAssistantScene } from "../support/assistant-scene.ts";
import type { Permissions } from "../support/github-stand-in.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startInterceptingProxy } from "../support/intercepting-proxy.ts";
import { takeBlock } from "../support/page-blocks.ts";
import { type ActionUse, createActionJob } from "../support/run-action.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";

interface ShownStep extends Pick<ActionUse, "action" | "inputs" | "environment"> {
  /** Of the job, where the block shows them. */
  readonly permissions: Permissions;
}

/** This action's step of a block; `values` are those of its expressions. */
function readStep(block: string, values: Readonly<Record<string, string>>): ShownStep {
  const shown = parse(block);
  const [job] = Array.isArray(shown)
    ? [{ steps: shown }]
    : Object.values<typeof shown>(shown.jobs ?? { job: shown });
  const step = job.steps.find(({ uses }: { uses: string }) => uses.startsWith("docs-automation/"));
  const evaluate = (fields: object = {}) => {
    const texts = Object.entries(fields).map(([name, value]) => {
      const text = String(value).replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
        const known = values[expression];
        if (known === undefined) throw new Error(`${expression} has no value here.`);
        return known;
      });
      return [name, text] as const;
    });
    return Object.fromEntries(texts);
  };
  return {
    action: /action\/(\w+)@v1$/.exec(step.uses)?.[1] ?? "",
    inputs: evaluate(step.with),
    environment: evaluate(step.env),
    permissions: job.permissions ?? {},
  };
}

/** What the pages tell their readers to store in the repository. */
const settings = (url: string, key = "svc_admin-key-of-this-test") => ({
  "vars.DOCS_PLATFORM_URL": url,
  "secrets.DOCS_PLATFORM_ADMIN_KEY": key,
  "secrets.DOCS_PLATFORM_ASSISTANT_KEY": "svc_dsc_public-key-of-this-test",
  "vars.DOCS_DOMAIN": "docs.example.com",
  "vars.DOCS_PROJECT_ID": "prj_1",
});

test.each(["agent-merged", "agent-review"])(
  "examples/%s.yml skips a fork's pull request, whose runs get neither secrets nor variables",
  async (name) => {
    const workflow = await readFile(new URL(`../../examples/${name}.yml`, import.meta.url), "utf8");
    const empty = Object.fromEntries(Object.keys(settings("")).map((setting) => [setting, ""]));
    await using job = await createActionJob(readStep(workflow, empty));

    const { outputs, exitCode, log } = await job.main();

    expect({ outputs, exitCode }, log).toMatchObject({
      outputs: { outcome: "skipped", "skip-reason": "missing-key" },
      exitCode: 0,
    });
  },
);

describe("a step that exports, shown in", () => {
  test("docs/export.md uploads the bundle", async () => {
    await using platform = await startTestPlatform();
    await using artifacts = await startArtifactService();
    const step = readStep(takeBlock("docs/export.md"), settings(platform.url, platform.adminKey));
    await using job = await createActionJob({ ...step, environment: artifacts.environment });
    const { outputs, log } = await job.main();
    expect(outputs, log).toMatchObject({
      outcome: "exported",
      "artifact-url": expect.stringContaining("/artifacts/"),
    });
  });

  test("docs/export.md starts an export, and another step fetches it", async () => {
    await using platform = await startTestPlatform();
    await using artifacts = await startArtifactService();
    const values = settings(platform.url, platform.adminKey);
    const starting = readStep(takeBlock("docs/export.md#starting-without-waiting/1"), values);
    await using first = await createActionJob(starting);
    const started = await first.main();
    const { "job-id": jobId = "" } = started.outputs;
    const fetching = readStep(takeBlock("docs/export.md#starting-without-waiting/2"), {
      ...values,
      "needs.start.outputs.job-id": jobId,
    });
    await using second = await createActionJob({ ...fetching, environment: artifacts.environment });
    const fetched = await second.main();
    expect(started.outputs["outcome"], started.log).toBe("detached");
    expect(fetched.outputs, fetched.log).toMatchObject({ outcome: "exported", "job-id": jobId });
  });

  test("docs/environments.md goes through a proxy that opens TLS", async () => {
    await using folder = await createTemporaryFolder();
    await using artifacts = await startArtifactService();
    await using platform = await startTestPlatform({ publicUrl: "https://api.example.com" });
    const targets = new Map([["api.example.com", platform.listensOn]]);
    using proxy = await startInterceptingProxy({ port: 0, folder: folder.path, targets });
    const values = settings("https://api.example.com", platform.adminKey);
    const step = readStep(takeBlock("docs/environments.md#behind-a-proxy"), values);
    expect(step.environment).toEqual({ NODE_EXTRA_CA_CERTS: expect.stringMatching(/^\/etc\/.*\.pem$/) });
    const surrounding = {
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      NO_PROXY: "127.0.0.1",
      NODE_EXTRA_CA_CERTS: proxy.certificate,
    };
    await using job = await createActionJob({
      ...step,
      environment: { ...artifacts.environment, ...surrounding },
    });
    const { outputs, log } = await job.main();
    expect(outputs["outcome"], log).toBe("exported");
    expect(proxy.requests()).toContain("POST https://api.example.com/v1/static-export/jobs 202");
  });

  test("docs/self-hosting.md updates the values file", async () => {
    await using platform = await startTestPlatform();
    const values = settings(platform.url, platform.adminKey);
    const step = readStep(takeBlock("docs/self-hosting.md#keeping-the-values-file-current"), values);
    await using job = await createActionJob(step);
    const file = join(job.workspace, "deploy/values.yaml");
    await writeFiles(job.workspace, { "deploy/values.yaml": "staticExport:\n  enabled: false\n" });
    const { outputs, log } = await job.main();
    expect(outputs["outcome"], log).toBe("exported");
    expect(parse(await readFile(file, "utf8")).staticExport).toEqual({
      enabled: true,
      bundleUrl: step.inputs?.["values-bundle-url"],
      version: outputs["job-id"],
    });
  });
});

test("the step in docs/agent.md ends with a pull request, with the job's permissions", async () => {
  await using scene = await setAgentScene(openingPull(2));
  const { github } = scene;
  const step = readStep(takeBlock("docs/agent.md#ask-in-a-comment"), settings(scene.platform.url));
  const { number: issue } = github.addIssue({ author: "alice", title: "Retries" });
  const triggered = github.say(issue, "/docs explain retries");
  const token = github.runToken(step.permissions);
  await using job = await createActionJob({ ...step, run: { ...github.run, token, ...triggered } });
  const { outputs, log } = await job.main();
  expect(outputs["outcome"], log).toBe("pull-request");
  expect(log).not.toMatch(/warning/i);
});

describe("a step that asks the assistant, shown in docs/assistant.md,", () => {
  const answer = { chunks: v1Answer(["Press ", "Rotate."], { threadId: "t-1" }) };

  test("answers a comment, with the job's permissions", async () => {
    await using scene = await setAssistantScene(answer);
    const step = readStep(takeBlock("docs/assistant.md#ask-in-a-comment"), settings(scene.platform.url));
    const token = scene.github.runToken(step.permissions);
    const run = { ...scene.github.run, token, ...ask(scene).triggered };
    await using job = await createActionJob({ ...step, run });
    const { outputs, log } = await job.main();
    expect(outputs["outcome"], log).toBe("answered");
    expect(log).not.toMatch(/warning/i);
  });

  test("answers a question of the workflow", async () => {
    await using scene = await setAssistantScene(answer);
    const step = readStep(takeBlock("docs/assistant.md#ask-from-a-workflow"), settings(scene.platform.url));
    await using job = await createActionJob({ ...step, run: { eventName: "workflow_dispatch", event: {} } });
    const { outputs, log } = await job.main();
    expect(outputs, log).toMatchObject({ outcome: "answered", answer: "Press Rotate." });
  });
});

test("the step in docs/doctor.md finds a sound set-up healthy, with the job's permissions", async () => {
  await using platform = await startHttpServer(() =>
    Response.json({ error: "No such job" }, { status: 404 }),
  );
  await using scene = await setAgentScene();
  const step = readStep(takeBlock("docs/doctor.md"), settings(platform.url));
  const run = { ...scene.github.run, token: scene.github.runToken(step.permissions) };
  await using artifacts = await startArtifactService();
  await using job = await createActionJob({ ...step, run, environment: artifacts.environment });
  const { outputs, log } = await job.main();
  expect(outputs["outcome"], log).toBe("healthy");
  expect(log).not.toMatch(/^advice:/m);
});

test("the step in docs/reconcile.md completes what a killed run left, with the job's permissions", async () => {
  await using scene = await setAgentScene({ polls: [{ status: "active" }, { status: "completed" }] });
  const { github } = scene;
  const values = settings(scene.platform.url);
  const { number: issue } = github.addIssue({ author: "alice", title: "Retries" });
  const step = readStep(takeBlock("docs/agent.md#ask-in-a-comment"), values);
  const run = {
    ...github.run,
    token: github.runToken(permissions),
    ...github.say(issue, "/docs explain retries"),
  };
  await using killed = await createActionJob({ ...step, run });
  const running = await killed.startMain();
  await running.waitForLog(/job-1: active/);
  running.signal("SIGKILL");
  await running.result;
  scene.passTime(3_600_000);

  const reconcile = readStep(takeBlock("docs/reconcile.md"), values);
  const token = github.runToken(reconcile.permissions);
  const schedule = { ...github.run, token, eventName: "schedule", event: {}, runId: 99 };
  await using job = await createActionJob({ ...reconcile, run: schedule });
  const { outputs, log } = await job.main();

  expect(outputs["outcome"], log).toBe("reconciled");
  expect(log).toContain("1 open request checked, 1 finished.");
});
