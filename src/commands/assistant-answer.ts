/** A permitted question to the assistant: composes its request, claims it, sends it until an answer begins, and reports the answer. */
import { createHash, randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import * as z from "zod/mini";
import { InputError, InterruptedError, messageWithHint } from "../base/errors.ts";
import { stripInvisibleCharacters } from "../base/invisible-characters.ts";
import { newestWithinTimeLimit } from "../base/markdown-cost.ts";
import { rateLimitDelayMs } from "../base/retry.ts";
import { configureSchemas } from "../base/schemas.ts";
import { looksRandom } from "../base/secrets.ts";
import { messageOf, normalizeLineEndings, shorten } from "../base/text.ts";
import { anonymousFingerprint, assistantPath, ContextItem } from "../client/assistant-contract.ts";
import {
  type AssistantQuestion,
  type AssistantStream,
  openAssistantStream,
} from "../client/assistant-stream.ts";
import { type CollectedAnswer, collectAnswer } from "../client/collect-answer.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import { readClaims, type StoredClaim, threadKey, triggerKey } from "../github/claims.ts";
import { filterUnedited, pickConversation } from "../github/comments.ts";
import { GitHubError } from "../github/errors.ts";
import type { GitHubEvent, RunContext, Thread } from "../github/event.ts";
import { refuseUnpermitted } from "../github/gate.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import { keepVisibleText } from "../github/visible-text.ts";
import {
  type AskedQuestion,
  describeAnswer,
  readShownAnswer,
  renderAnswerSummary,
  stopReasons,
} from "../presentation/answer-comment.ts";
import { type AllowedLinks, sanitizeAnswer } from "../presentation/sanitize-answer.ts";
import { answerStateOf, LiveAnswer, renderRecord } from "./assistant-comment.ts";
import { type ClaimDraft, draftRecord, findThreadLocation } from "./claim.ts";
import { openClaimLease } from "./claim-lease.ts";
import type { GitHubConnection } from "./connect-github.ts";
import { connectPlatform } from "./connect-platform.ts";
import { type AssistantInputs, embeddedDomain } from "./inputs.ts";
import { describeRemoval } from "./prompt.ts";
import { react, refuseChangedText, replyWithHint, showProgress } from "./reply.ts";
import type { EventRequest } from "./request-from-event.ts";
import { type CommandResult, describeDryRun, type Run, type Skip } from "./run.ts";
import { applyUserLimit } from "./user-limit.ts";
import { readPromptInput, resolveDocsDir, workspaceOf } from "./workspace.ts";

export interface AssistantRun {
  readonly inputs: AssistantInputs;
  readonly github: GitHubConnection;
  readonly run: Run;
  readonly triggerPhrases: TriggerPhrases;
}

type AssistantResult = CommandResult<"assistant"> | Skip;

/** An earlier question and its answer. */
interface Turn {
  /** Constant: the same question has the same id in every request. */
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

interface Conversation {
  readonly threadId: string | undefined;
  /** Oldest first. */
  readonly turns: readonly Turn[];
}

const newConversation: Conversation = { threadId: undefined, turns: [] };

/**
 * Answers a permitted question, unless another run did or does. Without a thread to answer on, the answer is only in the summary and the
 * outputs.
 *
 * @throws {InputError} for context items that the specification does not allow, before anything is sent.
 * @throws {PlatformError} when the platform does not answer.
 */
export async function answerQuestion(
  question: EventRequest,
  assistant: AssistantRun,
): Promise<AssistantResult> {
  const { inputs, github, run, triggerPhrases } = assistant;
  const { repository } = github.context;
  const context = [...(await readContextItems(inputs.contextItems)), ...codeContextOf(github.event)];
  // A `pull_request` event has a thread too.
  const thread = findThreadLocation(github.event)?.thread;
  const domain = inputs.domain ?? embeddedDomain;
  const site = { command: "assistant", target: domain } as const;
  const trigger = triggerKey({ ...question, ...site, repositoryId: repository.id });
  const fp = fingerprintOf(repository.id, thread && threadKey(thread));
  const content = {
    domain,
    id: `ask-${trigger.slice(0, 24)}`,
    text: question.instruction.trim(),
    fp,
    context,
  };
  if (inputs.dryRun) return describeQuestion(inputs, content);
  if (inputs.apiVersion === "v1" && inputs.baseUrl !== "local") {
    run.log.notice(
      "The platform's v1 assistant endpoint is deprecated; `api-version: v2` uses its successor, if the platform has it.",
    );
  }
  const notes = describeRemoval(question.removed, "the question");
  const identity = { ...site, trigger, runUrl: github.context.runUrl, triggerPhrase: triggerPhrases[0] };
  const draft = draftRecord(identity, content.text, notes, github.event);
  return showProgress(assistant, () => claimAndAsk(question.source, draft, content, assistant));
}

/** Claims a question, asks it, and shows the answer in one comment of its thread, if it has one. */
async function claimAndAsk(
  source: EventRequest["source"],
  draft: ClaimDraft,
  content: QuestionContent,
  assistant: AssistantRun,
): Promise<AssistantResult> {
  const { inputs, github, run } = assistant;
  const { domain } = content;
  const location = inputs.statusComment ? findThreadLocation(github.event) : undefined;
  const filesUrl = inputs.baseUrl === "local" ? filesUrlOf(github.context, inputs.docsDir) : undefined;
  await using platform = await connectAssistant(filesUrl, inputs, run);
  const links = allowedLinksOf(domain, filesUrl);
  const asked: AskedQuestion = { ...draft, links, triggerPhrase: location && draft.triggerPhrase };
  const lease = location && (await openClaimLease(draft, location, github, run, renderRecord));
  const live = lease && new LiveAnswer(lease, asked, run);

  const refuseChanged = async () => {
    const refusal = source === "text" ? await refuseChangedText(github) : undefined;
    if (refusal?.hint !== undefined) await replyWithHint(refusal.hint, inputs, github, run);
    return refusal;
  };
  const refusal =
    (await live?.findEarlier()) ??
    (await refuseChanged()) ??
    (lease && (await applyUserLimit(draft, lease, assistant)));
  if (refusal !== undefined) {
    await lease?.releaseEarlierAttempts(refusal);
    return refusal;
  }
  // `thread-id` may name a conversation of another thread.
  const isContinued = location && inputs.threadId === undefined;
  const conversation = isContinued
    ? await readConversation(location.thread, domain, assistant)
    : newConversation;
  const refuse = async () => (await refuseUnpermitted(inputs, github)) ?? (await refuseChanged());
  try {
    const otherRun = await live?.claim();
    if (otherRun !== undefined) return otherRun;
    const question = { inputs, content, conversation, refuse };
    const answer = await askAssistant(question, platform, live, run);
    if ("reason" in answer) {
      await live?.withdraw(answer);
      await react(github, run, "CONFUSED");
      return answer;
    }
    const showError = await live?.end(answer);
    return describeResult(answer, asked, lease?.claim.url, showError, run);
  } catch (error) {
    await live?.fail(error);
    throw error;
  }
}

/**
 * The command-line form of `assistant`: asks one question without an event, a thread, permissions or records.
 *
 * @throws {InputError} without a question.
 * @throws {PlatformError} when the platform does not answer.
 */
export async function askDirectly(inputs: AssistantInputs, run: Run): Promise<AssistantResult> {
  const { domain = embeddedDomain } = inputs;
  const text = readPromptInput(inputs, run);
  if (text === undefined) throw new InputError(["`prompt` is missing: the question."]);
  const context = await readContextItems(inputs.contextItems);
  const content = { domain, id: `ask-${randomUUID()}`, text, fp: anonymousFingerprint, context };
  if (inputs.dryRun) return describeQuestion(inputs, content);
  // Without the address of a published site, links lead to the documents on this machine.
  const hasFiles = inputs.baseUrl === "local" && inputs.domain === undefined;
  const folder = hasFiles ? resolveDocsDir(inputs.docsDir, workspaceOf(run)) : undefined;
  const filesUrl = folder && pathToFileURL(folder).href;
  await using platform = await connectAssistant(filesUrl, inputs, run);
  const question = { inputs, content, conversation: newConversation };
  const answer = await askAssistant(question, platform, undefined, run);
  if ("reason" in answer) return answer;
  const shown = { request: text, links: allowedLinksOf(domain, filesUrl), triggerPhrase: undefined };
  return describeResult(answer, shown, undefined, undefined, run);
}

function describeQuestion(inputs: AssistantInputs, content: QuestionContent): Skip {
  const { version, domain, request } = composeQuestion(inputs, content, newConversation);
  const path = assistantPath(version, domain);
  return describeDryRun("assistant", `POST ${path}`, JSON.stringify(request, null, 2));
}

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
 * @param conversation the conversation that the question continues, unless the input `thread-id` names another one
 */
export function composeQuestion(
  inputs: AssistantInputs,
  { domain, id, text, fp, context }: QuestionContent,
  { threadId: continued, turns }: Conversation,
): AssistantQuestion {
  const { apiVersion: version, retrievalPageSize, currentPath } = inputs;
  // The embedded platform forgets its conversations with each run.
  const threadId = inputs.baseUrl === "local" ? undefined : (inputs.threadId ?? continued);
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
 * Reads `context-items`, a YAML or JSON list.
 *
 * @throws {InputError} naming every item that violates the specification.
 */
export async function readContextItems(text: string | undefined): Promise<ContextItem[]> {
  if (text === undefined) return [];
  const { parse } = await import("yaml");
  let items: unknown;
  try {
    items = parse(text);
  } catch (error) {
    throw new InputError([`\`context-items\` is neither YAML nor JSON: ${messageOf(error)}`]);
  }
  configureSchemas();
  const { data, error } = z.array(ContextItem).safeParse(items);
  if (data !== undefined) return data;
  throw new InputError([...new Set(error.issues.map(describeItemProblem))]);
}

function describeItemProblem({ code, path, ...issue }: z.core.$ZodIssue): string {
  const [index, field] = path;
  if (index === undefined) return "`context-items` must be a list of items with `type` and `value`.";
  const start = `Item ${Number(index) + 1} of \`context-items\``;
  if (field === "type") return `${start} needs \`type: code\` or \`type: textSelection\`.`;
  if (field !== undefined) return `${start} needs a text as \`${String(field)}\`.`;
  if (code !== "unrecognized_keys" || !("keys" in issue)) return `${start} must have \`type\` and \`value\`.`;
  return `${start} has a field that does not exist: ${issue.keys.join(", ")}.`;
}

/** The lines of code that a review comment is attached to, without invisible characters. */
export function codeContextOf(event: GitHubEvent): ContextItem[] {
  const location = event.type === "text" ? event.location : undefined;
  if (location === undefined) return [];
  const visible = (source: string) => stripInvisibleCharacters(source).text;
  return [{ type: "code", value: visible(location.hunk), path: visible(location.path) }];
}

/**
 * The fingerprint of a conversation: the same for every question and user of a thread, without a name; `anonymous` without a thread.
 */
export function fingerprintOf(repositoryId: string, thread: string | undefined): string {
  if (thread === undefined) return anonymousFingerprint;
  const digest = createHash("sha256").update(`docs-automation\n${repositoryId}\n${thread}`).digest("hex");
  return `thread-${digest.slice(0, 32)}`;
}

/** The address of the documents as files of the commit of this run. */
function filesUrlOf({ repository, sha, serverUrl }: RunContext, docsDir: string): string {
  const folder = docsDir.replace(/^(?:\.\/)+|\/+$/g, "");
  const path = folder === "" || folder === "." ? "" : `${folder}/`;
  const address = `/${repository.owner}/${repository.name}/blob/${sha || "HEAD"}/${path}`;
  return new URL(address, serverUrl).href;
}

/** Allows links below the address of the documentation, which is unknown if the domain identifier is not a host name. */
function allowedLinksOf(domain: string, filesUrl: string | undefined): AllowedLinks {
  const isHost = domain.includes(".") && URL.canParse(`https://${domain}/`);
  const baseUrl = filesUrl ?? (isHost ? `https://${domain}/` : undefined);
  return { baseUrl, allowed: baseUrl === undefined ? [] : [baseUrl] };
}

/** Connects to the platform. The embedded one uses the model that environment variables name, and links to documents as files. */
async function connectAssistant(filesUrl: string | undefined, inputs: AssistantInputs, run: Run) {
  const { domain = embeddedDomain } = inputs;
  if (inputs.baseUrl !== "local") return connectPlatform(inputs, run, { domain });
  const { readModelOptions } = await import("../server/assistant/model-options.ts");
  const model = readModelOptions(run.environment);
  if (model?.apiKey !== undefined) run.maskSecret(model.apiKey);
  const links = filesUrl === undefined ? undefined : ({ kind: "files", baseUrl: filesUrl } as const);
  return connectPlatform(inputs, run, { domain, assistant: { links, model } });
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
async function readConversation(
  thread: Thread,
  site: string,
  { github, run }: AssistantRun,
): Promise<Conversation> {
  const { comments } = await github.listComments();
  const ownership = await github.readOwnership();
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
    run.log.warning(
      `The question is sent without the earlier questions of its thread: ${messageWithHint(error)}`,
    );
    return { threadId, turns: [] };
  }
}

/** The newest turns within the limits, without content that GitHub does not show. */
async function readNewestTurns(claims: readonly StoredClaim[], run: Run): Promise<Turn[]> {
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

interface QuestionToSend {
  readonly inputs: AssistantInputs;
  readonly content: QuestionContent;
  readonly conversation: Conversation;
  /** Called after each wait for the rate limit: why the question may no longer be sent. */
  readonly refuse?: () => Promise<Skip | undefined>;
}

/**
 * Sends the question until an answer begins, and reads the answer to its end. A problem of the answer itself is its `failure`. Returns
 * a refusal if the question may no longer be sent.
 *
 * @param live shows the growing answer, and each wait for the platform's rate limit
 * @throws {PlatformError} when no answer begins; {ActionError} `timed-out` or `cancelled` when the run ends first.
 */
export async function askAssistant(
  question: QuestionToSend,
  platform: Pick<PlatformClient, "open">,
  live: Pick<LiveAnswer, "showText" | "showQueued"> | undefined,
  run: Run,
): Promise<CollectedAnswer | Skip> {
  const stream = await openWithinRateLimit(question, platform, live, run);
  if ("reason" in stream) return stream;
  if (stream.threadKey !== undefined && looksRandom(stream.threadKey)) run.maskIssued(stream.threadKey);
  const onText = (text: string) => live?.showText(text);
  // The run's own signal aborts later than the deadline, so that the comment can still be written.
  const ended = new AbortController();
  const signal = AbortSignal.any([run.signal, ended.signal]);
  const message = "`timeout-minutes` has passed while the assistant answered.";
  const hint = "Ask again, or raise `timeout-minutes`.";
  run.clock.sleep(Math.max(0, run.deadlineMs - run.clock.now()), signal).then(
    () => ended.abort(new InterruptedError("timed-out", message, { hint })),
    () => undefined,
  );
  try {
    return removeInvisible(await collectAnswer(stream, { onText, signal }));
  } finally {
    ended.abort();
  }
}

/**
 * Opens the stream; waits for the platform's rate limit within the run's deadline.
 *
 * @throws {PlatformError} when the wait would exceed the deadline, or the request fails for another reason.
 */
async function openWithinRateLimit(
  question: QuestionToSend,
  platform: Pick<PlatformClient, "open">,
  live: Pick<LiveAnswer, "showQueued"> | undefined,
  run: Run,
): Promise<AssistantStream | Skip> {
  const { inputs, content } = question;
  let { conversation } = question;
  const { clock, log, signal, deadlineMs } = run;
  const open = () => openAssistantStream(composeQuestion(inputs, content, conversation), platform);
  const openNewIfForgotten = () =>
    open().catch((error: unknown) => {
      const isForgotten = error instanceof PlatformError && error.code === "not-found";
      if (!isForgotten || conversation.threadId === undefined) throw error;
      log.info("The platform does not continue the thread's conversation; beginning a new one.");
      conversation = { ...conversation, threadId: undefined };
      return open();
    });
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await openNewIfForgotten();
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const waitMs = rateLimitDelayMs(error.retryAfterMs, refusals);
      if (error.code !== "rate-limited" || clock.now() + waitMs >= deadlineMs) throw error;
      const until = new Date(clock.now() + waitMs);
      const time = until.toISOString();
      log.notice(`The platform's rate limit for questions is reached; trying again at ${time}.`);
      await live?.showQueued(until);
      await clock.sleep(waitMs, signal);
      const refusal = await question.refuse?.();
      if (refusal !== undefined) return refusal;
    }
  }
}

/** Removes invisible characters, which a prompt injection may have produced; an answer without visible text is a failure. */
function removeInvisible(answer: CollectedAnswer): CollectedAnswer {
  const { text } = stripInvisibleCharacters(answer.text);
  const isShown = sanitizeAnswer(text, { baseUrl: undefined, allowed: [] }, 1000).markdown !== "";
  if (isShown || answer.failure !== undefined) return { ...answer, text };
  const message = "The assistant finished without any text that can be shown.";
  const hint = "Ask again in other words. If there is still no answer, contact the platform's operator.";
  const failure = new PlatformError("unexpected-response", message, { hint });
  return { ...answer, text: "", failure };
}

/**
 * Sets the outputs of an answer, and returns the result of the command.
 *
 * @param showError why the comment does not show the answer
 * @throws the failure of an answer, if the command has no outcome for it.
 */
function describeResult(
  answer: CollectedAnswer,
  asked: AskedQuestion,
  commentUrl: string | undefined,
  showError: unknown,
  { setOutput, log }: Run,
): CommandResult<"assistant"> {
  const { failure, threadId } = answer;
  if (threadId !== undefined) setOutput("threadId", threadId);
  const link = showError === undefined ? commentUrl : undefined;
  const summary = renderAnswerSummary(asked, answerStateOf(answer), link);
  if (failure !== undefined) {
    if (showError !== undefined)
      log.warning(`The comment could not be updated with the failure: ${messageWithHint(showError)}`);
    const { code, message } = failure;
    if (code === "cancelled" || code === "timed-out")
      return { outcome: code, message, summary, error: failure };
    if (code === "stream-cut") return { outcome: "failed", message, summary, error: failure };
    throw failure;
  }
  const { markdown, isShortened, sources } = describeAnswer(answer, asked.links);
  if (isShortened) log.warning("The answer is too long for the output `answer`; its end is left out.");
  if (answer.stoppedBy) log.warning(`The answer stops early: ${stopReasons[answer.stoppedBy]}`);
  setOutput("answer", markdown);
  setOutput("sources", JSON.stringify(sources));
  if (showError === undefined) return { outcome: "answered", message: "The assistant answered.", summary };
  if (!(showError instanceof GitHubError)) throw showError;
  // The requester still waits for an answer on the thread.
  const message = `The assistant answered, but the comment could not show it: ${showError.message}`;
  const { code, hint, status } = showError;
  const error = new GitHubError(code, message, { hint, status, cause: showError });
  return { outcome: "failed", message, summary, error };
}
