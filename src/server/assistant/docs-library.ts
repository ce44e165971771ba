/** Indexes a site's documentation and rebuilds the index when it changes. */
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import type { Root } from "mdast";
import type { Log } from "../../base/runtime.ts";
import { decodePercent, messageOf } from "../../base/text.ts";
import { createSequence, shareWhileRunning, waitForShared } from "../base/shared-work.ts";
import type { DocumentSource } from "../base/sites.ts";
import { toMarkdownFiles } from "../site/agent-files.ts";
import { readPageText } from "../site/content/docs-tree.ts";
import { readPage } from "../site/content/evaluate-page.ts";
import { splitFrontMatter, titleTest } from "../site/content/page-source.ts";
import { limitByLength } from "../site/content/time-limit.ts";
import { toContent } from "../site/content/to-html.ts";
import { toMarkdown } from "../site/content/to-markdown.ts";
import { wordsFor } from "../site/interface-words.ts";
import { noLinks, SiteLinks } from "../site/links.ts";
import { linkTargetsOf, planSite, type SitePlan } from "../site/plan-site.ts";
import type { PageSource } from "../site/render-page.ts";
import type { PageReporter } from "../site/report.ts";
import { createDocsIndex, type DocsIndex } from "./docs-index.ts";
import type { PageLinkBase } from "./extractive-answer.ts";
import { type DocsPage, readSections } from "./sections.ts";

/** Minimum time between two checks for a new revision. */
const checkEveryMs = 2000;

export type DocsLibrary = ReturnType<typeof createDocsLibrary>;

/**
 * Creates the index of a site's documentation. It is built on first use.
 *
 * @param now milliseconds since 1970
 * @param maxWaitMs how long a question waits for a new index if there is a previous one
 * @param linkKind where answers link to: code-hosting services show files with GitHub's anchors.
 */
export function createDocsLibrary(
  documents: DocumentSource,
  log: Log,
  now: () => number,
  linkKind: PageLinkBase["kind"],
  maxWaitMs = 2000,
) {
  /** The build whose index is complete, and a newer one that is running. */
  let complete: Build | undefined;
  let running: Build | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const inOrder = createSequence();
  /** Starts a build if the revision has changed and no build is running. Questions at the same time share one check. */
  const check = shareWhileRunning(() =>
    inOrder(async () => {
      if (running !== undefined) return running;
      const revision = await documents.readRevision(new AbortController().signal);
      checkedAt = now();
      return complete?.revision === revision ? complete : startBuild(revision);
    }),
  );
  /** Returns the newest build. */
  async function build(signal: AbortSignal): Promise<Build> {
    const newest = running ?? complete;
    return newest !== undefined && now() - checkedAt < checkEveryMs ? newest : waitForShared(check(), signal);
  }

  /** Starts a build. It is shared, so it does not stop when the request that started it is aborted. */
  function startBuild(revision: string): Build {
    const opened = documents.open(revision, new AbortController().signal);
    const plan = opened.then(({ docsDir }) => planDocs(docsDir, log, linkKind));
    const index = plan.then((site) => readDocsPages(site, log)).then(createDocsIndex);
    const next = { revision, plan, index, close: async () => (await opened)[Symbol.asyncDispose]() };
    running = next;
    const replace = (previous: Build | undefined, current: Build | undefined) => {
      complete = current;
      running = undefined;
      return previous?.close().catch(() => undefined);
    };
    void index.then(
      () => replace(complete, next),
      (error) => {
        const problem =
          "The changed documents cannot be read, so the assistant still answers from the earlier ones";
        if (complete !== undefined) log.warning(`${problem}: ${messageOf(error)}`);
        return replace(next, complete);
      },
    );
    return next;
  }

  /** Reads the newest build, or the previous one if the newest fails or takes long. */
  async function readNewest<Part>(read: (build: Build) => Promise<Part>, signal: AbortSignal): Promise<Part> {
    const newest = read(await build(signal));
    const previous = complete === undefined ? newest : read(complete);
    return Promise.race([newest.catch(() => previous), delay(maxWaitMs, previous, { ref: false })]);
  }

  return {
    /** Checks for a new revision, and starts to index it. @throws if the documents' revision cannot be read. */
    refresh: async (signal: AbortSignal): Promise<void> => void (await build(signal)),
    /** The index of the current revision or, if building it fails or takes long, of the previous one. */
    current: (signal: AbortSignal): Promise<DocsIndex> => readNewest(({ index }) => index, signal),
    /** A page as Markdown, with links from the site's root; `undefined` if no indexed page has this address. */
    async readMarkdown(address: string, signal: AbortSignal): Promise<string | undefined> {
      const plan = await readNewest(({ plan }) => plan, signal);
      const source = plan.routes.find(decodePercent(address.replace(/[?#].*$/s, "")))?.source;
      const page = plan.pages.find(({ route, isIndexed }) => isIndexed && route.source === source);
      return page && printPage(page, plan);
    },
    /** Drops the index and releases the files. The next use builds it again. */
    forget(): Promise<void> {
      // After a check that is running, which may start a build.
      return inOrder(async () => {
        await running?.index.catch(() => undefined);
        const dropped = complete;
        complete = undefined;
        await dropped?.close().catch(() => undefined);
      });
    },
  };
}

interface Build {
  readonly revision: string;
  readonly plan: Promise<DocsPlan>;
  readonly index: Promise<DocsIndex>;
  /** Releases the files of the revision. */
  close(): Promise<void>;
}

type DocsPlan = Awaited<ReturnType<typeof planDocs>>;

/** Plans the site of a folder, whose pages are then read. */
export async function planDocs(docsDir: string, log: IndexLog, linkKind: PageLinkBase["kind"] = "pages") {
  const { signal } = new AbortController();
  const plan = await planSite({ docsDir }, signal, (page, message) => log.debug(`${page}: ${message}`));
  const docs = { ...plan.docs, parseLimitOf: limitByLength };
  const generated = plan.pages.flatMap(({ route: { source }, reference }) =>
    reference === undefined || docs.files.has(source) ? [] : [[source, reference.file] as const],
  );
  const anchorStyle = linkKind === "files" ? "github" : plan.slugStyle;
  const links = new SiteLinks(docs, linkTargetsOf(plan));
  const firstPages = findFirstPages(plan);
  return { ...plan, docs, links, anchorStyle, generated: new Map(generated), firstPages } as const;
}

/** The first indexed page of each language and version: `index`, or else the first one in the navigation. */
function findFirstPages({ pages, locations }: SitePlan): ReadonlySet<PageSource> {
  const positionOf = ({ route: { source, outPath } }: PageSource) =>
    outPath === "index.html" ? -1 : (locations.get(source)?.position ?? pages.length);
  const ordered = pages
    .filter(({ isIndexed }) => isIndexed)
    .toSorted((left, right) => positionOf(left) - positionOf(right));
  const groups = Map.groupBy(ordered, ({ lang, version }) => JSON.stringify([lang, version]));
  return new Set([...groups.values()].flatMap(([first]) => first ?? []));
}

async function printPage(page: PageSource, plan: DocsPlan): Promise<string> {
  const { docs, slugStyle } = plan;
  const { route, lang = "" } = page;
  const links = plan.links.resolverOf(route, noLinks(), () => undefined);
  const isTitle = titleTest(page, slugStyle);
  const words = wordsFor(lang);
  return readTree(page, docs, noWarning, (tree) => {
    const html = toContent(tree, words, noWarning);
    return toMarkdown(html, page, isTitle, toMarkdownFiles(links, route), words);
  });
}

const noWarning = () => undefined;

async function readTree<Result>(
  page: PageSource,
  docs: DocsPlan["docs"],
  onWarning: PageReporter,
  finish: (tree: Root) => Result,
): Promise<Result> {
  const { source } = page.route;
  const { body } = splitFrontMatter(page.content ?? (await readPageText(docs, source)));
  return readPage(source, body, docs, onWarning, finish, page.reference);
}

/** A page that is missing from answers is a warning; what its own markup lacks, an export reports. */
type IndexLog = Pick<Log, "debug" | "warning">;

/** Reads all indexed pages of a site, cut into sections. */
export async function readDocsPages(plan: DocsPlan, log: IndexLog): Promise<DocsPage[]> {
  const pages: DocsPage[] = [];
  for (const page of plan.pages) {
    if (!page.isIndexed) continue;
    const { source } = page.route;
    try {
      pages.push(await readDocsPage(page, plan, (message) => log.debug(`${source}: ${message}`)));
    } catch (error) {
      // Such a page must not take the other pages from the assistant.
      log.warning(`The assistant cannot quote ${source}, because it could not be read: ${messageOf(error)}`);
    }
    // Parsing takes long. Other requests are served in between.
    await setImmediate();
  }
  if (pages.length === 0) log.warning("The assistant has no page to answer from: no document is indexed.");
  return nameByFolder(pages);
}

/** Adds the folder to the names of pages with the same title. */
function nameByFolder(pages: readonly DocsPage[]): DocsPage[] {
  const keyOf = ({ title, version, language }: DocsPage) => JSON.stringify([title, version, language]);
  const groups = Map.groupBy(pages, keyOf);
  return pages.map((page) => {
    if (groups.get(keyOf(page))?.length === 1) return page;
    const path = page.slug.split("/").filter((part) => part !== page.language);
    const folder = path.slice(0, Math.max(1, path.length - 1)).join("/");
    return { ...page, name: `${page.title} (${folder})` };
  });
}

async function readDocsPage(
  page: PageSource,
  { docs, config, links, slugStyle, anchorStyle, generated, firstPages }: DocsPlan,
  onWarning: PageReporter,
): Promise<DocsPage> {
  // The file of a generated page is its OpenAPI document.
  const fileOf = (source: string) => generated.get(source) ?? source;
  const { route, title, frontMatter, version, isDefaultVersion, lang } = page;
  const options = {
    slugStyle: anchorStyle,
    words: wordsFor(lang ?? ""),
    isTitle: titleTest(page, slugStyle),
    findTarget: (href: string) => {
      const target = links.findTarget(route, href);
      if (typeof target !== "object") return undefined;
      const { slug, source } = target.route;
      return { page: { slug, source: fileOf(source) }, section: { anchor: target.id } };
    },
  };
  return {
    slug: route.slug,
    source: fileOf(route.source),
    title,
    description: frontMatter.description,
    version,
    isDefaultVersion,
    language: lang,
    siteName: firstPages.has(page) ? (config.name ?? "") : undefined,
    isReference: page.reference !== undefined,
    sections: await readTree(page, docs, onWarning, (tree) => readSections(tree, options)),
  };
}
