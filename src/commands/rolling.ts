/** `pull-request-mode: rolling`: the changes of a branch, one after the other or several at once, go to one open pull request. */

import type { ClaimRecord } from "../base/claim-record.ts";
import { readParent, readRange } from "../github/changes.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import { type PullRequest, updateDescription } from "../github/pull-requests.ts";
import { type BranchCommit, createStatusClaims, readBranch } from "../github/status-claims.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import { renderChangeList, replaceChangeList } from "../presentation/change-list.ts";
import { describeStatus } from "../presentation/status-comment.ts";
import { type AgentRun, type ClaimedAgentRun, ownershipOf } from "./agent-run.ts";
import { type ActiveRequests, createOwner, formatOwner, leases, type Turn } from "./claim.ts";
import { filterPaths } from "./paths-filter.ts";
import { quoteChanges } from "./prompt.ts";

/** The branch (`refs/heads/…`) whose changes share a pull request; `undefined` where each request stands alone. */
export function rollingBranch({ inputs, github: { event }, run }: AgentRun): string | undefined {
  if (inputs.pullRequestMode !== "rolling" || event.type === "written" || event.type === "release") {
    return undefined;
  }
  const ref = event.type === "pull-request" ? `refs/heads/${event.base.ref}` : run.environment["GITHUB_REF"];
  return ref?.startsWith("refs/heads/") ? ref : undefined;
}

/** The commit on a branch that a change event brought; `undefined` for events that bring none, such as a schedule. */
export function rollingCommit({ event }: AgentRun["github"]): string | undefined {
  if (event.type === "pull-request") return event.mergeSha;
  return event.type === "push" ? event.head.id : undefined;
}

/** What a request of a branch is sent with, when it is its turn. */
export interface RollingTurn extends Turn {
  /** Requests whose jobs it may continue, the oldest first. */
  readonly earlier: readonly StoredClaim[];
  /** Changes that it tells of besides its own. */
  readonly gathered: readonly QuotedPiece[];
}

/**
 * Waits for the turn of a request, and gathers what came meanwhile: every change since the last one that the agent was told
 * of, so that the changes of runs which wait, or were cancelled while they did, are among them.
 */
export async function takeRollingTurn(
  branch: string,
  activeRequests: ActiveRequests,
  agent: ClaimedAgentRun,
): Promise<RollingTurn> {
  const { history, hasWaited } = await awaitRollingTurn(branch, activeRequests, agent);
  const { lease, github } = agent;
  const earlier = requestsOf(history, agent);
  const own = rollingCommit(github);
  if (own === undefined) return { hasWaited, earlier, gathered: [] };
  const covering = (sha: string) =>
    earlier.find(({ record }) => isTold(record) && record.covers?.some((short) => sha.startsWith(short)));
  const covered = covering(own);
  if (covered) return { hasWaited, earlier, gathered: [], ...describeCovered(covered.record) };

  const isWaiting = ({ sha, claims }: BranchCommit) =>
    sha === own || claims.some((claim) => claim.record.state === "claimed" && earlier.includes(claim));
  const waiting = history.filter(isWaiting);
  const told = [...new Set([own, ...waiting.map(({ sha }) => sha)])].slice(0, maxCovered);
  lease.note({ covers: told.map((sha) => sha.slice(0, 12)) });
  const [newest, oldest] = [waiting.at(0), waiting.at(-1)];
  if (!newest || !oldest) return { hasWaited, earlier, gathered: [] };
  // What runs before that left out, cancelled while they waited, comes along.
  const last = history.slice(history.indexOf(oldest)).find(({ sha }) => covering(sha) !== undefined);
  const isAlone = told.length === 1 && last === undefined;
  const gathered = isAlone ? [] : await quoteRange(last?.sha, oldest.sha, newest.sha, agent);
  return { hasWaited, earlier, gathered };
}

/** As many commits as a record names. */
const maxCovered = 60;

/** A claim's outcome while its run is about to send: it looks once more whether another run is, too. */
const next = "next";

/**
 * Waits until no other run sends for the same branch, in the order of the claims.
 *
 * Statuses of different commits have no common order, so a run first declares that it is next, and then looks again: of two
 * runs, the one that writes later sees the other.
 */
async function awaitRollingTurn(branch: string, activeRequests: ActiveRequests, agent: ClaimedAgentRun) {
  const { lease } = agent;
  const ownership = await ownershipOf(agent);
  const read = async () => {
    const history = await readBranch(branch, ownership);
    const blocking = requestsOf(history, agent).filter((claim) => blocks(claim, lease.claim));
    return { history, ahead: await activeRequests.findLast(blocking) };
  };
  for (let hasWaited = false; ; ) {
    const { history, ahead } = await read();
    if (ahead) {
      hasWaited = true;
      const name = ahead.url || "another change";
      const isOver = async () => (await read()).ahead === undefined;
      await lease.hold(`queued behind ${name}`, isOver, `Another change comes first: ${name}`);
    } else if (lease.claim.record.outcome === next) return { history, hasWaited };
    else await lease.write({ state: "claimed", outcome: next, leaseSeconds: leases.claimed });
  }
}

function blocks({ record: other }: StoredClaim, { record: held }: StoredClaim): boolean {
  if (other.state !== "claimed") return true;
  if (held.outcome !== next && other.outcome === next) return true;
  return orderOf(other) < orderOf(held);
}

/** Every run that reads two claims puts them in the same order. */
function orderOf({ claimedAt, owner }: ClaimRecord): string {
  return `${claimedAt} ${owner}`;
}

/** The other requests of the project in the history of a branch, oldest first. */
function requestsOf(history: readonly BranchCommit[], { lease }: ClaimedAgentRun): StoredClaim[] {
  const { command, target, trigger } = lease.claim.record;
  return history
    .flatMap(({ claims }) => claims)
    .filter(
      ({ record }) => record.command === command && record.target === target && record.trigger !== trigger,
    )
    .toSorted((one, other) => (orderOf(one.record) < orderOf(other.record) ? -1 : 1));
}

/** Whether the agent was told of a request: its job goes on, or has ended well. */
function isTold({ state, outcome }: ClaimRecord): boolean {
  return state === "working" || (state === "ended" && outcome !== "failed" && outcome !== "archived");
}

function describeCovered({ jobId, pullRequestUrl, runUrl }: ClaimRecord): Pick<Turn, "refusal"> {
  const record = { state: "ended", outcome: "covered", jobId, pullRequestUrl } as const;
  const message = "Another run told the agent of this change together with its own.";
  return { refusal: { reason: "covered", message, page: runUrl, record } };
}

async function quoteRange(
  lastCovered: string | undefined,
  oldest: string,
  newest: string,
  { inputs: { paths, pathsIgnore }, github: { api } }: AgentRun,
): Promise<QuotedPiece[]> {
  const base = lastCovered ?? (await readParent(oldest, api));
  const changes = base === undefined ? undefined : await readRange(base, newest, api);
  if (changes === undefined) return [];
  const all = changes.files.map(({ path }) => path);
  return [quoteChanges(changes, filterPaths(all, { paths, pathsIgnore }))];
}

/**
 * Lists, in the description of a pull request, the changes of the branch that its job was told of and those that were skipped;
 * the rest of the description stays.
 */
export async function listChangesIn(
  pull: PullRequest,
  branch: string,
  agent: ClaimedAgentRun,
): Promise<void> {
  const history = await readBranch(branch, await ownershipOf(agent));
  const requests = [...requestsOf(history, agent), agent.lease.claim];
  const ofPull = requests.filter(({ record }) => record.pullRequestUrl === pull.url && isTold(record));
  const covers = ofPull.flatMap(({ record }) => record.covers ?? []);
  const isCovered = ({ sha }: BranchCommit) => covers.some((short) => sha.startsWith(short));
  const skips = new Map(
    history.flatMap(({ sha, claims }) =>
      claims
        .filter(({ record }) => record.outcome === skippedByPaths)
        .map(() => [sha, skippedByPaths] as const),
    ),
  );
  const changes = history
    .slice(0, history.findLastIndex(isCovered) + 1)
    .filter((commit) => isCovered(commit) || skips.has(commit.sha))
    .map(({ sha, title, url }) => ({ sha, title, url, isSkipped: skips.has(sha) }));
  const body = replaceChangeList(pull.body, renderChangeList(changes));
  if (body !== pull.body) await updateDescription(pull.number, body, agent.github.api);
}

/** Outcome of a record: no changed file matches `paths`. */
const skippedByPaths = "no-matching-path";

/** Writes down at a commit of a branch that its change is not for the agent, so that the pull request can say so. */
export async function recordSkippedChange(trigger: string, agent: AgentRun): Promise<void> {
  const { github, projectId: target, run } = agent;
  const { context } = github;
  const sha = rollingCommit(github);
  if (sha === undefined) return;
  const ownership = await ownershipOf(agent);
  await createStatusClaims({ sha }, { ...ownership, describe: describeStatus }).create({
    ...{ command: "agent", target, trigger, runUrl: context.runUrl },
    ...{ state: "released", outcome: skippedByPaths, leaseSeconds: 0 },
    owner: formatOwner(createOwner(context)),
    claimedAt: new Date(run.clock.now()).toISOString(),
  });
}
