export const id = 833;
export const ids = [833];
export const modules = {

/***/ 75833:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   findGithubRemote: () => (/* binding */ findGithubRemote)
/* harmony export */ });
/* harmony import */ var _is_loopback_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(78748);
/* harmony import */ var _git_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(49291);
/* harmony import */ var _served_repository_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(97767);



/** `git@github.com:owner/name.git`, or the same as an address. */
const sshHost = /^(?:ssh:\/\/)?(?:[^@/]+@)?(?<host>[^:/]+)[:/]/;
/**
 * Where a clone's pull requests belong: on GitHub when its remote `origin` is there, `undefined` otherwise. Over HTTP, git goes
 * the way that the clone came (a proxy on this machine, for instance), but takes its token to no other host.
 */
async function findGithubRemote({ repository, github }, { environment, signal, }) {
    const origin = await (0,_served_repository_js__WEBPACK_IMPORTED_MODULE_1__/* .readOrigin */ .P2)(repository, { git: (0,_git_js__WEBPACK_IMPORTED_MODULE_0__/* .createGit */ .lD)(environment), signal });
    if (origin === undefined)
        return undefined;
    const serverHost = new URL(github.serverUrl).host;
    const url = /^https?:\/\//i.test(origin) ? new URL(origin) : undefined;
    if (url === undefined)
        return sshHost.exec(origin)?.groups?.["host"] === serverHost ? github : undefined;
    if (url.host !== serverHost && !(0,_is_loopback_js__WEBPACK_IMPORTED_MODULE_2__/* .isLoopback */ .U)(url))
        return undefined;
    return { ...github, gitUrl: `${url.origin}${url.pathname}` };
}


/***/ }),

/***/ 49291:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   WW: () => (/* binding */ GitOutputError),
/* harmony export */   XS: () => (/* binding */ GitError),
/* harmony export */   lD: () => (/* binding */ createGit)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(78474);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(48161);
/* harmony import */ var node_stream_consumers__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(38321);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(45119);





/** Git did not do what it was asked; `message` holds the end of what it said. */
class GitError extends _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .ActionError */ .lZ {
    name = "GitError";
    exitCode;
    constructor(args, exitCode, output) {
        const said = output
            .trim()
            .split(/\s*\n\s*/)
            .slice(-4)
            .join(" / ");
        super("conflict", `git ${args[0]} failed: ${said || `it ended with ${exitCode}`}`, { retryable: false });
        this.exitCode = exitCode;
    }
}
/** Git printed more than is taken from it. */
class GitOutputError extends _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .ActionError */ .lZ {
    name = "GitOutputError";
    constructor() {
        super("conflict", `git printed more than ${maxOutputBytes} bytes.`, { retryable: false });
    }
}
/** More than any list of changed paths; beyond what a page can show of a diff. */
const maxOutputBytes = 8 * 1024 * 1024;
/** Nothing that a repository or a person configured runs: no hooks, monitors, signing, credential helpers or housekeeping. */
const fixedSettings = [
    ["core.hooksPath", node_os__WEBPACK_IMPORTED_MODULE_2__.devNull],
    ["core.fsmonitor", "false"],
    ["core.attributesFile", node_os__WEBPACK_IMPORTED_MODULE_2__.devNull],
    ["core.excludesFile", node_os__WEBPACK_IMPORTED_MODULE_2__.devNull],
    ["core.quotePath", "false"],
    ["commit.gpgSign", "false"],
    ["credential.helper", ""],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["submodule.recurse", "false"],
    ["protocol.ext.allow", "never"],
    // A redirect could carry the token to another host.
    ["http.followRedirects", "false"],
    // A remote that says nothing for minutes has gone; a job must not wait for it for ever.
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", "300"],
    // The operator named the repository: whoever owns its files, it is the one to serve.
    ["safe.directory", "*"],
];
const passedOn = /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|(?:https?|no|all)_proxy|SSL_CERT_\w+)$/i;
/** Makes a git that takes nothing from its surroundings but the path to programs and the way to the network. */
function createGit(environment) {
    const inherited = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.test(name)));
    return async (args, { cwd, signal, variables = {}, settings = [] }) => {
        const child = (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.spawn)("git", [...args], {
            cwd,
            signal,
            env: {
                ...inherited,
                ...fixedVariables,
                ...settingVariables([...fixedSettings, ...settings]),
                ...variables,
            },
            stdio: ["ignore", "pipe", "pipe"],
        });
        const [exitCode, output, errors] = await Promise.all([
            waitForEnd(child, cwd),
            readCapped(child.stdout),
            (0,node_stream_consumers__WEBPACK_IMPORTED_MODULE_3__.text)(child.stderr),
        ]);
        if (exitCode !== 0)
            throw new GitError(args, exitCode, errors);
        return output.trimEnd();
    };
}
async function waitForEnd(child, cwd) {
    try {
        const [exitCode] = (await (0,node_events__WEBPACK_IMPORTED_MODULE_1__.once)(child, "close"));
        return exitCode;
    }
    catch (error) {
        if (!(error instanceof Error) || error.name === "AbortError")
            throw error;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .ActionError */ .lZ("invalid-input", `git cannot be started in ${cwd}: ${error.message}`, {
            cause: error,
        });
    }
}
const fixedVariables = {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: node_os__WEBPACK_IMPORTED_MODULE_2__.devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LFS_SKIP_SMUDGE: "1",
    LC_ALL: "C",
};
function settingVariables(settings) {
    return Object.fromEntries([
        ["GIT_CONFIG_COUNT", String(settings.length)],
        ...settings.flatMap(([name, value], index) => [
            [`GIT_CONFIG_KEY_${index}`, name],
            [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
    ]);
}
async function readCapped(stream) {
    const chunks = [];
    let total = 0;
    for await (const chunk of stream) {
        total += chunk.length;
        if (total > maxOutputBytes)
            throw new GitOutputError();
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
}


/***/ }),

/***/ 97767:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IE: () => (/* binding */ readCurrentBranch),
/* harmony export */   P2: () => (/* binding */ readOrigin),
/* harmony export */   fq: () => (/* binding */ findCommit),
/* harmony export */   y2: () => (/* binding */ readServedRepository)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(45119);
/* harmony import */ var _git_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(49291);




/**
 * Looks at the repository that holds the documents.
 *
 * @throws {ActionError} when there is none, it has no commit, or its objects are elsewhere.
 */
async function readServedRepository({ repository, docsDir }, { git, signal }) {
    const ask = (...args) => git(["rev-parse", ...args], { cwd: repository, signal });
    const root = await ask("--show-toplevel").catch((error) => {
        throw unusable(repository, "is not the working tree of a git repository", error);
    });
    await ask("--verify", "--quiet", "HEAD^{commit}").catch((error) => {
        throw unusable(repository, "has no commit yet", error);
    });
    const docsPath = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(root), await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(docsDir));
    if (docsPath === ".." || docsPath.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_1__.sep}`)) {
        throw unusable(repository, `does not hold the documents ${docsDir}`);
    }
    const gitDir = await ask("--path-format=absolute", "--git-common-dir");
    if (await isPartialClone(root, { git, signal })) {
        throw unusable(repository, "is a partial clone: agent jobs need all of its files", undefined);
    }
    return {
        root,
        gitDir,
        objectFormat: await ask("--show-object-format"),
        docsPath: docsPath.split(node_path__WEBPACK_IMPORTED_MODULE_1__.sep).join("/"),
    };
}
/** The branch that is checked out; `undefined` on a detached commit, as after most CI checkouts. */
async function readCurrentBranch(root, { git, signal }) {
    return orUndefined(git(["symbolic-ref", "--quiet", "--short", "HEAD"], { cwd: root, signal }));
}
/** Address of the remote that the repository was cloned from, if there is one. */
async function readOrigin(root, { git, signal }) {
    return orUndefined(git(["config", "--get", "remote.origin.url"], { cwd: root, signal }));
}
/** What a commit's name stands for; `undefined` where there is no such commit. */
async function findCommit(name, { git, cwd, signal }) {
    return orUndefined(git(["rev-parse", "--verify", "--quiet", `${name}^{commit}`], { cwd, signal }));
}
async function isPartialClone(cwd, { git, signal }) {
    const found = await orUndefined(git(["config", "--local", "--get-regexp", "^remote\\..*\\.promisor$"], { cwd, signal }));
    return found?.includes("true") ?? false;
}
/** Git says "there is none" with exit code 1. */
async function orUndefined(answer) {
    try {
        return await answer;
    }
    catch (error) {
        if (error instanceof _git_js__WEBPACK_IMPORTED_MODULE_3__/* .GitError */ .XS && error.exitCode === 1)
            return undefined;
        throw error;
    }
}
function unusable(repository, why, cause) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .ActionError */ .lZ("invalid-input", `Agent jobs cannot work on ${repository}: it ${why}.`, {
        hint: "Serve documents that are committed to a git repository, checked out whole.",
        cause,
    });
}


/***/ })

};
