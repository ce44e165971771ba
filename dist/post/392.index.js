export const id = 392;
export const ids = [392];
export const modules = {

/***/ 5634:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  UY: () => (/* binding */ connectGitHub)
});

// UNUSED EXPORTS: checkPeople, readGivenPrompt

// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(5119);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(7121);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 13 modules
var schemas = __webpack_require__(5491);
;// CONCATENATED MODULE: ./.build/lib/github/event/event-schemas.js
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
    /** `parent_id` is null for a comment that replies to none. */
    comment: schemas/* object */.Ikc({ ...Piece, parent_id: schemas/* number */.aig().nullish() }),
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

;// CONCATENATED MODULE: ./.build/lib/github/event/read-event.js


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
        const { id, node_id: nodeId, parent_id } = comment;
        const asking = { id, nodeId, topId: parent_id ?? id };
        const thread = { ...threadOf(discussion, "discussion"), ...(nodeId === "" ? {} : { asking }) };
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

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./node_modules/@actions/github/lib/utils.js + 21 modules
var utils = __webpack_require__(1845);
// EXTERNAL MODULE: ./.build/lib/message-of.js
var message_of = __webpack_require__(8999);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/errors.js
var classic_errors = __webpack_require__(961);
;// CONCATENATED MODULE: ./.build/lib/with-stop.js
/** Somebody else's words as a sentence: with a full stop where they end without a mark. */
function withStop(text) {
    const words = text.trim();
    return /[.!?…]$/.test(words) ? words : `${words}.`;
}

;// CONCATENATED MODULE: ./.build/lib/github/translate-error.js
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
const checkTheWay = "Run again later. If it stays, check the runner's network, its proxy variables (HTTPS_PROXY, NO_PROXY), and whether a proxy answers in GitHub's place.";
/** The error to throw for a failed call: GitHubErrors and bugs stay what they are. */
function translateError(error, purpose) {
    if (error instanceof github_errors/* GitHubError */.y_ || error instanceof TypeError)
        return error;
    if (!(error instanceof classic_errors/* ZodError */.G))
        return translateFailure(error, purpose);
    const message = `GitHub's answer is not what it should be; could not ${purpose.doing}.`;
    return new github_errors/* GitHubError */.y_("unexpected-response", message, { hint: checkTheWay, cause: error });
}
function translateFailure(error, { doing, permission }) {
    const status = statusOf(error) ?? statusOfGraphError(error);
    const reason = (0,message_of/* messageOf */.b)(error);
    const isRateLimit = status === 429 || (status === 403 && /rate limit/i.test(reason));
    if (status === 401) {
        return new github_errors/* GitHubError */.y_("unauthorized", `GitHub refused the token; it could not ${doing}.`, {
            hint: "Pass a valid token as `github-token`, or leave the input out.",
            status,
            cause: error,
        });
    }
    if (isRateLimit) {
        return new github_errors/* GitHubError */.y_("rate-limited", `GitHub's rate limit is used up; could not ${doing}.`, {
            hint: "Run again later.",
            status,
            cause: error,
        });
    }
    if (status === 403 && /locked/i.test(reason)) {
        return new github_errors/* GitHubError */.y_("conflict", `GitHub would not ${doing}: the conversation is locked.`, {
            hint: "Unlock the conversation, or ask in another place.",
            retryable: false,
            status,
            cause: error,
        });
    }
    if (status === 403)
        return (0,github_errors/* missingPermission */.Up)(permission, { doing, status, cause: error });
    const isGone = status === 404 || status === 410;
    if (!isAnswered(error)) {
        return new github_errors/* GitHubError */.y_("unreachable", `GitHub did not answer when asked to ${doing}: ${withStop(reason)}`, { hint: checkTheWay, cause: error });
    }
    return new github_errors/* GitHubError */.y_(isGone ? "not-found" : "unavailable", `GitHub could not ${doing}: ${withStop(reason)}`, {
        hint: `Check that the job's \`permissions:\` hold \`${permission}\`, then run again.`,
        status,
        cause: error,
    });
}

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
                throw translateError(error, purpose);
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
            log.debug(`GitHub: ${request.method} ${request.url} failed (${(0,message_of/* messageOf */.b)(error)}); trying again.`);
            await (0,promises_.setTimeout)(waitMs, undefined, { signal });
        }
    }
}
/** Milliseconds to wait before the same request may be sent again; `undefined` where it must not be. */
function waitBeforeRetry(error, request, { attempt, random }) {
    const status = statusOf(error);
    const backoffMs = 250 * 2 ** attempt * (0.5 + random());
    const retryAfterMs = retryAfterOf(error);
    if (status === 429 || (status === 403 && retryAfterMs !== undefined)) {
        const waitMs = Math.max(retryAfterMs ?? 0, backoffMs);
        return waitMs > maxRetryAfterMs ? undefined : waitMs;
    }
    const isPassing = status === undefined || status >= 500;
    return isRepeatable(request) && isPassing ? backoffMs : undefined;
}
/** Whether a request that was carried out, although no answer came, does no harm when it is carried out again. */
function isRepeatable({ method = "GET", url = "", query }) {
    if (method !== "POST")
        return true;
    // Of what is sent to GraphQL, only this adds something that is not there yet.
    return url.endsWith("/graphql") && !String(query).includes("addDiscussionComment");
}

// EXTERNAL MODULE: ./.build/lib/github/people/identity.js
var people_identity = __webpack_require__(1190);
;// CONCATENATED MODULE: ./.build/lib/github/people/permission.js
/** Who may start something: the gate in front of everything that acknowledges, sends or spends. */


/** Levels of access, weakest first, as the collaborator permission's booleans name them. */
const permissionLevels = (/* unused pure expression or super */ null && (["read", "triage", "write", "maintain", "admin"]));
const flagOfLevel = {
    read: "pull",
    triage: "triage",
    write: "push",
    maintain: "maintain",
    admin: "admin",
};
/** Events that only somebody with write access can cause. A merged pull request was merged by such a person. */
function isCausedByWriters(event) {
    return event.type === "push" || event.type === "release" || (event.type === "pull-request" && event.merged);
}
/** The same of events that carry neither a text nor a change; a schedule is the repository's own, and has no sender. */
const trustedEventNames = new Set(["schedule", "workflow_dispatch", "repository_dispatch", "merge_group"]);
/**
 * Decides whether the people behind an event may use the action: the text's author, the event's sender and, on a re-run,
 * whoever pressed the button. A failed look-up is thrown, never taken for a yes.
 */
async function permission_checkGate({ eventName, ...options }, deps) {
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
    if (hasMarker(body))
        return refuse("own-comment", "the text is one of the action's own");
    const isLabelled = event.action === "labeled";
    if (!isLabelled && author?.id !== event.sender?.id) {
        return refuse("confused-deputy", "the event was sent by somebody else than the text's author");
    }
    if (!author?.isBot)
        return undefined;
    const identity = await readIdentity();
    return isSameAccount(author, identity.login)
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

;// CONCATENATED MODULE: ./.build/lib/github/people/read-permission.js

/** What somebody may do here, as the collaborator permission's booleans: right for custom roles too. */
async function read_permission_readPermission(login, api) {
    try {
        const { data } = await api.call({ doing: `look up the permission of ${login}`, permission: "contents: read" }, (octokit, target) => octokit.rest.repos.getCollaboratorPermissionLevel({ ...target, username: login }));
        return data.user?.permissions ?? {};
    }
    catch (error) {
        if (statusOfCause(error) === 404)
            return {};
        throw error;
    }
}

// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(1455);
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

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./.build/lib/action/inside-workspace.js
/** Folders of the workspace that the action writes to. */



/**
 * The real path of a folder inside the workspace, which need not exist yet; a link that leads out of the workspace counts
 * as outside.
 *
 * @throws {InputError} naming the input
 */
async function resolveInsideWorkspace(path, { workspace, input }) {
    const root = await realpath(workspace);
    const resolved = await realpathOfFuture(resolve(root, path));
    const inner = relative(root, resolved);
    const isOutside = inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner);
    if (inner !== "" && !isOutside)
        return resolved;
    throw new InputError([`\`${input}\` must be a folder inside the workspace.`]);
}
/**
 * The text of a file in the workspace. A link that leads out of it counts as outside: a checked-out repository must not
 * choose what else of the machine is read.
 *
 * @throws {InputError} naming the input
 */
async function inside_workspace_readWorkspaceFile(path, { workspace, input, maxBytes, }) {
    const root = await realpath(workspace);
    const file = await realpath(resolve(root, path)).catch(() => undefined);
    if (file === undefined || !file.startsWith(root + sep)) {
        throw new InputError([`\`${input}\` must be the path of a file inside the workspace.`]);
    }
    const facts = await stat(file);
    if (!facts.isFile())
        throw new InputError([`\`${input}\` is not a file.`]);
    if (facts.size > maxBytes)
        throw new InputError([`\`${input}\` is larger than ${maxBytes} bytes.`]);
    return readFile(file, "utf8");
}
/**
 * Makes the folder, so that a folder that cannot be written to is found before anything is started.
 *
 * @throws {InputError} naming the input
 */
async function requireWritable(folder, { input }) {
    try {
        await mkdir(folder, { recursive: true });
        await access(folder, constants.W_OK);
    }
    catch (error) {
        const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
        throw new InputError([`\`${input}\` cannot be used as a folder to write to${reason}.`]);
    }
}
async function realpathOfFuture(path) {
    try {
        return await realpath(path);
    }
    catch (error) {
        const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!isMissing || dirname(path) === path)
            throw error;
        return join(await realpathOfFuture(dirname(path)), basename(path));
    }
}

;// CONCATENATED MODULE: ./.build/lib/action/version.js
/** Version of the action, for its user agent; generated from package.json. */
const version = "1.0.0";

;// CONCATENATED MODULE: ./.build/lib/action/connections/connect-github.js
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
    const options = { apiUrl, repository, token, userAgent: `docs-automation-action/${version}` };
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
            identity ??= (0,people_identity/* readIdentity */.x)(api);
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
    const content = await readWorkspaceFile(promptFile, {
        workspace,
        input: "prompt-file",
        maxBytes: maxPromptBytes,
    });
    if (content.trim() === "")
        throw new InputError(["`prompt-file` is empty."]);
    return content.trim();
}


/***/ }),

/***/ 1705:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ readSavedClaim)
/* harmony export */ });
/* unused harmony export saveClaim */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5491);
/* harmony import */ var _github_claims_claim_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3500);
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
    record: _github_claims_claim_record_js__WEBPACK_IMPORTED_MODULE_0__/* .ClaimRecord */ .si,
});
/** Keeps a record for the post step, which finds it by its owner; the last one counts. */
function saveClaim({ place, claim }, saveState) {
    const { record, isPending = false } = claim;
    saveState(stateName, JSON.stringify({ place, record }));
    // The frame asks the post step to finish what is unsettled, even if the main step ended by itself.
    saveState("unsettled", String(isPending || !isSettled(record)));
}
/** The record that the main step kept, if it got that far. */
function readSavedClaim(state) {
    const text = state(stateName);
    return text === "" ? undefined : SavedClaim.parse(JSON.parse(text));
}


/***/ }),

/***/ 6957:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  AN: () => (/* binding */ inputText)
});

// UNUSED EXPORTS: isSkippedForMissingKey, readCommand, readInputs

// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(5119);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 13 modules
var schemas = __webpack_require__(5491);
;// CONCATENATED MODULE: ./.build/lib/action/command-names.js
/** The values of the input `command`. */
const command_names_commandNames = ["agent", "assistant", "export", "reconcile", "doctor"];

// EXTERNAL MODULE: ./node_modules/zod/v4/core/core.js
var core = __webpack_require__(8532);
;// CONCATENATED MODULE: ./.build/lib/is-loopback.js
/** Whether a URL's host is this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`). */
function isLoopback({ hostname }) {
    return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

;// CONCATENATED MODULE: ./.build/lib/action/input-kinds.js
/** The kinds of input a workflow can pass: each reads the runner's text into a value and says in one sentence what it wants. */


/** Text, trimmed; absent when empty. */
const input_kinds_text = () => schemas/* string */.YjP().trim().min(1, "must not be empty");
/** An identifier: one word that can stand in a path. */
const word = () => input_kinds_text().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/, "must be one word of at most 200 characters");
/** `true` or `false`, as YAML writes them. */
const flag = () => schemas/* string */.YjP()
    .trim()
    .toLowerCase()
    .pipe(schemas/* enum */.k5n(["true", "false"], { error: "must be `true` or `false`" }))
    .transform((value) => value === "true");
/** One of a few words. */
const choice = (values) => schemas/* string */.YjP()
    .trim()
    .pipe(schemas/* enum */.k5n(values, { error: `must be one of ${values.map((value) => `\`${value}\``).join(", ")}` }));
/** Values separated by commas or line breaks. */
const list = () => schemas/* string */.YjP().transform((value) => value
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== ""));
/** A whole number within bounds. */
const integer = (min, max) => schemas/* string */.YjP()
    .trim()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
/** Minutes above zero, fractions allowed. */
const minutes = () => schemas/* string */.YjP()
    .trim()
    .regex(/^\d{1,6}(\.\d+)?$/, "must be a number of minutes, like `60` or `0.5`")
    .transform(Number)
    .refine((value) => value > 0 && value <= 10_000, "must be more than 0 and at most 10000 minutes");
/** The platform's address, or `local`. */
const platformAddress = () => schemas/* string */.YjP()
    .trim()
    .transform((value, context) => {
    if (value === "local")
        return value;
    const problem = problemOfAddress(value);
    if (problem === undefined)
        return new URL(value);
    context.addIssue({ code: "custom", message: problem });
    return core/* NEVER */.tm;
});
function problemOfAddress(value) {
    if (!URL.canParse(value))
        return "must be an address like `https://api.example.com`, or `local`";
    const url = new URL(value);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
        return "must start with `https://` (plain `http://` only for this machine), or be `local`";
    }
    if (url.username !== "" || url.password !== "")
        return "must not contain a user name or password; the key belongs into `api-key`";
    if (url.pathname.includes("//"))
        return "must not contain an empty path segment (`//`)";
    if (url.search !== "" || url.hash !== "")
        return "must not contain a query (`?`) or fragment (`#`)";
    return undefined;
}

;// CONCATENATED MODULE: ./.build/lib/platform/errors.js
/** Failures at the boundary to the platform: no usable answer. */

/** Running again could do everything twice, so that is not the next step. */
const whenMaybeSubmitted = {
    hint: "Whether the platform did it cannot be told from here: look at its dashboard before you run again. A job that is there can be followed with `job-id`.",
    retryable: false,
};
/** The platform did not give a usable answer. */
class errors_PlatformError extends errors/* ActionError */.lZ {
    name = "PlatformError";
    /** How long the platform asked to wait, in milliseconds. */
    retryAfterMs;
    /**
     * True when a creating request was sent and its answer is missing or useless: the job may exist. Such a request is
     * never repeated blindly.
     */
    maybeSubmitted;
    /** Whether a refusal came as JSON, the API's own way of speaking, and not from a proxy or another site. */
    isFromApi;
    constructor(code, message, details = {}) {
        super(code, message, details.maybeSubmitted ? { ...whenMaybeSubmitted, ...details } : details);
        this.retryAfterMs = details.retryAfterMs;
        this.maybeSubmitted = details.maybeSubmitted ?? false;
        this.isFromApi = details.isFromApi ?? false;
    }
}
const codeByStatus = {
    400: "rejected",
    401: "unauthorized",
    402: "forbidden",
    403: "forbidden",
    404: "not-found",
    408: "unavailable",
    409: "conflict",
    410: "not-found",
    425: "unavailable",
    429: "rate-limited",
};
/** The taxonomy's code for an HTTP status that is not a success. */
function codeOfStatus(status) {
    if (status >= 500)
        return "unavailable";
    if (status < 400)
        return "unexpected-response";
    return codeByStatus[status] ?? "rejected";
}

;// CONCATENATED MODULE: ./.build/lib/action/outcomes.js
/** Every value of the output `outcome`, by command; and which of them a thrown error means. */


const outcomesByCommand = {
    agent: [
        "pull-request",
        "no-pull-request",
        "failed",
        "archived",
        "timed-out",
        "rate-limited",
        "unknown",
        "detached",
        "skipped",
        "cancelled",
    ],
    assistant: ["answered", "failed", "timed-out", "rate-limited", "skipped", "cancelled"],
    export: ["exported", "failed", "timed-out", "rate-limited", "unknown", "detached", "skipped", "cancelled"],
    reconcile: ["reconciled"],
    doctor: ["healthy", "unhealthy"],
};
/** All outcomes that `fail-on` may name; `error` always fails the step and need not be named. */
const allOutcomes = [...new Set(Object.values(outcomesByCommand).flat()), "error"];
/** What a thrown error means for the command; `error` where the command has no such outcome. */
function outcomeOfError(error, command) {
    const outcome = meaningOf(error);
    const known = command === undefined ? [] : outcomesByCommand[command];
    return known.includes(outcome) || (command === undefined && outcome === "cancelled") ? outcome : "error";
}
function meaningOf(error) {
    if (error instanceof PlatformError && error.maybeSubmitted)
        return "unknown";
    if (!(error instanceof ActionError))
        return "error";
    switch (error.code) {
        case "cancelled":
        case "timed-out":
        case "rate-limited":
            return error.code;
        case "job-failed":
        case "stream-cut":
            return "failed";
        default:
            return "error";
    }
}

;// CONCATENATED MODULE: ./.build/lib/action/inputs.js
/**
 * The action's inputs: one zod schema per command, the single source of names, defaults and descriptions. `action.yml`
 * and the tables in the documentation are generated from here.
 */




const outcomes = list().refine((names) => names.every((name) => allOutcomes.some((outcome) => outcome === name)), `must name outcomes: ${allOutcomes.join(", ")}`);
const shared = {
    command: choice(command_names_commandNames).meta({
        description: "What to do: `agent`, `assistant`, `export`, `reconcile` or `doctor`.",
    }),
    baseUrl: platformAddress().meta({
        description: "Address of the documentation platform, `https://…` (plain `http` only for loopback); `local` starts the embedded platform on the checked-out docs.",
    }),
    apiKey: input_kinds_text()
        .regex(/^[\x21-\x7e]+$/, "must be one word without spaces or line breaks")
        .optional()
        .meta({
        description: "Bearer key, required unless `base-url` is `local`: an admin key (`svc_…`) for agent, export and reconcile, an assistant key (`svc_dsc_…`) for assistant, either for doctor.",
    }),
    onMissingKey: choice(["fail", "skip"]).prefault("fail").meta({
        description: "What to do without a key, as in runs of forks and Dependabot: `fail`, or `skip` with outcome `skipped`.",
    }),
    timeoutMinutes: minutes()
        .prefault("60")
        .meta({ description: "Wall-clock deadline for the wait, in minutes (fractions allowed)." }),
    failOn: outcomes
        .prefault("failed, archived, timed-out, rate-limited, unknown")
        .meta({ description: "Outcomes that fail the step; any other outcome is a warning or a success." }),
    dryRun: flag().prefault("false").meta({
        description: "Do everything up to the first request that would change something, and show what would be sent.",
    }),
    docsDir: input_kinds_text().prefault("docs").meta({
        description: "Folder of the documents that the embedded platform serves, with `base-url: local`.",
    }),
};
const github = {
    githubToken: input_kinds_text().optional().meta({
        description: "Token for comments, reactions, permissions, pull requests and commit statuses.",
        runnerDefault: "${{ github.token }}",
    }),
};
const prompted = {
    prompt: input_kinds_text()
        .optional()
        .meta({ description: "The instruction or question; without it, it comes from the event." }),
    promptFile: input_kinds_text().optional().meta({ description: "Path of a file that holds the prompt." }),
    triggerPhrase: input_kinds_text().regex(/^\S+$/, "must be one word, like `/docs`").optional().meta({
        description: "What a comment must start with: by default `/docs` for agent and `/ask` for assistant.",
    }),
    minimumPermission: choice(["read", "triage", "write", "maintain", "admin"])
        .prefault("write")
        .meta({ description: "What the author of a triggering comment or issue needs on the repository." }),
    allowedUsers: list()
        .prefault("")
        .meta({ description: "Exact logins that pass the permission gate besides." }),
    allowedBots: list()
        .refine((names) => !names.includes("*"), "takes exact logins; `*` is refused")
        .prefault("")
        .meta({ description: "Exact logins of bots that may trigger; no wildcard." }),
    statusComment: flag()
        .prefault("true")
        .meta({ description: "Post and keep one status comment on the thread." }),
};
const project = {
    projectId: word().optional().meta({
        description: "Project identifier, from the dashboard's API keys page; required unless `base-url` is `local`.",
    }),
};
const followed = {
    jobId: word().optional().meta({ description: "Follow this existing job instead of starting one." }),
    wait: flag()
        .prefault("true")
        .meta({ description: "`false` submits, records, and ends with outcome `detached`." }),
};
const site = {
    domain: input_kinds_text()
        .regex(/^[^\s/]+$/, "must be a host name or identifier without `https://` and without a path")
        .optional()
        .meta({
        description: "Domain identifier of the documentation site; required unless `base-url` is `local` or `job-id` is set.",
    }),
};
/** Inputs of `command: agent`. */
const AgentInputs = schemas/* object */.Ikc({
    ...shared,
    ...github,
    ...prompted,
    ...project,
    ...followed,
    context: choice(["auto", "thread", "changes", "none"]).prefault("auto").meta({
        description: "What is added to the prompt as quoted, untrusted context: `auto`, `thread`, `changes` or `none`.",
    }),
    paths: list().prefault("").meta({
        description: "Patterns, as of a workflow's own `paths`, over the files changed by a push or pull request; nothing matches: outcome `skipped`.",
    }),
    pathsIgnore: list().prefault("").meta({ description: "Patterns of changed files that do not count." }),
    maxOpenPullRequests: integer(1, 1000)
        .optional()
        .meta({ description: "Skip while this many pull requests of the agent are open." }),
    onAmbiguous: choice(["stop", "resubmit"]).prefault("stop").meta({
        description: "What to do when a submission's answer was lost: `stop` (outcome `unknown`) or `resubmit`.",
    }),
    pullRequestLabels: list().prefault("").meta({ description: "Labels for the agent's pull request." }),
    pullRequestReviewers: list()
        .prefault("")
        .meta({ description: "Reviewers for the agent's pull request: logins, or `org/team`." }),
    pullRequestDraft: flag()
        .prefault("false")
        .meta({ description: "Convert the agent's pull request to a draft." }),
    agentCommand: input_kinds_text().optional().meta({
        description: "With `base-url: local`: program and arguments that edit files in a worktree; the prompt is on its standard input.",
    }),
});
/** Inputs of `command: assistant`. */
const AssistantInputs = schemas/* object */.Ikc({
    ...shared,
    ...github,
    ...prompted,
    ...site,
    threadId: input_kinds_text().optional().meta({ description: "Continue this conversation." }),
    retrievalPageSize: integer(1, 100)
        .prefault("5")
        .meta({ description: "Number of search results the answer is made from." }),
    filterVersion: input_kinds_text().optional().meta({ description: "Search only this version of the documentation." }),
    filterLanguage: input_kinds_text().optional().meta({ description: "Search only this language of the documentation." }),
    currentPath: input_kinds_text()
        .max(200, "must be at most 200 characters")
        .optional()
        .meta({ description: "Path of the page the question is about, at most 200 characters." }),
    contextItems: input_kinds_text().optional().meta({
        description: "YAML or JSON list of `{type, value, path?, elementId?}`, type `code` or `textSelection`.",
    }),
    apiVersion: choice(["v1", "v2"])
        .prefault("v1")
        .meta({ description: "`v1` (data stream) or `v2` (server-sent events)." }),
});
/** The artifact's name unless set; for `upload: pages`, what `actions/deploy-pages` looks for takes its place. */
const defaultArtifactName = "docs-export";
/** Inputs of `command: export`. */
const ExportInputs = schemas/* object */.Ikc({
    ...shared,
    ...site,
    ...followed,
    exportVersion: input_kinds_text()
        .optional()
        .meta({ description: "Version label to export, where the platform accepts one; not sent unless set." }),
    exportPaths: list()
        .prefault("")
        .meta({ description: "Page paths to export, where the platform accepts them; not sent unless set." }),
    outputDir: input_kinds_text()
        .prefault("docs-export")
        .meta({ description: "Folder, in the workspace, for the archive and the extracted site." }),
    upload: choice(["archive", "zip", "site", "pages", "none"]).prefault("archive").meta({
        description: "`archive` (the bundle as one file, not zipped again), `zip` (the same inside a zip, for older download tools), `site` (the extracted files), `pages` (for `actions/deploy-pages`) or `none`.",
    }),
    artifactName: input_kinds_text()
        .max(200, "must be at most 200 characters")
        .regex(/^[^":<>|*?\r\n\\/]+$/, 'must not contain any of " : < > | * ? \\ / or line breaks')
        .refine((name) => !/^\.+$/.test(name), "must not be made of dots only")
        .prefault(defaultArtifactName)
        .meta({ description: "Name of the workflow artifact." }),
    retentionDays: integer(1, 90)
        .optional()
        .meta({ description: "Days to keep the artifact, 1 to 90; by default the repository's setting." }),
    maxBundleMegabytes: integer(1, 1_000_000)
        .prefault("10240")
        .meta({ description: "Refuse larger bundles, and stop an archive that unpacks to more." }),
    valuesFile: input_kinds_text().optional().meta({
        description: "Helm values file in the workspace to update: `staticExport.enabled`, `.bundleUrl` and `.version`.",
    }),
    valuesBundleUrl: input_kinds_text()
        .regex(/^(presigned$|[a-z][a-z0-9+.-]*:\/\/\S+$)/i, "must be an address like `https://…`, or `presigned`")
        .optional()
        .meta({
        description: "Durable address to write to the values file instead of the link that expires; `presigned` writes that link into a repository on purpose.",
    }),
});
/** Inputs of `command: reconcile`. */
const ReconcileInputs = schemas/* object */.Ikc({ ...shared, ...github, ...project });
/** Inputs of `command: doctor`; it looks at what the other commands would use. */
const DoctorInputs = schemas/* object */.Ikc({ ...shared, ...github, ...project, ...site });
const inputs_inputsByCommand = {
    agent: AgentInputs,
    assistant: AssistantInputs,
    export: ExportInputs,
    reconcile: ReconcileInputs,
    doctor: DoctorInputs,
};

;// CONCATENATED MODULE: ./.build/lib/action/input-catalog.js
/** The inputs as data: public name, commands, default and description, read off the schemas. */



const Meta = schemas/* object */.Ikc({ description: schemas/* string */.YjP(), runnerDefault: schemas/* string */.YjP().optional() });
/** All inputs, in the order of the schemas. */
function input_catalog_listInputs() {
    const entries = new Map();
    for (const command of commandNames) {
        for (const [key, schema] of Object.entries(inputsByCommand[command].shape)) {
            const known = entries.get(key);
            entries.set(key, known ? { ...known, commands: [...known.commands, command] } : describe(key, schema, command));
        }
    }
    return [...entries.values()];
}
/** `base-url` for `baseUrl`: the one place where the two spellings meet. */
function input_catalog_publicName(key) {
    return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
function describe(key, schema, command) {
    const { description, runnerDefault } = Meta.parse(schema.meta());
    const prefault = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined;
    return {
        name: input_catalog_publicName(key),
        key,
        commands: [command],
        description,
        required: !(schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional),
        default: runnerDefault ?? prefault,
        defaultIsExpression: runnerDefault !== undefined,
    };
}

;// CONCATENATED MODULE: ./.build/lib/action/read-inputs.js





/** The text of one input as the runner passes it; `undefined` where it is empty. */
function inputText(name, environment) {
    const value = environment[`INPUT_${name.replace(/ /g, "_").toUpperCase()}`];
    return value === undefined || value.trim() === "" ? undefined : value;
}
/**
 * The command to run.
 *
 * @throws {InputError}
 */
function readCommand(environment) {
    const value = inputText("command", environment)?.trim();
    const command = commandNames.find((name) => name === value);
    if (command !== undefined)
        return command;
    const choices = commandNames.map((name) => `\`${name}\``).join(", ");
    throw new InputError([
        value === undefined
            ? `\`command\` is missing: set it to one of ${choices}.`
            : `\`command\` must be one of ${choices}.`,
    ]);
}
/**
 * The inputs of a command.
 *
 * @throws {InputError} with all problems.
 */
function readInputs(command, environment) {
    const catalog = listInputs();
    const used = catalog.filter((entry) => entry.commands.includes(command));
    const raw = {};
    for (const { key, name } of used) {
        const value = inputText(name, environment);
        if (value !== undefined)
            raw[key] = value;
    }
    const schema = inputsByCommand[command];
    const result = schema.safeParse(raw);
    const problems = [
        ...(result.success ? [] : result.error.issues.map(problemOfIssue)),
        ...problemsTogether(command, raw),
    ];
    if (problems.length > 0 || !result.success)
        throw new InputError([...new Set(problems)]);
    return {
        // The schema of `command` made it; TypeScript cannot follow an indexed schema through `safeParse`.
        inputs: result.data,
        warnings: catalog
            .filter((entry) => isSetInVain(entry, command, environment))
            .map((entry) => warningOf(entry, command)),
    };
}
/** Whether the run lacks its key and asks to be skipped for it. */
function isSkippedForMissingKey(inputs) {
    return inputs.baseUrl !== "local" && inputs.apiKey === undefined && inputs.onMissingKey === "skip";
}
function problemOfIssue(issue) {
    const name = publicName(String(issue.path[0]));
    const isMissing = issue.code === "invalid_type" && issue.input === undefined;
    return isMissing ? `\`${name}\` is missing.` : `\`${name}\` ${issue.message}.`;
}
/** Problems that show only when several inputs are looked at together. */
function problemsTogether(command, raw) {
    const isLocal = raw["baseUrl"]?.trim() === "local";
    const problems = isLocal
        ? problemsOfEmbedded(raw)
        : [...problemsOfKey(command, raw), ...problemsOfTarget(command, raw)];
    if (raw["prompt"] !== undefined && raw["promptFile"] !== undefined) {
        problems.push("`prompt` and `prompt-file` are both set; keep one of them.");
    }
    if (raw["valuesBundleUrl"] !== undefined && raw["valuesFile"] === undefined) {
        problems.push("`values-bundle-url` needs `values-file`: the file to write it to.");
    }
    if (raw["valuesFile"] !== undefined && raw["wait"]?.trim().toLowerCase() === "false") {
        problems.push("`values-file` needs `wait: true`: there is no bundle to write before the job has ended.");
    }
    if (raw["agentCommand"] !== undefined && !isLocal) {
        problems.push("`agent-command` needs `base-url: local`: a hosted platform runs its own agent.");
    }
    return problems;
}
function problemsOfEmbedded({ jobId, wait }) {
    return [
        ...(wait?.trim().toLowerCase() === "false"
            ? ["`wait: false` does not go with `base-url: local`: the job would end with the run."]
            : []),
        ...(jobId === undefined
            ? []
            : ["`job-id` does not go with `base-url: local`: its jobs ended with their runs."]),
    ];
}
function problemsOfKey(command, raw) {
    const key = raw["apiKey"]?.trim();
    if (key === undefined) {
        return raw["onMissingKey"]?.trim() === "skip"
            ? []
            : [
                "`api-key` is missing: pass the platform's key from a secret (runs of forks and Dependabot have none: `on-missing-key: skip` skips them).",
            ];
    }
    const kind = keyKindOf(key);
    if (kind === "unknown")
        return [
            "`api-key` does not look like a key of this platform: an admin key starts with `svc_`, an assistant key with `svc_dsc_`.",
        ];
    if (command === "assistant" && kind === "admin") {
        return [
            "`api-key` is an admin key; `assistant` takes the assistant key (it starts with `svc_dsc_`), which is made to be public.",
        ];
    }
    if (command !== "assistant" && command !== "doctor" && kind === "assistant") {
        return [
            `\`api-key\` is an assistant key; \`${command}\` takes the admin key (it starts with \`svc_\`, without \`dsc_\`).`,
        ];
    }
    return [];
}
function problemsOfTarget(command, raw) {
    const needsDomain = command === "assistant" || (command === "export" && raw["jobId"] === undefined);
    const needsProject = command === "agent" || command === "reconcile";
    return [
        ...(needsDomain && raw["domain"] === undefined
            ? ["`domain` is missing: the site's domain identifier."]
            : []),
        ...(needsProject && raw["projectId"] === undefined
            ? ["`project-id` is missing: copy it from the dashboard's API keys page."]
            : []),
    ];
}
function isSetInVain(entry, command, environment) {
    if (entry.commands.includes(command) || entry.defaultIsExpression)
        return false;
    const value = inputText(entry.name, environment);
    return value !== undefined && value.trim() !== entry.default;
}
function warningOf({ name, commands }, command) {
    return `\`${name}\` is not used by \`${command}\`; it belongs to ${commands.map((other) => `\`${other}\``).join(", ")}.`;
}


/***/ }),

/***/ 3500:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Is: () => (/* binding */ isSettled),
/* harmony export */   jR: () => (/* binding */ claimStates),
/* harmony export */   si: () => (/* binding */ ClaimRecord)
/* harmony export */ });
/* unused harmony export triggerKey */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5491);
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
    const bodyHash = createHash("sha256").update(body.replace(/\r\n?/g, "\n")).digest("hex");
    const parts = [repositoryId, family, subject, bodyHash, command, target];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}


/***/ }),

/***/ 3971:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  x: () => (/* binding */ createCommentClaims)
});

// UNUSED EXPORTS: threadKey

// EXTERNAL MODULE: ./.build/lib/github/people/identity.js
var identity = __webpack_require__(1190);
// EXTERNAL MODULE: ./.build/lib/github/claims/claim-record.js
var claim_record = __webpack_require__(3500);
// EXTERNAL MODULE: ./.build/lib/github/claims/payload.js
var claims_payload = __webpack_require__(4826);
;// CONCATENATED MODULE: ./.build/lib/github/claims/marker.js

const pattern = /<!-- docs-automation:(claim|origin):v1 ([\w-]+)\.([0-9a-f]{8})\.([\w-]{43}) -->/g;
/** True for any text of ours, also of later versions: such a text never triggers anything. */
function hasMarker(body) {
    return body.includes("<!-- docs-automation:");
}
/** Writes a marker; it belongs at the end of a comment. */
function writeMarker(kind, value, { place, seal }) {
    const payload = (0,claims_payload/* encodePayload */.v)(value);
    const signature = seal.sign(describePlace(kind, place), payload);
    return `<!-- docs-automation:${kind}:v1 ${payload}.${seal.keyId}.${signature} -->`;
}
/**
 * Reads the last genuine marker of a comment, also where somebody has written something below it, markers included. A marker
 * copied to another place, or changed, is forged.
 */
function readMarker(body, options) {
    const ofKind = [...body.matchAll(pattern)].filter(([, kind]) => kind === options.kind);
    const readings = ofKind.reverse().map((match) => readMatch(match, options));
    const byWorth = ["valid", "other-key", "forged"].map((kind) => readings.find((reading) => reading.kind === kind));
    return byWorth.find((reading) => reading !== undefined) ?? { kind: "none" };
}
function readMatch([, , payload = "", keyId = "", signature = ""], { kind, schema, place, seal }) {
    const parsed = schema.safeParse((0,claims_payload/* decodePayload */.D)(payload));
    if (!parsed.success)
        return { kind: "forged" };
    if (keyId !== seal.keyId)
        return { kind: "other-key", value: parsed.data };
    const isSigned = [place, { ...place, comment: "new" }].some((candidate) => seal.verify(describePlace(kind, candidate), payload, signature));
    return isSigned ? { kind: "valid", value: parsed.data } : { kind: "forged" };
}
function describePlace(kind, { repositoryId, thread, comment }) {
    return `v1 ${kind} repository:${repositoryId} thread:${thread} comment:${comment}`;
}

;// CONCATENATED MODULE: ./.build/lib/github/claims/comment-claims.js
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
    const compose = (record, comment) => `${deps.render(record)}\n\n${writeMarker("claim", record, { place: place(comment), seal: deps.seal })}`;
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
            const comments = await deps.comments.list(recentOnly(options.since, deps.serverNow()));
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
    if (!(0,identity/* isSameAccount */.s)(comment.author, deps.identity.login))
        return undefined;
    const marker = readMarker(comment.body, { kind: "claim", schema: claim_record/* ClaimRecord */.si, place, seal: deps.seal });
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
/** What to list. A text that seems to be from the future, as a clock may have it, must not hide what stands there now. */
function recentOnly(since, nowMs) {
    return since && Date.parse(since) <= nowMs ? { since } : {};
}


/***/ }),

/***/ 4826:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ decodePayload),
/* harmony export */   v: () => (/* binding */ encodePayload)
/* harmony export */ });
/** A record as the text that is signed. */
function encodePayload(value) {
    return Buffer.from(JSON.stringify(value)).toString("base64url");
}
/** What such a text holds; `undefined`, which no schema takes for a record, where it is not ours. */
function decodePayload(payload) {
    try {
        return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    }
    catch {
        return undefined; // Not JSON: not a record, as the schema will say.
    }
}


/***/ }),

/***/ 8099:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ createSeal)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
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

/***/ 4923:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  d: () => (/* binding */ createThreadComments)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 13 modules
var schemas = __webpack_require__(5491);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var errors = __webpack_require__(7121);
;// CONCATENATED MODULE: ./.build/lib/github/comments/comment.js
/** Comments of one thread, whatever its kind: an issue's or pull request's conversation, or a discussion. */

/** The `permissions:` line that writing on a thread needs. */
function permissionToWrite(kind) {
    return { issue: "issues: write", "pull-request": "pull-requests: write", discussion: "discussions: write" }[kind];
}
/** What a request found; `undefined` where GitHub says that it is not there. */
async function unlessGone(request) {
    try {
        return await request;
    }
    catch (error) {
        if ((0,errors/* statusOfCause */.Xt)(error) === 404)
            return undefined;
        throw error;
    }
}

;// CONCATENATED MODULE: ./.build/lib/github/comments/refused-reply.js


/** GraphQL's answer to a mutation that was not carried out: its field is null, and the first error says why. */
const Refusal = schemas/* object */.Ikc({
    name: schemas/* literal */.euz("GraphqlResponseError"),
    data: schemas/* object */.Ikc({ addDiscussionComment: schemas/* null */.chJ().optional() }).nullish(),
    errors: schemas/* tuple */.PVZ([schemas/* object */.Ikc({ type: schemas/* enum */.k5n(["NOT_FOUND", "UNPROCESSABLE", "FORBIDDEN"]) })], schemas/* unknown */.L5J()),
});
/**
 * What a request to reply led to; `undefined` where GitHub refused it and posted nothing: the comment to reply to is gone,
 * or takes no replies. A failure after which the reply may stand is thrown.
 */
async function unlessReplyIsRefused(request) {
    try {
        return await request;
    }
    catch (error) {
        if (error instanceof errors/* GitHubError */.y_ && Refusal.safeParse(error.cause).success)
            return undefined;
        throw error;
    }
}

;// CONCATENATED MODULE: ./.build/lib/github/comments/discussion-comments.js
/** Comments of a discussion and the replies to them, over GraphQL: the REST API has none. */



const commentShape = {
    id: schemas/* string */.YjP(),
    databaseId: schemas/* number */.aig(),
    author: schemas/* object */.Ikc({ __typename: schemas/* string */.YjP(), login: schemas/* string */.YjP(), databaseId: schemas/* number */.aig().nullish() })
        .nullable(),
    body: schemas/* string */.YjP(),
    url: schemas/* string */.YjP(),
    createdAt: schemas/* string */.YjP(),
    updatedAt: schemas/* string */.YjP(),
    replyTo: schemas/* object */.Ikc({ databaseId: schemas/* number */.aig() }).nullish(),
};
function toComment({ id, databaseId, author, replyTo, ...rest }) {
    const isBot = author?.__typename === "Bot";
    // GraphQL drops the suffix that the REST API and people know.
    const login = isBot && !author?.login.endsWith("[bot]") ? `${author?.login}[bot]` : (author?.login ?? "");
    return {
        ...rest,
        id: databaseId,
        nodeId: id,
        ...(replyTo ? { parentId: replyTo.databaseId } : {}),
        author: author ? { login, id: author.databaseId ?? 0, isBot } : undefined,
    };
}
const DiscussionComment = schemas/* object */.Ikc(commentShape).transform(toComment);
const commentFields = `id databaseId body url createdAt updatedAt replyTo { databaseId }
  author { __typename login ... on User { databaseId } ... on Bot { databaseId } }`;
/** Replies, newest page first: ours are among the newest. */
const ReplyPage = schemas/* object */.Ikc({
    nodes: schemas/* array */.YOg(DiscussionComment),
    pageInfo: schemas/* object */.Ikc({ hasPreviousPage: schemas/* boolean */.zMY(), startCursor: schemas/* string */.YjP().nullable() }),
});
const replyFields = `nodes { ${commentFields} } pageInfo { hasPreviousPage startCursor }`;
/** A server that knows no replies has none. */
const TopComment = schemas/* object */.Ikc({ ...commentShape, replies: ReplyPage.nullish() })
    .transform(({ replies, ...comment }) => ({ comment: toComment(comment), replies: replies ?? undefined }));
const CommentPage = schemas/* object */.Ikc({
    node: schemas/* object */.Ikc({
        comments: schemas/* object */.Ikc({
            nodes: schemas/* array */.YOg(TopComment),
            pageInfo: schemas/* object */.Ikc({ hasNextPage: schemas/* boolean */.zMY(), endCursor: schemas/* string */.YjP().nullable() }),
        }),
    }),
});
const OlderReplies = schemas/* object */.Ikc({ node: schemas/* object */.Ikc({ replies: ReplyPage }).nullable() });
const Parent = schemas/* object */.Ikc({ node: schemas/* object */.Ikc({ replyTo: schemas/* object */.Ikc({ id: schemas/* string */.YjP() }).nullable() }).nullable() });
const Found = schemas/* object */.Ikc({ node: DiscussionComment.nullable() });
const Added = schemas/* object */.Ikc({ addDiscussionComment: schemas/* object */.Ikc({ comment: DiscussionComment }) });
const Updated = schemas/* object */.Ikc({ updateDiscussionComment: schemas/* object */.Ikc({ comment: DiscussionComment }) });
/** A discussion's comments; a new one replies in the thread of the comment that asked, where there is one. */
function createDiscussionComments({ nodeId, number, asking }, api) {
    const permission = permissionToWrite("discussion");
    const where = `discussion #${number}`;
    const send = ({ doing, query, schema }, variables) => api.call({ doing: `${doing} ${where}`, permission }, async (octokit) => schema.parse(await octokit.graphql(query, variables)));
    const add = async (body, replyTo) => {
        const query = `mutation ($id: ID!, $body: String!, $replyTo: ID) {
      addDiscussionComment(input: { discussionId: $id, body: $body, replyToId: $replyTo }) {
        comment { ${commentFields} } } }`;
        const variables = { id: nodeId, body, ...(replyTo === undefined ? {} : { replyTo }) };
        return (await send({ doing: "comment on", query, schema: Added }, variables)).addDiscussionComment
            .comment;
    };
    return {
        list: ({ since } = {}) => listComments({ nodeId, sinceMs: since === undefined ? undefined : Date.parse(since) }, send),
        async read({ nodeId: id }) {
            const query = `query ($id: ID!) { node(id: $id) { ... on DiscussionComment { ${commentFields} } } }`;
            const answer = await unlessGone(send({ doing: "read its comment on", query, schema: Found }, { id }));
            return answer?.node ?? undefined;
        },
        async create(body) {
            const parent = asking && (await findParent(asking, send));
            const reply = parent === undefined ? undefined : await unlessReplyIsRefused(add(body, parent));
            return reply ?? add(body);
        },
        async update({ nodeId: id }, body) {
            const query = `mutation ($id: ID!, $body: String!) {
        updateDiscussionComment(input: { commentId: $id, body: $body }) { comment { ${commentFields} } } }`;
            const answer = await send({ doing: "edit its comment on", query, schema: Updated }, { id, body });
            return answer.updateDiscussionComment.comment;
        },
        async remove({ nodeId: id }) {
            const query = "mutation ($id: ID!) { deleteDiscussionComment(input: { id: $id }) { comment { id } } }";
            await send({ doing: "delete its comment on", query, schema: schemas/* unknown */.L5J() }, { id });
        },
    };
}
/** Node id of the top-level comment in whose thread a comment stands; `undefined` where the comment is gone. */
async function findParent({ id, nodeId, topId }, send) {
    if (id === topId)
        return nodeId;
    const query = "query ($id: ID!) { node(id: $id) { ... on DiscussionComment { replyTo { id } } } }";
    const doing = "find the thread of the comment that asked on";
    const answer = await unlessGone(send({ doing, query, schema: Parent }, { id: nodeId }));
    return answer?.node?.replyTo?.id;
}
async function listComments({ nodeId, sinceMs }, send) {
    const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on Discussion {
    comments(first: 100, after: $cursor) { nodes { ${commentFields} replies(last: 100) { ${replyFields} } }
      pageInfo { hasNextPage endCursor } } } } }`;
    const comments = [];
    for (let cursor = null;;) {
        const page = await send({ doing: "list the comments of", query, schema: CommentPage }, { id: nodeId, cursor });
        const { nodes, pageInfo } = page.node.comments;
        for (const { comment, replies } of nodes) {
            comments.push(comment, ...(await listReplies({ nodeId: comment.nodeId, newest: replies, sinceMs }, send)));
        }
        if (!pageInfo.hasNextPage)
            break;
        cursor = pageInfo.endCursor;
    }
    const isRecent = ({ updatedAt }) => sinceMs === undefined || Date.parse(updatedAt) >= sinceMs;
    return comments.filter(isRecent).sort((a, b) => a.id - b.id);
}
/** The replies to a comment, from the newest page back, as far as there may be any that are wanted. */
async function listReplies({ nodeId, newest, sinceMs }, send) {
    const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on DiscussionComment {
    replies(last: 100, before: $cursor) { ${replyFields} } } } }`;
    const replies = [];
    for (let page = newest; page !== undefined;) {
        replies.push(...page.nodes);
        const { hasPreviousPage, startCursor } = page.pageInfo;
        const oldest = page.nodes[0];
        const isFarEnough = sinceMs !== undefined && oldest !== undefined && Date.parse(oldest.createdAt) < sinceMs;
        if (!hasPreviousPage || isFarEnough)
            break;
        const question = { doing: "list the replies on", query, schema: OlderReplies };
        const older = await unlessGone(send(question, { id: nodeId, cursor: startCursor }));
        page = older?.node?.replies;
    }
    return replies;
}

;// CONCATENATED MODULE: ./.build/lib/github/comments/issue-comments.js
/** Comments of an issue or pull request, over the REST API. */


/** A comment of an issue or pull request, as the REST API shows it, in our terms. */
const RestComment = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    node_id: schemas/* string */.YjP(),
    user: schemas/* object */.Ikc({ login: schemas/* string */.YjP(), id: schemas/* number */.aig(), type: schemas/* string */.YjP() }).nullish(),
    body: schemas/* string */.YjP().nullish(),
    html_url: schemas/* string */.YjP(),
    created_at: schemas/* string */.YjP(),
    updated_at: schemas/* string */.YjP(),
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
/** The conversation of an issue or pull request. */
function createIssueComments({ kind, number }, api) {
    const permission = permissionToWrite(kind);
    return {
        list: ({ since } = {}) => api.call({ doing: `list the comments of #${number}`, permission }, async (octokit, target) => {
            const parameters = { ...target, issue_number: number, per_page: 100, ...(since ? { since } : {}) };
            const comments = await octokit.paginate(octokit.rest.issues.listComments, parameters);
            return schemas/* array */.YOg(RestComment)
                .parse(comments)
                .sort((a, b) => a.id - b.id);
        }),
        read: ({ id }) => unlessGone(api.call({ doing: `read its comment on #${number}`, permission }, async (octokit, target) => {
            const { data } = await octokit.rest.issues.getComment({ ...target, comment_id: id });
            return RestComment.parse(data);
        })),
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

;// CONCATENATED MODULE: ./.build/lib/github/comments/thread-comments.js


/** The comments of a thread, over the API that its kind has. */
function createThreadComments(thread, api) {
    return thread.kind === "discussion"
        ? createDiscussionComments(thread, api)
        : createIssueComments(thread, api);
}


/***/ }),

/***/ 7121:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Up: () => (/* binding */ missingPermission),
/* harmony export */   Xt: () => (/* binding */ statusOfCause),
/* harmony export */   y_: () => (/* binding */ GitHubError)
/* harmony export */ });
/* unused harmony export isRefusal */
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5119);
/** Failures at the boundary to GitHub: its API, its artifact service, the runner's token. */

/** GitHub did not do what was asked; the hint names the `permissions:` line where one is missing. */
class GitHubError extends _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ActionError */ .lZ {
    name = "GitHubError";
}
/** The run's token lacks a permission; `line` is what to add to the job's `permissions:`, such as `issues: write`. */
function missingPermission(line, { doing, status, cause }) {
    return new GitHubError("missing-permission", `The run's token may not ${doing}.`, {
        hint: `Add \`${line}\` to the job's \`permissions:\`.`,
        status,
        cause,
    });
}
/** GitHub's HTTP status behind an error; `undefined` where it is not GitHub's, or no answer came. */
function statusOfCause(error) {
    return error instanceof GitHubError ? error.status : undefined;
}
/** Whether the token may not do something, or there is no such thing for it: another try would end the same. */
function isRefusal({ code }) {
    return code === "missing-permission" || code === "not-found";
}


/***/ }),

/***/ 9089:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* unused harmony export compareWithLiveText */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5491);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7121);
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
        const status = statusOfCause(error);
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

/***/ 1190:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ isSameAccount),
/* harmony export */   x: () => (/* binding */ readIdentity)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5491);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7121);


const Viewer = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    viewer: zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
        __typename: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().optional(),
        login: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
        databaseId: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig().nullish(),
    }),
});
/** The account of every workflow's own token; its number is the same on github.com and nowhere needed. */
const workflowAccount = { login: "github-actions[bot]", id: 41_898_282, isBot: true };
/**
 * The account behind the token. An installation's token (the workflow's own is one) is only told this by GraphQL; where a
 * server or proxy does not offer that, the token is taken for the workflow's own.
 */
async function readIdentity(api) {
    const purpose = { doing: "ask which account it belongs to", permission: "contents: read" };
    try {
        const { viewer } = await api.call(purpose, async (octokit) => Viewer.parse(await octokit.graphql("query { viewer { __typename login databaseId } }")));
        const { login, databaseId, __typename } = viewer;
        return { login, id: databaseId ?? 0, isBot: __typename === "Bot" || login.endsWith("[bot]") };
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .statusOfCause */ .Xt)(error) === 404)
            return workflowAccount;
        throw error;
    }
}
/** Whether two logins name the same account, with or without the suffix that some of GitHub's answers leave out. */
function isSameAccount(account, login) {
    const plain = (name) => name.toLowerCase().replace(/\[bot\]$/, "");
    const isBotLogin = login.endsWith("[bot]");
    return account !== undefined && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
}


/***/ }),

/***/ 3544:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fx: () => (/* binding */ breakMarkers),
/* harmony export */   MZ: () => (/* binding */ codeCell),
/* harmony export */   SS: () => (/* binding */ codeSpan),
/* harmony export */   VV: () => (/* binding */ escapeInline)
/* harmony export */ });
/* unused harmony export codeBlock */
/** Text from other people or from the platform, made harmless inside GitHub's Markdown. */
/** Zero-width non-joiner: invisible, and enough to take a mention's or a reference's meaning. */
const breaker = "\u200c";
/** Indentation of four spaces would make code of a line, and show the escapes. */
const maxIndent = 12;
/**
 * One line of foreign text as plain text: no HTML, links, images, mentions, references, closing keywords, formulas or
 * formatting. Control and formatting characters are dropped, line breaks become spaces.
 */
function escapeInline(text) {
    return (breakReferences(escapeMarks(toShownLine(text)))
        .replace(/^ {4,}/, (indent) => "\u00a0".repeat(Math.min(indent.length, maxIndent)))
        // GitHub's own way to write a dollar that begins no formula: a backslash is for those inside of one.
        .replaceAll("$", "<span>$</span>"));
}
/** Escape sequences of terminals first, whole; then what moves, hides or reorders text. */
function toShownLine(text) {
    return dropTerminalSequences(text)
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
        .replace(invisible, "");
}
function escapeMarks(line) {
    return (line
        .replace(/[\\`*_[\]()#|~]/g, "\\$&")
        // What begins a list or underlines a heading does so only at the start.
        .replace(/^(\s*)([-+=])/, "$1\\$2")
        .replace(/^(\s*\d+)\./, "$1\\.")
        .replace(/&/g, "&amp;")
        .replace(/</g, "&lt;")
        .replace(/>/g, "&gt;"));
}
/** What GitHub links by itself: people, issues, advisories, commits, addresses; and short codes of emoji. */
function breakReferences(escaped) {
    return escaped
        .replace(/@(?=[\w\\])/g, `@${breaker}`)
        .replace(/\\#(?=\w)/g, `\\#${breaker}`)
        .replace(/(GH|GHSA|CVE)-(?=\w)/gi, `$1${breaker}-`)
        .replace(/\\\[(?=!)/g, `\\[${breaker}`)
        .replace(identifierOrHash, breakHash)
        .replace(/:(?=\/\/|[\w+-]+:)/g, `:${breaker}`)
        .replace(/(www)\.(?=\S)/gi, `$1${breaker}.`);
}
/** A UUID, which is no commit and must survive copying; or the digits of what may be one. */
const identifierOrHash = /(?<![0-9a-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<hash>[0-9a-f]{7,40}))(?![0-9a-z])/gi;
function breakHash(found, hash) {
    if (hash === undefined)
        return found;
    const isCommit = hash.length === 40 || (/\d/.test(hash) && /[a-f]/i.test(hash));
    // Seven digits are enough for GitHub, wherever a word begins.
    return isCommit ? (hash.match(/.{1,6}/g) ?? []).join(breaker) : found;
}
/** Private-use, unassigned, lone surrogate and formatting code points, and what else renderers may ignore, but for emoji's. */
const invisible = /(?!\uFE0F)[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Control sequences and operating-system commands of terminals (ECMA-48), with what they carry. */
const terminalSequence = 
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
/\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u009B[0-?]*[ -/]*[@-~]/g;
/** Takes terminals' escape sequences out: left without their first character they would be rubbish to read. */
function dropTerminalSequences(text) {
    return text.replace(terminalSequence, "");
}
/** Nothing in our texts may pass for the marker that makes a comment ours. */
function breakMarkers(text) {
    return text.replaceAll("<!-- docs-automation:", `<!--${breaker} docs-automation:`);
}
/** Foreign text as a code span; for identifiers, paths and hashes. */
function codeSpan(text) {
    const line = breakMarkers(toShownLine(text).trim());
    if (line === "")
        return "—";
    const longestRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = "`".repeat(longestRun + 1);
    const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
    return `${fence}${pad}${line}${pad}${fence}`;
}
/**
 * Like `codeSpan`, for a cell of a table, where a bar would end the cell even inside code. Whether a backslash before an
 * escaped bar escapes the backslash or the bar, parsers do not agree; entities leave no doubt.
 */
function codeCell(text) {
    const span = codeSpan(text);
    if (!span.includes("\\|"))
        return span.replaceAll("|", "\\|");
    const line = breakReferences(toShownLine(text).trim());
    return `<code>${line.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
}
/** Foreign text of several lines as a code block that it cannot leave. */
function codeBlock(text) {
    const lines = dropTerminalSequences(text)
        .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
        .replace(/(?![\t\n])\p{Cc}/gu, "")
        .replace(invisible, "");
    const longestRun = [...lines.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 2);
    const fence = "`".repeat(longestRun + 1);
    return `${fence}text\n${breakMarkers(lines)}\n${fence}`;
}


/***/ }),

/***/ 5588:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   fU: () => (/* binding */ formatTime)
/* harmony export */ });
/* unused harmony exports formatCount, formatBytes */
/** Numbers and times as people read them; pure and independent of locale and time zone. */
/** A number with its noun, which takes an “s” in the plural: "1 file", "2 files". */
function formatCount(count, noun) {
    return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
/** Bytes in decimal units: "1.4 GB". */
function formatBytes(bytes) {
    if (bytes === 1)
        return "1 byte";
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

/***/ 3995:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ cutText),
/* harmony export */   m: () => (/* binding */ shorten)
/* harmony export */ });
/** The beginning of a text: at most `length` UTF-16 units, and never half a character. */
function cutText(text, length) {
    return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
/** Like `cutText`; an ellipsis, which counts, says that more followed. */
function shorten(text, length) {
    return text.length <= length ? text : `${cutText(text, length - 1)}…`;
}


/***/ })

};
