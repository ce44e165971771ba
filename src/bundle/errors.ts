import { ActionError, type ErrorCode } from "../base/errors.ts";

type Details = NonNullable<ConstructorParameters<typeof ActionError>[2]>;

/** Codes of the taxonomy that fetching, checking or unpacking a bundle can end with. */
export type BundleErrorCode = Extract<
  ErrorCode,
  | "bundle-corrupt"
  | "bundle-too-large"
  | "unsafe-archive"
  | "disk-full"
  | "forbidden"
  | "invalid-input"
  | "not-found"
  | "unavailable"
  | "unexpected-response"
  | "unreachable"
>;

/** A bundle that could not be fetched, is not what was promised, or must not be unpacked. */
export class BundleError extends ActionError {
  override readonly name = "BundleError";
  declare readonly code: BundleErrorCode;

  constructor(code: BundleErrorCode, message: string, details: Details = {}) {
    super(code, message, details);
  }
}

/** The archive is damaged, cut or not an archive. */
export function corrupt(message: string, cause?: unknown): BundleError {
  return new BundleError("bundle-corrupt", message, { cause });
}

/** The archive is whole but must not be unpacked. */
export function unsafe(message: string): BundleError {
  return new BundleError("unsafe-archive", message);
}

/** Translates what the operating system says about a write of ours; anything else is returned as it is. */
export function fromWriteError(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new BundleError("disk-full", `The disk is full: writing ${path} failed (${code}).`, {
      cause: error,
    });
  }
  if (["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(code)) {
    return new BundleError("unsafe-archive", `Two entries of the archive clash at ${path} (${code}).`, {
      cause: error,
    });
  }
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  return new BundleError("disk-full", `Writing ${path} failed (${code}).`, {
    cause: error,
    hint: "The runner's disk refuses to be written. Choose an `output-dir` on another disk.",
  });
}
