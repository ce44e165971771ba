/** `command: export`: the built action as a process, as the runner starts it, against platforms, storage and the artifact service. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { buildBundle, buildTarGz } from "../support/archives.ts";
import { type ArtifactService, startArtifactService } from "../support/artifact-service.ts";
import { startCacheService } from "../support/cache-service.ts";
import { completedJob, type ExportPlatform, startExportPlatform } from "../support/export-platform.ts";
import { readZip } from "../support/read-zip.ts";
import { type ActionUse, createActionJob } from "../support/run-action.ts";
import { createFolder } from "../support/temporary-folder.ts";

const apiKey = "svc_admin-key-of-this-test";
const docsDir = fileURLToPath(new URL("../fixtures/docs", import.meta.url));
const tarGz = buildTarGz([
  { name: "index.html", body: "<h1>Hello</h1>" },
  { name: "guide/start.html", body: "<h1>Start</h1>" },
]);
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Runs `command: export` against a platform; `with` overrides inputs. */
async function runExport(url: string, inputs: Record<string, string> = {}, use: ActionUse = {}) {
  const job = await createActionJob({
    ...use,
    inputs: {
      command: "export",
      "base-url": url,
      "api-key": apiKey,
      domain: "docs.example.com",
      upload: "none",
      ...inputs,
    },
  });
  return { job, result: await job.main(), [Symbol.asyncDispose]: () => job[Symbol.asyncDispose]() };
}

function expectNoSecrets(visibleText: string, platform: ExportPlatform): void {
  expect(visibleText).not.toContain(apiKey);
  for (const link of platform.links) {
    expect(visibleText).not.toContain(link);
    expect(visibleText).not.toContain(new URL(link).searchParams.get("X-Amz-Signature"));
  }
}

describe("an export against the embedded platform", () => {
  let artifacts: ArtifactService;
  beforeAll(async () => {
    artifacts = await startArtifactService();
    return () => artifacts[Symbol.asyncDispose]();
  });

  // The embedded platform needs no key, so nothing is skipped.
  const noKey = { "api-key": "", "on-missing-key": "skip" };
  const local = { "base-url": "local", "docs-dir": docsDir, domain: "", ...noKey };

  test("uploads the bundle as it is, and says so in outputs and summary", async () => {
    await using run = await runExport(
      "local",
      { ...local, upload: "archive", "retention-days": "3" },
      { environment: artifacts.environment },
    );
    const { outputs, summary, exitCode } = run.result;
    expect(exitCode).toBe(0);
    const bundle = await readFile(outputs["bundle-path"] ?? "");
    expect(outputs).toMatchObject({
      outcome: "exported",
      status: "completed",
      "page-count": "3",
      "bundle-size": String(bundle.length),
      "bundle-sha256": sha256(bundle),
      "artifact-digest": sha256(bundle),
      "artifact-url": expect.stringMatching(/\/actions\/runs\/7001\/artifacts\/\d+$/),
    });
    // The link ended with the step.
    expect(outputs).not.toHaveProperty("bundle-url");
    expect(outputs).not.toHaveProperty("expires-at");
    expect(await artifacts.read("docs-export.zip")).toEqual(bundle);
    expect(summary).toContain(`SHA-256: \`${sha256(bundle)}\``);
    expect(summary).toContain("Pages: 3");
    expect(summary).toContain("docs-export.zip](");
  });

  test("wraps the bundle into a zip for older download tools", async () => {
    await using run = await runExport(
      "local",
      { ...local, upload: "zip", "artifact-name": "wrapped" },
      { environment: artifacts.environment },
    );
    expect(run.result.outputs["outcome"]).toBe("exported");
    const bundle = await readFile(run.result.outputs["bundle-path"] ?? "");
    const artifact = await artifacts.read("wrapped");
    expect(artifact.subarray(0, 2).toString()).toBe("PK");
    expect(artifact.includes(bundle)).toBe(true);
  });

  test("evaluates, draws and colours pages with the data beside the bundle", async () => {
    await using docs = await createFolder({
      "index.mdx":
        'export const names = ["one", "two"];\n\n{names.map((name) => <Card icon="rocket" title={`Card ${name}`} />)}\n\n```ts\nconst a = 1;\n```\n',
    });
    await using run = await runExport("local", { ...local, "docs-dir": docs.path });
    const bundle = readZip(await readFile(run.result.outputs["bundle-path"] ?? ""));
    const page = bundle.get("index.html")?.toString() ?? "";
    expect(run.result.annotations).toEqual([]);
    for (const part of ["Card one", "Card two", '<svg class="icon"', 'class="tk-keyword"'])
      expect(page).toContain(part);
  });

  test("shows warnings at the lines of the workspace's files", async () => {
    await using workspace = await createFolder({ "docs/guides/odd.md": "# Odd\n\n[gone](/gone)\n" });
    await using run = await runExport(
      "local",
      { ...local, "docs-dir": "docs" },
      {
        environment: { GITHUB_WORKSPACE: workspace.path },
      },
    );
    expect(run.result.annotations[0]).toMatchObject({
      level: "warning",
      properties: { file: "docs/guides/odd.md", line: "3" },
    });
  });

  test("needs no proxy, whatever the environment names", async () => {
    const environment = { HTTPS_PROXY: "socks5://127.0.0.1:9", HTTP_PROXY: "no URL" };
    await using run = await runExport("local", local, { environment });
    expect(run.result.outputs).toMatchObject({ outcome: "exported" });
  });

  test("renders a site of many pages in threads of the bundle", async () => {
    await using docs = await createFolder(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, number) => [`page-${number}.md`, `# Page ${number}`]),
      ),
    );
    await using run = await runExport("local", { ...local, "docs-dir": docs.path });
    expect(run.result.outputs).toMatchObject({ outcome: "exported", "page-count": "200" });
  });
});

describe.concurrent("an export against a hosted platform", () => {
  test("starts once, follows, downloads and verifies", async () => {
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    await using run = await runExport(platform.url, {
      "export-version": "v2",
      "export-paths": "guide/start, index",
    });
    expect(run.result.visibleText).toContain("Export job se_1: running, 50 %, 6 pages");
    expect(run.result.log).toMatch(/The bundle is downloaded and verified: .*\.tar\.gz, \d+ bytes, 2 files/);
    expect(run.result.summary).toContain("- Pages: 12\n");
    expect(run.result.annotations).toEqual([]);
    expect(run.result.outputs).toMatchObject({
      outcome: "exported",
      "job-id": "se_1",
      status: "completed",
      "page-count": "12",
      "bundle-sha256": sha256(tarGz),
      "bundle-path": expect.stringMatching(/docs-export\.tar\.gz$/),
    });
    expect(platform.starts).toEqual([
      { domain: "docs.example.com", version: "v2", paths: ["guide/start", "index"] },
    ]);
    expect(new Set(platform.authorizations)).toEqual(new Set([`Bearer ${apiKey}`]));
    expect(platform.storage.requests.map(({ headers }) => headers.authorization)).toEqual(
      platform.storage.requests.map(() => undefined),
    );
    expectNoSecrets(run.result.visibleText, platform);
    expect(run.result.outputs["bundle-url"]).toBe(platform.links.at(-1));
  });

  test("verifies a large bundle in a thread of the built action", async () => {
    const large = buildBundle(20_000_000);
    await using platform = await startExportPlatform({ storage: { object: { body: large, etag: '"1"' } } });
    await using run = await runExport(platform.url);
    expect(run.result.outputs).toMatchObject({ outcome: "exported", "bundle-sha256": sha256(large) });
  });

  test("ends with the next step when the platform does not accept the key", async () => {
    const hint = "API keys page";
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    platform.faults.add({
      fault: {
        kind: "answer",
        status: 401,
        body: '{"error":"no ::error::way <b>\\u202e@mona"}',
        headers: { "x-request-id": "req-9" },
      },
    });
    await using run = await runExport(platform.url);
    expect(run.result.exitCode).toBe(1);
    expect(run.result.outputs).toMatchObject({ outcome: "error", "error-code": "unauthorized" });
    expect(JSON.parse(run.result.outputs["error-json"] ?? "")).toMatchObject({
      code: "unauthorized",
      status: 401,
      requestId: "req-9",
      hint: expect.stringContaining(hint),
    });
    expect(run.result.annotations).toHaveLength(1);
    expect(run.result.annotations[0]).toMatchObject({
      level: "error",
      message: expect.stringContaining(hint),
    });
    expect(run.result.summary).toContain("&lt;b&gt;");
    expect(run.result.summary).not.toMatch(/@mona|<b>/);
    expect(platform.requests).toHaveLength(1);
  });

  test("is green for an outcome that `fail-on` does not name, and warns of an input that it does not use", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      polls: [{ jobId: "se_1", status: "failed", error: "no" }],
    });
    await using run = await runExport(platform.url, { "fail-on": "timed-out", "project-id": "p1" });
    expect(run.result.exitCode).toBe(0);
    expect(run.result.outputs["outcome"]).toBe("failed");
    const unused = "`project-id` is not used by `export`; it belongs to `agent`, `reconcile`, `doctor`.";
    expect(run.result.annotations).toMatchObject([
      { level: "warning", message: unused },
      { level: "warning", message: expect.stringContaining("Export job se_1 failed") },
    ]);
  });

  test("says after a kill during the start that the platform may have started a job", async () => {
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    await using job = await createActionJob({
      inputs: {
        command: "export",
        "base-url": platform.url,
        "api-key": apiKey,
        domain: "docs.example.com",
        upload: "none",
      },
    });
    const main = await job.startMain();
    const never = new Promise<never>(() => undefined);
    const fault = { kind: "hold", when: "before", until: never } as const;
    platform.faults.add({ method: "POST", fault, onMeet: () => main.signal("SIGKILL") });
    await main.result;

    const post = await job.post();

    expect(post.exitCode, post.log).toBe(0);
    expect(post.log).toContain("could report a result; the platform may have started a job. ");
  });

  test("resumes in a re-run what a killed runner started", async () => {
    await using cache = await startCacheService();
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      polls: [completedJob],
    });
    await using job = await createActionJob({
      inputs: { command: "export", "base-url": platform.url, "api-key": apiKey, domain: "docs.example.com" },
      environment: cache.environment,
    });
    const main = await job.startMain();
    const never = new Promise<never>(() => undefined);
    const fault = { kind: "hold", when: "before", until: never } as const;
    platform.faults.add({ method: "GET", fault, onMeet: () => main.signal("SIGKILL") });
    await main.result;

    const post = await job.post();
    await using again = await runExport(
      platform.url,
      {},
      { environment: cache.environment, run: { runAttempt: 2 } },
    );

    expect(post.exitCode, post.log).toBe(0);
    expect(post.log).toContain(
      "##[warning]The step was killed before it could report a result; export job se_1 may still run. Set `job-id: se_1` to continue with it.",
    );

    expect(again.result.outputs).toMatchObject({ outcome: "exported", "job-id": "se_1" });
    expect(platform.starts).toHaveLength(1);
    expectNoSecrets(again.result.visibleText, platform);
    expect(cache.keys.join()).not.toContain(apiKey);
  });

  test("says within seven seconds that it stopped waiting when the workflow is cancelled", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      polls: [{ jobId: "se_1", status: "running" }],
    });
    await using job = await createActionJob({
      inputs: {
        command: "export",
        "base-url": platform.url,
        "api-key": apiKey,
        domain: "d.example",
        upload: "none",
      },
    });
    const step = await job.startMain();
    await step.waitForLog(/Export job se_1: running/);
    const result = await step.cancel();
    // A signal from the runner's second round would have ended it without an exit code.
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toMatchObject({ outcome: "cancelled", "job-id": "se_1" });
    expect(result.visibleText).toContain("export job se_1 continues on the platform");
    expect(result.summary).toContain("`se_1`");
  });
});
