/**
 * What can be known of a page's expressions without running them: literals, declared names, and imported snippets, which
 * are files of the same documents.
 */
import { posix } from "node:path";
import type { Expression, MemberExpression, Program, Property, SpreadElement } from "estree";
import type { Nodes, Root, RootContent } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import { type DocsTree, readPageText, UnusableFileError } from "./docs-tree.ts";
import { splitFrontMatter } from "./page-source.ts";
import { parsePage } from "./parse-page.ts";
import { parseLimitMs, withTimeLimit } from "./time-limit.ts";

/** A value that can be written down as a literal. */
export type StaticValue =
  | string
  | number
  | boolean
  | null
  | readonly StaticValue[]
  | { readonly [key: string]: StaticValue };

/** A component or an HTML element written as JSX. */
export type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

/** An expression in braces; once it is resolved, its value is the text to show. */
export type MdxExpression = Extract<Nodes, { type: "mdxFlowExpression" | "mdxTextExpression" }>;

declare module "mdast-util-mdx-jsx" {
  interface MdxJsxFlowElementData {
    /** The attributes whose values are known. */
    props?: Record<string, StaticValue>;
  }
  interface MdxJsxTextElementData {
    props?: Record<string, StaticValue>;
  }
}

type StaticScope = ReadonlyMap<string, StaticValue>;

const maxNesting = 64;

/**
 * The value of an MDX expression's program, if it is made of literals and declared names; `undefined` for anything that
 * would have to run, and for a comment.
 */
export function evaluateStatically(
  program: unknown,
  scope: StaticScope = new Map(),
): StaticValue | undefined {
  const expression = expressionOf(program);
  return expression === undefined ? undefined : evaluate(expression, scope);
}

/** The one expression of a program; `undefined` for a comment or an empty one. */
function expressionOf(program: unknown): Expression | undefined {
  const statement = (program as Program | null | undefined)?.body[0];
  return statement?.type === "ExpressionStatement" ? statement.expression : undefined;
}

type Evaluate = (node: Expression | SpreadElement) => StaticValue | undefined;

function evaluate(node: Expression | SpreadElement, scope: StaticScope, depth = 0): StaticValue | undefined {
  if (depth > maxNesting) return undefined;
  const inner: Evaluate = (part) => evaluate(part, scope, depth + 1);
  switch (node.type) {
    case "Literal":
      return typeof node.value === "bigint" || node.value instanceof RegExp
        ? undefined
        : (node.value ?? null);
    case "Identifier":
      return scope.get(node.name);
    case "TemplateLiteral": {
      const texts = allKnown(node.expressions.map(inner))?.map(String);
      return (
        texts && node.quasis.map(({ value }, at) => (value.cooked ?? value.raw) + (texts[at] ?? "")).join("")
      );
    }
    case "ArrayExpression":
      return allKnown(node.elements.map((item) => (item === null ? null : inner(item))));
    case "ObjectExpression": {
      const fields = allKnown(node.properties.map((property) => evaluateProperty(property, inner)));
      return fields && Object.fromEntries(fields);
    }
    case "UnaryExpression":
      return applyUnary(node.operator, inner(node.argument));
    case "BinaryExpression":
      return node.operator === "+"
        ? concatenate(inner(node.left as Expression), inner(node.right))
        : undefined;
    case "MemberExpression":
      return memberOf(inner(node.object as Expression), node);
    default:
      return undefined;
  }
}

function allKnown<Value>(values: readonly (Value | undefined)[]): Value[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

function evaluateProperty(property: Property | SpreadElement, inner: Evaluate) {
  if (property.type !== "Property" || property.computed || property.kind !== "init") return undefined;
  const { key } = property;
  const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
  const value = inner(property.value as Expression);
  return name === undefined || value === undefined ? undefined : ([name, value] as const);
}

function applyUnary(operator: string, operand: StaticValue | undefined): StaticValue | undefined {
  if (operator === "-" && typeof operand === "number") return -operand;
  if (operator === "+" && typeof operand === "number") return operand;
  return operator === "!" && typeof operand === "boolean" ? !operand : undefined;
}

function concatenate(left?: StaticValue, right?: StaticValue): string | undefined {
  if (left === undefined || right === undefined) return undefined;
  return typeof left === "string" || typeof right === "string"
    ? `${String(left)}${String(right)}`
    : undefined;
}

function memberOf(object: StaticValue | undefined, { computed, property }: MemberExpression) {
  if (computed || property.type !== "Identifier" || object === null || typeof object !== "object")
    return undefined;
  const fields = object as Readonly<Record<string, StaticValue>>;
  return Object.hasOwn(fields, property.name) ? fields[property.name] : undefined;
}

const maxSnippetDepth = 8;
/** Snippets that include snippets multiply; a page gets at most this many. */
const maxSnippets = 200;

/** One page's expressions while they are resolved. */
interface Resolution {
  readonly docs: DocsTree;
  readonly onWarning: (message: string) => void;
  /** Lines of the expressions that were left out; what stands in a snippet has none. */
  readonly dynamicLines: (number | undefined)[];
  remainingSnippets: number;
}

/**
 * Replaces a page's expressions by their values and its snippets by their content, and notes the known attributes of
 * its JSX elements. Expressions that would have to run, and snippets that are missing, include themselves or are too
 * many, are left out with a warning.
 */
export async function resolveExpressions(
  tree: Root,
  path: string,
  docs: DocsTree,
  onWarning: (message: string) => void,
): Promise<void> {
  const resolution: Resolution = { docs, onWarning, dynamicLines: [], remainingSnippets: maxSnippets };
  await resolveTree(tree, [path], new Map(), resolution);
  const { dynamicLines } = resolution;
  if (dynamicLines.length === 0) return;
  const lines = describeLines(dynamicLines);
  onWarning(`expressions that would have to be run were left out: ${dynamicLines.length}${lines}`);
}

const maxNamedLines = 5;

function describeLines(lines: readonly (number | undefined)[]): string {
  const named = [...new Set(lines)].filter((line) => line !== undefined);
  if (named.length === 0) return "";
  const more = named.length > maxNamedLines ? ", …" : "";
  return ` (line ${named.slice(0, maxNamedLines).join(", ")}${more})`;
}

/** Resolves the tree of the last of these files; the others include it, each the next. */
async function resolveTree(
  tree: Root,
  files: readonly string[],
  props: StaticScope,
  resolution: Resolution,
): Promise<void> {
  const scope = new Map([...readConstants(tree), ...props]);
  const imports = readImports(tree);
  const snippets = new Map<JsxElement, string>();
  visit(tree, (node) => {
    // Lines are those of the page's file, not of a snippet's.
    if (files.length > 1) delete node.position;
    if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") {
      resolveExpression(node, scope, resolution);
    }
    if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return undefined;
    const unknownLines = resolveAttributes(node, scope);
    const source = imports.get(node.name ?? "") ?? (node.name === "Snippet" && node.data?.props?.["file"]);
    if (typeof source === "string") {
      snippets.set(node, source);
      return SKIP;
    }
    resolution.dynamicLines.push(...unknownLines);
    return undefined;
  });
  const contents = new Map<Nodes, RootContent[]>();
  for (const [node, source] of snippets)
    contents.set(node, await readSnippet(source, node.data?.props ?? {}, files, resolution));
  visit(tree, (node, index, parent) => {
    const content = contents.get(node);
    if (content === undefined || parent === undefined || index === undefined) return undefined;
    parent.children.splice(index, 1, ...content);
    return [SKIP, index + content.length];
  });
}

function resolveExpression(node: MdxExpression, scope: StaticScope, { dynamicLines }: Resolution): void {
  const value = evaluateStatically(node.data?.estree, scope);
  if (value === undefined && expressionOf(node.data?.estree) !== undefined) {
    dynamicLines.push(node.position?.start.line);
  }
  node.value = typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Attributes whose value is code everywhere: that they are left out is no loss to a reader. */
const silentAttribute = /^(?:on[A-Z]|style$|className$|class$|icon$|key$|ref$)/;

/** Notes the known values of an element's attributes, and gives the lines of those that would have to be run. */
function resolveAttributes(node: JsxElement, scope: StaticScope): (number | undefined)[] {
  const props: Record<string, StaticValue> = {};
  const unknownLines: (number | undefined)[] = [];
  for (const attribute of node.attributes) {
    const name = attribute.type === "mdxJsxAttribute" ? attribute.name : "";
    const value = attributeValue(attribute, scope);
    if (name !== "" && value !== undefined) props[name] = value;
    else if (!silentAttribute.test(name)) {
      unknownLines.push((attribute.position ?? node.position)?.start.line);
    }
  }
  node.data = { ...node.data, props };
  return unknownLines;
}

function attributeValue({ value }: JsxElement["attributes"][number], scope: StaticScope) {
  if (value === null || value === undefined) return true;
  return typeof value === "string" ? value : evaluateStatically(value.data?.estree, scope);
}

function statementsOf(tree: Root) {
  return tree.children.flatMap((node) => (node.type === "mdxjsEsm" && node.data?.estree?.body) || []);
}

/** The Markdown files that a page imports, by the names that it gives them. */
function readImports(tree: Root): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const statement of statementsOf(tree)) {
    if (statement.type !== "ImportDeclaration") continue;
    const source = String(statement.source.value);
    if (/\.mdx?$/i.test(source))
      for (const { local } of statement.specifiers) imports.set(local.name, source);
  }
  return imports;
}

/** The values of `export const name = <literal>`. */
function readConstants(tree: Root): ReadonlyMap<string, StaticValue> {
  const constants = new Map<string, StaticValue>();
  for (const statement of statementsOf(tree)) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
    for (const { id, init } of declaration?.type === "VariableDeclaration" ? declaration.declarations : []) {
      const value = init ? evaluate(init, constants) : undefined;
      if (id.type === "Identifier" && value !== null && value !== undefined) constants.set(id.name, value);
    }
  }
  return constants;
}

/** The content of the snippet that a file includes, resolved with its properties. */
async function readSnippet(
  source: string,
  props: Readonly<Record<string, StaticValue>>,
  files: readonly string[],
  resolution: Resolution,
): Promise<RootContent[]> {
  const { docs, onWarning } = resolution;
  const path = findSnippet(docs, files.at(-1) ?? "", source);
  if (path === undefined) {
    onWarning(`the snippet ${source} is not part of the documents`);
    return [];
  }
  if (files.includes(path) || files.length >= maxSnippetDepth || resolution.remainingSnippets <= 0) {
    onWarning(`the snippet ${path} was left out: it includes itself, or there are too many`);
    return [];
  }
  resolution.remainingSnippets -= 1;
  try {
    const { body } = splitFrontMatter(await readPageText(docs, path));
    const mdxPath = path.replace(/\.md$/i, ".mdx");
    const { tree } = withTimeLimit(parseLimitMs, () => parsePage(mdxPath, body));
    const scope = new Map<string, StaticValue>([...Object.entries(props), ["props", props]]);
    await resolveTree(tree, [...files, path], scope, resolution);
    return tree.children.filter(({ type }) => type !== "mdxjsEsm");
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    onWarning(`the snippet ${path} was left out: ${error.message}`);
    return [];
  }
}

/** The file that an import or `<Snippet file>` names, if it is one of the documents. */
function findSnippet(docs: DocsTree, fromPath: string, specifier: string): string | undefined {
  const relative = posix.join(posix.dirname(fromPath), specifier);
  const absolute = specifier.replace(/^(?:\/|@\/|~\/)/, "");
  const candidates = specifier.startsWith(".")
    ? [relative]
    : [absolute, `snippets/${absolute}`, `_snippets/${absolute}`, relative].map((path) =>
        posix.normalize(path),
      );
  return candidates.find((path) => docs.files.has(path));
}
