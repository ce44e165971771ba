/** Escapes untrusted text for GitHub's Markdown, and formats links, numbers and times for comments and summaries. */
import { stripInvisibleCharacters } from "../base/invisible-characters.ts";

/** Zero-width non-joiner: invisible, and keeps GitHub from recognizing a mention or reference. */
const breaker = "\u200c";

/** An indentation of four spaces would turn a line into code, which shows the escapes. */
const maxIndent = 12;

/**
 * One line of untrusted text as plain text: no HTML, links, images, mentions, references, closing keywords, formulas or
 * formatting. Control and formatting characters are dropped, line breaks become spaces.
 */
export function escapeInline(text: string): string {
  return (
    breakReferences(escapeMarks(cleanLine(text)))
      .replace(/^ {4,}/, (indent) => "\u00a0".repeat(Math.min(indent.length, maxIndent)))
      // GitHub's documented way to write a dollar sign that starts no formula.
      .replaceAll("$", "<span>$</span>")
  );
}

/** One line of untrusted text like `escapeInline`, but with its `code` as code spans. */
export function escapeMessage(text: string): string {
  const parts = cleanLine(text).split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? codeSpan(part) : escapeInline(part))).join("");
}

/** One line without terminal sequences, control characters and invisible characters. Sequences are removed whole, so they go first. */
function cleanLine(text: string): string {
  const line = text.replace(terminalSequence, "").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return stripInvisibleCharacters(line).text;
}

function escapeMarks(line: string): string {
  return (
    line
      .replace(/[\\`*_[\]()#|~]/g, "\\$&")
      // List markers and heading underlines count only at the start of a line.
      .replace(/^(\s*)([-+=])/, "$1\\$2")
      .replace(/^(\s*\d+)\./, "$1\\.")
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
  );
}

/** Breaks what GitHub links automatically (users, issues, advisories, commits, URLs), and emoji short codes. */
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

/** A UUID, which stays intact so that it can be copied; or what GitHub may take for a commit hash, which is a word of its own. */
const identifierOrHash =
  /(?<![0-9a-z_])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<hash>[0-9a-f]{7,40}))(?![0-9a-z_])/gi;

function breakHash(match: string, hash: string | undefined): string {
  if (hash === undefined) return match;
  const isCommit = hash.length === 40 || (/\d/.test(hash) && /[a-f]/i.test(hash));
  // GitHub links seven digits and more.
  return isCommit ? (hash.match(/.{1,6}/g) ?? []).join(breaker) : match;
}

/** Control sequences and operating-system commands of terminals (ECMA-48) with their parameters. */
const terminalSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u009B[0-?]*[ -/]*[@-~]/g;

/** Markdown of ours as a terminal shows it: without escapes, tags and invisible characters, but with code as it is. */
export function unescapeMarkdown(markdown: string): string {
  const references: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  return markdown.replace(
    /(?<!`)(`+)(?!`)[^`]+\1|<\/?(?:details|summary|span|sub)>|(?<=[!-~])\u200c|\\([!-/:-@[-`{-~])|&(?:lt|gt|amp);/g,
    (found, code?: string, escaped?: string) =>
      code === undefined ? (escaped ?? references[found] ?? "") : found,
  );
}

/** Keeps untrusted text from imitating the hidden marker of our own comments. */
export function breakMarkers(text: string): string {
  return text.replaceAll("<!-- docs-automation:", `<!--${breaker} docs-automation:`);
}

/** Untrusted text as a code span, for identifiers, paths and hashes. */
export function codeSpan(text: string): string {
  const line = breakMarkers(cleanLine(text).trim());
  if (line === "") return "—";
  const fence = fenceAround(line, 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Untrusted text of several lines as a code block that it cannot close. */
export function codeBlock(text: string): string {
  const lines = stripInvisibleCharacters(text.replace(terminalSequence, "")).text;
  const fence = fenceAround(lines, 3);
  return `${fence}text\n${breakMarkers(lines)}\n${fence}`;
}

/** More backticks than any sequence of them in the text, and at least `minLength`. */
function fenceAround(text: string, minLength: number): string {
  const lengths = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return "`".repeat(lengths.reduce((longest, length) => Math.max(longest, length), minLength));
}

/** A link to a page; `undefined` if the address is no `http` or `https` URL. */
export function pageLink(label: string, address: string | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? linkTo(label, url.href) : undefined;
}

/** A link to a valid URL. The label must already be safe Markdown. */
export function linkTo(label: string, url: string): string {
  const escapes: Readonly<Record<string, string>> = { "(": "%28", ")": "%29" };
  return `[${label}](${url.replace(/[()\s<>]/g, (mark) => escapes[mark] ?? encodeURIComponent(mark))})`;
}

/** Characters of a request that a comment quotes. */
export const maxShownRequest = 600;

/** Untrusted text as the lines of a block quote, without their `>`. */
export function quoteLines(text: string): string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/).map(escapeInline);
}

/** A list of names and values, without undefined values. Both must already be safe Markdown. */
export function renderDetails(
  details: readonly (readonly [name: string, value: string | undefined])[],
): string[] {
  return details.filter(([, value]) => value !== undefined).map(([name, value]) => `- ${name}: ${value}`);
}

/** A point in time in UTC: "2026-11-21 07:30 UTC". */
export function formatTime(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A time of day in UTC: "07:30", or "22 Nov 07:30" if it is not on `day`; `undefined` for an invalid time. */
export function formatClock(time: string, day: string): string | undefined {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  const [, ordinal, month, year, clock = ""] = date.toUTCString().split(" ");
  const isSameDay = new Date(day).toUTCString().includes(`${ordinal} ${month} ${year}`);
  return isSameDay ? clock.slice(0, 5) : `${ordinal} ${month} ${clock.slice(0, 5)}`;
}
