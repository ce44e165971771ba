/** Code blocks, highlighted with classes instead of colours: the style sheet has the colours of light and dark. */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import {
  codeToTokensBase,
  createShikiPrimitive,
  type GrammarState,
  getLastGrammarState,
  type LanguageRegistration,
  type ShikiPrimitive,
  type ThemedToken,
} from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { BoundedMap } from "../../../base/bounded-map.ts";
import type { Words } from "../interface-words.ts";
import type { PageReporter } from "../report.ts";
import { readAnnotations, readIcon, readTitle } from "./code-annotations.ts";
import { classNames, isElement, skipChildren, stringProperty, visitElements } from "./hast.ts";
import { iconElement } from "./icons.ts";
import { readPacked } from "./packed-data.ts";

/** Code of a page as it is until its block is rendered; `meta` is what stands after the language of a fence. */
interface Code {
  readonly text: string;
  readonly language: string | undefined;
  readonly meta: string;
}

/** Creates the element of a code. */
export function codeElement(text: string, language?: string | null, meta?: string | null): Element {
  return h("pre", [h("code", { className: language && `language-${language}`, dataMeta: meta }, [text])]);
}

/** Reads the code of such an element; `undefined` for any other. */
export function readCode(pre: Element): Code | undefined {
  const code = pre.tagName === "pre" ? pre.children.find((child) => isElement(child, "code")) : undefined;
  if (code === undefined) return undefined;
  const language = classNames(code).find((name) => name.startsWith("language-"));
  return {
    text: textOf(code).replace(/(?<!\n)\n+$/, ""),
    language: language?.slice("language-".length),
    meta: stringProperty(code, "dataMeta") ?? "",
  };
}

/** The grammars that are packed, each followed by the other names of its language. */
const grammars = `shellscript bash sh shell zsh terminal curl, c, cpp c++, csharp c# cs, css, dart, diff,
docker dockerfile, dotenv env, elixir ex exs, go golang, graphql gql, hcl terraform tf, html, http, ini properties,
java, javascript js mjs cjs, json, jsonc json5, kotlin kt, lua, make makefile, markdown md, mdx, nginx, php,
powershell ps1 pwsh, prisma, proto protobuf, python py python3, ruby rb, rust rs, scss sass, shellsession console, sql,
svelte, swift, toml, tsx jsx, typescript ts mts cts, vue, xml svg, yaml yml`
  .split(/,\s/)
  .map((names) => names.split(" "));

/** Names of the grammars that are packed. */
export const grammarNames = grammars.map(([name = ""]) => name);

const grammarsByLanguage: ReadonlyMap<string, string> = new Map(
  grammars.flatMap((names) => names.map((language) => [language, names[0] ?? ""])),
);

/** Grammar scopes by the class of their tokens; later lines win over earlier ones of equal precision. */
export const scopesByClass: Readonly<Record<string, string>> = {
  "tk-comment": "comment, punctuation.definition.comment",
  "tk-keyword":
    "keyword, storage, storage.type, storage.modifier, keyword.operator.new, keyword.operator.expression, variable.language.this, variable.language.super, entity.name.type.directive",
  "tk-operator": "keyword.operator, punctuation, meta.brace, storage.type.function.arrow",
  "tk-string":
    "string, punctuation.definition.string, markup.inline.raw, string.other.link, string.unquoted.plain.out.yaml, string.quoted",
  "tk-constant": "constant, constant.numeric, constant.language, support.constant, constant.other",
  "tk-function":
    "entity.name.function, support.function, meta.function-call entity.name.function, entity.name.command",
  "tk-type": "entity.name.type, entity.name.class, support.type, support.class, entity.other.inherited-class",
  "tk-tag":
    "entity.name.tag, punctuation.definition.tag, support.class.component, entity.name.section, markup.heading",
  "tk-property":
    "entity.other.attribute-name, meta.object-literal.key, support.type.property-name, variable.other.property, variable.parameter, entity.name.tag.yaml, support.type.property-name.json",
  "tk-inserted": "markup.inserted, punctuation.definition.inserted",
  "tk-deleted": "markup.deleted, punctuation.definition.deleted, invalid",
};

let sharedHighlighter: ShikiPrimitive | undefined;

/** Created at the first code block: compiling the engine is not for runs that render nothing. */
function getHighlighter(): ShikiPrimitive {
  // The "colours" of this theme are the names of classes.
  const settings = Object.entries(scopesByClass).map(([foreground, scope]) => ({
    scope,
    settings: { foreground },
  }));
  sharedHighlighter ??= createShikiPrimitive({
    themes: [{ name: "classes", fg: "none", bg: "none", settings }],
    // Of ES2025's `(?i:…)`, the code that V8 generates without optimization, as it does after the first megabyte, ignores the `i`.
    engine: createJavaScriptRegexEngine({ forgiving: true, target: "ES2024" }),
  });
  return sharedHighlighter;
}

/** Grammars by their names, as text: most of them are large, and few are used. */
let packedGrammars: ReadonlyMap<string, string> | undefined;

/** Grammars of which all is loaded that they may embed. */
const wholeGrammars = new Set<string>();

/**
 * Loads the grammar of a code with all that it may embed: the code in a Markdown text would look as which languages this thread
 * has met before.
 */
function loadWholeGrammar(highlighter: ShikiPrimitive, name: string): void {
  if (wholeGrammars.has(name)) return;
  wholeGrammars.add(name);
  for (const embedded of readGrammar(name)?.embeddedLangsLazy ?? []) loadGrammar(highlighter, embedded);
  loadGrammar(highlighter, name);
}

/** Loads a grammar, after those that it cannot do without. */
function loadGrammar(highlighter: ShikiPrimitive, name: string): void {
  const grammar = highlighter.getLoadedLanguages().includes(name) ? undefined : readGrammar(name);
  if (grammar === undefined) return;
  for (const embedded of grammar.embeddedLangs ?? []) loadGrammar(highlighter, embedded);
  highlighter.loadLanguageSync(grammar);
}

function readGrammar(name: string): LanguageRegistration | undefined {
  packedGrammars ??= new Map(
    readPacked("grammars")
      .toString()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
  );
  const text = packedGrammars.get(name);
  return text === undefined ? undefined : (JSON.parse(text) as LanguageRegistration);
}

/** Longer blocks are shown without colours. */
const maxHighlightedLength = 200_000;
const maxLineLength = 2_000;

/** A line as its tokens, and the state that it leaves its grammar in. */
interface TokenizedLine {
  readonly tokens: readonly ThemedToken[];
  readonly state: GrammarState | undefined;
}

/** By grammar, state and text: codes share most of their lines with their translations, and many with other codes. */
const tokenizedLines = new BoundedMap<TokenizedLine>(500_000);

/** The states of grammars between statements: most lines begin in one and lead back to it. */
const outermostStates = new WeakMap<object, GrammarState>();

/** Numbers that stand for objects in keys. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

function numberOf(value: object | undefined): number {
  if (value === undefined) return 0;
  const number = numbers.get(value) ?? ++lastNumber;
  numbers.set(value, number);
  return number;
}

/** The tokens of each line. */
function tokenize(text: string, lang: string): HighlightedLine[] {
  const highlighter = getHighlighter();
  loadWholeGrammar(highlighter, lang);
  // It is another one as soon as a language that it embeds is loaded.
  const grammar = highlighter.getLanguage(lang);
  let state: GrammarState | undefined;
  return text.split(/\r?\n/).map((line) => {
    if (line === "") return [];
    const key = `${numberOf(grammar)} ${numberOf(state?.getInternalStack())} ${line}`;
    let tokenized = tokenizedLines.get(key);
    if (tokenized === undefined) {
      // Parts of the key's text do not keep the page's in memory.
      tokenized = tokenizeLine(highlighter, lang, key.slice(-line.length), state);
      tokenizedLines.set(key, tokenized, key.length);
    }
    ({ state } = tokenized);
    return tokenized.tokens.map(({ content, color = "" }) => [content, color] as const);
  });
}

function tokenizeLine(
  highlighter: ShikiPrimitive,
  lang: string,
  line: string,
  grammarState: GrammarState | undefined,
): TokenizedLine {
  const lines = codeToTokensBase(highlighter, line, {
    lang,
    theme: "classes",
    tokenizeMaxLineLength: maxLineLength,
    // A time limit would make the output depend on the machine's load.
    tokenizeTimeLimit: 0,
    ...(grammarState && { grammarState }),
  });
  const [tokens = []] = lines;
  const state = getLastGrammarState(highlighter, lines);
  const stack = state?.getInternalStack();
  if (state === undefined || stack?.depth !== 1) return { tokens, state };
  // Every code begins with an outermost state of its own.
  const grammar = highlighter.getLanguage(lang);
  const outermost = outermostStates.get(grammar) ?? state;
  outermostStates.set(grammar, outermost);
  return { tokens, state: outermost.getInternalStack()?.equals(stack) ? outermost : state };
}

/** A line as pieces of its text, each with its class; with another word than that of a class, the piece has none. */
type HighlightedLine = readonly (readonly [text: string, className: string])[];

/** Lines of codes, by grammar and text. */
export type HighlightedCodes = ReadonlyMap<string, readonly HighlightedLine[]>;

/** Highlights the codes of a page: the engine starts only where there is a code that an earlier export did not have. */
export class CodeHighlighter {
  readonly #known: HighlightedCodes;
  readonly #codes = new Map<string, readonly HighlightedLine[]>();

  constructor(known: HighlightedCodes = new Map()) {
    this.#known = known;
  }

  highlight(text: string, grammar: string): readonly HighlightedLine[] {
    const key = `${grammar} ${text}`;
    const lines = this.#codes.get(key) ?? this.#known.get(key) ?? tokenize(text, grammar);
    this.#codes.set(key, lines);
    return lines;
  }

  /** All codes of the page, if one of them is new. */
  get changed(): HighlightedCodes | undefined {
    return [...this.#codes.keys()].every((key) => this.#known.has(key)) ? undefined : this.#codes;
  }
}

/** The lines of a code, each as nodes. */
function highlight({ text, language = "" }: Code, highlighter: CodeHighlighter): ElementContent[][] {
  const grammar = grammarsByLanguage.get(language.toLowerCase());
  if (grammar === undefined || text.length > maxHighlightedLength)
    return text.split("\n").map((value) => [{ type: "text", value }]);
  return highlighter.highlight(text, grammar).map((line) =>
    line.map(([content, color]): ElementContent => {
      const text = { type: "text", value: content } as const;
      // By hand: `h` takes its time, and a site has a million of them.
      return color.startsWith("tk-")
        ? { type: "element", tagName: "span", properties: { className: [color] }, children: [text] }
        : text;
    }),
  );
}

/** Marks a word in the text of a line; a word that the highlighter has cut stays as it is. */
function markWord(nodes: ElementContent[], word: string): ElementContent[] {
  if (word === "") return nodes;
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === "element") return [{ ...node, children: markWord(node.children, word) }];
    if (node.type !== "text") return [node];
    const [first = "", ...others] = node.value.split(word);
    const pieces = [first, ...others.flatMap((text) => [h("mark", [word]), text])];
    return h("span", pieces).children as ElementContent[];
  });
}

/** What all codes of a page are rendered with. */
interface CodeContext {
  readonly words: Words;
  readonly highlighter: CodeHighlighter;
}

/** A code with its title and marked lines; the script adds the copy button. It can be scrolled by keyboard. */
function renderCodeBlock(
  written: Code,
  { words, highlighter }: CodeContext,
  fallbackTitle?: string,
): Element {
  const { language, meta } = written;
  const { text, marks, words: marked } = readAnnotations(written.text, meta);
  const lines = highlight({ ...written, text }, highlighter).flatMap((nodes, index): ElementContent[] => {
    const className = ["line", ...(marks.get(index + 1) ?? [])];
    const children = [...marked].reduce(markWord, nodes);
    const line = { type: "element", tagName: "span", properties: { className }, children } as const;
    return index === 0 ? [line] : [{ type: "text", value: "\n" }, line];
  });
  const title = readTitle(meta) ?? fallbackTitle;
  const ariaLabel = title ?? (language === undefined ? "Code" : `Code, ${language}`);
  const names = [...marks.values()].flatMap((line) => [...line]);
  const isLong = /\bexpandable\b/.test(meta) && lines.length > 20;
  const looks = {
    "code-block": true,
    "code-numbered": /\b(?:lines|showLineNumbers)\b/.test(meta),
    "code-wrapped": /\bwrap\b/.test(meta),
    "code-diff": names.includes("line-added") || names.includes("line-removed"),
    "code-focused": names.includes("line-focused"),
    "code-expandable": isLong,
  };
  const className = Object.entries(looks).flatMap(([name, is]) => (is ? [name] : []));
  return h("div", { className, dataLanguage: language }, [
    title && h("p.code-title", [iconElement(readIcon(meta) ?? ""), title]),
    h("pre", { tabIndex: 0, role: "group", ariaLabel }, [h("code", lines)]),
    isLong ? h("button.code-expand", { type: "button", ariaExpanded: "false" }, [words.showMore]) : undefined,
  ]);
}

/** The kinds of diagrams that the site's script draws, by the word that they begin with. */
const drawnKinds = /^(?:flowchart|graph|sequenceDiagram|classDiagram|stateDiagram|erDiagram)$/;

/** The word that a diagram begins with, and what it is called. */
function readDiagram(text: string): { readonly kind: string; readonly title: string } {
  // Before a diagram there may be its settings and comments.
  const written = text.replace(/^\s*(?:---\n[\s\S]*?\n---\s*)?(?:%%\{(?:[^%]|%(?!%))*%%\s*|%%.*\s*)*/, "");
  const [kind = "diagram"] = /^\w+/.exec(written) ?? [];
  const [, title = kind] =
    /^[ \t]*(?:pie[ \t]+)?(?:accTitle[ \t]*:|title\b:?)[ \t]*(\S.*)$/m.exec(text) ?? [];
  return { kind, title };
}

/** A diagram as its source, which the script draws. */
function renderDiagram(code: Code, title: string, context: CodeContext): Element {
  return h("figure.diagram", { dataDiagram: title }, [
    h("details.disclosure", { open: true }, [
      h("summary", [context.words.diagramSource]),
      renderCodeBlock(code, context),
    ]),
  ]);
}

/** Renders the code of a page, and says whether there are diagrams to draw in it. */
export function renderCodeBlocks(tree: Root, context: CodeContext, onWarning: PageReporter): boolean {
  let hasDiagram = false;
  visitElements(tree, (node, index, parent) => {
    const code = readCode(node);
    if (code === undefined) return undefined;
    const { kind, title } = code.language === "mermaid" ? readDiagram(code.text) : {};
    const isDrawn = drawnKinds.test(kind ?? "");
    if (kind !== undefined && !isDrawn)
      onWarning(`a diagram stays code: “${kind}” is not drawn`, "diagram", node.position?.start.line);
    hasDiagram ||= isDrawn;
    const block =
      title !== undefined && isDrawn
        ? renderDiagram(code, title, context)
        : renderCodeBlock(code, context, title);
    // Links may lead to a block that was written as HTML.
    if (node.properties["id"] !== undefined) block.properties["id"] = node.properties["id"];
    parent.children[index] = block;
    return skipChildren;
  });
  return hasDiagram;
}
