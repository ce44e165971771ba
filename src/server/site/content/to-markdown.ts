/** Prints a page's HTML tree as plain Markdown for agents: components become the closest Markdown syntax. */
import type { Element, Nodes as HtmlNode, Root as HtmlRoot, Properties } from "hast";
import { h } from "hastscript";
import type { List, ListItem, PhrasingContent, RootContent } from "mdast";
import { defaultHandlers, type Handle } from "mdast-util-to-markdown";
import { toString as textOf } from "mdast-util-to-string";
import remarkCjkFriendly from "remark-cjk-friendly/serializeOnly";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { decodePercent } from "../../../base/text.ts";
import { type Words, wordsFor } from "../interface-words.ts";
import type { LinkResolver } from "../links.ts";
import { readOperationName } from "../openapi/api-document.ts";
import { readCode, readTitle } from "./code-blocks.ts";
import { inlineMarkdown } from "./component.ts";
import {
  classNames,
  findElement,
  isElement,
  isInline,
  skipChildren,
  stringProperty,
  visitElements,
} from "./hast.ts";
import type { TitleTest } from "./page-source.ts";
import { isHuge } from "./to-html.ts";

/** The head of a printed page. */
export interface PageHeading {
  readonly title: string;
  readonly description?: string | undefined;
  /** The endpoint that the page describes, such as `GET /users`. */
  readonly endpoint?: string | undefined;
  readonly words: Words;
  readonly isTitle: TitleTest;
}

/** An underscore within a word, and an ampersand that starts no character reference, are no markup. */
const needlessEscape = /(?<=[\p{L}\p{N}])\\(_)(?=[\p{L}\p{N}])|(?<!\\)\\(&)(?=\p{L})(?!\w+;)/gu;

/** Prints a link or picture whose address can be copied. */
function withPlainAddress(print: Handle & { readonly peek: Handle }): Handle {
  const printPlain: Handle = (...args) => {
    const printed = print(...args);
    const address = printed.lastIndexOf("](");
    return printed.slice(0, address) + printed.slice(address).replace(needlessEscape, "$1$2");
  };
  return Object.assign(printPlain, { peek: print.peek });
}

const printer = unified()
  // Before GFM, whose items of task lists it would print without their boxes.
  .use(remarkCjkFriendly)
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: "-",
    fences: true,
    listItemIndent: "one",
    rule: "-",
    handlers: {
      text: ({ value }, _parent, state, info) => state.safe(value, info).replace(needlessEscape, "$1$2"),
      link: withPlainAddress(defaultHandlers.link),
      image: withPlainAddress(defaultHandlers.image),
    },
  })
  .freeze();

/** Prints a page with expanded components, before its links are resolved, under its title. */
export function toMarkdown(
  html: HtmlRoot,
  { title, description = "", endpoint, words, isTitle }: PageHeading,
  links: LinkResolver,
): string {
  const converter = new Converter(links, words);
  const { method, path } = readOperationName(endpoint) ?? {};
  const request = method === undefined ? [] : [paragraph([code(`${method} ${path}`)])];
  const lead = converter.inline(inlineMarkdown(description));
  const blocks = converter.blocks(html.children);
  const first = blocks.findIndex((block) => block.type === "heading" && block.depth === 1);
  if (first >= 0 && isTitle(textOf(blocks[first]), first === 0)) blocks.splice(first, 1);
  const children = [
    heading(1, [text(title)]),
    ...request,
    ...(lead.length === 0 ? [] : [quote([paragraph(lead)])]),
    // Only the title is a heading of the first level.
    ...blocks.map((block) =>
      block.type === "heading" ? heading(Math.max(2, block.depth), block.children) : block,
    ),
  ];
  return printBlocks(children);
}

/** Prints blocks. */
export function printBlocks(children: RootContent[]): string {
  return printer.stringify({ type: "root", children });
}

/** Converts a page with expanded components to Markdown blocks. Its headings and accordions keep their ids in `data.hProperties`. */
export function toBlocks(html: HtmlRoot, links: LinkResolver, words: Words): RootContent[] {
  return new Converter(links, words).blocks(html.children);
}

/** Prints a description, which may contain inline Markdown, without its links. */
export function printInline(description: string): string {
  const converter = new Converter({ resolveLink: () => undefined, resolveMedia: () => undefined });
  const children = converter.inline(inlineMarkdown(description));
  return printBlocks([paragraph(children)]).trim();
}

/** A text without line breaks. */
export function oneLine(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}

function phrase(value: string): PhrasingContent {
  return { type: "text", value };
}

const space = phrase(" ");

function text(value: string): PhrasingContent {
  return phrase(oneLine(value));
}

function code(value: string): PhrasingContent {
  return { type: "inlineCode", value: oneLine(value) };
}

function paragraph(children: PhrasingContent[]): RootContent {
  return { type: "paragraph", children };
}

function heading(depth: number, children: PhrasingContent[], id?: Properties[string]): RootContent {
  return {
    type: "heading",
    depth: Math.min(6, depth),
    children,
    data: { hProperties: { id } },
  } as RootContent;
}

function quote(children: RootContent[]): RootContent {
  return { type: "blockquote", children } as RootContent;
}

function item(children: RootContent[]): RootContent {
  return { type: "listItem", spread: true, children } as ListItem;
}

function strong(children: PhrasingContent[]): RootContent[] {
  const isBlank = textOf({ type: "paragraph", children }).trim() === "";
  return isBlank ? [] : [paragraph([{ type: "strong", children }])];
}

function trim(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const isSpace = (node: PhrasingContent) =>
    node.type === "break" || (node.type === "text" && node.value.trim() === "");
  const start = nodes.findIndex((node) => !isSpace(node));
  const end = nodes.findLastIndex((node) => !isSpace(node));
  return nodes.slice(Math.max(start, 0), end + 1).map((node, index, line) => {
    if (node.type !== "text") return node;
    // A line must not start or end with a space.
    const [before, after] = [line[index - 1], line[index + 1]];
    const value = !before || before.type === "break" ? node.value.trimStart() : node.value;
    return phrase(!after || after.type === "break" ? value.trimEnd() : value);
  });
}

const marks = new Map<string, "strong" | "emphasis" | "delete">([
  ["b", "strong"],
  ["strong", "strong"],
  ["i", "emphasis"],
  ["em", "emphasis"],
  ["figcaption", "emphasis"],
  ["del", "delete"],
  ["s", "delete"],
]);
/** Controls, marks, and pictures that have a counterpart for light pages. */
const omittedClass =
  /^(?:callout-icon|card-icon|step-icon|heading-anchor|tab-list|task-box|code-expand|only-dark)$/;

/** Emphasized text. Spaces at its ends stay outside of its marks. */
function mark(type: "strong" | "emphasis" | "delete", children: PhrasingContent[]): PhrasingContent[] {
  const content = trim(children);
  if (content.length === 0) return children;
  const value = textOf({ type: "paragraph", children });
  return [
    ...(/^\s/.test(value) ? [space] : []),
    { type, children: content },
    ...(/\s$/.test(value) ? [space] : []),
  ];
}

function hasClass(node: HtmlNode, name: RegExp): boolean {
  return node.type === "element" && classNames(node).some((other) => name.test(other));
}

/** Divides an element's children into the first with this tag name or class, and the others. */
function divide(children: readonly HtmlNode[], name: RegExp) {
  const found = children.find(
    (child) => hasClass(child, name) || (child.type === "element" && name.test(child.tagName)),
  );
  return [found as Element | undefined, children.filter((child) => child !== found)] as const;
}

class Converter {
  readonly #links: LinkResolver;
  readonly #words: Words;
  /** Level of the last heading. */
  #level = 1;

  constructor(links: LinkResolver, words = wordsFor("")) {
    this.#links = links;
    this.#words = words;
  }

  /** Converts nodes to blocks: adjacent inline nodes form a paragraph, and adjacent items a list. */
  blocks(nodes: readonly HtmlNode[]): RootContent[] {
    const blocks: RootContent[] = [];
    let line: HtmlNode[] = [];
    let items: List | undefined;
    const add = (block: RootContent) => {
      if (block.type !== "listItem") items = undefined;
      else if (items === undefined) items = { type: "list", spread: true, children: [block] };
      else {
        items.children.push(block);
        return;
      }
      blocks.push(items ?? block);
    };
    const endLine = () => {
      const children = this.inline(line);
      if (children.length > 0) add(paragraph(children));
      line = [];
    };
    for (const node of nodes) {
      if (isInline(node)) line.push(node);
      else {
        endLine();
        if (node.type === "element") for (const block of this.#block(node)) add(block);
      }
    }
    endLine();
    return blocks;
  }

  /** Converts nodes to a line of text. */
  inline(nodes: readonly HtmlNode[]): PhrasingContent[] {
    const line: PhrasingContent[] = [];
    for (const node of this.#phrases(nodes)) {
      const last = line.at(-1);
      if (last?.type !== "text" || node.type !== "text") line.push(node);
      else line.splice(-1, 1, phrase((last.value + node.value).replace(/\s+/g, " ")));
    }
    return trim(line);
  }

  #block(node: Element): RootContent[] {
    const { children } = node;
    if (hasClass(node, omittedClass) || node.properties["dataAudience"] === "humans") return [];
    if (hasClass(node, /^callout$/)) return [this.#callout(node)];
    if (hasClass(node, /^card$/)) return [this.#card(node)];
    if (hasClass(node, /^field$/)) return [this.#field(node)];
    if (hasClass(node, /^(?:step|code|callout)-title$/)) return strong(this.inline(children));
    if (hasClass(node, /^formula$/))
      return [{ type: "code", lang: "math", value: stringProperty(node, "dataTex") ?? "" }];
    if (hasClass(node, /^diagram$/)) return this.#code(findElement(node, "pre") ?? node, "mermaid");
    if (hasClass(node, /^code-block$/)) {
      const [pre, rest] = divide(children, /^pre$/);
      return [...this.blocks(rest), ...this.#code(pre ?? node, stringProperty(node, "dataLanguage"))];
    }
    if (hasClass(node, /^tabs-code$/)) return children.flatMap((panel) => this.#codePanel(panel));
    if (hasClass(node, /^tab-panel$/)) return this.#section(divide(children, /^tab-panel-title$/));
    return this.#element(node);
  }

  #element(node: Element): RootContent[] {
    const { tagName, children } = node;
    if (/^h[1-6]$/.test(tagName)) return [this.#heading(node)];
    switch (tagName) {
      case "pre":
        return this.#code(node);
      case "blockquote":
        return [quote(this.blocks(children))];
      case "ul":
      case "ol":
        return [this.#list(node)];
      case "li":
        return [item(this.blocks(children))];
      case "hr":
        return [{ type: "thematicBreak" }];
      case "table":
        return this.#table(node);
      case "details":
        return this.#section(divide(children, /^summary$/), node.properties["id"]);
      case "figcaption":
      case "dt":
      case "dd":
      case "summary":
        return this.blocks([{ ...node, tagName: tagName === "figcaption" ? "em" : "span" }]);
      default:
        return node.properties["dataFootnotes"] === undefined ? this.blocks(children) : this.#footnotes(node);
    }
  }

  #heading({ tagName, properties, children }: Element): RootContent {
    this.#level = Number(tagName[1]);
    return heading(this.#level, this.inline(children), properties["id"]);
  }

  #callout(node: Element): RootContent {
    const [body] = divide(node.children, /^callout-body$/);
    const [title, content] = divide(body?.children ?? [], /^callout-title$/);
    const label = stringProperty(node, "ariaLabel") ?? "";
    return quote([
      ...strong([text(title === undefined ? label : `${label}: ${textOf(title)}`)]),
      ...this.blocks(content),
    ]);
  }

  #card(node: Element): RootContent {
    const [title, content] = divide(node.children, /^card-title$/);
    const children = this.inline(title?.children ?? []);
    const isLink = children[0]?.type === "link";
    return item([...(isLink ? [paragraph(children)] : strong(children)), ...this.blocks(content)]);
  }

  /** A parameter: its name, details in parentheses, and its description. */
  #field(node: Element): RootContent {
    const [head, content] = divide(node.children, /^field-head$/);
    const [name, labels] = divide(head?.children ?? [], /^field-name$/);
    const details = labels.map((label) => textOf(label)).join(", ");
    const suffix = details === "" ? [] : [phrase(` (${details})`)];
    return item([
      paragraph([code(name === undefined ? "" : textOf(name)), ...suffix]),
      ...this.blocks(content),
    ]);
  }

  /** A section one level below its surroundings. Headings within it do not affect the following levels. */
  #section(
    [title, content]: readonly [Element | undefined, readonly HtmlNode[]],
    id?: Properties[string],
  ): RootContent[] {
    const level = this.#level;
    const [note, words] = divide(title?.children ?? [], /^summary-note$/);
    const children = this.inline(words);
    this.#level += 1;
    const head = children.length === 0 ? [] : [heading(this.#level, children, id)];
    const blocks = [...head, ...this.blocks(note === undefined ? [] : [note]), ...this.blocks(content)];
    this.#level = level;
    return blocks;
  }

  #codePanel(panel: HtmlNode): RootContent[] {
    if (panel.type !== "element" || !hasClass(panel, /^tab-panel$/)) return [];
    const [title, content] = divide(panel.children, /^tab-panel-title$/);
    return [...strong(this.inline(title?.children ?? [])), ...this.blocks(content)];
  }

  #code(pre: Element, language?: string): RootContent[] {
    const { text: value, language: lang = language, meta } = readCode(pre) ?? { text: textOf(pre), meta: "" };
    return [...strong([text(readTitle(meta) ?? "")]), { type: "code", lang: lang ?? null, value }];
  }

  #list({ tagName, properties, children }: Element): RootContent {
    const entries = children.filter((child) => isElement(child, "li"));
    const spread = entries.some((entry) => entry.children.some((child) => isElement(child, "p")));
    const items = entries.map((entry) => {
      const lines = [entry, ...entry.children.filter((child) => isElement(child, "p"))];
      const box = lines.flatMap((line) => line.children).find((child) => hasClass(child, /^task-box$/));
      const checked = box === undefined ? null : hasClass(box, /^task-done$/);
      return { type: "listItem", spread, checked, children: this.blocks(entry.children) } as ListItem;
    });
    const start = Number(properties["start"] ?? 1);
    return { type: "list", ordered: tagName === "ol", start, spread, children: items };
  }

  #table(table: Element): RootContent[] {
    const rows: Element[][] = [];
    visitElements(table, (node) => {
      if (node.tagName !== "tr") return undefined;
      rows.push(node.children.filter((child) => isElement(child, "th", "td")));
      return skipChildren;
    });
    const widest = rows.reduce((most, cells) => (cells.length > most.length ? cells : most), []);
    // Its rows would be padded to the same number of cells.
    if (isHuge(rows, widest)) return rows.map((cells) => paragraph(this.inline(cells)));
    // Every Markdown table has a header row.
    if (rows[0]?.some(({ tagName }) => tagName === "td")) rows.unshift(rows[0].map(() => h("th")));
    const children = rows.map((cells) => ({
      type: "tableRow" as const,
      children: cells.map((cell) => ({ type: "tableCell" as const, children: this.inline(cell.children) })),
    }));
    return children.length === 0 ? [] : [{ type: "table", children }];
  }

  #footnotes(section: Element): RootContent[] {
    const list = findElement(section, "ol")?.children ?? [];
    return list
      .filter((child) => isElement(child, "li"))
      .map((note) => ({
        type: "footnoteDefinition",
        identifier: footnoteId(stringProperty(note, "id")),
        children: this.blocks(note.children) as [],
      }));
  }

  #phrases(nodes: readonly HtmlNode[]): PhrasingContent[] {
    return nodes.flatMap((node, index) => {
      const before = nodes[index - 1];
      // Only the style sheet separates adjacent links, and adjacent badges.
      const isSeparate = [node, before].every(
        (each) => each && (isElement(each, "a") || hasClass(each, /^tag$/)),
      );
      return [...(isSeparate ? [space] : []), ...this.#phrase(node)];
    });
  }

  #phrase(node: HtmlNode): PhrasingContent[] {
    if (node.type === "text") return [phrase(node.value.replace(/\s+/g, " "))];
    if (node.type !== "element" || hasClass(node, omittedClass)) return [];
    const { tagName, properties, children } = node;
    const source = stringProperty(node, "src");
    if (properties["role"] === "img") return [text(stringProperty(node, "ariaLabel") ?? "")];
    // Raw HTML is printed as it is.
    if (properties["dataTex"] !== undefined)
      return [{ type: "html", value: `$${oneLine(String(properties["dataTex"]))}$` }];
    const markType = marks.get(tagName);
    if (markType !== undefined) return mark(markType, this.#phrases(children));
    switch (tagName) {
      case "svg":
      case "input":
        return [];
      case "br":
        return [{ type: "break" }];
      case "code":
      case "kbd":
        return [code(textOf(node))];
      case "pre":
        return [space, code(textOf(node)), space];
      case "img":
        return this.#image(source, stringProperty(node, "alt") ?? "");
      case "video":
      case "audio":
      case "iframe":
        return this.#link(source, [text(stringProperty(node, "title") ?? this.#words[tagName])]);
      case "a":
        return this.#anchor(node);
    }
    if (hasClass(node, /^tooltip-text$/)) {
      const parts = children.flatMap((child) => [space, ...this.#phrases([child])]);
      return [phrase(" ("), ...trim(parts), phrase(")")];
    }
    const phrases = this.#phrases(children);
    return isInline(node) ? phrases : [space, ...phrases, space];
  }

  #anchor({ properties, children }: Element): PhrasingContent[] {
    const href = String(properties["href"] ?? "");
    if (properties["dataFootnoteBackref"] !== undefined) return [];
    if (properties["dataFootnoteRef"] === undefined) {
      // An address that is the text of a link may be a link itself.
      const label = this.inline(children).flatMap((node) => (node.type === "link" ? node.children : [node]));
      return this.#link(href, label);
    }
    return [{ type: "footnoteReference", identifier: footnoteId(href) }];
  }

  #link(href: string | undefined, label: PhrasingContent[]): PhrasingContent[] {
    const url = href ? this.#links.resolveLink(href, undefined) : undefined;
    // A link without text is an icon, for example in a heading.
    if (url === undefined || label.length === 0) return label;
    return [{ type: "link", url, children: label } as PhrasingContent];
  }

  /** An image, or its description if it has no address. An empty address leaves it out. */
  #image(source: string | undefined, alt: string): PhrasingContent[] {
    const url = source === undefined ? undefined : this.#links.resolveMedia(source, undefined);
    if (url === "") return [];
    return url === undefined || url.startsWith("data:")
      ? [text(alt)]
      : [{ type: "image", url, alt: oneLine(alt) }];
  }
}

/** The identifier of a footnote from its id or its link. */
function footnoteId(id = ""): string {
  return decodePercent(id.replace(/^#?fn-/, ""));
}
