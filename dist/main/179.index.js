export const id = 179;
export const ids = [179];
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

/***/ 68453:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ik: () => (/* binding */ requireWritable),
/* harmony export */   sL: () => (/* binding */ readWorkspaceFile),
/* harmony export */   sv: () => (/* binding */ resolveInsideWorkspace)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(45119);
/** Folders of the workspace that the action writes to. */



/**
 * The real path of a folder inside the workspace, which need not exist yet; a link that leads out of the workspace counts
 * as outside.
 *
 * @throws {InputError} naming the input
 */
async function resolveInsideWorkspace(path, { workspace, input }) {
    const root = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(workspace);
    const resolved = await realpathOfFuture((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(root, path));
    const inner = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(root, resolved);
    const isOutside = inner === ".." || inner.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_1__.sep}`) || (0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(inner);
    if (inner !== "" && !isOutside)
        return resolved;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` must be a folder inside the workspace.`]);
}
/**
 * The text of a file in the workspace. A link that leads out of it counts as outside: a checked-out repository must not
 * choose what else of the machine is read.
 *
 * @throws {InputError} naming the input
 */
async function readWorkspaceFile(path, { workspace, input, maxBytes, }) {
    const root = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(workspace);
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(root, path)).catch(() => undefined);
    if (file === undefined || !file.startsWith(root + node_path__WEBPACK_IMPORTED_MODULE_1__.sep)) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` must be the path of a file inside the workspace.`]);
    }
    const facts = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(file);
    if (!facts.isFile())
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` is not a file.`]);
    if (facts.size > maxBytes)
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` is larger than ${maxBytes} bytes.`]);
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(file, "utf8");
}
/**
 * Makes the folder, so that a folder that cannot be written to is found before anything is started.
 *
 * @throws {InputError} naming the input
 */
async function requireWritable(folder, { input }) {
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)(folder, { recursive: true });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.access)(folder, node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.constants.W_OK);
    }
    catch (error) {
        const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([`\`${input}\` cannot be used as a folder to write to${reason}.`]);
    }
}
async function realpathOfFuture(path) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(path);
    }
    catch (error) {
        const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!isMissing || (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path) === path)
            throw error;
        return (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await realpathOfFuture((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path)), (0,node_path__WEBPACK_IMPORTED_MODULE_1__.basename)(path));
    }
}


/***/ }),

/***/ 44179:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  exportStep: () => (/* binding */ exportStep)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(45119);
;// CONCATENATED MODULE: ./.build/lib/bundle/errors.js

/** A bundle that could not be fetched, is not what was promised, or must not be unpacked. */
class BundleError extends errors/* ActionError */.lZ {
    name = "BundleError";
    constructor(code, message, details = {}) {
        super(code, message, details);
    }
}
/** The archive is damaged, cut or not an archive. */
function corrupt(message, cause) {
    return new BundleError("bundle-corrupt", message, { cause });
}
/** The archive is whole but must not be unpacked. */
function unsafe(message) {
    return new BundleError("unsafe-archive", message);
}
/** Translates what the operating system says about a write of ours; anything else is returned as it is. */
function fromWriteError(error, path) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOSPC" || code === "EDQUOT") {
        return new BundleError("disk-full", `The disk is full: writing ${path} failed (${code}).`, {
            cause: error,
        });
    }
    if (["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(code)) {
        return new BundleError("unsafe-archive", `Two entries of the archive clash at ${path} (${code}).`, {
            cause: error,
        });
    }
    if (!/^E[A-Z0-9]+$/.test(code))
        return error;
    return new BundleError("disk-full", `Writing ${path} failed (${code}).`, {
        cause: error,
        hint: "The runner's disk refuses to be written. Choose an `output-dir` on another disk.",
    });
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(38522);
;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/checksums.js


const digestNames = {
    md5: "md5",
    sha: "sha1",
    "sha-256": "sha256",
    "sha-512": "sha512",
};
/**
 * The checksums of the whole object in an answer's head.
 *
 * @param isWhole whether the answer's body is the whole object; some fields are about the body only
 */
function readChecksums({ headers }, isWhole) {
    return [
        // RFC 9530 (structured fields, `sha-256=:…:`) and RFC 3230 before it.
        ...listOf("repr-digest", headers, /([a-z0-9-]+)=:([A-Za-z0-9+/=]+):/gi),
        ...listOf("digest", headers, /([a-z0-9-]+)=([A-Za-z0-9+/=]+)/gi),
        ...listOf("x-goog-hash", headers, /(md5)=([A-Za-z0-9+/=]+)/gi),
        ...single("x-ms-blob-content-md5", headers, "md5"),
        ...(isWhole ? single("content-md5", headers, "md5") : []),
        ...(isWhole ? amazonChecksums(headers) : []),
    ];
}
function listOf(field, headers, pattern) {
    return [...(headers.get(field) ?? "").matchAll(pattern)].flatMap(([, name, base64]) => {
        const algorithm = digestNames[(name ?? "").toLowerCase()];
        return algorithm && base64 ? [{ algorithm, base64, field }] : [];
    });
}
function single(field, headers, algorithm) {
    const base64 = headers.get(field)?.trim();
    // A dash marks a checksum of checksums: the object was uploaded in parts.
    return base64 && !base64.includes("-") ? [{ algorithm, base64, field }] : [];
}
function amazonChecksums(headers) {
    if (headers.get("x-amz-checksum-type")?.toUpperCase() === "COMPOSITE")
        return [];
    return ["sha256", "sha1", "crc32"].flatMap((algorithm) => single(`x-amz-checksum-${algorithm}`, headers, algorithm));
}
/** Starts computing SHA-256 and what else is asked for. */
function createDigester(algorithms) {
    const wanted = new Set(["sha256", ...algorithms]);
    const hashes = [...wanted].flatMap((algorithm) => algorithm === "crc32" ? [] : [{ algorithm, hash: (0,external_node_crypto_.createHash)(algorithm) }]);
    let crc = 0;
    return {
        update(chunk) {
            for (const { hash } of hashes)
                hash.update(chunk);
            if (wanted.has("crc32"))
                crc = (0,external_node_zlib_.crc32)(chunk, crc);
        },
        digest() {
            const crcBytes = Buffer.alloc(4);
            crcBytes.writeUInt32BE(crc);
            return new Map([
                ...hashes.map(({ algorithm, hash }) => [algorithm, hash.digest()]),
                ...(wanted.has("crc32") ? [["crc32", crcBytes]] : []),
            ]);
        },
    };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/archive-limits.js

/** Limits that real sites stay far below and decompression bombs do not. */
const defaultArchiveLimits = {
    maxEntries: 1_000_000,
    maxTotalBytes: 10_240 * 1_000_000,
    maxRatio: 200,
    ratioFreeBytes: 64 * 1024 * 1024,
};
/** Starts counting one archive. */
function createArchiveBudget(limits) {
    let entries = 0;
    let totalBytes = 0;
    return {
        get entries() {
            return entries;
        },
        get totalBytes() {
            return totalBytes;
        },
        addEntry() {
            entries += 1;
            if (entries > limits.maxEntries) {
                throw unsafe(`The archive holds more than ${limits.maxEntries} entries.`);
            }
        },
        addOutput(bytes, consumed) {
            totalBytes += bytes;
            if (totalBytes > limits.maxTotalBytes) {
                throw new BundleError("bundle-too-large", `The archive unpacks to more than ${limits.maxTotalBytes} bytes.`);
            }
            if (totalBytes > limits.ratioFreeBytes && totalBytes > consumed * limits.maxRatio) {
                throw unsafe(`The archive is a decompression bomb: ${consumed} bytes of it unpack to ${totalBytes}, more than ${limits.maxRatio} times as much.`);
            }
        },
    };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/archive-sink.js
/** Throws every byte away; for verification. */
const discardSink = {
    directory: ignore,
    startFile: ignore,
    data: ignore,
    endFile: ignore,
};
function ignore() {
    // Verification looks at the bytes before they get here.
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/byte-source.js

/** A finished file as a source. */
function byte_source_createFileSource(file) {
    return {
        async size() {
            return (await file.stat()).size;
        },
        async read(buffer, position) {
            return (await file.read(buffer, 0, buffer.length, position)).bytesRead;
        },
    };
}
const chunkBytes = 256 * 1024;
/**
 * Streams a stretch of a source. A chunk is valid until the one after the next is asked for: two buffers take turns,
 * so that one can be read while the other is used.
 *
 * @throws {BundleError} when the source ends before the stretch does
 */
async function* streamRange(source, { start, end }) {
    const length = Math.min(chunkBytes, end - start);
    let current = Buffer.allocUnsafeSlow(length);
    let next = Buffer.allocUnsafeSlow(length);
    let position = start;
    let reading = source.read(current.subarray(0, end - position), position);
    while (position < end) {
        const bytesRead = await reading;
        if (bytesRead === 0)
            throw corrupt(`The archive ends at byte ${position} instead of ${end}.`);
        position += bytesRead;
        const chunk = current.subarray(0, bytesRead);
        [current, next] = [next, current];
        reading =
            position < end ? source.read(current.subarray(0, end - position), position) : Promise.resolve(0);
        // Whoever stops early never awaits it.
        reading.catch(() => undefined);
        yield chunk;
    }
}
/** Fills the whole buffer from `position`. */
async function readFully(source, buffer, position) {
    let filled = 0;
    while (filled < buffer.length) {
        const bytesRead = await source.read(buffer.subarray(filled), position + filled);
        if (bytesRead === 0)
            throw corrupt(`The archive ends at byte ${position + filled}, too early.`);
        filled += bytesRead;
    }
}
/** Opens a window of `windowBytes` that never looks beyond `limit`. */
function createByteWindow(source, { windowBytes, limit }) {
    const buffer = Buffer.allocUnsafe(windowBytes);
    let start = 0;
    let filled = 0;
    return {
        peek(position, length) {
            const offset = position - start;
            return offset >= 0 && offset + length <= filled ? buffer.subarray(offset, offset + length) : undefined;
        },
        async fill(position, length) {
            if (position + length > limit) {
                throw corrupt(`A part of ${length} bytes at byte ${position} goes beyond where it must end (${limit}).`);
            }
            filled = 0;
            const wanted = Math.min(windowBytes, limit - position);
            await readFully(source, buffer.subarray(0, wanted), position);
            start = position;
            filled = wanted;
            return buffer.subarray(0, length);
        },
    };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/detect-format.js

const sniffBytes = 512;
const foreignFormats = [
    { name: "a Zstandard archive", magic: [0x28, 0xb5, 0x2f, 0xfd] },
    { name: "an xz archive", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
    { name: "a bzip2 archive", magic: [0x42, 0x5a, 0x68] },
    { name: "a 7-Zip archive", magic: [0x37, 0x7a, 0xbc, 0xaf] },
    { name: "a RAR archive", magic: [0x52, 0x61, 0x72, 0x21] },
    { name: "a PDF", magic: [0x25, 0x50, 0x44, 0x46] },
];
/**
 * Tells the kind of an archive by its first bytes; names and media types lie.
 *
 * @throws {BundleError} `bundle-corrupt`, naming what the file is instead
 */
async function detectFormat(source) {
    const buffer = Buffer.alloc(sniffBytes);
    let filled = 0;
    while (filled < sniffBytes) {
        const bytesRead = await source.read(buffer.subarray(filled), filled);
        if (bytesRead === 0)
            break;
        filled += bytesRead;
    }
    return classify(buffer.subarray(0, filled));
}
function classify(start) {
    if (startsWith(start, [0x1f, 0x8b]))
        return "tar.gz";
    if (startsWith(start, [0x50, 0x4b, 3, 4]) || startsWith(start, [0x50, 0x4b, 5, 6]))
        return "zip";
    throw corrupt(`The bundle is ${nameOf(start)}, not a zip or tar.gz archive.`);
}
function nameOf(start) {
    if (start.length === 0)
        return "empty (0 bytes)";
    const foreign = foreignFormats.find(({ magic }) => startsWith(start, magic));
    if (foreign)
        return foreign.name;
    if (start.toString("latin1", 257, 262) === "ustar")
        return "an uncompressed tar archive";
    return nameOfText(start) ?? `unknown data (it starts with ${start.subarray(0, 8).toString("hex")})`;
}
/** Storage and proxies answer errors as documents; saved as a bundle, they deserve their name and their title. */
function nameOfText(start) {
    const text = start
        .toString("utf8")
        .replace(/^\uFEFF/, "")
        .trimStart();
    if (/^<(!doctype\s+html|html|head|body)\b/i.test(text)) {
        const title = /<title[^>]*>([^<]{1,100})/i.exec(text)?.[1]?.trim();
        return title ? `an HTML page (“${title}”)` : "an HTML page";
    }
    if (/^<\?xml\b|^<Error>/i.test(text)) {
        const code = /<Code>([^<]{1,60})/i.exec(text)?.[1]?.trim();
        return code ? `an XML document (“${code}”)` : "an XML document";
    }
    if (/^[{[]/.test(text))
        return "a JSON document";
    // The last character may be cut in half where the file goes on.
    const isCut = start.length === sniffBytes;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells text from data.
    if (!/[\0-\x08\x0e-\x1f\uFFFD]/.test(isCut ? text.slice(0, -1) : text))
        return "plain text";
    return undefined;
}
function startsWith(start, magic) {
    return start.length >= magic.length && magic.every((byte, index) => start[index] === byte);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/entry-path.js

const maxPathBytes = 4096;
const maxSegmentBytes = 255;
const maxDepth = 128;
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in names are what is refused.
const controlCharacter = /[\0-\x1f\x7f]/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/**
 * Reads an entry's name as UTF-8.
 *
 * @throws {BundleError} for bytes that are not UTF-8: readers would disagree on the file's name
 */
function decodeName(bytes) {
    try {
        return utf8.decode(bytes);
    }
    catch (cause) {
        throw corrupt(`An entry's name is not UTF-8: ${quote(Buffer.from(bytes).toString("latin1"))}.`, cause);
    }
}
/**
 * The path of an entry below the folder it is unpacked to: `/` between segments, no empty and no `.` segments;
 * empty for the folder itself.
 *
 * @throws {BundleError} `unsafe-archive` for every name that means something else, or something harmful, on some
 *   system: the artifact made on Linux is unpacked on Windows and macOS too.
 */
function parseEntryPath(name) {
    const problem = problemOfName(name);
    if (problem)
        throw unsafe(`Entry ${quote(name)} ${problem}.`);
    const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
    if (segments.length > maxDepth)
        throw unsafe(`Entry ${quote(name)} is more than ${maxDepth} folders deep.`);
    for (const segment of segments) {
        const segmentProblem = problemOfSegment(segment);
        if (segmentProblem)
            throw unsafe(`Entry ${quote(name)} ${segmentProblem}.`);
    }
    return segments.join("/");
}
/** An entry's name for a message: short, quoted, without control characters. */
function quote(name) {
    return JSON.stringify(name.length > 120 ? `${name.slice(0, 117)}…` : name);
}
function problemOfName(name) {
    if (name === "")
        return "has no name";
    if (Buffer.byteLength(name) > maxPathBytes)
        return `has a name of more than ${maxPathBytes} bytes`;
    if (controlCharacter.test(name))
        return "has a control character in its name";
    if (name.includes("\\"))
        return "has a backslash in its name, which separates folders on Windows";
    if (name.startsWith("/"))
        return "has an absolute path";
    if (name.includes(":"))
        return "has a colon in its name: a drive or an alternate stream on Windows";
    return undefined;
}
function problemOfSegment(segment) {
    if (segment === "..")
        return "leaves its folder (“..”)";
    if (Buffer.byteLength(segment) > maxSegmentBytes)
        return `has a segment of more than ${maxSegmentBytes} bytes`;
    if (/[. ]$/.test(segment))
        return "has a segment that ends in a dot or a space, which Windows drops";
    if (windowsDevice.test(segment))
        return "has the name of a Windows device";
    return undefined;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/name-registry.js



/**
 * Starts a registry.
 *
 * It keeps a digest of each path instead of the path: names are the archive's to choose, and a million long ones must
 * not fill the memory. Two different paths with one digest would only be refused.
 */
function createNameRegistry() {
    // Folded path → what it is and how exactly it was spelled.
    const known = new Map();
    let lastParent = "";
    function addOne(path, kind) {
        const folded = digestOf(fold(path));
        const entry = (digestOf(path) << 1n) | (kind === "file" ? 1n : 0n);
        const earlier = known.get(folded);
        if (earlier === undefined) {
            known.set(folded, entry);
            return;
        }
        if (earlier >> 1n !== entry >> 1n) {
            throw unsafe(`Entry ${quote(path)} differs from an earlier one only in case or Unicode form: where names ignore that, one would replace the other.`);
        }
        if (kind === "file" || earlier !== entry)
            throw unsafe(`Entry ${quote(path)} appears twice.`);
    }
    return {
        add(path, kind) {
            const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
            if (parent !== lastParent) {
                for (const ancestor of ancestorsOf(path))
                    addOne(ancestor, "directory");
                lastParent = parent;
            }
            addOne(path, kind);
        },
    };
}
function* ancestorsOf(path) {
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
        yield path.slice(0, slash);
    }
}
/** Upper case first: it folds what lower case alone keeps apart (ß and SS, ſ and S). */
function fold(path) {
    return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
function digestOf(text) {
    return (0,external_node_crypto_.hash)("sha1", text, "buffer").readBigUInt64LE(0);
}

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(78474);
;// CONCATENATED MODULE: ./.build/lib/bundle/release-buffer.js
/**
 * Gives the memory of a chunk back at once. The chunk, and everything else in its buffer, is gone then: only the last
 * holder may do this, and only where the chunk is the last of its buffer.
 *
 * Buffers lie outside the heap. Waiting for the collector, 60 MB of used ones pile up between two of its runs.
 */
function releaseBuffer({ buffer, byteOffset, length }) {
    const isLast = length > 0 && byteOffset + length === buffer.byteLength;
    if (isLast && buffer instanceof ArrayBuffer)
        buffer.transfer(0);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/inflate.js


/**
 * Drives a zlib engine over its input, one chunk at a time, to the end of the compressed stream or of the input.
 *
 * A pipeline would do the same with a queue before and behind the engine: three times the memory, and a chunk could
 * not be used again.
 *
 * @throws what zlib, the input, the receiver or the signal failed with
 */
async function inflate(engine, input, { onOutput, signal }) {
    const failure = new AbortController();
    const either = AbortSignal.any([signal, failure.signal]);
    const stopped = Promise.withResolvers();
    either.addEventListener("abort", () => stopped.resolve(), { once: true });
    engine.on("data", (chunk) => {
        if (either.aborted)
            return;
        try {
            onOutput(chunk);
            // zlib hands out one buffer in pieces: with the last piece, all have been used.
            releaseBuffer(chunk);
        }
        catch (error) {
            failure.abort(error);
        }
    });
    engine.on("error", (error) => failure.abort(error));
    const ended = (0,external_node_events_.once)(engine, "end", { signal: either });
    // Awaited below; a failure that comes first is reported by the signal.
    ended.catch(() => undefined);
    try {
        for await (const chunk of input) {
            // zlib does not call back for a chunk that it fails at.
            const taken = new Promise((resolve) => engine.write(chunk, () => resolve()));
            await Promise.race([taken, stopped.promise]);
            either.throwIfAborted();
            if (engine.readableEnded)
                return;
        }
        engine.end();
        await ended;
    }
    catch (error) {
        either.throwIfAborted();
        throw error;
    }
    finally {
        engine.destroy();
    }
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/pax-records.js


/**
 * Reads the records of a pax extended header: `"<length> <key>=<value>\n"`, the length counting itself.
 *
 * @throws {BundleError} for malformed records and for keys that make an entry sparse
 */
function parsePaxRecords(bytes) {
    const records = {};
    for (const { key, value } of recordsOf(bytes)) {
        if (key.startsWith("GNU.sparse."))
            throw unsafe("The archive holds a sparse file.");
        if (key === "path")
            records.path = decodeName(value);
        if (key === "size")
            records.size = parseSize(value);
    }
    return records;
}
function* recordsOf(bytes) {
    let position = 0;
    while (position < bytes.length) {
        const space = bytes.indexOf(0x20, position);
        const digits = space === -1 ? "" : bytes.toString("latin1", position, space);
        const end = /^[1-9]\d{0,9}$/.test(digits) ? position + Number(digits) : 0;
        const equals = bytes.indexOf(0x3d, space);
        if (end <= space || end > bytes.length || bytes[end - 1] !== 0x0a || equals === -1 || equals >= end) {
            throw corrupt("The tar archive is damaged: an extended header is malformed.");
        }
        yield { key: bytes.toString("utf8", space + 1, equals), value: bytes.subarray(equals + 1, end - 1) };
        position = end;
    }
}
function parseSize(value) {
    const text = value.toString("latin1");
    const size = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(size))
        throw corrupt("The tar archive is damaged: an extended size is not a number.");
    return size;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/tar-header.js


/** Length of a header and unit of everything in a tar archive. */
const tarBlockBytes = 512;
/**
 * Reads a header block.
 *
 * @throws {BundleError} `bundle-corrupt` when the block is no tar header
 */
function parseTarHeader(block) {
    if (!hasValidChecksum(block))
        throw corrupt(describeForeignBlock(block));
    const flag = block.toString("latin1", 156, 157);
    // GNU's magic is "ustar  \0"; what POSIX calls the prefix holds other fields there.
    const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
    const prefix = isPosix ? textField(block, 345, 500) : "";
    const name = textField(block, 0, 100);
    return {
        name: prefix === "" ? name : `${prefix}/${name}`,
        size: numberField(block.subarray(124, 136)),
        type: flag === "\0" ? "0" : flag,
    };
}
function describeForeignBlock(block) {
    const isArchive = block.readUInt16BE(0) === 0x1f8b || block.readUInt32BE(0) === 0x504b0304;
    return isArchive
        ? "The bundle is an archive inside a gzip stream that is not a tar: something on the way compressed it again."
        : "The tar archive is damaged: a header's checksum is wrong.";
}
/** Old tars summed signed bytes; both are accepted, as every tar does. */
function hasValidChecksum(block) {
    let unsigned = 0;
    let signed = 0;
    for (let index = 0; index < tarBlockBytes; index += 1) {
        const byte = index >= 148 && index < 156 ? 0x20 : (block[index] ?? 0);
        unsigned += byte;
        signed += byte > 127 ? byte - 256 : byte;
    }
    const stored = octal(block.toString("latin1", 148, 156));
    return stored !== undefined && (stored === unsigned || stored === signed);
}
function textField(block, start, end) {
    const nul = block.indexOf(0, start);
    return decodeName(block.subarray(start, nul === -1 || nul > end ? end : nul));
}
function numberField(field) {
    const first = field[0] ?? 0;
    const value = first & 0x80 ? base256(field) : octal(field.toString("latin1"));
    if (value === undefined)
        throw corrupt("The tar archive is damaged: an entry's size is not a number.");
    return value;
}
function octal(text) {
    const digits = /^ *([0-7]*)[ \0]*$/.exec(text)?.[1];
    return digits === undefined ? undefined : Number.parseInt(digits || "0", 8);
}
/** GNU's encoding of sizes from 8 GiB: big-endian, the top bit set; negative numbers make no sense as a size. */
function base256(field) {
    if ((field[0] ?? 0) !== 0x80)
        return undefined;
    let value = 0;
    for (const byte of field.subarray(1))
        value = value * 256 + byte;
    return Number.isSafeInteger(value) ? value : undefined;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/tar-reader.js




const maxMetadataBytes = 1024 * 1024;
const refusedTypes = {
    "1": "a hard link",
    "2": "a symbolic link",
    "3": "a character device",
    "4": "a block device",
    "6": "a named pipe",
    D: "a dump of a folder",
    M: "a part of a multi-volume archive",
    S: "a sparse file",
};
/** Reads a tar archive from chunks of any size and hands its files and folders to a sink. */
class TarReader {
    #deps;
    #block = Buffer.alloc(tarBlockBytes);
    #state = "header";
    #filled = 0;
    #remaining = 0;
    #padding = 0;
    #metadata = [];
    #metadataType = "";
    #path;
    #size;
    #zeroBlocks = 0;
    #files = 0;
    constructor(deps) {
        this.#deps = deps;
    }
    /** Regular files seen so far. */
    get files() {
        return this.#files;
    }
    /** @throws {BundleError} as soon as the bytes so far cannot be a safe, whole archive */
    write(chunk) {
        let offset = 0;
        while (offset < chunk.length)
            offset += this.#take(chunk.subarray(offset));
    }
    /** @throws {BundleError} when the archive is cut: the two zero blocks that end it are missing */
    end() {
        if (this.#state !== "ended") {
            throw corrupt("The tar archive is cut: the two empty blocks that end it are missing.");
        }
    }
    #take(bytes) {
        switch (this.#state) {
            case "header":
                return this.#takeHeader(bytes);
            case "metadata":
            case "file":
                return this.#takeBody(bytes);
            case "padding":
                return this.#takePadding(bytes);
            case "ended":
                return takeZeros(bytes);
        }
    }
    #takeHeader(bytes) {
        if (this.#filled === 0 && bytes.length >= tarBlockBytes) {
            this.#readBlock(bytes.subarray(0, tarBlockBytes));
            return tarBlockBytes;
        }
        const taken = bytes.copy(this.#block, this.#filled);
        this.#filled += taken;
        if (this.#filled === tarBlockBytes) {
            this.#filled = 0;
            this.#readBlock(this.#block);
        }
        return taken;
    }
    #readBlock(block) {
        if (isZero(block)) {
            this.#zeroBlocks += 1;
            if (this.#zeroBlocks === 2)
                this.#state = "ended";
            return;
        }
        if (this.#zeroBlocks > 0)
            throw corrupt("The tar archive is damaged: an empty block stands between entries.");
        this.#deps.budget.addEntry();
        const header = parseTarHeader(block);
        if ("xgLK".includes(header.type))
            this.#startMetadata(header);
        else
            this.#startEntry(header);
    }
    #startMetadata({ type, size }) {
        if (size > maxMetadataBytes)
            throw unsafe(`An extended header of the tar archive is ${size} bytes long.`);
        this.#metadataType = type;
        this.#metadata = [];
        this.#startBody("metadata", size);
    }
    #startEntry(header) {
        const name = this.#path ?? header.name;
        const size = this.#size ?? header.size;
        this.#path = undefined;
        this.#size = undefined;
        // Archives older than ustar mark a folder by the slash alone.
        const isDirectory = header.type === "5" || (header.type === "0" && name.endsWith("/"));
        if (!isDirectory && header.type !== "0" && header.type !== "7") {
            throw unsafe(`Entry ${quote(name)} is ${refusedTypes[header.type] ?? `of unknown type ${quote(header.type)}`}.`);
        }
        const path = parseEntryPath(name);
        if (isDirectory)
            this.#addDirectory(path, size);
        else
            this.#startFile(path, size);
    }
    #addDirectory(path, size) {
        if (size !== 0)
            throw corrupt(`Folder ${quote(path)} claims to have ${size} bytes.`);
        if (path === "")
            return;
        this.#deps.names.add(path, "directory");
        this.#deps.sink.directory(path);
    }
    #startFile(path, size) {
        if (path === "")
            throw unsafe("A file of the archive has the name of the folder itself.");
        this.#deps.names.add(path, "file");
        this.#deps.sink.startFile(path);
        this.#files += 1;
        this.#startBody("file", size);
    }
    #startBody(state, size) {
        this.#state = state;
        this.#remaining = size;
        this.#padding = (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
        if (size === 0)
            this.#endBody();
    }
    #takeBody(bytes) {
        const taken = bytes.subarray(0, this.#remaining);
        this.#remaining -= taken.length;
        if (this.#state === "file")
            this.#deps.sink.data(taken);
        // A copy: the chunk behind the view may be reused before the header is complete.
        else
            this.#metadata.push(Buffer.from(taken));
        if (this.#remaining === 0)
            this.#endBody();
        return taken.length;
    }
    #endBody() {
        if (this.#state === "file")
            this.#deps.sink.endFile();
        else
            this.#readMetadata(Buffer.concat(this.#metadata));
        this.#state = this.#padding === 0 ? "header" : "padding";
    }
    #takePadding(bytes) {
        const taken = Math.min(this.#padding, bytes.length);
        this.#padding -= taken;
        if (this.#padding === 0)
            this.#state = "header";
        return taken;
    }
    #readMetadata(bytes) {
        this.#metadata = [];
        // The target of a link: the link itself is refused when it comes.
        if (this.#metadataType === "K")
            return;
        if (this.#metadataType === "L") {
            this.#setPath(decodeName(bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes));
            return;
        }
        const { path, size } = parsePaxRecords(bytes);
        if (this.#metadataType === "g" && (path !== undefined || size !== undefined)) {
            throw unsafe("A global header of the tar archive gives all entries one name or size.");
        }
        if (path !== undefined)
            this.#setPath(path);
        if (size !== undefined)
            this.#size = size;
    }
    #setPath(path) {
        if (this.#path !== undefined)
            throw unsafe(`An entry has two long names: ${quote(this.#path)} and ${quote(path)}.`);
        this.#path = path;
    }
}
function takeZeros(bytes) {
    if (!isZero(bytes))
        throw corrupt("The tar archive has data after its end.");
    return bytes.length;
}
const zeros = Buffer.alloc(64 * 1024);
function isZero(bytes) {
    for (let offset = 0; offset < bytes.length; offset += zeros.length) {
        const part = bytes.subarray(offset, offset + zeros.length);
        if (!part.equals(zeros.subarray(0, part.length)))
            return false;
    }
    return true;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/walk-tar-gz.js





/**
 * Reads a gzip-compressed tar to its very last byte. zlib checks length and CRC of every gzip member.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
async function walkTarGz(source, { sink, budget, names, signal }) {
    const size = await source.size();
    const gunzip = (0,external_node_zlib_.createGunzip)({ chunkSize: 256 * 1024 });
    const tar = new TarReader({ sink, budget, names });
    try {
        await inflate(gunzip, streamRange(source, { start: 0, end: size }), {
            signal,
            onOutput(chunk) {
                budget.addOutput(chunk.length, gunzip.bytesWritten);
                tar.write(chunk);
            },
        });
    }
    catch (error) {
        signal.throwIfAborted();
        throw translate(error);
    }
    tar.end();
    await requireZeros(source, gunzip.bytesWritten, size);
    return { files: tar.files };
}
function translate(error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "Z_BUF_ERROR")
        return corrupt("The gzip stream is cut: it ends in the middle.", error);
    if (code.startsWith("Z_"))
        return corrupt(`The gzip stream is damaged (${code}).`, error);
    return error;
}
/** gzip ends at zeros that pad it; anything else behind them would go unseen. */
async function requireZeros(source, start, end) {
    for await (const chunk of streamRange(source, { start, end })) {
        if (chunk.some((byte) => byte !== 0))
            throw corrupt("The gzip stream has data after its end.");
    }
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/zip-data.js





/** Up to this size an entry is inflated in one call: a stream for each of thousands of small files costs more. */
const smallBytes = 512 * 1024;
/**
 * Unpacks one entry's data into the sink.
 *
 * @throws {BundleError} when the data's real length or CRC-32 is not what the directory says
 */
async function readZipData({ record, start }, deps) {
    const { source, window, budget, sink, signal } = deps;
    const end = start + record.compressedSize;
    let size = 0;
    let crc = 0;
    function accept(chunk) {
        size += chunk.length;
        budget.addOutput(chunk.length, end);
        if (size > record.size)
            throw corrupt(`Entry ${quote(record.name)} is longer than the zip says.`);
        crc = (0,external_node_zlib_.crc32)(chunk, crc);
        sink.data(chunk);
    }
    if (record.compressedSize <= smallBytes && record.size <= smallBytes) {
        const packed = window.peek(start, record.compressedSize) ?? (await window.fill(start, record.compressedSize));
        accept(record.method === 0 ? packed : inflateSmall(packed, record));
    }
    else if (record.method === 0) {
        for await (const chunk of streamRange(source, { start, end })) {
            signal.throwIfAborted();
            accept(chunk);
        }
    }
    else {
        await inflateLarge({ source, start, end, signal }, { record, accept });
    }
    if (size !== record.size)
        throw corrupt(`Entry ${quote(record.name)} has ${size} bytes instead of ${record.size}.`);
    if (crc !== record.crc)
        throw corrupt(`Entry ${quote(record.name)} is damaged: its CRC-32 is wrong.`);
}
function inflateSmall(packed, record) {
    try {
        // The type of the result with `info` is not in Node's declarations.
        const result = (0,external_node_zlib_.inflateRawSync)(packed, { maxOutputLength: Math.max(1, record.size), info: true });
        const { buffer, engine } = result;
        requireAllConsumed(engine.bytesWritten, record);
        return buffer;
    }
    catch (error) {
        throw zip_data_translate(error, record);
    }
}
async function inflateLarge({ source, start, end, signal }, { record, accept }) {
    const engine = (0,external_node_zlib_.createInflateRaw)({ chunkSize: 256 * 1024 });
    try {
        await inflate(engine, streamRange(source, { start, end }), { onOutput: accept, signal });
    }
    catch (error) {
        signal.throwIfAborted();
        throw zip_data_translate(error, record);
    }
    requireAllConsumed(engine.bytesWritten, record);
}
function requireAllConsumed(consumed, record) {
    if (consumed === record.compressedSize)
        return;
    throw corrupt(`Entry ${quote(record.name)} has data after the end of its compressed stream.`);
}
function zip_data_translate(error, record) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ERR_BUFFER_TOO_LARGE")
        return corrupt(`Entry ${quote(record.name)} is longer than the zip says.`, error);
    const isDamage = code.startsWith("Z_") || code === "ERR_STREAM_PREMATURE_CLOSE";
    return isDamage ? corrupt(`Entry ${quote(record.name)} is damaged (${code}).`, error) : error;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/zip-end.js

const endBytes = 22;
const locatorBytes = 20;
const maxCommentBytes = 0xffff;
const maxDirectoryBytes = 256 * 1024 * 1024;
const endSignature = 0x06054b50;
const locatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;
/**
 * Finds the central directory. The end records must end the file, and the directory must end where they start.
 *
 * @throws {BundleError} `bundle-corrupt` when the zip is cut, `unsafe-archive` when readers could disagree about it
 */
async function readZipDirectory(source) {
    const fileSize = await source.size();
    const tail = await readTail(source, fileSize);
    const endIndex = findEnd(tail.bytes);
    const end = tail.bytes.subarray(endIndex);
    const endOffset = tail.offset + endIndex;
    if (end.readUInt16LE(4) !== 0 || end.readUInt16LE(6) !== 0)
        throw unsafe("The zip is one part of several.");
    const plain = {
        entries: end.readUInt16LE(10),
        size: end.readUInt32LE(12),
        offset: end.readUInt32LE(16),
    };
    const zip64 = await readZip64(source, endOffset);
    const directory = zip64 ? merge(plain, zip64) : plain;
    const start = zip64?.start ?? endOffset;
    if (directory.offset + directory.size !== start) {
        throw corrupt("The zip's directory is not where its end record says: the file is cut, or was glued to another.");
    }
    if (directory.size > maxDirectoryBytes)
        throw unsafe(`The zip's directory is ${directory.size} bytes long.`);
    return directory;
}
async function readTail(source, fileSize) {
    const length = Math.min(fileSize, endBytes + maxCommentBytes);
    return { bytes: await readAt(source, fileSize - length, length), offset: fileSize - length };
}
async function readAt(source, position, length) {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
        const bytesRead = await source.read(bytes.subarray(filled), position + filled);
        if (bytesRead === 0)
            throw corrupt("The zip is cut: its end is missing.");
        filled += bytesRead;
    }
    return bytes;
}
/** The one record whose comment reaches exactly to the end of the file. */
function findEnd(tail) {
    const found = [];
    for (let index = tail.length - endBytes; index >= 0; index -= 1) {
        if (tail.readUInt32LE(index) !== endSignature)
            continue;
        if (index + endBytes + tail.readUInt16LE(index + 20) === tail.length)
            found.push(index);
    }
    const [first, second] = found;
    if (first === undefined) {
        throw corrupt("The zip is cut or has data after its end: no end record closes the file.");
    }
    if (second !== undefined)
        throw unsafe("The zip has two end records: readers would disagree about its contents.");
    return first;
}
async function readZip64(source, endOffset) {
    if (endOffset < locatorBytes)
        return undefined;
    const locator = await readAt(source, endOffset - locatorBytes, locatorBytes);
    if (locator.readUInt32LE(0) !== locatorSignature)
        return undefined;
    const start = readSafe(locator, 8);
    const locatorOffset = endOffset - locatorBytes;
    if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1)
        throw unsafe("The zip is one part of several.");
    if (start + 56 > locatorOffset)
        throw corrupt("The zip's 64-bit end record is damaged.");
    const record = await readAt(source, start, 56);
    if (record.readUInt32LE(0) !== end64Signature || start + 12 + readSafe(record, 4) !== locatorOffset) {
        throw corrupt("The zip's 64-bit end record is damaged.");
    }
    return { start, entries: readSafe(record, 32), size: readSafe(record, 40), offset: readSafe(record, 48) };
}
/** Both records describe one directory; where the short one has room for a number, it must be the same. */
function merge(plain, zip64) {
    const agrees = (plain.entries === 0xffff || plain.entries === zip64.entries) &&
        (plain.size === 0xffffffff || plain.size === zip64.size) &&
        (plain.offset === 0xffffffff || plain.offset === zip64.offset);
    if (!agrees)
        throw unsafe("The zip's two end records disagree about its contents.");
    return zip64;
}
function readSafe(bytes, offset) {
    const value = bytes.readBigUInt64LE(offset);
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
        throw corrupt("The zip is damaged: a 64-bit number is out of range.");
    return Number(value);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/zip-local.js


const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const localFixedBytes = 30;
const descriptorFlag = 0x0008;
/** Bits 1 and 2 tell how hard the writer compressed; readers do not use them. */
const ignoredFlags = 0x0006;
/**
 * Reads an entry's local header and returns where its data starts.
 *
 * @throws {BundleError} `unsafe-archive` when it disagrees with the directory: streaming readers believe the one,
 *   others the other
 */
async function readLocalHeader(window, record) {
    const fixed = await view(window, record.offset, localFixedBytes);
    if (fixed.readUInt32LE(0) !== localSignature) {
        throw corrupt(`Entry ${quote(record.name)} does not start where the zip's directory says.`);
    }
    const nameBytes = fixed.readUInt16LE(26);
    const extraBytes = fixed.readUInt16LE(28);
    if (!agrees(fixed, record))
        disagree(record);
    const length = localFixedBytes + nameBytes + extraBytes;
    const header = await view(window, record.offset, length);
    if (!header.subarray(localFixedBytes, localFixedBytes + nameBytes).equals(record.nameBytes))
        disagree(record);
    return record.offset + length;
}
function agrees(fixed, record) {
    const flagsAgree = ((fixed.readUInt16LE(6) ^ record.flags) & ~ignoredFlags) === 0;
    if (!flagsAgree || fixed.readUInt16LE(8) !== record.method)
        return false;
    // With a data descriptor the header was written before the sizes were known, and may hold zeros.
    const isOpen = hasDescriptor(record);
    return (same(fixed.readUInt32LE(14), record.crc, isOpen) &&
        same(fixed.readUInt32LE(18), record.compressedSize, isOpen) &&
        same(fixed.readUInt32LE(22), record.size, isOpen));
}
function same(local, central, isOpen) {
    // 0xffffffff refers to the zip64 field; the directory's copy of that field is the one that is checked.
    return local === central || local === 0xffffffff || (isOpen && local === 0);
}
function disagree(record) {
    throw unsafe(`Entry ${quote(record.name)} is described differently by its own header and by the zip's directory.`);
}
function hasDescriptor(record) {
    return (record.flags & descriptorFlag) !== 0;
}
/**
 * Where an entry ends, its data descriptor included; `end` is where the next one starts.
 *
 * @throws {BundleError} when bytes between the two belong to no entry
 */
async function requireEntryEnd(window, { record, dataEnd, end }) {
    if (dataEnd === end && !hasDescriptor(record))
        return;
    if (hasDescriptor(record) && (await isDescriptor(window, { record, start: dataEnd, end })))
        return;
    throw unsafe(`Between ${quote(record.name)} and the next entry of the zip are bytes that belong to neither.`);
}
async function isDescriptor(window, { record, start, end }) {
    const length = end - start;
    if (![12, 16, 20, 24].includes(length))
        return false;
    let bytes = await view(window, start, length);
    if (length === 16 || length === 24) {
        if (bytes.readUInt32LE(0) !== descriptorSignature)
            return false;
        bytes = bytes.subarray(4);
    }
    const isWide = bytes.length === 20;
    const compressedSize = isWide ? Number(bytes.readBigUInt64LE(4)) : bytes.readUInt32LE(4);
    const size = isWide ? Number(bytes.readBigUInt64LE(12)) : bytes.readUInt32LE(8);
    return (bytes.readUInt32LE(0) === record.crc && compressedSize === record.compressedSize && size === record.size);
}
async function view(window, position, length) {
    return window.peek(position, length) ?? (await window.fill(position, length));
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/zip-record.js


/** Longest record there can be: fixed part, name, extra fields and comment. */
const maxRecordBytes = 46 + 3 * 0xffff;
/** Length of a record without its name, extra fields and comment. */
const fixedRecordBytes = 46;
const recordSignature = 0x02014b50;
const encryptionFlags = 0x0001 | 0x0040 | 0x2000;
const patchFlag = 0x0020;
/** Length of the record that starts with these bytes. */
function recordLength(fixed) {
    if (fixed.readUInt32LE(0) !== recordSignature)
        throw corrupt("The zip's directory is damaged.");
    return fixedRecordBytes + fixed.readUInt16LE(28) + fixed.readUInt16LE(30) + fixed.readUInt16LE(32);
}
/**
 * Reads one record.
 *
 * @throws {BundleError} for links and devices, encryption, unknown methods and damaged fields
 */
function parseZipRecord(bytes) {
    const nameEnd = fixedRecordBytes + bytes.readUInt16LE(28);
    // A copy: the window the record is read from moves on.
    const nameBytes = Buffer.from(bytes.subarray(fixedRecordBytes, nameEnd));
    const name = decodeName(nameBytes);
    const flags = bytes.readUInt16LE(8);
    const method = bytes.readUInt16LE(10);
    requireReadable(name, { flags, method });
    if (bytes.readUInt16LE(34) !== 0)
        throw unsafe("The zip is one part of several.");
    const extra = bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(30));
    const isDirectory = name.endsWith("/");
    requireKind(name, { mode: bytes.readUInt32LE(38) >>> 16, isDirectory });
    return {
        nameBytes,
        name,
        flags,
        method,
        crc: bytes.readUInt32LE(16),
        ...readSizes(extra, {
            size: bytes.readUInt32LE(24),
            compressedSize: bytes.readUInt32LE(20),
            offset: bytes.readUInt32LE(42),
        }),
        isDirectory,
        length: bytes.length,
    };
}
function requireReadable(name, { flags, method }) {
    if ((flags & encryptionFlags) !== 0)
        throw unsafe(`Entry ${quote(name)} is encrypted.`);
    if ((flags & patchFlag) !== 0)
        throw unsafe(`Entry ${quote(name)} is a patch of another file.`);
    if (method !== 0 && method !== 8) {
        throw unsafe(`Entry ${quote(name)} uses compression method ${method}; only stored and deflated are read.`);
    }
}
const kindBits = 0o170000;
const regularKind = 0o100000;
const directoryKind = 0o040000;
function requireKind(name, { mode, isDirectory }) {
    const kind = mode & kindBits;
    if (kind === 0)
        return;
    if (kind === 0o120000)
        throw unsafe(`Entry ${quote(name)} is a symbolic link.`);
    if (kind !== regularKind && kind !== directoryKind)
        throw unsafe(`Entry ${quote(name)} is a device or a pipe.`);
    if ((kind === directoryKind) !== isDirectory) {
        throw unsafe(`Entry ${quote(name)} is a folder by its mode or by its name, but not by both.`);
    }
}
const zip64Id = 1;
/** Numbers that do not fit into 32 bits stand in the zip64 extra field, in this order, only where they do not fit. */
function readSizes(extra, plain) {
    const isNeeded = [plain.size, plain.compressedSize, plain.offset].includes(0xffffffff);
    if (!isNeeded)
        return plain;
    const field = findExtraField(extra, zip64Id);
    let position = 0;
    function take(value) {
        if (value !== 0xffffffff)
            return value;
        if (!field || position + 8 > field.length)
            throw corrupt("The zip is damaged: a 64-bit size is missing.");
        const wide = Number(field.readBigUInt64LE(position));
        position += 8;
        if (!Number.isSafeInteger(wide))
            throw corrupt("The zip is damaged: a 64-bit number is out of range.");
        return wide;
    }
    return { size: take(plain.size), compressedSize: take(plain.compressedSize), offset: take(plain.offset) };
}
function findExtraField(extra, id) {
    let found;
    let position = 0;
    while (position + 4 <= extra.length) {
        const end = position + 4 + extra.readUInt16LE(position + 2);
        if (end > extra.length)
            break;
        if (extra.readUInt16LE(position) === id) {
            if (found)
                throw unsafe("The zip has an entry with two 64-bit size fields.");
            found = extra.subarray(position + 4, end);
        }
        position = end;
    }
    return found;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/walk-zip.js








const dataWindowBytes = 1024 * 1024;
/**
 * Reads a zip in the order of its bytes. Every byte of the file belongs to exactly one entry or to the directory, so
 * entries cannot overlap, and nothing hides between them.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
async function walkZip(source, deps) {
    const directory = await readZipDirectory(source);
    const records = createByteWindow(source, {
        windowBytes: 2 * maxRecordBytes,
        limit: directory.offset + directory.size,
    });
    const positions = await indexRecords(records, directory, deps);
    const window = createByteWindow(source, { windowBytes: dataWindowBytes, limit: directory.offset });
    let files = 0;
    let expected = 0;
    let record = await recordAt(records, positions[0]);
    for (let index = 0; record; index += 1) {
        deps.signal.throwIfAborted();
        if (record.offset !== expected)
            throw outOfPlace(record, expected);
        const next = await recordAt(records, positions[index + 1]);
        const end = next?.offset ?? directory.offset;
        await readEntry({ record, end }, { ...deps, source, window });
        if (!record.isDirectory)
            files += 1;
        expected = end;
        record = next;
    }
    if (expected !== directory.offset)
        throw unsafe("Bytes before the zip's directory belong to no entry.");
    return { files };
}
function outOfPlace(record, expected) {
    return record.offset < expected
        ? unsafe(`Entry ${quote(record.name)} overlaps another entry of the zip.`)
        : unsafe(`Before entry ${quote(record.name)} are bytes that belong to no entry of the zip.`);
}
/** Positions of the directory's records, in the order in which their entries lie in the file. */
async function indexRecords(records, directory, { budget, signal }) {
    const positions = [];
    const offsets = [];
    const end = directory.offset + directory.size;
    let isSorted = true;
    for (let position = directory.offset; position < end;) {
        signal.throwIfAborted();
        budget.addEntry();
        const record = parseZipRecord(await viewRecord(records, position));
        isSorted &&= record.offset >= (offsets.at(-1) ?? 0);
        positions.push(position);
        offsets.push(record.offset);
        position += record.length;
    }
    if (positions.length !== directory.entries) {
        throw corrupt(`The zip's directory lists ${positions.length} entries instead of ${directory.entries}.`);
    }
    if (isSorted)
        return Float64Array.from(positions);
    const order = Uint32Array.from(positions.keys()).sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
    return Float64Array.from(order, (index) => positions[index] ?? 0);
}
async function recordAt(records, position) {
    return position === undefined ? undefined : parseZipRecord(await viewRecord(records, position));
}
async function viewRecord(records, position) {
    const fixed = records.peek(position, fixedRecordBytes) ?? (await records.fill(position, fixedRecordBytes));
    const length = recordLength(fixed);
    return records.peek(position, length) ?? (await records.fill(position, length));
}
async function readEntry({ record, end }, deps) {
    const path = parseEntryPath(record.name);
    const start = await readLocalHeader(deps.window, record);
    const dataEnd = start + record.compressedSize;
    if (dataEnd > end)
        throw unsafe(`Entry ${quote(record.name)} overlaps another entry of the zip.`);
    if (record.isDirectory) {
        if (record.size !== 0)
            throw corrupt(`Folder ${quote(record.name)} claims to have ${record.size} bytes.`);
        if (path !== "") {
            deps.names.add(path, "directory");
            deps.sink.directory(path);
        }
        // Some writers deflate the nothing in a folder.
        await readZipData({ record, start }, { ...deps, sink: discardSink });
    }
    else {
        if (path === "")
            throw unsafe("A file of the archive has the name of the folder itself.");
        deps.names.add(path, "file");
        deps.sink.startFile(path);
        await readZipData({ record, start }, deps);
        deps.sink.endFile();
    }
    await requireEntryEnd(deps.window, { record, dataEnd, end });
}

;// CONCATENATED MODULE: ./.build/lib/bundle/archive/walk-archive.js




/**
 * Reads an archive of any supported kind once, checks everything that can be checked, and hands its entries to the
 * sink.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`; the sink may have seen entries by then
 */
async function walkArchive(source, deps) {
    deps.signal.throwIfAborted();
    const format = await detectFormat(source);
    const walk = format === "zip" ? walkZip : walkTarGz;
    const contents = await walk(source, { ...deps, names: createNameRegistry() });
    deps.signal.throwIfAborted();
    return { format, ...contents };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/verify-archive.js
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
 * Reads an archive to its last byte without keeping any of it: structure, lengths and checksums, names, and limits.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
async function verifyArchive({ path, limits }, { signal }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const file = __addDisposableResource(env_1, await open(path, "r"), true);
        return await verifySource(createFileSource(file), { limits, signal });
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
/**
 * The same for bytes that may still be arriving.
 *
 * @throws {BundleError} as soon as the bytes so far cannot become a safe, whole archive
 */
async function verifySource(source, { limits, signal }) {
    const budget = createArchiveBudget({ ...defaultArchiveLimits, ...limits });
    const { format, files } = await walkArchive(source, { sink: discardSink, budget, signal });
    if (files === 0)
        throw corrupt("The archive holds no files.");
    return { format, files, entries: budget.entries, totalBytes: budget.totalBytes };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/inspect-bundle.js



/**
 * Checks a bundle while it arrives: its checksums and its structure, side by side.
 *
 * @throws {BundleError} as soon as something is wrong
 */
async function inspectBundle(source, { checksums, limits, sizeBytes }, signal) {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    try {
        const [digest, archive] = await Promise.all([
            digestSource(source, checksums, either),
            verifySource(source, { limits, signal: either }),
        ]);
        if (sizeBytes !== undefined && sizeBytes !== digest.size) {
            throw corrupt(`The bundle has ${digest.size} bytes; the platform promised ${sizeBytes}.`);
        }
        return { ...digest, archive };
    }
    finally {
        stop.abort(new Error("The inspection has ended."));
    }
}
const inspect_bundle_chunkBytes = 512 * 1024;
async function digestSource(source, checksums, signal) {
    const digester = createDigester(checksums.map(({ algorithm }) => algorithm));
    const buffer = Buffer.allocUnsafeSlow(inspect_bundle_chunkBytes);
    let size = 0;
    for (;;) {
        signal.throwIfAborted();
        const bytesRead = await source.read(buffer, size);
        if (bytesRead === 0)
            break;
        digester.update(buffer.subarray(0, bytesRead));
        size += bytesRead;
    }
    const digests = digester.digest();
    for (const { algorithm, base64, field } of checksums) {
        const actual = digests.get(algorithm)?.toString("base64");
        if (actual !== base64) {
            throw corrupt(`The bundle's ${algorithm} is ${actual}, but storage stated ${base64} (${field}).`);
        }
    }
    return { sha256: digests.get("sha256")?.toString("hex") ?? "", size };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/progress.js
const rateWindowMs = 5000;
/** Starts measuring. */
function createRateMeter() {
    let samples = [];
    return {
        add(nowMs, bytes) {
            samples = samples.filter((sample) => nowMs - sample.nowMs <= rateWindowMs);
            samples.push({ nowMs, bytes });
            const first = samples[0];
            const elapsedMs = nowMs - (first?.nowMs ?? nowMs);
            // A restart counts from zero again: never a negative rate.
            return elapsedMs === 0 ? 0 : Math.max(0, ((bytes - (first?.bytes ?? 0)) / elapsedMs) * 1000);
        },
    };
}
/** One line for the log: "42 % · 210.0 of 500.0 MB · 52.5 MB/s · 6 s left · 4 connections". */
function describeProgress({ bytes, total, bytesPerSecond, secondsLeft, connections, }) {
    return [
        total ? `${Math.floor((bytes / total) * 100)} %` : undefined,
        total ? `${megabytes(bytes)} of ${megabytes(total)} MB` : `${megabytes(bytes)} MB`,
        `${megabytes(bytesPerSecond)} MB/s`,
        secondsLeft === undefined ? undefined : `${describeSeconds(secondsLeft)} left`,
        connections > 1 ? `${connections} connections` : undefined,
    ]
        .filter((part) => part !== undefined)
        .join(" · ");
}
function megabytes(bytes) {
    return (bytes / 1e6).toFixed(1);
}
function describeSeconds(seconds) {
    const whole = Math.ceil(seconds);
    return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/concurrency-plan.js
const windowMs = 50;
const windowBytes = 128 * 1024;
const maxWindowMs = 500;
/** Connections that have brought nothing for so long do not delay the judgement any more. */
const maxSilenceMs = 2000;
/** Two windows in a row that agree so well are a rate; while a connection still speeds up, they do not. */
const agreement = 1.25;
const maxSettleMs = 1500;
const stepFactor = 4;
/** More connections stay when they bring at least this much more. */
const requiredGain = 1.25;
const firstHoldMs = 1500;
const maxHoldMs = 30_000;
/** With less than this left, another connection would not pay for itself. */
const worthMs = 500;
/**
 * Starts with one connection. Each measured window either tries more connections, keeps those that raised the total,
 * or goes back to as many as were better; then it waits before it tries again.
 */
function createConcurrencyPlan({ max }) {
    let target = 1;
    let rate = 0;
    let windowStart;
    let windowRate;
    let levelSince;
    let before;
    let holdUntil = 0;
    let holdMs = firstHoldMs;
    function moveTo(connections, nowMs) {
        target = connections;
        windowStart = undefined;
        windowRate = undefined;
        levelSince = nowMs;
    }
    function hold(nowMs) {
        before = undefined;
        holdUntil = nowMs + holdMs;
        holdMs = Math.min(maxHoldMs, holdMs * 2);
    }
    /** The rate of the window that ends now, if it is long enough; the next one begins. */
    function closeWindow({ nowMs, bytes }) {
        windowStart ??= { nowMs, bytes };
        const elapsedMs = nowMs - windowStart.nowMs;
        const arrived = bytes - windowStart.bytes;
        if (elapsedMs < windowMs || (arrived < windowBytes && elapsedMs < maxWindowMs))
            return undefined;
        windowStart = { nowMs, bytes };
        windowRate = (arrived / elapsedMs) * 1000;
        return windowRate;
    }
    function judge({ nowMs, remaining }) {
        if (before && rate < before.bytesPerSecond * requiredGain) {
            moveTo(before.connections, nowMs);
            hold(nowMs);
            return;
        }
        const isWorth = remaining / Math.max(rate, 1) > worthMs / 1000;
        if (target >= max || nowMs < holdUntil || !isWorth) {
            before = undefined;
            return;
        }
        before = { connections: target, bytesPerSecond: rate };
        moveTo(Math.min(max, target * stepFactor), nowMs);
    }
    return {
        get target() {
            return target;
        },
        get bytesPerSecond() {
            return rate;
        },
        observe(sample) {
            if (sample.delivering === 0)
                return;
            levelSince ??= sample.nowMs;
            const levelMs = sample.nowMs - levelSince;
            // New connections count from their first byte on.
            if (sample.delivering < target && levelMs <= maxSilenceMs)
                return;
            const previous = windowRate;
            const current = closeWindow(sample);
            if (current === undefined)
                return;
            const isSteady = agree(previous, current);
            if (!isSteady && levelMs < maxSettleMs)
                return;
            rate = meanOf(isSteady ? previous : undefined, current);
            judge(sample);
        },
        refused(nowMs) {
            moveTo(Math.max(1, target - 1), nowMs);
            hold(nowMs);
        },
    };
}
function agree(previous, current) {
    if (previous === undefined)
        return false;
    return Math.max(previous, current) <= Math.min(previous, current) * agreement;
}
function meanOf(previous, current) {
    return previous === undefined ? current : (previous + current) / 2;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/next-segment.js
const minSegmentBytes = 1024 * 1024;
const next_segment_maxSegmentBytes = 64 * 1024 * 1024;
/** A segment lasts about so long at most: what is checked from the front must not wait long for a hole to close. */
const maxSegmentSeconds = 1;
/** And at least so long: a round trip costs a good part of what is shorter. */
const minSegmentSeconds = 0.25;
/**
 * The next stretch for a connection that is free. One connection alone takes all there is: it never waits for a round
 * trip. Several take pieces in order, so that what is on disk grows from the front and can be checked meanwhile; near
 * the end they share what is left.
 */
function nextSegment(segments, { target, bytesPerSecond }) {
    if (target === 1)
        return segments.take(Number.POSITIVE_INFINITY);
    const perConnection = bytesPerSecond / target;
    // Half of a fair share: the pieces shrink toward the end, and all connections end together.
    const share = segments.remainingBytes / (2 * target);
    const least = Math.max(minSegmentBytes, perConnection * minSegmentSeconds);
    const most = perConnection > 0 ? Math.min(next_segment_maxSegmentBytes, perConnection * maxSegmentSeconds) : next_segment_maxSegmentBytes;
    const size = Math.ceil(Math.max(least, Math.min(share, most)));
    return segments.take(size) ?? takeFromSlowest(segments, size);
}
/** Another connection has more than its piece before it: it keeps one, and gives the rest away. */
function takeFromSlowest(segments, size) {
    const [victim] = [...segments.active].sort((a, b) => missing(b) - missing(a));
    if (!victim || !(missing(victim) > 2 * minSegmentBytes))
        return undefined;
    segments.shrink(victim, Math.ceil(Math.max(minSegmentBytes, Math.min(size, missing(victim) / 2))));
    return segments.take(size);
}
function missing({ received, end }) {
    return end - received;
}

// EXTERNAL MODULE: ./.build/lib/is-loopback.js
var is_loopback = __webpack_require__(78748);
;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/bundle-link.js


/** Origin and path of a URL: what of a presigned link may be shown. */
function describeUrl(url) {
    return `${url.origin}${url.pathname}`;
}
/**
 * Reads the address of storage.
 *
 * @param base address that a relative one (of a redirect) is relative to
 * @throws {BundleError} unless it is https, or http on this machine
 */
function parseStorageUrl(text, base) {
    const url = URL.parse(text, base?.href);
    if (!url)
        throw new BundleError("unexpected-response", "The link to the bundle is not a URL.");
    if (url.protocol === "https:" || (url.protocol === "http:" && (0,is_loopback/* isLoopback */.U)(url)))
        return url;
    throw new BundleError("unexpected-response", `The link to the bundle (${describeUrl(url)}) is not https: anyone on the way could replace the bundle.`);
}

// EXTERNAL MODULE: ./.build/lib/retry-after.js
var retry_after = __webpack_require__(69511);
;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/judge-answer.js

/** Judges the head of a 200 or 206. */
function judgeBody({ status, headers }, { start, known }) {
    const validators = {
        etag: strongTag(headers.get("etag")),
        lastModified: headers.get("last-modified"),
    };
    if (status === 200) {
        const identity = { total: parseLength(headers.get("content-length")), ...validators };
        return changeOf(known, identity) ?? { kind: "whole", identity, isWhole: true };
    }
    const range = parseContentRange(headers.get("content-range"));
    if (!range)
        return { kind: "wrong-range", reason: "a partial answer without a Content-Range" };
    if (range.start !== start) {
        return { kind: "wrong-range", reason: `bytes from ${range.start} on instead of ${start}` };
    }
    const identity = { total: range.total ?? known?.total, ...validators };
    return (changeOf(known, identity) ?? {
        kind: "range",
        identity,
        isWhole: start === 0 && range.end === identity.total,
    });
}
/** Judges an answer that brings no bytes of the object. */
function judgeRefusal({ status, headers }, { text, known, nowMs, }) {
    const location = headers.get("location");
    if ([301, 302, 303, 307, 308].includes(status) && location)
        return { kind: "redirect", location };
    if (status === 412)
        return { kind: "changed", reason: "storage says that the bundle was replaced (412)" };
    if (status === 416)
        return judgeUnsatisfiable(headers.get("content-range"), known);
    const detail = errorCode(text);
    if ([401, 403, 404, 410].includes(status))
        return { kind: "link-refused", status, detail };
    if (status === 400 && /expire|skew|token|authenticat|signature/i.test(text))
        return { kind: "link-refused", status, detail };
    if (status === 408 || status === 425 || status === 429 || status >= 500) {
        const retryAfterMs = (0,retry_after/* parseRetryAfter */.m)(headers.get("retry-after"), nowMs);
        return { kind: "transient", reason: `storage answered ${status} ${detail}`.trim(), retryAfterMs };
    }
    return { kind: "fatal", reason: `Storage answered ${status} ${detail}`.trim() };
}
function judgeUnsatisfiable(contentRange, known) {
    const total = /^bytes \*\/(\d+)$/.exec(contentRange ?? "")?.[1];
    if (total === "0" && !known)
        return { kind: "empty" };
    return { kind: "changed", reason: "storage no longer has the bytes it promised (416)" };
}
/** Why the object is not the one that earlier answers were about. */
function changeOf(known, now) {
    if (!known)
        return undefined;
    if (known.total !== now.total && now.total !== undefined) {
        return { kind: "changed", reason: `its length changed from ${known.total} to ${now.total} bytes` };
    }
    if (differ(known.etag, now.etag))
        return { kind: "changed", reason: "its entity tag changed" };
    if (differ(known.lastModified, now.lastModified)) {
        return { kind: "changed", reason: "its modification time changed" };
    }
    return undefined;
}
/** An answer may leave a field out; only two that disagree say something. */
function differ(known, now) {
    return known !== undefined && now !== undefined && known !== now;
}
function strongTag(etag) {
    return etag?.startsWith("W/") ? undefined : etag;
}
function parseLength(value) {
    return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
function parseContentRange(value) {
    const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(value?.trim() ?? "");
    if (!match)
        return undefined;
    return {
        start: Number(match[1]),
        end: Number(match[2]) + 1,
        total: match[3] === "*" ? undefined : Number(match[3]),
    };
}
/** The code of S3's, Azure's and Google's XML errors, or a short first line; never the request's own parameters. */
function errorCode(text) {
    const code = /<Code>([\w.-]{1,60})<\/Code>/.exec(text)?.[1];
    return code ?? "";
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/segment-writer.js

const flushBytes = 512 * 1024;
const flushChunks = 256;
/** Chunks are held by reference until they are written; beyond this the connection waits for the disk. */
const maxPendingBytes = 1024 * 1024;
/** Starts writing at the segment's `received` position, which must be its `written` one. */
function createSegmentWriter(segment, { file, control, onReceived, onWritten, onFailure }) {
    let pending = [];
    let pendingBytes = 0;
    let isPaused = false;
    let isWriting = false;
    let written = Promise.resolve();
    async function writePending() {
        while (pendingBytes > 0) {
            const chunks = pending;
            const bytes = pendingBytes;
            pending = [];
            pendingBytes = 0;
            resume();
            await file.write(chunks, segment.written);
            for (const chunk of chunks)
                releaseIfAlone(chunk);
            segment.written += bytes;
            onWritten(segment.written);
        }
    }
    function resume() {
        if (!isPaused)
            return;
        isPaused = false;
        control.resume();
    }
    function flush() {
        if (isWriting)
            return;
        isWriting = true;
        written = writePending().finally(() => {
            isWriting = false;
        });
        written.catch(onFailure);
    }
    return {
        get isPaused() {
            return isPaused;
        },
        accept(chunk) {
            const wanted = chunk.subarray(0, segment.end - segment.received);
            pending.push(wanted);
            pendingBytes += wanted.length;
            segment.received += wanted.length;
            onReceived(wanted.length);
            if (pendingBytes >= flushBytes || pending.length >= flushChunks)
                flush();
            if (segment.received >= segment.end)
                return control.stop();
            if (pendingBytes >= maxPendingBytes && !isPaused) {
                isPaused = true;
                control.pause();
            }
        },
        async finish() {
            if (pendingBytes > 0)
                flush();
            await written;
        },
    };
}
/** A chunk that shares its buffer shares it with what the connection may still parse. */
function releaseIfAlone(chunk) {
    if (chunk.byteOffset === 0)
        releaseBuffer(chunk);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/storage-exchange.js
const maxRefusalBytes = 4096;
/**
 * Sends one GET. Chunks reach the reader without a stream in between, which costs a third of the time on fast links.
 *
 * @throws what the connection, the reader or the signal failed with
 */
function exchange({ url, headers }, { dispatcher, signal, open }) {
    return new Promise((resolve, reject) => {
        const handler = new ExchangeHandler(open, { resolve, reject });
        const abort = () => handler.fail(signal.reason);
        if (signal.aborted)
            return abort();
        signal.addEventListener("abort", abort, { once: true });
        handler.onSettled = () => signal.removeEventListener("abort", abort);
        dispatcher.dispatch(optionsFor(url, headers), handler);
    });
}
function optionsFor(url, headers) {
    return {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: "GET",
        headers,
        // Streams of one HTTP/2 connection share its limit: what is parallel must be connections.
        allowH2: false,
        // The worker's own watch covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
    };
}
class ExchangeHandler {
    onSettled = doNothing;
    #open;
    #settle;
    #controller;
    #read;
    #head;
    #refusal = "";
    #isSettled = false;
    #failure;
    constructor(open, settle) {
        this.#open = open;
        this.#settle = settle;
    }
    /** Ends the exchange at once, whatever state the connection is in. */
    fail(reason) {
        this.#failure ??= { reason };
        this.#finish(() => this.#settle.reject(reason));
        this.#cut(reason);
    }
    onRequestStart(controller) {
        this.#controller = controller;
        if (this.#failure)
            this.#cut(this.#failure.reason);
    }
    onResponseStart(controller, status, headers) {
        if (status < 200)
            return;
        this.#head = { status, headers: flatten(headers) };
        if (status !== 200 && status !== 206)
            return;
        try {
            this.#read = this.#open(this.#head, {
                pause: () => controller.pause(),
                resume: () => controller.resume(),
                stop: () => this.#stop(),
            });
        }
        catch (error) {
            this.fail(error);
        }
    }
    onResponseData(_controller, chunk) {
        if (this.#isSettled || chunk.length === 0)
            return;
        if (!this.#read) {
            this.#refusal += chunk.toString("utf8");
            if (this.#refusal.length >= maxRefusalBytes)
                this.#stop();
            return;
        }
        try {
            this.#read(chunk);
        }
        catch (error) {
            this.fail(error);
        }
    }
    onResponseEnd() {
        this.#answer();
    }
    onResponseError(_controller, error) {
        this.#finish(() => this.#settle.reject(error));
    }
    #stop() {
        this.#answer();
        this.#cut(new Error("The rest of the body is not needed."));
    }
    #answer() {
        const head = this.#head;
        if (!head) {
            this.fail(new Error("The answer ended before it began."));
            return;
        }
        const answer = this.#read
            ? { kind: "read", head }
            : { kind: "refused", head, text: this.#refusal };
        this.#finish(() => this.#settle.resolve(answer));
    }
    #cut(reason) {
        this.#controller?.abort(reason instanceof Error ? reason : new Error(String(reason)));
    }
    #finish(settle) {
        if (this.#isSettled)
            return;
        this.#isSettled = true;
        this.onSettled();
        settle();
    }
}
function flatten(headers) {
    const entries = Object.entries(headers).flatMap(([name, value]) => value === undefined ? [] : [[name.toLowerCase(), String(value)]]);
    return new Map(entries);
}
function doNothing() {
    // Replaced when there is something to release.
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/attempt-segment.js




const maxRedirects = 5;
/**
 * Sends one request for what is missing of a segment and writes what arrives.
 *
 * @throws for broken connections, aborts and a disk that is full
 */
async function attemptSegment(options, deps) {
    let url = options.link.url;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
        const outcome = await requestOnce(url, options, deps);
        if (outcome.kind !== "redirect")
            return outcome;
        url = parseStorageUrl(outcome.location, url);
    }
    return { kind: "fatal", reason: `Storage (${describeUrl(options.link.url)}) redirects in circles` };
}
/** Ends an exchange whose answer is not the bytes that were asked for. */
class UnexpectedBody extends Error {
    outcome;
    constructor(outcome) {
        super(outcome.kind);
        this.outcome = outcome;
    }
}
async function requestOnce(url, options, deps) {
    let writer;
    const failure = new AbortController();
    const signal = AbortSignal.any([deps.signal, failure.signal]);
    try {
        const answer = await exchange({ url, headers: headersFor(options) }, {
            dispatcher: deps.dispatcher,
            signal,
            open: (head, control) => {
                accept(head, options, deps);
                writer = openWriter(options.segment, { control, deps, failure });
                return writer.accept;
            },
        });
        await writer?.finish();
        if (answer.kind === "read")
            return { kind: "ended" };
        return judgeRefusal(answer.head, { text: answer.text, known: options.known, nowMs: deps.now() });
    }
    catch (error) {
        // What arrived before a cut is kept: the next request goes on behind it.
        if (!failure.signal.aborted)
            await writer?.finish();
        if (error instanceof UnexpectedBody)
            return error.outcome;
        throw error;
    }
}
function headersFor({ segment, ranged, known }) {
    const headers = {
        accept: "*/*",
        "accept-encoding": "identity",
        "user-agent": "docs-automation-action",
    };
    if (!ranged)
        return headers;
    const last = Number.isFinite(segment.end) && known ? String(segment.end - 1) : "";
    headers["range"] = `bytes=${segment.written}-${last}`;
    if (known?.etag)
        headers["if-match"] = known.etag;
    else if (known?.lastModified)
        headers["if-unmodified-since"] = known.lastModified;
    return headers;
}
/** Lets the bytes in, or ends the exchange with the reason why not. */
function accept(head, { segment, known }, { onIdentity }) {
    const start = segment.written;
    const verdict = judgeBody(head, { start, known });
    if (verdict.kind === "changed" || verdict.kind === "wrong-range")
        throw new UnexpectedBody(verdict);
    if (verdict.kind === "whole" && start > 0)
        throw new UnexpectedBody({ kind: "no-ranges" });
    onIdentity(verdict.identity, { head, isWhole: verdict.isWhole });
}
function openWriter(segment, { control, deps, failure }) {
    segment.received = segment.written;
    const writer = createSegmentWriter(segment, {
        file: deps.file,
        control,
        onReceived: deps.onReceived,
        onWritten: deps.onWritten,
        onFailure: (error) => failure.abort(error),
    });
    deps.onWriter(writer);
    return writer;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/retry-delay.js
const firstDelayMs = 200;
const maxDelayMs = 10_000;
const maxRetryAfterMs = 5 * 60_000;
/** How long to wait before try `failures + 1`: full jitter, but never less than storage asked for. */
function retryDelay({ failures, retryAfterMs }, random) {
    const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** failures);
    return Math.max(random() * ceiling, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/transfer-failure.js

/** Ends one round of a transfer: what is on disk is of no use, and the next round starts at the first byte. */
class RestartNeeded extends Error {
    name = "RestartNeeded";
    /** What to report when restarting has not helped. */
    verdict;
    /** Whether the next round must do without ranges. */
    withoutRanges;
    constructor(verdict, { withoutRanges = false } = {}) {
        super(verdict.message);
        this.verdict = verdict;
        this.withoutRanges = withoutRanges;
    }
}
/** No bytes for too long. */
class StalledError extends Error {
    name = "StalledError";
}
const storageHint = "Storage, not the platform, gave this answer. Run again with `job-id`: the bundle is fetched anew without a new export.";
const networkHint = "Check the runner's network and the proxy variables (HTTPS_PROXY, NO_PROXY), then run again with `job-id`: the export need not be made again.";
/** One line about a failure, without the address that was asked. */
function describeFailure(failure) {
    switch (failure.kind) {
        case "broken":
            return describeConnectionError(failure.error);
        case "cut":
            return `the answer ended early, at byte ${failure.position}`;
        case "transient":
            return failure.reason;
        case "wrong-range":
            return `storage sent ${failure.reason}`;
    }
}
/** What to report when a passing failure did not pass. */
function lastingError(failure, tries) {
    const isNetwork = failure.kind === "broken" || failure.kind === "cut";
    return new BundleError(isNetwork ? "unreachable" : "unavailable", `The bundle could not be fetched: ${tries} tries in a row failed, the last because ${describeFailure(failure)}.`, {
        hint: isNetwork ? networkHint : storageHint,
        cause: failure.kind === "broken" ? failure.error : undefined,
    });
}
/** What to report for an answer that no further try can mend. */
function fatalError(outcome) {
    if (outcome.kind === "empty")
        return corrupt("The bundle is empty (0 bytes).");
    return new BundleError("unexpected-response", `${outcome.reason}.`, { hint: storageHint });
}
/** The reason to start again because the object is not what it was. */
function objectChanged(reason) {
    return new RestartNeeded(corrupt(`The bundle changed while it was fetched: ${reason}.`));
}
/** The reason to start again in one stream. */
function rangesUnusable(reason) {
    const verdict = new BundleError("unexpected-response", `Storage does not serve ranges as it should: ${reason}.`, {
        hint: storageHint,
    });
    return new RestartNeeded(verdict, { withoutRanges: true });
}
function describeConnectionError(error) {
    if (error instanceof StalledError)
        return error.message;
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
    return `the connection failed (${code ?? (error instanceof Error ? error.name : String(error))})`;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/segment-worker.js




const maxFailures = 8;
const maxWrongRanges = 3;
/** An additional connection that fails so often in a row without a byte is taken as one too many. */
const maxBarrenTries = 2;
/** One connection: fetches one segment after the other, and tries again what may pass. */
class SegmentWorker {
    #options;
    #deps;
    #writer;
    #stall = new AbortController();
    #lastByteAt = 0;
    #barrenTries = 0;
    constructor(options, deps) {
        this.#options = options;
        this.#deps = deps;
    }
    /** Whether bytes have come over this connection since its last failure. */
    get isDelivering() {
        return this.#writer !== undefined;
    }
    /** Gives the running request up if nothing has come for too long and it was not us who made it wait. */
    watch() {
        const now = this.#deps.clock.now();
        if (this.#writer?.isPaused)
            this.#lastByteAt = now;
        if (now - this.#lastByteAt <= this.#options.stallMs)
            return;
        this.#stall.abort(new StalledError(`no byte came for ${this.#options.stallMs / 1000} s`));
    }
    /**
     * Fetches a segment to its end.
     *
     * @param isAlone whether no other connection is at work
     * @returns whether the segment is complete; otherwise this connection is one too many
     * @throws {RestartNeeded} when what is on disk is of no use
     */
    async fetch(segment, isAlone) {
        while (segment.written < segment.end) {
            const before = segment.written;
            const outcome = await this.#attempt(segment);
            this.#writer = undefined;
            this.#barrenTries = segment.written > before ? 0 : this.#barrenTries + 1;
            const failure = this.#settle(outcome, segment);
            if (!failure)
                continue;
            if (!isAlone() && this.#barrenTries >= maxBarrenTries)
                return false;
            await this.#waitToRetry(failure);
        }
        return true;
    }
    async #attempt(segment) {
        const { links, signal, clock, stats } = this.#deps;
        const link = await links.current();
        signal.throwIfAborted();
        stats.requests += 1;
        this.#stall = new AbortController();
        this.#lastByteAt = clock.now();
        try {
            const outcome = await attemptSegment({ segment, link, ranged: this.#options.ranged, known: this.#options.round.known }, this.#attemptDeps(link));
            if (outcome.kind === "link-refused")
                links.reject(link, outcome);
            return outcome;
        }
        catch (error) {
            signal.throwIfAborted();
            if (error instanceof errors/* ActionError */.lZ || error instanceof RestartNeeded)
                throw error;
            return { kind: "broken", error };
        }
    }
    #attemptDeps(link) {
        const { dispatcher, file, signal, clock, links, onObject, onWritten } = this.#deps;
        const { round } = this.#options;
        return {
            dispatcher,
            file,
            signal: AbortSignal.any([signal, this.#stall.signal]),
            now: clock.now,
            onIdentity: (identity, answer) => {
                if (round.known)
                    return;
                onObject(identity, { ...answer, link });
                round.known = identity;
            },
            onReceived: (bytes) => {
                round.received += bytes;
                round.failures = 0;
                this.#lastByteAt = clock.now();
                links.progressed();
            },
            onWritten,
            onWriter: (writer) => {
                this.#writer = writer;
            },
        };
    }
    /** What an outcome means: go on (`undefined`), wait and try again, or give up by throwing. */
    #settle(outcome, segment) {
        switch (outcome.kind) {
            case "ended":
                return this.#settleEnd(segment);
            case "link-refused":
                return undefined;
            case "no-ranges":
                throw rangesUnusable("it answers a range with the whole");
            case "changed":
                throw objectChanged(outcome.reason);
            case "empty":
            case "fatal":
                throw fatalError(outcome);
            case "wrong-range":
                this.#options.round.wrongRanges += 1;
                if (this.#options.round.wrongRanges >= maxWrongRanges)
                    throw rangesUnusable(outcome.reason);
                return outcome;
            default:
                return outcome;
        }
    }
    #settleEnd(segment) {
        // Storage that does not say the length says it by ending.
        if (segment.end === Number.POSITIVE_INFINITY)
            this.#deps.segments.bound(segment.written);
        return segment.written < segment.end ? { kind: "cut", position: segment.written } : undefined;
    }
    async #waitToRetry(failure) {
        const { clock, random, log, signal, stats } = this.#deps;
        const { round, ranged } = this.#options;
        round.failures += 1;
        if (round.failures >= maxFailures)
            throw lastingError(failure, round.failures);
        if (!ranged && round.received > 0) {
            throw new RestartNeeded(lastingError(failure, round.failures), { withoutRanges: true });
        }
        stats.retries += 1;
        const retryAfterMs = failure.kind === "transient" ? failure.retryAfterMs : undefined;
        const delayMs = retryDelay({ failures: round.failures, retryAfterMs }, random);
        log.debug(`Fetching the bundle: ${describeFailure(failure)}; trying again in ${Math.round(delayMs)} ms.`);
        await clock.sleep(delayMs, signal);
    }
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/fetch-object.js



const tickMs = 25;
/** Fetches one version of the object into the part file, over as many connections as help. */
class ObjectFetch {
    #options;
    #deps;
    #plan;
    #workers = new Map();
    #stop = new AbortController();
    #signal;
    #round = { known: undefined, received: 0, failures: 0, wrongRanges: 0 };
    constructor(options, deps) {
        this.#options = options;
        this.#deps = deps;
        this.#plan = createConcurrencyPlan({ max: options.ranged ? options.maxConnections : 1 });
        this.#signal = AbortSignal.any([deps.signal, this.#stop.signal]);
    }
    /**
     * Resolves when every byte is on disk.
     *
     * @throws {RestartNeeded} when what is on disk is of no use
     * @throws {BundleError} when the object cannot be fetched
     */
    async run() {
        let tick;
        try {
            while (!this.#deps.segments.isDone) {
                this.#fill();
                tick ??= this.#tick().finally(() => {
                    tick = undefined;
                });
                await Promise.race([...this.#workers.values(), tick]);
            }
        }
        finally {
            this.#stop.abort(new Error("The transfer has ended."));
            await Promise.allSettled([...this.#workers.values(), tick]);
        }
    }
    /** Starts connections until as many are at work as the plan wants; until the first answer, one. */
    #fill() {
        const wanted = this.#round.known ? this.#plan.target : 1;
        while (this.#workers.size < wanted) {
            const segment = nextSegment(this.#deps.segments, this.#plan);
            if (!segment)
                return;
            const worker = new SegmentWorker({ ranged: this.#options.ranged, stallMs: this.#options.stallMs, round: this.#round }, { ...this.#deps, signal: this.#signal });
            this.#workers.set(worker, this.#work(worker, segment));
        }
        this.#deps.stats.connections = Math.max(this.#deps.stats.connections, this.#workers.size);
    }
    /** Lets one connection fetch segments until there are none, or it is not wanted any more. */
    async #work(worker, first) {
        const { segments, clock } = this.#deps;
        let segment = first;
        try {
            while (segment) {
                const current = segment;
                const isComplete = await worker
                    .fetch(current, () => this.#workers.size === 1)
                    .finally(() => {
                    segments.release(current);
                });
                if (!isComplete)
                    return this.#plan.refused(clock.now());
                segment = this.#workers.size > this.#plan.target ? undefined : nextSegment(segments, this.#plan);
            }
        }
        finally {
            this.#workers.delete(worker);
        }
    }
    async #tick() {
        const { clock, segments, onTick } = this.#deps;
        await clock.sleep(tickMs, this.#signal);
        const workers = [...this.#workers.keys()];
        for (const worker of workers)
            worker.watch();
        this.#plan.observe({
            nowMs: clock.now(),
            bytes: this.#round.received,
            delivering: workers.filter(({ isDelivering }) => isDelivering).length,
            remaining: segments.remainingBytes,
        });
        onTick({ received: this.#round.received, connections: workers.length });
    }
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/growing-source.js
/** Reads a part file along its segment map; waits end with the signal. */
function createGrowingSource({ handle, segments }, signal) {
    let growth = Promise.withResolvers();
    signal.addEventListener("abort", () => growth.resolve(), { once: true });
    async function waitForGrowth() {
        await growth.promise;
        signal.throwIfAborted();
    }
    return {
        grown() {
            growth.resolve();
            growth = Promise.withResolvers();
        },
        async size() {
            while (segments.total === Number.POSITIVE_INFINITY)
                await waitForGrowth();
            return segments.total;
        },
        async read(buffer, position) {
            for (;;) {
                signal.throwIfAborted();
                const length = Math.min(buffer.length, segments.availableAt(position));
                if (length > 0)
                    return (await handle.read(buffer, 0, length, position)).bytesRead;
                if (position >= segments.total)
                    return 0;
                segments.want(position);
                await waitForGrowth();
            }
        },
    };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/is-process-alive.js
/** Whether a process of this machine runs, for deciding whether what it made is left over. */
function isProcessAlive(pid) {
    try {
        process.kill(pid, 0);
        return true;
    }
    catch (error) {
        // Someone else's process is alive all the same.
        return error instanceof Error && "code" in error && error.code === "EPERM";
    }
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/part-file.js




/**
 * Creates `<path>.<process>.part`, so that two runs in one folder never write to the same file; what a run that is dead by
 * now left behind is removed.
 */
async function createPartFile(path) {
    const partPath = `${path}.${process.pid}.part`;
    await removeLeftovers(path);
    const handle = await (0,promises_.open)(partPath, "wx+", 0o644);
    let isClosed = false;
    let isPublished = false;
    return {
        handle,
        async write(chunks, position) {
            try {
                await writeAll(handle, { chunks, position });
            }
            catch (error) {
                throw fromWriteError(error, partPath);
            }
        },
        async clear() {
            await handle.truncate(0);
        },
        async publish(finalPath) {
            // No fsync: a process that dies leaves no name behind, and against a power cut a runner keeps nothing anyway.
            await handle.close().catch((error) => {
                throw fromWriteError(error, partPath);
            });
            isClosed = true;
            await (0,promises_.rename)(partPath, finalPath);
            isPublished = true;
        },
        async [Symbol.asyncDispose]() {
            if (!isClosed)
                await handle.close();
            if (!isPublished)
                await (0,promises_.rm)(partPath, { force: true });
        },
    };
}
async function removeLeftovers(path) {
    const prefix = `${(0,external_node_path_.basename)(path)}.`;
    for (const name of await (0,promises_.readdir)((0,external_node_path_.dirname)(path))) {
        const owner = name.startsWith(prefix) ? /^(\d+)\.part$/.exec(name.slice(prefix.length))?.[1] : undefined;
        const isLeftOver = owner !== undefined && (Number(owner) === process.pid || !isProcessAlive(Number(owner)));
        if (isLeftOver)
            await (0,promises_.rm)((0,external_node_path_.join)((0,external_node_path_.dirname)(path), name), { force: true });
    }
}
async function writeAll(handle, { chunks, position }) {
    let rest = [...chunks];
    let offset = position;
    while (rest.length > 0) {
        const { bytesWritten } = await handle.writev(rest, offset);
        offset += bytesWritten;
        rest = dropBytes(rest, bytesWritten);
    }
}
function dropBytes(chunks, count) {
    let remaining = count;
    return chunks.flatMap((chunk) => {
        const dropped = Math.min(remaining, chunk.length);
        remaining -= dropped;
        return dropped === chunk.length ? [] : [chunk.subarray(dropped)];
    });
}
/**
 * Checks that `bytes` more fit on the disk that holds `path`.
 *
 * @throws {BundleError} `disk-full`
 */
async function requireDiskSpace(path, bytes) {
    const { bavail, bsize } = await (0,promises_.statfs)((0,external_node_path_.dirname)(path));
    const free = bavail * bsize;
    if (free >= bytes)
        return;
    throw new BundleError("disk-full", `The bundle needs ${bytes} bytes, but the disk of ${path} has ${free} left.`);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/segment-map.js
/** Who fetches which bytes of one object, and which are there. */
class SegmentMap {
    #total;
    /** Stretches that nobody fetches, in order. */
    #gaps;
    #active = new Set();
    #wanted;
    /** @param total length of the object; `Infinity` while storage does not say it */
    constructor(total) {
        this.#total = total;
        this.#gaps = total === 0 ? [] : [{ start: 0, end: total }];
    }
    /** Length of the object; `Infinity` while it is unknown. */
    get total() {
        return this.#total;
    }
    /** Learns the length of the object. */
    bound(total) {
        this.#total = total;
        this.#gaps = this.#gaps
            .map(({ start, end }) => ({ start, end: Math.min(end, total) }))
            .filter(({ start, end }) => start < end);
        for (const segment of this.#active)
            segment.end = Math.min(segment.end, total);
    }
    get isDone() {
        return this.#gaps.length === 0 && this.#active.size === 0;
    }
    get active() {
        return this.#active;
    }
    /** Bytes that have not arrived. */
    get remainingBytes() {
        const waiting = this.#gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0);
        return [...this.#active].reduce((sum, { received, end }) => sum + end - received, waiting);
    }
    /** Asks for the bytes at `position` to be taken next: somebody waits for them. */
    want(position) {
        this.#wanted = position;
    }
    /** The next stretch to fetch, of at most `maxBytes`: the wanted one, or the lowest. */
    take(maxBytes) {
        const index = Math.max(0, this.#gaps.findIndex((gap) => this.#isWantedIn(gap)));
        const gap = this.#gaps[index];
        if (!gap)
            return undefined;
        const start = this.#isWantedIn(gap) ? (this.#wanted ?? gap.start) : gap.start;
        const segment = { start, received: start, written: start, end: Math.min(gap.end, start + maxBytes) };
        const rest = [
            { start: gap.start, end: start },
            { start: segment.end, end: gap.end },
        ].filter((part) => part.start < part.end);
        this.#gaps.splice(index, 1, ...rest);
        this.#active.add(segment);
        return segment;
    }
    /** Gives the bytes that a segment has beyond `keepBytes` more to whoever asks next. */
    shrink(segment, keepBytes) {
        const end = Math.min(segment.end, segment.received + keepBytes);
        if (end === segment.end)
            return;
        this.#putBack({ start: end, end: segment.end });
        segment.end = end;
    }
    /** Ends a segment; what it has not written is to be fetched again. */
    release(segment) {
        this.#active.delete(segment);
        if (segment.written < segment.end)
            this.#putBack({ start: segment.written, end: segment.end });
    }
    /** How many bytes from `position` on are on disk without a hole. */
    availableAt(position) {
        for (const { start, written, end } of this.#active) {
            if (position >= start && position < end && position >= written)
                return 0;
        }
        const inGap = this.#gaps.some(({ start, end }) => position >= start && position < end);
        if (inGap || position >= this.#total)
            return 0;
        const holes = [
            ...this.#gaps.map(({ start }) => start),
            ...[...this.#active].map(({ written }) => written),
        ];
        const next = holes.filter((hole) => hole > position);
        return Math.min(this.#total, ...next) - position;
    }
    #isWantedIn({ start, end }) {
        return this.#wanted !== undefined && this.#wanted >= start && this.#wanted < end;
    }
    #putBack(range) {
        this.#gaps.push(range);
        this.#gaps.sort((a, b) => a.start - b.start);
        this.#gaps = mergeTouching(this.#gaps);
    }
}
function mergeTouching(ranges) {
    const merged = [];
    for (const range of ranges) {
        const last = merged.at(-1);
        if (last && last.end === range.start)
            merged[merged.length - 1] = { start: last.start, end: range.end };
        else
            merged.push(range);
    }
    return merged;
}

;// CONCATENATED MODULE: ./.build/lib/bundle/fetch-round.js









const defaultConnections = 8;
const defaultStallMs = 30_000;
const progressEveryMs = 3000;
/** Fetches and inspects one version of the bundle, both at once. */
class FetchRound {
    #options;
    #deps;
    #segments = new SegmentMap(Number.POSITIVE_INFINITY);
    #stop = new AbortController();
    #signal;
    #source;
    #failed = Promise.withResolvers();
    #meter = createRateMeter();
    #object;
    #inspection;
    #reportAt = 0;
    constructor(options, deps) {
        this.#options = options;
        this.#deps = deps;
        this.#signal = AbortSignal.any([deps.signal, this.#stop.signal]);
        this.#source = createGrowingSource({ handle: deps.file.handle, segments: this.#segments }, this.#signal);
        this.#reportAt = deps.clock.now() + progressEveryMs;
    }
    /**
     * Resolves when the bundle is on disk and nothing is wrong with it.
     *
     * @throws {RestartNeeded} when another round may succeed
     * @throws {BundleError} when none can
     */
    async run() {
        await this.#requirePromisedRoom();
        const requestsBefore = this.#deps.stats.requests;
        const fetching = this.#createFetch().run();
        try {
            await Promise.race([fetching, this.#failed.promise]);
            this.#source.grown();
            if (!this.#inspection)
                throw corrupt("Storage ended its answer before it began.");
            const inspection = await this.#inspection;
            this.#report({ received: inspection.size, connections: 0 }, { isLast: true });
            return inspection;
        }
        catch (error) {
            const isOneAnswer = this.#deps.stats.requests - requestsBefore === 1;
            throw isOneAnswer ? error : this.#suspectMixture(error);
        }
        finally {
            this.#stop.abort(new Error("The round has ended."));
            await Promise.allSettled([fetching, this.#inspection]);
        }
    }
    #createFetch() {
        const { ranged, connections = defaultConnections, stallMs = defaultStallMs, maxBytes } = this.#options;
        return new ObjectFetch({ ranged, maxConnections: connections, stallMs }, {
            ...this.#deps,
            segments: this.#segments,
            signal: this.#signal,
            onObject: (object, answer) => this.#begin(object, answer),
            onWritten: (position) => {
                this.#source.grown();
                if (position > maxBytes)
                    this.#failed.reject(tooLarge(position, maxBytes));
            },
            onTick: (state) => this.#report(state),
        });
    }
    /** What the platform promises is checked before storage is asked at all. */
    async #requirePromisedRoom() {
        const { links } = this.#deps;
        const { sizeBytes } = await links.current();
        if (sizeBytes !== undefined)
            await this.#requireRoom(sizeBytes);
    }
    async #requireRoom(bytes) {
        const { maxBytes, path } = this.#options;
        if (bytes > maxBytes)
            throw tooLarge(bytes, maxBytes);
        await requireDiskSpace(path, bytes);
    }
    /** The first answer has told what is being fetched. */
    #begin(object, { head, isWhole, link }) {
        const { limits, maxBytes } = this.#options;
        this.#object = object;
        if (object.total !== undefined) {
            if (link.sizeBytes !== undefined && link.sizeBytes !== object.total) {
                const type = head.headers.get("content-type") ?? "of unknown type";
                throw objectChanged(`the platform promised ${link.sizeBytes} bytes, but storage has ${object.total} (${type})`);
            }
            this.#segments.bound(object.total);
            this.#requireRoom(object.total).catch(this.#failed.reject);
        }
        this.#inspection = inspectBundle(this.#source, {
            checksums: readChecksums(head, isWhole),
            limits: { maxTotalBytes: maxBytes, ...limits },
            sizeBytes: link.sizeBytes,
        }, this.#signal);
        this.#inspection.catch(this.#failed.reject);
    }
    /**
     * Storage that names no version may have sent parts of two. Then damage is no verdict yet: one stream cannot be a
     * mixture.
     */
    #suspectMixture(error) {
        const isNamed = this.#object?.etag !== undefined || this.#object?.lastModified !== undefined;
        const isDamage = error instanceof BundleError && error.code === "bundle-corrupt";
        return isDamage && !isNamed && this.#options.ranged
            ? new RestartNeeded(error, { withoutRanges: true })
            : error;
    }
    #report({ received, connections }, { isLast = false } = {}) {
        const { clock, onProgress } = this.#deps;
        const now = clock.now();
        const total = this.#object?.total;
        const bytes = total === undefined ? received : total - this.#segments.remainingBytes;
        const bytesPerSecond = this.#meter.add(now, bytes);
        if (!onProgress || (now < this.#reportAt && !isLast))
            return;
        this.#reportAt = now + progressEveryMs;
        const isEstimable = total !== undefined && bytesPerSecond > 0;
        onProgress({
            bytes,
            total,
            bytesPerSecond,
            secondsLeft: isEstimable ? (total - bytes) / bytesPerSecond : undefined,
            connections,
        });
    }
}
function tooLarge(bytes, maxBytes) {
    return new BundleError("bundle-too-large", `The bundle has ${bytes} bytes or more; at most ${maxBytes} are allowed.`);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/transfer/link-keeper.js


const maxRefusals = 4;
const maxMarginMs = 30_000;
/** Starts without a link; the first is asked for when it is needed. */
function createLinkKeeper({ getLink, now, log }) {
    let held;
    let replaceAt = Number.POSITIVE_INFINITY;
    let pending;
    let refusals = 0;
    let issued = 0;
    async function ask() {
        const link = await getLink();
        issued += 1;
        const url = parseStorageUrl(link.url);
        log.debug(`Link ${issued} to the bundle: ${describeUrl(url)}`);
        held = { url, sizeBytes: link.sizeBytes };
        replaceAt = timeToReplace(link, now());
        return held;
    }
    return {
        get issued() {
            return issued;
        },
        async current() {
            if (held && now() < replaceAt)
                return held;
            pending ??= ask().finally(() => {
                pending = undefined;
            });
            return pending;
        },
        reject(link, { status, detail }) {
            if (link !== held)
                return;
            refusals += 1;
            if (refusals >= maxRefusals)
                throw refusedError(describeUrl(link.url), { status, detail });
            log.debug(`Storage refused the link (${status}${detail && ` ${detail}`}); asking for a fresh one.`);
            held = undefined;
        },
        forget() {
            held = undefined;
        },
        progressed() {
            refusals = 0;
        },
    };
}
/** A little before the link dies: a request that starts in time may still arrive too late. */
function timeToReplace({ expiresAt, issuedAt }, now) {
    const lifeMs = expiresAt ? expiresAt.getTime() - (issuedAt?.getTime() ?? now) : Number.NaN;
    // An expiry in the past is a clock that is wrong: storage itself will say when the link is dead.
    if (!(lifeMs > 0))
        return Number.POSITIVE_INFINITY;
    return now + lifeMs - Math.min(maxMarginMs, lifeMs / 10);
}
function refusedError(place, { status, detail }) {
    const code = status === 404 ? "not-found" : "forbidden";
    return new BundleError(code, `Storage (${place}) refused ${maxRefusals} fresh links: ${status} ${detail}`.trim(), {
        status,
        hint: status === 404
            ? "The platform links to an archive that storage does not have. Start a new export; if it fails again, tell the platform's operator."
            : "The links are fresh, so it is not their age: storage may be closed to this network, or the clock or the access of the service that signs them may be wrong. Tell the platform's operator.",
    });
}

;// CONCATENATED MODULE: ./.build/lib/bundle/download.js
var download_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var download_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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







const maxRestarts = 4;
/**
 * Fetches a bundle from storage and verifies it while it arrives.
 *
 * Survives cuts, stalls, errors that pass, links that expire, and a bundle that is replaced meanwhile. On failure or
 * abort no file is left.
 *
 * @throws {BundleError} and what `getLink` throws; the signal's reason when aborted
 */
async function downloadBundle(options, deps) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { clock, log, signal, getLink, random = Math.random } = deps;
        signal.throwIfAborted();
        const { withExtension = false } = options;
        const path = (0,external_node_path_.resolve)(options.path);
        await (0,promises_.mkdir)((0,external_node_path_.dirname)(path), { recursive: true });
        const links = createLinkKeeper({ getLink, now: clock.now, log });
        const stats = { requests: 0, retries: 0, restarts: 0, connections: 0 };
        const file = download_addDisposableResource(env_1, await createPartFile(path), true);
        for (let ranged = true;;) {
            try {
                const { size, sha256, archive } = await new FetchRound({ ...options, path, ranged }, { ...deps, random, links, file, stats }).run();
                const { format } = archive;
                const finalPath = finalName(path, { format, withExtension });
                await file.publish(finalPath);
                return { path: finalPath, size, sha256, format, archive, transfer: { ...stats, links: links.issued } };
            }
            catch (error) {
                signal.throwIfAborted();
                if (!(error instanceof RestartNeeded))
                    throw error;
                if (stats.restarts >= maxRestarts)
                    throw error.verdict;
                stats.restarts += 1;
                ranged &&= !error.withoutRanges;
                log.info(`${error.message} Starting again${ranged ? "" : " in one stream"}.`);
            }
            await file.clear();
            links.forget();
            await clock.sleep(retryDelay({ failures: stats.restarts, retryAfterMs: undefined }, random), signal);
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = download_disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
function finalName(path, { format, withExtension }) {
    return withExtension ? `${path}.${format}` : path;
}

// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(57975);
// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(38815);
;// CONCATENATED MODULE: ./.build/lib/bundle/values/read-values.js


/** Refuses a values file, by the name of the input that names it. */
function refuseValues(problem, cause) {
    return new BundleError("invalid-input", `The values file (\`values-file\`) was not changed: ${problem}.`, {
        cause,
        hint: "The file must be plain YAML with one top-level map; write `staticExport` into it by hand once if it uses more than that.",
    });
}
/**
 * Reads a values file.
 *
 * @throws {BundleError} `invalid-input` for anything but one plain YAML document with a map
 */
function parseValues(text, version) {
    const documents = (0,dist/* parseAllDocuments */.hR)(text, {
        version,
        merge: true,
        keepSourceTokens: true,
        prettyErrors: true,
    });
    if (!Array.isArray(documents))
        return { root: undefined, tree: undefined };
    const [document, second] = documents;
    if (second)
        throw refuseValues("it holds more than one YAML document");
    if (!document)
        return { root: undefined, tree: undefined };
    requireValid(document);
    const { contents } = document;
    if (contents === null || ((0,dist/* isScalar */.jn)(contents) && contents.value === null && !contents.source)) {
        return { root: undefined, tree: undefined };
    }
    refuseTemplates(document, text);
    if (!(0,dist/* isMap */.jh)(contents))
        throw refuseValues("its top level is not a map");
    return { root: contents, tree: toTree(document) };
}
function requireValid(document) {
    const [error] = document.errors;
    if (!error)
        return;
    // Not the error's own message: it quotes the file, which may hold secrets.
    const [position] = error.linePos ?? [];
    const place = position ? ` in line ${position.line}, column ${position.col}` : "";
    throw refuseValues(`it is not valid YAML (${error.code}${place})`);
}
function toTree(document) {
    try {
        return document.toJS({ mapAsMap: true, maxAliasCount: 1000 });
    }
    catch (cause) {
        throw refuseValues("its aliases cannot be resolved", cause);
    }
}
/** `{{ … }}` outside quotes is a template that YAML happens to read as something else. */
function refuseTemplates(document, text) {
    (0,dist/* visit */.YR)(document, {
        Map(_key, node) {
            if (node.range && text.startsWith("{{", node.range[0]))
                throw refuseValues("it is a template (`{{ … }}`)");
        },
        Scalar(_key, node) {
            if (node.type === "PLAIN" && node.source?.includes("{{"))
                throw refuseValues("it is a template (`{{ … }}`)");
        },
    });
}

;// CONCATENATED MODULE: ./.build/lib/bundle/values/splice.js
/** Applies changes that do not overlap; those at one place in their order. */
function applySplices(text, splices) {
    const ordered = [...splices].sort((a, b) => a.start - b.start);
    let result = "";
    let position = 0;
    for (const splice of ordered) {
        result += text.slice(position, splice.start) + splice.text;
        position = splice.end;
    }
    return result + text.slice(position);
}
/** The line ending that a text uses. */
function lineEndOf(text) {
    return text.includes("\r\n") ? "\r\n" : "\n";
}
/** Where the line ends on which the byte before `offset` stands: its line break is behind the result. */
function endOfLine(text, offset) {
    const from = offset > 0 && text[offset - 1] === "\n" ? offset - 1 : offset;
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    return text[end - 1] === "\r" ? end - 1 : end;
}
/** The column, from 0, of an offset. */
function columnOf(text, offset) {
    return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/values/plan-splices.js



/** The map that all of this is about. */
const parentKey = "staticExport";
/**
 * Plans the smallest change that gives the file the wanted values.
 *
 * @throws {BundleError} `invalid-input` where a value stands in a form that cannot be changed alone
 */
function planSplices(text, { root }, wanted) {
    if (!root)
        return [appendTo(text, blockLines(text, { indent: 0, wanted }))];
    const parent = findPair(root, parentKey);
    if (!parent)
        return [insertParent(text, root, wanted)];
    const { value } = parent;
    if ((0,dist/* isAlias */.Vj)(value))
        throw refuseValues(`\`${parentKey}\` is an alias: a change would change what it stands for`);
    if ((0,dist/* isMap */.jh)(value))
        return changeMap(text, { parent, map: value, wanted });
    if (value === null || ((0,dist/* isScalar */.jn)(value) && value.value === null))
        return [fillEmpty(text, parent, wanted)];
    throw refuseValues(`\`${parentKey}\` is not a map`);
}
function findPair(map, key) {
    return map.items.find((pair) => (0,dist/* isScalar */.jn)(pair.key) && pair.key.value === key);
}
function changeMap(text, { parent, map, wanted }) {
    const changes = wanted.flatMap((item) => {
        const pair = findPair(map, item.key);
        return pair && !item.isPresent ? [replaceValue(text, pair, item)] : [];
    });
    const missing = wanted.filter(({ key }) => !findPair(map, key));
    if (missing.length === 0)
        return changes;
    if (map.flow)
        return [
            ...changes,
            insertIntoFlow(map, missing.map((item) => flowEntry(item, isJson(map)))),
        ];
    const first = map.items[0];
    if (!first)
        return [...changes, fillEmpty(text, parent, missing)];
    const indent = columnOf(text, first.key.range[0]);
    return [
        ...changes,
        insertBehind(text, map, missing.map((item) => `${" ".repeat(indent)}${blockEntry(item)}`)),
    ];
}
function replaceValue(text, pair, { key, value }) {
    const node = pair.value;
    const place = `\`${parentKey}.${key}\``;
    if ((0,dist/* isAlias */.Vj)(node))
        throw refuseValues(`${place} is an alias: a change would change what it stands for`);
    if ((0,dist/* isCollection */.P3)(node))
        throw refuseValues(`${place} is a map or a list`);
    if (!node || !(0,dist/* isScalar */.jn)(node) || node.range[0] === node.range[1]) {
        const colon = endOfColon(pair);
        return { start: colon, end: colon, text: ` ${scalarText(value)}` };
    }
    const [start, end] = node.range;
    if (text.slice(start, end).includes("{{"))
        throw refuseValues(`${place} is a template (\`{{ … }}\`)`);
    const isBlock = node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED";
    const isSingle = node.type === "QUOTE_SINGLE";
    const lineBreak = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? "";
    return { start, end, text: `${scalarText(value, isSingle)}${isBlock ? lineBreak : ""}` };
}
function insertParent(text, root, wanted) {
    if (root.flow) {
        const json = isJson(root);
        const key = json ? JSON.stringify(parentKey) : parentKey;
        return insertIntoFlow(root, [`${key}: ${flowMap(wanted, json)}`]);
    }
    const first = root.items[0];
    const indent = first ? columnOf(text, first.key.range[0]) : 0;
    return insertBehind(text, root, blockLines(text, { indent, wanted }));
}
/** `staticExport:` without a value gets a block below it; one with an explicit null, a map in its place. */
function fillEmpty(text, parent, wanted) {
    const { value } = parent;
    if (value && value.range[0] < value.range[1]) {
        return { start: value.range[0], end: value.range[1], text: flowMap(wanted, false) };
    }
    const indent = columnOf(text, parent.key.range[0]) + indentStep(text);
    const at = endOfLine(text, endOfColon(parent));
    const lines = wanted.map((item) => `${" ".repeat(indent)}${blockEntry(item)}`);
    return { start: at, end: at, text: lines.map((line) => lineEndOf(text) + line).join("") };
}
function blockLines(text, { indent, wanted }) {
    const outer = " ".repeat(indent);
    const inner = " ".repeat(indent + indentStep(text));
    return [`${outer}${parentKey}:`, ...wanted.map((item) => `${inner}${blockEntry(item)}`)];
}
function insertBehind(text, map, lines) {
    const last = map.items.at(-1);
    const at = endOfLine(text, last ? endOfPair(last) : map.range[1]);
    return { start: at, end: at, text: lines.map((line) => lineEndOf(text) + line).join("") };
}
function appendTo(text, lines) {
    const lineEnd = lineEndOf(text);
    const separator = text === "" || text.endsWith("\n") ? "" : lineEnd;
    return { start: text.length, end: text.length, text: `${separator}${lines.join(lineEnd)}${lineEnd}` };
}
/** Behind the last entry, or between the braces of an empty map. */
function insertIntoFlow(map, entries) {
    const last = map.items.at(-1);
    const joined = entries.join(", ");
    if (!last) {
        const at = map.range[0] + 1;
        return { start: at, end: map.range[1] - 1, text: ` ${joined} ` };
    }
    const at = endOfPair(last);
    return { start: at, end: at, text: `, ${joined}` };
}
function endOfPair({ key, value }) {
    if (!value || value.range[0] === value.range[1])
        return Math.max(key.range[1], value?.range[1] ?? 0);
    const isBlockCollection = (0,dist/* isCollection */.P3)(value) && !value.flow;
    const last = isBlockCollection ? value.items.at(-1) : undefined;
    if ((0,dist/* isMap */.jh)(value) && last)
        return endOfPair(last);
    if ((0,dist/* isSeq */.oP)(value) && last)
        return endOfItem(last, value.range[1]);
    return value.range[1];
}
function endOfItem(item, fallback) {
    if ((0,dist/* isMap */.jh)(item) && !item.flow) {
        const last = item.items.at(-1);
        return last ? endOfPair(last) : fallback;
    }
    return item.range[0] === item.range[1] ? fallback : item.range[1];
}
function endOfColon(pair) {
    const separators = pair.srcToken && "sep" in pair.srcToken ? pair.srcToken.sep : undefined;
    const colon = separators?.find(({ type }) => type === "map-value-ind");
    if (!colon)
        throw refuseValues("a key of it has no colon");
    return colon.offset + 1;
}
/** How far the file indents: the first line that is indented tells. */
function indentStep(text) {
    const step = /^[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( +)[^\s#-]/m.exec(text)?.[1];
    return step?.length ?? 2;
}
function isJson(map) {
    return map.items.some(({ key }) => (0,dist/* isScalar */.jn)(key) && key.type === "QUOTE_DOUBLE");
}
function flowMap(wanted, json) {
    return `{ ${wanted.map((item) => flowEntry(item, json)).join(", ")} }`;
}
function flowEntry({ key, value }, json) {
    return `${json ? JSON.stringify(key) : key}: ${scalarText(value)}`;
}
function blockEntry({ key, value }) {
    return `${key}: ${scalarText(value)}`;
}
/** Text is always quoted: `2025.10` would be a number, and a link may hold anything. */
function scalarText(value, isSingle = false) {
    if (value === true)
        return "true";
    if (isSingle && /^[ -~]*$/.test(value))
        return `'${value.replaceAll("'", "''")}'`;
    return JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/values-file.js




const versions = ["1.1", "1.2"];
/**
 * Sets `staticExport.enabled`, `.bundleUrl` and `.version` in a Helm values file (specification §4.8). Every other
 * byte of the file stays what it was; a file that already says all of it is returned as it is.
 *
 * @throws {BundleError} `invalid-input` for files that cannot be changed so: templates, invalid YAML, values that
 *   come from or go to somewhere else by an alias
 */
function updateValuesFile({ text, bundleUrl, version }) {
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    const body = text.slice(mark.length);
    const wanted = new Map([
        ["enabled", true],
        ["bundleUrl", bundleUrl],
        ...(version === undefined ? [] : [["version", version]]),
    ]);
    const trees = new Map(versions.map((yaml) => [yaml, parseValues(body, yaml).tree]));
    const items = [...wanted].map(([key, value]) => ({ key, value, isPresent: isPresentIn(trees, key, value) }));
    const changed = applySplices(body, planSplices(body, parseValues(body, "1.2"), items));
    for (const yaml of versions)
        requireOnlyChange(trees.get(yaml), parseValues(changed, yaml).tree, wanted);
    return { text: mark + changed, changed: changed !== body };
}
/**
 * Whether no reader would see a difference. `yes` and `on` are true for Helm, whose file it is: they stay what they are.
 */
function isPresentIn(trees, key, value) {
    const actual = versions.map((yaml) => childOf(trees.get(yaml), key));
    if (actual.every((one) => one === value))
        return true;
    return value === true && actual[0] === true && isOldTrue(actual[1]);
}
/** What YAML 1.1 reads as true and YAML 1.2 as a text; `y`, on which even 1.1's readers disagree, is not left alone. */
function isOldTrue(value) {
    return typeof value === "string" && /^(yes|on)$/i.test(value);
}
/** Reads both files again and compares: whatever the splices did, this is what counts. */
function requireOnlyChange(before, after, wanted) {
    for (const [key, value] of wanted) {
        const actual = childOf(after, key);
        const isSet = actual === value || (value === true && isOldTrue(actual));
        if (!isSet)
            throw refuseValues(`\`${parentKey}.${key}\` cannot be set where it stands`);
    }
    if (!(0,external_node_util_.isDeepStrictEqual)(without(before, wanted), without(after, wanted))) {
        throw refuseValues("the change would reach other values, through an anchor or the way the file is written");
    }
}
function childOf(tree, key) {
    const parent = tree instanceof Map ? tree.get(parentKey) : undefined;
    return parent instanceof Map ? parent.get(key) : undefined;
}
/** The tree but for the wanted values; an empty or missing `staticExport` is the same as none. */
function without(tree, wanted) {
    const rest = new Map(tree instanceof Map ? tree : []);
    const parent = rest.get(parentKey);
    const kept = parent instanceof Map ? [...parent].filter(([key]) => !wanted.has(key)) : [];
    rest.delete(parentKey);
    return kept.length === 0 ? rest : new Map([...rest, [parentKey, new Map(kept)]]);
}

;// CONCATENATED MODULE: ./.build/lib/bundle/values-target.js
/** A values file of the workspace that an export will update: checked before the export starts, written when it has ended. */





/**
 * Reads the file and makes sure that it can be changed.
 *
 * @throws {BundleError} `invalid-input` for a file outside the workspace, one that cannot be changed safely, and for a
 *   link that would end up in a repository
 */
async function openValuesTarget({ workspace, file, isUnintendedLink, }) {
    const root = await (0,promises_.realpath)(workspace);
    const path = await (0,promises_.realpath)((0,external_node_path_.resolve)(workspace, file)).catch((error) => {
        throw new BundleError("invalid-input", `\`values-file\` ${file} cannot be read.`, {
            hint: "Give the path of an existing file in the workspace; check the repository out before this step.",
            cause: error,
        });
    });
    const inner = (0,external_node_path_.relative)(root, path);
    if (inner.startsWith("..") || (0,external_node_path_.isAbsolute)(inner)) {
        throw new BundleError("invalid-input", `\`values-file\` ${file} is not in the workspace.`);
    }
    if (isUnintendedLink && (await isInRepository(path, root))) {
        throw new BundleError("invalid-input", `\`values-file\` ${file} belongs to a repository, and the bundle's link is a credential that soon expires: it is not written there.`, {
            hint: "Mirror the bundle to storage of your own and set `values-bundle-url` to its address; or set `values-bundle-url: presigned` to write the link on purpose.",
        });
    }
    updateValuesFile({
        text: await readText(path, file),
        bundleUrl: "https://example.com/bundle",
        version: "1",
    });
    return {
        file: inner,
        async write(values) {
            const { text, changed } = updateValuesFile({ text: await readText(path, file), ...values });
            if (changed)
                await replaceFile(path, text);
            return changed;
        },
    };
}
/** The file's text, so that writing it back gives the same bytes. */
async function readText(path, file) {
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await (0,promises_.readFile)(path));
    }
    catch (error) {
        throw new BundleError("invalid-input", `\`values-file\` ${file} is not a text file in UTF-8.`, {
            hint: "Give the path of a Helm values file; convert it to UTF-8 first.",
            cause: error,
        });
    }
}
/** Whether a folder on the way up to the workspace is a git work tree. */
async function isInRepository(path, root) {
    for (let folder = (0,external_node_path_.dirname)(path);; folder = (0,external_node_path_.dirname)(folder)) {
        const isWorkTree = await (0,promises_.access)((0,external_node_path_.join)(folder, ".git")).then(() => true, () => false);
        if (isWorkTree)
            return true;
        if (folder === root || folder === (0,external_node_path_.dirname)(folder))
            return false;
    }
}
async function replaceFile(path, text) {
    const temporary = `${path}.${(0,external_node_crypto_.randomUUID)()}`;
    const { mode } = await (0,promises_.stat)(path);
    try {
        await (0,promises_.writeFile)(temporary, text, { mode });
        await (0,promises_.rename)(temporary, path);
    }
    catch (error) {
        await (0,promises_.rm)(temporary, { force: true });
        throw error;
    }
}

// EXTERNAL MODULE: ./.build/lib/platform/contract.js
var contract = __webpack_require__(10484);
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var platform_errors = __webpack_require__(20013);
// EXTERNAL MODULE: ./.build/lib/platform/follow-job.js + 2 modules
var follow_job = __webpack_require__(97628);
;// CONCATENATED MODULE: ./.build/lib/platform/read-progress.js
/**
 * Progress in percent (0 to 100): from a number, "42%", `{percent}`, or `{done, total}`; `undefined` where it cannot be
 * told. A number is a percentage: the documented type; no platform is known to send a fraction of one.
 */
function readPercent(progress) {
    if (progress === undefined || progress === null)
        return undefined;
    if (typeof progress === "number")
        return toPercent(progress);
    if (typeof progress === "string") {
        const match = /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(progress);
        return match ? toPercent(Number(match[1])) : undefined;
    }
    const { percent, percentage, done, total } = progress;
    if (done !== undefined && total !== undefined && total > 0)
        return toPercent((100 * done) / total);
    return toPercent(percent ?? percentage ?? Number.NaN);
}
/** A page count as a whole number, also where it was sent as text; `undefined` where it is neither. */
function readPageCount(pageCount) {
    if (pageCount === undefined || pageCount === null || pageCount === "")
        return undefined;
    const count = Number(pageCount);
    return Number.isInteger(count) && count >= 0 ? count : undefined;
}
function toPercent(value) {
    return Number.isFinite(value) && value >= 0 && value <= 100 ? Math.round(value * 10) / 10 : undefined;
}

// EXTERNAL MODULE: ./.build/lib/platform/transport/error-message.js
var error_message = __webpack_require__(65706);
// EXTERNAL MODULE: ./.build/lib/platform/transport/read-timestamp.js
var read_timestamp = __webpack_require__(7945);
// EXTERNAL MODULE: ./.build/lib/presentation/escape-markdown.js
var escape_markdown = __webpack_require__(53544);
// EXTERNAL MODULE: ./.build/lib/presentation/format.js
var format = __webpack_require__(15588);
;// CONCATENATED MODULE: ./.build/lib/presentation/export-summary.js
/** The job summary of an export. */


function renderExportSummary(summary) {
    const { bundle, artifact } = summary;
    const rows = [
        ["Job", (0,escape_markdown/* codeCell */.MZ)(summary.jobId)],
        ["Pages", summary.pageCount === undefined ? "not reported" : String(summary.pageCount)],
        [
            "Bundle",
            `${(0,escape_markdown/* codeCell */.MZ)(bundle.path)}, ${(0,format/* formatBytes */.z3)(bundle.size)} (${(0,format/* formatCount */.B4)(bundle.size, "byte")}), ${(0,format/* formatCount */.B4)(bundle.files, "file")}`,
        ],
        ["SHA-256", (0,escape_markdown/* codeCell */.MZ)(bundle.sha256)],
        ["Link expires", summary.expiresAt === undefined ? "not reported" : (0,format/* formatTime */.fU)(summary.expiresAt)],
        ...(summary.sitePath === undefined ? [] : [["Site", (0,escape_markdown/* codeCell */.MZ)(summary.sitePath)]]),
        ...(artifact === undefined ? [] : [["Artifact", artifactCell(artifact)]]),
        ...(summary.valuesFile === undefined
            ? []
            : [["Values file", valuesCell(summary.valuesFile)]]),
        ["Took", (0,format/* formatDuration */.a3)(summary.tookMs)],
    ];
    return [
        `### Documentation export: ${(0,escape_markdown/* escapeInline */.VV)(summary.subject)}`,
        "",
        "The bundle is downloaded and verified.",
        "",
        ...emptySite(summary),
        "| | |",
        "|---|---|",
        ...rows.map(([name, value]) => `| ${name} | ${value} |`),
        "",
        ...dyingLink(summary),
    ].join("\n");
}
/** A site without pages is hardly what was asked for, and everything else about it looks like a success. */
function emptySite({ pageCount }) {
    if (pageCount !== 0)
        return [];
    return ["> [!WARNING]", `> ${noPagesRemark}`, ""];
}
/** What is said of an export that holds no page. */
const noPagesRemark = "The export holds no page. Check `docs-dir` (with `base-url: local`), `domain` and `export-paths`.";
/** A presigned link in a values file works until it dies; whoever reads this should know when. */
function dyingLink({ valuesFile, expiresAt }) {
    if (valuesFile === undefined || valuesFile.isDurable)
        return [];
    const dies = expiresAt === undefined ? "soon; the platform did not say when" : `at ${(0,format/* formatTime */.fU)(expiresAt)}`;
    return [
        "> [!WARNING]",
        `> The link in the values file dies ${dies}. A pod that starts later cannot fetch the bundle. Set \`values-bundle-url\` to an address that lasts, or refresh the file before then (\`job-id\` needs no new export).`,
        "",
    ];
}
/** The summary of an export that was started and left to run. */
function renderDetachedExport({ jobId }) {
    return [
        "### Documentation export: started",
        "",
        `Export job ${(0,escape_markdown/* codeSpan */.SS)(jobId)} runs at the platform. Run the export again with \`job-id: ${jobId.replace(/[^\w.-]/g, "")}\` to fetch its bundle.`,
        "",
    ].join("\n");
}
/** The summary of a dry run: what would be sent. */
function renderDryRun({ request, body, }) {
    const json = body === undefined
        ? ""
        : `\n\n\`\`\`json\n${JSON.stringify(body, null, 2).replaceAll("```", "\\u0060\\u0060\\u0060")}\n\`\`\``;
    return `### Documentation export: dry run\n\nNothing was sent. The first request would be ${(0,escape_markdown/* codeSpan */.SS)(request)}.${json}\n`;
}
function artifactCell({ name, url, digest }) {
    const link = `[${(0,escape_markdown/* escapeInline */.VV)(name)}](${url})`;
    return digest === undefined ? link : `${link}, SHA-256 ${(0,escape_markdown/* codeCell */.MZ)(digest)}`;
}
function valuesCell({ path, isChanged }) {
    return `${(0,escape_markdown/* codeCell */.MZ)(path)}, ${isChanged ? "updated" : "was current already"}`;
}

;// CONCATENATED MODULE: ./.build/lib/commands/export.js
/** The export command: start → poll → link → download and verify → unpack → upload. */









/**
 * Exports a site, or fetches the bundle of an existing job.
 *
 * @throws {JobFailedError} with the platform's reason when the job ends `failed`.
 * @throws {PlatformError} `maybeSubmitted` when the answer to the start was lost: it is never sent twice.
 */
async function exportSite(options, deps) {
    if (options.dryRun)
        return showRequest(options);
    const startedMs = deps.clock.now();
    const jobId = options.jobId ?? (await startJob(options, deps));
    deps.observer.jobStarted(jobId);
    if (!options.wait)
        return { outcome: "detached", jobId };
    try {
        return await finishExport({ jobId, startedMs }, options, deps);
    }
    catch (error) {
        throw isCancelled(error) ? stoppedWaiting(jobId) : error;
    }
}
async function finishExport({ jobId, startedMs }, options, deps) {
    const job = await followExportJob(jobId, options, deps);
    const pageCount = readPageCount(job.pageCount);
    if (pageCount === 0)
        deps.log.warning(noPagesRemark);
    let link;
    const bundle = await deps.fetchBundle(async () => {
        link = await requestLink(jobId, deps);
        return link;
    });
    if (link === undefined)
        throw new Error("The bundle was fetched without a link.");
    deps.observer.bundleFetched(bundle);
    const delivered = await deliver(bundle, options.upload, deps);
    const values = await updateValues({ jobId, link }, options, deps);
    return {
        outcome: "exported",
        jobId,
        pageCount,
        bundle,
        link,
        ...delivered,
        values,
        tookMs: deps.clock.now() - startedMs,
    };
}
function isCancelled(error) {
    return error instanceof errors/* InterruptedError */.p4 && error.code === "cancelled";
}
function stoppedWaiting(jobId) {
    return new errors/* InterruptedError */.p4("cancelled", `Stopped waiting: export job ${jobId} goes on at the platform.`);
}
function startRequest({ domain, version, paths }) {
    if (domain === undefined)
        throw new errors/* ActionError */.lZ("invalid-input", "`domain` is missing: the site's domain identifier.");
    return {
        domain,
        ...(version === undefined ? {} : { version }),
        ...(paths.length === 0 ? {} : { paths: [...paths] }),
    };
}
function showRequest(options) {
    const wouldSend = options.jobId === undefined
        ? { request: "POST /v1/static-export/jobs", body: startRequest(options) }
        : { request: `POST /v1/static-export/jobs/${options.jobId}/bundle` };
    return { outcome: "skipped", reason: "dry-run", wouldSend };
}
async function startJob(options, { platform, log }) {
    const { jobId } = await platform.startExport(startRequest(options));
    if (jobId) {
        log.info(`Export job ${jobId} is started.`);
        return jobId;
    }
    throw new platform_errors/* PlatformError */.W("unexpected-response", "The platform took the request to start the export, but its answer has no `jobId`. The job may run; it is not started again.", { maybeSubmitted: true });
}
async function followExportJob(jobId, options, deps) {
    const isEnded = (status) => contract/* endedExportStatuses */.ZH.some((ended) => ended === status.toLowerCase());
    const job = await (0,follow_job/* followJob */.B)({
        name: `export job ${jobId}`,
        read: () => deps.platform.getExportJob(jobId),
        describe: describeExportJob,
        isEnded,
        goingStatuses: ["queued", "pending", "running", "processing"],
        submittedMs: deps.clock.now(),
        lookAtOnce: options.jobId !== undefined,
        deadlineMs: options.deadlineMs,
    }, {
        ...deps,
        onState: (seen, { status }) => deps.observer.stateSeen({ status, pageCount: readPageCount(seen.pageCount) }),
    });
    if (job.status?.toLowerCase() === "failed")
        throw jobFailed(jobId, job);
    return job;
}
/** The job's state as one line: "running, 42 %, 120 pages". */
function describeExportJob(job) {
    const percent = readPercent(job.progress);
    const pages = readPageCount(job.pageCount);
    const words = [
        job.status ?? "without a status",
        ...(percent === undefined ? [] : [`${percent} %`]),
        ...(pages === undefined ? [] : [(0,format/* formatCount */.B4)(pages, "page")]),
    ];
    return { status: job.status ?? undefined, percent, line: words.join(", ") };
}
function jobFailed(jobId, { error, message }) {
    const reason = (0,error_message/* readErrorMessage */.IP)(JSON.stringify({ error, message }));
    return new errors/* JobFailedError */.dk(reason
        ? `Export job ${jobId} failed: ${reason}`
        : `Export job ${jobId} failed; the platform gave no reason.`);
}
async function requestLink(jobId, { platform, observer }) {
    const { value, date } = await platform.generateBundle(jobId);
    const link = {
        url: value.bundleUrl,
        expiresAt: (0,read_timestamp/* readTimestamp */.L)(value.expiresAt),
        issuedAt: date,
        sizeBytes: value.sizeBytes ?? undefined,
    };
    observer.linkReceived(link);
    return link;
}
async function deliver(bundle, upload, { unpackSite, uploadArtifact, observer }) {
    const sitePath = upload === "site" || upload === "pages" ? await unpackSite(bundle) : undefined;
    if (sitePath !== undefined)
        observer.siteUnpacked(sitePath);
    const artifact = upload === "none" ? undefined : await uploadArtifact(upload, { bundle, sitePath });
    if (artifact !== undefined)
        observer.artifactUploaded(artifact);
    return { sitePath, artifact };
}
/**
 * Points the deployment to the bundle. The version is the exported one, else the job: a deployment whose address stays
 * the same must still see that there is something new.
 */
async function updateValues({ jobId, link }, { durableUrl, version }, { writeValues, log }) {
    if (writeValues === undefined)
        return undefined;
    const isChanged = await writeValues({ bundleUrl: durableUrl ?? link.url, version: version ?? jobId });
    log.info(isChanged
        ? "The values file points to the new bundle."
        : "The values file pointed to this bundle already.");
    if (durableUrl === undefined) {
        const dies = link.expiresAt === undefined ? "soon" : `at ${link.expiresAt.toISOString()}`;
        log.warning(`The link in the values file dies ${dies}: a pod that starts later cannot fetch the bundle. Set \`values-bundle-url\` to an address that lasts.`);
    }
    return { isChanged, isDurable: durableUrl !== undefined };
}

// EXTERNAL MODULE: ./.build/lib/message-of.js
var message_of = __webpack_require__(48999);
// EXTERNAL MODULE: ./.build/lib/github/errors.js
var github_errors = __webpack_require__(27121);
// EXTERNAL MODULE: ./node_modules/@actions/core/lib/core.js + 14 modules
var core = __webpack_require__(70819);
;// CONCATENATED MODULE: ./.build/lib/github/artifact/artifact-client.js

/** From this size on, more connections than the library's five pay off. */
const largeUploadBytes = 1024 ** 3;
const largeUploadConnections = "8";
const concurrencyVariable = "ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY";
/**
 * Makes an uploader. Until it is disposed of, an error that the library lets escape from one of its streams rejects the
 * operation under way instead of ending the process.
 */
async function createArtifactUploader(deps) {
    const { DefaultArtifactClient } = await Promise.all(/* import() */[__webpack_require__.e(555), __webpack_require__.e(201)]).then(__webpack_require__.bind(__webpack_require__, 68201));
    const client = new DefaultArtifactClient();
    const guard = guardAgainstCrashes(deps);
    return {
        async upload(call) {
            // The library prints a line per block.
            (0,core/* startGroup */.Oh)(`Uploading the artifact "${call.name}"`);
            return guard.race(upload(call, client)).finally(core/* endGroup */.N4);
        },
        list: () => guard.race(list(client)),
        async remove(name) {
            await guard.race(client.deleteArtifact(name));
        },
        [Symbol.dispose]: () => guard[Symbol.dispose](),
    };
}
async function upload({ name, source, retentionDays }, client) {
    const options = {
        skipArchive: source.form === "raw",
        compressionLevel: source.compressionLevel,
        ...(retentionDays === undefined ? {} : { retentionDays }),
    };
    // The library takes the number of connections from nowhere else.
    if (source.size > largeUploadBytes)
        process.env[concurrencyVariable] ??= largeUploadConnections;
    const uploaded = await client.uploadArtifact(name, [...source.files], source.rootFolder, options);
    if (uploaded.id === undefined)
        throw new Error("The service did not say which artifact it made");
    return { id: uploaded.id, name, size: uploaded.size ?? 0, digest: uploaded.digest };
}
async function list(client) {
    const { artifacts } = await client.listArtifacts();
    return artifacts.map(({ id, name, size, digest }) => ({
        id,
        name,
        size,
        digest: digest?.replace(/^sha256:/, ""),
    }));
}
function guardAgainstCrashes({ signal, log }) {
    let rejectCurrent;
    const onCrash = (error) => {
        // Between two attempts it is the echo of the one that already failed.
        if (rejectCurrent === undefined)
            log.debug(`After a failed upload: ${String(error)}`);
        else
            rejectCurrent(error);
    };
    const onAbort = () => rejectCurrent?.(signal.reason);
    process.on("uncaughtException", onCrash);
    signal.addEventListener("abort", onAbort);
    return {
        async race(operation) {
            signal.throwIfAborted();
            const { promise, reject } = Promise.withResolvers();
            rejectCurrent = reject;
            return Promise.race([operation, promise]).finally(() => {
                rejectCurrent = undefined;
            });
        },
        [Symbol.dispose]() {
            process.off("uncaughtException", onCrash);
            signal.removeEventListener("abort", onAbort);
        },
    };
}

;// CONCATENATED MODULE: ./.build/lib/github/artifact/artifact-failure.js
/** Reads the failures of `@actions/artifact`, whose error classes do not survive its own wrapping: only messages do. */


/** Classifies what `uploadArtifact` of the library threw. */
function readUploadFailure(error) {
    const text = (0,message_of/* messageOf */.b)(error);
    if (/storage quota|insufficient usage/i.test(text))
        return "quota";
    if (/JWT|backend ids?/i.test(text))
        return "refused";
    if (!/Failed to CreateArtifact/.test(text))
        return "broken";
    if (/\(409\)/.test(text))
        return "taken";
    // Proxies on the way to the service answer 403 for a while (toolkit issue about "Error from intermediary").
    if (/\(40[0134]\)/.test(text) && !/intermediary/i.test(text))
        return "refused";
    return "unreached";
}
const hintByFailure = {
    quota: "Delete artifacts that are no longer needed and set a short `retention-days`; GitHub counts the storage anew every 6 to 12 hours. With `upload: none` the bundle stays on the runner for a later step.",
    taken: "Give every job of the run an `artifact-name` of its own, for instance with `${{ matrix.site }}` in it, and `${{ github.run_attempt }}` if re-runs shall not replace.",
    refused: "The artifact service did not accept this run's token. Re-run the job; if it happens again, look at githubstatus.com and at the runner's proxy.",
    unreached: "The runner could not reach GitHub's artifact service. On a self-hosted runner, allow its addresses (`*.actions.githubusercontent.com`, `*.blob.core.windows.net`); otherwise re-run the job.",
    broken: "The upload broke off. Re-run the job with `job-id` to skip the export. On a slow connection a smaller ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY in the step's `env:` helps; an upload has one hour.",
};
const codeByFailure = {
    quota: "rate-limited",
    taken: "conflict",
    refused: "forbidden",
    unreached: "unreachable",
    broken: "unavailable",
};
/** The error that ends an upload: what happened to which artifact, and what to do. */
function uploadError(failure, { name, cause }) {
    const happened = failure === "quota"
        ? "The artifact storage of this account is full."
        : failure === "taken"
            ? "Another artifact of this run has this name and other content."
            : `${firstLine((0,message_of/* messageOf */.b)(cause))}.`;
    return new github_errors/* GitHubError */.y_(codeByFailure[failure], `The artifact "${name}" could not be uploaded. ${happened}`, { hint: hintByFailure[failure], cause });
}
function firstLine(text) {
    return (text.split(/[\r\n]/)[0] ?? "").replace(/\.$/, "");
}

;// CONCATENATED MODULE: ./.build/lib/github/artifact/artifact-rules.js
/** What GitHub demands of an artifact, checked before anything is uploaded. */



/** Names are made for every file system, so NTFS sets the rules (`@actions/artifact`, artifact-name-validation). */
const forbiddenInPaths = /[":<>|*?\r\n]/;
const forbiddenInNames = /[":<>|*?\r\n\\/]/;
/** `actions/deploy-pages` refuses a larger archive. */
const pagesMaxBytes = 10 * 1024 ** 3;
/** GitHub Pages' limit for a published site; deploy-pages only warns. */
const pagesAdvisedBytes = 1024 ** 3;
/**
 * Refuses a run that cannot upload artifacts at all: no artifact service, or a server whose service is too old.
 *
 * @throws {GitHubError} that says what to do instead.
 */
function requireKnownServer(environment) {
    const server = new URL(environment["GITHUB_SERVER_URL"] || "https://github.com");
    if (!/^(github\.com|.+\.ghe\.com|.+\.localhost)$/i.test(server.hostname)) {
        throw new github_errors/* GitHubError */.y_("rejected", `${server.host} is a GitHub Enterprise Server (or another forge): its artifact service is older than the one this action uploads to.`, {
            hint: "Set `upload: none` and add a step with `actions/upload-artifact@v3`, the newest that such a server accepts, for the file in the output `bundle-path`.",
        });
    }
}
/**
 * Refuses to upload where the runner names no artifact service.
 *
 * @throws {GitHubError} that says what to do instead
 */
function requireArtifactService(environment) {
    if (!environment["ACTIONS_RUNTIME_TOKEN"] || !environment["ACTIONS_RESULTS_URL"]) {
        throw new github_errors/* GitHubError */.y_("rejected", "The runner did not name an artifact service (ACTIONS_RESULTS_URL and ACTIONS_RUNTIME_TOKEN are not set).", { hint: "Artifacts exist only inside a GitHub Actions job. Set `upload: none` anywhere else." });
    }
}
/**
 * Refuses a name that the service would refuse, in words that name the character.
 *
 * @throws {GitHubError}
 */
function requireArtifactName(name) {
    const character = forbiddenInNames.exec(name)?.[0];
    if (name.trim() !== "" && character === undefined)
        return;
    const problem = character === undefined
        ? "is empty"
        : `contains ${JSON.stringify(character)}, which artifact names cannot hold`;
    throw new github_errors/* GitHubError */.y_("rejected", `The artifact name ${JSON.stringify(name)} ${problem}.`, {
        hint: 'Choose an `artifact-name` without any of " : < > | * ? \\ / and line breaks.',
    });
}
/**
 * Both checks at once, so that a run whose artifact could not be uploaded fails before it starts anything.
 *
 * @throws {GitHubError}
 */
function requireArtifactUpload(name, environment) {
    requireArtifactName(name);
    requireKnownServer(environment);
}
/** The days to ask for: never more than the repository allows, which is said. `undefined` leaves it to the repository. */
function allowedRetentionDays(wanted, { environment, log }) {
    if (wanted === undefined)
        return undefined;
    if (!Number.isInteger(wanted) || wanted < 1) {
        throw new github_errors/* GitHubError */.y_("rejected", `An artifact cannot be kept for ${wanted} day${wanted === 1 ? "" : "s"}.`, {
            hint: "Set `retention-days` to a whole number from 1 to 90, or leave it out.",
        });
    }
    const limit = Number(environment["GITHUB_RETENTION_DAYS"]);
    if (!(limit > 0) || wanted <= limit)
        return wanted;
    log.warning(`\`retention-days: ${wanted}\` is more than this repository allows; the artifact is kept for ${limit} day${limit === 1 ? "" : "s"}.`);
    return limit;
}
/**
 * Lists a site's files, sorted by path, without version-control folders.
 *
 * @throws {GitHubError} when it is empty, or holds links, devices or names that an artifact cannot hold.
 */
async function listSite(folder) {
    const entries = await (0,promises_.readdir)(folder, { recursive: true, withFileTypes: true });
    const listed = entries
        .map((entry) => {
        const file = (0,external_node_path_.join)(entry.parentPath, entry.name);
        return { entry, file, path: (0,external_node_path_.relative)(folder, file).replaceAll("\\", "/") };
    })
        .filter(({ path }) => !/^\.git(hub)?(\/|$)/.test(path));
    const odd = listed.filter(({ entry }) => !entry.isFile() && !entry.isDirectory());
    refuse(odd, "are links or devices, which would upload something else than the site");
    refuse(listed.filter(({ path }) => forbiddenInPaths.test(path)), 'have names that an artifact cannot hold (" : < > | * ? and line breaks)');
    const files = listed.filter(({ entry }) => entry.isFile()).map(({ file, path }) => ({ file, path }));
    if (files.length === 0)
        throw new github_errors/* GitHubError */.y_("rejected", `There is no file to upload in ${folder}.`);
    return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}
function refuse(offenders, problem) {
    if (offenders.length === 0)
        return;
    const examples = offenders.slice(0, 5).map(({ path }) => JSON.stringify(path));
    const more = offenders.length > examples.length ? " …" : "";
    throw new github_errors/* GitHubError */.y_("rejected", `${offenders.length === 1 ? "1 entry" : `${offenders.length} entries`} of the site ${problem}: ${examples.join(", ")}${more}.`, { hint: "Use `upload: archive`, which takes the bundle as it is, or rename these pages at the source." });
}
/**
 * Checks what GitHub Pages adds to the rules of artifacts.
 *
 * @throws {GitHubError} when the deployment would be refused.
 */
function requirePagesLimits({ archiveBytes, files }, { log }) {
    if (archiveBytes > pagesMaxBytes) {
        throw new github_errors/* GitHubError */.y_("bundle-too-large", `The site is ${archiveBytes} bytes; GitHub Pages refuses more than ${pagesMaxBytes}.`, {
            hint: "Export fewer pages (`export-paths`), or use `upload: archive` and serve the site elsewhere.",
        });
    }
    if (archiveBytes > pagesAdvisedBytes) {
        log.warning(`The site is ${archiveBytes} bytes: above GitHub Pages' limit of 1 GB, it may not be published.`);
    }
    if (!files.some(({ path }) => path === "index.html")) {
        log.warning("The site has no index.html at its top: GitHub Pages will answer its address with 404 Not Found.");
    }
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(48161);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(46466);
// EXTERNAL MODULE: ./node_modules/tar-stream/index.js
var tar_stream = __webpack_require__(56118);
;// CONCATENATED MODULE: ./.build/lib/github/artifact/pages-archive.js




/**
 * Writes the archive that `actions/deploy-pages` expects: an uncompressed tar of regular files that everyone may read, in
 * the order given and without times, so that the same site makes the same bytes. Returns its length in bytes.
 */
async function writePagesArchive({ files, archive }, { signal }) {
    const tar = (0,tar_stream.pack)();
    const written = (0,external_node_stream_promises_.pipeline)(tar, (0,external_node_fs_.createWriteStream)(archive, { flags: "wx" }), { signal });
    const filled = addFiles(files, { tar, signal });
    // A failure of either side ends the other.
    filled.catch((error) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
    await Promise.all([written, filled]);
    return (await (0,promises_.stat)(archive)).size;
}
async function addFiles(files, { tar, signal }) {
    for (const { file, path } of files) {
        const { size } = await (0,promises_.stat)(file);
        const entry = tar.entry({ name: path, size, mode: 0o644, mtime: new Date(0) });
        await (0,external_node_stream_promises_.pipeline)((0,external_node_fs_.createReadStream)(file), entry, { signal });
    }
    tar.finalize();
}

;// CONCATENATED MODULE: ./.build/lib/github/artifact/artifact-source.js
/** Turns what is to be uploaded into files as the artifact service takes them. */







/** HTML packs to a third of its size; an archive within a zip does not pack at all. */
const siteCompressionLevel = 6;
/**
 * Checks and prepares the content.
 *
 * @throws {GitHubError} when it is not something that can be uploaded.
 */
async function prepareSource({ kind, path }, { log, signal }) {
    const folder = await (0,promises_.mkdtemp)((0,external_node_path_.join)(process.env["RUNNER_TEMP"] ?? (0,external_node_os_.tmpdir)(), "artifact-"));
    const remove = () => (0,promises_.rm)(folder, { recursive: true, force: true });
    try {
        const prepared = await prepare({ kind, path }, { folder, log, signal });
        return { ...prepared, [Symbol.asyncDispose]: remove };
    }
    catch (error) {
        await remove();
        throw error;
    }
}
async function prepare({ kind, path }, deps) {
    switch (kind) {
        case "archive":
            return prepareRaw(path, deps);
        case "zip": {
            const size = await requireFile(path);
            return inZip({ files: [path], rootFolder: (0,external_node_path_.dirname)(path), size, compressionLevel: 0 });
        }
        case "site": {
            const files = await listSite(path);
            const sizes = await Promise.all(files.map(async ({ file }) => (await (0,promises_.stat)(file)).size));
            const size = sizes.reduce((total, bytes) => total + bytes, 0);
            return inZip({
                files: files.map(({ file }) => file),
                rootFolder: path,
                size,
                compressionLevel: siteCompressionLevel,
            });
        }
        case "pages":
            return preparePages(await listSite(path), deps);
    }
}
async function requireFile(path) {
    const facts = await (0,promises_.stat)(path);
    await (0,promises_.access)(path, external_node_fs_.constants.R_OK);
    if (facts.isFile() && facts.size > 0)
        return facts.size;
    throw new github_errors/* GitHubError */.y_("rejected", `${path} is not a file with something in it, so it cannot be uploaded.`);
}
async function prepareRaw(path, { folder }) {
    const size = await requireFile(path);
    const extension = /(\.tar)?\.[A-Za-z0-9]+$/.exec((0,external_node_path_.basename)(path))?.[0] ?? "";
    const effectiveName = (name) => (name.endsWith(extension) ? name : `${name}${extension}`);
    return {
        effectiveName,
        async sourceFor(name) {
            const file = (0,external_node_path_.join)(folder, name);
            await linkFile(path, file);
            return { files: [file], rootFolder: folder, size, form: "raw", compressionLevel: 0 };
        },
    };
}
/** Gives a file a second name, by a symbolic link where the two are on different disks. */
async function linkFile(path, file) {
    await (0,promises_.rm)(file, { force: true });
    try {
        await (0,promises_.link)(path, file);
    }
    catch {
        // The library follows a symbolic link; what is wrong with the file itself shows when it is read.
        await (0,promises_.symlink)(path, file);
    }
}
async function preparePages(files, { folder, log, signal }) {
    const archive = (0,external_node_path_.join)(folder, "artifact.tar");
    const archiveBytes = await writePagesArchive({ files, archive }, { signal });
    requirePagesLimits({ archiveBytes, files }, { log });
    return inZip({
        files: [archive],
        rootFolder: folder,
        size: archiveBytes,
        compressionLevel: siteCompressionLevel,
    });
}
function inZip(content) {
    return {
        effectiveName: (name) => name,
        sourceFor: async () => ({ ...content, form: "zip" }),
    };
}

;// CONCATENATED MODULE: ./.build/lib/github/artifact/artifact.js
var artifact_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var artifact_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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






/** Names tried for one artifact, and requests for the same name, before giving up. */
const maxAttempts = 4;
/**
 * Uploads a file or folder as one artifact of this run.
 *
 * A name that was created and not finalised is lost for the run, so a broken upload goes on under `<name>-retry2`; an
 * upload whose last answer was lost is recognised in the list of artifacts. Afterwards sockets may still be open: end the
 * process explicitly.
 *
 * @throws {GitHubError} that says what to change; the signal's reason when it aborts.
 */
async function uploadArtifact(options, { log, signal, clock }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        requireArtifactUpload(options.name, process.env);
        requireArtifactService(process.env);
        const retentionDays = allowedRetentionDays(options.retentionDays, { environment: process.env, log });
        const source = artifact_addDisposableResource(env_1, await prepareSource(options, { log, signal }), true);
        const uploader = artifact_addDisposableResource(env_1, await createArtifactUploader({ signal, log }), false);
        const deps = { log, signal, clock, uploader };
        const artifact = await uploadUnderSomeName({ ...options, retentionDays, source }, deps);
        if (artifact.name !== source.effectiveName(options.name)) {
            log.warning(`The artifact is named "${artifact.name}": an upload as "${options.name}" broke off, and GitHub does not give a name twice in one run.`);
        }
        await requireSameBytes({ options, artifact }, uploader);
        return { ...artifact, url: artifactUrl(artifact.id) };
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = artifact_disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
async function uploadUnderSomeName(upload, deps) {
    let names = 1;
    for (let attempt = 1;; attempt += 1) {
        const name = upload.source.effectiveName(names === 1 ? upload.name : `${upload.name}-retry${names}`);
        const result = await attemptUpload({ upload, name }, deps);
        if ("artifact" in result)
            return result.artifact;
        if (attempt === maxAttempts)
            throw result.error;
        if (result.next === "another-name")
            names += 1;
        deps.log.info(`${result.error.message} Trying again (${attempt + 1} of ${maxAttempts}).`);
        await deps.clock.sleep(1_000 * 2 ** (attempt - 1) * (0.5 + Math.random()), deps.signal);
    }
}
/** One upload under one name. @throws {GitHubError} when no further attempt can succeed. */
async function attemptUpload({ upload, name }, { uploader, log, signal }) {
    const source = await upload.source.sourceFor(name);
    try {
        const uploaded = await uploader.upload({ name, source, retentionDays: upload.retentionDays });
        return { artifact: { ...uploaded, name } };
    }
    catch (cause) {
        signal.throwIfAborted();
        const failure = readUploadFailure(cause);
        const error = uploadError(failure, { name, cause });
        if (failure === "quota" || failure === "refused")
            throw error;
        if (failure === "unreached")
            return { error, next: "same-name" };
        const listed = await findListed(name, { uploader, log });
        if (listed === undefined)
            return { error, next: "another-name" };
        // It is listed, so it is whole. A broken upload made it itself; a taken name may be someone else's.
        const ours = failure === "broken" || (listed.digest !== undefined && listed.digest === upload.sha256);
        if (ours)
            return { artifact: listed };
        throw error;
    }
}
async function findListed(name, { uploader, log }) {
    try {
        return (await uploader.list()).find((artifact) => artifact.name === name);
    }
    catch (error) {
        // The upload's own failure is what matters; without the list it counts as not uploaded.
        log.info(`The list of artifacts could not be read either: ${(0,message_of/* messageOf */.b)(error)}`);
        return undefined;
    }
}
async function requireSameBytes({ options, artifact }, uploader) {
    if (options.kind !== "archive" || options.sha256 === undefined)
        return;
    if (artifact.digest === undefined || artifact.digest === options.sha256)
        return;
    await uploader.remove(artifact.name);
    throw new github_errors/* GitHubError */.y_("bundle-corrupt", `The uploaded artifact has SHA-256 ${artifact.digest}, the verified bundle ${options.sha256}; the artifact was deleted again.`, { hint: "The file changed on the runner between download and upload. Run again with `job-id`." });
}
function artifactUrl(id) {
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = process.env;
    return `${server ?? "https://github.com"}/${repository}/actions/runs/${run}/artifacts/${id}`;
}

// EXTERNAL MODULE: ./.build/lib/action/connections/connect-platform.js + 6 modules
var connect_platform = __webpack_require__(11200);
// EXTERNAL MODULE: ./.build/lib/action/connections/start-embedded.js
var start_embedded = __webpack_require__(10146);
// EXTERNAL MODULE: ./.build/lib/action/inputs.js + 1 modules
var action_inputs = __webpack_require__(92326);
// EXTERNAL MODULE: ./.build/lib/action/inside-workspace.js
var inside_workspace = __webpack_require__(68453);
;// CONCATENATED MODULE: ./.build/lib/bundle/archive/folder-sink.js



/**
 * Writes entries below `root`, which must be new and nobody else's. Existing files are never opened: a second entry
 * of the same name fails. Modes and owners of the archive are ignored.
 */
function createFolderSink(root) {
    const made = new Set([""]);
    let file;
    function makeFolder(path) {
        if (made.has(path))
            return;
        (0,external_node_fs_.mkdirSync)((0,external_node_path_.join)(root, path), { recursive: true });
        // Remembered for the folders at hand only: there may be a million.
        if (made.size > 10_000)
            made.clear();
        made.add(path);
    }
    function guard(path, write) {
        try {
            write();
        }
        catch (error) {
            throw fromWriteError(error, (0,external_node_path_.join)(root, path));
        }
    }
    function close() {
        if (file === undefined)
            return;
        const descriptor = file;
        file = undefined;
        (0,external_node_fs_.closeSync)(descriptor);
    }
    return {
        directory(path) {
            guard(path, () => makeFolder(path));
        },
        startFile(path) {
            guard(path, () => {
                const folder = (0,external_node_path_.dirname)(path);
                makeFolder(folder === "." ? "" : folder);
                file = (0,external_node_fs_.openSync)((0,external_node_path_.join)(root, path), "wx", 0o644);
            });
        },
        data(chunk) {
            guard("", () => {
                for (let written = 0; written < chunk.length;)
                    written += (0,external_node_fs_.writeSync)(file ?? -1, chunk, written);
            });
        },
        endFile: close,
        close,
    };
}

;// CONCATENATED MODULE: ./.build/lib/bundle/extract-archive.js
var extract_archive_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var extract_archive_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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
 * Unpacks and verifies an archive in one pass. The destination appears when all of it has been checked; on failure or
 * abort nothing of it is left.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large`, `unsafe-archive`, `disk-full`, or `invalid-input` for a
 *   destination in use
 */
async function extractArchive({ path, destination, limits }, { signal }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const target = (0,external_node_path_.resolve)(destination);
        const file = extract_archive_addDisposableResource(env_1, await (0,promises_.open)(path, "r"), true);
        await requireFree(target);
        await (0,promises_.mkdir)((0,external_node_path_.dirname)(target), { recursive: true });
        const partial = `${target}.partial-${(0,external_node_crypto_.randomUUID)()}`;
        await (0,promises_.mkdir)(partial, { mode: 0o755 });
        try {
            const report = await extractInto(partial, { source: byte_source_createFileSource(file), limits, signal });
            await (0,promises_.rmdir)(target).catch(ignoreMissing);
            await (0,promises_.rename)(partial, target);
            return report;
        }
        catch (error) {
            await (0,promises_.rm)(partial, { recursive: true, force: true });
            throw error;
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = extract_archive_disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
async function extractInto(folder, { source, limits, signal }) {
    const budget = createArchiveBudget({ ...defaultArchiveLimits, ...limits });
    const sink = createFolderSink(folder);
    try {
        const { format, files } = await walkArchive(source, { sink, budget, signal });
        if (files === 0)
            throw corrupt("The archive holds no files.");
        return { format, files, entries: budget.entries, totalBytes: budget.totalBytes };
    }
    finally {
        sink.close();
    }
}
async function requireFree(target) {
    const names = await (0,promises_.readdir)(target).catch((error) => {
        if (hasCode(error, "ENOTDIR"))
            return [target];
        ignoreMissing(error);
        return [];
    });
    if (names.length > 0) {
        throw new BundleError("invalid-input", `${target} is in use; the archive is not unpacked over it.`, {
            hint: "Choose another folder or remove this one.",
        });
    }
}
function ignoreMissing(error) {
    if (!hasCode(error, "ENOENT"))
        throw error;
}
function hasCode(error, code) {
    return error instanceof Error && "code" in error && error.code === code;
}

;// CONCATENATED MODULE: ./.build/lib/action/replace-site.js
/** Unpacks a bundle to the place of the one before it, which goes only when the new one is whole. */





/**
 * Unpacks beside the site and exchanges the two; what a killed run left of such folders is removed.
 *
 * @returns the site's folder and the bytes in it
 * @throws {BundleError} with the folder as it was
 */
async function replaceSite({ archive, outputDir, limits }, { signal }) {
    await replace_site_removeLeftovers(outputDir);
    const path = (0,external_node_path_.join)(outputDir, "site");
    const fresh = (0,external_node_path_.join)(outputDir, `.site-${process.pid}-${(0,external_node_crypto_.randomUUID)()}`);
    try {
        const { totalBytes } = await extractArchive({ path: archive, destination: fresh, limits }, { signal });
        await (0,promises_.rm)(path, { recursive: true, force: true });
        await (0,promises_.rename)(fresh, path);
        return { path, bytes: totalBytes };
    }
    finally {
        await (0,promises_.rm)(fresh, { recursive: true, force: true });
    }
}
const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
/** A folder of {@link replaceSite}, or what extraction fills on the way to it, with the process that made it. */
const freshName = new RegExp(`^\\.site-(?<owner>\\d+)-${uuid}(?:\\.partial-${uuid})?$`);
async function replace_site_removeLeftovers(outputDir) {
    for (const name of await (0,promises_.readdir)(outputDir)) {
        const owner = Number(freshName.exec(name)?.groups?.["owner"]);
        // A step unpacks once: a folder of this process's own number is that of an earlier process.
        const isLeftOver = Number.isInteger(owner) && (owner === process.pid || !isProcessAlive(owner));
        if (isLeftOver)
            await (0,promises_.rm)((0,external_node_path_.join)(outputDir, name), { recursive: true, force: true });
    }
}

;// CONCATENATED MODULE: ./.build/lib/action/mask-link.js
/** Parameters of a presigned link that make it a credential, whatever the storage. */
const secretParameter = /signature|^sig$|token|credential|secret|^key$|^policy$|^s$/i;
/**
 * What to mask of a presigned link: the whole link, and each secret parameter in every spelling a log may show, so that
 * a part of it is no use either.
 */
function secretPartsOfLink(text) {
    const link = new URL(text);
    // Some storages carry the secret in the path.
    const parts = new Set([text, link.href, link.origin + link.pathname, link.search.slice(1), link.password]);
    for (const pair of link.search.slice(1).split("&")) {
        const [name = "", raw = ""] = pair.split("=", 2);
        if (!secretParameter.test(name))
            continue;
        parts.add(raw);
        parts.add(link.searchParams.get(name) ?? raw);
    }
    // Masking a short word would blot out the log.
    return [...parts].filter((part) => part.length >= 8);
}

;// CONCATENATED MODULE: ./.build/lib/action/report-export.js
/** What an export tells the run: each fact as an output at once, and the end as a message and a summary. */




/** Makes each fact an output as soon as it is known. */
function createExportObserver({ setOutput, maskSecret, log }) {
    return {
        jobStarted: (jobId) => setOutput("jobId", jobId),
        stateSeen({ status, pageCount }) {
            if (status !== undefined)
                setOutput("status", status);
            if (pageCount !== undefined)
                setOutput("pageCount", String(pageCount));
        },
        linkReceived({ url, expiresAt }) {
            for (const part of secretPartsOfLink(url))
                maskSecret(part);
            setOutput("bundleUrl", url);
            if (expiresAt !== undefined)
                setOutput("expiresAt", expiresAt.toISOString());
        },
        bundleFetched({ path, size, sha256, files }) {
            setOutput("bundlePath", path);
            setOutput("bundleSize", String(size));
            setOutput("bundleSha256", sha256);
            log.info(`The bundle is downloaded and verified: ${path}, ${(0,format/* formatBytes */.z3)(size)}, ${(0,format/* formatCount */.B4)(files, "file")}, SHA-256 ${sha256}.`);
        },
        siteUnpacked: (path) => setOutput("sitePath", path),
        artifactUploaded({ id, name, url, digest }) {
            setOutput("artifactId", String(id));
            setOutput("artifactUrl", url);
            if (digest !== undefined)
                setOutput("artifactDigest", digest);
            log.info(`The artifact ${name} is uploaded: ${url}`);
        },
    };
}
/** The end of the step. Paths are shown as the workspace sees them. */
function describeExportEnd(result, { inputs, workspace }) {
    switch (result.outcome) {
        case "skipped":
            return {
                outcome: "skipped",
                skipReason: result.reason,
                message: `Dry run: the first request would be ${result.wouldSend.request} ${JSON.stringify(result.wouldSend.body ?? null)}.`,
                summary: renderDryRun(result.wouldSend),
            };
        case "detached":
            return {
                outcome: "detached",
                message: `Export job ${result.jobId} runs at the platform; fetch its bundle later with \`job-id\`.`,
                summary: renderDetachedExport(result),
            };
        case "exported":
            return {
                outcome: "exported",
                message: `Exported to ${result.bundle.path}.`,
                summary: renderExportSummary({
                    ...result,
                    subject: inputs.domain ?? (inputs.jobId === undefined ? inputs.docsDir : result.jobId),
                    bundle: { ...result.bundle, path: (0,external_node_path_.relative)(workspace, result.bundle.path) },
                    expiresAt: result.link.expiresAt,
                    valuesFile: result.values && { path: inputs.valuesFile ?? "", ...result.values },
                    sitePath: result.sitePath === undefined ? undefined : (0,external_node_path_.relative)(workspace, result.sitePath),
                }),
            };
    }
}

;// CONCATENATED MODULE: ./.build/lib/action/steps/export.js
var export_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var export_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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
/** Composes `command: export`: inputs and clients in, outputs and summary out. */














const exportStep = {
    async run(inputs, context) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const willFetch = inputs.wait && !inputs.dryRun;
            if (willFetch && inputs.upload !== "none")
                requireArtifactUpload(artifactName(inputs.upload, inputs), context.environment);
            const workspace = context.environment["GITHUB_WORKSPACE"] ?? process.cwd();
            const input = "output-dir";
            const outputDir = await (0,inside_workspace/* resolveInsideWorkspace */.sv)(inputs.outputDir, { workspace, input });
            if (willFetch)
                await (0,inside_workspace/* requireWritable */.ik)(outputDir, { input });
            const values = await openValues(inputs, workspace);
            const connection = export_addDisposableResource(env_1, await (0,connect_platform/* connectPlatform */.c)(inputs, {
                context,
                startEmbedded: () => (0,start_embedded/* startEmbedded */.H)({ docsDir: (0,external_node_path_.resolve)(workspace, inputs.docsDir), domain: inputs.domain }, { context }),
            }), true);
            const result = await exportSite({
                domain: inputs.domain ?? (inputs.baseUrl === "local" ? start_embedded/* embeddedDomain */.j : undefined),
                version: inputs.exportVersion,
                paths: inputs.exportPaths,
                jobId: inputs.jobId,
                wait: inputs.wait,
                dryRun: inputs.dryRun,
                upload: inputs.upload,
                durableUrl: inputs.valuesBundleUrl === "presigned" ? undefined : inputs.valuesBundleUrl,
                deadlineMs: context.deadlineMs,
            }, createDeps({ inputs, outputDir, values, connection }, context));
            return describeExportEnd(result, { inputs, workspace });
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = export_disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    },
};
function createDeps({ inputs, outputDir, values, connection }, context) {
    const { log, signal, clock, random } = context;
    const maxBytes = inputs.maxBundleMegabytes * 1_000_000;
    const limits = { maxTotalBytes: maxBytes };
    return {
        platform: connection.platform,
        clock,
        random,
        log,
        signal,
        observer: createExportObserver(context),
        writeValues: values?.write,
        async fetchBundle(getLink) {
            const { path, size, sha256, format, archive } = await downloadBundle({ path: (0,external_node_path_.join)(outputDir, inputs.artifactName), withExtension: true, maxBytes, limits }, {
                getLink,
                dispatcher: connection.dispatcher,
                clock,
                random,
                log,
                signal,
                onProgress(progress) {
                    // The last report says what the line about the verified bundle says better.
                    if (progress.bytes !== progress.total)
                        log.info(`Download: ${describeProgress(progress)}`);
                },
            });
            return { path, size, sha256, format, files: archive.files };
        },
        async unpackSite({ path: archive }) {
            const { path, bytes } = await replaceSite({ archive, outputDir, limits }, { signal });
            log.info(`The site is unpacked to ${path} (${(0,format/* formatBytes */.z3)(bytes)}).`);
            return path;
        },
        uploadArtifact: (kind, { bundle, sitePath }) => uploadArtifact({
            kind,
            path: sitePath ?? bundle.path,
            name: artifactName(kind, inputs),
            retentionDays: inputs.retentionDays,
            sha256: bundle.sha256,
        }, { log, signal, clock }),
    };
}
function openValues({ valuesFile, valuesBundleUrl }, workspace) {
    if (valuesFile === undefined)
        return Promise.resolve(undefined);
    return openValuesTarget({ workspace, file: valuesFile, isUnintendedLink: valuesBundleUrl === undefined });
}
/** `actions/deploy-pages` looks for an artifact named `github-pages` unless told otherwise. */
function artifactName(kind, inputs) {
    return kind === "pages" && inputs.artifactName === action_inputs/* defaultArtifactName */.Vb
        ? "github-pages"
        : inputs.artifactName;
}


/***/ }),

/***/ 97628:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  B: () => (/* binding */ followJob)
});

// EXTERNAL MODULE: ./.build/lib/errors.js
var errors = __webpack_require__(45119);
// EXTERNAL MODULE: ./.build/lib/platform/errors.js
var platform_errors = __webpack_require__(20013);
;// CONCATENATED MODULE: ./.build/lib/platform/poll-schedule.js
/**
 * When to look at a job again, as pure functions of its age and progress.
 *
 * With a request worth k = 1 s of waiting and a completion time of unknown scale, the cheapest schedule looks every
 * √(2·k·age); where progress moves, looking again after half of the estimated rest finds the end within a second or two.
 */
const shortestDelayMs = 2_000;
const longestDelayMs = 30_000;
const longestBackoffMs = 30_000;
/** Milliseconds until the next look at a job that is `ageMs` old; `random` is uniform in [0, 1). */
function nextPollDelayMs({ ageMs, samples }, random) {
    const blindMs = clamp(Math.sqrt(2 * (ageMs / 1000)) * 1000);
    const restMs = estimateRestMs(samples);
    const delayMs = restMs === undefined ? blindMs : clamp(Math.min(restMs / 2, 2 * blindMs));
    return Math.round(delayMs * (0.9 + 0.2 * random()));
}
/** Full-jitter wait after the given number of failed looks in a row (1 or more). */
function backoffDelayMs(failures, random) {
    const ceilingMs = Math.min(longestBackoffMs, 1000 * 2 ** failures);
    return Math.max(500, Math.round(random() * ceilingMs));
}
/**
 * Estimated time to 100 %, from the newer half of the samples; `undefined` while there is too little to go by (fewer
 * than two samples, no movement, less than 3 %).
 */
function estimateRestMs(samples) {
    const newer = samples.slice(Math.floor((samples.length - 1) / 2));
    const first = newer[0];
    const last = newer.at(-1);
    if (first === undefined || last === undefined || first === last)
        return undefined;
    const gained = last.percent - first.percent;
    if (gained <= 0 || last.percent < 3 || last.percent >= 100)
        return undefined;
    return ((100 - last.percent) * (last.atMs - first.atMs)) / gained;
}
function clamp(ms) {
    return Math.min(longestDelayMs, Math.max(shortestDelayMs, ms));
}

;// CONCATENATED MODULE: ./.build/lib/platform/progress-log.js
const speakAtLeastEveryMs = 30_000;
const warnOfStallAfterMs = 15 * 60_000;
/** Writes one line per change, and one every 30 seconds on long work; warns once of an unknown status and of a stall. */
function createProgressLog(options, { clock, log }) {
    const samples = [];
    const strangeStatuses = new Set();
    let last;
    let lastChangeMs = clock.now();
    let lastSpokenMs = clock.now();
    let stallReported = false;
    function noteStatus(status) {
        const known = status !== undefined &&
            (options.isEnded(status) || options.goingStatuses.includes(status.toLowerCase()));
        if (known || strangeStatuses.has(status))
            return;
        strangeStatuses.add(status);
        log.warning(status === undefined
            ? `The answer about ${options.name} has no status; still waiting.`
            : `${capitalize(options.name)} has a status this action does not know (“${status}”); still waiting.`);
    }
    function noteStall(nowMs) {
        if (stallReported || nowMs - lastChangeMs < warnOfStallAfterMs)
            return;
        stallReported = true;
        log.warning(`${capitalize(options.name)} has not moved for ${Math.round((nowMs - lastChangeMs) / 60_000)} minutes.`);
    }
    function write(nowMs) {
        lastSpokenMs = nowMs;
        log.info(`${capitalize(options.name)}: ${last ?? "no answer yet"} (${formatAge(nowMs - options.submittedMs)})`);
    }
    function speak(line, nowMs) {
        if (line === last)
            return;
        last = line;
        lastChangeMs = nowMs;
        stallReported = false;
        write(nowMs);
    }
    return {
        samples,
        lastLine: () => last,
        speakAgain() {
            const nowMs = clock.now();
            if (nowMs - lastSpokenMs >= speakAtLeastEveryMs)
                write(nowMs);
            return lastSpokenMs + speakAtLeastEveryMs - nowMs;
        },
        see({ status, percent, line }) {
            const nowMs = clock.now();
            noteStatus(status);
            if (percent !== undefined && samples.at(-1)?.percent !== percent)
                samples.push({ atMs: nowMs, percent });
            speak(line, nowMs);
            noteStall(nowMs);
        },
    };
}
function capitalize(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
/** A job's age, or a wait: "42 s", "3 min 5 s". */
function formatAge(ms) {
    const seconds = Math.max(0, Math.round(ms / 1000));
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

;// CONCATENATED MODULE: ./.build/lib/platform/follow-job.js




const maxFailuresInRow = 10;
const maxSilenceMs = 5 * 60_000;
/** After its submission, a job may be unknown to a part of the platform for so long. */
const tolerateUnknownJobMs = 30_000;
/**
 * Looks at a job until its status is final.
 *
 * @throws {InterruptedError} `timed-out` at the deadline; the signal's reason when aborted.
 * @throws {PlatformError} when the platform refuses, or stays silent for 10 looks in a row or five minutes.
 */
async function followJob(options, deps) {
    const { clock, random, signal } = deps;
    const progress = createProgressLog(options, deps);
    const failures = createFailureCount(options, deps);
    let waitMs = options.lookAtOnce
        ? 0
        : nextPollDelayMs({ ageMs: clock.now() - options.submittedMs, samples: [] }, random);
    for (;;) {
        const restMs = options.deadlineMs - clock.now();
        await waitSpeaking(Math.max(0, Math.min(waitMs, restMs)), {
            clock,
            signal,
            speakAgain: progress.speakAgain,
        });
        try {
            const job = await options.read();
            failures.reset();
            const state = options.describe(job);
            progress.see(state);
            await deps.onState?.(job, state);
            if (state.status !== undefined && options.isEnded(state.status))
                return job;
            waitMs = nextPollDelayMs({ ageMs: clock.now() - options.submittedMs, samples: progress.samples }, random);
        }
        catch (error) {
            waitMs = failures.delayAfter(error);
        }
        if (clock.now() >= options.deadlineMs)
            throw deadlinePassed(options, { lastLine: progress.lastLine(), lastFailure: failures.lastMessage() });
    }
}
/** Waits, and lets the log show every 30 seconds that somebody is still there. */
async function waitSpeaking(waitMs, { clock, signal, speakAgain }) {
    const untilMs = clock.now() + waitMs;
    do {
        await clock.sleep(Math.min(Math.max(0, untilMs - clock.now()), speakAgain()), signal);
    } while (clock.now() < untilMs);
}
function deadlinePassed({ name }, { lastLine, lastFailure }) {
    const seen = lastLine === undefined ? "" : ` It was last seen ${lastLine}.`;
    const last = lastFailure === undefined ? seen : `${seen} The last look failed: ${lastFailure}`;
    return new errors/* InterruptedError */.p4("timed-out", `Stopped waiting for ${name}: \`timeout-minutes\` has passed.${last}`);
}
/** Counts failed looks in a row and says how long to wait after each. */
function createFailureCount(options, { clock, random, log }) {
    let failures = 0;
    let lastMessage;
    let lastGoodMs = clock.now();
    let wasSeen = false;
    return {
        /** Why the last look failed; `undefined` if it did not. */
        lastMessage: () => lastMessage,
        reset() {
            failures = 0;
            lastMessage = undefined;
            lastGoodMs = clock.now();
            wasSeen = true;
        },
        /** @throws the error itself when it is final or one too many. */
        delayAfter(error) {
            const ageMs = clock.now() - options.submittedMs;
            if (!(error instanceof platform_errors/* PlatformError */.W) || !isTolerable(error, { ageMs, wasSeen }))
                throw error;
            lastMessage = error.message;
            if (error.code === "rate-limited") {
                lastGoodMs = clock.now();
                const delayMs = Math.max(error.retryAfterMs ?? 0, backoffDelayMs(3, random));
                log.info(`${error.message} Looking again in ${formatAge(delayMs)}.`);
                return delayMs;
            }
            failures += 1;
            if (failures >= maxFailuresInRow || clock.now() - lastGoodMs > maxSilenceMs)
                throw error;
            log.info(`${error.message} Looking again (failure ${failures} of ${maxFailuresInRow} in a row).`);
            return Math.max(error.retryAfterMs ?? 0, backoffDelayMs(failures, random));
        },
    };
}
function isTolerable(error, { ageMs, wasSeen }) {
    // That a job which was there is gone is for the platform itself to say, not for a proxy in front of it.
    if (error.code === "not-found")
        return ageMs < tolerateUnknownJobMs || (wasSeen && !error.isFromApi);
    return ["unreachable", "unavailable", "rate-limited", "unexpected-response", "conflict"].includes(error.code);
}


/***/ })

};
