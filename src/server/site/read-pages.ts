import { setImmediate } from "node:timers/promises";
import { type DocsTree, readPageText, UnusableFileError } from "./content/docs-tree.ts";
import { type FrontMatter, firstHeading, splitFrontMatter } from "./content/page-source.ts";
import { titleFromName } from "./navigation.ts";
import type { PageSource } from "./render-page.ts";
import { type Routes, stripOrderPrefixes } from "./routes.ts";

interface ReadPagesDeps {
  readonly signal: AbortSignal;
  readonly onWarning: (page: string, message: string) => void;
}

function fallbackTitle(source: string): string {
  const segments = stripOrderPrefixes(source.replace(/\.\w+$/, "")).split("/");
  const name = segments.pop() ?? "";
  return titleFromName(/^(?:index|readme)$/i.test(name) ? (segments.pop() ?? "Home") : name);
}

function titleOf(frontMatter: FrontMatter, body: string, source: string): string {
  return frontMatter.title ?? firstHeading(body) ?? frontMatter.sidebarTitle ?? fallbackTitle(source);
}

/**
 * Reads every page's title and front matter, in the order of the routes. The texts are not kept: they are read again
 * when their page is rendered, so that memory does not grow with the documents.
 */
export async function readPages(docs: DocsTree, routes: Routes, deps: ReadPagesDeps): Promise<PageSource[]> {
  const pages: PageSource[] = [];
  for (const route of routes.all) {
    deps.signal.throwIfAborted();
    try {
      const { frontMatter, body, problem } = splitFrontMatter(await readPageText(docs, route.source));
      if (problem !== undefined) deps.onWarning(route.source, problem);
      pages.push({ route, frontMatter, title: titleOf(frontMatter, body, route.source) });
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      deps.onWarning(route.source, `it was left out: ${error.message}`);
    }
    if (pages.length % 50 === 0) await setImmediate();
  }
  return pages;
}
