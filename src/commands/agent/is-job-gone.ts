import { PlatformError } from "../../client/errors.ts";

/** How long a "not found" that is not in the API's own words is taken for a wrong address and not for a lost job. */
const believeProxyAfterMs = 24 * 60 * 60_000;

/** Whether a failed look says that there is no such job any more; `ageMs` is the time since its record last changed. */
export function isJobGone(error: unknown, ageMs: number): boolean {
  const isNotFound = error instanceof PlatformError && error.code === "not-found";
  return isNotFound && (error.isFromApi || ageMs >= believeProxyAfterMs);
}
