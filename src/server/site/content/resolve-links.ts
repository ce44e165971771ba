import type { Element, ElementContent, Root } from "hast";
import { classNames, element, stringProperty, textOf } from "./hast.ts";

/** Where a link or a picture of a page leads. */
export type LinkTarget =
  | { readonly kind: "internal"; readonly href: string }
  | { readonly kind: "external"; readonly href: string }
  | { readonly kind: "broken" };

/** Finds the targets of a page's links; each call may record what it finds. */
export interface LinkResolver {
  resolveLink(href: string): LinkTarget;
  resolveMedia(source: string): LinkTarget;
}

/** A link that leads nowhere keeps its text. */
function breakLink(node: Element): void {
  node.tagName = "span";
  node.properties = { className: ["broken-link"], title: "This page is not part of the export" };
}

function isEmpty(node: Element): boolean {
  const hasPicture = (child: ElementContent): boolean =>
    child.type === "element" &&
    (["img", "svg", "video"].includes(child.tagName) || child.children.some(hasPicture));
  return textOf(node).trim() === "" && !node.children.some(hasPicture);
}

function linkNode(node: Element, resolver: LinkResolver): void {
  const href = stringProperty(node, "href");
  if (href === undefined || classNames(node).includes("heading-anchor")) return;
  const target = resolver.resolveLink(href);
  if (target.kind === "broken") {
    breakLink(node);
    return;
  }
  if (isEmpty(node)) {
    // Around a drawing that was left out, for instance: there is nothing to press, and nothing to read out.
    delete node.properties["href"];
    return;
  }
  node.properties["href"] = target.href;
  if (target.kind !== "external") return;
  node.properties["rel"] = ["noopener", "noreferrer"];
  node.properties["className"] = [...classNames(node), "external"];
}

/** A page fetches nothing: what lies elsewhere becomes a link to it. */
function mediaPlaceholder(node: Element, target: LinkTarget, isInLink: boolean): ElementContent {
  const alt = stringProperty(node, "alt") || (node.tagName === "img" ? "Image" : "Video");
  if (target.kind !== "external" || isInLink) return element("span", { className: ["missing-media"] }, alt);
  const properties = {
    href: target.href,
    rel: ["noopener", "noreferrer"],
    className: ["missing-media", "external"],
  };
  return element("a", properties, alt);
}

function mediaNode(node: Element, resolver: LinkResolver, isInLink: boolean): ElementContent {
  const source = stringProperty(node, "src");
  const target: LinkTarget = source === undefined ? { kind: "broken" } : resolver.resolveMedia(source);
  if (target.kind !== "internal") return mediaPlaceholder(node, target, isInLink);
  node.properties["src"] = target.href;
  if (node.tagName !== "img") return { ...node, properties: { src: target.href, controls: true } };
  node.properties["alt"] ??= "";
  node.properties["loading"] = "lazy";
  return node;
}

/** `<video><source></video>` is shown as its first source. */
function liftSource(node: Element): void {
  const source = node.children.find((child) => child.type === "element" && child.tagName === "source");
  if (source?.type === "element" && node.properties["src"] === undefined)
    node.properties["src"] = source.properties["src"];
  node.children = [];
}

/** Points every link and picture of a page at its place in the site, or says that there is none. */
export function resolveLinks(tree: Root, resolver: LinkResolver): void {
  function resolveNode(node: ElementContent, isInLink: boolean): ElementContent {
    if (node.type !== "element") return node;
    if (node.tagName === "a") linkNode(node, resolver);
    if (node.tagName === "video" || node.tagName === "audio") liftSource(node);
    if (["img", "video", "audio"].includes(node.tagName)) return mediaNode(node, resolver, isInLink);
    node.children = node.children.map((child) => resolveNode(child, isInLink || node.tagName === "a"));
    return node;
  }
  tree.children = tree.children.map((child) => resolveNode(child as ElementContent, false));
}
