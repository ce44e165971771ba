/** Small readers for HTML syntax trees; `hastscript` builds them. */
import type { Element, Nodes, Parents } from "hast";

/** Whether a node is an element of one of these names. */
export function isElement<Name extends string>(
  node: Nodes,
  ...tagNames: readonly Name[]
): node is Element & { tagName: Name } {
  return node.type === "element" && (tagNames as readonly string[]).includes(node.tagName);
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

/** The first element of a name below a node. */
export function findElement(parent: Parents, tagName: string): Element | undefined {
  let found: Element | undefined;
  visitElements(parent, (node) => {
    if (node.tagName === tagName) found ??= node;
  });
  return found;
}

/** What a visitor returns to keep out of an element's children. */
export const skipChildren = Symbol("skipChildren");

/**
 * Visits every element below a node, parents before their children; a visitor may put another node in an element's place.
 * `unist-util-visit` renames a function at each node, for stack traces: that took an eighth of the time of a site.
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
