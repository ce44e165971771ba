/** What a reader sees of raw HTML inside Markdown: a scanner that carries its state from one piece to the next. */
import { endOfTag } from "./html-tag.ts";
import type { Unseen } from "./unseen.ts";

/** What swallows the text that follows. */
export interface HtmlState {
  /** An open comment ends in a later piece, if at all. */
  readonly inComment: boolean;
  /** An open element that hides its content; `undefined` name: nothing brings the text back. */
  readonly hiding: { readonly name: string | undefined; readonly depth: number } | undefined;
  /** How far nested `<sub>`, `<sup>` and `<small>` have shrunk the text. */
  readonly shrunk: number;
  /** Whether ends of elements may be ignored by a browser, so that text may be smaller than the tags say. */
  readonly isTangled: boolean;
}

/** The state in which text is shown. */
export const shownText: HtmlState = { inComment: false, hiding: undefined, shrunk: 0, isTangled: false };

const hiddenForGood = { name: undefined, depth: 1 } as const;

/** Three nested `<sub>` can still be read; text of a third of its size cannot. */
const maxShrunk = 10;

/** True where text that follows is not shown, or cannot be read. */
export function isHidden({ inComment, hiding, shrunk }: HtmlState): boolean {
  return inComment || hiding !== undefined || shrunk > maxShrunk;
}

/** The state behind a block: elements that hide and are still open may now be closed where a browser ignores it. */
export function leaveBlock(state: HtmlState): HtmlState {
  const { hiding, shrunk } = state;
  const isForGood = hiding?.name !== undefined && trulyHiding.has(hiding.name);
  return { ...state, hiding: isForGood ? hiddenForGood : hiding, isTangled: shrunk > 0 };
}

/** Browsers show nothing of their content: a ruby's parentheses, templates, and what stands in for a player. */
const trulyHiding = new Set(["rp", "template", "video", "audio"]);
/** GFM's tag filter shows these as text; in a spelling that it misses they swallow the page. */
const filtered = new Set("script style title textarea xmp iframe noembed noframes plaintext".split(" "));
/** GitHub takes these tags out and shows their content; nobody writes prose there, so it goes if the element is closed. */
const doubtful = new Set([...filtered, ..."noscript object head svg math canvas".split(" ")]);
const shrinking: Readonly<Record<string, number>> = { sub: 3, sup: 3, small: 1 };
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));
/** Inside these a browser ignores the end of an element that was opened outside. */
const special = new Set(
  "address applet article aside blockquote body button center details dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main marquee menu nav object ol p pre search section select summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

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

function hides(name: string, isClosedLater: (name: string) => boolean): boolean {
  return trulyHiding.has(name) || (doubtful.has(name) && isClosedLater(name));
}

function enterElement({
  name,
  state,
  hides,
}: {
  readonly name: string;
  readonly state: HtmlState;
  readonly hides: boolean;
}): HtmlState {
  const shrunk = state.shrunk + (shrinking[name] ?? 0);
  const isTangled = state.isTangled || (shrunk > 0 && special.has(name));
  return { ...state, shrunk, isTangled, hiding: hideInside(name, state.hiding, hides) };
}

function hideInside(name: string, hiding: HtmlState["hiding"], hides: boolean): HtmlState["hiding"] {
  if (hiding?.name === name) return { name, depth: hiding.depth + 1 };
  const isTrulyHidden = hiding !== undefined && (hiding.name === undefined || trulyHiding.has(hiding.name));
  if (isTrulyHidden) return special.has(name) ? hiddenForGood : hiding;
  // What only may be hidden must not cover what is.
  if (hiding === undefined) return hides ? { name, depth: 1 } : undefined;
  return trulyHiding.has(name) ? { name, depth: 1 } : hiding;
}

function leaveElement(name: string, state: HtmlState): HtmlState {
  const { hiding, isTangled } = state;
  const shrunk = isTangled ? state.shrunk : Math.max(0, state.shrunk - (shrinking[name] ?? 0));
  if (hiding === undefined || hiding.name !== name) return { ...state, shrunk };
  const depth = hiding.depth - 1;
  return { ...state, shrunk, hiding: depth === 0 ? undefined : { name, depth } };
}

function hidden(start: number, end: number): Unseen {
  return { start, end, hidesText: true, replacement: "" };
}
