import { Hono } from "hono";
import { StartExportRequest } from "../../client/contract.ts";
import { ApiError } from "../http/api-error.ts";
import { limitBody, readJson } from "../http/read-json.ts";
import { type Keyring, requireKey } from "../http/require-key.ts";
import type { BundleLinks } from "./bundle-links.ts";
import { presentExportJob } from "./export-job-record.ts";
import type { ExportJobs } from "./export-jobs.ts";

interface ExportRoutesOptions {
  /** Domains that this platform serves. */
  readonly domains: readonly string[];
  readonly plan: "enterprise" | "pro";
}

interface ExportRoutesDeps {
  readonly jobs: ExportJobs;
  readonly links: BundleLinks;
  readonly keyring: Keyring;
}

const maxBodyBytes = 1024 * 1024;
const hostName = /^(?!-)[a-z\d-]{1,63}(?:\.(?!-)[a-z\d-]{1,63})*$/i;

/** Start, look up and bundle static export jobs (specification §4.4 to §4.6). */
export function createExportRoutes(options: ExportRoutesOptions, deps: ExportRoutesDeps): Hono {
  const app = new Hono();
  const findJob = (jobId: string) => {
    const job = deps.jobs.get(jobId);
    if (job === undefined) throw new ApiError(404, "There is no export job with this id.");
    return job;
  };
  const requirePlan = () => {
    if (options.plan === "enterprise") return;
    throw new ApiError(
      403,
      "Static export is not enabled for this organization: it needs an Enterprise plan.",
    );
  };

  app.post(
    "/v1/static-export/jobs",
    requireKey(deps.keyring, "write"),
    limitBody(maxBodyBytes),
    async (context) => {
      requirePlan();
      const request = await readJson(context.req.raw, StartExportRequest);
      requireServedDomain(request.domain, options.domains);
      return context.json(presentExportJob(await deps.jobs.start(request)), 202);
    },
  );
  app.get("/v1/static-export/jobs/:jobId", requireKey(deps.keyring, "read"), (context) => {
    requirePlan();
    return context.json(presentExportJob(findJob(context.req.param("jobId"))));
  });
  app.post("/v1/static-export/jobs/:jobId/bundle", requireKey(deps.keyring, "write"), async (context) => {
    requirePlan();
    const { jobId, status, bundle } = findJob(context.req.param("jobId"));
    if (status !== "completed" || bundle === undefined) {
      throw new ApiError(409, `The export has no bundle: its status is ${status}, not completed.`);
    }
    const link = deps.links.sign(jobId);
    await deps.jobs.noteLink(jobId, link.expiresAt);
    return context.json({
      jobId,
      bundleUrl: link.bundleUrl,
      sizeBytes: bundle.sizeBytes,
      expiresAt: link.expiresAt,
    });
  });
  return app;
}

function requireServedDomain(domain: string, served: readonly string[]): void {
  if (!hostName.test(domain)) {
    throw new ApiError(
      400,
      "domain: must be a host name such as docs.example.com, without https:// and without a path.",
    );
  }
  if (!served.some((name) => name.toLowerCase() === domain.toLowerCase())) {
    throw new ApiError(400, `domain: this platform does not serve ${domain}.`);
  }
}
