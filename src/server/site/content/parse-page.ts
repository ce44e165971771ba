/** A page's Markdown or MDX as a syntax tree, and the limit of time on such work. */
import { type Context, createContext, Script } from "node:vm";
import { Parser } from "acorn";
import acornJsx from "acorn-jsx";
import type { Heading, Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { type PluggableList, type Processor, unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { readAlerts } from "./callouts.ts";
import { cjkEmphasis } from "./cjk-emphasis.ts";
import { formulaSyntax } from "./formulas.ts";

interface Problem {
  readonly message: string;
  readonly line: number | undefined;
}

/** A page's syntax tree, and why it is not the tree that its author meant. */
export interface ParsedPage {
  readonly tree: Root;
  readonly problems: readonly Problem[];
}

/** Parses Markdown; raw HTML stays in the tree as nodes of type `html`. */
export const parseMarkdown = createTextParser();
const parseAnyMdx = createTextParser([remarkMdx, { acorn: createParser() }]);
const parseMdxEagerly = createTextParser([remarkMdx, { acorn: createEagerParser() }]);

/** A line that starts with a capitalised tag, its closing tag or MDX's comment: `.md` files of MDX sites have them too. */
const componentTag = /^[ \t]*(?:<\/?[A-Z][A-Za-z.]*[\s/>]|\{\/\*)/m;

/**
 * Parses a page as MDX where it is one, and as Markdown otherwise or where it cannot be parsed as MDX. Nothing in it is
 * run.
 *
 * @throws {RangeError} where a text is nested too deeply for any parser.
 */
export function parsePage(path: string, written: string): ParsedPage {
  const { body, problems } = limitTables(written);
  if (!path.endsWith(".mdx") && !componentTag.test(body)) return { tree: parseMarkdown(body), problems };
  try {
    const tree = parseMdx(body);
    unravelParagraphs(tree);
    return { tree, problems };
  } catch (error) {
    return { tree: parseMarkdown(body), problems: [...problems, explain(error)] };
  }
}

const maxTableColumns = 1_000;
/** In all tables of a page: each cell takes kilobytes while it is parsed. */
const maxTableCells = 100_000;

/** A row that may be the one below a table's header; with a mark before its first sign, what is around it is no table. */
const isRule = (line: string) => line.includes("|") && !/[^\s>|:-]/.test(line);

/** Makes text of tables that are too large. */
function limitTables(body: string): { readonly body: string; readonly problems: readonly Problem[] } {
  // A row may have a bar more than cells.
  const count = (text: string) => text.split("|").length - 2;
  if (count(body) <= maxTableColumns) return { body, problems: [] };
  const problems: Problem[] = [];
  let [line, cells] = [1, 0];
  const limited = body.split(/(\n(?:[ \t]*\r?\n)+)/).map((block) => {
    const lines = block.split("\n");
    const start = line;
    line += lines.length - 1;
    const rules = lines.filter(isRule);
    if (rules.length === 0) return block;
    const size = count(block);
    if (cells + size <= maxTableCells && rules.every((rule) => count(rule) <= maxTableColumns)) {
      cells += size;
      return block;
    }
    const limits = `${maxTableColumns} columns, or the page's tables have more than ${maxTableCells} cells`;
    problems.push({ message: `a table stays text: it has more than ${limits}`, line: start });
    return lines.map((one) => (isRule(one) ? one.replace(/[|:-]/, "\\$&") : one)).join("\n");
  });
  return { body: limited.join(""), problems };
}

/** `## Heading {#id}` names the heading's own identifier. */
function identifyHeadings(tree: Root): void {
  visit(tree, "heading", (heading: Heading) => {
    const last = heading.children.at(-1);
    const written =
      last?.type === "mdxTextExpression" ? `{${last.value.trim()}}` : last?.type === "text" ? last.value : "";
    const [mark, id = ""] = /(?<!\s)\s*\{#([^{}]*[^\s{}])\s*\}$/.exec(written) ?? [];
    if (mark === undefined) return;
    heading.data = { ...heading.data, hProperties: { id: id.trim().replace(/\s+/g, "-") } };
    heading.children.pop();
    const text =
      last?.type === "text" ? { ...last, value: last.value.slice(0, -mark.length) } : heading.children.pop();
    if (text !== undefined)
      heading.children.push(text.type === "text" ? { ...text, value: text.value.trimEnd() } : text);
  });
}

function parseMdx(body: string): Root {
  try {
    return parseMdxEagerly(body);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // Most such texts are no MDX; a few are, and only the slower parser can tell.
    return parseAnyMdx(body);
  }
}

/** What a text holds wherever one of these constructs matches; each is tried at every line or at many characters. */
const signs: Readonly<Record<string, RegExp>> = {
  emailAutolink: /[\w+\-.]@/,
  protocolAutolink: /https?:/i,
  wwwAutolink: /www\./i,
  mathFlow: /\$\$/,
  mathText: /\$/,
  table: /[|:][ \t]*-|-[ \t]*[|:]/,
};

const addressSigns = ["emailAutolink", "protocolAutolink", "wwwAutolink"];

/**
 * A parser of Markdown with GitHub's additions. Of these, tables and addresses that become links by themselves took most of the
 * time; they are left out where there are none, and so is the search of the tree for more addresses.
 */
function createTextParser(...plugins: PluggableList): (body: string) => Root {
  // Frozen processors can be shared: parsing keeps no state in them.
  const full = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(formulaSyntax)
    .use(cjkEmphasis)
    .use(plugins)
    .freeze();
  const processors = new Map<string, typeof full>();
  return (body) => {
    const absent = Object.keys(signs).filter((name) => signs[name]?.test(body) === false);
    const key = absent.join(" ");
    const processor = processors.get(key) ?? full().use(leaveOut, absent).freeze();
    processors.set(key, processor);
    const tree = processor.parse(body);
    if (body.includes("{#")) identifyHeadings(tree);
    if (body.includes("[!")) readAlerts(tree);
    return tree;
  };
}

/** Takes the constructs of these names out of the grammar. */
function leaveOut(this: Processor, names: readonly string[]): void {
  const data = this.data();
  type Constructs = NonNullable<typeof data.micromarkExtensions>[number]["text"];
  const without = (constructs: Constructs = {}): Constructs =>
    Object.fromEntries(
      Object.entries(constructs).map(([character, all]) => {
        const kept = [all ?? []].flat().filter(({ name = "" }) => !names.includes(name));
        return [character, kept];
      }),
    );
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((extension) => ({
    ...extension,
    flow: without(extension.flow),
    text: without(extension.text),
  }));
  // The only transforms search the tree for more addresses.
  if (addressSigns.every((name) => names.includes(name)))
    data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
      .flat()
      .map((extension) => ({ ...extension, transforms: [] }));
}

/** One sentence of a parser's complaint. */
function explain(error: unknown) {
  const { reason, line } = error as { reason?: unknown; line?: unknown };
  const text = typeof reason === "string" ? reason : String(error);
  const message = `it is not MDX and was read as Markdown: ${text}`;
  return { message, line: typeof line === "number" ? line : undefined };
}

/** `<Note>text</Note>` on one line is read as a paragraph with an inline element; it is meant as a block. */
function unravelParagraphs(tree: Root): void {
  visit(tree, "paragraph", (paragraph: Paragraph, index, parent) => {
    if (parent === undefined || index === undefined) return undefined;
    const hasElement = paragraph.children.some((child) => child.type === "mdxJsxTextElement");
    if (!hasElement || !paragraph.children.every(mayStandAlone)) return undefined;
    parent.children.splice(index, 1, ...paragraph.children.flatMap(toBlock));
    return [SKIP, index];
  });
}

function mayStandAlone(node: PhrasingContent): boolean {
  if (node.type === "mdxJsxTextElement" || node.type === "mdxTextExpression") return true;
  return node.type === "text" && node.value.trim() === "";
}

function toBlock(node: PhrasingContent): RootContent[] {
  if (node.type === "text") return [];
  return [node.type === "mdxJsxTextElement" ? ({ ...node, type: "mdxJsxFlowElement" } as never) : node];
}

type AcornParser = Pick<typeof Parser, "parse" | "parseExpressionAt">;

/** A parser of JavaScript with JSX; `{#id}` behind a heading is a text of the same length to it. */
function createParser(): AcornParser {
  const parser = Parser.extend(acornJsx());
  return {
    parse: (source, options) => parser.parse(source, options),
    parseExpressionAt: (source, position, options) => {
      const code = source.replace(/^(\s*)#([^"'`\\]*)[^\s"'`\\](\s*)$/, '$1"$2"$3');
      return parser.parseExpressionAt(code, position, options);
    },
  };
}

/**
 * A parser of JavaScript that is spared the attempts that cannot succeed. The MDX tokenizer tries to parse an expression
 * again at each `}` until it succeeds, which takes time in the square of the braces. This parser refuses texts with more
 * `{` than `}` without reading them. It is wrong where a string holds a lone `{`: the page is then read again without it.
 */
function createEagerParser(): AcornParser {
  const parser = createParser();
  // Each text usually continues the one before: only what is new is counted.
  let known = "";
  let open = 0;
  return {
    parse: (source, options) => parser.parse(source, options),
    parseExpressionAt: (source, position, options) => {
      if (!source.startsWith(known)) [known, open] = ["", 0];
      for (const [brace] of source.slice(known.length).matchAll(/[{}]/g)) open += brace === "{" ? 1 : -1;
      known = source;
      if (open <= 0) return parser.parseExpressionAt(source, position, options);
      // What acorn throws where a text ends too early; the tokenizer then goes on to the next brace.
      const end = { pos: source.length, raisedAt: source.length, loc: { line: 1, column: 0 } };
      throw Object.assign(new SyntaxError("Unexpected token"), end);
    },
  };
}

/** For one page, or one step of it. Generous, since a busy machine must not change the result: real pages take up to a second. */
const maxStepMs = 30_000;

const script = new Script("run()");

/** Made once: a context costs milliseconds and a megabyte, and a site has thousands of pages. */
let context: Context | undefined;
let isLimited = false;

/**
 * Runs synchronous work, and throws when it takes too long, wherever it is: grammars have texts that take them hours. The
 * script engine's own time limit does it; what runs inside is this process's code, not a sandbox. Each limit starts a thread
 * of its own: within limited work, no other limit has an effect.
 */
export function withTimeLimit<Result>(work: () => Result, limitMs = maxStepMs): Result {
  if (isLimited) return work();
  context ??= createContext();
  context["run"] = work;
  isLimited = true;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } finally {
    isLimited = false;
  }
}
