/** Composes `command: export`: inputs and clients in, outputs and summary out. */

import { rename } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { downloadBundle } from "../../bundle/download.ts";
import { extractArchive } from "../../bundle/extract-archive.ts";
import { describeProgress } from "../../bundle/progress.ts";
import { openValuesTarget, type ValuesTarget } from "../../bundle/values-target.ts";
import { exportSite } from "../../commands/export.ts";
import type { ExportDeps, FetchedBundle, UploadKind } from "../../commands/export-interface.ts";
import { InputError } from "../../errors.ts";
import { uploadArtifact } from "../../github/artifact.ts";
import { requireArtifactUpload } from "../../github/artifact-rules.ts";
import { formatBytes } from "../../presentation/format.ts";
import { connectPlatform, type PlatformConnection } from "../connect-platform.ts";
import { defaultArtifactName, type ExportInputs } from "../inputs.ts";
import { createExportObserver, describeExportEnd } from "../report-export.ts";
import { embeddedDomain, startEmbedded } from "../start-embedded.ts";
import type { Step, StepContext } from "../step.ts";

export const exportStep: Step<"export"> = {
  async run(inputs, context) {
    const willUpload = inputs.upload !== "none" && inputs.wait && !inputs.dryRun;
    if (willUpload) requireArtifactUpload(artifactName(inputs.upload, inputs), context.environment);
    const workspace = context.environment["GITHUB_WORKSPACE"] ?? process.cwd();
    const outputDir = insideWorkspace(workspace, inputs.outputDir);
    const values = await openValues(inputs, workspace);
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
        durableUrl: inputs.valuesBundleUrl === "presigned" ? undefined : inputs.valuesBundleUrl,
        deadlineMs: context.deadlineMs,
      },
      createDeps({ inputs, outputDir, values, connection }, context),
    );
    return describeExportEnd(result, { inputs, workspace });
  },
};

interface Wiring {
  readonly inputs: ExportInputs;
  readonly outputDir: string;
  readonly values: ValuesTarget | undefined;
  readonly connection: PlatformConnection;
}

function createDeps({ inputs, outputDir, values, connection }: Wiring, context: StepContext): ExportDeps {
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

/** The archive under a name that says what it is, now that its first bytes have told. */
async function withExtension(bundle: FetchedBundle): Promise<FetchedBundle> {
  const path = `${bundle.path}.${bundle.format}`;
  await rename(bundle.path, path);
  return { ...bundle, path };
}

/** A folder of the workspace by its path in it. @throws {InputError} for a path that leaves it. */
function insideWorkspace(workspace: string, path: string): string {
  const resolved = resolve(workspace, path);
  const inner = relative(workspace, resolved);
  if (inner !== "" && !inner.startsWith("..") && basename(inner) !== "") return resolved;
  throw new InputError(["`output-dir` must be a folder inside the workspace."]);
}
