/** Tables that pages write as elements, as the tables of Markdown: programs read them, and the assistant quotes their rows. */
import type { Nodes, PhrasingContent, Table, TableCell, TableRow } from "mdast";
import { isJsx, type JsxElement } from "./compile-mdx.ts";

/** The outermost elements of these names in and below some nodes, but not in a table within them. */
function elementsIn(nodes: readonly Nodes[], ...names: readonly string[]): JsxElement[] {
  return nodes.flatMap((node) => {
    if (isJsx(node) && names.includes(node.name ?? "")) return [node];
    return "children" in node && !(isJsx(node) && node.name === "table")
      ? elementsIn(node.children, ...names)
      : [];
  });
}

const space = { type: "text", value: " " } as const;
/** What stands in a line of text. */
export const phrasingTypes = new Set(
  "text emphasis strong delete inlineCode link linkReference image imageReference break footnoteReference mdxJsxTextElement".split(
    " ",
  ),
);

/** What a cell says, in one line. */
function phrasesOf(nodes: readonly Nodes[]): PhrasingContent[] {
  return nodes.flatMap((node): PhrasingContent[] => {
    if (node.type === "break" || (isJsx(node) && node.name === "br")) return [space];
    if (node.type === "code") return [space, { type: "inlineCode", value: node.value }, space];
    if (phrasingTypes.has(node.type)) return [node as PhrasingContent];
    if (node.type === "mdxJsxFlowElement" && !["p", "div", "ul", "ol", "li"].includes(node.name ?? ""))
      return [{ ...node, type: "mdxJsxTextElement", children: phrasesOf(node.children) }, space];
    return "children" in node ? [...phrasesOf(node.children), space] : [];
  });
}

function cellOf(cell: JsxElement): TableCell {
  return { type: "tableCell", children: phrasesOf(cell.children) };
}

const maxCells = 100_000;

/** Whether a table has too many cells to add those that its rows lack. */
export function isHuge(rows: readonly unknown[], columns: readonly unknown[]): boolean {
  return rows.length * columns.length > maxCells;
}

/** A table of a page's elements; `undefined` where it has no rows. */
export function tableOf(element: JsxElement): Table | undefined {
  const rows = elementsIn(element.children, "tr").map((row) => elementsIn(row.children, "th", "td"));
  const [first] = rows;
  if (first === undefined) return undefined;
  const widest = rows.reduce((most, cells) => (cells.length > most.length ? cells : most));
  const width = isHuge(rows, widest) ? 0 : widest.length;
  const lines = rows.map((cells) => rowOf(cells.map(cellOf), width));
  // Markdown has no table without a header.
  const hasHeader = first.every(({ name }) => name === "th");
  return { type: "table", children: hasHeader ? lines : [rowOf([], widest.length), ...lines] };
}

function rowOf(cells: TableCell[], width: number): TableRow {
  const missing = Array.from(
    { length: Math.max(0, width - cells.length) },
    (): TableCell => ({ type: "tableCell", children: [] }),
  );
  return { type: "tableRow", children: [...cells, ...missing] };
}
