/** The request that carries a question, checked against the contract before it is sent. */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { InputError } from "../../base/errors.ts";
import {
  AssistantRequest,
  anonymousFingerprint,
  type ContextItem,
  UiAssistantRequest,
} from "../../client/assistant-contract.ts";
import type { AssistantQuestion } from "../../client/assistant-stream.ts";

export interface QuestionFields {
  readonly version: "v1" | "v2";
  readonly domain: string;
  readonly retrievalPageSize: number;
  readonly filterVersion: string | undefined;
  readonly filterLanguage: string | undefined;
  readonly currentPath: string | undefined;
  readonly context: readonly ContextItem[];
}

export interface Asked {
  readonly id: string;
  readonly text: string;
  readonly fp: string;
  readonly threadId: string | undefined;
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
 * Composes the request.
 *
 * @throws {InputError} naming every input whose value the specification does not allow.
 */
export function composeQuestion(fields: QuestionFields, asked: Asked): AssistantQuestion {
  const { version, domain } = fields;
  const parts = [{ type: "text" as const, text: asked.text }];
  if (version === "v1") {
    const message = { id: asked.id, role: "user" as const, content: asked.text, parts };
    const request = { ...commonFields(fields, asked), messages: [message] };
    return { version, domain, request: check(AssistantRequest, request) };
  }
  const request = {
    ...commonFields(fields, asked),
    messages: [{ id: asked.id, role: "user" as const, parts }],
  };
  return { version, domain, request: check(UiAssistantRequest, request) };
}

function commonFields(fields: QuestionFields, { fp, threadId }: Asked) {
  const {
    retrievalPageSize,
    currentPath,
    context,
    filterVersion: version,
    filterLanguage: language,
  } = fields;
  const filter = { ...(version !== undefined && { version }), ...(language !== undefined && { language }) };
  return {
    fp,
    retrievalPageSize,
    ...(threadId === undefined ? {} : { threadId }),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(currentPath === undefined ? {} : { currentPath }),
    ...(context.length === 0 ? {} : { context }),
  };
}

function check<Schema extends z.ZodType>(schema: Schema, request: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new InputError(
    parsed.error.issues.map(({ path, message }) => {
      const [field = "request", ...rest] = path.map(String);
      const place = rest.length === 0 ? "" : ` (${rest.join(".")})`;
      return `\`${inputNames[field] ?? field}\`${place}: ${message}`;
    }),
  );
}

/**
 * The same for every question of a thread, and nobody's name: `anonymous` without a thread. People are not told apart,
 * because a thread is one conversation.
 */
export function fingerprintOf(repositoryId: string, thread: string | undefined): string {
  if (thread === undefined) return anonymousFingerprint;
  const digest = createHash("sha256").update(`docs-automation\n${repositoryId}\n${thread}`).digest("hex");
  return `thread-${digest.slice(0, 32)}`;
}
