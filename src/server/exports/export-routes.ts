import { join } from "node:path";
import { Hono, type MiddlewareHandler } from "hono";
import { StartExportRequest } from "../../client/contract.ts";
import type { ExportOptions, PlatformContext } from "../base/context.ts";
import { ApiError, readJson } from "../base/http.ts";
import { readOrCreateSecret } from "../base/records.ts";
import { findUnknownPaths } from "../site/plan-site.ts";
import { createBundleLinks, refuseLink, serveArchive } from "./bundles.ts";
import { type ExportJobRecord, openExportJobs } from "./export-jobs.ts";
import type { SiteExporter } from "./site-exporter.ts";

const path = "/v1/static-export/jobs";
const maxBodyBytes = 1024 * 1024;
const hour = 60 * 60 * 1000;
const hostName = /^(?!-)[a-z\d-]{1,63}(?:\.(?!-)[a-z\d-]{1,63})*$/i;

/** Starts, shows and bundles static export jobs (specification §4.4 to §4.6); disposal stops the work on them. */
export async function openExports(options: ExportOptions, context: PlatformContext, exporter: SiteExporter) {
  const { plan = "enterprise", linkLifetimeMs = hour } = options;
  const { requireKey, publicUrl, now } = context;
  const secret = await readOrCreateSecret(join(context.dataDir, "link-signing-key"));
  const links = createBundleLinks(secret, linkLifetimeMs, publicUrl, now);
  const jobs = await openExportJobs(options, context, exporter);
  const routes = new Hono();

  const [read, write] = [requireKey("read"), requireKey("write")];
  const enterpriseOnly: MiddlewareHandler = (_call, next) => {
    if (plan === "enterprise") return next();
    const why = "it needs an Enterprise plan.";
    throw new ApiError(403, `Static export is not enabled for this organization: ${why}`);
  };

  routes.post(path, write, enterpriseOnly, async (call) => {
    const request = await readJson(call.req.raw, StartExportRequest, maxBodyBytes);
    requireServedDomain(request.domain, context.domains);
    await requireKnownPaths(request.paths ?? [], context);
    return call.json(presentJob(await jobs.start(request)), 202);
  });
  routes.get(`${path}/:jobId`, read, enterpriseOnly, (call) =>
    call.json(presentJob(requireJob(jobs.get(call.req.param("jobId"))))),
  );
  routes.post(`${path}/:jobId/bundle`, write, enterpriseOnly, async (call) => {
    const { jobId, status, bundle } = requireJob(jobs.get(call.req.param("jobId")));
    if (status !== "completed" || bundle === undefined) {
      throw new ApiError(409, `The export has no bundle: its status is ${status}, not completed.`);
    }
    const { bundleUrl, expiresAt } = links.sign(jobId);
    await jobs.noteLink(jobId, expiresAt);
    return call.json({ jobId, bundleUrl, sizeBytes: bundle.sizeBytes, expiresAt });
  });
  routes.get("/bundles/:jobId/bundle.zip", (call) => {
    const jobId = call.req.param("jobId");
    const result = links.verify(jobId, call.req.query());
    if (result === "forged")
      return refuseLink(403, "SignatureDoesNotMatch", "The link's signature is not valid.");
    if (result === "expired") return refuseLink(403, "AccessDenied", "The link has expired.");
    const job = jobs.get(jobId);
    if (job?.bundle === undefined) return refuseLink(404, "NoSuchKey", "The bundle no longer exists.");
    return serveArchive(jobs.bundlePath(jobId), job.bundle, `${job.domain}.zip`, call.req);
  });
  return { routes, [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose]() };
}

/** The job as clients see it (specification §2.4): `error` only on a job that failed. */
function presentJob({ jobId, status, progress, pageCount, createdAt, updatedAt, error }: ExportJobRecord) {
  const failure = status === "failed" ? { error: error ?? null } : {};
  return { jobId, status, progress, pageCount, createdAt, updatedAt, ...failure };
}

function requireJob(job: ExportJobRecord | undefined): ExportJobRecord {
  if (job === undefined) throw new ApiError(404, "There is no export job with this id.");
  return job;
}

async function requireKnownPaths(paths: readonly string[], { docsDir, signal }: PlatformContext) {
  const [path] = paths.length === 0 ? [] : await findUnknownPaths(docsDir, paths, signal);
  if (path === undefined) return;
  throw new ApiError(400, `paths.${paths.indexOf(path)}: ${path} is neither a page nor a folder of pages.`);
}

function requireServedDomain(domain: string, served: readonly string[]): void {
  const rule = "must be a host name such as docs.example.com, without https:// and without a path.";
  if (!hostName.test(domain)) throw new ApiError(400, `domain: ${rule}`);
  if (served.some((name) => name.toLowerCase() === domain.toLowerCase())) return;
  throw new ApiError(400, `domain: this platform does not serve ${domain}.`);
}
