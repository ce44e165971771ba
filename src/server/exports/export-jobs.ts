import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { messageOf } from "../../base/text.ts";
import type { StartExportRequest } from "../../client/contract.ts";
import type { ExportOptions, PlatformContext } from "../base/context.ts";
import { createJobQueue } from "../base/job-queue.ts";
import { openRecordStore, publishFile } from "../base/records.ts";
import { fingerprintDocs } from "../site/content/docs-tree.ts";
import type { SiteExporter } from "./site-exporter.ts";

/** An export job as it is kept on disk. */
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
  /** Why the job failed. */
  error: z.optional(z.string()),
  /** The finished archive. */
  bundle: z.optional(z.object({ sizeBytes: z.int(), sha256: z.string() })),
  /** When the last link that was given out expires; the job is kept at least until then. */
  linkedUntil: z.optional(z.iso.datetime()),
});
export type ExportJobRecord = z.infer<typeof ExportJobRecord>;

/** Progress up to which pages count; the rest is packing. */
const progressWhenRendered = 95;

const maxErrorLength = 500;

/**
 * Opens the export jobs of a data directory, and takes up those that were interrupted. Disposal stops the work; a later
 * platform resumes it.
 */
export async function openExportJobs(
  { exportConcurrency = 1, keptExports = 20 }: ExportOptions,
  { dataDir, docsDir, log, now, signal: stop }: PlatformContext,
  exporter: SiteExporter,
) {
  const store = await openRecordStore(join(dataDir, "exports", "jobs"), ExportJobRecord, log);
  const bundles = join(dataDir, "exports", "bundles");
  await mkdir(bundles, { recursive: true, mode: 0o700 });
  for (const name of await readdir(bundles)) {
    // A crash between the two steps of a removal left it behind.
    if (store.get(name) === undefined) await rm(join(bundles, name), { recursive: true, force: true });
  }
  /** What changes while a job runs; not kept on disk, because an interrupted job starts over. */
  const live = new Map<string, Partial<ExportJobRecord>>();
  /** What the documents were when a running job began to read them. */
  const fingerprints = new Map<string, string>();
  const timestamp = () => new Date(now()).toISOString();
  const change = (jobId: string, fields: Partial<ExportJobRecord>) =>
    store.update(jobId, (job) => ({ ...job, ...fields, updatedAt: timestamp() }));
  /** Path of a finished job's archive. */
  const bundlePath = (jobId: string) => join(bundles, jobId, "bundle.zip");

  /** May be repeated after any interruption: the archive appears under its name only when it is whole. */
  const buildBundle = async ({ jobId, domain, version, paths }: ExportJobRecord, signal: AbortSignal) => {
    const siteDir = join(bundles, jobId, "site");
    const archive = `${bundlePath(jobId)}.partial`;
    await rm(join(bundles, jobId), { recursive: true, force: true });
    await mkdir(siteDir, { recursive: true, mode: 0o700 });
    const site = { docsDir, domain, version, paths, siteDir, archive };
    const built = await exporter(site, signal, ({ done, total }) => {
      const share = total > 0 ? Math.min(done / total, 1) : 0;
      const progress = Math.floor(share * progressWhenRendered);
      live.set(jobId, { progress, pageCount: done, updatedAt: timestamp() });
    });
    await publishFile(archive, bundlePath(jobId));
    await rm(siteDir, { recursive: true, force: true });
    return built;
  };

  /** Keeps the newest finished jobs, and each job whose bundle has a link that still works. */
  const removeOldJobs = async () => {
    const finished = store.list().filter(({ status }) => status === "completed" || status === "failed");
    for (const job of finished.sort(byAge).slice(0, Math.max(0, finished.length - keptExports))) {
      if (job.linkedUntil !== undefined && Date.parse(job.linkedUntil) > now()) continue;
      await store.remove(job.jobId);
      await rm(join(bundles, job.jobId), { recursive: true, force: true });
    }
  };

  /** Works off one job; when aborted, leaves it as it is for the next start. */
  const run = async (jobId: string, signal: AbortSignal) => {
    try {
      fingerprints.set(jobId, await fingerprintDocs(docsDir, signal));
      const job = await change(jobId, { status: "running" });
      const { pageCount, ...bundle } = await buildBundle(job, signal);
      await change(jobId, { status: "completed", progress: 100, pageCount, bundle });
    } catch (error) {
      if (signal.aborted) return;
      const message = messageOf(error).replaceAll(/\s+/g, " ").slice(0, maxErrorLength);
      log.warning(`Export ${jobId} failed: ${message}`);
      await change(jobId, { ...live.get(jobId), status: "failed", error: message });
    } finally {
      live.delete(jobId);
      fingerprints.delete(jobId);
    }
    await removeOldJobs();
  };

  const queue = createJobQueue(exportConcurrency, run, log);
  const unfinished = store.list().filter(({ status }) => status === "queued" || status === "running");
  for (const { jobId } of unfinished.sort(byAge)) queue.add(jobId);

  /** A job with this request's result: one that has not begun to read the documents, or they have not changed since. */
  const findSame = async (request: StartExportRequest) => {
    // Documents that cannot be read fail the new job, with the reason.
    const current = await fingerprintDocs(docsDir, stop).catch(() => "");
    const isFresh = ({ status, jobId }: ExportJobRecord) =>
      status === "queued" || (status === "running" && fingerprints.get(jobId) === current);
    return store.list().find((job) => isFresh(job) && contentOf(job) === contentOf(request));
  };
  const begin = async (request: StartExportRequest) => {
    const [jobId, createdAt] = [`se_${randomBytes(8).toString("hex")}`, timestamp()];
    const start = { status: "queued", progress: 0, pageCount: 0, createdAt, updatedAt: createdAt } as const;
    const job = await store.put(jobId, { jobId, ...request, ...start });
    queue.add(jobId);
    return job;
  };
  let lastStart: Promise<unknown> = Promise.resolve();
  return {
    /** Starts a job, or shares one whose result will be the same: it waits, or runs on documents that have not changed since. */
    start(request: StartExportRequest): Promise<ExportJobRecord> {
      // One after the other, so that the second of two requests finds the job of the first.
      const started = lastStart.then(async () => (await findSame(request)) ?? begin(request));
      lastStart = started.catch(() => undefined);
      return started;
    },
    get(jobId: string): ExportJobRecord | undefined {
      const job = store.get(jobId);
      return job && { ...job, ...live.get(jobId) };
    },
    /** Notes that a link to the job's bundle was given out, so that the bundle outlives it. */
    noteLink: (jobId: string, expiresAt: string) =>
      store.update(jobId, (job) => ({ ...job, linkedUntil: expiresAt })),
    bundlePath,
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

/** What decides on an export's result, besides the documents. */
function contentOf({ domain, version, paths }: StartExportRequest): string {
  return JSON.stringify([domain.toLowerCase(), version, paths && [...new Set(paths)].sort()]);
}

function byAge(one: ExportJobRecord, other: ExportJobRecord): number {
  return one.createdAt < other.createdAt ? -1 : 1;
}
