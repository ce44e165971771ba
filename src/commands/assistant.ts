/** The assistant command: question → claim → streamed answer in one comment. */
import type { Clock, Log } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import type { AssistantQuestion } from "../client/assistant-stream.ts";
import type { CollectedAnswer } from "../client/collect-answer.ts";
import type { KnownClaim } from "../github/claim-store.ts";
import { triggerKey } from "../github/claim-store.ts";
import type { GitHubError } from "../github/errors.ts";
import type { GateDecision } from "../github/gate.ts";
import type { TextState } from "../github/trigger-text.ts";
import { answerInThread } from "./assistant/answer-in-thread.ts";
import type { AnswerStores, ShownAnswer } from "./assistant/answer-interface.ts";
import { type AskDeps, askAssistant } from "./assistant/ask-assistant.ts";
import { composeQuestion, fingerprintOf, type QuestionFields } from "./assistant/compose-question.ts";
import type { AskWatcher } from "./assistant/grow-answer.ts";
import { type EventQuestion, type QuestionOptions, readQuestion } from "./assistant/question-from-event.ts";
import { type ClaimDraft, draftRecord } from "./submission/draft-record.ts";
import type { ClaimOwner } from "./submission/judge-claims.ts";
import { objectToChangedText } from "./submission/object-to-changed-text.ts";

export interface AssistantOptions extends QuestionOptions, QuestionFields {
  /** The conversation that a user wants to go on with. */
  readonly threadId: string | undefined;
  readonly dryRun: boolean;
  readonly owner: ClaimOwner;
  readonly runUrl: string;
  readonly repositoryId: string;
  /** Name of the thread that the event belongs to: `issue:12`. */
  readonly thread: string | undefined;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

/** What the command needs of GitHub. */
export interface AssistantGitHub {
  readonly checkGate: () => Promise<GateDecision>;
  /** Shows that the question was seen; its failure is only worth a warning. */
  readonly acknowledge: () => Promise<void>;
  readonly compareWithLiveText: () => Promise<TextState>;
  /** The comments to answer in; `undefined` where there is no thread, or no comment is wanted. */
  readonly openStores: ((draft: ClaimDraft, shown: ShownAnswer) => Promise<AnswerStores>) | undefined;
}

export interface AssistantDeps extends Omit<AskDeps, keyof AskWatcher> {
  readonly github: AssistantGitHub;
  /** Called with every state that is written down, for the post step. */
  readonly onRecord: (claim: KnownClaim) => void;
  readonly clock: Clock;
  readonly log: Log;
}

export type AssistantResult =
  | {
      readonly outcome: "skipped";
      readonly reason: string;
      readonly message: string;
      readonly wouldSend?: AssistantQuestion;
      /** The comment of the run that answered, or does. */
      readonly commentUrl?: string | undefined;
      readonly threadId?: string | undefined;
    }
  | {
      /** Whether the answer is whole, its `failure` says. */
      readonly outcome: "ended";
      readonly draft: ClaimDraft;
      readonly answer: CollectedAnswer;
      readonly commentUrl: string | undefined;
      /** Why the comment does not show how it ended. */
      readonly unshown: GitHubError | undefined;
    };

/**
 * Answers the question of an event, or of the inputs.
 *
 * @throws {InputError} for a request that the specification does not allow.
 * @throws {PlatformError} when the platform gives no answer.
 */
export async function runAssistant(options: AssistantOptions, deps: AssistantDeps): Promise<AssistantResult> {
  const reading = readQuestion(options);
  if (reading.kind === "skip")
    return { outcome: "skipped", reason: reading.reason, message: reading.message };
  const compose = createComposer(reading, options);
  const gate = await deps.github.checkGate();
  if (!gate.allowed) {
    return { outcome: "skipped", reason: gate.code, message: `Not permitted: ${gate.reason}.` };
  }
  if (options.dryRun) {
    const wouldSend = compose(options.threadId);
    return { outcome: "skipped", reason: "dry-run", message: "Dry run: nothing was sent.", wouldSend };
  }
  if (options.version === "v1") {
    deps.log.notice(
      "The platform's v1 assistant endpoint is deprecated; `api-version: v2` uses its successor where the platform has it.",
    );
  }
  return answerQuestion(reading, options, { ...deps, compose });
}

/** Composes at once, so that a request that is not allowed is refused before anything happens. */
function createComposer(question: EventQuestion, options: AssistantOptions) {
  const fp = fingerprintOf(options.repositoryId, options.thread);
  const id = `ask-${triggerOf(question, options).slice(0, 24)}`;
  const fields = { ...options, context: [...options.context, ...question.context] };
  const compose = (threadId: string | undefined) =>
    composeQuestion(fields, { id, fp, threadId, text: question.text });
  compose(options.threadId);
  return compose;
}

function triggerOf(
  { family, subject, body }: EventQuestion,
  { repositoryId, domain }: AssistantOptions,
): string {
  return triggerKey({ repositoryId, family, subject, body, command: "assistant", target: domain });
}

type Composer = ReturnType<typeof createComposer>;

async function answerQuestion(
  question: EventQuestion,
  options: AssistantOptions,
  deps: AssistantDeps & { readonly compose: Composer },
): Promise<AssistantResult> {
  const { github } = deps;
  const draft = draftOf(question, options);
  const ask = (threadId: string | undefined, watcher: AskWatcher) =>
    askAssistant(
      {
        compose: deps.compose,
        threadId: options.threadId ?? threadId,
        isThreadGiven: options.threadId !== undefined,
        deadlineMs: options.deadlineMs,
      },
      { ...deps, ...watcher },
    );
  if (github.openStores === undefined) {
    const objection = await objectTo(question, deps);
    if (objection !== undefined) return { outcome: "skipped", ...objection };
    await acknowledge(deps);
    const answer = await ask(undefined, { onText: () => undefined, onQueued: async () => undefined });
    return { outcome: "ended", draft, answer, commentUrl: undefined, unshown: undefined };
  }
  const shown: ShownAnswer = { state: "asking", text: "", answer: undefined };
  const stores = await github.openStores(draft, shown);
  const onFree = async () => (await objectTo(question, deps)) ?? acknowledge(deps);
  const result = await answerInThread(
    { owner: options.owner, deadlineMs: options.deadlineMs, draft, shown },
    { ...deps, stores, ask, onFree },
  );
  if (result.kind === "skipped") {
    const { reason, message, claim } = result;
    return { outcome: "skipped", reason, message, commentUrl: claim?.url, threadId: claim?.record.threadId };
  }
  const { answer, commentUrl, unshown } = result;
  return { outcome: "ended", draft, answer, commentUrl, unshown };
}

function draftOf(question: EventQuestion, options: AssistantOptions): ClaimDraft {
  const { event, domain, runUrl } = options;
  const { text: request, notes } = question;
  const trigger = triggerOf(question, options);
  return draftRecord({ command: "assistant", target: domain, trigger, event, runUrl, request, notes });
}

async function objectTo({ origin }: EventQuestion, { github }: AssistantDeps) {
  return origin === "written" ? objectToChangedText(await github.compareWithLiveText()) : undefined;
}

async function acknowledge({ github, log, signal }: AssistantDeps): Promise<undefined> {
  try {
    await github.acknowledge();
  } catch (error) {
    signal.throwIfAborted();
    log.warning(messageOf(error));
  }
}
