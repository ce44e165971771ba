import { describe, expect, test } from "vitest";
import { startTestPlatform, until } from "../test-platform.ts";
import { exportBundle, followExport, getExport, jobs, startExport } from "./export-client.ts";
import { createFakeExporter, createGatedExporter } from "./fake-exporter.ts";

const domain = "docs.example.com";
const anyDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe("static export jobs", () => {
  test("a job goes from queued over running to completed, and says how far it is", async () => {
    const exporter = createGatedExporter();
    await using platform = await startTestPlatform({}, { exporter });

    const response = await platform.send(jobs, { method: "POST", json: { domain } });
    const started = (await response.json()) as { jobId: string };
    const running = await until(
      () => getExport(platform, started.jobId),
      (job) => job.pageCount !== 0,
    );
    exporter.open();
    const completed = await followExport(platform, started.jobId);

    expect(response.status).toBe(202);
    expect(started).toEqual({
      jobId: expect.stringMatching(/^se_[0-9a-f]{16}$/),
      status: "queued",
      progress: 0,
      pageCount: 0,
      createdAt: anyDate,
      updatedAt: anyDate,
    });
    expect(running).toMatchObject({ status: "running", progress: 38, pageCount: 4 });
    expect(completed).toMatchObject({ status: "completed", progress: 100, pageCount: 10 });
  });

  test("the version and the paths of a request reach the renderer", async () => {
    const exporter = createGatedExporter();
    exporter.open();
    await using platform = await startTestPlatform({}, { exporter });

    await followExport(platform, await startExport(platform, { version: "v2", paths: ["guide"] }));

    expect(exporter.renderings).toEqual([
      { docsDir: platform.docsDir, domain, version: "v2", paths: ["guide"] },
    ]);
  });

  test("a job that fails says why, in one line", async () => {
    const exporter = createGatedExporter({ failure: new Error("docs.json:\n  not valid JSON") });
    exporter.open();
    await using platform = await startTestPlatform({}, { exporter });

    const job = await followExport(platform, await startExport(platform));

    expect(job).toMatchObject({ status: "failed", error: "docs.json: not valid JSON" });
    expect(platform.warnings).toEqual([expect.stringContaining("docs.json: not valid JSON")]);
  });

  test("no more jobs run at once than allowed, and the others wait their turn", async () => {
    const exporter = createGatedExporter();
    await using platform = await startTestPlatform({ exportConcurrency: 2 }, { exporter });

    const ids = [await startExport(platform), await startExport(platform), await startExport(platform)];
    await until(
      () => getExport(platform, ids[1] ?? ""),
      (job) => job.status === "running",
    );
    const third = await getExport(platform, ids[2] ?? "");
    const begun = exporter.renderings.length;
    exporter.open();

    expect(third.status).toBe("queued");
    expect(begun).toBe(2);
    expect((await followExport(platform, ids[2] ?? "")).status).toBe("completed");
  });

  test("a bundle of an unfinished or a failed job is a conflict", async () => {
    const exporter = createGatedExporter({ failure: new Error("no") });
    await using platform = await startTestPlatform({}, { exporter });
    const jobId = await startExport(platform);

    const unfinished = await platform.send(`${jobs}/${jobId}/bundle`, { method: "POST" });
    exporter.open();
    await followExport(platform, jobId);
    const failed = await platform.send(`${jobs}/${jobId}/bundle`, { method: "POST" });

    expect([unfinished.status, failed.status]).toEqual([409, 409]);
    expect(await failed.json()).toEqual({
      error: "The export has no bundle: its status is failed, not completed.",
    });
  });

  test("each bundle request gives a link of its own to the same archive", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter(), now: () => now });
    const first = await exportBundle(platform);

    now += 60_000;
    const response = await platform.send(`${jobs}/${first.jobId}/bundle`, { method: "POST" });

    expect(first).toMatchObject({ sizeBytes: 65_536, expiresAt: "2026-01-01T01:00:00.000Z" });
    expect(await response.json()).toEqual({
      jobId: first.jobId,
      bundleUrl: expect.not.stringContaining(first.bundleUrl),
      sizeBytes: 65_536,
      expiresAt: "2026-01-01T01:01:00.000Z",
    });
  });

  test("only the newest finished jobs are kept, and those whose link still holds", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const exporter = createFakeExporter();
    await using platform = await startTestPlatform({ keptExports: 1 }, { exporter, now: () => now });
    const linked = await exportBundle(platform);
    now += 1000;
    const unlinked = await startExport(platform);
    await followExport(platform, unlinked);
    now += 1000;

    await followExport(platform, await startExport(platform));
    const statuses = async () =>
      Promise.all([linked.jobId, unlinked].map(async (id) => (await platform.send(`${jobs}/${id}`)).status));

    expect(await until(statuses, ([, second]) => second === 404)).toEqual([200, 404]);
  });
});

describe("requests that are refused", () => {
  test.each([
    ["an empty object", {}, "domain: Invalid input: expected string, received undefined"],
    ["an unknown field", { domain, format: "zip" }, "unknown field format"],
    ["a number as domain", { domain: 7 }, "domain: Invalid input: expected string, received number"],
    ["an address as domain", { domain: "https://docs.example.com/" }, "domain: must be a host name"],
    ["another domain", { domain: "other.example.com" }, "this platform does not serve other.example.com"],
    ["no paths", { domain, paths: [] }, "paths: "],
    ["an empty path", { domain, paths: ["a", ""] }, "paths.1: "],
  ])("%s is answered with 400 and the field's name", async (_, json, message) => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });

    const response = await platform.send(jobs, { method: "POST", json });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining(message) });
  });

  test("what is not JSON, not declared as JSON or too long is refused by its own status", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    const post = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
      platform.send(jobs, { method: "POST", body, headers: { "content-type": type } });

    const statuses = await Promise.all([
      post("{"),
      post(""),
      post(new Uint8Array([0x7b, 0xff, 0x7d])),
      post(JSON.stringify({ domain }), "text/plain"),
      post(`{"domain":"${"x".repeat(1_100_000)}"}`),
    ]);

    expect(statuses.map((response) => response.status)).toEqual([400, 400, 400, 415, 413]);
  });

  test("keys are told apart by kind", async () => {
    const keys = { readOnly: "svc_only_reads" };
    await using platform = await startTestPlatform({ keys }, { exporter: createFakeExporter() });
    const statusOf = async (key: string, method = "POST") =>
      (
        await platform.send(method === "POST" ? jobs : `${jobs}/se_none`, {
          method,
          key,
          ...(method === "POST" && { json: { domain } }),
        })
      ).status;

    expect(await statusOf("")).toBe(401);
    expect(await statusOf("svc_wrong")).toBe(401);
    expect(await statusOf(platform.assistantKey)).toBe(403);
    expect(await statusOf("svc_only_reads")).toBe(403);
    expect(await statusOf("svc_only_reads", "GET")).toBe(404);
    expect(await statusOf(platform.adminKey)).toBe(202);
  });

  test("without the Enterprise plan, every export endpoint is forbidden", async () => {
    await using platform = await startTestPlatform({ plan: "pro" }, { exporter: createFakeExporter() });

    const responses = await Promise.all([
      platform.send(jobs, { method: "POST", json: { domain } }),
      platform.send(`${jobs}/se_none`),
      platform.send(`${jobs}/se_none/bundle`, { method: "POST" }),
    ]);

    expect(responses.map((response) => response.status)).toEqual([403, 403, 403]);
    expect(await responses[0]?.json()).toEqual({ error: expect.stringContaining("Enterprise plan") });
  });

  test("unknown jobs, addresses and methods are 404 and 405", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });

    const responses = await Promise.all([
      platform.send(`${jobs}/se_none`),
      platform.send(`${jobs}/..%2f..%2flink-signing-key`),
      platform.send("/v3/nothing"),
      platform.send(jobs, { method: "DELETE" }),
    ]);

    expect(responses.map((response) => response.status)).toEqual([404, 404, 404, 405]);
    expect(responses[3]?.headers.get("allow")).toBe("POST");
    for (const response of responses) {
      expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
  });
});
