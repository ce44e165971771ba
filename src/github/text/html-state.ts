/** What raw HTML inside Markdown does to the text behind it: hides it, shrinks it, or neither. */

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

/** What nothing brings back. */
export const hiddenForGood = { name: undefined, depth: 1 } as const;

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
export const filtered = new Set(
  "script style title textarea xmp iframe noembed noframes plaintext".split(" "),
);
/** GitHub takes these tags out and shows their content; nobody writes prose there, so it goes if the element is closed. */
const doubtful = new Set([...filtered, ..."noscript object head svg math canvas".split(" ")]);
const shrinking: Readonly<Record<string, number>> = { sub: 3, sup: 3, small: 1 };
/** Inside these a browser ignores the end of an element that was opened outside. */
const special = new Set(
  "address applet article aside blockquote body button center details dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main marquee menu nav object ol p pre search section select summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** Whether the content of an element is not shown, or not worth showing. */
export function hides(name: string, isClosedLater: (name: string) => boolean): boolean {
  return trulyHiding.has(name) || (doubtful.has(name) && isClosedLater(name));
}

/** The state behind the beginning of an element. */
export function enterElement({
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

/** The state behind the end of an element. */
export function leaveElement(name: string, state: HtmlState): HtmlState {
  const { hiding, isTangled } = state;
  const shrunk = isTangled ? state.shrunk : Math.max(0, state.shrunk - (shrinking[name] ?? 0));
  if (hiding === undefined || hiding.name !== name) return { ...state, shrunk };
  const depth = hiding.depth - 1;
  return { ...state, shrunk, hiding: depth === 0 ? undefined : { name, depth } };
}
