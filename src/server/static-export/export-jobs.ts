import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import type { StartExportRequest } from "../../client/contract.ts";
import { createJobQueue } from "../job-queue.ts";
import { openRecordStore, type RecordStore } from "../storage/record-store.ts";
import { buildBundle, bundleFile, type RenderProgress, type SiteExporter } from "./build-bundle.ts";
import { ExportJobRecord } from "./export-job-record.ts";

/** The export jobs of one platform: started, worked off, looked up. Disposal stops the work; a later platform resumes it. */
export interface ExportJobs extends AsyncDisposable {
  start(request: StartExportRequest): Promise<ExportJobRecord>;
  get(jobId: string): ExportJobRecord | undefined;
  /** Notes that a link to the job's bundle was given out, so that the bundle outlives it. */
  noteLink(jobId: string, expiresAt: string): Promise<void>;
  /** Where the finished archive of a job is. */
  bundlePath(jobId: string): string;
}

interface ExportJobsOptions {
  readonly docsDir: string;
  /** Holds records and bundles. */
  readonly directory: string;
  readonly concurrency: number;
  /** How many finished jobs are kept, with their bundles. */
  readonly keptJobs: number;
}

interface ExportJobsDeps {
  readonly exporter: SiteExporter;
  readonly log: Log;
  readonly now: () => number;
}

/** Progress up to which pages count; the rest is packing. */
const progressWhenRendered = 95;

const maxErrorLength = 500;

/** Opens the jobs of a data directory, and takes up those that were interrupted. */
export async function openExportJobs(options: ExportJobsOptions, deps: ExportJobsDeps): Promise<ExportJobs> {
  const store = await openRecordStore(
    { directory: join(options.directory, "jobs"), schema: ExportJobRecord },
    deps,
  );
  const bundles = join(options.directory, "bundles");
  await removeStrayBundles(store, bundles);
  const live: LiveProgress = new Map();
  const worker = createExportWorker({ ...options, bundles }, { ...deps, store, live });
  const queue = createJobQueue(options, { run: worker, log: deps.log });
  for (const jobId of unfinishedJobs(store)) queue.add(jobId);

  return {
    start: async ({ domain, version, paths }) => {
      const jobId = `se_${randomBytes(8).toString("hex")}`;
      const createdAt = new Date(deps.now()).toISOString();
      const counters = { status: "queued", progress: 0, pageCount: 0 } as const;
      const job = { jobId, domain, version, paths, ...counters, createdAt, updatedAt: createdAt };
      await store.put(jobId, job);
      queue.add(jobId);
      return job;
    },
    get: (jobId) => {
      const job = store.get(jobId);
      return job === undefined ? undefined : { ...job, ...live.get(jobId) };
    },
    noteLink: async (jobId, expiresAt) => {
      await store.update(jobId, (job) => ({ ...job, linkedUntil: expiresAt }));
    },
    bundlePath: (jobId) => bundleFile(join(bundles, jobId)),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

/** What moves while a job runs; not kept on disk, because an interrupted job starts over. */
type LiveProgress = Map<string, Partial<ExportJobRecord>>;

/** Works off one job; when aborted, leaves it as it is for the next start. */
function createExportWorker(
  { docsDir, bundles, keptJobs }: ExportJobsOptions & { bundles: string },
  deps: ExportJobsDeps & { store: RecordStore<ExportJobRecord>; live: LiveProgress },
) {
  const { store, live, log, now } = deps;
  const change = (jobId: string, fields: Partial<ExportJobRecord>) =>
    store.update(jobId, (job) => ({ ...job, ...fields, updatedAt: new Date(now()).toISOString() }));

  return async (jobId: string, signal: AbortSignal): Promise<void> => {
    const { domain, version, paths } = await change(jobId, { status: "running" });
    const onProgress = (progress: RenderProgress) =>
      live.set(jobId, { ...presentProgress(progress), updatedAt: new Date(now()).toISOString() });
    try {
      const { pageCount, ...bundle } = await buildBundle(
        { docsDir, directory: join(bundles, jobId), domain, version, paths },
        { ...deps.exporter, signal, onProgress },
      );
      await change(jobId, { status: "completed", progress: 100, pageCount, bundle });
    } catch (error) {
      if (signal.aborted) return;
      const message = describeFailure(error);
      log.warning(`Export ${jobId} failed: ${message}`);
      await change(jobId, { ...live.get(jobId), status: "failed", error: message });
    } finally {
      live.delete(jobId);
    }
    await removeOldJobs(store, { bundles, keptJobs, now: now() });
  };
}

function presentProgress({ done, total }: RenderProgress): Partial<ExportJobRecord> {
  const share = total > 0 ? Math.min(done / total, 1) : 0;
  return { progress: Math.floor(share * progressWhenRendered), pageCount: done };
}

function describeFailure(error: unknown): string {
  const message = messageOf(error);
  return message.replaceAll(/\s+/g, " ").slice(0, maxErrorLength);
}

function unfinishedJobs(store: RecordStore<ExportJobRecord>): string[] {
  return store
    .list()
    .filter((job) => job.status === "queued" || job.status === "running")
    .sort(byAge)
    .map((job) => job.jobId);
}

/** Keeps the newest finished jobs, and any job whose bundle somebody still holds a link to. */
async function removeOldJobs(
  store: RecordStore<ExportJobRecord>,
  { bundles, keptJobs, now }: { bundles: string; keptJobs: number; now: number },
): Promise<void> {
  const finished = store.list().filter((job) => job.status === "completed" || job.status === "failed");
  const old = finished.sort(byAge).slice(0, Math.max(0, finished.length - keptJobs));
  for (const job of old) {
    if (job.linkedUntil !== undefined && Date.parse(job.linkedUntil) > now) continue;
    await store.remove(job.jobId);
    await rm(join(bundles, job.jobId), { recursive: true, force: true });
  }
}

/** Removes what a crash between the two steps of a removal left behind. */
async function removeStrayBundles(store: RecordStore<ExportJobRecord>, bundles: string): Promise<void> {
  const names = await readdir(bundles).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    if (store.get(name) === undefined) await rm(join(bundles, name), { recursive: true, force: true });
  }
}

function byAge(left: ExportJobRecord, right: ExportJobRecord): number {
  return left.createdAt < right.createdAt ? -1 : 1;
}
