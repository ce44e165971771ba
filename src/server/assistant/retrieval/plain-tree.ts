/** MDX as plain Markdown: components by what they contain and say in their attributes, nothing executed. */
import type { Nodes, PhrasingContent, Root, RootContent } from "mdast";
import { evaluateStatically, type StaticValue } from "../../site/content/expressions.ts";

type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

/** Attributes that a reader sees as text. */
const silentAttribute =
  /^(?:on[A-Z]|style$|class|icon|key$|ref$|id$|href$|src|url$|width|height|color|default|img|type$|target|rel$)/i;

/** The tree's content without components, expressions, raw HTML, images, definitions and links into the site. */
export function toPlainBlocks(tree: Root): RootContent[] {
  return tree.children.flatMap(plainBlock);
}

function plainBlock(node: RootContent): RootContent[] {
  switch (node.type) {
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      return [
        ...attributeParagraphs(node),
        ...node.children.flatMap((child) => plainBlock(child as RootContent)),
      ];
    case "mdxFlowExpression":
    case "mdxTextExpression":
      return paragraphOf(textOfValue(evaluateStatically(node.data?.estree)));
    case "html":
      return paragraphOf(textOfHtml(node.value));
    case "mdxjsEsm":
    case "definition":
    case "yaml":
    case "thematicBreak":
      return [];
    case "paragraph":
    case "heading":
      return [{ ...node, children: node.children.flatMap(plainInline) }];
    case "list":
    case "listItem":
    case "blockquote":
    case "footnoteDefinition":
      // Each keeps its own kind of children: blocks stay blocks.
      return [{ ...node, children: node.children.flatMap((child) => plainBlock(child)) } as RootContent];
    case "table":
    case "tableRow":
      return [{ ...node, children: node.children.flatMap((child) => plainBlock(child)) } as RootContent];
    case "tableCell":
      return [{ ...node, children: node.children.flatMap(plainInline) }];
    default:
      return isInline(node) ? plainInline(node) : [node];
  }
}

function plainInline(node: PhrasingContent): PhrasingContent[] {
  switch (node.type) {
    case "mdxJsxTextElement":
      return node.children.flatMap(plainInline);
    case "mdxTextExpression": {
      const value = textOfValue(evaluateStatically(node.data?.estree));
      return value === "" ? [] : [{ type: "text", value }];
    }
    case "html":
    case "image":
    case "imageReference":
    case "footnoteReference":
      return [];
    case "link":
      return /^https?:/i.test(node.url)
        ? [{ ...node, title: null, children: node.children.flatMap(plainInline) }]
        : node.children.flatMap(plainInline);
    case "linkReference":
      return node.children.flatMap(plainInline);
    case "emphasis":
    case "strong":
    case "delete":
      return [{ ...node, children: node.children.flatMap(plainInline) }];
    default:
      return [node];
  }
}

const inlineTypes = new Set([
  "text",
  "emphasis",
  "strong",
  "delete",
  "inlineCode",
  "break",
  "image",
  "imageReference",
  "link",
  "linkReference",
  "footnoteReference",
]);

function isInline(node: Nodes): node is PhrasingContent {
  return inlineTypes.has(node.type);
}

/** What a component says in its attributes: titles, names, descriptions, tables of properties. */
function attributeParagraphs(node: JsxElement): RootContent[] {
  return node.attributes.flatMap((attribute) => {
    if (attribute.type !== "mdxJsxAttribute" || silentAttribute.test(attribute.name)) return [];
    const { value } = attribute;
    if (typeof value === "string") return paragraphOf(value);
    return paragraphOf(textOfValue(evaluateStatically(value?.data?.estree)));
  });
}

function textOfValue(value: StaticValue | undefined): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOfValue).filter(Boolean).join("\n");
  if (typeof value === "object" && value !== null) return textOfValue(Object.values(value));
  return "";
}

function textOfHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .replace(/<[^>]*>/g, " ")
    .trim();
}

function paragraphOf(text: string): RootContent[] {
  const value = text.trim();
  return value === "" ? [] : [{ type: "paragraph", children: [{ type: "text", value }] }];
}
