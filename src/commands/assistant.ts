/**
 * The assistant command: question → gate → claim → ask → an answer that grows in one comment. Here is what happens until GitHub has
 * said that the people behind the question may ask; all else is loaded then.
 */
import type { ClaimRecord } from "../base/claim-record.ts";
import { readPhrases, type TriggerPhrases } from "../github/may-trigger.ts";
import type { AskedQuestion } from "../presentation/answer-comment.ts";
import { pageLink } from "../presentation/markdown.ts";
import { renderSkipped } from "../presentation/summaries.ts";
import { connectGitHub, type GitHubConnection, type Refusal, refuseUnpermitted } from "./connect-github.ts";
import type { AssistantInputs } from "./inputs.ts";
import { inputText } from "./read-inputs.ts";
import { type EventRequest, readRequest } from "./request-from-event.ts";
import type { CommandResult, PostRun, Run } from "./run.ts";
import { readPromptInput } from "./workspace.ts";

/**
 * Answers the question of an event, or of the inputs, unless another run did or does.
 *
 * @throws {InputError} when neither event nor inputs ask anything, or the request is not as the specification has it.
 * @throws {PlatformError} when the platform gives no answer.
 */
export async function runAssistant(inputs: AssistantInputs, run: Run): Promise<CommandResult<"assistant">> {
  const prompt = readPromptInput(inputs, run);
  const github = await connectGitHub(inputs, run);
  const triggerPhrases = readPhrases("assistant", inputs.triggerPhrase);
  const question = await readQuestion(github, triggerPhrases, prompt);
  if ("reason" in question) {
    if (question.hint !== undefined) {
      const { replyWithHint } = await import(/* webpackChunkName: "permitted" */ "./reply.ts");
      await replyWithHint(question.hint, inputs, github, run);
    }
    return skip(question, run);
  }
  const refusal = await refuseUnpermitted(inputs, github);
  if (refusal) return skip(refusal, run);
  const { answerQuestion } = await import(/* webpackChunkName: "permitted" */ "./assistant-question.ts");
  const end = await answerQuestion(question, { inputs, github, run, triggerPhrases });
  return "reason" in end ? skip(end, run) : end;
}

/**
 * Reads the question of an event or of the inputs.
 *
 * @throws {InputError} when neither asks anything.
 */
export async function readQuestion(
  { event, context: { runId } }: Pick<GitHubConnection, "event" | "context">,
  triggerPhrases: TriggerPhrases,
  prompt: string | undefined,
): Promise<EventRequest | Refusal> {
  const request = await readRequest(event, { triggerPhrases, prompt, runId, requestType: "question" });
  if ("reason" in request) return request;
  const instruction = request.instruction.trim();
  if (instruction === "") {
    const message = `There is no question after \`${triggerPhrases[0]}\`.`;
    return { reason: "no-question", message };
  }
  return { ...request, instruction };
}

/** A question that this run does not answer; a claim is the comment of the run that does. */
function skip({ reason, message, claim }: Refusal, { setOutput }: Run): CommandResult<"assistant"> {
  if (claim?.record.threadId !== undefined) setOutput("threadId", claim.record.threadId);
  const summary = renderSkipped("assistant", message, pageLink("Comment", claim?.url));
  return { outcome: "skipped", message, summary, skipReason: reason };
}

/** The post step: says in the comment of a run that was killed that its answer will not be continued. */
export async function finishAssistant(run: PostRun): Promise<void> {
  const { readSavedClaim } = await import(/* webpackChunkName: "permitted" */ "./saved-claim.ts");
  const saved = readSavedClaim(run.state);
  if (saved?.location.kind !== "thread") return;
  const { location, record } = saved;
  const githubToken = inputText("github-token", run.environment)?.trim();
  const [triggerPhrase] = readPhrases("assistant", inputText("trigger-phrase", run.environment));
  const github = await connectGitHub({ githubToken }, run);
  const { openRecords } = await import(/* webpackChunkName: "permitted" */ "./assistant-question.ts");
  const { renderRecord } = await import("./live-answer.ts");
  const { renderInterruptedComment } = await import("../presentation/answer-comment.ts");
  const asked: AskedQuestion = { ...record, links: { baseUrl: undefined, allowed: [] }, triggerPhrase };
  const { claims } = await openRecords(location, github, (each) => renderRecord(asked, each));
  const claim = (await claims.list()).find((each) => each.record.owner === record.owner);
  if (claim === undefined || claim.isUnverifiable || isOver(claim.record)) return;
  // An end that the main step could not write down is known, and true.
  const known = isOver(record) ? record.message : undefined;
  const message = known ?? "The run that was answering ended early. Re-run the workflow, or ask again.";
  const body = renderInterruptedComment(asked, message, claim.body ?? "");
  await claims.update(claim, { ...claim.record, state: "released", outcome: "interrupted", message }, body);
  run.log.info("The comment of the interrupted question was corrected.");
}

function isOver({ state }: ClaimRecord): boolean {
  return state === "ended" || state === "released";
}
