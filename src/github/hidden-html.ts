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

/** A comment (also an empty, bogus or unfinished one), or a tag. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;

/** What an open element is that nothing closes. */
const forGood = { name: undefined, depth: 1 } as const;

/** How far a step has come, and what it found. */
interface Step {
  readonly end: number;
  readonly hidden?: HiddenRange;
}

/** Reads pieces of HTML one after the other, and knows what swallows the text between them. */
export class HtmlScanner {
  /** An open comment ends in a later piece, if at all. */
  #isInComment = false;
  /** An open element that hides its content. */
  #hiding: { readonly name: string | undefined; readonly depth: number } | undefined;

  /** True where text that follows is not shown. */
  get isHiding(): boolean {
    return this.#isInComment || this.#hiding !== undefined;
  }

  /** Behind a block, elements that hide and are still open may be closed where a browser ignores it. */
  leaveBlock(): void {
    if (hidesSurely(this.#hiding?.name)) this.#hiding = forGood;
  }

  /**
   * Finds what is not shown in a piece.
   *
   * @param isClosedLater whether the document closes an element of this name behind the piece.
   */
  scan(source: string, isClosedLater: (name: string) => boolean): HiddenRange[] {
    const hidden: HiddenRange[] = [];
    for (let offset = 0; offset < source.length; ) {
      const wasHiding = this.isHiding;
      const step = this.#next(source, offset, isClosedLater);
      if (wasHiding) hidden.push(hide(offset, step.end));
      else if (step.hidden) hidden.push(step.hidden);
      offset = step.end;
    }
    return hidden;
  }

  #next(source: string, offset: number, isClosedLater: (name: string) => boolean): Step {
    if (this.#hiding === forGood) return { end: source.length };
    if (this.#isInComment) return { end: this.#closeComment(source, offset) };
    construct.lastIndex = offset;
    const found = construct.exec(source);
    if (!found) return { end: source.length };
    const { 0: opening, index: start } = found;
    if (this.isHiding && start > offset) return { end: start };
    if (opening.startsWith("<!--")) {
      this.#isInComment = opening === "<!--";
      const end = start + opening.length;
      return { end, hidden: hide(start, end) };
    }
    if (!/[a-z]/i.test(opening)) return this.#skipBogus(source, start);
    return this.#readTag(source, start, opening, isClosedLater);
  }

  #closeComment(source: string, start: number): number {
    const closing = /--!?>/g;
    closing.lastIndex = start;
    this.#isInComment = !closing.test(source);
    return this.#isInComment ? source.length : closing.lastIndex;
  }

  /** Declarations, instructions and nameless ends are comments to a browser, up to the first `>`. */
  #skipBogus(source: string, start: number): Step {
    const end = source.indexOf(">", start) + 1;
    const isCharacterData = this.#hiding !== undefined && source.startsWith("<![CDATA[", start);
    return end === 0 || isCharacterData
      ? this.#swallowRest(source, start)
      : { end, hidden: hide(start, end) };
  }

  #swallowRest(source: string, start: number): Step {
    this.#hiding = forGood;
    return { end: source.length, hidden: hide(start, source.length) };
  }

  #readTag(source: string, start: number, opening: string, isClosedLater: (name: string) => boolean): Step {
    const name = opening.replace(/^<\/?/, "").toLowerCase();
    const afterName = start + opening.length;
    const end = endOfTag(source, afterName);
    if (end === undefined) return this.#swallowRest(source, start);
    const attributes = source.slice(afterName, end - 1);
    const isFiltered = filtered.has(name) && /^(?:\s|\/?$)/.test(attributes);
    if (filtered.has(name) && !isFiltered) return this.#swallowRest(source, start);
    if (opening.startsWith("</")) this.#leaveElement(name);
    else this.#enterElement(name, hidesSurely(name) || (maybeHiding.has(name) && isClosedLater(name)));
    if (isFiltered && !this.isHiding && attributes === "") return { end };
    const hidesText = !/^[\s/]*(?:open[\s/]*)?$/.test(attributes) || this.isHiding;
    return { end, hidden: { start, end, hidesText, replacement: separating.has(name) ? " " : "" } };
  }

  #enterElement(name: string, hides: boolean): void {
    const open = this.#hiding;
    if (open === undefined) {
      if (hides) this.#hiding = { name, depth: 1 };
    } else if (open.name === name) this.#hiding = { name, depth: open.depth + 1 };
    else if (open.name === undefined || hidesSurely(open.name)) {
      if (blockElements.has(name) || name === "template") this.#hiding = forGood;
    }
    // What only may be hidden must not cover what surely is.
    else if (hidesSurely(name)) this.#hiding = { name, depth: 1 };
  }

  #leaveElement(name: string): void {
    if (this.#hiding?.name !== name) return;
    const depth = this.#hiding.depth - 1;
    this.#hiding = depth === 0 ? undefined : { name, depth };
  }
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
