import { type ApiKey, createKey, digestOf } from "../../src/server/base/keys.ts";

/** A key to create. */
export type NewKey = Pick<ApiKey, "class" | "projects" | "domains"> & {
  readonly name?: string;
  /** ISO 8601 date or time. */
  readonly expires?: string;
};

/** Creates a key and its entry for a key file. */
export function makeKey(wanted: NewKey): { readonly key: string; readonly entry: string } {
  const key = createKey(wanted.class);
  const sha256 = digestOf(key);
  // JSON is valid YAML.
  return { key, entry: `- ${JSON.stringify({ name: `key-${sha256.slice(0, 8)}`, ...wanted, sha256 })}\n` };
}
