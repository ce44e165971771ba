/** Our one comment on a pull request of the agent. */
import { codeSpan } from "./escape-markdown.ts";

export interface PullRequestIntroduction {
  readonly jobId: string;
  /** Page of the thread on which the request was made. */
  readonly source: string | undefined;
  /** What a comment must start with to reach the agent; `undefined` where it is not known. */
  readonly triggerPhrase: string | undefined;
}

export function introducePullRequestText({ jobId, source, triggerPhrase }: PullRequestIntroduction): string {
  const where =
    source !== undefined && URL.canParse(source) ? ` for [this request](${new URL(source).href})` : "";
  const made = `Agent job ${codeSpan(jobId)} made this pull request${where}.`;
  if (triggerPhrase === undefined) return made;
  return `${made} Comment ${codeSpan(`${triggerPhrase} …`)} here to have it changed.`;
}
