/** Finds TeX formulas in Markdown and converts them to MathML. */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import type { Root } from "mdast";
import { math } from "micromark-extension-math";
import temml from "temml";
import type { Data, Processor } from "unified";
import { visit } from "unist-util-visit";

/** Types of the extension points in unified's data. */
type Syntax = NonNullable<Data["micromarkExtensions"]>[number];
type FromMarkdown = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], readonly unknown[]>;
type Construct = Exclude<NonNullable<NonNullable<Syntax["text"]>[number]>, readonly unknown[]>;

const dollar = 36;
const maxLength = 5_000;

/**
 * Whether a text between dollar signs is a formula: it contains TeX or math characters, or is one letter. Prices and shell variables are
 * also written with dollar signs.
 */
function isFormula(written: string, next: number | null): boolean {
  const [, dollars, text = ""] = /^(\$\$?)([^$\n]*[^$\n\\])\1$/.exec(written) ?? [];
  const isWord = next !== null && next > 0 && /\w/.test(String.fromCodePoint(next));
  // A word character may follow a formula with a TeX command, for example in its plural.
  if (dollars === undefined || text.length > maxLength || (isWord && !text.includes("\\"))) return false;
  if (dollars === "$$") return true;
  if (/^\s|\s$|^[A-Z_]+$/.test(text)) return false;
  return /^\d/.test(text) ? /[\\^_=<>]/.test(text) : /[\\^_=<>+*/|()-]|^[a-zA-Z]'?$/.test(text);
}

/** Restricts the parser's construct for `$…$` and `$$…$$` in a line to formulas. */
function formulaInText(construct: Construct): Construct {
  return {
    ...construct,
    previous: (code) =>
      code !== dollar && (code === null || code < 48 || (code > 57 && code < 65) || code > 122),
    tokenize(effects, ok, nok) {
      const start = this.now();
      const end: typeof ok = (code) =>
        isFormula(this.sliceSerialize({ start, end: this.now() }), code) ? ok(code) : nok(code);
      return construct.tokenize.call(this, effects, end, nok);
    },
  };
}

/** The texts are read from the source: the parser's tokens for their parts have no handlers. */
const fromMarkdown: FromMarkdown = {
  enter: {
    mathFlow(token) {
      const lines = this.sliceSerialize(token).split("\n").slice(1);
      if (/^[ \t]*\${2,}[ \t]*$/.test(lines.at(-1) ?? "")) lines.pop();
      this.enter({ type: "code", lang: "math", value: lines.join("\n").trim() }, token);
    },
    // Its text would become a child of the block.
    mathFlowFenceMeta() {
      this.buffer();
    },
    mathText(token) {
      const [, dollars, value = ""] = /^(\$+)(.*)\1$/s.exec(this.sliceSerialize(token)) ?? [];
      const data = { isFormula: true, isDisplay: dollars === "$$" };
      this.enter({ type: "inlineCode", value, data }, token);
    },
  },
  exit: {
    mathFlow(token) {
      this.exit(token);
    },
    mathFlowFenceMeta() {
      this.resume();
    },
    mathText(token) {
      this.exit(token);
    },
  },
};

/** Makes `$$…$$` in a paragraph of its own a block. */
export function readFormulaBlocks(tree: Root): void {
  visit(tree, "paragraph", ({ children: [first, ...others], position }, index, parent) => {
    if (others.length > 0 || first?.type !== "inlineCode" || first.data?.isDisplay !== true) return;
    parent?.children.splice(index ?? 0, 1, { type: "code", lang: "math", value: first.value, position });
  });
}

/** A plugin of the Markdown parser: formulas become code blocks in the language `math`, or inline code with `data.isFormula`. */
export function formulaSyntax(this: Processor): void {
  const data = this.data();
  const { flow = {}, text } = math();
  const inText = [text?.[dollar] ?? []].flat().map(formulaInText);
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { flow, text: { [dollar]: inText } }];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), fromMarkdown];
}

/** Allowed MathML elements and attributes. Temml also writes styles, which pages do not allow. */
const tagNames = new Set(
  "math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics".split(
    " ",
  ),
);
const attributeNames = new Set(
  "accent accentunder columnspan depth display displaystyle fence form height largeop linethickness lspace mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset width".split(
    " ",
  ),
);

interface MathNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: readonly MathNode[];
}

function toElements({ type, text, attributes = {}, children = [] }: MathNode): ElementContent[] {
  if (type === undefined && text !== undefined) return [{ type: "text", value: text }];
  const inner = children.flatMap(toElements);
  if (type === undefined || !tagNames.has(type)) return inner;
  const allowed = Object.entries(attributes).filter(([name]) => attributeNames.has(name));
  const properties = Object.fromEntries(allowed.map(([name, value]) => [name, String(value)]));
  return [{ type: "element", tagName: type, properties, children: inner }];
}

/** Temml's types omit these members. */
const { __renderToMathMLTree: toMathTree, ParseError } = temml as unknown as {
  __renderToMathMLTree(source: string, options: Readonly<Record<string, unknown>>): MathNode;
  readonly ParseError: new () => Error;
};

/** Converts a formula to MathML; `undefined` if the source is not valid TeX. */
export function renderFormula(source: string, isDisplay: boolean): Element | undefined {
  if (source.length > maxLength) return undefined;
  const options = {
    displayMode: isDisplay,
    throwOnError: true,
    trust: false,
    maxExpand: 500,
    maxSize: [20, 20],
  };
  try {
    const children = toElements(toMathTree(source, options));
    return isDisplay
      ? h("div.formula", { dataTex: source, tabIndex: 0, role: "group" }, children)
      : h("span.formula", { dataTex: source }, children);
  } catch (error) {
    // Temml throws a ParseError for most invalid sources, and the other two for some that it does not expect.
    if ([ParseError, RangeError, TypeError].some((expected) => error instanceof expected)) return undefined;
    throw error;
  }
}
