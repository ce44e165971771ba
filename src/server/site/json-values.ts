/** Reads untrusted JSON or YAML values. A value of the wrong type counts as missing. */
import { isJsonObject, type JsonObject } from "../../base/text.ts";

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(objectOf(value));
}

/** The first text that is not blank, without the space around it. A number counts as a text. */
export function firstText(...values: readonly unknown[]): string | undefined {
  const isText = (value: unknown) =>
    typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  const found = values.find(isText);
  return found === undefined ? undefined : String(found).trim();
}

/** The first of an object's properties with these names that {@link firstText} reads. */
export function textIn(object: JsonObject, ...names: readonly string[]): string | undefined {
  return firstText(...names.map((name) => object[name]));
}

/**
 * Parses a JSON text. Integers that JavaScript would round, such as the limits of 64-bit numbers, become `bigint`.
 *
 * @throws {SyntaxError}
 */
export function parseExactJson(text: string): unknown {
  // The check of every value would double the time for a large document, and most documents have no such integer.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const digits = context?.source ?? "";
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits);
    return isRounded ? BigInt(digits) : value;
  });
}

/** Prints a value with the integers of {@link parseExactJson}. */
export function printExactJson(value: unknown, space: number): string | undefined {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const print = (_key: string, inner: unknown) => (typeof inner === "bigint" ? rawJSON(`${inner}`) : inner);
  return JSON.stringify(value, print, space) as string | undefined;
}
