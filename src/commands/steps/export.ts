/** Composes `command: export`: inputs and clients in, outputs and summary out. */
import { join } from "node:path";
import { downloadBundle } from "../../bundle/download.ts";
import { describeProgress } from "../../bundle/progress.ts";
import { openValuesTarget, type ValuesTarget } from "../../bundle/values-target.ts";
import { uploadArtifact } from "../../github/artifact/artifact.ts";
import { requireArtifactUpload } from "../../github/artifact/artifact-rules.ts";
import { formatBytes } from "../../presentation/markdown.ts";
import { connectPlatform, embeddedDomain, type PlatformConnection } from "../connect.ts";
import { exportSite } from "../export.ts";
import type { ExportDeps, UploadKind } from "../export-interface.ts";
import { defaultArtifactName, type ExportInputs } from "../inputs.ts";
import { requireWritable, resolveInsideWorkspace } from "../inside-workspace.ts";
import { replaceSite } from "../replace-site.ts";
import { createExportObserver, describeExportEnd } from "../report-export.ts";
import type { CommandEnd, Run } from "../run.ts";

export async function runExportStep(inputs: ExportInputs, context: Run): Promise<CommandEnd<"export">> {
  const willFetch = inputs.wait && !inputs.dryRun;
  if (willFetch && inputs.upload !== "none")
    requireArtifactUpload(artifactName(inputs.upload, inputs), context.environment);
  const workspace = context.environment["GITHUB_WORKSPACE"] ?? process.cwd();
  const input = "output-dir";
  const outputDir = await resolveInsideWorkspace(inputs.outputDir, { workspace, input });
  if (willFetch) await requireWritable(outputDir, { input });
  const values = await openValues(inputs, workspace);
  await using connection = await connectPlatform(inputs, context, { domain: inputs.domain });
  const result = await exportSite(
    {
      domain: inputs.domain ?? (inputs.baseUrl === "local" ? embeddedDomain : undefined),
      version: inputs.exportVersion,
      paths: inputs.exportPaths,
      jobId: inputs.jobId,
      wait: inputs.wait,
      dryRun: inputs.dryRun,
      upload: inputs.upload,
      durableUrl: inputs.valuesBundleUrl === "presigned" ? undefined : inputs.valuesBundleUrl,
      deadlineMs: context.deadlineMs,
    },
    createDeps({ inputs, outputDir, values, connection }, context),
  );
  return describeExportEnd(result, { inputs, workspace });
}

interface Wiring {
  readonly inputs: ExportInputs;
  readonly outputDir: string;
  readonly values: ValuesTarget | undefined;
  readonly connection: PlatformConnection;
}

function createDeps({ inputs, outputDir, values, connection }: Wiring, context: Run): ExportDeps {
  const { log, signal, clock, random } = context;
  const maxBytes = inputs.maxBundleMegabytes * 1_000_000;
  const limits = { maxTotalBytes: maxBytes };
  return {
    platform: connection.platform,
    clock,
    random,
    log,
    signal,
    observer: createExportObserver(context),
    writeValues: values?.write,
    async fetchBundle(getLink) {
      const { path, size, sha256, format, archive } = await downloadBundle(
        { path: join(outputDir, inputs.artifactName), withExtension: true, maxBytes, limits },
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
      return { path, size, sha256, format, files: archive.files };
    },
    async unpackSite({ path: archive }) {
      const { path, bytes } = await replaceSite({ archive, outputDir, limits }, { signal });
      log.info(`The site is unpacked to ${path} (${formatBytes(bytes)}).`);
      return path;
    },
    uploadArtifact: (kind, { bundle, sitePath }) =>
      uploadArtifact(
        {
          kind,
          path: sitePath ?? bundle.path,
          name: artifactName(kind, inputs),
          retentionDays: inputs.retentionDays,
          sha256: bundle.sha256,
        },
        { log, signal, clock },
      ),
  };
}

function openValues(
  { valuesFile, valuesBundleUrl }: ExportInputs,
  workspace: string,
): Promise<ValuesTarget | undefined> {
  if (valuesFile === undefined) return Promise.resolve(undefined);
  return openValuesTarget({ workspace, file: valuesFile, isUnintendedLink: valuesBundleUrl === undefined });
}

/** `actions/deploy-pages` looks for an artifact named `github-pages` unless told otherwise. */
function artifactName(kind: UploadKind, inputs: ExportInputs): string {
  return kind === "pages" && inputs.artifactName === defaultArtifactName
    ? "github-pages"
    : inputs.artifactName;
}
