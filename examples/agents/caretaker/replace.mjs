/** Replaces words throughout the documents. */
import { mapProse } from "./documents.mjs";

const request = /\breplace\s+["'“‘`](.+?)["'”’`]\s+(?:with|by)\s+["'“‘`](.*?)["'”’`](?!\w)/gi;
const linkTarget = /(\]\([^)]*\)|^ {0,3}\[[^\]]+\]:\s+\S+|<[^>]*>|https?:\/\/\S+)/m;

/**
 * Does every `replace "…" with "…"` of the prompt, as whole words, in prose: code, addresses and markup stay.
 *
 * @param {import("./documents.mjs").Documents} documents
 * @param {string} prompt
 */
export async function replaceWords(documents, prompt) {
  const pairs = [...prompt.matchAll(request)].map(([, from, to]) => ({
    from,
    to,
    pattern: wholeWords(from),
    count: 0,
  }));
  if (pairs.length === 0) return ['Say what to replace: replace "old words" with "new words".'];
  for (const page of documents.pages) {
    const before = await documents.read(page);
    const after = mapProse(before, (prose) =>
      prose
        .split(linkTarget)
        .map((part, index) => {
          // `split` puts what the pattern's group caught at the odd places.
          if (index % 2 === 1) return part;
          return pairs.reduce(
            (text, pair) =>
              text.replace(pair.pattern, () => {
                pair.count += 1;
                return pair.to;
              }),
            part,
          );
        })
        .join(""),
    );
    if (after !== before) await documents.write(page, after);
  }
  return pairs.map(({ from, to, count }) => `“${from}” was replaced with “${to}” ${count} times`);
}

function wholeWords(words) {
  const escaped = words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "gu");
}
