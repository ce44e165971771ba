/** The first check of an event. Most comments are not for the action, so nothing else is loaded before it. */
import { isJsonObject, normalizeLineEndings, splitList } from "../base/text.ts";

const defaultPhrases = { agent: "/docs", assistant: "/ask" } as const;

/** The phrases that trigger a command, case-insensitive; replies mention the first one. */
export type TriggerPhrases = readonly [string, ...string[]];

/** Reads the input `trigger-phrase`. */
export function readPhrases(command: keyof typeof defaultPhrases, input: string | undefined): TriggerPhrases {
  const [first = defaultPhrases[command], ...others] = splitList(input ?? "");
  return [first, ...others];
}

/** The field of the payload that contains the text. */
const textOfEvent: Readonly<Record<string, "comment" | "review" | "issue" | "discussion">> = {
  issue_comment: "comment",
  pull_request_review_comment: "comment",
  discussion_comment: "comment",
  pull_request_review: "review",
  issues: "issue",
  discussion: "discussion",
};

/**
 * Whether an event may trigger the action, or come close enough for a hint. `false` is definite: the text contains no phrase, its
 * first word is not a misspelt one, no checkbox of ours was ticked and no label of that name was added. Events without a text and
 * invalid payloads pass.
 */
export function mayTrigger(eventName: string, payload: unknown, phrases: readonly string[]): boolean {
  const part = textOfEvent[eventName];
  if (part === undefined || !isJsonObject(payload)) return true;
  const { action, label, changes, [part]: authored } = payload;
  if (action === "labeled") {
    const name = isJsonObject(label) ? label["name"] : undefined;
    return typeof name !== "string" || isLabelOf(name, phrases);
  }
  const body = (isJsonObject(authored) ? authored["body"] : undefined) ?? "";
  if (typeof body !== "string") return true;
  const text = normalizeLineEndings(body).toLowerCase();
  if (phrases.some((phrase) => text.includes(phrase.toLowerCase()) || isMisspelt(body, phrase))) return true;
  const change = isJsonObject(changes) ? changes["body"] : undefined;
  const before = isJsonObject(change) ? change["from"] : undefined;
  return typeof before === "string" && isCheckboxTick(before, body);
}

/** Characters after a word that Markdown shows unchanged. */
const plainText = /^(?: [A-Za-z0-9 ,.;?!'"()/-]*)?$/;

/**
 * The request in a text that is only a phrase and plain words on one line. `findTrigger` has the same result, but loads a Markdown
 * parser, which takes longer than the rest of a run until its first request.
 */
export function readPlainRequest(body: string, phrases: readonly string[]): string | undefined {
  const phrase = phrases.find(
    (phrase) =>
      /^[/@][A-Za-z0-9-]+$/.test(phrase) &&
      body.slice(0, phrase.length).toLowerCase() === phrase.toLowerCase() &&
      plainText.test(body.slice(phrase.length)),
  );
  return phrase && body.slice(phrase.length).trim();
}

/** Whether a label triggers like one of the phrases, case-insensitive: `docs` like `/docs`. */
export function isLabelOf(name: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => name.toLowerCase() === labelOf(phrase).toLowerCase());
}

/** The label that triggers like a phrase: `docs` for `/docs`. */
export function labelOf(phrase: string): string {
  return phrase.replace(/^[^\p{L}\p{N}_]+/u, "");
}

/** A punctuation character and at least three letters. For shorter phrases, too many words would count as misspelt. */
const misspellable = /^[^\p{L}\p{N}\s][\p{L}\p{N}_-]{3,}$/u;

/** Whether the first word of a text is a phrase with one edit; see `isOneEdit`. */
export function isMisspelt(body: string, phrase: string): boolean {
  const word =
    /^[\s*_#]*([^\s*_#.,!?;:][^\s*_.,!?;:]*)[.,!?;:]*(?:[\s*_]|$)/.exec(body)?.[1]?.toLowerCase() ?? "";
  const right = phrase.toLowerCase();
  return (
    word[0] === right[0] &&
    misspellable.test(right) &&
    /^.[\p{L}\p{N}_-]+$/u.test(word) &&
    isOneEdit(word, right)
  );
}

/** Whether two words differ by one inserted, removed or replaced letter, or by two swapped letters. */
function isOneEdit(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [written = "", right = ""] = [one, other].map((word) => word.slice(start, word.length - end));
  if (written.length < 2 && right.length < 2) return written !== right;
  return written.length === 2 && written === [...right].toReversed().join("");
}

/** Whether a text is ours, of any version of the action. It never triggers anything, except by its checkbox. */
export function hasMarker(body: string): boolean {
  return body.includes("<!-- docs-automation:");
}

/** The label of the checkbox in status comments; see `tryAgainBox` in the presentation. */
const checkboxLabel = "Try again";

/** Whether an edit ticked the checkbox in one of our texts and changed nothing else. */
export function isCheckboxTick(before: string, after: string): boolean {
  const [old, now] = [before, after].map(normalizeLineEndings);
  return (
    hasMarker(after) &&
    old !== now &&
    old?.replace(`- [ ] ${checkboxLabel}`, `- [x] ${checkboxLabel}`) === now
  );
}
