import type { Element, ElementContent, Root } from "hast";
import { SKIP, visit } from "unist-util-visit";
import { renderCodeBlock } from "../components/code-block.ts";
import { readCodeMeta } from "./code-meta.ts";
import { classNames, element, isElement, textOf } from "./hast.ts";

const blockTags = new Set([
  "div",
  "ul",
  "ol",
  "figure",
  "table",
  "details",
  "section",
  "pre",
  "p",
  "blockquote",
  "video",
]);

function toTaskMark(input: Element): ElementContent {
  const isDone = input.properties["checked"] === true || input.properties["checked"] === "";
  return element("span", {
    className: isDone ? ["task-box", "task-done"] : ["task-box"],
    role: "img",
    ariaLabel: isDone ? "Done:" : "To do:",
  });
}

/** Code blocks written as HTML; those of Markdown are components already. */
function toCodeBlock(pre: Element): ElementContent | undefined {
  const code = pre.children.find((child) => isElement(child, "code"));
  if (code?.type !== "element") return undefined;
  const language = classNames(code)
    .find((name) => name.startsWith("language-"))
    ?.slice("language-".length);
  return renderCodeBlock({ code: textOf(code), language, meta: readCodeMeta("") });
}

/** Wide tables scroll by themselves, also by keyboard, and not the page. */
function toScrollable(table: Element): ElementContent {
  return element(
    "div",
    { className: ["table-scroll"], role: "group", ariaLabel: "Table", tabIndex: 0 },
    table,
  );
}

function replacementOf(node: Element): ElementContent | undefined {
  if (node.tagName === "input") return toTaskMark(node);
  if (node.tagName === "pre" && node.properties["tabIndex"] === undefined) return toCodeBlock(node);
  return node.tagName === "table" ? toScrollable(node) : undefined;
}

/** A component may put a block into a paragraph, where HTML allows none. */
function widenParagraph(node: Element): void {
  if (node.tagName !== "p" || !node.children.some((child) => isElement(child, ...blockTags))) return;
  node.tagName = "div";
  node.properties["className"] = ["paragraph"];
}

/** `<details>` written as HTML looks like an accordion. */
function dressDetails(node: Element): void {
  if (node.tagName !== "details" || classNames(node).includes("disclosure")) return;
  const summary =
    node.children.find((child) => isElement(child, "summary")) ?? element("summary", {}, "Details");
  const body = node.children.filter((child) => child !== summary);
  node.properties["className"] = ["disclosure"];
  node.children = [summary, element("div", { className: ["disclosure-body"] }, ...body)];
}

/** A table without a header row has empty header cells, which say nothing. */
function dropEmptyHead(node: Element): void {
  if (node.tagName === "th" && textOf(node).trim() === "" && node.children.length === 0) node.tagName = "td";
  if (node.tagName !== "table") return;
  node.children = node.children.filter((child) => !isElement(child, "thead") || textOf(child).trim() !== "");
}

/** Last touches on a sanitized page: what Markdown's plain HTML lacks to be read, scrolled and listened to. */
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
