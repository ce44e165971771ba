/** A record as the text that is signed. */
export function encodePayload(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** What such a text holds; `undefined`, which no schema takes for a record, where it is not ours. */
export function decodePayload(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined; // Not JSON: not a record, as the schema will say.
  }
}
