export const id = 771;
export const ids = [771];
export const modules = {

/***/ 65771:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  assistantStep: () => (/* binding */ assistantStep)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(45119);
// EXTERNAL MODULE: ./.build/lib/commands/explain-error.js
var explain_error = __webpack_require__(60365);
;// CONCATENATED MODULE: ./.build/lib/commands/assistant/explain-failure.js


/** Nothing goes on at the platform when a question is given up: the next step is always the same. */
const askAgain = "Re-run the workflow, or ask again.";
const endings = ["cancelled", "timed-out", "stream-cut"];
/** A failed answer with the next step for somebody who asked a question. */
function withQuestionHint(failure) {
    if (!endings.includes(failure.code))
        return failure;
    return new errors/* ActionError */.lZ(failure.code, failure.message, { hint: askAgain, cause: failure });
}
/** A failed answer as a record keeps it: what happened, and the next step. */
function explainFailure(failure) {
    return (0,explain_error/* explain */.W)(withQuestionHint(failure));
}

// EXTERNAL MODULE: ./.build/lib/github/claims/claim-record.js
var claim_record = __webpack_require__(23500);
// EXTERNAL MODULE: ./.build/lib/message-of.js
var message_of = __webpack_require__(48999);
// EXTERNAL MODULE: ./.build/lib/commands/submission/claim-holder.js
var claim_holder = __webpack_require__(91857);
// EXTERNAL MODULE: ./.build/lib/commands/submission/watch-others.js
var watch_others = __webpack_require__(58189);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(27121);
;// CONCATENATED MODULE: ./.build/lib/commands/assistant/end-answer.js
/** The last edit of an answer's comment. */




/** The one final edit; an answer that cannot be shown is not lost for it. */
async function showEnd({ answer, latest, shown }, { stores, signal, onRecord }) {
    if (latest === undefined)
        return { commentUrl: undefined, unshown: undefined };
    const { failure, threadId, text } = answer;
    const state = failure === undefined ? "answered" : "failed";
    Object.assign(shown, { state, text, answer });
    const thread = threadId === undefined || threadId.length > 500 ? {} : { threadId };
    const { outcome: _outcome, message: _message, ...record } = latest.record;
    const end = failure === undefined
        ? { state: "ended", outcome: "answered" }
        : { state: "released", outcome: failure.code, message: explainFailure(failure) };
    const whole = { ...record, ...thread, ...end };
    try {
        const claim = await update(latest, whole, { stores, signal });
        onRecord(claim);
        return { commentUrl: claim.url, unshown: undefined };
    }
    catch (error) {
        if (!(error instanceof github_errors/* GitHubError */.y_))
            throw error;
        const left = { ...record, state: "released", outcome: "unshown", message: unshownMessage };
        onRecord({ ...latest, record: left, isPending: true });
        return { commentUrl: undefined, unshown: error };
    }
}
/** Also when the workflow is cancelled meanwhile: the end is known by then. */
async function update(latest, record, { stores: { claims, lastWords }, signal }) {
    if (signal.aborted)
        return lastWords.update(latest, record);
    try {
        return await claims.update(latest, record);
    }
    catch (error) {
        if (!signal.aborted)
            throw error;
        return lastWords.update(latest, record);
    }
}
const unshownMessage = "GitHub did not take the answer; the summary of the run shows it.";
/** Leaves the comment true where no answer began. */
async function showFailure({ error, latest, shown }, { stores, log, onRecord }) {
    if (latest === undefined || latest.record.state === "ended" || latest.record.state === "released")
        return;
    shown.state = "failed";
    const known = error instanceof errors/* ActionError */.lZ ? error : undefined;
    const message = known === undefined ? "The action failed on this question." : explainFailure(known);
    try {
        const record = {
            ...latest.record,
            state: "released",
            outcome: known?.code ?? "failed",
            message,
        };
        onRecord(await stores.lastWords.update(latest, record));
    }
    catch (cause) {
        log.warning(`The comment could not be corrected: ${(0,message_of/* messageOf */.b)(cause)}`);
    }
}

// EXTERNAL MODULE: ./.build/lib/github/text/invisible-characters.js
var invisible_characters = __webpack_require__(81402);
// EXTERNAL MODULE: ./node_modules/remark-gfm/lib/index.js + 17 modules
var lib = __webpack_require__(26550);
// EXTERNAL MODULE: ./node_modules/remark-parse/lib/index.js + 39 modules
var remark_parse_lib = __webpack_require__(76753);
// EXTERNAL MODULE: ./node_modules/remark-stringify/lib/index.js + 10 modules
var remark_stringify_lib = __webpack_require__(93361);
// EXTERNAL MODULE: ./node_modules/unified/lib/index.js + 6 modules
var unified_lib = __webpack_require__(1529);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-string/lib/index.js
var mdast_util_to_string_lib = __webpack_require__(31869);
// EXTERNAL MODULE: ./node_modules/unist-util-visit/lib/index.js
var unist_util_visit_lib = __webpack_require__(73617);
;// CONCATENATED MODULE: ./.build/lib/presentation/answer-html.js
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
/** `Array<string>` was meant as text; `<img …>` and comments were not, and `<br>` parts words. */
function textOfInlineHtml({ value }) {
    if (/^<br\b/i.test(value))
        return [{ type: "text", value: " " }];
    if (/^<[!?]/.test(value) || htmlTag.test(value))
        return [];
    return [{ type: "inlineCode", value }];
}

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

;// CONCATENATED MODULE: ./.build/lib/presentation/neutral-text.js

/** What GitHub turns into something else, most specific first. */
const active = new RegExp([
    // What looks like a tag, and addresses.
    String.raw `<[a-z/!?][^<>\n]*>?|(?:https?|ftp)://[^\s<>${"`"}]+|(?<![\p{L}\p{N}])www\.[^\s<>${"`"}]+`,
    // Commits: of a repository, or as digits and letters that may be one.
    String.raw `[\w-]{1,40}/[\w.-]{1,100}@[0-9a-f]{7,40}\b`,
    String.raw `(?<![\w.+%/-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w%])`,
    // Mentions of people and teams.
    String.raw `(?<![\p{L}\p{N}])(?:@[a-z\d][\w-]*(?:/[\w.-]+)?)+`,
    // Issues and pull requests.
    String.raw `(?:[\w.-]{1,40}/[\w.-]{1,100}|\b[\w-]{1,40})?#\d+\b|\bGH-\d+\b`,
].join("|"), "giu");
/** Trailing punctuation belongs to the sentence, not to the address. */
const trailing = /[.,;:!?'"*_~)\]]+$/;
/** The text as nodes: mentions, references and foreign addresses as code, addresses of the documentation as links. */
function neutralize(text, policy) {
    const nodes = [];
    let end = 0;
    const addText = (until) => {
        const piece = text.slice(end, until);
        if (piece === text)
            nodes.push(textNode(piece));
        // Beside code, a text begins or ends anew: what was part of a word before may be a mention now.
        else if (piece !== "")
            nodes.push(...neutralize(piece, policy));
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

;// CONCATENATED MODULE: ./.build/lib/presentation/clean-answer.js





/** GitHub draws, runs or applies these; as plain code they are shown. */
const activeLanguages = /^(?:mermaid|math|geojson|topojson|stl|suggestion.*)$/i;
/** Emphasis inside emphasis; deeper, printing it takes as long as its depth cubed. */
const maxEmphasis = 8;
/** Character references can name what was dropped from the source; a joiner of emoji is part of what is seen. */
const invisible = /[[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Cc}]--[\t\n\u200D]]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|\u200D(?!\p{Extended_Pictographic})/gv;
/** The blocks that are left of a parsed answer: no HTML, no images, no mentions, links into the documentation only. */
function cleanAnswer(tree, links) {
    const addresses = readDefinitions(tree);
    const { numbers, definitions } = numberFootnotes(tree);
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
            case "footnoteDefinition":
                return footnote(node);
            case "html":
                return paragraphOf(textOfHtml(node));
            default:
                return [];
        }
    }
    function blocks(nodes) {
        return nodes.flatMap(block);
    }
    function footnote(node) {
        const number = definitions.get(node);
        const children = blocks(node.children);
        return number === undefined ? [] : nonEmpty({ ...node, identifier: number, label: number, children });
    }
    /** Texts are made harmless last, when what stood between them is gone: `@<b>mona</b>` is a mention by then. */
    function inlines(nodes, depth = 0) {
        const joined = joinTexts(nodes.flatMap((node) => inline(node, depth)));
        return mergeCode(joined.flatMap((node) => (node.type === "text" ? neutralize(node.value, links) : [node])));
    }
    function inline(node, depth) {
        switch (node.type) {
            case "text":
                return [{ type: "text", value: node.value.replace(invisible, "") }];
            case "emphasis":
            case "strong":
            case "delete":
                if (depth >= maxEmphasis)
                    return node.children.flatMap((child) => inline(child, depth));
                return nonEmpty({ ...node, children: inlines(node.children, depth + 1) });
            case "inlineCode":
                // A line's end is shown as a space, and would end a heading in the middle of the code.
                return [{ type: "inlineCode", value: node.value.replace(invisible, "").replace(/[\r\n]+/g, " ") }];
            case "break":
                return [node];
            case "link":
                return link(node.url, node.children, depth);
            case "linkReference":
                return link(addresses.get(node.identifier) ?? "", node.children, depth);
            case "image":
            case "imageReference":
                return [
                    { type: "text", value: node.alt ? `[image: ${node.alt.replace(invisible, "")}]` : "[image]" },
                ];
            case "footnoteReference": {
                const number = numbers.get(node.identifier);
                return number === undefined ? [] : [{ ...node, identifier: number, label: number }];
            }
            case "html":
                return textOfInlineHtml(node);
            default:
                return [];
        }
    }
    function link(address, children, depth) {
        const url = resolveLink(address, links);
        if (url !== undefined && children.length > 0) {
            // Links do not nest; what is code or emphasis in the label may stay.
            const inside = inlines(children, depth).flatMap((child) => child.type === "link" ? child.children : [child]);
            return inside.length === 0 ? [] : [{ type: "link", url, title: null, children: inside }];
        }
        const label = children.flatMap((child) => inline(child, depth));
        const text = (0,mdast_util_to_string_lib/* toString */.d)(children);
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
    return blocks(tree.children);
}
/** Texts side by side are one text, as whoever reads the Markdown sees it. */
function joinTexts(nodes) {
    const joined = [];
    for (const node of nodes) {
        const last = joined.at(-1);
        if (node.type === "text" && last?.type === "text") {
            joined[joined.length - 1] = { type: "text", value: last.value + node.value };
        }
        else
            joined.push(node);
    }
    return joined;
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
/** Footnotes in the order of their first mention; what nobody refers to is no footnote. */
function numberFootnotes(tree) {
    const numbers = new Map();
    (0,unist_util_visit_lib/* visit */.YR)(tree, "footnoteReference", ({ identifier }) => {
        if (!numbers.has(identifier))
            numbers.set(identifier, String(numbers.size + 1));
    });
    const definitions = new Map();
    const taken = new Set();
    (0,unist_util_visit_lib/* visit */.YR)(tree, "footnoteDefinition", (node) => {
        const number = numbers.get(node.identifier);
        if (number === undefined || taken.has(number))
            return;
        taken.add(number);
        definitions.set(node, number);
    });
    return { numbers, definitions };
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

// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(53544);
// EXTERNAL MODULE: ./.build/lib/shorten.js
var shorten = __webpack_require__(33995);
;// CONCATENATED MODULE: ./.build/lib/presentation/shorten-block.js

/** The first part of a block that prints within `room` characters; `undefined` where nothing worth showing does. */
function shortenBlock(block, { room, print }) {
    if (room < 200)
        return undefined;
    const printed = (node) => print({ type: "root", children: [node] }).trim();
    let share = Math.min(1, room / printed(block).length);
    for (let tries = 0; tries < 8; tries += 1) {
        const shorter = firstPart(block, share);
        const piece = shorter === undefined ? "" : printed(shorter);
        if (piece === "")
            return undefined;
        if (piece.length <= room)
            return piece;
        share *= 0.85;
    }
    return undefined;
}
/** A node with about this share of its content; `undefined` where none is left. */
function firstPart(node, share) {
    if ("value" in node) {
        const value = (0,shorten/* cutText */.I)(node.value, Math.floor(node.value.length * share));
        return value === "" ? undefined : { ...node, value };
    }
    if (!("children" in node))
        return share > 0 ? node : undefined;
    const wanted = node.children.length * share;
    const whole = Math.floor(wanted);
    const next = node.children[whole];
    const part = next === undefined ? undefined : firstPart(next, wanted - whole);
    const children = [...node.children.slice(0, whole), ...(part === undefined ? [] : [part])];
    return children.length === 0 ? undefined : { ...node, children };
}

// EXTERNAL MODULE: ./.build/lib/markdown-cost.js
var markdown_cost = __webpack_require__(36243);
;// CONCATENATED MODULE: ./.build/lib/presentation/tangled-markdown.js
/** Markdown that no writer makes: parsing it would take minutes, or more stack than there is. */

/** Containers that open on one line: quotes in lists in quotes. */
const deepLine = /^[\t ]*(?:(?:>|[-+*]|\d{1,9}[.)])[\t ]*){12}/m;
/** Nested by indentation, line after line. */
const deepIndentation = /^(?: {60}|\t{15})[\t ]*(?:>|[-+*]|\d{1,9}[.)])/m;
const longWord = /\S{4000}/;
const delimiter = /[*_[~`<]/g;
/** Of one paragraph, list or table. */
const maxDelimiters = 2_500;
/** Whether a text is to be shown as it stands, because its structure is an attack or an accident. */
function isTangled(markdown) {
    if (deepLine.test(markdown) || deepIndentation.test(markdown) || longWord.test(markdown))
        return true;
    if ((0,markdown_cost/* isTooDense */.g)(markdown))
        return true;
    return markdown.split(/\n[\t ]*\n/).some((piece) => (piece.match(delimiter)?.length ?? 0) > maxDelimiters);
}

;// CONCATENATED MODULE: ./.build/lib/presentation/sanitize-answer.js








const parser = (0,unified_lib/* unified */.l)().use(remark_parse_lib/* default */.A).use(lib/* default */.A).freeze();
const printer = (0,unified_lib/* unified */.l)()
    .use(lib/* default */.A)
    .use(remark_stringify_lib/* default */.A, {
    bullet: "-",
    fences: true,
    rule: "-",
    listItemIndent: "one",
    // Between two of them GitHub sets formulas.
    unsafe: [{ character: "$", inConstruct: "phrasing" }],
})
    .freeze();
/** Longer answers than any model writes would only cost time. */
const maxLength = 100_000;
/**
 * Makes an answer harmless: raw HTML goes, images become their description, links lead into the documentation or are
 * shown as text, mentions and references are code, fences are closed. Cut to fit `limit` characters.
 */
function sanitizeAnswer(markdown, { links, limit }) {
    const source = markdown.slice(0, maxLength);
    const blocks = isTangled(source) ? [asCode(source)] : cleanAnswer(parser.parse(source), links);
    const pieces = [];
    let room = limit;
    for (const block of blocks) {
        const piece = (0,escape_markdown/* breakMarkers */.Fx)(printer.stringify({ type: "root", children: [block] }).trim());
        if (piece.length > room) {
            const part = shortenBlock(block, { room, print: (root) => (0,escape_markdown/* breakMarkers */.Fx)(printer.stringify(root)) });
            return { markdown: [...pieces, ...(part === undefined ? [] : [part])].join("\n\n"), isShortened: true };
        }
        if (piece === "")
            continue;
        pieces.push(piece);
        room -= piece.length + 2;
    }
    return { markdown: pieces.join("\n\n"), isShortened: markdown.length > maxLength };
}
function asCode(value) {
    return { type: "code", lang: "text", value };
}
/** The part of a growing answer that will not change any more: its finished blocks; of the first one, its finished words. */
function finishedPart(answer) {
    const markdown = answer.slice(0, maxLength);
    if (isTangled(markdown))
        return "";
    const { children } = parser.parse(markdown);
    const beforeLast = children.at(-2)?.position?.end.offset;
    if (beforeLast !== undefined)
        return markdown.slice(0, beforeLast);
    return children[0]?.type === "paragraph" ? markdown.replace(/\s*\S*$/, "") : markdown;
}

// EXTERNAL MODULE: ./.build/lib/commands/submission/judge-claims.js
var judge_claims = __webpack_require__(78935);
;// CONCATENATED MODULE: ./.build/lib/commands/assistant/live-edits.js
/** First words soon; then GitHub's limits on edits, and readers' patience, allow one every few seconds. */
const firstAfterMs = 800;
const everyMs = 4_000;
/** A long answer is edited less and less often: GitHub counts edits by the hour as well, over all of a token's runs. */
const growth = 1.1;
const seldomMs = 20_000;
function createLiveEdits({ show, select, clock }) {
    const stopped = new AbortController();
    let latest = "";
    let shown = "";
    let nextAtMs;
    let pauseMs = everyMs;
    let loop;
    async function run() {
        while (!stopped.signal.aborted) {
            nextAtMs ??= clock.now() + firstAfterMs;
            await pause(nextAtMs - clock.now());
            const next = select(latest);
            if (stopped.signal.aborted || next === shown)
                return;
            shown = next;
            nextAtMs = clock.now() + pauseMs;
            pauseMs = Math.min(seldomMs, pauseMs * growth);
            await show(next);
        }
    }
    /** Until then, or until it is stopped: that is no error here. */
    async function pause(ms) {
        try {
            await clock.sleep(Math.max(0, ms), stopped.signal);
        }
        catch (error) {
            if (!stopped.signal.aborted)
                throw error;
        }
    }
    return {
        update(text) {
            latest = text;
            loop ??= run().finally(() => {
                loop = undefined;
            });
        },
        async stop() {
            stopped.abort();
            await loop;
        },
    };
}

;// CONCATENATED MODULE: ./.build/lib/commands/assistant/grow-answer.js





/**
 * Asks, and shows what arrives, or that the question waits for the platform's limit; the claim is held as long.
 *
 * @throws {PlatformError} when no answer begins.
 */
async function growAnswer({ holder, threadId, shown, deadlineMs }, { ask, redact, clock, log, signal }) {
    let isBroken = false;
    const asked = () => asking({ deadlineMs }, { clock });
    /** The last edit shows everything; until then, one that fails holds nothing up. */
    const show = async (change) => {
        if (isBroken)
            return;
        try {
            await holder.write(change);
        }
        catch (error) {
            isBroken = true;
            if (!signal.aborted)
                log.warning(`The answer could not be shown while it arrives: ${(0,message_of/* messageOf */.b)(error)}`);
        }
    };
    const edits = createLiveEdits({
        clock,
        select: (text) => finishedPart((0,invisible_characters/* stripInvisibleCharacters */.G)(redact(text)).text),
        async show(text) {
            Object.assign(shown, { state: "answering", text });
            await show(asked());
        },
    });
    const onQueued = async (queuedUntil) => {
        Object.assign(shown, { state: "queued", queuedUntil });
        const leaseSeconds = Math.ceil((queuedUntil.getTime() - clock.now()) / 1000) + judge_claims/* leases */.Q.submitting;
        await show({ state: "claimed", outcome: `queued until ${queuedUntil.toISOString()}`, leaseSeconds });
    };
    await holder.write(asked());
    try {
        return await ask(threadId, { onText: edits.update, onQueued });
    }
    finally {
        await edits.stop();
    }
}
/** A model may search and think for minutes before there is anything to show; a re-run of the same run need not wait. */
const longestSilenceMs = 15 * 60_000;
function asking({ deadlineMs }, { clock }) {
    const leftMs = Math.max(0, deadlineMs - clock.now());
    const seconds = Math.ceil(Math.min(leftMs, longestSilenceMs) / 1000);
    return { state: "submitting", leaseSeconds: Math.max(judge_claims/* leases */.Q.submitting, seconds) };
}

;// CONCATENATED MODULE: ./.build/lib/commands/assistant/answer-in-thread.js




/**
 * Answers a question in one comment of its thread, unless that was done before or is being done.
 *
 * @throws {PlatformError} when no answer begins; the comment then says why.
 */
async function answerInThread(options, deps) {
    const { claims } = deps.stores;
    const { shown } = options;
    // To ask twice does no harm, so a run that died while it asked is simply followed by another.
    const earlier = await (0,watch_others/* watchOthers */.d)({ owner: options.owner, onAmbiguous: "resubmit" }, { ...deps, claims });
    if (earlier.kind === "taken")
        return describeTaken(earlier.submission);
    const objection = await deps.onFree();
    if (objection !== undefined)
        return { kind: "skipped", ...objection };
    const threadId = await findConversation(options.draft, deps.stores.conversation);
    let latest;
    const onRecord = (claim) => {
        if (claim.id !== undefined)
            latest = claim;
        deps.onRecord(claim);
    };
    const holder = new claim_holder/* ClaimHolder */.x(options, { ...deps, ...deps.stores, onRecord });
    try {
        const rival = await holder.claim(earlier.leftovers);
        if (rival !== undefined)
            return describeTaken({ kind: "other-run", claim: rival });
        const answer = await growAnswer({ ...options, holder, threadId }, deps);
        return { kind: "ended", answer, ...(await showEnd({ answer, latest, shown }, { ...deps, onRecord })) };
    }
    catch (error) {
        await showFailure({ error, latest, shown }, { ...deps, onRecord });
        throw error;
    }
}
function describeTaken(taken) {
    const { reason, message } = taken.kind === "found"
        ? { reason: "already-answered", message: "An earlier run answered this question." }
        : { reason: "other-run", message: "Another run answers this question." };
    return { kind: "skipped", reason, message, ...("claim" in taken && { claim: taken.claim }) };
}
/** The conversation of the nearest answer from the same site: the newest one on the thread. */
async function findConversation({ target }, conversation) {
    const records = await conversation.list();
    return records.findLast(({ record, isUnverifiable }) => isUnverifiable !== true &&
        record.command === "assistant" &&
        record.target === target &&
        record.threadId !== undefined)?.record.threadId;
}

// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var platform_errors = __webpack_require__(20013);
// EXTERNAL MODULE: ./.build/lib/with-stop.js
var with_stop = __webpack_require__(73477);
;// CONCATENATED MODULE: ./.build/lib/platform/stream/stream-fault.js
/**
 * Why a stream ended before its end. It travels through the pipe as the last value instead of an error, because an
 * erroring stream throws away whatever is still queued in it, and what arrived is to be shown.
 */
class StreamFault {
    /**
     * - `cut`: the connection ended or broke;
     * - `idle`: nothing came for too long;
     * - `malformed`: what came is not the protocol;
     * - `too-long`: one line, or the whole, is longer than any answer.
     */
    reason;
    /** What was seen, as the end of a sentence: "the connection broke (ECONNRESET)". */
    detail;
    cause;
    constructor(reason, detail, cause) {
        this.reason = reason;
        this.detail = detail;
        this.cause = cause;
    }
}
/**
 * A stage of the pipe: `transform` and `flush` see values only; a fault is passed on as the last value. A fault that a
 * stage emits itself ends the pipe there.
 */
function createStage({ transform, flush, }) {
    let ended = false;
    function emitTo(controller) {
        return (value) => {
            if (ended)
                return;
            controller.enqueue(value);
            if (value instanceof StreamFault) {
                ended = true;
                controller.terminate();
            }
        };
    }
    return new TransformStream({
        transform(value, controller) {
            const emit = emitTo(controller);
            if (value instanceof StreamFault)
                emit(value);
            else
                transform(value, emit);
        },
        flush(controller) {
            flush?.(emitTo(controller));
        },
    });
}

;// CONCATENATED MODULE: ./.build/lib/platform/stream/collect-answer.js
/** Reads an answer to its end, and says whether it is one. */




/** Many times what a comment holds; what comes beyond is not kept. */
const maxTextLength = 500_000;
/** A search may hand over an index; an answer rests on a few pages. */
const maxSources = 500;
const maxUrlLength = 2000;
/** What may still come after the finish: a thread identifier, the end of the body. */
const afterFinishMs = 2000;
/** Reads the stream until it ends, fails, or the signal aborts; never throws for any of these. */
async function collectAnswer({ events, threadId }, { onText, redact = (text) => text, signal }) {
    const state = {
        text: "",
        threadId,
        cited: new Map(),
        found: new Map(),
        finishReason: undefined,
        said: undefined,
        fault: undefined,
        isParagraphOver: false,
    };
    const reader = events.getReader();
    const stop = () => void reader.cancel();
    signal.addEventListener("abort", stop);
    let timer;
    try {
        if (signal.aborted)
            stop();
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
            const before = state.text;
            take(next.value, state);
            if (state.text !== before)
                onText(state.text);
            if (state.finishReason !== undefined)
                timer ??= setTimeout(stop, afterFinishMs);
        }
    }
    finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
    }
    state.said &&= redact(state.said);
    return {
        text: redact(state.text),
        threadId: state.threadId,
        cited: redactSources(state.cited, redact),
        found: redactSources(state.found, redact),
        failure: failureOf(state, { redact, signal }),
        stoppedBy: stopOf(state),
    };
}
function redactSources(sources, redact) {
    return [...sources.values()].map(({ url, title }) => ({ url: redact(url), title: title && redact(title) }));
}
function take(event, state) {
    if (event instanceof StreamFault) {
        state.fault = event;
        return;
    }
    switch (event.type) {
        case "text":
            addText(event.text, state);
            break;
        case "break":
            state.isParagraphOver = true;
            break;
        case "thread":
            state.threadId = event.threadId;
            break;
        case "source":
            addSource(event, event.cited ? state.cited : state.found);
            break;
        case "error":
            state.said ??= event.message;
            break;
        case "finish":
            state.finishReason = event.reason;
            break;
    }
}
function addText(text, state) {
    if (state.text.length >= maxTextLength)
        return;
    if (state.isParagraphOver && text !== "" && state.text !== "") {
        state.text = `${state.text.trimEnd()}\n\n`;
    }
    state.isParagraphOver &&= text === "";
    state.text += text;
}
function addSource({ url, title }, sources) {
    const known = sources.get(url);
    if (url.length > maxUrlLength || (known === undefined && sources.size >= maxSources))
        return;
    sources.set(url, { url, title: known?.title ?? title });
}
function stopOf({ finishReason, text }) {
    if (finishReason === "content-filter")
        return "filter";
    return finishReason === "length" || text.length >= maxTextLength ? "length" : undefined;
}
/** What to do about an answer that holds nothing to show. */
const otherWords = "Ask again in other words; if it stays silent, tell the platform's operator.";
/** A whole answer has a finish that is no error, no error part, and words. */
function failureOf(state, { redact, signal }) {
    const { said, finishReason, fault, text } = state;
    if (said !== undefined) {
        return new platform_errors/* PlatformError */.W("stream-cut", `The assistant failed while it answered: ${(0,with_stop/* withStop */.d)(said)}`);
    }
    if (finishReason === "error") {
        return new platform_errors/* PlatformError */.W("stream-cut", "The assistant failed while it answered; it gave no reason.");
    }
    if (finishReason !== undefined) {
        return text.trim() === ""
            ? new platform_errors/* PlatformError */.W("unexpected-response", "The assistant finished without a word.", {
                hint: otherWords,
            })
            : undefined;
    }
    if (signal.aborted && signal.reason instanceof errors/* ActionError */.lZ)
        return signal.reason;
    if (fault === undefined) {
        return new platform_errors/* PlatformError */.W("stream-cut", "The answer ended too early: the stream stopped without a finish.");
    }
    const { cause } = fault;
    const detail = redact(fault.detail);
    if (fault.reason === "malformed" && text === "") {
        return new platform_errors/* PlatformError */.W("unexpected-response", `What came is no stream of an answer: ${detail}.`, {
            cause,
        });
    }
    return new platform_errors/* PlatformError */.W("stream-cut", `The answer ended too early: ${detail}.`, { cause });
}

;// CONCATENATED MODULE: ./.build/lib/commands/assistant/ask-assistant.js
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





/**
 * Asks, and reads what arrives; an answer that fails on its way is a result, not an error.
 *
 * @throws {PlatformError} when no answer begins.
 */
async function askAssistant(attempt, deps) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const stream = await openInTurn(attempt, deps);
        const { threadKey } = stream;
        if (threadKey !== undefined)
            deps.keepSecret(threadKey);
        const deadline = __addDisposableResource(env_1, startDeadline(attempt.deadlineMs, deps), false);
        const { onText, redact } = deps;
        const answer = await collectAnswer(stream, { onText, redact, signal: deadline.signal });
        return visible(answer);
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}
/**
 * Waits out the platform's limit, as long as the deadline allows.
 *
 * @throws {PlatformError} the refusal, where the wait would take too long; whatever else fails.
 */
async function openInTurn(attempt, deps) {
    const { clock, log, signal, onQueued } = deps;
    for (let refusals = 0;; refusals += 1) {
        try {
            return await openConversation(attempt, deps);
        }
        catch (error) {
            if (!(error instanceof platform_errors/* PlatformError */.W) || error.code !== "rate-limited")
                throw error;
            const waitMs = Math.max(1_000, error.retryAfterMs ?? Math.min(60_000 * 2 ** refusals, 600_000));
            const until = new Date(clock.now() + waitMs);
            if (until.getTime() >= attempt.deadlineMs)
                throw error;
            log.notice(`The platform's limit of questions is used up; asking again at ${until.toISOString()}.`);
            await onQueued(until);
            await clock.sleep(waitMs, signal);
        }
    }
}
/** Goes on with the conversation, or begins a new one where the platform has forgotten it or asks for a key to it. */
async function openConversation({ compose, threadId, isThreadGiven }, { openStream, log }) {
    try {
        return await openStream(compose(threadId));
    }
    catch (error) {
        const isForgotten = error instanceof platform_errors/* PlatformError */.W && error.code === "not-found";
        if (!isForgotten || threadId === undefined || isThreadGiven)
            throw error;
        log.info("The platform does not go on with the thread's conversation; beginning a new one.");
        return openStream(compose(undefined));
    }
}
/** The signal, which also aborts at the deadline, in the words that a person reads. */
function startDeadline(deadlineMs, { clock, signal }) {
    const deadline = new AbortController();
    const over = new AbortController();
    const expire = () => deadline.abort(new errors/* InterruptedError */.p4("timed-out", "`timeout-minutes` passed while the assistant answered."));
    // Either the deadline passes, or the wait is given up: both are what it is for.
    clock
        .sleep(Math.max(0, deadlineMs - clock.now()), AbortSignal.any([signal, over.signal]))
        .then(expire, () => undefined);
    return {
        signal: AbortSignal.any([signal, deadline.signal]),
        [Symbol.dispose]: () => over.abort(),
    };
}
/** Without what nobody sees, and a model may have been made to write; an answer of nothing else is none. */
function visible(answer) {
    const { text } = (0,invisible_characters/* stripInvisibleCharacters */.G)(answer.text);
    const links = { baseUrl: undefined, allowed: [] };
    const isEmpty = answer.failure === undefined && sanitizeAnswer(text, { links, limit: 1000 }).markdown === "";
    if (!isEmpty)
        return { ...answer, text };
    const message = "The assistant finished without a word that can be shown.";
    return {
        ...answer,
        text: "",
        failure: new platform_errors/* PlatformError */.W("unexpected-response", message, { hint: otherWords }),
    };
}

// EXTERNAL MODULE: ./.build/lib/platform/assistant-contract.js
var assistant_contract = __webpack_require__(45183);
;// CONCATENATED MODULE: ./.build/lib/commands/assistant/compose-question.js
/** The request that carries a question, checked against the contract before it is sent. */



/** The inputs behind the request's fields. */
const inputNames = {
    currentPath: "current-path",
    retrievalPageSize: "retrieval-page-size",
    filter: "filter-version` and `filter-language",
    context: "context-items",
    threadId: "thread-id",
};
/**
 * Composes the request.
 *
 * @throws {InputError} naming every input whose value the specification does not allow.
 */
function composeQuestion(fields, asked) {
    const { version, domain } = fields;
    const parts = [{ type: "text", text: asked.text }];
    if (version === "v1") {
        const message = { id: asked.id, role: "user", content: asked.text, parts };
        const request = { ...commonFields(fields, asked), messages: [message] };
        return { version, domain, request: check(assistant_contract/* AssistantRequest */.Ib, request) };
    }
    const request = {
        ...commonFields(fields, asked),
        messages: [{ id: asked.id, role: "user", parts }],
    };
    return { version, domain, request: check(assistant_contract/* UiAssistantRequest */.OR, request) };
}
function commonFields(fields, { fp, threadId }) {
    const { retrievalPageSize, currentPath, context, filterVersion: version, filterLanguage: language, } = fields;
    const filter = { ...(version !== undefined && { version }), ...(language !== undefined && { language }) };
    return {
        fp,
        retrievalPageSize,
        ...(threadId === undefined ? {} : { threadId }),
        ...(Object.keys(filter).length === 0 ? {} : { filter }),
        ...(currentPath === undefined ? {} : { currentPath }),
        ...(context.length === 0 ? {} : { context }),
    };
}
function check(schema, request) {
    const parsed = schema.safeParse(request);
    if (parsed.success)
        return parsed.data;
    throw new errors/* InputError */.dz(parsed.error.issues.map(({ path, message }) => {
        const [field = "request", ...rest] = path.map(String);
        const place = rest.length === 0 ? "" : ` (${rest.join(".")})`;
        return `\`${inputNames[field] ?? field}\`${place}: ${message}`;
    }));
}
/**
 * The same for every question of a thread, and nobody's name: `anonymous` without a thread. People are not told apart,
 * because a thread is one conversation.
 */
function fingerprintOf(repositoryId, thread) {
    if (thread === undefined)
        return assistant_contract/* anonymousFingerprint */.cC;
    const digest = (0,external_node_crypto_.createHash)("sha256").update(`docs-automation\n${repositoryId}\n${thread}`).digest("hex");
    return `thread-${digest.slice(0, 32)}`;
}

// EXTERNAL MODULE: ./.build/lib/commands/describe-removal.js
var describe_removal = __webpack_require__(3469);
// EXTERNAL MODULE: ./.build/lib/commands/request-from-event.js + 1 modules
var request_from_event = __webpack_require__(21334);
;// CONCATENATED MODULE: ./.build/lib/commands/assistant/question-from-event.js
/** From an event to the question that is asked, or why there is none. */




/**
 * Reads the question of an event or of the inputs.
 *
 * @throws {InputError} when neither asks anything.
 */
function readQuestion(options) {
    const { event, triggerPhrase } = options;
    const reading = (0,request_from_event/* readRequest */.i)(event, { ...options, bareRequest: "", changeRequest: undefined });
    if (reading.kind === "skip")
        return reading;
    if (reading.kind === "nothing") {
        throw new errors/* InputError */.dz(["`prompt` is missing: this event asks nothing; set `prompt` or `prompt-file`."]);
    }
    const { instruction, removed, family, subject, body, origin } = reading;
    const text = instruction.trim();
    if (text === "") {
        return {
            kind: "skip",
            reason: "no-question",
            message: `There is no question after \`${triggerPhrase}\`.`,
        };
    }
    return {
        kind: "question",
        text,
        family,
        subject,
        body,
        origin,
        context: placeOf(event),
        notes: notesOf(removed),
    };
}
function notesOf(removed) {
    const note = (0,describe_removal/* describeRemoval */.s)(removed, "the question");
    return note === undefined ? [] : [note];
}
function placeOf(event) {
    if (event.type !== "written" || event.place === undefined)
        return [];
    const { hunk, path } = event.place;
    return [
        { type: "code", value: (0,invisible_characters/* stripInvisibleCharacters */.G)(hunk).text, path: (0,invisible_characters/* stripInvisibleCharacters */.G)(path).text },
    ];
}

// EXTERNAL MODULE: ./.build/lib/commands/submission/draft-record.js
var draft_record = __webpack_require__(19135);
// EXTERNAL MODULE: ./.build/lib/commands/submission/object-to-changed-text.js
var object_to_changed_text = __webpack_require__(86026);
;// CONCATENATED MODULE: ./.build/lib/commands/assistant.js








/**
 * Answers the question of an event, or of the inputs.
 *
 * @throws {InputError} for a request that the specification does not allow.
 * @throws {PlatformError} when the platform gives no answer.
 */
async function runAssistant(options, deps) {
    const reading = readQuestion(options);
    if (reading.kind === "skip")
        return { outcome: "skipped", reason: reading.reason, message: reading.message };
    const compose = createComposer(reading, options);
    const gate = await deps.github.checkGate();
    if (!gate.allowed) {
        return { outcome: "skipped", reason: gate.code, message: `Not permitted: ${gate.reason}.` };
    }
    if (options.dryRun) {
        const wouldSend = compose(options.threadId);
        return { outcome: "skipped", reason: "dry-run", message: "Dry run: nothing was sent.", wouldSend };
    }
    if (options.version === "v1") {
        deps.log.notice("The platform's v1 assistant endpoint is deprecated; `api-version: v2` uses its successor where the platform has it.");
    }
    return answerQuestion(reading, options, { ...deps, compose });
}
/** Composes at once, so that a request that is not allowed is refused before anything happens. */
function createComposer(question, options) {
    const fp = fingerprintOf(options.repositoryId, options.thread);
    const id = `ask-${triggerOf(question, options).slice(0, 24)}`;
    const fields = { ...options, context: [...options.context, ...question.context] };
    const compose = (threadId) => composeQuestion(fields, { id, fp, threadId, text: question.text });
    compose(options.threadId);
    return compose;
}
function triggerOf({ family, subject, body }, { repositoryId, domain }) {
    return (0,claim_record/* triggerKey */.Ag)({ repositoryId, family, subject, body, command: "assistant", target: domain });
}
async function answerQuestion(question, options, deps) {
    const { github } = deps;
    const draft = draftOf(question, options);
    const ask = (threadId, watcher) => askAssistant({
        compose: deps.compose,
        threadId: options.threadId ?? threadId,
        isThreadGiven: options.threadId !== undefined,
        deadlineMs: options.deadlineMs,
    }, { ...deps, ...watcher });
    if (github.openStores === undefined) {
        const objection = await objectTo(question, deps);
        if (objection !== undefined)
            return { outcome: "skipped", ...objection };
        await acknowledge(deps);
        const answer = await ask(undefined, { onText: () => undefined, onQueued: async () => undefined });
        return { outcome: "ended", draft, answer, commentUrl: undefined, unshown: undefined };
    }
    const shown = { state: "asking", text: "", answer: undefined };
    const stores = await github.openStores(draft, shown);
    const onFree = async () => (await objectTo(question, deps)) ?? acknowledge(deps);
    const result = await answerInThread({ owner: options.owner, deadlineMs: options.deadlineMs, draft, shown }, { ...deps, stores, ask, onFree });
    if (result.kind === "skipped") {
        const { reason, message, claim } = result;
        return { outcome: "skipped", reason, message, commentUrl: claim?.url, threadId: claim?.record.threadId };
    }
    const { answer, commentUrl, unshown } = result;
    return { outcome: "ended", draft, answer, commentUrl, unshown };
}
function draftOf(question, options) {
    const { event, domain, runUrl } = options;
    const { text: request, notes } = question;
    const trigger = triggerOf(question, options);
    return (0,draft_record/* draftRecord */.D)({ command: "assistant", target: domain, trigger, event, runUrl, request, notes });
}
async function objectTo({ origin }, { github }) {
    return origin === "written" ? (0,object_to_changed_text/* objectToChangedText */.S)(await github.compareWithLiveText()) : undefined;
}
async function acknowledge({ github, log, signal }) {
    try {
        await github.acknowledge();
    }
    catch (error) {
        signal.throwIfAborted();
        log.warning((0,message_of/* messageOf */.b)(error));
    }
}

// EXTERNAL MODULE: ./.build/lib/github/claims/comment-claims.js
var comment_claims = __webpack_require__(46315);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 9 modules
var schemas = __webpack_require__(27597);
;// CONCATENATED MODULE: ./.build/lib/platform/stream/answer-events.js
/** What a reader of an answer needs to know, the same for both protocols. */


/** Events of a v1 stream. */
function readDataStreamEvents() {
    return createStage({
        transform(part, emit) {
            for (const event of [...threadsIn(part.value), ...eventsOfPart(part)])
                emit(event);
        },
    });
}
function eventsOfPart(part) {
    switch (part.type) {
        case "text":
            return [{ type: "text", text: part.value }];
        case "error":
            return [{ type: "error", message: messageOf(part.value) }];
        case "source":
            return [{ type: "source", url: part.value.url, title: part.value.title, cited: true }];
        case "tool_result":
            return pagesFound(part.value["result"]);
        case "finish_step":
            return part.value.isContinued ? [] : [{ type: "break" }];
        case "finish_message":
            return [{ type: "finish", reason: part.value.finishReason }];
        case "unknown":
            return [{ type: "other", kind: part.code }];
        default:
            return [{ type: "other", kind: part.type }];
    }
}
/** Events of a v2 stream. */
function readUiMessageEvents() {
    return createStage({
        transform(chunk, emit) {
            const events = eventsOfChunk(chunk);
            for (const event of [...threadsIn(chunk), ...events])
                emit(event);
        },
    });
}
function eventsOfChunk(chunk) {
    const { type, url, title } = chunk;
    switch (type) {
        case "text-delta":
            return [{ type: "text", text: chunk.delta ?? "" }];
        case "text-end":
            return [{ type: "break" }];
        case "source-url":
            return url === undefined ? [] : [{ type: "source", url, title, cited: true }];
        case "tool-output-available":
            return pagesFound(chunk["output"]);
        case "error":
            return [{ type: "error", message: messageOf(chunk.errorText) }];
        case "abort":
            return [{ type: "error", message: messageOf(chunk.reason) }];
        case "finish":
            return [{ type: "finish", reason: reasonOf(chunk) }];
        default:
            return [{ type: "other", kind: type }];
    }
}
const WithReason = schemas/* looseObject */._H3({ messageMetadata: schemas/* looseObject */._H3({ finishReason: schemas/* string */.YjP() }) });
/** Beside the finish, or, as clients of 5.0 take it, in the message's metadata. */
function reasonOf(chunk) {
    return chunk.finishReason ?? WithReason.safeParse(chunk).data?.messageMetadata.finishReason ?? "stop";
}
const WithThread = schemas/* looseObject */._H3({ threadId: schemas/* string */.YjP().min(1) });
const WithMetadata = schemas/* looseObject */._H3({ messageMetadata: schemas/* unknown */.L5J() });
const WithData = schemas/* looseObject */._H3({ type: schemas/* string */.YjP().startsWith("data-"), data: schemas/* unknown */.L5J() });
/**
 * The specification says that `threadId` is on "the event whose type is finish", and platforms put it in different
 * places: beside the finish reason, in a list of data or annotations, in the message's metadata.
 */
function threadsIn(value) {
    return (Array.isArray(value) ? value : [value])
        .map(threadIdIn)
        .filter((threadId) => threadId !== undefined)
        .map((threadId) => ({ type: "thread", threadId }));
}
function threadIdIn(value) {
    const direct = WithThread.safeParse(value).data?.threadId;
    if (direct !== undefined)
        return direct;
    const inside = WithMetadata.safeParse(value).data?.messageMetadata ?? WithData.safeParse(value).data?.data;
    return WithThread.safeParse(inside).data?.threadId;
}
/** One hit of a search: platforms name the page `url` or `path`, and its title beside it or in `metadata`. */
const SearchHit = schemas/* looseObject */._H3({
    url: schemas/* string */.YjP().optional().catch(undefined),
    path: schemas/* string */.YjP().optional().catch(undefined),
    title: schemas/* string */.YjP().optional().catch(undefined),
    metadata: schemas/* looseObject */._H3({ title: schemas/* string */.YjP().optional().catch(undefined) })
        .optional()
        .catch(undefined),
});
const SearchResult = schemas/* union */.KCZ([
    schemas/* array */.YOg(schemas/* unknown */.L5J()),
    schemas/* looseObject */._H3({ results: schemas/* array */.YOg(schemas/* unknown */.L5J()) }).transform(({ results }) => results),
]);
/** The pages that a search tool found: what an answer without explicit sources rests on. */
function pagesFound(result) {
    return (SearchResult.safeParse(result).data ?? []).flatMap((value) => {
        const hit = SearchHit.safeParse(value).data;
        const url = hit?.url ?? hit?.path;
        const title = hit?.title ?? hit?.metadata?.title;
        return url === undefined ? [] : [{ type: "source", url, title, cited: false }];
    });
}
const WithMessage = schemas/* looseObject */._H3({ message: schemas/* string */.YjP() });
function messageOf(value) {
    if (typeof value === "string" && value.trim() !== "")
        return value;
    return WithMessage.safeParse(value).data?.message ?? "The assistant gave no reason.";
}

;// CONCATENATED MODULE: ./.build/lib/platform/stream/data-stream.js
/** The AI SDK 4 data stream (v1): one part per line, `CODE:JSON`. */


/** Name and payload of every part by its code; fields beyond these are kept, as platforms add their own (`threadId`). */
const shapes = {
    "0": { type: "text", value: schemas/* string */.YjP() },
    "2": { type: "data", value: schemas/* array */.YOg(schemas/* unknown */.L5J()) },
    "3": { type: "error", value: schemas/* unknown */.L5J() },
    "8": { type: "message_annotations", value: schemas/* array */.YOg(schemas/* unknown */.L5J()) },
    "9": {
        type: "tool_call",
        value: schemas/* looseObject */._H3({ toolCallId: schemas/* string */.YjP(), toolName: schemas/* string */.YjP(), args: schemas/* unknown */.L5J() }),
    },
    a: { type: "tool_result", value: schemas/* looseObject */._H3({ toolCallId: schemas/* string */.YjP(), result: schemas/* unknown */.L5J() }) },
    b: {
        type: "tool_call_streaming_start",
        value: schemas/* looseObject */._H3({ toolCallId: schemas/* string */.YjP(), toolName: schemas/* string */.YjP() }),
    },
    c: { type: "tool_call_delta", value: schemas/* looseObject */._H3({ toolCallId: schemas/* string */.YjP(), argsTextDelta: schemas/* string */.YjP() }) },
    d: { type: "finish_message", value: schemas/* looseObject */._H3({ finishReason: schemas/* string */.YjP().catch("unknown") }) },
    e: {
        type: "finish_step",
        value: schemas/* looseObject */._H3({
            finishReason: schemas/* string */.YjP().catch("unknown"),
            isContinued: schemas/* boolean */.zMY().catch(false),
        }),
    },
    f: { type: "start_step", value: schemas/* looseObject */._H3({ messageId: schemas/* string */.YjP().optional() }) },
    g: { type: "reasoning", value: schemas/* string */.YjP() },
    h: {
        type: "source",
        value: schemas/* looseObject */._H3({ url: schemas/* string */.YjP(), title: schemas/* string */.YjP().optional().catch(undefined) }),
    },
    i: { type: "redacted_reasoning", value: schemas/* looseObject */._H3({ data: schemas/* string */.YjP() }) },
    j: { type: "reasoning_signature", value: schemas/* looseObject */._H3({ signature: schemas/* string */.YjP() }) },
    k: { type: "file", value: schemas/* looseObject */._H3({ data: schemas/* string */.YjP(), mimeType: schemas/* string */.YjP() }) },
};
/** Parses lines into parts. A line that is no part at all ends the stream; empty lines and comments (`:…`) are skipped. */
function parseDataStream() {
    return createStage({
        transform(line, emit) {
            if (line.text === "" || line.text.startsWith(":"))
                return;
            emit(parseLine(line));
        },
    });
}
function parseLine({ text, ended }) {
    const [, code, json] = /^([0-9a-z]+):(.*)$/s.exec(text) ?? [];
    if (code !== undefined && json !== undefined) {
        const part = isKnown(code) ? parseKnown(code, json) : parseUnknown(code, json);
        if (part !== undefined)
            return part;
    }
    return ended
        ? new StreamFault("malformed", `a line is not a part of a data stream: ${excerptOf(text)}`)
        : new StreamFault("cut", "the last part is cut off");
}
/** `undefined` where the payload is no JSON, or a text part holds no text: nothing to go on with. */
function parseKnown(code, json) {
    const { type, value: schema } = shapes[code];
    const payload = parseJson(json);
    if (payload === undefined)
        return undefined;
    const parsed = schema.safeParse(payload.value);
    if (!parsed.success)
        return type === "text" ? undefined : { type: "unknown", code, value: payload.value };
    // The cast joins what the table joins: each type with the payload of the same row.
    return { type, value: parsed.data };
}
function parseUnknown(code, json) {
    const payload = parseJson(json);
    return { type: "unknown", code, value: payload === undefined ? json : payload.value };
}
function isKnown(code) {
    return Object.hasOwn(shapes, code);
}
/** The value in an object, so that `null` is told apart from no JSON. */
function parseJson(text) {
    try {
        return { value: JSON.parse(text) };
    }
    catch {
        return undefined; // The caller says what it means that this is no JSON.
    }
}
function excerptOf(text) {
    return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

;// CONCATENATED MODULE: ./.build/lib/platform/stream/guard-bytes.js
/** The entrance of a streamed answer: a body of bytes that never errors, never hangs and never grows without end. */


/**
 * Reads a body as a standard stream. A broken connection, a silence longer than `idleMs` and a body over `maxBytes`
 * become a last value of the stream; cancelling it lets go of the connection.
 */
function guardBytes(body, { idleMs, maxBytes }) {
    const iterator = body[Symbol.asyncIterator]();
    let bytes = 0;
    return new ReadableStream({
        async pull(controller) {
            const next = await nextOrFault(iterator, idleMs);
            if (next === undefined)
                return controller.close();
            bytes += next instanceof StreamFault ? 0 : next.byteLength;
            const last = bytes > maxBytes
                ? new StreamFault("too-long", `it is longer than ${maxBytes} bytes`)
                : next instanceof StreamFault
                    ? next
                    : undefined;
            controller.enqueue(last ?? next);
            if (last === undefined)
                return;
            controller.close();
            release(iterator);
        },
        cancel() {
            release(iterator);
        },
    }, { highWaterMark: 0 });
}
/** The next chunk, a fault, or `undefined` at the end. */
async function nextOrFault(iterator, idleMs) {
    const silence = Promise.withResolvers();
    const timer = setTimeout(() => silence.resolve(new StreamFault("idle", `nothing came for ${Math.round(idleMs / 1000)} s`)), idleMs);
    try {
        const next = await Promise.race([iterator.next(), silence.promise]);
        if (next instanceof StreamFault)
            return next;
        return next.done === true ? undefined : next.value;
    }
    catch (error) {
        const message = (0,message_of/* messageOf */.b)(error);
        return new StreamFault("cut", `the connection broke (${message})`, error);
    }
    finally {
        clearTimeout(timer);
    }
}
/** Ends a body without waiting for it: a silent connection would hold up the end. */
function release(iterator) {
    // The body is given up; how it takes that is of no interest any more.
    iterator.return?.().catch(() => undefined);
}

// EXTERNAL MODULE: ./.build/lib/platform/transport/error-message.js
var error_message = __webpack_require__(65706);
;// CONCATENATED MODULE: ./.build/lib/platform/stream/refuse-documents.js
/** Tells a document from a stream: platforms and proxies answer 200 with JSON errors and login pages. */


/** JSON and markup begin like this; no part of a data stream and no server-sent event does. */
const documentStart = /^[\s\uFEFF]*[{["<]/;
/** Enough for what an error says. */
const refuse_documents_maxLength = 64 * 1024;
/** Lets streams through; a document ends the pipe with what it says. */
function refuseDocuments() {
    let start = "";
    let isStream = false;
    return createStage({
        transform(text, emit) {
            if (isStream)
                return emit(text);
            start += text;
            // Signs of life before the answer; more of them than any platform sends would only be read over and over.
            if (start.trim() === "" && start.length <= refuse_documents_maxLength)
                return;
            isStream = !documentStart.test(start);
            if (isStream)
                emit(start);
            else if (start.length > refuse_documents_maxLength)
                emit(describe(start));
        },
        flush(emit) {
            if (!isStream && start.trim() !== "")
                emit(describe(start));
        },
    });
}
function describe(document) {
    return new StreamFault("malformed", (0,error_message/* readErrorMessage */.IP)(document)?.replace(/\.$/, "") ?? "it says nothing");
}

;// CONCATENATED MODULE: ./.build/lib/platform/stream/split-lines.js
/** Bytes to text to lines, whatever the chunks' borders. */

/** Decodes UTF-8, also where a chunk ends inside a character; bytes that are not UTF-8 become U+FFFD. */
function decodeText() {
    const decoder = new TextDecoder();
    return createStage({
        transform(chunk, emit) {
            const text = decoder.decode(chunk, { stream: true });
            if (text !== "")
                emit(text);
        },
        flush(emit) {
            const text = decoder.decode();
            if (text !== "")
                emit(text);
        },
    });
}
/**
 * Splits text into lines at LF or CRLF, without them. Each character is looked at once, so lines of megabytes cost what
 * their length costs; a line longer than `maxLength` characters ends the stream.
 */
function splitLines({ maxLength }) {
    let pieces = [];
    let length = 0;
    function take(piece) {
        const line = pieces.length === 0 ? piece : pieces.join("") + piece;
        pieces = [];
        length = 0;
        return line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    return createStage({
        transform(text, emit) {
            let start = 0;
            for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
                emit({ text: take(text.slice(start, end)), ended: true });
                start = end + 1;
            }
            const rest = text.slice(start);
            if (rest === "")
                return;
            pieces.push(rest);
            length += rest.length;
            if (length > maxLength)
                emit(new StreamFault("too-long", `a line is longer than ${maxLength} characters`));
        },
        flush(emit) {
            if (pieces.length > 0)
                emit({ text: take(""), ended: false });
        },
    });
}

// EXTERNAL MODULE: ./node_modules/eventsource-parser/dist/parse.js + 1 modules
var dist_parse = __webpack_require__(46085);
;// CONCATENATED MODULE: ./.build/lib/platform/stream/ui-message-stream.js
/** The UI message stream of AI SDK 5 and later (v2): server-sent events, each a JSON chunk, ended by `[DONE]`. */



/** A chunk of any type with the fields that are read here; the protocol grows, so every other field is let through. */
const UiMessageChunk = schemas/* looseObject */._H3({
    type: schemas/* string */.YjP(),
    delta: schemas/* string */.YjP().optional().catch(undefined),
    errorText: schemas/* string */.YjP().optional().catch(undefined),
    reason: schemas/* string */.YjP().optional().catch(undefined),
    sourceId: schemas/* string */.YjP().optional().catch(undefined),
    url: schemas/* string */.YjP().optional().catch(undefined),
    title: schemas/* string */.YjP().optional().catch(undefined),
    toolName: schemas/* string */.YjP().optional().catch(undefined),
    finishReason: schemas/* string */.YjP().optional().catch(undefined),
});
/**
 * Parses the text of server-sent events into chunks. Comments and other event fields are skipped; an event that is no
 * chunk, or is longer than `maxLength` characters, ends the stream.
 */
function parseUiMessageStream({ maxLength, }) {
    let emitNext = () => undefined;
    let sawEvent = false;
    let sawText = false;
    const parser = (0,dist_parse/* createParser */.C)({
        maxBufferSize: maxLength,
        onEvent({ data }) {
            sawEvent = true;
            emitNext(parseEvent(data));
        },
        onComment() {
            sawEvent = true;
        },
        onError(error) {
            if (error.type === "max-buffer-size-exceeded") {
                emitNext(new StreamFault("too-long", `an event is longer than ${maxLength} characters`));
            }
        },
    });
    return createStage({
        transform(text, emit) {
            emitNext = emit;
            sawText = true;
            parser.feed(text);
        },
        flush(emit) {
            // Text without a single event is some other document: a login page, a JSON error.
            if (sawText && !sawEvent)
                emit(new StreamFault("malformed", "it holds no server-sent event"));
        },
    });
}
function parseEvent(data) {
    // The end marker adds nothing: a `finish` chunk says that the answer is whole.
    if (data === "[DONE]")
        return { type: "[DONE]" };
    let value;
    try {
        value = JSON.parse(data);
    }
    catch (error) {
        return new StreamFault("malformed", "an event is not JSON", error);
    }
    const chunk = UiMessageChunk.safeParse(value);
    if (chunk.success)
        return chunk.data;
    return new StreamFault("malformed", "an event is not a chunk of a message stream", chunk.error);
}

;// CONCATENATED MODULE: ./.build/lib/platform/assistant-client.js
/** The assistant's endpoint (specification §4.1): a question goes out, a stream of answer events comes back. */








/** Models think before the first word. */
const headersTimeoutMs = 120_000;
const defaultIdleMs = 55_000;
/** Tool results carry whole pages; an answer with all of them is still far below these. */
const maxLineLength = 16 * 1024 * 1024;
const maxAnswerBytes = 64 * 1024 * 1024;
/**
 * Sends a question and hands over the answer's stream.
 *
 * @throws {PlatformError} when no stream begins.
 */
async function openAssistantStream(question, { transport, idleMs = defaultIdleMs }) {
    const { version, domain } = question;
    const { headers, body } = await transport
        .open({
        name: "ask the assistant",
        method: "POST",
        path: (0,assistant_contract/* assistantPath */.wV)(version, domain),
        body: parseRequest(question),
        accept: "text/event-stream, text/plain, application/json",
        retry: "unless-limited",
        headersTimeoutMs,
    })
        .catch((error) => {
        throw error instanceof platform_errors/* PlatformError */.W && error.code === "not-found" ? describeUnknown(error) : error;
    });
    const bytes = guardBytes(body, { idleMs, maxBytes: maxAnswerBytes });
    const isEventStream = /^text\/event-stream\b/i.test(headerOf(headers, "content-type") ?? "");
    return {
        threadId: headerOf(headers, "x-thread-id"),
        threadKey: headerOf(headers, "x-thread-key"),
        events: version === "v2" || isEventStream ? readUiMessageStream(bytes) : readDataStream(bytes),
    };
}
/** Events of a v1 body. */
function readDataStream(bytes) {
    return bytes
        .pipeThrough(decodeText())
        .pipeThrough(refuseDocuments())
        .pipeThrough(splitLines({ maxLength: maxLineLength }))
        .pipeThrough(parseDataStream())
        .pipeThrough(readDataStreamEvents());
}
/** Events of a v2 body. */
function readUiMessageStream(bytes) {
    return bytes
        .pipeThrough(decodeText())
        .pipeThrough(refuseDocuments())
        .pipeThrough(parseUiMessageStream({ maxLength: maxLineLength }))
        .pipeThrough(readUiMessageEvents());
}
/** What of a question the platform may not know. */
function describeUnknown(error) {
    const { message, status, requestId } = error;
    const hint = "Check `base-url`, `domain` and `thread-id`: the platform does not know one of them, has no endpoint of this `api-version`, or the key belongs to another organization.";
    return new platform_errors/* PlatformError */.W("not-found", message, { hint, status, requestId, cause: error });
}
function parseRequest(question) {
    return question.version === "v1"
        ? assistant_contract/* AssistantRequest */.Ib.parse(question.request)
        : assistant_contract/* UiAssistantRequest */.OR.parse(question.request);
}
function headerOf(headers, name) {
    const value = headers[name];
    return typeof value === "string" && value !== "" ? value : undefined;
}

// EXTERNAL MODULE: ./.build/lib/presentation/agent-summary.js
var agent_summary = __webpack_require__(77343);
// EXTERNAL MODULE: ./.build/lib/presentation/format.js
var format = __webpack_require__(15588);
;// CONCATENATED MODULE: ./.build/lib/presentation/answer-comment.js
/** The one comment that an answer grows in, and the job summary of a question. */





/** A comment has 65,536 characters; the rest is for the marker. */
const maxCommentLength = 52_000;
const answer_comment_maxSources = 12;
const answer_comment_maxUrlLength = 1000;
const maxTitleLength = 150;
/** The sources as they are shown and put out: absolute, each once, in the order of their first mention. */
function listSources(sources, links) {
    const byUrl = new Map();
    for (const { url, title } of sources) {
        const address = resolveLink(url, links);
        if (address === undefined || address.length > answer_comment_maxUrlLength)
            continue;
        byUrl.set(address, { url: address, title: byUrl.get(address)?.title ?? title });
    }
    return [...byUrl.values()].slice(0, answer_comment_maxSources);
}
/** The comment's visible part. */
function renderAnswerComment(view) {
    const question = quoteQuestion(view);
    const rest = [...renderSources(view), "", ...renderEnd(view)];
    const limit = maxCommentLength - [...question, ...rest].join("\n").length;
    return [...question, ...renderBody(view, limit), ...rest].join("\n");
}
/**
 * The comment of a run that was killed while it answered: with the answer as far as `comment`, its text by then, shows it.
 */
function renderInterruptedComment(view, comment) {
    const question = quoteQuestion(view).join("\n");
    const end = comment.lastIndexOf(stillAnswering);
    if (end === -1 || !comment.startsWith(question))
        return renderAnswerComment(view);
    const answer = comment.slice(question.length, end).trim();
    const warning = renderWarning(view, { isAnswerEmpty: answer === "" });
    return [question, warning, "", answer, "", ...renderEnd({ ...view, text: answer })].join("\n");
}
function renderEnd(view) {
    return [renderFooter(view), ...(view.notes ?? []).map((note) => `\n<sub>${(0,escape_markdown/* escapeInline */.VV)(note)}</sub>`)];
}
/** The job summary: the same, with the page of the comment. */
function renderAnswerSummary(view, { commentUrl }) {
    const link = commentUrl === undefined || !URL.canParse(commentUrl) ? "" : `\n\n[Comment](${new URL(commentUrl).href})`;
    return `### Docs assistant: ${view.state}\n\n${renderAnswerComment(view)}${link}\n`;
}
function quoteQuestion({ question, requester }) {
    if (question === undefined || question.trim() === "")
        return [];
    const lines = question.split(/\r\n|[\r\n\u2028\u2029]/).map(escape_markdown/* escapeInline */.VV);
    const asked = requester === undefined ? [] : [`<sub>asked by ${(0,escape_markdown/* escapeInline */.VV)(requester)}</sub>`];
    // A summary, unlike a comment, breaks lines only where two spaces say so.
    return [
        ...[...lines, ...asked]
            .join("  \n")
            .split("\n")
            .map((line) => `> ${line}`),
        "",
    ];
}
const stillAnswering = "*… still answering*";
const stops = {
    length: "*The answer stops here: it reached its length limit.*",
    filter: "*The answer stops here: a content filter of the platform ended it.*",
};
function renderBody(view, limit) {
    const { state, text, links, stoppedBy } = view;
    if (state === "asking")
        return ["*Looking through the documentation …*"];
    if (state === "queued")
        return [renderQueue(view)];
    const shown = sanitizeAnswer(text, { links, limit: limit - 1500 });
    const answer = shown.markdown === "" ? [] : [shown.markdown];
    if (shown.isShortened)
        answer.push("", "*The answer is longer than a comment may be; the rest is left out.*");
    if (state === "answering")
        return [...answer, "", stillAnswering];
    if (state === "answered")
        return stoppedBy === undefined ? answer : [...answer, "", stops[stoppedBy]];
    const warning = renderWarning(view, { isAnswerEmpty: answer.length === 0 });
    return [warning, ...(answer.length === 0 ? [] : ["", ...answer])];
}
function renderQueue({ queuedUntil }) {
    const time = queuedUntil === undefined ? "later" : `at ${(0,format/* formatTime */.fU)(queuedUntil)}`;
    return `*The platform's limit of questions is used up; the question is asked again ${time}.*`;
}
function renderWarning({ problem = "" }, { isAnswerEmpty }) {
    const fact = isAnswerEmpty ? "**There is no answer.**" : "**This answer is incomplete.**";
    return `> [!WARNING]\n> ${fact} ${(0,escape_markdown/* escapeInline */.VV)(problem)}`;
}
function renderSources({ state, text, sources, links }) {
    const isShown = state === "answered" || (state === "failed" && text.trim() !== "");
    const listed = isShown ? listSources(sources, links) : [];
    if (listed.length === 0)
        return [];
    const lines = listed.map(({ url, title }, index) => {
        const label = (0,escape_markdown/* escapeInline */.VV)((0,shorten/* shorten */.m)(title?.trim() || new URL(url).pathname, maxTitleLength));
        return `${index + 1}. [${label}](${url.replace(/[()\s<>]/g, encodeURIComponent)})`;
    });
    return ["", "**Sources**", "", ...lines];
}
function renderFooter(view) {
    const { state, runUrl } = view;
    const isOver = state === "answered" || state === "failed";
    const sentences = [...describeOrigin(view), ...(isOver ? nextStep(view) : [])].join(" ");
    const log = runUrl === undefined || !URL.canParse(runUrl) ? [] : [`[log](${new URL(runUrl).href})`];
    const footer = [...(sentences === "" ? [] : [sentences]), ...log].join(" · ");
    return footer === "" ? "" : `<sub>${footer}</sub>`;
}
/** Who speaks, where somebody does. */
function describeOrigin({ state, text, sources, links }) {
    if (state === "asking" || state === "answering")
        return ["Generated from the documentation"];
    if (state === "queued" || text.trim() === "")
        return [];
    const advice = listSources(sources, links).length === 0 ? "." : ": check it against the sources.";
    return [`Generated from the documentation by an assistant${advice}`];
}
function nextStep({ state, triggerPhrase }) {
    if (triggerPhrase === undefined)
        return [];
    const phrase = (0,escape_markdown/* escapeInline */.VV)(triggerPhrase);
    return state === "answered"
        ? [`To follow up, comment ${phrase} and your question in the same thread; the conversation goes on.`]
        : [`Comment ${phrase} and your question to ask again.`];
}

// EXTERNAL MODULE: ./.build/lib/github/claims/seal.js
var seal = __webpack_require__(8099);
// EXTERNAL MODULE: ./.build/lib/github/comments/comment-order.js
var comment_order = __webpack_require__(31583);
// EXTERNAL MODULE: ./.build/lib/github/comments/thread-comments.js + 2 modules
var thread_comments = __webpack_require__(64852);
// EXTERNAL MODULE: ./.build/lib/github/event/live-text.js
var live_text = __webpack_require__(89089);
// EXTERNAL MODULE: ./.build/lib/github/reactions.js
var reactions = __webpack_require__(76664);
// EXTERNAL MODULE: ./.build/lib/action/connections/connect-github.js + 5 modules
var connect_github = __webpack_require__(28644);
// EXTERNAL MODULE: ./.build/lib/action/connections/saved-claim.js
var saved_claim = __webpack_require__(11705);
;// CONCATENATED MODULE: ./.build/lib/action/connections/assistant-github.js









/**
 * The assistant's key is public, so a signature made with it would prove nothing: records are believed for the account
 * that wrote them. A signature that every run can make keeps them whole, also when the key is replaced.
 */
function assistantSeal(repositoryId) {
    return (0,seal/* createSeal */.A)(`assistant of repository ${repositoryId}`);
}
/** The thread's name in records and fingerprints; a pull request that merely changed has a conversation too. */
function threadOf({ event }) {
    return event.type === "written" || event.type === "pull-request" ? event.thread : undefined;
}
function createAssistantGitHub(options, { saveState }) {
    const { inputs, connection } = options;
    const { event, api } = connection;
    const thread = inputs.statusComment ? threadOf(connection) : undefined;
    const github = {
        checkGate: () => (0,connect_github/* checkPeople */.Y7)(inputs, connection),
        async acknowledge() {
            if (event.type === "written")
                await (0,reactions/* reactWithEyes */.W)(event, api);
        },
        compareWithLiveText: async () => event.type === "written" ? (0,live_text/* compareWithLiveText */.$)(event, api) : "unchanged",
        openStores: thread === undefined ? undefined : (draft, shown) => openStores({ ...options, thread, draft, shown }),
    };
    return {
        github,
        onRecord(claim) {
            if (thread === undefined)
                return;
            const { kind, number, nodeId } = thread;
            const place = { kind: "thread", thread: { kind, number, nodeId }, since: thread.createdAt };
            (0,saved_claim/* saveClaim */.Q)({ place, claim }, saveState);
        },
    };
}
async function openStores({ inputs, connection, thread, draft, shown, ...rest }) {
    const { api, lastWordsApi, run, event } = connection;
    const identity = await connection.readIdentity();
    const seal = assistantSeal(run.repository.id);
    const render = (record) => renderAnswerComment(viewOf({ record, shown, ...rest }));
    const open = (via, search) => (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread, ...search }, { comments: (0,thread_comments/* createThreadComments */.d)(thread, via), identity, seal, serverNow: via.serverNow, render });
    const nearby = onlyConversation((0,thread_comments/* createThreadComments */.d)(thread, api), thread);
    const { trigger } = draft;
    const since = event.type === "written" ? event.text.createdAt : thread.createdAt;
    return {
        claims: open(api, { trigger, since }),
        lastWords: open(lastWordsApi, { trigger, since }),
        conversation: (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread }, { comments: nearby, identity, seal, serverNow: api.serverNow, render }),
    };
}
/** The comments of a thread whose conversation a question may go on with, the nearest last. */
function onlyConversation(comments, { asking }) {
    return { ...comments, list: async (options) => (0,comment_order/* pickConversation */.b)(await comments.list(options), asking) };
}
/** A question and what is known of its answer, as comment and summary show it. */
function viewOf({ record, shown, links, triggerPhrase }) {
    const { state, text, answer, queuedUntil } = shown;
    return {
        state,
        queuedUntil,
        text,
        sources: answer === undefined ? [] : sourcesOf(answer),
        links: withSourceHosts(links, answer),
        stoppedBy: answer?.stoppedBy,
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

;// CONCATENATED MODULE: ./.build/lib/action/connections/assistant-links.js
/** The documents as files of the commit that runs; for the embedded platform. */
function fileLinks({ repository, sha, serverUrl }, docsDir) {
    const folder = docsDir.replace(/^(?:\.\/)+|\/+$/g, "");
    const path = folder === "" || folder === "." ? "" : `${folder}/`;
    const baseUrl = new URL(`/${repository.owner}/${repository.name}/blob/${sha || "HEAD"}/${path}`, serverUrl)
        .href;
    return { kind: "files", baseUrl };
}
/** Links lead below the documentation's own address. */
function linkPolicyOf(domain, files) {
    if (files !== undefined)
        return { baseUrl: files.baseUrl, allowed: [files.baseUrl] };
    // A domain identifier may be a host name or a name of the platform's own.
    const site = domain.includes(".") && URL.canParse(`https://${domain}/`) ? `https://${domain}/` : undefined;
    return { baseUrl: site, allowed: site === undefined ? [] : [site] };
}

// EXTERNAL MODULE: ./.build/lib/action/connections/connect-platform.js + 6 modules
var connect_platform = __webpack_require__(11200);
// EXTERNAL MODULE: ./.build/lib/platform/transport/hide-key.js
var hide_key = __webpack_require__(74706);
;// CONCATENATED MODULE: ./.build/lib/action/connections/secret-keeper.js

/** Makes a keeper that knows the key of the platform, which is masked already; the embedded platform has none. */
function createSecretKeeper(apiKey, { maskSecret }) {
    const hiders = apiKey === undefined ? [] : [(0,hide_key/* createKeyHider */.i)(apiKey)];
    return {
        keepSecret(secret) {
            maskSecret(secret);
            hiders.push((0,hide_key/* createKeyHider */.i)(secret));
        },
        redact: (text) => hiders.reduce((shown, hide) => hide(shown), text),
    };
}

// EXTERNAL MODULE: ./.build/lib/action/connections/start-embedded.js
var start_embedded = __webpack_require__(10146);
// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(38815);
;// CONCATENATED MODULE: ./.build/lib/action/read-context-items.js





/**
 * Reads `context-items`, a YAML or JSON list.
 *
 * @throws {InputError} naming every item that is not as the specification has it.
 */
function readContextItems(text) {
    if (text === undefined)
        return [];
    const items = schemas/* array */.YOg(assistant_contract/* ContextItem */.xJ).safeParse(parseYaml(text));
    if (items.success)
        return items.data;
    throw new errors/* InputError */.dz(items.error.issues.map(({ path, message }) => `\`context-items\` (${path.join(".") || "list"}): ${message}`));
}
function parseYaml(text) {
    try {
        return (0,dist/* parse */.qg)(text, { maxAliasCount: 20 });
    }
    catch (error) {
        throw new errors/* InputError */.dz([`\`context-items\` is neither YAML nor JSON: ${(0,message_of/* messageOf */.b)(error)}`]);
    }
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/assistant/read-model-options.js

/**
 * Reads which OpenAI-compatible model writes the answers: `DOCS_PLATFORM_MODEL_URL`, `DOCS_PLATFORM_MODEL` and, where
 * the model needs one, `DOCS_PLATFORM_MODEL_KEY`. `undefined` without an address.
 *
 * @throws {InputError} for an address that is none, or without a model's name.
 */
function readModelOptions(environment) {
    const baseUrl = environment["DOCS_PLATFORM_MODEL_URL"]?.trim();
    const model = environment["DOCS_PLATFORM_MODEL"]?.trim();
    const apiKey = environment["DOCS_PLATFORM_MODEL_KEY"]?.trim();
    if (!baseUrl)
        return undefined;
    if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
        throw new errors/* InputError */.dz([
            "DOCS_PLATFORM_MODEL_URL must be an address like `https://models.example.com/v1`.",
        ]);
    }
    if (!model)
        throw new errors/* InputError */.dz(["DOCS_PLATFORM_MODEL is missing: the name of the model."]);
    return { baseUrl, model, ...(apiKey && { apiKey }) };
}

;// CONCATENATED MODULE: ./.build/lib/action/read-model.js

/** The model of the embedded platform's assistant, where the job's environment names one; its key is masked. */
function readModel({ environment, maskSecret }) {
    const model = readModelOptions(environment);
    if (model?.apiKey !== undefined)
        maskSecret(model.apiKey);
    return model;
}

// EXTERNAL MODULE: ./.build/lib/action/trigger-phrases.js
var trigger_phrases = __webpack_require__(98690);
;// CONCATENATED MODULE: ./.build/lib/action/steps/assistant.js
var assistant_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var assistant_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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
/** Composes `command: assistant`: inputs, event and clients in, outputs and summary out. */





















/** Outputs hold up to a megabyte; an answer is far shorter. */
const maxOutputLength = 500_000;
const assistantStep = {
    async run(inputs, context) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const workspace = context.environment["GITHUB_WORKSPACE"] ?? process.cwd();
            const prompt = await (0,connect_github/* readGivenPrompt */.aM)(inputs, workspace);
            const connection = await (0,connect_github/* connectGitHub */.UY)(inputs, context);
            const options = readOptions({ inputs, prompt, connection }, context);
            const files = inputs.baseUrl === "local" ? fileLinks(connection.run, inputs.docsDir) : undefined;
            const links = linkPolicyOf(options.domain, files);
            const platform = assistant_addDisposableResource(env_1, await (0,connect_platform/* connectPlatform */.c)(inputs, {
                context,
                startEmbedded: () => (0,start_embedded/* startEmbedded */.H)({
                    docsDir: (0,external_node_path_.resolve)(workspace, inputs.docsDir),
                    domain: options.domain,
                    assistant: { links: files, model: readModel(context) },
                }, { context }),
            }), true);
            const { transport } = platform.platform;
            const { triggerPhrase } = options;
            const result = await runAssistant(options, {
                ...context,
                ...createAssistantGitHub({ inputs, connection, links, triggerPhrase }, context),
                openStream: (question) => openAssistantStream(question, { transport }),
                ...createSecretKeeper(inputs.apiKey, context),
            });
            const goesOn = inputs.statusComment && threadOf(connection) !== undefined;
            return describeEnd(result, { links, triggerPhrase: goesOn ? triggerPhrase : undefined }, context);
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = assistant_disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    },
};
function readOptions({ inputs, prompt, connection }, { deadlineMs }) {
    const { run, event } = connection;
    const domain = inputs.domain ?? (inputs.baseUrl === "local" ? start_embedded/* embeddedDomain */.j : undefined);
    if (domain === undefined)
        throw new errors/* InputError */.dz(["`domain` is missing."]);
    const thread = threadOf(connection);
    return {
        event,
        prompt,
        domain,
        triggerPhrase: inputs.triggerPhrase ?? trigger_phrases/* defaultPhrases */.W.assistant,
        runId: run.runId,
        owner: { runId: run.runId, runAttempt: run.runAttempt, word: (0,external_node_crypto_.randomBytes)(6).toString("hex") },
        runUrl: run.runUrl,
        repositoryId: run.repository.id,
        thread: thread && (0,comment_claims/* threadKey */.G)(thread),
        version: inputs.apiVersion,
        threadId: inputs.threadId,
        retrievalPageSize: inputs.retrievalPageSize,
        filterVersion: inputs.filterVersion,
        filterLanguage: inputs.filterLanguage,
        currentPath: inputs.currentPath,
        context: readContextItems(inputs.contextItems),
        dryRun: inputs.dryRun,
        deadlineMs,
    };
}
function describeEnd(result, showing, context) {
    if (result.outcome === "skipped")
        return describeSkip(result, context);
    const { answer, draft, commentUrl } = result;
    const { failure, threadId, text } = answer;
    if (threadId !== undefined)
        context.setOutput("threadId", threadId);
    const message = failure === undefined ? undefined : explainFailure(failure);
    const shown = { state: failure === undefined ? "answered" : "failed", text, answer };
    const view = viewOf({ record: { ...draft, ...(message && { message }) }, shown, ...showing });
    const summary = renderAnswerSummary(view, { commentUrl });
    if (failure !== undefined) {
        if (result.unshown !== undefined)
            context.log.warning(`The comment could not show how it ended: ${result.unshown.message}`);
        return { ...describeFailure(failure), summary, error: withQuestionHint(failure) };
    }
    setAnswer(view, context);
    return { ...describeAnswer(result, context), summary };
}
function setAnswer({ text, links, sources }, { setOutput, log }) {
    const { markdown, isShortened } = sanitizeAnswer(text, { links, limit: maxOutputLength });
    if (isShortened)
        log.warning("The answer is too long for the output `answer`; its end is left out.");
    setOutput("answer", markdown);
    setOutput("sources", JSON.stringify(listSources(sources, links)));
}
/** Whoever deleted the comment wants no answer there; any other failure leaves somebody waiting for one. */
function describeAnswer({ unshown }, { log }) {
    const answered = { outcome: "answered", message: "The assistant answered." };
    if (unshown === undefined)
        return answered;
    if (unshown.code === "not-found") {
        log.warning("The comment was deleted while the answer arrived; the job summary shows it.");
        return answered;
    }
    const message = `The assistant answered, but the comment could not show it: ${unshown.message}`;
    const { code, hint, status } = unshown;
    return {
        outcome: "failed",
        message,
        error: new github_errors/* GitHubError */.y_(code, message, { hint, status, cause: unshown }),
    };
}
function describeSkip({ reason, message, wouldSend, commentUrl, threadId }, { setOutput }) {
    if (threadId !== undefined)
        setOutput("threadId", threadId);
    const page = commentUrl !== undefined && URL.canParse(commentUrl) && `\n[Comment](${new URL(commentUrl).href})\n`;
    const request = wouldSend && `\n${(0,escape_markdown/* codeBlock */.DV)(JSON.stringify(wouldSend.request, undefined, 2))}\n`;
    const summary = `${(0,agent_summary/* renderSkipped */.bs)({ command: "assistant", message })}${page || ""}${request ?? ""}`;
    return { outcome: "skipped", message, summary, skipReason: reason };
}
/** @throws what is no outcome of its own: an answer that is none at all. */
function describeFailure(failure) {
    const { message } = failure;
    switch (failure.code) {
        case "cancelled":
        case "timed-out":
            return { outcome: failure.code, message };
        case "stream-cut":
            return { outcome: "failed", message };
        default:
            throw failure;
    }
}


/***/ }),

/***/ 45183:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ib: () => (/* binding */ AssistantRequest),
/* harmony export */   OR: () => (/* binding */ UiAssistantRequest),
/* harmony export */   cC: () => (/* binding */ anonymousFingerprint),
/* harmony export */   sX: () => (/* binding */ defaultRetrievalPageSize),
/* harmony export */   wV: () => (/* binding */ assistantPath),
/* harmony export */   xJ: () => (/* binding */ ContextItem)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27597);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(64377);
/** The assistant's wire format, v1 (AI SDK 4) and v2 (AI SDK 5 and later): requests are strict, responses open. */

/** Longest `currentPath` in characters (specification §8). */
const maxCurrentPathLength = 200;
/** Page size of retrieval when a request has none (specification §2.1). */
const defaultRetrievalPageSize = 5;
/** `fp` of a reader without an identity (specification §2.1). */
const anonymousFingerprint = "anonymous";
/** A call of a tool, told apart by its state (specification §2.1). */
const toolCall = {
    toolCallId: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    toolName: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    // "Any", but required: a key that is missing reads as `undefined`.
    args: zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J().refine((value) => value !== undefined, "is required"),
    step: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().optional(),
};
const ToolInvocation = zod__WEBPACK_IMPORTED_MODULE_0__/* .discriminatedUnion */ .gMt("state", [
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ state: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("partial-call"), ...toolCall }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ state: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("call"), ...toolCall }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
        state: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("result"),
        ...toolCall,
        result: zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J().refine((value) => value !== undefined, "is required"),
    }),
]);
const ReasoningDetail = zod__WEBPACK_IMPORTED_MODULE_0__/* .discriminatedUnion */ .gMt("type", [
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("text"), text: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), signature: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional() }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("redacted"), data: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }),
]);
/** A web page that an answer rests on. */
const UrlSource = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    sourceType: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("url"),
    id: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    title: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
});
/** A part of a v1 message, told apart by its type (specification §2.1). */
const MessagePart = zod__WEBPACK_IMPORTED_MODULE_0__/* .discriminatedUnion */ .gMt("type", [
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("text"), text: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
        type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("reasoning"),
        reasoning: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        details: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(ReasoningDetail),
    }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("step-start") }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("source"), source: UrlSource }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("tool-invocation"), toolInvocation: ToolInvocation }),
]);
/** A v1 message (specification §2.1). */
const AssistantMessage = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    id: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    role: zod__WEBPACK_IMPORTED_MODULE_0__/* ["enum"] */ .k5n(["system", "assistant", "data", "user"]),
    content: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    parts: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(MessagePart),
    createdAt: zod__WEBPACK_IMPORTED_MODULE_1__/* .datetime */ .w$({ offset: true }).optional(),
    annotations: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()).optional(),
    experimental_attachments: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), name: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(), contentType: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional() }))
        .optional(),
});
/** What the asker looks at: a code snippet or selected text (specification §2.1). */
const ContextItem = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    type: zod__WEBPACK_IMPORTED_MODULE_0__/* ["enum"] */ .k5n(["code", "textSelection"]),
    value: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    path: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    elementId: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
});
const SearchFilter = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ version: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(), language: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional() });
/** The fields that both versions of a request share. */
const requestFields = {
    /** Fingerprint of the conversation's session: `anonymous`, or an identifier that names no person. */
    fp: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    /** Ties a follow-up to its conversation. */
    threadId: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish(),
    /** Proof that the thread is the caller's; some platforms hand it out once, in the header `x-thread-key`. */
    threadKey: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().nullish(),
    retrievalPageSize: zod__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig().optional(),
    context: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(ContextItem).optional(),
    currentPath: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().max(maxCurrentPathLength).optional(),
};
/** Body of "create assistant message" v1 (specification §2.1, §4.1). */
const AssistantRequest = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    ...requestFields,
    messages: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(AssistantMessage),
    filter: SearchFilter.nullish(),
});
/** A part of a v2 message. */
const UiMessagePart = zod__WEBPACK_IMPORTED_MODULE_0__/* .discriminatedUnion */ .gMt("type", [
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("text"), text: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
        type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("reasoning"),
        text: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        providerMetadata: zod__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J()).optional(),
    }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
        type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("source-url"),
        sourceId: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        title: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
        type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("file"),
        mediaType: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        url: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        filename: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().optional(),
    }),
    zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({ type: zod__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz("step-start") }),
]);
/** A v2 message: parts only, no `content`. */
const UiMessage = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    id: zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    role: zod__WEBPACK_IMPORTED_MODULE_0__/* ["enum"] */ .k5n(["system", "assistant", "user"]),
    parts: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(UiMessagePart),
    createdAt: zod__WEBPACK_IMPORTED_MODULE_1__/* .datetime */ .w$({ offset: true }).optional(),
    metadata: zod__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J().optional(),
});
/** Body of "create assistant message" v2: as v1, with the messages of AI SDK 5 and a filter that may name groups. */
const UiAssistantRequest = zod__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    ...requestFields,
    messages: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(UiMessage),
    filter: SearchFilter.extend({ groups: zod__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()).optional() }).nullish(),
});
/** Path below the base address of "create assistant message" (specification §4.1). */
function assistantPath(version, domain) {
    return `/discovery/${version}/assistant/${encodeURIComponent(domain)}/message`;
}


/***/ })

};
