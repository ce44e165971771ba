/** Static export jobs: their records, their processing and their bundles. */
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import {
  type ExportReport,
  exportReportPath,
  groupWarnings,
  parseExportReport,
} from "../../base/export-report.ts";
import type { Log } from "../../base/runtime.ts";
import { formatCount, messageOf } from "../../base/text.ts";
import type { StartExportRequest } from "../../client/contract.ts";
import type { ExportOptions, PlatformContext } from "../base/context.ts";
import { type Attempt, cancelJob, jobFields, SupersededError, startJobs } from "../base/jobs.ts";
import type { Site } from "../base/sites.ts";
import type { renderSite } from "../site/render-site.ts";
import { countWarnings, type Warning } from "../site/report.ts";

const ExportJobRecord = z.object({
  jobId: z.string(),
  domain: z.string(),
  version: z.optional(z.string()),
  paths: z.optional(z.array(z.string())),
  status: z.enum(["queued", "running", "completed", "failed"]),
  /** 0 to 100. */
  progress: z.number(),
  pageCount: z.int(),
  ...jobFields,
  /** Revision of the documents that the job exports: a commit, or a digest. */
  revision: z.optional(z.string()),
  /** The archive; `name` is its blob. */
  bundle: z.optional(z.object({ name: z.string(), sizeBytes: z.int() })),
  /** The report of rendering warnings; `name` is its blob. */
  report: z.optional(z.object({ name: z.string(), warningCount: z.int() })),
  /** Expiry of the newest bundle link; the job is kept at least until then. */
  linkedUntil: z.optional(z.iso.datetime()),
});
export type ExportJobRecord = z.infer<typeof ExportJobRecord>;

/** Progress when all pages are rendered; the rest is packing. */
const progressWhenRendered = 95;
const progressEveryMs = 1000;

/** A finished job is kept at least this long, so that its client can read the result and request a link. */
const minKeepMs = 60 * 60 * 1000;

const maxErrorLength = 500;

/** Renders a site into a bundle. Its errors have messages for users. */
export type SiteExporter = typeof renderSite;

export type ExportJobs = Awaited<ReturnType<typeof openExportJobs>>;

/** Opens the export jobs, and processes them if this process runs jobs. Disposal stops the processing; the next process resumes it. */
export async function openExportJobs(
  { keptExports = 20, cacheDir, remoteMedia, proxies }: ExportOptions,
  context: PlatformContext,
  exporter: SiteExporter = loadAndRender,
) {
  const { storage, dataDir, findSite, log, now } = context;
  const records = await storage.records("exports/jobs", ExportJobRecord);
  const kind = {
    records,
    noun: "export",
    queue: "exports",
    unfinished,
    workOf: ({ jobId, domain }: ExportJobRecord) => ({
      id: jobId,
      queue: "exports",
      key: jobId,
      group: domain.toLowerCase(),
    }),
  };

  /** Removes old finished jobs of a site. Keeps the newest of each status, those that ended recently, and those with a valid bundle link. */
  const removeOld = async ({ jobId: endedId, domain }: ExportJobRecord) => {
    const finished = (await records.list({ where: { domain } })).filter(isFinished);
    // Remove the blobs of superseded attempts. The previous job is checked again, because a late upload may have arrived since.
    const ended = finished.findIndex(({ jobId }) => jobId === endedId);
    for (const { jobId, bundle } of finished.slice(ended, ended + 2))
      await storage.blobs.removeAll(blobsOf(jobId), bundle?.name.replace(/\.zip$/, ""));
    const old = [...Map.groupBy(finished, ({ status }) => status).values()].flatMap((jobs) =>
      jobs.slice(keptExports),
    );
    for (const { jobId, linkedUntil, updatedAt } of old) {
      const keepUntil = [Date.parse(updatedAt) + minKeepMs, Date.parse(linkedUntil ?? updatedAt)];
      if (Math.max(...keepUntil) > now()) continue;
      await storage.blobs.removeAll(blobsOf(jobId));
      await records.remove(jobId);
    }
  };

  /** Processes a job. When aborted, leaves its record unchanged for the next attempt. */
  const run = async (attempt: Attempt<ExportJobRecord>) => {
    const { job, change, signal } = attempt;
    const { jobId, domain, version, paths } = job;
    log.debug(`Export ${jobId} of ${domain} starts: attempt ${job.attempt}.`);
    let reportedAt = Number.NEGATIVE_INFINITY;
    let isSaving = false;
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
      // While storage does not respond, each change takes up to half a minute.
      if (isSaving || now() - reportedAt < progressEveryMs) return;
      [isSaving, reportedAt] = [true, now()];
      const progress = Math.floor(total > 0 ? Math.min(done / total, 1) * progressWhenRendered : 0);
      change((current) => ({ ...current, progress, pageCount: done }))
        .catch((error: unknown) => {
          if (error instanceof SupersededError) return;
          log.warning(`The progress of export ${jobId} could not be saved: ${messageOf(error)}`);
        })
        .finally(() => {
          isSaving = false;
        });
    };
    const folder = join(dataDir, "work", `${jobId}-${attempt.name}`);
    const blobs = `${blobsOf(jobId)}${attempt.name}`;
    const name = `${blobs}.zip`;
    const build = async () => {
      const documents = findSite(domain)?.documents;
      if (documents === undefined) throw new Error(`The platform no longer serves ${domain}.`);
      const revision = await documents.readRevision(signal);
      await change((current) => ({ ...current, revision }));
      await using opened = await documents.open(revision, signal);
      const archive = join(folder, "bundle.zip");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const options = { docsDir: opened.docsDir, version, paths, archive, cacheDir, remoteMedia, proxies };
      const { pageCount, sizeBytes, warnings, report } = await exporter(options, signal, onProgress);
      await storage.blobs.publish(name, archive, signal);
      const bundle = { name, sizeBytes };
      if (warnings.length === 0) return { pageCount, bundle };
      logWarnings(warnings, log);
      // A blob of its own, so that it can be read without the bundle.
      const reportName = `${blobs}.json`;
      const reportPath = join(folder, exportReportPath);
      await writeFile(reportPath, report);
      await storage.blobs.publish(reportName, reportPath, signal);
      return { pageCount, bundle, report: { name: reportName, warningCount: warnings.length } };
    };
    try {
      attempt.requireAttemptsLeft();
      const built = await build();
      await attempt.end((current) => ({ ...current, status: "completed", progress: 100, ...built }));
    } catch (error) {
      await attempt.handBack(error);
      const message = messageOf(error).replaceAll(/\s+/g, " ").slice(0, maxErrorLength);
      log.warning(`Export ${jobId} failed: ${message}`);
      await attempt.end((current) => ({ ...current, status: "failed", error: message }));
    } finally {
      await rm(folder, { recursive: true, force: true });
      // The next attempt may have cleaned up before this one uploaded its archive.
      if (attempt.isSuperseded()) await storage.blobs.removeAll(blobs);
    }
    // The job has ended already; an error here does not change its status.
    await removeOld(job);
  };
  const working = await startJobs(kind, 1, { status: "running" }, run, context);

  /** Finds an unfinished job with the same result: it exports this revision, or has not read the documents yet. */
  const findEquivalent = async (request: StartExportRequest, revision: string) => {
    const isEquivalent = (job: ExportJobRecord) =>
      !isFinished(job) && (job.revision ?? revision) === revision && requestKey(job) === requestKey(request);
    return (await records.list({ where: { domain: request.domain } })).find(isEquivalent);
  };
  const create = (request: StartExportRequest) => {
    const createdAt = new Date(now()).toISOString();
    const job: ExportJobRecord = {
      ...request,
      jobId: `se_${randomBytes(8).toString("hex")}`,
      status: "queued",
      progress: 0,
      pageCount: 0,
      createdAt,
      updatedAt: createdAt,
      attempt: 0,
      uncountedAttempts: 0,
    };
    return records.put(job.jobId, job, kind.workOf(job));
  };
  return {
    /**
     * Starts a job, or returns an unfinished job that will have the same result.
     *
     * @param timeout Ends the search for such a job while the documents cannot be read.
     */
    async start(
      body: StartExportRequest,
      { documents }: Site,
      timeout: AbortSignal,
    ): Promise<ExportJobRecord> {
      const request = { ...body, domain: body.domain.toLowerCase() };
      // Read outside of the lock, because a git host can be slow. If it fails, the new job fails with the reason.
      const revision = await documents.readRevision(timeout).catch(() => "");
      return storage.exclusively(
        `exports/${requestKey(request)}`,
        async () => (await findEquivalent(request, revision)) ?? create(request),
      );
    },
    list: records.list,
    /** The report of a finished job; `undefined` if it has no warnings. */
    async readReport({ report }: ExportJobRecord): Promise<ExportReport | undefined> {
      const text = report && (await storage.blobs.read(report.name));
      return text === undefined ? undefined : parseExportReport(text);
    },
    get: records.get,
    cancel: (jobId: string) => cancelJob(jobId, kind, context),
    /** Creates a link to the bundle. The job and its bundle are kept until the link expires. */
    async link({ jobId, domain }: ExportJobRecord, name: string) {
      const link = await storage.blobs.link(name, `${domain}.zip`);
      await records.update(jobId, (job) => ({ ...job, linkedUntil: link.expiresAt }));
      return link;
    },
    [Symbol.asyncDispose]: async () => working?.[Symbol.asyncDispose](),
  };
}

/** Prefix of a job's blobs. Each attempt has its own, so that a superseded attempt overwrites nothing. */
const blobsOf = (jobId: string) => `bundles/${jobId}/`;

const unfinished: readonly ExportJobRecord["status"][] = ["queued", "running"];
const isFinished = ({ status }: ExportJobRecord) => !unfinished.includes(status);

/** Equal for requests that have the same result with the same documents. */
function requestKey({ domain, version, paths }: StartExportRequest): string {
  return JSON.stringify([domain, version, paths && [...new Set(paths)].sort()]);
}

/** The renderer is most of the platform's code, so it is loaded by the first export. */
const loadAndRender: SiteExporter = async (...input) => {
  const { renderSite } = await import("../site/render-site.ts");
  return renderSite(...input);
};

/** Warnings of an export that are also logged. With their count, they are the ten that GitHub shows of a step. */
const maxLoggedWarnings = 9;

function logWarnings(warnings: readonly Warning[], log: Log): void {
  for (const { page, line, location, more, message } of groupWarnings(warnings).slice(0, maxLoggedWarnings))
    log.warning(`${location}${more}: ${message}`, { file: page, line });
  const kinds = Object.entries(countWarnings(warnings)).map(([kind, count]) => `${kind} ${count}`);
  const count = formatCount(warnings.length, "warning");
  log.warning(
    `The documents were exported with ${count} (${kinds.join(", ")}). The bundle's ${exportReportPath} lists them.`,
  );
}
