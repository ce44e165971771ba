/** A page that an answer is based on. */
export interface AnswerSource {
  readonly url: string;
  readonly title: string | undefined;
}

/** The received part of an assistant's answer. Every text in it is untrusted. */
export interface ReceivedAnswer {
  readonly text: string;
  /** Pages that the answer cites, without duplicates, in order. The URLs are those that the platform sent. */
  readonly cited: readonly AnswerSource[];
  /** Pages that the assistant found while it searched, without duplicates, in order. */
  readonly found: readonly AnswerSource[];
  /** The limit that ended the answer early: the model's length limit or a content filter. This is not an error. */
  readonly stoppedBy: "length" | "filter" | undefined;
}
