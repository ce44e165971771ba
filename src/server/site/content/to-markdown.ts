/** Prints a page's HTML tree as plain Markdown for agents: components become the closest Markdown syntax. */
import type { Element, Nodes as HtmlNode, Root as HtmlRoot, Properties } from "hast";
import { h } from "hastscript";
import type { ListItem, PhrasingContent, RootContent } from "mdast";
import { phrasing } from "mdast-util-phrasing";
import { defaultHandlers, type Handle } from "mdast-util-to-markdown";
import { toString as textOf } from "mdast-util-to-string";
import remarkCjkFriendly from "remark-cjk-friendly/serializeOnly";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { decodePercent } from "../../../base/text.ts";
import { type Words, wordsFor } from "../interface-words.ts";
import type { LinkResolver, MediaKind } from "../links.ts";
import { readOperationName } from "../openapi/api-document.ts";
import { readCode, readTitle } from "./code-blocks.ts";
import { inlineMarkdown } from "./component.ts";
import { groupAdjacent } from "./group-adjacent.ts";
import {
  classNames,
  elementsIn,
  findElement,
  isElement,
  isInline,
  mapByNames,
  skipChildren,
  stringProperty,
  visitElements,
} from "./hast.ts";
import type { TitledPage, TitleTest } from "./page-source.ts";
import { plainLine } from "./parse-page.ts";
import { isHuge } from "./to-html.ts";

/**
 * No markup: an underscore within a word, an ampersand that starts no character reference, and brackets as in `list[str]`, for pages have
 * no link definitions.
 */
const needlessEscape =
  /(?<=[\p{L}\p{N}])\\(?=_[\p{L}\p{N}])|(?<!\\)\\(?=&(?=\p{L})(?!\w+;)|\[(?![!^]|[ x]\])[^[\]\\]{0,99}\](?![:([]))/giu;

/** Prints a link or picture whose address can be copied. */
function withPlainAddress(print: Handle & { readonly peek: Handle }): Handle {
  const printPlain: Handle = (...args) => {
    const printed = print(...args);
    const address = printed.lastIndexOf("](");
    return printed.slice(0, address) + printed.slice(address).replace(needlessEscape, "");
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
      text: ({ value }, _parent, state, info) =>
        plainLine.test(value) ? value : state.safe(value, info).replace(needlessEscape, ""),
      link: withPlainAddress(defaultHandlers.link),
      image: withPlainAddress(defaultHandlers.image),
    },
  })
  .freeze();

/** Prints a page with expanded components, before its links are resolved, under its title. */
export function toMarkdown(
  html: HtmlRoot,
  { title, frontMatter: { description = "", endpoint } }: TitledPage,
  isTitle: TitleTest,
  links: LinkResolver,
  words: Words,
): string {
  const converter = new Converter(links, words);
  const { method, path } = readOperationName(endpoint) ?? {};
  const request = method === undefined ? [] : paragraph([code(`${method} ${path}`)]);
  const lead = converter.inline(inlineMarkdown(description));
  const blocks = converter.blocks(html.children);
  const first = blocks.find((block) => block.type === "heading" && block.depth === 1);
  const own = first?.type === "heading" && isTitle(textOf(first), first === blocks[0]) ? first : undefined;
  const children = [
    own && textOf(own) !== "" ? own : heading(1, [text(title)]),
    ...request,
    ...(lead.length === 0 ? [] : [quote(paragraph(lead))]),
    // Only the title is a heading of the first level.
    ...blocks
      .filter((block) => block !== own)
      .map((block) => (block.type === "heading" ? heading(Math.max(2, block.depth), block.children) : block)),
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

/** A formula in a line. Raw HTML is printed as it is. */
function formula(tex: string): PhrasingContent {
  return { type: "html", value: `$${oneLine(tex)}$` };
}

/** A paragraph; nothing without content. */
function paragraph(children: PhrasingContent[]): RootContent[] {
  return children.length === 0 ? [] : [{ type: "paragraph", children }];
}

/** A paragraph of bold text; nothing without text. */
function strong(children: PhrasingContent[]): RootContent[] {
  const isBlank = textOf({ type: "paragraph", children }).trim() === "";
  return isBlank ? [] : paragraph([{ type: "strong", children }]);
}

function heading(depth: number, children: PhrasingContent[], id?: Properties[string]): RootContent {
  const data = { hProperties: { id } };
  return { type: "heading", depth: Math.min(6, depth), children, data } as RootContent;
}

function quote(children: RootContent[]): RootContent {
  return { type: "blockquote", children } as RootContent;
}

function item(children: RootContent[]): RootContent {
  return { type: "listItem", spread: true, children } as ListItem;
}

/** Emphasized text. Spaces at its ends stay outside of its marks. */
function mark(type: "strong" | "emphasis" | "delete", phrases: PhrasingContent[]): PhrasingContent[] {
  const children = toLine(phrases);
  if (children.length === 0) return phrases;
  const value = textOf({ type: "paragraph", children: phrases });
  return [...(/^\s/.test(value) ? [space] : []), { type, children }, ...(/\s$/.test(value) ? [space] : [])];
}

/** A raised text, such as `^2` or `^(n+1)`: without a sign, `10` and its exponent would be one number. */
function toExponent(phrases: PhrasingContent[]): PhrasingContent[] {
  const children = toLine(phrases);
  const value = textOf({ type: "paragraph", children });
  if (value === "" || children.some(({ type }) => /^(?:link|footnoteReference)$/.test(type))) return phrases;
  const isWord = /^[\p{L}\p{N}]*$/u.test(value);
  return isWord ? [phrase("^"), ...children] : [phrase("^("), ...children, phrase(")")];
}

/** Whether a node is part of a line. Raw HTML is that of formulas. */
function isPhrase(node: RootContent): node is PhrasingContent {
  return phrasing(node) || node.type === "html";
}

/** Puts the content of blocks into a line, separated by spaces. */
function toPhrases(nodes: readonly RootContent[]): PhrasingContent[] {
  return nodes.flatMap((node) => {
    if (isPhrase(node)) return [node];
    if (node.type === "code")
      return [space, node.lang === "math" ? formula(node.value) : code(node.value), space];
    return "children" in node ? [space, ...toPhrases(node.children), space] : [];
  });
}

/** Joins adjacent texts, and removes the spaces at the start and the end of each line. */
function toLine(phrases: readonly PhrasingContent[]): PhrasingContent[] {
  const joined: PhrasingContent[] = [];
  for (const node of phrases) {
    const last = joined.at(-1);
    if (last?.type !== "text" || node.type !== "text") joined.push(node);
    else joined.splice(-1, 1, phrase((last.value + node.value).replace(/\s+/g, " ")));
  }
  const isSpace = (node: PhrasingContent) =>
    node.type === "break" || (node.type === "text" && node.value.trim() === "");
  const start = joined.findIndex((node) => !isSpace(node));
  const end = joined.findLastIndex((node) => !isSpace(node));
  return joined.slice(Math.max(start, 0), end + 1).map((node, index, line) => {
    if (node.type !== "text") return node;
    const [before, after] = [line[index - 1], line[index + 1]];
    const value = !before || before.type === "break" ? node.value.trimStart() : node.value;
    return phrase(!after || after.type === "break" ? value.trimEnd() : value);
  });
}

/** The lines of a code block, of which some were added or removed. Without signs, both would seem to be there. */
function toDiff(code: Element): string {
  const lines = elementsIn(code).filter((node) => namesOf(node).includes("line"));
  const signOf = (names: readonly string[]) =>
    names.includes("line-added") ? "+" : names.includes("line-removed") ? "-" : " ";
  return lines.map((line) => (signOf(namesOf(line)) + textOf(line)).trimEnd()).join("\n");
}

/** An element's CSS classes and its tag name. */
function namesOf(node: HtmlNode): readonly string[] {
  return node.type === "element" ? [...classNames(node), node.tagName] : [];
}

/** Divides nodes into the first element with this tag name or class, and the others. */
function divide(nodes: readonly HtmlNode[], name: string) {
  const found = nodes.find((node) => namesOf(node).includes(name));
  return [found as Element | undefined, nodes.filter((node) => node !== found)] as const;
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

  /** Converts nodes to blocks: adjacent phrases form a paragraph, and adjacent items a list. */
  blocks(nodes: readonly HtmlNode[]): RootContent[] {
    const isItem = (node: RootContent) => node.type === "listItem";
    const blocks = groupAdjacent(this.#convert(nodes), isPhrase, (phrases) => paragraph(toLine(phrases)));
    return groupAdjacent(blocks, isItem, (children) => [{ type: "list", spread: true, children }]);
  }

  /** Converts nodes to a line of text. */
  inline(nodes: readonly HtmlNode[]): PhrasingContent[] {
    return toLine(this.#phrases(nodes));
  }

  /** Headings within a line do not affect the following levels. */
  #phrases(nodes: readonly HtmlNode[]): PhrasingContent[] {
    const level = this.#level;
    const phrases = toPhrases(this.#convert(nodes));
    this.#level = level;
    return phrases;
  }

  #convert(nodes: readonly HtmlNode[]): RootContent[] {
    return nodes.flatMap((node, index) => {
      const before = nodes[index - 1];
      // Only the style sheet separates adjacent links, and adjacent badges.
      const isSeparate = [node, before].every(
        (each) => each && (isElement(each, "a") || namesOf(each).includes("tag")),
      );
      return [...(isSeparate ? [space] : []), ...this.#convertNode(node)];
    });
  }

  #convertNode(node: HtmlNode): RootContent[] {
    if (node.type === "text") return [phrase(node.value.replace(/\s+/g, " "))];
    if (node.type !== "element" || node.properties["dataAudience"] === "humans") return [];
    const name = namesOf(node).find((each) => this.#converters.has(each));
    const convert = this.#converters.get(name ?? "");
    if (convert !== undefined) return convert(node);
    return isInline(node) ? this.#phrases(node.children) : this.blocks(node.children);
  }

  /** How an element is converted, by CSS class or tag name; a key lists several. Of all others, the content is converted. */
  readonly #converters = mapByNames<(node: Element) => RootContent[]>({
    // Controls, marks, and pictures that have a counterpart for light pages.
    "callout-icon card-icon step-icon heading-anchor task-box only-dark button input": () => [],
    callout: (node) => this.#callout(node),
    card: (node) => this.#card(node),
    field: (node) => this.#field(node),
    "step-title code-title callout-title tab-panel-title": ({ children }) => strong(this.inline(children)),
    "code-block": (node) => {
      const [pre = node, rest] = divide(node.children, "pre");
      const code = classNames(node).includes("code-diff")
        ? [{ type: "code" as const, lang: "diff", value: toDiff(pre) }]
        : this.#code(pre, stringProperty(node, "dataLanguage"));
      return [...this.blocks(rest), ...code];
    },
    diagram: (node) => this.#code(findElement(node, "pre") ?? node, "mermaid"),
    formula: ({ tagName, properties }) => {
      const tex = String(properties["dataTex"]);
      return [tagName === "div" ? { type: "code", lang: "math", value: tex } : formula(tex)];
    },
    "tabs-code": ({ children }) =>
      this.blocks(children.flatMap((panel) => ("children" in panel ? panel.children : []))),
    "tab-panel": ({ children }) => this.#section(divide(children, "tab-panel-title")),
    "tooltip-text": ({ children }) => {
      const parts = children.flatMap((child) => [space, ...this.#phrases([child])]);
      return [phrase(" ("), ...toLine(parts), phrase(")")];
    },
    swatch: () => [space],
    "mark-icon svg": (node) => [text(stringProperty(node, "ariaLabel") ?? "")],

    "h1 h2 h3 h4 h5 h6": (node) => this.#heading(node),
    blockquote: ({ children }) => [quote(this.blocks(children))],
    "ul ol": (node) => this.#list(node),
    li: ({ children }) => [item(this.blocks(children))],
    hr: () => [{ type: "thematicBreak" }],
    pre: (node) => this.#code(node),
    table: (node) => this.#table(node),
    details: ({ children, properties }) => this.#section(divide(children, "summary"), properties["id"]),
    "dt dd summary": ({ children }) => paragraph(this.inline(children)),
    figcaption: ({ children }) => paragraph(mark("emphasis", this.inline(children))),
    section: (node) =>
      node.properties["dataFootnotes"] === undefined ? this.blocks(node.children) : this.#footnotes(node),

    "b strong": ({ children }) => mark("strong", this.#phrases(children)),
    "i em": ({ children }) => mark("emphasis", this.#phrases(children)),
    "del s": ({ children }) => mark("delete", this.#phrases(children)),
    "code kbd": (node) => [code(textOf(node))],
    sup: ({ children }) => toExponent(this.#phrases(children)),
    br: () => [{ type: "break" }],
    a: (node) => this.#anchor(node),
    img: (node) => this.#image(stringProperty(node, "src"), stringProperty(node, "alt") ?? ""),
    "video audio iframe": (node) => {
      const title = stringProperty(node, "title") ?? this.#words[node.tagName as MediaKind];
      return this.#link(stringProperty(node, "src"), [text(title)]);
    },
  });

  #heading({ tagName, properties, children }: Element): RootContent[] {
    const line = this.inline(children);
    if (line.length === 0) return [];
    this.#level = Number(tagName[1]);
    return [heading(this.#level, line, properties["id"])];
  }

  #callout(node: Element): RootContent[] {
    const [body] = divide(node.children, "callout-body");
    const [title, content] = divide(body?.children ?? [], "callout-title");
    const label = stringProperty(node, "ariaLabel") ?? "";
    const line = text(title === undefined ? label : `${label}: ${textOf(title)}`);
    return [quote([...strong([line]), ...this.blocks(content)])];
  }

  #card(node: Element): RootContent[] {
    const [title, content] = divide(node.children, "card-title");
    const line = this.inline(title?.children ?? []);
    return [item([...(line[0]?.type === "link" ? paragraph(line) : strong(line)), ...this.blocks(content)])];
  }

  /** A parameter: its name, details in parentheses, and its description. */
  #field(node: Element): RootContent[] {
    const [head, content] = divide(node.children, "field-head");
    const [name, labels] = divide(head?.children ?? [], "field-name");
    const details = labels.map((label) => textOf(label)).join(", ");
    const line = [
      ...(name === undefined ? [] : [code(textOf(name)), space]),
      ...(details === "" ? [] : [phrase(`(${details})`)]),
    ];
    return [item([...paragraph(toLine(line)), ...this.blocks(content)])];
  }

  /** A section one level below its surroundings. Headings within it do not affect the following levels. */
  #section(
    [title, content]: readonly [Element | undefined, readonly HtmlNode[]],
    id?: Properties[string],
  ): RootContent[] {
    const level = this.#level;
    const [note, words] = divide(title?.children ?? [], "summary-note");
    const line = this.inline(words);
    this.#level += 1;
    const head = line.length === 0 ? [] : [heading(this.#level, line, id)];
    const blocks = [...head, ...this.blocks(note === undefined ? [] : [note]), ...this.blocks(content)];
    this.#level = level;
    return blocks;
  }

  #code(pre: Element, language?: string): RootContent[] {
    const { text: value, language: lang = language, meta } = readCode(pre) ?? { text: textOf(pre), meta: "" };
    return [...strong([text(readTitle(meta) ?? "")]), { type: "code", lang: lang ?? null, value }];
  }

  #list({ tagName, properties, children: entries }: Element): RootContent[] {
    const items = entries.filter((child) => isElement(child, "li"));
    const spread = items.some((entry) => entry.children.some((child) => isElement(child, "p")));
    const children = items.map((entry) => {
      const lines = [entry, ...entry.children.filter((child) => isElement(child, "p"))];
      const box = lines.flatMap((line) => line.children).find((child) => namesOf(child).includes("task-box"));
      const checked = box === undefined ? null : namesOf(box).includes("task-done");
      return { type: "listItem", spread, checked, children: this.blocks(entry.children) } as ListItem;
    });
    const start = Number(properties["start"] ?? 1);
    return [{ type: "list", ordered: tagName === "ol", start, spread, children }];
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
    if (isHuge(rows, widest)) return rows.flatMap((cells) => paragraph(this.inline(cells)));
    // Every Markdown table has a header row.
    if (!findElement(table, "thead") && rows[0]?.some(({ tagName }) => tagName === "td"))
      rows.unshift(rows[0].map(() => h("th")));
    const children = rows.map((cells) => ({
      type: "tableRow" as const,
      children: cells.map((cell) => ({ type: "tableCell" as const, children: this.inline(cell.children) })),
    }));
    return children.length === 0 ? [] : [{ type: "table", children }];
  }

  #footnotes(section: Element): RootContent[] {
    const notes = (findElement(section, "ol")?.children ?? []).filter((child) => isElement(child, "li"));
    return notes.map((note) => ({
      type: "footnoteDefinition",
      identifier: footnoteId(stringProperty(note, "id")),
      children: this.blocks(note.children) as [],
    }));
  }

  #anchor({ properties, children }: Element): PhrasingContent[] {
    const href = String(properties["href"] ?? "");
    if (properties["dataFootnoteBackref"] !== undefined) return [];
    if (properties["dataFootnoteRef"] !== undefined)
      return [{ type: "footnoteReference", identifier: footnoteId(href) }];
    // An address that is the text of a link may be a link itself.
    const label = this.inline(children).flatMap((node) => (node.type === "link" ? node.children : [node]));
    return this.#link(href, label);
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

/** Shared by all descriptions: creating one takes longer than printing a description. */
const withoutLinks = new Converter({ resolveLink: () => undefined, resolveMedia: () => undefined });

/** Prints a description, which may contain inline Markdown, without its links. */
export function printInline(description: string): string {
  return printBlocks(paragraph(withoutLinks.inline(inlineMarkdown(description)))).trim();
}
