/** Renders the pages of a site: a few in this thread, many in threads of their own. */
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

/** What the pages of one site are rendered with; a thread gets a copy of it. */
export interface PagesToRender extends Pick<SitePlan, "docs" | "pages" | "slugStyle"> {
  readonly routes: readonly Route[];
  readonly addresses: LinkConfig;
  readonly site: Site;
  /** Where prepared pages are kept for later exports. */
  readonly cacheDir?: string | undefined;
  readonly remoteMedia: RemoteMedia;
}

/** The same with what the cache knows the site by; `undefined` where no page is kept. */
interface RenderJob extends PagesToRender {
  readonly siteKey: string | undefined;
}

/** A page, and what the rest of the site needs to know of it. */
export interface PageResult {
  readonly source: string;
  /** Its files as the bundle holds them; none where the page was left out. */
  readonly files?: { readonly html: PackedFile; readonly markdown: PackedFile };
  /** Every identifier that a link can point to. */
  readonly ids?: ReadonlySet<string>;
  /** What the search index gets of it; `undefined` for a page that is not indexed. */
  readonly entry?: IndexedPage | undefined;
  /** Whether it needs the script that draws diagrams. */
  readonly hasDiagram?: boolean;
  readonly links: PageLinks;
  readonly warnings: readonly PageWarning[];
}

/** Loading the renderer costs a thread as much as so many pages. */
const fewestForThreads = 200;
const maxThreads = 4;
/** Pages that a thread has ahead of the first one whose result is not taken; so many results are in memory. */
const pagesAhead = 8;
/** What is new is collected often: a thread takes less memory then. More often than this, it costs processor time. */
const heapLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 32 };
/** Of prepared pages, which others of the same text share. */
const maxSharedBytes = 64 * 1024 * 1024;

/**
 * Renders every page; results come in the order of the pages. With a cache, pages of a site that is otherwise the same are
 * taken from its last export.
 *
 * @param fetchPicture fetches the pages' pictures from elsewhere, where they are to be fetched
 * @throws the signal's reason when it is aborted; an error that names the page where a thread fails.
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
  const known = keys.map((key) => key !== undefined && cache.has(key));
  const render = createPageRenderer(job, fetchPicture);
  const threads: RenderThread[] = [];
  await using ending = new AsyncDisposableStack();
  const renderInThread = (number: number) => {
    const count = Math.min(maxThreads, availableParallelism());
    while (threads.length < count) threads.push(ending.use(new RenderThread(job, signal, fetchPicture)));
    return (threads[number % count] as RenderThread).render(number);
  };
  let missing = known.filter((isKnown) => !isKnown).length;
  const results: Promise<PageResult>[] = [];
  for (const number of pages.keys()) {
    signal.throwIfAborted();
    const key = keys[number];
    const finished = known[number] && key !== undefined ? await cache.recall<PageResult>(key) : undefined;
    // What it depends on has changed.
    if (finished === undefined && known[number]) missing += 1;
    if (finished !== undefined) results.push(Promise.resolve(finished));
    else results.push(missing < fewestForThreads ? render(number) : renderInThread(number));
    // It is awaited in its turn; until then a failure waits, too.
    results.at(-1)?.catch(() => undefined);
    if (results.length > threads.length * pagesAhead) yield (await results.shift()) as PageResult;
    // A server that renders goes on answering between two pages.
    await setImmediate();
  }
  for (const result of results) yield await result;
}

/** What the files of every page depend on besides its own; `undefined` where no page is kept. */
async function keyOfSite(
  { docs, slugStyle, routes, addresses, site, cacheDir, remoteMedia }: PagesToRender,
  cache: PageCache,
): Promise<string | undefined> {
  // What is fetched may be another picture by now.
  if (cacheDir === undefined || remoteMedia === "fetch") return undefined;
  return cache.keyOf(digestOfText(""), [...docs.files], slugStyle, routes, addresses, site, remoteMedia);
}

function keyOfPage(cache: PageCache, siteKey: string, page: PageSource): Promise<string> {
  return cache.keyOf(page.digest ?? digestOfText(page.content ?? ""), siteKey, page);
}

/** Renders pages of the site, by their numbers, one after the other. */
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
    // Its file may have changed since it was planned.
    const key = await keyOfPage(finished, job.siteKey, { ...page, digest: digestOfText(file) });
    return finished.remember(key, (tree: DocsTree) => finish(page, file, tree));
  }

  let last: Promise<unknown> = Promise.resolve();
  return (number) => {
    const page = pages[number];
    if (page === undefined) throw new RangeError(`There is no page ${number}.`);
    const rendered = last.then(() => renderOne(page));
    // The next page does not depend on this one.
    last = rendered.catch(() => undefined);
    return rendered;
  };
}

/** A description that is longer is cut in the search's results. */
const maxDescription = 300;

function describeForSearch({ source, sections }: RenderedPage, { locations }: Site): IndexedPage {
  const { route, frontMatter, title } = source;
  const ancestors = (locations.get(route.source)?.ancestors ?? []).filter(({ as }) => as !== "language");
  const location = new Set(ancestors.map((ancestor) => ancestor.title));
  const description = plainText(frontMatter.description ?? "").slice(0, maxDescription);
  const text = [route.outPath, title, [...location].join(" / "), description, sections] as const;
  return indexPage(text, frontMatter.endpoint);
}

/** A thread that renders pages one after the other. */
class RenderThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #pages: PagesToRender["pages"];
  /** Of the pages that it was given, in order. */
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

  /** Fails every page that it was given: the first is the one that it was at. */
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
 * The thread's side: renders the pages whose numbers it is sent, one after the other. It sends the addresses of pictures, and is told
 * what became of them.
 */
export function runRendering(job: RenderJob): void {
  const asked = new Map<string, (picture: FetchedPicture) => void>();
  const askForPicture: FetchPicture = (address) => {
    const { promise, resolve } = Promise.withResolvers<FetchedPicture>();
    asked.set(address, resolve);
    parentPort?.postMessage(address);
    return promise;
  };
  const render = createPageRenderer(job, job.remoteMedia === "fetch" ? askForPicture : undefined);
  // An error ends the thread, and its reason goes to the thread that started it.
  parentPort?.on("message", async (message: number | PictureMessage) => {
    if (typeof message === "number") return parentPort?.postMessage(await render(message));
    const [address, picture] = message;
    return asked.get(address)?.(picture);
  });
}
