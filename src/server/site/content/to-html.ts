/** Converts a page's Markdown tree to an unsanitized HTML tree in which components are placeholders. */
import type { ElementContent, Root as HtmlRoot, Nodes } from "hast";
import { h, s } from "hastscript";
import type { Code, InlineCode, Root, Table, TableRow, Text } from "mdast";
import rehypeRaw from "rehype-raw";
import remarkRehype, { defaultHandlers, type Options } from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { Words } from "../interface-words.ts";
import type { PageReporter } from "../report.ts";
import { codeElement } from "./code-blocks.ts";
import type { JsxElement } from "./compile-mdx.ts";
import { createPlaceholder } from "./component.ts";
import { componentNamesByLowerCase, expandComponents } from "./components.ts";
import { isElement, textTag, visitElements } from "./hast.ts";
import { drawingTags, isHandledTag, placeholderTag, plainProperties, sanitizePage } from "./sanitize.ts";

declare module "mdast" {
  interface InlineCodeData {
    isFormula?: boolean;
    /** Whether the formula is a block, if its paragraph contains nothing else. */
    isDisplay?: boolean;
  }
}

type Handlers = NonNullable<Options["handlers"]>;
type State = Parameters<NonNullable<Handlers["code"]>>[0];

const maxCells = 100_000;

/** Whether a table is too large to pad all its rows to the same number of cells. */
export function isHuge(rows: readonly unknown[], columns: readonly unknown[]): boolean {
  return rows.length * columns.length > maxCells;
}

const handlers: Handlers = {
  mdxJsxFlowElement: convertJsx,
  mdxJsxTextElement: convertJsx,
  // The default handler removes the indentation of lines, also within `<pre>`.
  text: (_state, { value, position }: Text) => ({ type: "text", value, position }),
  code: (_state, { value, lang, meta, position }: Code) => ({
    ...(lang === "math"
      ? createPlaceholder("Formula", { source: value, isDisplay: true }, [])
      : codeElement(value, lang, meta)),
    position,
  }),
  inlineCode(state, node: InlineCode) {
    if (node.data?.isFormula !== true) return defaultHandlers.inlineCode(state, node);
    const dollars = node.data.isDisplay === true ? "$$" : "$";
    const written: ElementContent = { type: "text", value: `${dollars}${node.value}${dollars}` };
    return { ...createPlaceholder("Formula", { source: node.value }, [written]), position: node.position };
  },
  table(state, node: Table) {
    const columns = node.align ?? [];
    const isCut = ({ children }: TableRow) =>
      children.slice(columns.length).some((cell) => cell.children.length > 0);
    // `align` makes the handler cut each row to the table's width, and pad it, which fills the memory if a table is huge.
    const align = isHuge(node.children, columns) || node.children.some(isCut) ? null : columns;
    return defaultHandlers.table(state, { ...node, align });
  },
};

const converter = unified()
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: "", handlers })
  .freeze();
const rawParser = unified().use(rehypeRaw).freeze();

/** Converts the tree of an evaluated page to sanitized HTML with expanded components. */
export function toContent(tree: Root, words: Words, onWarning: PageReporter): HtmlRoot {
  return expandComponents(sanitizePage(toHtmlTree(tree), onWarning), words, onWarning);
}

/** Converts the tree of an evaluated page. Raw HTML is parsed as a browser parses it. */
function toHtmlTree(tree: Root): HtmlRoot {
  const converted = converter.runSync(tree);
  const html = rawHtmlOf(converted);
  // Parsing takes as long as the conversion, so pages without raw HTML skip it.
  if (html === "") return converted;
  const closed = new Set(html.toLowerCase().match(/(?<=<\/)[a-z][\w-]*/g));
  visit(converted, "raw", (node, index, parent) => {
    const name = placeholder.exec(node.value)?.[1]?.toLowerCase() ?? "";
    const isKnown = closed.has(name) || isHandledTag(name) || componentNamesByLowerCase.has(name);
    const isText = name !== "" && !isKnown;
    if (isText && parent?.type === "element" && index !== undefined)
      parent.children[index] = { type: "text", value: node.value };
    else node.value = node.value.replace(selfClosing, "<$1$2></$1>");
  });
  const parsed = rawParser.runSync(converted);
  restoreComponents(parsed);
  return parsed;
}

/**
 * An element that its author closed at once, as in JSX. In HTML it would contain the rest of the page. The slash at the end of
 * `<a href=https://a.example/>` belongs to the address.
 */
const selfClosing = /<(?!br\b)([a-z][\w.-]*)((?:[^"'<>]|"[^"<]*"|'[^'<]*')*)\/>(?<!=[^\s"'{}]*\/>)/gi;

/** A tag without attributes with values. If it is unknown and not closed, it is a placeholder such as `<your-key>`. */
const placeholder = /^<([a-z][\w-]*)(?: [^<>="'/]*)?>$/i;

function rawHtmlOf(node: Nodes): string {
  if (node.type === "raw") return node.value;
  return "children" in node ? node.children.map(rawHtmlOf).join("") : "";
}

/** Adds a line break between inline elements on different source lines; otherwise their words would run together. */
function separateLines(children: readonly ElementContent[]): ElementContent[] {
  const isText = (node: ElementContent | undefined) =>
    node?.type === "element" && (textTag.test(node.tagName) || node.tagName === "svg");
  return children.flatMap((child, index) => {
    const before = children[index - 1];
    const [end, start] = [before?.position?.end.line, child.position?.start.line];
    const isNextLine = end !== undefined && start !== undefined && end < start;
    return isNextLine && isText(before) && isText(child) ? [{ type: "text", value: "\n" }, child] : [child];
  });
}

function convertJsx(state: State, node: JsxElement): ElementContent | ElementContent[] {
  const children = separateLines(state.all(node));
  if (node.name === null) return children;
  const props = node.data?.props ?? {};
  const { position } = node;
  if (drawingTags.has(node.name)) {
    // Markdown turns text on its own line into a paragraph, which drawings do not have.
    const shapes = children.flatMap((child) => (isElement(child, "p") ? child.children : [child]));
    return { ...s(node.name, plainProperties(props), shapes), position };
  }
  if (/^[a-z][a-z0-9]*$/.test(node.name))
    return { ...h(node.name, plainProperties(props), children), position };
  return { ...createPlaceholder(node.name, props, children, node.type === "mdxJsxTextElement"), position };
}

/** HTML elements whose names are also those of components. */
const htmlNames = new Set(["details", "link", "frame"]);

/** Turns elements with a component's name (the HTML parser makes it lower case) and custom elements into placeholders. */
function restoreComponents(tree: HtmlRoot): void {
  visitElements(tree, (node, index, parent) => {
    const isCustom = node.tagName.includes("-") && node.tagName !== placeholderTag;
    const name = isCustom ? node.tagName : componentNamesByLowerCase.get(node.tagName);
    if (name === undefined || htmlNames.has(node.tagName)) return;
    const props = Object.entries(node.properties).flatMap(([key, value]) =>
      typeof value === "string" || typeof value === "boolean" ? [[key, value] as const] : [],
    );
    // The same list of children, in which those that are components are replaced next.
    const { position, children } = node;
    const component = createPlaceholder(name, Object.fromEntries(props), [], isElement(parent, "p"));
    parent.children[index] = { ...component, children, position };
  });
}
