/** The assistant command: question → gate → claim → ask → an answer that grows in one comment. */
import { randomUUID } from "node:crypto";
import type { ClaimRecord } from "../base/claim-record.ts";
import { InputError } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import { anonymousFingerprint } from "../client/assistant-contract.ts";
import type { CollectedAnswer } from "../client/collect-answer.ts";
import { triggerKey } from "../github/claim-store.ts";
import { createCommentClaims, type ListedComments, type OwnershipDeps } from "../github/comment-claims.ts";
import { GitHubError } from "../github/errors.ts";
import type { RunContext } from "../github/event.ts";
import { readPhrases, type TriggerPhrases } from "../github/may-trigger.ts";
import { countRecentUses } from "../github/recent-uses.ts";
import { createRecordSigner, threadKey } from "../github/record-signer.ts";
import type { AskedQuestion } from "../presentation/answer-comment.ts";
import { codeBlock, pageLink } from "../presentation/markdown.ts";
import type { LinkPolicy } from "../presentation/sanitize-answer.ts";
import { renderSkipped } from "../presentation/summaries.ts";
import {
  composeQuestion,
  type EventQuestion,
  fingerprintOf,
  readContextItems,
  readQuestion,
} from "./assistant-question.ts";
import { type ClaimDraft, ClaimLease, createOwner, draftRecord } from "./claim.ts";
import {
  connectGitHub,
  findThread,
  type GitHubConnection,
  type Refusal,
  react,
  refuseChangedText,
  refuseOverLimit,
  refusePeople,
} from "./connect-github.ts";
import { connectPlatform, embeddedDomain } from "./connect-platform.ts";
import type { Conversation, Turn } from "./conversation.ts";
import type { AssistantInputs } from "./inputs.ts";
import { readGivenPrompt } from "./inside-workspace.ts";
import type { LiveAnswer } from "./live-answer.ts";
import { inputText } from "./read-inputs.ts";
import { giveHint } from "./reply.ts";
import type { CommandEnd, PostRun, Run } from "./run.ts";
import { type ClaimLocation, readSavedClaim } from "./saved-claim.ts";

/**
 * Answers the question of an event, or of the inputs, unless another run did or does.
 *
 * @throws {InputError} for a request that the specification does not allow, before anything happens.
 * @throws {PlatformError} when the platform gives no answer.
 */
export async function runAssistant(inputs: AssistantInputs, run: Run): Promise<CommandEnd<"assistant">> {
  const prompt = readGivenPrompt(inputs, run);
  const github = await connectGitHub(inputs, run);
  const triggerPhrases = readPhrases("assistant", inputs.triggerPhrase);
  const question = await readQuestion(github, triggerPhrases, prompt);
  if (question.kind === "skip") {
    if (question.hint !== undefined) await giveHint(question.hint, inputs, github, run);
    return skip(question, run);
  }
  const prepared = await prepareQuestion(question, inputs, github);
  const { request } = prepared.compose(inputs.threadId);

  const refusal = await refusePeople(inputs, github);
  if (refusal) return skip(refusal, run);
  if (inputs.dryRun) {
    const end = skip({ reason: "dry-run", message: "Dry run: nothing was sent." }, run);
    return { ...end, summary: `${end.summary}\n${codeBlock(JSON.stringify(request, null, 2))}\n` };
  }
  await react(github, run, "eyes");
  if (inputs.apiVersion === "v1") {
    run.log.notice(
      "The platform's v1 assistant endpoint is deprecated; `api-version: v2` uses its successor where the platform has it.",
    );
  }
  return answerQuestion(prepared, triggerPhrases, inputs, github, run);
}

/**
 * Asks one question for the person at a command line: without an event, a thread, its permissions and its records.
 *
 * @throws {InputError} without a question.
 * @throws {PlatformError} when the platform gives no answer.
 */
export async function askDirectly(inputs: AssistantInputs, run: Run): Promise<CommandEnd<"assistant">> {
  const { threadId, baseUrl, domain = embeddedDomain } = inputs;
  const request = readGivenPrompt(inputs, run);
  if (request === undefined) throw new InputError(["`prompt` is missing: the question."]);
  const context = await readContextItems(inputs.contextItems);
  const asked = { domain, id: `ask-${randomUUID()}`, text: request, fp: anonymousFingerprint, context };
  const compose = (continued: string | undefined) => composeQuestion(inputs, asked, continued);
  if (inputs.dryRun) {
    const summary = `${codeBlock(JSON.stringify(compose(threadId).request, null, 2))}\n`;
    return { outcome: "skipped", skipReason: "dry-run", message: "Dry run: nothing was sent.", summary };
  }
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

/** What is known of a question before it is claimed, and the request that asks it in a conversation. */
async function prepareQuestion(question: EventQuestion, inputs: AssistantInputs, github: GitHubConnection) {
  const { instruction: text, notes, origin } = question;
  const { repository, runUrl } = github.context;
  // A pull request that merely changed has a conversation too.
  const location = findThread(github);
  const thread = location?.thread;
  const domain = inputs.domain ?? embeddedDomain;
  const identity = { command: "assistant", target: domain } as const;
  const trigger = triggerKey({ ...question, ...identity, repositoryId: repository.id });
  const asked = {
    domain,
    id: `ask-${trigger.slice(0, 24)}`,
    text,
    fp: fingerprintOf(repository.id, thread && threadKey(thread)),
    context: [...(await readContextItems(inputs.contextItems)), ...question.context],
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

async function answerQuestion(
  { domain, location, origin, draft, compose }: Awaited<ReturnType<typeof prepareQuestion>>,
  triggerPhrases: TriggerPhrases,
  inputs: AssistantInputs,
  github: GitHubConnection,
  run: Run,
): Promise<CommandEnd<"assistant">> {
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
    (origin === "written" ? await refuseEdited(inputs, github, run) : undefined) ??
    (live && (await refuseOften(draft, live, records.ownership, inputs, github, run)));
  if (refusal !== undefined) return skip(refusal, run);
  const isThreadGiven = inputs.threadId !== undefined;
  // A conversation that a user names need not be the one of this thread.
  const { threadId, turns }: Conversation =
    records && !isThreadGiven
      ? await readConversation(await github.listComments(), location.thread, domain, records.ownership, run)
      : { threadId: inputs.threadId, turns: [] };
  const question = {
    compose: (continued: string | undefined) => compose(continued, turns),
    threadId,
    isThreadGiven,
  };
  try {
    const rival = await live?.claim();
    if (rival !== undefined) return skip(rival, run);
    const answer = await askAssistant(question, connection.platform, live, run);
    const unshown = await live?.end(answer);
    await react(github, run, answer.failure === undefined ? "+1" : "confused");
    return await describeEnd(answer, asked, lease?.claim.url, unshown, run);
  } catch (error) {
    await live?.fail(error);
    await react(github, run, "confused");
    throw error;
  }
}

async function refuseEdited(inputs: AssistantInputs, github: GitHubConnection, run: Run) {
  const refusal = await refuseChangedText(github);
  if (refusal?.hint !== undefined) await giveHint(refusal.hint, inputs, github, run);
  return refusal;
}

/** What the person's limit holds back; a comment says so once in an hour, a reaction each time. */
async function refuseOften(
  draft: ClaimDraft,
  live: LiveAnswer,
  ownership: OwnershipDeps,
  { limitPerUser }: AssistantInputs,
  github: GitHubConnection,
  run: Run,
): Promise<Refusal | undefined> {
  if (limitPerUser === undefined) return undefined;
  const refusal = refuseOverLimit(await countRecentUses(draft, ownership), limitPerUser);
  if (refusal === undefined) return undefined;
  if (!refusal.isTold) await live.holdBack(refusal.outcome, refusal.message);
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
async function openRecords(
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

/** A question that this run does not answer; a claim is the comment of the run that does. */
function skip({ reason, message, claim }: Refusal, { setOutput }: Run): CommandEnd<"assistant"> {
  if (claim?.record.threadId !== undefined) setOutput("threadId", claim.record.threadId);
  const summary = renderSkipped("assistant", message, pageLink("Comment", claim?.url));
  return { outcome: "skipped", message, summary, skipReason: reason };
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
): Promise<CommandEnd<"assistant">> {
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

/** The post step: says in the comment of a run that was killed that its answer will not be continued. */
export async function finishAssistant(run: PostRun): Promise<void> {
  const saved = readSavedClaim(run.state);
  if (saved?.location.kind !== "thread") return;
  const { location, record } = saved;
  const githubToken = inputText("github-token", run.environment)?.trim();
  const [triggerPhrase] = readPhrases("assistant", inputText("trigger-phrase", run.environment));
  const github = await connectGitHub({ githubToken }, run);
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
