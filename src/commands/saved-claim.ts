/** What the main step leaves for the post step: the record that must not stay behind untrue, and how it is corrected. */
import * as z from "zod/mini";
import { ClaimRecord, isSettled } from "../base/claim-record.ts";
import { parseJson } from "../base/text.ts";
import type { ClaimStore, KnownClaim, StoredClaim } from "../github/claim-store.ts";
import type { ThreadAddress } from "../github/comments.ts";
import type { PostRun, Run } from "./run.ts";

/** Where the records of a trigger are kept. */
export type ClaimLocation =
  | { readonly kind: "thread"; readonly thread: ThreadAddress; readonly since: string }
  | { readonly kind: "commit"; readonly sha: string };

const SavedClaim = z.object({
  location: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("thread"),
      thread: z.object({
        kind: z.enum(["issue", "pull-request", "discussion"]),
        number: z.number(),
        nodeId: z.string(),
      }),
      since: z.string(),
    }),
    z.object({ kind: z.literal("commit"), sha: z.string() }),
  ]),
  record: ClaimRecord,
});
export type SavedClaim = z.infer<typeof SavedClaim>;

/** Saves a claim for the post step, which finds it by its owner; the last one counts. */
export function saveClaim(
  location: ClaimLocation,
  { record, isPending = false }: KnownClaim,
  saveState: Run["saveState"],
): void {
  // Parsing leaves out what the post step does not need: a thread has a text.
  saveState("claim", JSON.stringify(SavedClaim.parse({ location, record })));
  // The frame asks the post step to finish what is unsettled, even if the main step ended by itself.
  saveState("unsettled", String(isPending || !isSettled(record)));
}

/** The record that the main step saved for the post step, if it got that far. */
export function readSavedClaim(state: PostRun["state"]): SavedClaim | undefined {
  return SavedClaim.safeParse(parseJson(state("claim"))).data;
}

/** A claim that was on its way when its run ended may appear a little later: how often to list, and how long between. */
const latePolls = { times: 3, everyMs: 1_500 };

/**
 * Corrects the record of a killed run: what was not sent is released, what may have been sent is unknown, what runs goes on
 * without a run that waits, or ended with its embedded platform.
 */
export async function correctRecord(
  saved: ClaimRecord,
  isEmbedded: boolean,
  claims: Pick<ClaimStore, "list" | "update">,
  { clock, log, signal }: Pick<Run, "clock" | "log" | "signal">,
): Promise<void> {
  const polls = saved.state === "claimed" ? latePolls.times : 1;
  let claim: StoredClaim | undefined;
  for (let poll = 1; poll <= polls && !claim; poll += 1) {
    if (poll > 1) await clock.sleep(latePolls.everyMs, signal);
    claim = (await claims.list()).find(({ record }) => record.owner === saved.owner);
  }
  if (!claim || claim.isUnverifiable || isSettled(claim.record)) return;
  // The main step may have known the job before it could write it down; otherwise what is written is further than what is saved.
  const known = saved.jobId === undefined ? claim.record : { ...claim.record, ...saved };
  const corrected = isSettled(saved) ? saved : { ...known, ...correctionOf(known, isEmbedded) };
  await claims.update(claim, corrected);
  log.info(`The status of the interrupted request was corrected: ${corrected.state}.`);
}

function correctionOf({ state }: ClaimRecord, isEmbedded: boolean): Partial<ClaimRecord> {
  if (state === "claimed") return { state: "released", outcome: "interrupted" };
  if (state === "submitting") return { state: "unknown" };
  return { outcome: isEmbedded ? "stopped" : "interrupted" };
}
