import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ArtifactService, QUOTA_FAULT, startArtifactService } from "./artifact-service.ts";

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
  test("keeps the bytes of an upload and lists it once it is finalised", async () => {
    await using service = await startArtifactService();
    await upload(service, "docs");
    const before = await call(service, { method: "ListArtifacts", body: {} });
    await finalize(service, "docs");
    const after = await call(service, { method: "ListArtifacts", body: {} });
    expect(before.body).toEqual({ artifacts: [] });
    expect(after.body).toMatchObject({ artifacts: [{ name: "docs", size: "24", digest: hash }] });
    expect(await service.read("docs")).toEqual(bytes);
  });

  test("keeps a name taken that was never finalised, without listing it", async () => {
    await using service = await startArtifactService();
    await upload(service, "docs");
    const again = await call(service, { method: "CreateArtifact", body: { name: "docs", version: 7 } });
    expect(again).toEqual({
      status: 409,
      body: { code: "already_exists", msg: "an artifact with this name already exists on the workflow run" },
    });
  });

  test("gives a deleted name back", async () => {
    await using service = await startArtifactService();
    await upload(service, "docs");
    await finalize(service, "docs");
    await call(service, { method: "DeleteArtifact", body: { name: "docs" } });
    expect((await upload(service, "docs")).status).toBe(200);
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

  test("carries a request out and loses its answer where a fault says so", async () => {
    await using service = await startArtifactService();
    await upload(service, "docs");
    service.faults.add({ path: "FinalizeArtifact", fault: { kind: "reset", when: "after" } });
    await expect(finalize(service, "docs")).rejects.toThrow("fetch failed");
    expect(service.requests.at(-1)).toMatchObject({
      method: "POST",
      path: expect.any(String),
      handled: true,
    });
    expect(service.artifacts[0]?.finalized).toBeDefined();
  });

  test("answers with an ordered fault once, and then as usual", async () => {
    await using service = await startArtifactService();
    service.faults.add({ path: "CreateArtifact", fault: QUOTA_FAULT });
    const refused = await call(service, { method: "CreateArtifact", body: { name: "docs", version: 7 } });
    expect(refused.status).toBe(403);
    expect(service.artifacts).toEqual([]);
    expect((await upload(service, "docs")).status).toBe(200);
  });

  test("can put itself between uploads and the blob store", async () => {
    await using service = await startArtifactService({ interceptBlobs: true });
    service.faults.add({ path: "/blob/", fault: { kind: "answer", status: 503 } });
    await upload(service, "first");
    await upload(service, "second");
    expect((await finalize(service, "first")).status).toBe(412);
    expect((await finalize(service, "second")).status).toBe(200);
  });
});
