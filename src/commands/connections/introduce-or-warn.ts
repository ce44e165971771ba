import type { Log } from "../../base/runtime.ts";
import { GitHubError } from "../../github/errors.ts";
import {
  introducePullRequest,
  type Origin,
  type OwnershipDeps,
  type PullRequest,
} from "../../github/pull-requests.ts";
import { introducePullRequestText } from "../../presentation/status-comment.ts";

export interface Introduction {
  readonly pull: Pick<PullRequest, "number">;
  readonly origin: Origin;
  /** Page of the thread on which the request was made. */
  readonly source: string | undefined;
  /** What a comment must start with to reach the agent; `undefined` where it is not known. */
  readonly triggerPhrase: string | undefined;
}

export interface IntroductionDeps extends OwnershipDeps {
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Says on a pull request which job made it; where GitHub does not take that, it is only worth a warning. */
export async function introduceOrWarn(
  { pull: { number }, origin, source, triggerPhrase }: Introduction,
  { log, signal, ...ownership }: IntroductionDeps,
): Promise<void> {
  const text = introducePullRequestText(origin.jobId, source, triggerPhrase);
  try {
    await introducePullRequest({ number, text, origin }, ownership);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GitHubError)) throw error;
    log.warning(`Pull request #${number}: ${error.message} ${error.hint}`);
  }
}
