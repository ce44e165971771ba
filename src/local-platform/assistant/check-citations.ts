/** Holds a model's answer to its passages while it streams: `[2]` becomes a link to the second passage, or nothing. */
export interface Citations {
  /** Text that can be shown; the end may be held back until it is known whether it is a citation. */
  feed(text: string): string;
  /** What was held back. */
  end(): string;
  /** Numbers of the cited passages, in the order of their first citation. */
  readonly cited: readonly number[];
}

/** A text that may still become a citation or a link: an open bracket, or a label that waits for its address. */
const openEnd = /!?\[[^\][\n]{0,300}$|!?\[[^\][\n]{1,300}\](?:\([^)\n]{0,500})?$|!$/;
/** Citations, links and images in one pass. */
const citation = /\[(\d{1,2})\](?!\()|!?\[([^\][\n]{0,300})\]\(([^)\n]{0,500})\)/g;

/** `urls`: addresses of the passages, the first is `[1]`. Links to anywhere else lose their address. */
export function createCitations(urls: readonly string[]): Citations {
  const cited: number[] = [];
  let held = "";

  function cite(number: number): string {
    const url = urls[number - 1];
    if (url === undefined) return "";
    if (!cited.includes(number)) cited.push(number);
    return `[\\[${number}\\]](${url})`;
  }

  function replace(text: string): string {
    return text.replace(citation, (_match, number: string | undefined, label = "", address = "") => {
      if (number !== undefined) return cite(Number(number));
      const known = urls.findIndex((url) => url === address || url.startsWith(`${address}#`));
      if (known === -1 || address === "") return label;
      if (!cited.includes(known + 1)) cited.push(known + 1);
      return `[${label}](${address})`;
    });
  }

  return {
    cited,
    feed(text) {
      held += text;
      const at = openEnd.exec(held)?.index ?? held.length;
      const ready = held.slice(0, at);
      held = held.slice(at);
      return replace(ready);
    },
    end() {
      const rest = replace(held);
      held = "";
      return rest;
    },
  };
}
