export const id = 57;
export const ids = [57];
export const modules = {

/***/ 30948:
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
    const { startLocalPlatform } = await Promise.all(/* import() */[__webpack_require__.e(900), __webpack_require__.e(815), __webpack_require__.e(293), __webpack_require__.e(246), __webpack_require__.e(809)]).then(__webpack_require__.bind(__webpack_require__, 809));
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

/***/ 79057:
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
async function examinePlatform({ platformOrigin, keyKind, projectId, domain }, { platform }) {
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
            return { subject, verdict: "problem", detail: message, hint };
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
        return [{ subject, verdict: "problem", detail: message, hint }];
    }
}
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
function missing(input, commands) {
    return { subject: `\`${input}\``, verdict: "advice", detail: `It is not set; ${commands} will need it.` };
}

// EXTERNAL MODULE: ./node_modules/@actions/github/lib/github.js
var github = __webpack_require__(61351);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(27121);
// EXTERNAL MODULE: ./.build/lib/github/translate-error.js
var translate_error = __webpack_require__(64385);
;// CONCATENATED MODULE: ./.build/lib/github/probe-token.js
/** Shows what the run's token may read, for a diagnosis. */



/** The `permissions:` line behind each read. */
const reads = [
    { line: "contents: read", path: "" },
    { line: "issues: write", path: "/issues?per_page=1" },
    { line: "pull-requests: write", path: "/pulls?per_page=1" },
];
/**
 * Reads the repository, its issues and its pull requests.
 *
 * @throws {GitHubError} when GitHub refuses the token itself, or cannot be reached.
 */
async function probeToken({ token, repository }, signal) {
    const octokit = (0,github/* getOctokit */.Q)(token, { request: { signal } });
    const isReadable = async (path) => {
        try {
            await octokit.request(`GET /repos/${repository}${path}`);
            return true;
        }
        catch (error) {
            signal.throwIfAborted();
            if ((0,translate_error/* statusOf */.c2)(error) === 403 || (0,translate_error/* statusOf */.c2)(error) === 404)
                return false;
            throw unanswered(repository, error);
        }
    };
    return Promise.all(reads.map(async ({ line, path }) => ({ line, readable: await isReadable(path) })));
}
function unanswered(repository, cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new github_errors/* GitHubError */.y_((0,translate_error/* statusOf */.c2)(cause) === 401 ? "unauthorized" : "unreachable", `GitHub did not answer for ${repository}: ${reason}`, { hint: "Check `github-token`, and that the runner reaches GitHub's API.", cause });
}

// EXTERNAL MODULE: ./.build/lib/platform/key-kind.js
var key_kind = __webpack_require__(88942);
;// CONCATENATED MODULE: ./.build/lib/presentation/doctor-summary.js
/** The job summary of a diagnosis. */
const marks = { ok: "✅", advice: "💡", problem: "❌", unknown: "❔" };
function renderDoctorSummary({ outcome, findings }) {
    const rows = findings.map(({ subject, verdict, detail, hint }) => `| ${marks[verdict]} ${verdict} | ${cell(subject)} | ${cell(detail)} | ${cell(hint ?? "")} |`);
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

// EXTERNAL MODULE: ./.build/lib/action/connect-platform.js + 6 modules
var connect_platform = __webpack_require__(70571);
// EXTERNAL MODULE: ./.build/lib/action/start-embedded.js
var start_embedded = __webpack_require__(30948);
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
            const { environment, log, signal } = context;
            const workspace = environment["GITHUB_WORKSPACE"] ?? process.cwd();
            const connection = __addDisposableResource(env_1, await (0,connect_platform/* connectPlatform */.c)(inputs, {
                context,
                startEmbedded: () => (0,start_embedded/* startEmbedded */.H)({ docsDir: (0,external_node_path_.resolve)(workspace, inputs.docsDir) }, { context }),
            }), true);
            const repository = environment["GITHUB_REPOSITORY"];
            const token = inputs.githubToken;
            const diagnosis = await diagnoseSetup({
                platformOrigin: connection.platform.transport.origin,
                keyKind: inputs.apiKey !== undefined && (0,key_kind/* keyKindOf */.l)(inputs.apiKey) === "assistant" ? "assistant" : "admin",
                projectId: inputs.projectId,
                domain: inputs.domain,
                runner: await readRunnerFacts(workspace, context),
            }, {
                platform: connection.platform,
                probeToken: token && repository ? () => probeToken({ token, repository }, signal) : undefined,
            });
            for (const finding of diagnosis.findings)
                logFinding(finding, log);
            const problems = diagnosis.findings.filter(({ verdict }) => verdict === "problem").length;
            return {
                outcome: diagnosis.outcome,
                message: problems === 0
                    ? "No problem was found."
                    : `${problems} problem${problems === 1 ? "" : "s"} found; see the summary.`,
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

/***/ 61351:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ getOctokit)
/* harmony export */ });
/* unused harmony export context */
/* harmony import */ var _context_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37157);
/* harmony import */ var _utils_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(85555);


const context = new _context_js__WEBPACK_IMPORTED_MODULE_0__/* .Context */ .o();
/**
 * Returns a hydrated octokit ready to use for GitHub Actions
 *
 * @param     token    the repo PAT or GITHUB_TOKEN
 * @param     options  other options to set
 */
function getOctokit(token, options, ...additionalPlugins) {
    const GitHubWithPlugins = _utils_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHub */ .gq.plugin(...additionalPlugins);
    return new GitHubWithPlugins((0,_utils_js__WEBPACK_IMPORTED_MODULE_1__/* .getOctokitOptions */ .EG)(token, options));
}
//# sourceMappingURL=github.js.map

/***/ })

};
