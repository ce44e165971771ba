/**
 * The assistant command: question → permission → claim → request → an answer that grows in one comment. This module runs up to the
 * permission check; everything else is loaded afterwards, in `assistant-question.ts`.
 */
import type { ClaimRecord } from "../base/claim-record.ts";
import { readPhrases } from "../github/may-trigger.ts";
import type { AskedQuestion } from "../presentation/answer-comment.ts";
import { connectGitHub } from "./connect-github.ts";
import type { AssistantInputs } from "./inputs.ts";
import { inputText } from "./read-inputs.ts";
import { readPermittedRequest } from "./request-from-event.ts";
import type { CommandResult, PostRun, Run, Skip } from "./run.ts";
import { readPromptInput } from "./workspace.ts";

/**
 * Answers the question of an event or of the inputs, unless another run did or does.
 *
 * @throws {InputError} when neither the event nor the inputs contain a question, or an input violates the specification.
 * @throws {PlatformError} when the platform does not answer.
 */
export async function runAssistant(
  inputs: AssistantInputs,
  run: Run,
): Promise<CommandResult<"assistant"> | Skip> {
  const prompt = readPromptInput(inputs, run);
  const github = connectGitHub(inputs.githubToken, signingKeyFor, run);
  const triggerPhrases = readPhrases("assistant", inputs.triggerPhrase);
  const options = { triggerPhrases, prompt, requestType: "question" } as const;
  const question = await readPermittedRequest(inputs, github, options, run);
  if ("reason" in question) return question;
  if (question.instruction.trim() === "") {
    const message = `There is no question after \`${triggerPhrases[0]}\`.`;
    if (question.source === "text") {
      const { replyWithHint } = await import(/* webpackChunkName: "permitted" */ "./reply.ts");
      await replyWithHint(`${message} Write it in the same comment.`, inputs, github, run);
    }
    return { reason: "no-question", message };
  }
  const { answerQuestion } = await import(/* webpackChunkName: "permitted" */ "./assistant-question.ts");
  return answerQuestion(question, { inputs, github, run, triggerPhrases });
}

/**
 * The assistant key is public, so a signature with it would prove nothing: only the comment's author proves where a record is from. A
 * signature with a fixed string detects damaged records, and stays valid when the key is replaced.
 */
function signingKeyFor(repositoryId: string): string {
  return `assistant of repository ${repositoryId}`;
}

/** The post step: adds to the comment of a killed run that its answer is incomplete. */
export async function finishAssistant(run: PostRun): Promise<void> {
  const { findRecord, readSavedClaim } = await import(/* webpackChunkName: "permitted" */ "./claim.ts");
  const saved = readSavedClaim(run.state);
  if (saved?.location.kind !== "thread") return;
  const { location, record } = saved;
  const githubToken = inputText("github-token", run.environment);
  const [triggerPhrase] = readPhrases("assistant", inputText("trigger-phrase", run.environment));
  const github = connectGitHub(githubToken, signingKeyFor, run);
  const { createCommentClaimStore } = await import(
    /* webpackChunkName: "permitted" */ "../github/comment-claims.ts"
  );
  const { isOver } = await import(/* webpackChunkName: "permitted" */ "../base/claim-record.ts");
  const { renderRecord } = await import("./assistant-comment.ts");
  const { renderInterruptedComment } = await import("../presentation/answer-comment.ts");
  const asked: AskedQuestion = { ...record, links: { baseUrl: undefined, allowed: [] }, triggerPhrase };
  const render = (each: ClaimRecord) => renderRecord(asked, each);
  const store = createCommentClaimStore(location, { ...(await github.readOwnership()), render });
  const claim = await findRecord(record, store, run);
  if (claim === undefined || claim.isUnverifiable || isOver(claim.record)) return;
  // The main step may have saved a result that it could not write to the comment.
  const savedMessage = isOver(record) ? record.message : undefined;
  const message =
    savedMessage ?? "The run that was answering ended early. Re-run the workflow, or ask again.";
  const body = renderInterruptedComment(asked, message, claim.body ?? "");
  await store.update(claim, { ...claim.record, state: "released", outcome: "interrupted", message }, body);
  run.log.info("The comment of the interrupted question was corrected.");
}
