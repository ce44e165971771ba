/** Last touches on a page's tree: what Markdown's plain HTML lacks to be read, scrolled and listened to. */
import type { Element, ElementContent, Nodes, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import { SKIP, visit } from "unist-util-visit";
import { classNames, isElement, stringProperty } from "./hast.ts";

const blockTags = "div ul ol figure table details section pre p blockquote video".split(" ");

/** Polishes the tree of a page whose components are expanded. */
export function polishTree(tree: Root): void {
  visit(tree, "element", (node: Element, index, parent) => {
    widenParagraph(node);
    dropEmptyHead(node);
    dressDetails(node);
    const replacement = replacementOf(node);
    if (replacement === undefined || parent === undefined || index === undefined) return undefined;
    parent.children[index] = replacement;
    return node.tagName === "table" ? undefined : SKIP;
  });
}

/** A component may put a block into a paragraph, where HTML allows none. */
function widenParagraph(node: Element): void {
  if (node.tagName !== "p" || !node.children.some((child) => isElement(child, ...blockTags))) return;
  node.tagName = "div";
  node.properties["className"] = ["paragraph"];
}

/** A table without a header row has empty header cells, which say nothing. */
function dropEmptyHead(node: Element): void {
  if (node.tagName === "th" && textOf(node).trim() === "" && node.children.length === 0) node.tagName = "td";
  if (node.tagName !== "table") return;
  node.children = node.children.filter((child) => !isElement(child, "thead") || textOf(child).trim() !== "");
}

/** `<details>` written as HTML looks like an accordion. */
function dressDetails(node: Element): void {
  if (node.tagName !== "details" || classNames(node).includes("disclosure")) return;
  const summary = node.children.find((child) => isElement(child, "summary")) ?? h("summary", ["Details"]);
  const body = node.children.filter((child) => child !== summary);
  node.properties["className"] = ["disclosure"];
  node.children = [summary, h("div.disclosure-body", body)];
}

function replacementOf(node: Element): ElementContent | undefined {
  if (node.tagName === "input") {
    const isDone = node.properties["checked"] === true || node.properties["checked"] === "";
    const selector = isDone ? "span.task-box.task-done" : "span.task-box";
    return h(selector, { role: "img", ariaLabel: isDone ? "Done:" : "To do:" });
  }
  if (node.tagName !== "table") return undefined;
  // Wide tables scroll by themselves, also by keyboard, and not the page.
  return h("div.table-scroll", { role: "group", ariaLabel: "Table", tabIndex: 0 }, [node]);
}

const maxTextLength = 100_000;
/** Read out by themselves, these would repeat a title or run into the text beside them. */
const skippedClasses = ["heading-anchor", "tab-panel-title"];
const separateTag = /^(?:p|li|h\d|td|th|div|br|dd|dt|summary)$/;

/** A page's text for the search index, without its code blocks. */
export function pageText(tree: Root): string {
  return spokenText(tree).replace(/\s+/g, " ").trim().slice(0, maxTextLength);
}

function spokenText(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element" && node.type !== "root") return "";
  if (node.type === "element" && isSkipped(node)) return "";
  const text = node.children.map(spokenText).join("");
  return node.type === "element" && separateTag.test(node.tagName) ? `${text} ` : text;
}

function isSkipped(node: Element): boolean {
  if (isElement(node, "pre", "svg") || stringProperty(node, "role") === "tablist") return true;
  return classNames(node).some((name) => skippedClasses.includes(name));
}
