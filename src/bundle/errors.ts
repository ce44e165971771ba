import { ActionError } from "../base/errors.ts";
import { codeOf } from "../base/text.ts";

/** A bundle that could not be fetched, is not what was promised, or must not be unpacked. */
export class BundleError extends ActionError {
  override readonly name = "BundleError";
}

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
