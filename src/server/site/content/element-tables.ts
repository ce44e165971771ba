/** Converts tables that pages write as HTML elements to Markdown tables, for the pages' Markdown and for the assistant. */
import type { Nodes, PhrasingContent, Table, TableCell, TableRow } from "mdast";
import { phrasing } from "mdast-util-phrasing";
import { isJsx, type JsxElement } from "./compile-mdx.ts";

/** The outermost elements with these names. Nested tables are not searched. */
function findElements(nodes: readonly Nodes[], ...names: readonly string[]): JsxElement[] {
  return nodes.flatMap((node) => {
    if (isJsx(node) && names.includes(node.name ?? "")) return [node];
    return "children" in node && !(isJsx(node) && node.name === "table")
      ? findElements(node.children, ...names)
      : [];
  });
}

const space = { type: "text", value: " " } as const;

/** The content of a cell as one line. */
function toPhrasing(nodes: readonly Nodes[]): PhrasingContent[] {
  return nodes.flatMap((node): PhrasingContent[] => {
    if (node.type === "break" || (isJsx(node) && node.name === "br")) return [space];
    if (node.type === "code") return [space, { type: "inlineCode", value: node.value }, space];
    if (phrasing(node)) return [node];
    if (node.type === "mdxJsxFlowElement" && !["p", "div", "ul", "ol", "li"].includes(node.name ?? ""))
      return [{ ...node, type: "mdxJsxTextElement", children: toPhrasing(node.children) }, space];
    return "children" in node ? [...toPhrasing(node.children), space] : [];
  });
}

const maxCells = 100_000;

/** Whether a table is too large to pad all its rows to the same number of cells. */
export function isHuge(rows: readonly unknown[], columns: readonly unknown[]): boolean {
  return rows.length * columns.length > maxCells;
}

/** Converts a `<table>` element; `undefined` if it has no rows. */
export function toMarkdownTable(element: JsxElement): Table | undefined {
  const rows = findElements(element.children, "tr").map((row) => findElements(row.children, "th", "td"));
  const [first] = rows;
  if (first === undefined) return undefined;
  const widest = rows.reduce((most, cells) => (cells.length > most.length ? cells : most));
  const width = isHuge(rows, widest) ? 0 : widest.length;
  const tableRows = rows.map((cells) => createRow(cells, width));
  // Every Markdown table has a header row.
  const hasHeader = first.every(({ name }) => name === "th");
  return { type: "table", children: hasHeader ? tableRows : [createRow([], widest.length), ...tableRows] };
}

function createRow(cells: readonly JsxElement[], width: number): TableRow {
  const children = cells.map(
    (cell): TableCell => ({ type: "tableCell", children: toPhrasing(cell.children) }),
  );
  while (children.length < width) children.push({ type: "tableCell", children: [] });
  return { type: "tableRow", children };
}
