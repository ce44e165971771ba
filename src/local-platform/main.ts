/** Composition root of `npm run platform`: command line → platform, until a signal ends it. */
import { once } from "node:events";
import process from "node:process";
import { reportError } from "../errors.ts";
import type { Log } from "../log.ts";
import { type CommandLine, parseCommandLine, usage } from "./command-line.ts";
import { type RunningPlatform, startLocalPlatform } from "./start-local-platform.ts";

await main();

async function main(): Promise<void> {
  try {
    const commandLine = parseCommandLine(process.argv.slice(2), process.env);
    if (commandLine === undefined) console.log(usage);
    else await serveUntilSignal(commandLine);
  } catch (error) {
    const { message, hint, code } = reportError(error);
    console.error(
      code === "invalid-input" ? `${message}\nRun with --help for the options.` : `${message}\n${hint}`,
    );
    process.exitCode = 1;
  }
}

async function serveUntilSignal(commandLine: CommandLine): Promise<void> {
  const stop = new AbortController();
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  void stopped.then(() => {
    stop.abort();
    // A second signal ends the process at once, as by default.
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  });
  const { signal } = stop;
  try {
    await using platform = await startLocalPlatform(commandLine, {
      signal,
      log: createConsoleLog(commandLine),
    });
    announce(commandLine, platform);
    await stopped;
  } catch (error) {
    if (error !== signal.reason) throw error;
  }
}

function announce({ domains, dataDir }: CommandLine, platform: RunningPlatform): void {
  console.log(`Documentation platform: ${platform.url}`);
  console.log(`Domain identifier:      ${domains?.join(", ")}`);
  if (platform.madeKeys.includes("admin")) console.log(`Admin API key:          ${platform.adminKey}`);
  if (platform.madeKeys.includes("assistant"))
    console.log(`Assistant API key:      ${platform.assistantKey}`);
  if (platform.madeKeys.length > 0 && dataDir !== undefined) {
    console.log(`The keys are not shown again; they are kept in ${dataDir}.`);
  }
}

/** Standard output is for what the server announces; what happens afterwards goes to standard error. */
function createConsoleLog({ verbose }: CommandLine): Log {
  const write = (message: string) => console.error(`${new Date().toISOString()} ${message}`);
  return {
    debug: (message) => (verbose ? write(message) : undefined),
    info: write,
    notice: write,
    warning: (message) => write(`warning: ${message}`),
  };
}
