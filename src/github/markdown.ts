/** GitHub Flavored Markdown as a tree whose nodes know their place in the source. */
import type { Nodes, Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

/** A half-open range of offsets in a source text. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** Parses Markdown the way GitHub does (CommonMark and GFM; HTML is kept as raw nodes). */
export function parseMarkdown(source: string): Root {
  return unified().use(remarkParse).use(remarkGfm).parse(source);
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
