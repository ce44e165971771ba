/** Last touches on a page's tree: what Markdown's plain HTML lacks to be read, scrolled, listened to and linked to. */
import type { Element, ElementContent, Nodes, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import type { IndexedSection } from "../client/index-format.ts";
import type { Words } from "../interface-words.ts";
import { classNames, isElement, stringProperty, visitElements } from "./hast.ts";
import { createSectionIds, fieldSlug, plainSlug, type SlugStyle } from "./heading-slugs.ts";

const blockTags = "div ul ol figure table details section pre p blockquote video".split(" ");

/** Polishes the tree of a page whose components are expanded. */
export function polishTree(tree: Root, words: Words): void {
  visitElements(tree, (node, index, parent) => {
    unwrapParagraph(node);
    if (readTogether.has(node.tagName)) silencePictures(node);
    polishElement(node, words);
    if (node.tagName !== "table") return;
    // Wide tables scroll by themselves, also by keyboard, and not the page.
    const scroll = { role: "group", ariaLabel: words.table, tabIndex: 0 };
    parent.children[index] = h("div.table-scroll", scroll, [node]);
  });
}

/** What holds text and no paragraphs; MDX makes one of a text on lines of its own. */
const textTag = /^(?:a|p|h[1-6]|span|strong|em|b|i|small|summary)$/;

function unwrapParagraph(node: Element): void {
  if (!textTag.test(node.tagName)) return;
  const [only, other] = node.children.filter((child) => isElement(child, "p"));
  const isLine = (child: ElementContent) =>
    child === only || child.type !== "element" || isElement(child, "svg", "img", "span", "code");
  if (only?.type !== "element" || other !== undefined || !node.children.every(isLine)) return;
  node.children = node.children.flatMap((child) => (child === only ? only.children : [child]));
}

/** Around a picture, these are read out with its description. */
const readTogether = new Set("p li td th a figure".split(" "));

/** A picture whose description is the text beside it would be said twice. */
function silencePictures(node: Element): void {
  // Most hold no picture: their text is not needed.
  let text: string | undefined;
  visitElements({ type: "root", children: node.children }, ({ tagName, properties }) => {
    const alt = tagName === "img" && properties["alt"];
    if (typeof alt !== "string" || alt === "") return;
    text ??= textOf(node).trim().toLowerCase();
    if (text !== "" && alt.trim().toLowerCase() === text) properties["alt"] = "";
  });
}

function polishElement(node: Element, words: Words): void {
  const { tagName, properties, children } = node;
  if (tagName === "p" && children.some((child) => isElement(child, ...blockTags))) {
    // A component may put a block into a paragraph, where HTML allows none.
    node.tagName = "div";
    properties["className"] = ["paragraph"];
  } else if (tagName === "th" && children.length === 0) {
    // An empty header says nothing, and neither does a head of such cells.
    node.tagName = "td";
  } else if (tagName === "td") {
    visitElements({ type: "root", children }, keepTogether);
  } else if (tagName === "table") {
    node.children = children.filter((child) => !isElement(child, "thead") || textOf(child).trim() !== "");
  } else if (tagName === "input") {
    const isDone = properties["checked"] === true || properties["checked"] === "";
    const box = isDone ? "span.task-box.task-done" : "span.task-box";
    Object.assign(node, h(box, { role: "img", ariaLabel: isDone ? words.done : words.toDo }));
  } else if (tagName === "details" && !classNames(node).includes("disclosure")) {
    // Written as HTML, it looks like an accordion.
    const summary = children.find((child) => isElement(child, "summary")) ?? h("summary", [words.details]);
    const body = children.filter((child) => child !== summary);
    properties["className"] = ["disclosure"];
    node.children = [summary, h("div.disclosure-body", body)];
  }
}

/** Names and values in a table: rather than to break them, it becomes wider. */
const shortCode = /^\S{1,24}$/;

function keepTogether(node: Element): void {
  if (node.tagName === "code" && shortCode.test(textOf(node))) node.properties["className"] = ["unbroken"];
}

/** A heading of a page, for its table of contents and for search. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
  /** Left out of the table of contents. */
  readonly isUnlisted?: boolean;
}

/** A link to a section of the same page, as readable as an address may be. */
export function hashOf(id: string): string {
  return `#${id.replaceAll("%", "%25")}`;
}

/** Takes a first-level heading that the page starts with off the tree, if it is the page's title. */
export function takeLeadingTitle(
  tree: Root,
  isTitle: (heading: string) => boolean,
): ElementContent[] | undefined {
  const index = tree.children.findIndex((child) => child.type === "element");
  const first = tree.children[index];
  if (first?.type !== "element" || first.tagName !== "h1" || !isTitle(textOf(first).trim())) return undefined;
  tree.children.splice(index, 1);
  return first.children;
}

/**
 * Gives every heading an identifier, and a link to itself; fields, and steps, tabs and accordions with a title, an identifier
 * of their own. No two elements keep the same one. The page's own title is the only first-level heading, and no level is
 * skipped on the way down: that reads as a section that is missing.
 *
 * @param title The heading in the tree that is the page's title, if one is.
 * @returns The headings, and every identifier of the page.
 */
export function outlinePage(
  tree: Root,
  style: SlugStyle,
  words: Words,
  title: Element | undefined,
): { readonly headings: Heading[]; readonly ids: ReadonlySet<string> } {
  const elements: Element[] = [];
  visitElements(tree, (node) => void elements.push(node));
  const [titles = [], others = []] = [true, false].map((isTitle) =>
    elements.filter(({ tagName }) => /^h[1-6]$/.test(tagName) === isTitle),
  );
  const ids = new Set<string>();
  keepWrittenIds(titles, ids);
  const createIds = createSectionIds(style, ids);
  const aliases: (readonly [Element, string])[] = [];
  const headings: Heading[] = [];
  let depth = 1;
  for (const node of titles) {
    const text = headingText(node);
    if (text === "") {
      // Without words it is no heading, to a reader or to assistive technology.
      node.tagName = "div";
      continue;
    }
    depth = node === title ? 1 : Math.min(Math.max(Number(node.tagName[1]), 2), depth + 1);
    node.tagName = `h${depth}`;
    const written = stringProperty(node, "id");
    const made = written === undefined ? createIds(text) : { id: written, aliases: [] };
    const whole = textOf(node).trim();
    const { id } = made;
    node.properties["id"] = id;
    // Footnotes' own heading keeps the identifier that their links point to, and is no section.
    if (id === "footnote-label") continue;
    if (whole !== text) made.aliases.push(plainSlug(whole));
    aliases.push(...made.aliases.map((alias) => [node, alias] as const));
    const isUnlisted = node.properties["dataUnlisted"] !== undefined;
    delete node.properties["dataUnlisted"];
    headings.push({ id, text, depth, ...(isUnlisted && { isUnlisted }) });
    const label = words.sectionLink.replace("{}", () => text);
    node.children.push(h("a.heading-anchor", { href: hashOf(id), ariaLabel: label }, ["#"]));
  }
  keepWrittenIds(others, ids);
  for (const [node, alias] of aliases) addAnchor(node, alias, ids);
  for (const node of others) identifyPart(node, ids, style);
  return { headings, ids };
}

/** A heading's own words, without the badges and tips beside them, unless it has no others. */
function headingText(heading: Element): string {
  const own = readWithout(/^(?:heading-anchor|tag|tooltip-text)$/, heading).trim();
  return own || readWithout(/^heading-anchor$/, heading).trim() || describePictures(heading);
}

function describePictures(heading: Element): string {
  const texts: string[] = [];
  visitElements(heading, (node) => void texts.push(stringProperty(node, "alt") ?? ""));
  return texts.join(" ").trim();
}

/** The words of a node, but for those of elements with such a class. */
function readWithout(className: RegExp, node: Nodes): string {
  if (!("children" in node)) return textOf(node);
  if (node.type === "element" && classNames(node).some((name) => className.test(name))) return "";
  return node.children.map((child) => readWithout(className, child)).join("");
}

/** Keeps the identifiers that the documents gave to elements, but for those that another element has. */
function keepWrittenIds(elements: readonly Element[], ids: Set<string>): void {
  for (const { properties } of elements) {
    const { id } = properties;
    if (typeof id !== "string" || ids.has(id)) delete properties["id"];
    else ids.add(id);
  }
}

/** Lets links find an element under another identifier, if nothing has it. */
function addAnchor(node: Element, id: string, ids: Set<string>): void {
  if (id === "" || ids.has(id)) return;
  ids.add(id);
  if (node.properties["id"] === undefined) node.properties["id"] = id;
  else node.children.unshift(h("span", { id }));
}

/** A field `onFinish` gets `on-finish`, and `param-on-finish` as the format has it; a part with a title that of its title. */
function identifyPart(node: Element, ids: Set<string>, style: SlugStyle): void {
  const { dataField: field, dataTitle: title } = node.properties;
  delete node.properties["dataField"];
  delete node.properties["dataTitle"];
  const name = fieldSlug(String(field ?? ""));
  addAnchor(node, name, ids);
  if (style === "docs-json" && name !== "") addAnchor(node, `param-${name}`, ids);
  if (title !== undefined) addAnchor(node, plainSlug(String(title)), ids);
}

/** Takes what is shown beside the text off the tree: examples and panels that are no part of something else. */
export function takeAside(tree: Root): ElementContent[] {
  const isAside = (node: Nodes) => node.type === "element" && node.properties["dataAside"] !== undefined;
  const aside = tree.children.filter(isAside) as ElementContent[];
  tree.children = tree.children.filter((node) => !isAside(node));
  return aside;
}

const maxTextLength = 100_000;
/** Read out by themselves, these would repeat a title or run into the text beside them; a diagram has only its label. */
const skippedClasses = ["heading-anchor", "tab-panel-title", "diagram"];
const separateTag = /^(?:p|li|h\d|td|th|div|br|dd|dt|summary)$/;

type SectionText = [id: string, heading: string, words: string[]];

/** A page's text for the search index, without its code blocks, by its sections. */
export function pageSections(tree: Root): IndexedSection[] {
  const parts: SectionText[] = [["", "", []]];
  collectText(tree, parts);
  let left = maxTextLength;
  return parts.flatMap(([id, heading, words]) => {
    const text = words.join("").replace(/\s+/g, " ").trim().slice(0, left);
    left -= text.length;
    return id === "" && text === "" ? [] : [[id, heading, text] as const];
  });
}

function collectText(node: Nodes, parts: SectionText[]): void {
  if (node.type === "text") parts.at(-1)?.[2].push(node.value);
  if (node.type === "root") for (const child of node.children) collectText(child, parts);
  if (node.type !== "element" || isElement(node, "pre", "svg") || node.properties["role"] === "tablist")
    return;
  const classes = classNames(node);
  if (classes.some((name) => skippedClasses.includes(name))) return;
  const id = /^h[2-6]$/.test(node.tagName) ? stringProperty(node, "id") : undefined;
  if (id !== undefined) {
    parts.push([id, headingText(node), []]);
    return;
  }
  for (const child of node.children) collectText(child, parts);
  const isSeparate = separateTag.test(node.tagName) || classes.some((name) => /^field-/.test(name));
  if (isSeparate) parts.at(-1)?.[2].push(" ");
}
