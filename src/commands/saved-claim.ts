/** The claim that the main step saves for the post step, and how the post step corrects its record. */
import * as z from "zod/mini";
import { ClaimRecord, isSettled } from "../base/claim-record.ts";
import { parseJson } from "../base/text.ts";
import type { ClaimStore, StoredClaim } from "../github/claim-store.ts";
import {
  createCommentClaimStore,
  type ListedComments,
  type OwnershipDeps,
} from "../github/comment-claims.ts";
import { createStatusClaimStore } from "../github/status-claims.ts";
import { describeStatus, renderStatusComment } from "../presentation/status-comment.ts";
import type { PostRun, Run } from "./run.ts";

const threadKinds = ["issue", "pull-request", "discussion"] as const;

const ClaimLocation = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("thread"),
    thread: z.object({ kind: z.enum(threadKinds), number: z.number(), nodeId: z.string() }),
    since: z.string(),
  }),
  z.object({ kind: z.literal("commit"), sha: z.string() }),
]);
export type ClaimLocation = z.infer<typeof ClaimLocation>;

/**
 * Opens the store of the records at a location.
 *
 * @param listed the thread's comments, if they were already listed; otherwise comments since the request are listed
 */
export function openClaimStore(
  location: ClaimLocation,
  ownership: OwnershipDeps,
  listed?: ListedComments,
  render: (record: ClaimRecord) => string = renderStatusComment,
): ClaimStore {
  return location.kind === "commit"
    ? createStatusClaimStore(location, { ...ownership, describe: describeStatus })
    : createCommentClaimStore({ ...location, listed }, { ...ownership, render });
}

const SavedClaim = z.object({ location: ClaimLocation, record: ClaimRecord });
export type SavedClaim = z.infer<typeof SavedClaim>;

/**
 * Saves a claim for the post step, which finds its record by the owner. Each call replaces the saved claim.
 *
 * @param isPending whether it is unknown if GitHub has stored the record
 */
export function saveClaim(claim: SavedClaim, isPending: boolean, saveState: Run["saveState"]): void {
  // Parsing drops fields that the post step does not need, such as the text of the thread.
  saveState("claim", JSON.stringify(SavedClaim.parse(claim)));
  // The post step also runs for an unsettled record of a main step that was not killed.
  saveState("unsettled", String(isPending || !isSettled(claim.record)));
}

/** The claim that the main step saved; `undefined` if it saved none. */
export function readSavedClaim(state: PostRun["state"]): SavedClaim | undefined {
  return SavedClaim.safeParse(parseJson(state("claim"))).data;
}

/** How often, and in which interval, to list claims. */
const latePolls = { times: 3, everyMs: 1_500 };

/** Finds the record of a killed run. A claim that was being written when its run was killed may appear later. */
export async function findRecord(
  { state, owner }: ClaimRecord,
  store: Pick<ClaimStore, "list">,
  { clock, signal }: Pick<Run, "clock" | "signal">,
): Promise<StoredClaim | undefined> {
  const polls = state === "claimed" ? latePolls.times : 1;
  for (let poll = 1; ; poll += 1) {
    const claim = (await store.list()).find(({ record }) => record.owner === owner);
    if (claim !== undefined || poll >= polls) return claim;
    await clock.sleep(latePolls.everyMs, signal);
  }
}

/**
 * Corrects the record of a killed run. A request that was not sent is released; a request that may have been sent is unknown. A job
 * that was running continues without a run that waits for it, or ended with its embedded platform.
 */
export async function correctRecord(
  saved: ClaimRecord,
  isEmbedded: boolean,
  store: Pick<ClaimStore, "list" | "update">,
  run: Pick<Run, "clock" | "log" | "signal">,
): Promise<void> {
  const claim = await findRecord(saved, store, run);
  if (!claim || claim.isUnverifiable || isSettled(claim.record)) return;
  // If the main step could not write the job to the record, only the saved claim contains it. Otherwise the record is newer.
  const latest = saved.jobId === undefined ? claim.record : { ...claim.record, ...saved };
  const corrected = isSettled(saved) ? saved : { ...latest, ...correctionOf(latest, isEmbedded) };
  await store.update(claim, corrected);
  run.log.info(`The status of the interrupted request was corrected: ${corrected.state}.`);
}

function correctionOf({ state }: ClaimRecord, isEmbedded: boolean): Partial<ClaimRecord> {
  if (state === "claimed") return { state: "released", outcome: "interrupted" };
  if (state === "submitting") return { state: "unknown" };
  return { outcome: isEmbedded ? "stopped" : "interrupted" };
}
