/** Reads sections closely: which paragraph, row or item says most of what was asked, under the headings that it stands under. */
import type { ListItem, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { type DocsSection, type Passage, wordsOf } from "./sections.ts";
import { contentTerms, type WeightedTerms } from "./text-terms.ts";

/** A paragraph, a block of code, a row with the head of its table, an item; a parameter's line with what follows it. */
interface Statement {
  /** Position of its block in the section. */
  readonly block: number;
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
/** What one counts that the heading or the name of a row says. */
const explainedWorth = 1.8;

const known = new WeakMap<DocsSection, ReadSection>();

/**
 * The block of a section with the statement that says most of what was asked, and how much of it that is: 0 to 1, and more where
 * a heading or a name says it.
 *
 * @param terms What was asked, and how much each term of it is worth.
 */
export function readClosely(passage: Passage, terms: WeightedTerms): { block: number; worth: number } {
  const read = known.get(passage.section) ?? readSection(passage);
  known.set(passage.section, read);
  const total = [...terms.values()].reduce((sum, worth) => sum + worth, 0) || 1;
  let best = { block: 0, worth: 0 };
  for (const statement of read.statements) {
    const worths = [...terms].map(([term, value]) => value * shareOf(term, statement, read));
    const worth = worths.reduce((sum, one) => sum + one, 0) / total;
    // Of statements that say as much, rounding aside, the first.
    if (worth > best.worth + 1e-9) best = { block: statement.block, worth };
  }
  return best;
}

function shareOf(
  term: string,
  statement: Statement,
  { title, headings, lastHeading, all }: ReadSection,
): number {
  // What the title says is said of all statements of a page.
  if (title.has(term)) return 1;
  if (statement.names.has(term) || lastHeading.has(term)) return explainedWorth;
  if (statement.terms.has(term) || headings.has(term)) return 1;
  return all.has(term) ? elsewhereShare : 0;
}

function readSection({ page, section }: Passage): ReadSection {
  const statements = statementsOf(section.blocks);
  return {
    // A heading alone says something too.
    statements: statements.length > 0 ? statements : [{ block: 0, terms: new Set(), names: new Set() }],
    title: new Set(contentTerms(page.title)),
    headings: new Set(contentTerms(section.headings.join(" "))),
    lastHeading: new Set(contentTerms(section.headings.at(-1) ?? "")),
    all: new Set(contentTerms(`${section.text} ${section.code}`)),
  };
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
    return { block, terms: new Set(contentTerms(`${text} ${code}`)), names: new Set(contentTerms(names)) };
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
