/** What a reader sees of raw HTML inside Markdown: a scanner that carries its state from one piece to the next. */

/** A stretch of Markdown source that GitHub does not show as text. */
export interface HiddenRange {
  readonly start: number;
  readonly end: number;
  /** Whether it carries words that a reader of the page does not see; a bare `<b>` does not. */
  readonly hidesText: boolean;
  /** What stands there instead, so that words on both sides stay apart. */
  readonly replacement: string;
}

/** What swallows the text that follows. */
export interface HtmlState {
  /** An open comment ends in a later piece, if at all. */
  readonly inComment: boolean;
  /** An open element that hides its content; `undefined` name: nothing brings the text back. */
  readonly hiding: { readonly name: string | undefined; readonly depth: number } | undefined;
}

/** The state in which text is shown. */
export const shownText: HtmlState = { inComment: false, hiding: undefined };

const hiddenForGood = { name: undefined, depth: 1 } as const;

/** True where text that follows is not shown. */
export function isHidden({ inComment, hiding }: HtmlState): boolean {
  return inComment || hiding !== undefined;
}

/** The state behind a block: elements that hide and are still open may now be closed where a browser ignores it. */
export function leaveBlock(state: HtmlState): HtmlState {
  return hidesSurely(state.hiding?.name) ? { ...state, hiding: hiddenForGood } : state;
}

/** Browsers show nothing of their content: a ruby's parentheses, templates, and what stands in for a player. */
const surelyHiding = new Set(["rp", "template", "video", "audio"]);
/** GFM's tag filter shows these as text; in a spelling that it misses they swallow the page. */
const filtered = new Set("script style title textarea xmp iframe noembed noframes plaintext".split(" "));
/** GitHub takes these tags out and shows their content; prose does not stand there, so it goes if the element is closed. */
const maybeHiding = new Set([...filtered, ..."noscript object head svg math canvas".split(" ")]);
/** Inside these, as inside a template, a browser ignores the end of an element that was opened outside. */
const blockElements = new Set(
  "address applet article aside blockquote body button center details dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main marquee menu nav object ol p pre search section select summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
/** Where such a tag is taken out, the words beside it must not run together. */
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));

function hidesSurely(name: string | undefined): boolean {
  return name !== undefined && surelyHiding.has(name);
}

/**
 * Finds what is not shown in a piece of HTML, and the state it ends in.
 *
 * @param isClosedLater whether the document closes an element of this name behind the piece.
 */
export function scanHtml(
  source: string,
  initialState: HtmlState,
  isClosedLater: (name: string) => boolean,
): { hidden: HiddenRange[]; state: HtmlState } {
  const hidden: HiddenRange[] = [];
  let state = initialState;
  for (let offset = 0; offset < source.length; ) {
    const step = nextStep(source, offset, state, isClosedLater);
    if (isHidden(state)) hidden.push(hide(offset, step.end));
    else if (step.hidden) hidden.push(step.hidden);
    state = step.state;
    offset = step.end;
  }
  return { hidden, state };
}

interface Step {
  readonly end: number;
  readonly state: HtmlState;
  readonly hidden?: HiddenRange;
}

/** A comment (also an empty, bogus or unfinished one), or a tag. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;

function nextStep(
  source: string,
  offset: number,
  state: HtmlState,
  isClosedLater: (name: string) => boolean,
): Step {
  if (state.hiding === hiddenForGood) return { end: source.length, state };
  if (state.inComment) return closeComment(source, offset, state);
  construct.lastIndex = offset;
  const found = construct.exec(source);
  if (!found) return { end: source.length, state };
  const { 0: opening, index: start } = found;
  if (isHidden(state) && start > offset) return { end: start, state };
  const end = start + opening.length;
  if (opening === "<!--") return { end, state: { ...state, inComment: true }, hidden: hide(start, end) };
  if (opening.startsWith("<!--")) return { end, state, hidden: hide(start, end) };
  if (!/[a-z]/i.test(opening)) return skipBogus(source, start, state);
  return readTag(source, start, opening, state, isClosedLater);
}

function closeComment(source: string, start: number, state: HtmlState): Step {
  const closing = /--!?>/g;
  closing.lastIndex = start;
  return closing.test(source)
    ? { end: closing.lastIndex, state: { ...state, inComment: false } }
    : { end: source.length, state };
}

/** Declarations, instructions and nameless ends are comments to a browser, up to the first `>`. */
function skipBogus(source: string, start: number, state: HtmlState): Step {
  const closing = source.indexOf(">", start);
  const isCharacterData = state.hiding !== undefined && source.startsWith("<![CDATA[", start);
  if (closing < 0 || isCharacterData) return swallowRest(source, start, state);
  return { end: closing + 1, state, hidden: hide(start, closing + 1) };
}

function swallowRest(source: string, start: number, state: HtmlState): Step {
  const end = source.length;
  return { end, state: { ...state, hiding: hiddenForGood }, hidden: hide(start, end) };
}

function readTag(
  source: string,
  start: number,
  opening: string,
  state: HtmlState,
  isClosedLater: (name: string) => boolean,
): Step {
  const name = opening.replace(/^<\/?/, "").toLowerCase();
  const afterName = start + opening.length;
  const end = endOfTag(source, afterName);
  if (end === undefined) return swallowRest(source, start, state);
  const attributes = source.slice(afterName, end - 1);
  const isFiltered = filtered.has(name) && /^(?:\s|\/?$)/.test(attributes);
  if (filtered.has(name) && !isFiltered) return { ...swallowRest(source, start, state), end };
  const next = opening.startsWith("</")
    ? leaveElement(name, state)
    : enterElement(name, state, hidesSurely(name) || (maybeHiding.has(name) && isClosedLater(name)));
  if (isFiltered && !isHidden(next) && attributes === "") return { end, state: next };
  const hidesText = !/^[\s/]*(?:open[\s/]*)?$/.test(attributes) || isHidden(next);
  const replacement = separating.has(name) ? " " : "";
  return { end, state: next, hidden: { start, end, hidesText, replacement } };
}

/** The state behind the beginning of an element. */
function enterElement(name: string, state: HtmlState, hides: boolean): HtmlState {
  const { hiding } = state;
  if (hiding === undefined) return hides ? { ...state, hiding: { name, depth: 1 } } : state;
  if (hiding.name === name) return { ...state, hiding: { name, depth: hiding.depth + 1 } };
  if (hiding.name === undefined || hidesSurely(hiding.name)) {
    const isBarrier = blockElements.has(name) || name === "template";
    return isBarrier ? { ...state, hiding: hiddenForGood } : state;
  }
  // What only may be hidden must not cover what surely is.
  return hidesSurely(name) ? { ...state, hiding: { name, depth: 1 } } : state;
}

/** The state behind the end of an element. */
function leaveElement(name: string, state: HtmlState): HtmlState {
  const { hiding } = state;
  if (hiding?.name !== name) return state;
  const depth = hiding.depth - 1;
  return { ...state, hiding: depth === 0 ? undefined : { name, depth } };
}

function hide(start: number, end: number): HiddenRange {
  return { start, end, hidesText: true, replacement: "" };
}

const tagPieces = {
  gap: /[\s/]*/y,
  name: /[^\s/>][^\s/>=]*/y,
  equals: /\s*=\s*/y,
  value: /"[^"]*"|'[^']*'|(?!["'])[^\s>]*/y,
} as const;

/**
 * Where a tag ends whose name ends at `offset`, behind its `>`; `undefined` if it never does.
 *
 * Attributes are read as browsers read them (WHATWG HTML §13.2.5): a quote holds a `>` only as the beginning of a value.
 */
function endOfTag(source: string, offset: number): number | undefined {
  let position = offset;
  const take = (piece: RegExp): boolean => {
    piece.lastIndex = position;
    const isThere = piece.test(source);
    if (isThere) position = piece.lastIndex;
    return isThere;
  };
  while (position < source.length) {
    take(tagPieces.gap);
    if (source[position] === ">") return position + 1;
    if (!take(tagPieces.name)) return undefined;
    if (take(tagPieces.equals) && !take(tagPieces.value)) return undefined;
  }
  return undefined;
}
