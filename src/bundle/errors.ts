import { ActionError } from "../base/errors.ts";
import { codeOf } from "../base/text.ts";

/** A bundle that could not be fetched, is not what was promised, or must not be unpacked. */
export class BundleError extends ActionError {
  override readonly name = "BundleError";
}

/** The link no longer works, and there is no other one. */
export class ExpiredLinkError extends BundleError {}

/** The archive is damaged, cut or not an archive. */
export function corrupt(message: string, cause?: unknown): BundleError {
  return new BundleError("bundle-corrupt", message, { cause });
}

/** The archive is whole but must not be unpacked. */
export function unsafe(message: string, cause?: unknown): BundleError {
  return new BundleError("unsafe-archive", message, { cause });
}

/** Translates what the operating system says about a write of ours; anything else is returned as it is. */
export function fromWriteError(error: unknown, path: string): unknown {
  const code = codeOf(error) ?? "";
  if (["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(code))
    return unsafe(`Two entries of the archive clash at ${path} (${code}).`, error);
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new BundleError("disk-full", `The disk is full: writing ${path} failed (${code}).`, {
      cause: error,
    });
  }
  return new BundleError("disk-full", `Writing ${path} failed (${code}).`, {
    cause: error,
    hint: "The runner cannot write to this disk. Choose an `output-dir` on another one.",
  });
}

/**
 * The codes of S3's, Azure's and Google's errors that help to understand a refusal. Nothing else of an answer is shown: it may
 * repeat the request's own parameters, or come from a host that only this runner can reach.
 */
const errorCodes = new Set(
  "AccessDenied AccountIsDisabled AllAccessDisabled AuthenticationFailed AuthenticationRequired AuthorizationFailure AuthorizationPermissionMismatch AuthorizationSourceIPMismatch BlobArchived BlobNotFound ConditionNotMet ContainerNotFound ExpiredToken InternalError InvalidAccessKeyId InvalidArgument InvalidAuthenticationInfo InvalidObjectState InvalidRange InvalidRequest InvalidToken KeyTooLongError MethodNotAllowed NoSuchBucket NoSuchKey NoSuchVersion OperationTimedOut PermanentRedirect PreconditionFailed PublicAccessNotPermitted QuotaExceeded RequestExpired RequestTimeTooSkewed RequestTimeout ResourceNotFound ServerBusy ServiceUnavailable SignatureDoesNotMatch SlowDown TemporaryRedirect TokenRefreshRequired TooManyRequests UserProjectMissing".split(
    " ",
  ),
);

/** The code of an XML error of storage; `undefined` where it has none that is known. */
export function storageErrorCode(text: string): string | undefined {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? "";
  return errorCodes.has(code) ? code : undefined;
}
