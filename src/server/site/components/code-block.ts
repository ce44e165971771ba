import type { Element } from "hast";
import type { CodeMeta } from "../content/code-meta.ts";
import { element } from "../content/hast.ts";
import { highlightLines } from "./highlight.ts";

/** A code block to show. */
export interface CodeBlock {
  readonly code: string;
  readonly language: string | undefined;
  readonly meta: CodeMeta;
}

function lineClasses(number: number, { highlighted }: CodeMeta): string[] {
  return highlighted.has(number) ? ["line", "line-highlighted"] : ["line"];
}

/** A code block with its title; the script adds the copy button. It can be scrolled by keyboard. */
export function renderCodeBlock({ code, language, meta }: CodeBlock): Element {
  const lines = highlightLines(code.replace(/\n+$/, ""), language);
  const spans = lines.flatMap((tokens, index) => [
    element("span", { className: lineClasses(index + 1, meta) }, ...tokens),
    ...(index + 1 < lines.length ? [{ type: "text" as const, value: "\n" }] : []),
  ]);
  const label = meta.title ?? (language === undefined ? "Code" : `Code, ${language}`);
  const title =
    meta.title === undefined ? undefined : element("p", { className: ["code-title"] }, meta.title);
  const classes = meta.hasLineNumbers ? ["code-block", "code-numbered"] : ["code-block"];
  return element(
    "div",
    { className: classes, ...(language === undefined ? {} : { dataLanguage: language }) },
    title,
    element("pre", { tabIndex: 0, role: "group", ariaLabel: label }, element("code", {}, ...spans)),
  );
}
