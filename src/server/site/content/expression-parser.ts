/** The JavaScript parser behind MDX expressions, spared the attempts that cannot succeed. */
import { Parser } from "acorn";
import acornJsx from "acorn-jsx";

type ExpressionParser = Pick<typeof Parser, "parse" | "parseExpressionAt">;

/** How many more `{` than `}` a part of a text has. */
function countOpenBraces(text: string, from: number): number {
  let count = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b) count += 1;
    else if (code === 0x7d) count -= 1;
  }
  return count;
}

/** Counts open braces of texts of which each usually continues the one before. */
function createBraceCounter(): (source: string) => number {
  let counted = { source: "", open: 0 };
  return (source) => {
    const known = source.startsWith(counted.source) ? counted : { source: "", open: 0 };
    counted = { source, open: known.open + countOpenBraces(source, known.source.length) };
    return counted.open;
  };
}

/** What acorn throws where a text ends too early; the tokenizer then goes on to the next brace. */
function createUnfinishedError(source: string): SyntaxError {
  return Object.assign(new SyntaxError("Unexpected token"), {
    pos: source.length,
    raisedAt: source.length,
    loc: { line: 1, column: 0 },
  });
}

/**
 * The MDX tokenizer tries to parse an expression again at each `}` until it succeeds, which takes time in the square of
 * the braces. This parser refuses texts with more `{` than `}` without reading them. It is wrong where a string holds a
 * lone `{`: the page is then read again without it.
 */
export function createEagerParser(): ExpressionParser {
  const parser = Parser.extend(acornJsx());
  const countOpen = createBraceCounter();
  return {
    parse: (source, options) => parser.parse(source, options),
    parseExpressionAt: (source, position, options) => {
      if (countOpen(source) > 0) throw createUnfinishedError(source);
      return parser.parseExpressionAt(source, position, options);
    },
  };
}
