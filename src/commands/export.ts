/** The export command: start → poll → link → download and verify → unpack and upload → values file. */
import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ActionError, JobFailedError } from "../base/errors.ts";
import type { ExportReport } from "../base/export-report.ts";
import { readProxySettings } from "../base/http.ts";
import { createLinkPolicy } from "../base/network.ts";
import { formatBytes, formatCount, shorten, toOneLine } from "../base/text.ts";
import type { DownloadedBundle } from "../bundle/download.ts";
import { type BundleLink, findLinkSecrets, parseStorageUrl } from "../bundle/presigned-link.ts";
import type { ValuesFile } from "../bundle/values-file.ts";
import type { ExportJob, StartExportRequest } from "../client/contract.ts";
import { checkDashboard, describeFailureReason, isJobGone, PlatformError } from "../client/errors.ts";
import { followJob } from "../client/follow-job.ts";
import { exportJobsPath, type PlatformClient } from "../client/platform-client.ts";
import { requireArtifactService } from "../github/results-service.ts";
import {
  describeWarnings,
  noPages,
  noPagesHint,
  renderDetachedExport,
  renderExportSummary,
} from "../presentation/summaries.ts";
import { connectPlatform } from "./connect-platform.ts";
import { defaultArtifactName, type ExportInputs, embeddedDomain } from "./inputs.ts";
import {
  type CommandResult,
  describeDryRun,
  type PostRun,
  type Run,
  rethrowInterrupted,
  type Skip,
} from "./run.ts";
import {
  markReplaceable,
  requireReplaceable,
  requireWritable,
  resolveOutputDir,
  workspaceOf,
} from "./workspace.ts";

/** An export whose job is known. */
interface ExportRun {
  readonly jobId: string;
  readonly inputs: ExportInputs;
  readonly platform: PlatformClient;
  readonly run: Run;
}

/**
 * Exports a site, or downloads the bundle of an existing job. A re-run resumes the job of the earlier attempt. Each output is set as soon
 * as its value is known.
 *
 * @throws {JobFailedError} with the platform's reason when the job ends `failed`.
 * @throws {PlatformError} `maybeSubmitted` when the response to the start was lost: the start is never sent twice.
 */
export async function runExport(inputs: ExportInputs, run: Run): Promise<CommandResult<"export"> | Skip> {
  const { outputDir, values } = await prepareTargets(inputs, run);
  await using platform = await connectPlatform(inputs, run, { domain: inputs.domain });
  if (inputs.dryRun) return describeFirstRequest(inputs);
  if (inputs.wait) requireWritable(outputDir);

  const startedMs = run.clock.now();
  const { jobId, isNew, isRecorded } = await findOrStartJob(inputs, platform, run);
  const job: ExportRun = { jobId, inputs, platform, run };
  run.setOutput("jobId", jobId);
  if (!inputs.wait) {
    const message = `Export job ${jobId} runs at the platform; download its bundle later with \`job-id\`.`;
    return { outcome: "detached", message, summary: renderDetachedExport(jobId) };
  }

  let stopped = `Stopped waiting: export job ${jobId} continues on the platform.`;
  try {
    const pageCount = await followExportJob(isNew, job);
    stopped = `Stopped before the bundle was delivered: export job ${jobId} is completed.`;
    const { bundle, link: usedLink } = await fetchBundle(outputDir, job);
    const sitePath = await unpackSite(bundle, outputDir, job);
    const artifact = await uploadBundle(bundle, sitePath, job);
    const link = await renewLink(usedLink, job);
    const valuesFile = await updateValuesFile(values, link, job);
    const report = await readReport(bundle, inputs, run);
    const isFailure = inputs.failOnWarnings && report !== undefined && report.warningCount > 0;
    // The paths in it are real paths.
    const workspace = realpathSync.native(workspaceOf(run));
    const summary = renderExportSummary({
      subject: inputs.domain ?? (inputs.jobId === undefined ? inputs.docsDir : jobId),
      jobId,
      pageCount,
      bundle: { ...bundle, path: relative(workspace, bundle.path) },
      report,
      isFailure,
      expiresAt: inputs.baseUrl === "local" ? undefined : link.expiresAt,
      isExpired: link.expiresAt !== undefined && link.expiresAt.getTime() <= platform.serverNow(),
      sitePath: sitePath === undefined ? undefined : relative(workspace, sitePath),
      artifact,
      valuesFile,
      tookMs: run.clock.now() - startedMs,
    });
    const message = `Exported to ${bundle.path}.`;
    if (!isFailure) return { outcome: "exported", message, summary };
    const hint = "Correct what the report lists, or remove `fail-on-warnings`.";
    const reason = `\`fail-on-warnings\` is set. ${describeWarnings(report)}`;
    const error = new ActionError("invalid-input", reason, { hint });
    return { outcome: "exported", message, summary, error, isFailure };
  } catch (error) {
    const rerun = isRecorded ? " In a workflow, a re-run of this run does the same." : "";
    const advice = `Set \`job-id\` to continue with this job; without it, the next run starts another export.${rerun}`;
    rethrowInterrupted(error, inputs, run, stopped, advice);
  }
}

/** Checks, before anything is started, that the result can be stored: artifact service, folder and values file. */
async function prepareTargets(inputs: ExportInputs, run: Run) {
  if (inputs.wait && !inputs.dryRun && inputs.upload !== "none") requireArtifactService(run.environment);
  const workspace = workspaceOf(run);
  const outputDir = resolveOutputDir(inputs.outputDir, workspace);
  if (inputs.wait && needsSite(inputs)) requireReplaceable(siteOf(outputDir));
  const { valuesFile: file, valuesBundleUrl, valuesVersion } = inputs;
  if (file === undefined) return { outputDir, values: undefined };
  const { openValuesFile } = await import("../bundle/values-file.ts");
  const writes = { version: valuesVersion !== "keep", unintendedLink: valuesBundleUrl === undefined };
  return { outputDir, values: await openValuesFile(workspace, file, writes) };
}

function describeFirstRequest(inputs: ExportInputs): Skip {
  const { jobId } = inputs;
  if (jobId !== undefined) return describeDryRun("export", `POST ${exportJobsPath}/${jobId}/bundle`);
  const content = JSON.stringify(startRequest(inputs), null, 2);
  return describeDryRun("export", `POST ${exportJobsPath}`, content);
}

function startRequest({ domain, exportVersion, exportPaths }: ExportInputs): StartExportRequest {
  return {
    domain: domain ?? embeddedDomain,
    ...(exportVersion !== undefined && { version: exportVersion }),
    ...(exportPaths.length > 0 && { paths: exportPaths }),
  };
}

interface FoundJob {
  readonly jobId: string;
  readonly isNew: boolean;
  /** Whether a re-run of this workflow run finds the job. */
  readonly isRecorded?: boolean;
}

/** What is saved for the post step while it is unknown whether the platform has started a job. */
const startingJob = "(starting)";

/** The post step: says what a killed run left behind. It is too late for outputs and a summary. */
export async function finishExport({ state, log }: PostRun): Promise<void> {
  const jobId = state("exportJob");
  if (jobId === "") return;
  const isStarting = jobId === startingJob;
  const job = isStarting ? "the platform may have started a job" : `export job ${jobId} may still run`;
  const advice = isStarting ? checkDashboard : `Set \`job-id: ${jobId}\` to continue with it.`;
  log.warning(`The step was killed before it could report a result; ${job}. ${advice}`);
}

/**
 * Finds the job that `job-id` names, that an earlier attempt of this run started, or that is in progress at the platform; otherwise
 * starts a new one.
 */
async function findOrStartJob(inputs: ExportInputs, platform: PlatformClient, run: Run): Promise<FoundJob> {
  if (inputs.jobId !== undefined) return { jobId: inputs.jobId, isNew: false };
  const request = startRequest(inputs);
  const { baseUrl, apiKey = "" } = inputs;
  // Jobs of the embedded platform end with their run.
  if (baseUrl === "local") return startOrAdoptJob(request, platform, run);
  // Loaded when it is used: in the first attempt of a run, after the start.
  const openRecord = async () => {
    const { openRunRecord } = await import("../github/run-record.ts");
    return openRunRecord(JSON.stringify(["export", baseUrl.href, request]), apiKey, run);
  };
  const isRerun = Number(run.environment["GITHUB_RUN_ATTEMPT"]) > 1;
  const record = isRerun ? await openRecord() : undefined;
  if (isRerun && record === undefined)
    run.log.info(
      "Without GitHub's cache service, the job of an earlier attempt of this run cannot be found.",
    );
  const recorded = await record?.read();
  const saveJob = (jobId: string) => run.saveState("exportJob", jobId);
  if (recorded !== undefined && (await canBeResumed(recorded, platform))) {
    run.log.info(`Resuming export job ${recorded}, which an earlier attempt of this run started.`);
    saveJob(recorded);
    return { jobId: recorded, isNew: false, isRecorded: true };
  }
  saveJob(startingJob);
  const stopped = "Stopped during the start: the platform may have started the export.";
  const job = await startOrAdoptJob(request, platform, run).catch((error: unknown) =>
    rethrowInterrupted(error, inputs, run, stopped, checkDashboard),
  );
  saveJob(job.jobId);
  run.setOutput("jobId", job.jobId);
  return { ...job, isRecorded: (await (await openRecord())?.write(job.jobId)) ?? false };
}

/** Whether a job may still provide a bundle. If it cannot be read now, polling it shows the error. */
async function canBeResumed(jobId: string, platform: PlatformClient): Promise<boolean> {
  try {
    return (await platform.getExportJob(jobId)).status?.toLowerCase() !== "failed";
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return !isJobGone(error);
  }
}

/** @throws {PlatformError} `maybeSubmitted` when the response contains no `jobId`. */
async function startOrAdoptJob(
  request: StartExportRequest,
  platform: PlatformClient,
  { log, setOutput }: Run,
): Promise<FoundJob> {
  try {
    const { jobId, status } = await platform.startExport(request);
    if (jobId) {
      log.info(`Export job ${jobId} is started.`);
      if (status != null) setOutput("status", status);
      return { jobId, isNew: true };
    }
  } catch (error) {
    if (!(error instanceof PlatformError) || error.conflictingJobId === undefined) throw error;
    const { conflictingJobId: jobId, message, status, requestId } = error;
    const difference = await findDifference(jobId, request, platform);
    if (difference !== undefined) {
      const hint = "Run again when the platform has no other export in progress.";
      const problem = `${message} Job ${jobId} is not followed: ${difference}.`;
      throw new PlatformError("conflict", problem, { hint, status, requestId, cause: error });
    }
    log.notice(`This export is already in progress: following job ${jobId} instead of starting one.`);
    return { jobId, isNew: false };
  }
  const message =
    "The platform accepted the start of the export, but its response has no usable `jobId` (a word of printable ASCII). The job may run; it is not started again.";
  throw new PlatformError("unexpected-response", message, { maybeSubmitted: true });
}

/**
 * Why a job in progress does not export what the request asks for; `undefined` if it does. The platform must report the version and the
 * pages if the request selects them. An ended job does not count: its content may be older than the request.
 */
async function findDifference(
  jobId: string,
  { domain, version, paths = [] }: StartExportRequest,
  platform: PlatformClient,
): Promise<string | undefined> {
  try {
    const job = await platform.getExportJob(jobId, "freely");
    const site = job.domain ?? domain;
    if (isEnded(job.status ?? "")) return "it has ended and may lack the newest changes";
    if (site.toLowerCase() !== domain.toLowerCase()) return `it exports ${toOneLine(shorten(site, 100))}`;
    if (version !== undefined && job.version !== version)
      return "it exports another version, or does not name it";
    if (!isDeepStrictEqual(new Set(job.paths), new Set(paths)))
      return "it exports other pages, or does not name them";
    return undefined;
  } catch (error) {
    if (error instanceof PlatformError && error.code === "not-found") return "the platform does not know it";
    throw error;
  }
}

/** With any other status the job is still running (specification §3.2). */
function isEnded(status: string): boolean {
  return ["completed", "failed"].includes(status.toLowerCase());
}

/**
 * Polls the job to its end; returns its page count, if the platform reports one.
 *
 * @throws {ActionError} if an export without pages would replace a published site.
 */
async function followExportJob(isNew: boolean, { jobId, inputs, platform, run }: ExportRun) {
  const job = await followJob(
    {
      name: `export job ${jobId}`,
      read: () => platform.getExportJob(jobId),
      describe: describeJob,
      isEnded,
      runningStatuses: ["queued", "pending", "running", "processing"],
      submittedMs: isNew ? run.clock.now() : undefined,
      pollAtOnce: !isNew,
      isEmbedded: inputs.baseUrl === "local",
      deadlineMs: run.deadlineMs,
    },
    {
      ...run,
      onState(polled, { status }) {
        if (status !== undefined) run.setOutput("status", status);
        if (polled.pageCount != null) run.setOutput("pageCount", String(polled.pageCount));
      },
    },
  );
  if (job.status?.toLowerCase() === "failed")
    throw new JobFailedError(`Export job ${jobId} failed${describeFailureReason(job)}`);
  if (job.pageCount === 0) {
    if (inputs.upload === "pages")
      throw new ActionError("invalid-input", `${noPages} The published site stays as it is.`, {
        hint: noPagesHint,
      });
    run.log.warning(`${noPages} ${noPagesHint}`);
  }
  return job.pageCount ?? undefined;
}

/** The job's state as one line: "running, 42 %, 120 pages". */
function describeJob({ status, progress, pageCount }: ExportJob) {
  const percent = progress == null ? undefined : Math.round(progress * 10) / 10;
  const parts = [
    status ?? "without a status",
    percent !== undefined && `${percent} %`,
    pageCount != null && formatCount(pageCount, "page"),
  ];
  return { status: status ?? undefined, percent, line: parts.filter(Boolean).join(", ") };
}

/** Downloads and verifies the bundle; returns it with the newest link, which expires last. */
async function fetchBundle(outputDir: string, job: ExportRun) {
  const { downloadBundle } = await import("../bundle/download.ts");
  const { openBundleCache } = await import("../github/bundle-cache.ts");
  const { jobId, run } = job;
  const { baseUrl, apiKey, artifactName, maxBundleMegabytes } = job.inputs;
  let link: BundleLink | undefined;
  const getLink = async () => {
    link = await requestLink(job);
    return link;
  };
  const isHosted = baseUrl !== "local" && apiKey !== undefined;
  const bundle = await downloadBundle(getLink, {
    ...run,
    cache: isHosted ? await openBundleCache([baseUrl.href, jobId], apiKey, run) : undefined,
    path: join(outputDir, artifactName),
    withExtension: true,
    maxBytes: maxBundleMegabytes * 1_000_000,
    proxies: readProxySettings(run.environment),
    linkPolicy: linkPolicyOf(job),
  });
  if (link === undefined) throw new Error("The bundle was downloaded without a link.");
  const { path, size, sha256, files, isCached } = bundle;
  run.setOutput("bundlePath", path);
  run.setOutput("bundleSize", String(size));
  run.setOutput("bundleSha256", sha256);
  const source = isCached ? "is the one that this runner kept, and verified" : "is downloaded and verified";
  run.log.info(
    `The bundle ${source}: ${path}, ${formatBytes(size)}, ${formatCount(files, "file")}, SHA-256 ${sha256}.`,
  );
  return { bundle, link };
}

/** Reads the report in the bundle; some platforms include none. */
async function readReport(
  { report: text }: DownloadedBundle,
  { baseUrl, failOnWarnings }: ExportInputs,
  { log }: Run,
): Promise<ExportReport | undefined> {
  const { parseExportReport, exportReportPath } = await import("../base/export-report.ts");
  const report = text === undefined ? undefined : parseExportReport(text);
  const unreadable = `The bundle's ${exportReportPath} is not a report that this version can read; it is not shown.`;
  if (text !== undefined && report === undefined) log.warning(unreadable);
  // The failed step or the embedded platform already reports the warnings.
  const isReported = failOnWarnings || baseUrl === "local";
  if (report !== undefined && report.warningCount > 0 && !isReported) log.warning(describeWarnings(report));
  return report;
}

function linkPolicyOf({ inputs, platform }: ExportRun) {
  return createLinkPolicy(() => platform.network, inputs.allowedHosts);
}

/**
 * Requests a presigned link to the bundle, and masks its secrets first.
 *
 * @throws {BundleError} if the link may not lead there.
 */
async function requestLink(job: ExportRun): Promise<BundleLink> {
  const { jobId, inputs, platform, run } = job;
  const response = await platform.generateBundle(jobId);
  const { bundleUrl: url, sizeBytes } = response;
  if (run.redact(url, { credentialsOnly: true }) !== url) {
    const message =
      "The platform's link to the bundle contains a credential of this run, so it is not requested.";
    throw new PlatformError("unexpected-response", message);
  }
  for (const secret of findLinkSecrets(url)) run.maskIssued(secret);
  parseStorageUrl(url, linkPolicyOf(job));
  // The embedded platform ends with its run, and so do its jobs and links.
  const isLasting = inputs.baseUrl !== "local";
  const expiresAt = response.expiresAt ? new Date(response.expiresAt) : undefined;
  if (isLasting) run.setOutput("bundleUrl", url);
  if (isLasting && expiresAt !== undefined) run.setOutput("expiresAt", expiresAt.toISOString());
  // `expiresAt` is in the platform's time.
  return { url, expiresAt, issuedAt: new Date(platform.serverNow()), sizeBytes: sizeBytes ?? undefined };
}

/**
 * Requests a fresh link for the values file and for later steps, if a quarter of this one's life is over. An expired link would break
 * every deployment that reads it.
 */
async function renewLink(link: BundleLink, job: ExportRun): Promise<BundleLink> {
  const { platform, run } = job;
  const { baseUrl, valuesFile, valuesBundleUrl } = job.inputs;
  const { expiresAt, issuedAt } = link;
  if (baseUrl === "local" || expiresAt === undefined || issuedAt === undefined) return link;
  const lifeMs = expiresAt.getTime() - issuedAt.getTime();
  const nowMs = platform.serverNow();
  // Without a life, a clock is wrong.
  if (lifeMs <= 0 || nowMs < issuedAt.getTime() + lifeMs / 4) return link;
  try {
    return await requestLink(job);
  } catch (error) {
    const isWritten = valuesFile !== undefined && (valuesBundleUrl ?? "presigned") === "presigned";
    if (!(error instanceof PlatformError) || (isWritten && nowMs >= expiresAt.getTime())) throw error;
    run.log.warning(`No fresh link to the bundle: ${error.message} The last one ${describeExpiry(link)}.`);
    return link;
  }
}

function needsSite({ upload, extract }: ExportInputs): boolean {
  return extract || upload === "site" || upload === "pages";
}

function siteOf(outputDir: string): string {
  return join(outputDir, "site");
}

/** Unpacks the bundle if `upload` or `extract` needs its files; returns the folder of the site. */
async function unpackSite(
  { path: archive }: DownloadedBundle,
  outputDir: string,
  { inputs, run: { signal, setOutput, log } }: ExportRun,
): Promise<string | undefined> {
  if (!needsSite(inputs)) return undefined;
  const { extractArchive } = await import("../bundle/verify.ts");
  const path = siteOf(outputDir);
  // Again: the folder may have been created during the export.
  requireReplaceable(path);
  const limits = { maxTotalBytes: inputs.maxBundleMegabytes * 1_000_000 };
  const { totalBytes } = await extractArchive(archive, path, limits, signal);
  markReplaceable(path);
  log.info(`The site is unpacked to ${path} (${formatBytes(totalBytes)}).`);
  setOutput("sitePath", path);
  return path;
}

async function uploadBundle(
  { path, sha256 }: DownloadedBundle,
  sitePath: string | undefined,
  { inputs, run }: ExportRun,
) {
  const { upload: kind, artifactName, retentionDays } = inputs;
  if (kind === "none") return undefined;
  // `actions/deploy-pages` looks for an artifact named `github-pages` by default.
  const name = kind === "pages" && artifactName === defaultArtifactName ? "github-pages" : artifactName;
  const { uploadArtifact } = await import("../github/artifact.ts");
  const artifact = await uploadArtifact({ kind, path: sitePath ?? path, name, retentionDays, sha256 }, run);
  run.setOutput("artifactId", String(artifact.id));
  run.setOutput("artifactUrl", artifact.url);
  run.setOutput("artifactDigest", artifact.digest);
  run.log.info(`The artifact ${artifact.name} is uploaded: ${artifact.url}`);
  return artifact;
}

/** Writes the address of the bundle to the values file, and the version if `values-version` is set. */
async function updateValuesFile(
  values: ValuesFile | undefined,
  link: BundleLink,
  { jobId, inputs, run: { log, redact } }: ExportRun,
) {
  const { valuesFile = "", valuesBundleUrl, valuesVersion, exportVersion } = inputs;
  if (values === undefined) return undefined;
  const durableUrl = valuesBundleUrl === "presigned" ? undefined : valuesBundleUrl;
  const isChanged = await values.write({
    bundleUrl: durableUrl ?? link.url,
    version: { keep: undefined, job: redact(jobId), export: exportVersion }[valuesVersion],
  });
  log.info(`The values file ${isChanged ? "points" : "already pointed"} to this bundle.`);
  if (durableUrl === undefined) {
    log.warning(
      `The link in the values file ${describeExpiry(link)}: a pod that starts later cannot fetch the bundle. Set \`values-bundle-url\` to an address that does not expire.`,
    );
  }
  return { path: valuesFile, isChanged };
}

function describeExpiry({ expiresAt }: BundleLink): string {
  return expiresAt === undefined ? "expires soon" : `expires at ${expiresAt.toISOString()}`;
}
