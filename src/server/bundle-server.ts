/**
 * Serves a bundle as a self-hosted deployment (specification §4.8): fetches and verifies it at start, serves it as the active version,
 * and switches to new bundles atomically. An invalid bundle never replaces a valid one.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { Hono } from "hono";
import { accepts } from "hono/accepts";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { secureHeaders } from "hono/secure-headers";
import * as z from "zod/mini";
import { type ErrorCode, toErrorReport } from "../base/errors.ts";
import type { ProxySettings } from "../base/http.ts";
import { type Log, systemClock } from "../base/runtime.ts";
import { codeOf, decodePercent, parseJson } from "../base/text.ts";
import { downloadBundle } from "../bundle/download.ts";
import { BundleError, ExpiredLinkError } from "../bundle/errors.ts";
import { describeUrl, parseStorageUrl } from "../bundle/presigned-link.ts";
import { StorageConnection, StorageNetwork } from "../bundle/storage-connection.ts";
import { type ResponseHead, TransientError } from "../bundle/storage-response.ts";
import { extractArchive } from "../bundle/verify.ts";
import { addHealthRoutes, listen, serveFile } from "./base/http.ts";
import { openDataDirectory, readIfPresent, writeFileAtomically } from "./base/records.ts";
import { createSequence } from "./base/shared-work.ts";

export interface BundleServerOptions {
  /** Path of a bundle, its http(s) link, or `@` and the path of a file that contains the link. */
  readonly source: string;
  /** Pins the content: once a bundle is active under this name, later changes of the source are ignored. */
  readonly version?: string | undefined;
  /** Folder for extracted versions, which survives restarts; defaults to a temporary folder. */
  readonly dataDir?: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly pollEveryMs: number;
  readonly proxies?: ProxySettings;
  readonly drainMs?: number;
  /** How long storage may take to say whether it has another bundle; default: 30 s. */
  readonly checkLimitMs?: number;
}

/**
 * Starts the server, which runs until disposal. If the source is a link file, the server starts without a bundle and waits for a valid
 * link; `/readyz` then responds with the error code.
 *
 * @throws {BundleError} if there is no valid bundle and no earlier version, and the source is not a link file.
 */
export async function startBundleServer(options: BundleServerOptions, signal: AbortSignal, log: Log) {
  await using stack = new AsyncDisposableStack();
  const { path: dataDir } = stack.use(await openDataDirectory(options.dataDir));
  const downloadPath = join(dataDir, "incoming");
  const { version } = options;
  const linkFile = /^@(.+)/.exec(options.source)?.[1];
  const isLink = linkFile !== undefined || /^https?:\/\//i.test(options.source);
  const source = isLink
    ? openLink(() => readLink(options.source, linkFile), downloadPath, options, log)
    : openFile(resolve(options.source));
  const versions = await openVersions(dataDir);
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  let servedFingerprint: string | undefined;
  let rejected: { readonly fingerprint: string | undefined; readonly error: BundleError } | undefined;
  let problem: { readonly message: string; readonly reason: string } | undefined;
  const inOrder = createSequence();

  /** Fetches the bundle and makes it the active version. Remembers an invalid one, because each check would download it again. */
  const activate = async (fingerprint: string | undefined) => {
    try {
      await versions.activate(await source.fetch(stopped), version, stopped);
    } catch (error) {
      const isInvalid = error instanceof BundleError && invalidCodes.includes(error.code);
      rejected = isInvalid ? { fingerprint, error } : undefined;
      throw error;
    } finally {
      await rm(downloadPath, { force: true });
    }
  };
  const load = async () => {
    if (version !== undefined && versions.active?.version === version) return;
    const fingerprint = await source.fingerprint(stopped);
    if (fingerprint !== undefined) {
      if (fingerprint === servedFingerprint) return;
      if (fingerprint === rejected?.fingerprint) throw rejected.error;
    }
    await activate(fingerprint);
    servedFingerprint = fingerprint;
    log.info(`Serving the bundle of ${source.name()}, SHA-256 ${versions.active?.sha256}.`);
  };
  const check = async () => {
    try {
      await load();
      problem = undefined;
    } catch (error) {
      stopped.throwIfAborted();
      const { active } = versions;
      if (active === undefined && linkFile === undefined) throw error;
      const { message, code } = toErrorReport(error);
      const current = active
        ? `The previous bundle stays active (SHA-256 ${active.sha256}).`
        : "There is no bundle to serve yet.";
      // Log each problem once: an expired link fails at every check.
      if (message !== problem?.message)
        log.warning(`The bundle of ${source.name()} is not served: ${message} ${current}`);
      problem = { message, reason: error instanceof ExpiredLinkError ? "the link expired" : code };
    }
  };
  /** Checks the source now, after a check that is running; resolves when a new bundle is active or rejected. */
  const refresh = () => inOrder(check);
  const poll = async () => {
    if (linkFile !== undefined) await refresh();
    while (!stopped.aborted) {
      await systemClock.sleep(options.pollEveryMs, stopped);
      await refresh();
    }
  };

  if (linkFile === undefined) await refresh();
  const app = createSiteApp(versions, () => problem?.reason);
  const server = stack.use(await listen(app.fetch, options.host, options.port, options.drainMs));
  const polling = poll().catch((error: unknown) => stopped.aborted || Promise.reject(error));
  stack.defer(async () => {
    stop.abort();
    await polling;
  });
  const owned = stack.move();
  return {
    url: server.url,
    activeSha256: () => versions.active?.sha256 ?? "",
    refresh,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Codes of errors that the same bundle causes again. */
const invalidCodes: readonly ErrorCode[] = ["bundle-corrupt", "unsafe-archive"];

interface BundleSource {
  /** Name for the log; a link is shown without its secrets. */
  name(): string;
  /** Changes with the content; determined without downloading it. `undefined` if it cannot be determined. */
  fingerprint(signal: AbortSignal): Promise<string | undefined>;
  /** Returns the path of the archive, after downloading it from a link. @throws {BundleError} */
  fetch(signal: AbortSignal): Promise<string>;
}

function openFile(path: string): BundleSource {
  return {
    name: () => path,
    async fingerprint() {
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile()) return `${found.ino}-${found.size}-${found.mtimeMs}`;
      throw new BundleError("not-found", `There is no bundle at ${path}.`, {
        hint: "Set `--serve-bundle` to the path of a bundle, or to its link.",
      });
    },
    fetch: async () => path,
  };
}

/** @throws {BundleError} if the option, or the file that it names, is no link; the message does not quote it. */
async function readLink(option: string, file: string | undefined): Promise<URL> {
  const text = file === undefined ? option : await readIfPresent(resolve(file));
  const url = URL.parse(text?.trim() ?? "");
  if (url && /^https?:$/.test(url.protocol)) return url;
  const location = file === undefined ? "`--serve-bundle`" : resolve(file);
  throw new BundleError("not-found", `There is no link to a bundle in ${location}.`, {
    hint: "It must contain only the bundle's http(s) link.",
  });
}

/** The operator chose the link, so every host is allowed. */
const linkPolicy = () => true;

function openLink(
  readUrl: () => Promise<URL>,
  path: string,
  { proxies = {}, checkLimitMs = 30_000 }: BundleServerOptions,
  log: Log,
): BundleSource {
  const network = new StorageNetwork(proxies, linkPolicy);
  let name = "the link file";
  return {
    name: () => name,
    async fingerprint(signal) {
      const url = await readUrl();
      name = describeUrl(url);
      using connection = new StorageConnection(network);
      let validator: string | undefined;
      const limit = AbortSignal.timeout(checkLimitMs);
      const stop = AbortSignal.any([signal, limit]);
      // Requests the first byte, because a presigned link allows GET but not HEAD.
      const begin = ({ status, headers }: ResponseHead) => {
        if (status === 200 || status === 206) validator = headers.get("etag") ?? headers.get("last-modified");
        return () => false;
      };
      const parse = (location: string, base: URL) => parseStorageUrl(location, linkPolicy, base);
      const request = connection.follow(url, { range: "bytes=0-0" }, stop, begin, parse);
      await request.catch((error: unknown) => {
        if (error instanceof BundleError) throw error;
        const silence = new TransientError(`no response within ${checkLimitMs / 1000} s`);
        throw TransientError.fromConnection(limit.aborted ? silence : error).toBundleError(1);
      });
      // Different objects can have the same ETag.
      return validator && `${name} ${validator}`;
    },
    async fetch(signal) {
      await downloadBundle(async () => ({ url: (await readUrl()).href }), {
        path,
        maxBytes: Number.MAX_SAFE_INTEGER,
        proxies,
        linkPolicy,
        clock: systemClock,
        random: Math.random,
        log,
        signal,
      });
      return path;
    },
  };
}

/** Opens the extracted bundles, each in a folder named by its digest. The active version survives restarts. */
async function openVersions(dataDir: string) {
  const [folder, record] = [join(dataDir, "versions"), join(dataDir, "active.json")];
  await mkdir(folder, { recursive: true });
  const stored = ActiveRecord.safeParse(parseJson((await readIfPresent(record)) ?? "")).data;
  const isUsable = stored !== undefined && (await isFolder(join(folder, stored.sha256)));
  let active = isUsable ? { ...stored, site: await findSite(join(folder, stored.sha256)) } : undefined;
  const removeExcept = async (kept: readonly (string | undefined)[]) => {
    for (const name of await readdir(folder)) {
      if (!kept.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
    }
  };
  // A killed process leaves its previous version, and the part of one that it was unpacking.
  await removeExcept([active?.sha256]);
  return {
    /** The active version: digest of its archive, pinned name, and folder that contains the site's `index.html`. */
    get active() {
      return active;
    },
    /**
     * Verifies and extracts an archive and makes it the active version. The previous version is kept for requests in progress, until the
     * next activation.
     *
     * @throws {BundleError} if the archive is damaged or unsafe; the active version then stays unchanged.
     */
    async activate(archive: string, version: string | undefined, signal: AbortSignal): Promise<void> {
      const hash = createHash("sha256");
      for await (const chunk of createReadStream(archive, { signal })) hash.update(chunk);
      const sha256 = hash.digest("hex");
      const destination = join(folder, sha256);
      if (!(await isFolder(destination))) await extractArchive(archive, destination, {}, signal);
      await writeFileAtomically(record, JSON.stringify({ sha256, version }));
      const kept = [sha256, active?.sha256];
      active = { sha256, version, site: await findSite(destination) };
      await removeExcept(kept);
    },
  };
}
type Versions = Awaited<ReturnType<typeof openVersions>>;

const ActiveRecord = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  version: z.optional(z.string()),
});

/** Finds the root of the site: some platforms put the site into a single folder of the archive. */
async function findSite(folder: string): Promise<string> {
  const [only, ...others] = await readdir(folder, { withFileTypes: true });
  return only?.isDirectory() && others.length === 0 ? join(folder, only.name) : folder;
}

const statIfPresent = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  });

async function isFolder(path: string): Promise<boolean> {
  return (await statIfPresent(path))?.isDirectory() ?? false;
}

function activeOf({ active }: Versions) {
  if (active === undefined) throw new Error("There is no version to serve.");
  return active;
}

/**
 * Finds the file for a URL path, and the canonical path at which the page's relative links work. `/guide` means `guide`, `guide.html` or
 * `guide/index.html`, in this order; `/guide/` means the last one first.
 */
async function findFile(root: string, pathname: string) {
  const names = pathname.split("/").map(decodePercent);
  if (names.some((name) => /^\.{1,2}$|[/\\\0]/.test(name))) return undefined;
  const path = names.filter((name) => name !== "").join("/");
  const address = `/${path.split("/").map(encodeURIComponent).join("/")}`;
  const page = [path, `${path}.html`].map((file) => ({ file, address }));
  const index = { file: `${path}/index.html`, address: path === "" ? "/" : `${address}/` };
  for (const candidate of pathname.endsWith("/") ? [index, ...page] : [...page, index]) {
    if ((await statIfPresent(join(root, candidate.file)))?.isFile()) return candidate;
  }
  return undefined;
}

/** Content types of a page; the `Accept` header decides. */
const pageTypes = ["text/html", "text/markdown"];
const markdownType = "text/markdown; charset=utf-8";

/** Creates the app that serves the active version. A request for a non-canonical path is redirected. */
function createSiteApp(versions: Versions, findProblem: () => string | undefined): Hono {
  const app = new Hono();
  addHealthRoutes(app, () =>
    versions.active ? undefined : `No bundle is served: ${findProblem() ?? "starting"}`,
  );
  app.use(async (context, next) =>
    versions.active ? next() : context.text("The site is starting.", 503, { "retry-after": "10" }),
  );
  // Pages of other sites may embed the site's pictures. Whether a domain uses TLS only is the decision of the proxy that adds TLS.
  app.use(secureHeaders({ crossOriginResourcePolicy: false, strictTransportSecurity: false }));
  app.use(compress());
  app.use(etag());
  app.get("*", async (context, next) => {
    const [{ site: root, sha256 }, { pathname, search }] = [activeOf(versions), new URL(context.req.url)];
    context.header("cache-control", "no-cache");
    const found = await findFile(root, pathname);
    if (found === undefined) return next();
    const markdown = found.file.replace(/\.html$/, ".md");
    if (markdown !== found.file && (await statIfPresent(join(root, markdown)))?.isFile()) {
      context.header("vary", "Accept");
      const contentType = accepts(context, { header: "Accept", supports: pageTypes, default: "text/html" });
      if (contentType === "text/markdown") found.file = markdown;
    }
    const isCanonical = found.address.endsWith("/") === pathname.endsWith("/") && !pathname.includes("//");
    if (!isCanonical) return context.redirect(found.address + search);
    // Not a digest of the response, which would hold the whole file in memory and differ for each range.
    const tag = `"${sha256}${encodeURIComponent(extname(found.file))}"`;
    const response = await serveFile(context, root, found.file, tag);
    // `serveStatic` does not know this type.
    if (response && found.file.endsWith(".md")) response.headers.set("content-type", markdownType);
    return response ?? next();
  });
  app.notFound(async (context) => {
    const page = await readIfPresent(join(activeOf(versions).site, "404.html"));
    if (page === undefined) return context.text("Not found", 404);
    // The page is served at any path, but its relative links start at the root.
    return context.html(page.replace(/<head\b[^>]*>/i, '$&<base href="/">'), 404);
  });
  return app;
}
