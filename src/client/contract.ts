/** The platform's wire format. Requests reject unknown fields; responses tolerate unknown fields and statuses. */
import * as z from "zod/mini";
import { isJsonObject, shorten, toOneLine } from "../base/text.ts";
import { readJobId } from "./errors.ts";

/** Body of "start static export job" (specification §4.4). `version` and `paths` are sent only if the user sets them. */
export const StartExportRequest = z.strictObject({
  domain: z.string().check(z.minLength(1)),
  /** Label of the documentation version; default: the newest. */
  version: z.optional(z.string().check(z.minLength(1))),
  /** Paths of the pages to export; default: all pages. */
  paths: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
});
export type StartExportRequest = z.infer<typeof StartExportRequest>;

/** An optional response field. A value of another type than the documented one is read as `undefined`. */
function optional<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.nullish(schema), undefined);
}

/** A number, also as text ("42", "42%"): the specification does not show the type of `progress` and `pageCount`. */
const numeric = z.transform((value) => {
  const [, digits] = typeof value === "string" ? (/^(\d+(?:\.\d+)?)\s*%?$/.exec(value.trim()) ?? []) : [];
  return digits === undefined ? value : Number(digits);
});

/** A timestamp as a date-time: platforms also send seconds or milliseconds since the epoch, and leave out the zone, which is UTC then. */
const timestamp = z.pipe(
  z.pipe(numeric, z.union([z.string(), z.number()])),
  z.transform((value) => {
    // Seconds are below 1e11 until the year 5138; milliseconds have been above it since 1973.
    const seconds = typeof value === "number" && value < 1e11;
    const hasNoZone = typeof value === "string" && /^[\d-]+[T ][\d:.]+$/.test(value);
    const date = new Date(seconds ? value * 1000 : hasNoZone ? `${value}Z` : value);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  }),
);

const JobId = z.pipe(z.transform(readJobId), z.string());

/** A status as one short line, because the log, messages and an output show it. An empty one counts as none. */
const status = optional(
  z.pipe(
    z.string(),
    z.transform((text) => shorten(toOneLine(text), 100) || undefined),
  ),
);

/** A static export job (specification §2.4). Additional fields may state why it failed. */
export const ExportJob = z.looseObject({
  jobId: optional(JobId),
  status,
  progress: optional(z.pipe(numeric, z.number().check(z.minimum(0), z.maximum(100)))),
  pageCount: optional(z.pipe(numeric, z.int().check(z.nonnegative()))),
  /** The fields of the request, if the platform returns them. */
  domain: optional(z.string()),
  version: optional(z.string()),
  paths: optional(z.array(z.string())),
});
export type ExportJob = z.infer<typeof ExportJob>;

/** Response of "generate export bundle" (specification §4.6). `bundleUrl` is a credential until `expiresAt`. */
export const ExportBundle = z.object({
  jobId: optional(JobId),
  bundleUrl: z.url(),
  expiresAt: optional(z.pipe(timestamp, z.iso.datetime())),
  /** Length of the archive in bytes, if the platform states it. */
  sizeBytes: optional(z.int().check(z.nonnegative())),
});
export type ExportBundle = z.infer<typeof ExportBundle>;

/** Body of "create agent job" and of "message to an agent job" (specification §4.2). */
export const CreateAgentJobRequest = z.strictObject({
  prompt: z.string().check(z.minLength(1)),
});
export type CreateAgentJobRequest = z.infer<typeof CreateAgentJobRequest>;

/** The job in an envelope, which the specification leaves open (§4.3) and which may have a status of its own, such as `success`. */
const withoutEnvelope = z.transform((value) => {
  if (!isJsonObject(value) || value["id"] !== undefined) return value;
  const inner = [value["job"], value["data"]].filter(isJsonObject);
  return inner.find(({ id }) => id !== undefined || value["status"] === undefined) ?? value;
});

/** An agent job (specification §2.3). Real platforms may omit any field. Additional fields may state why the job failed. */
export const AgentJob = z.pipe(
  withoutEnvelope,
  z.looseObject({
    id: optional(JobId),
    status,
    source: optional(z.object({ repository: optional(z.string()), ref: optional(z.string()) })),
    /** URL of the pull request; null while the job is active or when no files were changed. */
    prLink: optional(z.string()),
    /** Only from the embedded platform, of a branch without a pull request: a page to open it by hand; null for an unknown host. */
    compareLink: optional(z.string()),
    /** Only from the embedded platform: how the agent's output ended, as one line. */
    lastOutput: optional(z.string()),
  }),
);
export type AgentJob = z.infer<typeof AgentJob>;
