/** What the assistant command needs of GitHub, made of a connection. */

import type { ClaimRecord } from "../../github/claim-store.ts";
import { createCommentClaims } from "../../github/comment-claims.ts";
import type { ThreadComments } from "../../github/comments.ts";
import { createThreadComments, pickConversation } from "../../github/comments.ts";
import type { WrittenEvent } from "../../github/event.ts";
import { createRecordSigner, type RecordSigner } from "../../github/record-signer.ts";
import { compareWithLiveText, reactWithEyes } from "../../github/trigger-text.ts";
import {
  type AnswerState,
  type AskedQuestion,
  noAnswer,
  renderAnswerComment,
} from "../../presentation/answer-comment.ts";
import type { LinkPolicy } from "../../presentation/sanitize-answer.ts";
import type { ShownAnswer } from "../assistant/answer-interface.ts";
import type { AssistantDeps, AssistantGitHub } from "../assistant.ts";
import { checkPeople, type GitHubConnection } from "../connect.ts";
import type { AssistantInputs } from "../inputs.ts";
import type { Run } from "../run.ts";
import { saveClaim } from "../saved-claim.ts";
import type { ClaimDraft } from "../submission/draft-record.ts";

interface AssistantGitHubOptions {
  readonly inputs: AssistantInputs;
  readonly connection: GitHubConnection;
  readonly links: LinkPolicy;
  readonly triggerPhrase: string;
}

/**
 * The assistant's key is public, so a signature made with it would prove nothing: records are believed for the account
 * that wrote them. A signature that every run can make keeps them whole, also when the key is replaced.
 */
export function assistantSeal(repositoryId: string): RecordSigner {
  return createRecordSigner(`assistant of repository ${repositoryId}`);
}

/** The thread's name in records and fingerprints; a pull request that merely changed has a conversation too. */
export function threadOf({ event }: GitHubConnection): WrittenEvent["thread"] | undefined {
  return event.type === "written" || event.type === "pull-request" ? event.thread : undefined;
}

export function createAssistantGitHub(
  options: AssistantGitHubOptions,
  { saveState }: Run,
): Pick<AssistantDeps, "github" | "onRecord"> {
  const { inputs, connection } = options;
  const { event, api } = connection;
  const thread = inputs.statusComment ? threadOf(connection) : undefined;
  const github: AssistantGitHub = {
    checkGate: () => checkPeople(inputs, connection),
    async acknowledge() {
      if (event.type === "written") await reactWithEyes(event, api);
    },
    compareWithLiveText: async () =>
      event.type === "written" ? compareWithLiveText(event, api) : "unchanged",
    openStores:
      thread === undefined ? undefined : (draft, shown) => openStores({ ...options, thread, draft, shown }),
  };
  return {
    github,
    onRecord(claim) {
      if (thread === undefined) return;
      const { kind, number, nodeId } = thread;
      const place = { kind: "thread", thread: { kind, number, nodeId }, since: thread.createdAt } as const;
      saveClaim(place, claim, saveState);
    },
  };
}

interface StoresOptions extends AssistantGitHubOptions {
  readonly thread: WrittenEvent["thread"];
  readonly draft: ClaimDraft;
  readonly shown: ShownAnswer;
}

async function openStores({ inputs, connection, thread, draft, shown, ...rest }: StoresOptions) {
  const { api, shutdownApi, context: run, event } = connection;
  const identity = await connection.readIdentity();
  const signer = assistantSeal(run.repository.id);
  const render = (record: ClaimRecord) => renderAnswerComment(...viewOf({ record, shown, ...rest }));
  const open = (via: typeof api, search: { readonly trigger: string; readonly since: string }) =>
    createCommentClaims(
      { thread, ...search },
      { comments: createThreadComments(thread, via), identity, signer, api: via, render },
    );
  const nearby = onlyConversation(createThreadComments(thread, api), thread);
  const { trigger } = draft;
  const since = event.type === "written" ? event.text.createdAt : thread.createdAt;
  return {
    claims: open(api, { trigger, since }),
    lastWords: open(shutdownApi, { trigger, since }),
    conversation: createCommentClaims({ thread }, { comments: nearby, identity, signer, api, render }),
  };
}

/** The comments of a thread whose conversation a question may go on with, the nearest last. */
function onlyConversation(
  comments: ThreadComments,
  { triggerComment }: Pick<WrittenEvent["thread"], "triggerComment">,
): ThreadComments {
  return {
    ...comments,
    list: async (options) => pickConversation(await comments.list(options), triggerComment),
  };
}

interface ViewOptions {
  readonly record: Pick<ClaimRecord, "message" | "request" | "requester" | "runUrl" | "notes">;
  readonly shown: ShownAnswer;
  readonly links: LinkPolicy;
  readonly triggerPhrase: string | undefined;
}

/** A question and what is known of its answer, as comment and summary show it. */
export function viewOf({ record, shown, links, triggerPhrase }: ViewOptions): [AskedQuestion, AnswerState] {
  const { state, text, answer = noAnswer, queuedUntil = new Date(0) } = shown;
  const asked = { ...record, links, triggerPhrase };
  switch (state) {
    case "asking":
      return [asked, { state }];
    case "queued":
      return [asked, { state, until: queuedUntil }];
    case "answering":
      return [asked, { state, text }];
    case "answered":
      return [asked, { state, answer }];
    case "failed":
      return [asked, { state, answer: { ...answer, text }, problem: record.message ?? "" }];
  }
}
