/** Removes from documents what could run, style or load something in a reader's browser. */
import type { Element, ElementContent, Properties, Root } from "hast";
import { h, s } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import rehypeSanitize, { defaultSchema, type Options as Schema } from "rehype-sanitize";
import { unified } from "unified";
import { isJsonObject, shorten } from "../../../base/text.ts";
import type { PageReporter } from "../report.ts";
import { type DocsTree, ifUsable, readFile } from "./docs-tree.ts";
import { isElement, skipChildren, stringProperty, visitElements } from "./hast.ts";
import { authorClasses, readLayout, readSize } from "./layout-classes.ts";
import { sanitizeSvg } from "./sanitize-svg.ts";

/** Element name of a component until it is given its markup. */
export const placeholderTag = "docs-component";

/** The elements of a drawing within a page. None repeats others: a few lines of those could take a browser hours. */
export const drawingTags: ReadonlySet<string> = new Set(
  "svg g path circle ellipse line polyline polygon rect text tspan defs linearGradient radialGradient stop clipPath mask".split(
    " ",
  ),
);
/** What refers to another part of the same drawing, or to nothing. */
const ownReferences = /^(?!.*url\((?!\s*["']?#))[^\\]*$/is;
const drawingAttributes =
  "clipPath clipPathUnits clipRule color cx cy d dx dy fill fillOpacity fillRule fontFamily fontSize fontWeight fx fy gradientTransform gradientUnits mask maskUnits offset opacity points preserveAspectRatio r rx ry spreadMethod stopColor stopOpacity stroke strokeDashArray strokeDashOffset strokeLineCap strokeLineJoin strokeMiterLimit strokeOpacity strokeWidth textAnchor transform viewBox x x1 x2 y y1 y2"
    .split(" ")
    .map((name): [string, RegExp] => [name, ownReferences]);

/** Elements without which a page is not as it was written. */
const missedTags =
  /^(?:area|button|canvas|embed|form|input|map|math|meter|object|progress|script|select|style|template|textarea|track)$/;

const harmlessTags =
  "abbr audio caption center cite col colgroup dfn figcaption figure iframe mark nav small time u video wbr";

/** Kinds of addresses that an element may have, by the property. */
const protocols = {
  href: ["http", "https", "mailto", "tel"],
  src: ["http", "https", "data"],
  cite: ["http", "https"],
};

/** What documents may contain: GitHub's list, less what could pose as the site's own controls, plus a few harmless elements. */
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
    // An element that does not know one of these ignores it.
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
    // Only the address: the rest is written when the page's links are resolved.
    iframe: ["src"],
    img: ["src", "alt"],
    input: ["checked", ["disabled", true], ["type", "checkbox"]],
    ol: ["type", ["className", "contains-task-list"]],
    source: ["src", "type"],
    video: ["src", "poster"],
  },
  protocols,
  // The site's own identifiers start with `docs-` and are refused below; a prefix would break the documents' own links.
  clobber: [],
  strip: "script style template noscript object embed math form textarea select title".split(" "),
};

const sanitizer = unified().use(rehypeSanitize, schema).freeze();

/** Removes everything from a page's tree that could run, style or load something, and says what is missed then. */
export function sanitizePage(tree: Root, onWarning: PageReporter = () => undefined): Root {
  const missed = new Set<string>();
  const miss = (name: string, { position, properties: { src } }: Element) => {
    const shown = typeof src === "string" ? `<${name} src="${shorten(src, 300)}">` : `<${name}>`;
    if (!missed.has(shown))
      onWarning(`the site has no such element: ${shown}`, "markup", position?.start.line);
    missed.add(shown);
  };
  visitElements(tree, (node, index, parent) => {
    const { tagName, position } = node;
    const embedded = embeddedAddress(node);
    const refused = refusedAddress(node, embedded);
    if (refused !== undefined) {
      const problem = `the link ${shorten(refused, 300)} leads nowhere: its kind of address is refused`;
      onWarning(problem, "link", position?.start.line);
    }
    if (embedded !== undefined) {
      const frame = h("iframe", { src: embedded, title: node.properties["title"] });
      parent.children[index] = { position, ...frame };
      return skipChildren;
    }
    if (missedTags.test(tagName) && node.properties["type"] !== "checkbox") miss(tagName, node);
    if (tagName === "svg")
      visitElements(node, (part) => {
        // A name with a capital letter, which components have.
        const name = stringProperty(part, "dataName") ?? part.tagName;
        if (!drawingTags.has(name) && !/^(?:title|desc|metadata)$/.test(name)) miss(name, part);
      });
    if (tagName === "button") parent.children[index] = keepWords(node);
    if (tagName === "picture") parent.children.splice(index, 1, ...choosePictures(node));
    keepLooks(node);
    return undefined;
  });
  const clean = sanitizer.runSync(tree);
  visitElements(clean, (node, index, parent) => {
    const { className, id, dataLayout } = node.properties;
    // What scripts would fill, or buttons without words did.
    if (/\b(?:box|pill)\b/.test(String(dataLayout)) && isEmpty(node)) delete node.properties["dataLayout"];
    if (Array.isArray(className) && className.length === 0) delete node.properties["className"];
    if (typeof id === "string" && /^docs-/i.test(id)) delete node.properties["id"];
    if (node.tagName !== "svg") return;
    finishDrawing(node);
    if (node.children.length === 0) parent.children[index] = { type: "text", value: "" };
  });
  return clean;
}

/** Whether an element shows nothing. */
function isEmpty({ children }: Element): boolean {
  return children.every((child) => {
    if (child.type === "text") return child.value.trim() === "";
    const isMedia = isElement(child, "img", "svg", "video", "audio", "iframe", placeholderTag);
    return child.type === "element" && !isMedia && isEmpty(child);
  });
}

/** What is left of a button: its words, which are no part of those beside it. */
function keepWords(button: Element): ElementContent {
  const space: ElementContent = { type: "text", value: " " };
  if (textOf(button).trim() === "") return space;
  return Object.assign(button, { tagName: "span", children: [space, ...button.children, space] });
}

/** Of classes and styles only those that tell where things stand, and light from dark, remain, under the site's names. */
function keepLooks(node: Element): void {
  node.properties["dataLayout"] = readLayout(node);
  if (isElement(node, "svg", "img")) node.properties = { ...readSize(node), ...node.properties };
  const name = schemeClassOf(node);
  if (name !== undefined) node.properties["className"] = [name];
}

/** An address that the sanitizer takes from an element. */
function refusedAddress(node: Element, embedded: string | undefined): string | undefined {
  const isRefused = (address: string | undefined, allowed: readonly string[]) => {
    const scheme = /^([^/?#:]*):/.exec(address ?? "")?.[1];
    return scheme !== undefined && !allowed.includes(scheme);
  };
  const [href, shown] = [stringProperty(node, "href"), embedded ?? stringProperty(node, "src")];
  if (isRefused(href, protocols.href)) return href;
  return isRefused(shown, protocols.src) ? shown : undefined;
}

/** The address of what an element would show as a frame does. */
function embeddedAddress({ tagName, properties }: Element): string | undefined {
  const { src, data } = properties;
  const address = tagName === "object" ? data : src;
  if (typeof address !== "string" || !/^(?:embed|object|script)$/.test(tagName)) return undefined;
  if (tagName !== "script") return address;
  const video = /^https:\/\/fast\.wistia\.(?:com|net)\/embed\/(?:medias\/)?(\w{10})(?:\.jsonp?|\.js)$/.exec(
    address,
  )?.[1];
  return video && `https://fast.wistia.net/embed/iframe/${video}`;
}

/** The picture of a `<picture>`, or one for light and one for dark colours. */
function choosePictures(picture: Element): ElementContent[] {
  const image = picture.children.find((child) => isElement(child, "img"));
  if (image === undefined) return picture.children;
  const addressFor = (scheme: string) => {
    const isMeant = ({ properties: { media } }: Element) => String(media).includes(`color-scheme: ${scheme}`);
    const source = picture.children.find((child) => isElement(child, "source") && isMeant(child)) as
      | Element
      | undefined;
    return /^[^\s,]+/.exec(String(source?.properties["srcSet"] ?? ""))?.[0];
  };
  const [light, dark] = [addressFor("light"), addressFor("dark")];
  if (light === undefined && dark === undefined) return [image];
  const { properties } = image;
  return [
    h("img.only-light", { ...properties, src: light ?? properties["src"] }),
    h("img.only-dark", { ...properties, src: dark ?? properties["src"] }),
  ];
}

/** Gives a drawing its size, which a style sheet mostly had, and hides it from assistive technology where it has no name. */
function finishDrawing(drawing: Element): void {
  const { properties } = drawing;
  const [, , width, height] = String(properties["viewBox"]).split(/[\s,]+/);
  const ratio = Number(width) / Number(height) || 1;
  if (properties["width"] === undefined && properties["height"] === undefined)
    Object.assign(properties, { width, height });
  else if (properties["width"] === undefined)
    properties["width"] = Number(properties["height"]) * ratio || undefined;
  Object.assign(properties, properties["ariaLabel"] ? { role: "img" } : { ariaHidden: "true" });
  keepShapes(drawing);
}

/** Of what covers others nothing is covered itself: a few levels of that could take a browser hours, too. */
function keepShapes(node: Element, isCover = /^(?:mask|clipPath)$/.test(node.tagName)): void {
  if (isCover) for (const name of ["mask", "clipPath"]) delete node.properties[name];
  node.children = node.children.filter(
    (child) => child.type === "text" || (child.type === "element" && drawingTags.has(child.tagName)),
  );
  for (const child of node.children) if (child.type === "element") keepShapes(child, isCover || undefined);
}

/** A drawing in a property, as the sandbox returns it: name, properties and children of each element. */
export function readDrawing(written: unknown): Element | undefined {
  const element = toElement(written);
  const { children } = sanitizePage({ type: "root", children: element === undefined ? [] : [element] });
  return children.find((child) => isElement(child, "svg"));
}

function toElement(written: unknown): Element | undefined {
  if (!Array.isArray(written)) return undefined;
  const [name, props, children] = written as unknown[];
  if (typeof name !== "string" || !drawingTags.has(name)) return undefined;
  return s(name, plainProperties(props), Array.isArray(children) ? children.map(toElement) : []);
}

/** Of an element's properties those that have a value in HTML. */
export function plainProperties(props: unknown): Properties {
  const values = Object.entries(isJsonObject(props) ? props : {});
  const isPlain = ([name, value]: readonly [string, unknown]) =>
    typeof value !== "object" || name === "style";
  return Object.fromEntries(values.filter(isPlain)) as Properties;
}

/** The class for what documents write: `dark:hidden`, `hidden dark:block`, and GitHub's `image.png#gh-dark-mode-only`. */
function schemeClassOf(node: Element): string | undefined {
  const names = authorClasses(node);
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
