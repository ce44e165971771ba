import { join } from "node:path";
import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import type { Log } from "../base/runtime.ts";
import { createAgentRoutes } from "./agent-jobs/agent-routes.ts";
import { type AgentOptions, openAgent } from "./agent-jobs/open-agent.ts";
import { createPullRequestPages } from "./agent-jobs/pull-request-pages.ts";
import { type AssistantOptions, openAssistant } from "./assistant/open-assistant.ts";
import { createErrorHandler } from "./http/api-error.ts";
import { createKeyring, type Keyring, type PlatformKeys } from "./http/require-key.ts";
import type { SiteExporter } from "./static-export/build-bundle.ts";
import { createBundleLinks } from "./static-export/bundle-links.ts";
import { createBundleRoutes } from "./static-export/bundle-routes.ts";
import { openExportJobs } from "./static-export/export-jobs.ts";
import { createExportRoutes } from "./static-export/export-routes.ts";
import type { DataDirectory } from "./storage/data-directory.ts";
import { readOrCreateSecret } from "./storage/read-or-create-secret.ts";

/** A platform without a socket: a function from requests to responses, and the jobs behind it. */
export interface LocalPlatform extends AsyncDisposable {
  /** `environment`: what the server knows of the connection (Node's `incoming`). */
  fetch(request: Request, environment?: object): Response | Promise<Response>;
}

/** What a platform serves, and to whom. */
export interface LocalPlatformOptions {
  /** Folder of Markdown and MDX documents. */
  readonly docsDir: string;
  /** Domain identifiers under which the documents are served. */
  readonly domains: readonly string[];
  readonly plan: "enterprise" | "pro";
  readonly keys: PlatformKeys;
  /** How long a link to a bundle holds. */
  readonly linkLifetimeMs: number;
  /** Export jobs rendered at once. */
  readonly exportConcurrency: number;
  /** Finished export jobs that are kept, with their bundles. */
  readonly keptExports: number;
  /** Project identifiers of agent jobs; any unless set. */
  readonly projects?: readonly string[] | undefined;
  /** What works on agent jobs; without it, they are not enabled. */
  readonly agent?: AgentOptions | undefined;
  /** How questions are answered. */
  readonly assistant?: AssistantOptions | undefined;
  /** Whether who can reach the platform may see its pull requests; otherwise they need a key. */
  readonly openPages: boolean;
}

/** What a platform works with. */
export interface LocalPlatformDeps {
  readonly dataDirectory: DataDirectory;
  readonly exporter: SiteExporter;
  /** Address that clients reach the platform at; asked for when a link is made. */
  readonly publicUrl: () => string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gives up the start. */
  readonly signal: AbortSignal;
}

/** Composes the platform from its groups of routes, and resumes the jobs of its data directory. */
export async function createLocalPlatform(
  options: LocalPlatformOptions,
  deps: LocalPlatformDeps,
): Promise<LocalPlatform> {
  const keyring = createKeyring(options.keys);
  const app = createApp(deps);
  await using stack = new AsyncDisposableStack();
  for (const open of [openExports, openAgents, openQuestions]) {
    const group = stack.use(await open(options, { ...deps, keyring }));
    for (const routes of group.routes) app.route("/", routes);
  }
  const resources = stack.move();
  return {
    fetch: (request, environment) => app.fetch(request, environment),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** One area of the platform: its routes, and the work behind them, which ends with its disposal. */
interface RouteGroup extends AsyncDisposable {
  readonly routes: readonly Hono[];
}

type GroupDeps = LocalPlatformDeps & { readonly keyring: Keyring };

async function openExports(options: LocalPlatformOptions, deps: GroupDeps): Promise<RouteGroup> {
  const { docsDir, exportConcurrency, keptExports, linkLifetimeMs } = options;
  const data = deps.dataDirectory.path;
  const secret = await readOrCreateSecret(join(data, "link-signing-key"));
  const links = createBundleLinks({ secret, lifetimeMs: linkLifetimeMs }, deps);
  const jobs = await openExportJobs(
    { docsDir, directory: join(data, "exports"), concurrency: exportConcurrency, keptJobs: keptExports },
    deps,
  );
  return {
    routes: [createExportRoutes(options, { ...deps, jobs, links }), createBundleRoutes({ jobs, links })],
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  };
}

async function openAgents(options: LocalPlatformOptions, deps: GroupDeps): Promise<RouteGroup> {
  await using stack = new AsyncDisposableStack();
  const { docsDir } = options;
  const directory = join(deps.dataDirectory.path, "agents");
  const agent = options.agent && stack.use(await openAgent({ ...options.agent, directory, docsDir }, deps));
  const pages =
    agent?.pullRequests &&
    createPullRequestPages(
      { open: options.openPages },
      { ...deps, ...agent, pullRequests: agent.pullRequests },
    );
  const resources = stack.move();
  return {
    routes: [createAgentRoutes(options, { ...deps, jobs: agent?.jobs }), ...(pages ? [pages] : [])],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function openQuestions(options: LocalPlatformOptions, deps: GroupDeps): Promise<RouteGroup> {
  const directory = join(deps.dataDirectory.path, "assistant");
  const { assistant, docsDir, domains } = options;
  const routes = [await openAssistant({ ...assistant, docsDir, domains, directory }, deps)];
  // Nothing goes on after an answer's request: there is nothing to end.
  return { routes, [Symbol.asyncDispose]: async () => undefined };
}

/** What holds for every route: a request id, errors in one shape, 404 and 405. */
function createApp({ log, now }: { log: Log; now: () => number }): Hono {
  const app = new Hono();
  app.use(requestId());
  app.use(async (context, next) => {
    const startedAt = now();
    await next();
    // Without the query: a bundle's signature is a credential.
    log.debug(`${context.req.method} ${context.req.path} ${context.res.status} ${now() - startedAt} ms`);
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: `This address answers ${methods.join(", ")} only.` }, 405, {
          allow: methods.join(", "),
        }),
    }),
  );
  app.onError(createErrorHandler({ log }));
  app.notFound((context) => context.json({ error: "There is nothing at this address." }, 404));
  return app;
}
