/** An answer that a model writes from the passages, held to them. */
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import type { AnswerPart, AnswerRequest, StopReason } from "./answer-part.ts";
import { type Citations, createCitations } from "./check-citations.ts";
import { refusal } from "./extractive-answer.ts";
import { ModelError, type ModelOptions, streamModel } from "./model-client.ts";
import { composeMessages, noAnswer } from "./model-prompt.ts";
import { linkTo, nameOf, type PageLinks } from "./page-links.ts";
import type { Retrieval } from "./retrieval/docs-index.ts";

interface ModelAnswerDeps {
  readonly model: ModelOptions;
  readonly links: PageLinks;
  readonly log: Log;
  /** Aborts when the reader goes away. */
  readonly signal: AbortSignal;
}

const uncited = "\n\n*No passage of the documentation is cited for this answer.*";

/** Streams a model's answer to the request from the retrieved passages. */
export async function* answerWithModel(
  request: AnswerRequest,
  retrieval: Retrieval,
  { model, links, log, signal }: ModelAnswerDeps,
): AsyncGenerator<AnswerPart> {
  const { passages } = retrieval;
  if (passages.length === 0) {
    yield { type: "text", text: refusal(retrieval, links) };
    return;
  }
  const citations = createCitations(passages.map((passage) => linkTo(passage, links)));
  let stop: StopReason | undefined;
  const words = streamModel(composeMessages(request, passages), model, {
    signal,
    onStop(reason) {
      stop = reason;
    },
  });
  try {
    for await (const text of withoutRefusal(words)) {
      yield { type: "text", text: text === undefined ? refusal(retrieval, links) : citations.feed(text) };
      if (text === undefined) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    log.warning(`The model failed: ${messageOf(error)}`);
    yield { type: "error", message: "The model behind the assistant failed." };
    return;
  }
  yield* concludeCitations(citations, retrieval, links);
  if (stop !== undefined) yield { type: "stop", reason: stop };
}

function* concludeCitations(
  citations: Citations,
  { passages }: Retrieval,
  links: PageLinks,
): Generator<AnswerPart> {
  yield { type: "text", text: citations.end() };
  if (citations.cited.length === 0) yield { type: "text", text: uncited };
  for (const number of citations.cited) {
    const passage = passages[number - 1];
    if (passage !== undefined) yield { type: "source", url: linkTo(passage, links), title: nameOf(passage) };
  }
}

/** Holds the beginning back until it is known not to be the refusal; `undefined` stands for that. */
async function* withoutRefusal(words: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let held: string | undefined = "";
  for await (const text of words) {
    if (held === undefined) {
      yield text;
      continue;
    }
    held += text;
    if (noAnswer.startsWith(held.trimStart().slice(0, noAnswer.length))) {
      if (held.trimStart().length < noAnswer.length) continue;
      yield undefined;
      return;
    }
    yield held;
    held = undefined;
  }
  if (held === undefined) return;
  if (held.trim() === "") throw new ModelError("The model wrote nothing.");
  yield held;
}
