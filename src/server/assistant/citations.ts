/** The first line of a fenced block; `items[1]` in it is code. */
const fenceStart = /^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)?(`{3,}|~{3,})[^\n]*\n/;
/** The beginning of a line that may become one. */
const openFence = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)]?)[ \t]*)?(?:`*|~*|(?:`{3,}|~{3,})[^\n]*)$/;
/** A span of code: what stands in it is none of a citation, a link, an image. */
const codeSpan = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/;
/** One that a further backtick cannot change any more. */
const wholeSpan = new RegExp(`${codeSpan.source}(?!$)`, "g");
/** Code, citations, links and images in one pass. */
const inline = new RegExp(
  `${codeSpan.source}|\\[(\\d{1,2})\\](?!\\()|!?\\[([^\\][\\n]{0,300})\\]\\(([^)\\n]{0,500})\\)`,
  "g",
);
/** A text that may still become one of them: open code or brackets, or a label that waits for its address. */
const openEnd = /`[^\n]{0,300}$|!?\[[^\][\n]{0,300}$|!?\[[^\][\n]{1,300}\](?:\([^)\n]{0,500})?$|!$/;

/**
 * Holds a model's answer to its passages while it streams: `[2]` becomes a link to the second passage, or nothing. Links to
 * anywhere else lose their address.
 *
 * @param urls Addresses of the passages; the first is `[1]`.
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
    const known = urls.findIndex((url) => url === address || url.startsWith(`${address}#`));
    if (known === -1 || address === "") return label;
    if (!cited.includes(known + 1)) cited.push(known + 1);
    return `[${label}](${address})`;
  }

  function replace(text: string): string {
    return text.replace(inline, (match, ticks?: string, number?: string, label = "", address = "") => {
      if (ticks !== undefined) return match;
      return number === undefined ? link(label, address) : cite(Number(number));
    });
  }

  /** Takes what is ready off the held text: a whole line, or of the last one what cannot change any more. */
  function take(): string | undefined {
    const lineEnd = held.indexOf("\n") + 1;
    if (lineEnd > 0) return takeLine(held.slice(0, lineEnd));
    if (fence !== undefined || (isLineStart && openFence.test(held))) return undefined;
    const known = held.replace(wholeSpan, (span) => "x".repeat(span.length));
    const at = openEnd.exec(known)?.index ?? held.length;
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
    /** Numbers of the cited passages, in the order of their first citation. */
    cited,
    /** Text that can be shown; the end may be held back until it is known whether it is a citation. */
    feed(text: string): string {
      held += text;
      let ready = "";
      for (let piece = take(); piece !== undefined; piece = take()) ready += piece;
      return ready;
    },
    /** What was held back. */
    end(): string {
      const rest = fence === undefined ? replace(held) : held;
      held = "";
      return rest;
    },
  };
}
