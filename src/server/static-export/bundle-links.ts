import { createHmac, timingSafeEqual } from "node:crypto";

/** Makes and checks the links to bundles: they need no key, say until when they hold, and cannot be altered. */
export interface BundleLinks {
  sign(jobId: string): { bundleUrl: string; expiresAt: string };
  verify(jobId: string, query: { expires?: string | undefined; signature?: string | undefined }): LinkVerdict;
}

/** What became of a link. A link that was altered is `forged`, also when its time is over. */
type LinkVerdict = "valid" | "expired" | "forged";

/** Links signed with `secret` (HMAC-SHA256 over job and end), valid for `lifetimeMs`. */
export function createBundleLinks(
  { secret, lifetimeMs }: { secret: Buffer; lifetimeMs: number },
  { publicUrl, now }: { publicUrl: () => string; now: () => number },
): BundleLinks {
  const signatureOf = (jobId: string, expires: string) =>
    createHmac("sha256", secret).update(`${jobId}\n${expires}`).digest("base64url");
  return {
    sign: (jobId) => {
      const expires = Math.floor((now() + lifetimeMs) / 1000);
      const url = new URL(`${publicUrl()}/bundles/${jobId}/bundle.zip`);
      url.searchParams.set("expires", String(expires));
      url.searchParams.set("signature", signatureOf(jobId, String(expires)));
      return { bundleUrl: url.href, expiresAt: new Date(expires * 1000).toISOString() };
    },
    verify: (jobId, { expires = "", signature = "" }) => {
      if (!areEqual(signature, signatureOf(jobId, expires))) return "forged";
      return now() < Number(expires) * 1000 ? "valid" : "expired";
    },
  };
}

function areEqual(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
