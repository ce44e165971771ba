/** `platform` of the command line: platform or bundle server, until a signal ends it. */
import { once } from "node:events";
import { stat } from "node:fs/promises";
import process from "node:process";
import { InputError, toErrorReport } from "../base/errors.ts";
import { readProxySettings } from "../base/http.ts";
import type { Log } from "../base/runtime.ts";
import { createConsoleLog } from "./base/log.ts";
import type { OpenSites, SitesDeps } from "./base/sites.ts";
import type { ClusterOptions } from "./cluster/cluster-storage.ts";
import { parseCommandLine, usage } from "./command-line.ts";
import type { Cluster, PlatformDeps, PlatformOptions } from "./platform.ts";
import type { GitSitesOptions } from "./sources/git-sites.ts";

// What bears the name of a chunk is bundled together with the others of that name: most of what these two load is the same.

/** How long requests in progress may take after a signal: the grace period of a container is longer. */
const drainMs = 10_000;

/** What a platform of several processes, or of sites from elsewhere, needs; `dist` does without. */
export interface ClusterDrivers {
  open(options: ClusterOptions, deps: { readonly now: () => number; readonly log: Log }): Promise<Cluster>;
  migrate(databaseUrl: string, log: Log): Promise<void>;
  openSites(options: GitSitesOptions, deps: SitesDeps): Promise<OpenSites>;
}

/**
 * Runs what the arguments ask for; a problem is told on standard error, and sets the exit code.
 *
 * @param drivers What `--database-url` and `--sites` need.
 */
export async function runPlatform(args: readonly string[], drivers?: ClusterDrivers): Promise<void> {
  try {
    const commandLine = parseCommandLine(args, process.env);
    const requireDrivers = (option: string) => {
      if (drivers !== undefined) return drivers;
      const where = "in a clone, run `npm ci --omit=dev` once, and then `npm run server -- platform …`";
      throw new InputError([`${option}: only the image and a clone have what this needs; ${where}`]);
    };
    if (commandLine.kind === "help") console.log(usage);
    else if (commandLine.kind === "key") {
      const { makeKey } = await import(/* webpackChunkName: "platform" */ "./base/key-file.ts");
      const { key, entry } = makeKey(commandLine.key);
      // The entry can be appended to the file as it is.
      process.stdout.write(entry);
      console.error(`The key, which is not shown again: ${key}`);
    } else if (commandLine.kind === "migrate")
      await requireDrivers("--database-url").migrate(
        commandLine.databaseUrl,
        createConsoleLog("text", false),
      );
    else if (commandLine.kind === "platform") {
      const { options, cluster, sites, verbose, logFormat } = commandLine;
      await requireFolder(options.docsDir);
      const { open } = cluster === undefined ? {} : requireDrivers("--database-url");
      const { openSites } = sites === undefined ? {} : requireDrivers("--sites");
      await serveUntilSignal((signal) => {
        const deps = { signal, log: createConsoleLog(logFormat, verbose), now: Date.now };
        const openCluster = cluster && open && (() => open(cluster, deps));
        return servePlatform(options, {
          ...deps,
          ...(openCluster && { openCluster }),
          ...(sites && openSites && { openSites: (shared) => openSites(sites, shared) }),
        });
      });
    } else
      await serveUntilSignal(async (signal) => {
        const { startBundleServer } = await import(/* webpackChunkName: "platform" */ "./bundle-server.ts");
        const options = { ...commandLine.options, proxies: readProxySettings(process.env), drainMs };
        const server = await startBundleServer(options, signal, createConsoleLog("text", false));
        console.log(`Documentation site: ${server.url}`);
        return server;
      });
  } catch (error) {
    const { message, hint } = toErrorReport(error);
    console.error(`${message}\n${error instanceof InputError ? "Run with --help for the options." : hint}`);
    process.exitCode = 1;
  }
}

async function requireFolder(docsDir: string | undefined): Promise<void> {
  const found = docsDir === undefined ? undefined : await stat(docsDir).catch(() => undefined);
  if (docsDir !== undefined && !found?.isDirectory())
    throw new InputError([`--docs: there is no folder ${docsDir}`]);
}

async function servePlatform(options: PlatformOptions, deps: PlatformDeps) {
  const { startPlatform } = await import(/* webpackChunkName: "platform" */ "./platform.ts");
  const proxies = readProxySettings(process.env);
  const platform = await startPlatform({ ...options, proxies, drainMs }, deps);
  const { url, listensOn, keys, madeKeys } = platform;
  console.log(`Documentation platform: ${url}`);
  if (listensOn !== url) console.log(`Listens on:             ${listensOn}`);
  console.log(`Domain identifier:      ${platform.domains.join(", ")}`);
  if (madeKeys.includes("admin")) console.log(`Admin API key:          ${keys.admin}`);
  if (madeKeys.includes("assistant")) console.log(`Assistant API key:      ${keys.assistant}`);
  if (madeKeys.length > 0 && options.dataDir !== undefined) {
    console.log(`The keys are not shown again; they are kept in ${options.dataDir}.`);
  }
  return platform;
}

async function serveUntilSignal(start: (signal: AbortSignal) => Promise<AsyncDisposable>): Promise<void> {
  const stop = new AbortController();
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  void stopped.then(() => {
    stop.abort();
    // A second signal ends the process at once, as by default.
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  });
  try {
    await using _server = await start(stop.signal);
    await stopped;
  } catch (error) {
    if (error !== stop.signal.reason) throw error;
  }
}
