export const id = 599;
export const ids = [599];
export const modules = {

/***/ 1047:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  FD: () => (/* binding */ sealKey)
});

// UNUSED EXPORTS: createAgentGitHub, readClaimSha

// EXTERNAL MODULE: ./.build/lib/github/errors.js
var errors = __webpack_require__(7121);
;// CONCATENATED MODULE: ./.build/lib/github/compare-commits.js
/** What lies between two states of the repository, as GitHub compares them. */


const purpose = { doing: "compare commits", permission: "contents: read" };
/** GitHub lists at most so many files of a comparison or a commit page. */
const maxComparedFiles = 300;
/** Commits whose files are looked up one by one where the comparison's list is cut. */
const maxCommitsLookedUp = 50;
/** Compares two states; `undefined` where one of them is not there any more, or is no commit but an annotated tag's object. */
async function compare_commits_compareCommits({ base, head }, api) {
    const basehead = `${base}...${head}`;
    const pages = await orUndefined(api.call(purpose, (octokit, target) => {
        return collectPages((page) => octokit.rest.repos.compareCommitsWithBasehead({ ...target, basehead, per_page: 100, page }));
    }));
    const first = pages?.[0];
    if (!pages || !first)
        return undefined;
    const commits = pages.flatMap((page) => page.commits);
    const listed = unique(pages.flatMap((page) => page.files ?? []).map(compare_commits_toFile));
    const titles = commits.map(({ commit }) => compare_commits_firstLine(commit.message));
    const { html_url: url, status } = first;
    const notes = status === "diverged"
        ? ["The two states have diverged; changes are counted from where they parted."]
        : [];
    if (listed.length < maxComparedFiles)
        return { url, titles, files: listed, isComplete: true, notes };
    const more = await compare_commits_filesOfCommits(commits.map(({ sha }) => sha), api);
    return { url, titles, files: unique([...listed, ...more.files]), isComplete: more.isComplete, notes };
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

;// CONCATENATED MODULE: ./.build/lib/github/changes.js
/** What a push, merged pull request or release changed, from the API alone: no checkout. */

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
var comments = __webpack_require__(1623);
// EXTERNAL MODULE: ./.build/lib/github/live-text.js
var live_text = __webpack_require__(2502);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 13 modules
var schemas = __webpack_require__(5491);
;// CONCATENATED MODULE: ./.build/lib/github/newest-commit-before.js

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

// EXTERNAL MODULE: ./.build/lib/github/comment-claims.js + 1 modules
var comment_claims = __webpack_require__(7575);
// EXTERNAL MODULE: ./.build/lib/github/identity.js
var identity = __webpack_require__(4584);
;// CONCATENATED MODULE: ./.build/lib/github/pull-requests.js
/** The agent's pull requests: whether a reported one is genuine, which ones are ours, and what a workflow wants done with them. */






/** The job behind a pull request of ours, in the marker of the comment that introduces it. */
const Origin = schemas/* object */.Ikc({ project: schemas/* string */.YjP(), jobId: schemas/* string */.YjP(), source: schemas/* string */.YjP().optional() });
const pull_requests_purpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** What a prompt asks the agent to write; a text that only mentions or quotes the word is somebody else's. */
const referenceLine = /^(?!\s*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;
/**
 * A pull request of this or another repository; `undefined` where this repository has none with that number, `hidden`
 * where the token cannot see it.
 */
async function pull_requests_readPullRequest({ owner, name, number }, api) {
    const isHome = `${owner}/${name}`.toLowerCase() === `${api.repository.owner}/${api.repository.name}`.toLowerCase();
    try {
        const { data } = await api.call(pull_requests_purpose, (octokit) => octokit.rest.pulls.get({ owner, repo: name, pull_number: number }));
        return toPullRequest(data);
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
/**
 * The pull request opened since a claim that carries the claim's reference, in its description, title or branch; one
 * from a fork is not the agent's, whoever wrote the reference into it.
 */
async function pull_requests_findByReference({ wanted, since }, api) {
    const sinceMs = Date.parse(since) - 60_000;
    const found = await api.call(pull_requests_purpose, async (octokit, target) => {
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
async function pull_requests_readOrigin({ number, nodeId = "" }, { api, identity, seal }) {
    const thread = { kind: "pull-request", number, nodeId };
    const comments = await createThreadComments(thread, api).list();
    for (const { author, body, id } of comments) {
        if (!isSameAccount(author, identity.login))
            continue;
        const place = { repositoryId: api.repository.id, thread: threadKey(thread), comment: String(id) };
        const marker = readMarker(body, { kind: "origin", schema: Origin, place, seal });
        if (marker.kind === "valid")
            return marker.value;
    }
    return undefined;
}
/** Says on a pull request which job made it; once. */
async function pull_requests_introducePullRequest({ number, text, origin }, deps) {
    if (await pull_requests_readOrigin({ number }, deps))
        return;
    const { api, seal } = deps;
    const thread = { kind: "pull-request", number, nodeId: "" };
    const place = { repositoryId: api.repository.id, thread: threadKey(thread), comment: "new" };
    await createThreadComments(thread, api).create(`${text}\n\n${writeMarker("origin", origin, { place, seal })}`);
}
/** Whether a commit came with one of our pull requests. */
async function pull_requests_isFromOwnPullRequest(sha, deps) {
    const pulls = await deps.api.call(pull_requests_purpose, (octokit, target) => octokit.paginate(octokit.rest.repos.listPullRequestsAssociatedWithCommit, {
        ...target,
        commit_sha: sha,
        per_page: 100,
    }));
    for (const pull of pulls) {
        if (pull.merged_at && (await pull_requests_isOwn(toCandidate(pull), deps)))
            return true;
    }
    return false;
}
/** How many of our pull requests are open; stops counting at `limit`. */
async function pull_requests_countOpenOwn(limit, deps) {
    const pulls = await deps.api.call(pull_requests_purpose, (octokit, target) => octokit.paginate(octokit.rest.pulls.list, { ...target, state: "open", per_page: 100 }));
    let count = 0;
    for (const pull of pulls) {
        if (count >= limit)
            break;
        if (await pull_requests_isOwn(toCandidate(pull), deps))
            count += 1;
    }
    return count;
}
/** Whether a pull request is ours: by our comment on it, or by the reference in it if it is not from a fork. */
async function pull_requests_isOwn({ number, body, isFork }, deps) {
    return (!isFork && referenceLine.test(body)) || (await pull_requests_readOrigin({ number }, deps)) !== undefined;
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

// EXTERNAL MODULE: ./.build/lib/github/seal.js
var seal = __webpack_require__(5663);
;// CONCATENATED MODULE: ./.build/lib/github/html-scan.js
/** What a browser shows of raw HTML inside Markdown: a scanner that carries its state from one piece to the next. */
/** The state in which text is shown. */
const html_scan_shownText = { inside: "text" };
const neverShown = new Set("script style template noscript noembed noframes iframe object head title textarea svg math xmp plaintext".split(" "));
const separating = new Set("br p div li tr td th summary details h1 h2 h3 h4 h5 h6 hr".split(" "));
/** Finds what is not shown in a piece of HTML that begins in `state`, and the state it ends in. */
function html_scan_scanHtml(source, state) {
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
    return { end, state: found ? html_scan_shownText : state, unseen: html_scan_hidden(start, end) };
}
/** Next construct in shown text: a comment (also an empty, bogus or unfinished one), a tag, or nothing. */
const construct = /<!--(?:-?>)?|<[!?]|<\/(?![a-z])|<\/?[a-z][^\s/>]*/gi;
function openNext(source, from) {
    construct.lastIndex = from;
    const found = construct.exec(source);
    if (!found)
        return { end: source.length, state: html_scan_shownText };
    const start = found.index;
    const opening = found[0];
    const afterOpening = start + opening.length;
    if (opening === "<!--") {
        return { end: afterOpening, state: { inside: "comment" }, unseen: html_scan_hidden(start, afterOpening) };
    }
    if (opening.startsWith("<!--"))
        return { end: afterOpening, state: html_scan_shownText, unseen: html_scan_hidden(start, afterOpening) };
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
        state: opens ? { inside: "element", name } : html_scan_shownText,
        unseen: { start, end, hidesText, replacement },
    };
}
function html_scan_hidden(start, end) {
    return { start, end, hidesText: true, replacement: "" };
}

;// CONCATENATED MODULE: ./.build/lib/github/lookalike-comment.js
/** Text that is shown as it stands, but is an HTML comment wherever it is decoded once more. */
const lessThan = "(?:<|&lt;?|&LT;?|&#0*60;?|&#[xX]0*3[cC];?)";
const bang = "(?:!|&excl;|&#0*33;?|&#[xX]0*21;?)";
const dash = "(?:-|&hyphen;|&dash;|&#0*45;?|&#[xX]0*2[dD];?)";
const greaterThan = "(?:>|&gt;?|&GT;?|&#0*62;?|&#[xX]0*3[eE];?)";
const backslash = "\\\\?";
/** Its beginning, in any spelling. */
const lookalike_comment_lookalikeStart = new RegExp(`${backslash}${lessThan}${backslash}${bang}${backslash}${dash}${backslash}${dash}`);
/** Its end, in any spelling. */
const lookalike_comment_lookalikeEnd = new RegExp(`${dash}${backslash}${dash}${backslash}${bang}?${backslash}${greaterThan}`);

;// CONCATENATED MODULE: ./.build/lib/github/find-unseen.js





/** Finds, in document order and without overlaps, the stretches of `source` that GitHub does not show. */
function find_unseen_findUnseen(source, tree) {
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
        visit(tree, (node) => {
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
        this.found.push({ ...rangeOf(node), hidesText, replacement });
    }
    #walkHtml(node) {
        const { start, end } = rangeOf(node);
        const scanned = scanHtml(this.#source.slice(start, end), this.#html);
        this.#html = scanned.state;
        for (const part of scanned.unseen) {
            this.found.push({ ...part, start: start + part.start, end: start + part.end });
        }
    }
    /** Text that decodes to an HTML comment is shown here, but turns invisible wherever it is decoded once more. */
    #walkText(node) {
        const { start, end } = rangeOf(node);
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
        const { start } = rangeOf(node);
        const firstLine = /^.*/.exec(this.#source.slice(start))?.[0] ?? "";
        const fence = /^[`~]+/.exec(firstLine)?.[0] ?? "";
        const language = node.lang && /^[\w+#.-]{1,30}$/.test(node.lang) ? node.lang : "";
        const end = start + firstLine.length;
        this.found.push({ start: start + fence.length, end, hidesText: true, replacement: language });
    }
    #walkLink(node) {
        const { start, end } = rangeOf(node);
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
        const textEnd = rangeOf(last).end;
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

;// CONCATENATED MODULE: ./.build/lib/github/visible-text.js
/** Reduces Markdown that people wrote to what GitHub shows of it, so that nothing hidden reaches a model. */



/** Cutting can make new constructs of what stood on both sides; real texts settle in two rounds. */
const maxRounds = 20;
/**
 * Keeps the parts of a Markdown text that GitHub renders, unchanged, and counts what it cut.
 *
 * Applied to its own result it changes nothing. A text built so that cutting never settles, or nested beyond reading, is dropped whole.
 */
function visible_text_keepVisibleText(markdown) {
    const { text: source, dropped } = stripInvisibleCharacters(markdown);
    let text = source;
    let hiddenSegments = 0;
    for (let round = 0; round < maxRounds; round += 1) {
        const tree = parseMarkdown(text);
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

;// CONCATENATED MODULE: ./.build/lib/github/thread-context.js


/** Reads the context of a trigger: the thread as the event told it, and the comments that were there before it. */
function thread_context_readThreadContext(event, comments) {
    const { thread, text } = event;
    const triggerMs = Date.parse(text.changedAt);
    const others = comments.filter(({ nodeId, body }) => nodeId !== text.nodeId && !hasMarker(body));
    // A comment without a readable time is not known to be older.
    const older = others.filter(({ updatedAt }) => Date.parse(updatedAt) <= triggerMs);
    const receipts = { hiddenSegments: 0, invisibleCharacters: 0 };
    const show = (source) => {
        const visible = keepVisibleText(source);
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

// EXTERNAL MODULE: ./.build/lib/action/connect-github.js + 9 modules
var connect_github = __webpack_require__(1203);
// EXTERNAL MODULE: ./.build/lib/action/open-claims.js + 3 modules
var open_claims = __webpack_require__(968);
// EXTERNAL MODULE: ./.build/lib/action/saved-claim.js
var saved_claim = __webpack_require__(9687);
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
            const text = introducePullRequestText({
                jobId: origin.jobId,
                source,
                triggerPhrase: options.triggerPhrase,
            });
            await introducePullRequest({ number: pull.number, text, origin }, await ownership());
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
        return isOwn({ ...event.thread, isFork: event.isFork }, deps);
    return event.type === "push" ? isFromOwnPullRequest(event.head.id, deps) : false;
}


/***/ }),

/***/ 1203:
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
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./node_modules/@actions/github/lib/utils.js + 21 modules
var utils = __webpack_require__(1845);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/errors.js
var classic_errors = __webpack_require__(961);
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
/** The failure in its own words. */
function describeFailure(error) {
    return error instanceof Error ? error.message : String(error);
}
/** The error to throw for a failed call: GitHubErrors and bugs stay what they are. */
function translateError(error, purpose) {
    if (error instanceof github_errors/* GitHubError */.y_ || error instanceof TypeError)
        return error;
    if (!(error instanceof classic_errors/* ZodError */.G))
        return translateFailure(error, purpose);
    const message = `GitHub's answer is not what it should be; could not ${purpose.doing}.`;
    return new github_errors/* GitHubError */.y_("unexpected-response", message, { cause: error });
}
function translateFailure(error, { doing, permission }) {
    const status = statusOf(error) ?? statusOfGraphError(error);
    const reason = describeFailure(error);
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
        return new github_errors/* GitHubError */.y_("unreachable", `GitHub did not answer when asked to ${doing}: ${withStop(reason)}`, { cause: error });
    }
    return new github_errors/* GitHubError */.y_(isGone ? "not-found" : "unavailable", `GitHub could not ${doing}: ${withStop(reason)}`, {
        hint: `Check that the job's \`permissions:\` hold \`${permission}\`, then run again.`,
        status,
        cause: error,
    });
}
function withStop(text) {
    return /[.!?…]$/.test(text) ? text : `${text}.`;
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
            log.debug(`GitHub: ${request.method} ${request.url} failed (${describeFailure(error)}); trying again.`);
            await (0,promises_.setTimeout)(waitMs, undefined, { signal });
        }
    }
}
/** Milliseconds to wait before the same request may be sent again; `undefined` where it must not be. */
function waitBeforeRetry(error, { method = "GET", url = "" }, { attempt, random }) {
    const status = statusOf(error);
    const backoffMs = 250 * 2 ** attempt * (0.5 + random());
    const retryAfterMs = retryAfterOf(error);
    if (status === 429 || (status === 403 && retryAfterMs !== undefined)) {
        const waitMs = Math.max(retryAfterMs ?? 0, backoffMs);
        return waitMs > maxRetryAfterMs ? undefined : waitMs;
    }
    const isRepeatable = method !== "POST" || url.endsWith("/graphql");
    const isPassing = status === undefined || status >= 500;
    return isRepeatable && isPassing ? backoffMs : undefined;
}

// EXTERNAL MODULE: ./.build/lib/github/identity.js
var github_identity = __webpack_require__(4584);
;// CONCATENATED MODULE: ./.build/lib/github/permission.js

/** Levels of access, weakest first, as the collaborator permission's booleans name them. */
const permissionLevels = (/* unused pure expression or super */ null && (["read", "triage", "write", "maintain", "admin"]));
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

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 13 modules
var schemas = __webpack_require__(5491);
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
async function read_permission_readPermission(login, api) {
    try {
        const { data } = await api.call({ doing: `look up the permission of ${login}`, permission: "metadata: read" }, (octokit, target) => octokit.rest.repos.getCollaboratorPermissionLevel({ ...target, username: login }));
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

/***/ 968:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  _: () => (/* binding */ openClaims)
});

// EXTERNAL MODULE: ./.build/lib/github/comment-claims.js + 1 modules
var comment_claims = __webpack_require__(7575);
// EXTERNAL MODULE: ./.build/lib/github/comments.js
var comments = __webpack_require__(1623);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 13 modules
var schemas = __webpack_require__(5491);
// EXTERNAL MODULE: ./.build/lib/github/claim-record.js
var claim_record = __webpack_require__(4600);
// EXTERNAL MODULE: ./.build/lib/github/identity.js
var identity = __webpack_require__(4584);
;// CONCATENATED MODULE: ./.build/lib/github/status-claims.js
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

// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(3544);
;// CONCATENATED MODULE: ./.build/lib/presentation/format.js
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
        ? ["Took", formatDuration(Math.max(0, elapsedMs))]
        : ["Since", Number.isNaN(elapsedMs) ? "" : formatTime(new Date(claimedAt))];
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
    const isPaused = status.state === "working" && status.outcome !== undefined;
    return `Docs ${status.command}: ${title}${pull === undefined ? "" : ` #${pull}`}${job}${isPaused ? "; re-run to resume" : ""}`;
}

;// CONCATENATED MODULE: ./.build/lib/action/open-claims.js




function openClaims(options, { api, identity, seal, now }) {
    const { place, trigger } = options;
    if (place.kind === "commit") {
        return createStatusClaims({ sha: place.sha, trigger }, { api, identity, seal, describe: describeStatus });
    }
    return (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread: place.thread, trigger, since: place.since }, {
        comments: (0,comments/* createThreadComments */.d)(place.thread, api),
        identity,
        seal,
        serverNow: api.serverNow,
        render: (record) => renderStatusComment(record, { nowMs: now() }),
    });
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
    projectId: input_kinds_text().optional().meta({
        description: "Project identifier, from the dashboard's API keys page; required unless `base-url` is `local`.",
    }),
};
const followed = {
    jobId: input_kinds_text()
        .regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/, "must be one word of at most 200 characters")
        .optional()
        .meta({ description: "Follow this existing job instead of starting one." }),
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
        description: "Globs over the files changed by a push or pull request; nothing matches: outcome `skipped`.",
    }),
    pathsIgnore: list().prefault("").meta({ description: "Globs of changed files that do not count." }),
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
function problemsOfEmbedded(raw) {
    return raw["jobId"] === undefined
        ? []
        : ["`job-id` has no use with `base-url: local`: the embedded platform starts without jobs."];
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

/***/ 9687:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ readSavedClaim)
/* harmony export */ });
/* unused harmony export saveClaim */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5491);
/* harmony import */ var _github_claim_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4600);
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
    saveState("unsettled", String(isPending || !isSettled(record)));
}
/** The record that the main step kept, if it got that far. */
function readSavedClaim(state) {
    const text = state(stateName);
    return text === "" ? undefined : SavedClaim.parse(JSON.parse(text));
}


/***/ }),

/***/ 5119:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   dz: () => (/* binding */ InputError),
/* harmony export */   lZ: () => (/* binding */ ActionError)
/* harmony export */ });
/* unused harmony exports errorCodes, JobFailedError, InterruptedError, reportError */
/** The error taxonomy (`error-code`, `class`, hint) that every part of the action throws and the frame alone reports. */
/** Defaults of each code: who mends it, whether running again may help, and the next step. */
const factsByCode = {
    "invalid-input": { class: "user", retryable: false, hint: "Correct the inputs named above and run again." },
    unauthorized: {
        class: "auth",
        retryable: false,
        hint: "The key is missing, wrong, revoked or expired: make a new one on the dashboard's API keys page and store it as the secret this workflow passes as `api-key`.",
    },
    forbidden: {
        class: "auth",
        retryable: false,
        hint: "Three things cause this: the key's scope (a read-only key cannot start anything), an address allow-list (hosted runners have no fixed address), or a plan without this feature. Check all three with the platform's administrator.",
    },
    "not-found": {
        class: "config",
        retryable: false,
        hint: "Check `base-url`, `project-id`, `domain` and `job-id`: the platform does not know one of them, or the key belongs to another organization.",
    },
    conflict: {
        class: "platform",
        retryable: true,
        hint: "The platform says that the job is not in a state that allows this. Run again when it has moved on.",
    },
    "rate-limited": {
        class: "quota",
        retryable: true,
        hint: "The platform's limit is used up. Run again later, or raise `timeout-minutes` so that the action can wait for it.",
    },
    rejected: {
        class: "user",
        retryable: false,
        hint: "The platform refused the request as it stands; its message above names what to change.",
    },
    unavailable: {
        class: "platform",
        retryable: true,
        hint: "The platform is failing. Run again later.",
    },
    unreachable: {
        class: "network",
        retryable: true,
        hint: "Check `base-url`, the runner's network and the proxy variables (HTTPS_PROXY, NO_PROXY).",
    },
    "unexpected-response": {
        class: "platform",
        retryable: true,
        hint: "The answer is not the platform's API. Check that `base-url` is the API's address and that no proxy or login page stands in front of it.",
    },
    "job-failed": {
        class: "platform",
        retryable: true,
        hint: "The platform's job ended without a result. Read its reason above; run again to start a new job.",
    },
    "bundle-corrupt": {
        class: "platform",
        retryable: true,
        hint: "What was downloaded is not the bundle the platform promised. Run again with `job-id` to fetch it anew without a new export.",
    },
    "bundle-too-large": {
        class: "config",
        retryable: false,
        hint: "Raise `max-bundle-megabytes` if this size is expected.",
    },
    "unsafe-archive": {
        class: "platform",
        retryable: false,
        hint: "The archive holds entries that would leave its folder or harm the machine. Nothing was kept; ask the platform's operator where it comes from.",
    },
    "disk-full": {
        class: "config",
        retryable: false,
        hint: "Free space on the runner, choose an `output-dir` on a larger disk, or export less.",
    },
    "stream-cut": {
        class: "network",
        retryable: true,
        hint: "The answer ended too early. What arrived is shown and marked as incomplete; ask again.",
    },
    "timed-out": {
        class: "platform",
        retryable: true,
        hint: "The job goes on at the platform. Run again with its `job-id`, or raise `timeout-minutes`.",
    },
    cancelled: {
        class: "user",
        retryable: true,
        hint: "A job that was started goes on at the platform; its `job-id` resumes it.",
    },
    "missing-permission": {
        class: "github",
        retryable: false,
        hint: "Add the missing line to the job's `permissions:`.",
    },
    "pull-request-mismatch": {
        class: "platform",
        retryable: false,
        hint: "The platform reported a pull request that is not one of this job's repository. It was not shown; look for the pull request on the platform's dashboard.",
    },
    internal: {
        class: "bug",
        retryable: false,
        hint: "This is a defect of the action. Please report it with the lines above.",
    },
};
/** Every code, in the order of the reference. */
const errorCodes = Object.keys(factsByCode);
/** An expected failure: what happened, where, with which value, and the next step. */
class ActionError extends Error {
    name = "ActionError";
    code;
    hint;
    retryable;
    status;
    requestId;
    constructor(code, message, details = {}) {
        super(message, { cause: details.cause });
        this.code = code;
        this.hint = details.hint ?? factsByCode[code].hint;
        this.retryable = details.retryable ?? factsByCode[code].retryable;
        this.status = details.status;
        this.requestId = details.requestId;
    }
    get class() {
        return factsByCode[this.code].class;
    }
}
/** All problems of a run's inputs at once, each by the input's public name. */
class InputError extends ActionError {
    name = "InputError";
    problems;
    constructor(problems) {
        super("invalid-input", problems.length === 1
            ? `${problems[0]}`
            : `${problems.length} inputs need attention: ${problems.join(" · ")}`);
        this.problems = problems;
    }
}
/** The platform's job itself gave up; `message` carries the platform's reason. */
class JobFailedError extends ActionError {
    name = "JobFailedError";
    constructor(message, details = {}) {
        super("job-failed", message, details);
    }
}
/** The run was cancelled (SIGINT, SIGTERM) or its wall-clock deadline passed; the reason of the run's `AbortSignal`. */
class InterruptedError extends ActionError {
    name = "InterruptedError";
    constructor(code, message) {
        super(code, message);
    }
}
/** What to report of anything thrown: an expected error as it is, anything else as a bug. */
function reportError(error) {
    if (!(error instanceof ActionError)) {
        const message = error instanceof Error ? `${error.name}: ${error.message}` : `A value was thrown: ${String(error)}`;
        return { code: "internal", message, ...factsByCode.internal };
    }
    return {
        code: error.code,
        class: error.class,
        message: error.message,
        hint: error.hint,
        retryable: error.retryable,
        ...(error.status === undefined ? {} : { status: error.status }),
        ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
    };
}


/***/ }),

/***/ 4600:
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

/***/ 7575:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  x: () => (/* binding */ createCommentClaims)
});

// UNUSED EXPORTS: threadKey

// EXTERNAL MODULE: ./.build/lib/github/claim-record.js
var claim_record = __webpack_require__(4600);
// EXTERNAL MODULE: ./.build/lib/github/identity.js
var identity = __webpack_require__(4584);
;// CONCATENATED MODULE: ./.build/lib/github/marker.js
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

;// CONCATENATED MODULE: ./.build/lib/github/comment-claims.js
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


/***/ }),

/***/ 1623:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ createThreadComments)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5491);
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

/***/ 7121:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Up: () => (/* binding */ missingPermission),
/* harmony export */   y_: () => (/* binding */ GitHubError)
/* harmony export */ });
/* unused harmony export statusOfCause */
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


/***/ }),

/***/ 4584:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ isSameAccount),
/* harmony export */   x: () => (/* binding */ readIdentity)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5491);

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

/***/ 2502:
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

/***/ 5663:
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

/***/ 3544:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MZ: () => (/* binding */ codeCell),
/* harmony export */   SS: () => (/* binding */ codeSpan),
/* harmony export */   VV: () => (/* binding */ escapeInline)
/* harmony export */ });
/* unused harmony export codeBlock */
/** Text from other people or from the platform, made harmless inside GitHub's Markdown. */
/** Zero-width non-joiner: invisible, and enough to take a mention's or a reference's meaning. */
const breaker = "\u200c";
/**
 * One line of foreign text as plain text: no HTML, links, images, mentions, references, closing keywords or formatting.
 * Control and formatting characters are dropped, line breaks become spaces.
 */
function escapeInline(text) {
    return (text
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
        .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
        .replace(/[\\`*_[\]()<>#|~$]/g, "\\$&")
        // What begins a list or underlines a heading does so only at the start.
        .replace(/^(\s*)([-+=])/, "$1\\$2")
        .replace(/^(\s*\d+)\./, "$1\\.")
        .replace(/&/g, "&amp;")
        .replace(/\\</g, "&lt;")
        .replace(/\\>/g, "&gt;")
        .replace(/@(?=\w)/g, `@${breaker}`)
        .replace(/\\#(?=\w)/g, `\\#${breaker}`)
        .replace(/\b(GH)-(?=\d)/gi, `$1${breaker}-`)
        .replace(/:(?=\/\/|[\w+-]+:)/g, `:${breaker}`)
        .replace(/\b(www)\.(?=\S)/gi, `$1${breaker}.`));
}
/** Foreign text as a code span; for identifiers, paths and hashes. */
function codeSpan(text) {
    const line = text
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
        .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
        .trim();
    if (line === "")
        return "—";
    const longestRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = "`".repeat(longestRun + 1);
    const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
    return `${fence}${pad}${line}${pad}${fence}`;
}
/** Like `codeSpan`, for a cell of a table, where a bar would end the cell even inside code. */
function codeCell(text) {
    return codeSpan(text).replaceAll("|", "\\|");
}
/** Foreign text of several lines as a code block that it cannot leave. */
function codeBlock(text) {
    const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = "`".repeat(longestRun + 1);
    return `${fence}text\n${text.replace(/\r\n?/g, "\n")}\n${fence}`;
}


/***/ })

};
