/** The earlier questions and answers of a thread, which the assistant is asked with a question. */
import { newestWithinTimeLimit } from "../base/markdown-cost.ts";
import { shorten } from "../base/text.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import { readClaims } from "../github/comment-claims.ts";
import { filterUnedited, pickConversation } from "../github/comments.ts";
import { GitHubError } from "../github/errors.ts";
import type { Thread } from "../github/event.ts";
import { normalizeLineEndings } from "../github/may-trigger.ts";
import { keepVisibleText } from "../github/visible-text.ts";
import { readShownAnswer } from "../presentation/answer-comment.ts";
import type { GitHubConnection } from "./connect-github.ts";
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
 * Reads the nearest conversation among the comments of a thread, because the platform may no longer have it. The assistant key is public,
 * so only comments of the action's own account count: answers whose record says `answered`, which proves that the question passed the
 * permission check, and that no other account edited. The question is the one that was answered, even if its comment was edited later.
 *
 * @param site the domain; answers about other domains are left out
 */
export async function readConversation(
  thread: Thread,
  site: string,
  { listComments, readOwnership }: Pick<GitHubConnection, "listComments" | "readOwnership">,
  run: Pick<Run, "clock" | "log" | "signal">,
): Promise<Conversation> {
  const { comments } = await listComments();
  const ownership = await readOwnership();
  const nearest = pickConversation(comments, thread.triggerComment);
  const ofSite = readClaims(nearest, thread, ownership).filter(
    ({ record, isUnverifiable }) =>
      !isUnverifiable && record.command === "assistant" && record.target === site,
  );
  const threadId = ofSite.findLast(({ record }) => record.threadId !== undefined)?.record.threadId;
  const answered = ofSite
    .filter(({ record }) => record.state === "ended" && record.outcome === "answered")
    .slice(-maxTurns);
  try {
    const unedited = answered.length > 0 ? await filterUnedited(answered, thread, ownership) : [];
    return { threadId, turns: await readNewestTurns(unedited, run) };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    run.log.warning(`The question is sent without the earlier questions of its thread: ${error.message}`);
    return { threadId, turns: [] };
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
    const shown = readShownAnswer(record, normalizeLineEndings(body)) ?? "";
    const answer = keepVisibleText(shorten(shown, maxAnswerLength)).text;
    if (question === "" || answer === "") continue;
    room -= question.length + answer.length;
    if (room < 0) break;
    turns.unshift({ id: trigger.slice(0, 24), question, answer });
  }
  return turns;
}
