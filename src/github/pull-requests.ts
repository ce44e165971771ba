/** The agent's pull requests: whether a reported one is genuine, which ones are ours, and what a workflow wants done with them. */
import * as z from "zod/mini";
import type { Log } from "../base/runtime.ts";
import { markerIn, type OwnershipDeps, readOwnMarkers } from "./comment-claims.ts";
import { createConversation, type ThreadAddress } from "./comments.ts";
import { GitHubError, unlessGone } from "./errors.ts";
import type { PushEvent } from "./event.ts";
import type { GitHubApi, RouteData } from "./github-api.ts";

/** A pull request as far as the action needs it. */
export interface PullRequest {
  readonly number: number;
  readonly nodeId: string;
  readonly url: string;
  readonly isDraft: boolean;
}

/** The job behind a pull request of ours, in the marker of the comment that introduces it. */
export const Origin = z.object({ project: z.string(), jobId: z.string(), source: z.optional(z.string()) });
export type Origin = z.infer<typeof Origin>;

/** What reading pull requests is for, and needs. */
const pullsPurpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** What a prompt asks the agent to write; a text that only mentions or quotes the word is another author's. */
const referenceLine = /^(?!\s*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;

/**
 * A pull request of this repository; `undefined` where there is none with that number, `hidden` where the token cannot
 * see it.
 */
export async function readPullRequest(
  number: number,
  api: GitHubApi,
): Promise<PullRequest | "hidden" | undefined> {
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
  const read = api.request(pullsPurpose, route, { pull_number: number });
  const visible = unlessGone(read.then(toPullRequest), [403]);
  return unlessGone(
    visible.then((pull) => pull ?? "hidden"),
    [404],
  );
}

/** The job behind one of our pull requests: told by our own, signed comment on it. */
export async function readOrigin(number: number, deps: OwnershipDeps): Promise<Origin | undefined> {
  return (await listOrigins(number, deps))[0]?.value;
}

/** Our comments on a pull request that say which job made it, oldest first. */
async function listOrigins(number: number, deps: OwnershipDeps) {
  const thread = threadOf(number);
  const comments = await createConversation(thread, deps.api).list();
  const origins = readOwnMarkers(comments, thread, { kind: "origin", schema: Origin }, deps);
  return origins.filter(({ isUnverifiable }) => !isUnverifiable);
}

function threadOf(number: number): ThreadAddress {
  return { kind: "pull-request", number, nodeId: "" };
}

/**
 * Says on a pull request which job made it; once, also where two runs do it at the same time. A failure is a warning, for
 * the pull request itself is there.
 */
export async function introducePullRequest(
  { number, text, origin }: { number: number; text: string; origin: Origin },
  deps: OwnershipDeps,
  log: Log,
): Promise<void> {
  await warnIfRefused(number, log, async () => {
    if (await readOrigin(number, deps)) return;
    const thread = threadOf(number);
    const comments = createConversation(thread, deps.api);
    const marker = markerIn({ thread, comment: "new" }, "origin", origin, deps);
    const created = await comments.create(text + marker);
    const [first] = await listOrigins(number, deps);
    if (first && first.comment.id < created.id) await comments.remove(created);
  });
}

/** Makes a failure of work on a pull request a warning, for the pull request itself is there. */
export async function warnIfRefused(
  number: number,
  log: Log,
  attempt: () => Promise<unknown>,
): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warning(`Pull request #${number}: ${error.message} ${error.hint}`);
  }
}

/** How many of our pull requests are open; stops counting at `limit`. */
export async function countOpenOwn(limit: number, deps: OwnershipDeps): Promise<number> {
  const pulls = await deps.api.list(pullsPurpose, "GET /repos/{owner}/{repo}/pulls", { state: "open" });
  let count = 0;
  for (const pull of pulls) {
    if (count >= limit) break;
    if (await isOwn(toCandidate(pull), deps)) count += 1;
  }
  return count;
}

/**
 * Whether a pull request is ours: by our comment on it, or by the reference in it if it is not from a fork, where anybody
 * may write what they like.
 */
export async function isOwn(
  { number, body, isFork }: { readonly number: number; readonly body: string; readonly isFork: boolean },
  deps: OwnershipDeps,
): Promise<boolean> {
  return (!isFork && referenceLine.test(body)) || (await readOrigin(number, deps)) !== undefined;
}

type ListedPull = RouteData<"GET /repos/{owner}/{repo}/pulls">[number];

function toCandidate(pull: ListedPull) {
  return { number: pull.number, body: pull.body ?? "", isFork: isFork(pull) };
}

function isFork({ head, base }: ListedPull): boolean {
  return head.repo?.id !== base.repo.id;
}

function toPullRequest(pull: Pick<ListedPull, "number" | "node_id" | "html_url" | "draft">): PullRequest {
  return { number: pull.number, nodeId: pull.node_id, url: pull.html_url, isDraft: pull.draft ?? false };
}

interface ReferenceSearch {
  readonly reference: string;
  /** Time of the claim, ISO 8601. */
  readonly since: string;
}

/** How far ahead of GitHub's a runner's clock may be; searching further back finds nothing wrong, for a reference is unique. */
const maxClockSkewMs = 24 * 60 * 60_000;

/**
 * The pull request opened since a claim that carries the claim's reference, in its description, title or branch; one
 * from a fork is not the agent's, whatever is written in it.
 */
export function findByReference(search: ReferenceSearch, api: GitHubApi): Promise<PullRequest | undefined> {
  return createReferenceFinder(api)(search);
}

/** Like `findByReference`, for many searches: the pull requests are listed once, back to the earliest time that is searched. */
export function createReferenceFinder(api: GitHubApi) {
  const order = { state: "all", sort: "created", direction: "desc", per_page: 100 } as const;
  const known: ListedPull[] = [];
  let nextPage: number | undefined = 1;
  return async ({ reference, since }: ReferenceSearch): Promise<PullRequest | undefined> => {
    const sinceMs = Date.parse(since) - maxClockSkewMs;
    const isRecent = ({ created_at }: ListedPull) => Date.parse(created_at) >= sinceMs;
    const carries = (pull: ListedPull) =>
      !isFork(pull) && [pull.body ?? "", pull.title, pull.head.ref].some((text) => text.includes(reference));
    while (nextPage !== undefined && known.every(isRecent) && !known.some(carries)) {
      const route = "GET /repos/{owner}/{repo}/pulls";
      const pulls: ListedPull[] = await api.request(pullsPurpose, route, { ...order, page: nextPage });
      known.push(...pulls);
      nextPage = pulls.length < order.per_page ? undefined : nextPage + 1;
    }
    // A copied reference comes later than the pull request that first carried it.
    const found = known.findLast((pull) => isRecent(pull) && carries(pull));
    return found && toPullRequest(found);
  };
}

const commitsPurpose = {
  doing: "read which pull requests commits came with",
  permission: "pull-requests: read",
};

/** GitHub's event lists no more commits of a push. */
const maxListedCommits = 2048;
/** Commits whose pull requests are read one by one: those of a rebase have no other link to theirs. */
const maxLookups = 50;

/**
 * Whether a push brought nothing but our pull requests: every commit of it came with one that is merged, or whose branch
 * was pushed. What cannot be told counts as other work.
 */
export async function isFromOwnPullRequest(
  { ref, head, commits, forced }: Pick<PushEvent, "ref" | "head" | "commits" | "forced">,
  deps: OwnershipDeps,
): Promise<boolean> {
  // A tag is set on purpose, whatever its commit came with.
  if (ref.startsWith("refs/tags/") || commits.length >= maxListedCommits) return false;
  // The tip first: of most pushes it says already that they are other work.
  const uncovered = new Set([head.id, ...commits.map(({ id }) => id).toReversed()]);
  /** Whether a pull request of the push is ours; each is checked once. */
  const checked = new Map<number, boolean>();
  const isOurs = async (pull: ListedPull) => {
    const isOurs = checked.get(pull.number) ?? (await isOwn(toCandidate(pull), deps));
    checked.set(pull.number, isOurs);
    return isOurs;
  };
  const findOwn = async (sha: string) => {
    for (const pull of await listPullsOfCommit(sha, deps.api)) {
      const isItsBranch = !isFork(pull) && ref === `refs/heads/${pull.head.ref}`;
      // A rewritten history also took something away, and that was no pull request.
      const isItsMerge = Boolean(pull.merged_at) && !forced;
      if ((isItsBranch || isItsMerge) && (await isOurs(pull))) return pull;
    }
    return undefined;
  };
  const listed = new Set<number>();
  for (let lookups = 0; lookups < maxLookups && uncovered.size > 0; lookups += 1) {
    const [sha = ""] = uncovered;
    const own = await findOwn(sha);
    if (!own) return false;
    uncovered.delete(sha);
    if (uncovered.size === 0 || listed.has(own.number)) continue;
    listed.add(own.number);
    const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits";
    const covered = await deps.api.list(commitsPurpose, route, { pull_number: own.number });
    for (const other of [own.merge_commit_sha ?? "", ...covered.map(({ sha }) => sha)])
      uncovered.delete(other);
  }
  return uncovered.size === 0;
}

async function listPullsOfCommit(sha: string, api: GitHubApi) {
  const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
  // A later push may have taken the commit away.
  return (await unlessGone(api.list(commitsPurpose, route, { commit_sha: sha }), [422])) ?? [];
}

export interface Decorations {
  readonly labels: readonly string[];
  /** Logins, and teams as `org/team`. */
  readonly reviewers: readonly string[];
  readonly draft: boolean;
}

/** Applies what is asked for; each failure is a warning, for the pull request itself is there. */
export async function decoratePullRequest(
  { number, nodeId, isDraft }: PullRequest,
  { labels, reviewers, draft }: Decorations,
  api: GitHubApi,
  log: Log,
): Promise<void> {
  const permission = "pull-requests: write";
  const attempt = (work: () => Promise<unknown>) => warnIfRefused(number, log, work);
  if (labels.length > 0) {
    const purpose = { doing: "label the pull request", permission };
    const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/labels";
    await attempt(() => api.request(purpose, route, { issue_number: number, labels: [...labels] }));
  }
  if (reviewers.length > 0) {
    const [teams = [], people = []] = [true, false].map((isTeam) =>
      reviewers.filter((name) => name.includes("/") === isTeam).map((name) => name.replace(/^.*\//, "")),
    );
    const purpose = { doing: "ask for reviews", permission };
    const route = "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers";
    const requested = { pull_number: number, reviewers: people, team_reviewers: teams };
    await attempt(() => api.request(purpose, route, requested));
  }
  if (draft && !isDraft) {
    const query =
      "mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
    // GitHub asks for the contents permission here, although only the pull request changes.
    const purpose = { doing: "make the pull request a draft", permission: "contents: write" };
    await attempt(() => api.graphql(purpose, query, { id: nodeId }, z.unknown()));
  }
}
