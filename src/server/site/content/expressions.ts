/**
 * What can be known of a page's expressions without running them: literals, declared names, and imported snippets, which
 * are files of the same documents.
 */
import { posix } from "node:path";
import type { Expression, MemberExpression, Program, Property, SpreadElement } from "estree";
import type { Nodes, Root, RootContent } from "mdast";
import { type DocsTree, ifUsable, readPageText } from "./docs-tree.ts";
import { splitFrontMatter } from "./page-source.ts";
import { parsePage, withTimeLimit } from "./parse-page.ts";

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
  const dynamicLines: (number | undefined)[] = [];
  const snippets = { remaining: maxSnippets };
  await resolveTree(tree, new Map(), { docs, onWarning, dynamicLines, snippets, files: [path] });
  if (dynamicLines.length === 0) return;
  const lines = [...new Set(dynamicLines)].filter((line) => line !== undefined);
  const named = [...lines.slice(0, maxNamedLines), ...(lines.length > maxNamedLines ? ["…"] : [])];
  const where = named.length === 0 ? "" : ` (line ${named.join(", ")})`;
  onWarning(`expressions that would have to be run were left out: ${dynamicLines.length}${where}`);
}

const maxNamedLines = 5;

/** What the expressions of a page's file, or of a snippet in it, are resolved with. */
interface Resolution {
  readonly docs: DocsTree;
  readonly onWarning: (message: string) => void;
  /** Lines of the page's expressions that were left out; what stands in a snippet has none. */
  readonly dynamicLines: (number | undefined)[];
  readonly snippets: { remaining: number };
  /** The file, last, and those that include it, each the next. */
  readonly files: readonly string[];
  readonly scope: StaticScope;
  readonly imports: ReadonlyMap<string, string>;
}

async function resolveTree(tree: Root, props: StaticScope, page: Omit<Resolution, "scope" | "imports">) {
  const scope = new Map([...readConstants(tree), ...props]);
  await resolveChildren(tree, { ...page, scope, imports: readImports(tree) });
}

async function resolveChildren(parent: { children: RootContent[] }, file: Resolution): Promise<void> {
  const resolved: RootContent[] = [];
  for (const child of parent.children) for (const node of await resolveNode(child, file)) resolved.push(node);
  parent.children = resolved;
}

async function resolveNode(node: RootContent, file: Resolution): Promise<readonly RootContent[]> {
  if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") {
    const { value, isKnown } = resolveExpression(node, file.scope);
    node.value = value;
    if (!isKnown) leaveOut(node.position, file);
  } else if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
    const { props, unknown } = resolveAttributes(node, file.scope);
    const source = file.imports.get(node.name ?? "") ?? (node.name === "Snippet" && props["file"]);
    if (typeof source === "string") return readSnippet(source, props, file);
    node.data = { ...node.data, props };
    for (const { position } of unknown) leaveOut(position ?? node.position, file);
  }
  if ("children" in node) await resolveChildren(node, file);
  return [node];
}

/** Notes the line of what is left out, if it is one of the page's file. */
function leaveOut(position: Nodes["position"], { dynamicLines, files }: Resolution): void {
  dynamicLines.push(files.length > 1 ? undefined : position?.start.line);
}

function resolveExpression(node: MdxExpression, scope: StaticScope) {
  const value = evaluateStatically(node.data?.estree, scope);
  return {
    value: typeof value === "string" || typeof value === "number" ? String(value) : "",
    isKnown: value !== undefined || expressionOf(node.data?.estree) === undefined,
  };
}

/** Attributes whose value is code everywhere: that they are left out is no loss to a reader. */
const silentAttribute = /^(?:on[A-Z]|style$|className$|class$|icon$|key$|ref$)/;

/** The known values of an element's attributes, and the attributes that would have to be run. */
function resolveAttributes({ attributes }: JsxElement, scope: StaticScope) {
  const props: Record<string, StaticValue> = {};
  const unknown: JsxElement["attributes"] = [];
  for (const attribute of attributes) {
    const name = attribute.type === "mdxJsxAttribute" ? attribute.name : "";
    const value = attributeValue(attribute, scope);
    if (name !== "" && value !== undefined) props[name] = value;
    else if (!silentAttribute.test(name)) unknown.push(attribute);
  }
  return { props, unknown };
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
  file: Resolution,
): Promise<RootContent[]> {
  const { docs, onWarning, files, snippets } = file;
  const path = findSnippet(docs, files.at(-1) ?? "", source);
  if (path === undefined) {
    onWarning(`the snippet ${source} is not part of the documents`);
    return [];
  }
  if (files.includes(path) || files.length >= maxSnippetDepth || snippets.remaining <= 0) {
    onWarning(`the snippet ${path} was left out: it includes itself, or there are too many`);
    return [];
  }
  snippets.remaining -= 1;
  const leaveOut = (message: string) => onWarning(`the snippet ${path} was left out: ${message}`);
  const text = await ifUsable(readPageText(docs, path), leaveOut);
  if (text === undefined) return [];
  const { body } = splitFrontMatter(text);
  const mdxPath = path.replace(/\.md$/i, ".mdx");
  const { tree } = withTimeLimit(() => parsePage(mdxPath, body));
  const scope = new Map<string, StaticValue>([...Object.entries(props), ["props", props]]);
  await resolveTree(tree, scope, { ...file, files: [...files, path] });
  return tree.children.filter(({ type }) => type !== "mdxjsEsm");
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
