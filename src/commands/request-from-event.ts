/** What an event asks for: the words of a person, the change that happened, or nothing. */
import type { GitHubEvent, WrittenEvent } from "../github/event.ts";
import type { RemovedContent } from "../github/invisible-characters.ts";
import { labelOf } from "../github/may-trigger.ts";
import { findTrigger, type NearMiss } from "../github/trigger.ts";
import { readVisibleText } from "../github/visible-text.ts";

export interface EventRequest {
  readonly kind: "request";
  /** What the agent or assistant shall do, in the words of the person who asks or, for a change, in ours. */
  readonly instruction: string;
  readonly origin: "input" | "written" | "change";
  /** What makes it one trigger: see `TriggerIdentity`. */
  readonly family: string;
  readonly subject: string;
  readonly body: string;
  /** What was taken out of the request. */
  readonly removed: RemovedContent;
}

export type EventReading =
  | EventRequest
  /** There is nothing to do; `reason` is the output `skip-reason`. */
  | { readonly kind: "skip"; readonly reason: string; readonly message: string }
  /** Neither inputs nor event say what to do. */
  | { readonly kind: "nothing" };

export interface EventReadingOptions {
  readonly triggerPhrase: string;
  /** The input `prompt` or the content of `prompt-file`. */
  readonly prompt: string | undefined;
  /** Stands behind events that have nothing else to tell them apart: constant over a run's attempts. */
  readonly runId: string;
  /** What to do when the phrase stands alone. */
  readonly bareRequest: string;
  /** What to do after a change; `undefined` where changes ask for nothing. */
  readonly changeRequest: string | undefined;
}

const nothingRemoved: RemovedContent = { hiddenSegments: 0, invisibleCharacters: 0 };

/** Reads what an event asks for. */
export function readRequest(event: GitHubEvent, options: EventReadingOptions): EventReading {
  const { prompt, changeRequest } = options;
  const request = { kind: "request", ...subjectOf(event, options.runId), removed: nothingRemoved } as const;
  if (prompt !== undefined) {
    if (event.type === "written" && event.action === "deleted") {
      return skip("event-action", "The text was deleted.");
    }
    const body = event.type === "written" ? `${prompt}\n${event.text.body}` : prompt;
    return skipChange(event, true) ?? { ...request, instruction: prompt, origin: "input", body };
  }
  if (event.type === "written") {
    const reading = readWritten(event, options);
    return "reason" in reading
      ? reading
      : { ...request, origin: "written", body: event.text.body, ...reading };
  }
  if (event.type === "other" || changeRequest === undefined) return { kind: "nothing" };
  const asked = { instruction: changeRequest, origin: "change", body: changeRequest } as const;
  return skipChange(event, false) ?? { ...request, ...asked };
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

type Skip = EventReading & { readonly kind: "skip" };

function readWritten(
  { action, text, label }: WrittenEvent,
  { triggerPhrase, bareRequest }: EventReadingOptions,
): Skip | Pick<EventRequest, "instruction" | "removed"> {
  if (!readActions[text.kind].includes(action)) {
    return skip("event-action", `Nothing to do for \`${action}\` of a ${text.kind}.`);
  }
  const name = labelOf(triggerPhrase);
  if (action === "labeled" && label?.toLowerCase() !== name.toLowerCase()) {
    return skip("no-trigger", `The label is not \`${name}\`.`);
  }
  const trigger = findTrigger(text.body, triggerPhrase);
  if (action === "labeled") {
    // A label asks for what the text says, whether or not it begins with the phrase.
    const shown = readVisibleText(text.body);
    if (!shown) return skip("near-miss", "The text is nested or marked beyond reading.");
    const request = trigger.kind === "called" ? trigger.request : shown.text;
    return { instruction: request || bareRequest, removed: shown };
  }
  if (trigger.kind === "absent") return skip("no-trigger", `The text does not call \`${triggerPhrase}\`.`);
  if (trigger.kind === "near-miss") {
    const reason = nearMisses[trigger.reason];
    return skip("near-miss", `The text contains \`${triggerPhrase}\` but does not call it: ${reason}.`);
  }
  return { instruction: trigger.request || bareRequest, removed: trigger.removed };
}

const nearMisses: Readonly<Record<NearMiss, string>> = {
  "not-the-first-word": "it is not the first word",
  "longer-word": "it is part of a longer word",
  quoted: "it stands in a quote",
  code: "it stands in code",
  link: "it stands in a link",
  "other-case": "its letters are in another case",
  "not-rendered": "it stands where GitHub does not show it",
  unreadable: "the text is nested or marked beyond reading",
};

/** Changes that need no job; a workflow that says itself what to do may do it on any pull request that was not closed. */
function skipChange(event: GitHubEvent, isAsked: boolean): Skip | undefined {
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

function skip(reason: string, message: string): Skip {
  return { kind: "skip", reason, message };
}
