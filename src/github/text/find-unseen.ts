import type {
  Definition,
  FootnoteDefinition,
  FootnoteReference,
  Link,
  LinkReference,
  Nodes,
  PhrasingContent,
  Root,
  Table,
} from "mdast";
import { scanHtml } from "./html-scan.ts";
import { type HtmlState, isHidden, leaveBlock, shownText } from "./html-state.ts";
import { keepUrl } from "./keep-url.ts";
import { LookalikeSearch } from "./lookalike-search.ts";
import { rangeOf } from "./markdown.ts";
import { type References, readReferences } from "./references.ts";
import { orderUnseen, type Unseen } from "./unseen.ts";
import { findUnseenInCode } from "./unseen-code.ts";
import { findUnseenMath } from "./unseen-math.ts";

/** Finds, in document order and without overlaps, the stretches of `source` that GitHub does not show. */
export function findUnseen(source: string, tree: Root): Unseen[] {
  const search = new UnseenSearch(source, tree);
  search.walk(tree);
  return orderUnseen(search.found);
}

/**
 * One walk over a document. Raw HTML changes what is shown of everything after it (an open comment swallows the rest
 * of the page), so the walk carries the scanner's state from node to node.
 */
class UnseenSearch {
  readonly found: Unseen[] = [];
  readonly #source: string;
  readonly #references: References;
  #html: HtmlState = shownText;
  #isInBlock = false;
  readonly #lookalikes: LookalikeSearch;

  constructor(source: string, tree: Root) {
    this.#source = source;
    this.#references = readReferences(source, tree);
    this.#lookalikes = new LookalikeSearch(source);
  }

  walk(node: Nodes): void {
    if (node.type === "html") this.#walkHtml(node);
    else if (this.#isSwallowed(node)) this.#cut({ node, hidesText: true });
    else this.#walkRendered(node);
  }

  #walkRendered(node: Nodes): void {
    switch (node.type) {
      case "text":
        this.found.push(...this.#lookalikes.find(rangeOf(node)));
        break;
      case "code":
        this.found.push(...findUnseenInCode(this.#source, node));
        break;
      case "definition":
        this.#cut({ node, hidesText: this.#hidesText(node) });
        break;
      case "footnoteReference":
        this.#renameFootnote(node);
        break;
      case "footnoteDefinition":
        this.#walkFootnote(node);
        break;
      case "image":
      case "imageReference":
        this.#cut({
          node,
          hidesText: Boolean(node.alt || ("title" in node && node.title)),
          replacement: "(image)",
        });
        break;
      case "link":
      case "linkReference":
        this.#walkLink(node);
        break;
      case "table":
        this.#walkTable(node);
        break;
      default:
        this.#walkContainer(node);
    }
  }

  #walkContainer(node: Nodes): void {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
      this.#walkBlock(node);
    } else if ("children" in node) this.#walkChildren(node.children);
  }

  #walkBlock(block: Extract<Nodes, { children: PhrasingContent[] }>): void {
    this.#lookalikes.enterBlock();
    this.#isInBlock = true;
    if (!isHidden(this.#html)) this.found.push(...findUnseenMath(this.#source, block));
    this.#walkChildren(block.children);
    this.#isInBlock = false;
    this.#html = leaveBlock(this.#html);
  }

  #walkChildren(children: readonly Nodes[]): void {
    for (const child of children) this.walk(child);
  }

  #isSwallowed(node: Nodes): boolean {
    const isLeaf = !("children" in node);
    if (isLeaf && isHidden(this.#html)) return true;
    return isLeaf && this.#lookalikes.isInside && node.type !== "text";
  }

  /** Whether a definition carries more than the address of a link. */
  #hidesText(node: Definition): boolean {
    return Boolean(node.title) || keepUrl(node.url) === undefined || !this.#references.isLinkedTo(node);
  }

  #cut({
    node,
    hidesText,
    replacement = "",
  }: {
    node: Nodes;
    hidesText: boolean;
    replacement?: string;
  }): void {
    this.found.push({ ...rangeOf(node), hidesText, replacement });
  }

  #walkHtml(node: Nodes): void {
    const { start, end } = rangeOf(node);
    const isClosedLater = (name: string) => this.#references.isClosedAfter(start, name);
    const scanned = scanHtml(this.#source.slice(start, end), { state: this.#html, isClosedLater });
    this.#html = this.#isInBlock ? scanned.state : leaveBlock(scanned.state);
    for (const part of scanned.unseen) {
      this.found.push({ ...part, start: start + part.start, end: start + part.end });
    }
  }

  #walkFootnote(node: FootnoteDefinition): void {
    if (!this.#references.isFootnoteShown(node)) {
      this.#cut({ node, hidesText: true });
      return;
    }
    this.#renameFootnote(node);
    this.#walkChildren(node.children);
  }

  /** A footnote's label shows as a number; a longer one is replaced by one. */
  #renameFootnote(node: FootnoteDefinition | FootnoteReference): void {
    const label = node.label ?? node.identifier;
    const replacement = this.#references.shortFootnote(node.identifier);
    if (replacement === undefined) return;
    const { start } = rangeOf(node);
    const from = this.#source.indexOf(label, start);
    this.found.push({ start: from, end: from + label.length, hidesText: true, replacement });
  }

  #walkLink(node: Link | LinkReference): void {
    const last = node.children.at(-1);
    const isAddress = this.#source[rangeOf(node).start] !== "[";
    if (isHidden(this.#html)) this.#walkHiddenLink(node, isAddress ? undefined : last);
    else if (last === undefined) this.#cut({ node, hidesText: true });
    else if (!isAddress) this.#walkShownLink(node, last);
  }

  /** Tags in the text of a link may end what hides it. */
  #walkHiddenLink(node: Link | LinkReference, last: PhrasingContent | undefined): void {
    if (last === undefined) {
      this.#cut({ node, hidesText: true });
      return;
    }
    const { start, end } = rangeOf(node);
    this.found.push({ start, end: start + 1, hidesText: true, replacement: "" });
    this.#walkChildren(node.children);
    this.found.push({ start: rangeOf(last).end, end, hidesText: true, replacement: "" });
  }

  #walkShownLink(node: Link | LinkReference, last: PhrasingContent): void {
    const { start, end } = rangeOf(node);
    const target = node.type === "link" ? node : this.#references.definition(node.identifier);
    const url = target ? keepUrl(target.url) : undefined;
    const tail = url === undefined ? "" : `](${url})`;
    const textEnd = rangeOf(last).end;
    const isPlain = this.#source.slice(textEnd, end) === tail;
    if (url === undefined) this.found.push({ start, end: start + 1, hidesText: false, replacement: "" });
    this.#walkChildren(node.children);
    const hidesText =
      node.type === "link"
        ? Boolean(node.title) || url === undefined
        : node.referenceType === "full" && /\s/.test(node.label ?? "");
    if (!isPlain) this.found.push({ start: textEnd, end, hidesText, replacement: tail });
  }

  /** Cells beyond the width of the header row are not rendered. */
  #walkTable(table: Table): void {
    const width = table.children[0]?.children.length ?? 0;
    for (const row of table.children) {
      this.#walkChildren(row.children.slice(0, width));
      for (const cell of row.children.slice(width)) this.#cut({ node: cell, hidesText: true });
    }
  }
}
