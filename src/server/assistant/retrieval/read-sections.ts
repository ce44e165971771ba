import GithubSlugger from "github-slugger";
import type { Heading, Root, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { parsePage } from "../../site/content/parse-page.ts";
import type { DocsSection } from "./docs-section.ts";
import { toPlainBlocks } from "./plain-tree.ts";

interface OpenSection {
  readonly anchor: string;
  readonly headings: readonly string[];
  readonly blocks: RootContent[];
}

/** Cuts a page's text at its headings; a leading first-level heading is the page's title, and starts no section. */
export function readSections(path: string, body: string): DocsSection[] {
  const slugger = new GithubSlugger();
  const blocks = toPlainBlocks(parsePage(path, body).tree);
  const open: OpenSection[] = [{ anchor: "", headings: [], blocks: [] }];
  const above: { depth: number; text: string }[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.type !== "heading") open.at(-1)?.blocks.push(block);
    else if (index > 0 || block.depth > 1) open.push(openSection(block, above, slugger));
  }
  return open.map(closeSection).filter((section) => section.anchor !== "" || section.blocks.length > 0);
}

function openSection(
  heading: Heading,
  above: { depth: number; text: string }[],
  slugger: GithubSlugger,
): OpenSection {
  const text = textOf(heading).trim();
  while ((above.at(-1)?.depth ?? 0) >= heading.depth) above.pop();
  above.push({ depth: heading.depth, text });
  return { anchor: slugger.slug(text), headings: above.map((entry) => entry.text), blocks: [] };
}

function closeSection({ anchor, headings, blocks }: OpenSection): DocsSection {
  const prose: string[] = [];
  const code: string[] = [];
  const tree: Root = { type: "root", children: blocks };
  visit(tree, (node) => {
    if (node.type === "code") code.push(node.value);
    else if ("value" in node) prose.push(node.value);
    else if (node.type === "paragraph" || node.type === "tableCell" || node.type === "listItem")
      prose.push("\n");
  });
  return { anchor, headings, blocks, text: prose.join(" ").trim(), code: code.join("\n") };
}
