/** Syntax highlighting with classes instead of colours: the style sheet has the colours of light and dark. */
import type { ElementContent } from "hast";
import { createHighlighterCoreSync, type HighlighterCore, type ThemeRegistration } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { element } from "../content/hast.ts";
import { grammarOf } from "./languages.ts";

/** Longer blocks are shown without colours. */
const maxHighlightedLength = 200_000;
const maxLineLength = 2_000;

/** Class of a token and the grammar scopes it stands for; later lines win over earlier ones of equal precision. */
const scopesByClass: Readonly<Record<string, readonly string[]>> = {
  "tk-comment": ["comment", "punctuation.definition.comment"],
  "tk-keyword": [
    ...[
      "keyword",
      "storage",
      "storage.type",
      "storage.modifier",
      "keyword.operator.new",
      "keyword.operator.expression",
    ],
    ...["variable.language.this", "variable.language.super", "entity.name.type.directive"],
  ],
  "tk-operator": ["keyword.operator", "punctuation", "meta.brace", "storage.type.function.arrow"],
  "tk-string": [
    ...["string", "punctuation.definition.string", "markup.inline.raw", "string.other.link"],
    ...["string.unquoted.plain.out.yaml", "string.quoted"],
  ],
  "tk-constant": ["constant", "constant.numeric", "constant.language", "support.constant", "constant.other"],
  "tk-function": [
    "entity.name.function",
    "support.function",
    "meta.function-call entity.name.function",
    "entity.name.command",
  ],
  "tk-type": [
    "entity.name.type",
    "entity.name.class",
    "support.type",
    "support.class",
    "entity.other.inherited-class",
  ],
  "tk-tag": [
    "entity.name.tag",
    "punctuation.definition.tag",
    "support.class.component",
    "entity.name.section",
    "markup.heading",
  ],
  "tk-property": [
    ...[
      "entity.other.attribute-name",
      "meta.object-literal.key",
      "support.type.property-name",
      "variable.other.property",
    ],
    ...["variable.parameter", "entity.name.tag.yaml", "support.type.property-name.json"],
  ],
  "tk-inserted": ["markup.inserted", "punctuation.definition.inserted"],
  "tk-deleted": ["markup.deleted", "punctuation.definition.deleted", "invalid"],
};

const classes = Object.keys(scopesByClass);

/** The theme's colours are numbers of classes. */
function markerColor(index: number): string {
  return `#${(index + 1).toString(16).padStart(6, "0")}`;
}

const classByColor = new Map(classes.map((name, index) => [markerColor(index).toUpperCase(), name]));

const theme: ThemeRegistration = {
  name: "classes",
  type: "light",
  colors: { "editor.foreground": "#FFFFFF", "editor.background": "#000000" },
  settings: classes.map((name, index) => ({
    scope: [...(scopesByClass[name] ?? [])],
    settings: { foreground: markerColor(index) },
  })),
};

let sharedHighlighter: HighlighterCore | undefined;

/** Created at the first code block: compiling the engine is not for runs that render nothing. */
function getHighlighter(): HighlighterCore {
  sharedHighlighter ??= createHighlighterCoreSync({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return sharedHighlighter;
}

function plainLines(code: string): ElementContent[][] {
  return code.split("\n").map((line) => [{ type: "text", value: line }]);
}

function toContent(text: string, color: string | undefined): ElementContent {
  const className = classByColor.get(color?.toUpperCase() ?? "");
  return className === undefined
    ? { type: "text", value: text }
    : element("span", { className: [className] }, text);
}

/** The lines of a code block as nodes; a language that is not known stays plain. */
export function highlightLines(code: string, language: string | undefined): readonly ElementContent[][] {
  const grammar = language === undefined ? undefined : grammarOf(language);
  if (grammar === undefined || code.length > maxHighlightedLength) return plainLines(code);
  const highlighter = getHighlighter();
  if (!highlighter.getLoadedLanguages().includes(grammar.name)) highlighter.loadLanguageSync(grammar.load());
  const lines = highlighter.codeToTokensBase(code, {
    lang: grammar.name,
    theme: theme.name ?? "",
    tokenizeMaxLineLength: maxLineLength,
    // A time limit would make the output depend on the machine's load.
    tokenizeTimeLimit: 0,
  });
  return lines.map((tokens) => tokens.map(({ content, color }) => toContent(content, color)));
}
