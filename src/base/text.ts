/** Small functions for text, JSON and thrown values. */

/** The message of a thrown error, or any other thrown value as text. */
export function messageOf(thrown: unknown): string {
  // Node's error for a host with several addresses has no message of its own.
  if (thrown instanceof AggregateError && thrown.message === "")
    return thrown.errors.map(messageOf).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The stack trace of a thrown error, or any other thrown value as text. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** The code of an error, such as `ENOENT`; `undefined` if it has none. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : undefined;
}

/** The value of a JSON text; `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON object: neither an array nor `null`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object: neither an array nor `null`. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Decodes the percent-encoding of a part of a URL; returns the text unchanged if its encoding is invalid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Cuts a text to at most `length` UTF-16 units without splitting a surrogate pair. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** A copy for use after the text that this one is a part of: a part keeps the whole text in memory. */
export function copyText(part: string): string {
  return structuredClone(part);
}

/** Like `cutText`; a text that was cut ends with an ellipsis, which counts toward the length. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, length - 1)}…`;
}

/** A text as one line: each sequence of white space and control characters, including bidirectional ones, becomes a space. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim();
}

/** A text with a capital as its first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The last lines of a text, without empty ones, as one line: programs print the reason of a failure last. */
export function joinLastLines(text: string, count: number): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).slice(-count).join(" / ");
}

/** Splits a list of values separated by commas or line breaks. */
export function splitList(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Normalizes line endings to `\n`: those of GitHub's web pages differ from those of its API, and those of files by their editor. */
export function normalizeLineEndings(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Adds a period to a text that does not end with punctuation. */
export function endWithPeriod(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** A number with its noun: "1 file", "2 files". */
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

/** Formats a duration of at least a second: "42 s", "3 min 5 s", "2 h 4 min". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
