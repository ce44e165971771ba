/** The embedded platform: a function from requests to responses, the jobs behind it, and the socket in front of it. */
import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { routePath } from "hono/route";
import { ActionError } from "../base/errors.ts";
import { isLoopback } from "../base/network.ts";
import type { Log } from "../base/runtime.ts";
import { stackOf } from "../base/text.ts";
import { openAgents } from "./agents/agent-routes.ts";
import { type AssistantOptions, openAssistant } from "./assistant/assistant.ts";
import type { AgentOptions, ExportOptions, Observer, PlatformContext } from "./base/context.ts";
import { openFileStorage } from "./base/file-storage.ts";
import { ApiError, addHealthRoutes, listen } from "./base/http.ts";
import { createKeyGuard, openKeys, type PlatformKeys } from "./base/keys.ts";
import { withLogFields } from "./base/log.ts";
import { openDataDirectory } from "./base/records.ts";
import { createFolderSource, createSiteFinder, type OpenSites, type SitesDeps } from "./base/sites.ts";
import { type Storage, StorageUnavailableError } from "./base/storage.ts";
import { openExports } from "./exports/export-routes.ts";
import { createSiteExporter, type SiteExporter } from "./exports/site-exporter.ts";
import { createStatusRoutes } from "./status/status-routes.ts";

/** What to serve, where, and to whom. Only the documents have no default, unless `openSites` brings them. */
export interface PlatformOptions extends ExportOptions {
  /** Folder of Markdown and MDX documents. */
  readonly docsDir?: string | undefined;
  /** Domain identifiers under which the documents are served; `localhost` unless set. */
  readonly domains?: readonly string[];
  /** Address to listen on; the loopback address unless set. */
  readonly host?: string;
  /** Port to listen on; a free one unless set. */
  readonly port?: number;
  /** Address that clients reach the platform at, where it is not the one it listens on. */
  readonly publicUrl?: string | undefined;
  /** Addresses and ranges of the proxies in front of it, whose `X-Forwarded-For` names the client. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Keeps jobs and bundles over a restart; a temporary folder, removed at the end, unless set. */
  readonly dataDir?: string | undefined;
  /** Kept in the data directory, where they are made at random on the first start, unless set. */
  readonly keys?: PlatformKeys | undefined;
  /** File of further keys, which may change while the platform runs; with it, no key is made. */
  readonly keysFile?: string | undefined;
  /** Project identifiers of agent jobs; any unless set. */
  readonly projects?: readonly string[] | undefined;
  /** What works on agent jobs; without it, they are not enabled. */
  readonly agent?: AgentOptions | undefined;
  /** How questions are answered. */
  readonly assistant?: AssistantOptions | undefined;
  /** Whether it answers requests, works on jobs, or both; both unless set. */
  readonly role?: "all" | "web" | "worker";
  /** How long requests in progress may take at the end, in milliseconds; not at all unless set. */
  readonly drainMs?: number;
}

/** What a platform runs with. */
export interface PlatformDeps {
  /** Aborting it while the platform starts gives up; afterwards it has no effect: dispose of the platform. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly now?: () => number;
  readonly exporter?: SiteExporter;
  /** Opens what a platform of several processes keeps its state in; files of the data directory unless given. */
  readonly openCluster?: () => Promise<Cluster>;
  /** Opens the sites, in place of the one in a folder. */
  readonly openSites?: (deps: SitesDeps) => Promise<OpenSites>;
}

/** What a process shares with the others of its platform. */
export interface Cluster {
  readonly storage: Storage;
  readonly observer: Observer;
  /** For operators. */
  readonly routes: Hono;
}

const hour = 60 * 60 * 1000;
const silentObserver: Observer = { request: () => undefined, job: () => undefined, answer: () => undefined };

export type RunningPlatform = Awaited<ReturnType<typeof startPlatform>>;

/**
 * Starts the embedded platform, which listens until it is disposed of, and resumes the jobs of its data directory.
 *
 * @throws {ActionError} when the documents, the data directory or the port cannot be used.
 */
export async function startPlatform(options: PlatformOptions, deps: PlatformDeps) {
  const { signal, log, now = Date.now } = deps;
  // A temporary data directory has no next export.
  const cacheDir = options.dataDir && join(resolve(options.dataDir), "cache", "pages");
  // Nothing else of the options: which documents are exported is said by each export.
  const { remoteMedia, proxies } = options;
  const remote = { remoteMedia, proxies };
  const { exporter = createSiteExporter(log, cacheDir, remote) } = deps;
  const { domains = ["localhost"], host = "127.0.0.1", port = 0, projects, trustedProxies = [] } = options;
  signal.throwIfAborted();
  const docsDir = await findDocuments(options.docsDir);

  await using stack = new AsyncDisposableStack();
  const { path: dataDir } = stack.use(await openDataDirectory(options.dataDir));
  await rm(join(dataDir, "work"), { recursive: true, force: true });
  const keysPath = join(dataDir, "keys.json");
  const { keys, made, find } = await openKeys(keysPath, options.keys ?? {}, options.keysFile, { log, now });
  let url = options.publicUrl?.replace(/\/+$/, "") ?? "";
  const isPrivate =
    [host, new URL(url || "http://localhost").hostname].every((hostname) => isLoopback({ hostname })) &&
    trustedProxies.length === 0;
  const requireKey = createKeyGuard(find, now);
  const publicUrl = () => url;
  const links = { lifetimeMs: options.linkLifetimeMs ?? hour, publicUrl, now };
  const cluster = await deps.openCluster?.();
  const storage = stack.use(cluster?.storage ?? (await openFileStorage(dataDir, links, log)));
  const observer = cluster?.observer ?? silentObserver;
  const { role = "all" } = options;
  const { openSites = openFolderSite(domains, docsDir) } = deps;
  const opened = stack.use(await openSites({ storage, dataDir, log, now }));
  const context: PlatformContext = {
    storage,
    dataDir,
    works: role !== "web",
    findSite: createSiteFinder(opened.sites),
    docsDir,
    trustedProxies,
    requireKey,
    publicUrl,
    log,
    observer,
    now,
    signal,
  };

  const app = createApp(context);
  addHealthRoutes(app, storage.findProblem);
  if (cluster !== undefined) app.route("/", cluster.routes);
  // At the end, all of it drains at once: an orchestrator's patience is for the whole.
  const parts: AsyncDisposable[] = [];
  stack.defer(async () => void (await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()))));
  const add = <Part extends AsyncDisposable>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  const exports = add(await openExports(options, context, exporter));
  const agents = add(
    await openAgents(options.agent, { projects, places: opened.projects }, isPrivate, context),
  );
  const assistant = await openAssistant(options.assistant ?? {}, remote, context);
  const sources = { exports: exports.jobs, agents: agents.jobs, questions: assistant.refused };
  const status = createStatusRoutes(sources, context);
  const areas = [
    exports.routes,
    agents.routes,
    assistant.routes,
    status,
    storage.blobs.routes,
    opened.routes,
  ];
  // A worker answers what a probe asks, and nothing else.
  for (const routes of role === "worker" ? [] : areas) if (routes !== undefined) app.route("/", routes);

  const server = add(await listen(app.fetch, host, port, options.drainMs));
  url ||= server.url;
  signal.throwIfAborted();
  const resources = stack.move();
  return {
    /** Address for clients, without a slash at the end. */
    url,
    /** Address that it listens on; another one where clients come through a proxy. */
    listensOn: server.url,
    domains: opened.sites.flatMap((site) => site.domains),
    /** Keys that are not of a file. */
    keys,
    /** Keys that this start made: nothing has shown them to the operator yet. */
    madeKeys: made,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What holds for every route: a request id, errors in one shape, 404 and 405. */
function createApp({ log, observer, now }: PlatformContext): Hono {
  const app = new Hono();
  app.use(requestId());
  app.use(async (call, next) => {
    const startedAt = now();
    await withLogFields({ requestId: call.get("requestId") }, next);
    const { method, path } = call.req;
    const [status, ms] = [call.res.status, now() - startedAt];
    // Without the query: a bundle's signature is a credential.
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
        return call.json({ error: `This address answers ${allow} only.` }, 405, { allow });
      },
    }),
  );
  app.onError((error, call) => {
    if (error instanceof ApiError) return call.json({ error: error.message }, error.status, error.headers);
    if (error instanceof StorageUnavailableError) {
      const busy = "The platform cannot reach what it keeps its state in; ask again.";
      return call.json({ error: busy }, 503, { "retry-after": "5" });
    }
    // The cause is for the log alone.
    log.warning(`${call.req.method} ${call.req.path} failed: ${stackOf(error)}`);
    return call.json({ error: "The platform failed on this request; its log says why." }, 500);
  });
  app.notFound((call) => call.json({ error: "There is nothing at this address." }, 404));
  return app;
}

function openFolderSite(domains: readonly string[], docsDir: string | undefined) {
  if (docsDir === undefined)
    throw new ActionError("invalid-input", "The platform has no documents to serve.");
  const site = {
    domains: domains.map((name) => name.toLowerCase()),
    documents: createFolderSource(docsDir),
  };
  return async (): Promise<OpenSites> => ({
    sites: [site],
    routes: new Hono(),
    [Symbol.asyncDispose]: async () => undefined,
  });
}

/** The folder's absolute path. */
async function findDocuments(docsDir: string | undefined): Promise<string | undefined> {
  if (docsDir === undefined) return undefined;
  const path = resolve(docsDir);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  throw new ActionError("invalid-input", `The folder of documents ${path} does not exist.`, {
    hint: "Set `docs-dir` to the folder with the documents. In a workflow, check the repository out before this step.",
  });
}
