/** Text from other people or from the platform, made harmless inside GitHub's Markdown. */

/** Zero-width non-joiner: invisible, and enough to take a mention's or a reference's meaning. */
const breaker = "\u200c";

/** Indentation of four spaces would make code of a line, and show the escapes. */
const maxIndent = 12;

/**
 * One line of foreign text as plain text: no HTML, links, images, mentions, references, closing keywords, formulas or
 * formatting. Control and formatting characters are dropped, line breaks become spaces.
 */
export function escapeInline(text: string): string {
  return (
    breakReferences(escapeMarks(toShownLine(text)))
      .replace(/^ {4,}/, (indent) => "\u00a0".repeat(Math.min(indent.length, maxIndent)))
      // GitHub's own way to write a dollar that begins no formula: a backslash is for those inside of one.
      .replaceAll("$", "<span>$</span>")
  );
}

/** Escape sequences of terminals first, whole; then what moves, hides or reorders text. */
function toShownLine(text: string): string {
  return dropTerminalSequences(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(invisible, "");
}

function escapeMarks(line: string): string {
  return (
    line
      .replace(/[\\`*_[\]()#|~]/g, "\\$&")
      // What begins a list or underlines a heading does so only at the start.
      .replace(/^(\s*)([-+=])/, "$1\\$2")
      .replace(/^(\s*\d+)\./, "$1\\.")
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
  );
}

/** What GitHub links by itself: people, issues, advisories, commits, addresses; and short codes of emoji. */
function breakReferences(escaped: string): string {
  return escaped
    .replace(/@(?=[\w\\])/g, `@${breaker}`)
    .replace(/\\#(?=\w)/g, `\\#${breaker}`)
    .replace(/(GH|GHSA|CVE)-(?=\w)/gi, `$1${breaker}-`)
    .replace(/\\\[(?=!)/g, `\\[${breaker}`)
    .replace(identifierOrHash, breakHash)
    .replace(/:(?=\/\/|[\w+-]+:)/g, `:${breaker}`)
    .replace(/(www)\.(?=\S)/gi, `$1${breaker}.`);
}

/** A UUID, which is no commit and must survive copying; or the digits of what may be one. */
const identifierOrHash =
  /(?<![0-9a-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<hash>[0-9a-f]{7,40}))(?![0-9a-z])/gi;

function breakHash(found: string, hash: string | undefined): string {
  if (hash === undefined) return found;
  const isCommit = hash.length === 40 || (/\d/.test(hash) && /[a-f]/i.test(hash));
  // Seven digits are enough for GitHub, wherever a word begins.
  return isCommit ? (hash.match(/.{1,6}/g) ?? []).join(breaker) : found;
}

/** Private-use, unassigned, lone surrogate and formatting code points, and what else renderers may ignore, but for emoji's. */
const invisible = /(?!\uFE0F)[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Control sequences and operating-system commands of terminals (ECMA-48), with what they carry. */
const terminalSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u009B[0-?]*[ -/]*[@-~]/g;

/** Takes terminals' escape sequences out: left without their first character they would be rubbish to read. */
function dropTerminalSequences(text: string): string {
  return text.replace(terminalSequence, "");
}

/** Nothing in our texts may pass for the marker that makes a comment ours. */
export function breakMarkers(text: string): string {
  return text.replaceAll("<!-- docs-automation:", `<!--${breaker} docs-automation:`);
}

/** Foreign text as a code span; for identifiers, paths and hashes. */
export function codeSpan(text: string): string {
  const line = breakMarkers(toShownLine(text).trim());
  if (line === "") return "—";
  const longestRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/**
 * Like `codeSpan`, for a cell of a table, where a bar would end the cell even inside code. Whether a backslash before an
 * escaped bar escapes the backslash or the bar, parsers do not agree; entities leave no doubt.
 */
export function codeCell(text: string): string {
  const span = codeSpan(text);
  if (!span.includes("\\|")) return span.replaceAll("|", "\\|");
  const line = breakReferences(toShownLine(text).trim());
  return `<code>${line.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
}

/** Foreign text of several lines as a code block that it cannot leave. */
export function codeBlock(text: string): string {
  const lines = dropTerminalSequences(text)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "")
    .replace(invisible, "");
  const longestRun = [...lines.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 2);
  const fence = "`".repeat(longestRun + 1);
  return `${fence}text\n${breakMarkers(lines)}\n${fence}`;
}
