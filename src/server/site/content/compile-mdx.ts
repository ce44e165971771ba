/**
 * Compiles a page, and the files that it imports, to modules for the sandbox. Only what must run becomes code: Markdown
 * travels as the numbers of its nodes, and comes out of the sandbox as the same nodes.
 */
import { Parser } from "acorn";
import acornJsx from "acorn-jsx";
import type {
  Expression,
  ImportDeclaration,
  ModuleDeclaration,
  Program,
  Statement,
  VariableDeclaration,
} from "estree";
import { buildJsx } from "estree-util-build-jsx";
import { toJs } from "estree-util-to-js";
import type { Nodes, Parents, Root, RootContent } from "mdast";
import { parseJson } from "../../../base/text.ts";

/** A component or an HTML element written as JSX. */
export type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

type JsxAttribute = JsxElement["attributes"][number];

/** An expression in braces. */
export type MdxExpression = Extract<Nodes, { type: "mdxFlowExpression" | "mdxTextExpression" }>;

export function isJsx(node: Nodes): node is JsxElement {
  return node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
}

export function isExpression(node: Nodes): node is MdxExpression {
  return node.type === "mdxFlowExpression" || node.type === "mdxTextExpression";
}

/** The value of an attribute as far as it is a literal: absent, a text, or JSON in braces; `undefined` for code. */
export function literalAttribute(attribute: JsxAttribute): unknown {
  const { type, value } = attribute;
  if (type === "mdxJsxExpressionAttribute") return undefined;
  if (value === null || value === undefined) return true;
  return typeof value === "string" ? value : parseJson(value.value);
}

/** What an expression shows that needs no code, a literal of JSON or a comment; `undefined` for code. */
export function literalText({ value, data }: MdxExpression): string | undefined {
  if (data?.estree?.body.length === 0) return "";
  const literal = parseJson(value);
  if (literal === null || typeof literal === "boolean") return "";
  return typeof literal === "string" || typeof literal === "number" ? String(literal) : undefined;
}

/** Finds the file that an import names; `undefined` for a package, and for what is no part of the documents. */
type ResolveImport = (specifier: string) => string | undefined;

type ModuleStatement = Statement | ModuleDeclaration;

/** What a page becomes: modules by their files, and what they need besides. */
export class MdxProgram {
  readonly modules = new Map<string, string>();
  /** Files that the modules import. */
  readonly imported = new Set<string>();
  /** Components that code names. */
  readonly tags = new Set<string>();
  /** The nodes of the Markdown, by the numbers that they have in the modules. */
  readonly nodes: RootContent[] = [];

  /** Adds the page, unless nothing in it must run. */
  addPage(file: string, tree: Root, resolve: ResolveImport): void {
    const writer = new ModuleWriter(this, undefined, resolve);
    const code = writer.writeMarkdown(tree);
    if (writer.hasCode) this.modules.set(file, code);
  }

  /** Adds a Markdown file that is imported; its expressions may name its properties. */
  addSnippet(file: string, tree: Root, resolve: ResolveImport): void {
    this.modules.set(file, new ModuleWriter(this, file, resolve).writeMarkdown(tree));
  }

  /** Adds a file of JavaScript with JSX. @throws {SyntaxError} */
  addScript(file: string, text: string, resolve: ResolveImport): void {
    const options = { ecmaVersion: "latest", sourceType: "module", locations: true } as const;
    const program = Parser.extend(acornJsx()).parse(text, options) as unknown as Program;
    this.modules.set(file, new ModuleWriter(this, file, resolve).writeScript(program.body));
  }
}

/** Takes imports and exports out of a text: they stand anywhere between blocks, also within components. */
function takeStatements(parent: Parents): ModuleStatement[] {
  const children: RootContent[] = [];
  const statements = parent.children.flatMap((node) => {
    if (node.type === "mdxjsEsm") return (node.data?.estree?.body ?? []) as ModuleStatement[];
    children.push(node as RootContent);
    return "children" in node ? takeStatements(node) : [];
  });
  parent.children = children;
  return statements;
}

/** A name, also in two braces: where nothing has it, it is no code but a placeholder. */
function isPlaceholder(expression: Expression): boolean {
  if (expression.type !== "ObjectExpression") return expression.type === "Identifier";
  const [property, other] = expression.properties;
  return other === undefined && property?.type === "Property" && property.shorthand;
}

class ModuleWriter {
  readonly #program: MdxProgram;
  /** The file, unless it is the page. */
  readonly #snippet: string | undefined;
  readonly #resolve: ResolveImport;
  /** Names of the module. */
  readonly #declared = new Set<string>();
  /** What must run, and what is around it. */
  readonly #dynamic = new Set<Nodes>();
  readonly #lines: string[] = [];

  constructor(program: MdxProgram, snippet: string | undefined, resolve: ResolveImport) {
    this.#program = program;
    this.#snippet = snippet;
    this.#resolve = resolve;
  }

  /** Whether something in the Markdown must run. */
  get hasCode(): boolean {
    return this.#dynamic.size > 0;
  }

  writeMarkdown(tree: Root): string {
    const statements = takeStatements(tree);
    this.#declare(statements);
    this.#findDynamic(tree);
    if (this.#snippet === undefined && !this.hasCode) return "";
    const names =
      this.#snippet === undefined ? [] : [...namesIn(tree)].filter((name) => !this.#declared.has(name));
    const content = tree.children.map((node) => this.#block(node));
    return `${this.writeScript(statements)}
export function $content(props) {
  const [${names.join(", ")}] = $mdx.scope(props, ${JSON.stringify(names)});
  return [${content.join(", ")}];
}
$content.source = ${JSON.stringify(this.#snippet)};
`;
  }

  writeScript(statements: readonly ModuleStatement[]): string {
    const code = statements.map((statement) => this.#statement(statement)).join("");
    return [...this.#lines, code].join("\n");
  }

  #declare(statements: readonly ModuleStatement[]): void {
    const patterns = statements.flatMap((statement): readonly object[] => {
      if (statement.type === "ImportDeclaration") {
        const { value } = statement.source;
        const isKnown = value === "react" || this.#resolve(String(value)) !== undefined;
        return isKnown ? statement.specifiers.map(({ local }) => local) : [];
      }
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
      if (!declaration) return [];
      return declaration.type === "VariableDeclaration"
        ? declaration.declarations.map(({ id }) => id)
        : [declaration.id];
    });
    for (const name of namesIn(patterns)) this.#declared.add(name);
  }

  #findDynamic(node: Nodes): boolean {
    let isDynamic = isExpression(node) ? literalText(node) === undefined : isJsx(node) && this.#mustRun(node);
    if ("children" in node) for (const child of node.children) if (this.#findDynamic(child)) isDynamic = true;
    if (isDynamic) this.#dynamic.add(node);
    return isDynamic;
  }

  #mustRun(element: JsxElement): boolean {
    return (
      this.#snippetPath(element) !== undefined ||
      this.#isOwn(element) ||
      element.attributes.some((attribute) => literalAttribute(attribute) === undefined)
    );
  }

  /** The file that `<Snippet file="part.mdx" />` includes. */
  #snippetPath({ name, attributes }: JsxElement): string | undefined {
    const file = attributes.find((attribute) => "name" in attribute && attribute.name === "file")?.value;
    return name === "Snippet" && typeof file === "string" ? this.#resolve(file) : undefined;
  }

  /** Whether a name in a tag is one of the module's, or an object's. */
  #isOwn({ name }: JsxElement): boolean {
    const [root = "", ...rest] = (name ?? "").split(".");
    return this.#declared.has(root) || (rest.length > 0 && /^[a-z]/.test(root));
  }

  /** What an expression or a component shows among the paragraphs of a page is no part of those before and after it. */
  #block(node: Nodes): string {
    const mustRun = this.#dynamic.has(node) && (isExpression(node) || isJsx(node));
    return mustRun ? `$mdx.block(${this.#node(node)})` : this.#node(node);
  }

  /** @param isContent Whether it stands in a component of the page's own, which may read its properties. */
  #node(node: Nodes, isContent = false): string {
    if (node.type === "text") return JSON.stringify(node.value);
    const isDynamic = this.#dynamic.has(node);
    if (isJsx(node) && (isContent || (isDynamic && this.#mustRun(node)))) return this.#element(node);
    const id = this.#program.nodes.push(node as RootContent) - 1;
    if (!isDynamic) return `$mdx.node(${id})`;
    if (isExpression(node)) return this.#expression(node, id);
    if (!("children" in node)) return "null";
    return `$mdx.node(${id}, [${node.children.map((child) => this.#node(child)).join(", ")}])`;
  }

  #expression(node: MdxExpression, id: number): string {
    const program = node.data?.estree as Program;
    const [statement] = program.body;
    const isName = statement?.type === "ExpressionStatement" && isPlaceholder(statement.expression);
    const read = `() => ${this.#value(program)}`;
    return isName ? `$mdx.name(${id}, ${read})` : `$mdx.show(${id}, ${this.#where(node)}, ${read})`;
  }

  #element(node: JsxElement): string {
    const path = this.#snippetPath(node);
    const type = path === undefined ? this.#type(node) : this.#use(path, "default", "");
    const props = node.attributes.map((attribute) => this.#property(attribute, this.#where(node)));
    const children = node.children.map((child) => this.#node(child, true));
    return `React.createElement(${[type, `{ ${props.join(", ")} }`, ...children].join(", ")})`;
  }

  #property(attribute: JsxAttribute, where: string): string {
    const read = (program: unknown) => `$mdx.value(${where}, () => ${this.#value(program as Program)})`;
    if (attribute.type === "mdxJsxExpressionAttribute") return `...${read(attribute.data?.estree)}`;
    const { name, value } = attribute;
    const literal = literalAttribute(attribute);
    const isCode = literal === undefined && typeof value === "object";
    return `${JSON.stringify(name)}: ${isCode ? read(value?.data?.estree) : JSON.stringify(literal)}`;
  }

  #type(element: JsxElement): string {
    if (element.name === null) return "React.Fragment";
    return this.#isOwn(element) ? element.name : JSON.stringify(element.name);
  }

  #value(program: Program): string {
    return `(${this.#print(program.body).replace(/;\s*$/, "")})`;
  }

  #statement(statement: ModuleStatement): string {
    if (statement.type === "ImportDeclaration") return this.#import(statement);
    const declaration = "declaration" in statement ? statement.declaration : statement;
    if (declaration?.type === "VariableDeclaration") this.#guard(declaration);
    if ("source" in statement && statement.source) {
      const path = this.#resolve(String(statement.source.value));
      if (path === undefined) return "";
      this.#program.imported.add(path);
      statement.source = { type: "Literal", value: path };
    }
    return this.#print([statement]);
  }

  /** Names that a module does not export do not keep it from being linked. */
  #import({ source, specifiers }: ImportDeclaration): string {
    const path = this.#resolve(String(source.value));
    if (path === undefined && source.value !== "react") return "";
    const lines = specifiers.map((specifier) => {
      const { name: local } = specifier.local;
      const name = importedName(specifier);
      if (path !== undefined) return `const ${local} = ${this.#use(path, name, local)};`;
      const isWhole = name === "*" || name === "default";
      if (isWhole && local === "React") return "";
      return `const ${local} = globalThis.React${isWhole ? "" : `.${name}`};`;
    });
    return lines.join("\n");
  }

  #use(path: string, name: string, local: string): string {
    this.#program.imported.add(path);
    const module = `$${this.#lines.length}`;
    this.#lines.push(`import * as ${module} from ${JSON.stringify(path)};`);
    return name === "*"
      ? module
      : `$mdx.use(${[module, ...[name, local, path].map((text) => JSON.stringify(text))].join(", ")})`;
  }

  /** A value that cannot be computed does not take the others with it. */
  #guard({ declarations }: VariableDeclaration): void {
    for (const declaration of declarations) {
      const { init } = declaration;
      if (!init || /^(?:Literal|ClassExpression|(?:Arrow)?FunctionExpression)$/.test(init.type)) continue;
      declaration.init = {
        type: "CallExpression",
        optional: false,
        callee: { type: "Identifier", name: "$mdx.value" },
        arguments: [
          { type: "Literal", value: this.#place(init.loc?.start.line) },
          { type: "ArrowFunctionExpression", params: [], body: init, expression: true },
        ],
      };
    }
  }

  #print(body: readonly ModuleStatement[]): string {
    for (const name of namesIn(body, "JSXIdentifier")) if (/^[A-Z]/.test(name)) this.#program.tags.add(name);
    const program: Program = { type: "Program", sourceType: "module", body: [...body] };
    buildJsx(program, { pragma: "React.createElement", pragmaFrag: "React.Fragment" });
    return toJs(program).value;
  }

  #where({ position }: Nodes): string {
    return JSON.stringify(this.#place(position?.start.line));
  }

  #place(line: number | undefined): string {
    return [this.#snippet, line && `line ${line}`].filter(Boolean).join(", ");
  }
}

function importedName(specifier: ImportDeclaration["specifiers"][number]): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.imported.type === "Identifier"
    ? specifier.imported.name
    : String(specifier.imported.value);
}

/** What names nothing: properties of objects, and words that are no names. */
const unnamed: Readonly<Record<string, readonly string[]>> = {
  MemberExpression: ["property"],
  JSXMemberExpression: ["property"],
  JSXAttribute: ["name"],
  Property: ["key"],
  MetaProperty: ["meta", "property"],
};
const noVariables = new Set(["props", "undefined", "arguments", "eval", "await", "let", "static", "yield"]);

/** The names that code uses or declares, somewhere in a tree. */
function namesIn(tree: unknown, type = "Identifier", names = new Set<string>()): ReadonlySet<string> {
  if (typeof tree !== "object" || tree === null) return names;
  const node = tree as { readonly type?: unknown; readonly name?: unknown; readonly computed?: unknown };
  if (node.type === type && typeof node.name === "string" && !noVariables.has(node.name))
    names.add(node.name);
  const skipped = (node.computed !== true && unnamed[String(node.type)]) || [];
  for (const [key, value] of Object.entries(node)) if (!skipped.includes(key)) namesIn(value, type, names);
  return names;
}
