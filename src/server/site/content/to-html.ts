/** From a page's Markdown tree to an HTML tree in which components are placeholders. Nothing of it is sanitized yet. */
import type { Element, ElementContent, Root as HtmlRoot, Properties } from "hast";
import type { Blockquote, Code, Root } from "mdast";
import rehypeRaw from "rehype-raw";
import remarkRehype, { defaultHandlers, type Options } from "remark-rehype";
import { unified } from "unified";
import { EXIT, visit } from "unist-util-visit";
import { codeFenceName, createPlaceholder } from "./component.ts";
import { componentNamesByLowerCase } from "./components.ts";
import type { JsxElement, MdxExpression, StaticValue } from "./expressions.ts";

type Handlers = NonNullable<Options["handlers"]>;
type State = Parameters<NonNullable<Handlers["blockquote"]>>[0];

const handlers: Handlers = {
  mdxJsxFlowElement: convertJsx,
  mdxJsxTextElement: convertJsx,
  mdxFlowExpression: convertExpression,
  mdxTextExpression: convertExpression,
  mdxjsEsm: () => undefined,
  code: convertCode,
  blockquote: convertQuote,
};

const converter = unified()
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: "", handlers })
  .freeze();
const rawParser = unified().use(rehypeRaw).freeze();

/** Converts a page's tree, whose expressions are resolved; raw HTML in it is parsed as a browser would parse it. */
export function toHtmlTree(tree: Root): HtmlRoot {
  const converted = converter.runSync(tree);
  // Parsing again costs as much as the conversion: pages without raw HTML are spared it.
  if (!hasRawHtml(converted)) return converted;
  const parsed = rawParser.runSync(converted);
  restoreComponents(parsed);
  return parsed;
}

function hasRawHtml(tree: HtmlRoot): boolean {
  let found = false;
  visit(tree, "raw", () => {
    found = true;
    return EXIT;
  });
  return found;
}

/** JSX spells some attributes otherwise than HTML; the sanitizer knows them by these property names. */
const propertyNames: Readonly<Record<string, string>> = {
  class: "className",
  colspan: "colSpan",
  rowspan: "rowSpan",
  datetime: "dateTime",
};

function toProperties(props: Readonly<Record<string, StaticValue>>): Properties {
  const plain = Object.entries(props).filter(([, value]) => typeof value !== "object");
  return Object.fromEntries(plain.map(([name, value]) => [propertyNames[name] ?? name, value])) as Properties;
}

function convertJsx(state: State, node: JsxElement): ElementContent | ElementContent[] {
  const children = state.all(node) as ElementContent[];
  if (node.name === null) return children;
  const props = node.data?.props ?? {};
  if (/^[a-z][a-z0-9]*$/.test(node.name))
    return { type: "element", tagName: node.name, properties: toProperties(props), children };
  return createPlaceholder(node.name, props, children, node.type === "mdxJsxTextElement");
}

function convertExpression(_state: State, node: MdxExpression): ElementContent | undefined {
  return node.value === "" ? undefined : { type: "text", value: node.value };
}

function convertCode(_state: State, node: Code): Element {
  const props = { ...(node.lang && { lang: node.lang }), ...(node.meta && { meta: node.meta }) };
  return createPlaceholder(codeFenceName, props, [{ type: "text", value: node.value }]);
}

const alertMarker = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;
const componentByAlert: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Info",
  WARNING: "Warning",
  CAUTION: "Danger",
};

/** GitHub's alerts (a quote that starts with `[!NOTE]`) become the component of the same meaning. */
function convertQuote(state: State, quote: Blockquote): Element {
  const [paragraph] = quote.children;
  const text = paragraph?.type === "paragraph" ? paragraph.children[0] : undefined;
  const match = text?.type === "text" ? alertMarker.exec(text.value) : null;
  if (match === null || text?.type !== "text" || paragraph?.type !== "paragraph")
    return defaultHandlers.blockquote(state, quote);
  text.value = text.value.slice(match[0].length);
  if (paragraph.children.every((child) => child.type === "text" && child.value === ""))
    quote.children.shift();
  const name = componentByAlert[match[1]?.toUpperCase() ?? ""] ?? "";
  return createPlaceholder(name, {}, state.wrap(state.all(quote), true) as ElementContent[]);
}

/** Components whose names are HTML elements' too. */
const htmlNames = new Set(["details", "link", "frame", "image", "img", "video"]);

/** An HTML parser knows components by their lower-case names only; here they are components again. */
function restoreComponents(tree: HtmlRoot): void {
  visit(tree, "element", (node: Element, index, parent) => {
    const name = componentNamesByLowerCase.get(node.tagName);
    if (name === undefined || htmlNames.has(node.tagName) || parent === undefined || index === undefined)
      return;
    const props = Object.entries(node.properties).flatMap(([key, value]) =>
      typeof value === "string" || typeof value === "boolean" ? [[key, value] as const] : [],
    );
    parent.children[index] = createPlaceholder(name, Object.fromEntries(props), node.children);
  });
}
