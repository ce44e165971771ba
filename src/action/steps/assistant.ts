/** Composes `command: assistant`: inputs, event and clients in, outputs and summary out. */
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { type AssistantOptions, type AssistantResult, runAssistant } from "../../commands/assistant.ts";
import { explainFailure, withQuestionHint } from "../../commands/explain-failure.ts";
import { type ActionError, InputError } from "../../errors.ts";
import { threadKey } from "../../github/comment-claims.ts";
import { openAssistantStream } from "../../platform/assistant-client.ts";
import { renderSkipped } from "../../presentation/agent-summary.ts";
import { listSources, renderAnswerSummary } from "../../presentation/answer-comment.ts";
import { codeBlock } from "../../presentation/escape-markdown.ts";
import type { LinkPolicy } from "../../presentation/link-policy.ts";
import { sanitizeAnswer } from "../../presentation/sanitize-answer.ts";
import { createAssistantGitHub, threadOf, viewOf } from "../assistant-github.ts";
import { fileLinks, linkPolicyOf } from "../assistant-links.ts";
import { connectGitHub, type GitHubConnection, readGivenPrompt } from "../connect-github.ts";
import { connectPlatform } from "../connect-platform.ts";
import type { AssistantInputs } from "../inputs.ts";
import { readContextItems } from "../read-context-items.ts";
import { readModel } from "../read-model.ts";
import { embeddedDomain, startEmbedded } from "../start-embedded.ts";
import type { Step, StepContext, StepEnd } from "../step.ts";

const defaultPhrase = "/ask";
/** Outputs hold up to a megabyte; an answer is far shorter. */
const maxOutputLength = 500_000;

export const assistantStep: Step<"assistant"> = {
  async run(inputs, context) {
    const workspace = context.environment["GITHUB_WORKSPACE"] ?? process.cwd();
    const prompt = await readGivenPrompt(inputs, workspace);
    const connection = await connectGitHub(inputs, context);
    const options = readOptions({ inputs, prompt, connection }, context);
    const files = inputs.baseUrl === "local" ? fileLinks(connection.run, inputs.docsDir) : undefined;
    const links = linkPolicyOf(options.domain, files);
    await using platform = await connectPlatform(inputs, {
      context,
      startEmbedded: () =>
        startEmbedded(
          {
            docsDir: resolve(workspace, inputs.docsDir),
            domain: options.domain,
            assistant: { links: files, model: readModel(context) },
          },
          { context },
        ),
    });
    const { transport } = platform.platform;
    const { triggerPhrase } = options;
    const result = await runAssistant(options, {
      ...context,
      ...createAssistantGitHub({ inputs, connection, links, triggerPhrase }, context),
      openStream: (question) => openAssistantStream(question, { transport }),
    });
    return describeEnd(result, { links, triggerPhrase }, context);
  },
};

interface OptionSources {
  readonly inputs: AssistantInputs;
  readonly prompt: string | undefined;
  readonly connection: GitHubConnection;
}

function readOptions(
  { inputs, prompt, connection }: OptionSources,
  { deadlineMs }: StepContext,
): AssistantOptions {
  const { run, event } = connection;
  const domain = inputs.domain ?? (inputs.baseUrl === "local" ? embeddedDomain : undefined);
  if (domain === undefined) throw new InputError(["`domain` is missing."]);
  const thread = threadOf(connection);
  return {
    event,
    prompt,
    domain,
    triggerPhrase: inputs.triggerPhrase ?? defaultPhrase,
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
  readonly triggerPhrase: string;
}

function describeEnd(
  result: AssistantResult,
  showing: Showing,
  { setOutput }: StepContext,
): StepEnd<"assistant"> {
  if (result.outcome === "skipped") return describeSkip(result);
  const { answer, draft, commentUrl } = result;
  const { failure, threadId, text } = answer;
  if (threadId !== undefined) setOutput("threadId", threadId);
  const message = failure === undefined ? undefined : explainFailure(failure);
  const shown = { state: failure === undefined ? "answered" : "failed", text, answer } as const;
  const view = viewOf({ record: { ...draft, ...(message && { message }) }, shown, ...showing });
  const summary = renderAnswerSummary(view, { commentUrl });
  if (failure !== undefined)
    return { ...describeFailure(failure), summary, error: withQuestionHint(failure) };
  const { markdown } = sanitizeAnswer(text, { links: view.links, limit: maxOutputLength });
  setOutput("answer", markdown);
  const sources = listSources(view.sources, view.links);
  setOutput("sources", JSON.stringify(sources));
  return { outcome: "answered", message: "The assistant answered.", summary };
}

function describeSkip(result: AssistantResult & { outcome: "skipped" }): StepEnd<"assistant"> {
  const { reason, message, wouldSend } = result;
  const request = wouldSend && `\n${codeBlock(JSON.stringify(wouldSend.request, undefined, 2))}\n`;
  const summary = `${renderSkipped({ command: "assistant", message })}${request ?? ""}`;
  return { outcome: "skipped", message, summary, skipReason: reason };
}

/** @throws what is no outcome of its own: an answer that is none at all. */
function describeFailure(failure: ActionError): Pick<StepEnd<"assistant">, "outcome" | "message"> {
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
