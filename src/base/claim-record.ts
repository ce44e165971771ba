/** The record of one request, which a status comment or commit status stores and shows. */
import * as z from "zod/mini";

/**
 * States of a request.
 * - `claimed`: a run has claimed it and has not sent anything to the platform.
 * - `submitting`: the request that creates the job may have been sent.
 * - `working`: the job's id is known. The job is running, or has ended without being recorded yet.
 * - `unknown`: the response to the request that creates the job was lost.
 * - `released`: the run gave the claim up without sending anything. Another run may claim it.
 * - `ended`: the job has ended, and its outcome is recorded.
 */
const claimStates = ["claimed", "submitting", "working", "unknown", "released", "ended"] as const;

const shortText = z.string().check(z.maxLength(500));
const listOf = <Item extends z.ZodMiniType>(maxLength: number, item: Item) =>
  z.readonly(z.array(item).check(z.maxLength(maxLength)));

/** A pull request as a status comment shows it. Its texts are untrusted. */
export const PullSummary = z.object({
  title: z.string().check(z.maxLength(300)),
  state: z.enum(["open", "draft", "merged", "closed"]),
  additions: z.number(),
  deletions: z.number(),
  /** Number of all changed files; `files` has the first of them. */
  fileCount: z.number(),
  files: listOf(
    10,
    z.object({
      path: z.string(),
      additions: z.number(),
      deletions: z.number(),
      previewUrl: z.optional(shortText),
    }),
  ),
  /** The newest commits, oldest first. */
  commits: z.optional(listOf(10, z.object({ sha: shortText, title: z.string().check(z.maxLength(100)) }))),
  /** URL of a preview of the site with this change, if the platform published one. */
  previewUrl: z.optional(shortText),
});
export type PullSummary = z.infer<typeof PullSummary>;

/** The record of one request. Unknown fields, which later versions may add, are dropped. */
export const ClaimRecord = z.object({
  command: z.enum(["agent", "assistant"]),
  /** The platform's project or domain. */
  target: shortText,
  /** `owner/name` of the repository that the agent changes, if the workflow sets it. */
  docsRepository: z.optional(shortText),
  trigger: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  state: z.enum(claimStates),
  /** The owner of the claim: run, attempt and a nonce. */
  owner: shortText,
  /** Time of the claim, ISO 8601. */
  claimedAt: shortText,
  /** Duration of the owner's lease, from the last change of the record. */
  leaseSeconds: z.number().check(z.nonnegative()),
  /** Time of the last renewal. It makes the comment's text different: GitHub ignores an edit that changes nothing. */
  renewedAt: z.optional(shortText),
  jobId: z.optional(shortText),
  /** The outcome; in state `claimed`, that the request is queued; in state `working`, why the run stopped waiting. */
  outcome: z.optional(shortText),
  pullRequestUrl: z.optional(shortText),
  /** The assistant's conversation, which a later question continues. */
  threadId: z.optional(shortText),
  /** When the platform accepted the request, and when its job had ended; ISO 8601. */
  startedAt: z.optional(shortText),
  endedAt: z.optional(shortText),
  /** Head commits of the pull request that the request continues: before the message was sent, and after the job. */
  headBefore: z.optional(shortText),
  headAfter: z.optional(shortText),
  /** Abbreviated SHAs of the commits that the request describes, if it describes several. */
  covers: z.optional(listOf(60, z.string())),
  /** The pull request when this record was written. */
  pull: z.optional(PullSummary),
  /** Number of jobs and messages that this repository sent for the project in the last hour, including this one. */
  uses: z.optional(z.number()),
  requester: z.optional(shortText),
  /** When the text of the request was written, by GitHub's clock (ISO 8601). */
  requestedAt: z.optional(shortText),
  triggerPhrase: z.optional(shortText),
  /** Text of the request. A shortened text ends with "…". */
  request: z.optional(z.string().check(z.maxLength(4100))),
  runUrl: z.optional(shortText),
  /** Notes of this action about how it interpreted the request. */
  notes: z.optional(listOf(8, z.string().check(z.maxLength(300)))),
  /** The error and its hint. */
  message: z.optional(z.string().check(z.maxLength(1000))),
  /** Whether the job's pull request was not accepted. */
  isMismatch: z.optional(z.boolean()),
});
export type ClaimRecord = z.infer<typeof ClaimRecord>;

/** Outcome of a request that a user stopped; the run that owns it stops waiting when it reads this. */
export const stoppedByUser = "stopped-by-user";
/** Outcome of a change that another run sent to the agent together with its own. */
export const covered = "covered";
/** Outcome of a change without a file that matches `paths`. */
export const skippedByPaths = "no-matching-path";

/** Outcomes of an agent request that count as success. */
export const successfulOutcomes = ["pull-request", "updated", "unchanged", "no-pull-request"] as const;

type RequestKey = Pick<ClaimRecord, "command" | "target" | "trigger">;

/** Whether a record is of another request to the same command, for the same project or domain. */
export function isOtherRequest(record: RequestKey, { command, target, trigger }: RequestKey): boolean {
  return record.command === command && record.target === target && record.trigger !== trigger;
}

/** Whether nothing more happens to the request of a record: its job has ended, or nothing was sent. */
export function isOver({ state }: Pick<ClaimRecord, "state">): boolean {
  return state === "ended" || state === "released";
}

/** Whether a record needs no further update: it has ended, or it states why its run stopped working on it. */
export function isSettled(record: ClaimRecord): boolean {
  if (record.state === "working") return record.outcome !== undefined;
  return record.state === "unknown" || isOver(record);
}

/** Applies a change to a record. The previous outcome and its reason are removed unless the change sets them. */
export function updateRecord(record: ClaimRecord, change: Partial<ClaimRecord>): ClaimRecord {
  const { outcome: _outcome, message: _message, isMismatch: _isMismatch, ...rest } = record;
  return { ...rest, ...change };
}
