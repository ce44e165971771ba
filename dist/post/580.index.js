export const id = 580;
export const ids = [580];
export const modules = {

/***/ 2580:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  finishAssistant: () => (/* binding */ finishAssistant)
});

// EXTERNAL MODULE: ./.build/lib/github/claims/comment-claims.js + 1 modules
var comment_claims = __webpack_require__(3971);
// EXTERNAL MODULE: ./.build/lib/github/comments/thread-comments.js + 4 modules
var thread_comments = __webpack_require__(4923);
// EXTERNAL MODULE: ./.build/lib/shorten.js
var shorten = __webpack_require__(3995);
// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(3544);
// EXTERNAL MODULE: ./.build/lib/presentation/format.js
var format = __webpack_require__(5588);
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

// EXTERNAL MODULE: ./node_modules/remark-gfm/lib/index.js + 18 modules
var lib = __webpack_require__(8526);
// EXTERNAL MODULE: ./node_modules/remark-parse/lib/index.js + 39 modules
var remark_parse_lib = __webpack_require__(6753);
// EXTERNAL MODULE: ./node_modules/remark-stringify/lib/index.js + 11 modules
var remark_stringify_lib = __webpack_require__(3996);
// EXTERNAL MODULE: ./node_modules/unified/lib/index.js + 7 modules
var unified_lib = __webpack_require__(1519);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-string/lib/index.js
var mdast_util_to_string_lib = __webpack_require__(1869);
// EXTERNAL MODULE: ./node_modules/unist-util-visit/lib/index.js
var unist_util_visit_lib = __webpack_require__(3617);
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

;// CONCATENATED MODULE: ./.build/lib/markdown-cost.js
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

;// CONCATENATED MODULE: ./.build/lib/presentation/tangled-markdown.js
/** Markdown that no writer makes: parsing it would take minutes, or more stack than there is. */

/** Containers that open on one line: quotes in lists in quotes. */
const tangled_markdown_deepLine = /^[\t ]*(?:(?:>|[-+*]|\d{1,9}[.)])[\t ]*){12}/m;
/** Nested by indentation, line after line. */
const deepIndentation = /^(?: {60}|\t{15})[\t ]*(?:>|[-+*]|\d{1,9}[.)])/m;
const longWord = /\S{4000}/;
const delimiter = /[*_[~`<]/g;
/** Of one paragraph, list or table. */
const maxDelimiters = 2_500;
/** Whether a text is to be shown as it stands, because its structure is an attack or an accident. */
function tangled_markdown_isTangled(markdown) {
    if (tangled_markdown_deepLine.test(markdown) || deepIndentation.test(markdown) || longWord.test(markdown))
        return true;
    if (isTooDense(markdown))
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
    const blocks = tangled_markdown_isTangled(source) ? [asCode(source)] : cleanAnswer(parser.parse(source), links);
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

;// CONCATENATED MODULE: ./.build/lib/presentation/answer-comment.js
/** The one comment that an answer grows in, and the job summary of a question. */





/** A comment has 65,536 characters; the rest is for the marker. */
const maxCommentLength = 52_000;
const maxSources = 12;
const maxUrlLength = 1000;
const maxTitleLength = 150;
/** The sources as they are shown and put out: absolute, each once, in the order of their first mention. */
function listSources(sources, links) {
    const byUrl = new Map();
    for (const { url, title } of sources) {
        const address = resolveLink(url, links);
        if (address === undefined || address.length > maxUrlLength)
            continue;
        byUrl.set(address, { url: address, title: byUrl.get(address)?.title ?? title });
    }
    return [...byUrl.values()].slice(0, maxSources);
}
/** The comment's visible part. */
function answer_comment_renderAnswerComment(view) {
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
        return answer_comment_renderAnswerComment(view);
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
    return `### Docs assistant: ${view.state}\n\n${answer_comment_renderAnswerComment(view)}${link}\n`;
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
// EXTERNAL MODULE: ./.build/lib/github/event/live-text.js
var live_text = __webpack_require__(9089);
// EXTERNAL MODULE: ./.build/lib/action/connections/connect-github.js + 10 modules
var connect_github = __webpack_require__(5634);
// EXTERNAL MODULE: ./.build/lib/action/connections/saved-claim.js
var saved_claim = __webpack_require__(1705);
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
    const seal = assistantSeal(run.repository.id);
    const render = (record) => renderAnswerComment(viewOf({ record, shown, ...rest }));
    const open = (via, search) => createCommentClaims({ repositoryId: api.repository.id, thread, ...search }, { comments: createThreadComments(thread, via), identity, seal, serverNow: via.serverNow, render });
    const nearby = onlyConversation(createThreadComments(thread, api), thread);
    const { trigger } = draft;
    const since = event.type === "written" ? event.text.createdAt : thread.createdAt;
    return {
        claims: open(api, { trigger, since }),
        lastWords: open(lastWordsApi, { trigger, since }),
        conversation: createCommentClaims({ repositoryId: api.repository.id, thread }, { comments: nearby, identity, seal, serverNow: api.serverNow, render }),
    };
}
/** The comments of a thread whose conversation a question may go on with, the nearest last. */
function onlyConversation(comments, { asking }) {
    return { ...comments, list: async (options) => pickConversation(await comments.list(options), asking) };
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

// EXTERNAL MODULE: ./.build/lib/action/read-inputs.js + 7 modules
var read_inputs = __webpack_require__(6957);
;// CONCATENATED MODULE: ./.build/lib/action/trigger-phrases.js
/** What a comment starts with to call a command, where `trigger-phrase` says nothing else. */
const defaultPhrases = { agent: "/docs", assistant: "/ask" };

;// CONCATENATED MODULE: ./.build/lib/action/steps/finish-assistant.js
/** The assistant's post step: corrects the comment of a main step that was killed. */








const interrupted = "The run that was answering ended early. Re-run the workflow, or ask again.";
/** Says in the comment that nobody answers any more. */
async function finishAssistant({ environment, log, signal, state }) {
    const saved = (0,saved_claim/* readSavedClaim */.A)(state);
    if (saved?.place.kind !== "thread")
        return;
    const { thread, since } = saved.place;
    const githubToken = (0,read_inputs/* inputText */.AN)("github-token", environment)?.trim();
    const connection = await (0,connect_github/* connectGitHub */.UY)({ githubToken }, { environment, log, signal, random: Math.random });
    const { api, run } = connection;
    const texts = new Map();
    let shownText = "";
    const claims = (0,comment_claims/* createCommentClaims */.x)({ repositoryId: api.repository.id, thread, trigger: saved.record.trigger, since }, {
        comments: rememberTexts((0,thread_comments/* createThreadComments */.d)(thread, api), texts),
        identity: await connection.readIdentity(),
        seal: assistantSeal(run.repository.id),
        serverNow: api.serverNow,
        render: (record) => renderInterruptedComment(viewOf({
            record,
            shown: { state: "failed", text: "", answer: undefined },
            links: { baseUrl: undefined, allowed: [] },
            triggerPhrase: (0,read_inputs/* inputText */.AN)("trigger-phrase", environment)?.trim() || defaultPhrases.assistant,
        }), shownText),
    });
    const claim = (await claims.list()).find(({ record }) => record.owner === saved.record.owner);
    if (claim === undefined || claim.isUnverifiable === true || isOver(claim.record.state))
        return;
    shownText = texts.get(claim.id) ?? "";
    await claims.update(claim, {
        ...claim.record,
        state: "released",
        outcome: "interrupted",
        // An end that the main step could not write down is known, and true.
        message: (isOver(saved.record.state) ? saved.record.message : undefined) ?? interrupted,
    });
    log.info("The comment of the interrupted question was corrected.");
}
/** The comments as they are, with their texts kept: what was shown of an answer is shown nowhere else. */
function rememberTexts(comments, texts) {
    return {
        ...comments,
        async list(options) {
            const listed = await comments.list(options);
            for (const { id, body } of listed)
                texts.set(id, body);
            return listed;
        },
    };
}
function isOver(state) {
    return state === "ended" || state === "released";
}


/***/ })

};
