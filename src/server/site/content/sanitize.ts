/** Removes from pages and SVG files what could run code, change the site's style or load resources in a reader's browser. */
import type { Element, ElementContent, Properties, Root } from "hast";
import { h, s } from "hastscript";
import rehypeSanitize, { defaultSchema, type Options as Schema } from "rehype-sanitize";
import { unified } from "unified";
import { shorten } from "../../../base/text.ts";
import { entriesOf, listOf } from "../json-values.ts";
import type { PageReporter } from "../report.ts";
import { type DocsTree, ifUsable, readFile } from "./docs-tree.ts";
import { classNames, isElement, namesWhere, stringProperty, visitElements } from "./hast.ts";
import { sanitizeSvg } from "./sanitize-svg.ts";

/** Tag name of a component until it is rendered. */
export const placeholderTag = "docs-component";

/** Elements of an inline drawing. No `use` or `pattern`: with nested repetitions, a few lines could block a browser for hours. */
export const drawingTags: ReadonlySet<string> = new Set(
  "svg g path circle ellipse line polyline polygon rect text tspan defs linearGradient radialGradient stop clipPath mask".split(
    " ",
  ),
);
/** A value whose `url()` references stay within the document, and without backslashes. */
const ownReferences = /^(?!.*url\((?!\s*["']?#))[^\\]*$/is;
const drawingAttributes =
  "clipPath clipPathUnits clipRule color cx cy d dx dy fill fillOpacity fillRule fontFamily fontSize fontWeight fx fy gradientTransform gradientUnits mask maskUnits offset opacity points preserveAspectRatio r rx ry spreadMethod stopColor stopOpacity stroke strokeDashArray strokeDashOffset strokeLineCap strokeLineJoin strokeMiterLimit strokeOpacity strokeWidth textAnchor transform viewBox x x1 x2 y y1 y2"
    .split(" ")
    .map((name): [string, RegExp] => [name, ownReferences]);

/** Removed elements that are reported because the page looks different without them. */
const reportedTags =
  /^(?:area|button|canvas|embed|form|input|map|math|meter|object|progress|script|select|style|template|textarea|track)$/;

const harmlessTags =
  "abbr audio caption center cite col colgroup dfn figcaption figure iframe mark nav small time u video wbr";

const protocols = {
  href: ["http", "https", "mailto", "tel"],
  src: ["http", "https", "data"],
  cite: ["http", "https"],
};

/** The allowed elements: GitHub's list without elements that could imitate the site's own controls, plus some harmless ones. */
const schema: Schema = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((name) => name !== "picture"),
    ...harmlessTags.split(" "),
    ...drawingTags,
    placeholderTag,
  ],
  attributes: {
    ...defaultSchema.attributes,
    // Elements for which one of these has no meaning ignore it.
    "*": [
      ..."align colSpan dateTime dir height id lang open reversed rowSpan scope span start title width".split(
        " ",
      ),
      ["className", "only-light", "only-dark"],
      "dataLayout",
    ],
    ...Object.fromEntries([...drawingTags].map((name) => [name, [...drawingAttributes, "ariaLabel"]])),
    [placeholderTag]: ["dataName", "dataProps", "dataInline"],
    audio: ["src"],
    code: [["className", /^language-./], "dataMeta"],
    // Only the URL: the other attributes are added when the page's links are resolved.
    iframe: ["src"],
    img: ["src", "alt"],
    input: ["checked", ["disabled", true], ["type", "checkbox"]],
    ol: ["type", ["className", "contains-task-list"]],
    source: ["src", "type"],
    video: ["src", "poster"],
  },
  protocols,
  // No prefix for ids, which would break the pages' own links. Ids of the site start with `docs-`; these are removed below.
  clobber: [],
  strip: "script style template noscript object embed math form textarea select title".split(" "),
};

/** Whether elements with this name are allowed, or removed on purpose. */
export function isHandledTag(name: string): boolean {
  return [schema.tagNames, schema.strip].some((names) => names?.includes(name)) || reportedTags.test(name);
}

const sanitizer = unified().use(rehypeSanitize, schema).freeze();

/** Sanitizes a page's tree and reports removed content. */
export function sanitizePage(tree: Root, onWarning: PageReporter = () => undefined): Root {
  const reported = new Set<string>();
  const report = (name: string, { position, properties: { src } }: Element) => {
    const tag = typeof src === "string" ? `<${name} src="${shorten(src, 300)}">` : `<${name}>`;
    if (!reported.has(tag))
      onWarning(`this element is not supported: ${tag}`, "markup", position?.start.line);
    reported.add(tag);
  };
  visitElements(tree, (node, index, parent) => {
    const { tagName, position } = node;
    normalizeLink(node);
    const refused = refusedUrl(node);
    if (refused !== undefined) {
      const problem = `the link ${shorten(refused, 300)} is broken: URLs of this type are not allowed`;
      onWarning(problem, "link", position?.start.line);
    }
    if (reportedTags.test(tagName) && node.properties["type"] !== "checkbox") report(tagName, node);
    if (tagName === "svg")
      visitElements(node, (part) => {
        // SVG elements with a capital letter in their name were parsed as components.
        const name = stringProperty(part, "dataName") ?? part.tagName;
        if (!drawingTags.has(name) && !/^(?:title|desc|metadata)$/.test(name)) report(name, part);
      });
    // Spaces separate the text of a button from the text beside it.
    const space: ElementContent = { type: "text", value: " " };
    if (tagName === "button")
      Object.assign(node, { tagName: "span", children: [space, ...node.children, space] });
    if (tagName === "picture") parent.children.splice(index, 1, ...choosePictures(node));
    reduceStyles(node);
  });
  const clean = sanitizer.runSync(tree);
  visitElements(clean, (node, index, parent) => {
    const { className, id } = node.properties;
    if (Array.isArray(className) && className.length === 0) delete node.properties["className"];
    if (typeof id === "string" && /^docs-/i.test(id)) delete node.properties["id"];
    if (node.tagName !== "svg") return;
    finishDrawing(node);
    if (node.children.length === 0) parent.children[index] = { type: "text", value: "" };
  });
  return clean;
}

/**
 * Pages arrange their own elements by Tailwind's utility classes or by styles. Only rows, columns, boxes, centred text, the colour scheme
 * and elements of one screen width are kept, as `data-layout` keywords and classes of the site's own style sheet, and the sizes of pictures.
 */
function reduceStyles(node: Element): void {
  // Before sanitizing, the property is a string or a list.
  const classes = stringProperty(node, "className") ?? classNames(node).join(" ");
  const names = [...classes.split(/\s+/).map((name) => name.replace("!", "")), ...classesOfStyle(node)];
  node.properties["dataLayout"] = readLayout(node, names);
  if (isElement(node, "svg", "img")) node.properties = { ...readSize(node, names), ...node.properties };
  const scheme = schemeClassOf(node, names);
  if (scheme !== undefined) node.properties["className"] = [scheme];
}

/** Tailwind's classes for a row and for centred text in an element's style, whose names may be in camel case. */
function classesOfStyle(node: Element): readonly string[] {
  const style = stringProperty(node, "style") ?? "";
  return namesWhere({
    flex: /(?<![\w-])display\s*:\s*flex\b/i.test(style),
    "flex-col": /(?<![\w-])flex-?direction\s*:\s*column\b/i.test(style),
    "flex-wrap": /(?<![\w-])flex-?wrap\s*:\s*wrap\b/i.test(style),
    "items-center": /(?<![\w-])align-?items\s*:\s*center\b/i.test(style),
    "justify-center": /(?<![\w-])justify-?content\s*:\s*center\b/i.test(style),
    "text-center": /(?<![\w-])text-?align\s*:\s*center\b/i.test(style),
  });
}

/** The site's class for `dark:hidden`, `hidden dark:block`, and GitHub's `image.png#gh-dark-mode-only`. */
function schemeClassOf(node: Element, names: readonly string[]): string | undefined {
  if (names.includes("dark:hidden")) return "only-light";
  const isShownOnDark = names.some((name) => /^dark:(?:block|flex|grid|inline(?:-block|-flex)?)$/.test(name));
  if (names.includes("hidden") && isShownOnDark) return "only-dark";
  const mode = /#gh-(light|dark)-mode-only$/.exec(stringProperty(node, "src") ?? "")?.[1];
  return mode && `only-${mode}`;
}

/** Reads the width and height of a picture in pixels from its classes and style. A unit of Tailwind's scale is four pixels. */
function readSize(node: Element, names: readonly string[]): Readonly<Record<string, number>> {
  const style = stringProperty(node, "style") ?? "";
  const styles = [...style.matchAll(/(?<![\w-])([wh])(?:idth|eight)\s*:\s*([\d.]+(?:px)?)\s*(?:;|$)/g)];
  const sizes = [...names, ...styles.map(([, side, size]) => `${side}-[${size}]`)].flatMap((name) => {
    const [, side, units, pixels] =
      /^(w|h|size)-(?:(\d+(?:\.\d+)?)|\[(\d+(?:\.\d+)?)(?:px)?\])$/.exec(name) ?? [];
    const size = units === undefined ? Number(pixels) : Number(units) * 4;
    if (side === undefined || size === 0) return [];
    return [{ ...(side !== "h" && { width: size }), ...(side !== "w" && { height: size }) }];
  });
  return Object.assign({}, ...sizes);
}

const boxTags = new Set(["div", "section", "article", "aside", "p", "li"]);

/** Creates the value of an element's `data-layout`; `undefined` for most elements. The style sheet adapts it to narrow screens. */
function readLayout({ tagName }: Element, names: readonly string[]): string | undefined {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const counts = names.map((name) => Number(/^(?:\w+:)?grid-cols-(\d+)$/.exec(name)?.[1] ?? 0));
  const columns = Math.min(4, Math.max(0, ...counts));
  const isRow = has(/^(?:\w+:)?flex$/) && (!has(/^flex-col/) || has(/:flex-row$/));
  const isFramed = has(/^(?:border(?:-\d)?|bg-(?!transparent|none).+|shadow(?:-.+)?|ring-\d)$/);
  const isBox = isFramed && has(/^rounded(?!-none)/) && has(/^(?:\w+:)?p[xy]?-/) && boxTags.has(tagName);
  const keywords = namesWhere({
    [`grid grid-${columns}`]: columns > 1 && has(/^(?:\w+:)?grid$/),
    row: isRow,
    wrap: isRow && has(/^flex-wrap$|:flex-row$/),
    middle: isRow && has(/^items-center$/),
    "justify-center": isRow && has(/^justify-center$/),
    box: isBox,
    center: has(/^text-center$/),
    // Shown on such screens only; a page often has the same content for both.
    narrow: has(/^(?:sm|md|lg|xl):hidden$/),
    wide: has(/^hidden$/) && has(/^(?:sm|md|lg|xl):(?:block|flex|grid|inline)/),
  });
  return keywords.length === 0 ? undefined : keywords.join(" ");
}

function normalizeLink(node: Element): void {
  const { tagName, properties } = node;
  const href = stringProperty(node, "href");
  if (href !== undefined) properties["href"] = href.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  // The form of an anchor in HTML 4.
  if (tagName === "a") properties["id"] ??= properties["name"];
}

/** A URL that the sanitizer removes from an element because of its scheme. */
function refusedUrl(node: Element): string | undefined {
  const isRefused = (url: string | undefined, allowed: readonly string[]) => {
    const scheme = /^([^/?#:]*):/.exec(url ?? "")?.[1];
    return scheme !== undefined && !allowed.includes(scheme);
  };
  const [href, src] = [stringProperty(node, "href"), stringProperty(node, "src")];
  if (isRefused(href, protocols.href)) return href;
  return isRefused(src, protocols.src) ? src : undefined;
}

/** Replaces a `<picture>` by its image, or by one image for light and one for dark pages. */
function choosePictures(picture: Element): ElementContent[] {
  const image = picture.children.find((child) => isElement(child, "img"));
  if (image === undefined) return picture.children;
  const urlFor = (scheme: string) => {
    const sources = picture.children.filter((child) => isElement(child, "source"));
    const source = sources.find((each) => stringProperty(each, "media")?.includes(`color-scheme: ${scheme}`));
    return /^[^\s,](?:(?!\s[\d.]+[wx])[^,])*/.exec(String(source?.properties["srcSet"] ?? ""))?.[0].trim();
  };
  const [light, dark] = [urlFor("light"), urlFor("dark")];
  if (light === undefined && dark === undefined) return [image];
  const { properties } = image;
  return [
    h("img.only-light", { ...properties, src: light ?? properties["src"] }),
    h("img.only-dark", { ...properties, src: dark ?? properties["src"] }),
  ];
}

/** Sets a drawing's size, which a style sheet often defined, and hides it from assistive technology if it has no label. */
function finishDrawing(drawing: Element): void {
  const { properties } = drawing;
  const [, , width, height] = String(properties["viewBox"]).split(/[\s,]+/);
  const ratio = Number(width) / Number(height) || 1;
  if (properties["width"] === undefined && properties["height"] === undefined)
    Object.assign(properties, { width, height });
  else if (properties["width"] === undefined)
    properties["width"] = Number(properties["height"]) * ratio || undefined;
  Object.assign(properties, properties["ariaLabel"] ? { role: "img" } : { ariaHidden: "true" });
  sanitizeShapes(drawing);
}

/** Removes other elements, and masks within masks: a few levels of these could block a browser for hours. */
function sanitizeShapes(node: Element, isMask = /^(?:mask|clipPath)$/.test(node.tagName)): void {
  if (isMask) for (const name of ["mask", "clipPath"]) delete node.properties[name];
  node.children = node.children.filter(
    (child) => child.type === "text" || (child.type === "element" && drawingTags.has(child.tagName)),
  );
  for (const child of node.children) if (child.type === "element") sanitizeShapes(child, isMask || undefined);
}

/** Reads a drawing in a component's property. The sandbox returns each element as its name, properties and children. */
export function readDrawing(value: unknown): Element | undefined {
  const element = toElement(value);
  const { children } = sanitizePage({ type: "root", children: element === undefined ? [] : [element] });
  return children.find((child) => isElement(child, "svg"));
}

function toElement(value: unknown): Element | undefined {
  const [name, props, children] = listOf(value);
  if (typeof name !== "string" || !drawingTags.has(name)) return undefined;
  return s(name, plainProperties(props), listOf(children).map(toElement));
}

/** The properties of a JSX element that can be HTML attributes. */
export function plainProperties(props: unknown): Properties {
  const isPlain = ([name, value]: readonly [string, unknown]) =>
    typeof value !== "object" || name === "style";
  return Object.fromEntries(entriesOf(props).filter(isPlain)) as Properties;
}

/** Removes SVG files that could run code or load resources: a copied file has the site's origin. */
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
 * Reads an image or another file that the site copies. SVG files are sanitized.
 *
 * @throws {UnusableFileError} if it cannot be read, or is an SVG file that could run code or load resources.
 */
export async function readCopy(docs: DocsTree, path: string): Promise<string | Uint8Array> {
  const bytes = await readFile(docs, path);
  return svgFile.test(path) ? sanitizeSvg(bytes) : bytes;
}
