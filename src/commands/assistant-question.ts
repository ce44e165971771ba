/** A permitted question to the assistant: its request, its claim, and its answer in one comment. */
import { createHash, randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import * as z from "zod/mini";
import { InputError } from "../base/errors.ts";
import { configureSchemas } from "../base/schemas.ts";
import { messageOf } from "../base/text.ts";
import { anonymousFingerprint, assistantPath, ContextItem } from "../client/assistant-contract.ts";
import type { AssistantQuestion } from "../client/assistant-stream.ts";
import type { CollectedAnswer } from "../client/collect-answer.ts";
import { triggerKey } from "../github/claim-store.ts";
import { threadKey } from "../github/comment-claims.ts";
import { GitHubError } from "../github/errors.ts";
import type { GitHubEvent, RunContext } from "../github/event.ts";
import { stripInvisibleCharacters } from "../github/invisible-characters.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import type { AskedQuestion } from "../presentation/answer-comment.ts";
import type { AllowedLinks } from "../presentation/sanitize-answer.ts";
import type { Conversation, Turn } from "./assistant-conversation.ts";
import { type ClaimDraft, draftRecord } from "./claim.ts";
import { openClaimLease } from "./claim-lease.ts";
import { findThreadLocation, type GitHubConnection, refuseUnpermitted } from "./connect-github.ts";
import { connectPlatform, embeddedDomain } from "./connect-platform.ts";
import type { AssistantInputs } from "./inputs.ts";
import { describeRemoval } from "./prompt.ts";
import { react, refuseChangedText, replyWithHint } from "./reply.ts";
import type { EventRequest } from "./request-from-event.ts";
import { type CommandResult, dryRunResult, type Run, type Skip } from "./run.ts";
import { applyUserLimit } from "./user-limit.ts";
import { readPromptInput, resolveDocsDir, workspaceOf } from "./workspace.ts";

type ThreadLocation = ReturnType<typeof findThreadLocation>;

interface AssistantRun {
  readonly inputs: AssistantInputs;
  readonly github: GitHubConnection;
  readonly run: Run;
  readonly triggerPhrases: TriggerPhrases;
}

/** The lines of code that a review comment is attached to, without invisible characters. */
export function codeContextOf(event: GitHubEvent): ContextItem[] {
  const location = event.type === "text" ? event.location : undefined;
  if (location === undefined) return [];
  const visible = (source: string) => stripInvisibleCharacters(source).text;
  return [{ type: "code", value: visible(location.hunk), path: visible(location.path) }];
}

/**
 * Answers a permitted question, unless another run did or does.
 *
 * @throws {InputError} for context items that the specification does not allow, before anything is sent.
 * @throws {PlatformError} when the platform does not answer.
 */
export async function answerQuestion(
  question: EventRequest,
  assistant: AssistantRun,
): Promise<CommandResult<"assistant"> | Skip> {
  const { inputs, github, run } = assistant;
  const { repository, runUrl } = github.context;
  const context = [...(await readContextItems(inputs.contextItems)), ...codeContextOf(github.event)];
  // A `pull_request` event has a thread too.
  const location = findThreadLocation(github);
  const domain = inputs.domain ?? embeddedDomain;
  const identity = { command: "assistant", target: domain } as const;
  const trigger = triggerKey({ ...question, ...identity, repositoryId: repository.id });
  const text = question.instruction.trim();
  const fp = fingerprintOf(repository.id, location && threadKey(location.thread));
  const content = { domain, id: `ask-${trigger.slice(0, 24)}`, text, fp, context };
  if (inputs.dryRun) return describeDryRun(composeQuestion(inputs, content, inputs.threadId));
  await react(github, run, "EYES");
  if (inputs.apiVersion === "v1") {
    run.log.notice(
      "The platform's v1 assistant endpoint is deprecated; `api-version: v2` uses its successor, if the platform has it.",
    );
  }
  const notes = describeRemoval(question.removed, "the question");
  const draft = draftRecord({ ...identity, trigger, runUrl }, text, notes, github.event);
  const { source } = question;
  try {
    const shown = inputs.statusComment ? location : undefined;
    return await claimAndAsk({ source, content, draft }, shown, assistant);
  } catch (error) {
    await react(github, run, "CONFUSED");
    throw error;
  }
}

function describeDryRun({ version, domain, request }: AssistantQuestion) {
  const path = assistantPath(version, domain);
  return dryRunResult("assistant", `POST ${path}`, JSON.stringify(request, null, 2));
}

interface PreparedQuestion extends Pick<EventRequest, "source"> {
  readonly content: QuestionContent;
  readonly draft: ClaimDraft;
}

/** @param location the thread of the answer; without one, the answer is only in the summary and the outputs */
async function claimAndAsk(
  { source, content, draft }: PreparedQuestion,
  location: ThreadLocation,
  assistant: AssistantRun,
): Promise<CommandResult<"assistant"> | Skip> {
  const { inputs, github, run, triggerPhrases } = assistant;
  const { domain } = content;
  // It loads a Markdown parser, so it is loaded only for a question that is sent.
  const { LiveAnswer, renderRecord } = await import("./assistant-comment.ts");
  const files = inputs.baseUrl === "local" ? fileLinks(github.context, inputs.docsDir) : undefined;
  await using platform = await connectPlatform(inputs, run, {
    domain,
    assistant: files && { links: files, model: await readModel(run) },
  });

  const links = allowedLinksOf(domain, files?.baseUrl);
  const asked: AskedQuestion = { ...draft, links, triggerPhrase: location && triggerPhrases[0] };
  const lease =
    location && (await openClaimLease(draft, location, github, run, (record) => renderRecord(asked, record)));
  const live = lease && new LiveAnswer(lease, asked, run);

  const refuseChanged = async () => (source === "text" ? await refuseEdited(assistant) : undefined);
  const refusal =
    (await live?.findEarlier()) ??
    (await refuseChanged()) ??
    (lease && (await applyUserLimit(draft, lease, assistant)));
  if (refusal !== undefined) return refusal;
  const isThreadGiven = inputs.threadId !== undefined;
  const { readConversation } = await import("./assistant-conversation.ts");
  // `thread-id` may name a conversation of another thread.
  const { threadId, turns }: Conversation =
    location && !isThreadGiven
      ? await readConversation(location.thread, domain, github, run)
      : { threadId: inputs.threadId, turns: [] };
  const compose = (continued: string | undefined) => composeQuestion(inputs, content, continued, turns);
  const refuse = async () =>
    (await refuseUnpermitted(inputs, github, "No longer permitted")) ?? (await refuseChanged());
  try {
    const otherRun = await live?.claim();
    if (otherRun !== undefined) return otherRun;
    const { askAssistant } = await import("./assistant-answer.ts");
    const question = { compose, threadId, isThreadGiven, refuse };
    const answer = await askAssistant(question, platform, live, run);
    if ("reason" in answer) {
      await live?.withdraw(answer);
      await react(github, run, "CONFUSED");
      return answer;
    }
    const showError = await live?.end(answer);
    await react(github, run, answer.failure === undefined ? "THUMBS_UP" : "CONFUSED");
    return await describeResult(answer, asked, lease?.claim.url, showError, run);
  } catch (error) {
    await live?.fail(error);
    throw error;
  }
}

async function refuseEdited({ inputs, github, run }: AssistantRun) {
  const refusal = await refuseChangedText(github);
  if (refusal?.hint !== undefined) await replyWithHint(refusal.hint, inputs, github, run);
  return refusal;
}

/** For the embedded platform: links to the documents as files of the commit of this run. */
function fileLinks({ repository, sha, serverUrl }: RunContext, docsDir: string) {
  const folder = docsDir.replace(/^(?:\.\/)+|\/+$/g, "");
  const path = folder === "" || folder === "." ? "" : `${folder}/`;
  const address = `/${repository.owner}/${repository.name}/blob/${sha || "HEAD"}/${path}`;
  return { kind: "files", baseUrl: new URL(address, serverUrl).href } as const;
}

/** Allows links below the address of the documentation, which is unknown if the domain identifier is not a host name. */
function allowedLinksOf(domain: string, filesUrl: string | undefined): AllowedLinks {
  const isHost = domain.includes(".") && URL.canParse(`https://${domain}/`);
  const baseUrl = filesUrl ?? (isHost ? `https://${domain}/` : undefined);
  return { baseUrl, allowed: baseUrl === undefined ? [] : [baseUrl] };
}

/** The model of the embedded platform's assistant, if environment variables name one; its key is masked. */
async function readModel({ environment, maskSecret }: Run) {
  const { readModelOptions } = await import("../server/assistant/model-options.ts");
  const model = readModelOptions(environment);
  if (model?.apiKey !== undefined) maskSecret(model.apiKey);
  return model;
}

/**
 * Sets the outputs of an answer, and returns the result of the command.
 *
 * @param showError why the comment does not show the answer
 * @throws the failure of an answer, if the command has no outcome for it.
 */
async function describeResult(
  answer: CollectedAnswer,
  asked: AskedQuestion,
  commentUrl: string | undefined,
  showError: unknown,
  { setOutput, log }: Run,
): Promise<CommandResult<"assistant">> {
  const { describeAnswer, renderAnswerSummary } = await import("../presentation/answer-comment.ts");
  const { answerStateOf, withQuestionHint } = await import("./assistant-comment.ts");
  const { failure, threadId } = answer;
  if (threadId !== undefined) setOutput("threadId", threadId);
  const link = showError === undefined ? commentUrl : undefined;
  const summary = renderAnswerSummary(asked, answerStateOf(answer), link);
  if (failure !== undefined) {
    if (showError !== undefined)
      log.warning(`The comment could not be updated with the failure: ${messageOf(showError)}`);
    const { code, message } = failure;
    const error = withQuestionHint(failure);
    if (code === "cancelled" || code === "timed-out") return { outcome: code, message, summary, error };
    if (code === "stream-cut") return { outcome: "failed", message, summary, error };
    throw failure;
  }
  const { markdown, isShortened, sources } = describeAnswer(answer, asked.links);
  if (isShortened) log.warning("The answer is too long for the output `answer`; its end is left out.");
  setOutput("answer", markdown);
  setOutput("sources", JSON.stringify(sources));
  const answered = { outcome: "answered", message: "The assistant answered.", summary } as const;
  if (showError === undefined) return answered;
  if (!(showError instanceof GitHubError)) throw showError;
  if (showError.code === "not-found") {
    log.warning("The comment was deleted while the answer arrived; the job summary shows it.");
    return answered;
  }
  // The requester still waits for an answer on the thread.
  const message = `The assistant answered, but the comment could not show it: ${showError.message}`;
  const { code, hint, status } = showError;
  const error = new GitHubError(code, message, { hint, status, cause: showError });
  return { outcome: "failed", message, summary, error };
}

/**
 * The command-line form of `assistant`: asks one question without an event, a thread, permissions or records.
 *
 * @throws {InputError} without a question.
 * @throws {PlatformError} when the platform does not answer.
 */
export async function askDirectly(inputs: AssistantInputs, run: Run): Promise<CommandResult<"assistant">> {
  const { threadId, baseUrl, domain = embeddedDomain } = inputs;
  const request = readPromptInput(inputs, run);
  if (request === undefined) throw new InputError(["`prompt` is missing: the question."]);
  const context = await readContextItems(inputs.contextItems);
  const content = { domain, id: `ask-${randomUUID()}`, text: request, fp: anonymousFingerprint, context };
  const compose = (continued: string | undefined) => composeQuestion(inputs, content, continued);
  if (inputs.dryRun) return describeDryRun(compose(threadId));
  const isLocal = baseUrl === "local";
  // Without the address of a published site, links lead to the documents on this machine.
  const folder = isLocal && inputs.domain === undefined && resolveDocsDir(inputs.docsDir, workspaceOf(run));
  const files = folder ? pathToFileURL(folder).href : undefined;
  const links = files === undefined ? undefined : ({ kind: "files", baseUrl: files } as const);
  await using platform = await connectPlatform(inputs, run, {
    domain,
    assistant: isLocal ? { links, model: await readModel(run) } : undefined,
  });
  const question = { compose, threadId, isThreadGiven: true };
  const { askAssistant } = await import("./assistant-answer.ts");
  const answer = await askAssistant(question, platform, undefined, run);
  const shown = { request, links: allowedLinksOf(domain, files), triggerPhrase: undefined };
  return describeResult(answer, shown, undefined, undefined, run);
}

/**
 * Reads `context-items`, a YAML or JSON list.
 *
 * @throws {InputError} naming every item that violates the specification.
 */
export async function readContextItems(text: string | undefined): Promise<ContextItem[]> {
  if (text === undefined) return [];
  const { parse } = await import("yaml");
  let items: unknown;
  try {
    items = parse(text, { maxAliasCount: 20 });
  } catch (error) {
    throw new InputError([`\`context-items\` is neither YAML nor JSON: ${messageOf(error)}`]);
  }
  configureSchemas();
  const { data, error } = z.array(ContextItem).safeParse(items);
  if (data !== undefined) return data;
  throw new InputError(
    error.issues.map(({ path, message }) => `\`context-items\` (${path.join(".") || "list"}): ${message}`),
  );
}

type QuestionInputs = Pick<
  AssistantInputs,
  "apiVersion" | "retrievalPageSize" | "filterVersion" | "filterLanguage" | "currentPath"
>;

interface QuestionContent {
  readonly domain: string;
  readonly id: string;
  readonly text: string;
  readonly fp: string;
  readonly context: readonly ContextItem[];
}

/**
 * Composes the request. The inputs were checked against the limits of the specification when they were read.
 *
 * @param turns earlier questions and answers of the same conversation, oldest first
 */
export function composeQuestion(
  inputs: QuestionInputs,
  { domain, id, text, fp, context }: QuestionContent,
  threadId: string | undefined,
  turns: readonly Turn[] = [],
): AssistantQuestion {
  const { apiVersion: version, retrievalPageSize, currentPath } = inputs;
  const filter = {
    ...(inputs.filterVersion !== undefined && { version: inputs.filterVersion }),
    ...(inputs.filterLanguage !== undefined && { language: inputs.filterLanguage }),
  };
  const toMessage = (id: string, role: "user" | "assistant", text: string) => ({
    id,
    role,
    content: text,
    parts: [{ type: "text" as const, text }],
  });
  const earlier = turns.flatMap(({ id, question, answer }) => [
    toMessage(`ask-${id}`, "user", question),
    toMessage(`answer-${id}`, "assistant", answer),
  ]);
  const messages = [...earlier, toMessage(id, "user", text)];
  const fields = {
    fp,
    retrievalPageSize,
    ...(threadId !== undefined && { threadId }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(currentPath !== undefined && { currentPath }),
    ...(context.length > 0 && { context: [...context] }),
  };
  return version === "v1"
    ? { version, domain, request: { ...fields, messages } }
    : { version, domain, request: { ...fields, messages: messages.map(({ content: _, ...each }) => each) } };
}

/**
 * The fingerprint of a conversation: the same for every question and user of a thread, without a name; `anonymous` without a thread.
 */
export function fingerprintOf(repositoryId: string, thread: string | undefined): string {
  if (thread === undefined) return anonymousFingerprint;
  const digest = createHash("sha256").update(`docs-automation\n${repositoryId}\n${thread}`).digest("hex");
  return `thread-${digest.slice(0, 32)}`;
}
