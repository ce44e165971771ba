/** `pull-request-mode: rolling`: all changes of a branch update one open pull request, one at a time or several together. */
import { type ClaimRecord, covered, isOtherRequest, skippedByPaths } from "../base/claim-record.ts";
import { readParent, readRange } from "../github/changes.ts";
import type { StoredClaim } from "../github/claims.ts";
import { type PullRequest, updateDescription } from "../github/pull-requests.ts";
import { type BranchCommit, readBranch } from "../github/status-claims.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import { renderChangeList, replaceChangeList } from "../presentation/status-comment.ts";
import type { AgentRun, ClaimedAgentRun } from "./agent-job.ts";
import { type ActiveRequests, createOwner, hasWaitingRun, openClaimStore } from "./claim.ts";
import { listAgainMs, maxListings } from "./claim-lease.ts";
import { filterByPath } from "./paths-filter.ts";
import { quoteChanges, quotesDiffs } from "./prompt.ts";
import type { Skip } from "./run.ts";

/** The commit that an event added to the branch; `undefined` for events without one, such as a schedule. */
export function rollingCommit({ event }: AgentRun["github"]): string | undefined {
  if (event.type === "pull-request") return event.mergeSha;
  return event.type === "push" ? event.head.id : undefined;
}

/** The end of the wait in the queue, and what the request is then sent with. */
export interface QueueResult {
  /** Why the request is not sent after all, and what its record then contains. */
  readonly refusal?: (Skip & { readonly record?: Partial<ClaimRecord> }) | undefined;
  /** Requests whose jobs it may continue, oldest first. */
  readonly earlier: readonly StoredClaim[];
  readonly earlierJobId?: string | undefined;
  /** Changes that the prompt quotes in addition to its own. */
  readonly gathered?: readonly QuotedPiece[];
}

/**
 * Waits until a request may be sent, then gathers every change since the last one that was sent to the agent. This includes
 * changes whose runs still wait or ended while they waited, and changes whose job failed.
 */
export async function waitInBranchQueue(
  branch: string,
  activeRequests: ActiveRequests,
  agent: ClaimedAgentRun,
): Promise<QueueResult> {
  const history = await waitForBranch(branch, activeRequests, agent);
  const { lease, github, inputs } = agent;
  const earlier = requestsOf(history, agent);
  const own = rollingCommit(github);
  if (own === undefined) return { earlier };
  const covering = (sha: string) =>
    earlier.find(({ record }) => wasSent(record) && record.covers?.some((short) => sha.startsWith(short)));
  const sent = covering(own);
  if (sent) {
    const { jobId, pullRequestUrl, runUrl: page } = sent.record;
    const record = { state: "ended", outcome: covered, jobId, pullRequestUrl } as const;
    const message = "Another run sent this change to the agent together with its own.";
    return { earlier, refusal: { reason: covered, message, page, record } };
  }

  const newestSent = history.findIndex(({ sha }) => covering(sha) !== undefined);
  const isUnsent = ({ sha, claims }: BranchCommit, index: number) =>
    sha === own ||
    (covering(sha) === undefined &&
      claims.some(
        (claim) => earlier.includes(claim) && isGathered(claim, newestSent < 0 || index < newestSent),
      ));
  const unsent = history.filter(isUnsent);
  const toSend = [...new Set([own, ...unsent.map(({ sha }) => sha)])].slice(0, maxCovered);
  lease.amend({ covers: toSend.map((sha) => sha.slice(0, 12)) });
  const [newest, oldest] = [unsent.at(0), unsent.at(-1)];
  if (!newest || !oldest) return { earlier };
  const last = history.slice(history.indexOf(oldest)).find(({ sha }) => covering(sha) !== undefined);
  if (toSend.length === 1 && last === undefined) return { earlier };
  // The first commit of a repository has no parent.
  const base = last?.sha ?? (await readParent(oldest.sha, github.api)) ?? oldest.sha;
  const changes = await readRange(base, newest.sha, github.api);
  if (changes === undefined) return { earlier };
  const files = filterByPath(changes.files, inputs);
  return { earlier, gathered: quoteChanges({ ...changes, files }, quotesDiffs(inputs)) };
}

/**
 * Whether a change that was not sent is sent with a later one: its job failed, or its run waits or has ended.
 *
 * @param isNewest whether no later change was sent, whose diff would include it
 */
function isGathered({ record }: StoredClaim, isNewest: boolean): boolean {
  const { state, outcome, covers } = record;
  if (state === "ended") return outcome === covered || (covers !== undefined && !wasSent(record));
  return state === "claimed" || (isNewest && state === "released" && outcome !== skippedByPaths);
}

/** Limit of the record's `covers`. */
const maxCovered = 60;

/** Outcome of a claim whose run declares that it sends next, and checks once more that no other run does. */
const declaredNext = "next";

/**
 * Waits until no other run sends a request for the same branch; runs send in the order of their claims. Returns the branch's commits.
 *
 * The statuses of different commits have no common order. A run therefore first declares that it is next, then reads the
 * branch again: of two runs, the one that writes later sees the other.
 */
async function waitForBranch(branch: string, activeRequests: ActiveRequests, agent: ClaimedAgentRun) {
  const { lease, github, run } = agent;
  const { event } = github;
  const ownership = await github.readOwnership();
  const isShown = ({ claims }: BranchCommit) =>
    claims.some(({ record }) => record.owner === lease.claim.record.owner && record.outcome === declaredNext);
  const read = async () => {
    const commits = await readBranch(branch, ownership);
    // A forced push removes commits from the branch, but not their requests.
    const removed = event.type === "push" && event.forced ? await readBranch(event.before, ownership) : [];
    const history = [...new Map([...commits, ...removed].map((commit) => [commit.sha, commit])).values()];
    const blocking = requestsOf(history, agent).filter((claim) => blocks(claim, lease.claim));
    const runs = blocking.filter((claim) => hasWaitingRun(claim, github.context)).length;
    return { history, runs, ahead: await activeRequests.findLast(blocking) };
  };
  for (let listings = 1; ; ) {
    let current = await read();
    const { history, ahead } = current;
    if (ahead) {
      const name = ahead.url || "another change";
      const isOver = async () => {
        current = await read();
        return current.ahead === undefined;
      };
      const notice = `Another change comes first: ${name}`;
      await lease.waitAndRenew(`queued behind ${name}`, isOver, notice, () => current.runs);
    } else if (lease.claim.record.outcome !== declaredNext) {
      await lease.write({ state: "claimed", outcome: declaredNext, leaseSeconds: lease.claimSeconds });
    } else if (listings === maxListings || history.some(isShown)) return history;
    else {
      // A listing without this run's declaration is older than that, and may lack another run's, too.
      listings += 1;
      await run.clock.sleep(listAgainMs, run.signal);
    }
  }
}

function blocks({ record: other }: StoredClaim, { record: own }: StoredClaim): boolean {
  if (other.state !== "claimed") return true;
  if (own.outcome !== declaredNext && other.outcome === declaredNext) return true;
  return orderOf(other) < orderOf(own);
}

/** Sort key of claims, compared by code units: the order must not depend on a runner's language. */
function orderOf({ claimedAt, owner }: ClaimRecord): string {
  return `${claimedAt} ${owner}`;
}

/** The project's other requests in the history of a branch, oldest first. */
function requestsOf(history: readonly BranchCommit[], { lease }: ClaimedAgentRun): StoredClaim[] {
  return history
    .flatMap(({ claims }) => claims)
    .filter(({ record }) => isOtherRequest(record, lease.claim.record))
    .toSorted((one, other) => (orderOf(one.record) < orderOf(other.record) ? -1 : 1));
}

/** Whether a request reached the agent: its job runs, or ended with success. */
function wasSent({ state, outcome }: ClaimRecord): boolean {
  return state === "working" || (state === "ended" && outcome !== "failed" && outcome !== "archived");
}

/**
 * Lists in the description of a pull request which changes of the branch were sent to its job and which were skipped. The rest of
 * the description is unchanged.
 */
export async function listChangesIn(
  pull: PullRequest,
  branch: string,
  agent: ClaimedAgentRun,
): Promise<void> {
  const history = await readBranch(branch, await agent.github.readOwnership());
  const requests = [...requestsOf(history, agent), agent.lease.claim];
  const ofPull = requests.filter(({ record }) => record.pullRequestUrl === pull.url && wasSent(record));
  const covers = ofPull.flatMap(({ record }) => record.covers ?? []);
  const isCovered = ({ sha }: BranchCommit) => covers.some((short) => sha.startsWith(short));
  const isSkipped = ({ claims }: BranchCommit) =>
    claims.some(({ record }) => record.outcome === skippedByPaths);
  const changes = history
    .slice(0, history.findLastIndex(isCovered) + 1)
    .filter((commit) => isCovered(commit) || isSkipped(commit))
    .map((commit) => ({ ...commit, isSkipped: isSkipped(commit) }));
  const body = replaceChangeList(pull.body, renderChangeList(changes));
  if (body !== pull.body) await updateDescription(pull.number, body, agent.github.api);
}

/** Records at a commit that its change is not sent to the agent, so that the pull request can list it as skipped. */
export async function recordSkippedChange(trigger: string, agent: AgentRun): Promise<void> {
  const { github, projectId: target, run } = agent;
  const { context } = github;
  const sha = rollingCommit(github);
  if (sha === undefined) return;
  const store = openClaimStore({ kind: "commit", sha }, await github.readOwnership());
  await store.create({
    ...{ command: "agent", target, trigger, runUrl: context.runUrl },
    ...{ state: "released", outcome: skippedByPaths, leaseSeconds: 0 },
    owner: createOwner(context),
    claimedAt: new Date(run.clock.now()).toISOString(),
  });
}
