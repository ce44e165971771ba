/** Composes `command: export`: inputs and clients in, outputs and summary out. */

import { rename } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { downloadBundle } from "../../bundle/download.ts";
import { extractArchive } from "../../bundle/extract-archive.ts";
import { describeProgress } from "../../bundle/progress.ts";
import {
  type BundleLink,
  type ExportDeps,
  type ExportObserver,
  type ExportResult,
  exportSite,
  type FetchedBundle,
} from "../../commands/export.ts";
import { InputError } from "../../errors.ts";
import { uploadArtifact } from "../../github/artifact.ts";
import {
  renderDetachedExport,
  renderDryRun,
  renderExportSummary,
} from "../../presentation/export-summary.ts";
import { formatBytes } from "../../presentation/format.ts";
import { connectPlatform, type PlatformConnection } from "../connect-platform.ts";
import type { ExportInputs } from "../inputs.ts";
import { secretPartsOfLink } from "../mask-link.ts";
import { embeddedDomain, startEmbedded } from "../start-embedded.ts";
import type { Step, StepContext, StepEnd } from "../step.ts";

export const exportStep: Step<"export"> = {
  async run(inputs, context) {
    const workspace = context.environment["GITHUB_WORKSPACE"] ?? process.cwd();
    const outputDir = insideWorkspace(workspace, inputs.outputDir);
    await using connection = await connectPlatform(inputs, {
      context,
      startEmbedded: () =>
        startEmbedded({ docsDir: resolve(workspace, inputs.docsDir), domain: inputs.domain }, { context }),
    });
    const result = await exportSite(
      {
        domain: inputs.domain ?? (inputs.baseUrl === "local" ? embeddedDomain : undefined),
        version: inputs.exportVersion,
        paths: inputs.exportPaths,
        jobId: inputs.jobId,
        wait: inputs.wait,
        dryRun: inputs.dryRun,
        upload: inputs.upload,
        deadlineMs: context.deadlineMs,
      },
      createDeps({ inputs, outputDir, connection }, context),
    );
    return describeEnd(result, { inputs, workspace });
  },
};

interface Wiring {
  readonly inputs: ExportInputs;
  readonly outputDir: string;
  readonly connection: PlatformConnection;
}

function createDeps({ inputs, outputDir, connection }: Wiring, context: StepContext): ExportDeps {
  const { log, signal, clock, random } = context;
  const maxBytes = inputs.maxBundleMegabytes * 1_000_000;
  const limits = { maxTotalBytes: maxBytes };
  return {
    platform: connection.platform,
    clock,
    random,
    log,
    signal,
    observer: createObserver(context),
    async fetchBundle(getLink) {
      const path = join(outputDir, inputs.artifactName);
      const { size, sha256, format, archive } = await downloadBundle(
        { path, maxBytes, limits },
        {
          getLink,
          dispatcher: connection.dispatcher,
          clock,
          random,
          log,
          signal,
          onProgress(progress) {
            // The last report says what the line about the verified bundle says better.
            if (progress.bytes !== progress.total) log.info(`Download: ${describeProgress(progress)}`);
          },
        },
      );
      return withExtension({ path, size, sha256, format, files: archive.files });
    },
    async unpackSite({ path }) {
      const destination = join(outputDir, "site");
      const { totalBytes } = await extractArchive({ path, destination, limits }, { signal });
      log.info(`The site is unpacked to ${destination} (${formatBytes(totalBytes)}).`);
      return destination;
    },
    uploadArtifact: (kind, { bundle, sitePath }) =>
      uploadArtifact(
        {
          kind,
          path: sitePath ?? bundle.path,
          name: inputs.artifactName,
          retentionDays: inputs.retentionDays,
          sha256: bundle.sha256,
        },
        { log, signal, clock },
      ),
  };
}

/** The archive under a name that says what it is, now that its first bytes have told. */
async function withExtension(bundle: FetchedBundle): Promise<FetchedBundle> {
  const path = `${bundle.path}.${bundle.format}`;
  await rename(bundle.path, path);
  return { ...bundle, path };
}

/** Makes each fact an output as soon as it is known. */
function createObserver({ setOutput, maskSecret, log }: StepContext): ExportObserver {
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
        `The bundle is downloaded and verified: ${path}, ${formatBytes(size)}, ${files} files, SHA-256 ${sha256}.`,
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

function describeEnd(
  result: ExportResult,
  { inputs, workspace }: { inputs: ExportInputs; workspace: string },
): StepEnd<"export"> {
  switch (result.outcome) {
    case "skipped":
      return {
        outcome: "skipped",
        skipReason: result.reason,
        message: `Dry run: the first request would be ${result.wouldSend.request} ${JSON.stringify(result.wouldSend.body ?? null)}.`,
        summary: renderDryRun(result.wouldSend),
      };
    case "detached":
      return {
        outcome: "detached",
        message: `Export job ${result.jobId} runs at the platform; fetch its bundle later with \`job-id\`.`,
        summary: renderDetachedExport(result),
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
          sitePath: result.sitePath === undefined ? undefined : relative(workspace, result.sitePath),
        }),
      };
  }
}

/** A folder of the workspace by its path in it. @throws {InputError} for a path that leaves it. */
function insideWorkspace(workspace: string, path: string): string {
  const resolved = resolve(workspace, path);
  const inner = relative(workspace, resolved);
  if (inner !== "" && !inner.startsWith("..") && basename(inner) !== "") return resolved;
  throw new InputError(["`output-dir` must be a folder inside the workspace."]);
}
