import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { JobFailedError } from "../../../src/base/errors.ts";
import { type AgentRun, runAgentCommand } from "../../../src/server/agent-jobs/run-agent-command.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startGate } from "../gate.ts";
import { isRunning } from "../process-state.ts";
import { agentOf } from "./agent-platform.ts";

const never = new AbortController().signal;

async function createRun(script: string, changes: Partial<AgentRun> = {}) {
  const folder = await createTemporaryFolder();
  const cwd = join(folder.path, "worktree");
  await mkdir(cwd);
  const run: AgentRun = {
    command: agentOf(script),
    cwd,
    prompt: "",
    environment: { PATH: process.env["PATH"] ?? "" },
    timeLimitMs: 60_000,
    graceMs: 10,
    logFile: join(folder.path, "log"),
    ...changes,
  };
  return { run, cwd, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

describe("an agent command", () => {
  test.each([
    ["options", "--help; $(touch gone) `touch gone` && rm -rf ."],
    ["NUL and control characters", "a\0b\u001b[2J\r\n\u202e"],
    ["a hundred thousand characters", "é".repeat(100_000)],
  ])("gets a prompt of %s on its standard input, as it is", async (_, prompt) => {
    await using context = await createRun(`fs.writeFileSync("prompt", prompt);`, { prompt });

    await runAgentCommand(context.run, { signal: never });

    expect(await readFile(join(context.cwd, "prompt"), "utf8")).toBe(prompt);
  });

  test("may ignore its prompt", async () => {
    await using context = await createRun("", {
      command: [process.execPath, "--eval", "process.stdin.destroy()"],
      prompt: "x".repeat(1_000_000),
    });

    await expect(runAgentCommand(context.run, { signal: never })).resolves.toBeUndefined();
  });

  test("sees the given environment and nothing else", async () => {
    await using context = await createRun(`fs.writeFileSync("env", JSON.stringify(process.env));`, {
      environment: { PATH: "/usr/bin", A: "1" },
    });

    await runAgentCommand(context.run, { signal: never });

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
  ])("that %s fails the job with its last words", async (_, script, message) => {
    await using context = await createRun(script);

    const running = runAgentCommand(context.run, { signal: never });

    await expect(running).rejects.toThrow(JobFailedError);
    await expect(running).rejects.toThrow(message);
  });

  test("that does not exist fails the job by its name", async () => {
    await using context = await createRun("", { command: ["no-such-agent", "--fast"] });

    await expect(runAgentCommand(context.run, { signal: never })).rejects.toThrow(
      "The agent command no-such-agent cannot be started",
    );
  });

  test("writes what it prints to a file, up to a limit", async () => {
    await using context = await createRun(`process.stdout.write("x".repeat(3_000_000));`);

    await runAgentCommand(context.run, { signal: never });

    const log = await readFile(context.run.logFile, "utf8");
    expect(log).toHaveLength(1024 * 1024 + "\n[output beyond 1048576 bytes is left out]\n".length);
    expect(log).toMatch(/left out\]\n$/);
  });

  test("that does not end by itself is ended, also when it does not want to", async () => {
    await using gate = await startGate();
    const script = `process.on("SIGTERM", () => fetch("${gate.url}/asked")); await fetch("${gate.url}/running");`;
    await using context = await createRun(script);
    const stop = new AbortController();

    const running = runAgentCommand(context.run, { signal: stop.signal });
    await gate.arrival("/running");
    stop.abort(new Error("stopped"));

    await expect(running).rejects.toThrow("stopped");
  });

  test("that takes too long fails the job", async () => {
    await using context = await createRun("setInterval(() => {}, 1000);", { timeLimitMs: 60 });

    await expect(runAgentCommand(context.run, { signal: never })).rejects.toThrow(
      "The agent command was stopped after 1 s.",
    );
  });

  test("takes what it started with it when it ends", async () => {
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

    await runAgentCommand({ ...context.run, command: agentOf(script) }, { signal: never });

    const pid = Number(await readFile(join(context.cwd, "pid"), "utf8"));
    expect(await isRunning(pid)).toBe(false);
  });
});
