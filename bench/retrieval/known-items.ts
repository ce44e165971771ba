/** Questions whose right page is known: descriptions that authors wrote of their pages, and texts of their links to them. */

import { posix } from "node:path";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import type { RetrievalQuery } from "../../src/server/assistant/docs-index.ts";
import type { DocsPage } from "../../src/server/assistant/sections.ts";
import { readSections } from "../../src/server/assistant/sections.ts";
import { readDocsTree, readPageText } from "../../src/server/site/content/docs-tree.ts";
import { readPage } from "../../src/server/site/content/evaluate-page.ts";
import { splitFrontMatter } from "../../src/server/site/content/page-source.ts";
import { parsePage } from "../../src/server/site/content/parse-page.ts";
import { readPages } from "../../src/server/site/plan-site.ts";
import { assignRoutes, isPagePath, Routes } from "../../src/server/site/routes.ts";

export interface KnownItem {
  readonly question: string;
  /** Slugs of the pages that answer: several may have one description, or be linked by one text. */
  readonly slugs: readonly string[];
  readonly kind: "description" | "link";
}

/** A text that stands for more pages than this asks for none of them. */
const mostAnswers = 3;

export interface MeasuredCorpus {
  readonly pages: readonly DocsPage[];
  readonly items: readonly KnownItem[];
}

/** A corpus' pages with their descriptions, which the measurement leaves out, and the questions about them. */
export async function readCorpus(folder: string): Promise<MeasuredCorpus> {
  const { signal } = new AbortController();
  const docs = await readDocsTree(folder, signal);
  const routes = new Routes(assignRoutes([...docs.files].filter(isPagePath), false));
  const pages: DocsPage[] = [];
  const items: FoundItem[] = [];
  for (const { route, title, frontMatter } of await readPages(docs, routes.all, signal, () => undefined)) {
    const { body } = splitFrontMatter(await readPageText(docs, route.source));
    const { source, slug } = route;
    pages.push({
      slug,
      source,
      title,
      description: frontMatter.description,
      version: undefined,
      isDefaultVersion: true,
      language: undefined,
      sections: await readPage(source, body, docs, () => undefined, readSections),
    });
    if (frontMatter.description !== undefined)
      items.push({ question: frontMatter.description, slug, kind: "description" });
    items.push(...linkItems(source, body, routes));
  }
  return { pages, items: group(items) };
}

interface FoundItem {
  readonly question: string;
  readonly slug: string;
  readonly kind: KnownItem["kind"];
}

function linkItems(source: string, body: string, routes: Routes): FoundItem[] {
  const items: FoundItem[] = [];
  visit(
    parsePage(source, body, () => undefined),
    "link",
    (link) => {
      const question = textOf(link).trim();
      const target = resolve(link.url, source, routes);
      if (target === undefined || target === source || question.split(/\s+/).length < 3) return;
      const slug = routes.find(target)?.slug;
      if (slug !== undefined) items.push({ question, slug, kind: "link" });
    },
  );
  return items;
}

function resolve(url: string, source: string, routes: Routes): string | undefined {
  const path = url.replace(/[?#].*$/, "");
  if (path === "" || /^[a-z]+:/i.test(path)) return undefined;
  if (path.startsWith("/")) return routes.find(path)?.source;
  const folder = posix.dirname(source);
  const address = posix.join(folder, path);
  return routes.find(address)?.source;
}

function group(items: readonly FoundItem[]): KnownItem[] {
  const byQuestion = Map.groupBy(items, ({ question, kind }) => `${kind}\n${question}`);
  return [...byQuestion.values()].flatMap((same) => {
    const [first] = same;
    const slugs = [...new Set(same.map(({ slug }) => slug))];
    if (first === undefined || slugs.length > mostAnswers) return [];
    return [{ question: first.question, kind: first.kind, slugs }];
  });
}

/** A question without anything around it. */
export function queryOf(question: string): RetrievalQuery {
  return {
    question,
    earlier: [],
    context: [],
    currentPath: undefined,
    version: undefined,
    language: undefined,
  };
}
