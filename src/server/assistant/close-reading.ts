/** Finds the statement of a section that matches a question best, taking the headings above it into account. */
import type { ListItem, RootContent } from "mdast";
import { cachePerObject } from "../../base/cache-per-object.ts";
import { indexedTextOf, type Passage } from "./sections.ts";
import { contentTerms, totalWeight, type WeightedTerms, weightIn } from "./text-terms.ts";

/** A paragraph, a code block, a table row with its header, a list item, or a parameter with its description. */
export interface Statement {
  /** Index of its block in the section. */
  readonly block: number;
  /** The row, or the content of the item. */
  readonly nodes: readonly RootContent[];
  readonly terms: ReadonlySet<string>;
  /** The terms of the name that it explains: of its first cell, or of the code that it starts with. */
  readonly names: ReadonlySet<string>;
}

/** Share of a term that the last heading or the explained name contains. It shrinks with the share of other terms in them. */
const explainedShare = 1.8;

/** The best statement of a section. */
export interface Reading {
  readonly statement: Statement;
  /** Covered share of the question: 0 to 1, or more if a heading or a name contains its terms. */
  readonly coverage: number;
}

/** Finds the statement of a section that covers most of the question's weighted terms. */
export function readClosely(passage: Passage, terms: WeightedTerms): Reading {
  const { statements, title, headings, lastHeading } = termsOfSection(passage);
  const total = totalWeight(terms) || 1;
  const asked = new Set(terms.keys());
  const explains = (own: ReadonlySet<string>) =>
    1 + ((explainedShare - 1) * own.intersection(asked).size) / Math.max(1, own.size);
  const headingShare = explains(lastHeading);
  let best = { statement: statements[0] ?? emptyStatement, coverage: 0 };
  for (const statement of statements) {
    const nameShare = explains(statement.names);
    const shareOf = (term: string) => {
      // The title applies to every statement of the page.
      if (title.has(term)) return 1;
      if (lastHeading.has(term)) return headingShare;
      if (statement.names.has(term)) return nameShare;
      return statement.terms.has(term) || headings.has(term) ? 1 : 0;
    };
    let covered = 0;
    for (const [term, weight] of terms) covered += weight * shareOf(term);
    // The first of equal statements wins, with a tolerance for rounding.
    if (covered / total > best.coverage + 1e-9) best = { statement, coverage: covered / total };
  }
  return best;
}

/** The share of the question's terms that the whole section covers: 0 to 1. */
export function coverageOf(passage: Passage, terms: WeightedTerms): number {
  const { title, headings, all } = termsOfSection(passage);
  return weightIn(all.union(title).union(headings), terms) / (totalWeight(terms) || 1);
}

const emptyStatement: Statement = { block: 0, nodes: [], terms: new Set(), names: new Set() };

const termsOfSection = cachePerObject(({ page, section }: Passage) => ({
  // A section without content can still match by its heading.
  statements: section.blocks.length > 0 ? statementsOf(section.blocks) : [emptyStatement],
  title: new Set(contentTerms(page.title)),
  headings: new Set(contentTerms(section.headings.join(" "))),
  lastHeading: new Set(contentTerms(section.headings.at(-1) ?? "")),
  all: new Set(contentTerms(`${section.text} ${section.code}`)),
}));

function statementsOf(blocks: readonly RootContent[]): Statement[] {
  const found: { block: number; head: RootContent[]; nodes: RootContent[] }[] = [];
  let isNamed = false;
  for (const [block, node] of blocks.entries()) {
    const rows = rowsOf(node);
    const isName = rows === undefined && indexedTextOf([node]).names.length > 0;
    if (rows !== undefined) {
      const head = node.type === "table" ? node.children.slice(0, 1) : [];
      found.push(...rows.map((nodes) => ({ block, head, nodes })));
    } else if (isNamed && !isName) found.at(-1)?.nodes.push(node);
    else found.push({ block, head: [], nodes: [node] });
    isNamed = rows === undefined && (isNamed || isName);
  }
  return found.map(({ block, head, nodes }) => {
    const { text, code } = indexedTextOf([...head, ...nodes]);
    const names = new Set(contentTerms(indexedTextOf(nodes.slice(0, 1)).names.join(" ")));
    return { block, nodes, terms: new Set(contentTerms(`${text} ${code}`)), names };
  });
}

/** The rows of a table without its header, or the items of a list. */
function rowsOf(node: RootContent): RootContent[][] | undefined {
  if (node.type === "table") return node.children.slice(1).map((row) => [row]);
  return node.type === "list" ? node.children.flatMap(itemsOf) : undefined;
}

/** The content of an item without nested lists, followed by the items of those lists. */
function itemsOf({ children }: ListItem): RootContent[][] {
  const own = children.filter(({ type }) => type !== "list");
  return [
    own,
    ...children.flatMap((child) => (child.type === "list" ? child.children.flatMap(itemsOf) : [])),
  ];
}
