/** From a page's Markdown tree to an HTML tree in which components are placeholders. Nothing of it is sanitized yet. */
import type { Program } from "estree";
import type { Element, ElementContent, Root as HtmlRoot, Properties } from "hast";
import type { Code, Nodes, Root } from "mdast";
import rehypeRaw from "rehype-raw";
import remarkRehype, { type Options } from "remark-rehype";
import { unified } from "unified";
import { EXIT, visit } from "unist-util-visit";
import { element } from "./hast.ts";
import { codeFenceName, createPlaceholder } from "./placeholder.ts";
import { evaluateStatically, expressionOf, type StaticScope, type StaticValue } from "./static-value.ts";

type Handler = NonNullable<NonNullable<Options["handlers"]>["blockquote"]>;
type State = Parameters<Handler>[0];
type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;
type Expression = Extract<Nodes, { type: "mdxFlowExpression" | "mdxTextExpression" }>;
type JsxAttribute = JsxElement["attributes"][number];

/** What the conversion needs to know of a page, and where it counts what it leaves out. */
export interface HtmlTreeContext {
  readonly scopeOf: (node: Nodes) => StaticScope;
  /** Components' names by their lower-case spelling. */
  readonly componentNames: ReadonlyMap<string, string>;
  readonly onDynamicExpression: (line: number | undefined) => void;
}

/** JSX spells some attributes otherwise than HTML; the sanitizer knows them by these property names. */
const propertyNames: Record<string, string> = {
  class: "className",
  colspan: "colSpan",
  rowspan: "rowSpan",
  datetime: "dateTime",
};

function attributeValue(attribute: JsxAttribute, scope: StaticScope): StaticValue | undefined {
  if (attribute.type !== "mdxJsxAttribute") return undefined;
  const { value } = attribute;
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return value;
  const expression = expressionOf(value.data?.estree as Program | null | undefined);
  return expression === undefined ? undefined : evaluateStatically(expression, scope);
}

/** Attributes whose value is code everywhere: that they are left out is no loss to a reader. */
const silentAttribute = /^(?:on[A-Z]|style$|className$|class$|icon$|key$|ref$)/;

function readAttributes(node: JsxElement, context: HtmlTreeContext): Record<string, StaticValue> {
  const values: Record<string, StaticValue> = {};
  for (const attribute of node.attributes) {
    const value = attributeValue(attribute, context.scopeOf(node));
    if (value !== undefined && "name" in attribute) values[attribute.name] = value;
    else if (!("name" in attribute) || !silentAttribute.test(attribute.name))
      context.onDynamicExpression((attribute.position ?? node.position)?.start.line);
  }
  return values;
}

function toProperties(attributes: Readonly<Record<string, StaticValue>>): Properties {
  const plain = Object.entries(attributes).filter(([, value]) => typeof value !== "object");
  return Object.fromEntries(plain.map(([name, value]) => [propertyNames[name] ?? name, value])) as Properties;
}

function convertJsx(
  state: State,
  node: JsxElement,
  context: HtmlTreeContext,
): ElementContent | ElementContent[] {
  const children = state.all(node) as ElementContent[];
  if (node.name === null) return children;
  const attributes = readAttributes(node, context);
  const isHtml = /^[a-z][a-z0-9]*$/.test(node.name);
  if (isHtml) return element(node.name, toProperties(attributes), ...children);
  const isInline = node.type === "mdxJsxTextElement";
  return createPlaceholder({ name: node.name, props: attributes, children, isInline });
}

function convertExpression(node: Expression, context: HtmlTreeContext): ElementContent | undefined {
  const program = node.data?.estree as Program | null | undefined;
  const expression = expressionOf(program);
  if (expression === undefined) return undefined;
  const value = evaluateStatically(expression, context.scopeOf(node));
  if (typeof value === "string" || typeof value === "number") return { type: "text", value: String(value) };
  if (value === undefined) context.onDynamicExpression(node.position?.start.line);
  return undefined;
}

function convertCode(node: Code): Element {
  const props = { ...(node.lang && { lang: node.lang }), ...(node.meta && { meta: node.meta }) };
  return createPlaceholder({
    name: codeFenceName,
    props,
    children: [{ type: "text", value: node.value }],
    isInline: false,
  });
}

function createHandlers(context: HtmlTreeContext): NonNullable<Options["handlers"]> {
  const jsx = (state: State, node: JsxElement) => convertJsx(state, node, context);
  const expression = (_state: State, node: Expression) => convertExpression(node, context);
  return {
    mdxJsxFlowElement: jsx,
    mdxJsxTextElement: jsx,
    mdxFlowExpression: expression,
    mdxTextExpression: expression,
    mdxjsEsm: () => undefined,
    code: (_state: State, node: Code) => convertCode(node),
  };
}

/** An HTML parser knows components by their lower-case names only; here they are components again. */
function restoreComponents(tree: HtmlRoot, names: ReadonlyMap<string, string>): void {
  visit(tree, "element", (node: Element, index, parent) => {
    const name = names.get(node.tagName);
    if (name === undefined || htmlNames.has(node.tagName) || parent === undefined || index === undefined)
      return;
    const props = Object.fromEntries(
      Object.entries(node.properties).flatMap(([key, value]) =>
        typeof value === "string" || typeof value === "boolean" ? [[key, value]] : [],
      ),
    );
    parent.children[index] = createPlaceholder({ name, props, children: node.children, isInline: false });
  });
}

/** Components whose names are HTML elements' too. */
const htmlNames = new Set(["details", "link", "frame", "image", "img", "video"]);

const rawParser = unified().use(rehypeRaw).freeze();

/** Converts a page's tree; raw HTML in it is parsed as a browser would parse it. */
export function toHtmlTree(tree: Root, context: HtmlTreeContext): HtmlRoot {
  const converter = unified().use(remarkRehype, {
    allowDangerousHtml: true,
    clobberPrefix: "",
    handlers: createHandlers(context),
  });
  const converted = converter.runSync(tree);
  if (!hasRawHtml(converted)) return converted;
  const parsed = rawParser.runSync(converted);
  restoreComponents(parsed, context.componentNames);
  return parsed;
}

/** Parsing again costs as much as the conversion: pages without raw HTML are spared it. */
function hasRawHtml(tree: HtmlRoot): boolean {
  let found = false;
  visit(tree, "raw", () => {
    found = true;
    return EXIT;
  });
  return found;
}
