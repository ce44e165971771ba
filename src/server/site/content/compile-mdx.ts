/**
 * Compiles a page and its imports to modules for the sandbox. Only code is compiled: the modules refer to Markdown nodes by
 * id, and the sandbox returns these ids.
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
import { type JsonObject, parseJson } from "../../../base/text.ts";

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

/** Creates a component with the values of its properties. */
export function component(
  name: string,
  props: JsonObject,
  children: readonly RootContent[] = [],
  position?: JsxElement["position"],
): RootContent {
  return { type: "mdxJsxFlowElement", name, attributes: [], data: { props }, children, position } as never;
}

/** The value of an attribute without value (`true`), or with a string or JSON as value; `undefined` for code. */
export function literalAttribute(attribute: JsxAttribute): unknown {
  const { type, value } = attribute;
  if (type === "mdxJsxExpressionAttribute") return undefined;
  if (value === null || value === undefined) return true;
  return typeof value === "string" ? value : parseJson(value.value);
}

/** The text of an expression that is a JSON literal or a comment; `undefined` for code. */
export function literalText({ value, data }: MdxExpression): string | undefined {
  if (data?.estree?.body.length === 0 || value.trim() === "undefined") return "";
  const literal = parseJson(value);
  if (literal === null || typeof literal === "boolean") return "";
  return typeof literal === "string" || typeof literal === "number" ? String(literal) : undefined;
}

/** Finds the file of an import; `undefined` for a package or a missing file. */
type ResolveImport = (specifier: string) => string | undefined;

type ModuleStatement = Statement | ModuleDeclaration;

/** A compiled page and its imports. */
export class MdxProgram {
  readonly modules = new Map<string, string>();
  readonly imported = new Set<string>();
  readonly tags = new Set<string>();
  /** Names that the page declares. Snippets may use them, for the original format puts their content into the page. */
  readonly pageNames = new Set<string>();
  /** Markdown nodes; the index is the id in the modules. */
  readonly nodes: RootContent[] = [];

  /** Adds the page, or an imported Markdown file (`snippet`), whose expressions can use the properties of its tag. */
  addMarkdown(file: string, tree: Root, resolve: ResolveImport, snippet?: string): void {
    const code = new ModuleWriter(this, snippet, resolve).writeMarkdown(tree);
    if (code !== "") this.modules.set(file, code);
  }

  /** Adds a file of JavaScript with JSX. @throws {SyntaxError} */
  addScript(file: string, text: string, resolve: ResolveImport): void {
    const options = { ecmaVersion: "latest", sourceType: "module", locations: true } as const;
    const program = Parser.extend(acornJsx()).parse(text, options) as unknown as Program;
    this.modules.set(file, new ModuleWriter(this, file, resolve).writeScript(program.body));
  }
}

/** Removes imports and exports from the tree and returns them. They may be within components. */
function takeStatements(parent: Parents): ModuleStatement[] {
  const children: RootContent[] = [];
  const statements = parent.children.flatMap((node) => {
    if (node.type === "mdxjsEsm") return (node.data?.estree?.body ?? []) as ModuleStatement[];
    children.push(node);
    return "children" in node ? takeStatements(node) : [];
  });
  parent.children = children;
  return statements;
}

/** Whether an expression is a name, in one or two pairs of braces. If nothing has that name, it is a placeholder in the text. */
function isPlaceholder(expression: Expression): boolean {
  if (expression.type !== "ObjectExpression") return expression.type === "Identifier";
  const [property, other] = expression.properties;
  return other === undefined && property?.type === "Property" && property.shorthand;
}

class ModuleWriter {
  readonly #program: MdxProgram;
  /** The file; `undefined` for the page itself. */
  readonly #snippet: string | undefined;
  readonly #resolve: ResolveImport;
  readonly #declared = new Set<string>();
  readonly #dynamic = new Set<Nodes>();
  readonly #importLines: string[] = [];

  constructor(program: MdxProgram, snippet: string | undefined, resolve: ResolveImport) {
    this.#program = program;
    this.#snippet = snippet;
    this.#resolve = resolve;
  }

  /** Writes the module of a page or a Markdown file; an empty text for a page without code. */
  writeMarkdown(tree: Root): string {
    const statements = takeStatements(tree);
    this.#declare(statements);
    this.#findDynamic(tree);
    if (this.#snippet === undefined && this.#dynamic.size === 0) return "";
    if (this.#snippet === undefined) for (const name of this.#declared) this.#program.pageNames.add(name);
    const names =
      this.#snippet === undefined ? [] : [...namesIn(tree)].filter((name) => !this.#declared.has(name));
    const content = tree.children.map((node) => this.#block(node));
    return `${this.writeScript(statements)}
export function $content(props) {
  const [${names.join(", ")}] = $mdx.scope(props, ${JSON.stringify(names)});
  ${this.#snippet === undefined ? `Object.assign(globalThis, { ${[...this.#declared].join(", ")} });` : ""}
  return [${content.join(", ")}];
}
$content.source = ${JSON.stringify(this.#snippet)};
`;
  }

  writeScript(statements: readonly ModuleStatement[]): string {
    const code = statements.map((statement) => this.#statement(statement)).join("");
    return [...this.#importLines, code].join("\n");
  }

  #declare(statements: readonly ModuleStatement[]): void {
    const patterns = statements.flatMap((statement): readonly object[] => {
      if (statement.type === "ImportDeclaration") {
        const { value } = statement.source;
        const isAvailable = value === "react" || this.#resolve(String(value)) !== undefined;
        return isAvailable ? statement.specifiers.map(({ local }) => local) : [];
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
    let isDynamic = isExpression(node) ? literalText(node) === undefined : isJsx(node) && this.#isCode(node);
    if ("children" in node) for (const child of node.children) if (this.#findDynamic(child)) isDynamic = true;
    if (isDynamic) this.#dynamic.add(node);
    return isDynamic;
  }

  /** Whether the tag itself, without its content, has to be evaluated. */
  #isCode(element: JsxElement): boolean {
    return (
      this.#snippetPath(element) !== undefined ||
      this.#isDeclared(element) ||
      element.attributes.some((attribute) => literalAttribute(attribute) === undefined)
    );
  }

  /** The file that `<Snippet file="part.mdx" />` includes. */
  #snippetPath({ name, attributes }: JsxElement): string | undefined {
    const file = attributes.find((attribute) => "name" in attribute && attribute.name === "file")?.value;
    return name === "Snippet" && typeof file === "string" ? this.#resolve(file) : undefined;
  }

  /** Whether a tag's name is declared in the module, or is a member of an object. Other lower-case names are those of HTML. */
  #isDeclared({ name }: JsxElement): boolean {
    const [root = "", ...rest] = (name ?? "").split(".");
    if (/^[a-z]/.test(root)) return rest.length > 0;
    return this.#declared.has(root) || this.#program.pageNames.has(root);
  }

  /** Separates the result of a top-level expression or component from the paragraphs around it. */
  #block(node: Nodes): string {
    const isCode = this.#dynamic.has(node) && (isExpression(node) || isJsx(node));
    return isCode ? `$mdx.block(${this.#node(node)})` : this.#node(node);
  }

  /** @param isContent Whether the node is the content of a component in the code, which may read the node's properties. */
  #node(node: Nodes, isContent = false): string {
    if (node.type === "text") return JSON.stringify(node.value);
    const isDynamic = this.#dynamic.has(node);
    if (isJsx(node) && (isContent || (isDynamic && this.#isCode(node)))) return this.#element(node);
    const id = this.#program.nodes.push(node as RootContent) - 1;
    // A component may read the text of a paragraph.
    const [only, ...others] = isContent && node.type === "paragraph" ? node.children : [];
    const text =
      only?.type === "text" && others.length === 0 ? `, undefined, ${JSON.stringify(only.value)}` : "";
    if (!isDynamic) return `$mdx.node(${id}${text})`;
    if (isExpression(node)) return this.#expression(node, id);
    if (!("children" in node)) return "null";
    return `$mdx.node(${id}, [${node.children.map((child) => this.#node(child)).join(", ")}])`;
  }

  #expression(node: MdxExpression, id: number): string {
    const program = node.data?.estree as Program;
    const [statement] = program.body;
    const isName = statement?.type === "ExpressionStatement" && isPlaceholder(statement.expression);
    const read = `() => ${this.#value(program)}`;
    return isName ? `$mdx.name(${id}, ${read})` : `$mdx.show(${id}, ${this.#locationOf(node)}, ${read})`;
  }

  #element(node: JsxElement): string {
    const path = this.#snippetPath(node);
    const type = path === undefined ? this.#type(node) : this.#importValue(path, "default", "");
    const known = `...${JSON.stringify(node.data?.props ?? {})}`;
    const props = node.attributes.map((attribute) => this.#property(attribute, this.#locationOf(node)));
    const children = node.children.map((child) => this.#node(child, true));
    return `React.createElement(${[type, `{ ${[known, ...props].join(", ")} }`, ...children].join(", ")})`;
  }

  #property(attribute: JsxAttribute, location: string): string {
    const read = (program: unknown) => `$mdx.value(${location}, () => ${this.#value(program as Program)})`;
    if (attribute.type === "mdxJsxExpressionAttribute") return `...${read(attribute.data?.estree)}`;
    const { name, value } = attribute;
    const literal = literalAttribute(attribute);
    const isCode = literal === undefined && typeof value === "object";
    return `${JSON.stringify(name)}: ${isCode ? read(value?.data?.estree) : JSON.stringify(literal)}`;
  }

  #type(element: JsxElement): string {
    if (element.name === null) return "React.Fragment";
    return this.#isDeclared(element) ? element.name : JSON.stringify(element.name);
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

  /** Writes an import as a constant: a static import of a missing export would make the whole module fail. */
  #import({ source, specifiers }: ImportDeclaration): string {
    const path = this.#resolve(String(source.value));
    if (path === undefined && source.value !== "react") return "";
    const lines = specifiers.map((specifier) => {
      const { name: local } = specifier.local;
      const name = importedName(specifier);
      if (path !== undefined) return `const ${local} = ${this.#importValue(path, name, local)};`;
      const isNamespace = name === "*" || name === "default";
      if (isNamespace && local === "React") return "";
      return `const ${local} = globalThis.React${isNamespace ? "" : `.${name}`};`;
    });
    return lines.join("\n");
  }

  #importValue(path: string, name: string, local: string): string {
    this.#program.imported.add(path);
    const module = `$${this.#importLines.length}`;
    this.#importLines.push(`import * as ${module} from ${JSON.stringify(path)};`);
    return name === "*"
      ? module
      : `$mdx.use(${[module, ...[name, local, path].map((text) => JSON.stringify(text))].join(", ")})`;
  }

  /** Makes a variable `undefined` if its value cannot be computed, instead of failing the whole module. */
  #guard({ declarations }: VariableDeclaration): void {
    for (const declaration of declarations) {
      const { init } = declaration;
      if (!init || /^(?:Literal|ClassExpression|(?:Arrow)?FunctionExpression)$/.test(init.type)) continue;
      declaration.init = {
        type: "CallExpression",
        optional: false,
        callee: { type: "Identifier", name: "$mdx.value" },
        arguments: [
          { type: "Literal", value: this.#location(init.loc?.start.line) },
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

  #locationOf({ position }: Nodes): string {
    return JSON.stringify(this.#location(position?.start.line));
  }

  #location(line: number | undefined): string {
    return [this.#snippet, line && `line ${line}`].filter(Boolean).join(", ");
  }
}

function importedName(specifier: ImportDeclaration["specifiers"][number]): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  const { imported } = specifier;
  return imported.type === "Identifier" ? imported.name : String(imported.value);
}

/** Fields of syntax nodes whose identifiers are not variables. */
const nonVariableFields: Readonly<Record<string, readonly string[]>> = {
  MemberExpression: ["property"],
  JSXMemberExpression: ["property"],
  JSXAttribute: ["name"],
  Property: ["key"],
  MetaProperty: ["meta", "property"],
};
/** `props` is the parameter of `$content`; the others cannot be declared. */
const reservedNames = new Set(["props", "undefined", "arguments", "eval", "await", "let", "static", "yield"]);

/** The variables that the code in a tree uses or declares. */
function namesIn(tree: unknown, type = "Identifier", names = new Set<string>()): ReadonlySet<string> {
  if (typeof tree !== "object" || tree === null) return names;
  const node = tree as { readonly type?: unknown; readonly name?: unknown; readonly computed?: unknown };
  if (node.type === type && typeof node.name === "string" && !reservedNames.has(node.name))
    names.add(node.name);
  const skipped = (node.computed !== true && nonVariableFields[String(node.type)]) || [];
  for (const [key, value] of Object.entries(node)) if (!skipped.includes(key)) namesIn(value, type, names);
  return names;
}
