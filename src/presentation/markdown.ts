/** The words of every comment and summary: untrusted text made harmless in GitHub's Markdown, numbers and times as people read them. */

/** Zero-width non-joiner: invisible, and enough to take a mention's or a reference's meaning. */
const breaker = "\u200c";

/** Indentation of four spaces would make code of a line, and show the escapes. */
const maxIndent = 12;

/**
 * One line of untrusted text as plain text: no HTML, links, images, mentions, references, closing keywords, formulas or
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

/** Escape sequences of terminals go first and whole: what stays of half a sequence is unreadable. Then what moves, hides or reorders text. */
function toShownLine(text: string): string {
  return text
    .replace(terminalSequence, "")
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
    .replace(/@(?=\S)/g, `@${breaker}`)
    .replace(/\\#(?=\w)/g, `\\#${breaker}`)
    .replace(/(GH|GHSA|CVE)-(?=\w)/gi, `$1${breaker}-`)
    .replace(/\\\[(?=!)/g, `\\[${breaker}`)
    .replace(identifierOrHash, breakHash)
    .replace(/:(?=\/\/|[\w+-]+:)/g, `:${breaker}`)
    .replace(/(www)\./gi, `$1${breaker}.`);
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u009B[0-?]*[ -/]*[@-~]/g;

/** Nothing in our texts may pass for the marker that makes a comment ours. */
export function breakMarkers(text: string): string {
  return text.replaceAll("<!-- docs-automation:", `<!--${breaker} docs-automation:`);
}

/** Untrusted text as a code span; for identifiers, paths and hashes. */
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

/** Untrusted text of several lines as a code block that it cannot leave. */
export function codeBlock(text: string): string {
  const lines = text
    .replace(terminalSequence, "")
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "")
    .replace(invisible, "");
  const longestRun = [...lines.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 2);
  const fence = "`".repeat(longestRun + 1);
  return `${fence}text\n${breakMarkers(lines)}\n${fence}`;
}

/** A link to one of our own pages; `undefined` where there is no such page. */
export function pageLink(label: string, address: string | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? linkTo(label, url.href) : undefined;
}

/** A link to an address that is known to be one, which it cannot leave; the label must be safe Markdown already. */
export function linkTo(label: string, url: string): string {
  const escapes: Readonly<Record<string, string>> = { "(": "%28", ")": "%29" };
  return `[${label}](${url.replace(/[()\s<>]/g, (mark) => escapes[mark] ?? encodeURIComponent(mark))})`;
}

/** As much as a comment quotes of a request. */
export const maxShownRequest = 600;

/** Untrusted text as the lines of a quotation. */
export function quoteLines(text: string): string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/).map(escapeInline);
}

/** A list of names and values, without those that are not known; both must be safe Markdown already. */
export function factList(facts: readonly (readonly [name: string, value: string | undefined])[]): string[] {
  return facts.filter(([, value]) => value !== undefined).map(([name, value]) => `- ${name}: ${value}`);
}

/** A number with its noun, which takes an “s” in the plural: "1 file", "2 files". */
export function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** Bytes in decimal units: "1.4 GB". */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return "1 byte";
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A point in time in UTC: "2026-11-21 07:30 UTC". */
export function formatTime(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A point in time in UTC, as a text of a day writes it: "07:30", on another day "22 Nov 07:30"; `undefined` where it is none. */
export function formatClock(time: string, day: string): string | undefined {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  const [, ordinal, month, year, clock = ""] = date.toUTCString().split(" ");
  const isSameDay = new Date(day).toUTCString().includes(`${ordinal} ${month} ${year}`);
  return isSameDay ? clock.slice(0, 5) : `${ordinal} ${month} ${clock.slice(0, 5)}`;
}
