/** `command: export`: the built action as a process, as the runner starts it, against platforms, storage and the artifact service. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { buildTarGz, buildZip } from "../support/archives.ts";
import { type ArtifactService, startArtifactService } from "../support/artifact-service.ts";
import { completedJob, type ExportPlatform, startExportPlatform } from "../support/export-platform.ts";
import { startHttpServer } from "../support/http-server.ts";
import { type ActionUse, createActionJob } from "../support/run-action.ts";

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

/** Everything below a folder, so that a test can say that nothing is left. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
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

  const local = { "base-url": "local", "docs-dir": docsDir, "api-key": "", domain: "" };

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
    expect(Date.parse(outputs["expires-at"] ?? "")).toBeGreaterThan(Date.now());
    expect(await artifacts.read("docs-export.zip")).toEqual(bundle);
    expect(summary).toContain(`| SHA-256 | \`${sha256(bundle)}\` |`);
    expect(summary).toContain("| Pages | 3 |");
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

  test("uploads the extracted site", async () => {
    await using run = await runExport(
      "local",
      { ...local, upload: "site", "artifact-name": "pages-of-docs" },
      { environment: artifacts.environment },
    );
    expect(run.result.outputs["outcome"]).toBe("exported");
    const site = run.result.outputs["site-path"] ?? "";
    expect((await filesBelow(site)).map((path) => path.slice(site.length + 1))).toContain("index.html");
    expect((await artifacts.read("pages-of-docs")).subarray(0, 2).toString()).toBe("PK");
  });

  test("makes the same bytes twice", async () => {
    await using one = await runExport("local", local);
    await using two = await runExport("local", local, { environment: { TZ: "Asia/Kathmandu" } });
    expect(one.result.outputs["bundle-sha256"]).toMatch(/^[0-9a-f]{64}$/);
    expect(two.result.outputs["bundle-sha256"]).toBe(one.result.outputs["bundle-sha256"]);
  });

  test("says what is wrong with a folder that is not there", async () => {
    await using run = await runExport("local", { ...local, "docs-dir": "no-such-folder" });
    expect(run.result.exitCode).toBe(1);
    expect(run.result.outputs).toMatchObject({ outcome: "error" });
    expect(run.result.visibleText).toContain("no-such-folder");
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

  test("sends nothing but the domain unless more was set", async () => {
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    await using run = await runExport(platform.url);
    expect(run.result.exitCode).toBe(0);
    expect(platform.starts).toEqual([{ domain: "docs.example.com" }]);
  });

  test("survives 503s, resets, HTML and unknown statuses while it waits", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [
        { status: "warming-up" },
        {},
        {},
        { status: "running", progress: "95%", pageCount: "11" },
        completedJob,
      ],
    });
    const path = /jobs\/se_1$/;
    platform.faults.add({
      path,
      fault: { kind: "answer", status: 503, body: "<html><title>Busy</title></html>" },
    });
    platform.faults.add({ path, skip: 1, fault: { kind: "reset", when: "after" } });
    platform.faults.add({
      path,
      skip: 1,
      fault: { kind: "answer", status: 200, body: "<html>login</html>" },
    });
    await using run = await runExport(platform.url);
    expect(run.result.outputs).toMatchObject({ outcome: "exported", "page-count": "12" });
    expect(platform.starts).toHaveLength(1);
    expect(run.result.annotations.map(({ message }) => message)).toEqual([
      expect.stringContaining("a status this action does not know (“warming-up”)"),
      expect.stringContaining("has no status"),
    ]);
  });

  test.each([
    ["cut before it was handled", { kind: "reset", when: "before" }, 0],
    ["cut after it was handled", { kind: "reset", when: "after" }, 1],
    ["500", { kind: "answer", when: "after", status: 500 }, 1],
    ["502 with HTML", { kind: "answer", status: 502, body: "<html><title>Bad Gateway</title></html>" }, 0],
    ["garbage", { kind: "answer", when: "after", status: 200, body: "garbage" }, 1],
    ["an object without a job", { kind: "answer", when: "after", status: 202, body: "{}" }, 1],
  ] as const)(
    "sends one start request when its answer is %s, and ends unknown",
    async (_name, fault, handled) => {
      await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
      platform.faults.add({ method: "POST", path: /jobs$/, times: Number.POSITIVE_INFINITY, fault });
      await using run = await runExport(platform.url);
      expect(run.result.exitCode).toBe(1);
      expect(run.result.outputs).toMatchObject({ outcome: "unknown", "error-code": expect.any(String) });
      expect(platform.requests).toHaveLength(1);
      expect(platform.starts).toHaveLength(handled);
      expect(run.result.summary).toContain("`unknown`");
    },
  );

  test.each([
    [401, "unauthorized", "API keys page"],
    [403, "forbidden", "allow-list"],
    [404, "not-found", "`base-url`"],
    [400, "rejected", "refused"],
  ])("ends with the next step when the platform answers %i", async (status, code, hint) => {
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    platform.faults.add({
      fault: {
        kind: "answer",
        status,
        body: '{"error":"no ::error::way <b>\\u202e@mona"}',
        headers: { "x-request-id": "req-9" },
      },
    });
    await using run = await runExport(platform.url);
    expect(run.result.exitCode).toBe(1);
    expect(run.result.outputs).toMatchObject({ outcome: "error", "error-code": code });
    expect(JSON.parse(run.result.outputs["error-json"] ?? "")).toMatchObject({
      code,
      status,
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

  test("shows the platform's reason of a failed job", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [
        { jobId: "se_1", status: "failed", error: "page quota exceeded\n::error::injected", pageCount: 3 },
      ],
    });
    await using run = await runExport(platform.url);
    expect(run.result.exitCode).toBe(1);
    expect(run.result.outputs).toMatchObject({
      outcome: "failed",
      "error-code": "job-failed",
      "job-id": "se_1",
      status: "failed",
    });
    expect(run.result.annotations.map(({ message }) => message)).toEqual([
      expect.stringContaining("Export job se_1 failed: page quota exceeded ::error::injected"),
    ]);
  });

  test("is green for an outcome that `fail-on` does not name", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [{ jobId: "se_1", status: "failed", error: "no" }],
    });
    await using run = await runExport(platform.url, { "fail-on": "timed-out" });
    expect(run.result.exitCode).toBe(0);
    expect(run.result.outputs["outcome"]).toBe("failed");
    expect(run.result.annotations).toMatchObject([{ level: "warning" }]);
  });

  test("times out at the deadline with the job's id", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [{ jobId: "se_1", status: "running", progress: 10 }],
    });
    await using run = await runExport(platform.url, { "timeout-minutes": "0.05" });
    expect(run.result.exitCode).toBe(1);
    expect(run.result.outputs).toMatchObject({
      outcome: "timed-out",
      "error-code": "timed-out",
      "job-id": "se_1",
      status: "running",
    });
    expect(run.result.summary).toContain("`se_1`");
  });

  test("starts and leaves with `wait: false`", async () => {
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    await using run = await runExport(platform.url, { wait: "false" });
    expect(run.result.exitCode).toBe(0);
    expect(run.result.outputs).toMatchObject({ outcome: "detached", "job-id": "se_1" });
    expect(platform.requests.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("fetches the bundle of an existing job without a new export", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [completedJob],
    });
    await using run = await runExport(platform.url, { "job-id": "se_1", domain: "" });
    expect(run.result.outputs).toMatchObject({ outcome: "exported", "job-id": "se_1" });
    expect(platform.starts).toEqual([]);
  });

  test.each([
    ["another envelope", { data: { bundleUrl: "https://storage.example/b.tgz?X-Amz-Signature=SECRET" } }],
    ["another name", { bundle_url: "https://storage.example/b.tgz?X-Amz-Signature=SECRET" }],
    ["a relative link", { bundleUrl: "/b.tgz?X-Amz-Signature=SECRET" }],
    [
      "an error that quotes it",
      { error: "cannot sign https://storage.example/b.tgz?X-Amz-Signature=SECRET" },
    ],
  ])("shows no link that comes in %s", async (_name, body) => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [completedJob],
    });
    platform.faults.add({
      path: /\/bundle$/,
      times: Number.POSITIVE_INFINITY,
      fault: { kind: "answer", status: 400, body: JSON.stringify(body) },
    });
    platform.faults.add({
      path: /\/bundle$/,
      fault: { kind: "answer", status: 200, body: JSON.stringify(body) },
    });
    await using run = await runExport(platform.url, { "job-id": "se_1" });
    expect(run.result.outputs["outcome"]).toBe("error");
    expect(run.result.rawLog + run.result.rawSummary + run.result.outputs["error-json"]).not.toContain(
      "SECRET",
    );
  });

  test.each([
    [{ code: "quota", detail: "page quota exceeded" }, "page quota exceeded"],
    [["first reason", "second"], "first reason"],
    [null, "the platform gave no reason"],
  ])("shows the reason of a failed job from %j", async (error, reason) => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [{ jobId: "se_1", status: "FAILED", error }],
    });
    await using run = await runExport(platform.url, { "job-id": "se_1" });
    expect(run.result.outputs["outcome"]).toBe("failed");
    expect(run.result.visibleText).toContain(reason);
  });

  test("replaces the site of the run before in the same workspace", async () => {
    await using artifacts = await startArtifactService();
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [completedJob],
    });
    const inputs = {
      command: "export",
      "base-url": platform.url,
      "api-key": apiKey,
      "job-id": "se_1",
      upload: "site",
    };
    await using first = await createActionJob({ inputs, environment: artifacts.environment });
    expect((await first.main()).outputs["outcome"]).toBe("exported");
    await writeFile(join(first.workspace, "docs-export", "site", "stale.html"), "from the run before");
    await using again = await createActionJob({
      inputs: { ...inputs, "artifact-name": "again" },
      environment: artifacts.environment,
      workspace: first.workspace,
    });
    const result = await again.main();
    expect(result.outputs["outcome"]).toBe("exported");
    const names = (await filesBelow(join(first.workspace, "docs-export"))).map((path) =>
      path.slice(first.workspace.length + 1),
    );
    expect(names.sort()).toEqual([
      "docs-export/again.tar.gz",
      "docs-export/docs-export.tar.gz",
      "docs-export/site/guide/start.html",
      "docs-export/site/index.html",
    ]);
  });

  test("asks again for a link that has already expired", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz }, linkLifeMs: 3_600_000 },
      looks: [completedJob],
    });
    platform.faults.add({
      path: /\/bundle$/,
      fault: {
        kind: "answer",
        status: 200,
        body: JSON.stringify({
          bundleUrl: `${platform.storage.origin}/old?X-Amz-Signature=dead-and-gone`,
          expiresAt: "2020-01-01T00:00:00Z",
        }),
      },
    });
    await using run = await runExport(platform.url, { "job-id": "se_1" });
    expect(run.result.outputs["outcome"]).toBe("exported");
    expect(run.result.visibleText).not.toContain("dead-and-gone");
  });

  test("sends nothing in a dry run, and shows what it would send", async () => {
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    await using run = await runExport(platform.url, { "dry-run": "true" });
    expect(run.result.exitCode).toBe(0);
    expect(run.result.outputs).toMatchObject({ outcome: "skipped", "skip-reason": "dry-run" });
    expect(run.result.summary).toContain('"domain": "docs.example.com"');
    expect(platform.requests).toEqual([]);
  });

  test("tells the truth within seven seconds when the workflow is cancelled", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [{ jobId: "se_1", status: "running" }],
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
    expect(result.visibleText).toContain("export job se_1 goes on at the platform");
    expect(result.summary).toContain("`se_1`");
  });
});

describe.concurrent("a bundle that must not be kept", () => {
  const hostile = {
    "a path that leaves the folder": buildTarGz([{ name: "../evil.html", body: "x" }]),
    "an absolute path": buildTarGz([{ name: "/tmp/evil.html", body: "x" }]),
    "a symbolic link": buildTarGz([{ name: "link", type: "2", linkName: "/etc/passwd" }]),
    "a device": buildTarGz([{ name: "dev", type: "3" }]),
    "a backslash path in a zip": buildZip([{ name: "..\\evil.html", body: "x" }]),
  };

  test.each(Object.entries(hostile))("is refused for %s, with nothing left behind", async (_name, body) => {
    await using platform = await startExportPlatform({
      storage: { object: { body } },
      looks: [completedJob],
    });
    await using run = await runExport(platform.url, { upload: "site" });
    expect(run.result.exitCode).toBe(1);
    expect(run.result.outputs).toMatchObject({
      outcome: "error",
      "error-code": "unsafe-archive",
      "job-id": "se_1",
    });
    expect(await filesBelow(run.job.workspace)).toEqual([]);
  });

  test("is refused when it unpacks to more than `max-bundle-megabytes`", async () => {
    const body = buildTarGz([{ name: "big.html", body: Buffer.alloc(3_000_000) }]);
    await using platform = await startExportPlatform({
      storage: { object: { body } },
      looks: [completedJob],
    });
    await using run = await runExport(platform.url, { "max-bundle-megabytes": "1" });
    expect(run.result.outputs["error-code"]).toBe("bundle-too-large");
    expect(await filesBelow(run.job.workspace)).toEqual([]);
  });

  test("is named when storage sends an HTML page instead", async () => {
    const body = Buffer.from("<!doctype html><title>Sign in</title>");
    await using platform = await startExportPlatform({
      storage: { object: { body } },
      looks: [completedJob],
    });
    await using run = await runExport(platform.url);
    expect(run.result.outputs["error-code"]).toBe("bundle-corrupt");
    expect(run.result.visibleText).toMatch(/HTML/);
    expect(await filesBelow(run.job.workspace)).toEqual([]);
  });
});

describe.concurrent("the values file of a deployment", () => {
  const before = '# ours\nreplicas: 2\nstaticExport:\n  enabled: false # for now\n  bundleUrl: ""\n';

  /** Runs an export in a workspace that holds a values file; `.git` makes the workspace a repository. */
  async function runWithValues(
    platform: ExportPlatform,
    inputs: Record<string, string>,
    isRepository = false,
  ) {
    const job = await createActionJob({
      inputs: {
        command: "export",
        "base-url": platform.url,
        "api-key": apiKey,
        "job-id": "se_1",
        upload: "none",
        "values-file": "deploy/values.yaml",
        ...inputs,
      },
    });
    const path = join(job.workspace, "deploy", "values.yaml");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, before);
    if (isRepository) await mkdir(join(job.workspace, ".git"));
    const result = await job.main();
    return {
      result,
      text: await readFile(path, "utf8"),
      [Symbol.asyncDispose]: () => job[Symbol.asyncDispose](),
    };
  }

  const startCompleted = () =>
    startExportPlatform({ storage: { object: { body: tarGz } }, looks: [completedJob] });

  test("gets the durable address and the job as version, and nothing else changes", async () => {
    await using platform = await startCompleted();
    await using run = await runWithValues(
      platform,
      { "values-bundle-url": "https://cdn.example.com/docs.tar.gz" },
      true,
    );
    expect(run.result.outputs["outcome"]).toBe("exported");
    expect(run.text).toBe(
      '# ours\nreplicas: 2\nstaticExport:\n  enabled: true # for now\n  bundleUrl: "https://cdn.example.com/docs.tar.gz"\n  version: "se_1"\n',
    );
    expect(run.result.annotations).toEqual([]);
    expect(run.result.summary).toContain("`deploy/values.yaml`, updated");
  });

  test("gets the link that expires, with a warning that says when", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz }, linkLifeMs: 3_600_000 },
      looks: [completedJob],
    });
    await using run = await runWithValues(platform, {});
    expect(run.text).toContain(`bundleUrl: ${JSON.stringify(platform.links.at(-1))}`);
    expect(run.result.summary).toMatch(/link in the values file expires at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expectNoSecrets(run.result.visibleText, platform);
  });

  test("of a repository is refused such a link before anything is exported", async () => {
    await using platform = await startCompleted();
    await using run = await runWithValues(platform, {}, true);
    expect(run.result.outputs).toMatchObject({ outcome: "error", "error-code": "invalid-input" });
    expect(run.text).toBe(before);
    expect(platform.requests).toEqual([]);
  });

  test("of a repository gets it when that is asked for", async () => {
    await using platform = await startCompleted();
    await using run = await runWithValues(platform, { "values-bundle-url": "presigned" }, true);
    expect(run.text).toContain(JSON.stringify(platform.links.at(-1)));
  });

  test("is left alone when the bundle is not whole", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz.subarray(0, tarGz.length - 9) } },
      looks: [completedJob],
    });
    await using run = await runWithValues(platform, {
      "values-bundle-url": "https://cdn.example.com/docs.tar.gz",
    });
    expect(run.result.outputs["error-code"]).toBe("bundle-corrupt");
    expect(run.text).toBe(before);
  });

  test("is refused unless it is UTF-8: it could not be written back byte for byte", async () => {
    await using platform = await startCompleted();
    await using job = await createActionJob({
      inputs: {
        command: "export",
        "base-url": platform.url,
        "api-key": apiKey,
        "job-id": "se_1",
        upload: "none",
        "values-file": "values.yaml",
      },
    });
    const bytes = Buffer.from("# caf\xe9\nname: \xe9\n", "latin1");
    await writeFile(join(job.workspace, "values.yaml"), bytes);
    expect((await job.main()).outputs["error-code"]).toBe("invalid-input");
    expect(await readFile(join(job.workspace, "values.yaml"))).toEqual(bytes);
    expect(platform.requests).toEqual([]);
  });

  test.each([
    ["missing.yaml", "cannot be read"],
    ["../values.yaml", "cannot be read"],
  ])("named %s is refused before anything is exported", async (file, message) => {
    await using platform = await startCompleted();
    await using run = await runWithValues(platform, { "values-file": file });
    expect(run.result.visibleText).toContain(message);
    expect(platform.requests).toEqual([]);
  });
});

describe.concurrent("a run that cannot start", () => {
  test("reports every problem of its inputs at once, before any request", async () => {
    await using platform = await startExportPlatform({ storage: { object: { body: tarGz } } });
    await using run = await runExport(platform.url, {
      "api-key": "svc_dsc_public",
      domain: "",
      upload: "tar",
    });
    expect(run.result.exitCode).toBe(1);
    expect(run.result.outputs).toMatchObject({ outcome: "error", "error-code": "invalid-input" });
    expect(run.result.visibleText).toMatch(/3 inputs need attention.*`upload`.*`api-key`.*`domain`/);
    expect(platform.requests).toEqual([]);
  });

  test("is skipped without a key when asked to", async () => {
    await using run = await runExport("https://platform.invalid", {
      "api-key": "",
      "on-missing-key": "skip",
    });
    expect(run.result.exitCode).toBe(0);
    expect(run.result.outputs).toMatchObject({ outcome: "skipped", "skip-reason": "missing-key" });
  });

  test("says that nobody answers, and where", async () => {
    let url: string;
    {
      await using closed = await startHttpServer(() => new Response());
      url = closed.url;
    }
    await using run = await runExport(url, { "timeout-minutes": "0.02" });
    expect(run.result.outputs).toMatchObject({ outcome: "error", "error-code": "unreachable" });
    expect(run.result.visibleText).toContain(url);
  });

  test("warns of an input that export does not use", async () => {
    await using platform = await startExportPlatform({
      storage: { object: { body: tarGz } },
      looks: [completedJob],
    });
    await using run = await runExport(platform.url, { "project-id": "p1" });
    expect(run.result.annotations).toMatchObject([
      {
        level: "warning",
        message: "`project-id` is not used by `export`; it belongs to `agent`, `reconcile`, `doctor`.",
      },
    ]);
  });
});
