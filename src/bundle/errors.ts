import { ActionError } from "../base/errors.ts";
import { codeOf } from "../base/text.ts";

/** A bundle could not be downloaded, is not the promised one, or must not be unpacked. */
export class BundleError extends ActionError {
  override readonly name = "BundleError";
}

/** The link has expired, and there is no other link. */
export class ExpiredLinkError extends BundleError {}

/** The error for a file that is damaged, truncated or not an archive. */
export function corrupt(message: string, cause?: unknown): BundleError {
  return new BundleError("bundle-corrupt", message, { cause });
}

/** The error for an intact archive that must not be unpacked. */
export function unsafe(message: string): BundleError {
  return new BundleError("unsafe-archive", message);
}

/** Translates an error of the operating system for a failed write; returns any other error unchanged. */
export function fromWriteError(error: unknown, path: string): unknown {
  const code = codeOf(error) ?? "";
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const hint = isFull ? undefined : "The runner cannot write to this path: correct it or its permissions.";
  return new BundleError("disk-full", `Writing ${path} failed (${code}).`, { cause: error, hint });
}

/**
 * Error codes of S3, Azure and Google that help to understand an error response. Nothing else of a response is shown: it may contain
 * the link's parameters, or come from an internal host that only this runner can reach.
 */
const storageErrorCodes = new Set(
  "AccessDenied AccountIsDisabled AllAccessDisabled AuthenticationFailed AuthenticationRequired AuthorizationFailure AuthorizationPermissionMismatch AuthorizationSourceIPMismatch BlobArchived BlobNotFound ConditionNotMet ContainerNotFound ExpiredRequest ExpiredToken InternalError InvalidAccessKeyId InvalidArgument InvalidAuthenticationInfo InvalidObjectState InvalidRange InvalidRequest InvalidToken KeyTooLongError MethodNotAllowed NoSuchBucket NoSuchKey NoSuchVersion OperationTimedOut PermanentRedirect PreconditionFailed PublicAccessNotPermitted QuotaExceeded RequestExpired RequestTimeTooSkewed RequestTimeout ResourceNotFound ServerBusy ServiceUnavailable SignatureDoesNotMatch SlowDown TemporaryRedirect TokenRefreshRequired TooManyRequests UserProjectMissing".split(
    " ",
  ),
);

/** The code in an XML error document of storage; `undefined` if it is missing or unknown. */
export function storageErrorCode(text: string): string | undefined {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? "";
  return storageErrorCodes.has(code) ? code : undefined;
}
