/** Uploads to the run's artifacts, with the care that `@actions/artifact` leaves to its caller. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fs, { constants, createReadStream, createWriteStream } from "node:fs";
import { access, link, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import type { Pack } from "tar-stream";
import { formatRequestLog } from "../base/http.ts";
import { type RetryDeps, retry } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { codeOf, messageOf } from "../base/text.ts";
import {
  allowedRetentionDays,
  listSite,
  requireArtifactService,
  requirePagesLimits,
  type SiteFile,
} from "./artifact-rules.ts";
import { GitHubError } from "./errors.ts";

/** What to upload, and under which name. */
export interface UploadArtifactOptions {
  /** `archive`: a file as it is; `zip`: the same inside a zip; `site`: a folder; `pages`: a folder for deploy-pages. */
  readonly kind: "archive" | "zip" | "site" | "pages";
  /** The file or folder. */
  readonly path: string;
  readonly name: string;
  readonly retentionDays?: number | undefined;
  /** SHA-256 of the file, in hexadecimal, against which an `archive` is checked. */
  readonly sha256?: string | undefined;
}

/** The artifact as the service keeps it. */
export interface UploadedArtifact {
  readonly id: number;
  /** The name really used: with the file's extension for an `archive`. */
  readonly name: string;
  readonly url: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string | undefined;
  /** Bytes. */
  readonly size: number;
}

type UploadArtifactDeps = RetryDeps & { readonly log: Log };

/**
 * Uploads a file or folder as one artifact of this run.
 *
 * A service that cannot be reached is tried four times. A name that was created and not finalised is lost for the run, so
 * an upload that broke off later is not repeated. Afterwards sockets may still be open: end the process explicitly.
 *
 * @throws {GitHubError} that says what to change; the signal's reason when it aborts.
 */
export async function uploadArtifact(
  options: UploadArtifactOptions,
  { log, ...deps }: UploadArtifactDeps,
): Promise<UploadedArtifact> {
  const { signal } = deps;
  requireArtifactService(process.env);
  const retentionDays = allowedRetentionDays(options.retentionDays, process.env, log);
  const folder = await mkdtemp(join(process.env["RUNNER_TEMP"] ?? tmpdir(), "artifact-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  const source = await prepareSource(options, folder, log, signal);
  using _memory = await limitMemory();
  using library = await openArtifactLibrary(log, signal);
  using _requests = logRequests(log);
  const uploaded = await retry(() => library.upload(source, retentionDays), {
    attempts: 4,
    backoff: { baseMs: 2_000, maxMs: 16_000 },
    retryAfterMs: (error) => (error instanceof GitHubError && error.code === "unreachable" ? 0 : undefined),
    onRetry: (error, { attempt }) => log.info(`${messageOf(error)} Trying again (${attempt + 1} of 4).`),
    ...deps,
  });
  const { id, digest } = uploaded;
  const expected = options.kind === "archive" ? options.sha256 : undefined;
  if (expected !== undefined && digest !== undefined && digest !== expected) {
    await library.remove(source.name);
    throw new GitHubError(
      "bundle-corrupt",
      `The uploaded artifact has SHA-256 ${digest}, the verified bundle ${expected}; the artifact was deleted again.`,
      { hint: "The file changed on the runner between download and upload. Run again with `job-id`." },
    );
  }
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = process.env;
  const url = `${server ?? "https://github.com"}/${repository}/actions/runs/${run}/artifacts/${id}`;
  return { ...uploaded, name: source.name, url };
}

/** What an upload sends. */
interface UploadSource {
  /** The artifact's name. */
  readonly name: string;
  readonly files: readonly string[];
  readonly rootFolder: string;
  /** Of the zip that holds the files; without it the single file is sent as it is, named as on disk. */
  readonly compressionLevel?: number;
}

/** HTML packs to a third of its size; an archive within a zip does not pack at all. */
const siteCompressionLevel = 6;

/** Checks the content, and makes of it what the service takes; what has to be written goes into `folder`. */
async function prepareSource(
  { kind, path, name }: UploadArtifactOptions,
  folder: string,
  log: Log,
  signal: AbortSignal,
): Promise<UploadSource> {
  switch (kind) {
    case "archive": {
      await requireFile(path);
      const extension = /(\.tar)?\.[A-Za-z0-9]+$/.exec(basename(path))?.[0] ?? "";
      // The service names such an artifact like its file.
      const fullName = name.endsWith(extension) ? name : `${name}${extension}`;
      const file = join(folder, fullName);
      await linkFile(path, file);
      return { name: fullName, files: [file], rootFolder: folder };
    }
    case "zip": {
      await requireFile(path);
      return { name, files: [path], rootFolder: dirname(path), compressionLevel: 0 };
    }
    case "site": {
      const files = (await listSite(path)).map(({ file }) => file);
      return { name, files, rootFolder: path, compressionLevel: siteCompressionLevel };
    }
    case "pages": {
      const pages = await listSite(path);
      const archive = join(folder, "artifact.tar");
      const size = await writePagesArchive(pages, archive, signal);
      requirePagesLimits(size, pages, log);
      return { name, files: [archive], rootFolder: folder, compressionLevel: siteCompressionLevel };
    }
  }
}

async function requireFile(path: string): Promise<void> {
  const facts = await stat(path);
  await access(path, constants.R_OK);
  if (facts.isFile() && facts.size > 0) return;
  throw new GitHubError("rejected", `${path} is not a file with something in it, so it cannot be uploaded.`);
}

/** Gives a file a second name, by a symbolic link where the two are on different disks. */
async function linkFile(path: string, file: string): Promise<void> {
  try {
    await link(path, file);
  } catch {
    // The library follows a symbolic link; what is wrong with the file itself shows when it is read.
    await symlink(path, file);
  }
}

/**
 * Writes the archive that `actions/deploy-pages` expects: an uncompressed tar of regular files that everyone may read, in
 * the order given and without times, so that the same site makes the same bytes. Returns its length in bytes.
 */
async function writePagesArchive(
  files: readonly SiteFile[],
  archive: string,
  signal: AbortSignal,
): Promise<number> {
  const { pack } = await import("tar-stream");
  const tar = pack();
  const written = pipeline(tar, createWriteStream(archive, { flags: "wx" }), { signal });
  const filled = addFiles(files, tar, signal);
  // A failure of either side ends the other.
  filled.catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
  await Promise.all([written, filled]);
  return (await stat(archive)).size;
}

async function addFiles(files: readonly SiteFile[], tar: Pack, signal: AbortSignal): Promise<void> {
  for (const { file, path } of files) {
    const { size } = await stat(file);
    const entry = tar.entry({ name: path, size, mode: 0o644, mtime: new Date(0) });
    await pipeline(createReadStream(file), entry, { signal });
  }
  tar.finalize();
}

const pieceBytes = 128 * 1024;
const blockBytes = 2 * 1024 * 1024;

/**
 * Keeps an upload's memory small: the library reads eight megabytes at a time, five reads ahead of its blocks, of which it
 * holds another five of eight megabytes, and it lets no one choose. Until it is disposed of, pieces and blocks are smaller; the
 * collector, which counts buffers little, saves memory from now on.
 */
async function limitMemory(): Promise<Disposable> {
  setFlagsFromString("--memory-saver-mode");
  const { BlockBlobClient } = await import("@azure/storage-blob");
  const { uploadStream } = BlockBlobClient.prototype;
  BlockBlobClient.prototype.uploadStream = function (stream, _bytes, connections, options) {
    return uploadStream.call(this, stream, blockBytes, connections, options);
  };
  const { createReadStream: readFile } = fs;
  const replaceReader = (reader: typeof readFile) => {
    fs.createReadStream = reader;
    syncBuiltinESMExports();
  };
  replaceReader((path, options) => {
    const given = typeof options === "string" ? { encoding: options } : options;
    const file = readFile(path, { ...given, highWaterMark: pieceBytes });
    file.pipe = (destination) => {
      feed(file, destination).catch((error: unknown) => file.destroy(error as Error));
      return destination;
    };
    return file;
  });
  return {
    [Symbol.dispose]() {
      BlockBlobClient.prototype.uploadStream = uploadStream;
      replaceReader(readFile);
    },
  };
}

/** Writes a stream to another piece by piece; a pipe would fill the buffers on both sides of a transformation. */
async function feed(source: AsyncIterable<Buffer>, destination: NodeJS.WritableStream): Promise<void> {
  for await (const piece of source) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    destination.write(piece, (error) => (error ? reject(error) : resolve()));
    await promise;
  }
  destination.end();
}

/** What Node says of a request that its client sends, and of its end. */
interface SentRequest {
  readonly request: ClientRequest;
  readonly response?: IncomingMessage;
  readonly error?: Error;
}

/** Tells debug logging of the library's requests, in place of the library, until it is disposed of. The same request again is its next attempt. */
function logRequests(log: Log): Disposable {
  const started = new WeakMap<ClientRequest, number>();
  const attempts = new Map<string, number>();
  const onStart = (message: unknown) => {
    started.set((message as SentRequest).request, performance.now());
  };
  const onEnd = (message: unknown) => {
    const { request, response, error } = message as SentRequest;
    const { method, path, protocol } = request;
    const startedMs = started.get(request);
    // A tunnel through a proxy is no request of its own.
    if (startedMs === undefined || method === "CONNECT") return;
    const url = new URL(path, `${protocol}//${request.getHeader("host")}`);
    const attempt = (attempts.get(method + url) ?? 0) + 1;
    attempts.set(method + url, attempt);
    const { statusCode = codeOf(error), headers } = response ?? {};
    log.debug(formatRequestLog({ method, attempt }, url, performance.now() - startedMs, statusCode, headers));
  };
  const handlers = { "request.start": onStart, "response.finish": onEnd, "request.error": onEnd };
  const each = (change: typeof subscribe | typeof unsubscribe) => {
    for (const [name, handler] of Object.entries(handlers)) change(`http.client.${name}`, handler);
  };
  each(subscribe);
  // Its own lines hold the headers and bodies of its calls, and so the link.
  const { stdout } = process;
  const { write } = stdout;
  stdout.write = ((text: string, ...rest: []) =>
    /^::debug::(?:\[Re|Headers|Body)/.test(text) || write.call(stdout, text, ...rest)) as typeof write;
  return {
    [Symbol.dispose]() {
      each(unsubscribe);
      stdout.write = write;
    },
  };
}

/**
 * Loads `@actions/artifact`. Until it is disposed of, an error that the library lets escape from one of its streams
 * rejects the operation under way instead of ending the process.
 */
async function openArtifactLibrary(log: Log, signal: AbortSignal) {
  const [{ DefaultArtifactClient }, { startGroup, endGroup }] = await Promise.all([
    import("@actions/artifact"),
    import("@actions/core"),
  ]);
  const client = new DefaultArtifactClient();
  let rejectCurrent: ((reason: unknown) => void) | undefined;
  const onCrash = (error: unknown) => {
    // Between two attempts it is the echo of the one that already failed.
    if (rejectCurrent === undefined) log.debug(`After a failed upload: ${String(error)}`);
    else rejectCurrent(error);
  };
  const onAbort = () => rejectCurrent?.(signal.reason);
  process.on("uncaughtException", onCrash);
  signal.addEventListener("abort", onAbort);
  const guard = async <T>(operation: Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const { promise, reject } = Promise.withResolvers<never>();
    rejectCurrent = reject;
    return Promise.race([operation, promise]).finally(() => {
      rejectCurrent = undefined;
    });
  };
  return {
    /** @throws {GitHubError} with the code `unreachable` where nothing was made and another try may help. */
    async upload(source: UploadSource, retentionDays: number | undefined) {
      const { name, files, rootFolder, compressionLevel } = source;
      const options = {
        skipArchive: compressionLevel === undefined,
        compressionLevel: compressionLevel ?? 0,
        ...(retentionDays !== undefined && { retentionDays }),
      };
      // The library prints a line per block.
      startGroup(`Uploading the artifact "${name}"`);
      try {
        const uploaded = await guard(client.uploadArtifact(name, [...files], rootFolder, options));
        if (uploaded.id === undefined) throw new Error("The service did not say which artifact it made");
        return { id: uploaded.id, digest: uploaded.digest, size: uploaded.size ?? 0 };
      } catch (error) {
        signal.throwIfAborted();
        throw uploadError(name, error);
      } finally {
        endGroup();
      }
    },
    async remove(name: string) {
      await guard(client.deleteArtifact(name));
    },
    [Symbol.dispose]() {
      process.off("uncaughtException", onCrash);
      signal.removeEventListener("abort", onAbort);
    },
  };
}

/** Of the library's failures, whose classes do not survive its own wrapping, only the messages tell what happened. */
function uploadError(name: string, cause: unknown): GitHubError {
  const text = messageOf(cause);
  const happened = `The artifact "${name}" could not be uploaded.`;
  const reason = `${(text.split(/[\r\n]/)[0] ?? "").replace(/\.$/, "")}.`;
  if (/storage quota|insufficient usage/i.test(text)) {
    return new GitHubError("rate-limited", `${happened} The artifact storage of this account is full.`, {
      hint: "Delete artifacts that are no longer needed and set a short `retention-days`; GitHub updates the storage count every 6 to 12 hours. With `upload: none` the bundle stays on the runner for a later step.",
      cause,
    });
  }
  const isCreation = text.includes("Failed to CreateArtifact");
  if (isCreation && text.includes("(409)")) {
    return new GitHubError("conflict", `${happened} An artifact of this run already has this name.`, {
      hint: "Give every job of the run an `artifact-name` of its own, for instance with `${{ matrix.site }}` in it, and with `${{ github.run_attempt }}` where the workflow is run again.",
      cause,
    });
  }
  // Proxies on the way to the service answer 403 for a while (toolkit issue about "Error from intermediary").
  const isRefused = isCreation && /\(40[0134]\)/.test(text) && !/intermediary/i.test(text);
  if (isRefused || /JWT|backend ids?/i.test(text)) {
    return new GitHubError("forbidden", `${happened} ${reason}`, {
      hint: "The artifact service did not accept this run's token. Re-run the job; if it happens again, check githubstatus.com and the runner's proxy.",
      cause,
    });
  }
  if (isCreation) {
    return new GitHubError("unreachable", `${happened} ${reason}`, {
      hint: "The runner could not reach GitHub's artifact service. On a self-hosted runner, allow its addresses (`*.actions.githubusercontent.com`, `*.blob.core.windows.net`); otherwise re-run the job.",
      cause,
    });
  }
  return new GitHubError("unavailable", `${happened} ${reason}`, {
    hint: "The upload broke off. Run the workflow again with `job-id` to skip the export: GitHub does not give the same artifact name twice in one run. On a slow connection a smaller ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY in the step's `env:` helps; an upload has one hour.",
    cause,
  });
}
