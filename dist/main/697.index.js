export const id = 697;
export const ids = [697];
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

/***/ 98690:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ defaultPhrases)
/* harmony export */ });
/** What a comment starts with to call a command, where `trigger-phrase` says nothing else. */
const defaultPhrases = { agent: "/docs", assistant: "/ask" };


/***/ }),

/***/ 3469:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ describeRemoval)
/* harmony export */ });
/* harmony import */ var _presentation_format_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(15588);

/** The receipt of what was taken out, as a sentence; `undefined` where nothing was. */
function describeRemoval({ hiddenSegments, invisibleCharacters }, where) {
    const parts = [
        ...(hiddenSegments === 0 ? [] : [(0,_presentation_format_js__WEBPACK_IMPORTED_MODULE_0__/* .formatCount */ .B4)(hiddenSegments, "hidden segment")]),
        ...(invisibleCharacters === 0 ? [] : [(0,_presentation_format_js__WEBPACK_IMPORTED_MODULE_0__/* .formatCount */ .B4)(invisibleCharacters, "invisible character")]),
    ];
    return parts.length === 0
        ? undefined
        : `Removed from ${where}, because GitHub does not show it: ${parts.join(" and ")}.`;
}


/***/ }),

/***/ 21334:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  i: () => (/* binding */ request_from_event_readRequest)
});

// EXTERNAL MODULE: ./node_modules/mdast-util-to-string/lib/index.js
var lib = __webpack_require__(31869);
// EXTERNAL MODULE: ./.build/lib/github/text/invisible-characters.js
var invisible_characters = __webpack_require__(81402);
// EXTERNAL MODULE: ./.build/lib/github/text/markdown.js
var markdown = __webpack_require__(11449);
// EXTERNAL MODULE: ./.build/lib/github/text/visible-text.js + 11 modules
var visible_text = __webpack_require__(45862);
;// CONCATENATED MODULE: ./.build/lib/github/text/trigger.js




/**
 * Finds the trigger phrase as the first word of what GitHub renders of `body`.
 *
 * The phrase counts in a paragraph or heading, also in bold or italics; not in quotes, lists, tables, code, links,
 * struck-out text or HTML. It must stand in the source as it is and end at a space, at the end of the line or at closing
 * punctuation. `request` is the rest of the text, reduced to what GitHub renders.
 */
function findTrigger(body, phrase) {
    const source = body.replace(/\r\n?/g, "\n");
    if (!source.toLowerCase().includes(phrase.toLowerCase()))
        return { kind: "absent" };
    const tree = (0,markdown/* parseMarkdown */.D)(source);
    const visible = (0,visible_text/* readVisibleText */.S3)(source);
    if (!tree || !visible)
        return { kind: "near-miss", reason: "unreadable" };
    const first = firstRendered(tree);
    const found = first ? readFirstWord({ source, first, phrase }) : "not-rendered";
    const { text, hiddenSegments, invisibleCharacters } = visible;
    if (found === "called") {
        const request = readRequest(text, phrase);
        if (request !== undefined) {
            return { kind: "called", request, removed: { hiddenSegments, invisibleCharacters } };
        }
    }
    const isElsewhere = found === "elsewhere" || found === "called";
    return {
        kind: "near-miss",
        reason: isElsewhere ? explainElsewhere({ visible, tree, phrase }) : found,
    };
}
const onlyComments = /^(?:\s*<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->)+\s*$/;
/** Punctuation that ends a word; of Chinese and Japanese, which need no space behind it, too. */
const wordEnd = /^(?:$|\s|[.,!?;:]+(?:$|\s)|[，。：；！？、])/;
const leadingPunctuation = /^(?:[.,!?;:]+(?=\s|$)|[，。：；！？、]+)/;
/** The first block that GitHub renders: comments and definitions are not. */
function firstRendered(tree) {
    return tree.children.find((node) => node.type !== "definition" &&
        node.type !== "footnoteDefinition" &&
        !(node.type === "html" && onlyComments.test(node.value)));
}
function readFirstWord({ source, first, phrase, }) {
    if (first.type !== "paragraph" && first.type !== "heading")
        return "elsewhere";
    const leading = leadingText(first.children);
    if (!leading)
        return "elsewhere";
    const { start } = (0,markdown/* rangeOf */.b)(leading);
    // The workflow's `if:` looks for the phrase after the same characters (trigger-condition.ts).
    if (!/(?:^|[ \t\n*_])$/.test(source.slice(0, start)))
        return "elsewhere";
    const written = source.slice(start, start + phrase.length);
    if (written !== phrase)
        return written.toLowerCase() === phrase.toLowerCase() ? "other-case" : "elsewhere";
    const shown = (0,invisible_characters/* stripInvisibleCharacters */.G)((0,lib/* toString */.d)(withBreaks(first), { includeHtml: false })).text;
    return wordEnd.test(shown.slice(phrase.length)) ? "called" : "longer-word";
}
/** The text node that is rendered first, through bold and italics. */
function leadingText(children) {
    const [first] = children;
    if (first?.type === "emphasis" || first?.type === "strong")
        return leadingText(first.children);
    return first?.type === "text" ? first : undefined;
}
/** The block with its line breaks and images as the gaps they are when rendered. */
function withBreaks(node) {
    if (node.type === "break")
        return { type: "text", value: "\n" };
    if (node.type === "image" || node.type === "imageReference")
        return { type: "text", value: " " };
    if (!("children" in node))
        return node;
    return { ...node, children: node.children.map(withBreaks) };
}
function explainElsewhere({ visible, tree, phrase, }) {
    if (!visible.text.includes(phrase))
        return "not-rendered";
    const first = firstRendered(tree);
    if (first?.type === "blockquote")
        return "quoted";
    if (first?.type === "code")
        return "code";
    if (first?.type === "paragraph" && first.children[0]?.type === "inlineCode")
        return "code";
    if (first?.type === "paragraph" && first.children[0]?.type === "link")
        return "link";
    return "not-the-first-word";
}
/** What follows the phrase in the visible text, without the marks of bold or italics that enclosed nothing else. */
function readRequest(visible, phrase) {
    const tree = (0,markdown/* parseMarkdown */.D)(visible);
    const first = tree && firstRendered(tree);
    const leading = first?.type === "paragraph" || first?.type === "heading" ? leadingText(first.children) : undefined;
    if (!first || !leading)
        return undefined;
    const { start } = (0,markdown/* rangeOf */.b)(leading);
    if (!visible.startsWith(phrase, start))
        return undefined;
    const marks = /[*_]*$/.exec(visible.slice((0,markdown/* rangeOf */.b)(first).start, start))?.[0] ?? "";
    const after = visible.slice(start + phrase.length);
    const closing = [...marks].reverse().join("");
    const enclosesMore = marks !== "" && !after.startsWith(closing);
    const rest = (enclosesMore ? after : after.slice(closing.length))
        .replace(leadingPunctuation, "")
        .trimStart();
    const definitions = visible.slice(0, (0,markdown/* rangeOf */.b)(first).start).trim();
    const request = ((enclosesMore ? marks : "") + rest).trim();
    return definitions === "" ? request : `${request}\n\n${definitions}`;
}

;// CONCATENATED MODULE: ./.build/lib/commands/request-from-event.js


const nothingRemoved = { hiddenSegments: 0, invisibleCharacters: 0 };
/** Reads what an event asks for. */
function request_from_event_readRequest(event, options) {
    const subject = subjectOf(event, options.runId);
    if (options.prompt !== undefined) {
        if (event.type === "written" && event.action === "deleted")
            return skip("event-action", "The text was deleted.");
        const body = event.type === "written" ? `${options.prompt}\n${event.text.body}` : options.prompt;
        const given = { instruction: options.prompt, origin: "input", body, removed: nothingRemoved };
        return skipChange(event, { isAsked: true }) ?? { kind: "request", ...subject, ...given };
    }
    if (event.type === "written")
        return readWritten(event, { options, subject });
    const instruction = options.changeRequest;
    if (event.type === "other" || instruction === undefined)
        return { kind: "nothing" };
    const asked = { instruction, origin: "change", body: instruction, removed: nothingRemoved };
    return skipChange(event, { isAsked: false }) ?? { kind: "request", ...subject, ...asked };
}
function subjectOf(event, runId) {
    switch (event.type) {
        case "written":
            return { family: event.text.kind, subject: event.text.nodeId || String(event.text.id) };
        case "pull-request":
            return {
                family: "pull-request",
                subject: `${event.thread.nodeId} ${event.merged ? "merged" : event.head.sha}`,
            };
        case "push":
            return { family: "push", subject: `${event.ref} ${event.before} ${event.after}` };
        case "release":
            return { family: "release", subject: event.nodeId || event.tag };
        case "other":
            return { family: "run", subject: runId };
    }
}
const readActions = {
    "issue-comment": ["created", "edited"],
    "review-comment": ["created", "edited"],
    "discussion-comment": ["created", "edited"],
    review: ["submitted", "edited"],
    issue: ["opened", "labeled"],
    discussion: ["created", "labeled"],
};
function readWritten(event, { options, subject }) {
    const { action, text, label } = event;
    if (!readActions[text.kind].includes(action)) {
        return skip("event-action", `Nothing to do for \`${action}\` of a ${text.kind}.`);
    }
    if (action === "labeled") {
        const wanted = options.triggerPhrase.replace(/^[^\p{L}\p{N}_]+/u, "");
        return label?.toLowerCase() === wanted.toLowerCase()
            ? readLabelled(event, { options, subject })
            : skip("no-trigger", `The label is not \`${wanted}\`.`);
    }
    const trigger = findTrigger(text.body, options.triggerPhrase);
    if (trigger.kind === "absent")
        return skip("no-trigger", `The text does not call \`${options.triggerPhrase}\`.`);
    if (trigger.kind === "near-miss") {
        return skip("near-miss", explainNearMiss(trigger.reason, options.triggerPhrase));
    }
    const instruction = trigger.request || options.bareRequest;
    const { body } = text;
    return { kind: "request", ...subject, instruction, origin: "written", body, removed: trigger.removed };
}
/** A label asks for what the issue or discussion says, whether or not it begins with the phrase. */
function readLabelled({ text }, { options, subject }) {
    const trigger = findTrigger(text.body, options.triggerPhrase);
    const shown = (0,visible_text/* readVisibleText */.S3)(text.body);
    if (!shown)
        return skip("near-miss", "The text is nested or marked beyond reading.");
    const { text: visible, ...removed } = shown;
    const request = trigger.kind === "called" ? trigger.request : visible;
    const { body } = text;
    const instruction = request || options.bareRequest;
    return { kind: "request", ...subject, instruction, origin: "written", body, removed };
}
/** Changes that nobody needs a job for; a workflow that says itself what to do may do it on any pull request that lives. */
function skipChange(event, { isAsked }) {
    if (event.type === "pull-request") {
        return isAsked && event.action !== "closed" ? undefined : skipPullRequest(event);
    }
    if (event.type === "push")
        return skipPush(event);
    return event.type === "release" ? skipRelease(event) : undefined;
}
function skipPullRequest({ action, merged }) {
    return action === "closed" && merged
        ? undefined
        : skip("not-merged", "The pull request was not merged by this event.");
}
function skipPush({ deleted }) {
    return deleted ? skip("branch-deleted", "The push deleted its branch or tag.") : undefined;
}
function skipRelease({ action, isDraft }) {
    if (isDraft)
        return skip("draft-release", "The release is a draft.");
    const isOut = action === "published" || action === "released";
    return isOut ? undefined : skip("event-action", `Nothing to do for \`${action}\` of a release.`);
}
const nearMisses = {
    "not-the-first-word": "it is not the first word",
    "longer-word": "it is part of a longer word",
    quoted: "it stands in a quote",
    code: "it stands in code",
    link: "it stands in a link",
    "other-case": "its letters are in another case",
    "not-rendered": "it stands where GitHub does not show it",
    unreadable: "the text is nested or marked beyond reading",
};
function explainNearMiss(reason, phrase) {
    return `The text contains \`${phrase}\` but does not call it: ${nearMisses[reason]}.`;
}
function skip(reason, message) {
    return { kind: "skip", reason, message };
}


/***/ }),

/***/ 91857:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   x: () => (/* binding */ ClaimHolder)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(45119);
/* harmony import */ var _message_of_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(48999);
/* harmony import */ var _judge_claims_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(78935);



/** Our own claim, and the latest thing that is true of it. */
class ClaimHolder {
    #options;
    #deps;
    #held;
    /** When the request that last wrote the record began: its lease runs from then at the earliest. */
    #writtenMs = 0;
    constructor(options, deps) {
        this.#options = options;
        this.#deps = deps;
    }
    /** Writes a claim and stands for election; returns the claim that won instead. */
    async claim(leftovers) {
        const { claims, log } = this.#deps;
        const held = await this.#create();
        const others = (await claims.list()).filter(({ id }) => id !== held.id);
        const situation = (0,_judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .judgeClaims */ .r7)(others.filter(({ id }) => !leftovers.some((leftover) => leftover.id === id)), this.#options.owner);
        if (situation.kind !== "free" && !isOlderCandidate(held, situation)) {
            await claims.remove(held);
            this.#held = undefined;
            this.#deps.onRecord({ ...held, record: { ...held.record, state: "released" } });
            return situation.claim;
        }
        await this.#requireLease();
        for (const leftover of leftovers)
            await claims.remove(leftover);
        if (leftovers.length > 0)
            log.info("An earlier run took this request but sent nothing; starting anew.");
        return undefined;
    }
    #draftRecord() {
        const { draft, owner } = this.#options;
        return {
            ...draft,
            state: "claimed",
            owner: (0,_judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .ownerWord */ .WU)(owner),
            claimedAt: new Date(this.#deps.clock.now()).toISOString(),
            leaseSeconds: _judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .leases */ .Q.claimed,
        };
    }
    async #create() {
        const { claims, lastWords, clock, signal, onRecord } = this.#deps;
        const record = this.#draftRecord();
        this.#writtenMs = clock.now();
        onRecord({ record });
        try {
            this.#held = await claims.create(record);
        }
        catch (error) {
            // The answer may have been lost on its way back; nothing was submitted yet, so looking is safe.
            this.#held = await findOwn(record.owner, signal.aborted ? lastWords : claims);
            signal.throwIfAborted();
            if (!this.#held) {
                onRecord({ record: { ...record, state: "released" } });
                throw error;
            }
        }
        onRecord(this.#held);
        return this.#held;
    }
    /** Writes down how a request ended of which no record tells any more, in the place of `leftovers`. */
    async recordEnd(end, leftovers) {
        const { claims } = this.#deps;
        const claim = await claims.create({ ...this.#draftRecord(), ...end, state: "ended" });
        for (const leftover of leftovers)
            await claims.remove(leftover);
        return claim;
    }
    /**
     * Writes down that the creating request is about to be sent.
     *
     * @throws {InterruptedError} where the run's own time is over, or the lease: another run may have taken the claim for
     * abandoned.
     */
    async announce() {
        await this.#requireTime();
        await this.#requireLease();
        await this.write({ state: "submitting", leaseSeconds: _judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .leases */ .Q.submitting });
    }
    async #requireTime() {
        const { deadlineMs = Number.POSITIVE_INFINITY } = this.#options;
        if (this.#deps.clock.now() < deadlineMs)
            return;
        await this.write({ state: "released", outcome: "timed-out" });
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InterruptedError */ .p4("timed-out", "`timeout-minutes` passed before anything was sent.");
    }
    async #requireLease() {
        const { leaseSeconds } = this.#need().record;
        if (this.#deps.clock.now() - this.#writtenMs <= leaseSeconds * 1000)
            return;
        await this.write({ state: "released", outcome: "failed" });
        const message = "The claim on this request ran out before it could be submitted; nothing was sent.";
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InterruptedError */ .p4("timed-out", message);
    }
    /** Writes a change down before anything else happens. */
    async write(change) {
        const held = this.#need();
        this.#writtenMs = this.#deps.clock.now();
        const { outcome: _outcome, message: _message, ...record } = held.record;
        const next = { ...record, ...change };
        this.#held = await this.#deps.claims.update(held, next);
        this.#deps.onRecord(this.#held);
        return this.#held;
    }
    /** How long the run may wait for the job: until then its record is its own to write. */
    #waitingLease() {
        const { deadlineMs } = this.#options;
        if (deadlineMs === undefined)
            return undefined;
        return { leaseSeconds: Math.max(0, Math.ceil((deadlineMs - this.#deps.clock.now()) / 1000)) };
    }
    /** The job exists from now on, whether or not that can be written down. */
    async recordJob(jobId) {
        const held = this.#need();
        const { outcome: _outcome, message: _message, ...record } = held.record;
        const known = {
            ...held,
            record: { ...record, state: "working", jobId, ...this.#waitingLease() },
        };
        this.#held = known;
        this.#deps.onRecord({ ...known, isPending: true });
        try {
            return await this.#deps.claims.update(held, known.record);
        }
        catch (error) {
            const reason = (0,_message_of_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .b)(error);
            this.#deps.log.warning(`Job ${jobId} runs, but that could not be written down: ${reason}`);
            return known;
        }
    }
    /** Leaves a true record behind when the run is cancelled or breaks while it holds the claim. */
    async settleInterrupted(error) {
        const held = this.#held;
        if (!held || held.record.state === "released" || held.record.jobId !== undefined)
            return;
        const outcome = error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InterruptedError */ .p4 ? error.code : "failed";
        const state = held.record.state === "submitting" ? "unknown" : "released";
        const left = { ...held, record: { ...held.record, state, outcome } };
        this.#deps.onRecord({ ...left, isPending: true });
        try {
            this.#deps.onRecord(await this.#deps.lastWords.update(held, left.record));
        }
        catch (cause) {
            const reason = (0,_message_of_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .b)(cause);
            this.#deps.log.warning(`The interruption could not be written down: ${reason}`);
        }
    }
    #need() {
        if (!this.#held)
            throw new Error("There is no claim to write to.");
        return this.#held;
    }
}
/** Of two that have only claimed, the older claim wins; who sees it late still yields to one that is elected. */
function isOlderCandidate(held, situation) {
    return situation.kind === "busy" && !(0,_judge_claims_js__WEBPACK_IMPORTED_MODULE_1__/* .isElected */ .Xr)(situation.claim) && held.id < situation.claim.id;
}
async function findOwn(owner, claims) {
    return (await claims.list()).find(({ record }) => record.owner === owner);
}


/***/ }),

/***/ 19135:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ draftRecord)
/* harmony export */ });
/* harmony import */ var _shorten_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(33995);

/** As much as a comment quotes of a request. */
const maxRequestLength = 600;
/** The record's own limits. */
const maxNotes = 8;
const maxNoteLength = 300;
/** The draft of a request's record, within the record's limits. */
function draftRecord({ event, request, notes, ...facts }) {
    const requester = requesterOf(event)?.login;
    const kept = notes.slice(0, maxNotes).map((note) => (0,_shorten_js__WEBPACK_IMPORTED_MODULE_0__/* .cutText */ .I)(note, maxNoteLength));
    return {
        ...facts,
        request: (0,_shorten_js__WEBPACK_IMPORTED_MODULE_0__/* .shorten */ .m)(request, maxRequestLength),
        ...(requester === undefined ? {} : { requester }),
        ...(kept.length === 0 ? {} : { notes: kept }),
    };
}
/** Whoever set a label asked for what somebody else may have written. */
function requesterOf(event) {
    return event.type === "written" && event.action !== "labeled" ? event.text.author : event.sender;
}


/***/ }),

/***/ 78935:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ leases),
/* harmony export */   WU: () => (/* binding */ ownerWord),
/* harmony export */   Xr: () => (/* binding */ isElected),
/* harmony export */   r7: () => (/* binding */ judgeClaims),
/* harmony export */   rc: () => (/* binding */ hasWaitingRun)
/* harmony export */ });
/** Seconds after its last change during which the owner of a claim may still send the creating request. */
const leases = { claimed: 15, submitting: 180 };
/** Clocks, and answers under way: after its lease a claim is left alone for this long. */
const graceMs = 15_000;
function ownerWord({ runId, runAttempt, word }) {
    return `${runId}.${runAttempt}.${word}`;
}
/** Judges the records of one trigger, oldest first. */
function judgeClaims(claims, owner) {
    const live = claims.filter(({ record }) => record.state !== "released");
    const found = live.find(({ record, isUnverifiable }) => !isUnverifiable && (record.state === "working" || record.state === "ended"));
    if (found)
        return { kind: "found", claim: found };
    const lost = live.find((claim) => isLost(claim, owner));
    const leftovers = claims.filter((claim) => isLost(claim, owner) || !isLive(claim, owner));
    if (lost)
        return { kind: "lost", claim: lost, leftovers };
    const rivals = live.filter((claim) => isLive(claim, owner));
    const busy = rivals.find(isElected) ?? rivals[0];
    if (busy)
        return { kind: "busy", claim: busy, freeInMs: freeIn(busy, owner) };
    return { kind: "free", leftovers };
}
/** Whether a claim's owner has won its election: it is sending the creating request, or waits to do so. */
function isElected({ record }) {
    return record.state === "submitting" || (record.state === "claimed" && record.outcome !== undefined);
}
/** Whether the run that started a job may still be waiting for it. */
function hasWaitingRun(claim, owner) {
    return claim.record.outcome === undefined && freeIn(claim, owner) > 0;
}
function isLive(claim, owner) {
    return claim.record.state !== "released" && freeIn(claim, owner) > 0;
}
function isLost(claim, owner) {
    if (claim.isUnverifiable || claim.record.state === "unknown")
        return true;
    return claim.record.state === "submitting" && freeIn(claim, owner) === 0;
}
/** Milliseconds until the claim's owner can no longer act; 0 where it is known to be gone. */
function freeIn({ record, ageMs }, owner) {
    const [runId, runAttempt] = record.owner.split(".");
    const isEarlierAttempt = runId === owner.runId && Number(runAttempt) < owner.runAttempt;
    return isEarlierAttempt ? 0 : Math.max(0, record.leaseSeconds * 1000 + graceMs - ageMs);
}


/***/ }),

/***/ 86026:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ objectToChangedText)
/* harmony export */ });
/** The text that asked must still be the one that the event carried. */
function objectToChangedText(state) {
    if (state === "unchanged")
        return undefined;
    return { reason: `text-${state}`, message: `The text that asked was ${state} after the event; ask again.` };
}


/***/ }),

/***/ 58189:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ watchOthers)
/* harmony export */ });
/* harmony import */ var _judge_claims_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(78935);

/** How often a run that found another at work looks again, and how long it does so at most. */
const lookAgainMs = 3_000;
const maxWatchMs = 4 * 60_000;
/** Looks at earlier records until none is in a state that its owner is about to change. */
async function watchOthers({ owner, onAmbiguous }, { claims, clock, signal, log }) {
    const untilMs = clock.now() + maxWatchMs;
    for (let looks = 0;; looks += 1) {
        const situation = (0,_judge_claims_js__WEBPACK_IMPORTED_MODULE_0__/* .judgeClaims */ .r7)(await claims.list(), owner);
        const isHopeless = situation.kind === "busy" && clock.now() + situation.freeInMs > untilMs;
        if (situation.kind !== "busy" || isHopeless) {
            return conclude(situation, { isFirstLook: looks === 0, onAmbiguous });
        }
        if (looks === 0)
            log.info("Another run has just taken this request; watching whether it goes on.");
        await clock.sleep(Math.min(lookAgainMs, situation.freeInMs), signal);
    }
}
function conclude(situation, { isFirstLook, onAmbiguous }) {
    if (situation.kind === "free")
        return situation;
    const { claim } = situation;
    if (situation.kind === "lost") {
        return onAmbiguous === "resubmit"
            ? { kind: "free", leftovers: situation.leftovers }
            : { kind: "taken", submission: { kind: "lost", claim, error: undefined } };
    }
    // A job that appeared while we watched has its own run waiting for it.
    const kind = situation.kind === "found" && isFirstLook ? "found" : "other-run";
    return { kind: "taken", submission: { kind, claim } };
}


/***/ }),

/***/ 77343:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O5: () => (/* binding */ renderAgentSummary),
/* harmony export */   bs: () => (/* binding */ renderSkipped),
/* harmony export */   sn: () => (/* binding */ renderAgentDryRun)
/* harmony export */ });
/* harmony import */ var _escape_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(53544);
/* harmony import */ var _status_comment_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(49917);
/** The job summary of an agent run. */


/** The summary of a request that was taken; `commentUrl` is the page of its status. */
function renderAgentSummary(status, { nowMs, commentUrl }) {
    const link = commentUrl === undefined || !URL.canParse(commentUrl) ? "" : `\n\n[Status](${new URL(commentUrl).href})`;
    return `${(0,_status_comment_js__WEBPACK_IMPORTED_MODULE_0__/* .renderStatusComment */ .u)(status, { nowMs })}${link}\n`;
}
/** The summary of a run that had nothing to do, or was not allowed to. */
function renderSkipped({ command, message, }) {
    return `### Docs ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(command)}: skipped\n\n${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(message)}\n`;
}
/** Whoever knows a request's reference could pass a pull request off as the agent's; a summary is read by many. */
const reference = /\bdocs-automation-[0-9a-f]{24}\b/g;
/** The summary of a dry run: what would be sent, but for the reference. */
function renderAgentDryRun({ request, prompt, }) {
    const shown = prompt.replaceAll(reference, "docs-automation-…");
    return `### Docs agent: dry run\n\nNothing was sent. The first request would be ${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .codeSpan */ .SS)(request)} with this prompt:\n\n${(0,_escape_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .codeBlock */ .DV)(shown)}\n`;
}


/***/ })

};
