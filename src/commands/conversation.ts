/** Reads the conversation that a question continues from its thread, because the platform may no longer have it. */
import { newestWithinTimeLimit } from "../base/markdown-cost.ts";
import type { Log } from "../base/runtime.ts";
import { shorten } from "../base/text.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import { type ListedComments, type OwnershipDeps, readClaims } from "../github/comment-claims.ts";
import { filterUnedited, pickConversation } from "../github/comments.ts";
import { GitHubError } from "../github/errors.ts";
import type { Thread } from "../github/event.ts";
import { keepVisibleText } from "../github/visible-text.ts";
import { readShownAnswer } from "../presentation/answer-comment.ts";
import type { Run } from "./run.ts";

/** An earlier question and its answer. */
export interface Turn {
  /** Constant: the same question has the same id in every request. */
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

export interface Conversation {
  readonly threadId: string | undefined;
  /** Oldest first. */
  readonly turns: readonly Turn[];
}

/** Only the newest turns are sent, so that a model does not lose the question. */
const maxTurns = 10;
const maxCharacters = 40_000;
const maxAnswerLength = 8_000;

/**
 * Reads the nearest conversation among the comments of a thread. The assistant key is public, so only comments of the action's own account
 * count: answers whose record says `answered`, which proves that the question passed the permission check, and that no other account
 * edited. The question is the one that was answered, even if its comment was edited later.
 *
 * @param site the domain; answers about other domains are left out
 */
export async function readConversation(
  { comments }: ListedComments,
  thread: Thread,
  site: string,
  ownership: OwnershipDeps,
  run: Pick<Run, "clock" | "log" | "signal">,
): Promise<Conversation> {
  const nearest = pickConversation(comments, thread.triggerComment);
  const ofSite = readClaims(nearest, thread, ownership).filter(
    ({ record, isUnverifiable }) =>
      !isUnverifiable && record.command === "assistant" && record.target === site,
  );
  const threadId = ofSite.findLast(({ record }) => record.threadId !== undefined)?.record.threadId;
  const answered = ofSite.filter(({ record }) => record.state === "ended" && record.outcome === "answered");
  const unedited = await keepUnedited(answered.slice(-maxTurns), thread, ownership, run.log);
  return { threadId, turns: await readNewestTurns(unedited, run) };
}

/** Keeps comments that no other account edited; none if that cannot be checked, because the question needs no earlier turns. */
async function keepUnedited(
  claims: readonly StoredClaim[],
  thread: Thread,
  { api, identity }: OwnershipDeps,
  log: Log,
): Promise<readonly StoredClaim[]> {
  if (claims.length === 0) return [];
  try {
    return await filterUnedited(claims, thread, { api, identity });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warning(`The question is sent without the earlier questions of its thread: ${error.message}`);
    return [];
  }
}

/** The newest turns within the limits, without content that GitHub does not show. */
async function readNewestTurns(
  claims: readonly StoredClaim[],
  run: Pick<Run, "clock" | "signal">,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  let room = maxCharacters;
  for await (const { record, body = "" } of newestWithinTimeLimit(claims, run)) {
    const { request = "", trigger } = record;
    const question = keepVisibleText(request).text;
    const shown = readShownAnswer(record, body.replace(/\r\n?/g, "\n")) ?? "";
    const answer = keepVisibleText(shorten(shown, maxAnswerLength)).text;
    if (question === "" || answer === "") continue;
    room -= question.length + answer.length;
    if (room < 0) break;
    turns.unshift({ id: trigger.slice(0, 24), question, answer });
  }
  return turns;
}
