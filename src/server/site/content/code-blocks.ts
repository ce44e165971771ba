/** Code blocks, highlighted with classes instead of colours: the style sheet has the colours of light and dark. */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { createHighlighterCoreSync, type HighlighterCore, type LanguageInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { SKIP, visit } from "unist-util-visit";
import { classNames, isElement, stringProperty, textOf } from "./hast.ts";

/** What stands after the language of a fenced code block. */
export interface CodeMeta {
  /** A file name or caption. */
  readonly title: string | undefined;
  /** Numbers of the lines to set apart, from 1. */
  readonly highlighted: ReadonlySet<number>;
  readonly hasLineNumbers: boolean;
}

const maxLine = 100_000;

/** Reads the conventions of several documentation systems: `title="x"`, `filename="x"`, a bare title, `{1,3-5}`, `lines`. */
export function readCodeMeta(meta: string): CodeMeta {
  const ranges =
    /(?:^|\s)highlight=\{?["'{]?([\d\s,-]+)/.exec(meta)?.[1] ?? /(?:^|\s)\{([\d\s,-]+)\}/.exec(meta)?.[1];
  return {
    title: readTitle(meta),
    highlighted: new Set((ranges ?? "").split(",").flatMap(readRange)),
    hasLineNumbers: /\b(?:lines|showLineNumbers)\b/.test(meta),
  };
}

function readTitle(meta: string): string | undefined {
  const named = /(?:^|\s)(?:title|filename|file)=(?:\{\s*)?(["'`])(.*?)\1/.exec(meta)?.[2];
  if (named !== undefined) return named || undefined;
  const bare = meta
    .replace(/\{[^}]*\}/g, " ")
    .replace(/\b[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, " ")
    .replace(/\b(?:lines|wrap|expandable|twoslash|showLineNumbers|copy|nocopy|switcher)\b/g, " ")
    .replace(/\/[^/]+\//g, " ")
    .replace(/^\s*\[(.*)\]\s*$/, "$1")
    .replace(/\s+/g, " ");
  return bare.trim() || undefined;
}

function readRange(range: string): readonly number[] {
  const match = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(range);
  if (match === null) return [];
  const first = Number(match[1]);
  const last = Math.min(Number(match[2] ?? match[1]), maxLine);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** A code block with its title, not highlighted yet; the script adds the copy button. It can be scrolled by keyboard. */
export function renderCodeBlock(code: string, language?: string, meta = readCodeMeta("")): Element {
  const lines = code
    .replace(/\n+$/, "")
    .split("\n")
    .map((line, index) =>
      h(meta.highlighted.has(index + 1) ? "span.line.line-highlighted" : "span.line", [line]),
    );
  const label = meta.title ?? (language === undefined ? "Code" : `Code, ${language}`);
  const block = meta.hasLineNumbers ? "div.code-block.code-numbered" : "div.code-block";
  return h(block, { dataLanguage: language }, [
    meta.title && h("p.code-title", [meta.title]),
    h("pre", { tabIndex: 0, role: "group", ariaLabel: label }, [
      h(
        "code",
        lines.flatMap((line, index) => (index === 0 ? [line] : ["\n", line])),
      ),
    ]),
  ]);
}

/** How to get a grammar, by its name and the other names of its language; one import each, so that only used ones load. */
const grammars: Readonly<Record<string, LanguageInput>> = {
  "bash sh shell zsh terminal": () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  "cpp c++": () => import("shiki/langs/cpp.mjs"),
  "csharp c# cs": () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  dart: () => import("shiki/langs/dart.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  "docker dockerfile": () => import("shiki/langs/docker.mjs"),
  "dotenv env": () => import("shiki/langs/dotenv.mjs"),
  "elixir ex exs": () => import("shiki/langs/elixir.mjs"),
  "go golang": () => import("shiki/langs/go.mjs"),
  "graphql gql": () => import("shiki/langs/graphql.mjs"),
  "hcl terraform tf": () => import("shiki/langs/hcl.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  http: () => import("shiki/langs/http.mjs"),
  "ini properties": () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  "javascript js mjs cjs": () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  "jsonc json5": () => import("shiki/langs/jsonc.mjs"),
  jsx: () => import("shiki/langs/jsx.mjs"),
  "kotlin kt": () => import("shiki/langs/kotlin.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  "make makefile": () => import("shiki/langs/make.mjs"),
  "markdown md": () => import("shiki/langs/markdown.mjs"),
  mdx: () => import("shiki/langs/mdx.mjs"),
  nginx: () => import("shiki/langs/nginx.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  "powershell ps1 pwsh": () => import("shiki/langs/powershell.mjs"),
  prisma: () => import("shiki/langs/prisma.mjs"),
  "proto protobuf": () => import("shiki/langs/proto.mjs"),
  "python py python3": () => import("shiki/langs/python.mjs"),
  "ruby rb": () => import("shiki/langs/ruby.mjs"),
  "rust rs": () => import("shiki/langs/rust.mjs"),
  "scss sass": () => import("shiki/langs/scss.mjs"),
  "shellsession console": () => import("shiki/langs/shellsession.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  svelte: () => import("shiki/langs/svelte.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  "typescript ts mts cts": () => import("shiki/langs/typescript.mjs"),
  vue: () => import("shiki/langs/vue.mjs"),
  "xml svg": () => import("shiki/langs/xml.mjs"),
  "yaml yml": () => import("shiki/langs/yaml.mjs"),
};

const grammarsByLanguage = new Map(
  Object.entries(grammars).flatMap(([names, load]) => {
    const languages = names.split(" ");
    return languages.map((language) => [language, { name: languages[0] ?? "", load }] as const);
  }),
);

/** Grammar scopes by the class of their tokens; later lines win over earlier ones of equal precision. */
const scopesByClass: Readonly<Record<string, string>> = {
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

/** The theme's colours are numbers of classes. */
const classByColor = new Map(
  Object.keys(scopesByClass).map((name, index) => [`#${String(index + 1).padStart(6, "0")}`, name]),
);

let sharedHighlighter: HighlighterCore | undefined;

/** Created at the first code block: compiling the engine is not for runs that render nothing. */
function getHighlighter(): HighlighterCore {
  const settings = [...classByColor].map(([foreground, name]) => ({
    scope: (scopesByClass[name] ?? "").split(", "),
    settings: { foreground },
  }));
  const colors = { "editor.foreground": "#FFFFFF", "editor.background": "#000000" };
  sharedHighlighter ??= createHighlighterCoreSync({
    themes: [{ name: "classes", type: "light", colors, settings }],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return sharedHighlighter;
}

function visitCodeBlocks(tree: Root, visitBlock: (block: Element, language: string) => void): void {
  visit(tree, "element", (node: Element) => {
    if (!classNames(node).includes("code-block")) return undefined;
    visitBlock(node, (stringProperty(node, "dataLanguage") ?? "").toLowerCase());
    return SKIP;
  });
}

/** Loads the grammars of a page's code blocks; a language that is not known stays plain. */
export async function loadGrammars(tree: Root): Promise<void> {
  const used = new Map<string, LanguageInput>();
  visitCodeBlocks(tree, (_, language) => {
    const grammar = grammarsByLanguage.get(language);
    if (grammar !== undefined) used.set(grammar.name, grammar.load);
  });
  if (used.size === 0) return;
  const highlighter = getHighlighter();
  const loaded = new Set(highlighter.getLoadedLanguages());
  for (const [name, load] of used) if (!loaded.has(name)) await highlighter.loadLanguage(load);
}

/** Longer blocks are shown without colours. */
const maxHighlightedLength = 200_000;
const maxLineLength = 2_000;

/** Highlights a page's code blocks, whose grammars have been loaded. */
export function highlightCode(tree: Root): void {
  visitCodeBlocks(tree, (block, language) => {
    const grammar = grammarsByLanguage.get(language);
    const code = block.children.find((child) => isElement(child, "pre"))?.children[0];
    if (grammar === undefined || code?.type !== "element") return;
    const text = textOf(code);
    if (text.length > maxHighlightedLength) return;
    const tokenLines = getHighlighter().codeToTokensBase(text, {
      lang: grammar.name,
      theme: "classes",
      tokenizeMaxLineLength: maxLineLength,
      // A time limit would make the output depend on the machine's load.
      tokenizeTimeLimit: 0,
    });
    const lines = code.children.filter((child) => isElement(child, "span"));
    for (const [index, tokens] of tokenLines.entries()) {
      const line = lines[index];
      if (line !== undefined) line.children = tokens.map(({ content, color }) => toNode(content, color));
    }
  });
}

function toNode(value: string, color: string | undefined): ElementContent {
  const className = classByColor.get(color ?? "");
  return className === undefined ? { type: "text", value } : h("span", { className }, [value]);
}
