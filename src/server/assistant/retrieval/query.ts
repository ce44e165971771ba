/** A question as retrieval takes it. */
import { contentTerms } from "./analyze-text.ts";
import type { WeightedTerms } from "./bm25-index.ts";

export interface RetrievalQuery {
  /** The words that ask. */
  readonly question: string;
  /** What the same person asked before, oldest first: a follow-up leaves out what was said. */
  readonly earlier: readonly string[];
  /** Code and text that the question is about. */
  readonly context: readonly string[];
  /** Address or file of the page that the asker looks at. */
  readonly currentPath: string | undefined;
  readonly version: string | undefined;
  readonly language: string | undefined;
}

/** How much counts what stands around a question; a question of few terms points at it ("what does this do?"). */
const besides = { earlier: 0.35, context: 0.25, contextTerms: 40 };
const pointedAt = { earlier: 0.6, context: 1, contextTerms: 12 };
const pointingQuestion = 2;
/** A question of this many terms stands for itself. */
const longQuestion = 8;

/** The terms to search for: the question's, and with less weight those of the conversation and the context. */
export function weighTerms({ question, earlier, context }: RetrievalQuery): WeightedTerms {
  const weights = new Map<string, number>();
  const add = (terms: readonly string[], weight: number) => {
    for (const term of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  };
  const asked = contentTerms(question);
  add(asked, 1);
  const weight = asked.length <= pointingQuestion ? pointedAt : besides;
  const last = earlier.at(-1);
  if (last !== undefined && asked.length < longQuestion) add(contentTerms(last), weight.earlier);
  for (const value of context) {
    add([...new Set(contentTerms(value))].slice(0, weight.contextTerms), weight.context);
  }
  return weights;
}
