/** Small readers for HTML syntax trees; `hastscript` builds them. */
import type { Element, Nodes } from "hast";

/** Whether a node is an element of one of these names. */
export function isElement<Name extends string>(
  node: Nodes,
  ...tagNames: readonly Name[]
): node is Element & { tagName: Name } {
  return node.type === "element" && tagNames.some((name) => name === node.tagName);
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
