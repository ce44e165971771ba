/** What is written down about one trigger, so that another run knows what the first one did. */
import { createHash } from "node:crypto";
import { z } from "zod";

/**
 * How far a trigger has come.
 * - `claimed`: a run has taken it; nothing was sent.
 * - `submitting`: the creating request may have been sent.
 * - `working`: the job's id is known; it runs, or has ended since.
 * - `unknown`: the creating request's answer was lost.
 * - `released`: nothing was sent, nothing will be; another run may take it.
 * - `ended`: the job's end is known.
 */
export const claimStates = ["claimed", "submitting", "working", "unknown", "released", "ended"] as const;

const shortText = z.string().max(500);

/** The record behind a status comment or commit status; unknown fields of later versions are dropped. */
export const ClaimRecord = z.object({
  command: z.enum(["agent", "assistant"]),
  /** Project or domain the trigger is for. */
  target: shortText,
  trigger: z.string().regex(/^[0-9a-f]{64}$/),
  state: z.enum(claimStates),
  /** Run, attempt and a random word: who may act on the claim. */
  owner: shortText,
  /** Time of the claim, ISO 8601. */
  claimedAt: shortText,
  /** Seconds after the last change during which the owner may still send the creating request. */
  leaseSeconds: z.number().nonnegative(),
  jobId: shortText.optional(),
  /** How it ended; with `working`, why the run stopped waiting. */
  outcome: shortText.optional(),
  pullRequestUrl: shortText.optional(),
  /** Conversation that a later question continues. */
  threadId: shortText.optional(),
  requester: shortText.optional(),
  /** Beginning of the request, for people. */
  request: z.string().max(700).optional(),
  runUrl: shortText.optional(),
  /** Sentences of ours about how the request was read. */
  notes: z.array(z.string().max(300)).max(8).optional(),
  /** What went wrong, in one sentence and its remedy. */
  message: z.string().max(1000).optional(),
});
export type ClaimRecord = z.infer<typeof ClaimRecord>;

/** Whether a record is true without anybody watching: the job's end, why nobody waits, or that nothing was sent. */
export function isSettled({ state, outcome }: ClaimRecord): boolean {
  if (state === "working") return outcome !== undefined;
  return state === "unknown" || state === "released" || state === "ended";
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
