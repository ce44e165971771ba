/** Parses GitHub Flavored Markdown into a tree whose nodes have source positions. */
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

/** Far deeper than users nest quotes and lists; deeper trees are attacks on programs that walk them. */
const maxDepth = 100;

/**
 * Parses Markdown the way GitHub does (CommonMark and GFM; HTML is kept as raw nodes).
 *
 * `undefined` if the text is nested too deeply or contains too many Markdown delimiters.
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
 * Removes the transforms of the GFM extension: they link URLs that the tokenizer missed, in nodes without positions. Such a URL
 * remains text.
 */
function dropTransforms(this: Processor): void {
  const data = this.data();
  const extensions = (data.fromMarkdownExtensions ?? []).flat();
  data.fromMarkdownExtensions = extensions.map(({ transforms: _, ...extension }) => extension);
}

/** The source range of a parsed node. */
export function rangeOf(node: Nodes): SourceRange {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) {
    throw new TypeError(`A Markdown node of type ${node.type} has no position.`);
  }
  return { start, end };
}
