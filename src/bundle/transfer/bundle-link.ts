import { isLoopback } from "../../base/network.ts";
import { BundleError } from "../errors.ts";

/** Where a bundle can be fetched for a while. `url` is a credential: it is never shown. */
export interface BundleLink {
  readonly url: string;
  readonly expiresAt?: Date | undefined;
  /** The issuer's clock when it made the link; without it, this machine's clock is trusted. */
  readonly issuedAt?: Date | undefined;
  /** Length the issuer promises. */
  readonly sizeBytes?: number | undefined;
}

/** Origin and path of a URL: what of a presigned link may be shown. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Reads the address of storage.
 *
 * @param base address that a relative one (of a redirect) is relative to
 * @throws {BundleError} unless it is https, or http on this machine
 */
export function parseStorageUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new BundleError("unexpected-response", "The link to the bundle is not a URL.");
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return url;
  throw new BundleError(
    "unexpected-response",
    `The link to the bundle (${describeUrl(url)}) is not https: anyone on the way could replace the bundle.`,
  );
}
