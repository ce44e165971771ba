/** Reads an answer to its end, and says whether it is one. */

import { ActionError } from "../../base/errors.ts";
import { withStop } from "../../base/text.ts";
import type { AssistantStream } from "../assistant-client.ts";
import { PlatformError } from "../errors.ts";
import type { AnswerEvent } from "./answer-events.ts";
import { StreamFault } from "./stream-fault.ts";

export interface AnswerSource {
  readonly url: string;
  readonly title: string | undefined;
}

/** What arrived, and how it ended. */
export interface CollectedAnswer {
  readonly text: string;
  readonly threadId: string | undefined;
  /** Pages that the answer cites, each once, in order; addresses are as the platform gave them. */
  readonly cited: readonly AnswerSource[];
  /** Pages that the assistant found while it searched, each once, in order. */
  readonly found: readonly AnswerSource[];
  /** `undefined` for a whole answer; otherwise the text is only what arrived. */
  readonly failure: ActionError | undefined;
  /** What stopped the model: its length limit or a filter. The end is missing, but nothing went wrong. */
  readonly stoppedBy: "length" | "filter" | undefined;
}

export interface CollectAnswerDeps {
  /** Called with the whole text so far, whenever there is more of it. */
  readonly onText: (text: string) => void;
  /** Takes secrets out of a text that is about to be shown. */
  readonly redact?: (text: string) => string;
  readonly signal: AbortSignal;
}

interface State {
  text: string;
  threadId: string | undefined;
  readonly cited: Map<string, AnswerSource>;
  readonly found: Map<string, AnswerSource>;
  finishReason: string | undefined;
  said: string | undefined;
  fault: StreamFault | undefined;
  isParagraphOver: boolean;
}

/** Many times what a comment holds; what comes beyond is not kept. */
const maxTextLength = 500_000;
/** A search may hand over an index; an answer rests on a few pages. */
const maxSources = 500;
const maxUrlLength = 2000;

/** What may still come after the finish: a thread identifier, the end of the body. */
const afterFinishMs = 2000;

/** Reads the stream until it ends, fails, or the signal aborts; never throws for any of these. */
export async function collectAnswer(
  { events, threadId }: Pick<AssistantStream, "events" | "threadId">,
  { onText, redact = (text) => text, signal }: CollectAnswerDeps,
): Promise<CollectedAnswer> {
  const state: State = {
    text: "",
    threadId,
    cited: new Map(),
    found: new Map(),
    finishReason: undefined,
    said: undefined,
    fault: undefined,
    isParagraphOver: false,
  };
  const reader = events.getReader();
  const stop = () => void reader.cancel();
  signal.addEventListener("abort", stop);
  let timer: NodeJS.Timeout | undefined;
  try {
    if (signal.aborted) stop();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const before = state.text;
      take(next.value, state);
      if (state.text !== before) onText(state.text);
      if (state.finishReason !== undefined) timer ??= setTimeout(stop, afterFinishMs);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
  state.said &&= redact(state.said);
  return {
    text: redact(state.text),
    threadId: state.threadId,
    cited: redactSources(state.cited, redact),
    found: redactSources(state.found, redact),
    failure: failureOf(state, { redact, signal }),
    stoppedBy: stopOf(state),
  };
}

function redactSources(
  sources: ReadonlyMap<string, AnswerSource>,
  redact: (text: string) => string,
): AnswerSource[] {
  return [...sources.values()].map(({ url, title }) => ({ url: redact(url), title: title && redact(title) }));
}

function take(event: AnswerEvent | StreamFault, state: State): void {
  if (event instanceof StreamFault) {
    state.fault = event;
    return;
  }
  switch (event.type) {
    case "text":
      addText(event.text, state);
      break;
    case "break":
      state.isParagraphOver = true;
      break;
    case "thread":
      state.threadId = event.threadId;
      break;
    case "source":
      addSource(event, event.cited ? state.cited : state.found);
      break;
    case "error":
      state.said ??= event.message;
      break;
    case "finish":
      state.finishReason = event.reason;
      break;
  }
}

function addText(text: string, state: State): void {
  if (state.text.length >= maxTextLength) return;
  if (state.isParagraphOver && text !== "" && state.text !== "") {
    state.text = `${state.text.trimEnd()}\n\n`;
  }
  state.isParagraphOver &&= text === "";
  state.text += text;
}

function addSource({ url, title }: AnswerSource, sources: Map<string, AnswerSource>): void {
  const known = sources.get(url);
  if (url.length > maxUrlLength || (known === undefined && sources.size >= maxSources)) return;
  sources.set(url, { url, title: known?.title ?? title });
}

function stopOf({ finishReason, text }: State): CollectedAnswer["stoppedBy"] {
  if (finishReason === "content-filter") return "filter";
  return finishReason === "length" || text.length >= maxTextLength ? "length" : undefined;
}

/** What to do about an answer that holds nothing to show. */
export const otherWords = "Ask again in other words; if it stays silent, tell the platform's operator.";

/** A whole answer has a finish that is no error, no error part, and words. */
function failureOf(
  state: State,
  { redact, signal }: { readonly redact: (text: string) => string; readonly signal: AbortSignal },
): ActionError | undefined {
  const { said, finishReason, fault, text } = state;
  if (said !== undefined) {
    return new PlatformError("stream-cut", `The assistant failed while it answered: ${withStop(said)}`);
  }
  if (finishReason === "error") {
    return new PlatformError("stream-cut", "The assistant failed while it answered; it gave no reason.");
  }
  if (finishReason !== undefined) {
    return text.trim() === ""
      ? new PlatformError("unexpected-response", "The assistant finished without a word.", {
          hint: otherWords,
        })
      : undefined;
  }
  if (signal.aborted && signal.reason instanceof ActionError) return signal.reason;
  if (fault === undefined) {
    return new PlatformError(
      "stream-cut",
      "The answer ended too early: the stream stopped without a finish.",
    );
  }
  const { cause } = fault;
  const detail = redact(fault.detail);
  if (fault.reason === "malformed" && text === "") {
    return new PlatformError("unexpected-response", `What came is no stream of an answer: ${detail}.`, {
      cause,
    });
  }
  return new PlatformError("stream-cut", `The answer ended too early: ${detail}.`, { cause });
}
