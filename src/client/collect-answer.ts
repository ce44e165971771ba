/** Reads an answer to its end and checks that it is complete. */
import type { AnswerSource, ReceivedAnswer } from "../base/answer.ts";
import { ActionError, type ErrorClass } from "../base/errors.ts";
import { endWithPeriod } from "../base/text.ts";
import { type AnswerEvent, type AssistantStream, StreamFault } from "./assistant-stream.ts";
import { PlatformError, readErrorMessage } from "./errors.ts";

export interface CollectedAnswer extends ReceivedAnswer {
  readonly threadId: string | undefined;
  /** `undefined` for a complete answer; otherwise the text is the part that was received. */
  readonly failure: ActionError | undefined;
}

/** The assistant itself reported that it failed. */
class AssistantError extends PlatformError {
  constructor(text: string) {
    const reason = readErrorMessage(text);
    const end = reason === undefined ? " and gave no reason." : `: ${endWithPeriod(reason)}`;
    super("stream-cut", `The assistant failed while answering${end}`, {
      hint: "Ask again later. If the reason is a quota or a setting, the platform's administrator can change it.",
    });
  }

  /** The connection was not the reason. */
  override get class(): ErrorClass {
    return "platform";
  }
}

/** Longer text is dropped; a comment holds much less. */
const maxTextLength = 500_000;
/** More sources are dropped; a search may return a whole index. */
const maxSources = 500;
const maxUrlLength = 2000;

/** After the finish, only a thread identifier and the end of the body are expected. */
const afterFinishMs = 2000;

/**
 * Reads the stream until it ends, fails, or the signal aborts. A failure is part of the result and not thrown.
 *
 * @param deps `onText` is called with the whole text so far whenever text is added.
 */
export async function collectAnswer(
  { events, threadId }: Pick<AssistantStream, "events" | "threadId">,
  { onText, signal }: { readonly onText: (text: string) => void; readonly signal: AbortSignal },
): Promise<CollectedAnswer> {
  const answer = new GrowingAnswer(threadId);
  const finished = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const event of events(AbortSignal.any([signal, finished.signal]))) {
      if (answer.add(event)) onText(answer.text);
      if (event.type === "finish") timer ??= setTimeout(() => finished.abort(), afterFinishMs);
    }
  } catch (error) {
    if (!(error instanceof StreamFault)) throw error;
    answer.fault = error;
  } finally {
    clearTimeout(timer);
  }
  return answer.finish(signal);
}

class GrowingAnswer {
  fault: StreamFault | undefined;
  #threadId: string | undefined;
  readonly #cited = new Map<string, AnswerSource>();
  readonly #found = new Map<string, AnswerSource>();
  /** The text before the current paragraph. It is separate so that trimming the paragraph does not copy the whole text. */
  #earlier = "";
  #paragraph = "";
  #isParagraphEnded = false;
  #finish: Extract<AnswerEvent, { type: "finish" | "data-finish" }> | undefined;
  #reportedError: string | undefined;

  constructor(threadId: string | undefined) {
    this.#threadId = threadId;
  }

  get text(): string {
    return this.#earlier + this.#paragraph;
  }

  /** @returns whether text was added. */
  add(event: AnswerEvent): boolean {
    if (event.type === "text") return this.#addText(event.text);
    if (event.type === "break") this.#isParagraphEnded = true;
    else if (event.type === "thread") this.#threadId = event.threadId;
    else if (event.type === "source") addSource(event, event.cited ? this.#cited : this.#found);
    else if (event.type === "error") this.#reportedError ||= event.message;
    else if (event.type === "finish" || this.#finish?.type !== "finish") this.#finish = event;
    return false;
  }

  #addText(text: string): boolean {
    if (text === "" || this.#earlier.length + this.#paragraph.length >= maxTextLength) return false;
    if (this.#finish?.type === "data-finish") this.#finish = undefined;
    if (this.#isParagraphEnded) {
      const paragraph = this.#paragraph.trimEnd();
      if (paragraph !== "") this.#earlier += `${paragraph}\n\n`;
      this.#paragraph = "";
      this.#isParagraphEnded = false;
    }
    this.#paragraph += text;
    return true;
  }

  finish(signal: AbortSignal): CollectedAnswer {
    return {
      text: this.text,
      threadId: this.#threadId,
      cited: [...this.#cited.values()],
      found: [...this.#found.values()],
      failure: this.#failure(signal),
      stoppedBy: this.#stoppedBy(),
    };
  }

  #stoppedBy(): CollectedAnswer["stoppedBy"] {
    if (this.#finish?.reason === "content-filter") return "filter";
    return this.#finish?.reason === "length" || this.text.length >= maxTextLength ? "length" : undefined;
  }

  /** A complete answer has a finish event with a reason other than "error", and no error event. Its text may be empty. */
  #failure(signal: AbortSignal): ActionError | undefined {
    if (this.#reportedError !== undefined) return new AssistantError(this.#reportedError);
    if (this.#finish?.reason === "error") return new AssistantError("");
    if (this.#finish !== undefined) return undefined;
    if (signal.aborted && signal.reason instanceof ActionError) return signal.reason;
    const cause = this.fault;
    const detail = cause?.message ?? "the stream ended without a finish event";
    return cause?.reason === "malformed" && this.text === ""
      ? new PlatformError("unexpected-response", `The response is not the stream of an answer: ${detail}.`, {
          cause,
        })
      : new PlatformError("stream-cut", `The answer ended too early: ${detail}.`, { cause });
  }
}

function addSource({ url, title }: AnswerSource, sources: Map<string, AnswerSource>): void {
  const known = sources.get(url);
  if (url.length > maxUrlLength || (known === undefined && sources.size >= maxSources)) return;
  sources.set(url, { url, title: known?.title ?? title });
}
