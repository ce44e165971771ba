/** What an answer on a thread is made of, for whoever writes, shows or ends it. */

import type { CollectedAnswer } from "../../client/collect-answer.ts";
import type { ClaimStore } from "../../github/claim-store.ts";

/** What the comment shows beside its record; the store's `render` reads it. */
export interface ShownAnswer {
  state: "asking" | "queued" | "answering" | "answered" | "failed";
  text: string;
  answer: CollectedAnswer | undefined;
  queuedUntil?: Date;
}

export interface AnswerStores {
  /** Records of this question. */
  readonly claims: ClaimStore;
  /** The same store for the last words of a cancelled run. */
  readonly lastWords: ClaimStore;
  /** Records of the questions and requests that this one may go on from, the nearest last. */
  readonly conversation: Pick<ClaimStore, "list">;
}
