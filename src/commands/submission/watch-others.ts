/** What the records of other runs leave a run to do. */
import type { StoredClaim } from "../../github/claim-store.ts";
import { type ClaimSituation, judgeClaims } from "./judge-claims.ts";
import type { Submission, SubmitOnceDeps, SubmitOnceOptions } from "./submission.ts";

/** How often a run that found another at work looks again, and how long it does so at most. */
const lookAgainMs = 3_000;
const maxWatchMs = 4 * 60_000;

/** What earlier records leave a run to do. */
export type Earlier<Job> =
  | { readonly kind: "free"; readonly leftovers: readonly StoredClaim[] }
  | { readonly kind: "taken"; readonly submission: Submission<Job> };

/** Looks at earlier records until none is in a state that its owner is about to change. */
export async function watchOthers<Job>(
  { owner, onAmbiguous }: Pick<SubmitOnceOptions, "owner" | "onAmbiguous">,
  { claims, clock, signal, log }: Pick<SubmitOnceDeps<Job>, "claims" | "clock" | "signal" | "log">,
): Promise<Earlier<Job>> {
  const untilMs = clock.now() + maxWatchMs;
  for (let looks = 0; ; looks += 1) {
    const situation = judgeClaims(await claims.list(), owner);
    const isHopeless = situation.kind === "busy" && clock.now() + situation.freeInMs > untilMs;
    if (situation.kind !== "busy" || isHopeless) {
      return conclude(situation, { isFirstLook: looks === 0, onAmbiguous });
    }
    if (looks === 0) log.info("Another run has just taken this request; watching whether it goes on.");
    await clock.sleep(Math.min(lookAgainMs, situation.freeInMs), signal);
  }
}

function conclude<Job>(
  situation: ClaimSituation,
  { isFirstLook, onAmbiguous }: { isFirstLook: boolean; onAmbiguous: "stop" | "resubmit" },
): Earlier<Job> {
  if (situation.kind === "free") return situation;
  const { claim } = situation;
  if (situation.kind === "lost") {
    return onAmbiguous === "resubmit"
      ? { kind: "free", leftovers: situation.leftovers }
      : { kind: "taken", submission: { kind: "lost", claim, error: undefined } };
  }
  // A job that appeared while we watched has its own run waiting for it.
  const kind = situation.kind === "found" && isFirstLook ? "found" : "other-run";
  return { kind: "taken", submission: { kind, claim } };
}
