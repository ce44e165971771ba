/**
 * Uploads to the artifacts of the workflow run, over the protocol of `@actions/artifact` 6 (which tests run beside it): create
 * the artifact, put its bytes to a presigned link in blocks, finalize it with their SHA-256.
 */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { certificateErrorDetails } from "../base/http.ts";
import { releaseBuffer } from "../base/release-buffer.ts";
import type { RetryDeps } from "../base/retry.ts";
import { type Environment, type Log, readGitHubAddresses } from "../base/runtime.ts";
import { codeOf, endWithPeriod, formatCount, isJsonObject, messageOf, parseJson } from "../base/text.ts";
import { smallFileBytes, type ZipSource, zipStream } from "../base/zip-writer.ts";
import { GitHubError, isPermanentFailure, RequestFailure } from "./errors.ts";
import { ResultsService } from "./results-service.ts";

/** What to upload, and under which name. */
export interface UploadArtifactOptions {
  /** `archive`: a file as it is; `zip`: the same inside a zip; `site`: a folder; `pages`: a folder for deploy-pages. */
  readonly kind: "archive" | "zip" | "site" | "pages";
  readonly path: string;
  readonly name: string;
  readonly retentionDays?: number | undefined;
  /** SHA-256 of the file in hexadecimal, against which an `archive` or `zip` is checked. */
  readonly sha256?: string | undefined;
}

type UploadArtifactDeps = RetryDeps & {
  readonly environment: Environment;
  readonly log: Log;
  /** Masks the secret part of the upload link. */
  readonly maskIssued: (secret: string) => void;
};

/** The artifact as the service stores it, with its SHA-256 in hexadecimal. An `archive` is named with the file's extension. */
export type UploadedArtifact = Awaited<ReturnType<typeof uploadArtifact>>;

/**
 * Uploads a file or folder as one artifact of this run.
 *
 * Each request is tried four times. An upload that fails is not started again: its name stays taken for the run.
 *
 * @throws {GitHubError} with the next step; the signal's reason when aborted.
 */
export async function uploadArtifact(options: UploadArtifactOptions, deps: UploadArtifactDeps) {
  const { environment, log } = deps;
  const retentionDays = allowedRetentionDays(options.retentionDays, environment, log);
  const { name, mimeType, bytes } = await prepareContent(options, deps);
  const ids = readRunIds(environment["ACTIONS_RUNTIME_TOKEN"], name);
  const expiry = retentionDays && {
    expires_at: new Date(deps.clock.now() + retentionDays * dayMs).toISOString(),
  };
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const timeoutMs = readLimit(environment["ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS"], 300_000, maxTimerMs);
  const settings = { service: "ArtifactService", environment, attempts, timeoutMs } as const;
  using service = new ResultsService(settings, { ...deps, signal });
  const call = (method: string, fields: object) =>
    service.call(method, { ...ids, name, ...fields }).catch((error: unknown) => {
      throw requestFailed(name, error);
    });
  log.info(`Uploading the artifact ${name}.`);
  try {
    const created = await call("CreateArtifact", { version: formatVersion, mime_type: mimeType, ...expiry });
    const link = created["ok"] === true && URL.parse(String(created["signed_upload_url"]));
    if (!link) throw new Error("the service returned no upload link");
    const signature = link.searchParams.get("sig");
    if (signature) deps.maskIssued(signature);
    const { size, digest } = await uploadBlocks(bytes, { link, mimeType }, service, { ...deps, signal });
    if (options.kind === "archive") requireDigest(digest, options.sha256);
    const finalized = await call("FinalizeArtifact", { size: String(size), hash: `sha256:${digest}` });
    const id = finalized["ok"] === true ? Number(finalized["artifact_id"]) : Number.NaN;
    if (!Number.isSafeInteger(id) || id < 1) throw new Error("the service did not return the artifact's id");
    const { GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = environment;
    const url = `${readGitHubAddresses(environment).serverUrl}/${repository}/actions/runs/${run}/artifacts/${id}`;
    return { id, name, url, digest };
  } catch (error) {
    deps.signal.throwIfAborted();
    throw error instanceof GitHubError ? error : uploadFailed(name, error);
  } finally {
    // After a failure, ends the uploads of the other blocks.
    stop.abort();
  }
}

/** Version of an artifact's storage format that the service expects. */
const formatVersion = 7;
const dayMs = 86_400_000;
const attempts = 4;
/** Node's timers fire at once after a longer time. */
const maxTimerMs = 2 ** 31 - 1;

/** A number that the workflow sets, up to a maximum; the default for anything that is not a positive number. */
function readLimit(text: string | undefined, byDefault: number, max: number): number {
  const limit = Math.floor(Number(text));
  return limit > 0 ? Math.min(limit, max) : byDefault;
}

/** HTML compresses to a third of its size; an archive inside a zip does not compress at all. */
const compression = { site: 6, archive: 0 } as const;
const [zipType, gzipType] = ["application/zip", "application/gzip"];
const readBytes = 256 * 1024;

/** Checks what is uploaded, and reads it in the form that its consumers expect. */
async function prepareContent(
  { kind, path, name, sha256 }: UploadArtifactOptions,
  { log, signal }: UploadArtifactDeps,
) {
  switch (kind) {
    case "archive": {
      const [extension, mimeType] = path.endsWith(".zip") ? [".zip", zipType] : [".tar.gz", gzipType];
      const fullName = name.endsWith(extension) ? name : `${name}${extension}`;
      return { name: fullName, mimeType, bytes: readFile(path) };
    }
    case "zip": {
      const { size } = await stat(path);
      const file = { path: basename(path), size, content: () => readVerified(path, sha256) };
      return { name, mimeType: zipType, bytes: zipStream([file], compression.archive) };
    }
    case "site": {
      return { name, mimeType: zipType, bytes: zipStream(await listSite(path), compression.site) };
    }
    case "pages": {
      const files = await listSite(path);
      if (!files.some(({ path }) => path === "index.html"))
        log.warning(
          "The site has no index.html at its top: GitHub Pages will answer its address with 404 Not Found.",
        );
      const blocks = files.reduce((sum, { size }) => sum + 1 + Math.ceil(size / tarBlockBytes), 2);
      const tar: ZipSource = {
        path: "artifact.tar",
        // At least: a path of more than 100 bytes takes a little more.
        size: blocks * tarBlockBytes,
        // Compressed in blocks, not in the small pieces of an archive of many files.
        content: () => readBlocks(packTar(files), [], signal),
      };
      return { name, mimeType: zipType, bytes: zipStream([tar], compression.site) };
    }
  }
}

/** The file is opened when the first chunk is read. */
async function* readFile(path: string): AsyncGenerator<Buffer, void, undefined> {
  yield* createReadStream(path, { highWaterMark: readBytes });
}

/** @throws {GitHubError} after the last chunk, if the file's SHA-256 is another one. */
async function* readVerified(path: string, sha256: string | undefined): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of readFile(path)) {
    hash.update(chunk);
    yield chunk;
  }
  requireDigest(hash.digest("hex"), sha256);
}

/** The files of an unpacked site, sorted by path. Their names were checked when the bundle was unpacked. */
async function listSite(folder: string): Promise<ZipSource[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sources = files.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    const path = relative(folder, file).replaceAll("\\", "/");
    const { size } = statSync(file);
    return { path, size, content: () => (size <= smallFileBytes ? [readFileSync(file)] : readFile(file)) };
  });
  return sources.sort((one, other) => (one.path < other.path ? -1 : 1));
}

const tarBlockBytes = 512;

/**
 * The archive that `actions/deploy-pages` expects: an uncompressed tar of regular files that every user may read, in the
 * given order and without times, so that the same site has the same bytes.
 */
async function* packTar(files: readonly ZipSource[]): AsyncGenerator<Buffer> {
  const { default: tarStream } = await import("tar-stream");
  const tar = tarStream.pack();
  const addFiles = async () => {
    for (const { path, size, content } of files) {
      const entry = tar.entry({ name: path, size, mode: 0o644, mtime: new Date(0) });
      await pipeline(content(), entry);
    }
    tar.finalize();
  };
  // A failure destroys the archive, and its reader throws it.
  addFiles().catch((error) => tar.destroy(error));
  yield* tar as AsyncIterable<Buffer>;
}

/** The identifiers of the run and the job, which the service's token holds in its scopes. */
function readRunIds(token = "", name: string) {
  const payload = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const scopes = isJsonObject(payload) ? String(payload["scp"]) : "";
  const [, run, job] = /(?:^| )Actions\.Results:([^:\s]+):([^:\s]+)(?: |$)/.exec(scopes) ?? [];
  if (run === undefined || job === undefined)
    throw notAccepted(name, "ACTIONS_RUNTIME_TOKEN does not name a workflow run and job.", undefined);
  return { workflow_run_backend_id: run, workflow_job_run_backend_id: job };
}

/** The retention in days: at most what the repository allows, with a warning. `undefined` means the repository's default. */
export function allowedRetentionDays(
  days: number | undefined,
  environment: Environment,
  log: Log,
): number | undefined {
  if (days === undefined) return undefined;
  const limit = Number(environment["GITHUB_RETENTION_DAYS"]);
  if (!(limit > 0) || days <= limit) return days;
  log.warning(
    `\`retention-days: ${days}\` is more than this repository allows; the artifact is kept for ${formatCount(limit, "day")}.`,
  );
  return limit;
}

const blockBytes = 4 * 1024 * 1024;
const progressEveryMs = 3_000;

/** Puts the bytes of an artifact to its link in blocks, several at a time (Azure Blob Storage: Put Block, Put Block List). */
async function uploadBlocks(
  bytes: AsyncIterable<Buffer>,
  { link, mimeType }: { readonly link: URL; readonly mimeType: string },
  service: ResultsService,
  { environment, clock, log, signal }: UploadArtifactDeps,
): Promise<{ readonly size: number; readonly digest: string }> {
  const hash = createHash("sha256");
  const freeBuffers: Buffer[] = [];
  const blocks = readBlocks(bytes, freeBuffers, signal);
  const ids: string[] = [];
  let uploaded = 0;
  let reportedMs = clock.now();
  const put = (parameters: Readonly<Record<string, string>>, body: string | Uint8Array, headers = {}) => {
    // Appended as text: the signed part of the link stays as it is.
    return service.put(new URL(`${link.href}&${new URLSearchParams(parameters)}`), body, headers);
  };
  const connect = async () => {
    for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
      const block = next.value;
      hash.update(block);
      // All identifiers of a blob's blocks must have the same length.
      const id = Buffer.from(String(ids.length).padStart(8, "0")).toString("base64");
      ids.push(id);
      await put({ comp: "block", blockid: id }, block);
      freeBuffers.push(block);
      uploaded += block.length;
      if (clock.now() < reportedMs + progressEveryMs) continue;
      reportedMs = clock.now();
      log.info(`Uploaded ${Math.round(uploaded / 1e6)} MB.`);
    }
  };
  const connections = readLimit(environment["ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY"], 5, 32);
  try {
    await Promise.all(Array.from({ length: connections }, connect));
  } finally {
    await blocks.return();
  }
  const list = ids.map((id) => `<Latest>${id}</Latest>`).join("");
  const document = `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`;
  await put({ comp: "blocklist" }, document, { "x-ms-blob-content-type": mimeType });
  return { size: uploaded, digest: hash.digest("hex") };
}

/** Divides a stream into blocks. Buffers that are free again are reused. */
async function* readBlocks(
  stream: AsyncIterable<Buffer>,
  freeBuffers: Buffer[],
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  let block: Buffer | undefined;
  let length = 0;
  for await (const chunk of stream) {
    // A block may hold thousands of files.
    signal.throwIfAborted();
    for (let offset = 0; offset < chunk.length; ) {
      block ??= freeBuffers.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
      const copied = chunk.copy(block, length, offset);
      offset += copied;
      length += copied;
      if (length < blockBytes) continue;
      yield block;
      block = undefined;
      length = 0;
    }
    releaseBuffer(chunk);
  }
  if (block) yield block.subarray(0, length);
}

function requireDigest(digest: string, expected: string | undefined): void {
  if (expected === undefined || digest === expected) return;
  throw new GitHubError(
    "bundle-corrupt",
    `The uploaded file has SHA-256 ${digest}, the verified bundle ${expected}; the artifact was not published.`,
    { hint: "The file changed on the runner between download and upload. Run again with `job-id`." },
  );
}

function requestFailed(name: string, cause: unknown): GitHubError {
  const reason = endWithPeriod(messageOf(cause));
  const message = `The artifact "${name}" could not be uploaded`;
  const status = cause instanceof RequestFailure ? cause.status : undefined;
  if (/storage quota|insufficient usage/i.test(reason)) {
    return new GitHubError("rate-limited", `${message}: the artifact storage of this account is full.`, {
      hint: "Delete artifacts that are no longer needed and set a short `retention-days`; GitHub updates the storage count every 6 to 12 hours. With `upload: none` the bundle stays on the runner for a later step.",
      cause,
    });
  }
  if (status === 409) {
    return new GitHubError("conflict", `${message}: an artifact of this run already has this name.`, {
      hint: "Give every job of the run its own `artifact-name`, for instance with `${{ matrix.site }}` in it. If the log says “Trying again” before, GitHub's response was lost: re-run the job.",
      cause,
    });
  }
  if (status !== undefined && isPermanentFailure(cause)) return notAccepted(name, reason, cause);
  // Only a failed connection has a code.
  if (codeOf(cause) === undefined) return uploadFailed(name, cause);
  return new GitHubError("unreachable", `${message}: ${reason}`, {
    hint: "The runner could not reach GitHub's artifact service. On a self-hosted runner, allow its addresses (`*.actions.githubusercontent.com`, `*.blob.core.windows.net`); otherwise re-run the job.",
    cause,
    ...certificateErrorDetails(codeOf(cause)),
  });
}

function notAccepted(name: string, reason: string, cause: unknown): GitHubError {
  const isOther = cause instanceof RequestFailure && ![401, 403].includes(cause.status);
  const code = isOther ? "unexpected-response" : "forbidden";
  const subject = isOther ? "the request, or a proxy responded in its place" : "this run's token";
  return new GitHubError(code, `The artifact "${name}" could not be uploaded: ${reason}`, {
    hint: `The artifact service did not accept ${subject}. Re-run the job; if it happens again, check githubstatus.com and the runner's proxy.`,
    cause,
  });
}

function uploadFailed(name: string, cause: unknown): GitHubError {
  const reason = endWithPeriod(messageOf(cause));
  return new GitHubError("unavailable", `The artifact "${name}" could not be uploaded: ${reason}`, {
    hint: "Re-run the job; the export of a hosted platform is resumed, not repeated. On a slow connection, set a smaller ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY in the step's `env:`; the link for an upload is valid for one hour.",
    cause,
    ...certificateErrorDetails(codeOf(cause)),
  });
}
