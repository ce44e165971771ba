/** The marker of a line that opens a fenced code block. `items[1]` in the block is code, not a citation. */
const fenceStart = /^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)?(`{3,}|~{3,})/;
/** An incomplete line that may become such a line. */
const openFence = /^[\s>*+\-.)\d]*(?:`*|~*|(?:`{3,}|~{3,})[^\n]*)$/;
/** Matches code spans, citations, links and images. */
const inline =
  /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\[(\d{1,2})\](?!\()|!?\[([^\][\n]{0,300})\]\(([^)\n]{0,500})\)/g;
/** The start of an incomplete line that does not depend on its rest. */
const settled = new RegExp(`^(?:[^\`[!]+|!(?=[^[])|(?:${inline.source})(?=[^(\`]))+`);
/** After more characters, what opened none of them is plain text. */
const maxHeld = 1000;

/**
 * Creates a filter for the text of a streaming answer. `[2]` becomes a link to the second passage, or is
 * removed if there is no such passage. Links to other addresses are reduced to their text.
 *
 * @param urls Addresses of the passages; `[1]` cites the first.
 */
export function createCitations(urls: readonly string[]) {
  /** The numbers of the cited passages, in the order of their first citation. */
  const cited = new Set<number>();
  let held = "";
  let fence: string | undefined;
  let isLineStart = true;

  function cite(number: number): string {
    const url = urls[number - 1];
    if (url === undefined) return number === 0 ? "[0]" : "";
    cited.add(number);
    return `[\\[${number}\\]](${url})`;
  }

  function link(label: string, address: string): string {
    const index = urls.findIndex((url) => url === address || url.startsWith(`${address}#`));
    if (index === -1 || address === "") return label;
    cited.add(index + 1);
    return `[${label}](${address})`;
  }

  function replace(text: string): string {
    return text.replace(inline, (match, ticks?: string, number?: string, label = "", address = "") => {
      if (ticks !== undefined) return match;
      return number === undefined ? link(label, address) : cite(Number(number));
    });
  }

  function replaceLine(line: string): string {
    const marker = fence ?? (isLineStart ? fenceStart.exec(line)?.[1] : undefined);
    const isEnd = fence !== undefined && line.includes(fence) && /^[\s>]*[`~]+\s*$/.test(line);
    fence = isEnd ? undefined : marker;
    isLineStart = true;
    return marker === undefined ? replace(line) : line;
  }

  /** Takes the part off the held text that cannot change any more: a line, or the start of one; empty if there is none. */
  function take(): string {
    const lineEnd = held.indexOf("\n") + 1;
    const isOpen = fence !== undefined || (isLineStart && openFence.test(held));
    const end =
      lineEnd > 0 || isOpen ? lineEnd : (settled.exec(held)?.[0].length ?? Number(held.length > maxHeld));
    const piece = held.slice(0, end);
    held = held.slice(end);
    if (lineEnd > 0) return replaceLine(piece);
    isLineStart &&= piece === "";
    return replace(piece);
  }

  return {
    cited,
    /** Returns the text that can be sent. An end that may become a citation is held back. */
    feed(text: string): string {
      held += text;
      let ready = "";
      for (let length = -1; length !== held.length; ready += take()) length = held.length;
      return ready;
    },
    /** Returns the text that was held back. */
    end(): string {
      return replaceLine(held);
    },
  };
}
