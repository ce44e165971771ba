/** Renders the pages of a site, in this thread or, for many pages, in worker threads. */
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { parentPort, type Worker } from "node:worker_threads";
import type { Root as HtmlRoot } from "hast";
import { messageOf } from "../../base/text.ts";
import { endWorkerThread, startWorkerThread } from "../../base/worker-thread.ts";
import { createSequence } from "../base/sequence.ts";
import { toMarkdownFiles } from "./agent-files.ts";
import { plainText } from "./content/component.ts";
import { type DocsTree, ifUsable, readPageText } from "./content/docs-tree.ts";
import type { SiteDescription } from "./describe-site.ts";
import { type LinkTargets, noLinks, type PageLinks, SiteLinks } from "./links.ts";
import { digestOfText, PageCache } from "./page-cache.ts";
import { renderDocument } from "./page-layout.ts";
import type { SitePlan } from "./plan-site.ts";
import type { FetchPicture, RemoteMedia } from "./remote-files.ts";
import { type PageSource, type RenderedPage, renderPage } from "./render-page.ts";
import { collectWarnings, type PageReporter, type Warning } from "./report.ts";
import { type IndexedPage, indexPage } from "./search-index.ts";
import { type PackedFile, packText } from "./write-bundle.ts";

/** The data for rendering the pages of a site. Each worker thread receives a copy. */
export interface PagesToRender extends Pick<SitePlan, "docs" | "pages" | "slugStyle"> {
  readonly targets: LinkTargets;
  readonly site: SiteDescription;
  readonly cacheDir?: string | undefined;
  readonly remoteMedia: RemoteMedia;
}

/** A rendered page with the data that the rest of the site needs. */
export interface PageResult {
  readonly page: PageSource;
  /** Its packed files and data; `undefined` if the page was left out. */
  readonly files?: {
    readonly html: PackedFile;
    readonly markdown: PackedFile;
    /** All identifiers that links can target. */
    readonly ids: ReadonlySet<string>;
    /** Its entry in the search index; `undefined` for a page that is not indexed. */
    readonly entry: IndexedPage | undefined;
    readonly hasDiagram: boolean;
  };
  readonly links: PageLinks;
  readonly warnings: readonly Warning[];
}

/** Minimum number of pages for worker threads: loading the renderer takes as long as rendering this many. */
const minPagesForThreads = 200;
const maxThreads = 4;
/** Maximum number of pages per thread that are rendered ahead. It limits the results in memory. */
const pagesAhead = 8;
/** A small young generation saves memory. A smaller one would cost processor time. */
const heapLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 32 };

/**
 * Renders all pages, in order. With a cache, unchanged pages of an otherwise unchanged site are taken from an earlier export.
 *
 * @param fetchPicture fetches remote pictures; pages are then rendered in this thread
 * @throws the signal's reason if it is aborted; an error that names the page if a thread fails
 */
export async function* renderPages(
  job: PagesToRender,
  signal: AbortSignal,
  fetchPicture: FetchPicture | undefined,
): AsyncGenerator<PageResult> {
  const renderer = createRenderer(job, fetchPicture);
  const isCached = await Array.fromAsync(job.pages, (page) => renderer.cache?.has(page) ?? false);
  let missing = isCached.filter((hit) => !hit).length;
  const threads: RenderThread[] = [];
  await using ending = new AsyncDisposableStack();
  const renderInThread = (number: number) => {
    const count = Math.min(maxThreads, availableParallelism());
    while (threads.length < count) threads.push(ending.use(new RenderThread(job, signal)));
    return (threads[number % count] as RenderThread).render(number);
  };
  const results: Promise<PageResult>[] = [];
  for (const [number, page] of job.pages.entries()) {
    signal.throwIfAborted();
    const finished = isCached[number] ? await renderer.cache?.recall(page) : undefined;
    // A dependency has changed.
    if (finished === undefined && isCached[number]) missing += 1;
    const isInThread = missing >= minPagesForThreads && fetchPicture === undefined;
    if (finished !== undefined) results.push(Promise.resolve(finished));
    else results.push(isInThread ? renderInThread(number) : renderer.render(page));
    // Prevents an unhandled rejection until the result is awaited.
    results.at(-1)?.catch(() => undefined);
    if (results.length > threads.length * pagesAhead) yield (await results.shift()) as PageResult;
    // Lets the server respond to other requests.
    await setImmediate();
  }
  for (const result of results) yield await result;
}

/** Creates a renderer of pages, one after the other. */
function createRenderer(
  { docs, targets, cacheDir, remoteMedia, slugStyle, site }: PagesToRender,
  fetchPicture?: FetchPicture,
) {
  const siteLinks = new SiteLinks(docs, targets, remoteMedia);
  // Remote pictures may change.
  const cache =
    cacheDir === undefined || remoteMedia === "fetch"
      ? undefined
      : new PageCache<PageResult>(docs, cacheDir, [slugStyle, targets, site, remoteMedia]);

  async function render(page: PageSource): Promise<PageResult> {
    const { warnings, onWarning } = collectWarnings();
    const { source } = page.route;
    const leaveOut = (message: string) => onWarning(source, `it was left out: ${message}`, "file");
    const file = page.content ?? (await ifUsable(readPageText(docs, source), leaveOut));
    if (file === undefined) return { page, links: noLinks(), warnings };
    // The file may have changed since planning.
    const current = page.digest === undefined ? page : { ...page, digest: digestOfText(file) };
    if (cache === undefined) return finish(current, file, docs);
    return cache.remember(current, (tree) => finish(current, file, tree));
  }

  async function finish(page: PageSource, file: string, tree: DocsTree): Promise<PageResult> {
    const { route, isIndexed } = page;
    const links = noLinks();
    const { warnings, onWarning: report } = collectWarnings();
    const onWarning: PageReporter = (...warning) => report(route.source, ...warning);
    const silent = siteLinks.resolverOf(route, { ...noLinks(), assets: links.assets }, () => undefined);
    const rendered = await renderPage(page, file, {
      docs: tree,
      slugStyle,
      links: siteLinks.resolverOf(route, links, onWarning),
      markdownLinks: toMarkdownFiles(silent),
      onWarning,
      ...(fetchPicture && {
        beforeLinks: (html: HtmlRoot) => siteLinks.fetchPictures(html, fetchPicture),
      }),
    });
    const { ids, hasDiagram } = rendered;
    const entry = isIndexed ? describeForSearch(rendered, site) : undefined;
    const html = packText(renderDocument(site, rendered, links.remote));
    const markdown = packText(rendered.markdown);
    return { page, files: { html, markdown, ids, entry, hasDiagram }, links, warnings };
  }

  const inOrder = createSequence();
  return { cache, render: (page: PageSource) => inOrder(() => render(page)) };
}

const maxDescriptionLength = 300;

function describeForSearch(
  { source, sections, code }: RenderedPage,
  { locations }: SiteDescription,
): IndexedPage {
  const { route, frontMatter, title } = source;
  const ancestors = (locations.get(route.source)?.ancestors ?? []).filter(({ as }) => as !== "language");
  const location = new Set(ancestors.map((ancestor) => ancestor.title));
  const description = plainText(frontMatter.description ?? "").slice(0, maxDescriptionLength);
  const text = [route.outPath, title, [...location].join(" / "), description, sections] as const;
  const { endpoint = "", keywords = "" } = frontMatter;
  return indexPage(text, { endpoint, keywords, code });
}

/** A worker thread that renders pages one after the other. */
class RenderThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #pages: PagesToRender["pages"];
  /** Pending pages, in order. */
  readonly #waiting: (PromiseWithResolvers<PageResult> & { readonly number: number })[] = [];
  #failure: unknown;

  constructor(job: PagesToRender, signal: AbortSignal) {
    this.#pages = job.pages;
    this.#worker = startWorkerThread("render", job, heapLimits);
    this.#worker.on("message", (result: PageResult) => this.#waiting.shift()?.resolve(result));
    this.#worker.on("error", (error) => this.#fail(error));
    const stop = () => void endWorkerThread(this.#worker);
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
    await endWorkerThread(this.#worker);
  }
}

/** Runs in the worker thread: renders the pages whose numbers it receives. */
export function runRendering(job: PagesToRender): void {
  const renderer = createRenderer(job);
  // An error ends the worker thread and is reported to its parent.
  parentPort?.on("message", async (number: number) => {
    const page = job.pages[number];
    if (page !== undefined) parentPort?.postMessage(await renderer.render(page));
  });
}
