/** What an event asks for: the words of a person, the change that happened, or nothing. */
import { InputError } from "../base/errors.ts";
import type { GitHubEvent, WrittenEvent } from "../github/event.ts";
import { isBoxPressEvent } from "../github/gate.ts";
import type { RemovedContent } from "../github/invisible-characters.ts";
import {
  hasMarker,
  isLabelOf,
  labelOf,
  readPlainRequest,
  type TriggerPhrases,
} from "../github/may-trigger.ts";
import type { NearMiss } from "../github/trigger.ts";
import type { Refusal } from "./connect-github.ts";

/** What is done without a job: `/docs help`. */
const words = ["help", "status", "retry", "stop"] as const;
export type Keyword = (typeof words)[number];

export interface EventRequest {
  /** What the agent or assistant shall do, in the words of the person who asks or, for a change or a label, in ours. */
  readonly instruction: string;
  /** Where the instruction is from; of a `label` it is ours, and the text that got it is only quoted. */
  readonly origin: "input" | "written" | "label" | "change";
  /** What makes it one trigger: see `TriggerIdentity`. */
  readonly family: string;
  readonly subject: string;
  readonly body: string;
  /** What was taken out of the request. */
  readonly removed: RemovedContent;
  /** Set where the instruction is nothing but this word, or the box "Try again" was pressed (see `isBoxPressEvent`). */
  readonly word?: Keyword | undefined;
}

export interface ReadRequestOptions {
  readonly triggerPhrases: TriggerPhrases;
  /**
   * A comment asks for one job, whatever becomes of its text, and may be a word that needs none; of a question, every
   * version is another one. Where no words say what to do, the job is still known; a question is always in words.
   */
  readonly requestType: "job" | "question";
  /** The input `prompt` or the content of `prompt-file`. */
  readonly prompt: string | undefined;
  /** Stands behind events that have nothing else to tell them apart: constant over a run's attempts. */
  readonly runId: string;
}

/** What the agent does when the phrase stands alone, or a label calls. */
const bareRequest = "Bring the documentation in line with what this thread is about.";
const changeRequest = [
  "The repository changed as quoted below. Update the documentation so that it is right after this change.",
  "Change only what this change makes wrong or leaves out.",
  "If the documentation is right as it is, change nothing and open no pull request.",
].join(" ");

const nothingRemoved: RemovedContent = { hiddenSegments: 0, invisibleCharacters: 0 };

/**
 * Reads what an event asks for, or why there is nothing to do.
 *
 * @throws {InputError} when neither inputs nor event say what to do.
 */
export async function readRequest(
  event: GitHubEvent,
  options: ReadRequestOptions,
): Promise<EventRequest | Refusal> {
  const { prompt, requestType } = options;
  const request = { ...subjectOf(event, options.runId), removed: nothingRemoved };
  if (event.type === "written") {
    const body = keyTextOf(event, options);
    const reading = await readWritten(event, options);
    return "reason" in reading ? reading : { ...request, body, ...reading };
  }
  if (prompt !== undefined) {
    const asked = { instruction: prompt, origin: "input", body: prompt } as const;
    return skipChange(event, true) ?? { ...request, ...asked };
  }
  if (event.type === "other" || requestType === "question") {
    const lack = requestType === "job" ? "does not say what to do" : "asks nothing";
    throw new InputError([`\`prompt\` is missing: this event ${lack}; set \`prompt\` or \`prompt-file\`.`]);
  }
  const asked = { instruction: changeRequest, origin: "change", body: changeRequest } as const;
  return skipChange(event, false) ?? { ...request, ...asked };
}

/** What of a text makes it another request: an issue is opened once, and asks again when it gets a label after a change. */
function keyTextOf({ text }: WrittenEvent, { requestType, prompt }: ReadRequestOptions): string {
  const isIssue = text.kind === "issue" || text.kind === "discussion";
  const body = isIssue || requestType === "question" ? text.body : "";
  return prompt === undefined ? body : `${prompt}\n${body}`;
}

/** The word that an instruction consists of, in any case, with or without a mark behind it. */
function readKeyword(instruction: string): Keyword | undefined {
  const written = instruction.replace(/[\s.!?…]+$/, "").toLowerCase();
  return words.find((word) => word === written);
}

function subjectOf(event: GitHubEvent, runId: string): Pick<EventRequest, "family" | "subject"> {
  switch (event.type) {
    case "written":
      return { family: event.text.kind, subject: event.text.nodeId || String(event.text.id) };
    case "pull-request": {
      const state = event.merged ? "merged" : event.head.sha;
      return { family: "pull-request", subject: `${event.thread.nodeId} ${state}` };
    }
    case "push":
      return { family: "push", subject: `${event.ref} ${event.before} ${event.after}` };
    case "release":
      return { family: "release", subject: event.nodeId || event.tag };
    case "other":
      return { family: "run", subject: runId };
  }
}

const readActions: Readonly<Record<WrittenEvent["text"]["kind"], readonly string[]>> = {
  "issue-comment": ["created", "edited"],
  "review-comment": ["created", "edited"],
  "discussion-comment": ["created", "edited"],
  review: ["submitted", "edited"],
  issue: ["opened", "labeled"],
  discussion: ["created", "labeled"],
};

type Reading = Pick<EventRequest, "instruction" | "origin" | "removed" | "word"> & { readonly body?: string };

async function readWritten(event: WrittenEvent, options: ReadRequestOptions): Promise<Refusal | Reading> {
  const { action, text } = event;
  const { requestType, prompt } = options;
  if (isBoxPressEvent(event)) {
    if (requestType === "question") return skip("event-action", "A box asks no question.");
    // The same box may be pressed again.
    const body = text.changedAt;
    return { instruction: "retry", origin: "written", removed: nothingRemoved, word: "retry", body };
  }
  if (prompt !== undefined) {
    if (action === "deleted") return skip("event-action", "The text was deleted.");
    return { instruction: prompt, origin: "input", removed: nothingRemoved };
  }
  if (!readActions[text.kind].includes(action)) {
    return skip("event-action", `Nothing to do for \`${action}\` of a ${text.kind}.`);
  }
  return action === "labeled" ? readLabelled(event, options) : readCalled(event, options);
}

async function readCalled(
  { text }: WrittenEvent,
  { triggerPhrases, requestType }: ReadRequestOptions,
): Promise<Refusal | Reading> {
  const trigger = await readTrigger(text.body, triggerPhrases);
  if (trigger.kind === "absent") {
    return skip("no-trigger", `The text does not call \`${triggerPhrases.join("`, `")}\`.`);
  }
  if (trigger.kind === "near-miss") {
    const { phrase, isAttempt } = trigger;
    const reason = nearMisses[trigger.reason];
    const skipped = skip("near-miss", `The text does not call \`${phrase}\`: ${reason}.`);
    if (!isAttempt || hasMarker(text.body)) return skipped;
    const { renderHint } = await import(
      /* webpackChunkName: "permitted" */ "../presentation/help-comment.ts"
    );
    return { ...skipped, hint: renderHint(phrase, reason) };
  }
  const { request: instruction, removed } = trigger;
  if (requestType === "question") return { instruction, removed, origin: "written" };
  return {
    instruction: instruction || bareRequest,
    removed,
    origin: "written",
    word: readKeyword(instruction),
  };
}

async function readTrigger(body: string, phrases: TriggerPhrases) {
  const request = readPlainRequest(body, phrases);
  if (request !== undefined) return { kind: "called", request, removed: nothingRemoved } as const;
  const { findTrigger } = await import("../github/trigger.ts");
  return findTrigger(body, phrases);
}

/** A label asks for what the text says only if the text calls and is the sender's own; the words of others are not ours. */
async function readLabelled(
  { text, label = "", sender }: WrittenEvent,
  { triggerPhrases, requestType }: ReadRequestOptions,
): Promise<Refusal | Reading> {
  if (!isLabelOf(label, triggerPhrases)) {
    return skip("no-trigger", `The label is not \`${triggerPhrases.map(labelOf).join("`, `")}\`.`);
  }
  const { readVisibleText } = await import("../github/visible-text.ts");
  const shown = readVisibleText(text.body);
  if (!shown) return skip("near-miss", "The text is nested or marked beyond reading.");
  const trigger = await readTrigger(text.body, triggerPhrases);
  const isOwn = sender !== undefined && sender.id === text.author?.id;
  if (trigger.kind === "called" && isOwn && trigger.request !== "") {
    return { instruction: trigger.request, origin: "written", removed: trigger.removed };
  }
  if (requestType === "job") {
    return { instruction: bareRequest, origin: "label", removed: nothingRemoved };
  }
  const instruction = trigger.kind === "called" ? trigger.request : shown.text;
  return { instruction, origin: "label", removed: shown };
}

const nearMisses: Readonly<Record<NearMiss, string>> = {
  "not-the-first-word": "it is not the first word",
  "longer-word": "it is part of a longer word",
  misspelt: "the first word is nearly that, but not quite",
  quoted: "it stands in a quote",
  code: "it stands in code",
  link: "it stands in a link",
  "not-rendered": "it stands where GitHub does not show it",
  unreadable: "the text is nested or marked beyond reading",
};

/** Changes that need no job; a workflow that says itself what to do may do it on any pull request that was not closed. */
function skipChange(event: GitHubEvent, isAsked: boolean): Refusal | undefined {
  if (event.type === "pull-request") {
    const isMerge = event.action === "closed" && event.merged;
    if (isMerge || (isAsked && event.action !== "closed")) return undefined;
    return skip("not-merged", "The pull request was not merged by this event.");
  }
  if (event.type === "push" && event.deleted) {
    return skip("branch-deleted", "The push deleted its branch or tag.");
  }
  if (event.type !== "release") return undefined;
  if (event.isDraft) return skip("draft-release", "The release is a draft.");
  if (event.action === "published" || event.action === "released") return undefined;
  return skip("event-action", `Nothing to do for \`${event.action}\` of a release.`);
}

function skip(reason: string, message: string): Refusal {
  return { reason, message };
}
