/** Where the artifact service of the tests is as strict as GitHub's; what it gives, the tests of uploads would miss. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ArtifactService, startArtifactService } from "./artifact-service.ts";

const bytes = Buffer.from("the bytes of an artifact");
const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

async function call(service: ArtifactService, { method, body }: { method: string; body: object }) {
  const token = service.environment["ACTIONS_RUNTIME_TOKEN"] ?? "";
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
    scp: string;
  };
  const [, run, job] = claims.scp.split(" ").at(-1)?.split(":") ?? [];
  const response = await fetch(
    `${service.url}/twirp/github.actions.results.api.v1.ArtifactService/${method}`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ workflow_run_backend_id: run, workflow_job_run_backend_id: job, ...body }),
    },
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function upload(service: ArtifactService, name: string) {
  const created = await call(service, { method: "CreateArtifact", body: { name, version: 7 } });
  await fetch(String(created.body["signed_upload_url"]), {
    method: "PUT",
    headers: { "x-ms-blob-type": "BlockBlob" },
    body: bytes,
  });
  return created;
}

const finalize = (service: ArtifactService, name: string) =>
  call(service, { method: "FinalizeArtifact", body: { name, size: String(bytes.length), hash } });

describe("the artifact service of the tests", () => {
  test("keeps a name taken that was never finalised, without listing it", async () => {
    await using service = await startArtifactService();
    await upload(service, "docs");
    const again = await call(service, { method: "CreateArtifact", body: { name: "docs", version: 7 } });
    expect(again).toEqual({
      status: 409,
      body: { code: "already_exists", msg: "an artifact with this name already exists on the workflow run" },
    });
  });

  test("refuses to finalise what was not uploaded, or not with that size", async () => {
    await using service = await startArtifactService();
    await call(service, { method: "CreateArtifact", body: { name: "empty", version: 7 } });
    await upload(service, "docs");
    const wrongSize = await call(service, {
      method: "FinalizeArtifact",
      body: { name: "docs", size: "7", hash },
    });
    expect((await finalize(service, "empty")).status).toBe(412);
    expect(wrongSize.status).toBe(400);
  });

  test("refuses another run's token", async () => {
    await using service = await startArtifactService();
    await using other = await startArtifactService();
    const mixed = { ...service, environment: other.environment };
    expect((await call(mixed, { method: "ListArtifacts", body: {} })).status).toBe(401);
  });

  test("lets an upload link expire", async () => {
    await using service = await startArtifactService({ linkLivesMs: -60_000 });
    const created = await call(service, { method: "CreateArtifact", body: { name: "docs", version: 7 } });
    const response = await fetch(String(created.body["signed_upload_url"]), {
      method: "PUT",
      headers: { "x-ms-blob-type": "BlockBlob" },
      body: bytes,
    });
    expect(response.status).toBe(403);
  });
});
