import type { Element, Root } from "hast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { classNames, element, stringProperty } from "./hast.ts";
import { placeholderTag } from "./placeholder.ts";

type Schema = NonNullable<Parameters<typeof rehypeSanitize>[0]>;

/** Classes of the site's own that documents may ask for: what is shown on light or on dark only. */
const schemeClasses = { light: "only-light", dark: "only-dark" } as const;

/** The class for what documents write: `dark:hidden`, `hidden dark:block`, and GitHub's `image.png#gh-dark-mode-only`. */
function schemeClassOf(node: Element): string | undefined {
  const written = node.properties["className"];
  const names = (Array.isArray(written) ? written.join(" ") : String(written ?? "")).split(/\s+/);
  if (names.includes("dark:hidden")) return schemeClasses.light;
  const isShownOnDark = names.some((name) => /^dark:(?:block|flex|grid|inline(?:-block|-flex)?)$/.test(name));
  if (names.includes("hidden") && isShownOnDark) return schemeClasses.dark;
  const mode = /#gh-(light|dark)-mode-only$/.exec(stringProperty(node, "src") ?? "")?.[1];
  return mode === "light" || mode === "dark" ? schemeClasses[mode] : undefined;
}

/** Replaces the utility classes that tell light from dark by the site's own; all others go. */
function markSchemes(tree: Root): void {
  visit(tree, "element", (node: Element) => {
    const name = schemeClassOf(node);
    if (name !== undefined) node.properties["className"] = [name];
  });
}

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
    "*": [
      ...["align", "dir", "height", "id", "lang", "title", "width"],
      ["className", ...Object.values(schemeClasses)],
    ],
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
  // The site's own identifiers start with `docs-`; see `dropLeftovers`. A prefix would break the documents' own links.
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

function dropLeftovers(tree: Root): void {
  visit(tree, "element", (node: Element) => {
    if (Array.isArray(node.properties["className"]) && classNames(node).length === 0)
      delete node.properties["className"];
    if (/^docs-/i.test(stringProperty(node, "id") ?? "")) delete node.properties["id"];
  });
}

/** Removes everything from a page's tree that could run, style or load something. */
export function sanitizePage(tree: Root, { onFrame }: { readonly onFrame: (source: string) => void }): Root {
  linkFrames(tree, onFrame);
  markSchemes(tree);
  const clean = sanitizer.runSync(tree);
  dropLeftovers(clean);
  return clean;
}
