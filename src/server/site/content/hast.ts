/** Small constructors and readers for HTML syntax trees. */
import type { Element, ElementContent, Nodes, Properties } from "hast";

type Child = ElementContent | string | undefined;

/** Creates an element; strings become text nodes and `undefined` children are left out. */
export function element(tagName: string, properties: Properties, ...children: readonly Child[]): Element {
  return { type: "element", tagName, properties, children: children.flatMap(toContent) };
}

function toContent(child: Child): ElementContent[] {
  if (child === undefined) return [];
  return [typeof child === "string" ? { type: "text", value: child } : child];
}

/** The text of a node and everything below it. */
export function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

/** Whether a node is an element of one of these names. */
export function isElement(node: Nodes, ...tagNames: readonly string[]): node is Element {
  return node.type === "element" && (tagNames.length === 0 || tagNames.includes(node.tagName));
}

/** Whether a node is text made of white space only. */
export function isBlank(node: Nodes): boolean {
  return node.type === "text" && node.value.trim() === "";
}

/** A string property of an element, if it has one. */
export function stringProperty(node: Element, name: string): string | undefined {
  const value = node.properties[name];
  return typeof value === "string" ? value : undefined;
}

/** The names in an element's `class`. */
export function classNames(node: Element): readonly string[] {
  const value = node.properties["className"];
  return Array.isArray(value) ? value.map(String) : [];
}
