/** From an event to the question that is asked, or why there is none. */
import { InputError } from "../../base/errors.ts";
import type { ContextItem } from "../../client/assistant-contract.ts";
import type { GitHubEvent } from "../../github/event.ts";
import { stripInvisibleCharacters } from "../../github/invisible-characters.ts";
import type { RemovedContent } from "../../github/visible-text.ts";
import { describeRemoval } from "../prompt.ts";
import { readRequest } from "../request-from-event.ts";

export interface QuestionOptions {
  readonly event: GitHubEvent;
  readonly triggerPhrase: string;
  readonly prompt: string | undefined;
  readonly runId: string;
}

export interface EventQuestion {
  readonly kind: "question";
  readonly text: string;
  /** What makes it one trigger: see `TriggerIdentity`. */
  readonly family: string;
  readonly subject: string;
  readonly body: string;
  readonly origin: "input" | "written" | "change";
  /** Lines of code that a review comment stands at. */
  readonly context: readonly ContextItem[];
  /** Sentences for the comment. */
  readonly notes: readonly string[];
}

export type QuestionReading =
  | EventQuestion
  | { readonly kind: "skip"; readonly reason: string; readonly message: string };

/**
 * Reads the question of an event or of the inputs.
 *
 * @throws {InputError} when neither asks anything.
 */
export function readQuestion(options: QuestionOptions): QuestionReading {
  const { event, triggerPhrase } = options;
  const reading = readRequest(event, { ...options, bareRequest: "", changeRequest: undefined });
  if (reading.kind === "skip") return reading;
  if (reading.kind === "nothing") {
    throw new InputError(["`prompt` is missing: this event asks nothing; set `prompt` or `prompt-file`."]);
  }
  const { instruction, removed, family, subject, body, origin } = reading;
  const text = instruction.trim();
  if (text === "") {
    return {
      kind: "skip",
      reason: "no-question",
      message: `There is no question after \`${triggerPhrase}\`.`,
    };
  }
  return {
    kind: "question",
    text,
    family,
    subject,
    body,
    origin,
    context: placeOf(event),
    notes: notesOf(removed),
  };
}

function notesOf(removed: RemovedContent): string[] {
  const note = describeRemoval(removed, "the question");
  return note === undefined ? [] : [note];
}

function placeOf(event: GitHubEvent): ContextItem[] {
  if (event.type !== "written" || event.location === undefined) return [];
  const { hunk, path } = event.location;
  return [
    { type: "code", value: stripInvisibleCharacters(hunk).text, path: stripInvisibleCharacters(path).text },
  ];
}
