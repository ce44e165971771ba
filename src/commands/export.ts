/** The export command: start → poll → link → download and verify → unpack → upload. */
import { ActionError, InterruptedError, JobFailedError } from "../base/errors.ts";
import { type ExportJob, endedExportStatuses } from "../client/contract.ts";
import { PlatformError } from "../client/errors.ts";
import { followJob } from "../client/follow-job.ts";
import type { JobState } from "../client/progress-log.ts";
import { readPageCount, readPercent } from "../client/read-progress.ts";
import { readErrorMessage } from "../client/transport/error-message.ts";
import { readTimestamp } from "../client/transport/read-timestamp.ts";
import { noPagesWarning } from "../presentation/export-summary.ts";
import { formatCount } from "../presentation/markdown.ts";
import type {
  BundleLink,
  ExportDeps,
  ExportOptions,
  ExportResult,
  FetchedBundle,
  UploadKind,
} from "./export-interface.ts";

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
  try {
    return await finishExport({ jobId, startedMs }, options, deps);
  } catch (error) {
    throw isCancelled(error) ? stoppedWaiting(jobId) : error;
  }
}

async function finishExport(
  { jobId, startedMs }: { jobId: string; startedMs: number },
  options: ExportOptions,
  deps: ExportDeps,
): Promise<ExportResult> {
  const job = await followExportJob(jobId, options, deps);
  const pageCount = readPageCount(job.pageCount);
  if (pageCount === 0) deps.log.warning(noPagesWarning);
  let link: BundleLink | undefined;
  const bundle = await deps.fetchBundle(async () => {
    link = await requestLink(jobId, deps);
    return link;
  });
  if (link === undefined) throw new Error("The bundle was fetched without a link.");
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

function isCancelled(error: unknown): boolean {
  return error instanceof InterruptedError && error.code === "cancelled";
}

function stoppedWaiting(jobId: string): InterruptedError {
  return new InterruptedError("cancelled", `Stopped waiting: export job ${jobId} goes on at the platform.`);
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
function describeExportJob(job: ExportJob): JobState {
  const percent = readPercent(job.progress);
  const pages = readPageCount(job.pageCount);
  const words = [
    job.status ?? "without a status",
    ...(percent === undefined ? [] : [`${percent} %`]),
    ...(pages === undefined ? [] : [formatCount(pages, "page")]),
  ];
  return { status: job.status ?? undefined, percent, line: words.join(", ") };
}

function jobFailed(jobId: string, { error, message }: ExportJob): JobFailedError {
  const reason = readErrorMessage(JSON.stringify({ error, message }));
  return new JobFailedError(
    reason
      ? `Export job ${jobId} failed: ${reason}`
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

/**
 * Points the deployment to the bundle. The version is the exported one, else the job: a deployment whose address stays
 * the same must still see that there is something new.
 */
async function updateValues(
  { jobId, link }: { jobId: string; link: BundleLink },
  { durableUrl, version }: ExportOptions,
  { writeValues, log }: ExportDeps,
) {
  if (writeValues === undefined) return undefined;
  const isChanged = await writeValues({ bundleUrl: durableUrl ?? link.url, version: version ?? jobId });
  log.info(
    isChanged
      ? "The values file points to the new bundle."
      : "The values file pointed to this bundle already.",
  );
  if (durableUrl === undefined) {
    const dies = link.expiresAt === undefined ? "soon" : `at ${link.expiresAt.toISOString()}`;
    log.warning(
      `The link in the values file dies ${dies}: a pod that starts later cannot fetch the bundle. Set \`values-bundle-url\` to an address that lasts.`,
    );
  }
  return { isChanged, isDurable: durableUrl !== undefined };
}
