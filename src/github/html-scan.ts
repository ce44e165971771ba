/** What a browser shows of raw HTML inside Markdown: a scanner that carries its state from one piece to the next. */

/** What swallows the text that follows: an open comment, an unfinished tag, or an element whose content is never shown. */
export type HtmlState =
  | { readonly inside: "text" }
  | { readonly inside: "comment" }
  | { readonly inside: "tag" }
  | { readonly inside: "element"; readonly name: string };

/** The state in which text is shown. */
export const shownText: HtmlState = { inside: "text" };

/** A stretch of HTML source that is not shown as text. */
export interface UnseenHtml {
  readonly start: number;
  readonly end: number;
  /** Whether it carries words that a reader of the page does not see; a bare `<b>` does not. */
  readonly hidesText: boolean;
  /** What stands in its place, so that words on both sides stay apart. */
  readonly replacement: string;
}

const neverShown = new Set(
  "script style template noscript noembed noframes iframe object head title textarea svg math xmp plaintext".split(
    " ",
  ),
);
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));

/** Finds what is not shown in a piece of HTML that begins in `state`, and the state it ends in. */
export function scanHtml(source: string, state: HtmlState): { unseen: UnseenHtml[]; state: HtmlState } {
  const unseen: UnseenHtml[] = [];
  let current = state;
  let offset = 0;
  while (offset < source.length) {
    const step = current.inside === "text" ? openNext(source, offset) : closeOpen(source, offset, current);
    if (step.unseen) unseen.push(step.unseen);
    current = step.state;
    offset = step.end;
  }
  return { unseen, state: current };
}

interface Step {
  readonly end: number;
  readonly state: HtmlState;
  readonly unseen?: UnseenHtml;
}

const closings = { comment: /--!?>/g, tag: />/g } as const;

function closeOpen(source: string, start: number, state: Exclude<HtmlState, { inside: "text" }>): Step {
  const closing =
    state.inside === "element"
      ? new RegExp(`</${state.name}(?=[\\s/>])[^>]*>`, "gi")
      : closings[state.inside];
  closing.lastIndex = start;
  const found = closing.exec(source);
  const end = found ? found.index + found[0].length : source.length;
  return { end, state: found ? shownText : state, unseen: hidden(start, end) };
}

/** Next construct in shown text: a comment (also an empty, bogus or unfinished one), a tag, or nothing. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;

function openNext(source: string, from: number): Step {
  construct.lastIndex = from;
  const found = construct.exec(source);
  if (!found) return { end: source.length, state: shownText };
  const start = found.index;
  const opening = found[0];
  const afterOpening = start + opening.length;
  if (opening === "<!--") {
    return { end: afterOpening, state: { inside: "comment" }, unseen: hidden(start, afterOpening) };
  }
  if (opening.startsWith("<!--"))
    return { end: afterOpening, state: shownText, unseen: hidden(start, afterOpening) };
  if (!/[a-z]/i.test(opening)) {
    return { end: afterOpening, state: { inside: "tag" }, unseen: hidden(start, afterOpening) };
  }
  return openTag({ source, start, afterName: afterOpening, opening });
}

/** The rest of a tag after its name: attributes (quotes may hold `>`), then the end. */
const attributes = /(?:[^"'>]|"[^"]*"|'[^']*')*>/y;

interface TagOpening {
  readonly source: string;
  readonly start: number;
  readonly afterName: number;
  readonly opening: string;
}

function openTag({ source, start, afterName, opening }: TagOpening): Step {
  const name = opening.replace(/^<\/?/, "").toLowerCase();
  attributes.lastIndex = afterName;
  const rest = attributes.exec(source)?.[0];
  if (rest === undefined)
    return { end: source.length, state: { inside: "tag" }, unseen: hidden(start, source.length) };
  const end = afterName + rest.length;
  const opens = !opening.startsWith("</") && neverShown.has(name);
  const replacement = separating.has(name) ? " " : "";
  const hidesText = !/^[\s/]*(?:open[\s/]*)?$/.test(rest.slice(0, -1));
  return {
    end,
    state: opens ? { inside: "element", name } : shownText,
    unseen: { start, end, hidesText, replacement },
  };
}

function hidden(start: number, end: number): UnseenHtml {
  return { start, end, hidesText: true, replacement: "" };
}
