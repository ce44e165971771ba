/** The first check of an event, before anything else is loaded: most comments are not for the action. */
import { isJsonObject } from "../base/text.ts";

/** What a comment starts with to call a command, where `trigger-phrase` says nothing else. */
export const defaultPhrases = { agent: "/docs", assistant: "/ask" } as const;

/** Which part of the payload holds the text. */
const textOfEvent: Readonly<Record<string, "comment" | "review" | "issue" | "discussion">> = {
  issue_comment: "comment",
  pull_request_review_comment: "comment",
  discussion_comment: "comment",
  pull_request_review: "review",
  issues: "issue",
  discussion: "discussion",
};

/**
 * Whether an event may call the action by one of the phrases, or come close enough to be told so; everything that
 * `readEvent` and `findTrigger` accept passes. `false` is certain: the text does not contain any of the phrases, in any
 * case, and no label of that name was set. Events without a text pass, and so does a payload that is not understood.
 */
export function mayTrigger(eventName: string, payload: unknown, phrases: readonly string[]): boolean {
  const part = textOfEvent[eventName];
  if (part === undefined || !isJsonObject(payload)) return true;
  const { action, label, [part]: writing } = payload;
  if (action === "labeled") {
    const name = isJsonObject(label) ? label["name"] : undefined;
    if (typeof name !== "string") return true;
    return phrases.some((phrase) => name.toLowerCase() === labelOf(phrase).toLowerCase());
  }
  const body = (isJsonObject(writing) ? writing["body"] : undefined) ?? "";
  if (typeof body !== "string") return true;
  const text = body.replace(/\r\n?/g, "\n").toLowerCase();
  return phrases.some((phrase) => text.includes(phrase.toLowerCase()));
}

/** The label that calls like a phrase, in any case: `docs` for `/docs`. */
export function labelOf(phrase: string): string {
  return phrase.replace(/^[^\p{L}\p{N}_]+/u, "");
}
