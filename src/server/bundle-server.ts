/**
 * Serves a bundle as a self-hosted deployment does (specification §4.8): fetches it at start, verifies it, serves it as the
 * active version, and swaps to a new one in one step. A bad new bundle never replaces a good old one.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { accepts } from "hono/accepts";
import { etag } from "hono/etag";
import * as z from "zod/mini";
import { toErrorReport } from "../base/errors.ts";
import type { ProxySettings } from "../base/http.ts";
import { type Log, systemClock } from "../base/runtime.ts";
import { codeOf, decodePercent, parseJson } from "../base/text.ts";
import { downloadBundle } from "../bundle/download.ts";
import { BundleError, ExpiredLinkError } from "../bundle/errors.ts";
import { extractArchive } from "../bundle/extract.ts";
import { describeUrl } from "../bundle/presigned-link.ts";
import { StorageConnection, StorageNetwork } from "../bundle/storage-connection.ts";
import { compressOnce } from "./base/compress-once.ts";
import { addHealthRoutes, listen } from "./base/http.ts";
import { openDataDirectory, readIfPresent, writeFileAtomically } from "./base/records.ts";

export interface BundleServerOptions {
  /** Path of a bundle, or its http(s) link, or `@` and the path of a file that holds the link. */
  readonly source: string;
  /** Pins the content: a bundle that was taken under this name is kept, whatever the source holds later. */
  readonly version?: string | undefined;
  /** Folder of the unpacked versions, which survives a restart; a temporary one, removed at the end, unless set. */
  readonly dataDir?: string | undefined;
  readonly host: string;
  readonly port: number;
  /** How often the source is checked for new content, in milliseconds. */
  readonly pollEveryMs: number;
  /** None unless given. */
  readonly proxies?: ProxySettings;
  /** How long requests in progress may take at the end, in milliseconds; not at all unless set. */
  readonly drainMs?: number;
}

/**
 * Starts to serve, until it is disposed of. Where the link stands in a file, it waits there for a good one; `/readyz` says whether a
 * bundle is served, or the error code that prevents it.
 *
 * @throws {BundleError} when there is neither a good bundle nor an earlier version, nor a file that may get a better link.
 */
export async function startBundleServer(options: BundleServerOptions, signal: AbortSignal, log: Log) {
  await using stack = new AsyncDisposableStack();
  const { path: dataDir } = stack.use(await openDataDirectory(options.dataDir));
  const incoming = join(dataDir, "incoming");
  const { proxies = {}, version } = options;
  const linkFile = /^@(.+)/.exec(options.source)?.[1];
  const openFrom = (readLink: LinkReader) => openLink(readLink, incoming, proxies, log);
  let source: BundleSource;
  if (linkFile !== undefined) source = openFrom(() => readLinkFile(resolve(linkFile)));
  else if (/^https?:\/\//i.test(options.source)) source = openFrom(async () => new URL(options.source));
  else source = openFile(resolve(options.source));
  const versions = await openVersions(dataDir);
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  let served: string | undefined;
  let problem: { readonly message: string; readonly reason: string } | undefined;
  let last: Promise<void> = Promise.resolve();

  const load = async () => {
    if (version !== undefined && versions.active?.version === version) return;
    const fingerprint = await source.fingerprint(stopped);
    if (served !== undefined && fingerprint === served) return;
    try {
      await versions.activate(await source.fetch(stopped), version, stopped);
    } finally {
      await rm(incoming, { force: true });
    }
    served = fingerprint;
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
      const kept = active ? `The old one stays (SHA-256 ${active.sha256}).` : "There is none to serve yet.";
      // A link that expired fails at every check: once is enough.
      if (message !== problem?.message)
        log.warning(`The bundle of ${source.name()} is not served: ${message} ${kept}`);
      problem = { message, reason: error instanceof ExpiredLinkError ? "the link expired" : code };
    }
  };
  /** Checks the source now, after a check that is in progress; resolves when what was found is served or refused. */
  const refresh = () => {
    last = last.then(check, check);
    return last;
  };
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
    /** SHA-256 of the archive that is being served, in hexadecimal. */
    activeSha256: () => versions.active?.sha256 ?? "",
    refresh,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Where a deployment gets its bundle from: a file, or a link. */
interface BundleSource {
  /** What may be shown of it: for a link, without its secrets. */
  name(): string;
  /** Changes when the content does, as far as it can be told without fetching it; `undefined` if it cannot. */
  fingerprint(signal: AbortSignal): Promise<string | undefined>;
  /** Path of the archive. @throws {BundleError} when it cannot be fetched. */
  fetch(signal: AbortSignal): Promise<string>;
}

function openFile(path: string): BundleSource {
  return {
    name: () => path,
    async fingerprint() {
      const found = await stat(path).catch((error: unknown) => {
        throw notFound(`There is no bundle at ${path}.`, error);
      });
      if (!found.isFile()) throw notFound(`${path} is not a file.`);
      return `${found.ino}-${found.size}-${found.mtimeMs}`;
    },
    fetch: async () => path,
  };
}

function notFound(message: string, cause?: unknown): BundleError {
  return new BundleError("not-found", message, { hint: "Give the path of a bundle, or its link.", cause });
}

type LinkReader = () => Promise<URL>;

/** @throws {BundleError} when the file is missing or holds no link; what it holds is in no message. */
async function readLinkFile(path: string): Promise<URL> {
  const url = URL.parse((await readIfPresent(path))?.trim() ?? "");
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new BundleError("not-found", `There is no link to a bundle in ${path}.`, {
    hint: "Write the bundle's http(s) link into the file, and nothing else.",
  });
}

function openLink(readLink: LinkReader, path: string, proxies: ProxySettings, log: Log): BundleSource {
  // The operator named the link.
  const linkPolicy = () => true;
  const network = new StorageNetwork(proxies, linkPolicy);
  let name = "the link file";
  return {
    name: () => name,
    async fingerprint(signal) {
      const url = await readLink();
      name = describeUrl(url);
      using connection = new StorageConnection(network);
      let etag: string | undefined;
      // A presigned link allows GET only, so the first byte is asked for instead of the head.
      await connection.get(url, { range: "bytes=0-0" }, signal, ({ status, headers }) => {
        if (status === 200 || status === 206) etag = headers.get("etag");
        return () => false;
      });
      // Another object may have the same tag.
      return etag && `${name} ${etag}`;
    },
    async fetch(signal) {
      await downloadBundle(async () => ({ url: (await readLink()).href }), {
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

/** The unpacked bundles of a deployment, each in a folder named after its digest; the active one survives a restart. */
async function openVersions(dataDir: string) {
  const [folder, record] = [join(dataDir, "versions"), join(dataDir, "active.json")];
  await mkdir(folder, { recursive: true });
  const last = ActiveRecord.safeParse(parseJson((await readIfPresent(record)) ?? "")).data;
  const isKept = last !== undefined && (await isFolder(join(folder, last.sha256)));
  let active = isKept ? { ...last, site: await findSite(join(folder, last.sha256)) } : undefined;
  return {
    /** SHA-256 of the active archive, the name it was pinned by, and the folder whose `index.html` is the site's first page. */
    get active() {
      return active;
    },
    /**
     * Verifies and unpacks an archive and makes it the active version; the version before it is kept until the next one,
     * for the requests that are still being answered.
     *
     * @throws {BundleError} when the archive is not whole or not safe; the active version stays what it was.
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
      for (const name of await readdir(folder)) {
        if (!kept.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}
type Versions = Awaited<ReturnType<typeof openVersions>>;

const ActiveRecord = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  version: z.optional(z.string()),
});

/** Some platforms put the site into one folder inside the archive. */
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

function siteOf({ active }: Versions): string {
  if (active === undefined) throw new Error("There is no version to serve.");
  return active.site;
}

/**
 * The file that an address means, and the address as deep as the file: only there do a page's relative links hold. `/guide`
 * means `guide`, `guide.html` or `guide/index.html`, in this order; `/guide/` the last of them first.
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

/** Compressed text that is kept in memory. */
const maxCompressedBytes = 64 << 20;

/** What a page is served as, by what a client prefers. */
const pageTypes = ["text/html", "text/markdown"];
const markdownType = "text/markdown; charset=utf-8";

/** What browsers are told of every page; other pages of the same address may frame it. */
const securityHeaders = {
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** The active version's files; a page at another address than its own is a redirect. */
function createSiteApp(versions: Versions, findProblem: () => string | undefined): Hono {
  const app = new Hono();
  const waiting = () => (versions.active ? undefined : `No bundle is served: ${findProblem() ?? "starting"}`);
  addHealthRoutes(app, waiting);
  app.use(async (context, next) =>
    versions.active ? next() : context.text("The site is starting.", 503, { "retry-after": "10" }),
  );
  const pass = async () => undefined;
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
  });
  // A 304 needs no body: what was compressed before stays with the browser.
  app.use(compressOnce(maxCompressedBytes));
  app.use(etag());
  app.get("*", async (context, next) => {
    const [root, { pathname, search }] = [siteOf(versions), new URL(context.req.url)];
    context.header("cache-control", "no-cache");
    const found = await findFile(root, pathname);
    if (found === undefined) return next();
    const markdown = found.file.replace(/\.html$/, ".md");
    if (markdown !== found.file && (await statIfPresent(join(root, markdown)))?.isFile()) {
      context.header("vary", "Accept");
      const asked = accepts(context, { header: "Accept", supports: pageTypes, default: "text/html" });
      if (asked === "text/markdown") found.file = markdown;
    }
    const isItsOwn = found.address.endsWith("/") === pathname.endsWith("/") && !pathname.includes("//");
    if (!isItsOwn) return context.redirect(found.address + search);
    const response = await serveStatic({ root, path: found.file })(context, pass);
    // The library does not know the type.
    if (response && found.file.endsWith(".md")) response.headers.set("content-type", markdownType);
    return response ?? next();
  });
  app.notFound(async (context) => {
    const page = await readIfPresent(join(siteOf(versions), "404.html"));
    if (page === undefined) return context.text("Not found", 404);
    // It is shown at addresses of any depth; its relative links start at the root.
    return context.html(page.replace(/<head\b[^>]*>/i, '$&<base href="/">'), 404);
  });
  return app;
}
