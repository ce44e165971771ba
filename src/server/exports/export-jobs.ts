import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf } from "../../base/text.ts";
import type { StartExportRequest } from "../../client/contract.ts";
import type { ExportOptions, PlatformContext } from "../base/context.ts";
import { JobQueue } from "../base/job-queue.ts";
import { openRecordStore, publishFile, type RecordStore } from "../base/records.ts";
import type { SiteExporter } from "./site-exporter.ts";

/** An export job as it is kept on disk. */
const ExportJobRecord = z.object({
  jobId: z.string(),
  domain: z.string(),
  version: z.string().optional(),
  paths: z.array(z.string()).optional(),
  status: z.enum(["queued", "running", "completed", "failed"]),
  /** 0 to 100. */
  progress: z.number(),
  /** Pages exported so far. */
  pageCount: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Why the job failed. */
  error: z.string().optional(),
  /** The finished archive. */
  bundle: z.object({ sizeBytes: z.int(), sha256: z.string() }).optional(),
  /** When the last link that was given out expires; the job is kept at least until then. */
  linkedUntil: z.iso.datetime().optional(),
});
export type ExportJobRecord = z.infer<typeof ExportJobRecord>;

/** Progress up to which pages count; the rest is packing. */
const progressWhenRendered = 95;

const maxErrorLength = 500;

/** Opens the jobs of a data directory, and takes up those that were interrupted. */
export async function openExportJobs(
  options: ExportOptions,
  context: PlatformContext,
  exporter: SiteExporter,
): Promise<ExportJobs> {
  const store = await openRecordStore(join(context.dataDir, "exports", "jobs"), ExportJobRecord, context.log);
  const bundles = join(context.dataDir, "exports", "bundles");
  await mkdir(bundles, { recursive: true, mode: 0o700 });
  for (const name of await readdir(bundles)) {
    // A crash between the two steps of a removal left it behind.
    if (store.get(name) === undefined) await rm(join(bundles, name), { recursive: true, force: true });
  }
  return new ExportJobs(store, bundles, options, context, exporter);
}

/** The export jobs of one platform. Disposal stops the work; a later platform resumes it. */
export class ExportJobs implements AsyncDisposable {
  readonly #store: RecordStore<ExportJobRecord>;
  readonly #bundles: string;
  readonly #options: ExportOptions;
  readonly #context: PlatformContext;
  readonly #exporter: SiteExporter;
  readonly #queue: JobQueue;
  /** What changes while a job runs; not kept on disk, because an interrupted job starts over. */
  readonly #live = new Map<string, Partial<ExportJobRecord>>();

  constructor(
    store: RecordStore<ExportJobRecord>,
    bundles: string,
    options: ExportOptions,
    context: PlatformContext,
    exporter: SiteExporter,
  ) {
    this.#store = store;
    this.#bundles = bundles;
    this.#options = options;
    this.#context = context;
    this.#exporter = exporter;
    const { exportConcurrency = 1 } = options;
    this.#queue = new JobQueue(exportConcurrency, (jobId, signal) => this.#run(jobId, signal), context.log);
    const isUnfinished = ({ status }: ExportJobRecord) => status === "queued" || status === "running";
    for (const { jobId } of store.list().filter(isUnfinished).sort(byAge)) this.#queue.add(jobId);
  }

  async start({ domain, version, paths }: StartExportRequest): Promise<ExportJobRecord> {
    const jobId = `se_${randomBytes(8).toString("hex")}`;
    const [createdAt, status] = [this.#timestamp(), "queued" as const];
    const job = { jobId, domain, version, paths, status, progress: 0, pageCount: 0, createdAt };
    const record = await this.#store.put(jobId, { ...job, updatedAt: createdAt });
    this.#queue.add(jobId);
    return record;
  }

  get(jobId: string): ExportJobRecord | undefined {
    const job = this.#store.get(jobId);
    return job && { ...job, ...this.#live.get(jobId) };
  }

  /** Notes that a link to the job's bundle was given out, so that the bundle outlives it. */
  async noteLink(jobId: string, expiresAt: string): Promise<void> {
    await this.#store.update(jobId, (job) => ({ ...job, linkedUntil: expiresAt }));
  }

  /** Path of a finished job's archive. */
  bundlePath(jobId: string): string {
    return join(this.#bundles, jobId, "bundle.zip");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  /** Works off one job; when aborted, leaves it as it is for the next start. */
  async #run(jobId: string, signal: AbortSignal): Promise<void> {
    const job = await this.#change(jobId, { status: "running" });
    try {
      const { pageCount, ...bundle } = await this.#buildBundle(job, signal);
      await this.#change(jobId, { status: "completed", progress: 100, pageCount, bundle });
    } catch (error) {
      if (signal.aborted) return;
      const message = messageOf(error).replaceAll(/\s+/g, " ").slice(0, maxErrorLength);
      this.#context.log.warning(`Export ${jobId} failed: ${message}`);
      await this.#change(jobId, { ...this.#live.get(jobId), status: "failed", error: message });
    } finally {
      this.#live.delete(jobId);
    }
    await this.#removeOldJobs();
  }

  /** May be repeated after any interruption: the archive appears under its name only when it is whole. */
  async #buildBundle({ jobId, domain, version, paths }: ExportJobRecord, signal: AbortSignal) {
    const folder = join(this.#bundles, jobId);
    await rm(folder, { recursive: true, force: true });
    const siteDir = join(folder, "site");
    await mkdir(siteDir, { recursive: true, mode: 0o700 });
    const archive = join(folder, "bundle.zip.partial");
    const built = await this.#exporter(
      { docsDir: this.#context.docsDir, domain, version, paths, siteDir, archive },
      signal,
      ({ done, total }) => {
        const share = total > 0 ? Math.min(done / total, 1) : 0;
        const progress = Math.floor(share * progressWhenRendered);
        this.#live.set(jobId, { progress, pageCount: done, updatedAt: this.#timestamp() });
      },
    );
    await publishFile(archive, this.bundlePath(jobId));
    await rm(siteDir, { recursive: true, force: true });
    return built;
  }

  /** Keeps the newest finished jobs, and each job whose bundle has a link that still works. */
  async #removeOldJobs(): Promise<void> {
    const { keptExports = 20 } = this.#options;
    const finished = this.#store.list().filter(({ status }) => status === "completed" || status === "failed");
    for (const job of finished.sort(byAge).slice(0, Math.max(0, finished.length - keptExports))) {
      if (job.linkedUntil !== undefined && Date.parse(job.linkedUntil) > this.#context.now()) continue;
      await this.#store.remove(job.jobId);
      await rm(join(this.#bundles, job.jobId), { recursive: true, force: true });
    }
  }

  #change(jobId: string, fields: Partial<ExportJobRecord>): Promise<ExportJobRecord> {
    return this.#store.update(jobId, (job) => ({ ...job, ...fields, updatedAt: this.#timestamp() }));
  }

  #timestamp(): string {
    return new Date(this.#context.now()).toISOString();
  }
}

function byAge(one: ExportJobRecord, other: ExportJobRecord): number {
  return one.createdAt < other.createdAt ? -1 : 1;
}
