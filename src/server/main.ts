/** Composition root of `npm run platform`: command line → platform, until a signal ends it. */
import { once } from "node:events";
import process from "node:process";
import { reportError } from "../base/errors.ts";
import type { Log } from "../base/runtime.ts";
import { asksToServeBundle, parseBundleCommandLine } from "./bundle-site/bundle-command-line.ts";
import { type BundleServerOptions, startBundleServer } from "./bundle-site/start-bundle-server.ts";
import { type CommandLine, parseCommandLine, usage } from "./command-line.ts";
import { type RunningPlatform, startLocalPlatform } from "./start-local-platform.ts";

await main();

async function main(): Promise<void> {
  try {
    const argv = process.argv.slice(2);
    if (argv.includes("--help")) console.log(usage);
    else if (asksToServeBundle(argv)) await serveBundle(parseBundleCommandLine(argv));
    else await servePlatform(parseCommandLine(argv, process.env));
  } catch (error) {
    const { message, hint, code } = reportError(error);
    console.error(
      code === "invalid-input" ? `${message}\nRun with --help for the options.` : `${message}\n${hint}`,
    );
    process.exitCode = 1;
  }
}

async function servePlatform(commandLine: CommandLine | undefined): Promise<void> {
  if (commandLine === undefined) {
    console.log(usage);
    return;
  }
  await serveUntilSignal(async (signal) => {
    const platform = await startLocalPlatform(commandLine, { signal, log: createConsoleLog(commandLine) });
    announce(commandLine, platform);
    return platform;
  });
}

async function serveBundle(options: BundleServerOptions): Promise<void> {
  await serveUntilSignal(async (signal) => {
    const server = await startBundleServer(options, { signal, log: createConsoleLog({ verbose: false }) });
    console.log(`Documentation site: ${server.url}`);
    return server;
  });
}

async function serveUntilSignal(start: (signal: AbortSignal) => Promise<AsyncDisposable>): Promise<void> {
  const stop = new AbortController();
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  void stopped.then(() => {
    stop.abort();
    // A second signal ends the process at once, as by default.
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  });
  const { signal } = stop;
  try {
    await using _server = await start(signal);
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
function createConsoleLog({ verbose }: Pick<CommandLine, "verbose">): Log {
  const write = (message: string) => console.error(`${new Date().toISOString()} ${message}`);
  return {
    debug: (message) => (verbose ? write(message) : undefined),
    info: write,
    notice: write,
    warning: (message) => write(`warning: ${message}`),
  };
}
