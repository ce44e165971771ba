export const id = 440;
export const ids = [440];
export const modules = {

/***/ 440:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  finishAssistant: () => (/* binding */ finishAssistant)
});

// EXTERNAL MODULE: ./.build/lib/github/comment-claims.js + 1 modules
var comment_claims = __webpack_require__(7575);
// EXTERNAL MODULE: ./.build/lib/github/comments.js
var comments = __webpack_require__(1623);
// EXTERNAL MODULE: ./.build/lib/github/seal.js
var seal = __webpack_require__(5663);
// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(3544);
;// CONCATENATED MODULE: ./.build/lib/presentation/link-policy.js
/** Which links of an answer are shown as links. */
/** The absolute address that a link of an answer leads to; `undefined` where it must not be a link. */
function resolveLink(address, { baseUrl, allowed }) {
    const url = parse(relativeToBase(address.trim()), baseUrl);
    if (url === undefined || url.username !== "" || url.password !== "")
        return undefined;
    return allowed.some((prefix) => isBelow(url, prefix)) ? url.href : undefined;
}
/** `/guides/x` is a path of the site, wherever below its host the site is. */
function relativeToBase(address) {
    return /^\/(?![/\\])/.test(address) ? `.${address}` : address;
}
function parse(address, baseUrl) {
    const url = URL.parse(address, baseUrl);
    return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}
function isBelow(url, prefix) {
    const root = URL.parse(prefix);
    if (root === null || url.origin !== root.origin)
        return false;
    const folder = root.pathname.endsWith("/") ? root.pathname : `${root.pathname}/`;
    return `${url.pathname}/`.startsWith(folder);
}

// EXTERNAL MODULE: ./node_modules/mdast-util-to-string/lib/index.js
var lib = __webpack_require__(1869);
// EXTERNAL MODULE: ./node_modules/remark-gfm/lib/index.js + 18 modules
var remark_gfm_lib = __webpack_require__(8526);
// EXTERNAL MODULE: ./node_modules/remark-parse/lib/index.js + 39 modules
var remark_parse_lib = __webpack_require__(6753);
// EXTERNAL MODULE: ./node_modules/remark-stringify/lib/index.js + 11 modules
var remark_stringify_lib = __webpack_require__(3996);
// EXTERNAL MODULE: ./node_modules/unified/lib/index.js + 7 modules
var unified_lib = __webpack_require__(1519);
// EXTERNAL MODULE: ./node_modules/unist-util-visit/lib/index.js
var unist_util_visit_lib = __webpack_require__(3617);
;// CONCATENATED MODULE: ./.build/lib/presentation/neutral-text.js

/** What GitHub turns into something else, most specific first: what looks like a tag, addresses, commits, mentions, issues. */
const active = /<[a-z/!?][^<>\n]*>?|(?:https?|ftp):\/\/[^\s<>`]+|(?<![\p{L}\p{N}])www\.[^\s<>`]+|[\w-]+\/[\w.-]+@[0-9a-f]{7,40}\b|(?<![\p{L}\p{N}])(?:@[a-z\d][\w-]*(?:\/[\w.-]+)?)+|(?:[\w.-]+\/[\w.-]+|\b[\w-]+)?#\d+\b|\bGH-\d+\b/giu;
/** Trailing punctuation belongs to the sentence, not to the address. */
const trailing = /[.,;:!?'"*_~)\]]+$/;
/** The text as nodes: mentions, references and foreign addresses as code, addresses of the documentation as links. */
function neutralize(text, policy) {
    const nodes = [];
    let end = 0;
    const addText = (until) => {
        const piece = text.slice(end, until);
        // Behind code, a text begins anew: what was part of a word before may be a mention now.
        if (piece !== "")
            nodes.push(...(end > 0 ? neutralize(piece, policy) : [textNode(piece)]));
    };
    for (const match of text.matchAll(active)) {
        const token = /^(?:\w+:\/\/|www\.)/i.test(match[0]) ? match[0].replace(trailing, "") : match[0];
        addText(match.index);
        nodes.push(...neutralToken(token, policy));
        end = match.index + token.length;
    }
    addText(text.length);
    return nodes;
}
function textNode(value) {
    return { type: "text", value };
}
function neutralToken(token, policy) {
    const url = /^https?:\/\//i.test(token) ? resolveLink(token, policy) : undefined;
    if (url === undefined)
        return [{ type: "inlineCode", value: token }];
    return [{ type: "link", url, children: [{ type: "text", value: token }] }];
}

;// CONCATENATED MODULE: ./.build/lib/presentation/sanitize-answer.js








const parser = (0,unified_lib/* unified */.l)().use(remark_parse_lib/* default */.A).use(remark_gfm_lib/* default */.A).freeze();
const printer = (0,unified_lib/* unified */.l)()
    .use(remark_gfm_lib/* default */.A)
    .use(remark_stringify_lib/* default */.A, { bullet: "-", fences: true, rule: "-", listItemIndent: "one" })
    .freeze();
/** GitHub draws, runs or applies these; as plain code they are shown. */
const activeLanguages = /^(?:mermaid|math|geojson|topojson|stl|suggestion.*)$/i;
/** Longer answers than any model writes would only cost time. */
const maxLength = 100_000;
/**
 * Makes an answer harmless: raw HTML goes, images become their description, links lead into the documentation or are
 * shown as text, mentions and references are code, fences are closed. Cut at a block's end to fit `limit` characters.
 */
function sanitizeAnswer(markdown, { links, limit }) {
    const tree = parser.parse(markdown.slice(0, maxLength));
    const children = createCleaner(tree, links).blocks(tree.children);
    const pieces = [];
    let length = 0;
    for (const child of children) {
        const piece = printer.stringify({ type: "root", children: [child] }).trim();
        length += piece.length + 2;
        if (length > limit)
            return { markdown: pieces.join("\n\n"), isShortened: true };
        pieces.push(piece);
    }
    return { markdown: pieces.join("\n\n"), isShortened: markdown.length > maxLength };
}
/** The part of a growing answer that will not change any more: its finished blocks; of the first one, its finished words. */
function finishedPart(markdown) {
    const { children } = parser.parse(markdown);
    const beforeLast = children.at(-2)?.position?.end.offset;
    if (beforeLast !== undefined)
        return markdown.slice(0, beforeLast);
    return children[0]?.type === "paragraph" ? markdown.replace(/\s*\S*$/, "") : markdown;
}
function createCleaner(tree, links) {
    const addresses = readDefinitions(tree);
    function block(node) {
        switch (node.type) {
            case "paragraph":
                return nonEmpty({ ...node, children: inlines(node.children) });
            case "heading": {
                // Below the comment's own headings.
                const depth = Math.min(6, node.depth + 2);
                return nonEmpty({ ...node, depth, children: inlines(node.children) });
            }
            case "blockquote":
            case "list":
            case "listItem":
            case "table":
            case "tableRow":
                // Each keeps its own kind of children: the same cases, one level down.
                return nonEmpty({ ...node, children: blocks(node.children) });
            case "tableCell":
                return [{ ...node, children: inlines(node.children) }];
            case "code":
                return [{ type: "code", value: node.value, lang: plainLanguage(node.lang), meta: null }];
            case "thematicBreak":
                return [node];
            case "html":
                return paragraphOf(textOfHtml(node));
            default:
                return [];
        }
    }
    function blocks(nodes) {
        return nodes.flatMap(block);
    }
    function inlines(nodes) {
        return mergeCode(nodes.flatMap(inline));
    }
    function inline(node) {
        switch (node.type) {
            case "text":
                return neutralize(node.value, links);
            case "emphasis":
            case "strong":
            case "delete":
                return [{ ...node, children: inlines(node.children) }];
            case "inlineCode":
            case "break":
                return [node];
            case "link":
                return link(node.url, node.children);
            case "linkReference":
                return link(addresses.get(node.identifier) ?? "", node.children);
            case "image":
            case "imageReference":
                return neutralize(node.alt ? `[image: ${node.alt}]` : "[image]", links);
            case "html":
                return textOfInlineHtml(node);
            default:
                return [];
        }
    }
    function link(address, children) {
        const url = resolveLink(address, links);
        // Links do not nest; what is code or emphasis in the label may stay.
        const label = inlines(children).flatMap((child) => (child.type === "link" ? child.children : [child]));
        if (url !== undefined && label.length > 0)
            return [{ type: "link", url, title: null, children: label }];
        const text = (0,lib/* toString */.d)(children);
        const isItself = text === address || address === `mailto:${text}` || address === `http://${text}`;
        if (isItself || !/^https?:/i.test(address))
            return label;
        return [
            ...label,
            { type: "text", value: " (" },
            { type: "inlineCode", value: address },
            { type: "text", value: ")" },
        ];
    }
    return { blocks };
}
/** Two code spans side by side would share their backticks. */
function mergeCode(nodes) {
    const merged = [];
    for (const node of nodes) {
        const last = merged.at(-1);
        if (node.type === "inlineCode" && last?.type === "inlineCode") {
            merged[merged.length - 1] = { type: "inlineCode", value: last.value + node.value };
        }
        else
            merged.push(node);
    }
    return merged;
}
function readDefinitions(tree) {
    const addresses = new Map();
    (0,unist_util_visit_lib/* visit */.YR)(tree, "definition", ({ identifier, url }) => {
        if (!addresses.has(identifier))
            addresses.set(identifier, url);
    });
    return addresses;
}
function nonEmpty(node) {
    return node.children.length === 0 ? [] : [node];
}
function plainLanguage(lang) {
    if (lang === null || lang === undefined)
        return null;
    return /^[\w+#.-]{1,30}$/.test(lang) && !activeLanguages.test(lang) ? lang : "text";
}
function paragraphOf(children) {
    return children.length === 0 ? [] : [{ type: "paragraph", children }];
}
/** The words between the tags of a block of HTML; a script's or style's are none. */
function textOfHtml({ value }) {
    const text = value
        .replace(/<!--[\s\S]*?(?:--!?>|$)/g, " ")
        .replace(/<(script|style|svg|iframe|object)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
        .replace(/<[^>]*(?:>|$)/g, " ")
        .replace(/\s+/g, " ")
        .trim();
    return text === "" ? [] : [{ type: "inlineCode", value: text }];
}
const htmlTag = /^<\/?(?:a|abbr|b|big|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em|embed|figure|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|math|meta|object|ol|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video|audio)\b/i;
/** `Array<string>` was meant as text; `<img …>` and comments were not. */
function textOfInlineHtml({ value }) {
    if (/^<[!?]/.test(value) || htmlTag.test(value))
        return [];
    return [{ type: "inlineCode", value }];
}

;// CONCATENATED MODULE: ./.build/lib/presentation/answer-comment.js
/** The one comment that an answer grows in, and the job summary of a question. */



/** A comment has 65,536 characters; the rest is for the marker and the words around the answer. */
const maxAnswerLength = 48_000;
const maxSources = 12;
/** The sources as they are shown and put out: absolute, each once, in the order of their first mention. */
function listSources(sources, links) {
    const byUrl = new Map();
    for (const { url, title } of sources) {
        const address = resolveLink(url, links);
        const known = address === undefined ? undefined : byUrl.get(address);
        if (address !== undefined)
            byUrl.set(address, { url: address, title: known?.title ?? title });
    }
    return [...byUrl.values()].slice(0, maxSources);
}
/** The comment's visible part. */
function answer_comment_renderAnswerComment(view) {
    return [
        ...quoteQuestion(view),
        ...renderBody(view),
        ...renderSources(view),
        "",
        renderFooter(view),
        ...(view.notes ?? []).map((note) => `\n<sub>${(0,escape_markdown/* escapeInline */.VV)(note)}</sub>`),
    ].join("\n");
}
/** The job summary: the same, with the page of the comment. */
function renderAnswerSummary(view, { commentUrl }) {
    const link = commentUrl === undefined || !URL.canParse(commentUrl) ? "" : `\n\n[Comment](${new URL(commentUrl).href})`;
    return `### Docs assistant: ${view.state}\n\n${answer_comment_renderAnswerComment(view)}${link}\n`;
}
function quoteQuestion({ question, requester }) {
    if (question === undefined || question.trim() === "")
        return [];
    const lines = question.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `> ${(0,escape_markdown/* escapeInline */.VV)(line)}`);
    const asked = requester === undefined ? [] : [`> <sub>asked by ${(0,escape_markdown/* escapeInline */.VV)(requester)}</sub>`];
    return [...lines, ...asked, ""];
}
function renderBody(view) {
    const { state, text, links } = view;
    if (state === "asking")
        return ["*Looking through the documentation …*"];
    const shown = sanitizeAnswer(text, {
        links,
        limit: maxAnswerLength,
    });
    const answer = shown.markdown === "" ? [] : [shown.markdown];
    if (shown.isShortened)
        answer.push("", "*The answer is longer than a comment may be; the rest is left out.*");
    if (state === "answering")
        return [...answer, "", "*… still answering*"];
    if (state === "answered") {
        return view.isCutByModel === true
            ? [...answer, "", "*The answer stops here: it reached its length limit.*"]
            : answer;
    }
    const warning = `> [!WARNING]\n> ${answer.length > 0 ? "**This answer is incomplete.**" : "**There is no answer.**"} ${(0,escape_markdown/* escapeInline */.VV)(view.problem ?? "")}`;
    return [warning, ...(answer.length === 0 ? [] : ["", ...answer])];
}
function renderSources({ state, sources, links }) {
    const listed = state === "answered" || state === "failed" ? listSources(sources, links) : [];
    if (listed.length === 0)
        return [];
    const lines = listed.map(({ url, title }, index) => {
        const label = (0,escape_markdown/* escapeInline */.VV)(title?.trim() || new URL(url).pathname);
        return `${index + 1}. [${label}](${url.replace(/[()\s<>]/g, encodeURIComponent)})`;
    });
    return ["", "**Sources**", "", ...lines];
}
function renderFooter({ state, triggerPhrase, runUrl }) {
    const log = runUrl === undefined || !URL.canParse(runUrl) ? "" : ` · [log](${new URL(runUrl).href})`;
    const phrase = (0,escape_markdown/* escapeInline */.VV)(triggerPhrase);
    if (state === "asking" || state === "answering")
        return `<sub>Generated from the documentation${log}</sub>`;
    const next = state === "answered"
        ? `To follow up, comment ${phrase} and your question; the conversation goes on.`
        : `Comment ${phrase} and your question to ask again.`;
    return `<sub>Generated from the documentation by an assistant: check it against the sources. ${next}${log}</sub>`;
}

// EXTERNAL MODULE: ./.build/lib/action/agent-github.js + 9 modules
var agent_github = __webpack_require__(1047);
// EXTERNAL MODULE: ./.build/lib/github/live-text.js
var live_text = __webpack_require__(2502);
// EXTERNAL MODULE: ./.build/lib/action/connect-github.js + 9 modules
var connect_github = __webpack_require__(1203);
// EXTERNAL MODULE: ./.build/lib/action/saved-claim.js
var saved_claim = __webpack_require__(9687);
;// CONCATENATED MODULE: ./.build/lib/action/assistant-github.js









/** The thread's name in records and fingerprints; a pull request that merely changed has a conversation too. */
function threadOf({ event }) {
    return event.type === "written" || event.type === "pull-request" ? event.thread : undefined;
}
function createAssistantGitHub(options, { saveState }) {
    const { inputs, connection } = options;
    const { event, api } = connection;
    const thread = inputs.statusComment ? threadOf(connection) : undefined;
    const github = {
        checkGate: () => checkPeople(inputs, connection),
        async acknowledge() {
            if (event.type === "written")
                await reactWithEyes(event, api);
        },
        compareWithLiveText: async () => event.type === "written" ? compareWithLiveText(event, api) : "unchanged",
        openStores: thread === undefined ? undefined : (draft, shown) => openStores({ ...options, thread, draft, shown }),
    };
    return {
        github,
        onRecord(claim) {
            if (thread === undefined)
                return;
            const { kind, number, nodeId } = thread;
            const place = { kind: "thread", thread: { kind, number, nodeId }, since: thread.createdAt };
            saveClaim({ place, claim }, saveState);
        },
    };
}
async function openStores({ inputs, connection, thread, draft, shown, ...rest }) {
    const { api, lastWordsApi, run, event } = connection;
    const identity = await connection.readIdentity();
    const seal = createSeal(sealKey(inputs.apiKey, run.repository.id));
    const render = (record) => renderAnswerComment(viewOf({ record, shown, ...rest }));
    const open = (via, search) => createCommentClaims({ repositoryId: api.repository.id, thread, ...search }, { comments: createThreadComments(thread, via), identity, seal, serverNow: via.serverNow, render });
    const { trigger } = draft;
    const since = event.type === "written" ? event.text.createdAt : thread.createdAt;
    return {
        claims: open(api, { trigger, since }),
        lastWords: open(lastWordsApi, { trigger, since }),
        conversation: open(api, {}),
    };
}
/** A question and what is known of its answer, as comment and summary show it. */
function viewOf({ record, shown, links, triggerPhrase }) {
    const { state, text, answer } = shown;
    return {
        state,
        text,
        sources: answer === undefined ? [] : sourcesOf(answer),
        links: withSourceHosts(links, answer),
        isCutByModel: answer?.shortened ?? false,
        problem: record.message,
        question: record.request,
        requester: record.requester,
        runUrl: record.runUrl,
        notes: record.notes,
        triggerPhrase,
    };
}
/** What the answer cites; where the platform marks nothing as cited, what the assistant found and the answer links to. */
function sourcesOf({ cited, found, text }) {
    if (cited.length > 0)
        return cited;
    const linked = found.filter(({ url }) => text.includes(url));
    return linked.length > 0 ? linked : found.slice(0, 5);
}
/**
 * The hosts that an answer may link to. A domain identifier that is a host name is the documentation's host; one that
 * is not leaves it to the sources, which come from the platform's index and not from the model, to say where that is.
 */
function withSourceHosts(links, answer) {
    if (links.allowed.length > 0 || answer === undefined)
        return links;
    const origins = [...answer.cited, ...answer.found].flatMap(({ url }) => {
        const parsed = URL.parse(url);
        return parsed !== null && /^https?:$/.test(parsed.protocol) ? [parsed.origin] : [];
    });
    return { baseUrl: links.baseUrl ?? origins[0], allowed: [...new Set(origins)] };
}

// EXTERNAL MODULE: ./.build/lib/action/read-inputs.js + 7 modules
var read_inputs = __webpack_require__(6957);
;// CONCATENATED MODULE: ./.build/lib/action/steps/finish-assistant.js
/** The assistant's post step: corrects the comment of a main step that was killed. */









const interrupted = "The run that was answering ended early. Re-run the workflow, or ask again.";
/** Says in the comment that nobody answers any more. */
async function finishAssistant({ environment, log, signal, state }) {
    const saved = (0,saved_claim/* readSavedClaim */.A)(state);
    if (saved?.place.kind !== "thread" || isOver(saved.record.state))
        return;
    const { thread, since } = saved.place;
    const githubToken = (0,read_inputs/* inputText */.AN)("github-token", environment)?.trim();
    const connection = await (0,connect_github/* connectGitHub */.UY)({ githubToken }, { environment, log, signal, random: Math.random });
    const { api, run } = connection;
    const claims = (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread, trigger: saved.record.trigger, since }, {
        comments: (0,comments/* createThreadComments */.d)(thread, api),
        identity: await connection.readIdentity(),
        seal: (0,seal/* createSeal */.A)((0,agent_github/* sealKey */.FD)((0,read_inputs/* inputText */.AN)("api-key", environment)?.trim(), run.repository.id)),
        serverNow: api.serverNow,
        render: (record) => answer_comment_renderAnswerComment(viewOf({
            record,
            shown: { state: "failed", text: "", answer: undefined },
            links: { baseUrl: undefined, allowed: [] },
            triggerPhrase: (0,read_inputs/* inputText */.AN)("trigger-phrase", environment)?.trim() || "/ask",
        })),
    });
    const claim = (await claims.list()).find(({ id }) => id === saved.id);
    if (claim === undefined || claim.isUnverifiable === true || isOver(claim.record.state))
        return;
    await claims.update(claim, {
        ...claim.record,
        state: "released",
        outcome: "interrupted",
        message: interrupted,
    });
    log.info("The comment of the interrupted question was corrected.");
}
function isOver(state) {
    return state === "ended" || state === "released";
}


/***/ })

};
