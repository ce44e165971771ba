/** The identifiers that links on and to a page point to: those of headings, and of the fields of a reference. */
import GithubSlugger from "github-slugger";
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import { SKIP, visit } from "unist-util-visit";
import { stringProperty } from "./hast.ts";

/** A heading of a page, for its table of contents and for search. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** Takes a first-level heading that the page starts with off the tree: it is the page's title. */
export function takeLeadingTitle(tree: Root): ElementContent[] | undefined {
  const index = tree.children.findIndex((child) => child.type === "element");
  const first = tree.children[index];
  if (first?.type !== "element" || first.tagName !== "h1") return undefined;
  tree.children.splice(index, 1);
  return first.children;
}

/**
 * Gives every heading an identifier as GitHub makes them and a link to itself. The page's own title is the only
 * first-level heading, and no level is skipped on the way down: that reads as a section that is missing.
 */
export function outlineHeadings(tree: Root): Heading[] {
  const headings: Heading[] = [];
  const slugger = new GithubSlugger();
  let depth = 1;
  visit(tree, "element", (node: Element) => {
    if (!/^h[1-6]$/.test(node.tagName)) return undefined;
    depth = Math.min(Math.max(Number(node.tagName[1]), 2), depth + 1);
    node.tagName = `h${depth}`;
    const text = textOf(node).trim();
    const id = stringProperty(node, "id") ?? slugger.slug(text || "section");
    node.properties["id"] = id;
    // Footnotes' own heading keeps the identifier that their links point to, and is no section.
    if (id === "footnote-label") return SKIP;
    headings.push({ id, text, depth });
    const label = `Link to the section “${text}”`;
    node.children.push(h("a.heading-anchor", { href: `#${id}`, ariaLabel: label }, ["#"]));
    return SKIP;
  });
  return headings;
}

/** Gives fields of a reference an identifier, `onFinish` the identifier `on-finish`, where nothing else has it. */
export function identifyFields(tree: Root): void {
  const used = collectIds(tree);
  visit(tree, "element", (node: Element) => {
    const name = stringProperty(node, "dataField");
    delete node.properties["dataField"];
    const id = toKebabCase(name ?? "");
    if (id === "" || used.has(id)) return;
    used.add(id);
    node.properties["id"] = id;
  });
}

function toKebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/** Every identifier of a page. */
export function collectIds(tree: Root): Set<string> {
  const ids = new Set<string>();
  visit(tree, "element", (node: Element) => {
    const id = stringProperty(node, "id");
    if (id !== undefined) ids.add(id);
  });
  return ids;
}
