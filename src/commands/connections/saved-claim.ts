/** What the main step leaves for the post step: the record that must not be left behind untrue. */
import { z } from "zod";
import type { KnownClaim } from "../../github/claim-store.ts";
import { ClaimRecord, isSettled } from "../../github/claim-store.ts";
import type { ClaimPlace } from "./open-claims.ts";

const stateName = "claim";

const Thread = z.object({
  kind: z.enum(["issue", "pull-request", "discussion"]),
  number: z.number(),
  nodeId: z.string(),
});

const SavedClaim = z.object({
  place: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("thread"), thread: Thread, since: z.string() }),
    z.object({ kind: z.literal("commit"), sha: z.string() }),
  ]),
  record: ClaimRecord,
});
export type SavedClaim = z.infer<typeof SavedClaim>;

/** Keeps a record for the post step, which finds it by its owner; the last one counts. */
export function saveClaim(
  { place, claim }: { readonly place: ClaimPlace; readonly claim: KnownClaim },
  saveState: (name: string, value: string) => void,
): void {
  const { record, isPending = false } = claim;
  saveState(stateName, JSON.stringify({ place, record } satisfies SavedClaim));
  // The frame asks the post step to finish what is unsettled, even if the main step ended by itself.
  saveState("unsettled", String(isPending || !isSettled(record)));
}

/** The record that the main step kept, if it got that far. */
export function readSavedClaim(state: (name: string) => string): SavedClaim | undefined {
  const text = state(stateName);
  return text === "" ? undefined : SavedClaim.parse(JSON.parse(text));
}
