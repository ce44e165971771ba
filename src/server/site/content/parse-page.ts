/** Parses a page's Markdown or MDX into a syntax tree. */
import { Parser } from "acorn";
import acornJsx from "acorn-jsx";
import type { Heading, Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import remarkCjkFriendly from "remark-cjk-friendly/parseOnly";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { type PluggableList, type Processor, unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import type { PageReporter } from "../report.ts";
import { quoteContainers, readContainers, readShortcodes, removeAttributes } from "./dialects.ts";
import { formulaSyntax, readFormulaBlocks } from "./formulas.ts";

/** A line that is the same in Markdown and without it. References to an API have many thousands of these. */
export const plainLine = /^\p{L}(?:[\p{L}\p{N} '"()/%?-]|[.,;:](?= |$))*$/u;

/** Parses Markdown; raw HTML stays in the tree as nodes of type `html`. */
export const parseMarkdown = createTextParser();
const parseMdxExactly = createTextParser(remarkMdx);
const parseMdxFast = createTextParser([remarkMdx, { acorn: createFastParser() }]);

/** A line that starts with a component's tag, a tag with an expression, or an MDX comment. */
const mdxLine = /^[ \t]*(?:<\/?[A-Z][A-Za-z.]*[\s/>]|<[a-z][^<>]*=\{|\{\/\*)/m;

/** The imports at the start of a page. In Markdown they would be text. */
const leadingImports = /^(?:\s*import [^\n]+ from (["'])[^\n"']+\1;?[ \t]*(?=\n|$))+/;

/**
 * Parses a page as MDX if it is MDX. All other pages, and those that are not valid MDX, are parsed as Markdown. No code of
 * the page runs.
 *
 * @throws {RangeError} if the text is nested too deeply for both parsers.
 */
export function parsePage(path: string, body: string, onWarning: PageReporter): Root {
  if (isTooManyCells(body))
    onWarning(`the page's tables stay text: they have more than ${maxTableCells} cells`, "markup");
  const isInclude = (comment: string) => /^<!--\s*@include:/.test(comment);
  if (body.includes("@include:") && body.match(codeOrComment)?.some(isInclude))
    onWarning("the files that its comments include are not shown: `@include` is not read", "markup");
  // Lines stay lines.
  const markdown = body.replace(leadingImports, (found) => found.replace(/[^\n]+/g, ""));
  // A `.md` file is MDX, too, if one of its lines outside of code and comments is.
  const hasMdx = () => mdxLine.test(body) && mdxLine.test(body.replace(codeOrComment, ""));
  if (!path.endsWith(".mdx") && !hasMdx()) return parseMarkdown(markdown);
  try {
    const tree = parseMdx(escapeIds(body));
    unravelParagraphs(tree);
    return tree;
  } catch (error) {
    const { reason = String(error), line } = error as { readonly reason?: string; readonly line?: number };
    onWarning(`it is not MDX and was read as Markdown: ${reason}`, "markup", line);
    return parseMarkdown(markdown);
  }
}

/** Removes the positions of a snippet or a description, which are not those of the page. */
export function removePositions(tree: Root): void {
  visit(tree, (node) => {
    delete node.position;
  });
}

/** Reads the ids that authors give to headings: `## Heading {#id}`, `## Heading ## {: #id }`, or `## Heading { id="id" }`. */
function readHeadingIds(tree: Root): void {
  visit(tree, "heading", (heading: Heading) => {
    const last = heading.children.at(-1);
    if (last?.type !== "text") return;
    const marker = /(?<!\s)\s*(?:(?<=\s)#+\s*)?\{:?\s*(?:#|id=")([^{}]*?[^\s{}])"?\s*\}$/;
    const [end = "", id] = marker.exec(last.value) ?? [];
    if (id === undefined) return;
    heading.data = { ...heading.data, hProperties: { id: id.trim().replace(/\s+/g, "-") } };
    last.value = last.value.slice(0, -end.length);
  });
}

/** Escapes ids such as `{#id}` outside of code and properties, which MDX would read as expressions. */
function escapeIds(body: string): string {
  if (!/\{:?[ \t]*#/.test(body)) return body;
  const otherOrId = new RegExp(`${codeOrComment.source}|="[^"\\n]*"|='[^'\\n]*'|\\{(?=:?[ \\t]*#)`, "gm");
  return body.replace(otherOrId, (found) => (found === "{" ? "\\{" : found));
}

function parseMdx(body: string): Root {
  try {
    return parseMdxFast(body);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // MDX does not have HTML comments. Lines stay lines.
    const withoutComments = body.replace(codeOrComment, (found) =>
      /^<!--[\s\S]*-->$/.test(found) ? found.replace(/[^\n]+/g, "") : found,
    );
    if (withoutComments !== body) return parseMdx(withoutComments);
    // Most such texts are not MDX, but some are: the fast parser rejects strings with a lone `{`.
    return parseMdxExactly(body);
  }
}

/** Fenced code, a code span, or an HTML comment. What is not closed ends with the text. */
const codeOrComment =
  /^(?:[ \t>*+-]|\d{1,9}[.)])*(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?(?:^[ \t>]*\1|(?![\s\S]))|(?<!`)(`{1,9})(?!`)[^\n]*?(?<!`)\2(?!`)|<!--[\s\S]*?(?:-->|(?![\s\S]))/gm;

/** The parser needs kilobytes of memory for each cell of a table. */
const maxTableCells = 100_000;

function isTooManyCells(body: string): boolean {
  // A row has at most one bar more than cells.
  return body.split("|").length - body.split("\n").length > maxTableCells;
}

/** A text matches this if it may contain the construct. The parser tries each construct at every line or at many characters. */
const requiredText: Readonly<Record<string, RegExp>> = {
  emailAutolink: /[\w+\-.]@/,
  protocolAutolink: /https?:/i,
  wwwAutolink: /www\./i,
  mathFlow: /\$\$/,
  mathText: /\$/,
  table: /[|:][ \t]*-|-[ \t]*[|:]/,
  /** No construct, but the search of the tree for further addresses, four times. That of a link is none. */
  transforms: /(?<!\]\(|["'])(?:https?:\/\/|www\.)|[\w+\-.]@/i,
};

/** Reads the syntax of other documentation systems. Each is searched only if the text may contain it. */
function readDialects(tree: Root, body: string): void {
  if (/\{:?\s*(?:#|id=)/.test(body)) readHeadingIds(tree);
  // Before the containers, whose titles become properties.
  if (/:[+\w-]+:/.test(body)) readShortcodes(tree);
  if (/\{:?\s*(?:[.#]|[\w-]+=)/.test(body)) removeAttributes(tree);
  if (body.includes("[!")) readContainers(tree);
  if (body.includes("$$")) readFormulaBlocks(tree);
}

/**
 * Creates a parser of Markdown with GitHub's extensions. Tables and autolinks took most of its time, so that they are
 * disabled for texts that cannot contain them.
 */
function createTextParser(...plugins: PluggableList): (body: string) => Root {
  // Frozen processors can be shared: parsing keeps no state in them.
  const full = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkCjkFriendly)
    .use(formulaSyntax)
    .use(plugins)
    .freeze();
  const processors = new Map<string, typeof full>();
  return (markdown) => {
    const body = quoteContainers(markdown);
    const absent = Object.keys(requiredText).filter((name) => requiredText[name]?.test(body) === false);
    if (isTooManyCells(body)) absent.push("table");
    const key = absent.join(" ");
    const processor = processors.get(key) ?? full().use(disableConstructs, absent).freeze();
    processors.set(key, processor);
    const tree = processor.parse(body);
    readDialects(tree, body);
    return tree;
  };
}

function disableConstructs(this: Processor, names: readonly string[]): void {
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
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => (names.includes("transforms") ? { ...extension, transforms: [] } : extension));
}

/** MDX parses `<Note>text</Note>` on one line as a paragraph with an inline element; here it becomes a block. */
function unravelParagraphs(tree: Root): void {
  visit(tree, "paragraph", (paragraph: Paragraph, index, parent) => {
    if (parent === undefined || index === undefined) return undefined;
    const hasElement = paragraph.children.some((child) => child.type === "mdxJsxTextElement");
    const blocks = paragraph.children.map(toBlocks);
    if (!hasElement || blocks.includes(undefined)) return undefined;
    parent.children.splice(index, 1, ...blocks.flatMap((nodes) => nodes ?? []));
    return [SKIP, index];
  });
}

/** What stands between blocks instead of a node of a paragraph; `undefined` for text. */
function toBlocks(node: PhrasingContent): RootContent[] | undefined {
  if (node.type === "mdxJsxTextElement") return [{ ...node, type: "mdxJsxFlowElement" } as never];
  if (node.type === "mdxTextExpression") return [node];
  return node.type === "text" && node.value.trim() === "" ? [] : undefined;
}

/**
 * A faster parser for expressions. The MDX tokenizer parses an expression again at each `}` until that succeeds, which takes
 * time quadratic in the number of braces. This parser rejects texts with more `{` than `}` without parsing them. That is
 * wrong if a string contains a lone `{`; such a page is parsed again without this parser.
 */
function createFastParser(): Pick<typeof Parser, "parse" | "parseExpressionAt"> {
  const parser = Parser.extend(acornJsx());
  return {
    parse: (source, options) => parser.parse(source, options),
    parseExpressionAt: (source, position, options) => {
      if (source.split("{").length <= source.split("}").length)
        return parser.parseExpressionAt(source, position, options);
      // acorn's error for a text that ends too early: the tokenizer then continues to the next brace.
      const end = { pos: source.length, raisedAt: source.length, loc: { line: 1, column: 0 } };
      throw Object.assign(new SyntaxError("Unexpected token"), end);
    },
  };
}
