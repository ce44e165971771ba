/** The platform's wire format: requests are strict, responses open (unknown fields dropped, new statuses tolerated). */
import * as z from "zod/mini";
import { readJobId } from "./job-fields.ts";

/** Body of "start static export job" (specification §4.4); `version` and `paths` are sent only when a user set them. */
export const StartExportRequest = z.strictObject({
  /** Domain identifier of the site: a host name. */
  domain: z.string().check(z.minLength(1)),
  /** Label of the documentation version; the platform's default is the newest. */
  version: z.optional(z.string().check(z.minLength(1))),
  /** Paths of the pages to export; the platform's default is all. */
  paths: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
});
export type StartExportRequest = z.infer<typeof StartExportRequest>;

/**
 * A field that a response may lack or carry in a type of the platform's own: kept when it has the documented type,
 * `undefined` otherwise.
 */
function optional<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.nullish(schema), undefined);
}

/** Identifier of a job: see `readJobId`. */
export const JobId = z.pipe(z.transform(readJobId), z.string());

/** A static export job (specification §2.4); the fields of one that failed may say why. */
export const ExportJob = z.looseObject({
  jobId: optional(JobId),
  status: optional(z.string()),
  /** "A live progress indicator", whose type the specification leaves open: see `readPercent`. */
  progress: z.optional(z.unknown()),
  pageCount: optional(z.union([z.number(), z.string()])),
  /** What was asked for, where the platform repeats it. */
  domain: optional(z.string()),
  version: optional(z.string()),
  paths: optional(z.array(z.string())),
});
export type ExportJob = z.infer<typeof ExportJob>;

/** Answer to "generate export bundle" (specification §4.6). `bundleUrl` is a credential until `expiresAt`. */
export const ExportBundle = z.object({
  jobId: optional(z.string()),
  bundleUrl: z.url(),
  /** Time after which the link no longer works: a date-time, or seconds or milliseconds since the epoch. */
  expiresAt: optional(z.union([z.string(), z.number()])),
  /** Length of the archive in bytes, where the platform says it. */
  sizeBytes: optional(z.int().check(z.nonnegative())),
});
export type ExportBundle = z.infer<typeof ExportBundle>;

/** Body of "create agent job" and of "message to an agent job" (specification §4.2). */
export const CreateAgentJobRequest = z.strictObject({
  /** Instruction for the agent; at least one character. */
  prompt: z.string().check(z.minLength(1)),
});
export type CreateAgentJobRequest = z.infer<typeof CreateAgentJobRequest>;

/** An agent job (specification §2.3); any field may be absent on a real platform, and others may say why it failed. */
export const AgentJob = z.looseObject({
  id: optional(JobId),
  status: optional(z.string().check(z.trim())),
  source: optional(z.object({ repository: optional(z.string()), ref: optional(z.string()) })),
  /** URL of the pull request; null while the job is active or when no files were changed. */
  prLink: optional(z.string()),
  /** Of the embedded platform: page that asks for the merge of a branch for which it can open no pull request. */
  compareLink: optional(z.string()),
});
export type AgentJob = z.infer<typeof AgentJob>;
