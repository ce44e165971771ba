/** Renders the pages of a site into their files: a few in this thread, many in threads of their own. */
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parentPort, type Worker } from "node:worker_threads";
import { messageOf } from "../../base/text.ts";
import { startThread } from "../../base/thread.ts";
import { toMarkdownFiles } from "./agent-files.ts";
import { ifUsable, readPageFile } from "./content/docs-tree.ts";
import { type PageLinks, SiteLinks } from "./links.ts";
import { PageCache } from "./page-cache.ts";
import { renderDocument, type Site } from "./page-layout.ts";
import type { SitePlan } from "./plan-site.ts";
import { type RenderedPage, renderMarkdown, renderPage } from "./render-page.ts";
import type { PageReporter, Warning } from "./report.ts";
import { markdownPath, type Route } from "./routes.ts";
import { type IndexedPage, indexPage } from "./search-index.ts";

/** What the pages of one site are rendered with; a thread gets a copy of it. */
export interface PagesToRender extends Pick<SitePlan, "docs" | "pages" | "slugStyle"> {
  readonly routes: readonly Route[];
  readonly redirects: NonNullable<SitePlan["config"]["redirects"]>;
  readonly site: Site;
  readonly outDir: string;
  /** Where prepared pages are kept for later exports. */
  readonly cacheDir?: string | undefined;
}

/** What is known of a page once its file is written. */
export interface PageResult {
  readonly source: string;
  /** Every identifier that a link can point to; `undefined` where the page was left out. */
  readonly ids?: ReadonlySet<string>;
  /** What the search index gets of it; `undefined` for a page that is not indexed. */
  readonly entry?: IndexedPage | undefined;
  /** Whether it needs the script that draws diagrams. */
  readonly hasDiagram?: boolean;
  readonly links: PageLinks;
  readonly warnings: readonly Omit<Warning, "page">[];
}

/** Loading the renderer costs a thread as much as so many pages. */
const fewestForThreads = 200;
const maxThreads = 4;
/** Pages that a thread has ahead of the first one whose result is not taken; so many results are in memory. */
const pagesAhead = 8;
const maxHeapMegabytes = 2048;

/**
 * Renders and writes every page; results come in the order of the pages.
 *
 * @throws the signal's reason when it is aborted; an error that names the page where a thread fails.
 */
export async function* renderPages(job: PagesToRender, signal: AbortSignal): AsyncGenerator<PageResult> {
  if (job.pages.length >= fewestForThreads) return yield* renderInThreads(job, signal);
  const render = createPageRenderer(job);
  for (const number of job.pages.keys()) {
    signal.throwIfAborted();
    yield await render(number);
    // A server that renders goes on answering between two pages.
    await setImmediate();
  }
}

/** Renders and writes one page of the site, by its number. */
export function createPageRenderer(job: PagesToRender): (number: number) => Promise<PageResult> {
  const { docs, pages, slugStyle, routes, redirects, site, outDir } = job;
  const siteLinks = new SiteLinks(docs, routes, redirects);
  const cache = new PageCache(docs, job.cacheDir);
  let folder: string | undefined;
  return async (number) => {
    const source = pages[number];
    if (source === undefined) throw new RangeError(`There is no page ${number}.`);
    const { route } = source;
    const links: PageLinks = { sections: [], assets: new Set() };
    const warnings: Omit<Warning, "page">[] = [];
    const onWarning: PageReporter = (message, kind, line) =>
      void warnings.push({ kind, ...(line !== undefined && { line }), message });
    const result = { source: route.source, links, warnings };
    const leaveOut = (message: string) => onWarning(`it was left out: ${message}`, "file");
    const file = await ifUsable(readPageFile(docs, source), leaveOut);
    if (file === undefined) return result;
    const page = await renderPage(source, file, {
      cache,
      slugStyle,
      links: siteLinks.resolverOf(route, links, onWarning),
      markdownLinks: toMarkdownFiles(
        siteLinks.resolverOf(route, { sections: [], assets: links.assets }, () => undefined),
      ),
      onWarning,
    });
    const target = join(outDir, route.outPath);
    if (dirname(target) !== folder) await mkdir(dirname(target), { recursive: true });
    folder = dirname(target);
    // Every page has the same banner: what is wrong with its links is said once.
    const bannerLinks =
      number === 0
        ? siteLinks.resolverOf(route, links, onWarning)
        : siteLinks.resolverOf(route, { sections: [], assets: links.assets }, () => undefined);
    const banner = site.banner && renderMarkdown(site.banner.content, bannerLinks);
    await writeFile(target, renderDocument(site, page, banner));
    await writeFile(join(outDir, markdownPath(route.outPath)), page.markdown);
    return {
      ...result,
      ids: page.ids,
      hasDiagram: page.hasDiagram,
      entry: source.isIndexed ? describeForSearch(page, site) : undefined,
    };
  };
}

/** A description that is longer is cut in the search's results. */
const maxDescription = 300;

function describeForSearch({ source, sections }: RenderedPage, { locations }: Site): IndexedPage {
  const { route, frontMatter, title } = source;
  const location = locations.get(route.source)?.ancestors.map((ancestor) => ancestor.title) ?? [];
  const description = (frontMatter.description ?? "").replaceAll("`", "").slice(0, maxDescription);
  const text = [route.outPath, title, location.join(" / "), description, sections] as const;
  return indexPage(text, frontMatter.endpoint);
}

async function* renderInThreads(job: PagesToRender, signal: AbortSignal): AsyncGenerator<PageResult> {
  const count = Math.min(maxThreads, availableParallelism());
  await using stack = new AsyncDisposableStack();
  const threads = Array.from({ length: count }, () => stack.use(new RenderThread(job, signal)));
  const results: Promise<PageResult>[] = [];
  for (const number of job.pages.keys()) {
    const result = threads[number % count]?.render(number) as Promise<PageResult>;
    // It is awaited in its turn; until then a failure waits, too.
    result.catch(() => undefined);
    results.push(result);
    if (results.length >= count * pagesAhead) yield (await results.shift()) as PageResult;
  }
  for (const result of results) yield await result;
}

/** A thread that renders pages one after the other. */
class RenderThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #pages: PagesToRender["pages"];
  /** Of the pages that it was given, in order. */
  readonly #waiting: (PromiseWithResolvers<PageResult> & { readonly number: number })[] = [];
  #failure: unknown;

  constructor(job: PagesToRender, signal: AbortSignal) {
    this.#pages = job.pages;
    this.#worker = startThread("render", job, { maxOldGenerationSizeMb: maxHeapMegabytes });
    this.#worker.on("message", (result: PageResult) => this.#waiting.shift()?.resolve(result));
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

/** The thread's side: renders the pages whose numbers it is sent, one after the other. */
export function runRendering(job: PagesToRender): void {
  const render = createPageRenderer(job);
  let last = Promise.resolve();
  // An error ends the thread, and its reason goes to the thread that started it.
  parentPort?.on("message", (number: number) => {
    last = last.then(async () => parentPort?.postMessage(await render(number)));
  });
}
