/** Removes from documents what could run, style or load something in a reader's browser. */
import type { Element, Root } from "hast";
import rehypeSanitize, { defaultSchema, type Options as Schema } from "rehype-sanitize";
import { unified } from "unified";
import { placeholderTag } from "./component.ts";
import { type DocsTree, ifUsable, readFile } from "./docs-tree.ts";
import { classNames, stringProperty, visitElements } from "./hast.ts";
import { sanitizeSvg } from "./sanitize-svg.ts";

const harmlessTags =
  "abbr audio caption center cite col colgroup dfn figcaption figure iframe mark nav small time u video wbr";

/** What documents may contain: GitHub's list, less what could pose as the site's own controls, plus a few harmless elements. */
const schema: Schema = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((name) => name !== "picture"),
    ...harmlessTags.split(" "),
    placeholderTag,
  ],
  attributes: {
    ...defaultSchema.attributes,
    // An element that does not know one of these ignores it.
    "*": [
      ..."align colSpan dateTime dir height id lang open reversed rowSpan scope span start title width".split(
        " ",
      ),
      ["className", "only-light", "only-dark"],
    ],
    [placeholderTag]: ["dataName", "dataProps", "dataInline"],
    audio: ["src"],
    code: [["className", /^language-./], "dataMeta"],
    // Only the address: the rest is written when the page's links are resolved.
    iframe: ["src"],
    img: ["src", "alt"],
    input: ["checked", ["disabled", true], ["type", "checkbox"]],
    ol: ["type", ["className", "contains-task-list"]],
    source: ["src", "type"],
    video: ["src", "poster"],
  },
  protocols: {
    href: ["http", "https", "mailto", "tel"],
    src: ["http", "https", "data"],
    cite: ["http", "https"],
  },
  // The site's own identifiers start with `docs-` and are refused below; a prefix would break the documents' own links.
  clobber: [],
  strip: "script style template noscript object embed svg math form textarea select title".split(" "),
};

const sanitizer = unified().use(rehypeSanitize, schema).freeze();

/** Removes everything from a page's tree that could run, style or load something. */
export function sanitizePage(tree: Root): Root {
  visitElements(tree, (node) => {
    // Of the utility classes only those that tell light from dark remain, under the site's names.
    const name = schemeClassOf(node);
    if (name !== undefined) node.properties["className"] = [name];
  });
  const clean = sanitizer.runSync(tree);
  visitElements(clean, (node) => {
    const { className, id } = node.properties;
    if (Array.isArray(className) && className.length === 0) delete node.properties["className"];
    if (typeof id === "string" && /^docs-/i.test(id)) delete node.properties["id"];
  });
  return clean;
}

/** The class for what documents write: `dark:hidden`, `hidden dark:block`, and GitHub's `image.png#gh-dark-mode-only`. */
function schemeClassOf(node: Element): string | undefined {
  const written = stringProperty(node, "className") ?? classNames(node).join(" ");
  const names = written.split(/\s+/);
  if (names.includes("dark:hidden")) return "only-light";
  const isShownOnDark = names.some((name) => /^dark:(?:block|flex|grid|inline(?:-block|-flex)?)$/.test(name));
  if (names.includes("hidden") && isShownOnDark) return "only-dark";
  const mode = /#gh-(light|dark)-mode-only$/.exec(stringProperty(node, "src") ?? "")?.[1];
  return mode && `only-${mode}`;
}

/** The documents without SVG files that could run or load something: a copied file has the site's rights. */
export async function withoutActiveImages(docs: DocsTree, signal: AbortSignal): Promise<DocsTree> {
  const files = new Set(docs.files);
  const skipped = [...docs.skipped];
  for (const path of docs.files) {
    if (!svgFile.test(path)) continue;
    signal.throwIfAborted();
    await ifUsable(readCopy(docs, path), (message) => {
      files.delete(path);
      skipped.push({ path, message });
    });
  }
  return { ...docs, files, skipped };
}

const svgFile = /\.svg$/i;

/**
 * What the site gets of an image or another file: an SVG with nothing in it but what draws, anything else as it is.
 *
 * @throws {UnusableFileError} when it cannot be read, or is an SVG that could run or load something.
 */
export async function readCopy(docs: DocsTree, path: string): Promise<string | Uint8Array> {
  const bytes = await readFile(docs, path);
  return svgFile.test(path) ? sanitizeSvg(bytes) : bytes;
}
