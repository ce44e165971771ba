/** What an answer is made of, before it takes the shape of a protocol. */
export type AnswerPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "source"; readonly url: string; readonly title: string }
  /** The model was stopped before its end; nothing follows but the finish. */
  | { readonly type: "stop"; readonly reason: StopReason }
  /** The answer failed; nothing follows but the finish. */
  | { readonly type: "error"; readonly message: string };

/** What ends an answer early without a failure, in the protocols' words. */
export type StopReason = "length" | "content-filter";

/** What answerers are told. */
export interface AnswerRequest {
  readonly question: string;
  /** Earlier questions and answers of the conversation, oldest first. */
  readonly turns: readonly Turn[];
  readonly context: readonly {
    readonly type: string;
    readonly value: string;
    readonly path?: string | undefined;
  }[];
}

/** A question and what was answered. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
}
