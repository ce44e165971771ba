/** Our one comment on a pull request of the agent. */
import { codeSpan } from "./escape-markdown.ts";

export interface PullRequestIntroduction {
  readonly jobId: string;
  /** Page of the thread on which the request was made. */
  readonly source: string | undefined;
  readonly triggerPhrase: string;
}

export function introducePullRequestText({ jobId, source, triggerPhrase }: PullRequestIntroduction): string {
  const where =
    source !== undefined && URL.canParse(source) ? ` for [this request](${new URL(source).href})` : "";
  return [
    `Agent job ${codeSpan(jobId)} made this pull request${where}.`,
    `Comment ${codeSpan(`${triggerPhrase} …`)} here to have it changed.`,
  ].join(" ");
}
