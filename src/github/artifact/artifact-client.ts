/** The genuine `@actions/artifact`, loaded when first used and kept from taking the process down with it. */
import type { ArtifactClient, UploadArtifactOptions } from "@actions/artifact";
import { endGroup, startGroup } from "@actions/core";
import type { Log } from "../../base/runtime.ts";

/** What an upload sends. */
export interface UploadSource {
  readonly files: readonly string[];
  readonly rootFolder: string;
  /** Bytes of all files together. */
  readonly size: number;
  /** `raw`: the single file as it is, named as on disk; `zip`: all files in an archive. */
  readonly form: "raw" | "zip";
  readonly compressionLevel: number;
}

/** An artifact as the service lists it. */
export interface ListedArtifact {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** Hexadecimal SHA-256, without its prefix. */
  readonly digest: string | undefined;
}

interface UploadCall {
  readonly name: string;
  readonly source: UploadSource;
  readonly retentionDays: number | undefined;
}

/** What the upload needs of the service. */
export interface ArtifactUploader extends Disposable {
  upload(call: UploadCall): Promise<ListedArtifact>;
  list(): Promise<readonly ListedArtifact[]>;
  remove(name: string): Promise<void>;
}

interface GuardDeps {
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** From this size on, more connections than the library's five pay off. */
const largeUploadBytes = 1024 ** 3;
const largeUploadConnections = "8";
const concurrencyVariable = "ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY";

/**
 * Makes an uploader. Until it is disposed of, an error that the library lets escape from one of its streams rejects the
 * operation under way instead of ending the process.
 */
export async function createArtifactUploader(deps: GuardDeps): Promise<ArtifactUploader> {
  const { DefaultArtifactClient } = await import("@actions/artifact");
  const client: ArtifactClient = new DefaultArtifactClient();
  const guard = guardAgainstCrashes(deps);
  return {
    async upload(call) {
      // The library prints a line per block.
      startGroup(`Uploading the artifact "${call.name}"`);
      return guard.race(upload(call, client)).finally(endGroup);
    },
    list: () => guard.race(list(client)),
    async remove(name) {
      await guard.race(client.deleteArtifact(name));
    },
    [Symbol.dispose]: () => guard[Symbol.dispose](),
  };
}

async function upload(
  { name, source, retentionDays }: UploadCall,
  client: ArtifactClient,
): Promise<ListedArtifact> {
  const options: UploadArtifactOptions = {
    skipArchive: source.form === "raw",
    compressionLevel: source.compressionLevel,
    ...(retentionDays === undefined ? {} : { retentionDays }),
  };
  // The library takes the number of connections from nowhere else.
  if (source.size > largeUploadBytes) process.env[concurrencyVariable] ??= largeUploadConnections;
  const uploaded = await client.uploadArtifact(name, [...source.files], source.rootFolder, options);
  if (uploaded.id === undefined) throw new Error("The service did not say which artifact it made");
  return { id: uploaded.id, name, size: uploaded.size ?? 0, digest: uploaded.digest };
}

async function list(client: ArtifactClient): Promise<ListedArtifact[]> {
  const { artifacts } = await client.listArtifacts();
  return artifacts.map(({ id, name, size, digest }) => ({
    id,
    name,
    size,
    digest: digest?.replace(/^sha256:/, ""),
  }));
}

function guardAgainstCrashes({ signal, log }: GuardDeps) {
  let rejectCurrent: ((reason: unknown) => void) | undefined;
  const onCrash = (error: unknown) => {
    // Between two attempts it is the echo of the one that already failed.
    if (rejectCurrent === undefined) log.debug(`After a failed upload: ${String(error)}`);
    else rejectCurrent(error);
  };
  const onAbort = () => rejectCurrent?.(signal.reason);
  process.on("uncaughtException", onCrash);
  signal.addEventListener("abort", onAbort);
  return {
    async race<T>(operation: Promise<T>): Promise<T> {
      signal.throwIfAborted();
      const { promise, reject } = Promise.withResolvers<never>();
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
