/** What GitHub does not show of the TeX in a text. */
import type { InlineCode, Nodes, PhrasingContent } from "mdast";
import { rangeOf, type SourceRange } from "./markdown.ts";
import type { Unseen } from "./unseen.ts";

/**
 * Macros that can hide what they are given: invisible boxes, colours, definitions that nobody calls, branches, overlays,
 * labels, notes that show on a click. What a formula with one of them looks like only a TeX engine can say.
 */
const hidingMacro =
  /\\(?:[hv]?phantom|(?:text|page|define)?color(?:box)?|fcolorbox|[egx]?def|let|(?:re)?new(?:command|environment)|providecommand|Declare\w+|mathchoice|mathpalette|(?:math)?[lrc]lap|rule|label|style|class|cssId|href|url|data|mmlToken|(?:text|math)tip|toggle|endtoggle|action|require|bbox|enclose|scalebox|resizebox|tiny|html\w*|includegraphics)(?![a-z])/i;

/** Moves that are long, or go back over what stands there. */
const farMove =
  /\\(?:[hmv]?skip|m?kern|[hmv]space\*?|raise|lower|raisebox|move(?:left|right))\s*\{?\s*(?:-|\+?\d{2,}(?!\s*mu))/i;

/** Colours that stand out on a light and on a dark page. */
const plainColor =
  /\\(?:text)?color\s*\{\s*(?:red|blue|green|orange|purple|magenta|violet|teal|brown)\s*\}/gi;

const comment = /(?<!\\)(?:\\\\)*%.*/g;

/** The stretches of one formula that are not shown. */
export function findUnseenInFormula(source: string, { start, end }: SourceRange): Unseen[] {
  const formula = source.slice(start, end);
  const written = formula.replace(comment, "").replace(plainColor, "");
  if (hidingMacro.test(written) || farMove.test(written)) {
    return [{ start, end, hidesText: true, replacement: "\\text{formula}" }];
  }
  return [...formula.matchAll(comment)].map(({ index, 0: text }) => {
    const percent = start + index + text.indexOf("%");
    return { start: percent, end: start + index + text.length, hidesText: true, replacement: "" };
  });
}

/** Formulas between dollars: as on GitHub, an inline one touches its dollars, and no word touches them from outside. */
const delimited =
  /\$\$(?<display>[^$]+(?:\$[^$]+)*)\$\$|(?<![\w\\$])\$(?<inline>(?![\s$])(?:[^$\\]|\\[\s\S])+)(?<!\s)\$(?!\w)/g;

/** The stretches of the formulas in a paragraph, heading or cell that are not shown. */
export function findUnseenMath(
  source: string,
  block: Extract<Nodes, { children: PhrasingContent[] }>,
): Unseen[] {
  const range = rangeOf(block);
  if (!source.slice(range.start, range.end).includes("$")) return [];
  const codes = block.children.filter((child) => child.type === "inlineCode");
  const text = blankCodes(source, { range, codes });
  const written = [...text.matchAll(delimited)].flatMap(({ index, 0: whole, groups }) => {
    const inside = groups?.["display"] ?? groups?.["inline"] ?? "";
    const start = range.start + index + (whole.length - inside.length) / 2;
    return findUnseenInFormula(source, { start, end: start + inside.length });
  });
  return [...written, ...codes.flatMap((code) => findInCode(source, code))];
}

/** The block's source with code spans blanked: a dollar in code is none. */
function blankCodes(
  source: string,
  { range, codes }: { readonly range: SourceRange; readonly codes: readonly InlineCode[] },
): string {
  let text = "";
  let offset = range.start;
  for (const { start, end } of codes.map(rangeOf)) {
    text += source.slice(offset, start) + "x".repeat(end - start);
    offset = end;
  }
  return text + source.slice(offset, range.end);
}

/** A code span directly between dollars is a formula. */
function findInCode(source: string, code: InlineCode): Unseen[] {
  const { start, end } = rangeOf(code);
  if (source[start - 1] !== "$" || source[end] !== "$") return [];
  const ticks = /^`+/.exec(source.slice(start, end))?.[0].length ?? 1;
  return findUnseenInFormula(source, { start: start + ticks, end: end - ticks });
}
