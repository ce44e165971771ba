import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createCrashGuard, createInterruption, giveUpAfterAbort } from "../../src/action/run-command.ts";

describe("createInterruption", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"])(
    "aborts every wait on %s, with a reason that says so",
    (name) => {
      const process = new EventEmitter();
      using interruption = createInterruption(process);
      process.emit(name);
      expect(interruption.signal.reason).toMatchObject({
        code: "cancelled",
        message: "The workflow was cancelled.",
      });
    },
  );

  test("speaks of the command on a command line", () => {
    const process = new EventEmitter();
    using interruption = createInterruption(process, "command");
    process.emit("SIGINT");
    expect(interruption.signal.reason.message).toBe("The command was cancelled.");
  });

  test("keeps the first reason", () => {
    const process = new EventEmitter();
    using interruption = createInterruption(process);
    process.emit("SIGINT");
    const { reason } = interruption.signal;
    process.emit("SIGTERM");
    expect(interruption.signal.reason).toBe(reason);
  });

  test("ends a command after the deadline, and says nothing of a job, which it may not have", async () => {
    using interruption = createInterruption(new EventEmitter());
    const aborted = once(interruption.signal, "abort");
    const graceMs = 20_000;
    interruption.startDeadline(-graceMs);
    await aborted;
    const { code, hint } = interruption.signal.reason;
    expect({ code, hint }).toEqual({ code: "timed-out", hint: "Run again, or raise `timeout-minutes`." });
  });

  test("leaves no listener behind", () => {
    const process = new EventEmitter();
    createInterruption(process)[Symbol.dispose]();
    expect(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM")).toBe(0);
  });
});

test.each(["before", "while"])(
  "giveUpAfterAbort ends a run with the reason, where its signal aborted %s it waited",
  async (when) => {
    const controller = new AbortController();
    const reason = new Error("The deadline has passed.");
    if (when === "before") controller.abort(reason);
    const keepsProcess = setTimeout(() => undefined, 10_000);
    const end = giveUpAfterAbort(controller.signal, 1);
    controller.abort(reason);

    await expect(end).rejects.toBe(reason);
    clearTimeout(keepsProcess);
  },
);

describe("createCrashGuard", () => {
  test("rejects with an exception that nothing caught", async () => {
    const process = new EventEmitter();
    using guard = createCrashGuard(process);
    const crash = new Error("socket exploded");
    process.emit("uncaughtException", crash);
    await expect(guard.crashed).rejects.toBe(crash);
  });

  test("is no second crash where nothing waits for it", async () => {
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown) => rejected.push(reason);
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", onRejection);
    const emitter = new EventEmitter();
    using _guard = createCrashGuard(emitter);
    emitter.emit("uncaughtException", new Error("socket exploded"));
    await nextTurn();
    process.off("unhandledRejection", onRejection);
    for (const listener of listeners) process.on("unhandledRejection", listener);
    expect(rejected).toEqual([]);
  });

  test("rejects when nothing is left that could settle the run", async () => {
    const process = new EventEmitter();
    using guard = createCrashGuard(process);
    process.emit("beforeExit", 0);
    await expect(guard.crashed).rejects.toThrow("waits for something that cannot happen any more");
  });

  test("stops watching when it is disposed of", () => {
    const process = new EventEmitter();
    createCrashGuard(process)[Symbol.dispose]();
    expect(process.eventNames()).toEqual([]);
  });
});

describe("runCommand", () => {
  /** Runs the main step in a process, with this program in place of the command. */
  async function runWith(command: string) {
    const module = new URL("../../src/action/run-command.ts", import.meta.url);
    const program = `import { runCommand } from "${module}";
      const command = async (inputs, run) => { ${command} };
      await runCommand(process.env, { doctor: async () => command });`;
    const env = { INPUT_COMMAND: "doctor", "INPUT_BASE-URL": "local", GITHUB_REF: "refs/heads/main" };
    const step = spawn(process.execPath, ["--input-type=module", "--eval", program], { env });
    const [output, [code]] = await Promise.all([text(step.stdout), once(step, "exit")]);
    return { output, code };
  }

  test("reports an exception that the command does not see, instead of waiting for ever", async () => {
    const { output, code } = await runWith(
      'setTimeout(() => { throw new Error("too late"); }); await new Promise(() => undefined);',
    );

    expect(output).toContain("::error title=Docs automation%3A internal::Error: too late");
    expect(code).toBe(1);
  });

  test("gives the command the runner's environment without the inputs", async () => {
    const { output } = await runWith(
      'return { outcome: "healthy", message: Object.keys(run.environment).join(), summary: "" };',
    );

    expect(output).toContain("GITHUB_REF");
    expect(output).not.toContain("INPUT_");
  });
});
