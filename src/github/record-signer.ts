/** Signs records in places that users can edit: hidden markers in our comments, and links of our commit statuses. */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type * as z from "zod/mini";
import { isSameSecret } from "../base/is-same-secret.ts";
import { redactTexts } from "../base/secrets.ts";
import { parseJson } from "../base/text.ts";

/** Result of reading a signed value: changed or copied from another location, signed with a key that was replaced since, or valid. */
export type SignedReading<Value> =
  | { readonly kind: "forged" }
  | { readonly kind: "other-key"; readonly value: Value }
  | { readonly kind: "valid"; readonly value: Value };

/** Signs and verifies values with keys that are derived from the platform's API key. */
export type RecordSigner = ReturnType<typeof createRecordSigner>;

/** The pattern of a signed value, for regular expressions. */
export const signedForm = String.raw`[\w-]+\.[0-9a-f]{8}\.[\w-]{43}`;

/** Derives a signer from the platform's API key. `redact` removes secrets from a value's texts before it is signed. */
export function createRecordSigner(apiKey: string, redact = (text: string) => text) {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", apiKey, "docs-automation", purpose, bytes));
  let derived:
    | { readonly key: KeyObject; readonly referenceKey: KeyObject; readonly keyId: string }
    | undefined;
  // Derived on first use: a refused run needs no keys, and loading `crypto` takes as long as reading the event.
  const keys = () =>
    (derived ??= {
      // With a buffer as its key, an HMAC takes eight times as long.
      key: createSecretKey(derive("marker v1", 32)),
      referenceKey: createSecretKey(derive("reference v1", 32)),
      keyId: derive("key id v1", 4).toString("hex"),
    });
  const signatureOf = (location: string, payload: string) =>
    createHmac("sha256", keys().key).update(`${location}\n${payload}`).digest("base64url");
  return {
    /** Signs a value for its location: `payload.keyId.signature`, without spaces. */
    sign(value: unknown, location: string): string {
      const payload = Buffer.from(JSON.stringify(value, redactTexts(redact))).toString("base64url");
      return `${payload}.${keys().keyId}.${signatureOf(location, payload)}`;
    },
    /** Reads a value that `sign` wrote for one of the locations. */
    read<Schema extends z.ZodMiniType>(
      signed: string,
      schema: Schema,
      locations: readonly string[],
    ): SignedReading<z.output<Schema>> {
      const [payload = "", keyId = "", signature = ""] = signed.split(".");
      const parsed = schema.safeParse(parseJson(Buffer.from(payload, "base64url").toString("utf8")));
      if (!parsed.success) return { kind: "forged" };
      if (keyId !== keys().keyId) return { kind: "other-key", value: parsed.data };
      return locations.some((location) => isSameSecret(signature, signatureOf(location, payload)))
        ? { kind: "valid", value: parsed.data }
        : { kind: "forged" };
    },
    /** The reference that identifies a trigger's pull request: the same in every run, unpredictable without the key. */
    reference: (trigger: string) =>
      `docs-automation-${createHmac("sha256", keys().referenceKey).update(trigger).digest("hex").slice(0, 24)}`,
  };
}
