export const id = 985;
export const ids = [985];
export const modules = {

/***/ 11200:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  c: () => (/* binding */ connectPlatform)
});

// EXTERNAL MODULE: ./.build/lib/platform/contract.js
var contract = __webpack_require__(10484);
// EXTERNAL MODULE: ./node_modules/undici/index.js
var undici = __webpack_require__(46752);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/errors.js
var errors = __webpack_require__(961);
// EXTERNAL MODULE: ./.build/lib/message-of.js
var message_of = __webpack_require__(48999);
// EXTERNAL MODULE: ./.build/lib/retry-after.js
var retry_after = __webpack_require__(69511);
// EXTERNAL MODULE: ./.build/lib/with-stop.js
var with_stop = __webpack_require__(73477);
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var platform_errors = __webpack_require__(20013);
// EXTERNAL MODULE: ./.build/lib/platform/transport/error-message.js
var error_message = __webpack_require__(65706);
;// CONCATENATED MODULE: ./.build/lib/platform/transport/read-capped.js
/** The body is longer than anything the API answers. */
class AnswerTooLongError extends Error {
    name = "AnswerTooLongError";
}
/**
 * Reads a body as UTF-8 text, never holding more than `maxBytes`.
 *
 * @throws {AnswerTooLongError} when it is longer.
 */
async function readCapped(body, maxBytes) {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of body) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes)
            throw new AnswerTooLongError(`The answer is longer than ${maxBytes} bytes.`);
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
}

;// CONCATENATED MODULE: ./.build/lib/platform/transport/answer-errors.js
/** Turns what went wrong with one request into a PlatformError that says what happened, where, and what to do. */







/** Errors that arise before a byte of the request can have left: name resolution, connect, TLS handshake. */
const beforeSending = new Set([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENETDOWN",
    "EADDRNOTAVAIL",
    "UND_ERR_CONNECT_TIMEOUT",
    "EPROTO",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "CERT_HAS_EXPIRED",
]);
const requestIdHeaders = ["x-request-id", "request-id", "x-amzn-requestid", "x-correlation-id", "cf-ray"];
/** A connection that failed, was cut, or stayed silent. */
function connectionError(request, url, { error, sent }) {
    const code = codeOf(error);
    const didNotArrive = !sent && ((code !== undefined && beforeSending.has(code)) || isProxyRefusal(error));
    const maybeSubmitted = creates(request) && !didNotArrive;
    const reason = (0,error_message/* toOneLine */.GX)((0,message_of/* messageOf */.b)(error)) ?? "unknown reason";
    if (error instanceof AnswerTooLongError) {
        return new platform_errors/* PlatformError */.W("unexpected-response", `Could not ${request.name}: ${reason}`, {
            maybeSubmitted,
            cause: error,
        });
    }
    const detail = code === undefined || reason.includes(code) ? reason : `${code}, ${reason}`;
    return new platform_errors/* PlatformError */.W("unreachable", `Could not ${request.name}: no answer from ${url.origin} (${detail}).${lostAnswer(maybeSubmitted)}`, {
        maybeSubmitted,
        cause: error,
    });
}
/** The proxy opened no tunnel, so nothing went through it. */
function isProxyRefusal(error) {
    return error instanceof Error && /^Proxy response \(\d+\)/.test(error.message);
}
/** An answer whose status is not a success. */
function httpError(request, { status, headers, body }, nowMs) {
    const code = (0,platform_errors/* codeOfStatus */.R)(status);
    const maybeSubmitted = creates(request) && (status >= 500 || status === 408 || status < 400);
    const said = (0,error_message/* readErrorMessage */.IP)(body);
    const redirect = status >= 300 && status < 400
        ? ` It redirects to ${originOf(headers.location)}; the key is sent to the platform's own address only.`
        : "";
    const requestId = requestIdOf(headers);
    const id = requestId === undefined ? "" : `, request ${requestId}`;
    const message = `Could not ${request.name}: the platform answered ${status}${id}${said === undefined ? "." : `: ${(0,with_stop/* withStop */.d)(said)}`}${redirect}${lostAnswer(maybeSubmitted)}`;
    const paymentHint = "The platform asks for payment: its credits are used up, or the plan lacks this feature.";
    return new platform_errors/* PlatformError */.W(code, message, {
        status,
        requestId,
        maybeSubmitted,
        retryAfterMs: (0,retry_after/* parseRetryAfter */.m)(headers["retry-after"], nowMs),
        isFromApi: (0,error_message/* isJsonObject */.OW)(body),
        ...(status === 402 ? { hint: paymentHint } : {}),
    });
}
/** A success whose body is not what the API promises. */
function invalidAnswer(request, { status, headers, body }, cause) {
    const maybeSubmitted = creates(request);
    const said = (0,error_message/* readErrorMessage */.IP)(body) ?? ((0,error_message/* isJsonObject */.OW)(body) ? describeMismatch(cause) : "nothing");
    return new platform_errors/* PlatformError */.W("unexpected-response", `Could not ${request.name}: the platform answered ${status}, but not with the API's JSON: ${(0,with_stop/* withStop */.d)(said)}${lostAnswer(maybeSubmitted)}`, { status, requestId: requestIdOf(headers), maybeSubmitted, cause });
}
/** Which fields are not as promised; their values stay unsaid, for they may be credentials. */
function describeMismatch(cause) {
    if (!(cause instanceof errors/* ZodError */.G))
        return "other JSON";
    return `JSON without a usable ${cause.issues.map(({ path }) => path.join(".") || "object").join(", ")}`;
}
function lostAnswer(maybeSubmitted) {
    return maybeSubmitted
        ? " The request may have been carried out all the same, so it is not sent again."
        : "";
}
function requestIdOf(headers) {
    const value = requestIdHeaders.map((name) => headers[name]).find((header) => typeof header === "string");
    return typeof value === "string" ? (0,error_message/* toOneLine */.GX)(value.slice(0, 100)) : undefined;
}
function originOf(location) {
    return location !== undefined && URL.canParse(location) ? new URL(location).origin : "another path";
}
/** The code of an error or of the first of its causes that has one (undici wraps, Node aggregates). */
function codeOf(error) {
    if (!(error instanceof Error))
        return undefined;
    if ("code" in error && typeof error.code === "string")
        return error.code;
    if (error instanceof AggregateError)
        return error.errors.map(codeOf).find((code) => code !== undefined);
    return codeOf(error.cause);
}
/** Whether a request makes something that must not be made twice. */
function creates({ retry }) {
    return retry === "unless-sent" || retry === "unless-arrived";
}

// EXTERNAL MODULE: ./.build/lib/platform/transport/hide-key.js
var hide_key = __webpack_require__(74706);
// EXTERNAL MODULE: ./.build/lib/platform/transport/read-timestamp.js
var read_timestamp = __webpack_require__(7945);
;// CONCATENATED MODULE: ./.build/lib/platform/transport/repeat-request.js


const maxAttempts = 5;
const maxBackoffMs = 30_000;
/**
 * Runs a request until it succeeds, its policy forbids another try, or the deadline is near.
 *
 * @throws the last failure; the signal's reason when aborted.
 */
async function repeatRequest(request, deps, run) {
    const { clock, log, signal } = deps;
    for (let attempts = 1;; attempts += 1) {
        try {
            return await run();
        }
        catch (error) {
            const delayMs = delayBeforeRetry({ request, error, attempts }, deps);
            if (delayMs === undefined)
                throw error;
            const seconds = Math.max(1, Math.round(delayMs / 1000));
            log.info(`${(0,message_of/* messageOf */.b)(error)} Trying again in ${seconds} s (attempt ${attempts + 1} of ${maxAttempts}).`);
            await clock.sleep(delayMs, signal);
        }
    }
}
/** How long to wait before the next attempt; `undefined`: give up. Full jitter, or what the platform asked for. */
function delayBeforeRetry({ request, error, attempts, }, { clock, random, deadlineMs }) {
    if (!(error instanceof platform_errors/* PlatformError */.W) || attempts >= maxAttempts || !mayRepeat(request, error))
        return undefined;
    const jitter = random() * Math.min(maxBackoffMs, 1000 * 2 ** attempts);
    const delayMs = Math.max(error.retryAfterMs ?? 0, jitter);
    return clock.now() + delayMs < deadlineMs ? delayMs : undefined;
}
function mayRepeat(request, error) {
    if (request.retry === "never" || error.maybeSubmitted)
        return false;
    if (error.code === "unreachable")
        return true;
    if (request.retry === "unless-arrived")
        return false;
    if (error.code === "rate-limited")
        return request.retry !== "unless-limited";
    if (request.retry === "unless-sent")
        return false;
    // A conflict is a job that is not yet where its status says it is; garbage in a success is a proxy's passing fault.
    const isGarbled = error.code === "unexpected-response" && error.status !== undefined && error.status < 300;
    return error.code === "unavailable" || error.code === "conflict" || isGarbled;
}

;// CONCATENATED MODULE: ./.build/lib/platform/transport/transport.js
/** One request to the platform: authentication, time-outs, size limits, retries that know the operation, errors that explain themselves. */






const maxRedirects = 3;
const maxAnswerBytes = 4 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
function createTransport(options, deps) {
    const context = { ...options, ...deps, hideKey: (0,hide_key/* createKeyHider */.i)(options.apiKey) };
    const requestDatedJson = (request, schema) => repeatRequest(request, context, async () => {
        const answer = await readAnswer(request, context);
        return {
            value: parseAnswer(request, schema, answer),
            date: (0,read_timestamp/* readTimestamp */.L)(String(answer.headers.date ?? "")),
        };
    });
    return {
        origin: options.baseUrl.origin,
        requestDatedJson,
        requestJson: async (request, schema) => (await requestDatedJson(request, schema)).value,
        open: (request) => repeatRequest(request, context, () => sendOnce(request, context)),
    };
}
/** Where a request goes: always the platform's own origin, so that the key never leaves it. */
function urlOf(path, baseUrl) {
    const url = new URL(baseUrl);
    // The setter cannot change the host; resolving a path like `//host/…` against the base would.
    url.pathname = baseUrl.pathname.replace(/\/+$/, "") + path;
    return url;
}
/** One successful answer, its body unread. */
async function sendOnce(request, context) {
    const response = await followRedirects(request, context);
    if (response.statusCode >= 200 && response.statusCode < 300)
        return response;
    const body = await readText({ request, response, maxBytes: maxErrorBytes }, context);
    const { statusCode: status, headers } = response;
    // A date in the answer counts from the platform's time, wherever this machine's clock stands.
    const platformNow = (0,read_timestamp/* readTimestamp */.L)(String(headers.date ?? ""));
    throw httpError(request, { status, headers, body }, platformNow?.getTime() ?? context.clock.now());
}
/** Follows redirects of reads that stay on the platform's origin; any other redirect is left to be reported. */
async function followRedirects(request, context) {
    let url = urlOf(request.path, context.baseUrl);
    for (let redirects = 0;; redirects += 1) {
        const response = await sendTo(url, request, context);
        const target = redirectTarget(response, url);
        const follow = request.method === "GET" && redirects < maxRedirects && target?.origin === context.baseUrl.origin;
        if (target === undefined || !follow)
            return response;
        await response.body.dump();
        url = target;
    }
}
async function sendTo(url, request, context) {
    const { dispatcher, signal, apiKey, userAgent, deadlineMs, clock, shortestTimeLimitMs = 10_000 } = context;
    const timeLimit = AbortSignal.timeout(Math.max(shortestTimeLimitMs, deadlineMs - clock.now()));
    const hasBody = request.body !== undefined;
    try {
        return await (0,undici/* request */.Em)(url, {
            dispatcher,
            signal: AbortSignal.any([signal, timeLimit]),
            method: request.method,
            headers: {
                authorization: `Bearer ${apiKey}`,
                accept: request.accept ?? "application/json",
                "user-agent": userAgent,
                ...(hasBody ? { "content-type": "application/json" } : {}),
            },
            body: hasBody ? JSON.stringify(request.body) : null,
            ...(request.headersTimeoutMs === undefined ? {} : { headersTimeout: request.headersTimeoutMs }),
        });
    }
    catch (error) {
        signal.throwIfAborted();
        throw connectionError(request, url, { error, sent: false });
    }
}
async function readAnswer(request, context) {
    const response = await sendOnce(request, context);
    const body = await readText({ request, response, maxBytes: maxAnswerBytes }, context);
    return { status: response.statusCode, headers: response.headers, body };
}
async function readText({ request, response, maxBytes, }, { baseUrl, signal, hideKey }) {
    try {
        // A platform that quotes the key in what it says must not get it into a comment: masking covers logs only.
        return hideKey(await readCapped(response.body, maxBytes));
    }
    catch (error) {
        signal.throwIfAborted();
        throw connectionError(request, baseUrl, { error, sent: true });
    }
}
function parseAnswer(request, schema, answer) {
    let value;
    try {
        value = JSON.parse(answer.body);
    }
    catch (error) {
        throw invalidAnswer(request, answer, error);
    }
    const parsed = schema.safeParse(value);
    if (parsed.success)
        return parsed.data;
    throw invalidAnswer(request, answer, parsed.error);
}
function redirectTarget(response, from) {
    const { location } = response.headers;
    if (response.statusCode < 300 || response.statusCode >= 400 || typeof location !== "string")
        return undefined;
    return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

;// CONCATENATED MODULE: ./.build/lib/platform/client.js
/** The platform's operations as functions: one per endpoint of the specification, with the retry policy each of them allows. */


/** Packing a bundle takes the platform as long as it takes: minutes, for large sites. */
const bundleTimeoutMs = 10 * 60_000;
/**
 * A client for one platform and one key. Every function
 * @throws {PlatformError} when there is no usable answer.
 */
function createPlatformClient(options, deps) {
    const transport = createTransport(options, deps);
    return {
        transport,
        /** Starts a static export (specification §4.4); never sent twice unless the first surely did not arrive. */
        startExport: (request) => transport.requestJson({
            name: "start the export",
            method: "POST",
            path: "/v1/static-export/jobs",
            body: contract/* StartExportRequest */.Yk.parse(request),
            retry: "unless-sent",
        }, contract/* ExportJob */.y5),
        /** One look at an export job (specification §4.5), without retries: polling has its own schedule. */
        getExportJob: (jobId) => transport.requestJson({
            name: `look at export job ${jobId}`,
            method: "GET",
            path: `/v1/static-export/jobs/${encodeURIComponent(jobId)}`,
            retry: "never",
        }, contract/* ExportJob */.y5),
        /**
         * A fresh link to a completed job's bundle (specification §4.6), with the platform's time of the answer; may be
         * called again and again.
         */
        generateBundle: (jobId) => transport.requestDatedJson({
            name: `generate the bundle of export job ${jobId}`,
            method: "POST",
            path: `/v1/static-export/jobs/${encodeURIComponent(jobId)}/bundle`,
            retry: "freely",
            headersTimeoutMs: bundleTimeoutMs,
        }, contract/* ExportBundle */.Pi),
        /**
         * Creates an agent job (specification §4.2); never sent twice unless the first surely did not arrive. A used-up
         * limit is thrown: whoever waits for it says so.
         */
        createAgentJob: (projectId, request) => transport.requestJson({
            name: "create the agent job",
            method: "POST",
            path: `/v2/agent/${encodeURIComponent(projectId)}/job`,
            body: contract/* CreateAgentJobRequest */.ku.parse(request),
            retry: "unless-arrived",
        }, contract/* AgentJob */.Je),
        /** One look at an agent job (specification §4.3), without retries: polling has its own schedule. */
        getAgentJob: (projectId, jobId) => transport.requestJson({
            name: `look at agent job ${jobId}`,
            method: "GET",
            path: `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(jobId)}`,
            retry: "never",
        }, contract/* AgentJob */.Je),
        /** A follow-up instruction to an agent job; it costs like a new job, so it is not sent twice either. */
        messageAgentJob: (projectId, jobId, request) => transport.requestJson({
            name: `send a message to agent job ${jobId}`,
            method: "POST",
            path: `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(jobId)}/message`,
            body: contract/* CreateAgentJobRequest */.ku.parse(request),
            retry: "unless-arrived",
        }, contract/* AgentJob */.Je),
    };
}

// EXTERNAL MODULE: ./.build/lib/errors.js
var lib_errors = __webpack_require__(45119);
;// CONCATENATED MODULE: ./.build/lib/platform/transport/dispatcher.js
/** Connections of every request that the action makes by itself. */


const timeouts = { connect: { timeout: 10_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };
/**
 * A dispatcher with time-outs for connect, headers and body. The usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)
 * are honoured, except for this machine itself, which no proxy can reach.
 *
 * @throws {ActionError} `invalid-input` for a proxy that is not an address
 */
function createDispatcher({ httpsProxy, httpProxy, noProxy } = {}) {
    const excluded = [noProxy ?? "", "localhost", "127.0.0.1", "[::1]", "::1"].filter((host) => host !== "");
    return new undici/* EnvHttpProxyAgent */.J2({
        ...timeouts,
        httpProxy: proxyAddress("HTTP_PROXY", httpProxy),
        httpsProxy: proxyAddress("HTTPS_PROXY", httpsProxy),
        noProxy: noProxy?.trim() === "*" ? "*" : excluded.join(","),
    });
}
/** The address of a proxy; `proxy.example:3128`, as curl takes it, means http. Empty: none. */
function proxyAddress(variable, value = "") {
    if (value.trim() === "")
        return "";
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    if (URL.canParse(address))
        return address;
    throw new lib_errors/* ActionError */.lZ("invalid-input", `${variable} is not the address of a proxy.`, {
        hint: "It must look like `http://proxy.example:3128`.",
    });
}

// EXTERNAL MODULE: ./.build/lib/action/version.js
var version = __webpack_require__(12041);
;// CONCATENATED MODULE: ./.build/lib/action/connections/connect-platform.js
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



async function connectPlatform(inputs, { context, startEmbedded }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const stack = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const embedded = inputs.baseUrl === "local" ? stack.use(await startEmbedded()) : undefined;
        const baseUrl = inputs.baseUrl === "local" ? embedded?.url : inputs.baseUrl;
        const apiKey = embedded?.apiKey ?? inputs.apiKey;
        if (baseUrl === undefined || apiKey === undefined)
            throw new Error("A platform needs an address and a key.");
        context.maskSecret(apiKey);
        const { environment } = context;
        const dispatcher = createDispatcher({
            httpsProxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"],
            httpProxy: environment["http_proxy"] ?? environment["HTTP_PROXY"],
            noProxy: environment["no_proxy"] ?? environment["NO_PROXY"],
        });
        stack.defer(() => dispatcher.close());
        const { clock, log, signal, random, deadlineMs } = context;
        const userAgent = `docs-automation-action/${version/* version */.r}`;
        const platform = createPlatformClient({ baseUrl, apiKey, userAgent, deadlineMs }, { dispatcher, clock, log, signal, random });
        const owned = stack.move();
        return { platform, dispatcher, [Symbol.asyncDispose]: () => owned.disposeAsync() };
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
}


/***/ }),

/***/ 12041:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ version)
/* harmony export */ });
/** Version of the action, for its user agent; generated from package.json. */
const version = "1.0.0";


/***/ }),

/***/ 27121:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Up: () => (/* binding */ missingPermission),
/* harmony export */   Xt: () => (/* binding */ statusOfCause),
/* harmony export */   vu: () => (/* binding */ isRefusal),
/* harmony export */   y_: () => (/* binding */ GitHubError)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(45119);
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

/***/ 10484:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Je: () => (/* binding */ AgentJob),
/* harmony export */   Pi: () => (/* binding */ ExportBundle),
/* harmony export */   Yk: () => (/* binding */ StartExportRequest),
/* harmony export */   ZH: () => (/* binding */ endedExportStatuses),
/* harmony export */   ku: () => (/* binding */ CreateAgentJobRequest),
/* harmony export */   we: () => (/* binding */ endedAgentStatuses),
/* harmony export */   y5: () => (/* binding */ ExportJob)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27597);
/** The platform's wire format: requests are strict, responses open (unknown fields dropped, new statuses tolerated). */

/** Statuses that end an export job; any other value means that it is still under way (specification §3.2). */
const endedExportStatuses = ["completed", "failed"];
/** Statuses that end an agent job (specification §3.1). */
const endedAgentStatuses = ["completed", "archived", "failed"];
/** Body of "start static export job" (specification §4.4); `version` and `paths` are sent only when a user set them. */
const StartExportRequest = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    /** Domain identifier of the site: a host name. */
    domain: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1),
    /** Label of the documentation version; the platform's default is the newest. */
    version: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1).optional(),
    /** Paths of the pages to export; the platform's default is all. */
    paths: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1)).min(1).optional(),
});
/**
 * A field that a response may lack or carry in a type of the platform's own: kept when it has the documented type,
 * `undefined` otherwise.
 */
function optional(schema) {
    return schema.nullish().catch(undefined);
}
/** `progress` is "a live progress indicator" whose type the specification leaves open: number, "42%", or `{percent}`. */
const Progress = zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([
    zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .looseObject */ ._H3({
        percent: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().optional(),
        percentage: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().optional(),
        done: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().optional(),
        total: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().optional(),
    }),
]);
/** Identifier of a job: one word that can stand in a path; a number is taken for its digits. */
const JobId = zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr().nonnegative().transform(String)])
    .pipe(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/));
/** A static export job (specification §2.4). */
const ExportJob = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    jobId: optional(JobId),
    status: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    progress: optional(Progress),
    pageCount: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(), zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()])),
    /** Why it failed, in the platform's own shape. */
    error: zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J().optional(),
    message: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    createdAt: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    updatedAt: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
});
/** Answer to "generate export bundle" (specification §4.6). `bundleUrl` is a credential until `expiresAt`. */
const ExportBundle = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    jobId: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    bundleUrl: zod__WEBPACK_IMPORTED_MODULE_0__/* .url */ .OZ5(),
    /** Time after which the link no longer works: a date-time, or seconds or milliseconds since the epoch. */
    expiresAt: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig()])),
    /** Length of the archive in bytes, where the platform says it. */
    sizeBytes: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr().nonnegative()),
});
/** Body of "create agent job" and of "message to an agent job" (specification §4.2). */
const CreateAgentJobRequest = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    /** Instruction for the agent; at least one character. */
    prompt: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().min(1),
});
/** An agent job (specification §2.3); any field may be absent on a real platform. */
const AgentJob = zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    id: optional(JobId),
    status: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().trim()),
    source: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ repository: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()), ref: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()) })),
    model: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    /** URL of the pull request; null while the job is active or when no files were changed. */
    prLink: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    createdAt: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    archivedAt: optional(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
});


/***/ }),

/***/ 65706:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GX: () => (/* binding */ toOneLine),
/* harmony export */   IP: () => (/* binding */ readErrorMessage),
/* harmony export */   OW: () => (/* binding */ isJsonObject)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27597);
/** Reads what an error answer says, whatever its shape: JSON, text, HTML or nothing. */

const longestMessage = 300;
const Nested = zod__WEBPACK_IMPORTED_MODULE_0__/* .looseObject */ ._H3({
    message: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    detail: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    code: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
});
/** Error bodies seen on compatible platforms: `{error}`, `{message}`, `{error: {message}}`, `{detail}`, `{errors: […]}`. */
const ErrorBody = zod__WEBPACK_IMPORTED_MODULE_0__/* .looseObject */ ._H3({
    error: zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), Nested, zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), Nested])).transform(([first]) => first)])
        .optional()
        .catch(undefined),
    message: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional().catch(undefined),
    detail: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional().catch(undefined),
    title: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional().catch(undefined),
    errors: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), Nested]))
        .optional()
        .catch(undefined),
});
/**
 * The message of an error body as one line of at most 300 characters, without control characters; `undefined` where
 * the body says nothing. Of links, only origin and path are shown: a query may be a credential. JSON without a message is
 * not shown for the same reason.
 */
function readErrorMessage(body) {
    const text = body.trim();
    const value = parseJson(text);
    if (value !== undefined)
        return withoutSecrets(messageOfJson(value));
    return withoutSecrets(/^<(?:!doctype|html|head|body|\?xml|\w+[\s>])/i.test(text) ? textOfMarkup(text) : text);
}
/** A credential's name in a query, whose beginning may be missing, and an `Authorization` header's value. */
const credentialFields = /([?&;][\w.-]*(?:sig|signature|token|credential|key|secret|password|auth)[\w.-]*=)[^\s&;"'<>]+/gi;
const authorization = /\b(bearer|basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi;
/** Folds white space and control characters (bidirectional ones included) and cuts at 300 characters. */
function toOneLine(text) {
    const line = text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim();
    if (line === "")
        return undefined;
    return line.length > longestMessage ? `${line.slice(0, longestMessage - 1).trimEnd()}…` : line;
}
/** Whether a body is a JSON object: what the API itself answers with, unlike proxies and login pages. */
function isJsonObject(body) {
    const value = parseJson(body.trim());
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined; // Not JSON: the caller shows it as text.
    }
}
function withoutSecrets(text) {
    return text === undefined
        ? undefined
        : toOneLine(text
            .replace(/\b(https?:\/\/)([^\s"'<>?#]*)[^\s"'<>]*/gi, hideCredentials)
            .replace(credentialFields, "$1***")
            .replace(authorization, "$1 ***"));
}
function hideCredentials(_link, scheme, address) {
    return `${scheme}${address.replace(/^[^/]*@/, "")}`;
}
function messageOfJson(value) {
    if (typeof value === "string")
        return value;
    const body = ErrorBody.safeParse(value).data;
    if (body === undefined)
        return undefined;
    const candidates = [body.error, body.message, body.detail, ...(body.errors ?? []), body.title];
    return candidates.map(messageOfField).find((message) => message !== undefined && message.trim() !== "");
}
function messageOfField(field) {
    return typeof field === "object" ? (field.message ?? field.detail ?? field.code) : field;
}
/** The title of an HTML error page, else its text: enough to recognise a proxy's or a login page. */
function textOfMarkup(markup) {
    const title = /<title[^>]*>([^<]{1,500})<\/title>/i.exec(markup)?.[1]?.trim();
    if (title)
        return `an HTML page titled “${decodeEntities(title)}”`;
    const text = markup
        .slice(0, 20_000)
        .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
        .replace(/<[^>]*>/g, " ");
    return decodeEntities(text);
}
function decodeEntities(text) {
    const named = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
    return text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name) => named[name] ?? " ");
}


/***/ }),

/***/ 74706:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ createKeyHider)
/* harmony export */ });
/**
 * Makes a function that takes a key out of text. It finds the key also where its characters are spelled as JSON, addresses or
 * HTML may spell them (`\/`, `\u002f`, `%2F`, `&#47;`): what reads the text next would spell them out.
 */
function createKeyHider(key) {
    const pattern = new RegExp([...key].map(spellings).join(""), "g");
    return (text) => text.replace(pattern, "***");
}
function spellings(character) {
    const code = character.charCodeAt(0);
    const hex = [...code.toString(16).padStart(2, "0")].map(eitherCase).join("");
    return `(?:\\\\*(?:${literal(character)}|u00${hex})|%${hex}|&#(?:0*${code}|[xX]0*${hex});?)`;
}
function literal(character) {
    return character.replace(/[^A-Za-z0-9]/, "\\$&");
}
function eitherCase(digit) {
    return /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit;
}


/***/ }),

/***/ 7945:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ readTimestamp)
/* harmony export */ });
/**
 * A point in time as platforms send it: a date-time, or seconds or milliseconds since the epoch, as number or text.
 *
 * @returns `undefined` where it is none of these.
 */
function readTimestamp(value) {
    if (value === undefined || value === null || value === "")
        return undefined;
    const number = Number(value);
    // Seconds stay below 1e11 until the year 5138; milliseconds have been above it since 1973.
    const date = Number.isFinite(number) ? new Date(number < 1e11 ? number * 1000 : number) : new Date(value);
    return Number.isNaN(date.getTime()) ? undefined : date;
}


/***/ }),

/***/ 15588:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B4: () => (/* binding */ formatCount),
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   fU: () => (/* binding */ formatTime),
/* harmony export */   z3: () => (/* binding */ formatBytes)
/* harmony export */ });
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

/***/ 69511:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ parseRetryAfter)
/* harmony export */ });
/**
 * Reads `Retry-After` (seconds or an HTTP date, RFC 9110 §10.2.3).
 *
 * @returns milliseconds from `nowMs`, never negative; `undefined` where the header is absent or not understood.
 */
function parseRetryAfter(value, nowMs) {
    if (value === undefined)
        return undefined;
    const text = value.trim();
    if (/^\d+(\.\d+)?$/.test(text))
        return Math.round(Number(text) * 1000);
    // An HTTP date names its month: what Date.parse makes of bare numbers is not one.
    const dateMs = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}


/***/ }),

/***/ 73477:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ withStop)
/* harmony export */ });
/** Somebody else's words as a sentence: with a full stop where they end without a mark. */
function withStop(text) {
    const words = text.trim();
    return /[.!?…]$/.test(words) ? words : `${words}.`;
}


/***/ })

};
