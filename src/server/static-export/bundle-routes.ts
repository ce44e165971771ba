import { Hono } from "hono";
import type { BundleLinks } from "./bundle-links.ts";
import type { ExportJobs } from "./export-jobs.ts";
import { serveFile } from "./serve-file.ts";

/** Downloads of bundles by their signed links, in the manners of object storage: no key, ranges, errors in XML. */
export function createBundleRoutes({ jobs, links }: { jobs: ExportJobs; links: BundleLinks }): Hono {
  const app = new Hono();
  app.get("/bundles/:jobId/bundle.zip", (context) => {
    const jobId = context.req.param("jobId");
    const verdict = links.verify(jobId, context.req.query());
    if (verdict === "forged") {
      return refuse(403, "SignatureDoesNotMatch", "The link's signature is not valid.");
    }
    if (verdict === "expired") return refuse(403, "AccessDenied", "The link has expired.");
    const job = jobs.get(jobId);
    if (job?.bundle === undefined) return refuse(404, "NoSuchKey", "The bundle no longer exists.");
    return serveFile(
      {
        path: jobs.bundlePath(jobId),
        sizeBytes: job.bundle.sizeBytes,
        contentType: "application/zip",
        fileName: `${job.domain}.zip`,
        etag: `"${job.bundle.sha256}"`,
      },
      context.req,
    );
  });
  return app;
}

function refuse(status: 403 | 404, code: string, message: string): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
  return new Response(xml, { status, headers: { "content-type": "application/xml" } });
}
