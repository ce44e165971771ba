import { type Context, Hono, type MiddlewareHandler } from "hono";
import { ActionError } from "../../base/errors.ts";
import { StartExportRequest } from "../../client/contract.ts";
import type { ExportOptions, PlatformContext } from "../base/context.ts";
import { ApiError, readJson } from "../base/http.ts";
import { mayAccess } from "../base/keys.ts";
import { hostName, type Site } from "../base/sites.ts";
import { requirePages, UnknownPathError } from "../site/plan-site.ts";
import { type ExportJobRecord, openExportJobs, type SiteExporter } from "./export-jobs.ts";

const path = "/v1/static-export/jobs";
const maxBodyBytes = 1024 * 1024;

/** The routes of static export jobs (specification §4.4 to §4.6). Disposal stops the processing of jobs. */
export async function openExports(options: ExportOptions, context: PlatformContext, exporter?: SiteExporter) {
  const { plan = "enterprise", startWaitMs = 20_000 } = options;
  const { requireKey } = context;
  const jobs = await openExportJobs(options, context, exporter);
  const routes = new Hono();

  const [read, write] = [requireKey("read"), requireKey("write")];
  const enterpriseOnly: MiddlewareHandler = (_call, next) => {
    if (plan === "enterprise") return next();
    throw new ApiError(
      403,
      "Static export is not enabled for this organization: it needs an Enterprise plan.",
    );
  };

  routes.post(path, write, enterpriseOnly, async (call) => {
    const request = await readJson(call.req.raw, StartExportRequest, maxBodyBytes);
    const site = requireSite(call, request.domain, context);
    const timeout = AbortSignal.timeout(startWaitMs);
    await requireKnownPaths(request.paths ?? [], site, timeout);
    return call.json(presentJob(await jobs.start(request, site, timeout)), 202);
  });
  routes.get(`${path}/:jobId`, read, enterpriseOnly, async (call) =>
    call.json(presentJob(requireJob(call, await jobs.get(call.req.param("jobId"))))),
  );
  routes.delete(`${path}/:jobId`, write, enterpriseOnly, async (call) => {
    const { jobId } = requireJob(call, await jobs.get(call.req.param("jobId")));
    return call.json(presentJob(await jobs.cancel(jobId)));
  });
  routes.post(`${path}/:jobId/bundle`, write, enterpriseOnly, async (call) => {
    const job = requireJob(call, await jobs.get(call.req.param("jobId")));
    const { jobId, status, bundle } = job;
    if (bundle === undefined) {
      throw new ApiError(409, `The export has no bundle: its status is ${status}, not completed.`);
    }
    const { url, expiresAt } = await jobs.link(job, bundle.name);
    return call.json({ jobId, bundleUrl: url, sizeBytes: bundle.sizeBytes, expiresAt });
  });
  return { routes, jobs, [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose]() };
}

/** The job in the format of the API (specification §2.4); only a failed job has an `error`. */
function presentJob({ jobId, status, progress, pageCount, createdAt, updatedAt, error }: ExportJobRecord) {
  const failure = status === "failed" ? { error: error ?? null } : {};
  return { jobId, status, progress, pageCount, createdAt, updatedAt, ...failure };
}

/** @throws {ApiError} 404 if there is no job, or the request's key may not access its site. */
export function requireJob(call: Context, job: ExportJobRecord | undefined): ExportJobRecord {
  if (job === undefined || !mayAccess(call, "domains", job.domain))
    throw new ApiError(404, "There is no export job with this id.");
  return job;
}

async function requireKnownPaths(paths: readonly string[], { documents }: Site, timeout: AbortSignal) {
  if (paths.length === 0) return;
  try {
    await using opened = await documents.open(await documents.readRevision(timeout), timeout);
    await requirePages(opened.docsDir, paths, timeout);
  } catch (error) {
    if (error instanceof UnknownPathError) throw new ApiError(400, error.message);
    // The documents cannot be read now: the job checks the paths, or fails with the reason.
    if (!timeout.aborted && !(error instanceof ActionError)) throw error;
  }
}

function requireSite(call: Context, domain: string, { findSite }: PlatformContext): Site {
  const rule = "must be a host name such as docs.example.com, without https:// and without a path.";
  if (!hostName.safeParse(domain).success) throw new ApiError(400, `domain: ${rule}`);
  const site = mayAccess(call, "domains", domain) ? findSite(domain) : undefined;
  if (site === undefined) throw new ApiError(400, `domain: this platform does not serve ${domain}.`);
  return site;
}
