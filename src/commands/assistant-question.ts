/** From an event and the inputs to the request that asks a question. */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { InputError } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import {
  AssistantRequest,
  anonymousFingerprint,
  ContextItem,
  UiAssistantRequest,
} from "../client/assistant-contract.ts";
import type { AssistantQuestion } from "../client/assistant-stream.ts";
import { stripInvisibleCharacters } from "../github/invisible-characters.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import type { GitHubConnection, Refusal } from "./connect-github.ts";
import type { Turn } from "./conversation.ts";
import type { AssistantInputs } from "./inputs.ts";
import { describeRemoval } from "./prompt.ts";
import { type EventRequest, readRequest } from "./request-from-event.ts";

/** What an event asks, with what makes it one trigger. */
export interface EventQuestion extends EventRequest {
  /** Lines of code that a review comment stands at. */
  readonly context: readonly ContextItem[];
  /** Sentences for the comment. */
  readonly notes: readonly string[];
}

/**
 * Reads the question of an event or of the inputs.
 *
 * @throws {InputError} when neither asks anything.
 */
export async function readQuestion(
  { event, context: { runId } }: Pick<GitHubConnection, "event" | "context">,
  triggerPhrases: TriggerPhrases,
  prompt: string | undefined,
): Promise<EventQuestion | (Refusal & { readonly kind: "skip" })> {
  const options = {
    asksFor: "question",
    bareRequest: undefined,
    changeRequest: undefined,
    triggerPhrases,
    prompt,
    runId,
  } as const;
  const request = await readRequest(event, options);
  if (request.kind === "skip") return request;
  if (request.kind === "nothing") {
    throw new InputError(["`prompt` is missing: this event asks nothing; set `prompt` or `prompt-file`."]);
  }
  const instruction = request.instruction.trim();
  if (instruction === "") {
    const message = `There is no question after \`${triggerPhrases[0]}\`.`;
    return { kind: "skip", reason: "no-question", message };
  }
  const note = describeRemoval(request.removed, "the question");
  const location = event.type === "written" ? event.location : undefined;
  const visible = (source: string) => stripInvisibleCharacters(source).text;
  const code = location && { value: visible(location.hunk), path: visible(location.path) };
  return {
    ...request,
    instruction,
    context: code === undefined ? [] : [{ type: "code", ...code }],
    notes: note === undefined ? [] : [note],
  };
}

/**
 * Reads `context-items`, a YAML or JSON list.
 *
 * @throws {InputError} naming every item that is not as the specification has it.
 */
export async function readContextItems(text: string | undefined): Promise<ContextItem[]> {
  if (text === undefined) return [];
  const { parse } = await import("yaml");
  let items: unknown;
  try {
    items = parse(text, { maxAliasCount: 20 });
  } catch (error) {
    throw new InputError([`\`context-items\` is neither YAML nor JSON: ${messageOf(error)}`]);
  }
  const { data, error } = z.array(ContextItem).safeParse(items);
  if (data !== undefined) return data;
  throw new InputError(
    error.issues.map(({ path, message }) => `\`context-items\` (${path.join(".") || "list"}): ${message}`),
  );
}

/** The inputs that a request carries. */
type QuestionInputs = Pick<
  AssistantInputs,
  "apiVersion" | "retrievalPageSize" | "filterVersion" | "filterLanguage" | "currentPath"
>;

/** What a request carries besides. */
export interface Asked {
  readonly domain: string;
  readonly id: string;
  readonly text: string;
  readonly fp: string;
  readonly context: readonly ContextItem[];
  /** What was asked and answered before in the same conversation, oldest first. */
  readonly turns?: readonly Turn[];
}

/** The inputs behind the request's fields. */
const inputNames: Readonly<Record<string, string>> = {
  currentPath: "current-path",
  retrievalPageSize: "retrieval-page-size",
  filter: "filter-version` and `filter-language",
  context: "context-items",
  threadId: "thread-id",
};

/**
 * Composes the request, and checks it against the contract.
 *
 * @throws {InputError} naming every input whose value the specification does not allow.
 */
export function composeQuestion(
  inputs: QuestionInputs,
  { domain, id, text, fp, context, turns = [] }: Asked,
  threadId: string | undefined,
): AssistantQuestion {
  const { apiVersion: version, retrievalPageSize, currentPath } = inputs;
  const filter = {
    ...(inputs.filterVersion !== undefined && { version: inputs.filterVersion }),
    ...(inputs.filterLanguage !== undefined && { language: inputs.filterLanguage }),
  };
  const say = (id: string, role: "user" | "assistant", text: string) => ({
    id,
    role,
    ...(version === "v1" && { content: text }),
    parts: [{ type: "text", text }],
  });
  const earlier = turns.flatMap(({ id, question, answer }) => [
    say(`ask-${id}`, "user", question),
    say(`answer-${id}`, "assistant", answer),
  ]);
  const request = {
    fp,
    retrievalPageSize,
    ...(threadId !== undefined && { threadId }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(currentPath !== undefined && { currentPath }),
    ...(context.length > 0 && { context }),
    messages: [...earlier, say(id, "user", text)],
  };
  return version === "v2"
    ? { version, domain, request: check(UiAssistantRequest, request) }
    : { version, domain, request: check(AssistantRequest, request) };
}

function check<Schema extends z.ZodMiniType>(schema: Schema, request: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new InputError(
    parsed.error.issues.map(({ path, message }) => {
      const [field = "request", ...rest] = path.map(String);
      const where = rest.length === 0 ? "" : ` (${rest.join(".")})`;
      return `\`${inputNames[field] ?? field}\`${where}: ${message}`;
    }),
  );
}

/**
 * The same for every question of a thread, without any name; `anonymous` without a thread. People are not told apart,
 * because a thread is one conversation.
 */
export function fingerprintOf(repositoryId: string, thread: string | undefined): string {
  if (thread === undefined) return anonymousFingerprint;
  const digest = createHash("sha256").update(`docs-automation\n${repositoryId}\n${thread}`).digest("hex");
  return `thread-${digest.slice(0, 32)}`;
}
