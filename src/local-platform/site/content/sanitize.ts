import type { Element, Root } from "hast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { element, stringProperty } from "./hast.ts";
import { placeholderTag } from "./placeholder.ts";

type Schema = NonNullable<Parameters<typeof rehypeSanitize>[0]>;

const refusedTags = new Set(["input", "picture", "source"]);

/** What documents may contain: GitHub's list, less what could pose as the site's own controls, plus a few harmless elements. */
const schema: Schema = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((name) => !refusedTags.has(name)),
    ...[
      "abbr",
      "audio",
      "caption",
      "center",
      "cite",
      "col",
      "colgroup",
      "dfn",
      "figcaption",
      "figure",
      "input",
    ],
    ...["mark", "nav", "small", "source", "time", "u", "video", "wbr", placeholderTag],
  ],
  attributes: {
    ...defaultSchema.attributes,
    "*": ["align", "dir", "height", "id", "lang", "title", "width"],
    [placeholderTag]: ["dataName", "dataProps", "dataInline"],
    abbr: ["title"],
    audio: ["src"],
    col: ["span"],
    details: ["open"],
    img: ["src", "alt"],
    input: ["checked", ["disabled", true], ["type", "checkbox"]],
    ol: ["start", "reversed", "type", ["className", "contains-task-list"]],
    source: ["src", "type"],
    td: ["colSpan", "rowSpan", "align"],
    th: ["colSpan", "rowSpan", "align", "scope"],
    time: ["dateTime"],
    video: ["src", "poster"],
  },
  protocols: {
    href: ["http", "https", "mailto", "tel"],
    src: ["http", "https", "data"],
    cite: ["http", "https"],
  },
  // The site's own identifiers start with `docs-`; see `dropReservedIds`. A prefix would break the documents' own links.
  clobber: [],
  strip: [
    "script",
    "style",
    "template",
    "noscript",
    "object",
    "embed",
    "svg",
    "math",
    "form",
    "textarea",
    "select",
    "title",
  ],
};

const sanitizer = unified().use(rehypeSanitize, schema).freeze();

/** What is embedded from elsewhere becomes a link to it: a page fetches nothing. */
function linkFrames(tree: Root, onFrame: (source: string) => void): void {
  visit(tree, "element", (node: Element, index, parent) => {
    if (node.tagName !== "iframe" || parent === undefined || index === undefined) return;
    const source = stringProperty(node, "src");
    const title = stringProperty(node, "title") ?? "Embedded content";
    onFrame(source ?? "without an address");
    parent.children[index] = element(
      "p",
      {},
      element("a", source === undefined ? {} : { href: source }, title),
    );
  });
}

function dropReservedIds(tree: Root): void {
  visit(tree, "element", (node: Element) => {
    if (/^docs-/i.test(stringProperty(node, "id") ?? "")) delete node.properties["id"];
  });
}

/** Removes everything from a page's tree that could run, style or load something. */
export function sanitizePage(tree: Root, { onFrame }: { readonly onFrame: (source: string) => void }): Root {
  linkFrames(tree, onFrame);
  const clean = sanitizer.runSync(tree);
  dropReservedIds(clean);
  return clean;
}
