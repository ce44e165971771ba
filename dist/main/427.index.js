export const id = 427;
export const ids = [427];
export const modules = {

/***/ 51905:
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
;// CONCATENATED MODULE: ./.build/lib/github/compare-commits.js
/** What lies between two states of the repository, as GitHub compares them. */


const purpose = { doing: "compare commits", permission: "contents: read" };
/** GitHub lists at most so many files of a comparison or a commit page. */
const maxComparedFiles = 300;
/** Commits whose files are looked up one by one where the comparison's list is cut. */
const maxCommitsLookedUp = 50;
/** Compares two states; `undefined` where one of them is not there any more, or is no commit but an annotated tag's object. */
async function compareCommits({ base, head }, api) {
    const basehead = `${base}...${head}`;
    const pages = await orUndefined(api.call(purpose, (octokit, target) => {
        return collectPages((page) => octokit.rest.repos.compareCommitsWithBasehead({ ...target, basehead, per_page: 100, page }));
    }));
    const first = pages?.[0];
    if (!pages || !first)
        return undefined;
    const commits = pages.flatMap((page) => page.commits);
    const listed = unique(pages.flatMap((page) => page.files ?? []).map(toFile));
    const titles = commits.map(({ commit }) => firstLine(commit.message));
    const { html_url: url, status } = first;
    const notes = status === "diverged"
        ? ["The two states have diverged; changes are counted from where they parted."]
        : [];
    if (listed.length < maxComparedFiles)
        return { url, titles, files: listed, isComplete: true, notes };
    const more = await filesOfCommits(commits.map(({ sha }) => sha), api);
    return { url, titles, files: unique([...listed, ...more.files]), isComplete: more.isComplete, notes };
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

;// CONCATENATED MODULE: ./.build/lib/github/changes.js
/** What a push, merged pull request or release changed, from the API alone: no checkout. */

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
    const { data: releases } = await api.call(changes_purpose, (octokit, target) => octokit.rest.repos.listReleases({ ...target, per_page: 20 }));
    const published = releases.filter(({ draft }) => !draft);
    const position = published.findIndex((release) => release.tag_name === tag);
    const previous = published[position + 1]?.tag_name;
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
        notes: ["There is no earlier release to compare with."],
    };
}

// EXTERNAL MODULE: ./.build/lib/github/comments.js
var comments = __webpack_require__(44004);
;// CONCATENATED MODULE: ./.build/lib/github/decorate-pull-request.js
/** Applies what is asked for; each failure is a warning, for the pull request itself is there. */
async function decoratePullRequest(pull, { labels, reviewers, draft }, { api, log }) {
    const attempt = async (work) => {
        try {
            await work();
        }
        catch (error) {
            if (!(error instanceof Error))
                throw error;
            log.warning(`Pull request #${pull.number}: ${error.message}`);
        }
    };
    const permission = "pull-requests: write";
    if (labels.length > 0) {
        await attempt(() => api.call({ doing: "label the pull request", permission }, (octokit, target) => octokit.rest.issues.addLabels({ ...target, issue_number: pull.number, labels: [...labels] })));
    }
    if (reviewers.length > 0) {
        const teams = reviewers
            .filter((name) => name.includes("/"))
            .map((name) => name.split("/").at(-1) ?? name);
        const people = reviewers.filter((name) => !name.includes("/"));
        await attempt(() => api.call({ doing: "ask for reviews", permission }, (octokit, target) => octokit.rest.pulls.requestReviewers({
            ...target,
            pull_number: pull.number,
            reviewers: people,
            team_reviewers: teams,
        })));
    }
    if (draft && !pull.isDraft) {
        const query = "mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
        await attempt(() => 
        // GitHub asks for the contents permission here, although only the pull request changes.
        api.call({ doing: "make the pull request a draft", permission: "contents: write" }, (octokit) => octokit.graphql(query, { id: pull.nodeId })));
    }
}

// EXTERNAL MODULE: ./.build/lib/github/live-text.js
var live_text = __webpack_require__(72502);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
;// CONCATENATED MODULE: ./.build/lib/github/newest-commit-before.js

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

// EXTERNAL MODULE: ./.build/lib/github/pull-requests.js
var pull_requests = __webpack_require__(87388);
// EXTERNAL MODULE: ./.build/lib/github/reactions.js
var reactions = __webpack_require__(76664);
// EXTERNAL MODULE: ./.build/lib/github/seal.js
var github_seal = __webpack_require__(35663);
// EXTERNAL MODULE: ./.build/lib/github/marker.js
var marker = __webpack_require__(85508);
// EXTERNAL MODULE: ./.build/lib/github/visible-text.js + 4 modules
var visible_text = __webpack_require__(2450);
;// CONCATENATED MODULE: ./.build/lib/github/thread-context.js


/** Reads the context of a trigger: the thread as the event told it, and the comments that were there before it. */
function readThreadContext(event, comments) {
    const { thread, text } = event;
    const triggerMs = Date.parse(text.changedAt);
    const others = comments.filter(({ nodeId, body }) => nodeId !== text.nodeId && !(0,marker/* hasMarker */.xY)(body));
    // A comment without a readable time is not known to be older.
    const older = others.filter(({ updatedAt }) => Date.parse(updatedAt) <= triggerMs);
    const receipts = { hiddenSegments: 0, invisibleCharacters: 0 };
    const show = (source) => {
        const visible = (0,visible_text/* keepVisibleText */.b)(source);
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
        text: [show(thread.title), ...(isSubjectTheTrigger ? [] : [show(thread.body)])].join("\n\n"),
    };
    const shown = older.map(({ author, createdAt, url, body }) => ({
        title: "comment",
        author: author?.login,
        time: createdAt,
        url,
        text: show(body),
    }));
    return { subject, comments: shown, changedSince: others.length - older.length, ...receipts };
}

// EXTERNAL MODULE: ./.build/lib/presentation/pull-request-introduction.js
var pull_request_introduction = __webpack_require__(15893);
// EXTERNAL MODULE: ./.build/lib/action/connect-github.js + 6 modules
var connect_github = __webpack_require__(7273);
// EXTERNAL MODULE: ./.build/lib/github/comment-claims.js
var comment_claims = __webpack_require__(53167);
// EXTERNAL MODULE: ./.build/lib/github/status-claims.js
var status_claims = __webpack_require__(25896);
// EXTERNAL MODULE: ./.build/lib/presentation/status-comment.js
var status_comment = __webpack_require__(49917);
;// CONCATENATED MODULE: ./.build/lib/action/open-claims.js




function openClaims(options, { api, identity, seal, now }) {
    const { place, trigger } = options;
    if (place.kind === "commit") {
        return (0,status_claims/* createStatusClaims */.g)({ sha: place.sha, trigger }, { api, identity, seal, describe: status_comment/* describeStatus */.W });
    }
    return (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread: place.thread, trigger, since: place.since }, {
        comments: (0,comments/* createThreadComments */.d)(place.thread, api),
        identity,
        seal,
        serverNow: api.serverNow,
        render: (record) => (0,status_comment/* renderStatusComment */.u)(record, { nowMs: now() }),
    });
}

// EXTERNAL MODULE: ./.build/lib/action/saved-claim.js
var saved_claim = __webpack_require__(69687);
;// CONCATENATED MODULE: ./.build/lib/action/agent-github.js













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
    const seal = (0,github_seal/* createSeal */.A)(sealKey(inputs.apiKey, run.repository.id));
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
            return readThreadContext(event, await (0,comments/* createThreadComments */.d)(event.thread, api).list());
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
        findByReference: (search) => (0,pull_requests/* findByReference */.mk)(search, api),
        readPullRequest: (address) => (0,pull_requests/* readPullRequest */.DQ)(address, api),
        decoratePullRequest: decorate,
        async adoptPullRequest(pull, origin) {
            await decorate(pull);
            if (!inputs.statusComment)
                return;
            const source = event.type === "written" ? event.thread.url : undefined;
            const text = (0,pull_request_introduction/* introducePullRequestText */.H)({
                jobId: origin.jobId,
                source,
                triggerPhrase: options.triggerPhrase,
            });
            await (0,pull_requests/* introducePullRequest */.YE)({ number: pull.number, text, origin }, await ownership());
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
        const { kind, number, nodeId } = event.thread;
        return { kind: "thread", thread: { kind, number, nodeId }, since };
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
    return event.type === "push" ? (0,pull_requests/* isFromOwnPullRequest */.VM)(event.head.id, deps) : false;
}


/***/ }),

/***/ 7273:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Y7: () => (/* binding */ checkPeople),
  UY: () => (/* binding */ connectGitHub),
  aM: () => (/* binding */ readGivenPrompt)
});

// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(45119);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(27121);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(58500);
// EXTERNAL MODULE: ./node_modules/@actions/github/lib/utils.js + 19 modules
var utils = __webpack_require__(85555);
// EXTERNAL MODULE: ./.build/lib/github/translate-error.js
var translate_error = __webpack_require__(64385);
;// CONCATENATED MODULE: ./.build/lib/github/github-api.js
/** GitHub's API for one run: time limits, retries that know the method, errors that name the missing permission. */



const usualPatience = { timeoutMs: 30_000, attempts: 4 };
const maxRetryAfterMs = 60_000;
function createGitHubApi(options, deps) {
    const { apiUrl, token, userAgent, repository, patience = usualPatience } = options;
    const octokit = new utils/* GitHub */.gq((0,utils/* getOctokitOptions */.EG)(token, { baseUrl: apiUrl, userAgent, log: quietLog(deps.log) }));
    let serverNowMs = Date.now();
    octokit.hook.after("request", ({ headers }) => {
        const dateMs = Date.parse(headers.date ?? "");
        if (!Number.isNaN(dateMs))
            serverNowMs = dateMs;
    });
    octokit.hook.wrap("request", (send, request) => sendWithRetries(async () => {
        const answer = await sendWithin({ signal: deps.signal, timeoutMs: patience.timeoutMs }, (signal) => send({ ...request, request: { ...request.request, signal } }));
        return requireJson(answer);
    }, { ...request, attempts: patience.attempts }, deps));
    const target = { owner: repository.owner, repo: repository.name };
    return {
        repository,
        serverNow: () => serverNowMs,
        async call(purpose, run) {
            try {
                return await run(octokit, target);
            }
            catch (error) {
                deps.signal.throwIfAborted();
                throw (0,translate_error/* translateError */.ZO)(error, purpose);
            }
        },
    };
}
/**
 * Ends a request when the signal aborts or its time is over, whether or not the one who sends it listens: fetch keeps only
 * a weak hold of a signal made from others.
 */
async function sendWithin({ signal, timeoutMs }, send) {
    signal.throwIfAborted();
    const controller = new AbortController();
    const { promise: stopped, reject } = Promise.withResolvers();
    const stop = (reason) => {
        controller.abort(reason);
        reject(reason);
    };
    const onAbort = () => stop(signal.reason);
    signal.addEventListener("abort", onAbort);
    const timer = setTimeout(() => stop(new DOMException("GitHub did not answer in time", "TimeoutError")), timeoutMs);
    try {
        return await Promise.race([send(controller.signal), stopped]);
    }
    finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
    }
}
/** Octokit hands an answer that is not JSON on as text; GitHub itself never sends one with success. */
function requireJson(answer) {
    if (answer.status === 204 || (typeof answer.data === "object" && answer.data !== null))
        return answer;
    throw Object.assign(new Error("the answer is not GitHub's JSON"), { status: 502, response: answer });
}
/** Octokit tells deprecations and failures; both are the maintainers' business, not the user's. */
function quietLog(log) {
    const say = (message) => log.debug(String(message));
    return { debug: say, info: say, warn: say, error: say };
}
async function sendWithRetries(send, request, { signal, log, random }) {
    for (let attempt = 1;; attempt += 1) {
        try {
            return await send();
        }
        catch (error) {
            const waitMs = signal.aborted ? undefined : waitBeforeRetry(error, request, { attempt, random });
            if (waitMs === undefined || attempt >= request.attempts)
                throw error;
            log.debug(`GitHub: ${request.method} ${request.url} failed (${(0,translate_error/* describeFailure */.Ic)(error)}); trying again.`);
            await (0,promises_.setTimeout)(waitMs, undefined, { signal });
        }
    }
}
/** Milliseconds to wait before the same request may be sent again; `undefined` where it must not be. */
function waitBeforeRetry(error, { method = "GET", url = "" }, { attempt, random }) {
    const status = (0,translate_error/* statusOf */.c2)(error);
    const backoffMs = 250 * 2 ** attempt * (0.5 + random());
    const retryAfterMs = (0,translate_error/* retryAfterOf */.sT)(error);
    if (status === 429 || (status === 403 && retryAfterMs !== undefined)) {
        const waitMs = Math.max(retryAfterMs ?? 0, backoffMs);
        return waitMs > maxRetryAfterMs ? undefined : waitMs;
    }
    const isRepeatable = method !== "POST" || url.endsWith("/graphql");
    const isPassing = status === undefined || status >= 500;
    return isRepeatable && isPassing ? backoffMs : undefined;
}

// EXTERNAL MODULE: ./.build/lib/github/identity.js
var github_identity = __webpack_require__(34584);
// EXTERNAL MODULE: ./.build/lib/github/marker.js
var marker = __webpack_require__(85508);
;// CONCATENATED MODULE: ./.build/lib/github/permission.js

/** Levels of access, weakest first, as the collaborator permission's booleans name them. */
const permissionLevels = ["read", "triage", "write", "maintain", "admin"];
const flagOfLevel = {
    read: "pull",
    triage: "triage",
    write: "push",
    maintain: "maintain",
    admin: "admin",
};
/**
 * Events that only somebody with write access, or the repository's own workflows, can cause. A merged pull request was
 * merged by such a person.
 */
function isCausedByWriters(event) {
    return (event.type === "push" ||
        event.type === "release" ||
        (event.type === "pull-request" && event.merged) ||
        (event.type === "other" && event.sender === undefined));
}
const trustedEventNames = new Set(["schedule", "workflow_dispatch", "repository_dispatch", "merge_group"]);
/**
 * Decides whether the people behind an event may use the action: the text's author, the event's sender and, on a re-run,
 * whoever pressed the button. A failed look-up is thrown, never taken for a yes.
 */
async function checkGate({ eventName, ...options }, deps) {
    const people = trustedEventNames.has(eventName) || isCausedByWriters(options.event) ? [] : peopleOf(options.event);
    const textRefusal = await refuseText(options.event, deps);
    if (textRefusal)
        return textRefusal;
    if (people.includes(undefined)) {
        return refuse("deleted-account", "the account behind the event no longer exists");
    }
    const isRerun = options.runAttempt > 1 || options.triggeringActor !== options.actor;
    const rerunner = isRerun && people.length > 0 ? [accountOfLogin(options.triggeringActor)] : [];
    const known = [...people, ...rerunner].filter((account) => account !== undefined);
    const unique = [...new Map(known.map((account) => [account.login.toLowerCase(), account])).values()];
    for (const account of unique) {
        const decision = await checkAccount(account, options, deps);
        if (!decision.allowed)
            return decision;
    }
    return { allowed: true };
}
function peopleOf(event) {
    return event.type === "written" ? [event.text.author, event.sender] : [event.sender];
}
function accountOfLogin(login) {
    return { login, id: 0, isBot: login.endsWith("[bot]") };
}
async function refuseText(event, { readIdentity }) {
    if (event.type !== "written")
        return undefined;
    const { author, body } = event.text;
    if ((0,marker/* hasMarker */.xY)(body))
        return refuse("own-comment", "the text is one of the action's own");
    const isLabelled = event.action === "labeled";
    if (!isLabelled && author?.id !== event.sender?.id) {
        return refuse("confused-deputy", "the event was sent by somebody else than the text's author");
    }
    if (!author?.isBot)
        return undefined;
    const identity = await readIdentity();
    return identity.login.toLowerCase() === author.login.toLowerCase()
        ? refuse("own-comment", "the text was written with the action's own account")
        : undefined;
}
async function checkAccount(account, options, deps) {
    if (account.isBot) {
        return isListed(account.login, options.allowedBots)
            ? { allowed: true }
            : refuse("bot", `@${account.login} is a bot that \`allowed-bots\` does not name`);
    }
    if (isListed(account.login, options.allowedUsers))
        return { allowed: true };
    const flags = await deps.readPermission(account.login);
    if (hasPermission(flags, options.minimumPermission))
        return { allowed: true };
    return refuse("permission", `@${account.login} has less than \`${options.minimumPermission}\` permission on this repository`);
}
/** Whether the booleans grant a level; a higher one includes the lower. */
function hasPermission(flags, level) {
    const sufficient = permissionLevels.slice(permissionLevels.indexOf(level));
    return sufficient.some((each) => flags[flagOfLevel[each]] === true);
}
function isListed(login, list) {
    const plain = (name) => name.toLowerCase().replace(/^@/, "");
    return list.some((name) => plain(name) === plain(login) || `${plain(name)}[bot]` === plain(login));
}
function refuse(code, reason) {
    return { allowed: false, code, reason };
}

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
;// CONCATENATED MODULE: ./.build/lib/github/event-schemas.js
/** The parts of webhook payloads that the action reads; everything else is dropped, deleted accounts are null. */

const User = schemas/* object */.Ikc({ login: schemas/* string */.YjP(), id: schemas/* number */.aig(), type: schemas/* string */.YjP().optional() })
    .nullish()
    .transform((user) => user
    ? { login: user.login, id: user.id, isBot: user.type === "Bot" || user.login.endsWith("[bot]") }
    : undefined);
const event_schemas_text = schemas/* string */.YjP()
    .nullish()
    .transform((value) => value ?? "");
const Piece = {
    id: schemas/* number */.aig(),
    node_id: event_schemas_text,
    user: User,
    body: event_schemas_text,
    html_url: event_schemas_text,
    created_at: event_schemas_text,
    updated_at: event_schemas_text,
};
const Issue = schemas/* object */.Ikc({
    ...Piece,
    number: schemas/* number */.aig(),
    title: event_schemas_text,
    pull_request: schemas/* unknown */.L5J().optional(),
});
/** Null where the repository was deleted. */
const RepositoryId = schemas/* object */.Ikc({ id: schemas/* number */.aig() }).nullish();
const PullRequest = schemas/* object */.Ikc({
    ...Piece,
    number: schemas/* number */.aig(),
    title: event_schemas_text,
    merged: schemas/* boolean */.zMY().nullish(),
    merge_commit_sha: schemas/* string */.YjP().nullish(),
    base: schemas/* object */.Ikc({ ref: schemas/* string */.YjP(), sha: schemas/* string */.YjP(), repo: RepositoryId }),
    head: schemas/* object */.Ikc({ ref: schemas/* string */.YjP(), sha: schemas/* string */.YjP(), repo: RepositoryId }),
});
const shared = { action: schemas/* string */.YjP().default(""), sender: User };
const IssueCommentPayload = schemas/* object */.Ikc({ ...shared, comment: schemas/* object */.Ikc(Piece), issue: Issue });
const ReviewCommentPayload = schemas/* object */.Ikc({
    ...shared,
    comment: schemas/* object */.Ikc({
        ...Piece,
        path: event_schemas_text,
        diff_hunk: event_schemas_text,
        line: schemas/* number */.aig().nullish(),
    }),
    pull_request: PullRequest,
});
const ReviewPayload = schemas/* object */.Ikc({
    ...shared,
    review: schemas/* object */.Ikc({ ...Piece, submitted_at: event_schemas_text }),
    pull_request: PullRequest,
});
const DiscussionCommentPayload = schemas/* object */.Ikc({
    ...shared,
    comment: schemas/* object */.Ikc(Piece),
    discussion: Issue,
});
const IssuesPayload = schemas/* object */.Ikc({
    ...shared,
    issue: Issue,
    label: schemas/* object */.Ikc({ name: schemas/* string */.YjP() }).optional(),
});
const DiscussionPayload = schemas/* object */.Ikc({
    ...shared,
    discussion: Issue,
    label: schemas/* object */.Ikc({ name: schemas/* string */.YjP() }).optional(),
});
const PullRequestPayload = schemas/* object */.Ikc({ ...shared, pull_request: PullRequest });
const PushPayload = schemas/* object */.Ikc({
    sender: User,
    ref: schemas/* string */.YjP(),
    before: schemas/* string */.YjP(),
    after: schemas/* string */.YjP(),
    created: schemas/* boolean */.zMY().default(false),
    deleted: schemas/* boolean */.zMY().default(false),
    forced: schemas/* boolean */.zMY().default(false),
    commits: schemas/* array */.YOg(schemas/* object */.Ikc({ id: schemas/* string */.YjP(), message: event_schemas_text })).default([]),
    head_commit: schemas/* object */.Ikc({ id: schemas/* string */.YjP(), message: event_schemas_text }).nullish(),
    repository: schemas/* object */.Ikc({ default_branch: event_schemas_text }),
});
const ReleasePayload = schemas/* object */.Ikc({
    ...shared,
    release: schemas/* object */.Ikc({
        id: schemas/* number */.aig(),
        node_id: event_schemas_text,
        tag_name: schemas/* string */.YjP(),
        name: event_schemas_text,
        body: event_schemas_text,
        html_url: event_schemas_text,
        draft: schemas/* boolean */.zMY().default(false),
        author: User,
    }),
});
const AnyPayload = schemas/* object */.Ikc({ ...shared });

;// CONCATENATED MODULE: ./.build/lib/github/read-event.js


/**
 * Reads a webhook's payload.
 *
 * @throws {InputError} when the payload is not what its event's name says.
 */
function readEvent(eventName, payload) {
    const reader = readers[eventName] ?? readOther;
    return reader(payload);
}
const readers = {
    issue_comment(payload) {
        const { action, sender, comment, issue } = parse(IssueCommentPayload, payload);
        const thread = threadOf(issue, issue.pull_request ? "pull-request" : "issue");
        return { type: "written", action, sender, thread, text: textOf(comment, "issue-comment") };
    },
    pull_request_review_comment(payload) {
        const { action, sender, comment, pull_request } = parse(ReviewCommentPayload, payload);
        return {
            type: "written",
            action,
            sender,
            thread: threadOf(pull_request, "pull-request"),
            text: textOf(comment, "review-comment"),
            place: { path: comment.path, line: comment.line ?? undefined, hunk: comment.diff_hunk },
        };
    },
    pull_request_review(payload) {
        const { action, sender, review, pull_request } = parse(ReviewPayload, payload);
        const text = textOf({ ...review, created_at: review.submitted_at, updated_at: review.submitted_at }, "review");
        return { type: "written", action, sender, thread: threadOf(pull_request, "pull-request"), text };
    },
    discussion_comment(payload) {
        const { action, sender, comment, discussion } = parse(DiscussionCommentPayload, payload);
        const thread = threadOf(discussion, "discussion");
        return { type: "written", action, sender, thread, text: textOf(comment, "discussion-comment") };
    },
    issues(payload) {
        const { action, sender, issue, label } = parse(IssuesPayload, payload);
        const event = { type: "written", action, sender, thread: threadOf(issue, "issue") };
        return { ...event, text: textOf(issue, "issue"), ...(label ? { label: label.name } : {}) };
    },
    discussion(payload) {
        const { action, sender, discussion, label } = parse(DiscussionPayload, payload);
        const event = { type: "written", action, sender, thread: threadOf(discussion, "discussion") };
        return { ...event, text: textOf(discussion, "discussion"), ...(label ? { label: label.name } : {}) };
    },
    pull_request: readPullRequest,
    pull_request_target: readPullRequest,
    push(payload) {
        const { repository, created: _, head_commit, ...push } = parse(PushPayload, payload);
        const isTag = push.ref.startsWith("refs/tags/");
        const head = isTag && head_commit ? head_commit : { id: push.after, message: "" };
        return { type: "push", ...push, head, defaultBranch: repository.default_branch };
    },
    release(payload) {
        const { action, sender, release } = parse(ReleasePayload, payload);
        const { node_id, tag_name, html_url, draft, name, body, author } = release;
        return {
            type: "release",
            action,
            sender,
            nodeId: node_id,
            tag: tag_name,
            name,
            body,
            url: html_url,
            isDraft: draft,
            author,
        };
    },
};
function readPullRequest(payload) {
    const { action, sender, pull_request } = parse(PullRequestPayload, payload);
    return {
        type: "pull-request",
        action,
        sender,
        thread: threadOf(pull_request, "pull-request"),
        merged: pull_request.merged ?? false,
        base: pull_request.base,
        head: pull_request.head,
        mergeSha: pull_request.merge_commit_sha ?? undefined,
        isFork: pull_request.head.repo?.id !== pull_request.base.repo?.id || !pull_request.head.repo,
    };
}
function readOther(payload) {
    const { sender } = parse(AnyPayload, payload);
    return { type: "other", sender };
}
function textOf(piece, kind) {
    const { id, node_id, user, body, html_url, created_at, updated_at } = piece;
    const changedAt = updated_at || created_at;
    return { kind, id, nodeId: node_id, author: user, body, url: html_url, createdAt: created_at, changedAt };
}
function threadOf(piece, kind) {
    const { number, node_id, title, body, user, html_url, created_at } = piece;
    return { kind, number, nodeId: node_id, title, body, author: user, url: html_url, createdAt: created_at };
}
function parse(schema, payload) {
    const result = schema.safeParse(payload);
    if (result.success)
        return result.data;
    const places = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new errors/* InputError */.dz([`The event's payload lacks what its kind of event has (${places.join("; ")}).`]);
}

;// CONCATENATED MODULE: ./.build/lib/github/read-permission.js

/** What somebody may do here, as the collaborator permission's booleans: right for custom roles too. */
async function readPermission(login, api) {
    try {
        const { data } = await api.call({ doing: `look up the permission of ${login}`, permission: "metadata: read" }, (octokit, target) => octokit.rest.repos.getCollaboratorPermissionLevel({ ...target, username: login }));
        return data.user?.permissions ?? {};
    }
    catch (error) {
        if ((0,github_errors/* statusOfCause */.Xt)(error) === 404)
            return {};
        throw error;
    }
}

// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(51455);
;// CONCATENATED MODULE: ./.build/lib/github/run-context.js
/** The run this process belongs to, read from the runner's variables and the event's payload. */


/**
 * Reads the run's context.
 *
 * @throws {InputError} when this is not a GitHub runner.
 */
async function readRunContext(environment) {
    const need = (name) => {
        const value = environment[name];
        if (value)
            return value;
        throw new errors/* InputError */.dz([`${name} is not set: this command runs in a GitHub workflow.`]);
    };
    const [owner = "", name = ""] = need("GITHUB_REPOSITORY").split("/");
    const serverUrl = new URL(environment["GITHUB_SERVER_URL"] || "https://github.com");
    const runId = need("GITHUB_RUN_ID");
    const runAttempt = Number(environment["GITHUB_RUN_ATTEMPT"] || "1");
    return {
        repository: { owner, name, id: environment["GITHUB_REPOSITORY_ID"] || `${owner}/${name}` },
        eventName: need("GITHUB_EVENT_NAME"),
        payload: await readPayload(environment["GITHUB_EVENT_PATH"]),
        sha: environment["GITHUB_SHA"] ?? "",
        ref: environment["GITHUB_REF"] ?? "",
        runId,
        runAttempt,
        actor: environment["GITHUB_ACTOR"] ?? "",
        triggeringActor: environment["GITHUB_TRIGGERING_ACTOR"] || (environment["GITHUB_ACTOR"] ?? ""),
        serverUrl,
        apiUrl: environment["GITHUB_API_URL"] || "https://api.github.com",
        runUrl: new URL(`/${owner}/${name}/actions/runs/${runId}/attempts/${runAttempt}`, serverUrl).href,
    };
}
async function readPayload(path) {
    if (!path)
        return {};
    try {
        return JSON.parse(await (0,external_node_fs_promises_.readFile)(path, "utf8"));
    }
    catch (error) {
        throw new errors/* InputError */.dz([`The event's payload at GITHUB_EVENT_PATH cannot be read: ${String(error)}.`]);
    }
}

// EXTERNAL MODULE: ./.build/lib/action/inside-workspace.js
var inside_workspace = __webpack_require__(68453);
// EXTERNAL MODULE: ./.build/lib/action/version.js
var version = __webpack_require__(12041);
;// CONCATENATED MODULE: ./.build/lib/action/connect-github.js
/** Connects a step to GitHub: the run, its event, the API, and the account behind the token. */










const lastWordsPatience = { timeoutMs: 2500, attempts: 2 };
/**
 * Connects to GitHub.
 *
 * @throws {GitHubError} without a token: nothing can be checked, so nothing is done.
 */
async function connectGitHub({ githubToken: token }, { environment, log, signal, random }) {
    const run = await readRunContext(environment);
    if (token === undefined) {
        throw new github_errors/* GitHubError */.y_("missing-permission", "There is no `github-token`, so nobody's permission can be checked.", {
            hint: "Leave the input out (the default is the workflow's token), and give the job `permissions:` with `issues: write` and `pull-requests: write`.",
        });
    }
    const { apiUrl, repository } = run;
    const options = { apiUrl, repository, token, userAgent: `docs-automation-action/${version/* version */.r}` };
    const api = createGitHubApi(options, { log, signal, random });
    const neverAborted = new AbortController().signal;
    const lastWordsApi = createGitHubApi({ ...options, patience: lastWordsPatience }, { log, signal: neverAborted, random });
    let identity;
    return {
        run,
        event: readEvent(run.eventName, run.payload),
        api,
        lastWordsApi,
        readIdentity: () => {
            identity ??= (0,github_identity/* readIdentity */.x)(api);
            return identity;
        },
    };
}
/** Checks the people behind a connection's event. */
function checkPeople(inputs, { run, event, api, readIdentity }) {
    const { minimumPermission, allowedUsers, allowedBots } = inputs;
    const { eventName, actor, triggeringActor, runAttempt } = run;
    return checkGate({ event, eventName, actor, triggeringActor, runAttempt, minimumPermission, allowedUsers, allowedBots }, { readPermission: (login) => readPermission(login, api), readIdentity });
}
/** More than any prompt has; a file that is larger is the wrong file. */
const maxPromptBytes = 1_000_000;
/**
 * The prompt that the workflow gives: `prompt`, or the content of `prompt-file` in the workspace.
 *
 * @throws {InputError} when the file cannot be read or is empty.
 */
async function readGivenPrompt({ prompt, promptFile }, workspace) {
    if (promptFile === undefined)
        return prompt;
    const content = await (0,inside_workspace/* readWorkspaceFile */.sL)(promptFile, {
        workspace,
        input: "prompt-file",
        maxBytes: maxPromptBytes,
    });
    if (content.trim() === "")
        throw new errors/* InputError */.dz(["`prompt-file` is empty."]);
    return content.trim();
}


/***/ }),

/***/ 68453:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ik: () => (/* binding */ requireWritable),
/* harmony export */   sL: () => (/* binding */ readWorkspaceFile),
/* harmony export */   sv: () => (/* binding */ resolveInsideWorkspace)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(45119);
/** Folders of the workspace that the action writes to. */



/**
 * The real path of a folder inside the workspace, which need not exist yet; a link that leads out of the workspace counts
 * as outside.
 *
 * @throws {InputError} naming the input
 */
async function resolveInsideWorkspace(path, { workspace, input }) {
    const root = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(workspace);
    const resolved = await realpathOfFuture((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(root, path));
    const inner = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(root, resolved);
    const isOutside = inner === ".." || inner.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_1__.sep}`) || (0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(inner);
    if (inner !== "" && !isOutside)
        return resolved;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` must be a folder inside the workspace.`]);
}
/**
 * The text of a file in the workspace. A link that leads out of it counts as outside: a checked-out repository must not
 * choose what else of the machine is read.
 *
 * @throws {InputError} naming the input
 */
async function readWorkspaceFile(path, { workspace, input, maxBytes, }) {
    const root = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(workspace);
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(root, path)).catch(() => undefined);
    if (file === undefined || !file.startsWith(root + node_path__WEBPACK_IMPORTED_MODULE_1__.sep)) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` must be the path of a file inside the workspace.`]);
    }
    const facts = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(file);
    if (!facts.isFile())
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` is not a file.`]);
    if (facts.size > maxBytes)
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` is larger than ${maxBytes} bytes.`]);
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(file, "utf8");
}
/**
 * Makes the folder, so that a folder that cannot be written to is found before anything is started.
 *
 * @throws {InputError} naming the input
 */
async function requireWritable(folder, { input }) {
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)(folder, { recursive: true });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.access)(folder, node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.constants.W_OK);
    }
    catch (error) {
        const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` cannot be used as a folder to write to${reason}.`]);
    }
}
async function realpathOfFuture(path) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(path);
    }
    catch (error) {
        const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!isMissing || (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path) === path)
            throw error;
        return (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await realpathOfFuture((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path)), (0,node_path__WEBPACK_IMPORTED_MODULE_1__.basename)(path));
    }
}


/***/ }),

/***/ 69687:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ saveClaim)
/* harmony export */ });
/* unused harmony export readSavedClaim */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(27597);
/* harmony import */ var _github_claim_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(64600);
/** What the main step leaves for the post step: the record that must not be left behind untrue. */


const stateName = "claim";
const Thread = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    kind: zod__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(["issue", "pull-request", "discussion"]),
    number: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    nodeId: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
});
const SavedClaim = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    place: zod__WEBPACK_IMPORTED_MODULE_1__/* .discriminatedUnion */ .gMt("kind", [
        zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ kind: zod__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz("thread"), thread: Thread, since: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }),
        zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ kind: zod__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz("commit"), sha: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }),
    ]),
    id: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    record: _github_claim_record_js__WEBPACK_IMPORTED_MODULE_0__/* .ClaimRecord */ .si,
});
/** Keeps a record for the post step; the last one counts. */
function saveClaim({ place, claim }, saveState) {
    const { id, record, isPending = false } = claim;
    saveState(stateName, JSON.stringify({ place, id, record }));
    // The frame asks the post step to finish what is unsettled, even if the main step ended by itself.
    saveState("unsettled", String(isPending || !(0,_github_claim_record_js__WEBPACK_IMPORTED_MODULE_0__/* .isSettled */ .Is)(record)));
}
/** The record that the main step kept, if it got that far. */
function readSavedClaim(state) {
    const text = state(stateName);
    return text === "" ? undefined : SavedClaim.parse(JSON.parse(text));
}


/***/ }),

/***/ 70336:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   x: () => (/* binding */ ClaimHolder)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(45119);
/* harmony import */ var _judge_claims_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(91670);


/** Our own claim, and the latest thing that is true of it. */
class ClaimHolder {
    #options;
    #deps;
    #held;
    constructor(options, deps) {
        this.#options = options;
        this.#deps = deps;
    }
    /** Writes a claim and stands for election; returns the claim that won instead. */
    async claim(leftovers) {
        const { claims, clock, log } = this.#deps;
        const startedMs = clock.now();
        const held = await this.#create();
        const others = (await claims.list()).filter(({ id }) => id !== held.id);
        const situation = (0,_judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .judgeClaims */ .r7)(others.filter(({ id }) => !leftovers.some((leftover) => leftover.id === id)), this.#options.owner);
        if (situation.kind !== "free" && !(situation.kind === "busy" && held.id < situation.claim.id)) {
            await claims.remove(held);
            this.#held = undefined;
            return situation.claim;
        }
        if (clock.now() - startedMs > _judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .leases */ .Q.claimed * 1000) {
            await this.write({ state: "released", outcome: "failed" });
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InterruptedError */ .p4("timed-out", "GitHub answered too slowly to submit safely; nothing was sent.");
        }
        for (const leftover of leftovers)
            await claims.remove(leftover);
        if (leftovers.length > 0)
            log.info("An earlier run took this request but sent nothing; starting anew.");
        return undefined;
    }
    async #create() {
        const { claims, clock, signal, onRecord } = this.#deps;
        const { draft, owner } = this.#options;
        const record = {
            ...draft,
            state: "claimed",
            owner: (0,_judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .ownerWord */ .WU)(owner),
            claimedAt: new Date(clock.now()).toISOString(),
            leaseSeconds: _judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .leases */ .Q.claimed,
        };
        try {
            this.#held = await claims.create(record);
        }
        catch (error) {
            signal.throwIfAborted();
            // The answer may have been lost on its way back; nothing was submitted yet, so looking is safe.
            this.#held = (await claims.list()).find((claim) => claim.record.owner === record.owner);
            if (!this.#held)
                throw error;
        }
        onRecord(this.#held);
        return this.#held;
    }
    /** Writes a change down before anything else happens. */
    async write(change) {
        const held = this.#need();
        const { outcome: _outcome, message: _message, ...record } = held.record;
        const next = { ...record, ...change };
        this.#held = await this.#deps.claims.update(held, next);
        this.#deps.onRecord(this.#held);
        return this.#held;
    }
    /** How long the run may wait for the job: until then its record is its own to write. */
    #waitingLease() {
        const { deadlineMs } = this.#options;
        if (deadlineMs === undefined)
            return undefined;
        return { leaseSeconds: Math.max(0, Math.ceil((deadlineMs - this.#deps.clock.now()) / 1000)) };
    }
    /** The job exists from now on, whether or not that can be written down. */
    async recordJob(jobId) {
        const held = this.#need();
        const { outcome: _outcome, message: _message, ...record } = held.record;
        const known = {
            ...held,
            record: { ...record, state: "working", jobId, ...this.#waitingLease() },
        };
        this.#held = known;
        this.#deps.onRecord({ ...known, isPending: true });
        try {
            return await this.#deps.claims.update(held, known.record);
        }
        catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            this.#deps.log.warning(`Job ${jobId} runs, but that could not be written down: ${reason}`);
            return known;
        }
    }
    /** Leaves a true record behind when the run is cancelled or breaks while it holds the claim. */
    async settleInterrupted(error) {
        const held = this.#held;
        if (!held || held.record.state === "released" || held.record.jobId !== undefined)
            return;
        const outcome = error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InterruptedError */ .p4 ? error.code : "failed";
        const state = held.record.state === "submitting" ? "unknown" : "released";
        const left = { ...held, record: { ...held.record, state, outcome } };
        this.#deps.onRecord({ ...left, isPending: true });
        try {
            this.#deps.onRecord(await this.#deps.lastWords.update(held, left.record));
        }
        catch (cause) {
            const reason = cause instanceof Error ? cause.message : String(cause);
            this.#deps.log.warning(`The interruption could not be written down: ${reason}`);
        }
    }
    #need() {
        if (!this.#held)
            throw new Error("There is no claim to write to.");
        return this.#held;
    }
}


/***/ }),

/***/ 91670:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ leases),
/* harmony export */   WU: () => (/* binding */ ownerWord),
/* harmony export */   r7: () => (/* binding */ judgeClaims)
/* harmony export */ });
/** Seconds after its last change during which the owner of a claim may still send the creating request. */
const leases = { claimed: 15, submitting: 180 };
/** Clocks, and answers under way: after its lease a claim is left alone for this long. */
const graceMs = 15_000;
function ownerWord({ runId, runAttempt, word }) {
    return `${runId}.${runAttempt}.${word}`;
}
/** Judges the records of one trigger, oldest first. */
function judgeClaims(claims, owner) {
    const live = claims.filter(({ record }) => record.state !== "released");
    const found = live.find(({ record, isUnverifiable }) => !isUnverifiable && (record.state === "working" || record.state === "ended"));
    if (found)
        return { kind: "found", claim: found };
    const lost = live.find((claim) => isLost(claim, owner));
    const leftovers = claims.filter((claim) => isLost(claim, owner) || !isLive(claim, owner));
    if (lost)
        return { kind: "lost", claim: lost, leftovers };
    const busy = live.find((claim) => isLive(claim, owner));
    if (busy)
        return { kind: "busy", claim: busy, freeInMs: freeIn(busy, owner) };
    return { kind: "free", leftovers };
}
function isLive(claim, owner) {
    return claim.record.state !== "released" && freeIn(claim, owner) > 0;
}
function isLost(claim, owner) {
    if (claim.isUnverifiable || claim.record.state === "unknown")
        return true;
    return claim.record.state === "submitting" && freeIn(claim, owner) === 0;
}
/** Milliseconds until the claim's owner can no longer act; 0 where it is known to be gone. */
function freeIn({ record, ageMs }, owner) {
    const [runId, runAttempt] = record.owner.split(".");
    const isEarlierAttempt = runId === owner.runId && Number(runAttempt) < owner.runAttempt;
    return isEarlierAttempt ? 0 : Math.max(0, record.leaseSeconds * 1000 + graceMs - ageMs);
}


/***/ }),

/***/ 73467:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   QB: () => (/* binding */ submitOnce),
/* harmony export */   WE: () => (/* binding */ explain),
/* harmony export */   df: () => (/* binding */ watchOthers)
/* harmony export */ });
/* harmony import */ var _platform_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(20013);
/* harmony import */ var _claim_holder_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(70336);
/* harmony import */ var _judge_claims_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(91670);
/**
 * At most one submission for a trigger, over re-runs, second deliveries and dead runners: claim → submit → record.
 *
 * The platform has no idempotency key, so what was about to be done is written down before it is done. A run that finds
 * such a record resumes the job, waits for the run that is at it, or leaves a lost answer alone.
 */



/** How often a run that found another at work looks again, and how long it does so at most. */
const lookAgainMs = 3_000;
const maxWatchMs = 4 * 60_000;
/**
 * Creates a job for a trigger unless one was, or may have been, created before.
 *
 * @throws {PlatformError} when the platform turned the request away for good; the record then says so.
 */
async function submitOnce(options, deps) {
    const earlier = await watchOthers(options, deps);
    if (earlier.kind !== "free")
        return earlier.submission;
    const objection = await deps.objection();
    if (objection)
        return { kind: "withdrawn", objection };
    await deps.onFree();
    const holder = new _claim_holder_js__WEBPACK_IMPORTED_MODULE_1__/* .ClaimHolder */ .x(options, deps);
    try {
        const rival = await holder.claim(earlier.leftovers);
        if (rival)
            return { kind: "other-run", claim: rival };
        return await submitClaimed(holder, options, deps);
    }
    catch (error) {
        await holder.settleInterrupted(error);
        throw error;
    }
}
/** Looks at earlier records until none is in a state that its owner is about to change. */
async function watchOthers({ owner, onAmbiguous }, { claims, clock, signal, log }) {
    const untilMs = clock.now() + maxWatchMs;
    for (let looks = 0;; looks += 1) {
        const situation = (0,_judge_claims_js__WEBPACK_IMPORTED_MODULE_2__/* .judgeClaims */ .r7)(await claims.list(), owner);
        const isHopeless = situation.kind === "busy" && clock.now() + situation.freeInMs > untilMs;
        if (situation.kind !== "busy" || isHopeless) {
            return conclude(situation, { isFirstLook: looks === 0, onAmbiguous });
        }
        if (looks === 0)
            log.info("Another run has just taken this request; watching whether it goes on.");
        await clock.sleep(Math.min(lookAgainMs, situation.freeInMs), signal);
    }
}
function conclude(situation, { isFirstLook, onAmbiguous }) {
    if (situation.kind === "free")
        return situation;
    const { claim } = situation;
    if (situation.kind === "lost") {
        return onAmbiguous === "resubmit"
            ? { kind: "free", leftovers: situation.leftovers }
            : { kind: "taken", submission: { kind: "lost", claim, error: undefined } };
    }
    // A job that appeared while we watched has its own run waiting for it.
    const kind = situation.kind === "found" && isFirstLook ? "found" : "other-run";
    return { kind: "taken", submission: { kind, claim } };
}
async function submitClaimed(holder, options, deps) {
    let resubmissions = options.onAmbiguous === "resubmit" ? 1 : 0;
    for (let attempt = 1;; attempt += 1) {
        await holder.write({ state: "submitting", leaseSeconds: _judge_claims_js__WEBPACK_IMPORTED_MODULE_2__/* .leases */ .Q.submitting });
        const error = await trySubmitting(holder, deps);
        if (!(error instanceof _platform_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .PlatformError */ .W))
            return error;
        if (!error.maybeSubmitted) {
            const objection = await queueOrThrow({ error, attempt, holder }, options, deps);
            if (objection)
                return { kind: "withdrawn", objection };
        }
        else if (resubmissions > 0) {
            resubmissions -= 1;
            deps.log.warning(`${error.message} Submitting once more, as \`on-ambiguous: resubmit\` asks.`);
        }
        else {
            return {
                kind: "lost",
                claim: await holder.write({ state: "unknown", message: explain(error) }),
                error,
            };
        }
    }
}
async function trySubmitting(holder, { submit }) {
    try {
        const { jobId, job } = await submit();
        return { kind: "submitted", claim: await holder.recordJob(jobId), job };
    }
    catch (error) {
        if (error instanceof _platform_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .PlatformError */ .W)
            return error;
        throw error;
    }
}
/**
 * Waits for the platform's limit, visibly; returns why the request must not be sent any more.
 *
 * @throws {PlatformError} the refusal, where waiting does not mend it or would take too long.
 */
async function queueOrThrow({ error, attempt, holder }, { deadlineMs }, { clock, log, signal, objection }) {
    if (error.code !== "rate-limited") {
        await holder.write({ state: "released", outcome: "failed", message: explain(error) });
        throw error;
    }
    const waitMs = error.retryAfterMs ?? Math.min(60_000 * 2 ** (attempt - 1), 600_000);
    const resumeMs = clock.now() + waitMs;
    if (resumeMs >= deadlineMs) {
        await holder.write({ state: "released", outcome: "rate-limited", message: explain(error) });
        throw error;
    }
    const resumeAt = new Date(resumeMs).toISOString();
    const leaseSeconds = Math.ceil(waitMs / 1000) + _judge_claims_js__WEBPACK_IMPORTED_MODULE_2__/* .leases */ .Q.claimed;
    await holder.write({ state: "claimed", outcome: `queued until ${resumeAt}`, leaseSeconds });
    log.notice(`The platform's limit of jobs is used up; queued until ${resumeAt}.`);
    await clock.sleep(waitMs, signal);
    const found = await objection();
    if (found)
        await holder.write({ state: "released", outcome: "skipped", message: found.message });
    return found;
}
/** An error as a record keeps it. */
function explain(error) {
    return `${error.message} ${error.hint}`.slice(0, 1000);
}


/***/ }),

/***/ 64600:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ag: () => (/* binding */ triggerKey),
/* harmony export */   Is: () => (/* binding */ isSettled),
/* harmony export */   jR: () => (/* binding */ claimStates),
/* harmony export */   si: () => (/* binding */ ClaimRecord)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(27597);
/** What is written down about one trigger, so that another run knows what the first one did. */


/**
 * How far a trigger has come.
 * - `claimed`: a run has taken it; nothing was sent.
 * - `submitting`: the creating request may have been sent.
 * - `working`: the job's id is known; it runs, or has ended since.
 * - `unknown`: the creating request's answer was lost.
 * - `released`: nothing was sent, nothing will be; another run may take it.
 * - `ended`: the job's end is known.
 */
const claimStates = ["claimed", "submitting", "working", "unknown", "released", "ended"];
const shortText = zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().max(500);
/** The record behind a status comment or commit status; unknown fields of later versions are dropped. */
const ClaimRecord = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    command: zod__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(["agent", "assistant"]),
    /** Project or domain the trigger is for. */
    target: shortText,
    trigger: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().regex(/^[0-9a-f]{64}$/),
    state: zod__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(claimStates),
    /** Run, attempt and a random word: who may act on the claim. */
    owner: shortText,
    /** Time of the claim, ISO 8601. */
    claimedAt: shortText,
    /** Seconds after the last change during which the owner may still send the creating request. */
    leaseSeconds: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig().nonnegative(),
    jobId: shortText.optional(),
    /** How it ended; with `working`, why the run stopped waiting. */
    outcome: shortText.optional(),
    pullRequestUrl: shortText.optional(),
    /** Conversation that a later question continues. */
    threadId: shortText.optional(),
    requester: shortText.optional(),
    /** Beginning of the request, for people. */
    request: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().max(700).optional(),
    runUrl: shortText.optional(),
    /** Sentences of ours about how the request was read. */
    notes: zod__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().max(300)).max(8).optional(),
    /** What went wrong, in one sentence and its remedy. */
    message: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().max(1000).optional(),
});
/** Whether a record is true without anybody watching: the job's end, why nobody waits, or that nothing was sent. */
function isSettled({ state, outcome }) {
    if (state === "working")
        return outcome !== undefined;
    return state === "unknown" || state === "released" || state === "ended";
}
/** The trigger's key: 64 hexadecimal digits. */
function triggerKey(identity) {
    const { repositoryId, family, subject, body, command, target } = identity;
    const bodyHash = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256").update(body.replace(/\r\n?/g, "\n")).digest("hex");
    const parts = [repositoryId, family, subject, bodyHash, command, target];
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256").update(JSON.stringify(parts)).digest("hex");
}


/***/ }),

/***/ 53167:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ threadKey),
/* harmony export */   x: () => (/* binding */ createCommentClaims)
/* harmony export */ });
/* harmony import */ var _claim_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(64600);
/* harmony import */ var _identity_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(34584);
/* harmony import */ var _marker_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(85508);
/** Records of triggers in our own comments on one thread. */



/** The marker's name of a thread; a pull request's conversation is an issue's. */
function threadKey({ kind, number }) {
    return `${kind === "discussion" ? "discussion" : "issue"}:${number}`;
}
function createCommentClaims(options, deps) {
    const place = (comment) => ({
        repositoryId: options.repositoryId,
        thread: threadKey(options.thread),
        comment,
    });
    const compose = (record, comment) => `${deps.render(record)}\n\n${(0,_marker_js__WEBPACK_IMPORTED_MODULE_2__/* .writeMarker */ .en)("claim", record, { place: place(comment), seal: deps.seal })}`;
    const read = (comment) => readClaim(comment, { place: place(String(comment.id)), deps });
    const written = (comment, record) => ({
        id: comment.id,
        nodeId: comment.nodeId,
        record,
        url: comment.url,
        ageMs: 0,
    });
    return {
        async list() {
            const comments = await deps.comments.list(options.since ? { since: options.since } : {});
            const claims = comments.map(read).filter((claim) => claim !== undefined);
            return claims.filter(({ record }) => !options.trigger || record.trigger === options.trigger);
        },
        async create(record) {
            return written(await deps.comments.create(compose(record, "new")), record);
        },
        async update({ id, nodeId = "" }, record) {
            return written(await deps.comments.update({ id, nodeId }, compose(record, String(id))), record);
        },
        remove: ({ id, nodeId = "" }) => deps.comments.remove({ id, nodeId }),
    };
}
/** The record that a comment holds, if the comment is ours and its marker is genuine. */
function readClaim(comment, { place, deps }) {
    if (!(0,_identity_js__WEBPACK_IMPORTED_MODULE_1__/* .isSameAccount */ .s)(comment.author, deps.identity.login))
        return undefined;
    const marker = (0,_marker_js__WEBPACK_IMPORTED_MODULE_2__/* .readMarker */ .t7)(comment.body, { kind: "claim", schema: _claim_record_js__WEBPACK_IMPORTED_MODULE_0__/* .ClaimRecord */ .si, place, seal: deps.seal });
    if (marker.kind === "none" || marker.kind === "forged")
        return undefined;
    return {
        id: comment.id,
        nodeId: comment.nodeId,
        record: marker.value,
        url: comment.url,
        ageMs: Math.max(0, deps.serverNow() - Date.parse(comment.updatedAt)),
        ...(marker.kind === "other-key" ? { isUnverifiable: true } : {}),
    };
}


/***/ }),

/***/ 44004:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ createThreadComments)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27597);
/** Comments of one thread, whatever its kind: an issue's or pull request's conversation, or a discussion. */

function createThreadComments(thread, api) {
    return thread.kind === "discussion" ? discussionComments(thread, api) : issueComments(thread, api);
}
/** The `permissions:` line that writing on a thread needs. */
function permissionToWrite(kind) {
    return { issue: "issues: write", "pull-request": "pull-requests: write", discussion: "discussions: write" }[kind];
}
const RestComment = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    node_id: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    user: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ login: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), id: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(), type: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }).nullish(),
    body: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish(),
    html_url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    created_at: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    updated_at: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
})
    .transform(({ id, node_id, user, body, html_url, created_at, updated_at }) => ({
    id,
    nodeId: node_id,
    author: user ? { login: user.login, id: user.id, isBot: user.type === "Bot" } : undefined,
    body: body ?? "",
    url: html_url,
    createdAt: created_at,
    updatedAt: updated_at,
}));
function issueComments({ kind, number }, api) {
    const permission = permissionToWrite(kind);
    return {
        list: ({ since } = {}) => api.call({ doing: `list the comments of #${number}`, permission }, async (octokit, target) => {
            const parameters = { ...target, issue_number: number, per_page: 100, ...(since ? { since } : {}) };
            const comments = await octokit.paginate(octokit.rest.issues.listComments, parameters);
            return zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(RestComment)
                .parse(comments)
                .sort((a, b) => a.id - b.id);
        }),
        create: (body) => api.call({ doing: `comment on #${number}`, permission }, async (octokit, target) => {
            const { data } = await octokit.rest.issues.createComment({ ...target, issue_number: number, body });
            return RestComment.parse(data);
        }),
        update: ({ id }, body) => api.call({ doing: `edit its comment on #${number}`, permission }, async (octokit, target) => {
            const { data } = await octokit.rest.issues.updateComment({ ...target, comment_id: id, body });
            return RestComment.parse(data);
        }),
        remove: ({ id }) => api.call({ doing: `delete its comment on #${number}`, permission }, async (octokit, target) => {
            await octokit.rest.issues.deleteComment({ ...target, comment_id: id });
        }),
    };
}
const DiscussionComment = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    databaseId: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    author: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ __typename: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), login: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), databaseId: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().nullish() })
        .nullable(),
    body: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    createdAt: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    updatedAt: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
})
    .transform(({ id, databaseId, author, ...rest }) => {
    const isBot = author?.__typename === "Bot";
    // GraphQL drops the suffix that the REST API and people know.
    const login = isBot && !author?.login.endsWith("[bot]") ? `${author?.login}[bot]` : (author?.login ?? "");
    return {
        ...rest,
        id: databaseId,
        nodeId: id,
        author: author ? { login, id: author.databaseId ?? 0, isBot } : undefined,
    };
});
const commentFields = `id databaseId body url createdAt updatedAt
  author { __typename login ... on User { databaseId } ... on Bot { databaseId } }`;
const CommentPage = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    node: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
        comments: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
            nodes: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(DiscussionComment),
            pageInfo: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ hasNextPage: zod__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY(), endCursor: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullable() }),
        }),
    }),
});
const Added = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ addDiscussionComment: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ comment: DiscussionComment }) });
const Updated = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ updateDiscussionComment: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ comment: DiscussionComment }) });
function discussionComments({ nodeId, number }, api) {
    const permission = permissionToWrite("discussion");
    const send = ({ doing, query, schema }, variables) => api.call({ doing, permission }, async (octokit) => schema.parse(await octokit.graphql(query, variables)));
    return {
        async list({ since } = {}) {
            const comments = [];
            for (let cursor = null;;) {
                const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on Discussion {
          comments(first: 100, after: $cursor) { nodes { ${commentFields} } pageInfo { hasNextPage endCursor } } } } }`;
                const doing = `list the comments of discussion #${number}`;
                const page = await send({ doing, query, schema: CommentPage }, { id: nodeId, cursor });
                comments.push(...page.node.comments.nodes);
                const { hasNextPage, endCursor } = page.node.comments.pageInfo;
                if (!hasNextPage)
                    break;
                cursor = endCursor;
            }
            const isRecent = ({ updatedAt }) => !since || Date.parse(updatedAt) >= Date.parse(since);
            return comments.filter(isRecent).sort((a, b) => a.id - b.id);
        },
        async create(body) {
            const query = `mutation ($id: ID!, $body: String!) {
        addDiscussionComment(input: { discussionId: $id, body: $body }) { comment { ${commentFields} } } }`;
            const doing = `comment on discussion #${number}`;
            const answer = await send({ doing, query, schema: Added }, { id: nodeId, body });
            return answer.addDiscussionComment.comment;
        },
        async update({ nodeId: id }, body) {
            const query = `mutation ($id: ID!, $body: String!) {
        updateDiscussionComment(input: { commentId: $id, body: $body }) { comment { ${commentFields} } } }`;
            const doing = `edit its comment on discussion #${number}`;
            const answer = await send({ doing, query, schema: Updated }, { id, body });
            return answer.updateDiscussionComment.comment;
        },
        async remove({ nodeId: id }) {
            const query = "mutation ($id: ID!) { deleteDiscussionComment(input: { id: $id }) { comment { id } } }";
            await send({ doing: `delete its comment on discussion #${number}`, query, schema: zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J() }, { id });
        },
    };
}


/***/ }),

/***/ 34584:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ isSameAccount),
/* harmony export */   x: () => (/* binding */ readIdentity)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27597);

const Viewer = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    viewer: zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
        __typename: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
        login: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        databaseId: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().nullish(),
    }),
});
/** The account behind the token. An installation's token (the workflow's own is one) is only told this by GraphQL. */
async function readIdentity(api) {
    const purpose = { doing: "ask which account it belongs to", permission: "contents: read" };
    const { viewer } = await api.call(purpose, async (octokit) => Viewer.parse(await octokit.graphql("query { viewer { __typename login databaseId } }")));
    const { login, databaseId, __typename } = viewer;
    return { login, id: databaseId ?? 0, isBot: __typename === "Bot" || login.endsWith("[bot]") };
}
/** Whether two logins name the same account, with or without the suffix that some of GitHub's answers leave out. */
function isSameAccount(account, login) {
    const plain = (name) => name.toLowerCase().replace(/\[bot\]$/, "");
    const isBotLogin = login.endsWith("[bot]");
    return account !== undefined && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
}


/***/ }),

/***/ 77564:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ stripInvisibleCharacters)
/* harmony export */ });
/** Code points that render as nothing, which people use to hide text from other people but not from a model. */
/**
 * Format, private-use, unassigned and lone surrogate code points (among them zero-width, bidirectional and tag
 * characters), control characters other than tab and newline, and fillers that Unicode counts as letters, marks or symbols.
 */
const invisible = /\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\u034F|[\u115F\u1160\u2800\u3164\uFFA0]|\u17B4|\u17B5|[\u180B-\u180F]|[\uFE00-\uFE0F]|\u{1D159}|[\u{E0100}-\u{E01EF}]|(?![\t\n])\p{Cc}/gu;
/** Emoji presentation selectors and joiners where an emoji needs them: there they are part of what is seen. */
const emojiSequence = /\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F\u20E3|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;
/** Drops every code point that GitHub renders as nothing, and makes all line ends `\n`. */
function stripInvisibleCharacters(source) {
    const text = source.replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n");
    const kept = new Set();
    for (const match of text.matchAll(emojiSequence)) {
        for (let offset = match.index; offset < match.index + match[0].length; offset += 1)
            kept.add(offset);
    }
    let dropped = 0;
    const visible = text.replace(invisible, (character, offset) => {
        if (kept.has(offset))
            return character;
        dropped += 1;
        return "";
    });
    return { text: visible, dropped };
}


/***/ }),

/***/ 72502:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ compareWithLiveText)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(27597);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27121);
/** Whether the text that triggered still stands as the event told it. */


/** Reads the live text and compares it with the event's. */
async function compareWithLiveText(event, api) {
    try {
        const live = await readLiveBody(event, api);
        if (live === undefined)
            return "deleted";
        return normalize(live) === normalize(event.text.body) ? "unchanged" : "edited";
    }
    catch (error) {
        const status = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .statusOfCause */ .Xt)(error);
        if (status === 404 || status === 410)
            return "deleted";
        throw error;
    }
}
/** GitHub tells the same text with either kind of line end. */
function normalize(text) {
    return text.replace(/\r\n?/g, "\n");
}
const Node = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ node: zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ body: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }).nullable() });
async function readLiveBody({ text, thread }, api) {
    const { kind, id, nodeId } = text;
    const permission = thread.kind === "pull-request" ? "pull-requests: read" : `${thread.kind}s: read`;
    const purpose = { doing: "read the text that triggered the run", permission };
    return api.call(purpose, async (octokit, target) => {
        switch (kind) {
            case "issue-comment":
                return (await octokit.rest.issues.getComment({ ...target, comment_id: id })).data.body ?? "";
            case "review-comment":
                return (await octokit.rest.pulls.getReviewComment({ ...target, comment_id: id })).data.body;
            case "review": {
                const parameters = { ...target, pull_number: thread.number, review_id: id };
                return (await octokit.rest.pulls.getReview(parameters)).data.body;
            }
            case "issue":
                return (await octokit.rest.issues.get({ ...target, issue_number: thread.number })).data.body ?? "";
            case "discussion":
            case "discussion-comment": {
                const query = `query ($id: ID!) { node(id: $id) { ... on Discussion { body } ... on DiscussionComment { body } } }`;
                return Node.parse(await octokit.graphql(query, { id: nodeId })).node?.body;
            }
        }
    });
}


/***/ }),

/***/ 36667:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ parseMarkdown),
/* harmony export */   b: () => (/* binding */ rangeOf)
/* harmony export */ });
/* harmony import */ var remark_gfm__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(26550);
/* harmony import */ var remark_parse__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76753);
/* harmony import */ var unified__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1529);



/** Far deeper than people nest quotes and lists; deeper trees are made to exhaust whoever walks them. */
const maxDepth = 100;
const deepLine = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){100}/m;
/** The parser's work grows with the square of the marks that may open or close emphasis and links. */
const maxMarks = 8000;
const marks = /([*_~[])\1*/g;
/**
 * Parses Markdown the way GitHub does (CommonMark and GFM; HTML is kept as raw nodes).
 *
 * `undefined` for a text so deeply nested or so full of marks that nobody wrote it to be read.
 */
function parseMarkdown(source) {
    if (deepLine.test(source) || (source.match(marks)?.length ?? 0) > maxMarks)
        return undefined;
    const tree = (0,unified__WEBPACK_IMPORTED_MODULE_0__/* .unified */ .l)().use(remark_parse__WEBPACK_IMPORTED_MODULE_1__/* ["default"] */ .A).use(remark_gfm__WEBPACK_IMPORTED_MODULE_2__/* ["default"] */ .A).use(dropTransforms).parse(source);
    return isDeeperThan(maxDepth, tree) ? undefined : tree;
}
function isDeeperThan(limit, root) {
    let level = [root];
    for (let depth = 0; level.length > 0; depth += 1) {
        if (depth > limit)
            return true;
        level = level.flatMap((node) => ("children" in node ? node.children : []));
    }
    return false;
}
/**
 * The GFM extension rewrites parsed text once more to link addresses that its tokenizer passed over; the nodes it makes
 * do not know their place. Such an address stays text here.
 */
function dropTransforms() {
    const data = this.data();
    const extensions = (data.fromMarkdownExtensions ?? []).flat();
    data.fromMarkdownExtensions = extensions.map(({ transforms: _, ...extension }) => extension);
}
/** Where a parsed node stands in its source. */
function rangeOf(node) {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) {
        throw new TypeError(`A Markdown node of type ${node.type} came without its position.`);
    }
    return { start, end };
}


/***/ }),

/***/ 85508:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   en: () => (/* binding */ writeMarker),
/* harmony export */   t7: () => (/* binding */ readMarker),
/* harmony export */   xY: () => (/* binding */ hasMarker)
/* harmony export */ });
const pattern = /<!-- docs-automation:(claim|origin):v1 ([\w-]+)\.([0-9a-f]{8})\.([\w-]{43}) -->/g;
/** True for any text of ours, also of later versions: such a text never triggers anything. */
function hasMarker(body) {
    return body.includes("<!-- docs-automation:");
}
/** Writes a marker; it belongs at the end of a comment. */
function writeMarker(kind, value, { place, seal }) {
    const payload = Buffer.from(JSON.stringify(value)).toString("base64url");
    const signature = seal.sign(describePlace(kind, place), payload);
    return `<!-- docs-automation:${kind}:v1 ${payload}.${seal.keyId}.${signature} -->`;
}
/** Reads the last marker of a comment, also where somebody has written something below it. A marker copied to another place, or changed, is forged. */
function readMarker(body, { kind, schema, place, seal }) {
    const [, foundKind, payload = "", keyId = "", signature = ""] = [...body.matchAll(pattern)].at(-1) ?? [];
    if (foundKind !== kind)
        return { kind: "none" };
    const parsed = schema.safeParse(decode(payload));
    if (!parsed.success)
        return { kind: "forged" };
    if (keyId !== seal.keyId)
        return { kind: "other-key", value: parsed.data };
    const isSigned = [place, { ...place, comment: "new" }].some((candidate) => seal.verify(describePlace(kind, candidate), payload, signature));
    return isSigned ? { kind: "valid", value: parsed.data } : { kind: "forged" };
}
function decode(payload) {
    try {
        return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    }
    catch {
        return undefined; // Not JSON: not a record, as the schema will say.
    }
}
function describePlace(kind, { repositoryId, thread, comment }) {
    return `v1 ${kind} repository:${repositoryId} thread:${thread} comment:${comment}`;
}


/***/ }),

/***/ 87388:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DQ: () => (/* binding */ readPullRequest),
/* harmony export */   NP: () => (/* binding */ isOwn),
/* harmony export */   OE: () => (/* binding */ countOpenOwn),
/* harmony export */   P2: () => (/* binding */ readOrigin),
/* harmony export */   VM: () => (/* binding */ isFromOwnPullRequest),
/* harmony export */   YE: () => (/* binding */ introducePullRequest),
/* harmony export */   mk: () => (/* binding */ findByReference)
/* harmony export */ });
/* unused harmony export Origin */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(27597);
/* harmony import */ var _comment_claims_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(53167);
/* harmony import */ var _comments_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44004);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(27121);
/* harmony import */ var _identity_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(34584);
/* harmony import */ var _marker_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(85508);
/** The agent's pull requests: whether a reported one is genuine, which ones are ours, and what a workflow wants done with them. */






/** The job behind a pull request of ours, in the marker of the comment that introduces it. */
const Origin = zod__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ project: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), jobId: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), source: zod__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP().optional() });
const purpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** What a prompt asks the agent to write; a text that only mentions or quotes the word is somebody else's. */
const referenceLine = /^(?!\s*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;
/**
 * A pull request of this or another repository; `undefined` where this repository has none with that number, `hidden`
 * where the token cannot see it.
 */
async function readPullRequest({ owner, name, number }, api) {
    const isHome = `${owner}/${name}`.toLowerCase() === `${api.repository.owner}/${api.repository.name}`.toLowerCase();
    try {
        const { data } = await api.call(purpose, (octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
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
/**
 * The pull request opened since a claim that carries the claim's reference, in its description, title or branch; one
 * from a fork is not the agent's, whoever wrote the reference into it.
 */
async function findByReference({ wanted, since }, api) {
    const sinceMs = Date.parse(since) - 60_000;
    const found = await api.call(purpose, async (octokit, target) => {
        const parameters = {
            ...target,
            state: "all",
            sort: "created",
            direction: "desc",
            per_page: 100,
        };
        for await (const { data } of octokit.paginate.iterator(octokit.rest.pulls.list, parameters)) {
            const recent = data.filter(({ created_at }) => Date.parse(created_at) >= sinceMs);
            const match = recent.findLast((pull) => !isFork(pull) && [pull.body, pull.title, pull.head.ref].some((text) => text?.includes(wanted)));
            if (match || recent.length < data.length)
                return match;
        }
        return undefined;
    });
    return found && toPullRequest(found);
}
/** The job behind one of our pull requests: told by our own, signed comment on it. */
async function readOrigin({ number, nodeId = "" }, { api, identity, seal }) {
    const thread = { kind: "pull-request", number, nodeId };
    const comments = await (0,_comments_js__WEBPACK_IMPORTED_MODULE_1__/* .createThreadComments */ .d)(thread, api).list();
    for (const { author, body, id } of comments) {
        if (!(0,_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .isSameAccount */ .s)(author, identity.login))
            continue;
        const place = { repositoryId: api.repository.id, thread: (0,_comment_claims_js__WEBPACK_IMPORTED_MODULE_0__/* .threadKey */ .G)(thread), comment: String(id) };
        const marker = (0,_marker_js__WEBPACK_IMPORTED_MODULE_5__/* .readMarker */ .t7)(body, { kind: "origin", schema: Origin, place, seal });
        if (marker.kind === "valid")
            return marker.value;
    }
    return undefined;
}
/** Says on a pull request which job made it; once. */
async function introducePullRequest({ number, text, origin }, deps) {
    if (await readOrigin({ number }, deps))
        return;
    const { api, seal } = deps;
    const thread = { kind: "pull-request", number, nodeId: "" };
    const place = { repositoryId: api.repository.id, thread: (0,_comment_claims_js__WEBPACK_IMPORTED_MODULE_0__/* .threadKey */ .G)(thread), comment: "new" };
    await (0,_comments_js__WEBPACK_IMPORTED_MODULE_1__/* .createThreadComments */ .d)(thread, api).create(`${text}\n\n${(0,_marker_js__WEBPACK_IMPORTED_MODULE_5__/* .writeMarker */ .en)("origin", origin, { place, seal })}`);
}
/** Whether a commit came with one of our pull requests. */
async function isFromOwnPullRequest(sha, deps) {
    const pulls = await deps.api.call(purpose, (octokit, target) => octokit.paginate(octokit.rest.repos.listPullRequestsAssociatedWithCommit, {
        ...target,
        commit_sha: sha,
        per_page: 100,
    }));
    for (const pull of pulls) {
        if (pull.merged_at && (await isOwn(toCandidate(pull), deps)))
            return true;
    }
    return false;
}
/** How many of our pull requests are open; stops counting at `limit`. */
async function countOpenOwn(limit, deps) {
    const pulls = await deps.api.call(purpose, (octokit, target) => octokit.paginate(octokit.rest.pulls.list, { ...target, state: "open", per_page: 100 }));
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
function toCandidate({ number, body, ...sides }) {
    return { number, body: body ?? "", isFork: isFork(sides) };
}
function isFork({ head, base }) {
    return head.repo?.id !== base.repo.id;
}
function toPullRequest({ number, node_id, html_url, title, draft, state }) {
    return { number, nodeId: node_id, url: html_url, title, isDraft: draft ?? false, isOpen: state === "open" };
}


/***/ }),

/***/ 76664:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ reactWithEyes)
/* harmony export */ });
/** Shows the author of a triggering text that it was seen. */
async function reactWithEyes({ text, thread }, api) {
    const permission = thread.kind === "pull-request" ? "pull-requests: write" : `${thread.kind}s: write`;
    await api.call({ doing: "react to the text that triggered the run", permission }, async (octokit, target) => {
        const eyes = { ...target, content: "eyes" };
        switch (text.kind) {
            case "issue-comment":
                return octokit.rest.reactions.createForIssueComment({ ...eyes, comment_id: text.id });
            case "review-comment":
                return octokit.rest.reactions.createForPullRequestReviewComment({ ...eyes, comment_id: text.id });
            case "issue":
                return octokit.rest.reactions.createForIssue({ ...eyes, issue_number: thread.number });
            default: {
                const query = `mutation ($id: ID!) { addReaction(input: { subjectId: $id, content: EYES }) { clientMutationId } }`;
                return octokit.graphql(query, { id: text.nodeId });
            }
        }
    });
}


/***/ }),

/***/ 35663:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ createSeal)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/** Signatures that only somebody with the platform's key can make, and what is derived from them. */

/** Derives a seal from the platform's API key. */
function createSeal(apiKey) {
    const derive = (purpose, bytes) => Buffer.from((0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hkdfSync)("sha256", apiKey, "docs-automation", purpose, bytes));
    const key = derive("marker v1", 32);
    const referenceKey = derive("reference v1", 32);
    const sign = (place, text) => (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)("sha256", key).update(`${place}\n${text}`).digest("base64url");
    return {
        keyId: derive("key id v1", 4).toString("hex"),
        sign,
        verify(place, text, signature) {
            const expected = Buffer.from(sign(place, text));
            const given = Buffer.from(signature);
            return expected.length === given.length && (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.timingSafeEqual)(expected, given);
        },
        reference: (trigger) => `docs-automation-${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)("sha256", referenceKey).update(trigger).digest("hex").slice(0, 24)}`,
    };
}


/***/ }),

/***/ 25896:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ createStatusClaims)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(27597);
/* harmony import */ var _claim_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(64600);
/* harmony import */ var _identity_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(34584);
/** Records of triggers in commit statuses, for events that have no thread: a status has room for little, so the record is split. */



const WrittenStatus = zod__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ id: zod__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig() });
/** GitHub's limit for a status's description. */
const maxDescriptionLength = 140;
/** The record as the status's link carries it in its fragment: short names, for a link has its limits. */
const Fragment = zod__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    k: zod__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(["agent", "assistant"]),
    g: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    t: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    s: zod__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(_claim_record_js__WEBPACK_IMPORTED_MODULE_0__/* .claimStates */ .jR),
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
                description: cut(deps.describe(record)),
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
    if (!(0,_identity_js__WEBPACK_IMPORTED_MODULE_1__/* .isSameAccount */ .s)(creator, deps.identity.login))
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
    return state === "unknown" || state === "released" ? "error" : "pending";
}
function cut(text) {
    return text.length <= maxDescriptionLength ? text : `${text.slice(0, maxDescriptionLength - 1)}…`;
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
    const payload = Buffer.from(JSON.stringify(fragment)).toString("base64url");
    return `docs-automation:v1.${payload}.${seal.keyId}.${seal.sign(place, payload)}`;
}
const packed = /^(.*)#docs-automation:v1\.([\w-]+)\.([0-9a-f]{8})\.([\w-]{43})$/;
function readRecord(url, { place, seal }) {
    const [, runUrl = "", payload = "", keyId = "", signature = ""] = packed.exec(url) ?? [];
    const isOtherKey = keyId !== seal.keyId;
    if (payload === "" || (!isOtherKey && !seal.verify(place, payload, signature)))
        return undefined;
    const parsed = Fragment.safeParse(decode(payload));
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
function decode(payload) {
    try {
        return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    }
    catch {
        return undefined; // Not JSON: not a record, as the schema will say.
    }
}


/***/ }),

/***/ 64385:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ic: () => (/* binding */ describeFailure),
/* harmony export */   ZO: () => (/* binding */ translateError),
/* harmony export */   c2: () => (/* binding */ statusOf),
/* harmony export */   sT: () => (/* binding */ retryAfterOf)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(961);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27121);
/** What a failed call to GitHub means: the HTTP status behind it, when it may be repeated, and the error that people see. */


/** The HTTP status of a failed call; Octokit gives 500 to one that got no answer. */
function statusOf(error) {
    if (typeof error !== "object" || error === null)
        return undefined;
    const { status } = error;
    return typeof status === "number" ? status : undefined;
}
/** GraphQL answers 200 with an error's type in it; these are the HTTP statuses that the REST API would have used. */
const statusOfGraphType = {
    FORBIDDEN: 403,
    INSUFFICIENT_SCOPES: 403,
    NOT_FOUND: 404,
    RATE_LIMITED: 429,
};
function statusOfGraphError(error) {
    if (!(error instanceof Error) || error.name !== "GraphqlResponseError")
        return undefined;
    const { errors } = error;
    return statusOfGraphType[errors?.[0]?.type ?? ""] ?? 502;
}
function isAnswered(error) {
    return typeof error === "object" && error !== null && error.response !== undefined;
}
/** Milliseconds that GitHub asked to wait; `undefined` where it did not. */
function retryAfterOf(error) {
    if (typeof error !== "object" || error === null)
        return undefined;
    const value = error.response?.headers?.["retry-after"];
    const seconds = Number(value);
    return value === undefined || Number.isNaN(seconds) ? undefined : seconds * 1000;
}
/** The failure in its own words. */
function describeFailure(error) {
    return error instanceof Error ? error.message : String(error);
}
/** The error to throw for a failed call: GitHubErrors and bugs stay what they are. */
function translateError(error, purpose) {
    if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_ || error instanceof TypeError)
        return error;
    if (!(error instanceof zod__WEBPACK_IMPORTED_MODULE_1__/* .ZodError */ .G))
        return translateFailure(error, purpose);
    const message = `GitHub's answer is not what it should be; could not ${purpose.doing}.`;
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_("unexpected-response", message, { cause: error });
}
function translateFailure(error, { doing, permission }) {
    const status = statusOf(error) ?? statusOfGraphError(error);
    const reason = describeFailure(error);
    const isRateLimit = status === 429 || (status === 403 && /rate limit/i.test(reason));
    if (status === 401) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_("unauthorized", `GitHub refused the token; it could not ${doing}.`, {
            hint: "Pass a valid token as `github-token`, or leave the input out.",
            status,
            cause: error,
        });
    }
    if (isRateLimit) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_("rate-limited", `GitHub's rate limit is used up; could not ${doing}.`, {
            hint: "Run again later.",
            status,
            cause: error,
        });
    }
    if (status === 403 && /locked/i.test(reason)) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_("conflict", `GitHub would not ${doing}: the conversation is locked.`, {
            hint: "Unlock the conversation, or ask in another place.",
            retryable: false,
            status,
            cause: error,
        });
    }
    if (status === 403)
        return (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .missingPermission */ .Up)(permission, { doing, status, cause: error });
    const isGone = status === 404 || status === 410;
    if (!isAnswered(error)) {
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_("unreachable", `GitHub did not answer when asked to ${doing}: ${withStop(reason)}`, { cause: error });
    }
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .GitHubError */ .y_(isGone ? "not-found" : "unavailable", `GitHub could not ${doing}: ${withStop(reason)}`, {
        hint: `Check that the job's \`permissions:\` hold \`${permission}\`, then run again.`,
        status,
        cause: error,
    });
}
function withStop(text) {
    return /[.!?…]$/.test(text) ? text : `${text}.`;
}


/***/ }),

/***/ 2450:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  b: () => (/* binding */ keepVisibleText)
});

// EXTERNAL MODULE: ./node_modules/unist-util-visit/lib/index.js
var lib = __webpack_require__(73617);
;// CONCATENATED MODULE: ./.build/lib/github/html-scan.js
/** What a browser shows of raw HTML inside Markdown: a scanner that carries its state from one piece to the next. */
/** The state in which text is shown. */
const shownText = { inside: "text" };
const neverShown = new Set("script style template noscript noembed noframes iframe object head title textarea svg math xmp plaintext".split(" "));
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));
/** Finds what is not shown in a piece of HTML that begins in `state`, and the state it ends in. */
function scanHtml(source, state) {
    const unseen = [];
    let current = state;
    let offset = 0;
    while (offset < source.length) {
        const step = current.inside === "text" ? openNext(source, offset) : closeOpen(source, offset, current);
        if (step.unseen)
            unseen.push(step.unseen);
        current = step.state;
        offset = step.end;
    }
    return { unseen, state: current };
}
const closings = { comment: /--!?>/g, tag: />/g };
function closeOpen(source, start, state) {
    const closing = state.inside === "element"
        ? new RegExp(`</${state.name}(?=[\\s/>])[^>]*>`, "gi")
        : closings[state.inside];
    closing.lastIndex = start;
    const found = closing.exec(source);
    const end = found ? found.index + found[0].length : source.length;
    return { end, state: found ? shownText : state, unseen: html_scan_hidden(start, end) };
}
/** Next construct in shown text: a comment (also an empty, bogus or unfinished one), a tag, or nothing. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;
function openNext(source, from) {
    construct.lastIndex = from;
    const found = construct.exec(source);
    if (!found)
        return { end: source.length, state: shownText };
    const start = found.index;
    const opening = found[0];
    const afterOpening = start + opening.length;
    if (opening === "<!--") {
        return { end: afterOpening, state: { inside: "comment" }, unseen: html_scan_hidden(start, afterOpening) };
    }
    if (opening.startsWith("<!--"))
        return { end: afterOpening, state: shownText, unseen: html_scan_hidden(start, afterOpening) };
    if (!/[a-z]/i.test(opening)) {
        return { end: afterOpening, state: { inside: "tag" }, unseen: html_scan_hidden(start, afterOpening) };
    }
    return openTag({ source, start, afterName: afterOpening, opening });
}
/** The rest of a tag after its name: attributes (quotes may hold `>`), then the end. */
const attributes = /(?:[^"'>]|"[^"]*"|'[^']*')*>/y;
function openTag({ source, start, afterName, opening }) {
    const name = opening.replace(/^<\/?/, "").toLowerCase();
    attributes.lastIndex = afterName;
    const rest = attributes.exec(source)?.[0];
    if (rest === undefined)
        return { end: source.length, state: { inside: "tag" }, unseen: html_scan_hidden(start, source.length) };
    const end = afterName + rest.length;
    const opens = !opening.startsWith("</") && neverShown.has(name);
    const replacement = separating.has(name) ? " " : "";
    const hidesText = !/^[\s/]*(?:open[\s/]*)?$/.test(rest.slice(0, -1));
    return {
        end,
        state: opens ? { inside: "element", name } : shownText,
        unseen: { start, end, hidesText, replacement },
    };
}
function html_scan_hidden(start, end) {
    return { start, end, hidesText: true, replacement: "" };
}

;// CONCATENATED MODULE: ./.build/lib/github/keep-url.js
const schemes = /^(?:https?:|mailto:)/i;
/** A link's address as it may stay in the text, or `undefined` where GitHub would not link it or it could hold prose. */
function keepUrl(url) {
    if (url.length === 0 || url.length > 2000 || /\s/.test(url))
        return undefined;
    if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !schemes.test(url))
        return undefined;
    return url.replace(/[()<>\\"'[\]]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

;// CONCATENATED MODULE: ./.build/lib/github/lookalike-comment.js
/** Text that is shown as it stands, but is an HTML comment wherever it is decoded once more. */
const lessThan = "(?:<|&lt;?|&LT;?|&#0*60;?|&#[xX]0*3[cC];?)";
const bang = "(?:!|&excl;|&#0*33;?|&#[xX]0*21;?)";
const dash = "(?:-|&hyphen;|&dash;|&#0*45;?|&#[xX]0*2[dD];?)";
const greaterThan = "(?:>|&gt;?|&GT;?|&#0*62;?|&#[xX]0*3[eE];?)";
const backslash = "\\\\?";
/** Its beginning, in any spelling. */
const lookalikeStart = new RegExp(`${backslash}${lessThan}${backslash}${bang}${backslash}${dash}${backslash}${dash}`);
/** Its end, in any spelling. */
const lookalikeEnd = new RegExp(`${dash}${backslash}${dash}${backslash}${bang}?${backslash}${greaterThan}`);

// EXTERNAL MODULE: ./.build/lib/github/markdown.js
var github_markdown = __webpack_require__(36667);
;// CONCATENATED MODULE: ./.build/lib/github/find-unseen.js





/** Finds, in document order and without overlaps, the stretches of `source` that GitHub does not show. */
function findUnseen(source, tree) {
    const search = new UnseenSearch(source, tree);
    search.walk(tree);
    return mergeAdjacent(search.found);
}
/** Pieces of one hidden stretch (a comment's start and its rest) count as one. */
function mergeAdjacent(found) {
    const merged = [];
    for (const part of found) {
        const last = merged.at(-1);
        const continues = last?.end === part.start && last.hidesText && part.hidesText && !last.replacement;
        if (continues)
            merged.splice(-1, 1, { ...part, start: last.start });
        else
            merged.push(part);
    }
    return merged;
}
/**
 * One walk over a document. Raw HTML changes what is shown of everything after it (an open comment swallows the rest
 * of the page), so the walk carries the scanner's state from node to node.
 */
class UnseenSearch {
    found = [];
    #source;
    #definitions = new Map();
    #usedFootnotes = new Set();
    #html = shownText;
    /** Whether text that reads like a comment once its entities are decoded has begun and not ended in this block. */
    #insideLookalike = false;
    constructor(source, tree) {
        this.#source = source;
        (0,lib/* visit */.YR)(tree, (node) => {
            if (node.type === "footnoteReference")
                this.#usedFootnotes.add(node.identifier);
            if (node.type === "definition" && !this.#definitions.has(node.identifier)) {
                this.#definitions.set(node.identifier, node);
            }
        });
    }
    walk(node) {
        if (node.type === "html")
            this.#walkHtml(node);
        else if (this.#isSwallowed(node))
            this.#cut({ node, hidesText: true });
        else
            this.#walkRendered(node);
    }
    #walkRendered(node) {
        switch (node.type) {
            case "text":
                this.#walkText(node);
                break;
            case "code":
                this.#walkCode(node);
                break;
            case "definition":
                this.#cut({ node, hidesText: Boolean(node.title) || !this.#isLinkedTo(node) });
                break;
            case "footnoteDefinition":
                if (this.#usedFootnotes.has(node.identifier))
                    this.#walkChildren(node.children);
                else
                    this.#cut({ node, hidesText: true });
                break;
            case "image":
            case "imageReference":
                this.#cut({
                    node,
                    hidesText: Boolean(node.alt || ("title" in node && node.title)),
                    replacement: "(image)",
                });
                break;
            case "link":
            case "linkReference":
                this.#walkLink(node);
                break;
            case "table":
                this.#walkTable(node);
                break;
            default:
                this.#walkContainer(node);
        }
    }
    #walkContainer(node) {
        if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell")
            this.#insideLookalike = false;
        if ("children" in node)
            this.#walkChildren(node.children);
    }
    #walkChildren(children) {
        for (const child of children)
            this.walk(child);
    }
    #isSwallowed(node) {
        const isLeaf = !("children" in node);
        if (isLeaf && this.#html.inside !== "text")
            return true;
        return isLeaf && this.#insideLookalike && node.type !== "text";
    }
    #isLinkedTo(definition) {
        return new RegExp(`\\[${escapePattern(definition.label ?? definition.identifier)}\\](?!:)`, "i").test(this.#source);
    }
    #cut({ node, hidesText, replacement = "", }) {
        this.found.push({ ...(0,github_markdown/* rangeOf */.b)(node), hidesText, replacement });
    }
    #walkHtml(node) {
        const { start, end } = (0,github_markdown/* rangeOf */.b)(node);
        const scanned = scanHtml(this.#source.slice(start, end), this.#html);
        this.#html = scanned.state;
        for (const part of scanned.unseen) {
            this.found.push({ ...part, start: start + part.start, end: start + part.end });
        }
    }
    /** Text that decodes to an HTML comment is shown here, but turns invisible wherever it is decoded once more. */
    #walkText(node) {
        const { start, end } = (0,github_markdown/* rangeOf */.b)(node);
        let offset = start;
        while (offset < end) {
            offset = this.#insideLookalike ? this.#cutLookalike(offset, end) : this.#findLookalike(offset, end);
        }
    }
    #findLookalike(start, end) {
        const found = lookalikeStart.exec(this.#source.slice(start, end));
        this.#insideLookalike = found !== null;
        return found ? start + found.index : end;
    }
    #cutLookalike(start, end) {
        const found = lookalikeEnd.exec(this.#source.slice(start, end));
        this.#insideLookalike = found === null;
        const cutEnd = found ? start + found.index + found[0].length : end;
        this.found.push({ start, end: cutEnd, hidesText: true, replacement: "" });
        return cutEnd;
    }
    /** Of the line after the fence GitHub shows nothing; its first word, the language, is worth keeping if it is one. */
    #walkCode(node) {
        if (!node.meta && (!node.lang || /^[\w+#.-]{1,30}$/.test(node.lang)))
            return;
        const { start } = (0,github_markdown/* rangeOf */.b)(node);
        const firstLine = /^.*/.exec(this.#source.slice(start))?.[0] ?? "";
        const fence = /^[`~]+/.exec(firstLine)?.[0] ?? "";
        const language = node.lang && /^[\w+#.-]{1,30}$/.test(node.lang) ? node.lang : "";
        const end = start + firstLine.length;
        this.found.push({ start: start + fence.length, end, hidesText: true, replacement: language });
    }
    #walkLink(node) {
        const { start, end } = (0,github_markdown/* rangeOf */.b)(node);
        const last = node.children.at(-1);
        if (this.#source[start] !== "[")
            return;
        if (!last) {
            this.#cut({ node, hidesText: true });
            return;
        }
        const target = node.type === "link" ? node : this.#definitions.get(node.identifier);
        const url = target ? keepUrl(target.url) : undefined;
        const tail = url === undefined ? "" : `](${url})`;
        const textEnd = (0,github_markdown/* rangeOf */.b)(last).end;
        const isPlain = this.#source.slice(textEnd, end) === tail;
        if (url === undefined)
            this.found.push({ start, end: start + 1, hidesText: false, replacement: "" });
        this.#walkChildren(node.children);
        const hidesText = node.type === "link" && (Boolean(node.title) || url === undefined);
        if (!isPlain)
            this.found.push({ start: textEnd, end, hidesText, replacement: tail });
    }
    /** Cells beyond the width of the header row are not rendered. */
    #walkTable(table) {
        const width = table.children[0]?.children.length ?? 0;
        for (const row of table.children) {
            this.#walkChildren(row.children.slice(0, width));
            for (const cell of row.children.slice(width))
                this.#cut({ node: cell, hidesText: true });
        }
    }
}
function escapePattern(text) {
    return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

// EXTERNAL MODULE: ./.build/lib/github/invisible-characters.js
var invisible_characters = __webpack_require__(77564);
;// CONCATENATED MODULE: ./.build/lib/github/visible-text.js
/** Reduces Markdown that people wrote to what GitHub shows of it, so that nothing hidden reaches a model. */



/** Cutting can make new constructs of what stood on both sides; real texts settle in two rounds. */
const maxRounds = 20;
/**
 * Keeps the parts of a Markdown text that GitHub renders, unchanged, and counts what it cut.
 *
 * Applied to its own result it changes nothing. A text built so that cutting never settles, or nested beyond reading, is dropped whole.
 */
function keepVisibleText(markdown) {
    const { text: source, dropped } = (0,invisible_characters/* stripInvisibleCharacters */.G)(markdown);
    let text = source;
    let hiddenSegments = 0;
    for (let round = 0; round < maxRounds; round += 1) {
        const tree = (0,github_markdown/* parseMarkdown */.D)(text);
        if (!tree)
            break;
        const cuts = findUnseen(text, tree);
        if (cuts.length === 0)
            return { text: text.trim(), hiddenSegments, invisibleCharacters: dropped };
        hiddenSegments += cuts.filter((cut) => cut.hidesText).length;
        text = applyCuts(text, cuts);
    }
    return { text: "", hiddenSegments: hiddenSegments + 1, invisibleCharacters: dropped };
}
function applyCuts(source, cuts) {
    let result = "";
    let offset = 0;
    for (const { start, end, replacement } of cuts) {
        result += source.slice(offset, start) + replacement;
        offset = Math.max(offset, end);
    }
    return result + source.slice(offset);
}


/***/ }),

/***/ 15588:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   fU: () => (/* binding */ formatTime),
/* harmony export */   z3: () => (/* binding */ formatBytes)
/* harmony export */ });
/** Numbers and times as people read them; pure and independent of locale and time zone. */
/** Bytes in decimal units: "1.4 GB". */
function formatBytes(bytes) {
    const units = ["bytes", "kB", "MB", "GB", "TB"];
    let value = bytes;
    let unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
    }
    return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
/** A duration: "42 s", "3 min 5 s", "2 h 4 min". */
function formatDuration(ms) {
    const seconds = Math.max(0, Math.round(ms / 1000));
    if (seconds < 60)
        return `${seconds} s`;
    if (seconds < 3600)
        return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
/** A point in time in UTC: "2026-11-21 07:30 UTC". */
function formatTime(date) {
    return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}


/***/ }),

/***/ 15893:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ introducePullRequestText)
/* harmony export */ });
/* harmony import */ var _escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(53544);
/** Our one comment on a pull request of the agent. */

function introducePullRequestText({ jobId, source, triggerPhrase }) {
    const where = source !== undefined && URL.canParse(source) ? ` for [this request](${new URL(source).href})` : "";
    return [
        `Agent job ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(jobId)} made this pull request${where}.`,
        `Comment ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(`${triggerPhrase} …`)} here to have it changed.`,
    ].join(" ");
}


/***/ }),

/***/ 49917:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ describeStatus),
/* harmony export */   u: () => (/* binding */ renderStatusComment)
/* harmony export */ });
/* harmony import */ var _escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(53544);
/* harmony import */ var _format_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(15588);
/** The one status comment of a request, and the sentence of a commit status: always true, whatever became of the runner. */


const resume = "Re-run the workflow to wait for it again; the same job is resumed, none is started.";
const restart = "Nothing was started. Re-run the workflow to start.";
/** Why nobody waits for a job that goes on. */
const pauses = {
    cancelled: "The workflow was cancelled, so nobody waits for it here.",
    "timed-out": "It took longer than `timeout-minutes`, so nobody waits for it here any more.",
    detached: "Nobody waits for it here (`wait: false`).",
    failed: "The run that waited for it could not go on.",
    interrupted: "The run that waited for it ended early.",
};
/** Why nothing was started. */
const releases = {
    cancelled: "The workflow was cancelled before anything was sent.",
    "timed-out": "Time ran out before anything was sent.",
    "rate-limited": "The platform's limit of jobs is used up for longer than this run may wait.",
    skipped: "The request was taken back before it was sent.",
    interrupted: "The run ended before anything was sent.",
};
const ends = {
    "no-pull-request": {
        title: "completed, no pull request",
        text: "The agent completed the job and reports no pull request: either nothing needed to change, or the project commits without one.",
    },
    failed: {
        title: "failed",
        text: "The agent gave up on the job.",
        next: "Comment again to start a new job; a re-run shows the same end.",
    },
    archived: {
        title: "archived",
        text: "The job was archived at the platform before it was completed.",
        next: "Comment again to start a new job; a re-run shows the same end.",
    },
};
function describe(status) {
    const job = status.jobId === undefined ? "The job" : `Job ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(status.jobId)}`;
    switch (status.state) {
        case "claimed":
            return status.outcome === undefined
                ? { title: "starting", text: "The request is taken; nothing has been sent yet." }
                : {
                    title: "queued",
                    text: `The platform's limit of jobs is used up: ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(status.outcome)}. Nothing has been sent yet.`,
                };
        case "submitting":
            return {
                title: "starting",
                text: "The request is being sent to the platform. If this stays, the runner was lost while it waited for the answer.",
            };
        case "working":
            return status.outcome === undefined
                ? { title: "working", text: `${job} is running at the platform.` }
                : {
                    title: "still running",
                    text: `${job} goes on at the platform. ${pauses[status.outcome] ?? pauses["failed"]}`,
                    next: resume,
                };
        case "unknown":
            return {
                title: "unknown",
                text: "The request was sent, but the platform's answer was lost: a job may have been started. It is not sent again, so that nothing is done twice.",
                next: "If a pull request appears, a re-run shows it here. To start all the same, comment again, or re-run with `on-ambiguous: resubmit`.",
            };
        case "released":
            return {
                title: "not started",
                text: releases[status.outcome ?? ""] ?? "The platform did not take the request.",
                next: restart,
            };
        case "ended":
            return describeEnd(status);
    }
}
function describeEnd({ outcome = "", pullRequestUrl }) {
    if (outcome === "pull-request" && pullRequestUrl !== undefined) {
        return { title: "pull request", text: `The agent opened ${pullRequestLink(pullRequestUrl)}.` };
    }
    return ends[outcome] ?? { title: (0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(outcome), text: "The job has ended." };
}
/** A link to a verified pull request: its number, without the text of its title. */
function pullRequestLink(url) {
    const number = /\/pull\/(\d+)\/?$/.exec(url)?.[1];
    return `[pull request${number === undefined ? "" : ` ${number}`}](${url.replace(/[()\s<>]/g, encodeURIComponent)})`;
}
/** The status as Markdown; at most a few thousand characters. */
function renderStatusComment(status, { nowMs }) {
    const words = describe(status);
    return [
        `### Docs ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(status.command)}: ${words.title}`,
        "",
        words.text,
        ...(status.message === undefined ? [] : ["", (0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(status.message)]),
        ...(words.next === undefined ? [] : ["", words.next]),
        ...quoteRequest(status),
        "",
        ...renderFacts(status, nowMs),
        ...(status.notes?.length ? [""] : []),
        ...(status.notes ?? []).map((note) => `- ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(note)}`),
    ].join("\n");
}
function quoteRequest({ request, requester }) {
    if (request === undefined || request.trim() === "")
        return [];
    const lines = request.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `> ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(line)}`);
    return ["", ...(requester === undefined ? [] : [`Requested by ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(requester)}:`, ""]), ...lines];
}
function renderFacts({ state, jobId, runUrl, claimedAt }, nowMs) {
    const elapsedMs = nowMs - Date.parse(claimedAt);
    const isOver = state === "ended";
    const time = isOver
        ? ["Took", (0,_format_js__WEBPACK_IMPORTED_MODULE_1__/* .formatDuration */ .a3)(Math.max(0, elapsedMs))]
        : ["Since", Number.isNaN(elapsedMs) ? "" : (0,_format_js__WEBPACK_IMPORTED_MODULE_1__/* .formatTime */ .fU)(new Date(claimedAt))];
    const facts = [
        ...(jobId === undefined ? [] : [["Job", (0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .codeCell */ .MZ)(jobId)]]),
        ...(Number.isNaN(elapsedMs) ? [] : [time]),
        ...(runUrl === undefined || !URL.canParse(runUrl) ? [] : [["Run", `[log](${new URL(runUrl).href})`]]),
    ];
    if (facts.length === 0)
        return [];
    return ["| | |", "|---|---|", ...facts.map(([name, value]) => `| ${name} | ${value} |`)];
}
/** The status in one plain sentence, for a commit status. */
function describeStatus(status) {
    const { title } = describe(status);
    const job = status.jobId === undefined ? "" : `, job ${status.jobId}`;
    const pull = /\/pull\/(\d+)\/?$/.exec(status.pullRequestUrl ?? "")?.[1];
    const isPaused = status.state === "working" && status.outcome !== undefined;
    return `Docs ${status.command}: ${title}${pull === undefined ? "" : ` #${pull}`}${job}${isPaused ? "; re-run to resume" : ""}`;
}


/***/ })

};
