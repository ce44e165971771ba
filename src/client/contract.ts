/** The platform's wire format: requests are strict, responses open (unknown fields dropped, new statuses tolerated). */
import * as z from "zod/mini";

/** Statuses that end an export job; any other value means that it is still under way (specification §3.2). */
export const endedExportStatuses = ["completed", "failed"] as const;

/** Statuses that end an agent job (specification §3.1). */
export const endedAgentStatuses = ["completed", "archived", "failed"] as const;

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

/** `progress` is "a live progress indicator" whose type the specification leaves open: number, "42%", or `{percent}`. */
const Progress = z.union([
  z.number(),
  z.string(),
  z.looseObject({
    percent: z.optional(z.number()),
    percentage: z.optional(z.number()),
    done: z.optional(z.number()),
    total: z.optional(z.number()),
  }),
]);

/** Identifier of a job: one word that can stand in a path; a number is taken for its digits. */
export const JobId = z.pipe(
  z.union([z.string(), z.pipe(z.int().check(z.nonnegative()), z.transform(String))]),
  z.string().check(z.regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/)),
);

/** A static export job (specification §2.4); the fields of one that failed may say why. */
export const ExportJob = z.looseObject({
  jobId: optional(JobId),
  status: optional(z.string()),
  progress: optional(Progress),
  pageCount: optional(z.union([z.number(), z.string()])),
  /** What was asked for, where the platform repeats it. */
  domain: optional(z.string()),
  version: optional(z.string()),
  paths: optional(z.array(z.string())),
  createdAt: optional(z.string()),
  updatedAt: optional(z.string()),
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
  model: optional(z.string()),
  /** URL of the pull request; null while the job is active or when no files were changed. */
  prLink: optional(z.string()),
  /** Of the embedded platform: page that asks for the merge of a branch for which it can open no pull request. */
  compareLink: optional(z.string()),
  createdAt: optional(z.string()),
  archivedAt: optional(z.string()),
});
export type AgentJob = z.infer<typeof AgentJob>;

/**
 * Progress in percent (0 to 100): from a number, "42%", `{percent}`, or `{done, total}`; `undefined` where it cannot be
 * told. A number is a percentage: the documented type; no platform is known to send a fraction of one.
 */
export function readPercent(progress: ExportJob["progress"]): number | undefined {
  const value = percentOf(progress ?? "");
  return value >= 0 && value <= 100 ? Math.round(value * 10) / 10 : undefined;
}

function percentOf(progress: z.infer<typeof Progress>): number {
  if (typeof progress === "number") return progress;
  if (typeof progress === "string") {
    return Number(/^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(progress)?.[1] ?? Number.NaN);
  }
  const { percent, percentage, done, total } = progress;
  if (done !== undefined && total !== undefined && total > 0) return (100 * done) / total;
  return percent ?? percentage ?? Number.NaN;
}

/** A page count as a whole number, also where it was sent as text; `undefined` where it is neither. */
export function readPageCount(pageCount: ExportJob["pageCount"]): number | undefined {
  if (pageCount === undefined || pageCount === null || pageCount === "") return undefined;
  const count = Number(pageCount);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

/**
 * A point in time as platforms send it: a date-time, or seconds or milliseconds since the epoch, as number or text.
 *
 * @returns `undefined` where it is none of these.
 */
export function readTimestamp(value: string | number | null | undefined): Date | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  // Seconds stay below 1e11 until the year 5138; milliseconds have been above it since 1973.
  const date = Number.isFinite(number) ? new Date(number < 1e11 ? number * 1000 : number) : new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Tells the two kinds of API key apart by their prefix (specification §5), before any request: `svc_…` is an admin key,
 * `svc_dsc_…` an assistant key; other vendors' prefixes of the same shape are accepted.
 */
export function keyKindOf(apiKey: string): "admin" | "assistant" | "unknown" {
  if (/^[a-z0-9]+_dsc_[\x21-\x7e]+$/i.test(apiKey)) return "assistant";
  return /^[a-z0-9]+_[\x21-\x7e]+$/i.test(apiKey) ? "admin" : "unknown";
}

/** Beginnings of secrets that other services issue; some have the shape of a platform's key. */
const foreignSecrets: readonly (readonly [string, RegExp])[] = [
  ["GitHub", /^(?:gh[a-z]_|github_pat_)/i],
  ["GitLab", /^gl[a-z]{2,6}-/],
  ["AWS", /^(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{12}/],
  ["Google", /^(?:AIza|ya29\.|GOCSPX-)/],
  [
    "a payment service",
    /^(?:(?:sk|rk|pk)_(?:live|test|prod)_|whsec_|sq0[a-z]{3}-|shp[a-z]{2}_|access_token\$)/,
  ],
  ["a model service", /^(?:sk-[\w-]{16}|gsk_|hf_|r8_|xai-|pplx-|nvapi-)/],
  ["Slack", /^(?:xox[a-z]|xapp)[.-]/],
  ["a package registry", /^(?:npm_|pypi-|rubygems_|dckr_pat_|oy2[a-z0-9]{20})/],
  ["a hosting service", /^(?:do[opr]_v1_|sbp_|hv[bsr]\.|dp\.[a-z]{2}\.|pul-|tskey-|glsa_|FlyV1)/],
  ["another service", /^(?:SG\.|ATATT|PMAK-|lin_api_|figd_|ntn_|sntry[a-z]_|AGE-SECRET-KEY-)/],
  ["an identity provider (a JWT)", /^eyJ[\w-]{8,}\./],
  ["a key file", /^-----BEGIN/],
];

/** The service that a value's shape belongs to, where that is surely not a documentation platform. */
export function foreignIssuerOf(apiKey: string): string | undefined {
  return foreignSecrets.find(([, shape]) => shape.test(apiKey))?.[0];
}
