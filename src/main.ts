/**
 * The only entry, for `runs.main`, `runs.post`, the command line and their threads: ends at once when there is nothing to do, else
 * loads what it needs.
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

// Told by its argument: to load `worker_threads` and ask it is a tenth of what a run costs that has nothing to do.
const isWorkerThread = process.argv[2] === "worker-thread";
// Not told by a saved state: a main step that is cancelled before it can save one must not be run again by its post step.
const program = basename(process.argv[1] ?? "");
// A runner starts these two files; the command line is started by the names of its package, or from the sources. Both load one chunk,
// since they share most of it.
const isStep = program === "index.js" || program === "post.js";
const hasAgent =
  Boolean(process.env["INPUT_AGENT-COMMAND"]?.trim()) ||
  process.argv.some((argument) => /^--agent-command(=|$)/.test(argument));
if (!isWorkerThread) hideEnvironment(process.env, hasAgent);
const environment = isStep ? takeSecrets(process.env) : {};
if (isWorkerThread) await import("./worker-thread.ts");
else if (isStep) await (program === "post.js" ? runPostPhase() : runMainPhase());
else await (await import(/* webpackChunkName: "frame" */ "./cli.ts")).runCommandLine(process.argv.slice(2));

async function runMainPhase(): Promise<void> {
  const command = readInput("command");
  const phrase = command === "agent" || command === "assistant" ? uncalledPhrase(command) : undefined;
  if (phrase !== undefined) return skip(command, phrase);
  saveState("command", command);
  const { runCommand } = await import(/* webpackChunkName: "frame" */ "./action/run-command.ts");
  await runCommand(environment);
  await exit();
}

/** Completes what a main step left open: one that was cut off, or that ended without settling its record. */
async function runPostPhase(): Promise<void> {
  const command = readState("command");
  if (command !== "" && (readState("ended") !== "true" || readState("unsettled") === "true")) {
    const { runPost } = await import(/* webpackChunkName: "frame" */ "./action/run-post.ts");
    await runPost(command, environment);
  }
  await exit();
}

/**
 * The trigger phrases, where the event's text surely does not call them and nothing else asks for anything. Most comments
 * of a repository are of that kind: their runs end before a schema library or an HTTP client is loaded.
 */
function uncalledPhrase(command: "agent" | "assistant"): string | undefined {
  const asks = ["prompt", "prompt-file", "job-id"].some((name) => readInput(name) !== "");
  if (asks || readInput("fail-on").includes("skipped")) return undefined;
  const phrases = readPhrases(command, readInput("trigger-phrase"));
  const eventName = environment["GITHUB_EVENT_NAME"] ?? "";
  return mayTrigger(eventName, readPayload(), phrases) ? undefined : phrases.join("`, `");
}

/** The event's payload; one that cannot be read is reported by the command. */
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
  writeSummary(`### Docs automation: ${command}\n\n${message}\n`);
}
