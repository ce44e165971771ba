/** The documents as an index that follows their changes. */
import { setImmediate } from "node:timers/promises";
import type { Log } from "../../base/runtime.ts";
import { type DocsTree, fingerprintDocs, readPageFile } from "../site/content/docs-tree.ts";
import { readPage } from "../site/content/evaluate-page.ts";
import { splitFrontMatter } from "../site/content/page-source.ts";
import type { PageLocation } from "../site/navigation.ts";
import { planSite } from "../site/plan-site.ts";
import type { PageSource } from "../site/render-page.ts";
import type { PageReporter, WarningReporter } from "../site/report.ts";
import { createDocsIndex, type DocsIndex } from "./docs-index.ts";
import { type DocsPage, readSections } from "./sections.ts";

/** The documents' files are checked for changes at most this often. */
const checkEveryMs = 2000;

/** @param now Milliseconds since 1970. */
export function createDocsLibrary(docsDir: string, log: Log, now: () => number) {
  let built: { readonly fingerprint: string; readonly index: Promise<DocsIndex> } | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    /** The index of the documents as they are now; built when first asked for, and after changes. */
    async current(signal: AbortSignal): Promise<DocsIndex> {
      if (built !== undefined && now() - checkedAt < checkEveryMs) return built.index;
      const fingerprint = await fingerprintDocs(docsDir, signal);
      checkedAt = now();
      if (built?.fingerprint !== fingerprint) {
        // All readers wait for this build: it goes on when the one who asked first goes away.
        const index = readDocsPages(docsDir, log).then(createDocsIndex);
        built = { fingerprint, index };
        index.catch(() => {
          built = undefined;
        });
      }
      return built.index;
    },
  };
}

/** Reads every page that is not hidden, cut into sections. */
export async function readDocsPages(docsDir: string, log: Pick<Log, "debug">): Promise<DocsPage[]> {
  const { signal } = new AbortController();
  const onWarning: WarningReporter = (page, message) => log.debug(`${page}: ${message}`);
  const plan = await planSite({ docsDir, outDir: "" }, signal, onWarning);
  const pages: DocsPage[] = [];
  for (const page of plan.pages) {
    if (page.frontMatter.hidden === true) continue;
    const { source } = page.route;
    pages.push(
      await readDocsPage(page, plan.locations.get(source), plan.docs, (message, kind, line) =>
        onWarning(source, message, kind, line),
      ),
    );
    // Parsing is long work: other requests go on in between.
    await setImmediate();
  }
  return pages;
}

async function readDocsPage(
  page: PageSource,
  location: PageLocation | undefined,
  docs: DocsTree,
  onWarning: PageReporter,
): Promise<DocsPage> {
  const { route, title, frontMatter, reference } = page;
  const { body } = splitFrontMatter(await readPageFile(docs, page));
  const section = (as: string) => location?.ancestors.find((ancestor) => ancestor.as === as)?.title;
  const [first = "", second = ""] = route.slug.split("/");
  return {
    slug: route.slug,
    source: route.source,
    title,
    description: frontMatter.description,
    version: section("version") ?? [first, second].find(isVersionFolder),
    language: frontMatter.lang ?? section("language") ?? (isLanguageFolder(first) ? first : undefined),
    sections: readSections(await readPage(route.source, body, docs, onWarning, reference)),
  };
}

/** `v2`, `1.4`, `3.x`: folders that hold one version of the documentation. */
function isVersionFolder(name: string): boolean {
  return /^(?:v\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)*|\d+\.x)$/i.test(name);
}

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** `de`, `pt-BR`: folders that are named like a language; others of two letters (`js`, `ui`) are no languages. */
function isLanguageFolder(name: string): boolean {
  return /^[a-z]{2}(?:-[A-Z]{2})?$/.test(name) && languageNames.of(name) !== undefined;
}
