/** Interprets the responses of storage for a download. */
import type { ErrorDetails } from "../base/errors.ts";
import { certificateErrorDetails } from "../base/http.ts";
import { parseRetryAfter } from "../base/retry.ts";
import { codeOf, messageOf } from "../base/text.ts";
import { BundleError, corrupt, storageErrorCode } from "./errors.ts";

/** Status and headers of a response; names in lower case. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** Identifies a version of an object. */
export interface ObjectIdentity {
  /** Length of the whole object; `undefined` if storage streams it without a stated length. */
  readonly total: number | undefined;
  /** Strong entity tag. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** Ends an attempt because the bytes on disk are unusable. The next attempt starts at the first byte, over one connection. */
export class RestartNeeded extends Error {
  /** The error to report if no restart is left. */
  readonly error: BundleError;

  constructor(error: BundleError) {
    super(error.message);
    this.error = error;
  }
}

/** Ends an attempt because the cached version is current. */
export class ObjectUnchanged extends Error {}

const storageHint =
  "This response is from storage, not from the platform. Run again with `job-id` to download the bundle without a new export.";
const networkHint =
  "Check the runner's network and the proxy variables (HTTPS_PROXY, NO_PROXY). Then run again with `job-id` to download the bundle without a new export.";

/** A failure after which another request may succeed. The message completes a sentence. */
export class TransientError extends Error {
  /** Minimum delay before the next request; `undefined` if the failure is not a response of storage. */
  readonly retryAfterMs: number | undefined;
  /** The remedy for a cause that no retry fixes; empty for any other. */
  readonly advice: ErrorDetails;

  constructor(message: string, { cause, retryAfterMs }: Partial<TransientError> = {}) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
    this.advice = certificateErrorDetails(codeOf(cause));
  }

  static fromConnection(error: unknown): TransientError {
    if (error instanceof TransientError) return error;
    const { via = "" } = error as { via?: string };
    const code = codeOf(error);
    // A proxy may not know the user, or not allow the host of storage.
    const [, status] = (code === "ERR_PROXY_TUNNEL" && /HTTP\/1\.\d (\d{3})/.exec(messageOf(error))) || [];
    const reason = status === undefined ? (code ?? messageOf(error)) : `${code}, status ${status}`;
    return new TransientError(`the connection failed (${reason}${via})`, { cause: error });
  }

  toBundleError(attempts: number): BundleError {
    const isStorage = this.retryAfterMs !== undefined;
    const count = attempts > 1 ? `${attempts} attempts in a row failed, the last because ` : "";
    return new BundleError(
      isStorage ? "unavailable" : "unreachable",
      `The bundle could not be downloaded: ${count}${this.message}.`,
      { hint: isStorage ? storageHint : networkHint, cause: this, ...this.advice },
    );
  }

  /** The end of an attempt at storage without ranges. */
  toRestart(): RestartNeeded {
    const message = `${this.message}, and storage cannot continue from there, because it does not serve ranges`;
    return new RestartNeeded(new TransientError(message, this).toBundleError(1));
  }
}

/** Ends an attempt because the object has changed. */
export function objectChanged(reason: string): RestartNeeded {
  return new RestartNeeded(corrupt(`The bundle changed during the download: ${reason}.`));
}

/** The error for a response of storage that a retry cannot fix. */
export function unexpectedResponse(message: string): BundleError {
  return new BundleError("unexpected-response", message, { hint: storageHint });
}

function rangesUnusable(reason: string): RestartNeeded {
  return new RestartNeeded(unexpectedResponse(`Storage does not support ranges correctly: ${reason}.`));
}

/** A response with bytes of the object, from the requested position on. */
export type ObjectResponse = ReturnType<typeof readObjectResponse>;

/**
 * Interprets the headers of a 200 or 206 response.
 *
 * @param start position of the first requested byte
 * @param expected the object of earlier responses
 * @param failure why an earlier response did not bring these bytes
 * @throws {RestartNeeded} for other bytes than the requested ones, or another object
 */
export function readObjectResponse(
  { status, headers }: ResponseHead,
  start: number,
  expected: ObjectIdentity | undefined,
  failure?: TransientError,
) {
  const range = status === 206 ? parseContentRange(headers) : undefined;
  if (status === 206 && !range)
    throw rangesUnusable("it sends a partial response without a Content-Range of its length");
  if (range && range.start !== start)
    throw rangesUnusable(`it sends bytes from position ${range.start} instead of ${start}`);
  const etag = headers.get("etag");
  const object: ObjectIdentity = {
    total: range ? (range.total ?? expected?.total) : parseLength(headers.get("content-length")),
    etag: etag?.startsWith("W/") ? undefined : etag,
    lastModified: headers.get("last-modified"),
  };
  if (expected) requireSame(expected, object);
  if (!range && start > 0)
    throw failure?.toRestart() ?? rangesUnusable("it sends the whole object instead of a range");
  // A range may be the whole object as well.
  const isWhole = !range || (range.start === 0 && range.end === object.total);
  return { object, isRange: range !== undefined, isWhole };
}

/** A response may omit fields, so only fields that both have are compared. */
function requireSame(expected: ObjectIdentity, actual: ObjectIdentity): void {
  const differs = (field: "etag" | "lastModified") =>
    expected[field] !== undefined && actual[field] !== undefined && expected[field] !== actual[field];
  if (actual.total !== undefined && actual.total !== expected.total)
    throw objectChanged(`its length changed from ${expected.total} to ${actual.total} bytes`);
  if (differs("etag")) throw objectChanged("its entity tag changed");
  if (differs("lastModified")) throw objectChanged("its modification time changed");
}

function parseLength(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function parseContentRange(headers: ResponseHead["headers"]) {
  const value = headers.get("content-range")?.trim() ?? "";
  const [, start, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(value) ?? [];
  const range = { start: Number(start), end: Number(last) + 1, total: parseLength(total) };
  const length = parseLength(headers.get("content-length")) ?? range.end - range.start;
  return length === range.end - range.start ? range : undefined;
}

/** A checksum of the whole object that storage states. Others are ignored: TLS and the archive's own checksums protect the data too. */
export interface Checksum {
  readonly algorithm: "md5" | "sha256";
  readonly base64: string;
  readonly field: string;
}

/** SHA-256 in the fields of RFC 9530 (`sha-256=:…:`) and RFC 3230 (`SHA-256=…`). */
const sha256Digest = /(?:^|[,\s])sha-256=:?([A-Za-z0-9+/=]+)/i;

/**
 * Reads the checksums of the whole object from the headers of Azure, Google, Amazon and the standards; names in lower case.
 *
 * @param isWhole whether the body is the whole object; most headers describe only the body
 */
export function readChecksums(headers: ReadonlyMap<string, string>, isWhole: boolean): Checksum[] {
  const ofObject = (field: string, pattern: RegExp) => pattern.exec(headers.get(field) ?? "")?.[1];
  const ofBody = (field: string, pattern = /^\s*(\S+)\s*$/) =>
    isWhole ? ofObject(field, pattern) : undefined;
  const amazon = "x-amz-checksum-sha256";
  const stated = [
    { algorithm: "md5", field: "x-goog-hash", base64: ofObject("x-goog-hash", /\bmd5=([A-Za-z0-9+/=]+)/) },
    { algorithm: "md5", field: "content-md5", base64: ofBody("content-md5") },
    { algorithm: "sha256", field: amazon, base64: mayBeComposite(headers) ? undefined : ofBody(amazon) },
    { algorithm: "sha256", field: "repr-digest", base64: ofObject("repr-digest", sha256Digest) },
    { algorithm: "sha256", field: "content-digest", base64: ofBody("content-digest", sha256Digest) },
    { algorithm: "sha256", field: "digest", base64: ofBody("digest", sha256Digest) },
  ] as const;
  // A dash marks a checksum of part checksums, from a multipart upload.
  return stated.flatMap(({ base64, ...rest }) =>
    base64 && !base64.includes("-") ? [{ ...rest, base64 }] : [],
  );
}

/**
 * Whether Amazon's checksum may be one of part checksums: S3 marks it with a dash, but not in a range
 * (https://github.com/boto/botocore/issues/3346).
 */
function mayBeComposite(headers: ReadonlyMap<string, string>): boolean {
  const type = headers.get("x-amz-checksum-type");
  return type === undefined ? headers.has("content-range") : type !== "FULL_OBJECT";
}

/**
 * Classifies a response without bytes of the object.
 *
 * @param text the start of the body
 * @returns the code of the error document, if the link was refused and a fresh one is needed
 * @throws {TransientError} if the same request may succeed later
 * @throws {RestartNeeded} if the object has changed
 * @throws {BundleError} if no further request can succeed
 */
export function classifyStorageError(
  { status, headers, text }: ResponseHead & { readonly text: string },
  expected: ObjectIdentity | undefined,
  nowMs: number,
): string {
  if (status === 412) throw objectChanged("storage reports that it was replaced (412)");
  if (status === 416 && !expected && headers.get("content-range") === "bytes */0")
    throw corrupt("The bundle is empty (0 bytes).");
  if (status === 416) throw objectChanged("storage no longer has the requested bytes (416)");
  const detail = storageErrorCode(text) ?? "";
  const isExpiry = status === 400 && /expire|too old|skew|token|jwt|authenticat|signature/i.test(text);
  if (isExpiry || [401, 403, 404, 410].includes(status)) return detail;
  const reason = `returned ${status} ${detail}`.trim();
  if (![408, 425, 429].includes(status) && status < 500) throw unexpectedResponse(`Storage ${reason}.`);
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), nowMs) ?? 0;
  throw new TransientError(`storage ${reason}`, { retryAfterMs });
}
