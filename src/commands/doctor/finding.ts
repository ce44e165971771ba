/** `unknown`: it cannot be told without doing something. */
type Verdict = "ok" | "advice" | "problem" | "unknown";

export interface Finding {
  readonly subject: string;
  readonly verdict: Verdict;
  /** Markdown of ours. */
  readonly detail: string;
  /** Whether `detail` holds somebody else's words: then it is plain text. */
  readonly isQuoted?: true;
  /** The next step, where there is one. */
  readonly hint?: string;
}
