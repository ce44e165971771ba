/** Reads an answer to its end, and says whether it is one. */
import { ActionError } from "../errors.ts";
import type { AnswerEvent } from "./answer-events.ts";
import type { AssistantStream } from "./assistant-client.ts";
import { PlatformError } from "./errors.ts";
import { StreamFault } from "./stream-fault.ts";

export interface AnswerSource {
  readonly url: string;
  readonly title: string | undefined;
}

/** What arrived, and how it ended. */
export interface CollectedAnswer {
  readonly text: string;
  readonly threadId: string | undefined;
  /** Pages that the answer cites, in order; as the platform gave them, so possibly more than once. */
  readonly cited: readonly AnswerSource[];
  /** Pages that the assistant found while it searched. */
  readonly found: readonly AnswerSource[];
  /** `undefined` for a whole answer; otherwise the text is only what arrived. */
  readonly failure: ActionError | undefined;
  /** The model stopped at its length limit or was stopped by a filter: the end is missing, but nothing went wrong. */
  readonly shortened: boolean;
}

export interface CollectAnswerDeps {
  /** Called with the whole text so far, whenever there is more of it. */
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

interface State {
  text: string;
  threadId: string | undefined;
  readonly cited: AnswerSource[];
  readonly found: AnswerSource[];
  finishReason: string | undefined;
  said: string | undefined;
  fault: StreamFault | undefined;
  isParagraphOver: boolean;
}

/** What may still come after the finish: a thread identifier, the end of the body. */
const afterFinishMs = 2000;

/** Reads the stream until it ends, fails, or the signal aborts; never throws for any of these. */
export async function collectAnswer(
  { events, threadId }: Pick<AssistantStream, "events" | "threadId">,
  { onText, signal }: CollectAnswerDeps,
): Promise<CollectedAnswer> {
  const state: State = {
    text: "",
    threadId,
    cited: [],
    found: [],
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
  return {
    text: state.text,
    threadId: state.threadId,
    cited: state.cited,
    found: state.found,
    failure: failureOf(state, signal),
    shortened: state.finishReason === "length" || state.finishReason === "content-filter",
  };
}

function take(event: AnswerEvent | StreamFault, state: State): void {
  if (event instanceof StreamFault) {
    state.fault = event;
    return;
  }
  switch (event.type) {
    case "text":
      if (state.isParagraphOver && event.text !== "" && state.text !== "") {
        state.text = `${state.text.trimEnd()}\n\n`;
      }
      state.isParagraphOver &&= event.text === "";
      state.text += event.text;
      break;
    case "break":
      state.isParagraphOver = true;
      break;
    case "thread":
      state.threadId = event.threadId;
      break;
    case "source":
      (event.cited ? state.cited : state.found).push({ url: event.url, title: event.title });
      break;
    case "error":
      state.said ??= event.message;
      break;
    case "finish":
      state.finishReason = event.reason;
      break;
  }
}

/** A whole answer has a finish that is no error, no error part, and words. */
function failureOf(state: State, signal: AbortSignal): ActionError | undefined {
  const { said, finishReason, fault, text } = state;
  if (said !== undefined) {
    return new PlatformError("stream-cut", `The assistant failed while it answered: ${said}`);
  }
  if (finishReason === "error") {
    return new PlatformError("stream-cut", "The assistant failed while it answered; it gave no reason.");
  }
  if (finishReason !== undefined) {
    return text.trim() === ""
      ? new PlatformError("unexpected-response", "The assistant finished without a word.")
      : undefined;
  }
  if (signal.aborted && signal.reason instanceof ActionError) return signal.reason;
  if (fault === undefined) {
    return new PlatformError(
      "stream-cut",
      "The answer ended too early: the stream stopped without a finish.",
    );
  }
  const code = fault.reason === "malformed" && text === "" ? "unexpected-response" : "stream-cut";
  return new PlatformError(code, `The answer ended too early: ${fault.detail}.`, { cause: fault.cause });
}
