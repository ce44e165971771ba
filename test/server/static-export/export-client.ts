import { ExportBundle, ExportJob } from "../../../src/client/contract.ts";
import { type TestPlatform, until } from "../test-platform.ts";

export const jobs = "/v1/static-export/jobs";

/** Starts an export of the test domain; its job id. */
export async function startExport(platform: TestPlatform, fields: object = {}): Promise<string> {
  const response = await platform.send(jobs, {
    method: "POST",
    json: { domain: "docs.example.com", ...fields },
  });
  return ExportJob.parse(await response.json()).jobId ?? "";
}

export async function getExport(platform: TestPlatform, jobId: string): Promise<ExportJob> {
  return ExportJob.parse(await (await platform.send(`${jobs}/${jobId}`)).json());
}

/** The job once it has ended. */
export function followExport(platform: TestPlatform, jobId: string): Promise<ExportJob> {
  return until(
    () => getExport(platform, jobId),
    ({ status }) => status === "completed" || status === "failed",
  );
}

export async function generateBundle(platform: TestPlatform, jobId: string): Promise<ExportBundle> {
  return ExportBundle.parse(
    await (await platform.send(`${jobs}/${jobId}/bundle`, { method: "POST" })).json(),
  );
}

/** The link to the bundle of a new, finished export. */
export async function exportBundle(platform: TestPlatform): Promise<ExportBundle> {
  const jobId = await startExport(platform);
  await followExport(platform, jobId);
  return generateBundle(platform, jobId);
}
