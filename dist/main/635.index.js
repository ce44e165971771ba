export const id = 635;
export const ids = [635];
export const modules = {

/***/ 84635:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reconcileStep: () => (/* binding */ reconcileStep)
});

// EXTERNAL MODULE: ./.build/lib/platform/contract.js
var contract = __webpack_require__(10484);
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var errors = __webpack_require__(20013);
// EXTERNAL MODULE: ./.build/lib/commands/conclude-agent.js + 2 modules
var conclude_agent = __webpack_require__(60945);
// EXTERNAL MODULE: ./.build/lib/commands/submit-once.js
var submit_once = __webpack_require__(73467);
;// CONCATENATED MODULE: ./.build/lib/commands/reconcile.js




/** While a run may still be waiting for its job, its record is left to it. */
const leaveAloneMs = 10 * 60_000;
/** Submitting takes minutes at most. */
const submissionOverMs = 30 * 60_000;
/** Looks at every open record of the project, asks the platform, and finishes what is over. */
async function reconcile(options, deps) {
    const records = [];
    for (const found of await deps.listRecords()) {
        const { record, isUnverifiable } = found.claim;
        const isOurs = record.command === "agent" && record.target === options.projectId && !isUnverifiable;
        if (!isOurs || record.state === "ended" || record.state === "released")
            continue;
        records.push(await reconcileGuarded(found, options, deps));
    }
    return { records };
}
/** One record that cannot be checked does not keep the others from it. */
async function reconcileGuarded(found, options, deps) {
    const { where, claim } = found;
    const facts = { where, url: claim.url, jobId: claim.record.jobId };
    try {
        return { ...facts, ...(await reconcileRecord(found, options, deps)) };
    }
    catch (error) {
        deps.signal.throwIfAborted();
        if (!(error instanceof Error))
            throw error;
        deps.log.warning(`${where}: ${error.message}`);
        return { ...facts, kind: "failed-to-check", detail: error.message };
    }
}
async function reconcileRecord(found, options, deps) {
    const { record, ageMs } = found.claim;
    switch (record.state) {
        case "working":
            return reconcileJob(found, options, deps);
        case "claimed":
            if (ageMs < record.leaseSeconds * 1000 + leaveAloneMs)
                return running("a run is about to submit it");
            await change(found, { state: "released", outcome: "interrupted" });
            return { kind: "released", detail: "nothing was sent" };
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
    const job = await readJob(jobId, options, deps);
    if (job === "gone")
        return finish(found, {
            outcome: "failed",
            error: new errors/* PlatformError */.W("not-found", `The platform no longer knows job ${jobId}.`),
        });
    if (!contract/* endedAgentStatuses */.we.some((status) => status === job.status?.toLowerCase())) {
        // Until its lease is over, a run may be waiting: the comment is its to write.
        const isAbandoned = record.outcome === undefined && ageMs >= record.leaseSeconds * 1000;
        if (isAbandoned)
            await change(found, { outcome: "interrupted" });
        return running(job.status ?? "without a status");
    }
    return finish(found, await (0,conclude_agent/* judgeJob */.JB)({ jobId, job }, options, deps));
}
async function readJob(jobId, { projectId }, { platform }) {
    try {
        return await platform.getAgentJob(projectId, jobId);
    }
    catch (error) {
        if (error instanceof errors/* PlatformError */.W && error.code === "not-found")
            return "gone";
        throw error;
    }
}
async function finish(found, end) {
    await change(found, {
        state: "ended",
        outcome: end.outcome,
        ...(end.outcome === "pull-request" ? { pullRequestUrl: end.url } : {}),
        ...(end.outcome === "failed" ? { message: (0,submit_once/* explain */.WE)(end.error) } : {}),
    });
    return { kind: "finished", detail: end.outcome };
}
async function lookForLost(found, { github, referenceOf }) {
    const { record } = found.claim;
    const pull = await github.findByReference({ wanted: referenceOf(record.trigger), since: record.claimedAt });
    if (pull)
        return finish(found, { outcome: "pull-request", url: pull.url, number: pull.number });
    if (record.state !== "unknown")
        await change(found, { state: "unknown" });
    return { kind: "unknown", detail: "its answer was lost; no pull request carries its reference" };
}
async function change({ claim, claims }, facts) {
    const { outcome: _outcome, message: _message, ...rest } = claim.record;
    await claims.update(claim, { ...rest, ...facts });
}

// EXTERNAL MODULE: ./.build/lib/errors.js
var lib_errors = __webpack_require__(45119);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
// EXTERNAL MODULE: ./.build/lib/github/comment-claims.js
var comment_claims = __webpack_require__(53167);
// EXTERNAL MODULE: ./.build/lib/github/comments.js
var comments = __webpack_require__(44004);
// EXTERNAL MODULE: ./.build/lib/github/identity.js
var github_identity = __webpack_require__(34584);
// EXTERNAL MODULE: ./.build/lib/github/marker.js
var marker = __webpack_require__(85508);
// EXTERNAL MODULE: ./.build/lib/github/status-claims.js
var status_claims = __webpack_require__(25896);
;// CONCATENATED MODULE: ./.build/lib/github/list-open-records.js
/** Finds our records all over the repository: in comments of threads, in statuses of commits. */






/** Commits of the default branch whose statuses are looked at, newest first. */
const maxCommits = 100;
/** Lists genuine records that were written or changed since a time (ISO 8601). */
async function listRecords(since, deps) {
    const threads = [...(await listIssueThreads(since, deps)), ...(await listDiscussionThreads(since, deps))];
    const found = [];
    for (const thread of threads) {
        const claims = (0,comment_claims/* createCommentClaims */.x)({ repositoryId: deps.api.repository.id, thread, since }, { ...deps, comments: (0,comments/* createThreadComments */.d)(thread, deps.api), serverNow: deps.api.serverNow });
        found.push(...(await claims.list()).map((claim) => ({ claim, claims, where: `#${thread.number}` })));
    }
    return [...found, ...(await listStatusRecords(deps))];
}
const RepositoryComment = schemas/* object */.Ikc({
    body: schemas/* string */.YjP().nullish(),
    issue_url: schemas/* string */.YjP(),
    html_url: schemas/* string */.YjP(),
    user: schemas/* object */.Ikc({ login: schemas/* string */.YjP(), id: schemas/* number */.aig(), type: schemas/* string */.YjP() }).nullish(),
});
/** Threads with a comment of ours that changed since then: one listing for the whole repository. */
async function listIssueThreads(since, { api, identity }) {
    const purpose = { doing: "list the repository's comments", permission: "issues: write" };
    const comments = await api.call(purpose, async (octokit, target) => {
        const parameters = { ...target, since, sort: "updated", direction: "desc", per_page: 100 };
        return schemas/* array */.YOg(RepositoryComment)
            .parse(await octokit.paginate(octokit.rest.issues.listCommentsForRepo, parameters));
    });
    const threads = new Map();
    for (const { body, issue_url, html_url, user } of comments) {
        const author = user ? { login: user.login, id: user.id, isBot: user.type === "Bot" } : undefined;
        if (!(0,marker/* hasMarker */.xY)(body ?? "") || !(0,github_identity/* isSameAccount */.s)(author, identity.login))
            continue;
        const number = Number(/\/(\d+)$/.exec(issue_url)?.[1]);
        const kind = html_url.includes("/pull/") ? "pull-request" : "issue";
        threads.set(number, { kind, number, nodeId: "" });
    }
    return [...threads.values()];
}
const DiscussionPage = schemas/* object */.Ikc({
    repository: schemas/* object */.Ikc({
        discussions: schemas/* object */.Ikc({
            nodes: schemas/* array */.YOg(schemas/* object */.Ikc({ id: schemas/* string */.YjP(), number: schemas/* number */.aig(), updatedAt: schemas/* string */.YjP() })),
        }),
    }),
});
/** Discussions that changed since then, the newest hundred. A repository without discussions has none. */
async function listDiscussionThreads(since, { api }) {
    const query = `query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {
    discussions(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { id number updatedAt } } } }`;
    const purpose = { doing: "list the repository's discussions", permission: "discussions: write" };
    const { owner, name } = api.repository;
    const page = await api.call(purpose, async (octokit) => DiscussionPage.parse(await octokit.graphql(query, { owner, name })));
    return page.repository.discussions.nodes
        .filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since))
        .map(({ id, number }) => ({ kind: "discussion", number, nodeId: id }));
}
/** Records on the newest commits, however old these are: a schedule on a quiet branch writes to its old head. */
async function listStatusRecords(deps) {
    const purpose = { doing: "list the recent commits", permission: "contents: read" };
    const { data: commits } = await deps.api.call(purpose, (octokit, target) => octokit.rest.repos.listCommits({ ...target, per_page: maxCommits }));
    const found = [];
    for (const { sha } of commits) {
        const claims = (0,status_claims/* createStatusClaims */.g)({ sha }, deps);
        found.push(...(await claims.list()).map((claim) => ({ claim, claims, where: `commit ${sha.slice(0, 7)}` })));
    }
    return found;
}

// EXTERNAL MODULE: ./.build/lib/github/pull-requests.js
var pull_requests = __webpack_require__(87388);
// EXTERNAL MODULE: ./.build/lib/github/seal.js
var github_seal = __webpack_require__(35663);
// EXTERNAL MODULE: ./.build/lib/is-loopback.js
var is_loopback = __webpack_require__(78748);
// EXTERNAL MODULE: ./.build/lib/presentation/pull-request-introduction.js
var pull_request_introduction = __webpack_require__(15893);
// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(53544);
;// CONCATENATED MODULE: ./.build/lib/presentation/reconcile-summary.js
/** The job summary of `reconcile`. */

function renderReconcileSummary(rows) {
    if (rows.length === 0)
        return "### Docs reconcile\n\nNo open request was found.\n";
    return [
        "### Docs reconcile",
        "",
        "| Request | Job | Result | |",
        "|---|---|---|---|",
        ...rows.map(({ where, url, jobId, kind, detail }) => {
            const name = (0,escape_markdown/* escapeInline */.VV)(where);
            const place = url !== undefined && URL.canParse(url) ? `[${name}](${new URL(url).href})` : name;
            return `| ${place} | ${jobId === undefined ? "" : (0,escape_markdown/* codeCell */.MZ)(jobId)} | ${(0,escape_markdown/* escapeInline */.VV)(kind)} | ${(0,escape_markdown/* escapeInline */.VV)(detail)} |`;
        }),
        "",
    ].join("\n");
}

// EXTERNAL MODULE: ./.build/lib/presentation/status-comment.js
var status_comment = __webpack_require__(49917);
// EXTERNAL MODULE: ./.build/lib/action/agent-github.js + 7 modules
var agent_github = __webpack_require__(51905);
// EXTERNAL MODULE: ./.build/lib/action/connect-github.js + 6 modules
var connect_github = __webpack_require__(7273);
// EXTERNAL MODULE: ./.build/lib/action/connect-platform.js + 6 modules
var connect_platform = __webpack_require__(70571);
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
            const { clock, log, signal } = context;
            const { projectId } = inputs;
            if (projectId === undefined)
                throw new lib_errors/* InputError */.dz(["`project-id` is missing."]);
            const { run, api, readIdentity } = await (0,connect_github/* connectGitHub */.UY)(inputs, context);
            const connection = __addDisposableResource(env_1, await (0,connect_platform/* connectPlatform */.c)(inputs, {
                context,
                startEmbedded: async () => {
                    throw new lib_errors/* InputError */.dz(["`base-url: local` has nothing to reconcile: its jobs end with their run."]);
                },
            }), true);
            const { origin } = connection.platform.transport;
            const seal = (0,github_seal/* createSeal */.A)((0,agent_github/* sealKey */.FD)(inputs.apiKey, run.repository.id));
            const identity = await readIdentity();
            const render = (record) => (0,status_comment/* renderStatusComment */.u)(record, { nowMs: clock.now() });
            const since = new Date(clock.now() - lookBackMs).toISOString();
            const { records } = await reconcile({
                projectId,
                repository: run.repository,
                serverUrl: run.serverUrl,
                localOrigin: (0,is_loopback/* isLoopback */.U)(new URL(origin)) ? origin : undefined,
            }, {
                platform: connection.platform,
                github: {
                    findByReference: (search) => (0,pull_requests/* findByReference */.mk)(search, api),
                    readPullRequest: (address) => (0,pull_requests/* readPullRequest */.DQ)(address, api),
                    // Labels and reviewers are the business of the workflow that asked.
                    async adoptPullRequest({ number }, introduced) {
                        if (inputs.dryRun)
                            return;
                        const text = (0,pull_request_introduction/* introducePullRequestText */.H)({
                            jobId: introduced.jobId,
                            source: undefined,
                            triggerPhrase: "/docs",
                        });
                        await (0,pull_requests/* introducePullRequest */.YE)({ number, text, origin: introduced }, { api, identity, seal });
                    },
                },
                async listRecords() {
                    const found = await listRecords(since, { api, identity, seal, render, describe: status_comment/* describeStatus */.W });
                    return inputs.dryRun ? found.map(withoutWriting) : found;
                },
                referenceOf: seal.reference,
                log,
                signal,
            });
            const finished = records.filter(({ kind }) => kind === "finished").length;
            const verb = inputs.dryRun ? "would be finished (dry run)" : "finished";
            const message = `${records.length} open requests looked at, ${finished} ${verb}.`;
            return { outcome: "reconciled", message, summary: renderReconcileSummary(records) };
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
/** A record that can be judged but not changed. */
function withoutWriting(found) {
    return { ...found, claims: { ...found.claims, update: async (claim) => claim } };
}


/***/ }),

/***/ 60945:
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
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var platform_errors = __webpack_require__(20013);
// EXTERNAL MODULE: ./.build/lib/commands/submit-once.js
var submit_once = __webpack_require__(73467);
;// CONCATENATED MODULE: ./.build/lib/commands/verify-pull-request-link.js
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
    const [, owner = "", name = "", digits = ""] = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,10})\/?$/.exec(url.pathname) ?? [];
    if (digits === "")
        return mismatch("it is not the address of a pull request");
    const allowed = [expected.repository, repositoryOf(expected.source, serverUrl)];
    const isExpected = allowed.some((repository) => repository?.toLowerCase() === `${owner}/${name}`.toLowerCase());
    if (!isExpected)
        return mismatch("it belongs to another repository than the job");
    const number = Number(digits);
    return { kind: "pull-request", owner, name, number, url: `${url.origin}/${owner}/${name}/pull/${number}` };
}
function repositoryOf(source, serverUrl) {
    if (source === undefined)
        return undefined;
    const plain = /^[\w.-]+\/[\w.-]+$/.exec(source)?.[0];
    if (plain)
        return plain;
    if (!URL.canParse(source) || new URL(source).host !== serverUrl.host)
        return undefined;
    return /^\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(new URL(source).pathname)?.[1];
}
function mismatch(reason) {
    return { kind: "mismatch", reason };
}

;// CONCATENATED MODULE: ./.build/lib/commands/verify-pull-request.js


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

;// CONCATENATED MODULE: ./.build/lib/commands/conclude-agent.js
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
        log.warning(`The status could not be written: ${error instanceof Error ? error.message : String(error)}`);
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
        ...(end.outcome === "failed" ? { message: end.error.message.slice(0, 1000) } : {}),
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
    const detail = error ? { message: (0,submit_once/* explain */.WE)(error) } : {};
    const { record, url } = claim.isUnverifiable
        ? claim
        : await recordChange(claim, { state: "unknown", ...detail }, deps);
    return { outcome: "unknown", status: record, statusUrl: url, error: cause };
}
/** A job that an earlier run started and the platform has forgotten; its pull request may be there all the same. */
async function concludeGone(claim, deps) {
    const { trigger, claimedAt, jobId } = claim.record;
    const pull = await deps.github.findByReference({ wanted: deps.referenceOf(trigger), since: claimedAt });
    if (pull)
        return concludeFound(claim, pull, deps);
    const error = jobFailed(`The platform no longer knows agent job ${jobId}.`);
    return concludeEnd(claim, { outcome: "failed", error }, deps);
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
        deps.log.warning(`Pull request #${pull.number}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return concludeEnd(claim, { outcome: "pull-request", url: pull.url, number: pull.number }, deps);
}
/** Writes down why nobody waits for a running job any more; works on a cancelled run too. */
async function recordPause(claim, error, { lastWords, onRecord, log }) {
    const outcome = error instanceof errors/* InterruptedError */.p4 ? error.code : "failed";
    const message = error instanceof platform_errors/* PlatformError */.W ? { message: (0,submit_once/* explain */.WE)(error) } : {};
    const { message: _message, ...rest } = claim.record;
    const record = { ...rest, state: "working", outcome, ...message };
    onRecord({ ...claim, record, isPending: true });
    try {
        onRecord(await lastWords.update(claim, record));
    }
    catch (cause) {
        log.warning(`The status could not be written: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
}


/***/ })

};
