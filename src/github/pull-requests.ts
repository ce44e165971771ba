/** The agent's pull requests: whether a reported one is genuine, which ones are ours, and what a workflow wants done with them. */
import * as z from "zod/mini";
import type { PullSummary } from "../base/claim-record.ts";
import type { Log } from "../base/runtime.ts";
import { shorten } from "../base/text.ts";
import { type MarkedComment, markerIn, type OwnershipDeps, readOwnMarkers } from "./comment-claims.ts";
import { createThreadComments, type ThreadAddress } from "./comments.ts";
import { GitHubError, GraphqlFailure, undefinedIfGone } from "./errors.ts";
import type { PushEvent } from "./event.ts";
import { eachPage, type GitHubApi, type Repository, type RouteData } from "./github-api.ts";
import { Actor, listSchema, pageSchema } from "./graphql-schemas.ts";

/** A pull request as a record keeps it, and what only a run needs to know of it; its texts are other people's. */
export interface PullRequest extends PullSummary {
  readonly number: number;
  readonly nodeId: string;
  readonly url: string;
  readonly isDraft: boolean;
  /** Commit at the tip of its branch. */
  readonly headSha: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** True where its branch is in another repository. */
  readonly isFork: boolean;
  readonly body: string;
}

/**
 * The job behind a pull request of ours, in the marker of the comment that introduces it; `source` is the branch whose changes a
 * rolling one gathers.
 */
export const Origin = z.object({ project: z.string(), jobId: z.string(), source: z.optional(z.string()) });
export type Origin = z.infer<typeof Origin>;

/** What reading pull requests is for, and needs. */
const pullsPurpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** What a prompt asks the agent to write; a text that only mentions or quotes the word is another author's. */
const referenceLine = /^(?!\s*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;

const pullQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    root: object(expression: "HEAD:docs.json") { oid } folder: object(expression: "HEAD:docs/docs.json") { oid }
    pullRequest(number: $number) {
    number id url title body state isDraft createdAt isCrossRepository headRefOid additions deletions changedFiles
    files(first: 100) { nodes { path additions deletions changeType } }
    commits(last: 10) { nodes { commit { oid messageHeadline } } }
    head: commits(last: 1) { nodes { commit { deployments(last: 5) { nodes { latestStatus { state environmentUrl } } } } } }
  } }
}`;

/** What GitHub leaves out of an answer, such as deployments that the token may not read, is null. */
function nullableNodes<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.nullish(z.object({ nodes: z.nullish(z.array(z.nullable(schema))) }));
}

const DeploymentStatus = z.object({ state: z.string(), environmentUrl: z.nullish(z.string()) });
const Deployment = z.object({ latestStatus: z.nullish(DeploymentStatus) });
const HeadCommit = z.object({ commit: z.object({ deployments: nullableNodes(Deployment) }) });
const Commit = z.object({ commit: z.object({ oid: z.string(), messageHeadline: z.string() }) });
/** The site's configuration. */
const Configuration = z.nullish(z.object({ oid: z.string() }));

const ChangedFile = z.object({
  path: z.string(),
  additions: z.number(),
  deletions: z.number(),
  changeType: z.string(),
});

const PullAnswer = z.object({
  repository: z.object({
    /** At the top of the repository, and in its folder `docs`: there its pages begin. */
    root: Configuration,
    folder: Configuration,
    pullRequest: z.object({
      number: z.number(),
      id: z.string(),
      url: z.string(),
      title: z.string(),
      body: z.string(),
      state: z.enum(["OPEN", "MERGED", "CLOSED"]),
      isDraft: z.boolean(),
      createdAt: z.string(),
      isCrossRepository: z.boolean(),
      headRefOid: z.string(),
      additions: z.number(),
      deletions: z.number(),
      changedFiles: z.number(),
      files: nullableNodes(ChangedFile),
      commits: nullableNodes(Commit),
      head: nullableNodes(HeadCommit),
    }),
  }),
});

/**
 * A pull request of this or another repository, in one request; `undefined` where there is none with that number, `hidden`
 * where the token cannot see it.
 */
export async function readPullRequest(
  number: number,
  api: GitHubApi,
  { owner, name }: Pick<Repository, "owner" | "name"> = api.repository,
): Promise<PullRequest | "hidden" | undefined> {
  try {
    return fromAnswer(await api.graphql(pullsPurpose, pullQuery, { owner, name, number }, PullAnswer));
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { errors = [], data } = error.cause instanceof GraphqlFailure ? error.cause : {};
    const readable = PullAnswer.safeParse(data);
    if (readable.success) return fromAnswer(readable.data);
    if (error.code !== "missing-permission" && errors[0]?.type !== "NOT_FOUND") throw error;
    const isVisible = error.code === "not-found" && errors[0]?.path?.includes("pullRequest");
    return isVisible ? undefined : "hidden";
  }
}

function fromAnswer({ repository }: z.output<typeof PullAnswer>): PullRequest {
  const { pullRequest: pull, root, folder } = repository;
  const { number, id: nodeId, url, title, body, isDraft, createdAt, additions, deletions } = pull;
  const files = nodesOf(pull.files).filter(({ path }) => path.length <= maxPathLength);
  const pagesFolder = root ? "" : folder ? "docs/" : undefined;
  const isOther = ({ path }: { path: string }) => Number(!documentationPage.test(path));
  const deployments = nodesOf(nodesOf(pull.head)[0]?.commit.deployments);
  const previewUrl = deployments.map(({ latestStatus }) => readPreviewUrl(latestStatus)).findLast(Boolean);
  return {
    ...{ number, nodeId, url, isDraft, createdAt, body, additions, deletions },
    title: shorten(title, 300),
    state: stateOf(pull),
    headSha: pull.headRefOid,
    isFork: pull.isCrossRepository,
    commits: nodesOf(pull.commits).map(({ commit: { oid: sha, messageHeadline: title } }) => ({
      sha,
      title: shorten(title, 100),
    })),
    fileCount: pull.changedFiles,
    files: files
      .toSorted((one, other) => isOther(one) - isOther(other))
      .slice(0, 10)
      .map((file) => withPreview(file, previewUrl, pagesFolder)),
    ...(previewUrl === undefined ? {} : { previewUrl }),
  };
}

const documentationPage = /\.mdx?$/i;

/** Longer paths are counted, but not listed. */
const maxPathLength = 300;

function nodesOf<Node>(list: { nodes?: readonly (Node | null)[] | null | undefined } | null | undefined) {
  return (list?.nodes ?? []).filter((node) => node !== null);
}

function readPreviewUrl(status: z.output<typeof DeploymentStatus> | null | undefined): string | undefined {
  const url = status?.state === "SUCCESS" ? URL.parse(status.environmentUrl ?? "") : null;
  const isShown = url?.protocol === "https:" && url.username === "" && url.href.length <= 500;
  return isShown ? url.href : undefined;
}

/** A changed page with its address in the preview, where it is known in which folder the site's pages begin. */
function withPreview(
  { changeType, ...file }: z.output<typeof ChangedFile>,
  site: string | undefined,
  folder: string | undefined,
): PullSummary["files"][number] {
  const { path } = file;
  const isShown = documentationPage.test(path) && changeType !== "DELETED";
  if (!isShown || site === undefined || folder === undefined || !path.startsWith(folder)) return file;
  const page = path.slice(folder.length).replace(documentationPage, "").split("/").map(encodeURIComponent);
  const previewUrl = `${site.replace(/[?#].*$/, "").replace(/\/$/, "")}/${page.join("/")}`;
  return previewUrl.length > 500 ? file : { ...file, previewUrl };
}

function stateOf({ state, isDraft }: { state: "OPEN" | "MERGED" | "CLOSED"; isDraft: boolean }) {
  if (state === "OPEN") return isDraft ? "draft" : "open";
  return state === "MERGED" ? "merged" : "closed";
}

/** Of the comments of a pull request, ours that say which job made it, in their order. */
export function readOrigins<Found extends MarkedComment>(
  comments: readonly Found[],
  number: number,
  deps: OwnershipDeps,
) {
  return readOwnMarkers(comments, threadOf(number), { kind: "origin", schema: Origin }, deps)
    .filter(({ isUnverifiable }) => !isUnverifiable)
    .map(({ comment, value: origin }) => ({ comment, origin }));
}

async function listOrigins(number: number, deps: OwnershipDeps) {
  const comments = createThreadComments(threadOf(number), deps.api);
  return readOrigins(await comments.list({ withoutDiff: true }), number, deps);
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
  await warnOnGitHubError(number, log, async () => {
    if ((await listOrigins(number, deps)).length > 0) return;
    const thread = threadOf(number);
    const comments = createThreadComments(thread, deps.api);
    const marker = markerIn({ thread, comment: "new" }, "origin", origin, deps);
    const created = await comments.create(text + marker);
    const [first] = await listOrigins(number, deps);
    if (first && first.comment.id < created.id) await comments.remove(created);
  });
}

/** Makes a failure of work on a pull request a warning, for the pull request itself is there. */
export async function warnOnGitHubError(
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

/**
 * Whether a pull request is ours: by our comment on it, or by the reference in it if it is not from a fork, where anybody
 * may write what they like.
 */
export async function isOwn(
  { number, body, isFork }: Pick<PullRequest, "number" | "body" | "isFork">,
  deps: OwnershipDeps,
): Promise<boolean> {
  return (!isFork && referenceLine.test(body)) || (await listOrigins(number, deps)).length > 0;
}

const OpenPull = z.object({
  number: z.number(),
  url: z.string(),
  body: z.string(),
  isCrossRepository: z.boolean(),
  comments: listSchema(z.object({ databaseId: z.number(), body: z.string(), author: Actor })),
});
const OpenPulls = z.object({ repository: z.object({ pullRequests: pageSchema(OpenPull) }) });

// The comment that introduces a pull request comes as soon as its job has ended: among the first ones.
const openPullsQuery = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
  pullRequests(states: OPEN, first: 100, after: $cursor, orderBy: { field: CREATED_AT, direction: DESC }) {
    pageInfo { hasNextPage endCursor } nodes { number url body isCrossRepository
      comments(first: 20) { nodes { databaseId body author { __typename login } } } } } } }`;

/**
 * Lists the open pull requests that are ours, newest first, with the job behind each where our comment on it tells: one query for
 * each hundred open ones, and only as many as the list is read.
 */
export async function* listOpenOwn(deps: OwnershipDeps) {
  const { owner, name } = deps.api.repository;
  const purpose = { doing: "search the open pull requests", permission: "pull-requests: read" };
  const pages = eachPage(async (cursor) => {
    const answer = await deps.api.graphql(purpose, openPullsQuery, { owner, name, cursor }, OpenPulls);
    return answer.repository.pullRequests;
  });
  for await (const { nodes } of pages) {
    for (const { number, url, body, isCrossRepository, comments } of nodes) {
      const listed = comments.nodes.map(({ databaseId: id, ...comment }) => ({ id, ...comment }));
      const [first] = readOrigins(listed, number, deps);
      if (first || (!isCrossRepository && referenceLine.test(body))) yield { url, origin: first?.origin };
    }
  }
}

type ListedPull = RouteData<"GET /repos/{owner}/{repo}/pulls">[number];

function isFork({ head, base }: ListedPull): boolean {
  return head.repo?.id !== base.repo.id;
}

/** How far ahead of GitHub's a runner's clock may be; searching further back finds nothing wrong, for a reference is unique. */
const maxClockSkewMs = 24 * 60 * 60_000;

/**
 * Finds the pull request opened since a claim (ISO 8601) that carries the claim's reference, in its description, title or branch; one
 * from a fork is not the agent's, whatever is written in it. For many searches they are listed once, back to the earliest time.
 */
export function createReferenceFinder(api: GitHubApi) {
  const order = { state: "all", sort: "created", direction: "desc", per_page: 100 } as const;
  const known: ListedPull[] = [];
  let nextPage: number | undefined = 1;
  return async (claim: { reference: string; since: string }): Promise<PullRequest | undefined> => {
    const { reference, since } = claim;
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
    const pull = found && (await readPullRequest(found.number, api));
    return typeof pull === "object" ? pull : undefined;
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
    const { number, body } = pull;
    const isOurs =
      checked.get(number) ?? (await isOwn({ number, body: body ?? "", isFork: isFork(pull) }, deps));
    checked.set(number, isOurs);
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
  return (await undefinedIfGone(api.list(commitsPurpose, route, { commit_sha: sha }), [422])) ?? [];
}

export interface Decorations {
  readonly labels: readonly string[];
  /** Logins, and teams as `org/team`. */
  readonly reviewers: readonly string[];
  readonly draft: boolean;
}

const permission = "pull-requests: write";

/** Applies what is asked for; each failure is a warning, for the pull request itself is there. */
export async function decoratePullRequest(
  { number, nodeId, isDraft }: Pick<PullRequest, "number" | "nodeId" | "isDraft">,
  { labels, reviewers, draft }: Decorations,
  api: GitHubApi,
  log: Log,
): Promise<void> {
  const attempt = (work: () => Promise<unknown>) => warnOnGitHubError(number, log, work);
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

/** Replaces the description of a pull request. */
export async function updateDescription(pull_number: number, body: string, api: GitHubApi): Promise<void> {
  const purpose = { doing: "list the source changes in the pull request", permission };
  await api.request(purpose, "PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number, body });
}
