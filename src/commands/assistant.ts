/**
 * The assistant command: question → permission → claim → request → an answer that grows in one comment. This module runs up to the
 * permission check; everything else is loaded afterwards, in `assistant-answer.ts`.
 */
import { readPhrases } from "../github/may-trigger.ts";
import { connectGitHub } from "./connect-github.ts";
import type { AssistantInputs } from "./inputs.ts";
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
  const github = connectGitHub("assistant", inputs, run);
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
  const { answerQuestion } = await import("./assistant-answer.ts");
  return answerQuestion(question, { inputs, github, run, triggerPhrases });
}

/** The post step: corrects the comment of a killed run, whose answer did not come to its end. */
export async function finishAssistant(run: PostRun): Promise<void> {
  const { correctSavedClaim } = await import(/* webpackChunkName: "permitted" */ "./claim.ts");
  const { renderRecord } = await import("./assistant-comment.ts");
  await correctSavedClaim("assistant", run, renderRecord);
}
