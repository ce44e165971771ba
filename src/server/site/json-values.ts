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
