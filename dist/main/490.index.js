export const id = 490;
export const ids = [490];
export const modules = {

/***/ 10146:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ startEmbedded),
/* harmony export */   j: () => (/* binding */ embeddedDomain)
/* harmony export */ });
/** The domain that the embedded platform serves unless told another. */
const embeddedDomain = "localhost";
/** Starts the embedded platform for this run; `base-url: local`. Its code is loaded only then. */
async function startEmbedded({ docsDir, domain = embeddedDomain, agent, assistant }, { context }) {
    const { signal, log, environment } = context;
    const { startLocalPlatform } = await Promise.all(/* import() */[__webpack_require__.e(900), __webpack_require__.e(815), __webpack_require__.e(293), __webpack_require__.e(246), __webpack_require__.e(696)]).then(__webpack_require__.bind(__webpack_require__, 7696));
    const platform = await startLocalPlatform({
        docsDir,
        domains: [domain],
        assistant,
        agent: agent && {
            command: agent.command,
            repository: docsDir,
            environment,
            github: await findRemote({ docsDir, github: agent.github }, context),
        },
    }, { signal, log });
    return {
        url: new URL(platform.url),
        apiKey: assistant === undefined ? platform.adminKey : platform.assistantKey,
        [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
    };
}
/** GitHub, where the documents were cloned from there; otherwise pull requests are pages of the platform itself. */
async function findRemote({ docsDir, github }, { environment, signal, log }) {
    const { findGithubRemote } = await __webpack_require__.e(/* import() */ 833).then(__webpack_require__.bind(__webpack_require__, 75833));
    const remote = await findGithubRemote({ repository: docsDir, github }, { environment, signal });
    if (remote === undefined) {
        log.notice("The documents were not cloned from GitHub: the agent's branch stays in the workspace.");
    }
    return remote;
}


/***/ }),

/***/ 6490:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  doctorStep: () => (/* binding */ doctorStep)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(45119);
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var platform_errors = __webpack_require__(20013);
;// CONCATENATED MODULE: ./.build/lib/commands/doctor/examine-runner.js
const supportedEvents = [
    "issue_comment",
    "pull_request_review_comment",
    "pull_request_review",
    "discussion_comment",
    "issues",
    "discussion",
    "push",
    "pull_request",
    "release",
    "schedule",
    "workflow_dispatch",
    "repository_dispatch",
    "workflow_call",
];
/** A gigabyte: less hardly holds a bundle and its site. */
const advisedFreeBytes = 1e9;
/** What of the runner and its event helps or hinders the commands. */
function examineRunner(runner) {
    return [
        examineEvent(runner),
        examineArtifacts(runner),
        runner.freeBytes < advisedFreeBytes
            ? {
                subject: "Disk",
                verdict: "advice",
                detail: `${Math.round(runner.freeBytes / 1e6)} MB are free.`,
                hint: "An export needs room for the bundle and, with `upload: site` or `pages`, for the site.",
            }
            : { subject: "Disk", verdict: "ok", detail: `${Math.round(runner.freeBytes / 1e9)} GB are free.` },
        {
            subject: "Runner",
            verdict: "ok",
            detail: `Node ${runner.nodeVersion}; ${runner.usesProxy ? "a proxy is set" : "no proxy is set"}.`,
        },
    ];
}
function examineEvent({ eventName = "none", isFork }) {
    const subject = "Event";
    if (eventName === "pull_request_target") {
        return {
            subject,
            verdict: "advice",
            detail: "`pull_request_target` runs with secrets on a stranger's pull request.",
            hint: "Use `pull_request` with type `closed`, or a comment; the action needs no checkout.",
        };
    }
    if (isFork) {
        return {
            subject,
            verdict: "advice",
            detail: "The run belongs to a pull request from a fork: it gets no secrets.",
            hint: "Set `on-missing-key: skip`.",
        };
    }
    return supportedEvents.includes(eventName)
        ? { subject, verdict: "ok", detail: `\`${eventName}\` can start every command.` }
        : {
            subject,
            verdict: "advice",
            detail: `From \`${eventName}\` no prompt can be read.`,
            hint: "Set `prompt` or `prompt-file`.",
        };
}
function examineArtifacts({ hasArtifactService, isEnterpriseServer }) {
    const subject = "Artifacts";
    if (isEnterpriseServer) {
        return {
            subject,
            verdict: "advice",
            detail: "GitHub Enterprise Server has an older artifact service.",
            hint: "Set `upload: none` and upload the file in `bundle-path` with a step of its own.",
        };
    }
    return hasArtifactService
        ? { subject, verdict: "ok", detail: "The runner has an artifact service." }
        : {
            subject,
            verdict: "advice",
            detail: "The runner names no artifact service.",
            hint: "Set `upload: none` outside GitHub Actions.",
        };
}

;// CONCATENATED MODULE: ./.build/lib/commands/doctor.js
/** The doctor command: looks at everything the other commands would use, and changes nothing. */



/** A job that no platform has: asking for it shows whether the key is accepted. */
const noSuchJob = "doctor-looks-for-no-job";
/** Examines the set-up; every finding is independent of the others, so all of them are shown. */
async function diagnoseSetup(options, deps) {
    const findings = [
        ...(await examinePlatform(options, deps)),
        ...(await examineToken(deps)),
        ...examineRunner(options.runner),
    ];
    const isHealthy = findings.every(({ verdict }) => verdict !== "problem");
    return { outcome: isHealthy ? "healthy" : "unhealthy", findings };
}
async function examinePlatform(options, { platform }) {
    const { platformOrigin, keyKind, projectId, domain } = options;
    if (options.isEmbedded)
        return [await examineEmbedded(platform)];
    if (keyKind === "assistant") {
        return [
            { subject: "Key", verdict: "ok", detail: "It is an assistant key: for `assistant` only." },
            {
                subject: "Assistant",
                verdict: "unknown",
                detail: "Whether the key is accepted shows only by asking a question, which would be charged.",
            },
            ...(domain === undefined ? [missing("domain", "`assistant`")] : []),
        ];
    }
    return [
        { subject: "Key", verdict: "ok", detail: "It is an admin key: for `agent`, `export` and `reconcile`." },
        await probe(`Static export at ${platformOrigin}`, () => platform.getExportJob(noSuchJob)),
        projectId === undefined
            ? missing("project-id", "`agent` and `reconcile`")
            : await probe("Agent jobs", () => platform.getAgentJob(projectId, noSuchJob)),
        ...(domain === undefined ? [missing("domain", "`export`")] : []),
        {
            subject: "Starting jobs",
            verdict: "unknown",
            detail: "Whether the key may start jobs (write scope) shows only by starting one; `dry-run: true` shows what would be sent.",
        },
    ];
}
async function examineEmbedded(platform) {
    const finding = await probe("Embedded platform", () => platform.getExportJob(noSuchJob));
    const detail = "It starts on `docs-dir` and answers; it needs no key, no `project-id` and no `domain`.";
    return finding.verdict === "ok" ? { ...finding, detail } : finding;
}
/** A read that ends in “not found” has passed the key's and the plan's checks. */
async function probe(subject, read) {
    try {
        await read();
    }
    catch (error) {
        if (!(error instanceof platform_errors/* PlatformError */.W))
            throw error;
        const { code, isFromApi, message, hint } = error;
        if (code !== "not-found")
            return { subject, verdict: "problem", detail: message, isQuoted: true, hint };
        if (isFromApi)
            return { subject, verdict: "ok", detail: "It answers, and accepts the key." };
    }
    return {
        subject,
        verdict: "problem",
        detail: "Something answers there, but not as this API does for a job that does not exist.",
        hint: "Check that `base-url` is the API's address, not the dashboard's or the site's.",
    };
}
async function examineToken({ probeToken }) {
    const subject = "GitHub token";
    if (probeToken === undefined) {
        return [
            {
                subject,
                verdict: "advice",
                detail: "There is none: `agent` and `assistant` cannot check permissions or comment.",
                hint: "Leave `github-token` at its default.",
            },
        ];
    }
    try {
        const unreadable = (await probeToken()).filter(({ readable }) => !readable);
        if (unreadable.length === 0)
            return [
                { subject, verdict: "ok", detail: "It reads the repository, its issues and its pull requests." },
            ];
        return unreadable.map(({ line }) => ({
            subject,
            verdict: "advice",
            detail: `It may not read what \`${line}\` covers.`,
            hint: `Commands that run from comments need \`${line}\` in the job's \`permissions:\`; \`export\` needs no permission.`,
        }));
    }
    catch (error) {
        if (!(error instanceof errors/* ActionError */.lZ))
            throw error;
        const { message, hint } = (0,errors/* reportError */.N7)(error);
        return [{ subject, verdict: "problem", detail: message, isQuoted: true, hint }];
    }
}
function missing(input, commands) {
    return { subject: `\`${input}\``, verdict: "advice", detail: `It is not set; ${commands} will need it.` };
}

// EXTERNAL MODULE: ./.build/lib/github/github-api.js + 1 modules
var github_api = __webpack_require__(53978);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(27121);
;// CONCATENATED MODULE: ./.build/lib/github/probe-token.js
/** Shows what the run's token may read, for a diagnosis. */

/** One read of each kind, with the `permissions:` line that commands need for more than reading. */
const reads = [
    { line: "contents: read", what: "the repository", path: "" },
    { line: "issues: write", what: "its issues", path: "/issues?per_page=1" },
    { line: "pull-requests: write", what: "its pull requests", path: "/pulls?per_page=1" },
];
/**
 * Reads the repository, its issues and its pull requests.
 *
 * @throws {GitHubError} when GitHub refuses the token itself, or cannot be reached.
 */
async function probeToken(api) {
    const isReadable = async ({ line, what, path }) => {
        try {
            await api.call({ doing: `read ${what}`, permission: line }, (octokit, target) => octokit.request(`GET /repos/{owner}/{repo}${path}`, { ...target }));
            return true;
        }
        catch (error) {
            if (error instanceof github_errors/* GitHubError */.y_ && (0,github_errors/* isRefusal */.vu)(error))
                return false;
            throw error;
        }
    };
    return Promise.all(reads.map(async (read) => ({ line: read.line, readable: await isReadable(read) })));
}

// EXTERNAL MODULE: ./.build/lib/platform/key-kind.js
var key_kind = __webpack_require__(88942);
// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(53544);
;// CONCATENATED MODULE: ./.build/lib/presentation/doctor-summary.js
/** The job summary of a diagnosis. */

const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };
function renderDoctorSummary({ outcome, findings }) {
    const rows = findings.map(({ subject, verdict, detail, isQuoted, hint }) => `| ${marks[verdict]} ${verdict} | ${cell(subject)} | ${isQuoted ? (0,escape_markdown/* escapeInline */.VV)(detail) : cell(detail)} | ${cell(hint ?? "")} |`);
    return [
        `### Set-up: ${outcome}`,
        "",
        "| | what | finding | next step |",
        "|---|---|---|---|",
        ...rows,
        "",
    ].join("\n");
}
function cell(markdown) {
    return markdown.replaceAll("|", "\\|").replaceAll("\n", " ");
}

// EXTERNAL MODULE: ./.build/lib/presentation/format.js
var format = __webpack_require__(15588);
// EXTERNAL MODULE: ./.build/lib/action/connections/connect-platform.js + 6 modules
var connect_platform = __webpack_require__(11200);
// EXTERNAL MODULE: ./.build/lib/action/connections/start-embedded.js
var start_embedded = __webpack_require__(10146);
// EXTERNAL MODULE: ./.build/lib/action/version.js
var version = __webpack_require__(12041);
;// CONCATENATED MODULE: ./.build/lib/action/steps/doctor.js
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
/** Composes `command: doctor`: inputs and the runner's environment in, a diagnosis out. */












const doctorStep = {
    async run(inputs, context) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const { environment, log } = context;
            const workspace = environment["GITHUB_WORKSPACE"] ?? process.cwd();
            const connection = __addDisposableResource(env_1, await (0,connect_platform/* connectPlatform */.c)(inputs, {
                context,
                startEmbedded: () => (0,start_embedded/* startEmbedded */.H)({ docsDir: (0,external_node_path_.resolve)(workspace, inputs.docsDir) }, { context }),
            }), true);
            const api = openApi(inputs, context);
            const diagnosis = await diagnoseSetup({
                platformOrigin: connection.platform.transport.origin,
                keyKind: inputs.apiKey !== undefined && (0,key_kind/* keyKindOf */.l)(inputs.apiKey) === "assistant" ? "assistant" : "admin",
                isEmbedded: inputs.baseUrl === "local",
                projectId: inputs.projectId,
                domain: inputs.domain,
                runner: await readRunnerFacts(workspace, context),
            }, {
                platform: connection.platform,
                probeToken: api && (() => probeToken(api)),
            });
            for (const finding of diagnosis.findings)
                logFinding(finding, log);
            const problems = diagnosis.findings.filter(({ verdict }) => verdict === "problem").length;
            return {
                outcome: diagnosis.outcome,
                message: problems === 0
                    ? "No problem was found."
                    : `${(0,format/* formatCount */.B4)(problems, "problem")} found; see the summary.`,
                summary: renderDoctorSummary(diagnosis),
            };
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
/** A diagnosis does not wait as long as a command: a GitHub that hesitates is a finding too. */
const patience = { timeoutMs: 10_000, attempts: 2 };
/** GitHub's API for the run's token; `undefined` where there is none, or no repository to ask about. */
function openApi({ githubToken: token }, { environment, log, signal, random }) {
    const [owner, name] = environment["GITHUB_REPOSITORY"]?.split("/") ?? [];
    if (token === undefined || !owner || !name)
        return undefined;
    const apiUrl = environment["GITHUB_API_URL"] || "https://api.github.com";
    const repository = { owner, name, id: `${owner}/${name}` };
    const userAgent = `docs-automation-action/${version/* version */.r}`;
    return (0,github_api/* createGitHubApi */._)({ apiUrl, token, userAgent, repository, patience }, { log, signal, random });
}
function logFinding({ subject, verdict, detail, hint }, log) {
    const line = [`${subject}: ${detail}`, ...(hint === undefined ? [] : [hint])].join(" ");
    if (verdict === "problem")
        log.warning(line);
    else
        log.info(`${verdict}: ${line}`);
}
const Payload = schemas/* looseObject */._H3({
    pull_request: schemas/* looseObject */._H3({ head: schemas/* looseObject */._H3({ repo: schemas/* looseObject */._H3({ fork: schemas/* boolean */.zMY() }).nullish() }) })
        .optional(),
});
async function readRunnerFacts(workspace, { environment }) {
    const { bavail, bsize } = await (0,promises_.statfs)(workspace);
    const server = new URL(environment["GITHUB_SERVER_URL"] ?? "https://github.com").hostname;
    return {
        nodeVersion: process.version,
        eventName: environment["GITHUB_EVENT_NAME"],
        isFork: await comesFromFork(environment["GITHUB_EVENT_PATH"]),
        hasArtifactService: Boolean(environment["ACTIONS_RESULTS_URL"] && environment["ACTIONS_RUNTIME_TOKEN"]),
        isEnterpriseServer: !/^(github\.com|.+\.ghe\.com|.+\.localhost)$/i.test(server),
        freeBytes: bavail * bsize,
        usesProxy: ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].some((name) => Boolean(environment[name])),
    };
}
async function comesFromFork(eventPath) {
    if (!eventPath)
        return false;
    const payload = Payload.safeParse(JSON.parse(await (0,promises_.readFile)(eventPath, "utf8")));
    return payload.data?.pull_request?.head.repo?.fork ?? false;
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


/***/ })

};
