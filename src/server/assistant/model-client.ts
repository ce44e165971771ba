/** An OpenAI-compatible model: messages out, text in pieces back. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import { messageOf } from "../../base/text.ts";
import type { StopReason } from "./answer-part.ts";
import type { ModelMessage } from "./model-prompt.ts";

export interface ModelOptions {
  /** Address of the API, such as `https://models.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Name of the model. */
  readonly model: string;
}

/** The model did not answer; `message` is for the platform's log. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}

export interface StreamModelDeps {
  /** Ends the model's work. */
  readonly signal: AbortSignal;
  /** Called when the model is stopped before its end. */
  readonly onStop: (reason: StopReason) => void;
}

/** The model's words for it. */
const stops: Readonly<Record<string, StopReason>> = { length: "length", content_filter: "content-filter" };

/** Longest time to the end of an answer. */
const timeLimitMs = 5 * 60_000;
const maxEventLength = 1024 * 1024;

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).optional(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  error: z.unknown().optional(),
});

/**
 * Streams the model's answer; aborting the signal ends the model's work too.
 *
 * @throws {ModelError} when the model does not answer, or not to its end.
 */
export async function* streamModel(
  messages: readonly ModelMessage[],
  { baseUrl, apiKey, model }: ModelOptions,
  { signal, onStop }: StreamModelDeps,
): AsyncGenerator<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
  const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/chat/completions`, {
    method: "POST",
    signal: limited,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, messages, stream: true, temperature: 0 }),
  }).catch((cause: unknown) => {
    throw new ModelError(`The model cannot be reached (${reasonOf(cause)}).`, { cause });
  });
  if (!response.ok || response.body === null) {
    const text = await response.text();
    throw new ModelError(`The model answered ${response.status}: ${text.slice(0, 500)}`);
  }
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: maxEventLength }));
  let isFinished = false;
  for await (const { data } of events) {
    if (data === "[DONE]") return;
    const { text, finishReason } = readChunk(data);
    isFinished ||= finishReason !== undefined;
    const stop = stops[finishReason ?? ""];
    if (stop !== undefined) onStop(stop);
    if (text !== "") yield text;
  }
  if (!isFinished) throw new ModelError("The model's answer was cut off.");
}

/** `fetch` says only that it failed; why is told by its cause, of several addresses by their common code. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no reason given";
  return messageOf(cause) || code;
}

function readChunk(data: string): { readonly text: string; readonly finishReason: string | undefined } {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new ModelError(`The model sent an event that is not JSON: ${data.slice(0, 200)}`, { cause });
  }
  const chunk = Chunk.safeParse(value);
  if (!chunk.success || (chunk.data.error !== undefined && chunk.data.error !== null)) {
    throw new ModelError(`The model sent an error: ${data.slice(0, 500)}`);
  }
  const [choice] = chunk.data.choices;
  return { text: choice?.delta?.content ?? "", finishReason: choice?.finish_reason ?? undefined };
}
