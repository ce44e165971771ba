/** What GitHub does not show of a code block: words after its language, and what it draws instead of showing. */
import type { Code } from "mdast";
import { rangeOf, type SourceRange } from "./markdown.ts";
import type { Unseen } from "./unseen.ts";
import { findUnseenInDiagram } from "./unseen-diagram.ts";
import { findUnseenInFormula } from "./unseen-math.ts";

const language = /^[\w+#.-]{1,20}$/;
/** Languages that GitHub draws a picture of. */
const pictures: Readonly<Record<string, string>> = {
  geojson: "(map)",
  topojson: "(map)",
  stl: "(3D model)",
};

/** The stretches of a code block that are not shown. */
export function findUnseenInCode(source: string, node: Code): Unseen[] {
  const range = rangeOf(node);
  const name = node.lang?.toLowerCase() ?? "";
  const picture = pictures[name];
  if (picture !== undefined) return [{ ...range, hidesText: true, replacement: picture }];
  const infoLine = findInfo(source, node);
  if (name === "mermaid") return [...infoLine, ...findUnseenInDiagram(source, contentOf(source, range))];
  if (name === "math") return [...infoLine, ...findUnseenInFormula(source, contentOf(source, range))];
  return infoLine;
}

/** Of the line after the fence GitHub shows nothing; its first word, the language, is worth keeping if it is one. */
function findInfo(source: string, node: Code): Unseen[] {
  const isLanguage = node.lang !== null && node.lang !== undefined && language.test(node.lang);
  if (!node.meta && (!node.lang || isLanguage)) return [];
  const { start } = rangeOf(node);
  const firstLine = /^.*/.exec(source.slice(start))?.[0] ?? "";
  const fence = /^[`~]+/.exec(firstLine)?.[0] ?? "";
  const replacement = isLanguage ? (node.lang ?? "") : "";
  return [{ start: start + fence.length, end: start + firstLine.length, hidesText: true, replacement }];
}

/** The lines between the fences, of which the last may be missing. */
function contentOf(source: string, { start, end }: SourceRange): SourceRange {
  const lines = source.slice(start, end).split("\n");
  const first = lines[0] ?? "";
  const last = lines.length > 1 ? (lines.at(-1) ?? "") : "";
  const closing = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(last) ? last.length + 1 : 0;
  const from = Math.min(end, start + first.length + 1);
  return { start: from, end: Math.max(from, end - closing) };
}
