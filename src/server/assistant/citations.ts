/** The opening line of a fenced code block. `items[1]` in the block is code, not a citation. */
const fenceStart = /^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)?(`{3,}|~{3,})[^\n]*\n/;
/** An incomplete line that may become an opening fence. */
const openFence = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)]?)[ \t]*)?(?:`*|~*|(?:`{3,}|~{3,})[^\n]*)$/;
/** An inline code span. Its content is neither a citation nor a link nor an image. */
const codeSpan = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/;
/** A code span before the end of the text: a further backtick cannot extend it. */
const closedSpan = new RegExp(`${codeSpan.source}(?!$)`, "g");
/** Matches code spans, citations, links and images in one pass. */
const inline = new RegExp(
  `${codeSpan.source}|\\[(\\d{1,2})\\](?!\\()|!?\\[([^\\][\\n]{0,300})\\]\\(([^)\\n]{0,500})\\)`,
  "g",
);
/** The end of a text that may still become one of them: an open code span, open brackets or a label without its address. */
const openEnd = /`[^\n]{0,300}$|!?\[[^\][\n]{0,300}$|!?\[[^\][\n]{1,300}\](?:\([^)\n]{0,500})?$|!$/;

/**
 * Creates a filter for the text of a streaming answer. `[2]` becomes a link to the second passage, or is removed if there is no such
 * passage. Links to other addresses are reduced to their text.
 *
 * @param urls Addresses of the passages; `[1]` cites the first.
 */
export function createCitations(urls: readonly string[]) {
  const cited: number[] = [];
  let held = "";
  let fence: string | undefined;
  let isLineStart = true;

  function cite(number: number): string {
    if (number === 0) return "[0]";
    const url = urls[number - 1];
    if (url === undefined) return "";
    if (!cited.includes(number)) cited.push(number);
    return `[\\[${number}\\]](${url})`;
  }

  function link(label: string, address: string): string {
    const index = urls.findIndex((url) => url === address || url.startsWith(`${address}#`));
    if (index === -1 || address === "") return label;
    if (!cited.includes(index + 1)) cited.push(index + 1);
    return `[${label}](${address})`;
  }

  function replace(text: string): string {
    return text.replace(inline, (match, ticks?: string, number?: string, label = "", address = "") => {
      if (ticks !== undefined) return match;
      return number === undefined ? link(label, address) : cite(Number(number));
    });
  }

  /** Takes the next final piece off the held text: a complete line, or the part of the last line that cannot change any more. */
  function take(): string | undefined {
    const lineEnd = held.indexOf("\n") + 1;
    if (lineEnd > 0) return takeLine(held.slice(0, lineEnd));
    if (fence !== undefined || (isLineStart && openFence.test(held))) return undefined;
    const masked = held.replace(closedSpan, (span) => "x".repeat(span.length));
    const at = openEnd.exec(masked)?.index ?? held.length;
    if (at === 0) return undefined;
    const ready = held.slice(0, at);
    held = held.slice(at);
    isLineStart = false;
    return replace(ready);
  }

  function takeLine(line: string): string {
    held = held.slice(line.length);
    const start = isLineStart ? fenceStart.exec(line)?.[1] : undefined;
    isLineStart = true;
    if (fence !== undefined) {
      const isEnd = line.includes(fence) && line.replaceAll(fence.charAt(0), "").replace(/[\s>]/g, "") === "";
      if (isEnd) fence = undefined;
      return line;
    }
    fence = start;
    return start === undefined ? replace(line) : line;
  }

  return {
    /** The numbers of the cited passages, in the order of their first citation. */
    cited,
    /** Returns the text that can be sent. An end that may become a citation is held back. */
    feed(text: string): string {
      held += text;
      let ready = "";
      for (let piece = take(); piece !== undefined; piece = take()) ready += piece;
      return ready;
    },
    /** Returns the text that was held back. */
    end(): string {
      const rest = fence === undefined ? replace(held) : held;
      held = "";
      return rest;
    },
  };
}
