import type { Nodes, Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { readPageText } from "../../../../src/server/site/content/docs-tree.ts";
import { readPage } from "../../../../src/server/site/content/evaluate-page.ts";
import { splitFrontMatter } from "../../../../src/server/site/content/page-source.ts";
import type { NavigationNode } from "../../../../src/server/site/navigation.ts";
import { planSite } from "../../../../src/server/site/plan-site.ts";
import type { PageSource } from "../../../../src/server/site/render-page.ts";
import { collectWarnings, type PageReporter } from "../../../../src/server/site/report.ts";
import { createFolder } from "../../../support/temporary-folder.ts";

/** The pages of a folder of documents, with their trees in outline. */
export interface DescribedSite {
  readonly pages: readonly PageSource[];
  readonly navigation: readonly NavigationNode[];
  readonly warnings: readonly string[];
  readonly outlines: ReadonlyMap<string, string>;
  readonly trees: ReadonlyMap<string, Root>;
}

/** Plans a site and reads each of its pages. */
export async function describeSite(files: Readonly<Record<string, string | object>>): Promise<DescribedSite> {
  const texts = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
  await using folder = await createFolder(Object.fromEntries(texts) as Record<string, string>);
  const { warnings: collected, onWarning } = collectWarnings();
  const { signal } = new AbortController();
  const plan = await planSite({ docsDir: folder.path }, signal, onWarning);
  const trees = new Map<string, Root>();
  for (const page of plan.pages) {
    const { source, slug } = page.route;
    const { body } = splitFrontMatter(page.content ?? (await readPageText(plan.docs, page.route.source)));
    const report: PageReporter = (...warning) => onWarning(slug, ...warning);
    trees.set(slug, await readPage(source, body, plan.docs, report, (tree) => tree, page.reference));
  }
  const warnings = collected.map(({ kind, page, message }) => `${kind}: ${page}: ${message}`);
  const outlines = new Map([...trees].map(([slug, tree]) => [slug, outline(tree)] as const));
  return { pages: plan.pages, navigation: plan.navigation, warnings, outlines, trees };
}

/** A tree as indented lines: components with their properties but for identifiers, and texts. */
function outline(node: Nodes, indent = ""): string {
  if (node.type === "root") return node.children.map((child) => outline(child, indent)).join("");
  if (node.type === "code") return `${indent}\`\`\`${node.lang} ${node.meta}\n${node.value}\n`;
  if (node.type !== "mdxJsxFlowElement") {
    const mark =
      node.type === "heading" ? "#".repeat(node.depth) : node.type === "paragraph" ? "" : node.type;
    return `${indent}${[mark, textOf(node)].filter(Boolean).join(" ")}\n`;
  }
  const { id, ...shown } = node.data?.props ?? {};
  const props = Object.entries(shown).map(([name, value]) =>
    value === true ? name : `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const children = node.children.map((child) => outline(child, `${indent}  `)).join("");
  return `${indent}<${[node.name, ...props].join(" ")}>\n${children}`;
}
