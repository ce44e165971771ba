import { hash, timingSafeEqual } from "node:crypto";

/** Compares a given text with a secret or a signature, in a time that tells nothing about the secret. */
export function isSameSecret(given: string, secret: string): boolean {
  // Digests have the same length.
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", secret, "buffer"));
}
