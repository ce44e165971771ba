/**
 * What the records of a trigger mean to a run: which claims are still leased, which were lost, and which requests a run still works on;
 * and the claim that the main step saves for the post step.
 */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { ClaimRecord, isOver, isSettled, updateRecord } from "../base/claim-record.ts";
import { type ActionError, messageWithHint } from "../base/errors.ts";
import type { Clock } from "../base/runtime.ts";
import { cutText, parseJson, shorten } from "../base/text.ts";
import {
  type ClaimStore,
  createCommentClaimStore,
  isOlderClaim,
  type ListedComments,
  type OwnershipDeps,
  type StoredClaim,
} from "../github/claims.ts";
import { warnOnGitHubError } from "../github/errors.ts";
import type { GitHubEvent, RunContext } from "../github/event.ts";
import { createStatusClaimStore } from "../github/status-claims.ts";
import { describeStatus, renderStatusComment } from "../presentation/status-comment.ts";
import { connectGitHub, type RecordingCommand } from "./connect-github.ts";
import { inputText } from "./read-inputs.ts";
import type { PostRun, Run, Skip } from "./run.ts";

/** An attempt of a workflow run. */
export type RunAttempt = Pick<RunContext, "runId" | "runAttempt">;

/** A new owner of a claim: a step of the attempt. Two steps of the same attempt are different owners. */
export function createOwner({ runId, runAttempt }: RunAttempt): string {
  return `${runId}.${runAttempt}.${randomBytes(6).toString("hex")}`;
}

/**
 * Lease in seconds, by state: for this long after its last change, the owner of a claim may still send the creating request. Where
 * GitHub responds so slowly that a claim expires first, each further claim has twice the lease.
 */
export const leases = { claimed: 15, submitting: 180 } as const;

/** Other runs respect a claim for this long after its lease: clocks differ, and a response may still be on its way. */
export const leaseGraceMs = 15_000;

/** What the existing records of a trigger mean for a run that wants to submit it. */
export type ClaimResolution =
  | { readonly kind: "free" }
  /** The record names a job. */
  | { readonly kind: "found"; readonly claim: StoredClaim }
  /** The creating request was or may have been sent, and its response is lost. */
  | { readonly kind: "lost"; readonly claim: StoredClaim }
  /** Another run may be about to submit the request. */
  | { readonly kind: "busy"; readonly claim: StoredClaim };

/** @param claims the records of one trigger, oldest first */
export function resolveClaims(
  claims: readonly StoredClaim[],
  attempt: RunAttempt,
): ClaimResolution & { readonly stale: readonly StoredClaim[] } {
  const found = claims.find(
    ({ record: { state }, isUnverifiable }) => !isUnverifiable && (state === "working" || state === "ended"),
  );
  if (found) return { kind: "found", claim: found, stale: [] };
  const unreleased = claims.filter(({ record }) => record.state !== "released");
  const isLost = (claim: StoredClaim) => {
    const { state } = claim.record;
    return (
      claim.isUnverifiable || state === "unknown" || (state === "submitting" && !isLeased(claim, attempt))
    );
  };
  const lost = unreleased.find(isLost);
  const leased = unreleased.filter((claim) => isLeased(claim, attempt));
  const stale = claims.filter((claim) => !leased.includes(claim) || isLost(claim));
  if (lost) return { kind: "lost", claim: lost, stale };
  const busy = leased.find(isElected) ?? leased[0];
  return busy ? { kind: "busy", claim: busy, stale: [] } : { kind: "free", stale };
}

/** Whether the run that owns a claim may still be waiting: to send the request, or for its job to end. */
export function hasWaitingRun(claim: StoredClaim, attempt: RunAttempt): boolean {
  return !isSettled(claim.record) && isLeased(claim, attempt);
}

/** Whether an earlier attempt of the same workflow run owns a record. */
function isOfEarlierAttempt(
  { owner }: Pick<ClaimRecord, "owner">,
  { runId, runAttempt }: RunAttempt,
): boolean {
  const [ownerRunId, ownerAttempt] = owner.split(".");
  return ownerRunId === runId && Number(ownerAttempt) < runAttempt;
}

/** Whether a claim's owner may still act. An earlier attempt of the same run cannot: it has ended. */
function isLeased({ record, ageMs }: StoredClaim, attempt: RunAttempt): boolean {
  return !isOfEarlierAttempt(record, attempt) && ageMs < record.leaseSeconds * 1000 + leaseGraceMs;
}

/** Whether a claim's owner was elected: it sends the creating request, or waits to send it. */
function isElected({ record }: StoredClaim): boolean {
  return record.state === "submitting" || (record.state === "claimed" && record.outcome !== undefined);
}

/** A record without the fields that change with its state. */
export type ClaimDraft = Omit<ClaimRecord, "state" | "owner" | "claimedAt" | "leaseSeconds">;

/** A record keeps this much of a request, so that `retry` can repeat it. */
const maxRequestLength = 4_000;
/** Limits of the record's schema. */
const maxNotes = 8;
const maxNoteLength = 300;

/** Drafts the record of a request, cut to the limits of the record's schema. */
export function draftRecord(
  identity: ClaimDraft,
  request: string,
  notes: readonly string[],
  event: GitHubEvent,
): ClaimDraft {
  // The sender, not the text's author: a label or a checkbox may be set on another user's text.
  const requester = event.sender?.login;
  const keptNotes = notes.slice(0, maxNotes).map((note) => cutText(note, maxNoteLength));
  return {
    ...identity,
    request: shorten(request, maxRequestLength),
    ...(requester === undefined ? {} : { requester }),
    ...(event.type === "text" ? { requestedAt: event.text.changedAt } : {}),
    ...(keptNotes.length === 0 ? {} : { notes: keptNotes }),
  };
}

/** Whether a record contains only the start of its request. */
export function isShortenedRequest(request: string): boolean {
  return request.length >= maxRequestLength - 1 && request.endsWith("…");
}

/** An error's message and hint, cut to the length that a record can store. */
export function explainError(error: ActionError): string {
  return shorten(messageWithHint(error), 1000);
}

/** Why this run leaves a request alone: another run works on it. */
export function refuseInProgress(claim: StoredClaim): Skip {
  const page = claim.record.runUrl || claim.url;
  const run = page === undefined ? "" : `: ${page}`;
  const message = `In progress: another run works on this request${run}`;
  return { reason: "other-run", message, page };
}

/**
 * Releases what earlier attempts of the run left of a request that is now refused: otherwise, its status says forever that a run works on
 * it. A job may exist once its request was sent; a question has to be asked again. A failure is only a warning.
 */
export async function releaseEarlierAttempts(
  { message }: Skip,
  { command, target }: Pick<ClaimRecord, "command" | "target">,
  openStore: () => Promise<Pick<ClaimStore, "list" | "update">>,
  attempt: RunAttempt,
  { log }: Pick<Run, "log">,
): Promise<void> {
  if (attempt.runAttempt === 1) return;
  await warnOnGitHubError(log, async () => {
    const store = await openStore();
    for (const claim of await store.list()) {
      const { record } = claim;
      const isOurs = record.command === command && record.target === target && !claim.isUnverifiable;
      const isOpen = command === "assistant" ? !isOver(record) : record.state === "claimed";
      if (!isOurs || !isOpen || !isOfEarlierAttempt(record, attempt)) continue;
      await store.update(claim, updateRecord(record, { state: "released", outcome: "skipped", message }));
    }
  });
}

/** Of two claims that are not elected, the older wins. A run that sees an elected claim yields even if its own is older. */
export function isOlderCandidate(own: StoredClaim, resolution: ClaimResolution): boolean {
  return resolution.kind === "busy" && !isElected(resolution.claim) && isOlderClaim(own, resolution.claim);
}

/** A run that follows a job records the job's end within this time. */
const recordEndWithinMs = 90_000;

/** Distinguishes requests that a run still works on from requests whose run is gone. */
export class ActiveRequests {
  readonly #attempt: RunAttempt;
  readonly #hasJobEnded: (jobId: string) => Promise<boolean>;
  readonly #clock: Clock;
  /** By owner: when its job was first seen to have ended although the record did not contain that yet. */
  readonly #endSeenMs = new Map<string, number>();

  /** @param hasJobEnded reads the job from the platform */
  constructor(attempt: RunAttempt, hasJobEnded: (jobId: string) => Promise<boolean>, clock: Clock) {
    this.#attempt = attempt;
    this.#hasJobEnded = hasJobEnded;
    this.#clock = clock;
  }

  /** The last of the requests whose run waits, submits, or follows its job. */
  async findLast(claims: readonly StoredClaim[]): Promise<StoredClaim | undefined> {
    for (const claim of claims.toReversed()) if (await this.#isActive(claim)) return claim;
    return undefined;
  }

  async #isActive(claim: StoredClaim): Promise<boolean> {
    const { state, jobId, owner } = claim.record;
    if (claim.isUnverifiable || !hasWaitingRun(claim, this.#attempt)) return false;
    if (state !== "working" || jobId === undefined || !(await this.#hasJobEnded(jobId))) return true;
    const nowMs = this.#clock.now();
    const sinceMs = this.#endSeenMs.get(owner) ?? nowMs;
    this.#endSeenMs.set(owner, sinceMs);
    return nowMs - sinceMs < recordEndWithinMs;
  }
}

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

/** The location of the records of a request made on a thread; none of them is older than the request's text. */
export function findThreadLocation(event: GitHubEvent) {
  if (event.type !== "text" && event.type !== "pull-request") return undefined;
  const since = event.type === "text" ? event.text.createdAt : event.thread.createdAt;
  return { kind: "thread", thread: event.thread, since } as const;
}

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
type SavedClaim = z.infer<typeof SavedClaim>;

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

/** How often, and in which interval, to list claims. */
const latePolls = { times: 3, everyMs: 1_500 };

/** Finds the record of a killed run. A claim that was being written when its run was killed may appear later. */
async function findRecord(
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

/** The post step: corrects the record of a request whose run was killed. */
export async function correctSavedClaim(
  command: RecordingCommand,
  run: PostRun,
  render?: (record: ClaimRecord) => string,
): Promise<void> {
  const saved = SavedClaim.safeParse(parseJson(run.state("claim"))).data;
  if (saved === undefined) return;
  const input = (name: string) => inputText(name, run.environment);
  const inputs = { githubToken: input("github-token"), apiKey: input("api-key") };
  const github = connectGitHub(command, inputs, run);
  const store = openClaimStore(saved.location, await github.readOwnership(), undefined, render);
  await correctRecord(saved.record, input("base-url") === "local", store, run);
}

/**
 * Corrects the record of a killed run. A request that was not sent is released; a request that may have been sent is unknown. A job
 * that was running continues without a run that waits for it, or ended with its embedded platform. A question has to be asked again.
 *
 * @param saved the record as the main step last knew it; it may not have been written
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
  const corrected = updateRecord(latest, correctionOf(latest, saved, isEmbedded));
  await store.update(claim, corrected);
  run.log.info(`The status of the interrupted request was corrected: ${corrected.state}.`);
}

/** The end of a question's record whose run is gone. */
export const unanswered = {
  state: "released",
  outcome: "interrupted",
  message: "The run that was answering ended early. Re-run the workflow, or ask again.",
} as const;

function correctionOf(latest: ClaimRecord, saved: ClaimRecord, isEmbedded: boolean): Partial<ClaimRecord> {
  // The main step may have saved why the comment does not show its answer.
  if (latest.command === "assistant") return { ...unanswered, message: saved.message ?? unanswered.message };
  if (isSettled(saved)) return saved;
  if (latest.state === "working") return { outcome: isEmbedded ? "stopped" : "interrupted" };
  // GitHub may list the record as it was before it was saved.
  const mayBeSent = latest.state === "submitting" || saved.state === "submitting";
  return mayBeSent ? { state: "unknown" } : { state: "released", outcome: "interrupted" };
}
