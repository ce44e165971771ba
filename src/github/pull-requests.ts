/** The agent's pull requests: reads them, identifies our own, and applies labels, reviewers and draft state. */
import * as z from "zod/mini";
import type { ClaimRecord, PullSummary } from "../base/claim-record.ts";
import type { Clock, Log } from "../base/runtime.ts";
import { shorten } from "../base/text.ts";
import { type MarkedComment, markerIn, type OwnershipDeps, readOwnMarkers } from "./claims.ts";
import { createOnce, createThreadComments, type PostingRun, type ThreadAddress } from "./comments.ts";
import { GitHubError, GraphqlFailure, isRefusal, undefinedIfGone, warnOnGitHubError } from "./errors.ts";
import type { PushEvent } from "./event.ts";
import { eachPage, type GitHubApi, type Repository } from "./github-api.ts";
import { Actor, BigNumber, listSchema, pageSchema } from "./graphql-schemas.ts";

/**
 * The job that opened a pull request, from the marker in our comment on it. `source`: the source branch of a rolling pull request.
 */
export const OpeningJob = z.object({
  project: z.string(),
  jobId: z.string(),
  source: z.optional(z.string()),
});
export type OpeningJob = z.infer<typeof OpeningJob>;

const pullsPurpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** The line that a prompt asks the agent to write. A description that only mentions or quotes a reference does not match. */
const referenceLine = /^(?![ \t]*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;

const pullQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    root: object(expression: "HEAD:docs.json") { oid } folder: object(expression: "HEAD:docs/docs.json") { oid }
    pullRequest(number: $number) {
    number id url title body state isDraft createdAt isCrossRepository headRefOid headRefName baseRefName additions deletions changedFiles
    files(first: 100) { nodes { path additions deletions changeType } }
    commits(last: 10) { nodes { commit { oid messageHeadline } } }
    head: commits(last: 1) { nodes { commit { deployments(last: 5) { nodes { latestStatus { state environmentUrl } } } } } }
  } }
}`;

/** A list whose items are null if GitHub omits them, such as deployments that the token may not read. */
function nullableNodes<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.nullish(z.object({ nodes: z.nullish(z.array(z.nullable(schema))) }));
}

const DeploymentStatus = z.object({ state: z.string(), environmentUrl: z.nullish(z.string()) });
const Deployment = z.object({ latestStatus: z.nullish(DeploymentStatus) });
const HeadCommit = z.object({ commit: z.object({ deployments: nullableNodes(Deployment) }) });
const Commit = z.object({ commit: z.object({ oid: z.string(), messageHeadline: z.string() }) });
/** The site's configuration file, `docs.json`. */
const Configuration = z.nullish(z.object({ oid: z.string() }));

const ChangedFile = z.object({
  path: z.string(),
  additions: z.number(),
  deletions: z.number(),
  changeType: z.string(),
});

const PullResponse = z.object({
  repository: z.object({
    /** At the top of the repository and in its folder `docs`; it marks the root folder of the pages. */
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
      headRefName: z.string(),
      baseRefName: z.string(),
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
 * Reads a pull request of this or another repository; `undefined` if there is none with that number, `hidden` if the token cannot
 * see it.
 */
export async function readPullRequest(
  number: number,
  api: GitHubApi,
  { owner, name }: Pick<Repository, "owner" | "name"> = api.repository,
): Promise<PullRequest | "hidden" | undefined> {
  const read = (response: z.output<typeof PullResponse>) => {
    const pull = toPullRequest(response);
    // By the address: the given name may be a former one of this repository.
    const isHere = pull.url.toLowerCase().endsWith(`/${slugOf(api.repository)}/pull/${pull.number}`);
    return { ...pull, isInOtherRepository: !isHere };
  };
  try {
    return read(await api.graphql(pullsPurpose, pullQuery, { owner, name, number }, PullResponse));
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { errors = [], data } = error.cause instanceof GraphqlFailure ? error.cause : {};
    const readable = PullResponse.safeParse(data);
    if (readable.success) return read(readable.data);
    if (error.code !== "missing-permission" && errors[0]?.type !== "NOT_FOUND") throw error;
    const isVisible = error.code === "not-found" && errors[0]?.path.includes("pullRequest");
    return isVisible ? undefined : "hidden";
  }
}

/** `owner/name` in lower case, because GitHub does not distinguish cases. */
function slugOf({ owner, name }: Pick<Repository, "owner" | "name">): string {
  return `${owner}/${name}`.toLowerCase();
}

/** A pull request: the part that a record stores, and details that only a run needs. Its texts are untrusted. */
export type PullRequest = Readonly<ReturnType<typeof toPullRequest>> & {
  /** True if it is not in the repository of the run. */
  readonly isInOtherRepository?: boolean;
};

function toPullRequest({ repository }: z.output<typeof PullResponse>) {
  const { pullRequest: pull, root, folder } = repository;
  const { number, id: nodeId, url, title, body, createdAt, additions, deletions } = pull;
  const files = nodesOf(pull.files).filter(({ path }) => path.length <= maxPathLength);
  const pagesFolder = root ? "" : folder ? "docs/" : undefined;
  const isNoPage = ({ path }: { path: string }) => Number(!documentationPage.test(path));
  const deployments = nodesOf(nodesOf(pull.head)[0]?.commit.deployments);
  const previewUrl = deployments.map(({ latestStatus }) => readPreviewUrl(latestStatus)).findLast(Boolean);
  return {
    ...{ number, nodeId, url, createdAt, body, additions, deletions },
    title: shorten(title, 300),
    state: stateOf(pull),
    headSha: pull.headRefOid,
    headBranch: pull.headRefName,
    baseBranch: pull.baseRefName,
    /** True if its branch is in another repository. */
    isFork: pull.isCrossRepository,
    commits: nodesOf(pull.commits).map(({ commit: { oid: sha, messageHeadline: title } }) => ({
      sha,
      title: shorten(title, 100),
    })),
    fileCount: pull.changedFiles,
    files: files
      .toSorted((one, other) => isNoPage(one) - isNoPage(other))
      .slice(0, 10)
      .map((file) => withPreview(file, previewUrl, pagesFolder)),
    ...(previewUrl === undefined ? {} : { previewUrl }),
  };
}

const documentationPage = /\.mdx?$/i;

/** Files with longer paths are counted, but not listed. */
const maxPathLength = 300;

function nodesOf<Node>(list: { nodes?: readonly (Node | null)[] | null | undefined } | null | undefined) {
  return (list?.nodes ?? []).filter((node) => node !== null);
}

function readPreviewUrl(status: z.output<typeof DeploymentStatus> | null | undefined): string | undefined {
  const url = status?.state === "SUCCESS" ? URL.parse(status.environmentUrl ?? "") : null;
  const isValid = url?.protocol === "https:" && url.username === "" && url.href.length <= 500;
  return isValid ? url.href : undefined;
}

/** Adds the preview URL of a changed page, if the root folder of the pages is known. */
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

/** Our comments on a pull request that name its job, in their order. */
export function readIntroductions<Found extends MarkedComment>(
  comments: readonly Found[],
  number: number,
  deps: OwnershipDeps,
) {
  return readOwnMarkers(comments, threadOf(number), { kind: "origin", schema: OpeningJob }, deps)
    .filter(({ isUnverifiable }) => !isUnverifiable)
    .map(({ comment, value: openedBy }) => ({ comment, openedBy }));
}

async function listIntroductions(number: number, deps: OwnershipDeps) {
  const comments = createThreadComments(threadOf(number), deps.api);
  return readIntroductions(await comments.list({ withoutDiff: true }), number, deps);
}

function threadOf(number: number): ThreadAddress {
  return { kind: "pull-request", number, nodeId: "" };
}

/** Comments on a pull request which job opened it. A failure is logged as a warning. */
export async function introducePullRequest(
  { number, text, openedBy }: { number: number; text: string; openedBy: OpeningJob },
  deps: OwnershipDeps,
  run: PostingRun,
): Promise<void> {
  const thread = threadOf(number);
  const body = text + markerIn({ thread, comment: "new" }, "origin", openedBy, deps);
  const find = async () => (await listIntroductions(number, deps))[0]?.comment;
  const comments = createThreadComments(thread, deps.api);
  await warnOnGitHubError(run.log, () => createOnce(body, find, comments, run), `Pull request #${number}: `);
}

/**
 * Whether a pull request is ours: it has our comment, or contains a reference and is not from a fork, whose author can write any
 * text.
 */
export async function isOwn(
  { number, body, isFork }: Pick<PullRequest, "number" | "body" | "isFork">,
  deps: OwnershipDeps,
): Promise<boolean> {
  return (!isFork && referenceLine.test(body)) || (await listIntroductions(number, deps)).length > 0;
}

const OpenPull = z.object({
  number: z.number(),
  url: z.string(),
  body: z.string(),
  isCrossRepository: z.boolean(),
  comments: listSchema(z.object({ fullDatabaseId: BigNumber, body: z.string(), author: Actor })),
});
const OpenPulls = z.object({ repository: z.object({ pullRequests: pageSchema(OpenPull) }) });

// Our comment is among the first ones, because it is posted as soon as the job ends.
const openPullsQuery = `query ($owner: String!, $name: String!, $cursor: String, $size: Int!) { repository(owner: $owner, name: $name) {
  pullRequests(states: OPEN, first: $size, after: $cursor, orderBy: { field: CREATED_AT, direction: DESC }) {
    pageInfo { hasNextPage endCursor } nodes { number url body isCrossRepository
      comments(first: 20) { nodes { fullDatabaseId body author { __typename login } } } } } } }`;

/**
 * Lists our open pull requests, newest first, with the job that our comment names, if any. Each page of 100 open pull requests is
 * one query, which is sent when the page is needed.
 *
 * @param repository `owner/name`; by default the repository of the run
 */
export async function* listOpenOwn(deps: OwnershipDeps, repository = slugOf(deps.api.repository)) {
  const [owner = "", name = ""] = repository.split("/");
  const doing = `search the open pull requests of ${repository}`;
  const purpose = { doing, permission: "pull-requests: read" };
  const pages = eachPage(async (cursor, size) => {
    const variables = { owner, name, cursor, size };
    const response = await deps.api.graphql(purpose, openPullsQuery, variables, OpenPulls);
    return response.repository.pullRequests;
  });
  for await (const { nodes } of pages) {
    for (const { number, url, body, isCrossRepository, comments } of nodes) {
      const listed = comments.nodes.map(({ fullDatabaseId: id = 0, ...comment }) => ({ id, ...comment }));
      const [first] = readIntroductions(listed, number, deps);
      if (first || (!isCrossRepository && referenceLine.test(body))) yield { url, openedBy: first?.openedBy };
    }
  }
}

const ListedPull = z.object({
  number: z.number(),
  title: z.string(),
  body: z.nullish(z.string()),
  created_at: z.string(),
  merged_at: z.nullish(z.string()),
  /** Before the merge, GitHub's test merge. */
  merge_commit_sha: z.nullish(z.string()),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.nullish(z.object({ id: z.number() })) }),
  base: z.object({ repo: z.object({ id: z.number() }) }),
});
type ListedPull = z.output<typeof ListedPull>;

function isFork({ head, base }: ListedPull): boolean {
  return head.repo?.id !== base.repo.id;
}

/** Tolerance for a runner's clock that is ahead of GitHub's. Searching further back is safe, because a reference is unique. */
const maxClockSkewMs = 24 * 60 * 60_000;
/** A run can be repeated for 30 days, and open records are searched for as long. The text of a request may be years old. */
const maxSearchMs = 30 * 24 * 60 * 60_000;

/**
 * Creates a search for the pull request of a request, which was opened since its claim, at most 30 days ago, and contains the
 * request's reference in its description, title or branch. Pull requests from forks are ignored. All searches in a repository share
 * its list, which is empty for another repository without access.
 */
export function createPullRequestFinder({ api, signer }: Pick<OwnershipDeps, "api" | "signer">) {
  const order = { state: "all", sort: "created", direction: "desc", per_page: 100 } as const;
  const lists = new Map<string, { readonly listed: ListedPull[]; nextPage: number | undefined }>();
  return async ({
    trigger,
    claimedAt,
    docsRepository = slugOf(api.repository),
  }: Pick<ClaimRecord, "trigger" | "claimedAt" | "docsRepository">): Promise<PullRequest | undefined> => {
    const [owner = "", name = ""] = docsRepository.toLowerCase().split("/");
    const isOther = slugOf({ owner, name }) !== slugOf(api.repository);
    const list = lists.get(`${owner}/${name}`) ?? { listed: [], nextPage: 1 };
    lists.set(`${owner}/${name}`, list);
    const { listed } = list;
    const reference = signer.reference(trigger);
    const sinceMs = Math.max(Date.parse(claimedAt), api.serverNow() - maxSearchMs) - maxClockSkewMs;
    const isRecent = ({ created_at }: ListedPull) => Date.parse(created_at) >= sinceMs;
    const hasReference = (pull: ListedPull) =>
      !isFork(pull) && [pull.body ?? "", pull.title, pull.head.ref].some((text) => text.includes(reference));
    while (list.nextPage !== undefined && listed.every(isRecent) && !listed.some(hasReference)) {
      const route = "GET /repos/{owner}/{repo}/pulls";
      const parameters = { owner, repo: name, ...order, page: list.nextPage };
      const pulls = await api
        .request(pullsPurpose, route, parameters, z.array(ListedPull))
        .catch((error: unknown) => {
          if (isOther && error instanceof GitHubError && isRefusal(error)) return [];
          throw error;
        });
      listed.push(...pulls);
      list.nextPage = pulls.length < order.per_page ? undefined : list.nextPage + 1;
    }
    // If a reference was copied, the oldest pull request is the genuine one.
    const found = listed.findLast((pull) => isRecent(pull) && hasReference(pull));
    const pull = found && (await readPullRequest(found.number, api, { owner, name }));
    return typeof pull === "object" ? pull : undefined;
  };
}

/** Commits of a push whose pull requests are read, one request each. A larger push counts as other work. */
const maxLookups = 20;

/** GitHub associates the commits of a merge with their pull request tens of seconds later. */
const association = { lookups: 8, everyMs: 5_000 };

/** Whether a push contains only commits of our own pull requests: each is merged, or its branch was pushed. */
export async function isFromOwnPullRequest(
  { ref, head, commits, forced }: Pick<PushEvent, "ref" | "head" | "commits" | "forced">,
  deps: OwnershipDeps,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  // The head commit first: for most pushes, it is already other work.
  const shas = new Set([head.id, ...commits.map(({ id }) => id)]);
  // A tag is created on purpose, so it always counts as other work.
  if (ref.startsWith("refs/tags/") || shas.size > maxLookups) return false;
  /** By pull request number: whether it is ours. */
  const checked = new Map<number, boolean>();
  const isOurs = async (pull: ListedPull): Promise<boolean> => {
    const { number, body } = pull;
    const isItsBranch = !isFork(pull) && ref === `refs/heads/${pull.head.ref}`;
    // A forced push also removed commits, which a merge does not.
    const isItsMerge = Boolean(pull.merged_at) && !forced;
    if (!isItsBranch && !isItsMerge) return false;
    const isOurs =
      checked.get(number) ?? (await isOwn({ number, body: body ?? "", isFork: isFork(pull) }, deps));
    checked.set(number, isOurs);
    return isOurs;
  };
  /** Waits for the association of a commit only if the head belongs to one of our pull requests. */
  const listPulls = async (sha: string) => {
    for (let lookups = 1; ; lookups += 1) {
      const pulls = await listPullsOfCommit(sha, deps.api);
      if (pulls.length > 0) return pulls;
      if (sha === head.id) return listRecentPullsAt(sha, deps.api);
      if (lookups === association.lookups) return [];
      await clock.sleep(association.everyMs, signal);
    }
  };
  for (const sha of shas) {
    let isCovered = false;
    for (const pull of await listPulls(sha)) isCovered ||= await isOurs(pull);
    if (!isCovered) return false;
  }
  return true;
}

async function listPullsOfCommit(sha: string, api: GitHubApi) {
  const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
  const pulls = api.list(pullsPurpose, route, { commit_sha: sha }, ListedPull);
  // GitHub responds with 422 if a later push removed the commit.
  return (await undefinedIfGone(pulls, [422])) ?? [];
}

/** The pull requests that a commit merged, or whose head it is, among those that changed last. */
async function listRecentPullsAt(sha: string, api: GitHubApi) {
  const order = { state: "all", sort: "updated", direction: "desc", per_page: 100 } as const;
  const route = "GET /repos/{owner}/{repo}/pulls";
  const pulls = await api.request(pullsPurpose, route, order, z.array(ListedPull));
  return pulls.filter(({ head, merged_at: mergedAt, merge_commit_sha: mergeSha }) =>
    mergedAt ? mergeSha === sha : head.sha === sha,
  );
}

const permission = "pull-requests: write";

/**
 * Adds labels and reviewers (logins, and teams as `org/team`), and converts an open pull request to a draft. Each failure is logged as a
 * warning.
 */
export async function decoratePullRequest(
  { number, nodeId, state }: Pick<PullRequest, "number" | "nodeId" | "state">,
  { labels, reviewers, draft }: { labels: readonly string[]; reviewers: readonly string[]; draft: boolean },
  api: GitHubApi,
  log: Log,
): Promise<void> {
  const warnOnError = (work: () => Promise<unknown>) =>
    warnOnGitHubError(log, work, `Pull request #${number}: `);
  if (labels.length > 0) {
    const purpose = { doing: "label the pull request", permission };
    const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/labels";
    await warnOnError(() => api.request(purpose, route, { issue_number: number, labels: [...labels] }));
  }
  const requestReviews = (
    doing: string,
    requested: { reviewers: string[] } | { team_reviewers: string[] },
  ) => {
    const route = "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers";
    return warnOnError(() =>
      api.request({ doing, permission }, route, { pull_number: number, ...requested }),
    );
  };
  const users = reviewers.filter((name) => !name.includes("/"));
  if (users.length > 0) await requestReviews("request reviews", { reviewers: users });
  // A request of its own: GitHub refuses a request as a whole, and shows a workflow's own token no teams.
  const teams = reviewers.filter((name) => name.includes("/")).map((name) => name.replace(/^.*\//, ""));
  if (teams.length > 0) {
    const doing = "request a team's review, which needs a GitHub App's token with `members: read`";
    await requestReviews(doing, { team_reviewers: teams });
  }
  if (draft && state === "open") {
    const query =
      "mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
    // GitHub requires the contents permission here, although only the pull request changes.
    const purpose = { doing: "make the pull request a draft", permission: "contents: write" };
    await warnOnError(() => api.graphql(purpose, query, { id: nodeId }, z.unknown()));
  }
}

/** Replaces the description of a pull request. */
export async function updateDescription(pull_number: number, body: string, api: GitHubApi): Promise<void> {
  const purpose = { doing: "list the source changes in the pull request", permission };
  await api.request(purpose, "PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number, body });
}
