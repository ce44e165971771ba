import type { StoredClaim } from "../claims/claim-store.ts";
import { createStatusClaims } from "../claims/status-claims.ts";
import { GitHubError } from "../errors.ts";
import type { GitHubApi } from "../github-api.ts";
import { findMarkedCommits, type MarkedCommits } from "./find-marked-commits.ts";
import type { FoundRecord, FoundRecords, OpenRecordsDeps } from "./found-record.ts";

/** Commits whose statuses are read in whole, at most: each is a request. */
const maxCommits = 300;

/** Open records in commit statuses, on whatever branch, tag or pull request their commit is. */
export async function listStatusRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { shas, unseen } = await findCommits(since, deps.api);
  const records: FoundRecord[] = [];
  for (const sha of shas.slice(0, maxCommits)) records.push(...(await readStatusRecords(sha, deps)));
  const left = shas.length - maxCommits;
  const sentence = `Commit statuses: ${left} more commits with open requests are left for the next run.`;
  return { records, unseen: left > 0 ? [...unseen, sentence] : unseen };
}

/** Without GraphQL, or where its answer takes GitHub too long, what the REST API lists at once has to do. */
async function findCommits(since: string, api: GitHubApi): Promise<MarkedCommits> {
  try {
    return await findMarkedCommits(since, api);
  } catch (error) {
    const isUseless =
      error instanceof GitHubError &&
      ["not-found", "unavailable", "unexpected-response"].includes(error.code);
    if (!isUseless) throw error;
    const purpose = { doing: "list the recent commits", permission: "contents: read" };
    const { data: commits } = await api.call(purpose, (octokit, target) =>
      octokit.rest.repos.listCommits({ ...target, per_page: 100 }),
    );
    const sentence = `Commit statuses: only those of the newest ${commits.length} commits of the default branch were looked at: ${error.message}`;
    return { shas: commits.map(({ sha }) => sha), unseen: [sentence] };
  }
}

async function readStatusRecords(sha: string, deps: OpenRecordsDeps): Promise<FoundRecord[]> {
  const claims = createStatusClaims({ sha }, deps);
  const reread = async ({ id }: StoredClaim) => (await claims.list()).find((claim) => claim.id === id);
  const where = `commit ${sha.slice(0, 7)}`;
  return (await claims.list()).map((claim) => ({ claim, claims, reread: () => reread(claim), where }));
}
