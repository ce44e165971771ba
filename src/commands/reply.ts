/** What the person who asked sees besides the status of a request: a reaction, or a reply, which starts nothing, as it holds a marker. */
import { messageOf } from "../base/text.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import { markerIn, type OwnershipDeps } from "../github/comment-claims.ts";
import { createThreadComments, type ThreadAddress } from "../github/comments.ts";
import type { WrittenEvent } from "../github/event.ts";
import type { GatePolicy } from "../github/gate.ts";
import { hourMs, limitOutcome, type RecentUses } from "../github/recent-uses.ts";
import { compareWithLiveText, type Reaction, reactTo } from "../github/trigger-text.ts";
import { renderEditedHint } from "../presentation/help-comment.ts";
import { formatCount, formatTime } from "../presentation/markdown.ts";
import { renderEndNotice } from "../presentation/status-comment.ts";
import { type GitHubConnection, type Refusal, refuseUnpermitted } from "./connect-github.ts";
import type { AgentInputs } from "./inputs.ts";
import type { Run } from "./run.ts";

/** The text that asked must still be the one that the event carried. */
export async function refuseChangedText({ event, api }: GitHubConnection): Promise<Refusal | undefined> {
  const state = event.type === "written" ? await compareWithLiveText(event, api) : "unchanged";
  if (state === "unchanged") return undefined;
  const hint = state === "edited" ? { hint: renderEditedHint() } : {};
  const message = `The text that asked was ${state} after the event; ask again.`;
  return { reason: `text-${state}`, message, ...hint };
}

/**
 * What a person's limit of requests in an hour holds back; `outcome` is that of its `released` record. Where `isTold`, a
 * comment says so already, and a reaction is enough.
 */
export function refuseOverLimit(
  { byUser, isTold }: RecentUses,
  limit: number | undefined,
): (Refusal & { readonly outcome: string; readonly isTold: boolean }) | undefined {
  if (limit === undefined || byUser.length < limit) return undefined;
  // People read minutes; the next one is not too early.
  const until = new Date(Math.ceil(((byUser.at(-limit) ?? 0) + hourMs) / 60_000) * 60_000);
  const message = `The limit of ${formatCount(limit, "request")} an hour for one person is used up; ask again at ${formatTime(until)}.`;
  return { reason: limitOutcome, message, outcome: `${limitOutcome} until ${until.toISOString()}`, isTold };
}

/** Shows at the text that asked how far its request is; a failure is only worth a warning. */
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
 * Says in one line why a text starts nothing, once for each text, and only to people who may ask: at most three requests.
 * Edits and re-runs say nothing; a failure is only worth a warning.
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

/** So long after they asked, people do not look any more: an edit of the status sends no notification. */
const noticeAfterMs = 10 * 60_000;

/** Mentions the person who asked, in a new reply, where the end came late. A failure is only worth a warning. */
export async function notifyOfEnd(
  { record, url }: StoredClaim,
  thread: ThreadAddress,
  ownership: OwnershipDeps,
  { clock, log, signal }: Pick<Run, "clock" | "log" | "signal">,
): Promise<void> {
  const isEnd = record.state === "ended" && record.requester !== undefined;
  if (!isEnd || clock.now() - Date.parse(record.claimedAt) < noticeAfterMs) return;
  const marker = markerIn({ thread, comment: "new" }, "notice", record.trigger, ownership);
  try {
    await createThreadComments(thread, ownership.api).create(renderEndNotice(record, url) + marker);
  } catch (error) {
    signal.throwIfAborted();
    log.warning(messageOf(error));
  }
}

/** Answers a text that asked for words only; a re-run does not repeat it. */
export async function reply(
  text: string,
  event: WrittenEvent,
  { api, context }: GitHubConnection,
): Promise<void> {
  if (context.runAttempt > 1) return;
  await createThreadComments(event.thread, api).create(`${text}\n\n${markerOf(event)}`);
}

/** Of the kind `hint`, and about one text. It is not signed: nothing follows from it but silence. */
function markerOf({ text: { kind, id } }: WrittenEvent): string {
  return `<!-- docs-automation:hint:v1 ${kind}:${id} -->`;
}
