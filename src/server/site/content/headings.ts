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

/**
 * Gives every heading an identifier and a link to itself. The page's own title is the only first-level heading, and no
 * level is skipped on the way down.
 */
export function outlineHeadings(tree: Root): PageOutline {
  const leadingTitle = takeLeadingTitle(tree);
  const headings: Heading[] = [];
  const slugger = new GithubSlugger();
  let level = 1;
  visit(tree, "element", (node: Element) => {
    const written = depthOf(node);
    if (written === undefined) return undefined;
    // A level that is skipped reads as a section that is missing.
    level = Math.min(Math.max(written, 2), level + 1);
    node.tagName = `h${level}`;
    const text = textOf(node).trim();
    // Footnotes' own heading keeps the identifier that their links point to.
    const existing = stringProperty(node, "id");
    const id = existing ?? slugger.slug(text || "section");
    node.properties["id"] = id;
    if (existing !== "footnote-label") {
      headings.push({ id, text, depth: level });
      node.children.push(anchorTo(id, text));
    }
    return SKIP;
  });
  return { leadingTitle, headings };
}
