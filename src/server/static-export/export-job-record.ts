import { z } from "zod";

/** An export job as it is kept on disk. */
export const ExportJobRecord = z.object({
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
  /** When the last link that was given out ends; the job is kept at least until then. */
  linkedUntil: z.iso.datetime().optional(),
});
export type ExportJobRecord = z.infer<typeof ExportJobRecord>;

/** The job as clients see it (specification §2.4): `error` only on a job that failed. */
export function presentExportJob(record: ExportJobRecord) {
  const { jobId, status, progress, pageCount, createdAt, updatedAt, error } = record;
  return {
    jobId,
    status,
    progress,
    pageCount,
    createdAt,
    updatedAt,
    ...(status === "failed" && { error: error ?? null }),
  };
}
