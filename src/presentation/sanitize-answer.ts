/**
 * An assistant's answer as Markdown that can be shown in a public comment: parsed, reduced to what a comment needs, and
 * printed anew, so that nothing is left to how another parser would have read the original.
 */
import type { RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { cleanAnswer } from "./clean-answer.ts";
import { breakMarkers } from "./escape-markdown.ts";
import type { LinkPolicy } from "./link-policy.ts";
import { shortenBlock } from "./shorten-block.ts";
import { isTangled } from "./tangled-markdown.ts";

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: "-",
    fences: true,
    rule: "-",
    listItemIndent: "one",
    // Between two of them GitHub sets formulas.
    unsafe: [{ character: "$", inConstruct: "phrasing" }],
  })
  .freeze();

/** Longer answers than any model writes would only cost time. */
const maxLength = 100_000;

export interface SanitizedAnswer {
  readonly markdown: string;
  /** Whether blocks were left out at the end, to keep within the limit. */
  readonly isShortened: boolean;
}

/**
 * Makes an answer harmless: raw HTML goes, images become their description, links lead into the documentation or are
 * shown as text, mentions and references are code, fences are closed. Cut to fit `limit` characters.
 */
export function sanitizeAnswer(
  markdown: string,
  { links, limit }: { readonly links: LinkPolicy; readonly limit: number },
): SanitizedAnswer {
  const source = markdown.slice(0, maxLength);
  const blocks = isTangled(source) ? [asCode(source)] : cleanAnswer(parser.parse(source), links);
  const pieces: string[] = [];
  let room = limit;
  for (const block of blocks) {
    const piece = breakMarkers(printer.stringify({ type: "root", children: [block] }).trim());
    if (piece.length > room) {
      const part = shortenBlock(block, { room, print: (root) => breakMarkers(printer.stringify(root)) });
      return { markdown: [...pieces, ...(part === undefined ? [] : [part])].join("\n\n"), isShortened: true };
    }
    if (piece === "") continue;
    pieces.push(piece);
    room -= piece.length + 2;
  }
  return { markdown: pieces.join("\n\n"), isShortened: markdown.length > maxLength };
}

function asCode(value: string): RootContent {
  return { type: "code", lang: "text", value };
}

/** The part of a growing answer that will not change any more: its finished blocks; of the first one, its finished words. */
export function finishedPart(answer: string): string {
  const markdown = answer.slice(0, maxLength);
  if (isTangled(markdown)) return "";
  const { children } = parser.parse(markdown);
  const beforeLast = children.at(-2)?.position?.end.offset;
  if (beforeLast !== undefined) return markdown.slice(0, beforeLast);
  return children[0]?.type === "paragraph" ? markdown.replace(/\s*\S*$/, "") : markdown;
}
