/**
 * Renders code blocks, as annotated after the fence's language (the meta text) and in comments of the form `[!code …]`. Tokens get CSS
 * classes; the style sheet has their colours for light and dark pages.
 */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import {
  codeToTokensBase,
  createShikiPrimitive,
  type LanguageRegistration,
  type ShikiPrimitive,
} from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { BoundedMap } from "../../../base/bounded-map.ts";
import type { Words } from "../interface-words.ts";
import type { PageReporter } from "../report.ts";
import {
  classNames,
  isElement,
  mapByNames,
  namesWhere,
  skipChildren,
  stringProperty,
  visitElements,
} from "./hast.ts";
import { iconElement } from "./icons.ts";
import { readPacked } from "./packed-data.ts";

/** A code block of a page before it is rendered. */
export interface Code {
  readonly text: string;
  readonly language: string | undefined;
  /** The text after the language of a fence. */
  readonly meta: string;
}

/** Creates the element of a code block that is not rendered yet. */
export function codeElement(text: string, language?: string | null, meta?: string | null): Element {
  // Some authors write no space or no language before what follows: `js{1,3}`, `js:a.js`, `[a.ts]`, `title="a.ts"`.
  const start = (language ?? "").slice(0, maxMetaLength);
  const info = start.replace(/^[^"']+/, (unquoted) => unquoted.replaceAll(":", " "));
  const [, name, rest = ""] = /^([^[{\s]*?)((?:[\s[{]|[\w-]+=).*)?$/.exec(info) ?? [];
  // In MDX, some authors put an option in braces: `{highlight={2}}`.
  const dataMeta = `${rest} ${meta ?? ""}`.trim().replace(/\{([\w-]+=\{[^{}]*\})\}/g, "$1");
  // In MkDocs, the language may be in braces: `{ .js }`.
  const className = name || /^\{\s*\.([\w+#-]+)/.exec(dataMeta)?.[1];
  return h("pre", [h("code", { className: className && `language-${className}`, dataMeta }, [text])]);
}

/** Reads an element that `codeElement` created; `undefined` for other elements. */
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

/** Reading a title takes time quadratic in the length of the meta text. */
const maxMetaLength = 1_000;

const optionWord =
  /(?<!\S)\[?(?:lines|(?:no-)?line-numbers|wrap|expandable|twoslash|showLineNumbers)\]?(?!\S)/g;

/** Reads the title from a meta text, in the forms of several documentation systems: `title="x"`, `filename="x"`, or bare. */
export function readTitle(wholeMeta: string): string | undefined {
  const meta = wholeMeta.slice(0, maxMetaLength);
  const named = /(?:^|\s)(?:title|filename|file)=(?:\{\s*)?(["'`])(.*?)\1/.exec(meta)?.[2];
  if (named !== undefined) return named || undefined;
  const bare = meta
    .replace(/\{[^}]*\}/g, " ")
    .replace(/(?<!\S)[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, " ")
    .replace(optionWord, " ")
    .replace(/^\s*\[(.*)\]\s*$/, "$1")
    .replace(/^\s*(["'`])(.*)\1\s*$/, "$2")
    .replace(/\s+/g, " ");
  return bare.trim() || undefined;
}

/** Reads the name of the icon from a meta text. */
export function readIcon(meta: string): string | undefined {
  return /(?:^|\s)icon=\{?["'`]?([\w./:-]+)/.exec(meta)?.[1];
}

/** A comment at the end of the line that it annotates, or on its own line before the annotated lines. */
const annotation =
  /[ \t]*(?:\/\/|#|--|;|%|\{?\/\*|<!--)[ \t]*\[!code ([\w+-]{1,20})(?::([^\]]*))?\][ \t]*(?:\*\/\}?|-->)?[ \t]*$/;
/** Longer lines are not searched for annotations: matching takes time quadratic in the length. */
const maxAnnotatedLength = 1_000;

/** Lines that a meta text marks: `{2,4-5}`, `highlight={2}`, `hl_lines="2 4-5"`, `focus={2}`. */
const markedLines = /(?:^|\s)(?:(highlight|hl_lines|focus)=["'{[]*|\{)([\d\s,-]+)/g;

/** CSS classes of annotated lines. */
const classesByType = mapByNames({
  "++": "line-added",
  "-- error": "line-removed",
  focus: "line-focused",
  "highlight hl hl_lines warning": "line-highlighted",
});

/** Limit for one code block. */
const maxAnnotatedLines = 50_000;

/** Reads the annotations in a code block's meta text and comments: its text without them, and CSS classes by line number, from 1. */
function readAnnotations(code: string, meta: string) {
  const codeLines = code.split("\n");
  const lineClasses = new Map<number, Set<string>>();
  let remaining = maxAnnotatedLines;
  const annotate = (first: number, last: number, type: string) => {
    const className = classesByType.get(type);
    if (className === undefined || first < 1) return;
    const end = Math.min(last, codeLines.length, first + remaining - 1);
    for (let line = first; line <= end; line += 1) {
      lineClasses.set(line, (lineClasses.get(line) ?? new Set()).add(className));
      remaining -= 1;
    }
  };
  for (const [, type = "highlight", ranges = ""] of meta.matchAll(markedLines))
    for (const range of ranges.split(/,|(?<=\d)\s+(?=\d)/)) {
      const [first = 0, last = first] = range.split("-").map(Number);
      annotate(first, last, type);
    }

  const lines: string[] = [];
  for (const line of code.includes("[!code") ? codeLines : []) {
    const [comment = "", type = "", value = ""] =
      (line.length <= maxAnnotatedLength && annotation.exec(line)) || [];
    const rest = comment === "" ? line : line.slice(0, -comment.length);
    const isWholeLine = comment !== "" && rest.trim() === "";
    if (!isWholeLine) lines.push(rest);
    const first = lines.length + Number(isWholeLine);
    annotate(first, first + (Number(value) || 1) - 1, type);
  }
  return { text: lines.length === 0 ? code : lines.join("\n"), lineClasses };
}

/** The packed grammars, each followed by alternative names of its language. */
const grammars =
  `shellscript bash sh shell zsh terminal curl, c, cpp c++, csharp c# cs dotnet, css, dart, diff,
docker dockerfile, dotenv env, elixir ex exs, go golang, graphql gql, hcl terraform tf, html vue-html blade go-html-template, http, ini properties,
java, javascript js mjs cjs node, json, jsonc json5, kotlin kt, lua, make makefile, markdown md, mdx, nginx, php,
powershell ps1 pwsh, prisma, proto protobuf, python py python3, ruby rb, rust rs, scss sass, shellsession console, sql,
svelte, swift, toml, tsx jsx, typescript ts mts cts, vue, xml svg, yaml yml`
    .split(/,\s/)
    .map((names) => names.split(" "));

/** Names of the packed grammars. */
export const grammarNames = grammars.map(([name = ""]) => name);

const grammarsByLanguage: ReadonlyMap<string, string> = new Map(
  grammars.flatMap((names) => names.map((language) => [language, names[0] ?? ""])),
);

/** TextMate scopes by CSS class. Of equally specific scopes, a later class has precedence. */
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

/** Creates the highlighter at the first code block; commands that render nothing do not need it. */
function getHighlighter(): ShikiPrimitive {
  // The "colours" of this theme are CSS classes.
  const toSetting = ([foreground, scope]: [string, string]) => ({ scope, settings: { foreground } });
  sharedHighlighter ??= createShikiPrimitive({
    themes: [
      { name: "classes", fg: "none", bg: "none", settings: Object.entries(scopesByClass).map(toSetting) },
    ],
    // Not ES2025: V8 ignores the `i` of `(?i:…)` in code that it does not optimize, such as after the first megabyte of text.
    engine: createJavaScriptRegexEngine({ forgiving: true, target: "ES2024" }),
  });
  return sharedHighlighter;
}

/** Grammars by name, as JSON: most are large, and a site uses few of them. */
let packedGrammars: ReadonlyMap<string, string> | undefined;

/** Grammars whose optional embedded grammars are loaded, too. */
const completeGrammars = new Set<string>();

/**
 * Loads a grammar with all grammars that it may embed. Otherwise the result for embedded code, as in Markdown, would depend
 * on which languages this worker thread has loaded before.
 */
function loadCompleteGrammar(highlighter: ShikiPrimitive, name: string): void {
  if (completeGrammars.has(name)) return;
  completeGrammars.add(name);
  for (const embedded of readGrammar(name)?.embeddedLangsLazy ?? []) loadGrammar(highlighter, embedded);
  loadGrammar(highlighter, name);
}

/** Loads a grammar after the embedded grammars that it requires. */
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

/** Longer code is not highlighted. */
const maxHighlightedLength = 200_000;
const maxLineLength = 2_000;

/** Highlighted code blocks by grammar and text: translations of a page have the same ones. */
const highlightedCodes = new BoundedMap<readonly HighlightedLine[]>(500_000);

function tokenize(text: string, lang: string): readonly HighlightedLine[] {
  const key = `${lang} ${text}`;
  const known = highlightedCodes.get(key);
  if (known !== undefined) return known;
  const highlighter = getHighlighter();
  loadCompleteGrammar(highlighter, lang);
  const lines = codeToTokensBase(highlighter, text, {
    lang,
    theme: "classes",
    tokenizeMaxLineLength: maxLineLength,
    // Disabled: with a time limit, the output would depend on the machine's load.
    tokenizeTimeLimit: 0,
  }).map((tokens) => tokens.map(({ content, color = "" }) => [content, color] as const));
  highlightedCodes.set(key, lines, key.length);
  return lines;
}

/** The tokens of a line. A `className` that does not start with `tk-` is a default of the theme and means "no class". */
type HighlightedLine = readonly (readonly [text: string, className: string])[];

/** The nodes of each line of a code block. */
function highlight({ text, language = "" }: Code): ElementContent[][] {
  const grammar = grammarsByLanguage.get(language.toLowerCase());
  if (grammar === undefined || text.length > maxHighlightedLength)
    return text.split("\n").map((value) => [{ type: "text", value }]);
  return tokenize(text, grammar).map((line) =>
    line.map(([content, className]): ElementContent => {
      const text = { type: "text", value: content } as const;
      // Without `h`, which is slower: a site has a million tokens.
      return className.startsWith("tk-")
        ? { type: "element", tagName: "span", properties: { className: [className] }, children: [text] }
        : text;
    }),
  );
}

/** Renders a code block with its title and annotated lines. It can be scrolled by keyboard; the site's script adds the copy button. */
function renderCodeBlock(code: Code, words: Words, fallbackTitle?: string): Element {
  const { language, meta } = code;
  const { text, lineClasses } = readAnnotations(code.text, meta);
  const lines = highlight({ ...code, text }).flatMap((nodes, index): ElementContent[] => {
    const className = ["line", ...(lineClasses.get(index + 1) ?? [])];
    const line = { type: "element", tagName: "span", properties: { className }, children: nodes } as const;
    return index === 0 ? [line] : [{ type: "text", value: "\n" }, line];
  });
  const title = readTitle(meta) ?? fallbackTitle;
  const ariaLabel = title ?? (language === undefined ? "Code" : `Code, ${language}`);
  const names = [...lineClasses.values()].flatMap((line) => [...line]);
  // Without titles, which may have the same words.
  const options = meta.slice(0, maxMetaLength).replace(/=(?:"[^"]*"|'[^']*')/g, "=");
  const hasOption = (names: string) => new RegExp(`(?<![\\w./-])(?:${names})(?![\\w./-])`).test(options);
  const isLong = hasOption("expandable") && lines.length > 20;
  const className = namesWhere({
    "code-block": true,
    "code-numbered": hasOption("lines|line-numbers|linenums|showLineNumbers"),
    "code-wrapped": hasOption("wrap"),
    "code-diff": names.includes("line-added") || names.includes("line-removed"),
    "code-focused": names.includes("line-focused"),
    "code-expandable": isLong,
  });
  return h("div", { className, dataLanguage: language }, [
    title && h("p.code-title", [iconElement(readIcon(meta) ?? ""), title]),
    h("pre", { tabIndex: 0, role: "group", ariaLabel }, [h("code", lines)]),
    isLong ? h("button.code-expand", { type: "button", ariaExpanded: "false" }, [words.showMore]) : undefined,
  ]);
}

/** First words of the diagrams that the site's script draws. */
const drawnDiagrams = /^(?:flowchart|graph|sequenceDiagram|classDiagram|stateDiagram|erDiagram)$/;

/** Reads the first word of a diagram, which is its kind, and its title. */
function readDiagram(text: string): { readonly kind: string; readonly title: string } {
  // Settings and comments may precede the diagram.
  const diagram = text.replace(/^\s*(?:---\n[\s\S]*?\n---\s*)?(?:%%\{(?:[^%]|%(?!%))*%%\s*|%%.*\s*)*/, "");
  const [kind = "diagram"] = /^\w+/.exec(diagram) ?? [];
  const [, title = kind] =
    /^[ \t]*(?:pie[ \t]+)?(?:accTitle[ \t]*:|title\b:?)[ \t]*(\S.*)$/m.exec(text) ?? [];
  return { kind, title };
}

/** Renders the code blocks of a page. */
export function renderCodeBlocks(tree: Root, words: Words, onWarning: PageReporter): void {
  visitElements(tree, (node, index, parent) => {
    const code = readCode(node);
    if (code === undefined) return undefined;
    const { kind, title } = code.language === "mermaid" ? readDiagram(code.text) : {};
    const isDrawn = drawnDiagrams.test(kind ?? "");
    if (kind !== undefined && !isDrawn)
      onWarning(`a diagram stays code: “${kind}” is not drawn`, "diagram", node.position?.start.line);
    let block = renderCodeBlock(code, words, isDrawn ? undefined : title);
    // The site's script draws a diagram from its source.
    if (isDrawn) {
      const source = h("details.disclosure", { open: true }, [h("summary", [words.diagramSource]), block]);
      block = h("figure.diagram", { dataDiagram: title }, [source]);
    }
    // A block that the author wrote as HTML may have an id.
    if (node.properties["id"] !== undefined) block.properties["id"] = node.properties["id"];
    parent.children[index] = block;
    return skipChildren;
  });
}
