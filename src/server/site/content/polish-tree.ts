/** Finishes a page's tree: accessibility, scrolling, ids, the headings, and the text for the search index. */
import type { Element, ElementContent, Nodes, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import type { IndexedSection } from "../client/index-format.ts";
import type { Words } from "../interface-words.ts";
import { classNames, elementsIn, isElement, skipChildren, stringProperty, visitElements } from "./hast.ts";
import { createSectionIds, fieldSlug, plainSlug, type SlugStyle } from "./heading-slugs.ts";
import type { TitleTest } from "./page-source.ts";

const headingTags = "h1 h2 h3 h4 h5 h6".split(" ");
const blockTags = [
  ...headingTags,
  ..."div ul ol figure table details section pre p blockquote video".split(" "),
];

/** Improves the markup and the accessibility of a page whose components are rendered. */
export function polishTree(tree: Root, words: Words): void {
  visitElements(tree, (node, index, parent) => {
    unwrapParagraph(node);
    if (imageContainers.has(node.tagName)) clearRedundantAlt(node);
    polishElement(node, words);
    if (node.tagName === "svg") delete node.properties["dataName"];
    if (node.tagName !== "table") return;
    // A wide table scrolls instead of the page, also by keyboard.
    const scroll = { role: "group", ariaLabel: words.table, tabIndex: 0 };
    parent.children[index] = h("div.table-scroll", scroll, [node]);
  });
}

/** Elements that cannot contain paragraphs. MDX creates a paragraph in them for text on its own line. */
const lineTags = new Set([...headingTags, ..."a p span strong em b i small summary".split(" ")]);

function unwrapParagraph(node: Element): void {
  if (!lineTags.has(node.tagName)) return;
  // Authors write `## <h1>Title</h1>`, too.
  const inner = headingTags.includes(node.tagName) ? headingTags : [];
  const [only, other] = node.children.filter((child) => isElement(child, "p", ...inner));
  const isLine = (child: ElementContent) =>
    child === only || child.type !== "element" || isElement(child, "svg", "img", "span", "code");
  if (only?.type !== "element" || other !== undefined || !node.children.every(isLine)) return;
  node.children = node.children.flatMap((child) => (child === only ? only.children : [child]));
}

const imageContainers = new Set("p li td th a figure".split(" "));

/** Clears an image's `alt` if it repeats the text beside the image: a screen reader would read it twice. */
function clearRedundantAlt(node: Element): void {
  for (const { properties } of elementsIn(node).filter(({ tagName }) => tagName === "img")) {
    const alt = String(properties["alt"] ?? "").trim();
    if (alt !== "" && alt.toLowerCase() === textOf(node).trim().toLowerCase()) properties["alt"] = "";
  }
}

function polishElement(node: Element, words: Words): void {
  const { tagName, properties, children } = node;
  if (tagName === "p" && elementsIn(node).some((part) => blockTags.includes(part.tagName))) {
    // HTML allows no blocks in a paragraph, but components may create them.
    node.tagName = "div";
    properties["className"] = ["paragraph"];
  } else if (tagName === "th" && children.length === 0) {
    // An empty header cell has no meaning; a header row of empty cells is removed below.
    node.tagName = "td";
  } else if (tagName === "td") {
    polishCell(node);
  } else if (tagName === "table") {
    node.children = children.filter((child) => !isElement(child, "thead") || textOf(child).trim() !== "");
  } else if (tagName === "input") {
    const isDone = properties["checked"] === true || properties["checked"] === "";
    const box = isDone ? "span.task-box.task-done" : "span.task-box";
    Object.assign(node, h(box, { role: "img", ariaLabel: isDone ? words.done : words.toDo }));
  } else if (tagName === "details" && !classNames(node).includes("disclosure")) {
    // The author's own `<details>` looks like an accordion.
    const summary = children.find((child) => isElement(child, "summary")) ?? h("summary", [words.details]);
    const body = children.filter((child) => child !== summary);
    properties["className"] = ["disclosure"];
    node.children = [summary, h("div.disclosure-body", body)];
  }
}

const shortCode = /^\S{1,24}$/;

function polishCell(cell: Element): void {
  const isBlank = textOf(cell).trim() === "";
  visitElements(cell, (part) => {
    const { tagName, properties } = part;
    // Names and values in a table: the column becomes wider instead of breaking them.
    if (tagName === "code" && shortCode.test(textOf(part))) properties["className"] = ["unbroken"];
    // An icon is the content of a cell without text, for assistive technology and in Markdown, too.
    const name = isBlank && properties["dataName"];
    if (!name) return;
    delete properties["ariaHidden"];
    Object.assign(properties, { role: "img", ariaLabel: String(name).replaceAll("-", " ") });
  });
}

/** A heading of a page. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
  readonly isUnlisted?: boolean;
}

/** Creates the fragment of a link to a section. Only characters that a URL cannot contain are encoded, so that it stays readable. */
export function hashOf(id: string): string {
  return id && `#${id.replace(/[%"#<>[\\\]^`{|}]/g, encodeURIComponent)}`;
}

/** Finds the first first-level heading of the tree if it is the page's title. */
export function findTitle(tree: Root, isTitle: TitleTest): Element | undefined {
  const elements = tree.children.filter((child) => child.type === "element");
  const found = elements.find(({ tagName }) => tagName === "h1");
  if (found === undefined) return undefined;
  return isTitle(textWithout(/^heading-anchor$/, found).trim(), found === elements[0]) ? found : undefined;
}

/**
 * Adds an id to every heading, a link to all but the title, and ids to fields and to steps, tabs and accordions with a title. All ids are
 * unique. Heading levels are corrected: only the page's title has level one, and no level is skipped, as accessibility
 * guidelines require.
 *
 * @param title The page's title in the tree, if the tree contains it.
 * @returns The headings below the title, and all ids of the page.
 */
export function outlinePage(
  tree: Root,
  style: SlugStyle,
  words: Words,
  title: Element | undefined,
): { readonly headings: Heading[]; readonly ids: ReadonlySet<string> } {
  const elements = elementsIn(tree);
  const headingElements = elements.filter(({ tagName }) => headingTags.includes(tagName));
  const others = elements.filter(({ tagName }) => !headingTags.includes(tagName));
  const ids = new Set<string>();
  removeDuplicateIds(headingElements, ids);
  const createIds = createSectionIds(style, ids);
  const idsOf = (node: Element, text: string) => {
    const id = stringProperty(node, "id");
    if (id !== undefined) return { id, aliases: [] };
    const created = createIds(text);
    const textWithBadges = textWithout(/^(?:heading-anchor|tooltip-text)$/, node).trim();
    // The format's ids contain the texts of badges.
    return textWithBadges === text
      ? created
      : { ...created, aliases: [...created.aliases, plainSlug(textWithBadges)] };
  };
  const aliases: (readonly [Element, string])[] = [];
  const headings: Heading[] = [];
  /** Levels of the headings around the current one, as written. */
  let levels: number[] = [];
  for (const node of headingElements) {
    const text = headingText(node);
    if (text === "") {
      // Assistive technology would announce an empty heading.
      node.tagName = "div";
      continue;
    }
    const level = Math.max(Number(node.tagName[1]), 2);
    levels = node === title ? [] : [...levels.filter((outer) => outer < level), level];
    const depth = levels.length + 1;
    node.tagName = `h${depth}`;
    const sectionIds = idsOf(node, text);
    const { id } = sectionIds;
    node.properties["id"] = id;
    // The heading of the footnotes is not a section. Links of the footnotes point to its id.
    if (id === "footnote-label" || node === title) continue;
    aliases.push(...sectionIds.aliases.map((alias) => [node, alias] as const));
    const isUnlisted = node.properties["dataUnlisted"] !== undefined;
    delete node.properties["dataUnlisted"];
    headings.push({ id, text, depth, ...(isUnlisted && { isUnlisted }) });
    const label = words.sectionLink.replace("{}", () => text);
    node.children.push(h("a.heading-anchor", { href: hashOf(id), ariaLabel: label }, ["#"]));
  }
  removeDuplicateIds(others, ids);
  for (const [node, alias] of aliases) addAnchor(node, alias, ids);
  for (const node of others) addComponentIds(node, ids, style);
  return { headings, ids };
}

/** A heading's text without badges and tooltips, or else with them, or else the `alt` texts of its images. */
function headingText(heading: Element): string {
  const ownText = textWithout(/^(?:heading-anchor|tag|tooltip-text)$/, heading).trim();
  const altTexts = elementsIn(heading).map((node) => stringProperty(node, "alt") ?? "");
  return ownText || textWithout(/^heading-anchor$/, heading).trim() || altTexts.join(" ").trim();
}

/** The text of a node without that of drawings and of elements with such a class. */
function textWithout(className: RegExp, node: Nodes): string {
  if (!("children" in node)) return textOf(node);
  if (isElement(node, "svg")) return "";
  if (node.type === "element" && classNames(node).some((name) => className.test(name))) return "";
  return node.children.map((child) => textWithout(className, child)).join("");
}

/** Removes ids that another element has, and adds the others to `ids`. */
function removeDuplicateIds(elements: readonly Element[], ids: Set<string>): void {
  for (const { properties } of elements) {
    const { id } = properties;
    if (typeof id !== "string" || ids.has(id)) delete properties["id"];
    else ids.add(id);
  }
}

/** Adds an id to an element, in a `<span>` if the element has one already, unless the id is used. */
function addAnchor(node: Element, id: string, ids: Set<string>): void {
  if (id === "" || ids.has(id)) return;
  ids.add(id);
  if (node.properties["id"] === undefined) node.properties["id"] = id;
  else node.children.unshift(h("span", { id }));
}

/** Adds the ids of fields (`on-finish` for `onFinish`, and the format's `param-on-finish`) and of components with a title. */
function addComponentIds(node: Element, ids: Set<string>, style: SlugStyle): void {
  const { dataField: field, dataTitle: title } = node.properties;
  delete node.properties["dataField"];
  delete node.properties["dataTitle"];
  const name = fieldSlug(String(field ?? ""));
  addAnchor(node, name, ids);
  if (style === "docs-json" && name !== "") addAnchor(node, `param-${name}`, ids);
  if (title === undefined) return;
  addAnchor(node, plainSlug(String(title)), ids);
}

/** Removes top-level examples and panels from the tree; the page shows them beside the text. */
export function takeAside(tree: Root): ElementContent[] {
  const isAside = (node: Nodes) => node.type === "element" && node.properties["dataAside"] !== undefined;
  const aside = tree.children.filter(isAside) as ElementContent[];
  tree.children = tree.children.filter((node) => !isAside(node));
  return aside;
}

const maxTextLength = 100_000;
/** Their text repeats a title or is only a label. */
const skippedClasses = ["heading-anchor", "tab-panel-title", "diagram"];
const separateTag = /^(?:p|li|h\d|td|th|div|br|dd|dt|summary)$/;
const separateClass = /^(?:field-.+|tag|tooltip-text)$/;

type SectionText = [id: string, heading: string, texts: string[]];

/** The text of a page's sections for the search index, without code blocks. */
export function pageSections(tree: Root): IndexedSection[] {
  const sections: SectionText[] = [["", "", []]];
  for (const child of tree.children) collectText(child, sections);
  let remaining = maxTextLength;
  return sections.flatMap(([id, heading, texts]) => {
    const text = texts.join("").replace(/\s+/g, " ").trim().slice(0, remaining);
    remaining -= text.length;
    return id === "" && text === "" ? [] : [[id, heading, text] as const];
  });
}

/** The text of a page's code blocks for the search index. */
export function pageCode(tree: Root): string {
  const codes: string[] = [];
  visitElements(tree, (node) => {
    if (node.tagName !== "pre") return undefined;
    codes.push(textOf(node));
    return skipChildren;
  });
  return codes.join("\n").slice(0, maxTextLength);
}

function collectText(node: Nodes, sections: SectionText[]): void {
  if (node.type === "text") sections.at(-1)?.[2].push(node.value);
  if (node.type !== "element" || isElement(node, "pre", "svg") || node.properties["role"] === "tablist")
    return;
  const classes = classNames(node);
  if (classes.some((name) => skippedClasses.includes(name))) return;
  const id = /^h[2-6]$/.test(node.tagName) ? stringProperty(node, "id") : undefined;
  if (id !== undefined) {
    sections.push([id, headingText(node), []]);
    return;
  }
  const space = separateTag.test(node.tagName) || classes.some((name) => separateClass.test(name)) ? " " : "";
  sections.at(-1)?.[2].push(space);
  for (const child of node.children) {
    if (classes.includes("accordion-group") && isElement(child, "details")) collectAccordion(child, sections);
    else collectText(child, sections);
  }
  sections.at(-1)?.[2].push(space);
}

/** An accordion of a group is a section. */
function collectAccordion(accordion: Element, sections: SectionText[]): void {
  const [summary, ...content] = accordion.children;
  const title = summary === undefined ? "" : textWithout(/^heading-anchor$/, summary).trim();
  sections.push([stringProperty(accordion, "id") ?? "", title, []]);
  for (const child of content) collectText(child, sections);
}
