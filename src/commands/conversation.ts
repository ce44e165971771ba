/** The conversation that a question continues, rebuilt from its thread: a platform may have forgotten it. */
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
  /** The same for the same question, in every request. */
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

export interface Conversation {
  readonly threadId: string | undefined;
  /** Oldest first. */
  readonly turns: readonly Turn[];
}

/** The newest turns, as many as a model reads without losing the question. */
const maxTurns = 10;
const maxCharacters = 40_000;
const maxAnswerLength = 8_000;

/**
 * Reads the nearest conversation among the comments of a thread. Only what our own account wrote counts, as the assistant's key is public: an
 * answer's comment whose record says that it was answered, so that the question passed the gate then, and which no other
 * account edited since. The question is as it was answered, whatever its comment says by now.
 *
 * @param site Answers from others are not part of it.
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
  const untouched = await keepUntouched(answered.slice(-maxTurns), thread, ownership, run.log);
  return { threadId, turns: await newest(untouched, run) };
}

/** A thread that cannot be checked has no earlier turns; the question is worth an answer all the same. */
async function keepUntouched(
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
    log.warning(`The question is asked without the earlier ones of its thread: ${error.message}`);
    return [];
  }
}

/** The newest turns that there is room for; what GitHub does not show is left out of them. */
async function newest(claims: readonly StoredClaim[], run: Pick<Run, "clock" | "signal">): Promise<Turn[]> {
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
