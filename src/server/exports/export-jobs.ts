/** The work on static export jobs, from their start to the bundle. */
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type ExportReport, exportReportPath, parseExportReport } from "../../base/export-report.ts";
import { messageOf } from "../../base/text.ts";
import type { StartExportRequest } from "../../client/contract.ts";
import { attemptFields, beginAttempt, endJob, leavingToOthers, SupersededError } from "../base/attempt.ts";
import type { ExportOptions, PlatformContext } from "../base/context.ts";
import { ApiError } from "../base/http.ts";
import type { Site } from "../base/sites.ts";
import type { Work } from "../base/storage.ts";
import type { SiteExporter } from "./site-exporter.ts";

/** An export job as it is kept. */
const ExportJobRecord = z.object({
  jobId: z.string(),
  domain: z.string(),
  version: z.optional(z.string()),
  paths: z.optional(z.array(z.string())),
  status: z.enum(["queued", "running", "completed", "failed"]),
  /** 0 to 100. */
  progress: z.number(),
  /** Pages exported so far. */
  pageCount: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  ...attemptFields,
  /** What the documents were when the work began: a commit, or a digest. */
  revision: z.optional(z.string()),
  /** Why the job failed. */
  error: z.optional(z.string()),
  /** The finished archive, by its blob's name. */
  bundle: z.optional(z.object({ name: z.string(), sizeBytes: z.int(), sha256: z.string() })),
  /** What the site does not show as its authors meant it: how many warnings there are, and the blob that holds them. */
  report: z.optional(z.object({ name: z.string(), warningCount: z.int() })),
  /** When the last link that was given out expires; the job is kept at least until then. */
  linkedUntil: z.optional(z.iso.datetime()),
});
export type ExportJobRecord = z.infer<typeof ExportJobRecord>;

/** Progress up to which pages count; the rest is packing. */
const progressWhenRendered = 95;
/** It is written down at most this often. */
const progressEveryMs = 1000;

/** However many others have ended since, the one who started an export comes for its end and its link. */
const leastKeptMs = 60 * 60 * 1000;

const maxErrorLength = 500;

export type ExportJobs = Awaited<ReturnType<typeof openExportJobs>>;

/** Opens the export jobs, and works on them where this process does. Disposal stops the work; a later process takes it up. */
export async function openExportJobs(
  { exportConcurrency = 1, keptExports = 20 }: ExportOptions,
  { storage, dataDir, works, findSite, log, observer, now, signal: stop }: PlatformContext,
  exporter: SiteExporter,
) {
  const records = await storage.records("exports/jobs", ExportJobRecord);
  const timestamp = () => new Date(now()).toISOString();
  const requireSite = (domain: string): Site => {
    const site = findSite(domain);
    if (site === undefined) throw new Error(`The platform does not serve ${domain} any more.`);
    return site;
  };

  /** Keeps the newest finished jobs of a site, those that ended just now, and each job whose bundle has a link that still works. */
  const removeOld = async ({ jobId: endedId, domain }: ExportJobRecord) => {
    const finished = (await records.list({ where: { domain } })).filter(isFinished);
    // What earlier attempts left; also of the job before, where an upload that its attempt did not survive may have arrived since.
    const ended = finished.findIndex(({ jobId }) => jobId === endedId);
    for (const { jobId, bundle, report } of finished.slice(ended, ended + 2)) {
      await storage.blobs.removeAll(bundlesOf(jobId), bundle?.name);
      await storage.blobs.removeAll(reportsOf(jobId), report?.name);
    }
    for (const { jobId, linkedUntil, updatedAt } of finished.slice(keptExports)) {
      const kept = [Date.parse(updatedAt) + leastKeptMs, Date.parse(linkedUntil ?? updatedAt)];
      if (Math.max(...kept) > now()) continue;
      for (const prefix of [bundlesOf(jobId), reportsOf(jobId)]) await storage.blobs.removeAll(prefix);
      await records.remove(jobId);
    }
  };

  /** Makes the report readable without the bundle. */
  const keepReport = async (
    job: ExportJobRecord,
    folder: string,
    report: Awaited<ReturnType<SiteExporter>>["report"],
    signal: AbortSignal,
  ) => {
    if (report === undefined) return undefined;
    const path = join(folder, exportReportPath);
    await writeFile(path, report.text);
    const name = `${reportsOf(job.jobId)}${job.attempt}.json`;
    await storage.blobs.publish(name, path, signal);
    return { name, warningCount: report.warningCount };
  };

  /** Works off one job; when aborted, leaves it as it is for the next start. */
  const run = async (jobId: string, signal: AbortSignal) => {
    const withFields = (fields: Partial<ExportJobRecord>) => (current: ExportJobRecord) => {
      if (isFinished(current)) throw new SupersededError("The job has ended.");
      return { ...current, ...fields, updatedAt: timestamp() };
    };
    using attempt = await beginAttempt(records, jobId, withFields({ status: "running" }));
    const { record: job } = attempt;
    log.debug(`Export ${jobId} of ${job.domain} begins: attempt ${job.attempt}.`);
    const change = (fields: Partial<ExportJobRecord>) => attempt.change(withFields(fields));
    const stopped = AbortSignal.any([signal, attempt.signal]);
    const begunAt = now();
    let toldAt = Number.NEGATIVE_INFINITY;
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
      const share = total > 0 ? Math.min(done / total, 1) : 0;
      if (now() - toldAt < progressEveryMs) return;
      toldAt = now();
      change({ progress: Math.floor(share * progressWhenRendered), pageCount: done }).catch(
        (error: unknown) => {
          if (!(error instanceof SupersededError))
            log.warning(`The progress of export ${jobId} could not be told: ${messageOf(error)}`);
        },
      );
    };
    const finish = async (fields: Partial<ExportJobRecord>) => {
      const { status: result } = await change(fields);
      const seconds = (now() - begunAt) / 1000;
      log.debug(`Export ${jobId} ${result} after ${seconds} s.`);
      observer.job({ queue: "exports", result, seconds });
    };
    const folder = join(dataDir, "work", `${jobId}-${job.attempt}`);
    // A name of its own for each attempt: one that was taken for dead replaces nothing.
    const name = `${bundlesOf(jobId)}${job.attempt}.zip`;
    const build = async () => {
      const { documents } = requireSite(job.domain);
      const revision = await documents.readRevision(stopped);
      await change({ revision });
      await using opened = await documents.open(revision, stopped);
      const archive = join(folder, "bundle.zip");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { domain, version, paths } = job;
      stopped.throwIfAborted();
      const site = { docsDir: opened.docsDir, domain, version, paths, archive };
      const { pageCount, report, ...built } = await exporter(site, stopped, onProgress);
      await storage.blobs.publish(name, archive, stopped);
      const kept = await keepReport(job, folder, report, stopped);
      return { pageCount, bundle: { name, ...built }, report: kept };
    };
    try {
      attempt.requireFew();
      const built = await build();
      await finish({ status: "completed", progress: 100, ...built });
    } catch (error) {
      if (await attempt.isForOthers(error, signal)) {
        // The successor of a superseded attempt has removed what was there, and may not have found this.
        if (attempt.signal.aborted) await storage.blobs.removeAll(name);
        throw attempt.signal.reason ?? error;
      }
      const message = messageOf(error).replaceAll(/\s+/g, " ").slice(0, maxErrorLength);
      log.warning(`Export ${jobId} failed: ${message}`);
      await finish({ status: "failed", error: message });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    // The job has ended: what cannot be removed now changes nothing of that.
    await removeOld(job);
  };

  const workOf = ({ jobId, domain }: ExportJobRecord): Work => ({
    queue: "exports",
    key: jobId,
    group: domain.toLowerCase(),
  });
  const findUnfinished = async () => {
    const [running, queued] = [
      await records.list({ where: { status: "running" } }),
      await records.list({ where: { status: "queued" } }),
    ];
    const oldestFirst = [...queued, ...running].toReversed();
    return oldestFirst.map((job) => ({ id: job.jobId, ...workOf(job) }));
  };
  const worker = { queue: "exports", concurrency: exportConcurrency, findUnfinished };
  const working = works ? await storage.startWork(worker, leavingToOthers(run, log)) : undefined;

  /** A job with this request's result: one that has not begun to read the documents, or they have not changed since. */
  const findSame = async (request: StartExportRequest, current: string) => {
    const isSame = (job: ExportJobRecord) =>
      // Without a revision, it will read the documents as they are then.
      !isFinished(job) && (job.revision ?? current) === current && contentOf(job) === contentOf(request);
    return (await records.list({ where: { domain: request.domain } })).find(isSame);
  };
  const begin = (request: StartExportRequest) => {
    const [jobId, createdAt] = [`se_${randomBytes(8).toString("hex")}`, timestamp()];
    const start = { status: "queued", progress: 0, pageCount: 0, createdAt, updatedAt: createdAt } as const;
    const job = { jobId, ...request, ...start, attempt: 0, handedBack: 0 };
    return records.put(jobId, job, workOf(job));
  };
  return {
    /** Starts a job, or shares one whose result will be the same: it waits, or runs on documents that have not changed since. */
    async start(given: StartExportRequest): Promise<ExportJobRecord> {
      const request = { ...given, domain: given.domain.toLowerCase() };
      // Before others wait: a host may take long to tell. Documents that cannot be read fail the new job, with the reason.
      const reading = requireSite(request.domain).documents.readRevision(stop);
      const current = await reading.catch(() => "");
      // One after the other, so that the second of two requests finds the job of the first.
      return storage.exclusively(
        `exports/${contentOf(request)}`,
        async () => (await findSame(request, current)) ?? begin(request),
      );
    },
    list: records.list,
    /** The report of a finished job; `undefined` where nothing is to be told. */
    async readReport({ report }: ExportJobRecord): Promise<ExportReport | undefined> {
      const text = report && (await storage.blobs.read(report.name));
      return text === undefined ? undefined : parseExportReport(text);
    },
    get: records.get,
    /** @throws {ApiError} 409 when it has ended. */
    cancel: (jobId: string): Promise<ExportJobRecord> =>
      endJob(records, jobId, (job) => {
        if (isFinished(job)) throw new ApiError(409, `The export has ended: its status is ${job.status}.`);
        return { ...job, status: "failed", error: "The export was cancelled.", updatedAt: timestamp() };
      }),
    /** A link to a finished job's bundle, which outlives it. */
    async link({ jobId, domain }: ExportJobRecord, bundle: NonNullable<ExportJobRecord["bundle"]>) {
      const link = await storage.blobs.link(bundle.name, {
        fileName: `${domain}.zip`,
        sha256: bundle.sha256,
      });
      await records.update(jobId, (job) => ({ ...job, linkedUntil: link.expiresAt }));
      return link;
    },
    [Symbol.asyncDispose]: async () => working?.[Symbol.asyncDispose](),
  };
}

/** Where the bundles of a job's attempts are. */
const bundlesOf = (jobId: string) => `bundles/${jobId}/`;

/** Where the reports of a job's attempts are. */
const reportsOf = (jobId: string) => `reports/${jobId}/`;

const isFinished = ({ status }: ExportJobRecord) => status === "completed" || status === "failed";

/** What decides on an export's result, besides the documents. */
function contentOf({ domain, version, paths }: StartExportRequest): string {
  return JSON.stringify([domain, version, paths && [...new Set(paths)].sort()]);
}
