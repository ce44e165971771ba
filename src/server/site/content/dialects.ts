/**
 * The Markdown of several documentation systems. Callouts and tabs become components: `> [!TIP]` (GitHub), `:::tip Title` to `:::`
 * (Docusaurus, VitePress), `/// tip | Title` to `///`, and `!!! tip "Title"`, `??? tip "Title"` and `=== "Tab"` with indented content
 * (MkDocs). GitHub's names of emoji are read, too.
 */
import type { Blockquote, Paragraph, Root, RootContent } from "mdast";
import { findAndReplace } from "mdast-util-find-and-replace";
import { toString as textOf } from "mdast-util-to-string";
import { SKIP, visit } from "unist-util-visit";
import { component } from "./compile-mdx.ts";
import { readPacked } from "./packed-data.ts";

/** Types of callouts. A callout of a type in the second list is named after it, because its icon does not say what it is. */
const plainTypes =
  "note info tip important warning caution danger check success hint attention error failure".split(" ");
const namedTypes = "abstract summary question example bug quote".split(" ");
const types = [...plainTypes, ...namedTypes, "details", "code-group", "tab"];

const calloutStart = /^( *)([:/]{3,}[ \t]*|(?:!!!|\?\?\?\+?)[ \t]+)([a-z-]+)(?=[ \t["{|]|$)(.*)$/i;
const tabStart = /^( *)===[+!]? +"(.*)"$/;
const gitbookTag = /^( *)\{% *(end)?(hint|tabs?|code|stepper|step|content-ref)\b(.*)%\}\s*$/;
const fencedEnd = /^ *([:/]{3,})[ \t]*$/;
const fenceStart = /^ *(?:`{3,}(?=[^`]*$)|~{3,})/;

/** Deeper containers stay text. */
const maxDepth = 10;

interface OpenContainer {
  /** Number of spaces before the container. */
  readonly indent: number;
  /** Its colons or slashes; empty if its content is indented instead. */
  readonly mark: string;
}

/** Rewrites containers as block quotes that start with `[!type] title`, so that Markdown's parser reads their content. Lines stay lines. */
export function quoteContainers(body: string): string {
  if (!/^ *(?:[:/]{3,}[ \t]*[a-z]|!!! |\?\?\?\+? |===[+!]? +"|\{% )/im.test(body)) return body;
  const open: OpenContainer[] = [];
  const quoted: string[] = [];
  let fence: string | undefined;
  let blankLines = 0;
  for (const line of body.split("\n")) {
    // The next text decides which containers blank lines belong to.
    if (line.trim() === "") {
      blankLines += 1;
      continue;
    }
    const depth = open.length;
    const content = cutIndentation(line, open);
    for (; blankLines > 0; blankLines -= 1) quoted.push(quotesOf(open));
    const before = open.length < depth ? undefined : fence;
    fence = fenceAfter(before, content);
    const isCode = before !== undefined || fence !== undefined;
    quoted.push((isCode ? undefined : readBoundary(content, open)) ?? quotesOf(open) + content);
  }
  return quoted.join("\n") + "\n".repeat(blankLines);
}

/** The fence of the code block that continues after a line. One that is indented by four spaces more is part of the block. */
function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const [found] = fenceStart.exec(line) ?? [];
  if (fence === undefined || found === undefined) return fence ?? found;
  const isEnd = line.trimEnd() === found && found.trim().startsWith(fence.trim());
  return isEnd && found.search(/\S/) < fence.search(/\S/) + 4 ? undefined : fence;
}

/** Rewrites a line that starts or ends a container. */
function readBoundary(content: string, open: OpenContainer[]): string | undefined {
  const line = content.replace(gitbookTag, replaceTag);
  const mark = open.at(-1)?.mark || undefined;
  if (mark !== undefined && fencedEnd.exec(line)?.[1]?.startsWith(mark)) {
    open.pop();
    return quotesOf(open);
  }
  const start = open.length < maxDepth ? readStart(line) : undefined;
  if (start === undefined) return line === content ? undefined : quotesOf(open) + line;
  open.push(start);
  return `${quotesOf(open)}[!${start.type}] ${start.title}`;
}

/** `{% hint style="info" %}` (GitBook) becomes `:::info`. Of tags without a counterpart, the title is left. */
function replaceTag(_: string, spaces: string, end = "", name = "", attributes = ""): string {
  const [, value = ""] = /(?:style|title)="([^"]*)"/.exec(attributes) ?? [];
  if (name !== "hint" && name !== "tab") return value && `${spaces}\`${value}\``;
  const start = name === "tab" ? `tab ${value}` : value || "info";
  return `${spaces}:::${end === "" ? start : ""}`;
}

/** Removes the indentation of the open containers from a line. A container ends before a line that is indented less than its content. */
function cutIndentation(line: string, open: OpenContainer[]): string {
  let rest = line;
  for (const [depth, { indent, mark }] of open.entries()) {
    const spaces = rest.search(/[^ ]|$/);
    const contentIndent = mark === "" ? indent + 4 : indent;
    if (mark === "" && spaces < contentIndent) {
      open.length = depth;
      return rest;
    }
    rest = rest.slice(Math.min(spaces, contentIndent));
  }
  return rest;
}

function quotesOf(open: readonly OpenContainer[]): string {
  return open.map(({ indent }) => `${" ".repeat(indent)}> `).join("");
}

/** Reads a line that starts a container: its indentation, sign, type and title. */
function readStart(line: string) {
  const [, tabSpaces, tab = ""] = tabStart.exec(line.trimEnd()) ?? [];
  if (tabSpaces !== undefined) return { indent: tabSpaces.length, mark: "", type: "tab", title: tab };
  const [, spaces, sign = "", type = "", rest = ""] = calloutStart.exec(line) ?? [];
  if (spaces === undefined) return undefined;
  const indent = spaces.length;
  const isKnown = types.includes(type.toLowerCase());
  if (/^[:/]/.test(sign)) {
    const label = rest.replace(/\{[^{}]*\}\s*$/, "").trim();
    if (!isKnown || (sign.startsWith("/") && /^[^|]/.test(label))) return undefined;
    return { indent, mark: sign.trim(), type, title: label.replace(/^(?:\[(.*)\]|\|[ \t]*(.*))$/, "$1$2") };
  }
  const quoted = rest.includes('"') ? rest.slice(rest.indexOf('"') + 1, rest.lastIndexOf('"')) : undefined;
  if (sign.startsWith("?")) return { indent, mark: "", type: "details", title: quoted ?? capitalize(type) };
  return { indent, mark: "", type: isKnown ? type : "note", title: quoted ?? "" };
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Replaces the block quotes that start with `[!type]` by components. */
export function readContainers(tree: Root): void {
  visit(tree, "blockquote", (quote, index, parent) => {
    const container = toComponent(quote);
    if (container === undefined || parent === undefined || index === undefined) return undefined;
    parent.children[index] = container;
    return [SKIP, index];
  });
}

function toComponent({ children, position }: Blockquote): RootContent | undefined {
  const [first, ...others] = children;
  const start = first?.type === "paragraph" ? first.children[0] : undefined;
  const [marker, name = ""] = (start?.type === "text" && /^\[!([a-z-]+)\][ \t]*/i.exec(start.value)) || [];
  const type = name.toLowerCase();
  if (first?.type !== "paragraph" || start?.type !== "text" || marker === undefined || !types.includes(type))
    return undefined;
  start.value = start.value.slice(marker.length);
  const title = cutFirstLine(first);
  const content = first.children.length > 0 ? [first, ...others] : others;
  if (type === "code-group") return component("CodeGroup", {}, content, position);
  if (type === "tab") return component("View", { title }, content, position);
  if (type === "details") return component("Accordion", { title: title || "Details" }, content, position);
  const label = title || (namedTypes.includes(type) ? capitalize(type) : "");
  return component("Callout", { type, ...(label && { title: label }) }, content, position);
}

/** Removes a paragraph's first line and returns its text. */
function cutFirstLine({ children }: Paragraph): string {
  const end = children.findIndex((child) => child.type === "text" && child.value.includes("\n"));
  const before = children.splice(0, end < 0 ? children.length : end);
  const [rest] = children;
  if (rest?.type !== "text") return textOf(before);
  const [line = ""] = rest.value.split("\n", 1);
  rest.value = rest.value.slice(line.length + 1);
  if (rest.value === "") children.shift();
  return textOf(before) + line;
}

/** A name between colons that no word or path touches. */
const shortcode = /(?<![\w:/]):(\+1|-1|\w[\w-]{0,80}):(?![\w:/])/g;

let emoji: ReadonlyMap<string, string> | undefined;

/** Replaces the known names of emoji (`:tada:`) in text; all others stay text. */
export function readShortcodes(tree: Root): void {
  emoji ??= new Map(Object.entries(JSON.parse(readPacked("emoji").toString())));
  findAndReplace(tree, [shortcode, (_, name: string) => emoji?.get(name) ?? false]);
}
