/** Signatures that only somebody with the platform's key can make, and what is derived from them. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** Signs and checks text with keys derived from the platform's API key; the API key itself is never used as one. */
export interface Seal {
  /** Names the key, so that a rotated one is told from a forgery. */
  readonly keyId: string;
  /** Signature over `text`, bound to the place where it stands. */
  sign(place: string, text: string): string;
  verify(place: string, text: string, signature: string): boolean;
  /**
   * The reference that a trigger's prompt carries: the same in every run, and nobody can know it before the job does.
   */
  reference(trigger: string): string;
}

/** Derives a seal from the platform's API key. */
export function createSeal(apiKey: string): Seal {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", apiKey, "docs-automation", purpose, bytes));
  const key = derive("marker v1", 32);
  const referenceKey = derive("reference v1", 32);
  const sign = (place: string, text: string) =>
    createHmac("sha256", key).update(`${place}\n${text}`).digest("base64url");
  return {
    keyId: derive("key id v1", 4).toString("hex"),
    sign,
    verify(place, text, signature) {
      const expected = Buffer.from(sign(place, text));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    reference: (trigger) =>
      `docs-automation-${createHmac("sha256", referenceKey).update(trigger).digest("hex").slice(0, 24)}`,
  };
}
