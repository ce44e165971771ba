export const id = 293;
export const ids = [293];
export const modules = {

/***/ 46085:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  C: () => (/* binding */ createParser)
});

;// CONCATENATED MODULE: ./node_modules/eventsource-parser/dist/errors.js
/**
 * Error thrown when encountering an issue during parsing.
 *
 * @public
 */
class ParseError extends Error {
    constructor(message, options) {
        super(message);
        this.name = 'ParseError';
        this.type = options.type;
        this.field = options.field;
        this.value = options.value;
        this.line = options.line;
    }
}
//# sourceMappingURL=errors.js.map
;// CONCATENATED MODULE: ./node_modules/eventsource-parser/dist/parse.js
/**
 * EventSource/Server-Sent Events parser
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */

// ASCII codes used in the hot parsing paths.
const LF = 10;
const CR = 13;
const SPACE = 32;
const MAX_FIELD_PREFIX_LENGTH = 6;
/**
 * Creates a new EventSource parser.
 *
 * @param config - Parser configuration. Accepts callbacks (see {@link ParserCallbacks})
 *   and options like `maxBufferSize` (see {@link ParserConfig}).
 *
 * @returns A new EventSource parser, with `feed` and `reset` methods.
 * @public
 */
function createParser(config) {
    if (typeof config === 'function') {
        throw new TypeError('`config` must be an object, got a function instead. Did you mean `createParser({onEvent: fn})`?');
    }
    const { maxBufferSize, onComment, onError, onEvent, onId, onRetry } = config;
    // Trailing bytes from prior `feed()` calls that did not yet form a complete line.
    // Stored as an array of fragments and only joined when a line terminator arrives.
    // Concatenating per-feed (`prefix + chunk`) is O(N²) when a single SSE line spans
    // many chunks (e.g. a large `data:` payload streamed in tiny slices, or an MCP-style
    // server that emits one giant content block). Buffering as fragments + joining once
    // makes the same workload linear.
    const pendingFragments = [];
    // Running total of `pendingFragments` lengths, kept in sync with the array so the
    // `maxBufferSize` check doesn't have to walk the fragment list on every feed.
    let pendingFragmentsLength = 0;
    // Empty or partial leading BOM; undefined once the BOM check is complete.
    let bomPrefix = '';
    let id;
    let data = '';
    let dataLines = 0;
    let eventType;
    // Set after a `maxBufferSize` overflow. Once tripped, `feed()` throws until
    // `reset()` is called — see the comment on `maxBufferSize` in `ParserConfig`.
    let terminated = false;
    let skippingLine = false;
    // Set when a line (parsed or discarded) was terminated by a trailing `\r` at the very
    // end of a chunk. That `\r` is ambiguous: it may be a bare-CR terminator or the first
    // half of a `\r\n` whose `\n` lands in the next chunk. The line itself is complete
    // either way, but we must remember to swallow a single leading `\n` from the next
    // chunk so the pair is treated as one terminator rather than a blank line (which
    // would dispatch an event prematurely).
    let skipNextLineFeed = false;
    /**
     * Feeds a chunk of the SSE stream to the parser. Any trailing bytes that do
     * not yet form a complete line are held back and prepended to the next chunk,
     * so callers can pass arbitrary slices of the stream without worrying about
     * line boundaries.
     *
     * Per the SSE spec, one leading UTF-8 BOM is stripped before parsing,
     * even when split across chunks. This handles both the raw 3-byte form (0xEF 0xBB
     * 0xBF) and a single decoded U+FEFF, so a leading BOM is ignored regardless of
     * how the caller decoded the bytes.
     *
     * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
     */
    function feed(chunk) {
        if (terminated) {
            throw new Error('Cannot feed parser: it was terminated after exceeding the configured max buffer size. Call `reset()` to resume parsing.');
        }
        if (bomPrefix !== undefined) {
            chunk = bomPrefix + chunk;
            // Wait only while the input could still be a raw BOM. Empty chunks must
            // not finish the check, and a mismatched prefix must remain ordinary input.
            if (chunk === '' || chunk === '\xEF' || chunk === '\xEF\xBB') {
                bomPrefix = chunk;
                return;
            }
            bomPrefix = undefined;
            // Strip exactly one leading BOM, in decoded or raw byte-valued form.
            chunk = chunk.replace(/^(?:\uFEFF|\xEF\xBB\xBF)/, '');
        }
        // Rare resume states from a prior chunk boundary: a pending `\r\n` split or a
        // line being discarded. Single combined check keeps the hot path to one branch;
        // the actual handling lives out-of-line in `resumeAfterSkip`.
        if (skippingLine || skipNextLineFeed) {
            chunk = resumeAfterSkip(chunk);
            if (!chunk) {
                return;
            }
        }
        // Hot path: no buffered prefix from a prior partial line. Hand the chunk
        // straight to `processLines`, exactly like the original implementation.
        // Zero new work in the common case (every chunk ends with `\n\n`).
        if (!pendingFragments.length) {
            const trailing = processLines(chunk);
            if (trailing !== '') {
                storeTrailing(trailing);
            }
            checkForBufferOverflow();
            return;
        }
        // We have a buffered prefix. If this chunk also has no terminator, append
        // to the buffer without concatenating — that's the O(N²) trap we're
        // avoiding (large single `data:` payload split across many tiny chunks).
        if (chunk.indexOf('\n') === -1 && chunk.indexOf('\r') === -1) {
            if (pendingFragmentsLength < MAX_FIELD_PREFIX_LENGTH) {
                const head = pendingFragments.join('') +
                    chunk.slice(0, MAX_FIELD_PREFIX_LENGTH - pendingFragmentsLength);
                if (!shouldBufferTrailing(head)) {
                    pendingFragments.length = 0;
                    pendingFragmentsLength = 0;
                    skippingLine = true;
                    return;
                }
            }
            pendingFragments.push(chunk);
            pendingFragmentsLength += chunk.length;
            checkForBufferOverflow();
            return;
        }
        // Terminator arrived. Join the accumulated fragments + this chunk once,
        // process, and buffer any new trailing partial line.
        pendingFragments.push(chunk);
        const input = pendingFragments.join('');
        pendingFragments.length = 0;
        pendingFragmentsLength = 0;
        storeTrailing(processLines(input));
        checkForBufferOverflow();
    }
    // Out-of-line handler for the rare post-boundary states. `skipNextLineFeed` means a
    // line (parsed or discarded) ended with a trailing `\r` at the previous chunk boundary,
    // so a single leading `\n` must be swallowed to consume a split `\r\n` as one terminator.
    // `skippingLine` means we are discarding an invalid line until its terminator arrives.
    // The two states are mutually exclusive. Returns the remaining chunk to parse ('' if
    // this chunk was fully consumed).
    function resumeAfterSkip(chunk) {
        if (chunk.length === 0) {
            return chunk;
        }
        if (skipNextLineFeed) {
            skipNextLineFeed = false;
            return chunk.charCodeAt(0) === LF ? chunk.slice(1) : chunk;
        }
        const crIndex = chunk.indexOf('\r');
        const lfIndex = chunk.indexOf('\n');
        const lineEnd = crIndex === -1 ? lfIndex : lfIndex === -1 ? crIndex : crIndex < lfIndex ? crIndex : lfIndex;
        if (lineEnd === -1) {
            return '';
        }
        // Trailing `\r` at the very end of the chunk: defer the CRLF/CR decision to the
        // next chunk (see `skipNextLineFeed`) rather than greedily consuming just the `\r`.
        if (lineEnd === chunk.length - 1 && chunk.charCodeAt(lineEnd) === CR) {
            skippingLine = false;
            skipNextLineFeed = true;
            return '';
        }
        skippingLine = false;
        return chunk.slice(lineEnd + (chunk.charCodeAt(lineEnd) === CR && chunk.charCodeAt(lineEnd + 1) === LF ? 2 : 1));
    }
    function storeTrailing(trailing) {
        if (!trailing)
            return;
        // A trailing that ends with `\r` is not a partial line: the `\r` terminates it,
        // and only the CRLF-vs-CR ambiguity remains (the matching `\n` may start the next
        // chunk). Parse the completed line now — buffering it could grow unbounded through
        // the no-terminator append path, and discarding it would eat the terminator and
        // make skip mode swallow the next line.
        if (trailing.charCodeAt(trailing.length - 1) === CR) {
            parseLine(trailing, 0, trailing.length - 1);
            if (checkForBufferOverflow())
                return;
            skipNextLineFeed = true;
            return;
        }
        if (shouldBufferTrailing(trailing)) {
            pendingFragments.push(trailing);
            pendingFragmentsLength = trailing.length;
            return;
        }
        skippingLine = true;
    }
    function shouldBufferTrailing(trailing) {
        const firstCharCode = trailing.charCodeAt(0);
        return ((firstCharCode === 58 && !!onComment) ||
            (firstCharCode === 100 && isPotentialField(trailing, 'data')) ||
            (firstCharCode === 101 && isPotentialField(trailing, 'event')) ||
            (firstCharCode === 105 && isPotentialField(trailing, 'id')) ||
            (firstCharCode === 114 && isPotentialField(trailing, 'retry')));
    }
    // Returns true when parsing must stop for the current chunk (the parser was already
    // terminated or has just overflowed), and false when processing can continue.
    function checkForBufferOverflow() {
        if (terminated)
            return true;
        if (maxBufferSize === undefined)
            return false;
        if (pendingFragmentsLength + data.length <= maxBufferSize)
            return false;
        terminated = true;
        pendingFragments.length = 0;
        pendingFragmentsLength = 0;
        id = undefined;
        data = '';
        dataLines = 0;
        eventType = undefined;
        skippingLine = false;
        skipNextLineFeed = false;
        onError === null || onError === void 0 ? void 0 : onError(new ParseError(`Buffered data exceeded max buffer size of ${maxBufferSize} characters`, {
            type: 'max-buffer-size-exceeded',
        }));
        return true;
    }
    /**
     * Splits `chunk` into SSE lines and dispatches each to the appropriate handler.
     * Returns any trailing bytes that did not terminate with a line break, so the
     * caller can prepend them to the next chunk.
     *
     * The SSE spec permits three line terminators: `\n`, `\r`, and `\r\n`. Real-world
     * streams almost always use plain `\n`, so we take a fast path when no `\r` is
     * present in the chunk. The slow path is spec-correct but does more work per line.
     */
    function processLines(chunk) {
        let searchIndex = 0;
        // Fast path: LF-only chunk (the common case for typical SSE servers).
        // We can scan forward with a single `indexOf('\n')` per line and inline
        // the hot-path branches for `data:` and `event:` without the CR bookkeeping
        // the slow path needs.
        if (chunk.indexOf('\r') === -1) {
            let lfIndex = chunk.indexOf('\n', searchIndex);
            while (lfIndex !== -1) {
                // Blank line: end-of-event marker. Dispatch the accumulated event (if any)
                // and reset the buffered fields. This is hoisted out of `parseLine` because
                // it's the single most common line shape after `data:` lines.
                if (searchIndex === lfIndex) {
                    if (id !== undefined) {
                        onId === null || onId === void 0 ? void 0 : onId(id);
                    }
                    if (dataLines > 0) {
                        onEvent === null || onEvent === void 0 ? void 0 : onEvent({ id, event: eventType, data });
                    }
                    id = undefined;
                    data = '';
                    dataLines = 0;
                    eventType = undefined;
                    searchIndex = lfIndex + 1;
                    lfIndex = chunk.indexOf('\n', searchIndex);
                    continue;
                }
                const firstCharCode = chunk.charCodeAt(searchIndex);
                if (isDataPrefix(chunk, searchIndex, firstCharCode)) {
                    // `data:` line — append the value to the event's data buffer.
                    // 'data:'.length === 5, 'data: '.length === 6
                    const valueStart = chunk.charCodeAt(searchIndex + 5) === SPACE ? searchIndex + 6 : searchIndex + 5;
                    const value = chunk.slice(valueStart, lfIndex);
                    // Fast path within a fast path: if this is the first data line AND the
                    // next char is another LF (i.e. `data:foo\n\n`), dispatch immediately
                    // without ever writing to the `data` buffer. This is the shape of a
                    // typical single-line SSE event (ChatGPT-style streams, etc.) and is
                    // hot enough to be worth the duplication.
                    if (dataLines === 0 && chunk.charCodeAt(lfIndex + 1) === LF) {
                        if (id !== undefined) {
                            onId === null || onId === void 0 ? void 0 : onId(id);
                        }
                        onEvent === null || onEvent === void 0 ? void 0 : onEvent({ id, event: eventType, data: value });
                        id = undefined;
                        data = '';
                        eventType = undefined;
                        searchIndex = lfIndex + 2;
                        lfIndex = chunk.indexOf('\n', searchIndex);
                        continue;
                    }
                    // Multi-line data: concatenate with newline separator per spec.
                    data = dataLines === 0 ? value : `${data}\n${value}`;
                    dataLines++;
                }
                else if (isEventPrefix(chunk, searchIndex, firstCharCode)) {
                    // `event:` line — set the event type for the next dispatch. Per spec,
                    // an empty value resets `event type` to its default (undefined here).
                    // 'event:'.length === 6, 'event: '.length === 7
                    eventType =
                        chunk.slice(chunk.charCodeAt(searchIndex + 6) === SPACE ? searchIndex + 7 : searchIndex + 6, lfIndex) || undefined;
                }
                else {
                    // Everything else: `id:`, `retry:`, comment lines (`:` prefix), unknown
                    // fields, or malformed lines. These are rarer and go through the full
                    // per-line parser, which handles the SSE field grammar in detail.
                    parseLine(chunk, searchIndex, lfIndex);
                }
                if (checkForBufferOverflow())
                    return '';
                searchIndex = lfIndex + 1;
                lfIndex = chunk.indexOf('\n', searchIndex);
            }
            return chunk.slice(searchIndex);
        }
        // Slow path: the chunk contains at least one `\r`, so lines may be terminated
        // by `\r`, `\n`, or `\r\n`. We locate the next terminator by looking at both
        // the nearest `\r` and `\n` and picking whichever comes first.
        let crIndex = chunk.indexOf('\r', searchIndex);
        let lfIndex = chunk.indexOf('\n', searchIndex);
        while (searchIndex < chunk.length) {
            let lineEnd = -1;
            if (crIndex !== -1 && lfIndex !== -1) {
                lineEnd = crIndex < lfIndex ? crIndex : lfIndex;
            }
            else if (crIndex !== -1) {
                // A trailing `\r` at the very end of the chunk is ambiguous: it could be
                // a bare-CR terminator, or the first half of a `\r\n` whose `\n` arrives
                // in the next chunk. Defer until we see more input.
                if (crIndex === chunk.length - 1) {
                    lineEnd = -1;
                }
                else {
                    lineEnd = crIndex;
                }
            }
            else if (lfIndex !== -1) {
                lineEnd = lfIndex;
            }
            if (lineEnd === -1) {
                break;
            }
            parseLine(chunk, searchIndex, lineEnd);
            if (checkForBufferOverflow())
                return '';
            searchIndex = lineEnd + 1;
            // If we just consumed a `\r` and the next char is `\n`, skip it so the
            // pair is treated as a single terminator rather than an empty line.
            if (chunk.charCodeAt(searchIndex - 1) === CR && chunk.charCodeAt(searchIndex) === LF) {
                searchIndex++;
            }
            // Reuse unconsumed matches and failed searches instead of rescanning the suffix.
            if (crIndex !== -1 && crIndex < searchIndex) {
                crIndex = chunk.indexOf('\r', searchIndex);
            }
            if (lfIndex !== -1 && lfIndex < searchIndex) {
                lfIndex = chunk.indexOf('\n', searchIndex);
            }
        }
        return chunk.slice(searchIndex);
    }
    function parseLine(chunk, start, end) {
        if (start === end) {
            dispatchEvent();
            return;
        }
        const firstCharCode = chunk.charCodeAt(start);
        if (isDataPrefix(chunk, start, firstCharCode)) {
            // 'data:'.length === 5, 'data: '.length === 6
            const valueStart = chunk.charCodeAt(start + 5) === SPACE ? start + 6 : start + 5;
            const value = chunk.slice(valueStart, end);
            data = dataLines === 0 ? value : `${data}\n${value}`;
            dataLines++;
            return;
        }
        if (isEventPrefix(chunk, start, firstCharCode)) {
            // 'event:'.length === 6, 'event: '.length === 7
            eventType =
                chunk.slice(chunk.charCodeAt(start + 6) === SPACE ? start + 7 : start + 6, end) || undefined;
            return;
        }
        // Fast path for "id:" — 'i' = 105, 'd' = 100, ':' = 58
        if (firstCharCode === 105 &&
            chunk.charCodeAt(start + 1) === 100 &&
            chunk.charCodeAt(start + 2) === 58) {
            // 'id:'.length === 3, 'id: '.length === 4
            const value = chunk.slice(chunk.charCodeAt(start + 3) === SPACE ? start + 4 : start + 3, end);
            // If the field value does not contain U+0000 NULL, then set the `ID` buffer to
            // the field value. Otherwise, ignore the field.
            if (!value.includes('\0'))
                id = value;
            return;
        }
        // Comment line — ':' = 58
        if (firstCharCode === 58) {
            if (onComment) {
                const line = chunk.slice(start, end);
                // skip ':' (+1), or ': ' (+2) when a space follows
                onComment(line.slice(chunk.charCodeAt(start + 1) === SPACE ? 2 : 1));
            }
            return;
        }
        const line = chunk.slice(start, end);
        const fieldSeparatorIndex = line.indexOf(':');
        if (fieldSeparatorIndex === -1) {
            processField(line, '', line);
            return;
        }
        const field = line.slice(0, fieldSeparatorIndex);
        // skip ':' (+1), or ': ' (+2) when a space follows
        const offset = line.charCodeAt(fieldSeparatorIndex + 1) === SPACE ? 2 : 1;
        const value = line.slice(fieldSeparatorIndex + offset);
        processField(field, value, line);
    }
    function processField(field, value, line) {
        // Field names must be compared literally, with no case folding performed.
        switch (field) {
            case 'event':
                // Set the `event type` buffer to field value
                eventType = value || undefined;
                break;
            case 'data':
                data = dataLines === 0 ? value : `${data}\n${value}`;
                dataLines++;
                break;
            case 'id':
                // If the field value does not contain U+0000 NULL, then set the `ID` buffer to
                // the field value. Otherwise, ignore the field.
                if (!value.includes('\0'))
                    id = value;
                break;
            case 'retry':
                // If the field value consists of only ASCII digits, then interpret the field value as an
                // integer in base ten, and set the event stream's reconnection time to that integer.
                // Otherwise, ignore the field.
                if (/^\d+$/.test(value)) {
                    onRetry === null || onRetry === void 0 ? void 0 : onRetry(parseInt(value, 10));
                }
                else {
                    onError === null || onError === void 0 ? void 0 : onError(new ParseError(`Invalid \`retry\` value: "${value}"`, {
                        type: 'invalid-retry',
                        value,
                        line,
                    }));
                }
                break;
            default:
                // Otherwise, the field is ignored.
                onError === null || onError === void 0 ? void 0 : onError(new ParseError(`Unknown field "${field.length > 20 ? `${field.slice(0, 20)}…` : field}"`, { type: 'unknown-field', field, value, line }));
                break;
        }
    }
    function dispatchEvent() {
        if (id !== undefined) {
            onId === null || onId === void 0 ? void 0 : onId(id);
        }
        if (dataLines > 0) {
            onEvent === null || onEvent === void 0 ? void 0 : onEvent({
                id,
                event: eventType,
                data,
            });
        }
        id = undefined;
        data = '';
        dataLines = 0;
        eventType = undefined;
    }
    function reset(options = {}) {
        if (options.consume && pendingFragments.length > 0) {
            const incompleteLine = pendingFragments.join('');
            parseLine(incompleteLine, 0, incompleteLine.length);
        }
        bomPrefix = '';
        id = undefined;
        data = '';
        dataLines = 0;
        eventType = undefined;
        pendingFragments.length = 0;
        pendingFragmentsLength = 0;
        terminated = false;
        skippingLine = false;
        skipNextLineFeed = false;
    }
    return { feed, reset };
}
/**
 * Checks if `chunk` starts with the literal `data:` at index `i`.
 *
 * Equivalent to `chunk.startsWith('data:', i)`, but benchmarks show this
 * hand-unrolled char-code comparison is ~20% faster on common event types.
 * The caller passes `firstCharCode` (the code at `i`) so it can be reused
 * across prefix checks.
 *
 * ASCII: 'd' = 100, 'a' = 97, 't' = 116, 'a' = 97, ':' = 58
 */
function isDataPrefix(chunk, i, firstCharCode) {
    return (firstCharCode === 100 &&
        chunk.charCodeAt(i + 1) === 97 &&
        chunk.charCodeAt(i + 2) === 116 &&
        chunk.charCodeAt(i + 3) === 97 &&
        chunk.charCodeAt(i + 4) === 58);
}
/**
 * Checks if `chunk` starts with the literal `event:` at index `i`.
 *
 * See {@link isDataPrefix} for why this is hand-unrolled rather than using
 * `String.prototype.startsWith`.
 *
 * ASCII: 'e' = 101, 'v' = 118, 'e' = 101, 'n' = 110, 't' = 116, ':' = 58
 */
function isEventPrefix(chunk, i, firstCharCode) {
    return (firstCharCode === 101 &&
        chunk.charCodeAt(i + 1) === 118 &&
        chunk.charCodeAt(i + 2) === 101 &&
        chunk.charCodeAt(i + 3) === 110 &&
        chunk.charCodeAt(i + 4) === 116 &&
        chunk.charCodeAt(i + 5) === 58);
}
function isPotentialField(line, field) {
    let i = 1;
    while (i < line.length && i < field.length) {
        if (line.charCodeAt(i) !== field.charCodeAt(i)) {
            return false;
        }
        i++;
    }
    return line.length <= field.length || line.charCodeAt(field.length) === 58;
}
//# sourceMappingURL=parse.js.map

/***/ }),

/***/ 93361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  A: () => (/* binding */ remarkStringify)
});

// EXTERNAL MODULE: ./node_modules/mdast-util-phrasing/lib/index.js
var lib = __webpack_require__(29054);
// EXTERNAL MODULE: ./node_modules/zwitch/index.js
var zwitch = __webpack_require__(950);
;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/configure.js
/**
 * @import {Options, State} from './types.js'
 */

const own = {}.hasOwnProperty

/**
 * Configure a base state w/ an extension.
 *
 * @param {State} base
 *   Base state to configure.
 * @param {Options} extension
 *   Extension to apply.
 * @returns {State}
 *   Given `base`.
 */
function configure(base, extension) {
  let index = -1
  /** @type {keyof Options} */
  let key

  // First do subextensions.
  if (extension.extensions) {
    while (++index < extension.extensions.length) {
      configure(base, extension.extensions[index])
    }
  }

  for (key in extension) {
    if (own.call(extension, key)) {
      switch (key) {
        case 'extensions': {
          // Empty.
          break
        }

        /* c8 ignore next 4 */
        case 'unsafe': {
          list(base[key], extension[key])
          break
        }

        case 'join': {
          list(base[key], extension[key])
          break
        }

        case 'handlers': {
          map(base[key], extension[key])
          break
        }

        default: {
          // @ts-expect-error: matches.
          base.options[key] = extension[key]
        }
      }
    }
  }

  return base
}

/**
 * Merge arrays from the extension into the base state.
 *
 * @template T
 *   Kind.
 * @param {Array<T>} left
 *   List to merge into.
 * @param {Array<T> | null | undefined} right
 *   List to merge from.
 * @returns {undefined}
 *   Nothing.
 */
function list(left, right) {
  if (right) {
    left.push(...right)
  }
}

/**
 * Merge objects from the extension into the base state.
 *
 * @template T
 *   Kind.
 * @param {Record<string, T>} left
 *   Object to merge into.
 * @param {Record<string, T> | null | undefined} right
 *   Object to merge from.
 * @returns {undefined}
 *   Nothing.
 */
function map(left, right) {
  if (right) {
    Object.assign(left, right)
  }
}

// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/handle/index.js + 30 modules
var handle = __webpack_require__(92169);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/util/check-rule.js
var check_rule = __webpack_require__(63661);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/util/format-code-as-indented.js
var format_code_as_indented = __webpack_require__(74672);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/util/format-heading-as-setext.js
var format_heading_as_setext = __webpack_require__(28069);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/util/html-kind.js
var html_kind = __webpack_require__(59424);
;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/join.js
/**
 * @import {Join} from 'mdast-util-to-markdown'
 */






/** @type {Array<Join>} */
const join = [joinDefaults]

/**
 * Default join function.
 *
 * @type {Join}
 */
function joinDefaults(left, right, parent, state) {
  // Indented code after list or another indented code.
  if (
    right.type === 'code' &&
    (0,format_code_as_indented/* formatCodeAsIndented */.m)(right, state) &&
    (left.type === 'list' ||
      (left.type === right.type && (0,format_code_as_indented/* formatCodeAsIndented */.m)(left, state)))
  ) {
    return false
  }

  // Join children of a list or an item.
  // In which case, `parent` has a `spread` field.
  if ('spread' in parent && typeof parent.spread === 'boolean') {
    if (parent.spread) return 1

    // HTML that only ends at a blank line.
    if (left.type === 'html') {
      const kind = (0,html_kind/* htmlKind */.C)(left.value)
      if (kind === undefined || kind === 6 || kind === 7) return 1
    }

    if (left.type === 'blockquote' && right.type === 'blockquote') return 1

    // Lists with non-1 start would turn into a paragraph.
    if (
      (left.type === 'definition' || left.type === 'paragraph') &&
      right.type === 'list' &&
      ((right.ordered &&
        typeof right.start === 'number' &&
        right.start !== 1) ||
        (right.children.length > 0 && right.children[0].children.length === 0))
    ) {
      return 1
    }

    // Thematic break with dashes would turn into a setext heading.
    if (
      left.type === 'paragraph' &&
      right.type === 'thematicBreak' &&
      (0,check_rule/* checkRule */.T)(state) === '-' &&
      !state.options.ruleSpaces
    ) {
      return 1
    }

    // We have to “delve” into containers that form from the left margin.
    let tail = left

    while (
      (tail.type === 'blockquote' ||
        tail.type === 'list' ||
        tail.type === 'listItem') &&
      tail.children.length > 0
    ) {
      tail = tail.children[tail.children.length - 1]
    }

    if (tail.type !== 'definition' && tail.type !== 'paragraph') return 0

    // Indented code would turn into a paragraph.
    if (right.type === 'code' && (0,format_code_as_indented/* formatCodeAsIndented */.m)(right, state)) return 1

    // Kind 7 HTML would turn into a paragraph.
    if (right.type === 'html') {
      const kind = (0,html_kind/* htmlKind */.C)(right.value)
      if (kind === undefined || kind === 7) return 1
    }

    // Text joins the paragraph before it, also one at the end of a container.
    // Not a definition before it: definitions are parsed out of the start of
    // a paragraph, so they and the text after them are read back the same.
    if (
      (left.type === 'paragraph' || left !== tail) &&
      (right.type === 'definition' ||
        (right.type === 'heading' && (0,format_heading_as_setext/* formatHeadingAsSetext */.f)(right, state)) ||
        right.type === 'paragraph')
    ) {
      return 1
    }

    return 0
  }
}

;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/unsafe.js
/**
 * @import {ConstructName, Unsafe} from 'mdast-util-to-markdown'
 */

/**
 * List of constructs that occur in phrasing (paragraphs, headings), but cannot
 * contain things like attention (emphasis, strong), images, or links.
 * So they sort of cancel each other out.
 * Note: could use a better name.
 *
 * @type {Array<ConstructName>}
 */
const fullPhrasingSpans = [
  'autolink',
  'destinationLiteral',
  'destinationRaw',
  'reference',
  'titleQuote',
  'titleApostrophe'
]

/** @type {Array<Unsafe>} */
const unsafe = [
  {character: '\t', after: '[\\r\\n]', inConstruct: 'phrasing'},
  {character: '\t', before: '[\\r\\n]', inConstruct: 'phrasing'},
  {
    character: '\t',
    inConstruct: ['codeFencedLangGraveAccent', 'codeFencedLangTilde']
  },
  {
    character: '\r',
    inConstruct: [
      'codeFencedLangGraveAccent',
      'codeFencedLangTilde',
      'codeFencedMetaGraveAccent',
      'codeFencedMetaTilde',
      'destinationLiteral',
      'headingAtx'
    ]
  },
  {
    character: '\n',
    inConstruct: [
      'codeFencedLangGraveAccent',
      'codeFencedLangTilde',
      'codeFencedMetaGraveAccent',
      'codeFencedMetaTilde',
      'destinationLiteral',
      'headingAtx'
    ]
  },
  {character: '\r', before: '[\\r\\n]', inConstruct: 'phrasing'},
  {character: '\r', after: '\\r', inConstruct: 'phrasing'},
  {character: '\n', before: '\\n', inConstruct: 'phrasing'},
  {character: '\n', after: '[\\r\\n]', inConstruct: 'phrasing'},
  {character: ' ', after: '[\\r\\n]', inConstruct: 'phrasing'},
  {character: ' ', before: '[\\r\\n]', inConstruct: 'phrasing'},
  {
    character: ' ',
    inConstruct: ['codeFencedLangGraveAccent', 'codeFencedLangTilde']
  },
  // An exclamation mark can start an image, if it is followed by a link or
  // a link reference.
  {
    character: '!',
    after: '\\[',
    inConstruct: 'phrasing',
    notInConstruct: fullPhrasingSpans
  },
  // A quote can break out of a title.
  {character: '"', inConstruct: 'titleQuote'},
  // A number sign could start an ATX heading if it starts a line.
  {atBreak: true, character: '#'},
  {character: '#', inConstruct: 'headingAtx', after: '(?:[\r\n]|$)'},
  // Dollar sign and percentage are not used in markdown.
  // An ampersand could start a character reference.
  // Labels match on their source.
  {
    character: '&',
    after: '[#A-Za-z]',
    inConstruct: [
      'codeFencedLangGraveAccent',
      'codeFencedLangTilde',
      'codeFencedMetaGraveAccent',
      'codeFencedMetaTilde',
      'destinationLiteral',
      'destinationRaw',
      'phrasing',
      'titleApostrophe',
      'titleQuote'
    ]
  },
  // An apostrophe can break out of a title.
  {character: "'", inConstruct: 'titleApostrophe'},
  // A left paren could break out of a destination raw.
  {character: '(', inConstruct: 'destinationRaw'},
  // A left paren followed by `]` could make something into a link or image.
  {
    before: '\\]',
    character: '(',
    inConstruct: 'phrasing',
    notInConstruct: fullPhrasingSpans
  },
  // A right paren could start a list item or break out of a destination
  // raw.
  {atBreak: true, before: '\\d+', character: ')'},
  {character: ')', inConstruct: 'destinationRaw'},
  // An asterisk can start thematic breaks, list items, emphasis, strong.
  {atBreak: true, character: '*', after: '(?:[ \t\r\n*])'},
  {character: '*', inConstruct: 'phrasing', notInConstruct: fullPhrasingSpans},
  // A plus sign could start a list item.
  {atBreak: true, character: '+', after: '(?:[ \t\r\n])'},
  // A dash can start thematic breaks, list items, and setext heading
  // underlines.
  {atBreak: true, character: '-', after: '(?:[ \t\r\n-])'},
  // A dot could start a list item.
  {atBreak: true, before: '\\d+', character: '.', after: '(?:[ \t\r\n]|$)'},
  // Slash, colon, and semicolon are not used in markdown for constructs.
  // A less than can start html (flow or text) or an autolink.
  // HTML could start with an exclamation mark (declaration, cdata, comment),
  // slash (closing tag), question mark (instruction), or a letter (tag).
  // An autolink also starts with a letter.
  // Finally, it could break out of a destination literal.
  {atBreak: true, character: '<', after: '[!/?A-Za-z]'},
  {
    character: '<',
    after: '[!/?A-Za-z]',
    inConstruct: 'phrasing',
    notInConstruct: fullPhrasingSpans
  },
  {character: '<', inConstruct: 'destinationLiteral'},
  // An equals to can start setext heading underlines.
  {atBreak: true, character: '='},
  // A greater than can start block quotes and it can break out of a
  // destination literal.
  {atBreak: true, character: '>'},
  {character: '>', inConstruct: 'destinationLiteral'},
  // Question mark and at sign are not used in markdown for constructs.
  // A left bracket can start definitions, references, labels,
  {atBreak: true, character: '['},
  {character: '[', inConstruct: 'phrasing', notInConstruct: fullPhrasingSpans},
  {character: '[', inConstruct: ['label', 'reference']},
  // A backslash can start an escape (when followed by punctuation) or a
  // hard break (when followed by an eol).
  // Note: typical escapes are handled in `safe`!
  {character: '\\', after: '[\\r\\n]', inConstruct: 'phrasing'},
  // A right bracket can exit labels.
  {character: ']', inConstruct: ['label', 'reference']},
  // Caret is not used in markdown for constructs.
  // An underscore can start emphasis, strong, or a thematic break.
  {atBreak: true, character: '_'},
  {character: '_', inConstruct: 'phrasing', notInConstruct: fullPhrasingSpans},
  // A grave accent can start code (fenced or text), or it can break out of
  // a grave accent code fence.
  {atBreak: true, character: '`'},
  {
    character: '`',
    inConstruct: ['codeFencedLangGraveAccent', 'codeFencedMetaGraveAccent']
  },
  {character: '`', inConstruct: 'phrasing', notInConstruct: fullPhrasingSpans},
  // Left brace, vertical bar, right brace are not used in markdown for
  // constructs.
  // A tilde can start code (fenced).
  {atBreak: true, character: '~'},
  {character: '<', inConstruct: 'autolink'},
  {character: '>', inConstruct: 'autolink'},
  {character: '\u007F', inConstruct: 'autolink'}
]

// Also the low ASCII control characters including space.
let code = -1

while (++code < 33) {
  unsafe.push({character: String.fromCharCode(code), inConstruct: 'autolink'})
}

// EXTERNAL MODULE: ./node_modules/micromark-util-decode-string/index.js
var micromark_util_decode_string = __webpack_require__(79886);
;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/util/association.js
/**
 * @import {AssociationId} from '../types.js'
 */



/**
 * Get an identifier from an association to match it to others.
 *
 * Associations are nodes that match to something else through an ID:
 * <https://github.com/syntax-tree/mdast#association>.
 *
 * The `label` of an association is the string value: character escapes and
 * references work, and casing is intact.
 * The `identifier` is used to match one association to another:
 * controversially, character escapes and references don’t work in this
 * matching: `&copy;` does not match `©`, and `\+` does not match `+`.
 *
 * But casing is ignored (and whitespace) is trimmed and collapsed: ` A\nb`
 * matches `a b`.
 * So, we do prefer the label when figuring out how we’re going to serialize:
 * it has whitespace, casing, and we can ignore most useless character
 * escapes and all character references.
 *
 * @type {AssociationId}
 */
function association(node) {
  if (node.label || !node.identifier) {
    return node.label || ''
  }

  return (0,micromark_util_decode_string/* decodeString */.s)(node.identifier)
}

;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/util/compile-pattern.js
/**
 * @import {CompilePattern} from '../types.js'
 */

/**
 * Compiles a pattern object into a regular expression.
 *
 * @type {CompilePattern}
 */
function compilePattern(pattern) {
  if (!pattern._compiled) {
    const before =
      (pattern.atBreak ? '[\\r\\n][\\t ]*' : '') +
      (pattern.before ? '(?:' + pattern.before + ')' : '')

    pattern._compiled = new RegExp(
      (pattern.beforeNode ? '^' : before ? '(' + before + ')' : '') +
        (/[$()*+.?[\\\]^{|}]/.test(pattern.character) ? '\\' : '') +
        pattern.character +
        (pattern.afterNode
          ? '$'
          : pattern.after
            ? '(?:' + pattern.after + ')'
            : ''),
      pattern.unicode ? 'gu' : 'g'
    )
  }

  return pattern._compiled
}

// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/util/container-phrasing.js + 2 modules
var container_phrasing = __webpack_require__(23934);
;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/util/container-flow.js
/**
 * @import {State} from 'mdast-util-to-markdown'
 * @import {FlowChildren, FlowParents, TrackFields} from '../types.js'
 */

/**
 * Serialize the children of a parent that contains flow children.
 *
 * @param {FlowParents} parent
 *   Parent of flow nodes.
 * @param {State} state
 *   Info passed around about the current state.
 * @param {TrackFields} info
 *   Info on where we are in the document we are generating.
 * @returns {string}
 *   Serialized children, joined by (blank) lines.
 */
function containerFlow(parent, state, info) {
  const indexStack = state.indexStack
  const children = parent.children || []
  const tracker = state.createTracker(info)
  /** @type {Array<string>} */
  const results = []
  let index = -1

  indexStack.push(-1)

  while (++index < children.length) {
    const child = children[index]

    indexStack[indexStack.length - 1] = index

    results.push(
      tracker.move(
        state.handle(child, parent, state, {
          before: '\n',
          after: '\n',
          ...tracker.current()
        })
      )
    )

    if (child.type !== 'list') {
      state.bulletLastUsed = undefined
    }

    if (index < children.length - 1) {
      results.push(
        tracker.move(between(child, children[index + 1], parent, state))
      )
    }
  }

  indexStack.pop()

  return results.join('')
}

/**
 * Determine the markdown to insert between two flow nodes.
 *
 * @param {FlowChildren} left
 *   Left flow node.
 * @param {FlowChildren} right
 *   Right flow node.
 * @param {FlowParents} parent
 *   Parent of the flow nodes.
 * @param {State} state
 *   Info passed around.
 * @returns {string}
 *   Markdown to insert between the two flow nodes.
 */
function between(left, right, parent, state) {
  let index = state.join.length

  while (index--) {
    const result = state.join[index](left, right, parent, state)

    if (result === true || result === 1) {
      break
    }

    if (typeof result === 'number') {
      return '\n'.repeat(1 + result)
    }

    if (result === false) {
      return '\n\n<!---->\n\n'
    }
  }

  return '\n\n'
}

;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/util/indent-lines.js
/**
 * @import {IndentLines} from '../types.js'
 */

const eol = /\r?\n|\r/g

/**
 * Indents each line.
 *
 * @type {IndentLines}
 */
function indentLines(value, map) {
  /** @type {Array<string>} */
  const result = []
  let start = 0
  let line = 0
  /** @type {RegExpExecArray | null} */
  let match

  while ((match = eol.exec(value))) {
    one(value.slice(start, match.index))
    result.push(match[0])
    start = match.index + match[0].length
    line++
  }

  one(value.slice(start))

  return result.join('')

  /**
   * Indents a single line.
   *
   * @param {string} value
   *   Line.
   */
  function one(value) {
    result.push(map(value, line, !value))
  }
}

// EXTERNAL MODULE: ./node_modules/micromark-util-classify-character/index.js
var micromark_util_classify_character = __webpack_require__(64386);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/util/encode-character-reference.js
var encode_character_reference = __webpack_require__(7104);
// EXTERNAL MODULE: ./node_modules/mdast-util-to-markdown/lib/util/pattern-in-scope.js
var pattern_in_scope = __webpack_require__(91767);
;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/util/safe.js
/**
 * @import {Nodes} from 'mdast'
 * @import {SafeConfig, State, Unsafe} from 'mdast-util-to-markdown'
 */





const safe_own = {}.hasOwnProperty

/**
 * Make a string safe for embedding in markdown constructs.
 *
 * In markdown, almost all punctuation characters can, in certain cases,
 * result in something.
 * Whether they do is highly subjective to where they happen and in what
 * they happen.
 *
 * To solve this, `mdast-util-to-markdown` tracks:
 *
 * * characters before and after something;
 * * what “constructs” we are in.
 *
 * This information is then used by this function to escape or encode
 * special characters.
 *
 * @param {State} state
 *   Info passed around about the current state.
 * @param {string | null | undefined} input
 *   Raw value to make safe.
 * @param {SafeConfig} config
 *   Configuration.
 * @returns {string}
 *   Serialized markdown safe for embedding.
 */
function safe(state, input, config) {
  const value = (config.before || '') + (input || '') + (config.after || '')
  /** @type {Array<number>} */
  const positions = []
  /** @type {Array<string>} */
  const result = []
  /** @type {Record<number, {before: boolean, after: boolean}>} */
  const infos = {}
  // Character escapes and references do not work in autolinks, so
  // percent-encoding is used instead.
  const percentEncode = state.stack.includes('autolink')
  const offset = config.before ? config.before.length : 0
  const end = value.length - (config.after ? config.after.length : 0)
  let index = -1

  while (++index < state.unsafe.length) {
    const pattern = state.unsafe[index]

    if (
      !(0,pattern_in_scope/* patternInScope */.q)(state.stack, pattern) ||
      !nodeInScope(pattern.beforeNode, config.beforeNode) ||
      !nodeInScope(pattern.afterNode, config.afterNode)
    ) {
      continue
    }

    const expression = state.compilePattern(pattern)
    const from = pattern.beforeNode ? offset : 0
    const subject = value.slice(from, pattern.afterNode ? end : undefined)
    /** @type {RegExpExecArray | null} */
    let match

    while ((match = expression.exec(subject))) {
      const before = Boolean(pattern.before || pattern.atBreak)
      const after = Boolean(pattern.after)
      const position = from + match.index + (before ? match[1].length : 0)

      if (safe_own.call(infos, position)) {
        if (infos[position].before && !before) {
          infos[position].before = false
        }

        if (infos[position].after && !after) {
          infos[position].after = false
        }
      } else {
        positions.push(position)
        infos[position] = {before, after}
      }
    }
  }

  positions.sort(numerical)

  let start = offset
  index = -1

  while (++index < positions.length) {
    const position = positions[index]

    // Character before or after matched:
    if (position < start || position >= end) {
      continue
    }

    // Special handling for “intraword” underscores (`a_b`, `a__b`).
    // Those are different from asterisks in forming attention.
    // Note that `a _ b` also cannot form but not escaping it is very complex,
    // so that’s not handled.
    if (
      value.charAt(position) === '_' &&
      // Preceded by an unescaped character that is not punctuation or whitespace:
      position > 0 &&
      (0,micromark_util_classify_character/* classifyCharacter */.S)(value.charCodeAt(position - 1)) === undefined &&
      !safe_own.call(infos, position - 1) &&
      // Characters next to attention markers can become character references
      // later, turning `a` into `&#x61;`, so those do not count.
      !(position - 1 === offset && /[*_]/.test(value.charAt(offset - 1)))
    ) {
      let sequenceEnd = position + 1

      // Look for the whole run.
      while (sequenceEnd < end && value.charAt(sequenceEnd) === '_') {
        sequenceEnd++
      }

      const skip = sequenceEnd - position - 1

      if (
        // All underscores in the run are unsafe positions, so they can be
        // skipped.
        positions[index + skip] === sequenceEnd - 1 &&
        // Rest as above.
        sequenceEnd < value.length &&
        (0,micromark_util_classify_character/* classifyCharacter */.S)(value.charCodeAt(sequenceEnd)) === undefined &&
        !safe_own.call(infos, sequenceEnd) &&
        !(sequenceEnd === end - 1 && /[*_]/.test(value.charAt(end)))
      ) {
        index += skip
        continue
      }
    }

    // If this character is supposed to be escaped because it has a condition on
    // the next character, and the next character is definitly being escaped,
    // then skip this escape.
    if (
      (position + 1 < end &&
        positions[index + 1] === position + 1 &&
        infos[position].after &&
        !infos[position + 1].before &&
        !infos[position + 1].after) ||
      (position - 1 >= offset &&
        positions[index - 1] === position - 1 &&
        infos[position].before &&
        !infos[position - 1].before &&
        !infos[position - 1].after)
    ) {
      continue
    }

    if (start !== position) {
      const slice = value.slice(start, position)
      // If we have to use a character reference, an ampersand would be more
      // correct, but as backslashes only care about punctuation, either will
      // do the trick
      result.push(percentEncode ? slice : escapeBackslashes(slice, '\\'))
    }

    start = position + 1

    // Percent-encoding such as `%20`.
    if (percentEncode) {
      result.push(
        '%' +
          value.charCodeAt(position).toString(16).toUpperCase().padStart(2, '0')
      )
    } else if (
      /[!-/:-@[-`{-~]/.test(value.charAt(position)) &&
      (!config.encode || !config.encode.includes(value.charAt(position)))
    ) {
      // Character escape.
      result.push('\\' + value.charAt(position))
    } else {
      // Character reference.
      result.push((0,encode_character_reference/* encodeCharacterReference */.T)(value.charCodeAt(position)))
    }
  }

  const rest = value.slice(start, end)
  result.push(percentEncode ? rest : escapeBackslashes(rest, config.after))

  return result.join('')
}

/**
 * Check if a node matches the node types of a pattern.
 *
 * @param {Array<Nodes['type']> | Nodes['type'] | null | undefined} types
 *   Node types.
 * @param {Nodes | undefined} node
 *   Node.
 * @returns {boolean}
 *   Whether `node` matches `types`.
 */
function nodeInScope(types, node) {
  if (!types) return true
  if (!node) return false
  return typeof types === 'string'
    ? types === node.type
    : types.includes(node.type)
}

/**
 * Compare two numbers.
 *
 * @param {number} a
 *   Number.
 * @param {number} b
 *   Other number.
 * @returns {number}
 *   Result.
 */
function numerical(a, b) {
  return a - b
}

/**
 * Escape backslashes in a string, considering characters that follow.
 *
 * @param {string} value
 *   Value.
 * @param {string} after
 *   Characters that follow the value.
 * @returns {string}
 *   Escaped string.
 */
function escapeBackslashes(value, after) {
  const expression = /\\(?=[!-/:-@[-`{-~])/g
  /** @type {Array<number>} */
  const positions = []
  /** @type {Array<string>} */
  const results = []
  const whole = value + after
  let index = -1
  let start = 0
  /** @type {RegExpExecArray | null} */
  let match

  while ((match = expression.exec(whole))) {
    positions.push(match.index)
  }

  while (++index < positions.length) {
    if (start !== positions[index]) {
      results.push(value.slice(start, positions[index]))
    }

    results.push('\\')
    start = positions[index]
  }

  results.push(value.slice(start))

  return results.join('')
}

;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/util/track.js
/**
 * @import {CreateTracker, TrackCurrent, TrackMove, TrackShift} from '../types.js'
 */

/**
 * Track positional info in the output.
 *
 * @type {CreateTracker}
 */
function track(config) {
  // Defaults are used to prevent crashes when older utilities somehow activate
  // this code.
  /* c8 ignore next 5 */
  const options = config || {}
  const now = options.now || {}
  let lineShift = options.lineShift || 0
  let line = now.line || 1
  let column = now.column || 1

  return {move, current, shift}

  /**
   * Get the current tracked info.
   *
   * @type {TrackCurrent}
   */
  function current() {
    return {now: {line, column}, lineShift}
  }

  /**
   * Define an increased line shift (the typical indent for lines).
   *
   * @type {TrackShift}
   */
  function shift(value) {
    lineShift += value
  }

  /**
   * Move past some generated markdown.
   *
   * @type {TrackMove}
   */
  function move(input) {
    // eslint-disable-next-line unicorn/prefer-default-parameters
    const value = input || ''
    const chunks = value.split(/\r?\n|\r/g)
    const tail = chunks[chunks.length - 1]
    line += chunks.length - 1
    column =
      chunks.length === 1 ? column + tail.length : 1 + tail.length + lineShift
    return value
  }
}

;// CONCATENATED MODULE: ./node_modules/mdast-util-to-markdown/lib/index.js
/**
 * @import {Info, Join, Options, SafeConfig, State} from 'mdast-util-to-markdown'
 * @import {Nodes} from 'mdast'
 * @import {Enter, FlowParents, PhrasingParents, TrackFields} from './types.js'
 */















/**
 * Turn an mdast syntax tree into markdown.
 *
 * @param {Nodes} tree
 *   Tree to serialize.
 * @param {Options | null | undefined} [options]
 *   Configuration (optional).
 * @returns {string}
 *   Serialized markdown representing `tree`.
 */
function toMarkdown(tree, options) {
  const settings = options || {}
  /** @type {State} */
  const state = {
    associationId: association,
    bulletCurrent: undefined,
    bulletLastUsed: undefined,
    containerPhrasing: containerPhrasingBound,
    containerFlow: containerFlowBound,
    createTracker: track,
    compilePattern: compilePattern,
    enter,
    // @ts-expect-error: GFM / frontmatter are typed in `mdast` but not defined
    // here.
    handlers: {...handle/* handle */.p},
    // @ts-expect-error: add `handle` in a second.
    handle: undefined,
    indentLines: indentLines,
    indexStack: [],
    join: [...join],
    options: {},
    safe: safeBound,
    stack: [],
    unsafe: [...unsafe]
  }

  configure(state, settings)

  if (state.options.tightDefinitions) {
    state.join.push(joinDefinition)
  }

  state.handle = (0,zwitch/* zwitch */.A)('type', {
    invalid,
    unknown,
    handlers: state.handlers
  })

  let result = state.handle(
    (0,lib/* phrasing */.f)(tree) ? {type: 'root', children: [tree]} : tree,
    undefined,
    state,
    {before: '\n', after: '\n', now: {line: 1, column: 1}, lineShift: 0}
  )

  if (
    result &&
    result.charCodeAt(result.length - 1) !== 10 &&
    result.charCodeAt(result.length - 1) !== 13
  ) {
    result += '\n'
  }

  return result

  /**
   * Enter a construct.
   *
   * @type {Enter}
   */
  function enter(name) {
    state.stack.push(name)
    return exit

    /**
     * Exit a construct.
     *
     * @returns {undefined}
     *   Nothing.
     */
    function exit() {
      state.stack.pop()
    }
  }
}

/**
 * Handle an invalid value that cannot be processed.
 *
 * @param {unknown} value
 *   Value.
 * @returns {never}
 *   Never.
 * @throws {Error}
 *   Always.
 */
function invalid(value) {
  throw new Error('Cannot handle value `' + value + '`, expected node')
}

/**
 * Handle an unknown node.
 *
 * @param {unknown} value
 *   Value.
 * @returns {never}
 *   Never.
 * @throws {Error}
 *   Always.
 */
function unknown(value) {
  // Always a node.
  const node = /** @type {Nodes} */ (value)
  throw new Error('Cannot handle unknown node `' + node.type + '`')
}

/**
 * Join function for `tightDefinitions` option.
 *
 * @type {Join}
 */
function joinDefinition(left, right) {
  // No blank line between adjacent definitions.
  if (left.type === 'definition' && left.type === right.type) {
    return 0
  }
}

/**
 * Serialize the children of a parent that contains phrasing children.
 *
 * These children will be joined flush together.
 *
 * @this {State}
 *   Info passed around about the current state.
 * @param {PhrasingParents} parent
 *   Parent of flow nodes.
 * @param {Info} info
 *   Info on where we are in the document we are generating.
 * @returns {string}
 *   Serialized children, joined together.
 */
function containerPhrasingBound(parent, info) {
  return (0,container_phrasing/* containerPhrasing */.UA)(parent, this, info)
}

/**
 * Serialize the children of a parent that contains flow children.
 *
 * These children will typically be joined by blank lines.
 * What they are joined by exactly is defined by `Join` functions.
 *
 * @this {State}
 *   Info passed around about the current state.
 * @param {FlowParents} parent
 *   Parent of flow nodes.
 * @param {TrackFields} info
 *   Info on where we are in the document we are generating.
 * @returns {string}
 *   Serialized children, joined by (blank) lines.
 */
function containerFlowBound(parent, info) {
  return containerFlow(parent, this, info)
}

/**
 * Make a string safe for embedding in markdown constructs.
 *
 * In markdown, almost all punctuation characters can, in certain cases,
 * result in something.
 * Whether they do is highly subjective to where they happen and in what
 * they happen.
 *
 * To solve this, `mdast-util-to-markdown` tracks:
 *
 * * Characters before and after something;
 * * What “constructs” we are in.
 *
 * This information is then used by this function to escape or encode
 * special characters.
 *
 * @this {State}
 *   Info passed around about the current state.
 * @param {string | null | undefined} value
 *   Raw value to make safe.
 * @param {SafeConfig} config
 *   Configuration.
 * @returns {string}
 *   Serialized markdown safe for embedding.
 */
function safeBound(value, config) {
  return safe(this, value, config)
}

;// CONCATENATED MODULE: ./node_modules/remark-stringify/lib/index.js
/**
 * @typedef {import('mdast').Root} Root
 * @typedef {import('mdast-util-to-markdown').Options} ToMarkdownOptions
 * @typedef {import('unified').Compiler<Root, string>} Compiler
 * @typedef {import('unified').Processor<undefined, undefined, undefined, Root, string>} Processor
 */

/**
 * @typedef {Omit<ToMarkdownOptions, 'extensions'>} Options
 */



/**
 * Add support for serializing to markdown.
 *
 * @param {Readonly<Options> | null | undefined} [options]
 *   Configuration (optional).
 * @returns {undefined}
 *   Nothing.
 */
function remarkStringify(options) {
  /** @type {Processor} */
  // @ts-expect-error: TS in JSDoc generates wrong types if `this` is typed regularly.
  const self = this

  self.compiler = compiler

  /**
   * @type {Compiler}
   */
  function compiler(tree) {
    return toMarkdown(tree, {
      ...self.data('settings'),
      ...options,
      // Note: this option is not in the readme.
      // The goal is for it to be set by plugins on `data` instead of being
      // passed by users.
      extensions: self.data('toMarkdownExtensions') || []
    })
  }
}


/***/ }),

/***/ 64377:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   w$: () => (/* binding */ datetime)
/* harmony export */ });
/* unused harmony exports date, time, duration */
/* harmony import */ var _core_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(43759);
/* harmony import */ var _schemas_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(27597);



function datetime(params) {
    return _core_index_js__WEBPACK_IMPORTED_MODULE_0__/* ._isoDateTime */ .G1(_schemas_js__WEBPACK_IMPORTED_MODULE_1__/* .ZodISODateTime */ .You, params);
}
function date(params) {
    return core._isoDate(ZodISODate, params);
}
function time(params) {
    return core._isoTime(ZodISOTime, params);
}
function duration(params) {
    return core._isoDuration(ZodISODuration, params);
}


/***/ }),

/***/ 950:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ zwitch)
/* harmony export */ });
/**
 * @callback Handler
 *   Handle a value, with a certain ID field set to a certain value.
 *   The ID field is passed to `zwitch`, and it’s value is this function’s
 *   place on the `handlers` record.
 * @param {...any} parameters
 *   Arbitrary parameters passed to the zwitch.
 *   The first will be an object with a certain ID field set to a certain value.
 * @returns {any}
 *   Anything!
 */

/**
 * @callback UnknownHandler
 *   Handle values that do have a certain ID field, but it’s set to a value
 *   that is not listed in the `handlers` record.
 * @param {unknown} value
 *   An object with a certain ID field set to an unknown value.
 * @param {...any} rest
 *   Arbitrary parameters passed to the zwitch.
 * @returns {any}
 *   Anything!
 */

/**
 * @callback InvalidHandler
 *   Handle values that do not have a certain ID field.
 * @param {unknown} value
 *   Any unknown value.
 * @param {...any} rest
 *   Arbitrary parameters passed to the zwitch.
 * @returns {void|null|undefined|never}
 *   This should crash or return nothing.
 */

/**
 * @template {InvalidHandler} [Invalid=InvalidHandler]
 * @template {UnknownHandler} [Unknown=UnknownHandler]
 * @template {Record<string, Handler>} [Handlers=Record<string, Handler>]
 * @typedef Options
 *   Configuration (required).
 * @property {Invalid} [invalid]
 *   Handler to use for invalid values.
 * @property {Unknown} [unknown]
 *   Handler to use for unknown values.
 * @property {Handlers} [handlers]
 *   Handlers to use.
 */

const own = {}.hasOwnProperty

/**
 * Handle values based on a field.
 *
 * @template {InvalidHandler} [Invalid=InvalidHandler]
 * @template {UnknownHandler} [Unknown=UnknownHandler]
 * @template {Record<string, Handler>} [Handlers=Record<string, Handler>]
 * @param {string} key
 *   Field to switch on.
 * @param {Options<Invalid, Unknown, Handlers>} [options]
 *   Configuration (required).
 * @returns {{unknown: Unknown, invalid: Invalid, handlers: Handlers, (...parameters: Parameters<Handlers[keyof Handlers]>): ReturnType<Handlers[keyof Handlers]>, (...parameters: Parameters<Unknown>): ReturnType<Unknown>}}
 */
function zwitch(key, options) {
  const settings = options || {}

  /**
   * Handle one value.
   *
   * Based on the bound `key`, a respective handler will be called.
   * If `value` is not an object, or doesn’t have a `key` property, the special
   * “invalid” handler will be called.
   * If `value` has an unknown `key`, the special “unknown” handler will be
   * called.
   *
   * All arguments, and the context object, are passed through to the handler,
   * and it’s result is returned.
   *
   * @this {unknown}
   *   Any context object.
   * @param {unknown} [value]
   *   Any value.
   * @param {...unknown} parameters
   *   Arbitrary parameters passed to the zwitch.
   * @property {Handler} invalid
   *   Handle for values that do not have a certain ID field.
   * @property {Handler} unknown
   *   Handle values that do have a certain ID field, but it’s set to a value
   *   that is not listed in the `handlers` record.
   * @property {Handlers} handlers
   *   Record of handlers.
   * @returns {unknown}
   *   Anything.
   */
  function one(value, ...parameters) {
    /** @type {Handler|undefined} */
    let fn = one.invalid
    const handlers = one.handlers

    if (value && own.call(value, key)) {
      // @ts-expect-error Indexable.
      const id = String(value[key])
      // @ts-expect-error Indexable.
      fn = own.call(handlers, id) ? handlers[id] : one.unknown
    }

    if (fn) {
      return fn.call(this, value, ...parameters)
    }
  }

  one.handlers = settings.handlers || {}
  one.invalid = settings.invalid
  one.unknown = settings.unknown

  // @ts-expect-error: matches!
  return one
}


/***/ })

};
