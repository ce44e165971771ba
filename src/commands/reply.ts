/** Reactions and replies for the requester. A reply contains a marker, so that it triggers nothing. */
import { messageOf } from "../base/text.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import { markerIn, type OwnershipDeps } from "../github/comment-claims.ts";
import { createThreadComments, type ThreadAddress } from "../github/comments.ts";
import { GitHubError } from "../github/errors.ts";
import type { WrittenEvent } from "../github/event.ts";
import type { GatePolicy } from "../github/gate.ts";
import { countRecentUses, hourMs, limitOutcome, type RecentUses } from "../github/recent-uses.ts";
import { compareWithLiveText, type Reaction, reactTo } from "../github/trigger-text.ts";
import { renderEditedHint } from "../presentation/help-comment.ts";
import { formatCount, formatTime } from "../presentation/markdown.ts";
import { renderEndNotice } from "../presentation/status-comment.ts";
import type { ClaimDraft, ClaimLease } from "./claim.ts";
import { type GitHubConnection, type Refusal, refuseUnpermitted } from "./connect-github.ts";
import type { AgentInputs } from "./inputs.ts";
import type { Run } from "./run.ts";

/** Refuses the request if its text was edited or deleted after the event. */
export async function refuseChangedText({ event, api }: GitHubConnection): Promise<Refusal | undefined> {
  const state = event.type === "written" ? await compareWithLiveText(event, api) : "unchanged";
  if (state === "unchanged") return undefined;
  const hint = state === "edited" ? { hint: renderEditedHint() } : {};
  const message = `The text of the request was ${state} after the event; write a new comment.`;
  return { reason: `text-${state}`, message, ...hint };
}

/**
 * Refuses the request if the user has reached `limit-per-user`; `outcome` is the outcome of its `released` record. With `isNotified`, a
 * comment already contains the reason, and a reaction is enough.
 */
export function refuseOverLimit(
  { userRequestTimes, isNotified }: RecentUses,
  limit: number | undefined,
): (Refusal & { readonly outcome: string; readonly isNotified: boolean }) | undefined {
  if (limit === undefined || userRequestTimes.length < limit) return undefined;
  // Rounded up to a minute, as the message shows it.
  const until = new Date(Math.ceil(((userRequestTimes.at(-limit) ?? 0) + hourMs) / 60_000) * 60_000);
  const message = `The limit of ${formatCount(limit, "request")} per user and hour is reached; ask again at ${formatTime(until)}.`;
  return {
    reason: limitOutcome,
    message,
    outcome: `${limitOutcome} until ${until.toISOString()}`,
    isNotified,
  };
}

interface LimitedRun {
  readonly inputs: Pick<AgentInputs, "limitPerUser">;
  readonly github: GitHubConnection;
  readonly run: Run;
}

/**
 * Counts the requests of the last hour. Refuses this one if it exceeds `limit-per-user`: with one comment per user and hour that says
 * when to try again, and a reaction each time.
 */
export async function countUse(
  draft: ClaimDraft,
  lease: ClaimLease,
  ownership: OwnershipDeps,
  { inputs: { limitPerUser }, github, run }: LimitedRun,
): Promise<Refusal | undefined> {
  // Only the agent's status comment shows the count.
  const isShown = draft.command === "agent";
  if (github.event.type !== "written" || (limitPerUser === undefined && !isShown)) return undefined;
  const uses = await countRecentUses(draft, ownership).catch((error: unknown) => {
    // Without a limit, the count is only shown.
    if (limitPerUser !== undefined || !(error instanceof GitHubError)) throw error;
    run.log.debug(error.message);
    return undefined;
  });
  if (!uses) return undefined;
  lease.setUses(uses.projectUses + 1);
  const refusal = refuseOverLimit(uses, limitPerUser);
  if (!refusal) return undefined;
  const { outcome, message } = refusal;
  if (!refusal.isNotified) {
    // The agent's status comment explains the outcome itself.
    await lease.recordEarlierResult({ state: "released", outcome, ...(isShown ? {} : { message }) });
  }
  await react(github, run, "confused");
  return refusal;
}

/** Shows the progress as a reaction on the text of the request; a failure is only a warning. */
export async function react(
  { event, api }: GitHubConnection,
  { log, signal }: Pick<Run, "log" | "signal">,
  content: Reaction,
): Promise<void> {
  if (event.type !== "written" || signal.aborted) return;
  try {
    await reactTo(event, content, api);
  } catch (error) {
    if (!signal.aborted) log.warning(messageOf(error));
  }
}

/**
 * Replies why a text triggers nothing: once per text, only to users with permission, with at most three API requests. Edits and
 * re-runs get no reply. A failure is only a warning.
 */
export async function replyWithHint(
  hint: string,
  inputs: GatePolicy & Pick<AgentInputs, "statusComment" | "dryRun">,
  github: GitHubConnection,
  { log, signal }: Run,
): Promise<void> {
  const { event, context, api } = github;
  const isFirst = context.runAttempt === 1 && inputs.statusComment && !inputs.dryRun;
  if (event.type !== "written" || event.action === "edited" || !isFirst) return;
  try {
    if ((await refuseUnpermitted(inputs, github)) !== undefined) return;
    const comments = createThreadComments(event.thread, api);
    const marker = markerOf(event);
    const later = await comments.list({ since: event.text.createdAt });
    if (!later.some(({ body }) => body.includes(marker))) await comments.create(`${hint}\n\n${marker}`);
  } catch (error) {
    signal.throwIfAborted();
    log.warning(messageOf(error));
  }
}

/** After this time, the requester is notified with a new reply: editing the status comment sends no notification. */
const noticeAfterMs = 10 * 60_000;

/** Mentions the requester in a new reply if the job took long. A failure is only a warning. */
export async function notifyOfResult(
  { record, url }: StoredClaim,
  thread: ThreadAddress,
  ownership: OwnershipDeps,
  { clock, log, signal }: Pick<Run, "clock" | "log" | "signal">,
): Promise<void> {
  const hasRequester = record.state === "ended" && record.requester !== undefined;
  if (!hasRequester || clock.now() - Date.parse(record.claimedAt) < noticeAfterMs) return;
  const marker = markerIn({ thread, comment: "new" }, "notice", record.trigger, ownership);
  try {
    await createThreadComments(thread, ownership.api).create(renderEndNotice(record, url) + marker);
  } catch (error) {
    signal.throwIfAborted();
    log.warning(messageOf(error));
  }
}

/** Replies to a text that needs no job; a re-run does not repeat the reply. */
export async function reply(
  text: string,
  event: WrittenEvent,
  { api, context }: GitHubConnection,
): Promise<void> {
  if (context.runAttempt > 1) return;
  await createThreadComments(event.thread, api).create(`${text}\n\n${markerOf(event)}`);
}

/** Marks the reply to one text. It is not signed: a forged marker only suppresses a reply. */
function markerOf({ text: { kind, id } }: WrittenEvent): string {
  return `<!-- docs-automation:hint:v1 ${kind}:${id} -->`;
}
