/** Resolves the links and media of a page's tree. */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import { classNames, findElement, isElement, stringProperty } from "./content/hast.ts";
import type { Words } from "./interface-words.ts";
import type { LinkResolver, MediaKind } from "./links.ts";

const externalRel = ["noopener", "noreferrer"];

function isExternal(url: string | undefined): boolean {
  return /^(?:https?|mailto|tel):/.test(url ?? "");
}

/** Whether a page shows media itself instead of a link to them. */
function isShown(url: string | undefined, { keepsRemote = false }: LinkResolver): url is string {
  return url !== undefined && (!isExternal(url) || (keepsRemote && url.startsWith("https:")));
}

/** Resolves all links and media of a page. */
export function resolveLinks(tree: Root, resolver: LinkResolver, words: Words): void {
  /** @param parentLine line of the parent, for generated nodes without a position */
  function resolveNode(node: ElementContent, link: Element | undefined, parentLine?: number): ElementContent {
    if (node.type !== "element") return node;
    const line = node.position?.start.line ?? parentLine;
    // A URL as the text of a link was parsed as a nested link.
    const isAnchor = classNames(node).includes("heading-anchor");
    if (node.tagName === "a" && link !== undefined)
      Object.assign(node, withoutHref(node), isAnchor && { children: [] });
    else if (node.tagName === "a" && !isAnchor) resolveLink(node, resolver, words, line);
    if (isElement(node, "img", "video", "audio", "iframe"))
      return resolveMedia(node, resolver, link, words, line);
    const innermost = link ?? (node.tagName === "a" ? node : undefined);
    node.children = node.children.map((child) => resolveNode(child, innermost, line));
    return node;
  }
  tree.children = tree.children.map((child) => resolveNode(child as ElementContent, undefined));
}

function resolveLink(node: Element, resolver: LinkResolver, words: Words, line: number | undefined): void {
  const original = stringProperty(node, "href");
  if (original === undefined) return;
  const href = resolver.resolveLink(original, line);
  if (href === undefined) {
    // A broken link keeps its text.
    const { tagName, properties } = withoutHref(node);
    const look = { className: ["broken-link"], title: words.notExported };
    Object.assign(node, { tagName, properties: { ...properties, ...look } });
  } else if (textOf(node).trim() === "" && !["img", "svg", "video"].some((tag) => findElement(node, tag))) {
    // Without text and picture, for instance after an invalid drawing was removed, the link is useless.
    node.properties = withoutHref(node).properties;
  } else {
    // Links to other sites get an arrow, unless they already end with one or contain only a picture.
    const isMarked = href.startsWith("http") && !/(?:^|[↗→])\s*$/.test(textOf(node));
    const className = isMarked ? [...classNames(node), "external"] : node.properties["className"];
    const marks = isExternal(href) && { rel: externalRel, className };
    const name = !hasName(node) && { ariaLabel: href };
    node.properties = { ...node.properties, href, ...name, ...marks };
  }
}

/** Whether a link or a part of it has an accessible name. */
function hasName(node: ElementContent): boolean {
  if (node.type === "text") return node.value.trim() !== "";
  if (node.type !== "element" || node.properties["ariaHidden"] === "true") return false;
  return Boolean(node.properties["ariaLabel"] || node.properties["alt"]) || node.children.some(hasName);
}

/** Turns a link into a `span`. */
function withoutHref({ properties: { id, dataLayout } }: Element): Pick<Element, "tagName" | "properties"> {
  return { tagName: "span", properties: { id, dataLayout } };
}

/** A framed page may run its own scripts, but cannot navigate the top window or see the URL of the page. */
const frameProperties = {
  sandbox: "allow-scripts allow-same-origin allow-popups allow-presentation",
  referrerPolicy: "no-referrer",
  loading: "lazy",
  allow: "fullscreen",
};

/** Resolves media. Remote media become links unless the site keeps them. */
function resolveMedia(
  node: Element,
  resolver: LinkResolver,
  link: Element | undefined,
  words: Words,
  line: number | undefined,
): Element {
  const { properties } = node;
  const kind = node.tagName as MediaKind;
  // Of `<video><source></video>`, the first source is used.
  const firstSource = node.children.find((child) => isElement(child, "source"));
  const original = properties["src"] ?? firstSource?.properties["src"];
  const isIcon = classNames(node).includes("icon-image");
  const src =
    typeof original === "string" ? resolver.resolveMedia(original, line, isIcon ? "icon" : kind) : undefined;
  if (!isShown(src, resolver) || (kind === "iframe" && !isExternal(src)))
    return isIcon ? h("span") : renderMissingMedia(node, src, link, words);
  if (kind === "img") return h("img", { ...properties, src, alt: properties["alt"] ?? "", loading: "lazy" });
  if (kind === "iframe") {
    return h("iframe", { title: words.iframe, ...properties, src, ...frameProperties });
  }
  const posterSource = stringProperty(node, "poster");
  const poster = posterSource === undefined ? undefined : resolver.resolveMedia(posterSource, line);
  return h(kind, {
    ...properties,
    src,
    controls: true,
    poster: isShown(poster, resolver) ? poster : undefined,
  });
}

/** Replaces media that a page does not show by a link to them. */
function renderMissingMedia(node: Element, src: string | undefined, link: Element | undefined, words: Words) {
  const kind = node.tagName as MediaKind;
  const name = stringProperty(node, "alt") || stringProperty(node, "title");
  // In a link with text, a picture without alternative text is decoration.
  if (link !== undefined && !name && kind === "img" && textOf(link).trim() !== "") return h("span");
  const label = name || words[kind];
  const className = ["missing-media", ...classNames(node)];
  if (src === undefined || link !== undefined) return h("span", { className }, [label]);
  const marks = isExternal(src) && { rel: externalRel };
  if (marks) className.push("external");
  return h("a", { href: src, ...marks, className }, [label]);
}
