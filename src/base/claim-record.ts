/** What is written down about one request, and shown of it: the record behind a status comment or commit status. */
import * as z from "zod/mini";

/**
 * How far a trigger has come.
 * - `claimed`: a run has taken it; nothing was sent.
 * - `submitting`: the creating request may have been sent.
 * - `working`: the job's id is known; it runs, or has ended since.
 * - `unknown`: the creating request's answer was lost.
 * - `released`: nothing was sent, nothing will be; another run may take it.
 * - `ended`: the job's end is known.
 */
const claimStates = ["claimed", "submitting", "working", "unknown", "released", "ended"] as const;

const shortText = z.string().check(z.maxLength(500));
const listOf = <Item extends z.ZodMiniType>(maxLength: number, item: Item) =>
  z.readonly(z.array(item).check(z.maxLength(maxLength)));

/** A pull request as a status shows it; the texts in it are other people's. */
export const PullSummary = z.object({
  title: z.string().check(z.maxLength(300)),
  state: z.enum(["open", "draft", "merged", "closed"]),
  additions: z.number(),
  deletions: z.number(),
  /** All of its files; `files` are the first of them. */
  fileCount: z.number(),
  files: listOf(
    10,
    z.object({
      path: z.string(),
      additions: z.number(),
      deletions: z.number(),
      /** Address of the page in the preview. */
      previewUrl: z.optional(shortText),
    }),
  ),
  /** Its newest commits, oldest first. */
  commits: z.optional(listOf(10, z.object({ sha: shortText, title: z.string().check(z.maxLength(100)) }))),
  /** Address of a preview of the site with this change, where the platform published one. */
  previewUrl: z.optional(shortText),
});
export type PullSummary = z.infer<typeof PullSummary>;

/** The record behind a status comment or commit status; unknown fields of later versions are dropped. */
export const ClaimRecord = z.object({
  command: z.enum(["agent", "assistant"]),
  /** Project or domain the trigger is for. */
  target: shortText,
  /** `owner/name` of the repository that the agent changes, where the workflow names it. */
  docsRepository: z.optional(shortText),
  trigger: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  state: z.enum(claimStates),
  /** Run, attempt and a random word: who may act on the claim. */
  owner: shortText,
  /** Time of the claim, ISO 8601. */
  claimedAt: shortText,
  /** Seconds after the last change during which the owner may still act on the claim. */
  leaseSeconds: z.number().check(z.nonnegative()),
  /** When its waiting run last renewed it: GitHub takes an edit that changes nothing for none, and its time stays. */
  renewedAt: z.optional(shortText),
  jobId: z.optional(shortText),
  /** How it ended; with `claimed`, that it is queued; with `working`, why the run stopped waiting. */
  outcome: z.optional(shortText),
  pullRequestUrl: z.optional(shortText),
  /** Conversation that a later question continues. */
  threadId: z.optional(shortText),
  /** When the platform took the request, and when its end was known; ISO 8601. */
  startedAt: z.optional(shortText),
  endedAt: z.optional(shortText),
  /** Head commits of the pull request that the request continues: before its message was sent, and at its end. */
  headBefore: z.optional(shortText),
  headAfter: z.optional(shortText),
  /** Beginnings of the SHAs of the commits whose changes the request told of, where it gathered several. */
  covers: z.optional(listOf(60, z.string())),
  /** What the pull request was like when this was written. */
  pull: z.optional(PullSummary),
  /** Jobs and messages of the project in the last hour, this one included, as far as this repository tells. */
  uses: z.optional(z.number()),
  requester: z.optional(shortText),
  /** What a comment must start with to reach the agent, for people. */
  triggerPhrase: z.optional(shortText),
  /** The request, cut where it is long: an end of "…" says so. */
  request: z.optional(z.string().check(z.maxLength(4100))),
  runUrl: z.optional(shortText),
  /** Sentences of ours about how the request was read. */
  notes: z.optional(listOf(8, z.string().check(z.maxLength(300)))),
  /** What went wrong, in one sentence and its remedy. */
  message: z.optional(z.string().check(z.maxLength(1000))),
});
export type ClaimRecord = z.infer<typeof ClaimRecord>;

/** The outcomes of an agent's request that ended well. */
export const successfulOutcomes = ["pull-request", "updated", "unchanged", "no-pull-request"] as const;

/** Whether a record stays true without a run behind it: nothing was sent, the end is known, or why the run stopped waiting. */
export function isSettled({ state, outcome }: ClaimRecord): boolean {
  if (state === "working") return outcome !== undefined;
  return state === "unknown" || state === "released" || state === "ended";
}

/** A change of a record; why it was in its last state goes unless the change says so again. */
export function updateRecord(record: ClaimRecord, change: Partial<ClaimRecord>): ClaimRecord {
  const { outcome: _outcome, message: _message, ...rest } = record;
  return { ...rest, ...change };
}
