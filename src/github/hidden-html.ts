/** Finds hidden text in raw HTML inside Markdown. The scanner keeps its state from one HTML node to the next. */

/** A range of Markdown source that GitHub does not show as text. */
export interface HiddenRange {
  readonly start: number;
  readonly end: number;
  /** Whether it may contain hidden text; a plain tag such as `<b>` does not. */
  readonly hidesText: boolean;
  /** Replaces the range, for example to keep the words around it apart. */
  readonly replacement: string;
}

/** Elements whose content browsers never show. */
const alwaysHiding = new Set(["rp", "template", "video", "audio"]);
/** GFM's tag filter shows these tags as text. In a spelling that it misses, they hide the rest of the page. */
const filtered = new Set("script style title textarea xmp iframe noembed noframes plaintext".split(" "));
/** GitHub removes these tags and shows their content, which normally is not text: it is removed if the element is closed. */
const maybeHiding = new Set([...filtered, ..."noscript object head svg math canvas".split(" ")]);
/** Inside these and inside a template, browsers ignore the end tag of an element that was opened outside. */
const blockElements = new Set(
  "address applet article aside blockquote body button center details dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main marquee menu nav object ol p pre search section select summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
/** Tags that separate the words around them. */
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));

function alwaysHides(name: string | undefined): boolean {
  return name !== undefined && alwaysHiding.has(name);
}

/** The start of a comment (also an empty, bogus or unclosed one) or of a tag. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;

/** An attribute's name and value, as browsers read them (WHATWG HTML §13.2.5): a quoted `>` does not end the tag if the quote starts a value. */
const attributeName = /[^\s/>][^\s/>=]*(?![^\s/>=])/.source;
const attributeValue = /"[^"]*"|'[^']*'|(?!["'])[^\s>]*(?![^\s>])/.source;
/** A tag after its name. */
const restOfTag = new RegExp(
  String.raw`(?:[\s/]*${attributeName}(?:\s*=\s*(?!\s)(?:${attributeValue})|(?!\s*=)))*[\s/]*>`,
  "y",
);

/** The state in an element that nothing closes. */
const unclosable = "";

/** The end of the scanned part, and the hidden range in it. */
interface Step {
  readonly end: number;
  readonly hidden?: HiddenRange;
}

/** Scans HTML nodes in document order, and tracks whether the text between them is hidden. */
export class HtmlScanner {
  /** A comment may end in a later node. */
  #isInComment = false;
  /** The name of the open element that hides its content. */
  #hiding: string | undefined;
  /** Whether the node is within a line: GFM's tag filter reads only the start of such a node. */
  #isInline = false;

  /** True if the text that follows is hidden. */
  get isHiding(): boolean {
    return this.#isInComment || this.#hiding !== undefined;
  }

  /** Ends a block: browsers may ignore later end tags of hiding elements that are still open. */
  leaveBlock(): void {
    if (alwaysHides(this.#hiding)) this.#hiding = unclosable;
  }

  /**
   * Finds the hidden ranges in an HTML node.
   *
   * @param isClosedLater whether a later HTML node closes an element of this name
   */
  scan(source: string, isClosedLater: (name: string) => boolean, isInline: boolean): HiddenRange[] {
    const hidden: HiddenRange[] = [];
    this.#isInline = isInline;
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
    if (this.#hiding === unclosable) return { end: source.length };
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

  /** Browsers treat declarations, processing instructions and end tags without a name as comments up to the first `>`. */
  #skipBogus(source: string, start: number): Step {
    const end = source.indexOf(">", start) + 1;
    const isCharacterData = this.#hiding !== undefined && source.startsWith("<![CDATA[", start);
    return end === 0 || isCharacterData ? this.#hideRest(source, start) : { end, hidden: hide(start, end) };
  }

  #hideRest(source: string, start: number): Step {
    this.#hiding = unclosable;
    return { end: source.length, hidden: hide(start, source.length) };
  }

  #readTag(source: string, start: number, opening: string, isClosedLater: (name: string) => boolean): Step {
    const name = opening.replace(/^<\/?/, "").toLowerCase();
    const afterName = start + opening.length;
    restOfTag.lastIndex = afterName;
    if (!restOfTag.test(source)) return this.#hideRest(source, start);
    const end = restOfTag.lastIndex;
    const attributes = source.slice(afterName, end - 1);
    const isFiltered =
      filtered.has(name) && !(this.#isInline && start > 0) && /^(?:\s|\/?$)/.test(attributes);
    if (filtered.has(name) && !isFiltered) return this.#hideRest(source, start);
    if (opening.startsWith("</")) this.#hiding = this.#hiding === name ? undefined : this.#hiding;
    else this.#enterElement(name, alwaysHides(name) || (maybeHiding.has(name) && isClosedLater(name)));
    if (isFiltered && !this.isHiding && attributes === "") return { end };
    const hidesText = !/^[\s/]*(?:open[\s/]*)?$/.test(attributes) || this.isHiding;
    return { end, hidden: { start, end, hidesText, replacement: separating.has(name) ? " " : "" } };
  }

  #enterElement(name: string, hides: boolean): void {
    if (this.#hiding === undefined) this.#hiding = hides ? name : undefined;
    else if (alwaysHides(this.#hiding)) {
      if (blockElements.has(name) || alwaysHides(name)) this.#hiding = unclosable;
    }
    // An element that surely hides replaces one that may hide.
    else if (this.#hiding !== unclosable && alwaysHides(name)) this.#hiding = name;
  }
}

function hide(start: number, end: number): HiddenRange {
  return { start, end, hidesText: true, replacement: "" };
}
