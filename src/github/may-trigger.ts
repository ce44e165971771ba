/** The first check of an event, before anything else is loaded: most comments are not for the action. */
import { isJsonObject, splitList } from "../base/text.ts";

/** What a comment starts with to call a command, where `trigger-phrase` says nothing else. */
const defaultPhrases = { agent: "/docs", assistant: "/ask" } as const;

/** The phrases that call a command, in any case; the first is the one that people are told. */
export type TriggerPhrases = readonly [string, ...string[]];

/** The phrases that the input `trigger-phrase` names. */
export function readPhrases(command: keyof typeof defaultPhrases, input: string | undefined): TriggerPhrases {
  const [first = defaultPhrases[command], ...others] = splitList(input ?? "");
  return [first, ...others];
}

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
 * case, its first word is not a misspelt one, it presses no box of ours, and no label of that name was set. Events without a
 * text pass, and so does a payload that is not understood.
 */
export function mayTrigger(eventName: string, payload: unknown, phrases: readonly string[]): boolean {
  const part = textOfEvent[eventName];
  if (part === undefined || !isJsonObject(payload)) return true;
  const { action, label, changes, [part]: writing } = payload;
  if (action === "labeled") {
    const name = isJsonObject(label) ? label["name"] : undefined;
    return typeof name !== "string" || isLabelOf(name, phrases);
  }
  const body = (isJsonObject(writing) ? writing["body"] : undefined) ?? "";
  if (typeof body !== "string") return true;
  const text = normalizeLineEndings(body).toLowerCase();
  if (phrases.some((phrase) => text.includes(phrase.toLowerCase()) || isMisspelt(body, phrase))) return true;
  const change = isJsonObject(changes) ? changes["body"] : undefined;
  const before = isJsonObject(change) ? change["from"] : undefined;
  return typeof before === "string" && isCheckboxTick(before, body);
}

/** Characters of a line that Markdown shows as they are, wherever they stand behind a word. */
const plainWords = /^(?: [A-Za-z0-9 ,.;?!'"()/-]*)?$/;

/**
 * What a text asks for that is nothing but a phrase and plain words in one line; `findTrigger` reads the same from it, but
 * its Markdown parser costs more than the rest of a run until its first request.
 */
export function readPlainRequest(body: string, phrases: readonly string[]): string | undefined {
  const phrase = phrases.find(
    (phrase) =>
      /^[/@][A-Za-z0-9-]+$/.test(phrase) &&
      body.slice(0, phrase.length).toLowerCase() === phrase.toLowerCase() &&
      plainWords.test(body.slice(phrase.length)),
  );
  return phrase && body.slice(phrase.length).trim();
}

/** Whether a label calls like one of the phrases, in any case: `docs` like `/docs`. */
export function isLabelOf(name: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => name.toLowerCase() === labelOf(phrase).toLowerCase());
}

/** The label that calls like a phrase: `docs` for `/docs`. */
export function labelOf(phrase: string): string {
  return phrase.replace(/^[^\p{L}\p{N}_]+/u, "");
}

/** A phrase with a mark before at least three letters: of a shorter one, every other word would be a misspelling. */
const spellable = /^[^\p{L}\p{N}\s][\p{L}\p{N}_-]{3,}$/u;

/** Whether the first word of a text is a phrase but for one letter too many, too few or wrong, or two that changed places. */
export function isMisspelt(body: string, phrase: string): boolean {
  const word = /^[\s*_#]*([^\s*_.,!?;:]+)[.,!?;:]*(?:[\s*_]|$)/.exec(body)?.[1]?.toLowerCase() ?? "";
  const right = phrase.toLowerCase();
  if (word[0] !== right[0] || Math.abs(word.length - right.length) > 1) return false;
  return spellable.test(right) && /^.[\p{L}\p{N}_-]+$/u.test(word) && isOneEdit(word, right);
}

/** Whether two words differ by one letter too many, too few or wrong, or by two that changed places. */
export function isOneEdit(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [written = "", right = ""] = [one, other].map((word) => word.slice(start, word.length - end));
  if (written.length < 2 && right.length < 2) return written !== right;
  return written.length === 2 && right.length === 2 && written === `${right[1]}${right[0]}`;
}

/** True for any text of ours, also of later versions: such a text never triggers anything, except by a box in it. */
export function hasMarker(body: string): boolean {
  return body.includes("<!-- docs-automation:");
}

/** What the box in our status comments says; in Markdown it is `tryAgainBox` of the presentation. */
const boxWords = "Try again";

/** Whether an edit ticked the box in one of our texts, and changed nothing else. */
export function isCheckboxTick(before: string, after: string): boolean {
  const [old, now] = [before, after].map((body) => normalizeLineEndings(body));
  return hasMarker(after) && old !== now && old?.replace(`- [ ] ${boxWords}`, `- [x] ${boxWords}`) === now;
}

/** GitHub shows the same text with either kind of line end. */
export function normalizeLineEndings(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
