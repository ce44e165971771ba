/**
 * The only entry, for `runs.main`, `runs.post`, the command line and worker threads. If there is nothing to do, it ends without loading
 * anything else.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import {
  exit,
  readState,
  runnerLog,
  saveState,
  setOutput,
  takeSecrets,
  writeSummary,
} from "./action/runner.ts";
import { hideEnvironment } from "./base/hidden-environment.ts";
import { mayTrigger, readPhrases } from "./github/may-trigger.ts";

// An argument, because loading `worker_threads` takes a tenth of the CPU time of a run that has nothing to do.
const isWorkerThread = process.argv[2] === "worker-thread";
// The program name, because a main step that is cancelled early saves no state, and its post step must not run it again.
const program = basename(process.argv[1] ?? "");
// A runner starts these two files; every other name is the command line. Both load the same chunk, because they share most modules.
const isStep = program === "index.js" || program === "post.js";
const hasAgent =
  Boolean(process.env["INPUT_AGENT-COMMAND"]?.trim()) ||
  process.argv.some((argument) => /^--agent-command(=|$)/.test(argument));
// Otherwise Windows would start a `git.exe` in the documents' repository instead of the one in PATH.
process.env["NoDefaultCurrentDirectoryInExePath"] = "1";
if (!isWorkerThread) hideEnvironment(process.env, hasAgent);
const environment = isStep ? takeSecrets(process.env) : {};
// Not awaited: `dist/` is CommonJS, which has no top-level `await` (`docs/decisions.md`).
void start();

async function start(): Promise<void> {
  if (isWorkerThread) await import("./worker-thread.ts");
  else if (isStep) await (program === "post.js" ? runPostPhase() : runMainPhase());
  else await (await import(/* webpackChunkName: "frame" */ "./cli.ts")).runCommandLine(process.argv.slice(2));
}

async function runMainPhase(): Promise<void> {
  const command = readInput("command");
  const phrase = command === "agent" || command === "assistant" ? findMissingPhrase(command) : undefined;
  if (phrase !== undefined) return skip(command, phrase);
  saveState("command", command);
  const { runCommand } = await import(/* webpackChunkName: "frame" */ "./action/run-command.ts");
  await runCommand(environment);
  await exit();
}

/** Completes the record of a main step that was killed, or that ended without a settled record. */
async function runPostPhase(): Promise<void> {
  const command = readState("command");
  if (command !== "" && (readState("ended") !== "true" || readState("unsettled") === "true")) {
    const { runPost } = await import(/* webpackChunkName: "frame" */ "./action/run-command.ts");
    await runPost(command, environment);
  }
  await exit();
}

/**
 * Returns the trigger phrases if the event certainly contains none of them, and no input requests anything. This is the case for most
 * comments of a repository: their runs end before a schema library or an HTTP client is loaded.
 */
function findMissingPhrase(command: "agent" | "assistant"): string | undefined {
  const hasRequest = ["prompt", "prompt-file", "job-id"].some((name) => readInput(name) !== "");
  if (hasRequest || readInput("fail-on").includes("skipped")) return undefined;
  const phrases = readPhrases(command, readInput("trigger-phrase"));
  const eventName = environment["GITHUB_EVENT_NAME"] ?? "";
  return mayTrigger(eventName, readPayload(), phrases) ? undefined : phrases.join("`, `");
}

/** The event's payload; the command reports a payload that cannot be read. */
function readPayload(): unknown {
  try {
    return JSON.parse(readFileSync(environment["GITHUB_EVENT_PATH"] ?? "", "utf8"));
  } catch {
    return undefined;
  }
}

function readInput(name: string): string {
  return environment[`INPUT_${name.toUpperCase()}`]?.trim() ?? "";
}

function skip(command: string, phrase: string): void {
  const message = `The event does not contain the trigger phrase \`${phrase}\`.`;
  setOutput("outcome", "skipped");
  setOutput("skip-reason", "no-trigger");
  runnerLog.info(message);
  writeSummary(`### Docs ${command}: skipped\n\n${message}\n`);
}
