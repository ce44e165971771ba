/** A question of people who may ask the assistant: the request that asks it, its claim, and its answer in one comment. */
import { createHash, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { ClaimRecord } from "../base/claim-record.ts";
import { InputError } from "../base/errors.ts";
import { configureSchemas } from "../base/schemas.ts";
import { messageOf } from "../base/text.ts";
import { anonymousFingerprint, assistantPath, ContextItem } from "../client/assistant-contract.ts";
import type { AssistantQuestion } from "../client/assistant-stream.ts";
import type { CollectedAnswer } from "../client/collect-answer.ts";
import { triggerKey } from "../github/claim-store.ts";
import {
  createCommentClaims,
  type ListedComments,
  type OwnershipDeps,
  threadKey,
} from "../github/comment-claims.ts";
import { GitHubError } from "../github/errors.ts";
import type { GitHubEvent, RunContext } from "../github/event.ts";
import { stripInvisibleCharacters } from "../github/invisible-characters.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import { countRecentUses } from "../github/recent-uses.ts";
import { createRecordSigner } from "../github/record-signer.ts";
import type { AskedQuestion } from "../presentation/answer-comment.ts";
import type { LinkPolicy } from "../presentation/sanitize-answer.ts";
import { type ClaimDraft, ClaimLease, createOwner, draftRecord } from "./claim.ts";
import { findThreadLocation, type GitHubConnection, type Refusal } from "./connect-github.ts";
import { connectPlatform, embeddedDomain } from "./connect-platform.ts";
import type { Conversation, Turn } from "./conversation.ts";
import type { AssistantInputs } from "./inputs.ts";
import type { LiveAnswer } from "./live-answer.ts";
import { describeRemoval } from "./prompt.ts";
import { react, refuseChangedText, refuseOverLimit, replyWithHint } from "./reply.ts";
import type { EventRequest } from "./request-from-event.ts";
import { type CommandResult, dryRunResult, type Run } from "./run.ts";
import type { ClaimLocation } from "./saved-claim.ts";
import { readPromptInput } from "./workspace.ts";

/** What the parts of one run of the assistant share. */
interface Assistant {
  readonly inputs: AssistantInputs;
  readonly github: GitHubConnection;
  readonly run: Run;
  readonly triggerPhrases: TriggerPhrases;
}

/** What is known of a question before it is claimed, and the request that asks it in a conversation. */
function prepareQuestion(
  question: EventRequest,
  context: readonly ContextItem[],
  { inputs, github }: Assistant,
) {
  const { instruction: text, origin } = question;
  const notes = describeRemoval(question.removed, "the question");
  const { repository, runUrl } = github.context;
  // A pull request that merely changed has a conversation too.
  const location = findThreadLocation(github);
  const thread = location?.thread;
  const domain = inputs.domain ?? embeddedDomain;
  const identity = { command: "assistant", target: domain } as const;
  const trigger = triggerKey({ ...question, ...identity, repositoryId: repository.id });
  const asked = {
    domain,
    id: `ask-${trigger.slice(0, 24)}`,
    text,
    fp: fingerprintOf(repository.id, thread && threadKey(thread)),
    context: [...context, ...codeOf(github.event)],
  };
  return {
    origin,
    domain,
    location: inputs.statusComment ? location : undefined,
    draft: draftRecord({ ...identity, trigger, runUrl }, text, notes, github.event),
    compose: (threadId: string | undefined, turns: readonly Turn[] = []) =>
      composeQuestion(inputs, { ...asked, turns }, threadId),
  };
}

/** The lines of code that a review comment stands at, without what is invisible. */
export function codeOf(event: GitHubEvent): ContextItem[] {
  const location = event.type === "written" ? event.location : undefined;
  if (location === undefined) return [];
  const visible = (source: string) => stripInvisibleCharacters(source).text;
  return [{ type: "code", value: visible(location.hunk), path: visible(location.path) }];
}

/**
 * Answers the question of people who may ask, unless another run did or does.
 *
 * @throws {InputError} for context items that the specification does not allow, before anything happens.
 * @throws {PlatformError} when the platform gives no answer.
 */
export async function answerQuestion(
  question: EventRequest,
  assistant: Assistant,
): Promise<CommandResult<"assistant"> | Refusal> {
  const { inputs, github, run } = assistant;
  const context = await readContextItems(inputs.contextItems);
  const prepared = prepareQuestion(question, context, assistant);
  if (inputs.dryRun) return describeDryRun(prepared.compose(inputs.threadId));
  await react(github, run, "eyes");
  if (inputs.apiVersion === "v1") {
    run.log.notice(
      "The platform's v1 assistant endpoint is deprecated; `api-version: v2` uses its successor where the platform has it.",
    );
  }
  return claimAndAsk(prepared, assistant);
}

function describeDryRun({ version, domain, request }: AssistantQuestion) {
  return dryRunResult(
    "assistant",
    `POST ${assistantPath(version, domain)}`,
    JSON.stringify(request, null, 2),
  );
}

async function claimAndAsk(
  { domain, location, origin, draft, compose }: ReturnType<typeof prepareQuestion>,
  assistant: Assistant,
): Promise<CommandResult<"assistant"> | Refusal> {
  const { inputs, github, run, triggerPhrases } = assistant;
  // A parser of Markdown comes with these: they are loaded only for a question that is going to be asked.
  const { LiveAnswer, renderRecord } = await import("./live-answer.ts");
  const { readConversation } = await import("./conversation.ts");
  const { askAssistant } = await import("./ask-assistant.ts");
  const files = inputs.baseUrl === "local" ? fileLinks(github.context, inputs.docsDir) : undefined;
  await using connection = await connectPlatform(inputs, run, {
    domain,
    assistant: files && { links: files, model: await readModel(run) },
  });

  const links = linkPolicyOf(domain, files?.baseUrl);
  const asked: AskedQuestion = { ...draft, links, triggerPhrase: location && triggerPhrases[0] };
  const render = (record: ClaimRecord) => renderRecord(asked, record);
  const records = location && (await openRecords(location, github, render, await github.listComments()));
  const lease = records && new ClaimLease(records, createOwner(github.context), draft, run);
  const live = lease && new LiveAnswer(lease, asked, run);

  const refusal =
    (await live?.findEarlier()) ??
    (origin === "written" ? await refuseEdited(assistant) : undefined) ??
    (live && (await refuseOften(draft, live, records.ownership, assistant)));
  if (refusal !== undefined) return refusal;
  const isThreadGiven = inputs.threadId !== undefined;
  // A conversation that a user names need not be the one of this thread.
  const { threadId, turns }: Conversation =
    records && !isThreadGiven
      ? await readConversation(await github.listComments(), location.thread, domain, records.ownership, run)
      : { threadId: inputs.threadId, turns: [] };
  const asking = {
    compose: (continued: string | undefined) => compose(continued, turns),
    threadId,
    isThreadGiven,
  };
  try {
    const rival = await live?.claim();
    if (rival !== undefined) return rival;
    const answer = await askAssistant(asking, connection.platform, live, run);
    const unshown = await live?.end(answer);
    await react(github, run, answer.failure === undefined ? "+1" : "confused");
    return await describeEnd(answer, asked, lease?.claim.url, unshown, run);
  } catch (error) {
    await live?.fail(error);
    await react(github, run, "confused");
    throw error;
  }
}

async function refuseEdited({ inputs, github, run }: Assistant) {
  const refusal = await refuseChangedText(github);
  if (refusal?.hint !== undefined) await replyWithHint(refusal.hint, inputs, github, run);
  return refusal;
}

/** What the person's limit holds back; a comment says so once in an hour, a reaction each time. */
async function refuseOften(
  draft: ClaimDraft,
  live: LiveAnswer,
  ownership: OwnershipDeps,
  { inputs: { limitPerUser }, github, run }: Assistant,
): Promise<Refusal | undefined> {
  if (limitPerUser === undefined) return undefined;
  const refusal = refuseOverLimit(await countRecentUses(draft, ownership), limitPerUser);
  if (refusal === undefined) return undefined;
  if (!refusal.isNotified) await live.recordRefusal(refusal.outcome, refusal.message);
  await react(github, run, "confused");
  return refusal;
}

/** The documents as files of the commit that runs; for the embedded platform. */
function fileLinks({ repository, sha, serverUrl }: RunContext, docsDir: string) {
  const folder = docsDir.replace(/^(?:\.\/)+|\/+$/g, "");
  const path = folder === "" || folder === "." ? "" : `${folder}/`;
  const address = `/${repository.owner}/${repository.name}/blob/${sha || "HEAD"}/${path}`;
  return { kind: "files", baseUrl: new URL(address, serverUrl).href } as const;
}

/** Links lead below the documentation's own address; a domain identifier that is no host name does not say it. */
function linkPolicyOf(domain: string, filesUrl: string | undefined): LinkPolicy {
  const isHost = domain.includes(".") && URL.canParse(`https://${domain}/`);
  const baseUrl = filesUrl ?? (isHost ? `https://${domain}/` : undefined);
  return { baseUrl, allowed: baseUrl === undefined ? [] : [baseUrl] };
}

/** The model of the embedded platform's assistant, where the job's environment names one; its key is masked. */
async function readModel({ environment, maskSecret }: Run) {
  const { readModelOptions } = await import("../server/assistant/model-options.ts");
  const model = readModelOptions(environment);
  if (model?.apiKey !== undefined) maskSecret(model.apiKey);
  return model;
}

/**
 * The records of this question in the comments of its thread.
 *
 * @param listed what is known of the thread; without it, what changed since the question
 */
export async function openRecords(
  location: Extract<ClaimLocation, { kind: "thread" }>,
  { api, shutdownApi, context, readIdentity, redact }: GitHubConnection,
  render: (record: ClaimRecord) => string,
  listed?: ListedComments,
) {
  const { thread, since } = location;
  // The assistant's key is public, so a signature made with it would prove nothing: records are believed for the account
  // that wrote them. A signature that every run can make keeps them whole, also when the key is replaced.
  const signer = createRecordSigner(`assistant of repository ${context.repository.id}`, redact);
  const ownership = { api, signer, identity: await readIdentity() };
  const options = { thread, since, listed };
  return {
    location,
    ownership,
    claims: createCommentClaims(options, { ...ownership, render }),
    shutdownClaims: createCommentClaims(options, { ...ownership, api: shutdownApi, render }),
  };
}

/**
 * Sets the outputs of an answer, and tells its end from its failure and from why the comment does not show it.
 *
 * @throws a failure that is no outcome of its own: an answer that is none at all.
 */
async function describeEnd(
  answer: CollectedAnswer,
  asked: AskedQuestion,
  commentUrl: string | undefined,
  unshown: unknown,
  { setOutput, log }: Run,
): Promise<CommandResult<"assistant">> {
  const { describeAnswer, renderAnswerSummary } = await import("../presentation/answer-comment.ts");
  const { answerStateOf, withQuestionHint } = await import("./live-answer.ts");
  const { failure, threadId } = answer;
  if (threadId !== undefined) setOutput("threadId", threadId);
  const summary = renderAnswerSummary(
    asked,
    answerStateOf(answer),
    unshown === undefined ? commentUrl : undefined,
  );
  if (failure !== undefined) {
    if (unshown !== undefined) log.warning(`The comment could not show how it ended: ${messageOf(unshown)}`);
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
  if (unshown === undefined) return answered;
  if (!(unshown instanceof GitHubError)) throw unshown;
  if (unshown.code === "not-found") {
    log.warning("The comment was deleted while the answer arrived; the job summary shows it.");
    return answered;
  }
  // The person who asked still waits for an answer on the thread.
  const message = `The assistant answered, but the comment could not show it: ${unshown.message}`;
  const { code, hint, status } = unshown;
  const error = new GitHubError(code, message, { hint, status, cause: unshown });
  return { outcome: "failed", message, summary, error };
}

/**
 * Asks one question for the person at a command line: without an event, a thread, its permissions and its records.
 *
 * @throws {InputError} without a question.
 * @throws {PlatformError} when the platform gives no answer.
 */
export async function askDirectly(inputs: AssistantInputs, run: Run): Promise<CommandResult<"assistant">> {
  const { threadId, baseUrl, domain = embeddedDomain } = inputs;
  const request = readPromptInput(inputs, run);
  if (request === undefined) throw new InputError(["`prompt` is missing: the question."]);
  const context = await readContextItems(inputs.contextItems);
  const asked = { domain, id: `ask-${randomUUID()}`, text: request, fp: anonymousFingerprint, context };
  const compose = (continued: string | undefined) => composeQuestion(inputs, asked, continued);
  if (inputs.dryRun) return describeDryRun(compose(threadId));
  await using connection = await connectPlatform(inputs, run, {
    domain,
    assistant: baseUrl === "local" ? { model: await readModel(run) } : undefined,
  });
  const question = { compose, threadId, isThreadGiven: true };
  const { askAssistant } = await import("./ask-assistant.ts");
  const answer = await askAssistant(question, connection.platform, undefined, run);
  const shown = { request, links: linkPolicyOf(domain, undefined), triggerPhrase: undefined };
  return describeEnd(answer, shown, undefined, undefined, run);
}

/**
 * Reads `context-items`, a YAML or JSON list.
 *
 * @throws {InputError} naming every item that is not as the specification has it.
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

export interface Asked {
  readonly domain: string;
  readonly id: string;
  readonly text: string;
  readonly fp: string;
  readonly context: readonly ContextItem[];
  /** What was asked and answered before in the same conversation, oldest first. */
  readonly turns?: readonly Turn[];
}

/** Composes the request. What the specification allows in its fields is checked where the inputs are read. */
export function composeQuestion(
  inputs: QuestionInputs,
  { domain, id, text, fp, context, turns = [] }: Asked,
  threadId: string | undefined,
): AssistantQuestion {
  const { apiVersion: version, retrievalPageSize, currentPath } = inputs;
  const filter = {
    ...(inputs.filterVersion !== undefined && { version: inputs.filterVersion }),
    ...(inputs.filterLanguage !== undefined && { language: inputs.filterLanguage }),
  };
  const say = (id: string, role: "user" | "assistant", text: string) => ({
    id,
    role,
    content: text,
    parts: [{ type: "text" as const, text }],
  });
  const earlier = turns.flatMap(({ id, question, answer }) => [
    say(`ask-${id}`, "user", question),
    say(`answer-${id}`, "assistant", answer),
  ]);
  const messages = [...earlier, say(id, "user", text)];
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
 * The same for every question of a thread, without any name; `anonymous` without a thread. People are not told apart,
 * because a thread is one conversation.
 */
export function fingerprintOf(repositoryId: string, thread: string | undefined): string {
  if (thread === undefined) return anonymousFingerprint;
  const digest = createHash("sha256").update(`docs-automation\n${repositoryId}\n${thread}`).digest("hex");
  return `thread-${digest.slice(0, 32)}`;
}
