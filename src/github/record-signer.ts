/** Signs records that stand where people can edit them: hidden markers in our own comments, addresses of our commit statuses. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type * as z from "zod/mini";
import { redactTexts } from "../base/secrets.ts";
import { parseJson } from "../base/text.ts";

/** What became of a signed value: changed or copied from elsewhere, signed with a key that was replaced since, or valid. */
export type SignedReading<Value> =
  | { readonly kind: "forged" }
  | { readonly kind: "other-key"; readonly value: Value }
  | { readonly kind: "valid"; readonly value: Value };

/** Signs and checks values with keys derived from the platform's API key, which itself is never used as one. */
export type RecordSigner = ReturnType<typeof createRecordSigner>;

/** The form of a signed value, for regular expressions. */
export const signedForm = String.raw`[\w-]+\.[0-9a-f]{8}\.[\w-]{43}`;

/** Derives a signer from the platform's API key; `redact` takes secrets out of the texts of a value before it is signed. */
export function createRecordSigner(apiKey: string, redact = (text: string) => text) {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", apiKey, "docs-automation", purpose, bytes));
  let derived: { readonly key: Buffer; readonly referenceKey: Buffer; readonly keyId: string } | undefined;
  // Derived when they are first used: a run that may not ask needs none, and loading `crypto` takes as long as reading its event.
  const keys = () =>
    (derived ??= {
      key: derive("marker v1", 32),
      referenceKey: derive("reference v1", 32),
      keyId: derive("key id v1", 4).toString("hex"),
    });
  const signatureOf = (location: string, payload: string) =>
    createHmac("sha256", keys().key).update(`${location}\n${payload}`).digest("base64url");
  const isSigned = (location: string, payload: string, signature: string) => {
    const expected = Buffer.from(signatureOf(location, payload));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
  return {
    /** A value as text without secrets, signed for the location where it will stand: `payload.keyId.signature`, without spaces. */
    sign(value: unknown, location: string): string {
      const payload = Buffer.from(JSON.stringify(value, redactTexts(redact))).toString("base64url");
      return `${payload}.${keys().keyId}.${signatureOf(location, payload)}`;
    },
    /** Reads what `sign` wrote for one of the locations. */
    read<Schema extends z.ZodMiniType>(
      signed: string,
      schema: Schema,
      locations: readonly string[],
    ): SignedReading<z.output<Schema>> {
      const [payload = "", signer = "", signature = ""] = signed.split(".");
      const parsed = schema.safeParse(parseJson(Buffer.from(payload, "base64url").toString("utf8")));
      if (!parsed.success) return { kind: "forged" };
      if (signer !== keys().keyId) return { kind: "other-key", value: parsed.data };
      return locations.some((location) => isSigned(location, payload, signature))
        ? { kind: "valid", value: parsed.data }
        : { kind: "forged" };
    },
    /** The word by which a trigger's pull request is found: the same in every run, unpredictable without the key. */
    reference: (trigger: string) =>
      `docs-automation-${createHmac("sha256", keys().referenceKey).update(trigger).digest("hex").slice(0, 24)}`,
  };
}
