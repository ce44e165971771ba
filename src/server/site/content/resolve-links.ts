/** Points a page's links and pictures at their places in the site. */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { classNames, isElement, stringProperty, textOf } from "./hast.ts";

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

const externalRel = ["noopener", "noreferrer"];

/** Points every link and picture of a page at its place in the site, or says that there is none. */
export function resolveLinks(tree: Root, resolver: LinkResolver): void {
  function resolveNode(node: ElementContent, isInLink: boolean): ElementContent {
    if (node.type !== "element") return node;
    if (node.tagName === "a") resolveLink(node, resolver);
    if (isElement(node, "img", "video", "audio")) return resolveMedia(node, resolver, isInLink);
    node.children = node.children.map((child) => resolveNode(child, isInLink || node.tagName === "a"));
    return node;
  }
  tree.children = tree.children.map((child) => resolveNode(child as ElementContent, false));
}

function resolveLink(node: Element, resolver: LinkResolver): void {
  const href = stringProperty(node, "href");
  if (href === undefined || classNames(node).includes("heading-anchor")) return;
  const target = resolver.resolveLink(href);
  if (target.kind === "broken") {
    // A link that leads nowhere keeps its text.
    node.tagName = "span";
    node.properties = { className: ["broken-link"], title: "This page is not part of the export" };
    return;
  }
  if (textOf(node).trim() === "" && !holdsPicture(node)) {
    // Around a drawing that was left out, for instance: there is nothing to press, and nothing to read out.
    delete node.properties["href"];
    return;
  }
  node.properties["href"] = target.href;
  if (target.kind !== "external") return;
  node.properties["rel"] = externalRel;
  node.properties["className"] = [...classNames(node), "external"];
}

function holdsPicture(node: Element): boolean {
  return node.children.some(
    (child) => child.type === "element" && (isElement(child, "img", "svg", "video") || holdsPicture(child)),
  );
}

function resolveMedia(node: Element, resolver: LinkResolver, isInLink: boolean): ElementContent {
  // `<video><source></video>` is shown as its first source.
  const source = node.children.find((child) => isElement(child, "source"));
  const written =
    node.properties["src"] ?? (source?.type === "element" ? source.properties["src"] : undefined);
  const target: LinkTarget =
    typeof written === "string" ? resolver.resolveMedia(written) : { kind: "broken" };
  if (target.kind !== "internal") return mediaPlaceholder(node, target, isInLink);
  if (node.tagName !== "img") return h(node.tagName, { src: target.href, controls: true });
  node.properties["src"] = target.href;
  node.properties["alt"] ??= "";
  node.properties["loading"] = "lazy";
  return node;
}

/** A page fetches nothing: what lies elsewhere becomes a link to it. */
function mediaPlaceholder(node: Element, target: LinkTarget, isInLink: boolean): Element {
  const alt = stringProperty(node, "alt") || (node.tagName === "img" ? "Image" : "Video");
  if (target.kind !== "external" || isInLink) return h("span.missing-media", [alt]);
  return h("a", { href: target.href, rel: externalRel, className: ["missing-media", "external"] }, [alt]);
}
