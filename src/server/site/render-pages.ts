/** Renders the pages of a site, in this thread or, for many pages, in worker threads. */
import { on } from "node:events";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { Root as HtmlRoot } from "hast";
import { messageOf } from "../../base/text.ts";
import { endWorkerThread, startWorkerThread } from "../../base/worker-thread.ts";
import { toMarkdownFiles } from "./agent-files.ts";
import { plainText } from "./content/component.ts";
import { type DocsTree, ifUsable, readPageText } from "./content/docs-tree.ts";
import { type LinkTargets, noLinks, type PageLinks, SiteLinks } from "./links.ts";
import { digestOfText, PageCache } from "./page-cache.ts";
import { renderDocument, type SiteDescription } from "./page-layout.ts";
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

/** Fewer pages are rendered in this thread. More would delay the server's responses, or the end of a cancelled run. */
const minPagesForThread = 20;
/** Minimum number of pages for several threads: loading the renderer takes as long as rendering this many. */
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
  const entries = await Array.fromAsync(job.pages, async (page, number) => {
    // Lets the server respond to other requests.
    if (number % 50 === 0) await setImmediate();
    return renderer.cache?.find(page);
  });
  let missing = entries.filter((entry) => entry === undefined).length;
  const threads: ReturnType<typeof startRenderThread>[] = [];
  await using ending = new AsyncDisposableStack();
  const renderInThread = (number: number) => {
    const count = missing < minPagesForThreads ? 1 : Math.min(maxThreads, availableParallelism());
    while (threads.length < count) threads.push(ending.use(startRenderThread(job, signal)));
    return (threads[number % count] as (typeof threads)[number]).render(number);
  };
  const results: Promise<PageResult>[] = [];
  for (const [number, page] of job.pages.entries()) {
    signal.throwIfAborted();
    const entry = entries[number];
    const finished = entry === undefined ? undefined : await renderer.cache?.recall(entry);
    // A dependency has changed.
    if (finished === undefined && entry !== undefined) missing += 1;
    const isInThread = missing >= minPagesForThread && fetchPicture === undefined;
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

/** Creates a renderer of pages, which are rendered one after the other. */
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

  return { cache, render };
}

const maxDescriptionLength = 300;

function describeForSearch({ source, sections, code }: RenderedPage, { locations }: SiteDescription) {
  const { route, frontMatter, title } = source;
  const ancestors = (locations.get(route.source)?.ancestors ?? []).filter(({ as }) => as !== "language");
  const location = new Set(ancestors.map((ancestor) => ancestor.title));
  const description = plainText(frontMatter.description ?? "").slice(0, maxDescriptionLength);
  const text = [route.outPath, title, [...location].join(" / "), description, sections] as const;
  const { endpoint = "", keywords = "" } = frontMatter;
  return indexPage(text, { endpoint, keywords, code });
}

/** Starts a worker thread that renders pages one after the other. A signal that is aborted ends it. */
function startRenderThread(job: PagesToRender, signal: AbortSignal) {
  const worker = startWorkerThread("render", job, heapLimits);
  const results = on(worker, "message", { close: ["exit"] });
  const end = () => void endWorkerThread(worker);
  signal.addEventListener("abort", end);
  return {
    async render(number: number): Promise<PageResult> {
      worker.postMessage(number);
      try {
        // Of the pending pages, the first one gets the error: it was being rendered.
        const { value, done } = await results.next();
        if (done === true) throw new Error("its thread ended");
        return value[0] as PageResult;
      } catch (cause) {
        signal.throwIfAborted();
        throw new Error(`${job.pages[number]?.route.source}: ${messageOf(cause)}`, { cause });
      }
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", end);
      await endWorkerThread(worker);
    },
  };
}

/** Runs in the worker thread: renders the pages whose numbers it receives. */
export async function runRendering(job: PagesToRender): Promise<void> {
  const renderer = createRenderer(job);
  const port = parentPort as MessagePort;
  // An error ends the worker thread and is reported to its parent.
  for await (const [number] of on(port, "message")) {
    const page = job.pages[number];
    if (page !== undefined) port.postMessage(await renderer.render(page));
  }
}
