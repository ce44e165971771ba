/** Reads HTML syntax trees (hast); `hastscript` builds them. */
import type { Element, Nodes, Parents } from "hast";

/** Whether a node is an element with one of these tag names. */
export function isElement<Name extends string>(
  node: Nodes,
  ...tagNames: readonly Name[]
): node is Element & { tagName: Name } {
  return node.type === "element" && (tagNames as readonly string[]).includes(node.tagName);
}

/** HTML elements that are part of a line of text, besides media. */
export const textTag =
  /^(?:a|abbr|b|br|cite|code|del|dfn|em|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/;
const mediaTag = /^(?:audio|iframe|img|math|svg|video)$/;

/** Whether a node is part of a line of text. */
export function isInline(node: Nodes): boolean {
  if (node.type === "element") return textTag.test(node.tagName) || mediaTag.test(node.tagName);
  return node.type === "text";
}

/** The value of an element's property, if it is a string. */
export function stringProperty(node: Element, name: string): string | undefined {
  const value = node.properties[name];
  return typeof value === "string" ? value : undefined;
}

/** An element's CSS classes. */
export function classNames(node: Element): readonly string[] {
  const value = node.properties["className"];
  return Array.isArray(value) ? value.map(String) : [];
}

/** The first descendant element with this tag name. */
export function findElement(parent: Parents, tagName: string): Element | undefined {
  return elementsIn(parent).find((node) => node.tagName === tagName);
}

/** All descendant elements, parents before their children. */
export function elementsIn(parent: Parents): Element[] {
  const elements: Element[] = [];
  visitElements(parent, (node) => void elements.push(node));
  return elements;
}

/** Creates a map from an object whose keys each list several names, separated by spaces. */
export function mapByNames<Value>(
  valuesByNames: Readonly<Record<string, Value>>,
): ReadonlyMap<string, Value> {
  const entries = Object.entries(valuesByNames);
  return new Map(entries.flatMap(([names, value]) => names.split(" ").map((name) => [name, value])));
}

/** The names whose condition is true, for instance of CSS classes. */
export function namesWhere(conditions: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(conditions).filter((name) => conditions[name]);
}

/** A visitor returns this to skip the element's children. */
export const skipChildren = Symbol("skipChildren");

/**
 * Visits every descendant element, parents before their children. A visitor may replace the element in its parent.
 * `unist-util-visit` is not used: it renames a function at each node, which took an eighth of a site's rendering time.
 */
export function visitElements(
  parent: Parents,
  visitor: (node: Element, index: number, parent: Parents) => unknown,
): void {
  for (let index = 0; index < parent.children.length; index += 1) {
    const node = parent.children[index];
    if (node?.type !== "element") continue;
    if (visitor(node, index, parent) !== skipChildren) visitElements(node, visitor);
  }
}
