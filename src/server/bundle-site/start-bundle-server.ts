/**
 * Serves a bundle as a self-hosted deployment does (specification §4.8): fetches it at start, verifies it, serves it as the
 * active version, and swaps to a new one in one step. A bad new bundle never replaces a good old one.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { etag } from "hono/etag";
import { secureHeaders } from "hono/secure-headers";
import { reportError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { listen } from "../http/listen.ts";
import { openDataDirectory } from "../storage/data-directory.ts";
import { createBundleSource } from "./bundle-source.ts";
import { openVersionStore, type VersionStore } from "./version-store.ts";

export interface BundleServerOptions {
  /** Path of a bundle, or its link. */
  readonly source: string;
  /** Folder of the unpacked versions, which survives a restart; a temporary one, removed at the end, unless set. */
  readonly dataDir?: string | undefined;
  readonly host: string;
  readonly port: number;
  /** How often the source is looked at for new content, in milliseconds. */
  readonly lookEveryMs: number;
}

export interface BundleServerDeps {
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface BundleServer extends AsyncDisposable {
  readonly url: string;
  /** SHA-256 of the archive that is being served, in hexadecimal. */
  readonly activeSha256: () => string;
  /** Looks at the source now; resolves when what was found is served or refused. */
  readonly refresh: () => Promise<void>;
}

/**
 * Starts to serve.
 *
 * @throws {BundleError} when there is neither a good bundle nor an earlier version.
 */
export async function startBundleServer(
  options: BundleServerOptions,
  { signal, log }: BundleServerDeps,
): Promise<BundleServer> {
  await using stack = new AsyncDisposableStack();
  const dataDir = options.dataDir ?? (await temporaryDirectory(stack));
  stack.use(await openDataDirectory(dataDir));
  const source = stack.use(createBundleSource(options.source, { dataDir, log }));
  const store = await openVersionStore(dataDir);
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  let served: string | undefined;

  /** @throws {BundleError} when the source's bundle cannot be served. */
  async function load(): Promise<void> {
    const fingerprint = await source.fingerprint(stopped);
    if (served !== undefined && fingerprint === served) return;
    await using archive = await source.fetch(stopped);
    const { sha256 } = await store.activate(archive.path, stopped);
    served = fingerprint;
    log.info(`Serving the bundle of ${source.name}, SHA-256 ${sha256}.`);
  }

  async function refresh(): Promise<void> {
    try {
      await load();
    } catch (error) {
      stopped.throwIfAborted();
      if (store.active === undefined) throw error;
      const { message } = reportError(error);
      log.warning(
        `The bundle of ${source.name} is not served: ${message} The old one stays (SHA-256 ${store.active.sha256}).`,
      );
    }
  }

  await refresh();
  const running = await listen(createSiteApp(store).fetch, options);
  stack.use(running);
  const looking = lookAgain({ everyMs: options.lookEveryMs, signal: stopped }, refresh);
  stack.defer(async () => {
    stop.abort();
    await looking;
  });
  const owned = stack.move();
  return {
    url: running.url,
    activeSha256: () => requireActive(store).sha256,
    refresh,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function temporaryDirectory(stack: AsyncDisposableStack): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "docs-bundle-"));
  stack.defer(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function lookAgain(
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
  refresh: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await delay(everyMs, undefined, { signal, ref: false }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!signal.aborted) await refresh().catch((error: unknown) => signal.aborted || Promise.reject(error));
  }
}

/** The active version's files; `/guide` finds `guide`, `guide.html` or `guide/index.html`. */
function createSiteApp(store: VersionStore): Hono {
  const app = new Hono();
  app.use(secureHeaders({ crossOriginResourcePolicy: false, xFrameOptions: "SAMEORIGIN" }));
  app.use(etag());
  app.get("*", async (context, next) => {
    const { folder } = requireActive(store);
    context.header("cache-control", "no-cache");
    for (const rewriteRequestPath of candidates) {
      const found = await serveStatic({ root: folder, rewriteRequestPath })(context, pass);
      if (found) return found;
    }
    return next();
  });
  app.notFound(async (context) => {
    const page = serveStatic({ root: requireActive(store).folder, path: "404.html" });
    const found = await page(context, pass);
    return found
      ? new Response(found.body, { status: 404, headers: found.headers })
      : context.text("Not found", 404);
  });
  return app;
}

/** Lets the next candidate try. */
async function pass(): Promise<void> {
  await Promise.resolve();
}

/** Names under which a page may stand in the bundle, in this order. */
const candidates = [
  (path: string) => path,
  (path: string) => `${path.replace(/\/+$/, "")}.html`,
  (path: string) => `${path.replace(/\/+$/, "")}/index.html`,
];

function requireActive({ active }: VersionStore) {
  if (active === undefined) throw new Error("There is no version to serve.");
  return active;
}
