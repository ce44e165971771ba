/** GitHub Flavored Markdown as a tree whose nodes know their place in the source. */
import type { Nodes, Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";
import { isTooDense } from "../base/markdown-cost.ts";

/** A half-open range of offsets in a source text. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** Far deeper than people nest quotes and lists; deeper trees are made to exhaust the program that walks them. */
const maxDepth = 100;

/**
 * Parses Markdown the way GitHub does (CommonMark and GFM; HTML is kept as raw nodes).
 *
 * `undefined` for a text so deeply nested or so full of marks that no person wrote it to be read.
 */
export function parseMarkdown(source: string): Root | undefined {
  if (isTooDense(source)) return undefined;
  const tree = unified().use(remarkParse).use(remarkGfm).use(dropTransforms).parse(source);
  return isDeeperThan(maxDepth, tree) ? undefined : tree;
}

function isDeeperThan(limit: number, root: Root): boolean {
  let level: Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
  return false;
}

/**
 * The GFM extension rewrites parsed text once more to link addresses that its tokenizer passed over; the nodes it makes
 * do not know their place. Such an address stays text here.
 */
function dropTransforms(this: Processor): void {
  const data = this.data();
  const extensions = (data.fromMarkdownExtensions ?? []).flat();
  data.fromMarkdownExtensions = extensions.map(({ transforms: _, ...extension }) => extension);
}

/** Where a parsed node stands in its source. */
export function rangeOf(node: Nodes): SourceRange {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) {
    throw new TypeError(`A Markdown node of type ${node.type} came without its position.`);
  }
  return { start, end };
}
