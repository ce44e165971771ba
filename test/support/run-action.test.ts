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
  test("carries outputs, state, variables and paths by the file commands", async () => {
    await using run = await runAction(sample("protocol"));
    expect(run.main.outputs["answer"]).toBe("two\nlines=<<EOF\n::error::no");
    expect(run.main.state).toEqual({ "job-id": "job_1" });
    expect(run.main.environment).toEqual({ DOCS_FLAVOUR: "plain" });
    expect(run.main.paths).toEqual(["/opt/docs/bin"]);
    expect(run.main.groups).toEqual(["Waiting"]);
    expect(run.main.debugMessages).toContain("quiet");
    expect(run.main.summary).toContain("<h1>Done</h1>");
  });

  test("gives declared defaults, the run's token and empty strings as inputs", async () => {
    await using run = await runAction(sample("protocol", { run: { token: "ghs_of-this-run" } }));
    expect(run.main.outputs["inputs"]).toBe("good morning|ghs_of-this-run|");
  });

  test("refuses an input that action.yml does not declare", async () => {
    await expect(
      createActionJob({ actionFolder, inputs: { greetin: "x" } }).then((job) => job.main()),
    ).rejects.toThrow('action.yml declares no input "greetin"');
  });

  test("reads annotations with their properties, and the exit code", async () => {
    await using run = await runAction(sample("protocol"));
    expect(run.main.exitCode).toBe(1);
    expect(run.main.annotations).toEqual([
      { level: "warning", message: "careful", properties: { file: "docs/a,b.md", line: "3" } },
      { level: "error", message: "It failed: 100%\nsecond line", properties: {} },
    ]);
  });

  test("hands saved state and exported variables to the post phase", async () => {
    await using run = await runAction(sample("protocol", { inputs: { greeting: "hello" } }));
    expect(run.post.log).toContain("post of job_1, hello, plain");
  });

  test("starts from an environment that holds nothing of the machine", async () => {
    process.env["LEFT_OVER_OF_THE_MACHINE"] = "1";
    await using run = await runAction(sample("protocol"));
    delete process.env["LEFT_OVER_OF_THE_MACHINE"];
    expect(run.main.log).not.toContain("LEFT_OVER_OF_THE_MACHINE");
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

  test("keeps what a killed step had saved", async () => {
    await using job = await createActionJob(sample("wait"));
    const main = await job.startMain();
    await main.waitForLog(/^waiting$/);
    main.signal("SIGKILL");
    expect(await main.result).toMatchObject({
      exitCode: null,
      signal: "SIGKILL",
      state: { "job-id": "job_2" },
    });
  });

  test("says so when a step ends without the line a test waits for", async () => {
    await using job = await createActionJob(sample("secret"));
    const main = await job.startMain();
    await expect(main.waitForLog(/never said/)).rejects.toThrow("ended without /never said/");
  });
});

describe("workflow commands in a step's output", () => {
  const logOf = async (text: string) => {
    await using run = await runAction(sample("echo", { environment: { SAMPLE_TEXT: text } }));
    return run.main;
  };

  test.each([
    ["at the start of a line", "::error::caught"],
    ["after blanks", "  \t::error::caught"],
    ["in any case of letters", "::ERROR::caught"],
    ["in the older form, anywhere in a line", "text ##[error]caught"],
    ["after a lone carriage return", "progress 10%\r::error::caught"],
  ])("count %s", async (_, text) => {
    const { annotations } = await logOf(text);
    expect(annotations).toEqual([{ level: "error", message: "caught", properties: {} }]);
  });

  test.each([
    ["in the middle of a line", "text ::error::not caught"],
    ["unknown to the runner", "::erorr::not caught"],
    ["without their second colons", "::error not caught"],
  ])("do not count %s", async (_, text) => {
    const { annotations, log } = await logOf(text);
    expect(annotations).toEqual([]);
    expect(log).toBe(text);
  });

  test("rest between stop-commands and its token", async () => {
    const { annotations } = await logOf("::stop-commands::tok\n::error::resting\n::tok::\n::error::awake\n");
    expect(annotations.map(({ message }) => message)).toEqual(["awake"]);
  });

  test("that file commands replaced are recorded as deprecated", async () => {
    const { deprecatedCommands, outputs } = await logOf("::set-output name=outcome::exported");
    expect(deprecatedCommands).toEqual([
      { name: "set-output", properties: { name: "outcome" }, data: "exported" },
    ]);
    expect(outputs).toEqual({});
  });

  test("unescape data and properties", async () => {
    const { annotations } = await logOf("::notice file=a%2Cb%3Ac,title=x%25y::one%0Atwo%253A");
    expect(annotations).toEqual([
      { level: "notice", message: "one\ntwo%3A", properties: { file: "a,b:c", title: "x%y" } },
    ]);
  });
});
