/** What the parts of a document say about each other: which definitions and footnotes are used, which elements are closed. */
import type { Definition, FootnoteDefinition, Nodes, Root } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import { rangeOf } from "./markdown.ts";

/** Answers about one document. */
export interface References {
  /** The definition that a reference leads to. */
  definition(identifier: string): Definition | undefined;
  isLinkedTo(definition: Definition): boolean;
  /** Whether this is the definition that a shown reference leads to. */
  isFootnoteShown(definition: FootnoteDefinition): boolean;
  /** What to call a footnote whose label could hold prose; `undefined` where the label may stay. */
  shortFootnote(identifier: string): string | undefined;
  /** Whether raw HTML behind an offset closes an element of this name. */
  isClosedAfter(offset: number, name: string): boolean;
}

/** Too short to say anything. */
const shortLabel = /^[\w-]{1,16}$/;

/** Reads the references of a parsed document. */
export function readReferences(source: string, tree: Root): References {
  const definitions = new Map<string, Definition>();
  const linked = new Set<string>();
  const footnotes = findShownFootnotes(tree);
  const closings = new Map<string, number>();
  visit(tree, (node) => {
    if (node.type === "definition" && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
    else if (node.type === "linkReference" || node.type === "imageReference") linked.add(node.identifier);
    else if (node.type === "html") noteClosings(source, { ...rangeOf(node), closings });
  });
  return {
    definition: (identifier) => definitions.get(identifier),
    isLinkedTo: (node) => linked.has(node.identifier) && definitions.get(node.identifier) === node,
    isFootnoteShown: (node) => footnotes.get(node.identifier) === node,
    shortFootnote: (identifier) =>
      shortLabel.test(identifier) ? undefined : nameFootnote(identifier, footnotes),
    isClosedAfter: (offset, name) => (closings.get(name) ?? -1) > offset,
  };
}

/** Footnotes that the text refers to, or a footnote that it refers to; one that only refers to itself is not shown. */
function findShownFootnotes(tree: Root): ReadonlyMap<string, FootnoteDefinition> {
  const definitions = new Map<string, FootnoteDefinition>();
  visit(tree, "footnoteDefinition", (node) => {
    if (!definitions.has(node.identifier)) definitions.set(node.identifier, node);
  });
  const shown = new Map<string, FootnoteDefinition>();
  const waiting: Nodes[] = [tree];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const from = next;
    visit(from, (node) => {
      if (node.type === "footnoteDefinition" && node !== from) return SKIP;
      const definition = node.type === "footnoteReference" ? definitions.get(node.identifier) : undefined;
      if (definition !== undefined && !shown.has(definition.identifier)) {
        shown.set(definition.identifier, definition);
        waiting.push(definition);
      }
      return undefined;
    });
  }
  return shown;
}

function noteClosings(
  source: string,
  {
    start,
    end,
    closings,
  }: { readonly start: number; readonly end: number; readonly closings: Map<string, number> },
): void {
  for (const { index, 1: name = "" } of source.slice(start, end).matchAll(/<\/([a-z][^\s/>]*)/gi)) {
    closings.set(name.toLowerCase(), start + index);
  }
}

function nameFootnote(identifier: string, footnotes: ReadonlyMap<string, unknown>): string {
  let number = [...footnotes.keys()].indexOf(identifier) + 1;
  while (footnotes.has(`note-${number}`)) number += footnotes.size;
  return `note-${number}`;
}
