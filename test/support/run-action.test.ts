import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type ActionUse, createActionJob, runAction } from "./run-action.ts";

const actionFolder = fileURLToPath(new URL("../fixtures/sample-action", import.meta.url));

const sample = (script: string, use: ActionUse = {}) => ({
  ...use,
  actionFolder,
  inputs: { script, ...use.inputs },
});

describe("running an action as the runner does", () => {
  test("carries inputs, outputs, state, variables, paths and annotations by the runner's files and commands", async () => {
    process.env["LEFT_OVER_OF_THE_MACHINE"] = "1";
    const use = { inputs: { greeting: "hello" }, run: { token: "ghs_of-this-run" } };
    await using run = await runAction(sample("protocol", use));
    delete process.env["LEFT_OVER_OF_THE_MACHINE"];
    expect(run.main).toMatchObject({
      exitCode: 1,
      outputs: { answer: "two\nlines=<<EOF\n::error::no", inputs: "hello|ghs_of-this-run|" },
      state: { "job-id": "job_1" },
      environment: { DOCS_FLAVOUR: "plain" },
      paths: ["/opt/docs/bin"],
      groups: ["Waiting"],
      annotations: [
        { level: "warning", message: "careful", properties: { file: "docs/a,b.md", line: "3" } },
        { level: "error", message: "It failed: 100%\nsecond line", properties: {} },
      ],
    });
    expect(run.main.debugMessages).toContain("quiet");
    expect(run.main.summary).toContain("<h1>Done</h1>");
    expect(run.main.log).not.toContain("LEFT_OVER_OF_THE_MACHINE");
    expect(run.post.log).toContain("post of job_1, hello, plain");
  });

  test("refuses an input that action.yml does not declare", async () => {
    await expect(
      createActionJob({ actionFolder, inputs: { greetin: "x" } }).then((job) => job.main()),
    ).rejects.toThrow('action.yml declares no input "greetin"');
  });

  test("masks a secret from the moment it is registered, everywhere, and keeps the raw text", async () => {
    await using run = await runAction(sample("secret"));
    expect(run.main.log).toContain("before: hunter2\nafter: ***, ***");
    expect(run.main.annotations[0]?.message).toBe("in an annotation: ***");
    expect(run.main.summary).toBe("in the summary: ***");
    expect(run.main.rawSummary).toContain("hunter2");
    expect(run.main.rawLog).toContain("after: hunter2");
  });

  test("masks the run's token and the workflow's secrets without being told", async () => {
    const environment = { SAMPLE_TEXT: "s3cret ghs_x" };
    await using run = await runAction(
      sample("echo", { secrets: ["s3cret"], run: { token: "ghs_x" }, environment }),
    );
    expect(run.main.log).toBe("*** ***");
  });

  test("fails where a text was taken for a command that sets an output", async () => {
    const environment = { SAMPLE_TEXT: "::set-output name=outcome::exported" };
    await using job = await createActionJob(sample("echo", { environment }));
    await expect(job.main()).rejects.toThrow("The step's output contains the command set-output: exported");
  });

  test("lets a test interrupt a step, wait for what it says, and run its post phase", async () => {
    await using job = await createActionJob(sample("wait"));
    const main = await job.startMain();
    await main.waitForLog(/^waiting$/);
    const result = await main.cancel();
    expect(result).toMatchObject({ exitCode: 1, signal: null });
    expect(result.log).toContain("stopped waiting");
    const post = await job.post();
    expect(post.log).toContain("post of job_2");
  });
});
