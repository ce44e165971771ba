import { ActionError } from "../../base/errors.ts";
import type { Origin } from "../../github/pull-requests.ts";
import type { AgentGitHub, AgentOptions } from "./agent-interface.ts";
import type { JobEnd } from "./job-end.ts";
import { verifyPullRequestLink } from "./verify-pull-request-link.ts";

export type VerifyOptions = Pick<AgentOptions, "projectId" | "repository" | "serverUrl" | "localOrigin">;

export interface VerifyDeps {
  readonly github: Pick<AgentGitHub, "readPullRequest" | "adoptPullRequest">;
}

export interface ReportedPullRequest {
  readonly jobId: string;
  readonly link: string;
  /** The job's `source.repository`. */
  readonly source: string | null | undefined;
}

/** Accepts a reported pull request only if it is one of the job's repository and GitHub knows it; then adopts it. */
export async function verifyPullRequest(
  { jobId, link, source }: ReportedPullRequest,
  { projectId, repository, serverUrl, localOrigin }: VerifyOptions,
  { github }: VerifyDeps,
): Promise<JobEnd> {
  const home = `${repository.owner}/${repository.name}`;
  const read = verifyPullRequestLink(link, {
    serverUrl,
    localOrigin,
    repository: home,
    source: source ?? undefined,
  });
  if (read.kind === "mismatch") return mismatch(jobId, read.reason);
  if (read.kind === "local-page") return { outcome: "pull-request", url: read.url, number: undefined };
  const isHome = `${read.owner}/${read.name}`.toLowerCase() === home.toLowerCase();
  const pull = await github.readPullRequest(read);
  if (pull === undefined) return mismatch(jobId, "GitHub knows no such pull request");
  const origin: Origin = { project: projectId, jobId };
  if (pull !== "hidden" && isHome) await github.adoptPullRequest(pull, origin);
  return { outcome: "pull-request", url: read.url, number: read.number };
}

function mismatch(jobId: string, reason: string): JobEnd {
  const message = `Agent job ${jobId} is completed, but the pull request it reports is not accepted: ${reason}.`;
  return { outcome: "failed", error: new ActionError("pull-request-mismatch", message) };
}
