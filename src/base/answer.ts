/** A page that an answer rests on. */
export interface AnswerSource {
  readonly url: string;
  readonly title: string | undefined;
}

/** What has arrived of an answer; every text in it is untrusted. */
export interface ReceivedAnswer {
  readonly text: string;
  /** Pages that the answer cites, each once, in order; addresses are as the platform gave them. */
  readonly cited: readonly AnswerSource[];
  /** Pages that the assistant found while it searched, each once, in order. */
  readonly found: readonly AnswerSource[];
  /** What stopped the model: its length limit or a filter. The end is missing, but nothing went wrong. */
  readonly stoppedBy: "length" | "filter" | undefined;
}
