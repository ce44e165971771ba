/** Evaluates a page: code runs in the sandbox, so that the resulting tree contains only Markdown and components. */
import type { Code, PhrasingContent, Root, RootContent } from "mdast";
import { phrasing } from "mdast-util-phrasing";
import { toString as textOf } from "mdast-util-to-string";
import { isJsonObject, type JsonObject, messageOf, parseJson } from "../../../base/text.ts";
import { listOf, objectOf } from "../json-values.ts";
import { type ApiReference, openReference } from "../openapi/describe-reference.ts";
import type { PageReporter } from "../report.ts";
import {
  isExpression,
  isJsx,
  type JsxElement,
  literalAttribute,
  literalText,
  MdxProgram,
} from "./compile-mdx.ts";
import { reportUnknownMarkup } from "./dialects.ts";
import { type DocsTree, findImport, readPageText, UnusableFileError } from "./docs-tree.ts";
import { groupAdjacent } from "./group-adjacent.ts";
import { textTag } from "./hast.ts";
import { splitFrontMatter } from "./page-source.ts";
import { parsePage, removePositions } from "./parse-page.ts";
import { runInSandbox, SandboxError } from "./sandbox.ts";
import { withTimeLimit } from "./time-limit.ts";

declare module "mdast-util-mdx-jsx" {
  /** The attributes' values as JSON. */
  interface Props {
    props?: JsonObject;
  }
  interface MdxJsxFlowElementData extends Props {}
  interface MdxJsxTextElementData extends Props {}
}

function parseContent(path: string, body: string, { variables }: DocsTree, onWarning: PageReporter): Root {
  // Variables that the site defines were replaced when the file was read.
  for (const [index, line] of variables === undefined ? [] : body.split("\n").entries())
    for (const [name] of line.matchAll(/(?<!\$)\{\{[\w-]+\}\}/g))
      onWarning(`the site defines no variable ${name}; it stays as written`, "script", index + 1);
  const tree = parsePage(path, body, onWarning);
  reportUnknownMarkup(tree, onWarning);
  return tree;
}

/**
 * Parses and evaluates a page, appends the OpenAPI reference that it describes, and returns what `finish` makes of the resulting tree: the
 * site renders it, and the assistant quotes it. Each step that can take long is stopped after a while. For most pages there is only one,
 * because V8 starts a thread for each time limit.
 */
export async function readPage<Result>(
  path: string,
  body: string,
  docs: DocsTree,
  onWarning: PageReporter,
  finish: (tree: Root) => Result,
  reference?: ApiReference,
): Promise<Result> {
  const program = new MdxProgram();
  const addReference = reference && (await openReference(reference, docs, onWarning));
  const complete = (tree: Root) => {
    resolveLiterals(tree);
    addReference?.(tree);
    return { result: finish(tree) };
  };
  const parsed = withTimeLimit(() => {
    const tree = parseContent(path, body, docs, onWarning);
    program.addMarkdown(path, tree, createResolver(path, docs, onWarning));
    // A page without code needs no sandbox.
    return program.modules.size > 0 ? { tree } : complete(tree);
  }, docs.parseLimitOf?.(body.length));
  if ("result" in parsed) return parsed.result;
  const { tree } = parsed;
  // Expressions become their values, and the page's own components and snippets their content. Other components stay, with the values
  // of their properties in `data.props`.
  try {
    // The loop also visits the paths that it adds.
    for (const imported of program.imported)
      if (!program.modules.has(imported)) await addImport(program, imported, docs, onWarning);
    const result = await runInSandbox({ ...program, entry: path });
    tree.children = new ResultReader(program.nodes, onWarning).read(result);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    onWarning(`the page's expressions and components stay as written: ${error.message}`, "script");
  }
  return withTimeLimit(() => complete(tree).result);
}

const maxImports = 1000;

/** Adds an imported file; an empty module if that fails. */
async function addImport(program: MdxProgram, path: string, docs: DocsTree, onWarning: PageReporter) {
  program.modules.set(path, "");
  const resolve = createResolver(path, docs, onWarning);
  try {
    if (program.modules.size > maxImports) throw new UnusableFileError("there are too many");
    const isCode = /\.(?:jsx?|mdx?|json)$/i.test(path);
    const text = isCode ? await readPageText(docs, path) : "";
    const limitMs = docs.parseLimitOf?.(text.length);
    if (/\.mdx?$/i.test(path)) {
      // Without the line, which is a line of the snippet and not of the page.
      const warn: PageReporter = (message, kind) => onWarning(`${path}: ${message}`, kind);
      const { body } = splitFrontMatter(text);
      const tree = withTimeLimit(() => parseContent(`${path}.mdx`, body, docs, warn), limitMs);
      program.addMarkdown(path, tree, resolve, path);
      removePositions(tree);
    } else if (/\.jsx?$/i.test(path)) {
      withTimeLimit(() => program.addScript(path, text, resolve), limitMs);
    } else {
      // The import of an image is its URL.
      const value = isCode ? parseJson(text) : `/${path}`;
      program.modules.set(path, `export default ${JSON.stringify(value)};`);
    }
  } catch (error) {
    onWarning(`the import ${path} was left out: ${messageOf(error)}`, "file");
  }
}

/** Creates the function that resolves a file's imports. */
function createResolver(from: string, docs: DocsTree, onWarning: PageReporter) {
  return (specifier: string): string | undefined => {
    const path = findImport(docs, from, specifier);
    const isFile = /^[./~]|^@\/|\.mdx?$/i.test(specifier);
    if (path === undefined && isFile)
      onWarning(`the snippet ${specifier} is not part of the documents`, "file");
    return path;
  };
}

const maxResultNodes = 100_000;
const maxResultDepth = 300;

/** HTML elements and Markdown nodes that contain a line of text. */
const lineElement = /^(?:p|h[1-6]|td|th|dt|summary)$/;
const lineNode = /^(?:paragraph|heading|tableCell)$/;

/** Wraps text between blocks in paragraphs. */
function inParagraphs(nodes: readonly RootContent[]): RootContent[] {
  const isBlank = (node: PhrasingContent) => node.type === "text" && node.value.trim() === "";
  const blocks = groupAdjacent<RootContent, PhrasingContent>(nodes, phrasing, (children) => [
    { type: "paragraph", children },
  ]);
  return blocks.filter((block) => block.type !== "paragraph" || !block.children.every(isBlank));
}

/** Reads the sandbox's untrusted result, which consists of text, HTML, elements and ids of Markdown nodes. */
class ResultReader {
  readonly #nodes: readonly RootContent[];
  readonly #used = new Set<number>();
  readonly #onWarning: PageReporter;
  #count = 0;

  constructor(nodes: readonly RootContent[], onWarning: PageReporter) {
    this.#nodes = nodes;
    this.#onWarning = onWarning;
  }

  /** @throws {SandboxError} if the result is too large or not JSON. */
  read(json: string): RootContent[] {
    try {
      const { tree, warnings } = objectOf(
        JSON.parse(json, (key, value: unknown) => this.#revive(key, value)),
      );
      for (const warning of listOf(warnings).slice(0, 50))
        this.#onWarning(String(warning).slice(0, 500), "script");
      return this.#list(tree, false, 0);
    } catch (cause) {
      throw cause instanceof SandboxError ? cause : new SandboxError(messageOf(cause), { cause });
    }
  }

  /** Replaces an element in a property by its text, and an element in `icon` by the icon's name, image or drawing. */
  #revive(key: string, value: unknown): unknown {
    if (key === "__proto__") return undefined;
    if (!isJsonObject(value) || !("$content" in value)) return value;
    const [first] = listOf(value["$content"]);
    const [name, second] = key === "icon" ? listOf(first) : [];
    const props = objectOf(second);
    if (name === "svg") return { drawing: first };
    if (name === "Icon") return props["icon"] ?? props["name"];
    if (name === "img") return String(props["src"]).replace(/^(?![./]|https?:)/, "/");
    // A component of a package of icons, such as `<Brain />`.
    if (typeof name === "string" && /^[A-Z]\w*$/.test(name)) return name;
    return textOf({ type: "root", children: this.#list(value["$content"], true, 0) });
  }

  #list(items: unknown, isInline: boolean, depth: number): RootContent[] {
    if (!Array.isArray(items)) return [];
    this.#count += items.length;
    if (this.#count > maxResultNodes || depth > maxResultDepth)
      throw new SandboxError("its result has too many elements");
    return items.flatMap((item) => this.#item(item, isInline, depth));
  }

  #item(item: unknown, isInline: boolean, depth: number): RootContent[] {
    if (typeof item === "string") return [{ type: "text", value: item }];
    const { html, block } = objectOf(item);
    if (typeof html === "string") return [{ type: "html", value: html }];
    if (block !== undefined) {
      const nodes = this.#list(block, isInline, depth);
      return isInline ? nodes : inParagraphs(nodes);
    }
    const [head, second, third] = listOf(item);
    if (typeof head === "number") return this.#node(head, second, isInline, depth);
    if (typeof head !== "string") return [];
    const isLine = isInline || textTag.test(head) || lineElement.test(head);
    const children = this.#list(third, isLine, depth + 1);
    const type = isInline || textTag.test(head) ? "mdxJsxTextElement" : "mdxJsxFlowElement";
    const data = { props: objectOf(second) };
    return [{ type, name: head, attributes: [], data, children } as JsxElement];
  }

  #node(id: number, children: unknown, isInline: boolean, depth: number): RootContent[] {
    const original = this.#nodes[id];
    if (original === undefined) return [];
    // Later steps change nodes, so that a node that is shown twice is copied.
    const node = this.#used.has(id) ? structuredClone(original) : original;
    this.#used.add(id);
    if (children === undefined) return [node];
    const isLine = isInline || lineNode.test(node.type);
    return [{ ...node, children: this.#list(children, isLine, depth + 1) } as RootContent];
  }
}

/** Replaces the remaining expressions by text, and sets `data.props` of elements that did not pass the sandbox. */
function resolveLiterals(parent: { children: RootContent[] }): void {
  const resolved: RootContent[] = [];
  for (const child of parent.children) {
    const last = resolved.at(-1);
    const text = textOfNode(child);
    if (text === "") continue;
    if (text === undefined) resolved.push(child);
    else if (last?.type === "text") last.value += text;
    else resolved.push({ type: "text", value: text });
    if (isJsx(child)) child.data = { props: literalProps(child), ...child.data };
    if ("children" in child) resolveLiterals(child);
    if (isJsx(child) && child.name === "CodeBlock") resolved.splice(-1, 1, ...readCodeBlock(child));
  }
  parent.children = resolved;
}

/** Converts a code block with text or fenced code to code nodes. Its properties become the meta text. */
function readCodeBlock(block: JsxElement): Code[] {
  const { language, lang = language, code: source = textOf(block), ...props } = block.data?.props ?? {};
  const meta = Object.entries(props).flatMap(([name, value]) => {
    if (value === true) return [name];
    return value === false ? [] : [`${name}="${String(value).replaceAll('"', "'")}"`];
  });
  const fenced = block.children.filter((child) => child.type === "code");
  const value = String(source).replace(/^\n/, "").trimEnd();
  const codes: Code[] = fenced.length > 0 ? fenced : [{ type: "code", value, position: block.position }];
  const name = typeof lang === "string" ? lang.split(" ", 1)[0] : undefined;
  return codes.map((code) => ({
    ...code,
    lang: name ?? code.lang,
    meta: [...meta, code.meta ?? ""].join(" ").trim(),
  }));
}

function textOfNode(node: RootContent): string | undefined {
  if (node.type === "text") return node.value;
  if (node.type === "mdxjsEsm") return "";
  return isExpression(node) ? (literalText(node) ?? `{${node.value}}`) : undefined;
}

function literalProps({ attributes }: JsxElement): Record<string, unknown> {
  const entries = attributes.flatMap((attribute) => {
    const value = literalAttribute(attribute);
    return "name" in attribute && value !== undefined ? [[attribute.name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}
