/** The documents as an index that follows their changes. */
import { setImmediate } from "node:timers/promises";
import type { Log } from "../../base/runtime.ts";
import { fingerprintDocs, readPageFile } from "../site/content/docs-tree.ts";
import { readPage } from "../site/content/evaluate-page.ts";
import { splitFrontMatter } from "../site/content/page-source.ts";
import { planSite, type SitePlan } from "../site/plan-site.ts";
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

/** Reads every page that is indexed, cut into sections. */
export async function readDocsPages(docsDir: string, log: Pick<Log, "debug">): Promise<DocsPage[]> {
  const { signal } = new AbortController();
  const onWarning: WarningReporter = (page, message) => log.debug(`${page}: ${message}`);
  const plan = await planSite({ docsDir, outDir: "" }, signal, onWarning);
  const pages: DocsPage[] = [];
  for (const page of plan.pages) {
    if (!page.isIndexed) continue;
    const { source } = page.route;
    pages.push(
      await readDocsPage(page, plan, (message, kind, line) => onWarning(source, message, kind, line)),
    );
    // Parsing is long work: other requests go on in between.
    await setImmediate();
  }
  return pages;
}

async function readDocsPage(
  page: PageSource,
  { docs, slugStyle }: SitePlan,
  onWarning: PageReporter,
): Promise<DocsPage> {
  const { route, title, frontMatter, version, lang, reference } = page;
  const { body } = splitFrontMatter(await readPageFile(docs, page));
  return {
    slug: route.slug,
    source: route.source,
    title,
    description: frontMatter.description,
    version,
    language: lang,
    sections: readSections(await readPage(route.source, body, docs, onWarning, reference), slugStyle),
  };
}
