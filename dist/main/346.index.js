export const id = 346;
export const ids = [346];
export const modules = {

/***/ 14721:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Rs: () => (/* binding */ createAgentGitHub),
  Lm: () => (/* binding */ readClaimSha),
  FD: () => (/* binding */ sealKey)
});

;// CONCATENATED MODULE: ./.build/lib/github/collect-pages.js
/** Fetches page after page, numbered from 1, while GitHub names a next one; for answers that are not plain lists. */
async function collectPages(fetchPage) {
    const pages = [];
    for (let hasNext = true; hasNext;) {
        const { data, headers } = await fetchPage(pages.length + 1);
        pages.push(data);
        hasNext = /;\s*rel="next"/.test(headers.link ?? "");
    }
    return pages;
}

// EXTERNAL MODULE: ./.build/lib/github/errors.js
var errors = __webpack_require__(27121);
;// CONCATENATED MODULE: ./.build/lib/github/changes/compare-commits.js
/** What lies between two states of the repository, as GitHub compares them. */


const purpose = { doing: "compare commits", permission: "contents: read" };
/** GitHub lists at most so many files of a comparison or a commit page. */
const maxComparedFiles = 300;
/** Commits whose files are looked up one by one where the comparison's list is cut. */
const maxCommitsLookedUp = 50;
/** Compares two states; `undefined` where one of them is not there any more, or is no commit but an annotated tag's object. */
async function compareCommits({ base, head }, api) {
    const basehead = `${base}...${head}`;
    const fetchPage = (page) => api.call(purpose, async (octokit, target) => {
        const parameters = { ...target, basehead, per_page: commitsPerPage, page };
        return (await octokit.rest.repos.compareCommitsWithBasehead(parameters)).data;
    });
    const first = await orUndefined(fetchPage(1));
    if (!first)
        return undefined;
    const { html_url: url, status, total_commits: total } = first;
    const commits = [...first.commits];
    for (const page of pagesAfterFirst(total))
        commits.push(...(await fetchPage(page)).commits);
    const listed = unique((first.files ?? []).map(toFile));
    const notes = [
        ...(status === "diverged"
            ? ["The two states have diverged; changes are counted from where they parted."]
            : []),
        ...(commits.length < total ? [`Only ${commits.length} of its ${total} commits are looked at.`] : []),
    ];
    const facts = { url, titles: commits.map(({ commit }) => firstLine(commit.message)), notes };
    if (listed.length < maxComparedFiles)
        return { ...facts, files: listed, isComplete: true };
    const shas = commits.map(({ sha }) => sha);
    const more = await filesOfCommits(shas, api);
    const isComplete = more.isComplete && commits.length >= total;
    return { ...facts, files: unique([...listed, ...more.files]), isComplete };
}
const commitsPerPage = 100;
/** Commits come oldest first, and the newest say most: of a long range, the first page is followed by the last two. */
function pagesAfterFirst(total) {
    const last = Math.ceil(total / commitsPerPage);
    return [last - 1, last].filter((page) => page > 1);
}
/** The files that commits changed, looked up one by one. */
async function filesOfCommits(shas, api) {
    const files = [];
    let isComplete = shas.length <= maxCommitsLookedUp;
    for (const ref of shas.slice(-maxCommitsLookedUp)) {
        const pages = await api.call(purpose, (octokit, target) => collectPages((page) => octokit.rest.repos.getCommit({ ...target, ref, per_page: 100, page })));
        const listed = pages.flatMap((page) => page.files ?? []);
        files.push(...listed.map(toFile));
        // A list of exactly that length may be a cut one.
        if (listed.length > 0 && listed.length % maxComparedFiles === 0)
            isComplete = false;
    }
    return { files: unique(files), isComplete };
}
/** A file of the REST API in our terms. */
function toFile({ filename, status, previous_filename }) {
    return { path: filename, status, previousPath: previous_filename };
}
function unique(files) {
    return [...new Map(files.map((file) => [file.path, file])).values()];
}
async function orUndefined(promise) {
    try {
        return await promise;
    }
    catch (error) {
        if ([404, 422].includes((0,errors/* statusOfCause */.Xt)(error) ?? 0))
            return undefined;
        throw error;
    }
}
/** A commit message's title. */
function firstLine(message) {
    return message.split("\n", 1)[0]?.trim() ?? "";
}
/** A commit as people write it. */
function compare_commits_short(ref) {
    return /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref;
}

;// CONCATENATED MODULE: ./.build/lib/github/changes/changes.js

const changes_purpose = { doing: "read what changed", permission: "contents: read" };
const pullRequestPurpose = { doing: "read what the pull request changes", permission: "pull-requests: read" };
const zeroSha = /^0+$/;
/** Reads what an event changed, or what the pull request changes on which a text was written. */
function readChanges(event, api) {
    switch (event.type) {
        case "written":
            return readPullRequestFiles(event.thread, { range: `pull request #${event.thread.number}`, api });
        case "push":
            return readPush(event, api);
        case "pull-request":
            return readPullRequest(event, api);
        case "release":
            return readRelease(event, api);
    }
}
async function readPush(event, api) {
    const name = event.ref.replace(/^refs\/(heads|tags)\//, "");
    const { head, before, defaultBranch } = event;
    const isTag = event.ref.startsWith("refs/tags/");
    const isNew = zeroSha.test(before);
    const base = !isNew ? before : name === defaultBranch || isTag ? undefined : defaultBranch;
    const notes = [
        ...(isNew ? [isTag ? "The tag is new." : "The branch is new."] : []),
        ...(event.forced ? ["The push rewrote history: commits that were there before are gone."] : []),
    ];
    const compared = base === undefined ? undefined : await compareCommits({ base, head: head.id }, api);
    if (compared)
        return {
            ...compared,
            range: `${name}, ${compare_commits_short(base ?? "")}...${compare_commits_short(head.id)}`,
            notes: [...notes, ...compared.notes],
        };
    // No base to compare with: it is gone, or there never was one. The commits of the payload are what is known.
    const commits = event.commits.length > 0 ? event.commits : [head];
    const files = await filesOfCommits(commits.map(({ id }) => id), api);
    return {
        ...files,
        range: `${name}, up to ${compare_commits_short(head.id)}`,
        url: undefined,
        titles: commits.map(({ message }) => firstLine(message)).filter((title) => title !== ""),
        notes: [...notes, "There is no earlier state to compare with; these are the commits of the push."],
    };
}
function readPullRequest({ thread, base, head, mergeSha }, api) {
    return readPullRequestFiles(thread, {
        range: `${base.ref}, ${compare_commits_short(base.sha)}...${compare_commits_short(mergeSha ?? head.sha)}`,
        api,
    });
}
/** GitHub lists the first 3,000 files of a pull request. */
const maxPullRequestFiles = 3000;
async function readPullRequestFiles({ number, title, url }, { range, api }) {
    const files = await api.call(pullRequestPurpose, (octokit, target) => octokit.paginate(octokit.rest.pulls.listFiles, { ...target, pull_number: number, per_page: 100 }));
    const isComplete = files.length < maxPullRequestFiles;
    return { range, url, titles: [title], files: files.map(toFile), isComplete, notes: [] };
}
async function readRelease({ tag, name, url }, api) {
    const { data: releases } = await api.call(changes_purpose, (octokit, target) => octokit.rest.repos.listReleases({ ...target, per_page: 100 }));
    const published = releases.filter(({ draft }) => !draft);
    const position = published.findIndex((release) => release.tag_name === tag);
    const previous = position < 0 ? undefined : published[position + 1]?.tag_name;
    const compared = previous === undefined ? undefined : await compareCommits({ base: previous, head: tag }, api);
    const range = previous === undefined ? tag : `${previous}...${tag}`;
    if (compared)
        return { ...compared, range, url };
    const titles = [name || tag];
    return {
        range,
        url,
        titles,
        files: [],
        isComplete: false,
        notes: [
            position < 0
                ? `The release is not among the newest ${releases.length}, so there is none to compare it with.`
                : "There is no earlier release to compare with.",
        ],
    };
}

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
;// CONCATENATED MODULE: ./.build/lib/github/changes/newest-commit-before.js

const Commits = schemas/* array */.YOg(schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }));
/**
 * The newest commit of the default branch at a point in time: the same for every run that asks, however the branch moves
 * on. `undefined` for a time before its first commit.
 */
async function newestCommitBefore(time, api) {
    const purpose = {
        doing: "find the commit that the record of this request belongs to",
        permission: "contents: read",
    };
    const commits = await api.call(purpose, async (octokit, target) => {
        const { data } = await octokit.rest.repos.listCommits({ ...target, until: time, per_page: 1 });
        return Commits.parse(data);
    });
    return commits[0]?.sha;
}

// EXTERNAL MODULE: ./.build/lib/github/claims/seal.js
var claims_seal = __webpack_require__(8099);
// EXTERNAL MODULE: ./.build/lib/github/comments/thread-comments.js + 2 modules
var thread_comments = __webpack_require__(64852);
// EXTERNAL MODULE: ./.build/lib/github/event/live-text.js
var live_text = __webpack_require__(89089);
;// CONCATENATED MODULE: ./.build/lib/github/pull-requests/decorate-pull-request.js

/** Applies what is asked for; each failure is a warning, for the pull request itself is there. */
async function decoratePullRequest(pull, { labels, reviewers, draft }, { api, log }) {
    const attempt = async (work) => {
        try {
            await work;
        }
        catch (error) {
            if (!(error instanceof errors/* GitHubError */.y_))
                throw error;
            log.warning(`Pull request #${pull.number}: ${error.message} ${error.hint}`);
        }
    };
    if (labels.length > 0)
        await attempt(addLabels(pull, labels, api));
    if (reviewers.length > 0)
        await attempt(requestReviews(pull, reviewers, api));
    if (draft && !pull.isDraft)
        await attempt(makeDraft(pull, api));
}
const permission = "pull-requests: write";
function addLabels({ number }, labels, api) {
    return api.call({ doing: "label the pull request", permission }, (octokit, target) => octokit.rest.issues.addLabels({ ...target, issue_number: number, labels: [...labels] }));
}
function requestReviews({ number }, reviewers, api) {
    const people = reviewers.filter((name) => !name.includes("/"));
    const teams = reviewers.filter((name) => name.includes("/")).map((name) => name.split("/").at(-1) ?? name);
    return api.call({ doing: "ask for reviews", permission }, (octokit, target) => octokit.rest.pulls.requestReviewers({
        ...target,
        pull_number: number,
        reviewers: people,
        team_reviewers: teams,
    }));
}
function makeDraft({ nodeId }, api) {
    const query = "mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
    // GitHub asks for the contents permission here, although only the pull request changes.
    return api.call({ doing: "make the pull request a draft", permission: "contents: write" }, (octokit) => octokit.graphql(query, { id: nodeId }));
}

// EXTERNAL MODULE: ./.build/lib/github/pull-requests/find-by-reference.js
var find_by_reference = __webpack_require__(16116);
// EXTERNAL MODULE: ./.build/lib/github/pull-requests/pull-requests.js
var pull_requests = __webpack_require__(76367);
;// CONCATENATED MODULE: ./.build/lib/github/pull-requests/is-from-own-pull-request.js


const is_from_own_pull_request_purpose = { doing: "read which pull requests commits came with", permission: "pull-requests: read" };
/** GitHub's event lists no more commits of a push. */
const maxListedCommits = 2048;
/** Commits whose pull requests are asked for one by one: those of a rebase have no other link to theirs. */
const maxLookups = 50;
/**
 * Whether a push brought nothing but our pull requests: every commit of it came with one that is merged, or whose branch
 * was pushed. What cannot be told counts as somebody else's.
 */
async function isFromOwnPullRequest(push, deps) {
    const { ref, head, commits } = push;
    // A tag is set by somebody who has something in mind, whatever its commit came with.
    if (ref.startsWith("refs/tags/") || commits.length >= maxListedCommits)
        return false;
    // The tip first: of most pushes it says already that they are somebody's work.
    const uncovered = new Set([head.id, ...commits.map(({ id }) => id).toReversed()]);
    const findOwn = createOwnFinder(push, deps);
    const listed = new Set();
    for (let lookups = 0; lookups < maxLookups && uncovered.size > 0; lookups += 1) {
        const [sha = ""] = uncovered;
        const own = await findOwn(sha);
        if (!own)
            return false;
        uncovered.delete(sha);
        if (uncovered.size === 0 || listed.has(own.number))
            continue;
        listed.add(own.number);
        for (const other of await listCommits(own, deps))
            uncovered.delete(other);
    }
    return uncovered.size === 0;
}
/** Finds the pull request of ours that a commit of the push came with; whose a pull request is, is asked once. */
function createOwnFinder({ ref, forced }, deps) {
    const judged = new Map();
    const isOurs = async (pull) => {
        const known = judged.get(pull.number) ?? (await (0,pull_requests/* isOwn */.NP)((0,pull_requests/* toCandidate */.bl)(pull), deps));
        judged.set(pull.number, known);
        return known;
    };
    return async (sha) => {
        for (const pull of await listPulls(sha, deps)) {
            const isItsBranch = pull.head.repo?.id === pull.base.repo.id && ref === `refs/heads/${pull.head.ref}`;
            // A rewritten history also took something away, and that was no pull request.
            const isItsMerge = Boolean(pull.merged_at) && !forced;
            if ((isItsBranch || isItsMerge) && (await isOurs(pull)))
                return pull;
        }
        return undefined;
    };
}
async function listPulls(sha, { api }) {
    try {
        return await api.call(is_from_own_pull_request_purpose, (octokit, target) => octokit.paginate(octokit.rest.repos.listPullRequestsAssociatedWithCommit, {
            ...target,
            commit_sha: sha,
            per_page: 100,
        }));
    }
    catch (error) {
        // A later push has taken the commit away.
        if ((0,errors/* statusOfCause */.Xt)(error) === 422)
            return [];
        throw error;
    }
}
/** The commits of a pull request on its branch, and the one that merged it. */
async function listCommits(pull, { api }) {
    const commits = await api.call(is_from_own_pull_request_purpose, (octokit, target) => octokit.paginate(octokit.rest.pulls.listCommits, {
        ...target,
        pull_number: pull.number,
        per_page: 100,
    }));
    return [pull.merge_commit_sha ?? "", ...commits.map(({ sha }) => sha)];
}

// EXTERNAL MODULE: ./.build/lib/github/reactions.js
var reactions = __webpack_require__(76664);
// EXTERNAL MODULE: ./.build/lib/github/claims/marker.js
var marker = __webpack_require__(10744);
// EXTERNAL MODULE: ./.build/lib/github/comments/comment-order.js
var comment_order = __webpack_require__(31583);
// EXTERNAL MODULE: ./.build/lib/github/text/visible-text.js + 11 modules
var visible_text = __webpack_require__(45862);
;// CONCATENATED MODULE: ./.build/lib/github/thread-context.js
/** What was said on a thread before the trigger, reduced to what GitHub shows of it. */



/** Ten times what a prompt has room for; reading more would only cost time. */
const maxSourceCharacters = 600_000;
/** Reads the context of a trigger: the thread as the event told it, and the comments that were there before it. */
function readThreadContext(event, comments) {
    const { thread, text } = event;
    const triggerMs = Date.parse(text.changedAt);
    const others = comments.filter(({ nodeId, body }) => nodeId !== text.nodeId && !(0,marker/* hasMarker */.xY)(body));
    // A comment without a readable time is not known to be older.
    const older = others.filter(({ updatedAt }) => Date.parse(updatedAt) <= triggerMs);
    const receipts = { hiddenSegments: 0, invisibleCharacters: 0 };
    const show = (visible) => {
        receipts.hiddenSegments += visible.hiddenSegments;
        receipts.invisibleCharacters += visible.invisibleCharacters;
        return visible.text;
    };
    const isSubjectTheTrigger = text.kind === "issue" || text.kind === "discussion";
    const subject = {
        title: `${thread.kind.replace("-", " ")} #${thread.number}`,
        author: thread.author?.login,
        time: thread.createdAt,
        url: thread.url,
        text: [
            show((0,visible_text/* keepVisibleCharacters */.UG)(thread.title)),
            ...(isSubjectTheTrigger ? [] : [show((0,visible_text/* keepVisibleText */.bJ)(thread.body))]),
        ].join("\n\n"),
    };
    const read = newest((0,comment_order/* orderByThread */.m)(older, thread.asking));
    const shown = read.map(({ author, createdAt, url, body, parentId }) => ({
        // A discussion's comment has its number at the end of its address.
        title: parentId === undefined ? "comment" : `reply to comment ${parentId}`,
        author: author?.login,
        time: createdAt,
        url,
        text: show((0,visible_text/* keepVisibleText */.bJ)(body)),
    }));
    const changedSince = others.length - older.length;
    return { subject, comments: shown, changedSince, unread: older.length - read.length, ...receipts };
}
/** The last of the comments, as far as the limit goes. */
function newest(comments) {
    let room = maxSourceCharacters;
    const first = comments.findLastIndex(({ body }) => {
        room -= body.length;
        return room < 0;
    });
    return comments.slice(first + 1);
}

// EXTERNAL MODULE: ./.build/lib/action/connections/connect-github.js + 5 modules
var connect_github = __webpack_require__(28644);
// EXTERNAL MODULE: ./.build/lib/action/connections/introduce-or-warn.js + 1 modules
var introduce_or_warn = __webpack_require__(7255);
// EXTERNAL MODULE: ./.build/lib/github/claims/comment-claims.js
var comment_claims = __webpack_require__(46315);
// EXTERNAL MODULE: ./.build/lib/github/claims/status-claims.js
var status_claims = __webpack_require__(21924);
// EXTERNAL MODULE: ./.build/lib/presentation/status-comment.js
var status_comment = __webpack_require__(49917);
;// CONCATENATED MODULE: ./.build/lib/action/connections/open-claims.js




function openClaims(options, { api, identity, seal, now }) {
    const { place, trigger } = options;
    if (place.kind === "commit") {
        return (0,status_claims/* createStatusClaims */.g)({ sha: place.sha, trigger }, { api, identity, seal, describe: status_comment/* describeStatus */.W });
    }
    return (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread: place.thread, trigger, since: place.since }, {
        comments: (0,thread_comments/* createThreadComments */.d)(place.thread, api),
        identity,
        seal,
        serverNow: api.serverNow,
        render: (record) => (0,status_comment/* renderStatusComment */.u)(record, { nowMs: now() }),
    });
}

// EXTERNAL MODULE: ./.build/lib/action/connections/saved-claim.js
var saved_claim = __webpack_require__(11705);
;// CONCATENATED MODULE: ./.build/lib/action/connections/agent-github.js















/**
 * Which commit holds the record of a request without a status comment: for a text, the one that was newest when it was
 * written, so that a second delivery finds the record although the branch has moved on.
 */
async function readClaimSha({ statusComment }, { event, api, run }) {
    if (statusComment || event.type !== "written")
        return run.sha;
    return (await newestCommitBefore(event.text.createdAt, api)) ?? run.sha;
}
/** The embedded platform's key lives as long as its process; there, the account that wrote a record must do. */
function sealKey(apiKey, repositoryId) {
    return apiKey ?? `embedded platform of repository ${repositoryId}`;
}
function createAgentGitHub({ inputs, options, connection, claimSha }, context) {
    const { event, api, lastWordsApi, readIdentity, run } = connection;
    const seal = (0,claims_seal/* createSeal */.A)(sealKey(inputs.apiKey, run.repository.id));
    const place = placeOf(event, { sha: claimSha, hasComment: inputs.statusComment });
    const ownership = async () => ({ api, seal, identity: await readIdentity() });
    const decorate = (pull) => {
        const { pullRequestLabels: labels, pullRequestReviewers: reviewers, pullRequestDraft: draft } = inputs;
        return decoratePullRequest(pull, { labels, reviewers, draft }, { api, log: context.log });
    };
    const github = {
        checkGate: () => (0,connect_github/* checkPeople */.Y7)(inputs, connection),
        readChanges: async () => (hasChanges(event) ? readChanges(event, api) : undefined),
        async readThread() {
            if (event.type !== "written")
                return undefined;
            return readThreadContext(event, await (0,thread_comments/* createThreadComments */.d)(event.thread, api).list());
        },
        isFromOwnPullRequest: async () => isOwnChange(event, await ownership()),
        async acknowledge() {
            if (event.type === "written")
                await (0,reactions/* reactWithEyes */.W)(event, api);
        },
        compareWithLiveText: async () => event.type === "written" ? (0,live_text/* compareWithLiveText */.$)(event, api) : "unchanged",
        async openClaims(trigger) {
            const identity = await readIdentity();
            const open = (via) => openClaims({ place, trigger }, { api: via, identity, seal, now: context.clock.now });
            return { claims: open(api), lastWords: open(lastWordsApi) };
        },
        countOpenOwn: async (limit) => (0,pull_requests/* countOpenOwn */.OE)(limit, await ownership()),
        readOrigin: async () => event.type === "written" && event.thread.kind === "pull-request"
            ? (0,pull_requests/* readOrigin */.P2)(event.thread, await ownership())
            : undefined,
        findByReference: (search) => (0,find_by_reference/* findByReference */.m)(search, api),
        readPullRequest: (address) => (0,pull_requests/* readPullRequest */.DQ)(address, api),
        decoratePullRequest: decorate,
        async adoptPullRequest(pull, origin) {
            await decorate(pull);
            if (!inputs.statusComment)
                return;
            const source = event.type === "written" ? event.thread.url : undefined;
            const { triggerPhrase } = options;
            const { log, signal } = context;
            await (0,introduce_or_warn/* introduceOrWarn */.D)({ pull, origin, source, triggerPhrase }, { ...(await ownership()), log, signal });
        },
    };
    return {
        github,
        referenceOf: seal.reference,
        onRecord: (claim) => (0,saved_claim/* saveClaim */.Q)({ place, claim }, context.saveState),
    };
}
function placeOf(event, { sha, hasComment }) {
    if (hasComment && (event.type === "written" || event.type === "pull-request")) {
        const since = event.type === "written" ? event.text.createdAt : event.thread.createdAt;
        const { kind, number, nodeId, asking } = event.thread;
        return { kind: "thread", thread: { kind, number, nodeId, ...(asking && { asking }) }, since };
    }
    return { kind: "commit", sha };
}
function hasChanges(event) {
    if (event.type === "written")
        return event.thread.kind === "pull-request";
    return event.type !== "other";
}
async function isOwnChange(event, deps) {
    if (event.type === "pull-request")
        return (0,pull_requests/* isOwn */.NP)({ ...event.thread, isFork: event.isFork }, deps);
    return event.type === "push" ? isFromOwnPullRequest(event, deps) : false;
}


/***/ }),

/***/ 7255:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  D: () => (/* binding */ introduceOrWarn)
});

// EXTERNAL MODULE: ./.build/lib/github/errors.js
var errors = __webpack_require__(27121);
// EXTERNAL MODULE: ./.build/lib/github/pull-requests/pull-requests.js
var pull_requests = __webpack_require__(76367);
// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(53544);
;// CONCATENATED MODULE: ./.build/lib/presentation/pull-request-introduction.js
/** Our one comment on a pull request of the agent. */

function introducePullRequestText({ jobId, source, triggerPhrase }) {
    const where = source !== undefined && URL.canParse(source) ? ` for [this request](${new URL(source).href})` : "";
    const made = `Agent job ${(0,escape_markdown/* codeSpan */.SS)(jobId)} made this pull request${where}.`;
    if (triggerPhrase === undefined)
        return made;
    return `${made} Comment ${(0,escape_markdown/* codeSpan */.SS)(`${triggerPhrase} …`)} here to have it changed.`;
}

;// CONCATENATED MODULE: ./.build/lib/action/connections/introduce-or-warn.js



/** Says on a pull request which job made it; where GitHub does not take that, it is only worth a warning. */
async function introduceOrWarn({ pull: { number }, origin, source, triggerPhrase }, { log, signal, ...ownership }) {
    const text = introducePullRequestText({ jobId: origin.jobId, source, triggerPhrase });
    try {
        await (0,pull_requests/* introducePullRequest */.YE)({ number, text, origin }, ownership);
    }
    catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof errors/* GitHubError */.y_))
            throw error;
        log.warning(`Pull request #${number}: ${error.message} ${error.hint}`);
    }
}


/***/ }),

/***/ 5484:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  bz: () => (/* binding */ concludeEnd),
  vi: () => (/* binding */ concludeGone),
  OJ: () => (/* binding */ concludeLost),
  sp: () => (/* binding */ concludeRecorded),
  JB: () => (/* binding */ judgeJob),
  eG: () => (/* binding */ recordChange),
  sy: () => (/* binding */ recordPause)
});

// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(45119);
// EXTERNAL MODULE: ./.build/lib/message-of.js
var message_of = __webpack_require__(48999);
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var platform_errors = __webpack_require__(20013);
// EXTERNAL MODULE: ./.build/lib/shorten.js
var shorten = __webpack_require__(33995);
// EXTERNAL MODULE: ./.build/lib/commands/explain-error.js
var explain_error = __webpack_require__(60365);
;// CONCATENATED MODULE: ./.build/lib/commands/agent/verify-pull-request-link.js
/** Whether a link that the platform reports is a pull request of the right repository. */
/** Reads a reported link; its query and fragment are dropped. */
function verifyPullRequestLink(link, expected) {
    if (!URL.canParse(link))
        return mismatch("it is not an address");
    const url = new URL(link);
    if (expected.localOrigin !== undefined && url.origin === expected.localOrigin) {
        return { kind: "local-page", url: `${url.origin}${url.pathname}` };
    }
    const { serverUrl } = expected;
    if (url.protocol !== "https:" && url.protocol !== serverUrl.protocol)
        return mismatch("it is not https");
    if (url.username !== "" || url.password !== "")
        return mismatch("it holds a user name");
    if (url.host !== serverUrl.host)
        return mismatch(`it is not on ${serverUrl.host}`);
    const [, owner = "", name = "", digits = ""] = /^\/([\w.-]+)\/([\w.-]+)\/pull\/((?!0+\/?$)\d{1,10})\/?$/.exec(url.pathname) ?? [];
    if (digits === "")
        return mismatch("it is not the address of a pull request");
    const allowed = [expected.repository, repositoryOf(expected.source, serverUrl)];
    const isExpected = allowed.some((repository) => repository?.toLowerCase() === `${owner}/${name}`.toLowerCase());
    if (!isExpected)
        return mismatch("it belongs to another repository than the job");
    const number = Number(digits);
    return { kind: "pull-request", owner, name, number, url: `${url.origin}/${owner}/${name}/pull/${number}` };
}
/** `owner/name`, an address of the server with or without its scheme, or one that git takes: `git@host:owner/name.git`. */
const sourceForms = /^(?:(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]+@)?(?<host>[\w.-]+(?::\d+)?)[/:])?(?<name>[\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;
function repositoryOf(source, { host, hostname }) {
    const found = sourceForms.exec(source?.trim() ?? "")?.groups;
    const sourceHost = found?.["host"]?.toLowerCase();
    const isHere = sourceHost === undefined || sourceHost === host || sourceHost === hostname;
    return isHere ? found?.["name"] : undefined;
}
function mismatch(reason) {
    return { kind: "mismatch", reason };
}

;// CONCATENATED MODULE: ./.build/lib/commands/agent/verify-pull-request.js


/** Accepts a reported pull request only if it is one of the job's repository and GitHub knows it; then adopts it. */
async function verifyPullRequest({ jobId, link, source }, { projectId, repository, serverUrl, localOrigin }, { github }) {
    const home = `${repository.owner}/${repository.name}`;
    const read = verifyPullRequestLink(link, {
        serverUrl,
        localOrigin,
        repository: home,
        source: source ?? undefined,
    });
    if (read.kind === "mismatch")
        return verify_pull_request_mismatch(jobId, read.reason);
    if (read.kind === "local-page")
        return { outcome: "pull-request", url: read.url, number: undefined };
    const isHome = `${read.owner}/${read.name}`.toLowerCase() === home.toLowerCase();
    const pull = await github.readPullRequest(read);
    if (pull === undefined)
        return verify_pull_request_mismatch(jobId, "GitHub knows no such pull request");
    const origin = { project: projectId, jobId };
    if (pull !== "hidden" && isHome)
        await github.adoptPullRequest(pull, origin);
    return { outcome: "pull-request", url: read.url, number: read.number };
}
function verify_pull_request_mismatch(jobId, reason) {
    const message = `Agent job ${jobId} is completed, but the pull request it reports is not accepted: ${reason}.`;
    return { outcome: "failed", error: new errors/* ActionError */.lZ("pull-request-mismatch", message) };
}

;// CONCATENATED MODULE: ./.build/lib/commands/agent/conclude-agent.js
/** How an agent request ends: the job's end verified, written down and shown, also when nobody can wait for it any more. */






/** Writes a change of the record down; the change is true whether or not that succeeds. */
async function recordChange(claim, change, { claims, onRecord, log, signal }) {
    const { outcome: _outcome, message: _message, ...rest } = claim.record;
    const changed = { ...claim, record: { ...rest, ...change } };
    onRecord({ ...changed, isPending: true });
    try {
        const written = await claims.update(claim, changed.record);
        onRecord(written);
        return written;
    }
    catch (error) {
        signal.throwIfAborted();
        log.warning(`The status could not be written: ${(0,message_of/* messageOf */.b)(error)}`);
        return changed;
    }
}
function jobFailed(message) {
    return new errors/* JobFailedError */.dk(message, {
        hint: "The platform's dashboard may say more. Ask again to start a new job; a re-run shows the same end.",
    });
}
/** Judges an ended job; its pull request is looked up and adopted. */
async function judgeJob({ jobId, job }, options, deps) {
    const status = job.status?.toLowerCase();
    if (status === "failed") {
        return {
            outcome: "failed",
            error: jobFailed(`Agent job ${jobId} failed; the platform gives no reason.`),
        };
    }
    if (status === "archived")
        return { outcome: "archived" };
    return job.prLink
        ? verifyPullRequest({ jobId, link: job.prLink, source: job.source?.repository }, options, deps)
        : { outcome: "no-pull-request" };
}
/** Writes an end down and makes it the command's result. */
async function concludeEnd(claim, end, deps) {
    const change = {
        state: "ended",
        outcome: end.outcome,
        ...(end.outcome === "pull-request" ? { pullRequestUrl: end.url.slice(0, 500) } : {}),
        ...(end.outcome === "failed" ? { message: (0,shorten/* shorten */.m)(end.error.message, 1000) } : {}),
    };
    if (end.outcome === "pull-request")
        deps.observer.pullRequestKnown(end);
    const { record, url } = await recordChange(claim, change, deps);
    const error = end.outcome === "failed" ? { error: end.error } : {};
    return { outcome: end.outcome, status: record, statusUrl: url, ...error };
}
/** The end that an earlier run wrote down, shown once more. */
function concludeRecorded({ record, url }, { observer }) {
    const { outcome, jobId, pullRequestUrl, message } = record;
    if (jobId !== undefined)
        observer.jobKnown(jobId);
    const shown = { status: record, statusUrl: url };
    if (outcome === "pull-request" && pullRequestUrl !== undefined) {
        const digits = /\/pull\/(\d+)$/.exec(pullRequestUrl)?.[1];
        observer.pullRequestKnown({
            url: pullRequestUrl,
            number: digits === undefined ? undefined : Number(digits),
        });
        return { outcome, ...shown };
    }
    if (outcome === "no-pull-request" || outcome === "archived")
        return { outcome, ...shown };
    return { outcome: "failed", ...shown, error: jobFailed(message ?? `Agent job ${jobId} failed.`) };
}
/** A submission whose answer was lost: looked for among the pull requests opened since, and otherwise left alone. */
async function concludeLost({ claim, error }, deps) {
    const { trigger, claimedAt } = claim.record;
    const pull = await deps.github.findByReference({ wanted: deps.referenceOf(trigger), since: claimedAt });
    if (pull) {
        deps.log.info(`The lost submission's pull request was found: #${pull.number}.`);
        return concludeFound(claim, pull, deps);
    }
    const message = claim.isUnverifiable
        ? "An earlier run's record is signed with another key; it cannot be told what became of its submission."
        : "An earlier run may have submitted this request, and the platform's answer was lost; it is not sent again.";
    const hint = "Look for the job on the platform's dashboard; comment again to start all the same.";
    const cause = error ?? new platform_errors/* PlatformError */.W("unexpected-response", message, { maybeSubmitted: true, hint });
    const detail = error ? { message: (0,explain_error/* explain */.W)(error) } : {};
    const { record, url } = claim.isUnverifiable
        ? claim
        : await recordChange(claim, { state: "unknown", ...detail }, deps);
    return { outcome: "unknown", status: record, statusUrl: url, error: cause };
}
/** A job that nobody works on any more, and why that is so; its pull request may be there all the same. */
async function concludeGone({ claim, message }, deps) {
    const { trigger, claimedAt } = claim.record;
    const pull = await deps.github.findByReference({ wanted: deps.referenceOf(trigger), since: claimedAt });
    if (pull)
        return concludeFound(claim, pull, deps);
    return concludeEnd(claim, { outcome: "failed", error: jobFailed(message) }, deps);
}
/** A pull request found by its reference: adopted like a reported one, as far as its job is known. */
async function concludeFound(claim, pull, deps) {
    const { jobId, target: project } = claim.record;
    try {
        await (jobId === undefined
            ? deps.github.decoratePullRequest(pull)
            : deps.github.adoptPullRequest(pull, { project, jobId }));
    }
    catch (error) {
        deps.signal.throwIfAborted();
        deps.log.warning(`Pull request #${pull.number}: ${(0,message_of/* messageOf */.b)(error)}`);
    }
    return concludeEnd(claim, { outcome: "pull-request", url: pull.url, number: pull.number }, deps);
}
/** Writes down why nobody waits for a job any more, or that it was stopped with its platform; works on a cancelled run too. */
async function recordPause({ claim, error, isEmbedded }, { lastWords, onRecord, log }) {
    const reason = error instanceof errors/* InterruptedError */.p4 ? error.code : "failed";
    const outcome = isEmbedded ? "stopped" : reason;
    const message = error instanceof platform_errors/* PlatformError */.W ? { message: (0,explain_error/* explain */.W)(error) } : {};
    const { message: _message, ...rest } = claim.record;
    const record = { ...rest, state: "working", outcome, ...message };
    onRecord({ ...claim, record, isPending: true });
    try {
        onRecord(await lastWords.update(claim, record));
    }
    catch (cause) {
        log.warning(`The status could not be written: ${(0,message_of/* messageOf */.b)(cause)}`);
    }
}


/***/ }),

/***/ 59133:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   l: () => (/* binding */ isJobGone)
/* harmony export */ });
/* harmony import */ var _platform_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(20013);

/** How long a "not found" that is not in the API's own words is taken for a wrong address and not for a lost job. */
const believeProxyAfterMs = 24 * 60 * 60_000;
/** Whether a failed look says that there is no such job any more; `ageMs` is the time since its record last changed. */
function isJobGone(error, ageMs) {
    const isNotFound = error instanceof _platform_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .PlatformError */ .W && error.code === "not-found";
    return isNotFound && (error.isFromApi || ageMs >= believeProxyAfterMs);
}


/***/ }),

/***/ 21924:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ isOpenAgentStatus),
/* harmony export */   g: () => (/* binding */ createStatusClaims)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(27597);
/* harmony import */ var _shorten_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(33995);
/* harmony import */ var _people_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(41190);
/* harmony import */ var _claim_record_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(23500);
/* harmony import */ var _payload_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(34826);
/** Records of triggers in commit statuses, for events that have no thread: a status has room for little, so the record is split. */





const WrittenStatus = zod__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ id: zod__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig() });
/** GitHub's limit for a status's description. */
const maxDescriptionLength = 140;
/** The record as the status's link carries it in its fragment: short names, for a link has its limits. */
const Fragment = zod__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    k: zod__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(["agent", "assistant"]),
    g: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    t: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    s: zod__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(_claim_record_js__WEBPACK_IMPORTED_MODULE_1__/* .claimStates */ .jR),
    w: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    c: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    l: zod__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig(),
    j: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().optional(),
    o: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().optional(),
    p: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().optional(),
});
/** The status's context: one line in the commit's list of checks for each trigger. */
function statusContext(command, trigger) {
    return `docs-automation/${command} (${trigger.slice(0, 12)})`;
}
/** Whether a status, by its name and state in any case, holds a record of the agent whose end is not known yet. */
function isOpenAgentStatus({ context, state }) {
    const isOurs = context.startsWith(statusContext("agent", "").slice(0, -1));
    return isOurs && ["pending", "error"].includes(state.toLowerCase());
}
function createStatusClaims(options, deps) {
    const { sha, trigger } = options;
    const { api, seal } = deps;
    const placeOf = (context) => `v1 status repository:${api.repository.id} commit:${sha} context:${context}`;
    const write = async (record) => {
        const context = statusContext(record.command, record.trigger);
        const place = placeOf(context);
        const purpose = { doing: `set a status on commit ${sha.slice(0, 7)}`, permission: "statuses: write" };
        const { id } = await api.call(purpose, async (octokit, target) => {
            const { data } = await octokit.rest.repos.createCommitStatus({
                ...target,
                sha,
                context,
                state: stateOfRecord(record),
                description: (0,_shorten_js__WEBPACK_IMPORTED_MODULE_3__/* .shorten */ .m)(deps.describe(record), maxDescriptionLength),
                target_url: `${record.runUrl ?? ""}#${packRecord(record, { place, seal })}`,
            });
            return WrittenStatus.parse(data);
        });
        return { id, record, url: record.runUrl, ageMs: 0 };
    };
    return {
        /** Statuses are never changed, only added: the newest of each owner's counts, with the id of that owner's first. */
        async list() {
            const purpose = {
                doing: `read the statuses of commit ${sha.slice(0, 7)}`,
                // Who reads them is about to write one; the smaller permission would only lead to the next refusal.
                permission: "statuses: write",
            };
            const statuses = await api.call(purpose, (octokit, target) => octokit.paginate(octokit.rest.repos.listCommitStatusesForRef, { ...target, ref: sha, per_page: 100 }));
            const claims = new Map();
            for (const status of [...statuses].sort((a, b) => a.id - b.id)) {
                const read = readStatus(status, { place: placeOf(status.context), deps });
                if (!read || (trigger !== undefined && read.record.trigger !== trigger))
                    continue;
                const key = `${read.record.trigger} ${read.record.owner}`;
                const first = claims.get(key);
                claims.set(key, first ? { ...read, id: first.id } : read);
            }
            return [...claims.values()].sort((a, b) => a.id - b.id);
        },
        create: write,
        async update({ id }, record) {
            return { ...(await write(record)), id };
        },
        // A status cannot be taken away; the owner's last word makes the record harmless.
        async remove({ record }) {
            await write({ ...record, state: "released" });
        },
    };
}
/** The record that a status holds, if the status is ours and its record genuine. */
function readStatus(status, { place, deps }) {
    const creator = status.creator ? toAccount(status.creator) : undefined;
    if (!(0,_people_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .isSameAccount */ .s)(creator, deps.identity.login))
        return undefined;
    const read = readRecord(status.target_url ?? "", { place, seal: deps.seal });
    if (!read || status.context !== statusContext(read.record.command, read.record.trigger))
        return undefined;
    const ageMs = Math.max(0, deps.api.serverNow() - Date.parse(status.created_at));
    return { ...read, id: status.id, url: read.record.runUrl, ageMs };
}
function toAccount({ login, id, type }) {
    return { login, id, isBot: type === "Bot" };
}
function stateOfRecord({ state, outcome }) {
    if (state === "ended")
        return outcome === "pull-request" || outcome === "no-pull-request" ? "success" : "failure";
    if (state === "released")
        return "failure";
    return state === "unknown" ? "error" : "pending";
}
function packRecord(record, { place, seal }) {
    const fragment = {
        k: record.command,
        g: record.target,
        t: record.trigger,
        s: record.state,
        w: record.owner,
        c: record.claimedAt,
        l: record.leaseSeconds,
        ...(record.jobId ? { j: record.jobId } : {}),
        ...(record.outcome ? { o: record.outcome } : {}),
        ...(record.pullRequestUrl ? { p: record.pullRequestUrl } : {}),
    };
    const payload = (0,_payload_js__WEBPACK_IMPORTED_MODULE_4__/* .encodePayload */ .v)(fragment);
    return `docs-automation:v1.${payload}.${seal.keyId}.${seal.sign(place, payload)}`;
}
const packed = /^(.*)#docs-automation:v1\.([\w-]+)\.([0-9a-f]{8})\.([\w-]{43})$/;
function readRecord(url, { place, seal }) {
    const [, runUrl = "", payload = "", keyId = "", signature = ""] = packed.exec(url) ?? [];
    const isOtherKey = keyId !== seal.keyId;
    if (payload === "" || (!isOtherKey && !seal.verify(place, payload, signature)))
        return undefined;
    const parsed = Fragment.safeParse((0,_payload_js__WEBPACK_IMPORTED_MODULE_4__/* .decodePayload */ .D)(payload));
    if (!parsed.success)
        return undefined;
    const { k, g, t, s, w, c, l, j, o, p } = parsed.data;
    const record = {
        command: k,
        target: g,
        trigger: t,
        state: s,
        owner: w,
        claimedAt: c,
        leaseSeconds: l,
        runUrl,
        ...(j ? { jobId: j } : {}),
        ...(o ? { outcome: o } : {}),
        ...(p ? { pullRequestUrl: p } : {}),
    };
    return { record, ...(isOtherKey ? { isUnverifiable: true } : {}) };
}


/***/ }),

/***/ 16116:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ createReferenceFinder),
/* harmony export */   m: () => (/* binding */ findByReference)
/* harmony export */ });
/* harmony import */ var _pull_requests_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(76367);

/** How far ahead of GitHub's a runner's clock may be; looking further back finds nothing wrong, for a reference is unique. */
const maxClockSkewMs = 24 * 60 * 60_000;
/**
 * The pull request opened since a claim that carries the claim's reference, in its description, title or branch; one
 * from a fork is not the agent's, whoever wrote the reference into it.
 */
async function findByReference(search, api) {
    return createReferenceFinder(api)(search);
}
/** Like `findByReference`, for many searches: the pull requests are listed once, back to the earliest time that is searched. */
function createReferenceFinder(api) {
    const known = [];
    let nextPage = 1;
    return async ({ wanted, since }) => {
        const sinceMs = Date.parse(since) - maxClockSkewMs;
        const isRecent = ({ createdAt }) => Date.parse(createdAt) >= sinceMs;
        const carries = ({ texts }) => texts.some((text) => text.includes(wanted));
        while (nextPage !== undefined && known.every(isRecent) && !known.some(carries)) {
            const pulls = await listPulls(nextPage, api);
            known.push(...pulls);
            nextPage = pulls.length < pullsPerPage ? undefined : nextPage + 1;
        }
        // Whoever copies a reference comes later than the pull request that first carried it.
        return known.findLast((pull) => isRecent(pull) && carries(pull))?.pull;
    };
}
const pullsPerPage = 100;
/** A page of all pull requests, newest first. */
async function listPulls(page, api) {
    const { data } = await api.call(_pull_requests_js__WEBPACK_IMPORTED_MODULE_0__/* .pullsPurpose */ .XO, (octokit, target) => {
        const order = { state: "all", sort: "created", direction: "desc" };
        return octokit.rest.pulls.list({ ...target, ...order, per_page: pullsPerPage, page });
    });
    return data.map((pull) => ({
        pull: (0,_pull_requests_js__WEBPACK_IMPORTED_MODULE_0__/* .toPullRequest */ .c$)(pull),
        createdAt: pull.created_at,
        texts: (0,_pull_requests_js__WEBPACK_IMPORTED_MODULE_0__/* .isFork */ .B0)(pull) ? [] : [pull.body ?? "", pull.title, pull.head.ref],
    }));
}


/***/ }),

/***/ 76367:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B0: () => (/* binding */ isFork),
/* harmony export */   DQ: () => (/* binding */ readPullRequest),
/* harmony export */   NP: () => (/* binding */ isOwn),
/* harmony export */   OE: () => (/* binding */ countOpenOwn),
/* harmony export */   P2: () => (/* binding */ readOrigin),
/* harmony export */   XO: () => (/* binding */ pullsPurpose),
/* harmony export */   YE: () => (/* binding */ introducePullRequest),
/* harmony export */   bl: () => (/* binding */ toCandidate),
/* harmony export */   c$: () => (/* binding */ toPullRequest)
/* harmony export */ });
/* unused harmony export Origin */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(27597);
/* harmony import */ var _claims_comment_claims_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(46315);
/* harmony import */ var _claims_marker_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(10744);
/* harmony import */ var _comments_thread_comments_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(64852);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(27121);
/* harmony import */ var _people_identity_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(41190);
/** The agent's pull requests: whether a reported one is genuine, which ones are ours, and what a workflow wants done with them. */






/** The job behind a pull request of ours, in the marker of the comment that introduces it. */
const Origin = zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ project: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), jobId: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), source: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP().optional() });
/** What reading pull requests is for, and needs. */
const pullsPurpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** What a prompt asks the agent to write; a text that only mentions or quotes the word is somebody else's. */
const referenceLine = /^(?!\s*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;
/**
 * A pull request of this or another repository; `undefined` where this repository has none with that number, `hidden`
 * where the token cannot see it.
 */
async function readPullRequest({ owner, name, number }, api) {
    const isHome = `${owner}/${name}`.toLowerCase() === `${api.repository.owner}/${api.repository.name}`.toLowerCase();
    try {
        const { data } = await api.call(pullsPurpose, (octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
        return toPullRequest(data);
    }
    catch (error) {
        const status = (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .statusOfCause */ .Xt)(error);
        if (status === 403 || (!isHome && status === 404))
            return "hidden";
        if (status === 404)
            return undefined;
        throw error;
    }
}
/** The job behind one of our pull requests: told by our own, signed comment on it. */
async function readOrigin(pull, deps) {
    return (await listOrigins(pull, deps))[0]?.origin;
}
/** Our comments on a pull request that say which job made it, oldest first. */
async function listOrigins({ number, nodeId = "" }, { api, identity, seal }) {
    const thread = { kind: "pull-request", number, nodeId };
    const comments = await (0,_comments_thread_comments_js__WEBPACK_IMPORTED_MODULE_1__/* .createThreadComments */ .d)(thread, api).list();
    return comments.flatMap(({ author, body, id }) => {
        if (!(0,_people_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .isSameAccount */ .s)(author, identity.login))
            return [];
        const place = { repositoryId: api.repository.id, thread: (0,_claims_comment_claims_js__WEBPACK_IMPORTED_MODULE_0__/* .threadKey */ .G)(thread), comment: String(id) };
        const marker = (0,_claims_marker_js__WEBPACK_IMPORTED_MODULE_5__/* .readMarker */ .t7)(body, { kind: "origin", schema: Origin, place, seal });
        return marker.kind === "valid" ? [{ id, origin: marker.value }] : [];
    });
}
/** Says on a pull request which job made it; once, also where two runs do it at the same time. */
async function introducePullRequest({ number, text, origin }, deps) {
    if (await readOrigin({ number }, deps))
        return;
    const { api, seal } = deps;
    const thread = { kind: "pull-request", number, nodeId: "" };
    const place = { repositoryId: api.repository.id, thread: (0,_claims_comment_claims_js__WEBPACK_IMPORTED_MODULE_0__/* .threadKey */ .G)(thread), comment: "new" };
    const comments = (0,_comments_thread_comments_js__WEBPACK_IMPORTED_MODULE_1__/* .createThreadComments */ .d)(thread, api);
    const created = await comments.create(`${text}\n\n${(0,_claims_marker_js__WEBPACK_IMPORTED_MODULE_5__/* .writeMarker */ .en)("origin", origin, { place, seal })}`);
    const [first] = await listOrigins({ number }, deps);
    if (first && first.id < created.id)
        await comments.remove(created);
}
/** How many of our pull requests are open; stops counting at `limit`. */
async function countOpenOwn(limit, deps) {
    const pulls = await deps.api.call(pullsPurpose, (octokit, target) => octokit.paginate(octokit.rest.pulls.list, { ...target, state: "open", per_page: 100 }));
    let count = 0;
    for (const pull of pulls) {
        if (count >= limit)
            break;
        if (await isOwn(toCandidate(pull), deps))
            count += 1;
    }
    return count;
}
/** Whether a pull request is ours: by our comment on it, or by the reference in it if it is not from a fork. */
async function isOwn({ number, body, isFork }, deps) {
    return (!isFork && referenceLine.test(body)) || (await readOrigin({ number }, deps)) !== undefined;
}
/** A pull request of the REST API as far as it tells whose it is. */
function toCandidate({ number, body, ...sides }) {
    return { number, body: body ?? "", isFork: isFork(sides) };
}
/** Whether a pull request's branch is in another repository than its base. */
function isFork({ head, base }) {
    return head.repo?.id !== base.repo.id;
}
/** A pull request of the REST API in our terms. */
function toPullRequest({ number, node_id, html_url, title, draft, state, }) {
    return { number, nodeId: node_id, url: html_url, title, isDraft: draft ?? false, isOpen: state === "open" };
}


/***/ })

};
