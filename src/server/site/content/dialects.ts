/**
 * The Markdown of several documentation systems. Callouts and tabs become components: `> [!TIP]` (GitHub), `:::tip Title` to `:::`
 * (Docusaurus, VitePress), `/// tip | Title` to `///`, and `!!! tip "Title"`, `??? tip "Title"` and `=== "Tab"` with indented content
 * (MkDocs), and tags of GitBook (`{% hint %}`) and Hugo (`{{< note >}}`). GitHub's names of emoji are read, too.
 */
import type { Blockquote, Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import { findAndReplace, type RegExpMatchObject } from "mdast-util-find-and-replace";
import { toString as textOf } from "mdast-util-to-string";
import { SKIP, visit } from "unist-util-visit";
import { capitalize } from "../../../base/text.ts";
import type { PageReporter } from "../report.ts";
import { component } from "./compile-mdx.ts";
import { mapByNames } from "./hast.ts";
import { readPacked } from "./packed-data.ts";

/** Types of callouts. A callout of a type in the second list is named after it, because its icon does not say what it is. */
const plainTypes =
  "note info tip important warning caution danger check success hint attention error failure".split(" ");
const namedTypes = "abstract summary question example bug quote".split(" ");
const types = [...plainTypes, ...namedTypes, "details", "code-group", "tab"];

const calloutStart = /^( *)([:/]{3,}[ \t]*|(?:!!!|\?\?\?\+?)[ \t]+)([a-z-]+)(?=[ \t["{|]|$)(.*)$/i;
/** `{% name style="info" %}`, `{{< name "text" >}}` or `{{% name %}}`, and their ends `{% endname %}`, `{{< /name >}}`. */
const tag = /\{\{?[%<]\s*(?:(\/|end)\s*)?([\w/-]+)([^{}]*?)[%>]\}\}?/g;
const addressTag = /\{\{[%<]\s*(?:rel)?ref\s+"?([^"\s<>%{}]+)[^{}]*\}\}/g;
const attribute = /(?:(\w+)\s*=\s*)?(?:"([^"]*)"|([^\s"]+))/g;
const plainTag =
  /^(?:tabs|tabpane|code|stepper|step|cards?|columns?|updates?|prompt|content-ref|figure|img|embed|file)$/;
/** Types of the containers of tags. */
const tagTypes = mapByNames({
  ...Object.fromEntries(types.map((type) => [type, type])),
  "hint alert admonition callout notice pageinfo": "",
  "tab-content codetab": "tab",
  "collapse expand": "details",
});
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
  if (!/^ *(?:[:/]{3,}[ \t]*[a-z]|!!! |\?\?\?\+? |===[+!]? +")|\{% |\{\{[%<]/im.test(body)) return body;
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
    const before = open.length < depth ? undefined : fence;
    fence = fenceAfter(before, content);
    const isCode = before !== undefined || fence !== undefined;
    const rest = isCode ? content : endContainer(replaceTags(content, open), open);
    for (; blankLines > 0; blankLines -= 1) quoted.push(quotesOf(open));
    quoted.push(isCode ? quotesOf(open) + rest : startContainer(rest, open));
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

/** Ends the innermost container if a line begins with its end, and returns the rest of the line. */
function endContainer(line: string, open: OpenContainer[]): string {
  const [end = "", sign = ""] = /^ *([:/]{3,})(?:[ \t]*(?=$|:::)|\0)/.exec(line) ?? [];
  const mark = open.at(-1)?.mark;
  if (!mark || !sign.startsWith(mark)) return line;
  open.pop();
  return line.slice(end.length);
}

/** Quotes a line, and rewrites it if it starts a container. */
function startContainer(line: string, open: OpenContainer[]): string {
  const start = open.length < maxDepth ? readStart(line) : undefined;
  if (start !== undefined) open.push(start);
  return quotesOf(open) + (start === undefined ? line : `[!${start.type}] ${start.title}`);
}

/** Rewrites a line of tags, and in a text the tags that are addresses. */
function replaceTags(line: string, open: readonly OpenContainer[]): string {
  if (line.replace(tag, "").trim() === "") return line.replace(tag, replaceTag);
  // The container continues to the end of the paragraph.
  const isEnd = open.at(-1)?.mark === ":::" && /^[^`{]*\{[{%][%<]?\s*(?:\/|end)/.test(line);
  return isEnd ? `:::\0${line.replace(tag, "").trim()}` : line.replace(addressTag, "$1");
}

/** `{% hint style="info" %}` becomes `:::info`. Of other known tags, the picture, link or title is left. */
function replaceTag(written: string, end = "", name = "", text = ""): string {
  const type = text.endsWith("/") ? undefined : tagTypes.get(name);
  if (type === undefined && !plainTag.test(name)) return written;
  if (end !== "") return type === undefined ? "" : ":::";
  const values = Array.from(text.matchAll(attribute), ([, key = "", quoted, word]) => [key, quoted ?? word]);
  const find = (keys: RegExp) => values.find(([key = ""]) => keys.test(key))?.[1] ?? "";
  const title = find(/^(?:title|name|header|summary|caption|date)$/);
  if (type === undefined) return referenceOf(name, title, find(/^(?:src|url|link)$/));
  const given = [find(/^(?:style|type|color)$/), find(/^$/)].find((value) => types.includes(value));
  const label = values.find(([key, value]) => key === "" && value !== given)?.[1] ?? "";
  return `:::${type || (given ?? "info")} ${title || label}`;
}

function referenceOf(name: string, title: string, url: string): string {
  if (url === "" || name === "content-ref") return title && `\`${title}\``;
  return `${/^(?:figure|img)$/.test(name) ? "!" : ""}[${title || url}](<${url}>)`;
}

/** Removes the indentation of the open containers from a line. A container ends before a line that is indented less than its content. */
function cutIndentation(line: string, open: OpenContainer[]): string {
  let rest = line;
  for (const [depth, { indent, mark }] of open.entries()) {
    const spaces = rest.search(/[^ ]|$/);
    const contentIndent = mark === "" ? indent + 4 : indent;
    // This also ends the loop.
    if (mark === "" && spaces < contentIndent) open.length = depth;
    else rest = rest.slice(Math.min(spaces, contentIndent));
  }
  return rest;
}

function quotesOf(open: readonly OpenContainer[]): string {
  return open.map(({ indent }) => `${" ".repeat(indent)}> `).join("");
}

/** Reads a line that starts a container: its indentation, sign, type and title. */
function readStart(line: string) {
  const [, tabSpaces, tab = ""] = /^( *)===[+!]? +"(.*)"$/.exec(line.trimEnd()) ?? [];
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
  const kind = { "code-group": "CodeGroup", tab: "View", details: "Accordion" }[type] ?? "Callout";
  const label = title || (namedTypes.includes(type) ? capitalize(type) : "");
  return component(kind, { type, ...(label && { title: label }) }, content, position);
}

/** Removes a paragraph's first line and returns its text. */
function cutFirstLine({ children }: Paragraph): string {
  const end = children.findIndex((child) => child.type === "text" && child.value.includes("\n"));
  const before = children.splice(0, end < 0 ? children.length : end);
  const [rest] = children;
  if (rest?.type !== "text") return textOf(before);
  const [line = ""] = rest.value.split("\n", 1);
  rest.value = rest.value.slice(line.length + 1);
  if (rest.position !== undefined) rest.position.start.line += 1;
  if (rest.value === "") children.shift();
  return textOf(before) + line;
}

/** A name between colons that no word or path touches. */
const shortcode = /(?<![\w:/]):(\+1|-1|\w[\w-]{0,80}):(?![\w:/])/g;

let emoji: ReadonlyMap<string, string> | undefined;

/** Replaces the known names of emoji (`:tada:`) and those of MkDocs' icons (`:material-star:`) in text; all others stay text. */
export function readShortcodes(tree: Root): void {
  emoji ??= new Map(Object.entries(JSON.parse(readPacked("emoji").toString())));
  findAndReplace(tree, [shortcode, (_, name: string) => emoji?.get(name) ?? toIcon(name)]);
}

function toIcon(name: string): PhrasingContent | false {
  const [, icon] = /^(?:material|octicons|simple|fontawesome-[a-z]+)-(.+?)(?:-\d\d)?$/.exec(name) ?? [];
  const node = component("Icon", { icon });
  return icon !== undefined && ({ ...node, type: "mdxJsxTextElement" } as PhrasingContent);
}

/** Removes lists of attributes (`{ .button target=_blank }`) at the start of a text. Those without a class must follow something, such as a link. */
export function removeAttributes(tree: Root): void {
  const list = /^\{:?\s*(?!#)(?:(?:[.#][\w-]+|[\w-]+=(?:"[^"{}]*"|[^\s"{}]+))(?:\s+|(?=\})))+\}/;
  findAndReplace(tree, [
    list,
    (found: string, { stack }: RegExpMatchObject) => {
      const [parent, text] = stack.slice(-2);
      const isFirst = parent !== undefined && "children" in parent && parent.children[0] === text;
      return isFirst && !/^\{:?\s*\./.test(found) ? false : "";
    },
  ]);
}

/** Tags of templates, and starts of containers. Those that are known have been replaced. */
const unknownMarkup =
  /\{\{[<%][ \t]*\w[\w./-]*|\{%-?[ \t]*(?!end)\w+|^[ \t]*(?:\/\/\/|:{3,}|!!!|\?\?\?) ?[a-z][\w-]*/gm;
const maxReported = 20;

/** Reports the markup of other documentation systems that is still in the text, each once. */
export function reportUnknownMarkup(tree: Root, onWarning: PageReporter): void {
  const reported = new Set<string>();
  visit(tree, "text", ({ value, position }) => {
    for (const { 0: found, index } of value.matchAll(unknownMarkup)) {
      const markup = found.trim();
      if (reported.has(markup) || reported.size === maxReported) continue;
      reported.add(markup);
      const line = position && position.start.line + value.slice(0, index).split("\n").length - 1;
      onWarning(
        `the markup ${markup} is of another documentation system, and stays as written`,
        "markup",
        line,
      );
    }
  });
}
