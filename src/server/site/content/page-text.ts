import type { Element, Nodes, Root } from "hast";

const maxTextLength = 100_000;
/** Read out by themselves, these would repeat a title or run into the text beside them. */
const skippedClasses = new Set(["heading-anchor", "tab-panel-title"]);

function isSkipped({ tagName, properties }: Element): boolean {
  if (tagName === "pre" || tagName === "svg" || properties["role"] === "tablist") return true;
  const { className } = properties;
  return Array.isArray(className) && className.some((name) => skippedClasses.has(String(name)));
}

const blockTag = /^(?:p|li|h\d|td|th|div|br|dd|dt|summary)$/;

function collect(node: Nodes, parts: string[]): void {
  if (node.type === "text") parts.push(node.value);
  if (node.type !== "element" && node.type !== "root") return;
  if (node.type === "element" && isSkipped(node)) return;
  for (const child of node.children) collect(child, parts);
  if (node.type === "element" && blockTag.test(node.tagName)) parts.push(" ");
}

/** A page's text for the search index, without its code blocks. */
export function pageText(tree: Root): string {
  const parts: string[] = [];
  collect(tree, parts);
  return parts.join("").replace(/\s+/g, " ").trim().slice(0, maxTextLength);
}
