export const id = 715;
export const ids = [715];
export const modules = {

/***/ 28644:
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
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
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

// EXTERNAL MODULE: ./.build/lib/github/github-api.js + 1 modules
var github_api = __webpack_require__(53978);
// EXTERNAL MODULE: ./.build/lib/github/people/identity.js
var people_identity = __webpack_require__(41190);
// EXTERNAL MODULE: ./.build/lib/github/claims/marker.js
var marker = __webpack_require__(10744);
;// CONCATENATED MODULE: ./.build/lib/github/people/permission.js
/** Who may start something: the gate in front of everything that acknowledges, sends or spends. */


/** Levels of access, weakest first, as the collaborator permission's booleans name them. */
const permissionLevels = ["read", "triage", "write", "maintain", "admin"];
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
    return (0,people_identity/* isSameAccount */.s)(author, identity.login)
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
async function readPermission(login, api) {
    try {
        const { data } = await api.call({ doing: `look up the permission of ${login}`, permission: "contents: read" }, (octokit, target) => octokit.rest.repos.getCollaboratorPermissionLevel({ ...target, username: login }));
        return data.user?.permissions ?? {};
    }
    catch (error) {
        if ((0,github_errors/* statusOfCause */.Xt)(error) === 404)
            return {};
        throw error;
    }
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
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
        return JSON.parse(await (0,promises_.readFile)(path, "utf8"));
    }
    catch (error) {
        throw new errors/* InputError */.dz([`The event's payload at GITHUB_EVENT_PATH cannot be read: ${String(error)}.`]);
    }
}

// EXTERNAL MODULE: ./.build/lib/action/inside-workspace.js
var inside_workspace = __webpack_require__(68453);
// EXTERNAL MODULE: ./.build/lib/action/version.js
var version = __webpack_require__(12041);
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
    const options = { apiUrl, repository, token, userAgent: `docs-automation-action/${version/* version */.r}` };
    const api = (0,github_api/* createGitHubApi */._)(options, { log, signal, random });
    const neverAborted = new AbortController().signal;
    const lastWordsApi = (0,github_api/* createGitHubApi */._)({ ...options, patience: lastWordsPatience }, { log, signal: neverAborted, random });
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

/***/ 11705:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ saveClaim)
/* harmony export */ });
/* unused harmony export readSavedClaim */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(27597);
/* harmony import */ var _github_claims_claim_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(23500);
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
    saveState("unsettled", String(isPending || !(0,_github_claims_claim_record_js__WEBPACK_IMPORTED_MODULE_0__/* .isSettled */ .Is)(record)));
}
/** The record that the main step kept, if it got that far. */
function readSavedClaim(state) {
    const text = state(stateName);
    return text === "" ? undefined : SavedClaim.parse(JSON.parse(text));
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

/***/ 60365:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ explain)
/* harmony export */ });
/* harmony import */ var _shorten_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(33995);

/** An error as a record keeps it. */
function explain(error) {
    return (0,_shorten_js__WEBPACK_IMPORTED_MODULE_0__/* .shorten */ .m)(`${error.message} ${error.hint}`, 1000);
}


/***/ }),

/***/ 23500:
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

/***/ 46315:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ threadKey),
/* harmony export */   x: () => (/* binding */ createCommentClaims)
/* harmony export */ });
/* harmony import */ var _people_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(41190);
/* harmony import */ var _claim_record_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(23500);
/* harmony import */ var _marker_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(10744);
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
    if (!(0,_people_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .isSameAccount */ .s)(comment.author, deps.identity.login))
        return undefined;
    const marker = (0,_marker_js__WEBPACK_IMPORTED_MODULE_2__/* .readMarker */ .t7)(comment.body, { kind: "claim", schema: _claim_record_js__WEBPACK_IMPORTED_MODULE_1__/* .ClaimRecord */ .si, place, seal: deps.seal });
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

/***/ 10744:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   en: () => (/* binding */ writeMarker),
/* harmony export */   t7: () => (/* binding */ readMarker),
/* harmony export */   xY: () => (/* binding */ hasMarker)
/* harmony export */ });
/* harmony import */ var _payload_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(34826);

const pattern = /<!-- docs-automation:(claim|origin):v1 ([\w-]+)\.([0-9a-f]{8})\.([\w-]{43}) -->/g;
/** True for any text of ours, also of later versions: such a text never triggers anything. */
function hasMarker(body) {
    return body.includes("<!-- docs-automation:");
}
/** Writes a marker; it belongs at the end of a comment. */
function writeMarker(kind, value, { place, seal }) {
    const payload = (0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .encodePayload */ .v)(value);
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
    const parsed = schema.safeParse((0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .decodePayload */ .D)(payload));
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


/***/ }),

/***/ 34826:
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

/***/ 31583:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ pickConversation),
/* harmony export */   m: () => (/* binding */ orderByThread)
/* harmony export */ });
/** Each comment with its replies after it, the thread of the comment that asks last; otherwise oldest first. */
function orderByThread(comments, asking) {
    const isNear = (comment) => Number(topOf(comment) === asking?.topId);
    return comments.toSorted((one, other) => isNear(one) - isNear(other) || topOf(one) - topOf(other) || one.id - other.id);
}
/**
 * The comments whose conversation a question may go on with, the nearest last: those that answer the discussion itself,
 * then those of the question's own thread. What was said in other threads is not among them.
 */
function pickConversation(comments, asking) {
    const isNear = (comment) => topOf(comment) === asking?.topId;
    const isTop = ({ parentId }) => parentId === undefined;
    return [...comments.filter((comment) => isTop(comment) && !isNear(comment)), ...comments.filter(isNear)];
}
function topOf({ id, parentId = id }) {
    return parentId;
}


/***/ }),

/***/ 95414:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ unlessGone),
/* harmony export */   k: () => (/* binding */ permissionToWrite)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27121);
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
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .statusOfCause */ .Xt)(error) === 404)
            return undefined;
        throw error;
    }
}


/***/ }),

/***/ 91915:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ createIssueComments),
/* harmony export */   e: () => (/* binding */ RestComment)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(27597);
/* harmony import */ var _comment_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(95414);
/** Comments of an issue or pull request, over the REST API. */


/** A comment of an issue or pull request, as the REST API shows it, in our terms. */
const RestComment = zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    id: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    node_id: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    user: zod__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ login: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), id: zod__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(), type: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }).nullish(),
    body: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().nullish(),
    html_url: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    created_at: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    updated_at: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
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
    const permission = (0,_comment_js__WEBPACK_IMPORTED_MODULE_0__/* .permissionToWrite */ .k)(kind);
    return {
        list: ({ since } = {}) => api.call({ doing: `list the comments of #${number}`, permission }, async (octokit, target) => {
            const parameters = { ...target, issue_number: number, per_page: 100, ...(since ? { since } : {}) };
            const comments = await octokit.paginate(octokit.rest.issues.listComments, parameters);
            return zod__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(RestComment)
                .parse(comments)
                .sort((a, b) => a.id - b.id);
        }),
        read: ({ id }) => (0,_comment_js__WEBPACK_IMPORTED_MODULE_0__/* .unlessGone */ .W)(api.call({ doing: `read its comment on #${number}`, permission }, async (octokit, target) => {
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


/***/ }),

/***/ 64852:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  d: () => (/* binding */ createThreadComments)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
// EXTERNAL MODULE: ./.build/lib/github/comments/comment.js
var comment = __webpack_require__(95414);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var errors = __webpack_require__(27121);
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
    const permission = (0,comment/* permissionToWrite */.k)("discussion");
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
            const answer = await (0,comment/* unlessGone */.W)(send({ doing: "read its comment on", query, schema: Found }, { id }));
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
    const answer = await (0,comment/* unlessGone */.W)(send({ doing, query, schema: Parent }, { id: nodeId }));
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
        const older = await (0,comment/* unlessGone */.W)(send(question, { id: nodeId, cursor: startCursor }));
        page = older?.node?.replies;
    }
    return replies;
}

// EXTERNAL MODULE: ./.build/lib/github/comments/issue-comments.js
var issue_comments = __webpack_require__(91915);
;// CONCATENATED MODULE: ./.build/lib/github/comments/thread-comments.js


/** The comments of a thread, over the API that its kind has. */
function createThreadComments(thread, api) {
    return thread.kind === "discussion"
        ? createDiscussionComments(thread, api)
        : (0,issue_comments/* createIssueComments */.M)(thread, api);
}


/***/ }),

/***/ 89089:
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

/***/ 53978:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  _: () => (/* binding */ createGitHubApi)
});

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(58500);
// EXTERNAL MODULE: ./node_modules/@actions/github/lib/utils.js + 19 modules
var utils = __webpack_require__(85555);
// EXTERNAL MODULE: ./.build/lib/message-of.js
var message_of = __webpack_require__(48999);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/errors.js
var errors = __webpack_require__(961);
// EXTERNAL MODULE: ./.build/lib/with-stop.js
var with_stop = __webpack_require__(73477);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(27121);
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
    if (!(error instanceof errors/* ZodError */.G))
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
        return new github_errors/* GitHubError */.y_("unreachable", `GitHub did not answer when asked to ${doing}: ${(0,with_stop/* withStop */.d)(reason)}`, { hint: checkTheWay, cause: error });
    }
    return new github_errors/* GitHubError */.y_(isGone ? "not-found" : "unavailable", `GitHub could not ${doing}: ${(0,with_stop/* withStop */.d)(reason)}`, {
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


/***/ }),

/***/ 41190:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ isSameAccount),
/* harmony export */   x: () => (/* binding */ readIdentity)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(27597);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27121);


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

/***/ 81402:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ stripInvisibleCharacters)
/* harmony export */ });
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
function stripInvisibleCharacters(source) {
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


/***/ }),

/***/ 11449:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ parseMarkdown),
/* harmony export */   b: () => (/* binding */ rangeOf)
/* harmony export */ });
/* harmony import */ var remark_gfm__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(26550);
/* harmony import */ var remark_parse__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76753);
/* harmony import */ var unified__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1529);
/* harmony import */ var _markdown_cost_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(36243);




/** Far deeper than people nest quotes and lists; deeper trees are made to exhaust whoever walks them. */
const maxDepth = 100;
/**
 * Parses Markdown the way GitHub does (CommonMark and GFM; HTML is kept as raw nodes).
 *
 * `undefined` for a text so deeply nested or so full of marks that nobody wrote it to be read.
 */
function parseMarkdown(source) {
    if ((0,_markdown_cost_js__WEBPACK_IMPORTED_MODULE_0__/* .isTooDense */ .g)(source))
        return undefined;
    const tree = (0,unified__WEBPACK_IMPORTED_MODULE_1__/* .unified */ .l)().use(remark_parse__WEBPACK_IMPORTED_MODULE_2__/* ["default"] */ .A).use(remark_gfm__WEBPACK_IMPORTED_MODULE_3__/* ["default"] */ .A).use(dropTransforms).parse(source);
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

/***/ 45862:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  UG: () => (/* binding */ keepVisibleCharacters),
  bJ: () => (/* binding */ keepVisibleText),
  S3: () => (/* binding */ readVisibleText)
});

;// CONCATENATED MODULE: ./.build/lib/github/text/html-state.js
/** What raw HTML inside Markdown does to the text behind it: hides it, shrinks it, or neither. */
/** The state in which text is shown. */
const shownText = { inComment: false, hiding: undefined, shrunk: 0, isTangled: false };
/** What nothing brings back. */
const hiddenForGood = { name: undefined, depth: 1 };
/** Three nested `<sub>` can still be read; text of a third of its size cannot. */
const maxShrunk = 10;
/** True where text that follows is not shown, or cannot be read. */
function isHidden({ inComment, hiding, shrunk }) {
    return inComment || hiding !== undefined || shrunk > maxShrunk;
}
/** The state behind a block: elements that hide and are still open may now be closed where a browser ignores it. */
function leaveBlock(state) {
    const { hiding, shrunk } = state;
    const isForGood = hiding?.name !== undefined && trulyHiding.has(hiding.name);
    return { ...state, hiding: isForGood ? hiddenForGood : hiding, isTangled: shrunk > 0 };
}
/** Browsers show nothing of their content: a ruby's parentheses, templates, and what stands in for a player. */
const trulyHiding = new Set(["rp", "template", "video", "audio"]);
/** GFM's tag filter shows these as text; in a spelling that it misses they swallow the page. */
const filtered = new Set("script style title textarea xmp iframe noembed noframes plaintext".split(" "));
/** GitHub takes these tags out and shows their content; nobody writes prose there, so it goes if the element is closed. */
const doubtful = new Set([...filtered, ..."noscript object head svg math canvas".split(" ")]);
const shrinking = { sub: 3, sup: 3, small: 1 };
/** Inside these a browser ignores the end of an element that was opened outside. */
const special = new Set("address applet article aside blockquote body button center details dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main marquee menu nav object ol p pre search section select summary table tbody td tfoot th thead tr ul".split(" "));
/** Whether the content of an element is not shown, or not worth showing. */
function hides(name, isClosedLater) {
    return trulyHiding.has(name) || (doubtful.has(name) && isClosedLater(name));
}
/** The state behind the beginning of an element. */
function enterElement({ name, state, hides, }) {
    const shrunk = state.shrunk + (shrinking[name] ?? 0);
    const isTangled = state.isTangled || (shrunk > 0 && special.has(name));
    return { ...state, shrunk, isTangled, hiding: hideInside(name, state.hiding, hides) };
}
function hideInside(name, hiding, hides) {
    if (hiding?.name === name)
        return { name, depth: hiding.depth + 1 };
    const isTrulyHidden = hiding !== undefined && (hiding.name === undefined || trulyHiding.has(hiding.name));
    if (isTrulyHidden)
        return special.has(name) ? hiddenForGood : hiding;
    // What only may be hidden must not cover what is.
    if (hiding === undefined)
        return hides ? { name, depth: 1 } : undefined;
    return trulyHiding.has(name) ? { name, depth: 1 } : hiding;
}
/** The state behind the end of an element. */
function leaveElement(name, state) {
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
function endOfTag(source, offset) {
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
function scanHtml(source, scan) {
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

;// CONCATENATED MODULE: ./.build/lib/github/text/keep-url.js
const schemes = /^(?:https?:|mailto:)/i;
/** A link's address as it may stay in the text, or `undefined` where GitHub would not link it or it could hold prose. */
function keepUrl(url) {
    if (url.length === 0 || url.length > 2000 || /\s/.test(url))
        return undefined;
    if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !schemes.test(url))
        return undefined;
    return url.replace(/[()<>\\"'[\]]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
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
class LookalikeSearch {
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

// EXTERNAL MODULE: ./.build/lib/github/text/markdown.js
var text_markdown = __webpack_require__(11449);
// EXTERNAL MODULE: ./node_modules/unist-util-visit/lib/index.js
var lib = __webpack_require__(73617);
// EXTERNAL MODULE: ./node_modules/unist-util-visit-parents/lib/index.js + 1 modules
var unist_util_visit_parents_lib = __webpack_require__(84146);
;// CONCATENATED MODULE: ./.build/lib/github/text/references.js


/** Too short to say anything. */
const shortLabel = /^[\w-]{1,16}$/;
/** Reads the references of a parsed document. */
function readReferences(source, tree) {
    const definitions = new Map();
    const linked = new Set();
    const footnotes = findShownFootnotes(tree);
    const closings = new Map();
    (0,lib/* visit */.YR)(tree, (node) => {
        if (node.type === "definition" && !definitions.has(node.identifier))
            definitions.set(node.identifier, node);
        else if (node.type === "linkReference" || node.type === "imageReference")
            linked.add(node.identifier);
        else if (node.type === "html")
            noteClosings(source, { ...(0,text_markdown/* rangeOf */.b)(node), closings });
    });
    return {
        definition: (identifier) => definitions.get(identifier),
        isLinkedTo: (node) => linked.has(node.identifier) && definitions.get(node.identifier) === node,
        isFootnoteShown: (node) => footnotes.get(node.identifier) === node,
        shortFootnote: (identifier) => shortLabel.test(identifier) ? undefined : nameFootnote(identifier, footnotes),
        isClosedAfter: (offset, name) => (closings.get(name) ?? -1) > offset,
    };
}
/** Footnotes that the text refers to, or a footnote that it refers to; one that only refers to itself is not shown. */
function findShownFootnotes(tree) {
    const definitions = new Map();
    (0,lib/* visit */.YR)(tree, "footnoteDefinition", (node) => {
        if (!definitions.has(node.identifier))
            definitions.set(node.identifier, node);
    });
    const shown = new Map();
    const waiting = [tree];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const from = next;
        (0,lib/* visit */.YR)(from, (node) => {
            if (node.type === "footnoteDefinition" && node !== from)
                return unist_util_visit_parents_lib/* SKIP */._Z;
            const definition = node.type === "footnoteReference" ? definitions.get(node.identifier) : undefined;
            if (definition !== undefined && !shown.has(definition.identifier)) {
                shown.set(definition.identifier, definition);
                waiting.push(definition);
            }
            return undefined;
        });
    }
    return shown;
}
function noteClosings(source, { start, end, closings, }) {
    for (const { index, 1: name = "" } of source.slice(start, end).matchAll(/<\/([a-z][^\s/>]*)/gi)) {
        closings.set(name.toLowerCase(), start + index);
    }
}
function nameFootnote(identifier, footnotes) {
    let number = [...footnotes.keys()].indexOf(identifier) + 1;
    while (footnotes.has(`note-${number}`))
        number += footnotes.size;
    return `note-${number}`;
}

;// CONCATENATED MODULE: ./.build/lib/github/text/unseen.js
/** Stretches in document order; of what overlaps, the rest is found again once the first is cut. */
function orderUnseen(found) {
    return mergeAdjacent(withoutOverlaps(found));
}
function withoutOverlaps(found) {
    const kept = [];
    for (const part of found.toSorted((a, b) => a.start - b.start)) {
        if (part.start >= (kept.at(-1)?.end ?? 0))
            kept.push(part);
    }
    return kept;
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

;// CONCATENATED MODULE: ./.build/lib/github/text/unseen-diagram.js
/**
 * Finds comments, configuration, descriptions for screen readers and what only shows on a click.
 *
 * A diagram whose styles can hide its words is taken out whole: what is left of it only a renderer can say.
 */
function findUnseenInDiagram(source, { start, end }) {
    const diagram = source.slice(start, end);
    const silent = findSilent(diagram);
    if (canHideWords(diagram, silent))
        return [{ start, end, hidesText: true, replacement: "(diagram)" }];
    return silent.map(([from, to]) => ({
        start: start + from,
        end: start + to,
        hidesText: true,
        replacement: "",
    }));
}
/** In these a `#` that begins no entity begins a comment. */
const hashComments = /^[ \t>]*(?:sequenceDiagram|stateDiagram|gantt|journey|timeline|requirementDiagram)\b/m;
function findSilent(diagram) {
    const spans = [];
    const hasHashComments = hashComments.test(diagram);
    let offset = 0;
    let until;
    let isFirst = true;
    for (const line of diagram.split("\n")) {
        const last = spans.at(-1);
        const end = offset + line.length;
        if (until !== undefined && last !== undefined) {
            last[1] = end;
            if (until.test(line))
                until = undefined;
        }
        else {
            const silence = silenceOf(line, { isFirst, hasHashComments });
            if (silence !== undefined)
                spans.push([offset + silence.from, end]);
            until = silence?.until;
            isFirst &&= line.trim() === "";
        }
        offset = end + 1;
    }
    return spans;
}
const onlyOnClick = /(?:^|;)[ \t]*(?:click|callback|links?|href|properties|details)[ \t]/;
function silenceOf(line, { isFirst, hasHashComments }) {
    const prefix = /^[ \t>]*/.exec(line)?.[0].length ?? 0;
    const text = line.slice(prefix);
    if (isFirst && /^---[ \t]*$/.test(text))
        return { from: prefix, until: /^[ \t>]*---[ \t]*$/ };
    if (/^accDescr[ \t]*\{/.test(text))
        return { from: prefix, until: text.includes("}") ? undefined : /\}/ };
    if (/^(?:acc(?:Title|Descr)[ \t]*:|#)/.test(text))
        return { from: prefix, until: undefined };
    const comment = /%%\{?/.exec(text);
    const isOpen = comment?.[0] === "%%{" && !text.slice(comment.index).includes("}%%");
    const begins = [
        comment?.index,
        onlyOnClick.exec(text)?.index,
        hasHashComments ? text.search(/#(?!\w+;)/) : -1,
    ];
    const from = Math.min(...begins.map((index) => (index === undefined || index < 0 ? line.length : index)));
    return from < line.length ? { from: prefix + from, until: isOpen ? /\}%%/ : undefined } : undefined;
}
const styleLine = /^[ \t>]*(?:style|classDef|linkStyle|rect|box|Update\w*Style|Add\w*Tag)\b(.*)$/gm;
const harmlessProperty = /^\s*(?:stroke(?:-width|-dasharray)?|rx|ry|fill-rule|font-weight)\s*:[\w\s#.,%-]*$/;
/** Nobody styles a node in more. */
const maxStyleLength = 500;
function canHideWords(diagram, silent) {
    // Tags with attributes, and comments, inside labels.
    if (/<!--|<[a-z][\w-]*\s[^<>]*=/i.test(diagram))
        return true;
    const isRestyled = silent.some(([from, to]) => {
        const text = diagram.slice(from, to);
        return /^(?:---|%%\{)/.test(text) && /color|css|opacity|font|background|fill/i.test(text);
    });
    return (isRestyled || [...diagram.matchAll(styleLine)].some(([line, rest = ""]) => !isHarmlessStyle(line, rest)));
}
function isHarmlessStyle(line, rest) {
    if (line.length > maxStyleLength)
        return false;
    if (/^[ \t>]*(?:rect|box)\b/.test(line))
        return lightness(rest) !== "dark";
    if (!/:/.test(rest))
        return false;
    const [, properties = ""] = /^\s*[\w\s,*.-]*?\s([a-z-]+\s*:.*?)[\s;]*$/i.exec(rest) ?? [];
    return properties !== "" && properties.split(/,(?![^(]*\))/).every(isHarmlessProperty);
}
/** Dark words on a light ground, as the diagram has them without styles. */
function isHarmlessProperty(property) {
    const [, name = "", value = ""] = /^\s*(fill|color)\s*:\s*(.*)$/i.exec(property) ?? [];
    if (name === "")
        return harmlessProperty.test(property);
    return lightness(value) === (name.toLowerCase() === "fill" ? "light" : "dark");
}
/** Whether the first colour of a text is light or dark enough to tell. */
function lightness(text) {
    const channels = readColor(text);
    if (channels === undefined)
        return /\b(?:black|navy|maroon|indigo|dark\w+)\b/i.test(text) ? "dark" : undefined;
    const [red = 0, green = 0, blue = 0] = channels;
    const luma = (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
    if (luma > 0.55)
        return "light";
    return luma < 0.3 ? "dark" : undefined;
}
function readColor(text) {
    const [, hex = ""] = /#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])/i.exec(text) ?? [];
    if (hex !== "") {
        const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []);
        return digits.map((digit) => Number.parseInt(digit, 16));
    }
    const [, list] = /rgb\(\s*(\d+\s*,\s*\d+\s*,\s*\d+)\s*\)/i.exec(text) ?? [];
    return list?.split(",").map(Number);
}

;// CONCATENATED MODULE: ./.build/lib/github/text/unseen-math.js

/**
 * Macros that can hide what they are given: invisible boxes, colours, definitions that nobody calls, branches, overlays,
 * labels, notes that show on a click. What a formula with one of them looks like only a TeX engine can say.
 */
const hidingMacro = /\\(?:[hv]?phantom|(?:text|page|define)?color(?:box)?|fcolorbox|[egx]?def|let|(?:re)?new(?:command|environment)|providecommand|Declare\w+|mathchoice|mathpalette|(?:math)?[lrc]lap|rule|label|style|class|cssId|href|url|data|mmlToken|(?:text|math)tip|toggle|endtoggle|action|require|bbox|enclose|scalebox|resizebox|tiny|html\w*|includegraphics)(?![a-z])/i;
/** Moves that are long, or go back over what stands there. */
const farMove = /\\(?:[hmv]?skip|m?kern|[hmv]space\*?|raise|lower|raisebox|move(?:left|right))\s*\{?\s*(?:-|\+?\d{2,}(?!\s*mu))/i;
/** Colours that stand out on a light and on a dark page. */
const plainColor = /\\(?:text)?color\s*\{\s*(?:red|blue|green|orange|purple|magenta|violet|teal|brown)\s*\}/gi;
const comment = /(?<!\\)(?:\\\\)*%.*/g;
/** The stretches of one formula that are not shown. */
function findUnseenInFormula(source, { start, end }) {
    const formula = source.slice(start, end);
    const written = formula.replace(comment, "").replace(plainColor, "");
    if (hidingMacro.test(written) || farMove.test(written)) {
        return [{ start, end, hidesText: true, replacement: "\\text{formula}" }];
    }
    return [...formula.matchAll(comment)].map(({ index, 0: text }) => {
        const percent = start + index + text.indexOf("%");
        return { start: percent, end: start + index + text.length, hidesText: true, replacement: "" };
    });
}
/** Formulas between dollars: as on GitHub, an inline one touches its dollars, and no word touches them from outside. */
const delimited = /\$\$(?<display>[^$]+(?:\$[^$]+)*)\$\$|(?<![\w\\$])\$(?<inline>(?![\s$])(?:[^$\\]|\\[\s\S])+)(?<!\s)\$(?!\w)/g;
/** The stretches of the formulas in a paragraph, heading or cell that are not shown. */
function findUnseenMath(source, block) {
    const range = (0,text_markdown/* rangeOf */.b)(block);
    if (!source.slice(range.start, range.end).includes("$"))
        return [];
    const codes = block.children.filter((child) => child.type === "inlineCode");
    const text = blankCodes(source, { range, codes });
    const written = [...text.matchAll(delimited)].flatMap(({ index, 0: whole, groups }) => {
        const inside = groups?.["display"] ?? groups?.["inline"] ?? "";
        const start = range.start + index + (whole.length - inside.length) / 2;
        return findUnseenInFormula(source, { start, end: start + inside.length });
    });
    return [...written, ...codes.flatMap((code) => findInCode(source, code))];
}
/** The block's source with code spans blanked: a dollar in code is none. */
function blankCodes(source, { range, codes }) {
    let text = "";
    let offset = range.start;
    for (const { start, end } of codes.map(text_markdown/* rangeOf */.b)) {
        text += source.slice(offset, start) + "x".repeat(end - start);
        offset = end;
    }
    return text + source.slice(offset, range.end);
}
/** A code span directly between dollars is a formula. */
function findInCode(source, code) {
    const { start, end } = (0,text_markdown/* rangeOf */.b)(code);
    if (source[start - 1] !== "$" || source[end] !== "$")
        return [];
    const ticks = /^`+/.exec(source.slice(start, end))?.[0].length ?? 1;
    return findUnseenInFormula(source, { start: start + ticks, end: end - ticks });
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
function findUnseenInCode(source, node) {
    const range = (0,text_markdown/* rangeOf */.b)(node);
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
    const { start } = (0,text_markdown/* rangeOf */.b)(node);
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
function findUnseen(source, tree) {
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
                this.found.push(...this.#lookalikes.find((0,text_markdown/* rangeOf */.b)(node)));
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
        this.found.push({ ...(0,text_markdown/* rangeOf */.b)(node), hidesText, replacement });
    }
    #walkHtml(node) {
        const { start, end } = (0,text_markdown/* rangeOf */.b)(node);
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
        const { start } = (0,text_markdown/* rangeOf */.b)(node);
        const from = this.#source.indexOf(label, start);
        this.found.push({ start: from, end: from + label.length, hidesText: true, replacement });
    }
    #walkLink(node) {
        const last = node.children.at(-1);
        const isAddress = this.#source[(0,text_markdown/* rangeOf */.b)(node).start] !== "[";
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
        const { start, end } = (0,text_markdown/* rangeOf */.b)(node);
        this.found.push({ start, end: start + 1, hidesText: true, replacement: "" });
        this.#walkChildren(node.children);
        this.found.push({ start: (0,text_markdown/* rangeOf */.b)(last).end, end, hidesText: true, replacement: "" });
    }
    #walkShownLink(node, last) {
        const { start, end } = (0,text_markdown/* rangeOf */.b)(node);
        const target = node.type === "link" ? node : this.#references.definition(node.identifier);
        const url = target ? keepUrl(target.url) : undefined;
        const tail = url === undefined ? "" : `](${url})`;
        const textEnd = (0,text_markdown/* rangeOf */.b)(last).end;
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

// EXTERNAL MODULE: ./.build/lib/github/text/invisible-characters.js
var invisible_characters = __webpack_require__(81402);
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
function keepVisibleText(markdown) {
    return (readVisibleText(markdown) ?? {
        text: "",
        hiddenSegments: 1,
        invisibleCharacters: (0,invisible_characters/* stripInvisibleCharacters */.G)(markdown).dropped,
    });
}
/**
 * Like `keepVisibleText`; `undefined` for a text that is nested or marked beyond reading, or built so that cutting never
 * settles.
 */
function readVisibleText(markdown) {
    const { text: source, dropped } = (0,invisible_characters/* stripInvisibleCharacters */.G)(markdown);
    let text = source;
    let hiddenSegments = 0;
    const rounds = source.length > longText ? maxRoundsOfLongTexts : maxRounds;
    for (let round = 0; round < rounds; round += 1) {
        const tree = (0,text_markdown/* parseMarkdown */.D)(text);
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
function keepVisibleCharacters(text) {
    const { text: visible, dropped } = (0,invisible_characters/* stripInvisibleCharacters */.G)(text);
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


/***/ }),

/***/ 36243:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ isTooDense)
/* harmony export */ });
/** An estimate of what a Markdown text would cost to parse, so that nobody's comment, and no platform's answer, can hold a runner. */
/**
 * The parser's work grows with the square of the marks in one paragraph that may open or close emphasis and links. This
 * is about a second's worth; 65,536 characters of prose, links and tables stay far below.
 */
const maxPairs = 4500 ** 2;
/** It looks for the end of each unfinished comment or declaration through the whole paragraph. */
const maxSteps = 30_000_000;
/** Each line that underlines a heading moves everything before it. */
const maxUnderlines = 1000;
/** Each line may be a block of its own; texts of this many lines are lists of numbers. */
const maxLines = 8000;
/** Far deeper than people nest quotes and lists; deeper trees are made to exhaust whoever walks them. */
const deepLine = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){100}/m;
/** Whether a text is so deeply nested or so full of marks that nobody wrote it to be read. */
function isTooDense(source) {
    if (deepLine.test(source))
        return true;
    if (countMatches(source, /^[ \t>]*(?:=+|-+)[ \t]*$/gm) > maxUnderlines)
        return true;
    if (countMatches(source, /^[ \t>]*[^\s>]/gm) > maxLines)
        return true;
    let pairs = 0;
    let steps = 0;
    for (const paragraph of source.split(/\n[ \t>]*(?=\n)/)) {
        pairs += countMatches(paragraph, /([*_~[])\1*/g) ** 2 + countStrayClosings(paragraph) ** 2;
        steps += countMatches(paragraph, /<[!?]/g) * paragraph.length;
    }
    return pairs > maxPairs || steps > maxSteps;
}
function countMatches(text, pattern) {
    return text.match(pattern)?.length ?? 0;
}
/** Closing brackets that nothing opened: for each the parser goes back over the whole paragraph. */
function countStrayClosings(text) {
    let open = 0;
    let stray = 0;
    for (const [bracket] of text.matchAll(/[[\]]/g)) {
        if (bracket === "[")
            open += 1;
        else if (open > 0)
            open -= 1;
        else
            stray += 1;
    }
    return stray;
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
    const isPaused = status.state === "working" && (status.outcome ?? "stopped") !== "stopped";
    return `Docs ${status.command}: ${title}${pull === undefined ? "" : ` #${pull}`}${job}${isPaused ? "; re-run to resume" : ""}`;
}


/***/ })

};
