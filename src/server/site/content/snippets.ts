/** Puts imported snippets in their place: files of the same documents, read as text, never run. */
import { posix } from "node:path";
import type { Directive, ImportDeclaration, ModuleDeclaration, Program, Statement } from "estree";
import type { Nodes, Root, RootContent } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import { type DocsTree, readPageText, UnusableFileError } from "./docs-tree.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { parsePage } from "./parse-page.ts";
import { evaluateStatically, expressionOf, type StaticScope, type StaticValue } from "./static-value.ts";

type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;
type TopLevel = Directive | Statement | ModuleDeclaration;

const maxDepth = 8;
/** Snippets that include snippets multiply; a page gets at most this many. */
const maxSnippets = 200;

/** Names and their literal values at each place of a page; a snippet has its own. */
export interface PageScopes {
  readonly page: StaticScope;
  of(node: Nodes): StaticScope;
}

interface Inlining {
  readonly docs: DocsTree;
  readonly onWarning: (message: string) => void;
  readonly scopes: WeakMap<Nodes, StaticScope>;
  remaining: number;
}

interface Place {
  /** Path of the file the tree is from. */
  readonly path: string;
  readonly scope: StaticScope;
  /** Files that are being inlined around this one. */
  readonly stack: readonly string[];
}

interface Declarations {
  readonly imports: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, StaticValue>;
}

function statementsOf(tree: Root): TopLevel[] {
  return tree.children.flatMap((node) => {
    const program = node.type === "mdxjsEsm" ? (node.data?.estree as Program | null | undefined) : undefined;
    return program?.body ?? [];
  });
}

function importedNames(statement: ImportDeclaration): [string, string][] {
  const source = String(statement.source.value);
  if (!/\.mdx?$/i.test(source)) return [];
  return statement.specifiers.map(({ local }) => [local.name, source]);
}

function readConstants(statement: TopLevel, known: Map<string, StaticValue>): void {
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
  if (declaration?.type !== "VariableDeclaration") return;
  for (const { id, init } of declaration.declarations) {
    const value = init && evaluateStatically(init, known);
    if (id.type === "Identifier" && value !== null && value !== undefined) known.set(id.name, value);
  }
}

function readDeclarations(tree: Root): Declarations {
  const imports = new Map<string, string>();
  const constants = new Map<string, StaticValue>();
  for (const statement of statementsOf(tree)) {
    readConstants(statement, constants);
    if (statement.type !== "ImportDeclaration") continue;
    for (const [name, source] of importedNames(statement)) imports.set(name, source);
  }
  return { imports, constants };
}

function attributesOf(node: JsxElement, scope: StaticScope): Map<string, StaticValue> {
  const values = new Map<string, StaticValue>();
  for (const attribute of node.attributes) {
    if (attribute.type !== "mdxJsxAttribute") continue;
    const { name, value } = attribute;
    if (typeof value === "string") values.set(name, value);
    if (typeof value !== "object" || value === null) continue;
    const expression = expressionOf(value.data?.estree as Program | null | undefined);
    const result = expression && evaluateStatically(expression, scope);
    if (result !== undefined) values.set(name, result);
  }
  return values;
}

/** The file an import or `<Snippet file>` names, if it is one of the documents. */
function findSnippet(docs: DocsTree, fromPath: string, specifier: string): string | undefined {
  const absolute = specifier.replace(/^(?:\/|@\/|~\/)/, "");
  const relative = posix.join(posix.dirname(fromPath), specifier);
  const isRelative = specifier.startsWith(".");
  const candidates = isRelative
    ? [relative]
    : [absolute, `snippets/${absolute}`, `_snippets/${absolute}`, relative].map((path) =>
        posix.normalize(path),
      );
  return candidates.find((path) => docs.files.has(path));
}

function snippetSource(
  node: JsxElement,
  declarations: Declarations,
  props: ReadonlyMap<string, StaticValue>,
) {
  const imported = declarations.imports.get(node.name ?? "");
  if (imported !== undefined) return imported;
  const file = node.name === "Snippet" ? props.get("file") : undefined;
  return typeof file === "string" ? file : undefined;
}

async function readSnippet(path: string, inlining: Inlining): Promise<Root | undefined> {
  try {
    return parsePage(
      path.replace(/\.md$/i, ".mdx"),
      splitFrontMatter(await readPageText(inlining.docs, path)).body,
    ).tree;
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    inlining.onWarning(`the snippet ${path} was left out: ${error.message}`);
    return undefined;
  }
}

interface Replacement {
  readonly node: JsxElement;
  readonly source: string;
  readonly props: ReadonlyMap<string, StaticValue>;
}

async function contentOf(
  { source, props }: Replacement,
  place: Place,
  inlining: Inlining,
): Promise<RootContent[]> {
  const path = findSnippet(inlining.docs, place.path, source);
  if (path === undefined) {
    inlining.onWarning(`the snippet ${source} is not part of the documents`);
    return [];
  }
  if (place.stack.includes(path) || place.stack.length >= maxDepth || inlining.remaining <= 0) {
    inlining.onWarning(`the snippet ${path} was left out: it includes itself, or there are too many`);
    return [];
  }
  inlining.remaining -= 1;
  const tree = await readSnippet(path, inlining);
  if (tree === undefined) return [];
  const scope = new Map<string, StaticValue>([...props, ["props", Object.fromEntries(props)]]);
  await inlineInto(tree, { path, scope, stack: [...place.stack, path] }, inlining);
  return tree.children.filter((child) => child.type !== "mdxjsEsm");
}

async function inlineInto(tree: Root, place: Place, inlining: Inlining): Promise<StaticScope> {
  const declarations = readDeclarations(tree);
  const scope = new Map([...declarations.constants, ...place.scope]);
  const replacements = new Map<Nodes, Replacement>();
  visit(tree, (node) => {
    if (place.stack.length > 1) {
      inlining.scopes.set(node, scope);
      // Lines are those of the page's file; these are another's.
      delete node.position;
    }
    if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return;
    const props = attributesOf(node, scope);
    const source = snippetSource(node, declarations, props);
    if (source !== undefined) replacements.set(node, { node, source, props });
  });
  if (replacements.size === 0) return scope;
  const contents = new Map<Nodes, RootContent[]>();
  for (const [node, replacement] of replacements)
    contents.set(node, await contentOf(replacement, place, inlining));
  visit(tree, (node, index, parent) => {
    const content = contents.get(node);
    if (content === undefined || parent === undefined || index === undefined) return undefined;
    parent.children.splice(index, 1, ...content);
    return [SKIP, index + content.length];
  });
  return scope;
}

/** Inlines every snippet of a page; those that are missing, include themselves or are too many are left out with a warning. */
export async function inlineSnippets(
  tree: Root,
  {
    docs,
    path,
    onWarning,
  }: { readonly docs: DocsTree; readonly path: string; readonly onWarning: (message: string) => void },
): Promise<PageScopes> {
  const scopes = new WeakMap<Nodes, StaticScope>();
  const inlining: Inlining = { docs, onWarning, scopes, remaining: maxSnippets };
  const page = await inlineInto(tree, { path, scope: new Map(), stack: [path] }, inlining);
  return { page, of: (node) => scopes.get(node) ?? page };
}
