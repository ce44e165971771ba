/** An object of JSON: neither a list nor `null`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is one; its fields may be anything. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
