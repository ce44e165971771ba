import { cutText, shorten } from "../../base/text.ts";
import type { ClaimRecord } from "../../github/claim-store.ts";
import type { Account, GitHubEvent } from "../../github/event.ts";

/** What is known of a request before it is claimed. */
export type ClaimDraft = Pick<
  ClaimRecord,
  "command" | "target" | "trigger" | "requester" | "request" | "runUrl" | "notes"
>;

export interface RequestFacts extends Pick<ClaimRecord, "command" | "target" | "trigger"> {
  readonly event: GitHubEvent;
  readonly runUrl: string;
  /** What was asked, in full. */
  readonly request: string;
  /** Sentences of ours about how the request was read. */
  readonly notes: readonly string[];
}

/** As much as a comment quotes of a request. */
const maxRequestLength = 600;
/** The record's own limits. */
const maxNotes = 8;
const maxNoteLength = 300;

/** The draft of a request's record, within the record's limits. */
export function draftRecord({ event, request, notes, ...facts }: RequestFacts): ClaimDraft {
  const requester = requesterOf(event)?.login;
  const kept = notes.slice(0, maxNotes).map((note) => cutText(note, maxNoteLength));
  return {
    ...facts,
    request: shorten(request, maxRequestLength),
    ...(requester === undefined ? {} : { requester }),
    ...(kept.length === 0 ? {} : { notes: kept }),
  };
}

/** Whoever set a label asked for what somebody else may have written. */
function requesterOf(event: GitHubEvent): Account | undefined {
  return event.type === "written" && event.action !== "labeled" ? event.text.author : event.sender;
}
