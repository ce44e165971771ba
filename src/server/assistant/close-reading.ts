/** Reads sections closely: which paragraph, row or item says most of what was asked, under the headings that it stands under. */
import type { ListItem, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { numberTerm } from "./question-form.ts";
import { type DocsSection, type Passage, wordsOf } from "./sections.ts";
import { contentTerms, sumOf, type WeightedTerms, worthIn } from "./text-terms.ts";

/** A paragraph, a block of code, a row with the head of its table, an item; a parameter's line with what follows it. */
export interface Statement {
  /** Position of its block in the section. */
  readonly block: number;
  /** The row, or what the item contains. */
  readonly nodes: readonly RootContent[];
  readonly terms: ReadonlySet<string>;
  /** What it explains: the first cell, or the name in code that it begins with. */
  readonly names: ReadonlySet<string>;
}

interface ReadSection {
  readonly statements: readonly Statement[];
  readonly title: ReadonlySet<string>;
  readonly headings: ReadonlySet<string>;
  readonly lastHeading: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

/** What a term of the question counts that only another statement of the section says. */
const elsewhereShare = 0.7;
/** What one counts that the heading or the name of a row says; less, where the name says more. */
const explainedWorth = 1.8;

const readSections = new WeakMap<DocsSection, ReadSection>();

/** What a close reading finds. */
export interface Reading {
  /** What says most of what was asked. */
  readonly statement: Statement;
  /** How much of it that is: 0 to 1, and more where a heading or a name says it. */
  readonly worth: number;
}

/**
 * Reads a section for the statement that says most of what was asked.
 *
 * @param terms What was asked, and how much each term of it is worth.
 */
export function readClosely(passage: Passage, terms: WeightedTerms): Reading {
  const read = readSection(passage);
  const total = sumOf(terms) || 1;
  const asked = new Set(terms.keys());
  let best = { statement: read.statements[0] ?? headingAlone, worth: 0 };
  for (const statement of read.statements) {
    const named = statement.names.intersection(asked).size / Math.max(1, statement.names.size);
    const explained = 1 + (explainedWorth - 1) * named;
    const worth = worthIn(terms, (own) => shareOf(own, statement, read, explained)) / total;
    // Of statements that say as much, rounding aside, the first.
    if (worth > best.worth + 1e-9) best = { statement, worth };
  }
  return best;
}

/** How much of what was asked a section says anywhere: 0 to 1. */
export function coverageOf(passage: Passage, terms: WeightedTerms): number {
  const { title, headings, all } = readSection(passage);
  const has = (term: string) => Number(title.has(term) || headings.has(term) || all.has(term));
  return worthIn(terms, has) / (sumOf(terms) || 1);
}

function shareOf(
  term: string,
  statement: Statement,
  { title, headings, lastHeading, all }: ReadSection,
  explained: number,
): number {
  // What the title says is said of all statements of a page.
  if (title.has(term)) return 1;
  if (lastHeading.has(term)) return explainedWorth;
  if (statement.names.has(term)) return explained;
  if (statement.terms.has(term) || headings.has(term)) return 1;
  return all.has(term) ? elsewhereShare : 0;
}

const headingAlone: Statement = { block: 0, nodes: [], terms: new Set(), names: new Set() };

function readSection({ page, section }: Passage): ReadSection {
  const known = readSections.get(section);
  if (known !== undefined) return known;
  const statements = statementsOf(section.blocks);
  const read: ReadSection = {
    // A heading alone says something too.
    statements: statements.length > 0 ? statements : [headingAlone],
    title: new Set(contentTerms(page.title)),
    headings: new Set(contentTerms(section.headings.join(" "))),
    lastHeading: new Set(contentTerms(section.headings.at(-1) ?? "")),
    all: new Set([
      ...contentTerms(`${section.text} ${section.code}`),
      ...(/\d/.test(section.text) ? [numberTerm] : []),
    ]),
  };
  readSections.set(section, read);
  return read;
}

function statementsOf(blocks: readonly RootContent[]): Statement[] {
  const found: { block: number; head: RootContent[]; nodes: RootContent[] }[] = [];
  let isNamed = false;
  for (const [block, node] of blocks.entries()) {
    const last = found.at(-1);
    const rows = rowsOf(node);
    const isName = rows === undefined && nameOf(node) !== "";
    if (rows !== undefined) {
      const head = node.type === "table" ? node.children.slice(0, 1) : [];
      found.push(...rows.map((nodes) => ({ block, head, nodes })));
    } else if (isNamed && !isName) last?.nodes.push(node);
    else found.push({ block, head: [], nodes: [node] });
    isNamed = rows === undefined && (isNamed || isName);
  }
  return found.map(({ block, head, nodes }) => {
    const { text, code } = wordsOf([...head, ...nodes]);
    const names = nodes[0] === undefined ? "" : nameOf(nodes[0]);
    const terms = new Set(contentTerms(`${text} ${code}`));
    if (/\d/.test(text)) terms.add(numberTerm);
    return { block, nodes, terms, names: new Set(contentTerms(names)) };
  });
}

/** The rows of a table without its head, the items of a list. */
function rowsOf(node: RootContent): RootContent[][] | undefined {
  if (node.type === "table") return node.children.slice(1).map((row) => [row]);
  return node.type === "list" ? node.children.flatMap(itemsOf) : undefined;
}

/** An item without those below it, and each of those. */
function itemsOf({ children }: ListItem): RootContent[][] {
  const own = children.filter(({ type }) => type !== "list");
  return [
    own,
    ...children.flatMap((child) => (child.type === "list" ? child.children.flatMap(itemsOf) : [])),
  ];
}

function nameOf(node: RootContent): string {
  if (node.type !== "tableRow") return wordsOf([node]).names.join(" ");
  return node.children[0] === undefined ? "" : textOf(node.children[0]);
}
