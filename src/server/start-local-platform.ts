import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ActionError } from "../base/errors.ts";
import { isLoopback } from "../base/network.ts";
import type { Log } from "../base/runtime.ts";
import { createLocalPlatform, type LocalPlatformOptions } from "./create-local-platform.ts";
import { listen } from "./http/listen.ts";
import type { PlatformKeys } from "./http/require-key.ts";
import { openKeys } from "./open-keys.ts";
import type { SiteExporter } from "./static-export/build-bundle.ts";
import { createSiteExporter } from "./static-export/site-exporter.ts";
import { makeTemporaryDataDirectory, openDataDirectory } from "./storage/data-directory.ts";

/** What to serve and where. Only the documents have no default. */
export interface StartOptions extends Partial<Omit<LocalPlatformOptions, "docsDir" | "keys">> {
  readonly docsDir: string;
  /** Address to listen on; the loopback address unless set. */
  readonly host?: string;
  /** Port to listen on; a free one unless set. */
  readonly port?: number;
  /** Keeps jobs and bundles over a restart; a temporary folder, removed at the end, unless set. */
  readonly dataDir?: string | undefined;
  /** Kept in the data directory, where they are made at random on the first start, unless set. */
  readonly keys?: Partial<PlatformKeys> | undefined;
  /** Address that clients reach the platform at, where it is not the one it listens on. */
  readonly publicUrl?: string | undefined;
}

/** What a platform runs with. */
export interface StartDeps {
  /** Aborting it while the platform starts gives up; afterwards it has no effect: dispose of the platform. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly now?: () => number;
  readonly exporter?: SiteExporter;
}

/** A platform that listens, until it is disposed of. */
export interface RunningPlatform extends AsyncDisposable {
  /** Address for clients, without a slash at the end. */
  readonly url: string;
  /** Address that it listens on; another one where clients come through a proxy. */
  readonly listensOn: string;
  readonly adminKey: string;
  readonly assistantKey: string;
  /** Keys that were made by this start: nobody has seen them yet. */
  readonly madeKeys: readonly ("admin" | "assistant")[];
}

const hour = 60 * 60 * 1000;

/**
 * Starts the embedded documentation platform.
 *
 * @throws {ActionError} when the documents, the data directory or the port cannot be used.
 */
export async function startLocalPlatform(options: StartOptions, deps: StartDeps): Promise<RunningPlatform> {
  const { signal, log, now = Date.now, exporter = createSiteExporter(deps) } = deps;
  signal.throwIfAborted();
  const docsDir = resolve(options.docsDir);
  await requireDirectory(docsDir);
  const host = options.host ?? "127.0.0.1";

  await using stack = new AsyncDisposableStack();
  const dataDirectory = stack.use(
    options.dataDir === undefined
      ? await makeTemporaryDataDirectory()
      : await openDataDirectory(options.dataDir),
  );
  let url = options.publicUrl?.replace(/\/+$/, "") ?? "";
  const { keys, made } = await openKeys(join(dataDirectory.path, "keys.json"), options.keys ?? {});
  const platform = stack.use(
    await createLocalPlatform(
      {
        domains: ["localhost"],
        plan: "enterprise",
        linkLifetimeMs: hour,
        exportConcurrency: 1,
        keptExports: 20,
        openPages: isLoopback({ hostname: host }) && isLoopback(new URL(url || "http://localhost")),
        ...options,
        docsDir,
        keys,
      },
      { dataDirectory, exporter, log, now, signal, publicUrl: () => url },
    ),
  );
  const server = stack.use(
    await listen((request, environment) => platform.fetch(request, environment), {
      host,
      port: options.port ?? 0,
    }),
  );
  url ||= server.url;
  signal.throwIfAborted();

  const resources = stack.move();
  return {
    url,
    listensOn: server.url,
    adminKey: keys.admin,
    assistantKey: keys.assistant,
    madeKeys: made,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function requireDirectory(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error || !found.isDirectory()) {
    throw new ActionError("invalid-input", `The folder of documents ${path} does not exist.`, {
      ...(found instanceof Error && { cause: found }),
    });
  }
}
