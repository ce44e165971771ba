/** What is written down about one trigger, so that another run knows what the first one did, and where it is kept. */
import { createHash } from "node:crypto";
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

/** A pull request as a status shows it; the texts in it are other people's. */
export const PullSummary = z.object({
  title: z.string().check(z.maxLength(300)),
  state: z.enum(["open", "draft", "merged", "closed"]),
  additions: z.number(),
  deletions: z.number(),
  /** All of its files; `files` are the first of them. */
  fileCount: z.number(),
  files: z
    .array(
      z.object({
        path: z.string(),
        additions: z.number(),
        deletions: z.number(),
        /** Address of the page in the preview. */
        previewUrl: z.optional(shortText),
      }),
    )
    .check(z.maxLength(10)),
  /** Its newest commits, oldest first. */
  commits: z.optional(
    z.array(z.object({ sha: shortText, title: z.string().check(z.maxLength(100)) })).check(z.maxLength(10)),
  ),
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
  /** Family and node id of the text that asked, such as `issue-comment IC_12`. */
  source: z.optional(shortText),
  /** When the platform took the request, and when its end was known; ISO 8601. */
  startedAt: z.optional(shortText),
  endedAt: z.optional(shortText),
  /** Head commits of the pull request that the request continues: before its message was sent, and at its end. */
  headBefore: z.optional(shortText),
  headAfter: z.optional(shortText),
  /** Beginnings of the SHAs of the commits whose changes the request told of, where it gathered several. */
  covers: z.optional(z.array(z.string()).check(z.maxLength(60))),
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
  notes: z.optional(z.array(z.string().check(z.maxLength(300))).check(z.maxLength(8))),
  /** What went wrong, in one sentence and its remedy. */
  message: z.optional(z.string().check(z.maxLength(1000))),
});
export type ClaimRecord = z.infer<typeof ClaimRecord>;

/** The outcomes of an agent's request that ended well. */
export const successes = ["pull-request", "updated", "unchanged", "no-pull-request"] as const;

/** Whether a record stays true without a run behind it: nothing was sent, the end is known, or why the run stopped waiting. */
export function isSettled({ state, outcome }: ClaimRecord): boolean {
  if (state === "working") return outcome !== undefined;
  return state === "unknown" || state === "released" || state === "ended";
}

/** A change of a record; why it was in its last state goes unless the change says so again. */
export function changeRecord(record: ClaimRecord, change: Partial<ClaimRecord>): ClaimRecord {
  const { outcome: _outcome, message: _message, ...rest } = record;
  return { ...rest, ...change };
}

/** A record of ours that is written down. */
export interface StoredClaim {
  /** Grows with every claim of the same store. */
  readonly id: number;
  /** GitHub's global id of what holds it, where there is one. */
  readonly nodeId?: string;
  /** True where it is in a comment on a pull request's diff: the ids of those are of another series. */
  readonly isReviewComment?: boolean | undefined;
  /** When it was first written, by GitHub's clock, where ids alone do not tell what came first. */
  readonly createdAt?: string;
  readonly record: ClaimRecord;
  /** Page that shows it, and the text there, where it has one. */
  readonly url: string | undefined;
  readonly body?: string;
  /** Milliseconds since its last change, by GitHub's clock. */
  readonly ageMs: number;
  /** True where it is ours, but signed with a key that has since been replaced: neither to be believed nor ignored. */
  readonly isUnverifiable?: boolean;
  /** True while the record is known but not yet written down. */
  readonly isPending?: boolean;
}

/** Whether a record was written down before another: every run sees the same order. */
export function isOlderClaim(one: StoredClaim, other: StoredClaim): boolean {
  const apartMs = Date.parse(one.createdAt ?? "") - Date.parse(other.createdAt ?? "");
  return apartMs ? apartMs < 0 : one.id < other.id;
}

/** A record as its run knows it; without an id it is on its way, and may be written down whether or not an answer arrives. */
export type KnownClaim =
  | StoredClaim
  | { readonly id?: undefined; readonly record: ClaimRecord; readonly isPending?: undefined };

/** Where records are kept: in a thread's comments, or in a commit's statuses. */
export interface ClaimStore {
  /** Genuine records that are kept there, of any trigger, oldest first. */
  list(): Promise<readonly StoredClaim[]>;
  /** The same as they were when the run began, where they are known from then. */
  readonly listed?: (() => readonly StoredClaim[]) | undefined;
  /** A record as it is now; `undefined` where it was taken away. */
  reread(claim: StoredClaim): Promise<StoredClaim | undefined>;
  create(record: ClaimRecord): Promise<StoredClaim>;
  /** Changes a record; `body` is what a comment shows of it, where the record alone does not say it. */
  update(claim: StoredClaim, record: ClaimRecord, body?: string): Promise<StoredClaim>;
  /** Takes a record away that leads nowhere. */
  remove(claim: StoredClaim): Promise<void>;
}

/** What makes two runs runs of the same trigger; the run's own id is not among it. */
export interface TriggerIdentity {
  readonly repositoryId: string;
  /** Kind of event, not its action: an edit that changes nothing is the same trigger. */
  readonly family: string;
  /** Node id of the text, pull request or release; commit of a push; run id where nothing else stands behind a run. */
  readonly subject: string;
  /** The text that asks. */
  readonly body: string;
  readonly command: string;
  readonly target: string;
}

/** The trigger's key: 64 hexadecimal digits. */
export function triggerKey(identity: TriggerIdentity): string {
  const { repositoryId, family, subject, body, command, target } = identity;
  const bodyHash = createHash("sha256").update(body.replace(/\r\n?/g, "\n")).digest("hex");
  const parts = [repositoryId, family, subject, bodyHash, command, target];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
