/** The job summary of an export. */
import { codeCell, codeSpan, escapeInline } from "./escape-markdown.ts";
import { formatBytes, formatCount, formatDuration, formatTime } from "./format.ts";

export interface ExportSummary {
  /** The site, or the job whose bundle was fetched. */
  readonly subject: string;
  readonly jobId: string;
  readonly pageCount: number | undefined;
  readonly bundle: {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
    readonly files: number;
  };
  readonly expiresAt: Date | undefined;
  readonly sitePath: string | undefined;
  readonly artifact:
    | { readonly name: string; readonly url: string; readonly digest: string | undefined }
    | undefined;
  readonly valuesFile:
    | { readonly path: string; readonly isChanged: boolean; readonly isDurable: boolean }
    | undefined;
  readonly tookMs: number;
}

export function renderExportSummary(summary: ExportSummary): string {
  const { bundle, artifact } = summary;
  const rows: [string, string][] = [
    ["Job", codeCell(summary.jobId)],
    ["Pages", summary.pageCount === undefined ? "not reported" : String(summary.pageCount)],
    [
      "Bundle",
      `${codeCell(bundle.path)}, ${formatBytes(bundle.size)} (${formatCount(bundle.size, "byte")}), ${formatCount(bundle.files, "file")}`,
    ],
    ["SHA-256", codeCell(bundle.sha256)],
    ["Link expires", summary.expiresAt === undefined ? "not reported" : formatTime(summary.expiresAt)],
    ...(summary.sitePath === undefined ? [] : [["Site", codeCell(summary.sitePath)] as [string, string]]),
    ...(artifact === undefined ? [] : [["Artifact", artifactCell(artifact)] as [string, string]]),
    ...(summary.valuesFile === undefined
      ? []
      : [["Values file", valuesCell(summary.valuesFile)] as [string, string]]),
    ["Took", formatDuration(summary.tookMs)],
  ];
  return [
    `### Documentation export: ${escapeInline(summary.subject)}`,
    "",
    "The bundle is downloaded and verified.",
    "",
    ...emptySite(summary),
    "| | |",
    "|---|---|",
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    "",
    ...dyingLink(summary),
  ].join("\n");
}

/** A site without pages is hardly what was asked for, and everything else about it looks like a success. */
function emptySite({ pageCount }: ExportSummary): string[] {
  if (pageCount !== 0) return [];
  return ["> [!WARNING]", `> ${noPagesRemark}`, ""];
}

/** What is said of an export that holds no page. */
export const noPagesRemark =
  "The export holds no page. Check `docs-dir` (with `base-url: local`), `domain` and `export-paths`.";

/** A presigned link in a values file works until it dies; whoever reads this should know when. */
function dyingLink({ valuesFile, expiresAt }: ExportSummary): string[] {
  if (valuesFile === undefined || valuesFile.isDurable) return [];
  const dies =
    expiresAt === undefined ? "soon; the platform did not say when" : `at ${formatTime(expiresAt)}`;
  return [
    "> [!WARNING]",
    `> The link in the values file dies ${dies}. A pod that starts later cannot fetch the bundle. Set \`values-bundle-url\` to an address that lasts, or refresh the file before then (\`job-id\` needs no new export).`,
    "",
  ];
}

/** The summary of an export that was started and left to run. */
export function renderDetachedExport({ jobId }: { readonly jobId: string }): string {
  return [
    "### Documentation export: started",
    "",
    `Export job ${codeSpan(jobId)} runs at the platform. Run the export again with \`job-id: ${jobId.replace(/[^\w.-]/g, "")}\` to fetch its bundle.`,
    "",
  ].join("\n");
}

/** The summary of a dry run: what would be sent. */
export function renderDryRun({
  request,
  body,
}: {
  readonly request: string;
  readonly body?: unknown;
}): string {
  const json =
    body === undefined
      ? ""
      : `\n\n\`\`\`json\n${JSON.stringify(body, null, 2).replaceAll("```", "\\u0060\\u0060\\u0060")}\n\`\`\``;
  return `### Documentation export: dry run\n\nNothing was sent. The first request would be ${codeSpan(request)}.${json}\n`;
}

function artifactCell({ name, url, digest }: NonNullable<ExportSummary["artifact"]>): string {
  const link = `[${escapeInline(name)}](${url})`;
  return digest === undefined ? link : `${link}, SHA-256 ${codeCell(digest)}`;
}

function valuesCell({ path, isChanged }: NonNullable<ExportSummary["valuesFile"]>): string {
  return `${codeCell(path)}, ${isChanged ? "updated" : "was current already"}`;
}
