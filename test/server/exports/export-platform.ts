import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { ExportBundle, ExportJob } from "../../../src/client/contract.ts";
import type { SiteExporter } from "../../../src/server/exports/export-jobs.ts";
import { type TestPlatform, until } from "../test-platform.ts";

/** Bytes without repetitions, so that a wrong offset is detected. */
export const archive = Buffer.concat(
  Array.from({ length: 2048 }, (_, index) => createHash("sha256").update(String(index)).digest()),
);

/** An exporter of ten pages that waits after the fourth until it is opened; it records the exports that started. */
export function createGatedExporter({ failure }: { failure?: Error } = {}) {
  const begun: object[] = [];
  const gate = Promise.withResolvers<void>();
  const exporter: SiteExporter = async ({ archive: path, docsDir, version, paths }, signal, onProgress) => {
    begun.push({ docsDir, version, paths });
    onProgress?.({ done: 4, total: 10 });
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    await Promise.race([gate.promise, aborted.promise]);
    if (failure) throw failure;
    onProgress?.({ done: 10, total: 10 });
    await writeFile(path, archive);
    return { pageCount: 10, pages: [], warnings: [], report: "", sizeBytes: archive.length };
  };
  return Object.assign(exporter, { begun, open: gate.resolve });
}

/** An exporter that never waits. */
export function createFakeExporter(): SiteExporter {
  const exporter = createGatedExporter();
  exporter.open();
  return exporter;
}

export const jobs = "/v1/static-export/jobs";
export const domain = "docs.example.com";

/** Starts an export of the test domain; returns the job id. */
export async function startExport(
  platform: Pick<TestPlatform, "send">,
  fields: object = {},
): Promise<string> {
  const response = await platform.send(jobs, { method: "POST", json: { domain, ...fields } });
  return ExportJob.parse(await response.json()).jobId ?? "";
}

export async function getExport(platform: Pick<TestPlatform, "send">, jobId: string): Promise<ExportJob> {
  return ExportJob.parse(await (await platform.send(`${jobs}/${jobId}`)).json());
}

/** Waits until the job has one of these statuses; by default, until it has ended. */
export function followExport(
  platform: Pick<TestPlatform, "send">,
  jobId: string,
  ...statuses: readonly string[]
): Promise<ExportJob> {
  const expected = statuses.length > 0 ? statuses : ["completed", "failed"];
  return until(
    () => getExport(platform, jobId),
    ({ status }) => expected.includes(status ?? ""),
  );
}

export async function generateBundle(
  platform: Pick<TestPlatform, "send">,
  jobId: string,
): Promise<ExportBundle> {
  const response = await platform.send(`${jobs}/${jobId}/bundle`, { method: "POST" });
  return ExportBundle.parse(await response.json());
}

/** Exports the site; returns the link to the bundle. */
export async function exportBundle(
  platform: Pick<TestPlatform, "send">,
): Promise<ExportBundle & { readonly jobId: string }> {
  const jobId = await startExport(platform);
  await followExport(platform, jobId);
  return { ...(await generateBundle(platform, jobId)), jobId };
}
