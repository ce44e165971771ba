/** Composes `command: assistant`: inputs, event and clients in, outputs and summary out. */
import { randomBytes } from "node:crypto";
import { type ActionError, InputError } from "../../base/errors.ts";
import { openAssistantStream } from "../../client/assistant-stream.ts";
import { GitHubError } from "../../github/errors.ts";
import { defaultPhrases } from "../../github/may-trigger.ts";
import { threadKey } from "../../github/record-signer.ts";
import { describeAnswer as answerOutputs, renderAnswerSummary } from "../../presentation/answer-comment.ts";
import { codeBlock } from "../../presentation/markdown.ts";
import type { LinkPolicy } from "../../presentation/sanitize-answer.ts";
import { renderSkipped } from "../../presentation/summaries.ts";
import { explainFailure, withQuestionHint } from "../assistant/explain-failure.ts";
import { type AssistantOptions, type AssistantResult, runAssistant } from "../assistant.ts";
import {
  connectGitHub,
  connectPlatform,
  embeddedDomain,
  type GitHubConnection,
  readGivenPrompt,
} from "../connect.ts";
import { createAssistantGitHub, threadOf, viewOf } from "../connections/assistant-github.ts";
import { fileLinks, linkPolicyOf } from "../connections/assistant-links.ts";
import { createSecretKeeper } from "../connections/secret-keeper.ts";
import type { AssistantInputs } from "../inputs.ts";
import { readContextItems } from "../read-context-items.ts";
import { readModel } from "../read-model.ts";
import type { CommandEnd, Run } from "../run.ts";

export async function runAssistantStep(
  inputs: AssistantInputs,
  context: Run,
): Promise<CommandEnd<"assistant">> {
  const prompt = await readGivenPrompt(inputs, context);
  const connection = await connectGitHub(inputs, context);
  const options = readOptions({ inputs, prompt, connection }, context);
  const files = inputs.baseUrl === "local" ? fileLinks(connection.context, inputs.docsDir) : undefined;
  const links = linkPolicyOf(options.domain, files);
  await using platform = await connectPlatform(inputs, context, {
    domain: options.domain,
    assistant: files && { links: files, model: readModel(context) },
  });
  const { triggerPhrase } = options;
  const result = await runAssistant(options, {
    ...context,
    ...createAssistantGitHub({ inputs, connection, links, triggerPhrase }, context),
    openStream: (question) => openAssistantStream(question, platform.platform),
    ...createSecretKeeper(inputs.apiKey, context),
  });
  const goesOn = inputs.statusComment && threadOf(connection) !== undefined;
  return describeEnd(result, { links, triggerPhrase: goesOn ? triggerPhrase : undefined }, context);
}

interface OptionSources {
  readonly inputs: AssistantInputs;
  readonly prompt: string | undefined;
  readonly connection: GitHubConnection;
}

function readOptions({ inputs, prompt, connection }: OptionSources, { deadlineMs }: Run): AssistantOptions {
  const { context: run, event } = connection;
  const domain = inputs.domain ?? (inputs.baseUrl === "local" ? embeddedDomain : undefined);
  if (domain === undefined) throw new InputError(["`domain` is missing."]);
  const thread = threadOf(connection);
  return {
    event,
    prompt,
    domain,
    triggerPhrase: inputs.triggerPhrase ?? defaultPhrases.assistant,
    runId: run.runId,
    owner: { runId: run.runId, runAttempt: run.runAttempt, word: randomBytes(6).toString("hex") },
    runUrl: run.runUrl,
    repositoryId: run.repository.id,
    thread: thread && threadKey(thread),
    version: inputs.apiVersion,
    threadId: inputs.threadId,
    retrievalPageSize: inputs.retrievalPageSize,
    filterVersion: inputs.filterVersion,
    filterLanguage: inputs.filterLanguage,
    currentPath: inputs.currentPath,
    context: readContextItems(inputs.contextItems),
    dryRun: inputs.dryRun,
    deadlineMs,
  };
}

interface Showing {
  readonly links: LinkPolicy;
  /** `undefined` where no comment keeps the conversation. */
  readonly triggerPhrase: string | undefined;
}

function describeEnd(
  result: AssistantResult,
  showing: Showing,
  context: Pick<Run, "setOutput" | "log">,
): CommandEnd<"assistant"> {
  if (result.outcome === "skipped") return describeSkip(result, context);
  const { answer, draft, commentUrl } = result;
  const { failure, threadId, text } = answer;
  if (threadId !== undefined) context.setOutput("threadId", threadId);
  const message = failure === undefined ? undefined : explainFailure(failure);
  const shown = { state: failure === undefined ? "answered" : "failed", text, answer } as const;
  const view = viewOf({ record: { ...draft, ...(message && { message }) }, shown, ...showing });
  const summary = renderAnswerSummary(...view, commentUrl);
  if (failure !== undefined) {
    if (result.unshown !== undefined)
      context.log.warning(`The comment could not show how it ended: ${result.unshown.message}`);
    return { ...describeFailure(failure), summary, error: withQuestionHint(failure) };
  }
  setAnswer(result, showing.links, context);
  return { ...describeAnswer(result, context), summary };
}

function setAnswer(
  { answer }: AssistantResult & { outcome: "ended" },
  links: LinkPolicy,
  { setOutput, log }: Pick<Run, "setOutput" | "log">,
) {
  const { markdown, isShortened, sources } = answerOutputs(answer, links);
  if (isShortened) log.warning("The answer is too long for the output `answer`; its end is left out.");
  setOutput("answer", markdown);
  setOutput("sources", JSON.stringify(sources));
}

/** Whoever deleted the comment wants no answer there; any other failure leaves somebody waiting for one. */
function describeAnswer(
  { unshown }: AssistantResult & { outcome: "ended" },
  { log }: Pick<Run, "log">,
): Pick<CommandEnd<"assistant">, "outcome" | "message" | "error"> {
  const answered = { outcome: "answered", message: "The assistant answered." } as const;
  if (unshown === undefined) return answered;
  if (unshown.code === "not-found") {
    log.warning("The comment was deleted while the answer arrived; the job summary shows it.");
    return answered;
  }
  const message = `The assistant answered, but the comment could not show it: ${unshown.message}`;
  const { code, hint, status } = unshown;
  return {
    outcome: "failed",
    message,
    error: new GitHubError(code, message, { hint, status, cause: unshown }),
  };
}

function describeSkip(
  { reason, message, wouldSend, commentUrl, threadId }: AssistantResult & { outcome: "skipped" },
  { setOutput }: Pick<Run, "setOutput">,
): CommandEnd<"assistant"> {
  if (threadId !== undefined) setOutput("threadId", threadId);
  const page =
    commentUrl !== undefined && URL.canParse(commentUrl) && `\n[Comment](${new URL(commentUrl).href})\n`;
  const request = wouldSend && `\n${codeBlock(JSON.stringify(wouldSend.request, undefined, 2))}\n`;
  const summary = `${renderSkipped("assistant", message)}${page || ""}${request ?? ""}`;
  return { outcome: "skipped", message, summary, skipReason: reason };
}

/** @throws what is no outcome of its own: an answer that is none at all. */
function describeFailure(failure: ActionError): Pick<CommandEnd<"assistant">, "outcome" | "message"> {
  const { message } = failure;
  switch (failure.code) {
    case "cancelled":
    case "timed-out":
      return { outcome: failure.code, message };
    case "stream-cut":
      return { outcome: "failed", message };
    default:
      throw failure;
  }
}
