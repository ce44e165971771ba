/** Small readings of text and of thrown values that every part of the project shares. */

/** The message of a thrown value: an error's message, anything else as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Like `messageOf`, with where it happened, for defects. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** The code of a system error, such as `ENOENT`; `undefined` for anything else. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : undefined;
}

/** The value of a JSON text; `undefined`, which no JSON text has as its value, where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object of JSON: neither a list nor `null`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object: neither a list nor `null`. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A part of an address without its percent-encoding, and as it is where a lone percent sign is part of a name. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The beginning of a text: at most `length` UTF-16 units, and never half a character. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** Like `cutText`; an ellipsis, which counts, says that more followed. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, length - 1)}…`;
}

/** Values separated by commas or line breaks. */
export function splitList(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Quoted words as a sentence: with a full stop where they end without a mark. */
export function endWithPeriod(text: string): string {
  const words = text.trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A duration: "42 s", "3 min 5 s", "2 h 4 min". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
