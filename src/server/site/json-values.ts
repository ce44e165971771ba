/** Parts of JSON or YAML that documents wrote, in which anything may have any type: a value of the wrong one is as good as absent. */
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
