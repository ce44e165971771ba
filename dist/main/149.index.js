export const id = 149;
export const ids = [149];
export const modules = {

/***/ 94149:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reconcileStep: () => (/* binding */ reconcileStep)
});

// EXTERNAL MODULE: ./.build/lib/errors.js
var lib_errors = __webpack_require__(45119);
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var errors = __webpack_require__(20013);
// EXTERNAL MODULE: ./.build/lib/commands/explain-error.js
var explain_error = __webpack_require__(60365);
// EXTERNAL MODULE: ./.build/lib/platform/contract.js
var contract = __webpack_require__(10484);
// EXTERNAL MODULE: ./.build/lib/commands/agent/conclude-agent.js + 2 modules
var conclude_agent = __webpack_require__(5484);
// EXTERNAL MODULE: ./.build/lib/commands/agent/is-job-gone.js
var is_job_gone = __webpack_require__(59133);
;// CONCATENATED MODULE: ./.build/lib/commands/reconcile-record.js





/** While a run may still be waiting for its job, its record is left to it. */
const leaveAloneMs = 10 * 60_000;
/** Submitting takes minutes at most. */
const submissionOverMs = 30 * 60_000;
/** Finds out what became of a record's request and writes it down. */
async function reconcileRecord(found, options, deps) {
    const { record, ageMs } = found.claim;
    switch (record.state) {
        case "working":
            return reconcileJob(found, options, deps);
        case "claimed":
            if (ageMs < record.leaseSeconds * 1000 + leaveAloneMs)
                return running("a run is about to submit it");
            return change(found, { state: "released", outcome: "interrupted" }, { kind: "released", detail: "nothing was sent" });
        default:
            if (record.state === "submitting" && ageMs < submissionOverMs)
                return running("a run is submitting it");
            return lookForLost(found, deps);
    }
}
function running(detail) {
    return { kind: "running", detail };
}
async function reconcileJob(found, options, deps) {
    const { record, ageMs } = found.claim;
    const jobId = record.jobId ?? "";
    const hasWaitingRun = record.outcome === undefined && ageMs < leaveAloneMs;
    if (hasWaitingRun)
        return running("a run waits for it");
    const job = await readJob({ jobId, ageMs }, options, deps);
    if (job === "gone") {
        const isNew = ageMs < leaveAloneMs;
        return isNew ? running("the platform does not know it yet") : finishGone(found, options, deps);
    }
    if (contract/* endedAgentStatuses */.we.some((status) => status === job.status?.toLowerCase()))
        return finish(found, await (0,conclude_agent/* judgeJob */.JB)({ jobId, job }, options, deps));
    const status = running(job.status ?? "without a status");
    // Until its lease is over, a run may be waiting: the comment is its to write.
    const isAbandoned = record.outcome === undefined && ageMs >= record.leaseSeconds * 1000;
    return isAbandoned ? change(found, { outcome: "interrupted" }, status) : status;
}
/** A job, or that there is none any more; a proxy's "not found" says nothing about a job at first. */
async function readJob({ jobId, ageMs }, { projectId }, { platform }) {
    try {
        return await platform.getAgentJob(projectId, jobId);
    }
    catch (error) {
        if ((0,is_job_gone/* isJobGone */.l)(error, ageMs))
            return "gone";
        throw error;
    }
}
/** A job that the platform has forgotten; its pull request may be there all the same. */
async function finishGone(found, { projectId }, { github, referenceOf }) {
    const { trigger, claimedAt, jobId = "" } = found.claim.record;
    const pull = await github.findByReference({ wanted: referenceOf(trigger), since: claimedAt });
    if (!pull) {
        const error = new errors/* PlatformError */.W("not-found", `The platform no longer knows job ${jobId}.`);
        return finish(found, { outcome: "failed", error });
    }
    await github.adoptPullRequest(pull, { project: projectId, jobId });
    return finish(found, { outcome: "pull-request", url: pull.url, number: pull.number });
}
function finish(found, end) {
    const facts = {
        state: "ended",
        outcome: end.outcome,
        ...(end.outcome === "pull-request" ? { pullRequestUrl: end.url.slice(0, 500) } : {}),
        ...(end.outcome === "failed" ? { message: (0,explain_error/* explain */.W)(end.error) } : {}),
    };
    return change(found, facts, { kind: "finished", detail: end.outcome });
}
async function lookForLost(found, { github, referenceOf }) {
    const { record } = found.claim;
    const pull = await github.findByReference({ wanted: referenceOf(record.trigger), since: record.claimedAt });
    if (pull)
        return finish(found, { outcome: "pull-request", url: pull.url, number: pull.number });
    const unknown = {
        kind: "unknown",
        detail: "its answer was lost; no pull request carries its reference",
    };
    return record.state === "unknown" ? unknown : change(found, { state: "unknown" }, unknown);
}
/**
 * Writes a change down, unless somebody else did: the record was listed a while ago, and its run may be alive after all.
 * GitHub has no way to compare and swap; a write in the moment in between is mended by the next reconcile.
 */
async function change({ claim, claims, reread }, facts, finding) {
    const now = await reread();
    if (!now)
        return running("its record was deleted");
    if (JSON.stringify(now.record) !== JSON.stringify(claim.record))
        return running("a run has just written something else");
    const { outcome: _outcome, message: _message, ...rest } = claim.record;
    await claims.update(claim, { ...rest, ...facts });
    return finding;
}

;// CONCATENATED MODULE: ./.build/lib/commands/reconcile.js
/** The reconcile command: finishes the records of requests whose runner is gone. It asks and writes; it never submits. */




/** So many failures in a row are one outage: the next run goes on. */
const maxFailuresInARow = 5;
/** Looks at every open record of the project, asks the platform, and finishes what is over. */
async function reconcile(options, deps) {
    const search = await deps.listRecords();
    const open = search.records.filter((found) => isOpen(found, options));
    const believed = open.filter(({ claim }) => !claim.isUnverifiable);
    const { records, errors } = await reconcileAll(believed, options, deps);
    const notes = [
        ...search.unseen,
        ...noteOtherKey(open.length - believed.length),
        ...noteLeft(believed.length - records.length),
    ];
    for (const note of notes)
        deps.log.warning(note);
    const isAllFailed = records.length > 0 && errors.length === records.length;
    return { records, notes, failure: search.failures[0] ?? (isAllFailed ? errors[0] : undefined) };
}
function isOpen({ claim: { record } }, { projectId }) {
    const isOurs = record.command === "agent" && record.target === projectId;
    return isOurs && record.state !== "ended" && record.state !== "released";
}
/** One record after the other; one that cannot be checked does not keep the others from it, an outage does. */
async function reconcileAll(believed, options, deps) {
    const records = [];
    const errors = [];
    let failuresInARow = 0;
    for (const found of believed) {
        const { where, claim } = found;
        const facts = { where, url: claim.url, jobId: claim.record.jobId };
        const finding = await reconcileGuarded(found, options, deps);
        if (!(finding instanceof lib_errors/* ActionError */.lZ)) {
            records.push({ ...facts, ...finding });
            failuresInARow = 0;
            continue;
        }
        records.push({ ...facts, kind: "failed-to-check", detail: finding.message });
        errors.push(finding);
        failuresInARow += 1;
        deps.log.warning(`${where}: ${(0,explain_error/* explain */.W)(finding)}`);
        if (finding.code === "rate-limited" || failuresInARow === maxFailuresInARow)
            break;
    }
    return { records, errors };
}
/** @throws {PlatformError} when the platform does not take the key: it would not for any record. */
async function reconcileGuarded(found, options, deps) {
    try {
        return await reconcileRecord(found, options, deps);
    }
    catch (error) {
        deps.signal.throwIfAborted();
        const isKeyRefused = error instanceof errors/* PlatformError */.W && ["unauthorized", "forbidden"].includes(error.code);
        if (!(error instanceof lib_errors/* ActionError */.lZ) || isKeyRefused)
            throw error;
        return error;
    }
}
function noteOtherKey(count) {
    if (count === 0)
        return [];
    const sentence = "are signed with another `api-key`; what became of them cannot be told with this one";
    return [`${count} open ${count === 1 ? "request" : "requests"}: the records ${sentence}.`];
}
function noteLeft(count) {
    if (count === 0)
        return [];
    return [`${count} open ${count === 1 ? "request is" : "requests are"} left for the next run.`];
}

// EXTERNAL MODULE: ./.build/lib/github/claims/seal.js
var claims_seal = __webpack_require__(8099);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(27121);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
// EXTERNAL MODULE: ./.build/lib/github/claims/comment-claims.js
var comment_claims = __webpack_require__(46315);
// EXTERNAL MODULE: ./.build/lib/github/claims/marker.js
var marker = __webpack_require__(10744);
// EXTERNAL MODULE: ./.build/lib/github/comments/issue-comments.js
var issue_comments = __webpack_require__(91915);
// EXTERNAL MODULE: ./.build/lib/github/comments/thread-comments.js + 2 modules
var thread_comments = __webpack_require__(64852);
// EXTERNAL MODULE: ./.build/lib/github/people/identity.js
var people_identity = __webpack_require__(41190);
;// CONCATENATED MODULE: ./.build/lib/github/open-records/comment-records.js






/** Pages of a hundred comments that are listed at most, newest changes first. */
const maxPages = 200;
const RepositoryComment = schemas/* object */.Ikc({ issue_url: schemas/* string */.YjP(), html_url: schemas/* string */.YjP() });
/** Records in comments on issues and pull requests: one listing for the whole repository, however many threads there are. */
async function listCommentRecords(since, deps) {
    const { api, identity } = deps;
    const purpose = { doing: "list the repository's comments", permission: "issues: write" };
    const threads = new Map();
    const take = (value) => {
        const comment = issue_comments/* RestComment */.e.parse(value);
        if (!(0,marker/* hasMarker */.xY)(comment.body) || !(0,people_identity/* isSameAccount */.s)(comment.author, identity.login))
            return;
        const thread = readThread(RepositoryComment.parse(value));
        const known = threads.get(thread.number) ?? { thread, comments: new Map() };
        // A comment that changes while the pages are listed comes twice.
        threads.set(thread.number, { thread, comments: known.comments.set(comment.id, comment) });
    };
    let pages = 0;
    await api.call(purpose, async (octokit, target) => {
        const parameters = { ...target, since, sort: "updated", direction: "desc", per_page: 100 };
        for await (const { data } of octokit.paginate.iterator(octokit.rest.issues.listCommentsForRepo, parameters)) {
            for (const comment of data)
                take(comment);
            pages += 1;
            if (pages === maxPages)
                break;
        }
    });
    const found = await Promise.all([...threads.values()].map(({ thread, comments }) => readRecords(thread, [...comments.values()], deps)));
    const isCut = pages === maxPages;
    return {
        records: found.flat(),
        unseen: isCut
            ? [`Comments on issues and pull requests: only the ${maxPages * 100} that changed last were looked at.`]
            : [],
    };
}
function readThread({ issue_url, html_url }) {
    const number = Number(/\/(\d+)$/.exec(issue_url)?.[1]);
    return { kind: html_url.includes("/pull/") ? "pull-request" : "issue", number, nodeId: "" };
}
/** The genuine records among a thread's comments, without asking for these again. */
async function readRecords(thread, comments, deps) {
    const claimsIn = (listed) => openClaims(thread, listed, deps);
    const claims = claimsIn(comments);
    const reread = async ({ id, nodeId = "" }) => {
        const comment = await (0,thread_comments/* createThreadComments */.d)(thread, deps.api).read({ id, nodeId });
        return comment && (await claimsIn([comment]).list())[0];
    };
    const where = `#${thread.number}`;
    return (await claims.list()).map((claim) => ({ claim, claims, reread: () => reread(claim), where }));
}
function openClaims(thread, listed, deps) {
    const comments = { ...(0,thread_comments/* createThreadComments */.d)(thread, deps.api), list: async () => listed };
    return (0,comment_claims/* createCommentClaims */.x)({ repositoryId: deps.api.repository.id, thread }, { ...deps, comments, serverNow: deps.api.serverNow });
}

;// CONCATENATED MODULE: ./.build/lib/github/open-records/discussion-records.js




/** Discussions that are looked at at most, newest changes first. */
const maxDiscussions = 1000;
const Author = schemas/* object */.Ikc({ __typename: schemas/* string */.YjP(), login: schemas/* string */.YjP() }).nullable();
const pageInfo = schemas/* object */.Ikc({ hasPreviousPage: schemas/* boolean */.zMY() });
/** A server that knows no replies has none. */
const Replies = schemas/* object */.Ikc({ nodes: schemas/* array */.YOg(schemas/* object */.Ikc({ author: Author })), pageInfo }).nullish();
const Discussion = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    number: schemas/* number */.aig(),
    updatedAt: schemas/* string */.YjP(),
    comments: schemas/* object */.Ikc({ nodes: schemas/* array */.YOg(schemas/* object */.Ikc({ author: Author, replies: Replies })), pageInfo }),
});
const DiscussionPage = schemas/* object */.Ikc({
    repository: schemas/* object */.Ikc({
        discussions: schemas/* object */.Ikc({
            nodes: schemas/* array */.YOg(Discussion),
            pageInfo: schemas/* object */.Ikc({ hasNextPage: schemas/* boolean */.zMY(), endCursor: schemas/* string */.YjP().nullable() }),
        }),
    }),
});
// Replies make a page dear: with these numbers one costs 11 of the 1,000 points that a repository has in an hour.
const query = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
  discussions(first: 50, after: $cursor, orderBy: { field: UPDATED_AT, direction: DESC }) {
    nodes { id number updatedAt
      comments(last: 20) { pageInfo { hasPreviousPage } nodes { author { __typename login }
        replies(last: 10) { pageInfo { hasPreviousPage } nodes { author { __typename login } } } } } }
    pageInfo { hasNextPage endCursor } } } }`;
/** Records in comments on discussions; only discussions that may hold a comment of ours are read. */
async function listDiscussionRecords(since, deps) {
    const { discussions, isCut } = await listDiscussions(since, deps);
    const records = [];
    for (const discussion of discussions) {
        if (!mayHoldOurs(discussion, deps))
            continue;
        const thread = { kind: "discussion", number: discussion.number, nodeId: discussion.id };
        const comments = await (0,thread_comments/* createThreadComments */.d)(thread, deps.api).list({ since });
        records.push(...(await readRecords(thread, comments, deps)));
    }
    const unseen = `Discussions: only the ${maxDiscussions} that changed last were looked at.`;
    return { records, unseen: isCut ? [unseen] : [] };
}
/** Discussions that changed since then. A repository without discussions has none. */
async function listDiscussions(since, { api }) {
    const purpose = { doing: "list the repository's discussions", permission: "discussions: write" };
    const { owner, name } = api.repository;
    const discussions = [];
    for (let cursor = null;;) {
        const variables = { owner, name, cursor };
        const page = await api.call(purpose, async (octokit) => DiscussionPage.parse(await octokit.graphql(query, variables)));
        const { nodes, pageInfo } = page.repository.discussions;
        const recent = nodes.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since));
        discussions.push(...recent);
        if (!pageInfo.hasNextPage || recent.length < nodes.length)
            return { discussions, isCut: false };
        if (discussions.length >= maxDiscussions)
            return { discussions, isCut: true };
        cursor = pageInfo.endCursor;
    }
}
function mayHoldOurs({ comments }, { identity }) {
    const isOurs = ({ author }) => {
        const account = author && { login: author.login, id: 0, isBot: author.__typename === "Bot" };
        return (0,people_identity/* isSameAccount */.s)(account ?? undefined, identity.login);
    };
    if (comments.pageInfo.hasPreviousPage)
        return true;
    return comments.nodes.some((comment) => isOurs(comment) || comment.replies?.pageInfo.hasPreviousPage || comment.replies?.nodes.some(isOurs));
}

// EXTERNAL MODULE: ./.build/lib/github/claims/status-claims.js
var status_claims = __webpack_require__(21924);
;// CONCATENATED MODULE: ./.build/lib/github/open-records/ask-about-commits.js
/** Questions about commits and their statuses, page by page. */


/** Asks a question. @throws {GitHubError} that names the permission for commits or for statuses, whichever is missing. */
async function askAboutCommits({ query, variables, schema, permission }, api) {
    const purpose = { doing: "look through the repository's commits", permission };
    try {
        return await api.call(purpose, async (octokit) => schema.parse(await octokit.graphql(query, variables)));
    }
    catch (error) {
        const isRefused = error instanceof github_errors/* GitHubError */.y_ && error.code === "missing-permission";
        if (!isRefused || !isAboutStatus(error.cause))
            throw error;
        throw (0,github_errors/* missingPermission */.Up)("statuses: write", { doing: "read commit statuses", cause: error.cause });
    }
}
const Refusal = schemas/* object */.Ikc({ errors: schemas/* array */.YOg(schemas/* object */.Ikc({ path: schemas/* array */.YOg(schemas/* unknown */.L5J()).default([]) })) });
/** One question reads commits and their statuses; which of them is refused, the error's path tells. */
function isAboutStatus(cause) {
    const { data } = Refusal.safeParse(cause);
    return data?.errors.some(({ path }) => path.includes("status")) ?? false;
}
/** A page of a list, as GraphQL gives it. */
function pageOf(item) {
    return schemas/* object */.Ikc({
        nodes: schemas/* array */.YOg(item),
        totalCount: schemas/* number */.aig().optional(),
        pageInfo: schemas/* object */.Ikc({ hasNextPage: schemas/* boolean */.zMY(), endCursor: schemas/* string */.YjP().nullable() }),
    });
}
/** Goes through a list page by page; the first page has no cursor. */
async function* eachPage(fetchPage) {
    for (let cursor = null;;) {
        const page = await fetchPage(cursor);
        if (!page)
            return;
        yield page;
        if (!page.pageInfo.hasNextPage)
            return;
        cursor = page.pageInfo.endCursor;
    }
}

;// CONCATENATED MODULE: ./.build/lib/github/open-records/commit-sieve.js
/** Tells the commits with an open record of the agent from all others, by what GraphQL says of their statuses. */


/** The fields of `MarkedCommit`, as a selection. */
const commitFields = "id oid committedDate status { contexts { context state createdAt } }";
/** A commit with the newest status of each context. */
const MarkedCommit = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    oid: schemas/* string */.YjP(),
    committedDate: schemas/* string */.YjP(),
    status: schemas/* object */.Ikc({
        contexts: schemas/* array */.YOg(schemas/* object */.Ikc({ context: schemas/* string */.YjP(), state: schemas/* string */.YjP(), createdAt: schemas/* string */.YjP() })),
    })
        .nullable(),
});
/** Commits seen so far, and those of them with an open record since a time. */
class CommitSieve {
    #sinceMs;
    #seen = new Set();
    #marked = [];
    constructor(since) {
        this.#sinceMs = Date.parse(since);
    }
    /** Commits with an open record, in the order in which they were seen. */
    get marked() {
        return this.#marked;
    }
    isRecent(time) {
        return Date.parse(time) >= this.#sinceMs;
    }
    /** Looks at a commit; false for one that was seen before. */
    take({ oid, status }) {
        if (this.#seen.has(oid))
            return false;
        this.#seen.add(oid);
        const isOpen = status?.contexts.some((status) => (0,status_claims/* isOpenAgentStatus */.O)(status) && this.isRecent(status.createdAt));
        if (isOpen)
            this.#marked.push(oid);
        return true;
    }
}

;// CONCATENATED MODULE: ./.build/lib/github/open-records/find-marked-commits.js
/**
 * Finds the commits whose statuses hold an open record of the agent. A page of branches, or of commits, is one request, and
 * a commit without such a status costs none of its own.
 */




/** What is looked at, at most; the documentation of `reconcile` names these figures. */
const limits = {
    /** Branches, and as many tags: the commit that each names. */
    refs: 3000,
    /** Newest commits of the default branch; the first hundred however old they are. */
    defaultCommits: 500,
    /** Branches that changed recently: also this many of their newest commits. */
    activeBranches: 500,
    branchCommits: 20,
    /** Pull requests that changed recently: as many of their commits, for their branches may be gone. */
    pullRequests: 500,
};
/** Branches or pull requests whose commits are asked for at once: GitHub gives up on what takes it ten seconds. */
const atOnce = 20;
/** Looks through branches, tags and pull requests for open records written since a time (ISO 8601). */
async function findMarkedCommits(since, api) {
    const walk = { sieve: new CommitSieve(since), api };
    const unseen = [
        ...(await walkDefaultBranch(walk)),
        ...(await walkBranches(walk)),
        ...(await walkRefs("refs/tags/", walk)).unseen,
        ...(await walkPullRequests(walk)),
    ];
    return { shas: walk.sieve.marked, unseen };
}
const History = schemas/* object */.Ikc({ history: pageOf(MarkedCommit) });
const DefaultBranch = schemas/* object */.Ikc({
    repository: schemas/* object */.Ikc({ defaultBranchRef: schemas/* object */.Ikc({ target: History.nullable() }).nullable() }),
});
/** The default branch: a schedule on a quiet one writes to its old head. */
async function walkDefaultBranch({ sieve, api }) {
    const query = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
    defaultBranchRef { target { ... on Commit { history(first: 100, after: $cursor) {
      nodes { ${commitFields} } pageInfo { hasNextPage endCursor } } } } } } }`;
    const { owner, name } = api.repository;
    let count = 0;
    const pages = eachPage(async (cursor) => {
        const variables = { owner, name, cursor };
        const question = { query, variables, schema: DefaultBranch, permission: "contents: read" };
        return (await askAboutCommits(question, api)).repository.defaultBranchRef?.target?.history;
    });
    for await (const { nodes, pageInfo } of pages) {
        for (const commit of nodes)
            sieve.take(commit);
        count += nodes.length;
        if (!sieve.isRecent(nodes.at(-1)?.committedDate ?? ""))
            break;
        if (count >= limits.defaultCommits && pageInfo.hasNextPage)
            return [`Default branch: only its newest ${limits.defaultCommits} commits were looked at.`];
    }
    return [];
}
/** Every branch's newest commit, and some before it where that one is recent. */
async function walkBranches({ sieve, api }) {
    const { fresh, unseen } = await walkRefs("refs/heads/", { sieve, api });
    const active = fresh.filter(({ committedDate }) => sieve.isRecent(committedDate));
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commit {
    history(first: ${limits.branchCommits}) { nodes { ${commitFields} } pageInfo { hasNextPage endCursor } } } } }`;
    const schema = schemas/* object */.Ikc({ nodes: schemas/* array */.YOg(History.nullable()) });
    for (let from = 0; from < Math.min(active.length, limits.activeBranches); from += atOnce) {
        const variables = { ids: active.slice(from, from + atOnce).map(({ id }) => id) };
        const answer = await askAboutCommits({ query, variables, schema, permission: "contents: read" }, api);
        for (const commit of answer.nodes.flatMap((node) => node?.history.nodes ?? []))
            sieve.take(commit);
    }
    const isCut = active.length > limits.activeBranches;
    const sentence = `Branches: of ${active.length - limits.activeBranches} that changed recently only the newest commit was looked at.`;
    return [...unseen, ...(isCut ? [sentence] : [])];
}
/** What a branch or tag names: a commit, an annotated tag's object that leads to one, or something without statuses. */
const Target = schemas/* union */.KCZ([
    MarkedCommit,
    schemas/* object */.Ikc({ target: MarkedCommit }).transform(({ target }) => target),
    schemas/* unknown */.L5J().transform(() => undefined),
]);
const Refs = schemas/* object */.Ikc({
    repository: schemas/* object */.Ikc({ refs: pageOf(schemas/* object */.Ikc({ target: Target })).nullable() }),
});
/** The commits that branches or tags name; `fresh` are those not seen before. */
async function walkRefs(prefix, { sieve, api }) {
    const query = `query ($owner: String!, $name: String!, $prefix: String!, $cursor: String) {
    repository(owner: $owner, name: $name) {
      refs(refPrefix: $prefix, first: 100, after: $cursor, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { target { ... on Commit { ${commitFields} } ... on Tag { target { ... on Commit { ${commitFields} } } } } }
      } } }`;
    const { owner, name } = api.repository;
    const fresh = [];
    let count = 0;
    const pages = eachPage(async (cursor) => {
        const variables = { owner, name, prefix, cursor };
        const question = { query, variables, schema: Refs, permission: "contents: read" };
        return (await askAboutCommits(question, api)).repository.refs ?? undefined;
    });
    for await (const { nodes, totalCount = 0, pageInfo } of pages) {
        const commits = nodes.map(({ target }) => target).filter((commit) => commit !== undefined);
        fresh.push(...commits.filter((commit) => sieve.take(commit)));
        count += nodes.length;
        if (count >= limits.refs && pageInfo.hasNextPage) {
            const kind = prefix === "refs/heads/" ? "Branches" : "Tags";
            return { fresh, unseen: [`${kind}: ${totalCount - count} of ${totalCount} were not looked at.`] };
        }
    }
    return { fresh, unseen: [] };
}
const PullRequest = schemas/* object */.Ikc({
    updatedAt: schemas/* string */.YjP(),
    mergeCommit: MarkedCommit.nullable(),
    potentialMergeCommit: MarkedCommit.nullable(),
    commits: schemas/* object */.Ikc({ nodes: schemas/* array */.YOg(schemas/* object */.Ikc({ commit: MarkedCommit })) }),
});
const PullRequests = schemas/* object */.Ikc({ repository: schemas/* object */.Ikc({ pullRequests: pageOf(PullRequest) }) });
/** Commits that no branch leads to any more, or never did: of deleted branches, and GitHub's trial merges. */
async function walkPullRequests({ sieve, api }) {
    const query = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
    pullRequests(first: ${atOnce}, after: $cursor, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes { updatedAt mergeCommit { ${commitFields} } potentialMergeCommit { ${commitFields} }
        commits(last: ${limits.branchCommits}) { nodes { commit { ${commitFields} } } } }
    } } }`;
    const { owner, name } = api.repository;
    let count = 0;
    const pages = eachPage(async (cursor) => {
        const variables = { owner, name, cursor };
        const question = { query, variables, schema: PullRequests, permission: "pull-requests: write" };
        return (await askAboutCommits(question, api)).repository.pullRequests;
    });
    try {
        for await (const { nodes, pageInfo } of pages) {
            const recent = nodes.filter(({ updatedAt }) => sieve.isRecent(updatedAt));
            for (const commit of recent.flatMap(commitsOf))
                sieve.take(commit);
            count += nodes.length;
            if (recent.length < nodes.length)
                break;
            if (count >= limits.pullRequests && pageInfo.hasNextPage)
                return [`Pull requests: only the ${limits.pullRequests} that changed last were looked at.`];
        }
        return [];
    }
    catch (error) {
        if (!(error instanceof github_errors/* GitHubError */.y_) || !(0,github_errors/* isRefusal */.vu)(error))
            throw error;
        return [`Commits of pull requests were not looked at: ${error.message} ${error.hint}`];
    }
}
function commitsOf({ mergeCommit, potentialMergeCommit, commits, }) {
    const merges = [mergeCommit, potentialMergeCommit].filter((commit) => commit !== null);
    return [...merges, ...commits.nodes.map(({ commit }) => commit)];
}

;// CONCATENATED MODULE: ./.build/lib/github/open-records/status-records.js



/** Commits whose statuses are read in whole, at most: each is a request. */
const maxCommits = 300;
/** Open records in commit statuses, on whatever branch, tag or pull request their commit is. */
async function listStatusRecords(since, deps) {
    const { shas, unseen } = await findCommits(since, deps.api);
    const records = [];
    for (const sha of shas.slice(0, maxCommits))
        records.push(...(await readStatusRecords(sha, deps)));
    const left = shas.length - maxCommits;
    const sentence = `Commit statuses: ${left} more commits with open requests are left for the next run.`;
    return { records, unseen: left > 0 ? [...unseen, sentence] : unseen };
}
/** Without GraphQL, or where its answer takes GitHub too long, what the REST API lists at once has to do. */
async function findCommits(since, api) {
    try {
        return await findMarkedCommits(since, api);
    }
    catch (error) {
        const isUseless = error instanceof github_errors/* GitHubError */.y_ &&
            ["not-found", "unavailable", "unexpected-response"].includes(error.code);
        if (!isUseless)
            throw error;
        const purpose = { doing: "list the recent commits", permission: "contents: read" };
        const { data: commits } = await api.call(purpose, (octokit, target) => octokit.rest.repos.listCommits({ ...target, per_page: 100 }));
        const sentence = `Commit statuses: only those of the newest ${commits.length} commits of the default branch were looked at: ${error.message}`;
        return { shas: commits.map(({ sha }) => sha), unseen: [sentence] };
    }
}
async function readStatusRecords(sha, deps) {
    const claims = (0,status_claims/* createStatusClaims */.g)({ sha }, deps);
    const reread = async ({ id }) => (await claims.list()).find((claim) => claim.id === id);
    const where = `commit ${sha.slice(0, 7)}`;
    return (await claims.list()).map((claim) => ({ claim, claims, reread: () => reread(claim), where }));
}

;// CONCATENATED MODULE: ./.build/lib/github/open-records/list-open-records.js
/** Finds our records all over the repository: in comments of threads, in statuses of commits. */




/** Each kind of place, in words that begin a sentence. */
const places = [
    ["Comments on issues and pull requests", listCommentRecords],
    ["Discussions", listDiscussionRecords],
    ["Commit statuses", listStatusRecords],
];
/**
 * Lists genuine records that were written or changed since a time (ISO 8601). What the token may not read is left out,
 * and said.
 *
 * @throws {GitHubError} when it may read neither comments nor statuses, and there is nothing in discussions.
 */
async function listRecords(since, deps) {
    const records = [];
    const unseen = [];
    const failures = [];
    const refusals = [];
    for (const [name, list] of places) {
        const found = await orGitHubError(list(since, deps));
        if (!(found instanceof github_errors/* GitHubError */.y_)) {
            records.push(...found.records);
            unseen.push(...found.unseen);
        }
        else if ((0,github_errors/* isRefusal */.vu)(found)) {
            refusals.push(found);
            unseen.push(`${name} were not looked at: ${found.message} ${found.hint}`);
        }
        else
            failures.push(found);
    }
    const [first] = refusals;
    // A repository without discussions has none to refuse.
    if (first && records.length === 0 && refusals.length >= places.length - 1)
        throw first;
    return { records, unseen, failures };
}
async function orGitHubError(search) {
    try {
        return await search;
    }
    catch (error) {
        if (error instanceof github_errors/* GitHubError */.y_)
            return error;
        throw error;
    }
}

// EXTERNAL MODULE: ./.build/lib/github/pull-requests/find-by-reference.js
var find_by_reference = __webpack_require__(16116);
// EXTERNAL MODULE: ./.build/lib/github/pull-requests/pull-requests.js
var pull_requests = __webpack_require__(76367);
// EXTERNAL MODULE: ./.build/lib/is-loopback.js
var is_loopback = __webpack_require__(78748);
// EXTERNAL MODULE: ./.build/lib/presentation/format.js
var format = __webpack_require__(15588);
// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(53544);
;// CONCATENATED MODULE: ./.build/lib/presentation/reconcile-summary.js
/** The job summary of `reconcile`. */

/** What became of each open request, and what was not looked at. */
function renderReconcileSummary(rows, notes) {
    const limits = notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${(0,escape_markdown/* escapeInline */.VV)(note)}`)];
    return ["### Docs reconcile", "", ...renderRows(rows), ...limits, ""].join("\n");
}
function renderRows(rows) {
    if (rows.length === 0)
        return ["No open request was found."];
    return [
        "| Request | Job | Result | |",
        "|---|---|---|---|",
        ...rows.map(({ where, url, jobId, kind, detail }) => {
            const name = (0,escape_markdown/* escapeInline */.VV)(where);
            const place = url !== undefined && URL.canParse(url) ? `[${name}](${new URL(url).href})` : name;
            return `| ${place} | ${jobId === undefined ? "" : (0,escape_markdown/* codeCell */.MZ)(jobId)} | ${(0,escape_markdown/* escapeInline */.VV)(kind)} | ${(0,escape_markdown/* escapeInline */.VV)(detail)} |`;
        }),
    ];
}

// EXTERNAL MODULE: ./.build/lib/presentation/status-comment.js
var status_comment = __webpack_require__(49917);
// EXTERNAL MODULE: ./.build/lib/action/connections/agent-github.js + 8 modules
var agent_github = __webpack_require__(14721);
// EXTERNAL MODULE: ./.build/lib/action/connections/connect-github.js + 5 modules
var connect_github = __webpack_require__(28644);
// EXTERNAL MODULE: ./.build/lib/action/connections/connect-platform.js + 6 modules
var connect_platform = __webpack_require__(11200);
// EXTERNAL MODULE: ./.build/lib/action/connections/introduce-or-warn.js + 1 modules
var introduce_or_warn = __webpack_require__(7255);
;// CONCATENATED MODULE: ./.build/lib/action/steps/reconcile.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/** Composes `command: reconcile`: the repository's open records in, a summary out. */














/** Older requests are not looked at any more. */
const lookBackMs = 30 * 24 * 60 * 60 * 1000;
const reconcileStep = {
    async run(inputs, context) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const { projectId } = inputs;
            if (projectId === undefined)
                throw new lib_errors/* InputError */.dz(["`project-id` is missing."]);
            const github = await (0,connect_github/* connectGitHub */.UY)(inputs, context);
            const connection = __addDisposableResource(env_1, await (0,connect_platform/* connectPlatform */.c)(inputs, {
                context,
                startEmbedded: async () => {
                    throw new lib_errors/* InputError */.dz(["`base-url: local` has nothing to reconcile: its jobs end with their run."]);
                },
            }), true);
            const { platform } = connection;
            const { origin } = platform.transport;
            const { repository, serverUrl } = github.run;
            const localOrigin = (0,is_loopback/* isLoopback */.U)(new URL(origin)) ? origin : undefined;
            const { records, notes, failure } = await reconcile({ projectId, repository, serverUrl, localOrigin }, { platform, ...(await createDeps({ inputs, connection: github }, context)) });
            const finished = records.filter(({ kind }) => kind === "finished").length;
            const verb = inputs.dryRun ? "would be finished (dry run)" : "finished";
            const message = `${(0,format/* formatCount */.B4)(records.length, "open request")} looked at, ${finished} ${verb}.`;
            if (!failure)
                return { outcome: "reconciled", message, summary: renderReconcileSummary(records, notes) };
            context.log.info(message);
            throw failure;
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    },
};
/** What the command needs besides the platform. */
async function createDeps({ inputs, connection }, { clock, log, signal }) {
    const { api, run, readIdentity } = connection;
    const seal = (0,claims_seal/* createSeal */.A)((0,agent_github/* sealKey */.FD)(inputs.apiKey, run.repository.id));
    const ownership = { api, seal, identity: await readIdentity() };
    const render = (record) => (0,status_comment/* renderStatusComment */.u)(record, { nowMs: clock.now() });
    return {
        github: {
            findByReference: (0,find_by_reference/* createReferenceFinder */.a)(api),
            readPullRequest: (address) => (0,pull_requests/* readPullRequest */.DQ)(address, api),
            async adoptPullRequest(pull, origin) {
                if (inputs.dryRun)
                    return;
                // Labels and reviewers are the business of the workflow that asked; which phrase calls the agent only it knows.
                const introduction = { pull, origin, source: undefined, triggerPhrase: undefined };
                await (0,introduce_or_warn/* introduceOrWarn */.D)(introduction, { ...ownership, log, signal });
            },
        },
        async listRecords() {
            const since = new Date(clock.now() - lookBackMs).toISOString();
            const found = await listRecords(since, { ...ownership, render, describe: status_comment/* describeStatus */.W });
            return inputs.dryRun ? { ...found, records: found.records.map(withoutWriting) } : found;
        },
        referenceOf: seal.reference,
        log,
        signal,
    };
}
/** A record that can be judged but not changed. */
function withoutWriting(found) {
    return { ...found, claims: { update: async (claim) => claim } };
}


/***/ })

};
