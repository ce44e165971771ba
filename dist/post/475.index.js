export const id = 475;
export const ids = [475];
export const modules = {

/***/ 8475:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  finishAgent: () => (/* binding */ finishAgent)
});

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./.build/lib/clock.js
/** Time as a dependency, so that every wait can be tested as a schedule. */

const systemClock = {
    now: () => Date.now(),
    async sleep(ms, signal) {
        signal.throwIfAborted();
        await (0,promises_.setTimeout)(ms, undefined, { signal }).catch((error) => {
            signal.throwIfAborted();
            throw error;
        });
    },
};

// EXTERNAL MODULE: ./.build/lib/github/claims/claim-record.js
var claim_record = __webpack_require__(3500);
;// CONCATENATED MODULE: ./.build/lib/commands/submission/finish-claim.js

/** A claim that was on its way when its run ended may appear a little later: looks, and the time between two. */
const lateLooks = { times: 3, everyMs: 1_500 };
/**
 * Makes the record of a killed run true: what was not sent is released, what may have been sent is unknown, what runs
 * goes on without anybody waiting, or ended with its embedded platform.
 */
async function finishClaim({ saved, isEmbedded }, deps) {
    const { claims, log } = deps;
    const claim = await findClaim(saved, deps);
    if (!claim || claim.isUnverifiable)
        return;
    // The main step may have known the job before it could write it down; otherwise what is written is further than what is saved.
    const known = saved.jobId === undefined ? claim.record : { ...claim.record, ...saved };
    const truth = (0,claim_record/* isSettled */.Is)(saved) ? saved : truthOf(known, { isEmbedded });
    if (!truth || (0,claim_record/* isSettled */.Is)(claim.record))
        return;
    await claims.update(claim, truth);
    log.info(`The status of the interrupted request was corrected: ${truth.state}.`);
}
/** The record that the run held, told by its owner. */
async function findClaim({ owner, state }, { claims, clock, signal }) {
    const looks = state === "claimed" ? lateLooks.times : 1;
    for (let look = 1;; look += 1) {
        const claim = (await claims.list()).find(({ record }) => record.owner === owner);
        if (claim || look === looks)
            return claim;
        await clock.sleep(lateLooks.everyMs, signal);
    }
}
function truthOf(record, { isEmbedded }) {
    switch (record.state) {
        case "claimed":
            return { ...record, state: "released", outcome: "interrupted" };
        case "submitting":
            return { ...record, state: "unknown" };
        case "working":
            return record.outcome === undefined
                ? { ...record, outcome: isEmbedded ? "stopped" : "interrupted" }
                : undefined;
        default:
            return undefined;
    }
}

// EXTERNAL MODULE: ./.build/lib/github/claims/seal.js
var claims_seal = __webpack_require__(8099);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var errors = __webpack_require__(7121);
;// CONCATENATED MODULE: ./.build/lib/github/changes/compare-commits.js
/** What lies between two states of the repository, as GitHub compares them. */


const purpose = { doing: "compare commits", permission: "contents: read" };
/** GitHub lists at most so many files of a comparison or a commit page. */
const maxComparedFiles = 300;
/** Commits whose files are looked up one by one where the comparison's list is cut. */
const maxCommitsLookedUp = 50;
/** Compares two states; `undefined` where one of them is not there any more, or is no commit but an annotated tag's object. */
async function compare_commits_compareCommits({ base, head }, api) {
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
    const listed = unique((first.files ?? []).map(compare_commits_toFile));
    const notes = [
        ...(status === "diverged"
            ? ["The two states have diverged; changes are counted from where they parted."]
            : []),
        ...(commits.length < total ? [`Only ${commits.length} of its ${total} commits are looked at.`] : []),
    ];
    const facts = { url, titles: commits.map(({ commit }) => compare_commits_firstLine(commit.message)), notes };
    if (listed.length < maxComparedFiles)
        return { ...facts, files: listed, isComplete: true };
    const shas = commits.map(({ sha }) => sha);
    const more = await compare_commits_filesOfCommits(shas, api);
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
async function compare_commits_filesOfCommits(shas, api) {
    const files = [];
    let isComplete = shas.length <= maxCommitsLookedUp;
    for (const ref of shas.slice(-maxCommitsLookedUp)) {
        const pages = await api.call(purpose, (octokit, target) => collectPages((page) => octokit.rest.repos.getCommit({ ...target, ref, per_page: 100, page })));
        const listed = pages.flatMap((page) => page.files ?? []);
        files.push(...listed.map(compare_commits_toFile));
        // A list of exactly that length may be a cut one.
        if (listed.length > 0 && listed.length % maxComparedFiles === 0)
            isComplete = false;
    }
    return { files: unique(files), isComplete };
}
/** A file of the REST API in our terms. */
function compare_commits_toFile({ filename, status, previous_filename }) {
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
        if ([404, 422].includes(statusOfCause(error) ?? 0))
            return undefined;
        throw error;
    }
}
/** A commit message's title. */
function compare_commits_firstLine(message) {
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
function changes_readChanges(event, api) {
    switch (event.type) {
        case "written":
            return readPullRequestFiles(event.thread, { range: `pull request #${event.thread.number}`, api });
        case "push":
            return readPush(event, api);
        case "pull-request":
            return changes_readPullRequest(event, api);
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
            range: `${name}, ${short(base ?? "")}...${short(head.id)}`,
            notes: [...notes, ...compared.notes],
        };
    // No base to compare with: it is gone, or there never was one. The commits of the payload are what is known.
    const commits = event.commits.length > 0 ? event.commits : [head];
    const files = await filesOfCommits(commits.map(({ id }) => id), api);
    return {
        ...files,
        range: `${name}, up to ${short(head.id)}`,
        url: undefined,
        titles: commits.map(({ message }) => firstLine(message)).filter((title) => title !== ""),
        notes: [...notes, "There is no earlier state to compare with; these are the commits of the push."],
    };
}
function changes_readPullRequest({ thread, base, head, mergeSha }, api) {
    return readPullRequestFiles(thread, {
        range: `${base.ref}, ${short(base.sha)}...${short(mergeSha ?? head.sha)}`,
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

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 13 modules
var schemas = __webpack_require__(5491);
;// CONCATENATED MODULE: ./.build/lib/github/changes/newest-commit-before.js

const Commits = schemas/* array */.YOg(schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }));
/**
 * The newest commit of the default branch at a point in time: the same for every run that asks, however the branch moves
 * on. `undefined` for a time before its first commit.
 */
async function newest_commit_before_newestCommitBefore(time, api) {
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

// EXTERNAL MODULE: ./.build/lib/github/comments/thread-comments.js + 4 modules
var thread_comments = __webpack_require__(4923);
// EXTERNAL MODULE: ./.build/lib/github/event/live-text.js
var live_text = __webpack_require__(9089);
;// CONCATENATED MODULE: ./.build/lib/github/pull-requests/decorate-pull-request.js

/** Applies what is asked for; each failure is a warning, for the pull request itself is there. */
async function decorate_pull_request_decoratePullRequest(pull, { labels, reviewers, draft }, { api, log }) {
    const attempt = async (work) => {
        try {
            await work;
        }
        catch (error) {
            if (!(error instanceof GitHubError))
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

// EXTERNAL MODULE: ./.build/lib/github/claims/comment-claims.js + 1 modules
var comment_claims = __webpack_require__(3971);
// EXTERNAL MODULE: ./.build/lib/github/people/identity.js
var identity = __webpack_require__(1190);
;// CONCATENATED MODULE: ./.build/lib/github/pull-requests/pull-requests.js
/** The agent's pull requests: whether a reported one is genuine, which ones are ours, and what a workflow wants done with them. */






/** The job behind a pull request of ours, in the marker of the comment that introduces it. */
const Origin = schemas/* object */.Ikc({ project: schemas/* string */.YjP(), jobId: schemas/* string */.YjP(), source: schemas/* string */.YjP().optional() });
/** What reading pull requests is for, and needs. */
const pull_requests_pullsPurpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** What a prompt asks the agent to write; a text that only mentions or quotes the word is somebody else's. */
const referenceLine = /^(?!\s*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;
/**
 * A pull request of this or another repository; `undefined` where this repository has none with that number, `hidden`
 * where the token cannot see it.
 */
async function pull_requests_readPullRequest({ owner, name, number }, api) {
    const isHome = `${owner}/${name}`.toLowerCase() === `${api.repository.owner}/${api.repository.name}`.toLowerCase();
    try {
        const { data } = await api.call(pull_requests_pullsPurpose, (octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
        return pull_requests_toPullRequest(data);
    }
    catch (error) {
        const status = statusOfCause(error);
        if (status === 403 || (!isHome && status === 404))
            return "hidden";
        if (status === 404)
            return undefined;
        throw error;
    }
}
/** The job behind one of our pull requests: told by our own, signed comment on it. */
async function pull_requests_readOrigin(pull, deps) {
    return (await listOrigins(pull, deps))[0]?.origin;
}
/** Our comments on a pull request that say which job made it, oldest first. */
async function listOrigins({ number, nodeId = "" }, { api, identity, seal }) {
    const thread = { kind: "pull-request", number, nodeId };
    const comments = await createThreadComments(thread, api).list();
    return comments.flatMap(({ author, body, id }) => {
        if (!isSameAccount(author, identity.login))
            return [];
        const place = { repositoryId: api.repository.id, thread: threadKey(thread), comment: String(id) };
        const marker = readMarker(body, { kind: "origin", schema: Origin, place, seal });
        return marker.kind === "valid" ? [{ id, origin: marker.value }] : [];
    });
}
/** Says on a pull request which job made it; once, also where two runs do it at the same time. */
async function pull_requests_introducePullRequest({ number, text, origin }, deps) {
    if (await pull_requests_readOrigin({ number }, deps))
        return;
    const { api, seal } = deps;
    const thread = { kind: "pull-request", number, nodeId: "" };
    const place = { repositoryId: api.repository.id, thread: threadKey(thread), comment: "new" };
    const comments = createThreadComments(thread, api);
    const created = await comments.create(`${text}\n\n${writeMarker("origin", origin, { place, seal })}`);
    const [first] = await listOrigins({ number }, deps);
    if (first && first.id < created.id)
        await comments.remove(created);
}
/** How many of our pull requests are open; stops counting at `limit`. */
async function pull_requests_countOpenOwn(limit, deps) {
    const pulls = await deps.api.call(pull_requests_pullsPurpose, (octokit, target) => octokit.paginate(octokit.rest.pulls.list, { ...target, state: "open", per_page: 100 }));
    let count = 0;
    for (const pull of pulls) {
        if (count >= limit)
            break;
        if (await pull_requests_isOwn(pull_requests_toCandidate(pull), deps))
            count += 1;
    }
    return count;
}
/** Whether a pull request is ours: by our comment on it, or by the reference in it if it is not from a fork. */
async function pull_requests_isOwn({ number, body, isFork }, deps) {
    return (!isFork && referenceLine.test(body)) || (await pull_requests_readOrigin({ number }, deps)) !== undefined;
}
/** A pull request of the REST API as far as it tells whose it is. */
function pull_requests_toCandidate({ number, body, ...sides }) {
    return { number, body: body ?? "", isFork: pull_requests_isFork(sides) };
}
/** Whether a pull request's branch is in another repository than its base. */
function pull_requests_isFork({ head, base }) {
    return head.repo?.id !== base.repo.id;
}
/** A pull request of the REST API in our terms. */
function pull_requests_toPullRequest({ number, node_id, html_url, title, draft, state, }) {
    return { number, nodeId: node_id, url: html_url, title, isDraft: draft ?? false, isOpen: state === "open" };
}

;// CONCATENATED MODULE: ./.build/lib/github/pull-requests/find-by-reference.js

/** How far ahead of GitHub's a runner's clock may be; looking further back finds nothing wrong, for a reference is unique. */
const maxClockSkewMs = (/* unused pure expression or super */ null && (24 * 60 * 60_000));
/**
 * The pull request opened since a claim that carries the claim's reference, in its description, title or branch; one
 * from a fork is not the agent's, whoever wrote the reference into it.
 */
async function find_by_reference_findByReference(search, api) {
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
    const { data } = await api.call(pullsPurpose, (octokit, target) => {
        const order = { state: "all", sort: "created", direction: "desc" };
        return octokit.rest.pulls.list({ ...target, ...order, per_page: pullsPerPage, page });
    });
    return data.map((pull) => ({
        pull: toPullRequest(pull),
        createdAt: pull.created_at,
        texts: isFork(pull) ? [] : [pull.body ?? "", pull.title, pull.head.ref],
    }));
}

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
async function is_from_own_pull_request_isFromOwnPullRequest(push, deps) {
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
        const known = judged.get(pull.number) ?? (await isOwn(toCandidate(pull), deps));
        judged.set(pull.number, known);
        return known;
    };
    return async (sha) => {
        for (const pull of await is_from_own_pull_request_listPulls(sha, deps)) {
            const isItsBranch = pull.head.repo?.id === pull.base.repo.id && ref === `refs/heads/${pull.head.ref}`;
            // A rewritten history also took something away, and that was no pull request.
            const isItsMerge = Boolean(pull.merged_at) && !forced;
            if ((isItsBranch || isItsMerge) && (await isOurs(pull)))
                return pull;
        }
        return undefined;
    };
}
async function is_from_own_pull_request_listPulls(sha, { api }) {
    try {
        return await api.call(is_from_own_pull_request_purpose, (octokit, target) => octokit.paginate(octokit.rest.repos.listPullRequestsAssociatedWithCommit, {
            ...target,
            commit_sha: sha,
            per_page: 100,
        }));
    }
    catch (error) {
        // A later push has taken the commit away.
        if (statusOfCause(error) === 422)
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

;// CONCATENATED MODULE: ./.build/lib/github/text/html-state.js
/** What raw HTML inside Markdown does to the text behind it: hides it, shrinks it, or neither. */
/** The state in which text is shown. */
const html_state_shownText = { inComment: false, hiding: undefined, shrunk: 0, isTangled: false };
/** What nothing brings back. */
const html_state_hiddenForGood = { name: undefined, depth: 1 };
/** Three nested `<sub>` can still be read; text of a third of its size cannot. */
const maxShrunk = 10;
/** True where text that follows is not shown, or cannot be read. */
function html_state_isHidden({ inComment, hiding, shrunk }) {
    return inComment || hiding !== undefined || shrunk > maxShrunk;
}
/** The state behind a block: elements that hide and are still open may now be closed where a browser ignores it. */
function html_state_leaveBlock(state) {
    const { hiding, shrunk } = state;
    const isForGood = hiding?.name !== undefined && trulyHiding.has(hiding.name);
    return { ...state, hiding: isForGood ? html_state_hiddenForGood : hiding, isTangled: shrunk > 0 };
}
/** Browsers show nothing of their content: a ruby's parentheses, templates, and what stands in for a player. */
const trulyHiding = new Set(["rp", "template", "video", "audio"]);
/** GFM's tag filter shows these as text; in a spelling that it misses they swallow the page. */
const html_state_filtered = new Set("script style title textarea xmp iframe noembed noframes plaintext".split(" "));
/** GitHub takes these tags out and shows their content; nobody writes prose there, so it goes if the element is closed. */
const doubtful = new Set([...html_state_filtered, ..."noscript object head svg math canvas".split(" ")]);
const shrinking = { sub: 3, sup: 3, small: 1 };
/** Inside these a browser ignores the end of an element that was opened outside. */
const special = new Set("address applet article aside blockquote body button center details dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main marquee menu nav object ol p pre search section select summary table tbody td tfoot th thead tr ul".split(" "));
/** Whether the content of an element is not shown, or not worth showing. */
function html_state_hides(name, isClosedLater) {
    return trulyHiding.has(name) || (doubtful.has(name) && isClosedLater(name));
}
/** The state behind the beginning of an element. */
function html_state_enterElement({ name, state, hides, }) {
    const shrunk = state.shrunk + (shrinking[name] ?? 0);
    const isTangled = state.isTangled || (shrunk > 0 && special.has(name));
    return { ...state, shrunk, isTangled, hiding: hideInside(name, state.hiding, hides) };
}
function hideInside(name, hiding, hides) {
    if (hiding?.name === name)
        return { name, depth: hiding.depth + 1 };
    const isTrulyHidden = hiding !== undefined && (hiding.name === undefined || trulyHiding.has(hiding.name));
    if (isTrulyHidden)
        return special.has(name) ? html_state_hiddenForGood : hiding;
    // What only may be hidden must not cover what is.
    if (hiding === undefined)
        return hides ? { name, depth: 1 } : undefined;
    return trulyHiding.has(name) ? { name, depth: 1 } : hiding;
}
/** The state behind the end of an element. */
function html_state_leaveElement(name, state) {
    const { hiding, isTangled } = state;
    const shrunk = isTangled ? state.shrunk : Math.max(0, state.shrunk - (shrinking[name] ?? 0));
    if (hiding === undefined || hiding.name !== name)
        return { ...state, shrunk };
    const depth = hiding.depth - 1;
    return { ...state, shrunk, hiding: depth === 0 ? undefined : { name, depth } };
}

;// CONCATENATED MODULE: ./.build/lib/github/text/html-tag.js
const pieces = {
    gap: /[\s/]*/y,
    name: /[^\s/>][^\s/>=]*/y,
    equals: /\s*=\s*/y,
    value: /"[^"]*"|'[^']*'|(?!["'])[^\s>]*/y,
};
/**
 * Where a tag ends whose name ends at `offset`, behind its `>`; `undefined` if it never does.
 *
 * Attributes are read as browsers read them (WHATWG HTML §13.2.5): a quote holds a `>` only as the beginning of a value.
 */
function html_tag_endOfTag(source, offset) {
    let at = offset;
    const take = (piece) => {
        piece.lastIndex = at;
        const isThere = piece.test(source);
        if (isThere)
            at = piece.lastIndex;
        return isThere;
    };
    while (at < source.length) {
        take(pieces.gap);
        if (source[at] === ">")
            return at + 1;
        if (!take(pieces.name))
            return undefined;
        if (take(pieces.equals) && !take(pieces.value))
            return undefined;
    }
    return undefined;
}

;// CONCATENATED MODULE: ./.build/lib/github/text/html-scan.js
/** What a reader sees of raw HTML inside Markdown: a scanner that carries its state from one piece to the next. */


/** Where a tag is taken out, the words beside it must not run together. */
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));
/** Finds what is not shown in a piece of HTML, and the state it ends in. */
function html_scan_scanHtml(source, scan) {
    const unseen = [];
    let { state } = scan;
    let offset = 0;
    while (offset < source.length) {
        if (state.hiding === hiddenForGood) {
            unseen.push(html_scan_hidden(offset, source.length));
            break;
        }
        const wasHidden = isHidden(state);
        const step = state.inComment
            ? closeComment(source, offset, state)
            : openNext({ source, from: offset, state, isClosedLater: scan.isClosedLater });
        if (wasHidden)
            unseen.push(html_scan_hidden(offset, step.end));
        else if (step.unseen)
            unseen.push(step.unseen);
        state = step.state;
        offset = step.end;
    }
    return { unseen, state };
}
function closeComment(source, start, state) {
    const closing = /--!?>/g;
    closing.lastIndex = start;
    const found = closing.exec(source);
    return found
        ? { end: closing.lastIndex, state: { ...state, inComment: false } }
        : { end: source.length, state };
}
/** Next construct: a comment (also an empty, bogus or unfinished one), a tag, or nothing. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;
function openNext({ source, from, state, isClosedLater }) {
    construct.lastIndex = from;
    const found = construct.exec(source);
    if (!found)
        return { end: source.length, state };
    const start = found.index;
    const opening = found[0];
    if (isHidden(state) && start > from)
        return { end: start, state };
    const end = start + opening.length;
    if (opening === "<!--")
        return { end, state: { ...state, inComment: true }, unseen: html_scan_hidden(start, end) };
    if (opening.startsWith("<!--"))
        return { end, state, unseen: html_scan_hidden(start, end) };
    if (!/[a-z]/i.test(opening))
        return skipBogus({ source, start, opening, state });
    return readTag({ source, start, opening, state, isClosedLater });
}
/** Declarations, instructions and nameless ends are comments to a browser, up to the first `>`. */
function skipBogus({ source, start, state }) {
    const closing = source.indexOf(">", start);
    const isCharacterData = state.hiding !== undefined && source.startsWith("<![CDATA[", start);
    if (closing < 0 || isCharacterData)
        return swallowRest(source, start, state);
    return { end: closing + 1, state, unseen: html_scan_hidden(start, closing + 1) };
}
function swallowRest(source, start, state) {
    return {
        end: source.length,
        state: { ...state, hiding: hiddenForGood },
        unseen: html_scan_hidden(start, source.length),
    };
}
function readTag({ source, start, opening, state, isClosedLater, }) {
    const name = opening.replace(/^<\/?/, "").toLowerCase();
    const afterName = start + opening.length;
    const end = endOfTag(source, afterName);
    if (end === undefined)
        return swallowRest(source, start, state);
    const attributes = source.slice(afterName, end - 1);
    const isFiltered = filtered.has(name) && /^(?:\s|\/?$)/.test(attributes);
    if (filtered.has(name) && !isFiltered)
        return { ...swallowRest(source, start, state), end };
    const isEnd = opening.startsWith("</");
    const next = isEnd
        ? leaveElement(name, state)
        : enterElement({ name, state, hides: hides(name, isClosedLater) });
    const isText = isFiltered && !isHidden(next) && attributes === "";
    if (isText)
        return { end, state: next };
    const hidesText = !/^[\s/]*(?:open[\s/]*)?$/.test(attributes) || isHidden(next);
    const replacement = separating.has(name) ? " " : "";
    return { end, state: next, unseen: { start, end, hidesText, replacement } };
}
function html_scan_hidden(start, end) {
    return { start, end, hidesText: true, replacement: "" };
}

;// CONCATENATED MODULE: ./.build/lib/github/text/lookalike-search.js
const lessThan = "(?:<|&lt;?|&LT;?|&#0*60;?|&#[xX]0*3[cC];?)";
const bang = "(?:!|&excl;|&#0*33;?|&#[xX]0*21;?)";
const dash = "(?:-|&hyphen;|&dash;|&#0*45;?|&#[xX]0*2[dD];?)";
const greaterThan = "(?:>|&gt;?|&GT;?|&#0*62;?|&#[xX]0*3[eE];?)";
const backslash = "\\\\?";
/** Its beginning, in any spelling. */
const lookalikeStart = new RegExp(`${backslash}${lessThan}${backslash}${bang}${backslash}${dash}${backslash}${dash}`);
/** Its end, in any spelling. */
const lookalikeEnd = new RegExp(`${dash}${backslash}${dash}${backslash}${bang}?${backslash}${greaterThan}`);
/** Searches the texts of a document, in their order, for such comments. */
class lookalike_search_LookalikeSearch {
    #source;
    #isInside = false;
    constructor(source) {
        this.#source = source;
    }
    /** Whether a comment has begun and not ended in this block. */
    get isInside() {
        return this.#isInside;
    }
    /** Begins a block; what a block leaves open ends with it. */
    enterBlock() {
        this.#isInside = false;
    }
    /** The parts of the next text that belong to such comments. */
    find({ start, end }) {
        const found = [];
        for (let offset = start; offset < end;) {
            const rest = this.#source.slice(offset, end);
            if (this.#isInside) {
                const closing = lookalikeEnd.exec(rest);
                this.#isInside = closing === null;
                const cutEnd = closing ? offset + closing.index + closing[0].length : end;
                found.push({ start: offset, end: cutEnd, hidesText: true, replacement: "" });
                offset = cutEnd;
            }
            else {
                const opening = lookalikeStart.exec(rest);
                this.#isInside = opening !== null;
                offset = opening ? offset + opening.index : end;
            }
        }
        return found;
    }
}

;// CONCATENATED MODULE: ./.build/lib/github/text/unseen-code.js



const language = /^[\w+#.-]{1,20}$/;
/** Languages that GitHub draws a picture of. */
const pictures = {
    geojson: "(map)",
    topojson: "(map)",
    stl: "(3D model)",
};
/** The stretches of a code block that are not shown. */
function unseen_code_findUnseenInCode(source, node) {
    const range = rangeOf(node);
    const name = node.lang?.toLowerCase() ?? "";
    const picture = pictures[name];
    if (picture !== undefined)
        return [{ ...range, hidesText: true, replacement: picture }];
    const infoLine = findInfo(source, node);
    if (name === "mermaid")
        return [...infoLine, ...findUnseenInDiagram(source, contentOf(source, range))];
    if (name === "math")
        return [...infoLine, ...findUnseenInFormula(source, contentOf(source, range))];
    return infoLine;
}
/** Of the line after the fence GitHub shows nothing; its first word, the language, is worth keeping if it is one. */
function findInfo(source, node) {
    const isLanguage = node.lang !== null && node.lang !== undefined && language.test(node.lang);
    if (!node.meta && (!node.lang || isLanguage))
        return [];
    const { start } = rangeOf(node);
    const firstLine = /^.*/.exec(source.slice(start))?.[0] ?? "";
    const fence = /^[`~]+/.exec(firstLine)?.[0] ?? "";
    const replacement = isLanguage ? (node.lang ?? "") : "";
    return [{ start: start + fence.length, end: start + firstLine.length, hidesText: true, replacement }];
}
/** The lines between the fences, of which the last may be missing. */
function contentOf(source, { start, end }) {
    const lines = source.slice(start, end).split("\n");
    const first = lines[0] ?? "";
    const last = lines.length > 1 ? (lines.at(-1) ?? "") : "";
    const closing = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(last) ? last.length + 1 : 0;
    const from = Math.min(end, start + first.length + 1);
    return { start: from, end: Math.max(from, end - closing) };
}

;// CONCATENATED MODULE: ./.build/lib/github/text/find-unseen.js









/** Finds, in document order and without overlaps, the stretches of `source` that GitHub does not show. */
function find_unseen_findUnseen(source, tree) {
    const search = new UnseenSearch(source, tree);
    search.walk(tree);
    return orderUnseen(search.found);
}
/**
 * One walk over a document. Raw HTML changes what is shown of everything after it (an open comment swallows the rest
 * of the page), so the walk carries the scanner's state from node to node.
 */
class UnseenSearch {
    found = [];
    #source;
    #references;
    #html = shownText;
    #isInBlock = false;
    #lookalikes;
    constructor(source, tree) {
        this.#source = source;
        this.#references = readReferences(source, tree);
        this.#lookalikes = new LookalikeSearch(source);
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
                this.found.push(...this.#lookalikes.find(rangeOf(node)));
                break;
            case "code":
                this.found.push(...findUnseenInCode(this.#source, node));
                break;
            case "definition":
                this.#cut({ node, hidesText: this.#hidesText(node) });
                break;
            case "footnoteReference":
                this.#renameFootnote(node);
                break;
            case "footnoteDefinition":
                this.#walkFootnote(node);
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
        if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
            this.#walkBlock(node);
        }
        else if ("children" in node)
            this.#walkChildren(node.children);
    }
    #walkBlock(block) {
        this.#lookalikes.enterBlock();
        this.#isInBlock = true;
        if (!isHidden(this.#html))
            this.found.push(...findUnseenMath(this.#source, block));
        this.#walkChildren(block.children);
        this.#isInBlock = false;
        this.#html = leaveBlock(this.#html);
    }
    #walkChildren(children) {
        for (const child of children)
            this.walk(child);
    }
    #isSwallowed(node) {
        const isLeaf = !("children" in node);
        if (isLeaf && isHidden(this.#html))
            return true;
        return isLeaf && this.#lookalikes.isInside && node.type !== "text";
    }
    /** Whether a definition carries more than the address of a link. */
    #hidesText(node) {
        return Boolean(node.title) || keepUrl(node.url) === undefined || !this.#references.isLinkedTo(node);
    }
    #cut({ node, hidesText, replacement = "", }) {
        this.found.push({ ...rangeOf(node), hidesText, replacement });
    }
    #walkHtml(node) {
        const { start, end } = rangeOf(node);
        const isClosedLater = (name) => this.#references.isClosedAfter(start, name);
        const scanned = scanHtml(this.#source.slice(start, end), { state: this.#html, isClosedLater });
        this.#html = this.#isInBlock ? scanned.state : leaveBlock(scanned.state);
        for (const part of scanned.unseen) {
            this.found.push({ ...part, start: start + part.start, end: start + part.end });
        }
    }
    #walkFootnote(node) {
        if (!this.#references.isFootnoteShown(node)) {
            this.#cut({ node, hidesText: true });
            return;
        }
        this.#renameFootnote(node);
        this.#walkChildren(node.children);
    }
    /** A footnote's label shows as a number; a longer one is replaced by one. */
    #renameFootnote(node) {
        const label = node.label ?? node.identifier;
        const replacement = this.#references.shortFootnote(node.identifier);
        if (replacement === undefined)
            return;
        const { start } = rangeOf(node);
        const from = this.#source.indexOf(label, start);
        this.found.push({ start: from, end: from + label.length, hidesText: true, replacement });
    }
    #walkLink(node) {
        const last = node.children.at(-1);
        const isAddress = this.#source[rangeOf(node).start] !== "[";
        if (isHidden(this.#html))
            this.#walkHiddenLink(node, isAddress ? undefined : last);
        else if (last === undefined)
            this.#cut({ node, hidesText: true });
        else if (!isAddress)
            this.#walkShownLink(node, last);
    }
    /** Tags in the text of a link may end what hides it. */
    #walkHiddenLink(node, last) {
        if (last === undefined) {
            this.#cut({ node, hidesText: true });
            return;
        }
        const { start, end } = rangeOf(node);
        this.found.push({ start, end: start + 1, hidesText: true, replacement: "" });
        this.#walkChildren(node.children);
        this.found.push({ start: rangeOf(last).end, end, hidesText: true, replacement: "" });
    }
    #walkShownLink(node, last) {
        const { start, end } = rangeOf(node);
        const target = node.type === "link" ? node : this.#references.definition(node.identifier);
        const url = target ? keepUrl(target.url) : undefined;
        const tail = url === undefined ? "" : `](${url})`;
        const textEnd = rangeOf(last).end;
        const isPlain = this.#source.slice(textEnd, end) === tail;
        if (url === undefined)
            this.found.push({ start, end: start + 1, hidesText: false, replacement: "" });
        this.#walkChildren(node.children);
        const hidesText = node.type === "link"
            ? Boolean(node.title) || url === undefined
            : node.referenceType === "full" && /\s/.test(node.label ?? "");
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

;// CONCATENATED MODULE: ./.build/lib/github/text/invisible-characters.js
/** Code points that render as nothing, which people use to hide text from other people but not from a model. */
/**
 * Format, private-use, unassigned and lone surrogate code points (among them zero-width, bidirectional and tag
 * characters), control characters other than tab and newline, and what else Unicode lets renderers ignore: variation
 * selectors, and fillers that it counts as letters, marks or symbols.
 */
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|[\u2800\u{16FE4}\u{1D159}]|(?![\t\n])\p{Cc}/gu;
/** Emoji presentation selectors and joiners where an emoji needs them: there they are part of what is seen. */
const emojiSequence = /\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F\u20E3|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;
const joiningScripts = "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar"
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("");
/** Joiners that change the shape of the letters on both sides: Persian and Indian words are misspelt without them. */
const joinedLetters = new RegExp(`(?<=[${joiningScripts}])[\\u200C\\u200D](?=[${joiningScripts}])`, "gu");
/** Drops every code point that GitHub renders as nothing, and makes all line ends `\n`. */
function invisible_characters_stripInvisibleCharacters(source) {
    const text = source.replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n");
    const kept = new Set();
    for (const match of [...text.matchAll(emojiSequence), ...text.matchAll(joinedLetters)]) {
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

;// CONCATENATED MODULE: ./.build/lib/github/text/visible-text.js
/** Reduces Markdown that people wrote to what GitHub shows of it, so that nothing hidden reaches a model. */



/** Cutting can make new constructs of what stood on both sides; real texts settle in two rounds. */
const maxRounds = 20;
/** A round over a long text can take a second. */
const maxRoundsOfLongTexts = 4;
const longText = 16_384;
/**
 * Keeps the parts of a Markdown text that GitHub renders, unchanged, and counts what it cut.
 *
 * Applied to its own result it changes nothing. A text that cannot be read (`readVisibleText`) is dropped whole.
 */
function visible_text_keepVisibleText(markdown) {
    return (readVisibleText(markdown) ?? {
        text: "",
        hiddenSegments: 1,
        invisibleCharacters: stripInvisibleCharacters(markdown).dropped,
    });
}
/**
 * Like `keepVisibleText`; `undefined` for a text that is nested or marked beyond reading, or built so that cutting never
 * settles.
 */
function readVisibleText(markdown) {
    const { text: source, dropped } = stripInvisibleCharacters(markdown);
    let text = source;
    let hiddenSegments = 0;
    const rounds = source.length > longText ? maxRoundsOfLongTexts : maxRounds;
    for (let round = 0; round < rounds; round += 1) {
        const tree = parseMarkdown(text);
        if (!tree)
            return undefined;
        const cuts = findUnseen(text, tree);
        if (cuts.length === 0)
            return { text: text.trim(), hiddenSegments, invisibleCharacters: dropped };
        hiddenSegments += cuts.filter((cut) => cut.hidesText).length;
        text = applyCuts(text, cuts);
    }
    return undefined;
}
/**
 * What GitHub shows of a text that it does not read as Markdown (titles, paths, lines of a diff): all of it but invisible
 * code points.
 */
function visible_text_keepVisibleCharacters(text) {
    const { text: visible, dropped } = stripInvisibleCharacters(text);
    return { text: visible, hiddenSegments: 0, invisibleCharacters: dropped };
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

;// CONCATENATED MODULE: ./.build/lib/github/thread-context.js
/** What was said on a thread before the trigger, reduced to what GitHub shows of it. */



/** Ten times what a prompt has room for; reading more would only cost time. */
const maxSourceCharacters = 600_000;
/** Reads the context of a trigger: the thread as the event told it, and the comments that were there before it. */
function thread_context_readThreadContext(event, comments) {
    const { thread, text } = event;
    const triggerMs = Date.parse(text.changedAt);
    const others = comments.filter(({ nodeId, body }) => nodeId !== text.nodeId && !hasMarker(body));
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
            show(keepVisibleCharacters(thread.title)),
            ...(isSubjectTheTrigger ? [] : [show(keepVisibleText(thread.body))]),
        ].join("\n\n"),
    };
    const read = newest(orderByThread(older, thread.asking));
    const shown = read.map(({ author, createdAt, url, body, parentId }) => ({
        // A discussion's comment has its number at the end of its address.
        title: parentId === undefined ? "comment" : `reply to comment ${parentId}`,
        author: author?.login,
        time: createdAt,
        url,
        text: show(keepVisibleText(body)),
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

// EXTERNAL MODULE: ./.build/lib/action/connections/connect-github.js + 10 modules
var connect_github = __webpack_require__(5634);
;// CONCATENATED MODULE: ./.build/lib/action/connections/introduce-or-warn.js



/** Says on a pull request which job made it; where GitHub does not take that, it is only worth a warning. */
async function introduce_or_warn_introduceOrWarn({ pull: { number }, origin, source, triggerPhrase }, { log, signal, ...ownership }) {
    const text = introducePullRequestText({ jobId: origin.jobId, source, triggerPhrase });
    try {
        await introducePullRequest({ number, text, origin }, ownership);
    }
    catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof GitHubError))
            throw error;
        log.warning(`Pull request #${number}: ${error.message} ${error.hint}`);
    }
}

// EXTERNAL MODULE: ./.build/lib/shorten.js
var shorten = __webpack_require__(3995);
// EXTERNAL MODULE: ./.build/lib/github/claims/payload.js
var claims_payload = __webpack_require__(4826);
;// CONCATENATED MODULE: ./.build/lib/github/claims/status-claims.js
/** Records of triggers in commit statuses, for events that have no thread: a status has room for little, so the record is split. */





const WrittenStatus = schemas/* object */.Ikc({ id: schemas/* number */.aig() });
/** GitHub's limit for a status's description. */
const maxDescriptionLength = 140;
/** The record as the status's link carries it in its fragment: short names, for a link has its limits. */
const Fragment = schemas/* object */.Ikc({
    k: schemas/* enum */.k5n(["agent", "assistant"]),
    g: schemas/* string */.YjP(),
    t: schemas/* string */.YjP(),
    s: schemas/* enum */.k5n(claim_record/* claimStates */.jR),
    w: schemas/* string */.YjP(),
    c: schemas/* string */.YjP(),
    l: schemas/* number */.aig(),
    j: schemas/* string */.YjP().optional(),
    o: schemas/* string */.YjP().optional(),
    p: schemas/* string */.YjP().optional(),
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
                description: (0,shorten/* shorten */.m)(deps.describe(record), maxDescriptionLength),
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
    if (!(0,identity/* isSameAccount */.s)(creator, deps.identity.login))
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
    const payload = (0,claims_payload/* encodePayload */.v)(fragment);
    return `docs-automation:v1.${payload}.${seal.keyId}.${seal.sign(place, payload)}`;
}
const packed = /^(.*)#docs-automation:v1\.([\w-]+)\.([0-9a-f]{8})\.([\w-]{43})$/;
function readRecord(url, { place, seal }) {
    const [, runUrl = "", payload = "", keyId = "", signature = ""] = packed.exec(url) ?? [];
    const isOtherKey = keyId !== seal.keyId;
    if (payload === "" || (!isOtherKey && !seal.verify(place, payload, signature)))
        return undefined;
    const parsed = Fragment.safeParse((0,claims_payload/* decodePayload */.D)(payload));
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

// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(3544);
// EXTERNAL MODULE: ./.build/lib/presentation/format.js
var format = __webpack_require__(5588);
;// CONCATENATED MODULE: ./.build/lib/presentation/status-comment.js
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
/** The embedded platform, and what it works on, end with the run. */
const stopped = {
    title: "stopped",
    text: "The run ended before the job did, and the embedded platform works only while its run lasts.",
    next: "Comment again to start a new job. A re-run starts none; it looks for a pull request that the job may have opened.",
};
const ends = {
    "no-pull-request": {
        title: "completed, no pull request",
        text: "The agent completed the job and reports no pull request: either nothing needed to change, or the project commits without one.",
    },
    failed: {
        title: "failed",
        text: "The job led to no pull request that is known here.",
        next: "Comment again to start a new job; a re-run shows the same end.",
    },
    archived: {
        title: "archived",
        text: "The job was archived at the platform before it was completed.",
        next: "Comment again to start a new job; a re-run shows the same end.",
    },
};
function describe(status) {
    const job = status.jobId === undefined ? "The job" : `Job ${(0,escape_markdown/* codeSpan */.SS)(status.jobId)}`;
    switch (status.state) {
        case "claimed":
            return status.outcome === undefined
                ? { title: "starting", text: "The request is taken; nothing has been sent yet." }
                : {
                    title: "queued",
                    text: `The platform's limit of jobs is used up: ${(0,escape_markdown/* escapeInline */.VV)(status.outcome)}. Nothing has been sent yet.`,
                };
        case "submitting":
            return {
                title: "starting",
                text: "The request is being sent to the platform. If this stays, the runner was lost while it waited for the answer.",
            };
        case "working":
            return describeWork(status.outcome, job);
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
                next: status.outcome === "skipped" ? "Nothing was started." : restart,
            };
        case "ended":
            return describeEnd(status);
    }
}
function describeWork(outcome, job) {
    if (outcome === undefined)
        return { title: "working", text: `${job} is running at the platform.` };
    if (outcome === "stopped")
        return stopped;
    const text = `${job} goes on at the platform. ${pauses[outcome] ?? pauses["failed"]}`;
    return { title: "still running", text, next: resume };
}
function describeEnd({ outcome = "", pullRequestUrl }) {
    if (outcome === "pull-request" && pullRequestUrl !== undefined) {
        return { title: "pull request", text: `The agent opened ${pullRequestLink(pullRequestUrl)}.` };
    }
    return ends[outcome] ?? { title: (0,escape_markdown/* escapeInline */.VV)(outcome), text: "The job has ended." };
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
        `### Docs ${(0,escape_markdown/* escapeInline */.VV)(status.command)}: ${words.title}`,
        "",
        words.text,
        ...(status.message === undefined ? [] : ["", (0,escape_markdown/* escapeInline */.VV)(status.message)]),
        ...(words.next === undefined ? [] : ["", words.next]),
        ...quoteRequest(status),
        "",
        ...renderFacts(status, nowMs),
        ...(status.notes?.length ? [""] : []),
        ...(status.notes ?? []).map((note) => `- ${(0,escape_markdown/* escapeInline */.VV)(note)}`),
    ].join("\n");
}
function quoteRequest({ request, requester }) {
    if (request === undefined || request.trim() === "")
        return [];
    const lines = request.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `> ${(0,escape_markdown/* escapeInline */.VV)(line)}`);
    return ["", ...(requester === undefined ? [] : [`Requested by ${(0,escape_markdown/* escapeInline */.VV)(requester)}:`, ""]), ...lines];
}
function renderFacts({ state, jobId, runUrl, claimedAt }, nowMs) {
    const elapsedMs = nowMs - Date.parse(claimedAt);
    const isOver = state === "ended";
    const time = isOver
        ? ["Took", (0,format/* formatDuration */.a3)(Math.max(0, elapsedMs))]
        : ["Since", Number.isNaN(elapsedMs) ? "" : (0,format/* formatTime */.fU)(new Date(claimedAt))];
    const facts = [
        ...(jobId === undefined ? [] : [["Job", (0,escape_markdown/* codeCell */.MZ)(jobId)]]),
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
    const isPaused = status.state === "working" && (status.outcome ?? "stopped") !== "stopped";
    return `Docs ${status.command}: ${title}${pull === undefined ? "" : ` #${pull}`}${job}${isPaused ? "; re-run to resume" : ""}`;
}

;// CONCATENATED MODULE: ./.build/lib/action/connections/open-claims.js




function open_claims_openClaims(options, { api, identity, seal, now }) {
    const { place, trigger } = options;
    if (place.kind === "commit") {
        return createStatusClaims({ sha: place.sha, trigger }, { api, identity, seal, describe: describeStatus });
    }
    return (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread: place.thread, trigger, since: place.since }, {
        comments: (0,thread_comments/* createThreadComments */.d)(place.thread, api),
        identity,
        seal,
        serverNow: api.serverNow,
        render: (record) => renderStatusComment(record, { nowMs: now() }),
    });
}

// EXTERNAL MODULE: ./.build/lib/action/connections/saved-claim.js
var saved_claim = __webpack_require__(1705);
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
    const seal = createSeal(sealKey(inputs.apiKey, run.repository.id));
    const place = placeOf(event, { sha: claimSha, hasComment: inputs.statusComment });
    const ownership = async () => ({ api, seal, identity: await readIdentity() });
    const decorate = (pull) => {
        const { pullRequestLabels: labels, pullRequestReviewers: reviewers, pullRequestDraft: draft } = inputs;
        return decoratePullRequest(pull, { labels, reviewers, draft }, { api, log: context.log });
    };
    const github = {
        checkGate: () => checkPeople(inputs, connection),
        readChanges: async () => (hasChanges(event) ? readChanges(event, api) : undefined),
        async readThread() {
            if (event.type !== "written")
                return undefined;
            return readThreadContext(event, await createThreadComments(event.thread, api).list());
        },
        isFromOwnPullRequest: async () => isOwnChange(event, await ownership()),
        async acknowledge() {
            if (event.type === "written")
                await reactWithEyes(event, api);
        },
        compareWithLiveText: async () => event.type === "written" ? compareWithLiveText(event, api) : "unchanged",
        async openClaims(trigger) {
            const identity = await readIdentity();
            const open = (via) => openClaims({ place, trigger }, { api: via, identity, seal, now: context.clock.now });
            return { claims: open(api), lastWords: open(lastWordsApi) };
        },
        countOpenOwn: async (limit) => countOpenOwn(limit, await ownership()),
        readOrigin: async () => event.type === "written" && event.thread.kind === "pull-request"
            ? readOrigin(event.thread, await ownership())
            : undefined,
        findByReference: (search) => findByReference(search, api),
        readPullRequest: (address) => readPullRequest(address, api),
        decoratePullRequest: decorate,
        async adoptPullRequest(pull, origin) {
            await decorate(pull);
            if (!inputs.statusComment)
                return;
            const source = event.type === "written" ? event.thread.url : undefined;
            const { triggerPhrase } = options;
            const { log, signal } = context;
            await introduceOrWarn({ pull, origin, source, triggerPhrase }, { ...(await ownership()), log, signal });
        },
    };
    return {
        github,
        referenceOf: seal.reference,
        onRecord: (claim) => saveClaim({ place, claim }, context.saveState),
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
        return isOwn({ ...event.thread, isFork: event.isFork }, deps);
    return event.type === "push" ? isFromOwnPullRequest(event, deps) : false;
}

// EXTERNAL MODULE: ./.build/lib/action/read-inputs.js + 7 modules
var read_inputs = __webpack_require__(6957);
;// CONCATENATED MODULE: ./.build/lib/action/steps/finish-agent.js
/** The agent's post step: corrects the record of a main step that was killed. */








/** Writes down what is true of a request whose run was killed. */
async function finishAgent({ environment, log, signal, state }) {
    const saved = (0,saved_claim/* readSavedClaim */.A)(state);
    if (!saved)
        return;
    const githubToken = (0,read_inputs/* inputText */.AN)("github-token", environment)?.trim();
    const connection = await (0,connect_github/* connectGitHub */.UY)({ githubToken }, { environment, log, signal, random: Math.random });
    const { api, run } = connection;
    const seal = (0,claims_seal/* createSeal */.A)(sealKey((0,read_inputs/* inputText */.AN)("api-key", environment)?.trim(), run.repository.id));
    const claims = open_claims_openClaims({ place: saved.place, trigger: saved.record.trigger }, { api, identity: await connection.readIdentity(), seal, now: systemClock.now });
    const isEmbedded = (0,read_inputs/* inputText */.AN)("base-url", environment)?.trim() === "local";
    await finishClaim({ saved: saved.record, isEmbedded }, { claims, clock: systemClock, log, signal });
}


/***/ })

};
