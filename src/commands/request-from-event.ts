/** The request in an event: a text, a change of the repository, or nothing. */
import { InputError } from "../base/errors.ts";
import type { RemovedContent } from "../base/invisible-characters.ts";
import type { TriggerIdentity } from "../github/claims.ts";
import type { GitHubEvent, TextEvent } from "../github/event.ts";
import { isCheckboxTickEvent, refuseUnpermitted } from "../github/gate.ts";
import {
  hasMarker,
  isLabelOf,
  labelOf,
  readPlainRequest,
  type TriggerPhrases,
} from "../github/may-trigger.ts";
import type { NearMiss } from "../github/trigger.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { AgentInputs, AssistantInputs } from "./inputs.ts";
import type { Run, Skip } from "./run.ts";

/** Instructions that need no new job, such as `/docs help`. */
const keywords = ["help", "status", "retry", "stop"] as const;
export type Keyword = (typeof keywords)[number];

export interface EventRequest extends Pick<TriggerIdentity, "eventKind" | "subject" | "body"> {
  /** What the agent or assistant should do: the text of the requester; for a change or a label, a fixed text. */
  readonly instruction: string;
  /** Source of the instruction. With `label` it is a fixed text, and the labelled text is only quoted. */
  readonly source: "input" | "text" | "label" | "change";
  /** What was removed from the request because GitHub does not show it. */
  readonly removed: RemovedContent;
  /** Set if the instruction is only this keyword, or the checkbox "Try again" was selected (see `isCheckboxTickEvent`). */
  readonly keyword?: Keyword | undefined;
}

/** A request to the agent, with the key of its trigger; see `triggerKey`. */
export interface KeyedRequest extends EventRequest {
  readonly trigger: string;
}

export interface ReadRequestOptions {
  readonly triggerPhrases: TriggerPhrases;
  /**
   * `job`: each comment requests one job, even after it is edited; it may be a keyword; without text, a default instruction
   * applies. `question`: each version of a comment is another question, and needs a text.
   */
  readonly requestType: "job" | "question";
  /** The input `prompt` or the content of `prompt-file`. */
  readonly prompt: string | undefined;
  /** Identifies events that have no other identifier; the same for all attempts of a run. */
  readonly runId: string;
}

/** The instruction if a comment contains only the trigger phrase, or a label was added. */
const bareRequest = "Bring the documentation in line with what this thread is about.";
const changeRequest = [
  "The repository changed as quoted below. Update the documentation so that it is right after this change.",
  "Change only what this change makes wrong or leaves out.",
  "If the documentation is right as it is, change nothing and open no pull request.",
].join(" ");

/** Whether an instruction is a fixed text of the action instead of a user's. */
export function isFixedInstruction(instruction: string): boolean {
  return instruction === bareRequest || instruction === changeRequest;
}

const nothingRemoved: RemovedContent = { hiddenSegments: 0, invisibleCharacters: 0 };

/**
 * Reads the request of an event, and refuses it unless everyone behind the event has the permission. A near miss of a permitted user
 * gets a hint.
 *
 * @throws {InputError} when neither the inputs nor the event contain a request.
 */
export async function readPermittedRequest(
  inputs: AgentInputs | AssistantInputs,
  github: GitHubConnection,
  options: Omit<ReadRequestOptions, "runId">,
  run: Run,
): Promise<EventRequest | Skip> {
  const request = await readRequest(github.event, { ...options, runId: github.context.runId });
  if (!("reason" in request)) return (await refuseUnpermitted(inputs, github)) ?? request;
  if (request.hint !== undefined) {
    const { replyWithHint } = await import(/* webpackChunkName: "permitted" */ "./reply.ts");
    await replyWithHint(request.hint, inputs, github, run);
  }
  return request;
}

/**
 * Reads the request of an event, or why there is nothing to do.
 *
 * @throws {InputError} when neither the inputs nor the event contain a request.
 */
export async function readRequest(
  event: GitHubEvent,
  options: ReadRequestOptions,
): Promise<EventRequest | Skip> {
  const content = event.type === "text" ? await readTextRequest(event, options) : readChange(event, options);
  if ("reason" in content) return content;
  const body = event.type === "text" ? keyTextOf(event, options) : content.instruction;
  return { ...subjectOf(event, options.runId), body, removed: nothingRemoved, ...content };
}

/** What the event's text or change requests; the rest of `EventRequest` identifies it. */
type RequestContent = Pick<EventRequest, "instruction" | "source"> & Partial<EventRequest>;

function readChange(
  event: Exclude<GitHubEvent, TextEvent>,
  { prompt, requestType }: ReadRequestOptions,
): RequestContent | Skip {
  if (prompt !== undefined) return skipChange(event, true) ?? { instruction: prompt, source: "input" };
  if (event.type === "other" || requestType === "question") {
    const content = requestType === "job" ? "instruction" : "question";
    throw new InputError([
      `\`prompt\` is missing: this event contains no ${content}; set \`prompt\` or \`prompt-file\`.`,
    ]);
  }
  return skipChange(event, false) ?? { instruction: changeRequest, source: "change" };
}

/** The part of a text that identifies the request: an issue that is edited and then labelled is a new request. */
function keyTextOf({ text }: TextEvent, { requestType, prompt }: ReadRequestOptions): string {
  const isIssue = text.kind === "issue" || text.kind === "discussion";
  const body = isIssue || requestType === "question" ? text.body : "";
  return prompt === undefined ? body : `${prompt}\n${body}`;
}

/** The keyword, in upper or lower case, with or without punctuation after it. */
function readKeyword(instruction: string): Keyword | undefined {
  const bare = instruction.replace(/(?<![\s.!?…])[\s.!?…]+$/, "").toLowerCase();
  return keywords.find((keyword) => keyword === bare);
}

function subjectOf(event: GitHubEvent, runId: string): Pick<EventRequest, "eventKind" | "subject"> {
  switch (event.type) {
    case "text":
      return { eventKind: event.text.kind, subject: event.text.nodeId || String(event.text.id) };
    case "pull-request": {
      const state = event.merged ? "merged" : event.head.sha;
      return { eventKind: "pull-request", subject: `${event.thread.nodeId} ${state}` };
    }
    case "push":
      return { eventKind: "push", subject: `${event.ref} ${event.before} ${event.after}` };
    case "release":
      return { eventKind: "release", subject: event.nodeId || event.tag };
    case "other":
      return { eventKind: "run", subject: runId };
  }
}

const readActions: Readonly<Record<TextEvent["text"]["kind"], readonly string[]>> = {
  "issue-comment": ["created", "edited"],
  "review-comment": ["created", "edited"],
  "discussion-comment": ["created", "edited"],
  review: ["submitted", "edited"],
  issue: ["opened", "labeled"],
  discussion: ["created", "labeled"],
};

async function readTextRequest(
  event: TextEvent,
  options: ReadRequestOptions,
): Promise<Skip | RequestContent> {
  const { action, text } = event;
  const { requestType, prompt } = options;
  if (isCheckboxTickEvent(event)) {
    if (requestType === "question") return skip("event-action", "A checkbox asks no question.");
    // The same checkbox may be selected again.
    return { instruction: "retry", source: "text", keyword: "retry", body: text.changedAt };
  }
  if (prompt !== undefined) {
    if (action === "deleted") return skip("event-action", "The text was deleted.");
    return { instruction: prompt, source: "input" };
  }
  if (!readActions[text.kind].includes(action)) {
    return skip("event-action", `Nothing to do for \`${action}\` of this ${text.kind.replace("-", " ")}.`);
  }
  return action === "labeled" ? readLabelled(event, options) : readCalled(event, options);
}

async function readCalled(
  { text }: TextEvent,
  { triggerPhrases, requestType }: ReadRequestOptions,
): Promise<Skip | RequestContent> {
  const trigger = await readTrigger(text.body, triggerPhrases);
  if (trigger.kind === "absent") {
    const phrases = triggerPhrases.join("`, `");
    return skip("no-trigger", `The text does not contain the trigger phrase \`${phrases}\`.`);
  }
  if (trigger.kind === "near-miss") {
    const { phrase, isAttempt } = trigger;
    const reason = nearMisses[trigger.reason];
    const skipped = skip("near-miss", `\`${phrase}\` does not trigger the action here: ${reason}.`);
    if (!isAttempt || hasMarker(text.body)) return skipped;
    const { renderHint } = await import(
      /* webpackChunkName: "permitted" */ "../presentation/help-comment.ts"
    );
    return { ...skipped, hint: renderHint(phrase, reason) };
  }
  const { request, removed } = trigger;
  if (requestType === "question") return { instruction: request, removed, source: "text" };
  return {
    instruction: request || bareRequest,
    removed,
    source: "text",
    keyword: readKeyword(request),
  };
}

async function readTrigger(body: string, phrases: TriggerPhrases) {
  const request = readPlainRequest(body, phrases);
  if (request !== undefined) return { kind: "called", request, removed: nothingRemoved } as const;
  const { findTrigger } = await import("../github/trigger.ts");
  return findTrigger(body, phrases);
}

/** The text is the instruction only if it starts with the phrase and the user who added the label wrote it; otherwise it is quoted. */
async function readLabelled(
  { text, thread, label = "", sender }: TextEvent,
  { triggerPhrases, requestType }: ReadRequestOptions,
): Promise<Skip | RequestContent> {
  if (!isLabelOf(label, triggerPhrases)) {
    return skip("no-trigger", `The label is not \`${triggerPhrases.map(labelOf).join("`, `")}\`.`);
  }
  const { readVisibleText } = await import("../github/visible-text.ts");
  const shown = readVisibleText(text.body);
  if (!shown) return skip("near-miss", "The text is too deeply nested to be read.");
  const trigger = await readTrigger(text.body, triggerPhrases);
  const isOwn = sender !== undefined && sender.id === text.author?.id;
  if (trigger.kind === "called" && isOwn && trigger.request !== "") {
    return { instruction: trigger.request, source: "text", removed: trigger.removed };
  }
  if (requestType === "job") return { instruction: bareRequest, source: "label" };
  const { stripInvisibleCharacters } = await import("../base/invisible-characters.ts");
  const title = stripInvisibleCharacters(thread.title).text;
  const instruction = `${title}\n\n${trigger.kind === "called" ? trigger.request : shown.text}`;
  return { instruction, source: "label", removed: shown };
}

const nearMisses: Readonly<Record<NearMiss, string>> = {
  "not-the-first-word": "it is not the first word in plain text",
  misspelt: "the first word is misspelled",
  unreadable: "the text is too deeply nested to be read",
};

/** Why a change needs no job. With `prompt`, a pull request needs one unless it was closed without a merge. */
function skipChange(event: GitHubEvent, hasPrompt: boolean): Skip | undefined {
  if (event.type === "pull-request") {
    const isMerge = event.action === "closed" && event.merged;
    if (isMerge || (hasPrompt && event.action !== "closed")) return undefined;
    return skip("not-merged", "The pull request was not merged by this event.");
  }
  if (event.type === "push" && event.deleted) {
    return skip("branch-deleted", "The push deleted its branch or tag.");
  }
  if (event.type !== "release") return undefined;
  if (event.isDraft) return skip("draft-release", "The release is a draft.");
  if (event.action === "published" || event.action === "released") return undefined;
  return skip("event-action", `Nothing to do for \`${event.action}\` of this release.`);
}

function skip(reason: string, message: string): Skip {
  return { reason, message };
}
