/** What an export tells the run: each fact as an output at once, and the end as a message and a summary. */
import { relative } from "node:path";
import {
  renderDetachedExport,
  renderExportDryRun,
  renderExportSummary,
} from "../presentation/export-summary.ts";
import { formatBytes, formatCount } from "../presentation/markdown.ts";
import type { BundleLink, ExportObserver, ExportResult } from "./export-interface.ts";
import type { ExportInputs } from "./inputs.ts";
import { secretPartsOfLink } from "./mask-link.ts";
import type { CommandEnd, Run } from "./run.ts";

/** Makes each fact an output as soon as it is known. */
export function createExportObserver({ setOutput, maskSecret, log }: Run): ExportObserver {
  return {
    jobStarted: (jobId) => setOutput("jobId", jobId),
    stateSeen({ status, pageCount }) {
      if (status !== undefined) setOutput("status", status);
      if (pageCount !== undefined) setOutput("pageCount", String(pageCount));
    },
    linkReceived({ url, expiresAt }: BundleLink) {
      for (const part of secretPartsOfLink(url)) maskSecret(part);
      setOutput("bundleUrl", url);
      if (expiresAt !== undefined) setOutput("expiresAt", expiresAt.toISOString());
    },
    bundleFetched({ path, size, sha256, files }) {
      setOutput("bundlePath", path);
      setOutput("bundleSize", String(size));
      setOutput("bundleSha256", sha256);
      log.info(
        `The bundle is downloaded and verified: ${path}, ${formatBytes(size)}, ${formatCount(files, "file")}, SHA-256 ${sha256}.`,
      );
    },
    siteUnpacked: (path) => setOutput("sitePath", path),
    artifactUploaded({ id, name, url, digest }) {
      setOutput("artifactId", String(id));
      setOutput("artifactUrl", url);
      if (digest !== undefined) setOutput("artifactDigest", digest);
      log.info(`The artifact ${name} is uploaded: ${url}`);
    },
  };
}

/** The end of the step. Paths are shown as the workspace sees them. */
export function describeExportEnd(
  result: ExportResult,
  { inputs, workspace }: { inputs: ExportInputs; workspace: string },
): CommandEnd<"export"> {
  switch (result.outcome) {
    case "skipped":
      return {
        outcome: "skipped",
        skipReason: result.reason,
        message: `Dry run: the first request would be ${result.wouldSend.request} ${JSON.stringify(result.wouldSend.body ?? null)}.`,
        summary: renderExportDryRun(result.wouldSend.request, result.wouldSend.body),
      };
    case "detached":
      return {
        outcome: "detached",
        message: `Export job ${result.jobId} runs at the platform; fetch its bundle later with \`job-id\`.`,
        summary: renderDetachedExport(result.jobId),
      };
    case "exported":
      return {
        outcome: "exported",
        message: `Exported to ${result.bundle.path}.`,
        summary: renderExportSummary({
          ...result,
          subject: inputs.domain ?? (inputs.jobId === undefined ? inputs.docsDir : result.jobId),
          bundle: { ...result.bundle, path: relative(workspace, result.bundle.path) },
          expiresAt: result.link.expiresAt,
          valuesFile: result.values && { path: inputs.valuesFile ?? "", ...result.values },
          sitePath: result.sitePath === undefined ? undefined : relative(workspace, result.sitePath),
        }),
      };
  }
}
