import GithubSlugger from "github-slugger";
import type { Element, ElementContent, Root } from "hast";
import { SKIP, visit } from "unist-util-visit";
import { element, stringProperty, textOf } from "./hast.ts";

/** A heading of a page, for its table of contents and for search. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** What a page's headings say of it. */
export interface PageOutline {
  /** Content of a heading that the page starts with: it is the page's title and no longer in the tree. */
  readonly leadingTitle: readonly ElementContent[] | undefined;
  readonly headings: readonly Heading[];
}

function takeLeadingTitle(tree: Root): ElementContent[] | undefined {
  const index = tree.children.findIndex((child) => child.type === "element");
  const first = tree.children[index];
  if (first?.type !== "element" || first.tagName !== "h1") return undefined;
  tree.children.splice(index, 1);
  return first.children;
}

function depthOf(node: Element): number | undefined {
  const match = /^h([1-6])$/.exec(node.tagName);
  return match === null ? undefined : Number(match[1]);
}

function anchorTo(id: string, text: string): Element {
  return element(
    "a",
    { className: ["heading-anchor"], href: `#${id}`, ariaLabel: `Link to the section “${text}”` },
    "#",
  );
}

/** Gives every heading an identifier and a link to itself; the page's own title is the only first-level heading. */
export function outlineHeadings(tree: Root): PageOutline {
  const leadingTitle = takeLeadingTitle(tree);
  const headings: Heading[] = [];
  const slugger = new GithubSlugger();
  visit(tree, "element", (node: Element) => {
    const depth = depthOf(node);
    if (depth === undefined) return undefined;
    const text = textOf(node).trim();
    // Footnotes' own heading keeps the identifier that their links point to.
    const existing = stringProperty(node, "id");
    const id = existing ?? slugger.slug(text || "section");
    node.properties["id"] = id;
    if (depth === 1) node.tagName = "h2";
    if (existing !== "footnote-label") {
      headings.push({ id, text, depth: Math.max(depth, 2) });
      node.children.push(anchorTo(id, text));
    }
    return SKIP;
  });
  return { leadingTitle, headings };
}
