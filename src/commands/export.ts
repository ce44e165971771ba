/** The export command: start → poll → link → download and verify → unpack → upload. */
import { ActionError, JobFailedError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { PlatformClient } from "../platform/client.ts";
import type { Clock } from "../platform/clock.ts";
import { type ExportJob, endedExportStatuses } from "../platform/contract.ts";
import { toOneLine } from "../platform/error-message.ts";
import { PlatformError } from "../platform/errors.ts";
import { followJob, type JobState } from "../platform/follow-job.ts";
import { readPageCount, readPercent } from "../platform/read-progress.ts";
import { readTimestamp } from "../platform/read-timestamp.ts";

export type UploadKind = "archive" | "zip" | "site" | "pages" | "none";

export interface ExportOptions {
  /** The site to export; needed unless `jobId` is given. */
  readonly domain?: string | undefined;
  readonly version?: string | undefined;
  readonly paths: readonly string[];
  /** Fetch the bundle of this job instead of starting one. */
  readonly jobId?: string | undefined;
  /** `false`: end when the job is started. */
  readonly wait: boolean;
  readonly dryRun: boolean;
  readonly upload: UploadKind;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

/** A presigned link to a bundle. The URL is a credential until it expires. */
export interface BundleLink {
  readonly url: string;
  readonly expiresAt: Date | undefined;
  /** The platform's clock when it made the link. */
  readonly issuedAt: Date | undefined;
  /** Length of the archive in bytes, where the platform says it. */
  readonly sizeBytes: number | undefined;
}

/** A bundle on disk, whole and verified. */
export interface FetchedBundle {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly format: "zip" | "tar.gz";
  /** Files in the archive. */
  readonly files: number;
}

export interface UploadedArtifact {
  readonly id: number;
  /** The name really used. */
  readonly name: string;
  readonly url: string;
  /** SHA-256 in hexadecimal, of the artifact as the service keeps it. */
  readonly digest: string | undefined;
}

/** What becomes known while the command works; each is made an output at once. */
export interface ExportObserver {
  jobStarted(jobId: string): void;
  stateSeen(facts: { readonly status: string | undefined; readonly pageCount: number | undefined }): void;
  /** Called with every link before anything else is done with it. */
  linkReceived(link: BundleLink): void;
  bundleFetched(bundle: FetchedBundle): void;
  siteUnpacked(path: string): void;
  artifactUploaded(artifact: UploadedArtifact): void;
}

export interface ExportDeps {
  readonly platform: Pick<PlatformClient, "startExport" | "getExportJob" | "generateBundle">;
  /** Downloads and verifies the bundle; asks for a link whenever it needs a fresh one. */
  readonly fetchBundle: (getLink: () => Promise<BundleLink>) => Promise<FetchedBundle>;
  /** Unpacks the bundle; returns the site's folder. */
  readonly unpackSite: (bundle: FetchedBundle) => Promise<string>;
  readonly uploadArtifact: (
    kind: Exclude<UploadKind, "none">,
    content: { readonly bundle: FetchedBundle; readonly sitePath: string | undefined },
  ) => Promise<UploadedArtifact>;
  readonly observer: ExportObserver;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type ExportResult =
  | {
      readonly outcome: "exported";
      readonly jobId: string;
      readonly pageCount: number | undefined;
      readonly bundle: FetchedBundle;
      readonly link: BundleLink;
      readonly sitePath: string | undefined;
      readonly artifact: UploadedArtifact | undefined;
      /** From the start request, or from now on for an existing job, in milliseconds. */
      readonly tookMs: number;
    }
  | { readonly outcome: "detached"; readonly jobId: string }
  | {
      readonly outcome: "skipped";
      readonly reason: "dry-run";
      readonly wouldSend: { readonly request: string; readonly body?: unknown };
    };

/**
 * Exports a site, or fetches the bundle of an existing job.
 *
 * @throws {JobFailedError} with the platform's reason when the job ends `failed`.
 * @throws {PlatformError} `maybeSubmitted` when the answer to the start was lost: it is never sent twice.
 */
export async function exportSite(options: ExportOptions, deps: ExportDeps): Promise<ExportResult> {
  if (options.dryRun) return showRequest(options);
  const startedMs = deps.clock.now();
  const jobId = options.jobId ?? (await startJob(options, deps));
  deps.observer.jobStarted(jobId);
  if (!options.wait) return { outcome: "detached", jobId };
  const job = await followExportJob(jobId, options, deps);
  let link: BundleLink | undefined;
  const bundle = await deps.fetchBundle(async () => {
    link = await requestLink(jobId, deps);
    return link;
  });
  if (link === undefined) throw new Error("The bundle was fetched without a link.");
  deps.observer.bundleFetched(bundle);
  const delivered = await deliver(bundle, options.upload, deps);
  return {
    outcome: "exported",
    jobId,
    pageCount: readPageCount(job.pageCount),
    bundle,
    link,
    ...delivered,
    tookMs: deps.clock.now() - startedMs,
  };
}

function startRequest({ domain, version, paths }: ExportOptions) {
  if (domain === undefined)
    throw new ActionError("invalid-input", "`domain` is missing: the site's domain identifier.");
  return {
    domain,
    ...(version === undefined ? {} : { version }),
    ...(paths.length === 0 ? {} : { paths: [...paths] }),
  };
}

function showRequest(options: ExportOptions): ExportResult {
  const wouldSend =
    options.jobId === undefined
      ? { request: "POST /v1/static-export/jobs", body: startRequest(options) }
      : { request: `POST /v1/static-export/jobs/${options.jobId}/bundle` };
  return { outcome: "skipped", reason: "dry-run", wouldSend };
}

async function startJob(options: ExportOptions, { platform, log }: ExportDeps): Promise<string> {
  const { jobId } = await platform.startExport(startRequest(options));
  if (jobId) {
    log.info(`Export job ${jobId} is started.`);
    return jobId;
  }
  throw new PlatformError(
    "unexpected-response",
    "The platform took the request to start the export, but its answer has no `jobId`. The job may run; it is not started again.",
    { maybeSubmitted: true },
  );
}

async function followExportJob(jobId: string, options: ExportOptions, deps: ExportDeps): Promise<ExportJob> {
  const isEnded = (status: string) => endedExportStatuses.some((ended) => ended === status.toLowerCase());
  const job = await followJob(
    {
      name: `export job ${jobId}`,
      read: () => deps.platform.getExportJob(jobId),
      describe: describeExportJob,
      isEnded,
      goingStatuses: ["queued", "pending", "running", "processing"],
      submittedMs: deps.clock.now(),
      lookAtOnce: options.jobId !== undefined,
      deadlineMs: options.deadlineMs,
    },
    {
      ...deps,
      onState: (seen, { status }) =>
        deps.observer.stateSeen({ status, pageCount: readPageCount(seen.pageCount) }),
    },
  );
  if (job.status?.toLowerCase() === "failed") throw jobFailed(jobId, job);
  return job;
}

/** The job's state as one line: "running, 42 %, 120 pages". */
export function describeExportJob(job: ExportJob): JobState {
  const percent = readPercent(job.progress);
  const pages = readPageCount(job.pageCount);
  const words = [
    job.status ?? "without a status",
    ...(percent === undefined ? [] : [`${percent} %`]),
    ...(pages === undefined ? [] : [pages === 1 ? "1 page" : `${pages} pages`]),
  ];
  return { status: job.status ?? undefined, percent, line: words.join(", ") };
}

function jobFailed(jobId: string, { error }: ExportJob): JobFailedError {
  const reason = typeof error === "object" ? error?.message : error;
  return new JobFailedError(
    reason
      ? `Export job ${jobId} failed: ${toOneLine(reason)}`
      : `Export job ${jobId} failed; the platform gave no reason.`,
  );
}

async function requestLink(jobId: string, { platform, observer }: ExportDeps): Promise<BundleLink> {
  const { value, date } = await platform.generateBundle(jobId);
  const link = {
    url: value.bundleUrl,
    expiresAt: readTimestamp(value.expiresAt),
    issuedAt: date,
    sizeBytes: value.sizeBytes ?? undefined,
  };
  observer.linkReceived(link);
  return link;
}

async function deliver(
  bundle: FetchedBundle,
  upload: UploadKind,
  { unpackSite, uploadArtifact, observer }: ExportDeps,
) {
  const sitePath = upload === "site" || upload === "pages" ? await unpackSite(bundle) : undefined;
  if (sitePath !== undefined) observer.siteUnpacked(sitePath);
  const artifact = upload === "none" ? undefined : await uploadArtifact(upload, { bundle, sitePath });
  if (artifact !== undefined) observer.artifactUploaded(artifact);
  return { sitePath, artifact };
}
