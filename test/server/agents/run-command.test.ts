import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { JobFailedError } from "../../../src/base/errors.ts";
import {
  type AgentCommand,
  createAgentEnvironment,
  runAgentCommand,
  splitCommand,
} from "../../../src/server/agents/run-command.ts";
import { nodeBinary } from "../../support/run-action.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startGate } from "../gate.ts";
import { isRunning } from "../platform-process.ts";
import { agentOf } from "./agent-platform.ts";

const never = new AbortController().signal;

async function createRun(script: string, changes: Partial<AgentCommand> = {}) {
  const folder = await createTemporaryFolder();
  const cwd = join(folder.path, "worktree");
  await mkdir(cwd);
  const outputs: string[] = [];
  const run: AgentCommand = {
    command: agentOf(script),
    cwd,
    prompt: "",
    environment: { PATH: process.env["PATH"] ?? "" },
    timeLimitMs: 60_000,
    graceMs: 10,
    onOutput: (output) => outputs.push(output),
    ...changes,
  };
  return { run, cwd, outputs, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

describe("an agent command", () => {
  test.each([
    ["options", "--help; $(touch gone) `touch gone` && rm -rf ."],
    ["NUL and control characters", "a\0b\u001b[2J\r\n\u202e"],
    ["a hundred thousand characters", "é".repeat(100_000)],
  ])("reads a prompt of %s unchanged from its standard input", async (_, prompt) => {
    await using context = await createRun(`fs.writeFileSync("prompt", prompt);`, { prompt });

    await runAgentCommand(context.run, never);

    expect(await readFile(join(context.cwd, "prompt"), "utf8")).toBe(prompt);
  });

  test("can ignore its prompt", async () => {
    await using context = await createRun("", {
      command: [process.execPath, "--eval", "process.stdin.destroy()"],
      prompt: "x".repeat(1_000_000),
    });

    await expect(runAgentCommand(context.run, never)).resolves.toBeUndefined();
  });

  test("has only the configured environment", async () => {
    await using context = await createRun(`fs.writeFileSync("env", JSON.stringify(process.env));`, {
      environment: { PATH: "/usr/bin", A: "1" },
    });

    await runAgentCommand(context.run, never);

    expect(JSON.parse(await readFile(join(context.cwd, "env"), "utf8"))).toEqual({
      PATH: "/usr/bin",
      A: "1",
    });
  });

  test.each([
    [
      "ends with an error",
      "console.log('one'); console.error('two'); process.exit(7)",
      /ended with 7\. .*two/,
    ],
    ["is ended by a signal", "process.kill(process.pid, 'SIGKILL')", /ended with SIGKILL/],
  ])("that %s fails the job with the end of its output", async (_, script, message) => {
    await using context = await createRun(script);

    const running = runAgentCommand(context.run, never);

    await expect(running).rejects.toThrow(JobFailedError);
    await expect(running).rejects.toThrow(message);
  });

  test("that does not exist fails the job with its name", async () => {
    await using context = await createRun("", { command: ["no-such-agent", "--fast"] });

    await expect(runAgentCommand(context.run, never)).rejects.toThrow(
      "The agent command no-such-agent cannot be started",
    );
  });

  test("is stopped on Windows with the programs that it started", async () => {
    await using folder = await createTemporaryFolder();
    const taskkill = join(folder.path, "taskkill");
    await writeFile(taskkill, '#!/bin/sh\necho "$@" >> "$0.log"\n', { mode: 0o755 });
    const module = new URL("../../../src/server/agents/run-command.ts", import.meta.url);
    const script = `Object.defineProperty(process, "platform", { value: "win32" });
      const { endGroup } = await import("${module}");
      endGroup({ pid: 4711, exitCode: null }, "SIGTERM");
      endGroup({ pid: 4712, exitCode: 0 }, "SIGKILL");`;

    await promisify(execFile)(nodeBinary(), ["--input-type=module", "--eval", script], {
      env: { PATH: folder.path },
    });

    expect(await readFile(`${taskkill}.log`, "utf8")).toBe("/pid 4711 /t /f\n");
  });

  test("hands over the end of a long output", async () => {
    await using context = await createRun(
      `process.stdout.write("a" + "x".repeat(3_000_000) + "\\nThe links are right.\\n");`,
    );

    await runAgentCommand(context.run, never);

    const [output = ""] = context.outputs;
    expect(output).toHaveLength(1024 * 1024);
    expect(output).toMatch(/^x+\nThe links are right\.\n$/);
  });

  test("is killed when the platform stops, even if it ignores SIGTERM", async () => {
    await using gate = await startGate();
    const script = `process.on("SIGTERM", () => fetch("${gate.url}/asked")); await fetch("${gate.url}/running");`;
    await using context = await createRun(script);
    const stop = new AbortController();

    const running = runAgentCommand(context.run, stop.signal);
    await gate.arrival("/running");
    stop.abort(new Error("stopped"));

    await expect(running).rejects.toThrow("stopped");
  });

  test("that exceeds the time limit fails the job", async () => {
    await using context = await createRun("setInterval(() => {}, 1000);", { timeLimitMs: 60 });

    await expect(runAgentCommand(context.run, never)).rejects.toThrow(
      "The agent command was stopped after 1 s.",
    );
  });

  test("leaves no child processes running", async () => {
    await using gate = await startGate();
    await using context = await createRun("");
    const straggler = join(context.cwd, "straggler.mjs");
    await writeFile(straggler, `await fetch("${gate.url}/straggler");`);
    const script = `
      import { spawn } from "node:child_process";
      const child = spawn(process.execPath, [${JSON.stringify(straggler)}], { stdio: "ignore" });
      fs.writeFileSync("pid", String(child.pid));
      process.stdin.destroy();
      child.unref();
    `;

    await runAgentCommand({ ...context.run, command: agentOf(script) }, never);

    const pid = Number(await readFile(join(context.cwd, "pid"), "utf8"));
    expect(await isRunning(pid)).toBe(false);
  });
});

describe("a command line", () => {
  test.each([
    ["agent", ["agent"]],
    ["  agent   --fast\tnow\n", ["agent", "--fast", "now"]],
    [`agent 'two words' "and two"`, ["agent", "two words", "and two"]],
    [`agent --name='it''s'one`, ["agent", "--name=itsone"]],
    [`agent "a \\"quote\\" and a \\\\ and a \\n"`, ["agent", 'a "quote" and a \\ and a \\n']],
    [`agent two\\ words \\'`, ["agent", "two words", "'"]],
    [`agent '' ""`, ["agent", "", ""]],
    ["agent $HOME ~ *.md | tee; true > x", ["agent", "$HOME", "~", "*.md", "|", "tee;", "true", ">", "x"]],
    ["agent 'a\nb'", ["agent", "a\nb"]],
  ])("%j is split into words without expansion", (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });

  test.each([
    ["", "names no program"],
    ["   ", "names no program"],
    ["''", "names no program"],
    ["agent 'open", "the quote at character 7 is not closed"],
    ['agent "open\\"', "the quote at character 7 is not closed"],
    ["agent \\", "the quote at character 7 is not closed"],
  ])("%j is rejected", (command, message) => {
    expect(() => splitCommand(command)).toThrow(message);
  });
});

describe("the environment of agents", () => {
  const environment = {
    PATH: "/bin",
    HOME: "/home/me",
    LC_ALL: "C",
    https_proxy: "http://proxy",
    NODE_USE_SYSTEM_CA: "1",
    MODEL_KEY: "of the agent",
    AWS_SECRET_ACCESS_KEY: "no",
    GITHUB_TOKEN: "no",
    ACTIONS_RUNTIME_TOKEN: "no",
    "INPUT_API-KEY": "no",
    DOCS_PLATFORM_ADMIN_KEY: "no",
    UNSET: undefined,
  };

  test("contains what programs need, and what the operator named", () => {
    expect(createAgentEnvironment(environment, ["MODEL_KEY", "UNSET", "MISSING"])).toEqual({
      PATH: "/bin",
      HOME: "/home/me",
      LC_ALL: "C",
      https_proxy: "http://proxy",
      NODE_USE_SYSTEM_CA: "1",
      MODEL_KEY: "of the agent",
    });
  });

  test("contains the folders of Windows, and its protection from programs in the working directory", () => {
    const ofWindows = {
      Path: "C:\\Windows\\system32",
      ProgramData: "C:\\ProgramData",
      ProgramFiles: "C:\\Program Files",
      "ProgramFiles(x86)": "C:\\Program Files (x86)",
      NoDefaultCurrentDirectoryInExePath: "1",
    };

    expect(createAgentEnvironment(ofWindows, [])).toEqual(ofWindows);
  });

  // The runner ends the processes with this variable after each job, also if the step was killed.
  test("contains the variable by which a runner finds the processes of a job", () => {
    const tracking = { RUNNER_TRACKING_ID: "github_5f1d", RUNNER_TEMP: "/tmp" };

    expect(createAgentEnvironment(tracking, [])).toEqual({ RUNNER_TRACKING_ID: "github_5f1d" });
  });

  test("contains prefixed variables of a workflow, which take precedence", () => {
    const given = {
      ...environment,
      DOCS_AGENT_ENV_MODEL_KEY: "of the step",
      DOCS_AGENT_ENV_HOME: "/tmp/agent",
    };

    expect(createAgentEnvironment(given, [])).toMatchObject({ MODEL_KEY: "of the step", HOME: "/tmp/agent" });
  });

  test.each([
    [["GITHUB_TOKEN"], {}],
    [["INPUT_API-KEY"], {}],
    [["DOCS_PLATFORM_ADMIN_KEY"], {}],
    [[], { DOCS_AGENT_ENV_GITHUB_TOKEN: "no" }],
  ])("never contains the platform's secrets: %j %j", (names, added) => {
    expect(() => createAgentEnvironment({ ...environment, ...added }, names)).toThrow(
      "is not passed to agents",
    );
  });
});
