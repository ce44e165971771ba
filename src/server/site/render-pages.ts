/** Renders the pages of a site, in this thread or, for many pages, in worker threads. */
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { parentPort, type Worker } from "node:worker_threads";
import type { Root as HtmlRoot } from "hast";
import { messageOf } from "../../base/text.ts";
import { startWorkerThread } from "../../base/worker-thread.ts";
import { toMarkdownFiles } from "./agent-files.ts";
import { type PackedFile, packText } from "./bundle-writer.ts";
import { plainText } from "./content/component.ts";
import { type DocsTree, ifUsable, readPageFile } from "./content/docs-tree.ts";
import { type LinkConfig, noLinks, type PageLinks, remotePictures, SiteLinks } from "./links.ts";
import { digestOfText, PageCache } from "./page-cache.ts";
import { renderDocument, type Site } from "./page-layout.ts";
import type { SitePlan } from "./plan-site.ts";
import type { FetchedPicture, FetchPicture, RemoteMedia } from "./remote-files.ts";
import { type PageSource, type RenderedPage, renderPage } from "./render-page.ts";
import { collectWarnings, type PageWarning } from "./report.ts";
import type { Route } from "./routes.ts";
import { type IndexedPage, indexPage } from "./search-index.ts";

/** The data for rendering the pages of a site. Each worker thread receives a copy. */
export interface PagesToRender extends Pick<SitePlan, "docs" | "pages" | "slugStyle"> {
  readonly routes: readonly Route[];
  readonly addresses: LinkConfig;
  readonly site: Site;
  /** Folder of the page cache. */
  readonly cacheDir?: string | undefined;
  readonly remoteMedia: RemoteMedia;
}

/** Adds the cache key of the site; `undefined` if rendered pages are not cached. */
interface RenderJob extends PagesToRender {
  readonly siteKey: string | undefined;
}

/** A rendered page with the data that the rest of the site needs. */
export interface PageResult {
  readonly source: string;
  /** Its packed files; none if the page was left out. */
  readonly files?: { readonly html: PackedFile; readonly markdown: PackedFile };
  /** All identifiers that links can target. */
  readonly ids?: ReadonlySet<string>;
  /** Its entry in the search index; `undefined` for a page that is not indexed. */
  readonly entry?: IndexedPage | undefined;
  /** Whether it needs the script for diagrams. */
  readonly hasDiagram?: boolean;
  readonly links: PageLinks;
  readonly warnings: readonly PageWarning[];
}

/** Minimum number of pages for worker threads: loading the renderer takes as long as rendering this many. */
const minPagesForThreads = 200;
const maxThreads = 4;
/** Maximum number of pages per thread that are rendered ahead. It limits the results in memory. */
const pagesAhead = 8;
/** A small young generation saves memory. A smaller one would cost processor time. */
const heapLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 32 };
/** Memory for prepared pages that other pages with the same text share. */
const maxSharedBytes = 64 * 1024 * 1024;

/**
 * Renders all pages, in order. With a cache, unchanged pages of an otherwise unchanged site are taken from an earlier export.
 *
 * @param fetchPicture fetches remote pictures, if they are to be fetched
 * @throws the signal's reason if it is aborted; an error that names the page if a thread fails
 */
export async function* renderPages(
  toRender: PagesToRender,
  signal: AbortSignal,
  fetchPicture: FetchPicture | undefined,
): AsyncGenerator<PageResult> {
  const { docs, pages } = toRender;
  const cache = new PageCache(docs, toRender.cacheDir, 0);
  const job: RenderJob = { ...toRender, siteKey: await keyOfSite(toRender, cache) };
  const { siteKey } = job;
  const keys = await Array.fromAsync(pages, (page) => siteKey && keyOfPage(cache, siteKey, page));
  const isCached = keys.map((key) => key !== undefined && cache.has(key));
  const render = createPageRenderer(job, fetchPicture);
  const threads: RenderThread[] = [];
  await using ending = new AsyncDisposableStack();
  const renderInThread = (number: number) => {
    const count = Math.min(maxThreads, availableParallelism());
    while (threads.length < count) threads.push(ending.use(new RenderThread(job, signal, fetchPicture)));
    return (threads[number % count] as RenderThread).render(number);
  };
  let missing = isCached.filter((hit) => !hit).length;
  const results: Promise<PageResult>[] = [];
  for (const number of pages.keys()) {
    signal.throwIfAborted();
    const key = keys[number];
    const finished = isCached[number] && key !== undefined ? await cache.recall<PageResult>(key) : undefined;
    // A dependency has changed.
    if (finished === undefined && isCached[number]) missing += 1;
    if (finished !== undefined) results.push(Promise.resolve(finished));
    else results.push(missing < minPagesForThreads ? render(number) : renderInThread(number));
    // Prevents an unhandled rejection until the result is awaited.
    results.at(-1)?.catch(() => undefined);
    if (results.length > threads.length * pagesAhead) yield (await results.shift()) as PageResult;
    // Lets the server respond to other requests.
    await setImmediate();
  }
  for (const result of results) yield await result;
}

/** The cache key of everything that all pages depend on; `undefined` if rendered pages are not cached. */
async function keyOfSite(
  { docs, slugStyle, routes, addresses, site, cacheDir, remoteMedia }: PagesToRender,
  cache: PageCache,
): Promise<string | undefined> {
  // Remote pictures may change.
  if (cacheDir === undefined || remoteMedia === "fetch") return undefined;
  return cache.keyOf(digestOfText(""), [...docs.files], slugStyle, routes, addresses, site, remoteMedia);
}

function keyOfPage(cache: PageCache, siteKey: string, page: PageSource): Promise<string> {
  return cache.keyOf(page.digest ?? digestOfText(page.content ?? ""), siteKey, page);
}

/** Creates a function that renders a page by its number. Calls are queued. */
function createPageRenderer(
  job: RenderJob,
  fetchPicture: FetchPicture | undefined,
): (number: number) => Promise<PageResult> {
  const { docs, pages, slugStyle, routes, addresses, site, cacheDir, remoteMedia } = job;
  const siteLinks = new SiteLinks(docs, routes, addresses, remoteMedia);
  const cache = new PageCache(docs, cacheDir, maxSharedBytes);
  const finished = new PageCache(docs, cacheDir, 0);
  const counts = new Map<string | undefined, number>();
  for (const { digest } of pages) counts.set(digest, (counts.get(digest) ?? 0) + 1);

  async function fetchPictures(html: HtmlRoot, fetchOne: FetchPicture) {
    const missing = [...remotePictures(html)].filter(
      (address) => !siteLinks.pictures.has(address) && !siteLinks.isOwnFile(address),
    );
    await Promise.all(
      missing.map(async (address) => siteLinks.pictures.set(address, await fetchOne(address))),
    );
  }

  async function finish(source: PageSource, file: string, tree: DocsTree): Promise<PageResult> {
    const { route } = source;
    const links = noLinks();
    const { warnings, onWarning } = collectWarnings();
    const isRepeated = (counts.get(source.digest) ?? 0) > 1;
    const page = await renderPage(source, file, {
      docs: tree,
      cache: isRepeated || cacheDir !== undefined ? cache : undefined,
      slugStyle,
      links: siteLinks.resolverOf(route, links, onWarning),
      markdownLinks: toMarkdownFiles(
        siteLinks.resolverOf(route, { ...noLinks(), assets: links.assets }, () => undefined),
      ),
      onWarning,
      ...(fetchPicture && { beforeLinks: (html: HtmlRoot) => fetchPictures(html, fetchPicture) }),
    });
    const { ids, hasDiagram } = page;
    const entry = source.isIndexed ? describeForSearch(page, site) : undefined;
    const html = packText(renderDocument(site, page, links.remote));
    const files = { html, markdown: packText(page.markdown) };
    return { source: route.source, files, links, warnings, ids, hasDiagram, entry };
  }

  async function renderOne(page: PageSource): Promise<PageResult> {
    const { source } = page.route;
    const { warnings, onWarning } = collectWarnings();
    const leaveOut = (message: string) => onWarning(`it was left out: ${message}`, "file");
    const file = await ifUsable(readPageFile(docs, page), leaveOut);
    if (file === undefined) return { source, links: noLinks(), warnings };
    if (job.siteKey === undefined) return finish(page, file, docs);
    // The file may have changed since planning.
    const key = await keyOfPage(finished, job.siteKey, { ...page, digest: digestOfText(file) });
    return finished.remember(key, (tree: DocsTree) => finish(page, file, tree));
  }

  let last: Promise<unknown> = Promise.resolve();
  return (number) => {
    const page = pages[number];
    if (page === undefined) throw new RangeError(`There is no page ${number}.`);
    const rendered = last.then(() => renderOne(page));
    // A failure does not affect the next page.
    last = rendered.catch(() => undefined);
    return rendered;
  };
}

/** Maximum length of a description in search results. */
const maxDescriptionLength = 300;

function describeForSearch({ source, sections }: RenderedPage, { locations }: Site): IndexedPage {
  const { route, frontMatter, title } = source;
  const ancestors = (locations.get(route.source)?.ancestors ?? []).filter(({ as }) => as !== "language");
  const location = new Set(ancestors.map((ancestor) => ancestor.title));
  const description = plainText(frontMatter.description ?? "").slice(0, maxDescriptionLength);
  const text = [route.outPath, title, [...location].join(" / "), description, sections] as const;
  return indexPage(text, frontMatter.endpoint);
}

/** A worker thread that renders pages one after the other. */
class RenderThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #pages: PagesToRender["pages"];
  /** Pending pages, in order. */
  readonly #waiting: (PromiseWithResolvers<PageResult> & { readonly number: number })[] = [];
  #failure: unknown;

  constructor(job: RenderJob, signal: AbortSignal, fetchPicture: FetchPicture | undefined) {
    this.#pages = job.pages;
    this.#worker = startWorkerThread("render", job, heapLimits);
    this.#worker.on("message", (message: PageResult | string) => {
      if (typeof message !== "string") this.#waiting.shift()?.resolve(message);
      else
        fetchPicture?.(message).then(
          (picture) => this.#worker.postMessage([message, picture] satisfies PictureMessage),
          (error: unknown) => this.#fail(error),
        );
    });
    this.#worker.on("error", (error) => this.#fail(error));
    const stop = () => void this.#worker.terminate();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    this.#worker.on("exit", () => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) this.#failure = signal.reason;
      this.#fail(new Error("its thread ended"));
    });
  }

  async render(number: number): Promise<PageResult> {
    if (this.#failure !== undefined) throw this.#failure;
    const waiting = { number, ...Promise.withResolvers<PageResult>() };
    this.#waiting.push(waiting);
    this.#worker.postMessage(number);
    return await waiting.promise;
  }

  /** Rejects all pending pages. The error names the first one, which was being rendered. */
  #fail(cause: unknown): void {
    const source = this.#pages[this.#waiting[0]?.number ?? -1]?.route.source;
    this.#failure ??= source === undefined ? cause : new Error(`${source}: ${messageOf(cause)}`, { cause });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

type PictureMessage = readonly [address: string, picture: FetchedPicture];

/**
 * Runs in the worker thread: renders the pages whose numbers it receives. It posts the URLs of pictures to be fetched and receives the
 * results.
 */
export function runRendering(job: RenderJob): void {
  const requested = new Map<string, (picture: FetchedPicture) => void>();
  const requestPicture: FetchPicture = (address) => {
    const { promise, resolve } = Promise.withResolvers<FetchedPicture>();
    requested.set(address, resolve);
    parentPort?.postMessage(address);
    return promise;
  };
  const render = createPageRenderer(job, job.remoteMedia === "fetch" ? requestPicture : undefined);
  // An error ends the worker thread and is reported to its parent.
  parentPort?.on("message", async (message: number | PictureMessage) => {
    if (typeof message === "number") return parentPort?.postMessage(await render(message));
    const [address, picture] = message;
    return requested.get(address)?.(picture);
  });
}
