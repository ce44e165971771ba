/** Starts the documentation platform: storage, keys, sites, routes, jobs and the HTTP server. */
import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { routePath } from "hono/route";
import { ActionError } from "../base/errors.ts";
import type { Log } from "../base/runtime.ts";
import { messageOf, stackOf } from "../base/text.ts";
import { openAgents } from "./agents/agent-routes.ts";
import { type AssistantOptions, openAssistant } from "./assistant/assistant.ts";
import type { AgentOptions, ExportOptions, Observer, PlatformContext, SitesDeps } from "./base/context.ts";
import { openFileStorage } from "./base/file-storage.ts";
import { ApiError, addHealthRoutes, listen } from "./base/http.ts";
import { createKeyGuard, openKeys, type PlatformKeys } from "./base/keys.ts";
import { withLogFields } from "./base/log.ts";
import { openDataDirectory } from "./base/records.ts";
import { createFolderSource, createSiteFinder, type OpenSites } from "./base/sites.ts";
import { type Storage, StorageUnavailableError } from "./base/storage.ts";
import type { SiteExporter } from "./exports/export-jobs.ts";
import { openExports } from "./exports/export-routes.ts";
import { createStatusRoutes } from "./status/status-routes.ts";

/** Options of the platform. `docsDir` is required unless `openSites` is given. */
export interface PlatformOptions extends ExportOptions {
  readonly docsDir?: string | undefined;
  /** Domain identifiers of the documents; defaults to `localhost`. */
  readonly domains?: readonly string[];
  /** Address to listen on; defaults to 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on; defaults to a free port. */
  readonly port?: number;
  /** Base URL for clients; defaults to the address that the server listens on. */
  readonly publicUrl?: string | undefined;
  readonly trustedProxies?: readonly string[] | undefined;
  /** Folder that keeps jobs and bundles across restarts; defaults to a temporary folder. */
  readonly dataDir?: string | undefined;
  /** Where a temporary folder is created; defaults to the system's folder for temporary files. */
  readonly temporaryDir?: string | undefined;
  /** API keys; missing keys are generated at the first start and stored in the data directory. */
  readonly keys?: PlatformKeys | undefined;
  /** Key file, which may change while the platform runs; with it, no keys are generated. */
  readonly keysFile?: string | undefined;
  /** Project identifiers of agent jobs; by default, any identifier is valid. */
  readonly projects?: readonly string[] | undefined;
  /** Without these options, agent jobs are disabled. */
  readonly agent?: AgentOptions | undefined;
  readonly assistant?: AssistantOptions | undefined;
  /** `web` responds to requests, `worker` runs jobs, `all` (the default) does both. */
  readonly role?: "all" | "web" | "worker";
  readonly drainMs?: number;
}

export interface PlatformDeps {
  /** Cancels the start; has no effect once the platform has started. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly now?: () => number;
  readonly exporter?: SiteExporter;
  /** Opens the shared storage of several processes; by default, state is stored in the data directory. */
  readonly openCluster?: () => Promise<Cluster>;
  /** Opens the sites; by default, there is one site in `docsDir`. */
  readonly openSites?: (deps: SitesDeps) => Promise<OpenSites>;
}

/** The shared storage and metrics of a platform with several processes. */
export interface Cluster {
  readonly storage: Storage;
  readonly observer: Observer;
  readonly routes: Hono;
}

const hour = 60 * 60 * 1000;
const silentObserver: Observer = { request: () => undefined, job: () => undefined, answer: () => undefined };

/**
 * Starts the platform and resumes unfinished jobs. It runs until disposal.
 *
 * @throws {ActionError} if the documents, the data directory or the port cannot be used.
 */
export async function startPlatform(options: PlatformOptions, deps: PlatformDeps) {
  const { signal, log, now = Date.now } = deps;
  const { domains = ["localhost"], host = "127.0.0.1", port = 0, trustedProxies = [] } = options;
  signal.throwIfAborted();
  // Sites from git bring their own documents.
  const docsDir = deps.openSites === undefined ? await findDocuments(options.docsDir ?? "") : "";

  await using stack = new AsyncDisposableStack();
  const { path: dataDir } = stack.use(await openDataDirectory(options.dataDir, options.temporaryDir));
  await rm(join(dataDir, "work"), { recursive: true, force: true });
  const keysPath = join(dataDir, "keys.json");
  const { keys: configured = {}, keysFile } = options;
  const { keys, generated, save, find } = await openKeys(keysPath, configured, keysFile, log);
  let url = options.publicUrl?.replace(/\/+$/, "") ?? "";
  const requireKey = createKeyGuard(find, now);
  const publicUrl = () => url;
  const { linkLifetimeMs: lifetimeMs = hour, role = "all" } = options;
  const links = { lifetimeMs, publicUrl, now };
  const cluster = await deps.openCluster?.();
  const storage = stack.use(cluster?.storage ?? (await openFileStorage(dataDir, links, log)));
  const observer = cluster?.observer ?? silentObserver;
  const opened = stack.use(await deps.openSites?.({ storage, dataDir, log, now }));
  const folderSite = {
    domains: domains.map((name) => name.toLowerCase()),
    documents: createFolderSource(docsDir),
  };
  const sites = opened?.sites ?? [folderSite];
  const everyHour = async (work: () => Promise<void>) => {
    const warn = (error: unknown) => log.warning(`Expired data could not be removed: ${messageOf(error)}`);
    const timer = setInterval(() => work().catch(warn), hour).unref();
    stack.defer(() => clearInterval(timer));
    await work().catch(warn);
  };
  const context: PlatformContext = {
    storage,
    dataDir,
    runsJobs: role !== "web",
    findSite: createSiteFinder(sites),
    docsDir,
    trustedProxies,
    requireKey,
    publicUrl,
    log,
    observer,
    now,
    everyHour,
    signal,
  };

  const app = createApp(context);
  addHealthRoutes(app, storage.findProblem);
  if (cluster !== undefined) app.route("/", cluster.routes);
  // All parts drain at the same time, because the orchestrator's grace period is for the whole process.
  const parts: AsyncDisposable[] = [];
  stack.defer(async () => void (await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()))));
  const add = <Part extends AsyncDisposable>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  // A cache in a temporary data directory would be useless.
  const cacheDir = options.dataDir && join(dataDir, "cache", "pages");
  const exports = add(await openExports({ ...options, cacheDir }, context, deps.exporter));
  const agents = add(await openAgents(options.agent, options.projects, opened?.projects, context));
  const assistant = await openAssistant(options.assistant ?? {}, context);
  const status = createStatusRoutes(exports.jobs, agents.jobs, assistant.refused, context);
  const areas = [exports, agents, assistant, { routes: status }, storage.blobs, opened];
  // A worker serves health checks and metrics only.
  for (const area of role === "worker" ? [] : areas) if (area?.routes) app.route("/", area.routes);

  const server = add(await listen(app.fetch, host, port, options.drainMs));
  url ||= server.url;
  // Not before: after a start that failed, the next one has to show new keys.
  await save();
  signal.throwIfAborted();
  const resources = stack.move();
  return {
    url,
    /** URL of the address that the server listens on. */
    listensOn: server.url,
    domains: sites.flatMap((site) => site.domains),
    keys,
    /** Classes of the keys that this start generated: the operator has not seen them yet. */
    generatedKeys: generated,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Creates the app with what all routes share: request ids, logging, the error format, and the responses 404 and 405. */
function createApp({ log, observer, now }: PlatformContext): Hono {
  const app = new Hono();
  app.use(requestId());
  app.use(async (call, next) => {
    const startedAt = now();
    const id = call.get("requestId");
    await withLogFields({ requestId: id }, next);
    // Again, because Hono drops the header if a route returns a `Response` that it made itself.
    call.header("x-request-id", id);
    // `path` has no query, which can contain the signature of a bundle link.
    const { method, path } = call.req;
    const [status, ms] = [call.res.status, now() - startedAt];
    const key = call.get("apiKey");
    const sender = key === undefined ? "" : ` by ${key.name}`;
    log.debug(`${method} ${path} ${status} ${ms} ms${sender}`);
    observer.request({ method, route: routePath(call, -1), status, seconds: ms / 1000 });
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (call, methods) => {
        const allow = methods.join(", ");
        return call.json({ error: `This URL supports ${allow} only.` }, 405, { allow });
      },
    }),
  );
  app.onError((error, call) => {
    if (error instanceof ApiError) return call.json({ error: error.message }, error.status, error.headers);
    if (error instanceof StorageUnavailableError) {
      const message = "The platform's storage is unavailable. Try again later.";
      return call.json({ error: message }, 503, { "retry-after": "5" });
    }
    // The error itself is only logged: it can contain internal details.
    log.warning(`${call.req.method} ${call.req.path} failed: ${stackOf(error)}`);
    return call.json({ error: "The platform failed to process this request; its log has the reason." }, 500);
  });
  app.notFound((call) => call.json({ error: "This URL does not exist." }, 404));
  return app;
}

/** @throws {ActionError} if there is no such folder. */
async function findDocuments(docsDir: string): Promise<string> {
  const path = resolve(docsDir);
  // Not of `path`: without a folder, that would be the current one.
  const found = await stat(docsDir).catch(() => undefined);
  if (found?.isDirectory()) return path;
  const problem = found === undefined ? "does not exist" : "is a file";
  throw new ActionError("invalid-input", `The folder of documents ${path} ${problem}.`, {
    hint: "Set `docs-dir` (`--docs` of `platform`) to the folder with the documents. In a workflow, check the repository out before this step.",
  });
}
