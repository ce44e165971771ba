/** Reads an answer to its end, and says whether it is one. */
import type { AnswerSource, ReceivedAnswer } from "../base/answer.ts";
import { ActionError } from "../base/errors.ts";
import { endWithPeriod } from "../base/text.ts";
import { type AnswerEvent, type AssistantStream, StreamFault } from "./assistant-stream.ts";
import { PlatformError } from "./errors.ts";

/** What arrived, and how it ended. */
export interface CollectedAnswer extends ReceivedAnswer {
  readonly threadId: string | undefined;
  /** `undefined` for a whole answer; otherwise the text is only what arrived. */
  readonly failure: ActionError | undefined;
}

/** Many times what a comment holds; what comes beyond is not kept. */
const maxTextLength = 500_000;
/** A search may hand over an index; an answer rests on a few pages. */
const maxSources = 500;
const maxUrlLength = 2000;

/** What may still come after the finish: a thread identifier, the end of the body. */
const afterFinishMs = 2000;

/**
 * Reads the stream until it ends, fails, or the signal aborts; never throws for any of these.
 *
 * @param deps `onText` is called with the whole text so far, whenever there is more of it.
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
  return answer.conclude(signal);
}

/** What has arrived of an answer. */
class GrowingAnswer {
  fault: StreamFault | undefined;
  #threadId: string | undefined;
  readonly #cited = new Map<string, AnswerSource>();
  readonly #found = new Map<string, AnswerSource>();
  /** The text up to the last break; apart from the paragraph that grows, so that no text is copied again and again. */
  #earlier = "";
  #paragraph = "";
  #isParagraphOver = false;
  #finish: Extract<AnswerEvent, { type: "finish" | "data-finish" }> | undefined;
  #reportedError: string | undefined;

  constructor(threadId: string | undefined) {
    this.#threadId = threadId;
  }

  get text(): string {
    return this.#earlier + this.#paragraph;
  }

  /** @returns whether there is more text now. */
  add(event: AnswerEvent): boolean {
    if (event.type === "text") return this.#addText(event.text);
    if (event.type === "break") this.#isParagraphOver = true;
    else if (event.type === "thread") this.#threadId = event.threadId;
    else if (event.type === "source") addSource(event, event.cited ? this.#cited : this.#found);
    else if (event.type === "error") this.#reportedError ??= event.message;
    else if (event.type === "finish" || this.#finish?.type !== "finish") this.#finish = event;
    return false;
  }

  #addText(text: string): boolean {
    if (text === "" || this.#earlier.length + this.#paragraph.length >= maxTextLength) return false;
    if (this.#finish?.type === "data-finish") this.#finish = undefined;
    if (this.#isParagraphOver) {
      const paragraph = this.#paragraph.trimEnd();
      if (paragraph !== "") this.#earlier += `${paragraph}\n\n`;
      this.#paragraph = "";
      this.#isParagraphOver = false;
    }
    this.#paragraph += text;
    return true;
  }

  conclude(signal: AbortSignal): CollectedAnswer {
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

  /** A whole answer has a finish that is no error, no error part, and words. */
  #failure(signal: AbortSignal): ActionError | undefined {
    if (this.#reportedError !== undefined) {
      const reason = endWithPeriod(this.#reportedError);
      return new PlatformError("stream-cut", `The assistant failed while it answered: ${reason}`);
    }
    if (this.#finish?.reason === "error")
      return new PlatformError("stream-cut", "The assistant failed while it answered; it gave no reason.");
    if (this.#finish !== undefined) {
      if (this.text.trim() !== "") return undefined;
      const message = "The assistant finished without a word.";
      return new PlatformError("unexpected-response", message, { hint: askAgainHint });
    }
    if (signal.aborted && signal.reason instanceof ActionError) return signal.reason;
    const cause = this.fault;
    const detail = cause?.message ?? "the stream stopped without a finish";
    return cause?.reason === "malformed" && this.text === ""
      ? new PlatformError("unexpected-response", `What came is no stream of an answer: ${detail}.`, { cause })
      : new PlatformError("stream-cut", `The answer ended too early: ${detail}.`, { cause });
  }
}

function addSource({ url, title }: AnswerSource, sources: Map<string, AnswerSource>): void {
  const known = sources.get(url);
  if (url.length > maxUrlLength || (known === undefined && sources.size >= maxSources)) return;
  sources.set(url, { url, title: known?.title ?? title });
}

/** What to do about an answer that holds nothing to show. */
export const askAgainHint = "Ask again in other words; if it stays silent, tell the platform's operator.";
