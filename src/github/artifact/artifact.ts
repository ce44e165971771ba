/** Uploads to the run's artifacts with the care that the genuine client leaves to its caller. */
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import { GitHubError } from "../errors.ts";
import { type ArtifactUploader, createArtifactUploader, type ListedArtifact } from "./artifact-client.ts";
import { readUploadFailure, uploadError } from "./artifact-failure.ts";
import { allowedRetentionDays, requireArtifactService, requireArtifactUpload } from "./artifact-rules.ts";
import { type ArtifactKind, type PreparedSource, prepareSource } from "./artifact-source.ts";

/** What to upload, and under which name. */
export interface UploadArtifactOptions {
  /** `archive`: a file as it is; `zip`: the same inside a zip; `site`: a folder; `pages`: a folder for deploy-pages. */
  readonly kind: ArtifactKind;
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
  /** The name really used: with the file's extension for an `archive`, another one if the wanted name was burnt. */
  readonly name: string;
  readonly url: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string | undefined;
  /** Bytes. */
  readonly size: number;
}

interface UploadArtifactDeps {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly clock: { sleep(ms: number, signal: AbortSignal): Promise<void> };
}

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
export async function uploadArtifact(
  options: UploadArtifactOptions,
  { log, signal, clock }: UploadArtifactDeps,
): Promise<UploadedArtifact> {
  requireArtifactUpload(options.name, process.env);
  requireArtifactService(process.env);
  const retentionDays = allowedRetentionDays(options.retentionDays, { environment: process.env, log });
  await using source = await prepareSource(options, { log, signal });
  using uploader = await createArtifactUploader({ signal, log });
  const deps = { log, signal, clock, uploader };
  const artifact = await uploadUnderSomeName({ ...options, retentionDays, source }, deps);
  if (artifact.name !== source.effectiveName(options.name)) {
    log.warning(
      `The artifact is named "${artifact.name}": an upload as "${options.name}" broke off, and GitHub does not give a name twice in one run.`,
    );
  }
  await requireSameBytes({ options, artifact }, uploader);
  return { ...artifact, url: artifactUrl(artifact.id) };
}

interface PreparedUpload extends UploadArtifactOptions {
  readonly source: PreparedSource;
}

interface AttemptDeps extends UploadArtifactDeps {
  readonly uploader: ArtifactUploader;
}

async function uploadUnderSomeName(upload: PreparedUpload, deps: AttemptDeps): Promise<ListedArtifact> {
  let names = 1;
  for (let attempt = 1; ; attempt += 1) {
    const name = upload.source.effectiveName(names === 1 ? upload.name : `${upload.name}-retry${names}`);
    const result = await attemptUpload({ upload, name }, deps);
    if ("artifact" in result) return result.artifact;
    if (attempt === maxAttempts) throw result.error;
    if (result.next === "another-name") names += 1;
    deps.log.info(`${result.error.message} Trying again (${attempt + 1} of ${maxAttempts}).`);
    await deps.clock.sleep(1_000 * 2 ** (attempt - 1) * (0.5 + Math.random()), deps.signal);
  }
}

type Attempt =
  | { readonly artifact: ListedArtifact }
  | { readonly error: GitHubError; readonly next: "same-name" | "another-name" };

/** One upload under one name. @throws {GitHubError} when no further attempt can succeed. */
async function attemptUpload(
  { upload, name }: { readonly upload: PreparedUpload; readonly name: string },
  { uploader, log, signal }: AttemptDeps,
): Promise<Attempt> {
  const source = await upload.source.sourceFor(name);
  try {
    const uploaded = await uploader.upload({ name, source, retentionDays: upload.retentionDays });
    return { artifact: { ...uploaded, name } };
  } catch (cause) {
    signal.throwIfAborted();
    const failure = readUploadFailure(cause);
    const error = uploadError(failure, { name, cause });
    if (failure === "quota" || failure === "refused") throw error;
    if (failure === "unreached") return { error, next: "same-name" };
    const listed = await findListed(name, { uploader, log });
    if (listed === undefined) return { error, next: "another-name" };
    // It is listed, so it is whole. A broken upload made it itself; a taken name may be someone else's.
    const ours = failure === "broken" || (listed.digest !== undefined && listed.digest === upload.sha256);
    if (ours) return { artifact: listed };
    throw error;
  }
}

async function findListed(
  name: string,
  { uploader, log }: Pick<AttemptDeps, "uploader" | "log">,
): Promise<ListedArtifact | undefined> {
  try {
    return (await uploader.list()).find((artifact) => artifact.name === name);
  } catch (error) {
    // The upload's own failure is what matters; without the list it counts as not uploaded.
    log.info(`The list of artifacts could not be read either: ${messageOf(error)}`);
    return undefined;
  }
}

async function requireSameBytes(
  { options, artifact }: { readonly options: UploadArtifactOptions; readonly artifact: ListedArtifact },
  uploader: ArtifactUploader,
): Promise<void> {
  if (options.kind !== "archive" || options.sha256 === undefined) return;
  if (artifact.digest === undefined || artifact.digest === options.sha256) return;
  await uploader.remove(artifact.name);
  throw new GitHubError(
    "bundle-corrupt",
    `The uploaded artifact has SHA-256 ${artifact.digest}, the verified bundle ${options.sha256}; the artifact was deleted again.`,
    { hint: "The file changed on the runner between download and upload. Run again with `job-id`." },
  );
}

function artifactUrl(id: number): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = process.env;
  return `${server ?? "https://github.com"}/${repository}/actions/runs/${run}/artifacts/${id}`;
}
