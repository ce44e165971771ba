/** What an event asks for: the words of a person, the change that happened, or nothing. */
import type {
  GitHubEvent,
  PullRequestEvent,
  PushEvent,
  ReleaseEvent,
  WrittenEvent,
} from "../github/event.ts";
import { findTrigger, type NearMiss } from "../github/trigger.ts";
import { type RemovedContent, readVisibleText } from "../github/visible-text.ts";

/** Why there is nothing to do; the value of the output `skip-reason`. */
type EventSkipReason =
  | "no-trigger"
  | "near-miss"
  | "event-action"
  | "not-merged"
  | "branch-deleted"
  | "draft-release";

export interface EventRequest {
  readonly kind: "request";
  /** What the agent or assistant shall do, in the asker's words or, for a change, in ours. */
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
  | { readonly kind: "skip"; readonly reason: EventSkipReason; readonly message: string }
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
  const subject = subjectOf(event, options.runId);
  if (options.prompt !== undefined) {
    if (event.type === "written" && event.action === "deleted")
      return skip("event-action", "The text was deleted.");
    const body = event.type === "written" ? `${options.prompt}\n${event.text.body}` : options.prompt;
    const given = { instruction: options.prompt, origin: "input", body, removed: nothingRemoved } as const;
    return skipChange(event, { isAsked: true }) ?? { kind: "request", ...subject, ...given };
  }
  if (event.type === "written") return readWritten(event, { options, subject });
  const instruction = options.changeRequest;
  if (event.type === "other" || instruction === undefined) return { kind: "nothing" };
  const asked = { instruction, origin: "change", body: instruction, removed: nothingRemoved } as const;
  return skipChange(event, { isAsked: false }) ?? { kind: "request", ...subject, ...asked };
}

type Subject = Pick<EventRequest, "family" | "subject">;

function subjectOf(event: GitHubEvent, runId: string): Subject {
  switch (event.type) {
    case "written":
      return { family: event.text.kind, subject: event.text.nodeId || String(event.text.id) };
    case "pull-request":
      return {
        family: "pull-request",
        subject: `${event.thread.nodeId} ${event.merged ? "merged" : event.head.sha}`,
      };
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

function readWritten(
  event: WrittenEvent,
  { options, subject }: { options: EventReadingOptions; subject: Subject },
): EventReading {
  const { action, text, label } = event;
  if (!readActions[text.kind].includes(action)) {
    return skip("event-action", `Nothing to do for \`${action}\` of a ${text.kind}.`);
  }
  if (action === "labeled") {
    const wanted = options.triggerPhrase.replace(/^[^\p{L}\p{N}_]+/u, "");
    return label?.toLowerCase() === wanted.toLowerCase()
      ? readLabelled(event, { options, subject })
      : skip("no-trigger", `The label is not \`${wanted}\`.`);
  }
  const trigger = findTrigger(text.body, options.triggerPhrase);
  if (trigger.kind === "absent")
    return skip("no-trigger", `The text does not call \`${options.triggerPhrase}\`.`);
  if (trigger.kind === "near-miss") {
    return skip("near-miss", explainNearMiss(trigger.reason, options.triggerPhrase));
  }
  const instruction = trigger.request || options.bareRequest;
  const { body } = text;
  return { kind: "request", ...subject, instruction, origin: "written", body, removed: trigger.removed };
}

/** A label asks for what the issue or discussion says, whether or not it begins with the phrase. */
function readLabelled(
  { text }: WrittenEvent,
  { options, subject }: { options: EventReadingOptions; subject: Subject },
): EventReading {
  const trigger = findTrigger(text.body, options.triggerPhrase);
  const shown = readVisibleText(text.body);
  if (!shown) return skip("near-miss", "The text is nested or marked beyond reading.");
  const { text: visible, ...removed } = shown;
  const request = trigger.kind === "called" ? trigger.request : visible;
  const { body } = text;
  const instruction = request || options.bareRequest;
  return { kind: "request", ...subject, instruction, origin: "written", body, removed };
}

/** Changes that nobody needs a job for; a workflow that says itself what to do may do it on any pull request that lives. */
function skipChange(event: GitHubEvent, { isAsked }: { isAsked: boolean }): EventReading | undefined {
  if (event.type === "pull-request") {
    return isAsked && event.action !== "closed" ? undefined : skipPullRequest(event);
  }
  if (event.type === "push") return skipPush(event);
  return event.type === "release" ? skipRelease(event) : undefined;
}

function skipPullRequest({ action, merged }: PullRequestEvent): EventReading | undefined {
  return action === "closed" && merged
    ? undefined
    : skip("not-merged", "The pull request was not merged by this event.");
}

function skipPush({ deleted }: PushEvent): EventReading | undefined {
  return deleted ? skip("branch-deleted", "The push deleted its branch or tag.") : undefined;
}

function skipRelease({ action, isDraft }: ReleaseEvent): EventReading | undefined {
  if (isDraft) return skip("draft-release", "The release is a draft.");
  const isOut = action === "published" || action === "released";
  return isOut ? undefined : skip("event-action", `Nothing to do for \`${action}\` of a release.`);
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

function explainNearMiss(reason: NearMiss, phrase: string): string {
  return `The text contains \`${phrase}\` but does not call it: ${nearMisses[reason]}.`;
}

function skip(reason: EventSkipReason, message: string): EventReading {
  return { kind: "skip", reason, message };
}
