/** A permitted question to the assistant: composes its request. Everything that sends it is loaded afterwards, from `assistant-answer.ts`. */
import { createHash, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { InputError } from "../base/errors.ts";
import { stripInvisibleCharacters } from "../base/invisible-characters.ts";
import { configureSchemas } from "../base/schemas.ts";
import { messageOf } from "../base/text.ts";
import { anonymousFingerprint, assistantPath, ContextItem } from "../client/assistant-contract.ts";
import type { AssistantQuestion } from "../client/assistant-stream.ts";
import { threadKey, triggerKey } from "../github/comment-claims.ts";
import type { GitHubEvent } from "../github/event.ts";
import type { AssistantRun, ComposeQuestion, Turn } from "./assistant-answer.ts";
import { draftRecord } from "./claim.ts";
import { findThreadLocation } from "./connect-github.ts";
import { embeddedDomain } from "./connect-platform.ts";
import type { AssistantInputs } from "./inputs.ts";
import { describeRemoval } from "./prompt.ts";
import { react } from "./reply.ts";
import type { EventRequest } from "./request-from-event.ts";
import { type CommandResult, describeDryRun, type Run, type Skip } from "./run.ts";
import { readPromptInput } from "./workspace.ts";

/** The lines of code that a review comment is attached to, without invisible characters. */
export function codeContextOf(event: GitHubEvent): ContextItem[] {
  const location = event.type === "text" ? event.location : undefined;
  if (location === undefined) return [];
  const visible = (source: string) => stripInvisibleCharacters(source).text;
  return [{ type: "code", value: visible(location.hunk), path: visible(location.path) }];
}

/**
 * Answers a permitted question, unless another run did or does.
 *
 * @throws {InputError} for context items that the specification does not allow, before anything is sent.
 * @throws {PlatformError} when the platform does not answer.
 */
export async function answerQuestion(
  question: EventRequest,
  assistant: AssistantRun,
): Promise<CommandResult<"assistant"> | Skip> {
  const { inputs, github, run } = assistant;
  const { repository, runUrl } = github.context;
  const context = [...(await readContextItems(inputs.contextItems)), ...codeContextOf(github.event)];
  // A `pull_request` event has a thread too.
  const location = findThreadLocation(github);
  const domain = inputs.domain ?? embeddedDomain;
  const identity = { command: "assistant", target: domain } as const;
  const trigger = triggerKey({ ...question, ...identity, repositoryId: repository.id });
  const text = question.instruction.trim();
  const fp = fingerprintOf(repository.id, location && threadKey(location.thread));
  const content = { domain, id: `ask-${trigger.slice(0, 24)}`, text, fp, context };
  const compose: ComposeQuestion = (...conversation) => composeQuestion(inputs, content, ...conversation);
  if (inputs.dryRun) return describeQuestion(compose());
  await react(github, run, "EYES");
  if (inputs.apiVersion === "v1" && inputs.baseUrl !== "local") {
    run.log.notice(
      "The platform's v1 assistant endpoint is deprecated; `api-version: v2` uses its successor, if the platform has it.",
    );
  }
  const notes = describeRemoval(question.removed, "the question");
  const draft = draftRecord({ ...identity, trigger, runUrl }, text, notes, github.event);
  try {
    const { claimAndAsk } = await import("./assistant-answer.ts");
    const shown = inputs.statusComment ? location : undefined;
    return await claimAndAsk({ source: question.source, draft, compose }, shown, assistant);
  } catch (error) {
    await react(github, run, "CONFUSED");
    throw error;
  }
}

function describeQuestion({ version, domain, request }: AssistantQuestion): Skip {
  const path = assistantPath(version, domain);
  return describeDryRun("assistant", `POST ${path}`, JSON.stringify(request, null, 2));
}

/**
 * The command-line form of `assistant`: asks one question without an event, a thread, permissions or records.
 *
 * @throws {InputError} without a question.
 * @throws {PlatformError} when the platform does not answer.
 */
export async function askDirectly(
  inputs: AssistantInputs,
  run: Run,
): Promise<CommandResult<"assistant"> | Skip> {
  const { domain = embeddedDomain } = inputs;
  const text = readPromptInput(inputs, run);
  if (text === undefined) throw new InputError(["`prompt` is missing: the question."]);
  const context = await readContextItems(inputs.contextItems);
  const content = { domain, id: `ask-${randomUUID()}`, text, fp: anonymousFingerprint, context };
  const compose: ComposeQuestion = (...conversation) => composeQuestion(inputs, content, ...conversation);
  if (inputs.dryRun) return describeQuestion(compose());
  const { askWithoutThread } = await import("./assistant-answer.ts");
  return askWithoutThread(text, compose, inputs, run);
}

/**
 * Reads `context-items`, a YAML or JSON list.
 *
 * @throws {InputError} naming every item that violates the specification.
 */
export async function readContextItems(text: string | undefined): Promise<ContextItem[]> {
  if (text === undefined) return [];
  const { parse } = await import("yaml");
  let items: unknown;
  try {
    items = parse(text);
  } catch (error) {
    throw new InputError([`\`context-items\` is neither YAML nor JSON: ${messageOf(error)}`]);
  }
  configureSchemas();
  const { data, error } = z.array(ContextItem).safeParse(items);
  if (data !== undefined) return data;
  throw new InputError([...new Set(error.issues.map(describeItemProblem))]);
}

function describeItemProblem({ code, path, ...issue }: z.core.$ZodIssue): string {
  const [index, field] = path;
  if (index === undefined) return "`context-items` must be a list of items with `type` and `value`.";
  const start = `Item ${Number(index) + 1} of \`context-items\``;
  if (field === "type") return `${start} needs \`type: code\` or \`type: textSelection\`.`;
  if (field !== undefined) return `${start} needs a text as \`${String(field)}\`.`;
  if (code !== "unrecognized_keys" || !("keys" in issue)) return `${start} must have \`type\` and \`value\`.`;
  return `${start} has a field that does not exist: ${issue.keys.join(", ")}.`;
}

interface QuestionContent {
  readonly domain: string;
  readonly id: string;
  readonly text: string;
  readonly fp: string;
  readonly context: readonly ContextItem[];
}

/**
 * Composes the request. The inputs were checked against the limits of the specification when they were read.
 *
 * @param continued the thread id of the conversation, unless the input `thread-id` names another one
 * @param turns earlier questions and answers of the same conversation, oldest first
 */
export function composeQuestion(
  inputs: AssistantInputs,
  { domain, id, text, fp, context }: QuestionContent,
  continued?: string,
  turns: readonly Turn[] = [],
): AssistantQuestion {
  const { apiVersion: version, retrievalPageSize, currentPath } = inputs;
  // The embedded platform forgets its conversations with each run.
  const threadId = inputs.baseUrl === "local" ? undefined : (inputs.threadId ?? continued);
  const filter = {
    ...(inputs.filterVersion !== undefined && { version: inputs.filterVersion }),
    ...(inputs.filterLanguage !== undefined && { language: inputs.filterLanguage }),
  };
  const toMessage = (id: string, role: "user" | "assistant", text: string) => ({
    id,
    role,
    content: text,
    parts: [{ type: "text" as const, text }],
  });
  const earlier = turns.flatMap(({ id, question, answer }) => [
    toMessage(`ask-${id}`, "user", question),
    toMessage(`answer-${id}`, "assistant", answer),
  ]);
  const messages = [...earlier, toMessage(id, "user", text)];
  const fields = {
    fp,
    retrievalPageSize,
    ...(threadId !== undefined && { threadId }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(currentPath !== undefined && { currentPath }),
    ...(context.length > 0 && { context: [...context] }),
  };
  return version === "v1"
    ? { version, domain, request: { ...fields, messages } }
    : { version, domain, request: { ...fields, messages: messages.map(({ content: _, ...each }) => each) } };
}

/**
 * The fingerprint of a conversation: the same for every question and user of a thread, without a name; `anonymous` without a thread.
 */
export function fingerprintOf(repositoryId: string, thread: string | undefined): string {
  if (thread === undefined) return anonymousFingerprint;
  const digest = createHash("sha256").update(`docs-automation\n${repositoryId}\n${thread}`).digest("hex");
  return `thread-${digest.slice(0, 32)}`;
}
