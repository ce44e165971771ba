/** The command `platform`: runs the platform or the bundle server until a signal. */
import { once } from "node:events";
import process from "node:process";
import { InputError, toErrorReport } from "../base/errors.ts";
import { readProxySettings } from "../base/http.ts";
import type { Log } from "../base/runtime.ts";
import type { SitesDeps } from "./base/context.ts";
import { createConsoleLog } from "./base/log.ts";
import type { OpenSites } from "./base/sites.ts";
import type { ClusterOptions } from "./cluster/cluster-storage.ts";
import { parseCommandLine, usage } from "./command-line.ts";
import type { Cluster, PlatformDeps, PlatformOptions } from "./platform.ts";
import type { GitSitesOptions } from "./sources/git-sites.ts";

// Imports with the same `webpackChunkName` are bundled into one chunk, because they share most of their code.

/** How long shutdown waits for requests in progress. */
const drainMs = 10_000;
/** How long it takes at most without the time for running jobs; shorter than the grace period of a container. */
const maxShutdownMs = 18_000;

/** Implementations for `--database-url` and `--sites`, which are not part of `dist`. */
export interface ClusterDrivers {
  open(options: ClusterOptions, deps: { readonly now: () => number; readonly log: Log }): Promise<Cluster>;
  migrate(databaseUrl: string, log: Log): Promise<void>;
  openSites(options: GitSitesOptions, deps: SitesDeps): Promise<OpenSites>;
}

/**
 * Runs the command. Errors are printed to standard error and set the exit code.
 *
 * @param drivers Required for `--database-url` and `--sites`.
 */
export async function runPlatform(args: readonly string[], drivers?: ClusterDrivers): Promise<void> {
  try {
    const commandLine = parseCommandLine(args, process.env);
    const requireDrivers = (option: string) => {
      if (drivers !== undefined) return drivers;
      const how = "in a clone, run `npm ci --omit=dev` once, and then `npm run server -- platform …`";
      throw new InputError([`${option}: this needs the container image or a clone; ${how}`]);
    };
    const log = createConsoleLog("text", false);
    if (commandLine.kind === "help") console.log(usage);
    else if (commandLine.kind === "migrate")
      await requireDrivers("--database-url").migrate(commandLine.databaseUrl, log);
    else if (commandLine.kind === "platform") {
      const { options, cluster, sites, verbose, logFormat } = commandLine;
      const clusterDrivers = cluster && requireDrivers("--database-url");
      const sitesDrivers = sites && requireDrivers("--sites");
      const jobsDrainMs = options.role === "web" ? 0 : (cluster?.drainMs ?? 0);
      await serveUntilSignal(maxShutdownMs + jobsDrainMs, (signal) => {
        const deps = { signal, log: createConsoleLog(logFormat, verbose), now: Date.now };
        return servePlatform(options, {
          ...deps,
          ...(clusterDrivers && { openCluster: () => clusterDrivers.open(cluster, deps) }),
          ...(sitesDrivers && { openSites: (shared) => sitesDrivers.openSites(sites, shared) }),
        });
      });
    } else
      await serveUntilSignal(maxShutdownMs, async (signal) => {
        const { startBundleServer } = await import(/* webpackChunkName: "platform" */ "./bundle-server.ts");
        const options = { ...commandLine.options, proxies: readProxySettings(process.env), drainMs };
        const server = await startBundleServer(options, signal, log);
        console.log(`Documentation site: ${server.url}`);
        return server;
      });
  } catch (error) {
    const { message, hint } = toErrorReport(error);
    console.error(`${message}\n${error instanceof InputError ? "Run with --help for the options." : hint}`);
    process.exitCode = 1;
  }
}

async function servePlatform(options: PlatformOptions, deps: PlatformDeps) {
  const { startPlatform } = await import(/* webpackChunkName: "platform" */ "./platform.ts");
  const proxies = readProxySettings(process.env);
  const platform = await startPlatform({ ...options, proxies, drainMs }, deps);
  const { url, listensOn, keys, generatedKeys } = platform;
  console.log(`Documentation platform: ${url}`);
  if (listensOn !== url) console.log(`Listens on:             ${listensOn}`);
  // It serves only its health and metrics.
  if (options.role === "worker") return platform;
  console.log(`Domain identifier:      ${platform.domains.join(", ")}`);
  console.log(`Status page:            ${url}/status`);
  if (generatedKeys.includes("admin")) console.log(`Admin API key:          ${keys.admin}`);
  if (generatedKeys.includes("assistant")) console.log(`Assistant API key:      ${keys.assistant}`);
  if (generatedKeys.length > 0 && options.dataDir !== undefined) {
    console.log(`The keys are not shown again; they are kept in ${options.dataDir}.`);
  }
  return platform;
}

/** A closed terminal sends SIGHUP. */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

async function serveUntilSignal(
  limitMs: number,
  start: (signal: AbortSignal) => Promise<AsyncDisposable>,
): Promise<void> {
  const stop = new AbortController();
  const stopped = Promise.race(stopSignals.map((signal) => once(process, signal)));
  void stopped.then(() => {
    stop.abort();
    // Restore the default: a second signal ends the process at once.
    for (const signal of stopSignals) process.removeAllListeners(signal);
    // A database that does not respond would keep the process for minutes. What it leaves is taken over like that of a lost process.
    setTimeout(() => {
      console.error("The shutdown takes too long; the process ends without completing it.");
      process.exit();
    }, limitMs).unref();
  });
  try {
    await using _server = await start(stop.signal);
    await stopped;
  } catch (error) {
    if (error !== stop.signal.reason) throw error;
  }
}
