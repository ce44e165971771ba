/** Reads VitePress' includes (`<!--@include: ./part.md-->`) and its imports of code (`<<< @/start.js{1}`). */
import { posix } from "node:path";
import type { PageReporter } from "../report.ts";
import { fenceAfter } from "./dialects.ts";
import { type DocsTree, findImport, ifUsable, readPageText } from "./docs-tree.ts";
import { splitFrontMatter } from "./page-source.ts";

const anyInclude = /<!--[ \t]*@include:|^[ \t]*<<</m;
const include = /^(.*?)<!--[ \t]*@include:(.*?)-->(.*)$/;
/** An included path with a region and a range of lines. */
const includedPart = /^(.*?)(?:#([\w*-]+))?(?:\{(\d*),(\d*)\})?$/;
/** An imported path with a region, in braces the highlighted lines and the language, and a title. */
const codeImport = /^([ \t]*)<<<[ \t]*([^\s#{[]+)(?:#([\w*-]+))? ?(?:\{([^}]*)\})? ?(?:\[(.*)\])?[ \t]*$/;
const regionMarker = /^\W*(?:pragma )?(end ?)?region\b[^\w*-]*([\w*-]*)/i;

/** Longer lines have no includes: matching may take time quadratic in the length. */
const maxLineLength = 1_000;
const maxDepth = 10;
/** Limits of what a page includes: files and characters. */
const maxFiles = 1_000;
const maxLength = 2 * 1024 * 1024;

/** Puts the included files into the text of a page. `lineOf` maps a line of the result to the page's own. */
export async function includeFiles(source: string, body: string, docs: DocsTree, onWarning: PageReporter) {
  if (!anyInclude.test(body)) return { text: body, lineOf: (line: number) => line };
  const blocks = await new FileIncluder(docs, onWarning).expand(source, body, 0);
  const origins = blocks.flatMap((block, index) => block.split("\n").map(() => index + 1));
  return { text: blocks.join("\n"), lineOf: (line: number) => origins[line - 1] ?? line };
}

class FileIncluder {
  readonly #docs: DocsTree;
  readonly #onWarning: PageReporter;
  #fileCount = 0;
  #length = 0;
  /** The page's line that is expanded, for warnings. */
  #line = 0;

  constructor(docs: DocsTree, onWarning: PageReporter) {
    this.#docs = docs;
    this.#onWarning = onWarning;
  }

  /** The text that replaces each line of a file. */
  async expand(file: string, text: string, depth: number): Promise<string[]> {
    const expanded: string[] = [];
    let fence: string | undefined;
    for (const [index, line] of text.split("\n").entries()) {
      if (depth === 0) this.#line = index + 1;
      const before = fence;
      fence = fenceAfter(fence, line);
      const isText = before === undefined && fence === undefined && line.length <= maxLineLength;
      expanded.push((isText ? await this.#readLine(file, line, depth) : undefined) ?? line);
    }
    return expanded;
  }

  async #readLine(file: string, line: string, depth: number): Promise<string | undefined> {
    const [, indent = "", imported, region, options, title] = codeImport.exec(line) ?? [];
    if (imported !== undefined) {
      const { lines = [] } = (await this.#read(file, imported, region, indent)) ?? {};
      return indent + printCode(imported, lines, options, title).join(`\n${indent}`);
    }
    const [, start = "", part, end = ""] = include.exec(line) ?? [];
    // After an odd number of backticks it is code.
    if (part === undefined || start.split("`").length % 2 === 0) return undefined;
    // In a list or quotation, further lines continue the item.
    const indentation = /^[\s>*+-]*$/.test(start) ? start.replace(/[*+-]/g, " ") : "";
    const text = await this.#readMarkdown(file, part.trim(), indentation, depth);
    return start + text.replaceAll("\n", () => `\n${indentation}`) + end;
  }

  async #readMarkdown(file: string, part: string, indentation: string, depth: number): Promise<string> {
    const [, name = "", region, first, last] = includedPart.exec(part) ?? [];
    const { path, lines } = (await this.#read(file, name, region, indentation)) ?? {};
    if (path === undefined || lines === undefined) return "";
    if (depth === maxDepth) {
      this.#warn(name, "includes are nested too deeply");
      return "";
    }
    const text = lines.slice(Number(first || 1) - 1, Number(last) || undefined).join("\n");
    return (await this.expand(path, splitFrontMatter(text).body.trim(), depth + 1)).join("\n");
  }

  /** Reads a file or a region of it, or reports why it is left out. */
  async #read(from: string, name: string, region: string | undefined, indentation: string) {
    const path = findImport(this.#docs, from, name);
    if (path === undefined) return this.#warn(name, "it is not part of the documents");
    const hasRoom = () => this.#fileCount <= maxFiles && this.#length <= maxLength;
    this.#fileCount += 1;
    const text = hasRoom()
      ? await ifUsable(readPageText(this.#docs, path), (problem) => this.#warn(name, problem))
      : "";
    if (text === undefined) return undefined;
    const lines = text.trimEnd().split("\n");
    this.#length += text.length + lines.length * indentation.length;
    if (!hasRoom()) return this.#warn(name, "the page includes too much");
    const found = region === undefined ? lines : readRegion(lines, region);
    return found === undefined ? this.#warn(name, `it has no region ${region}`) : { path, lines: found };
  }

  #warn(name: string, problem: string): undefined {
    this.#onWarning(`the included file ${name} was left out: ${problem}`, "file", this.#line);
  }
}

/** The lines of a region, which comments mark: `// #region name` to `// #endregion name`. */
function readRegion(lines: readonly string[], name: string): string[] | undefined {
  const markers = lines.map((line) => (line.length > maxLineLength ? null : regionMarker.exec(line)));
  const start = markers.findIndex((marker) => marker !== null && !marker[1] && marker[2] === name);
  if (start < 0) return undefined;
  const end = markers.findIndex(
    (marker, index) => index > start && marker?.[1] !== undefined && (marker[2] === name || !marker[2]),
  );
  return lines.slice(start + 1, end < 0 ? undefined : end).filter((_, index) => !markers[start + 1 + index]);
}

/** The lines of a code block with imported code; nothing if there is none. */
function printCode(
  path: string,
  lines: readonly string[],
  options = "",
  title = posix.basename(path),
): string[] {
  if (lines.length === 0) return [];
  const indents = lines.flatMap((line) => (line.trim() === "" ? [] : line.search(/\S/)));
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  const longest = (lines.join("\n").match(/~{3,}/g) ?? []).reduce(
    (most, run) => Math.max(most, run.length),
    2,
  );
  const fence = "~".repeat(longest + 1);
  const [, highlighted, language] = /^([\d,-]*) *(.*)$/.exec(options) ?? [];
  const name = language || posix.extname(path).slice(1) || "txt";
  const marks = highlighted ? ` {${highlighted}}` : "";
  const start = `${fence}${name}${marks} title="${title.replaceAll('"', "'")}"`;
  return [start, ...lines.map((line) => line.slice(common)), fence];
}
