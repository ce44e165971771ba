/** What is done with a request of people who may ask, whatever they ask: it is answered by a reaction, read again, and counted. */
import { messageOf } from "../base/text.ts";
import { hourMs, limitOutcome, type RecentUses } from "../github/recent-uses.ts";
import { compareWithLiveText, type Reaction, reactTo } from "../github/trigger-text.ts";
import { renderEditedHint } from "../presentation/help-comment.ts";
import { formatCount, formatTime } from "../presentation/markdown.ts";
import type { GitHubConnection, Refusal } from "./connect-github.ts";
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
