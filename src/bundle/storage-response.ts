/** What the answers of storage mean for a download. */
import type { ErrorDetails } from "../base/errors.ts";
import { parseRetryAfter } from "../base/retry.ts";
import { BundleError, corrupt, storageErrorCode } from "./errors.ts";

/** Status and header fields of an answer; names in lower case. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** What tells one version of an object from another. */
export interface ObjectIdentity {
  /** Length of the whole object; unknown where storage streams without saying it. */
  readonly total: number | undefined;
  /** Strong entity tag. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** An answer that brings bytes of the object, from the first one that was asked for. */
export interface ObjectResponse {
  readonly object: ObjectIdentity;
  readonly isRange: boolean;
  /** Whether the body is the whole object, also where it is called a range. */
  readonly isWhole: boolean;
}

/** Ends an attempt: what is on disk is of no use, and the next attempt starts at the first byte. */
export class RestartNeeded extends Error {
  override readonly name = "RestartNeeded";
  /** What to report when restarting has not helped. */
  readonly error: BundleError;
  /** Whether the next attempt must do without ranges. */
  readonly withoutRanges: boolean;

  constructor(error: BundleError, { withoutRanges = false } = {}) {
    super(error.message);
    this.error = error;
    this.withoutRanges = withoutRanges;
  }
}

/** Ends an attempt: storage still has the version whose entity tag is known. */
export class ObjectUnchanged extends Error {
  override readonly name = "ObjectUnchanged";
}

const storageHint =
  "Storage, not the platform, gave this answer. Run again with `job-id`: the bundle is fetched again without a new export.";
const networkHint =
  "Check the runner's network and the proxy variables (HTTPS_PROXY, NO_PROXY), then run again with `job-id`: the export need not be made again.";

/** A failure that another request may not meet; the message completes a sentence. */
export class PassingFailure extends Error {
  override readonly name = "PassingFailure";
  /** The least wait before the next request; `undefined` where it was not storage that failed. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: { readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.retryAfterMs = details.retryAfterMs;
  }

  /** What to report when it did not pass. */
  lasting(tries: number, advice: ErrorDetails): BundleError {
    const isStorage = this.retryAfterMs !== undefined;
    const before = tries > 1 ? `${tries} tries in a row failed, the last because ` : "";
    return new BundleError(
      isStorage ? "unavailable" : "unreachable",
      `The bundle could not be fetched: ${before}${this.message}.`,
      { hint: isStorage ? storageHint : networkHint, cause: this, ...advice },
    );
  }
}

/** Why to start again: the object is not what it was. */
export function objectChanged(reason: string): RestartNeeded {
  return new RestartNeeded(corrupt(`The bundle changed while it was fetched: ${reason}.`));
}

/** An answer of storage that no further try can improve. */
export function unexpectedResponse(message: string): BundleError {
  return new BundleError("unexpected-response", message, { hint: storageHint });
}

function rangesUnusable(reason: string): RestartNeeded {
  const error = unexpectedResponse(`Storage does not serve ranges as it should: ${reason}.`);
  return new RestartNeeded(error, { withoutRanges: true });
}

/**
 * Reads the head of a 200 or 206.
 *
 * @param start first byte that was asked for
 * @param known the object that earlier answers were about
 * @throws {RestartNeeded} for other bytes than were asked for, or another object
 */
export function readObjectResponse(
  { status, headers }: ResponseHead,
  start: number,
  known: ObjectIdentity | undefined,
): ObjectResponse {
  const range = status === 206 ? parseContentRange(headers.get("content-range")) : undefined;
  if (status === 206 && !range) throw rangesUnusable("it sends a partial answer without a Content-Range");
  if (range && range.start !== start)
    throw rangesUnusable(`it sends bytes from ${range.start} on instead of ${start}`);
  const etag = headers.get("etag");
  const object = {
    total: range ? (range.total ?? known?.total) : parseLength(headers.get("content-length")),
    etag: etag?.startsWith("W/") ? undefined : etag,
    lastModified: headers.get("last-modified"),
  };
  if (known) requireSame(known, object);
  if (!range && start > 0) throw rangesUnusable("it answers a range with the whole");
  const isWhole = !range || (range.start === 0 && range.end === object.total);
  return { object, isRange: range !== undefined, isWhole };
}

/** An answer may leave a field out; only two that disagree say something. */
function requireSame(known: ObjectIdentity, now: ObjectIdentity): void {
  const differs = (field: "etag" | "lastModified") =>
    known[field] !== undefined && now[field] !== undefined && known[field] !== now[field];
  if (now.total !== undefined && now.total !== known.total)
    throw objectChanged(`its length changed from ${known.total} to ${now.total} bytes`);
  if (differs("etag")) throw objectChanged("its entity tag changed");
  if (differs("lastModified")) throw objectChanged("its modification time changed");
}

function parseLength(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function parseContentRange(value = "") {
  const [, start, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(value.trim()) ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), end: Number(last) + 1, total: parseLength(total) };
}

/** Checksums that are computed; others (CRC-32C, CRC-64) are left to TCP, TLS and the archive's own. */
type ChecksumAlgorithm = "crc32" | "md5" | "sha1" | "sha256" | "sha512";

/** A checksum of the whole object that storage states. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly base64: string;
  /** Name of the header field that states it. */
  readonly field: string;
}

const algorithms: Readonly<Record<string, ChecksumAlgorithm>> = {
  md5: "md5",
  sha: "sha1",
  "sha-256": "sha256",
  "sha-512": "sha512",
};

/**
 * The checksums of the whole object in the header fields of an answer; names in lower case.
 *
 * @param isWhole whether the answer's body is the whole object; some fields are about the body only
 */
export function readChecksums(headers: ReadonlyMap<string, string>, isWhole: boolean): Checksum[] {
  const listed = (field: string) =>
    [...(headers.get(field) ?? "").matchAll(/([a-z0-9-]+)=:?([A-Za-z0-9+/=]+)/gi)].flatMap(
      ([, name = "", base64 = ""]) => {
        const algorithm = algorithms[name.toLowerCase()];
        return algorithm ? [{ algorithm, base64, field }] : [];
      },
    );
  const single = (field: string, algorithm: ChecksumAlgorithm) => {
    const base64 = headers.get(field)?.trim();
    // A dash marks a checksum of checksums: the object was uploaded in parts.
    return base64 && !base64.includes("-") ? [{ algorithm, base64, field }] : [];
  };
  const isComposite = headers.get("x-amz-checksum-type")?.toUpperCase() === "COMPOSITE";
  const amazon = isWhole && !isComposite ? (["sha256", "sha1", "crc32"] as const) : [];
  return [
    // RFC 9530 (structured fields, `sha-256=:…:`) and RFC 3230 before it.
    ...["repr-digest", "digest", "x-goog-hash"].flatMap(listed),
    ...single("x-ms-blob-content-md5", "md5"),
    ...(isWhole ? single("content-md5", "md5") : []),
    ...amazon.flatMap((algorithm) => single(`x-amz-checksum-${algorithm}`, algorithm)),
  ];
}

/** What an answer without bytes of the object leaves to do. */
type ErrorResponse =
  | { readonly kind: "redirect"; readonly location: string }
  /** Take a fresh link; `detail` is the code of the error document. */
  | { readonly kind: "link-refused"; readonly detail: string };

/**
 * Decides about an answer that brings no bytes of the object.
 *
 * @param text the start of its body
 * @throws {PassingFailure} where the same request may succeed later
 * @throws {RestartNeeded} where the object is not what it was
 * @throws {BundleError} where nothing helps
 */
export function classifyErrorResponse(
  { status, headers, text }: ResponseHead & { readonly text: string },
  known: ObjectIdentity | undefined,
  nowMs: number,
): ErrorResponse {
  const location = headers.get("location");
  if (location && [301, 302, 303, 307, 308].includes(status)) return { kind: "redirect", location };
  if (status === 412) throw objectChanged("storage says that it was replaced (412)");
  if (status === 416 && !known && headers.get("content-range") === "bytes */0")
    throw corrupt("The bundle is empty (0 bytes).");
  if (status === 416) throw objectChanged("storage no longer has the bytes it promised (416)");
  const detail = storageErrorCode(text) ?? "";
  const isExpiry = status === 400 && /expire|skew|token|authenticat|signature/i.test(text);
  if (isExpiry || [401, 403, 404, 410].includes(status)) return { kind: "link-refused", detail };
  const reason = `answered ${status} ${detail}`.trim();
  if (![408, 425, 429].includes(status) && status < 500) throw unexpectedResponse(`Storage ${reason}.`);
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), nowMs) ?? 0;
  throw new PassingFailure(`storage ${reason}`, { retryAfterMs });
}
