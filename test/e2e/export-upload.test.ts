/** What an upload needs is known before anything is started: an export of an hour is not lost to a name. */
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { startArtifactService } from "../support/artifact-service.ts";
import { startHttpServer } from "../support/http-server.ts";
import { type ActionUse, createActionJob } from "../support/run-action.ts";

/** Runs an export against a platform that counts its requests and answers none of them. */
async function runExport(inputs: Record<string, string>, use: ActionUse = {}) {
  await using platform = await startHttpServer(() => new Response(undefined, { status: 404 }));
  await using service = await startArtifactService();
  await using job = await createActionJob({
    ...use,
    environment: { ...service.environment, ...use.environment },
    inputs: {
      command: "export",
      "base-url": platform.url,
      "api-key": "svc_admin-key-of-this-test",
      domain: "docs.example.com",
      ...inputs,
    },
  });
  const result = await job.main();
  return {
    ...result,
    asked: platform.requests.length,
    error: JSON.parse(result.outputs["error-json"] ?? "{}") as { code?: string; hint?: string },
    written: await readdir(job.workspace),
  };
}

describe("an export whose upload cannot work", () => {
  test("names a server with an older artifact service, and the next step", async () => {
    const result = await runExport({}, { run: { serverUrl: "https://git.corp.example" } });
    expect(result).toMatchObject({ exitCode: 1, asked: 0, error: { code: "rejected" } });
    expect(result.error.hint).toContain("actions/upload-artifact@v3");
  });

  test("names a runner without an artifact service, and the next step", async () => {
    const result = await runExport({}, { environment: { ACTIONS_RUNTIME_TOKEN: "" } });
    expect(result).toMatchObject({ exitCode: 1, asked: 0, error: { code: "rejected" } });
    expect(result.error.hint).toContain("`upload: none`");
  });

  test("refuses a name that leaves the folder or that no artifact can have", async () => {
    for (const name of ["../../outside", "docs:v1"]) {
      const result = await runExport({ "artifact-name": name });
      expect(result).toMatchObject({ exitCode: 1, asked: 0, written: [] });
    }
  });

  test("goes ahead when nothing is to be uploaded", async () => {
    const result = await runExport({ upload: "none" }, { run: { serverUrl: "https://git.corp.example" } });
    expect(result.asked).toBeGreaterThan(0);
  });
});
