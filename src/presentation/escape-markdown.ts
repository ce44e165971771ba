/** Text from other people or from the platform, made harmless inside GitHub's Markdown. */

/** Zero-width non-joiner: invisible, and enough to take a mention's or a reference's meaning. */
const breaker = "\u200c";

/**
 * One line of foreign text as plain text: no HTML, links, images, mentions, references, closing keywords or formatting.
 * Control and formatting characters are dropped, line breaks become spaces.
 */
export function escapeInline(text: string): string {
  return (
    text
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
      .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
      .replace(/[\\`*_[\]()<>#|~$]/g, "\\$&")
      // What begins a list or underlines a heading does so only at the start.
      .replace(/^(\s*)([-+=])/, "$1\\$2")
      .replace(/^(\s*\d+)\./, "$1\\.")
      .replace(/&/g, "&amp;")
      .replace(/\\</g, "&lt;")
      .replace(/\\>/g, "&gt;")
      .replace(/@(?=\w)/g, `@${breaker}`)
      .replace(/\\#(?=\w)/g, `\\#${breaker}`)
      .replace(/\b(GH)-(?=\d)/gi, `$1${breaker}-`)
      .replace(/:(?=\/\/|[\w+-]+:)/g, `:${breaker}`)
      .replace(/\b(www)\.(?=\S)/gi, `$1${breaker}.`)
  );
}

/** Foreign text as a code span; for identifiers, paths and hashes. */
export function codeSpan(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
    .trim();
  if (line === "") return "—";
  const longestRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Like `codeSpan`, for a cell of a table, where a bar would end the cell even inside code. */
export function codeCell(text: string): string {
  return codeSpan(text).replaceAll("|", "\\|");
}

/** Foreign text of several lines as a code block that it cannot leave. */
export function codeBlock(text: string): string {
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return `${fence}text\n${text.replace(/\r\n?/g, "\n")}\n${fence}`;
}
