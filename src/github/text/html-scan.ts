/** What a reader sees of raw HTML inside Markdown: a scanner that carries its state from one piece to the next. */
import {
  enterElement,
  filtered,
  type HtmlState,
  hiddenForGood,
  hides,
  isHidden,
  leaveElement,
} from "./html-state.ts";
import { endOfTag } from "./html-tag.ts";
import type { Unseen } from "./unseen.ts";

/** Where a tag is taken out, the words beside it must not run together. */
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));

export interface HtmlScan {
  readonly state: HtmlState;
  /** Whether the document closes an element of this name later on. */
  readonly isClosedLater: (name: string) => boolean;
}

/** Finds what is not shown in a piece of HTML, and the state it ends in. */
export function scanHtml(source: string, scan: HtmlScan): { unseen: Unseen[]; state: HtmlState } {
  const unseen: Unseen[] = [];
  let { state } = scan;
  let offset = 0;
  while (offset < source.length) {
    if (state.hiding === hiddenForGood) {
      unseen.push(hidden(offset, source.length));
      break;
    }
    const wasHidden = isHidden(state);
    const step = state.inComment
      ? closeComment(source, offset, state)
      : openNext({ source, from: offset, state, isClosedLater: scan.isClosedLater });
    if (wasHidden) unseen.push(hidden(offset, step.end));
    else if (step.unseen) unseen.push(step.unseen);
    state = step.state;
    offset = step.end;
  }
  return { unseen, state };
}

interface Step {
  readonly end: number;
  readonly state: HtmlState;
  readonly unseen?: Unseen;
}

function closeComment(source: string, start: number, state: HtmlState): Step {
  const closing = /--!?>/g;
  closing.lastIndex = start;
  const found = closing.exec(source);
  return found
    ? { end: closing.lastIndex, state: { ...state, inComment: false } }
    : { end: source.length, state };
}

interface Reading {
  readonly source: string;
  readonly from: number;
  readonly state: HtmlState;
  readonly isClosedLater: (name: string) => boolean;
}

/** Next construct: a comment (also an empty, bogus or unfinished one), a tag, or nothing. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;

function openNext({ source, from, state, isClosedLater }: Reading): Step {
  construct.lastIndex = from;
  const found = construct.exec(source);
  if (!found) return { end: source.length, state };
  const start = found.index;
  const opening = found[0];
  if (isHidden(state) && start > from) return { end: start, state };
  const end = start + opening.length;
  if (opening === "<!--") return { end, state: { ...state, inComment: true }, unseen: hidden(start, end) };
  if (opening.startsWith("<!--")) return { end, state, unseen: hidden(start, end) };
  if (!/[a-z]/i.test(opening)) return skipBogus({ source, start, opening, state });
  return readTag({ source, start, opening, state, isClosedLater });
}

interface Opening {
  readonly source: string;
  readonly start: number;
  readonly opening: string;
  readonly state: HtmlState;
}

/** Declarations, instructions and nameless ends are comments to a browser, up to the first `>`. */
function skipBogus({ source, start, state }: Opening): Step {
  const closing = source.indexOf(">", start);
  const isCharacterData = state.hiding !== undefined && source.startsWith("<![CDATA[", start);
  if (closing < 0 || isCharacterData) return swallowRest(source, start, state);
  return { end: closing + 1, state, unseen: hidden(start, closing + 1) };
}

function swallowRest(source: string, start: number, state: HtmlState): Step {
  return {
    end: source.length,
    state: { ...state, hiding: hiddenForGood },
    unseen: hidden(start, source.length),
  };
}

function readTag({
  source,
  start,
  opening,
  state,
  isClosedLater,
}: Opening & Pick<Reading, "isClosedLater">): Step {
  const name = opening.replace(/^<\/?/, "").toLowerCase();
  const afterName = start + opening.length;
  const end = endOfTag(source, afterName);
  if (end === undefined) return swallowRest(source, start, state);
  const attributes = source.slice(afterName, end - 1);
  const isFiltered = filtered.has(name) && /^(?:\s|\/?$)/.test(attributes);
  if (filtered.has(name) && !isFiltered) return { ...swallowRest(source, start, state), end };
  const isEnd = opening.startsWith("</");
  const next = isEnd
    ? leaveElement(name, state)
    : enterElement({ name, state, hides: hides(name, isClosedLater) });
  const isText = isFiltered && !isHidden(next) && attributes === "";
  if (isText) return { end, state: next };
  const hidesText = !/^[\s/]*(?:open[\s/]*)?$/.test(attributes) || isHidden(next);
  const replacement = separating.has(name) ? " " : "";
  return { end, state: next, unseen: { start, end, hidesText, replacement } };
}

function hidden(start: number, end: number): Unseen {
  return { start, end, hidesText: true, replacement: "" };
}
