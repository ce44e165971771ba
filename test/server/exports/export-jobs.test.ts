import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import { type Storage, StorageUnavailableError } from "../../../src/server/base/storage.ts";
import type { SiteExporter } from "../../../src/server/exports/export-jobs.ts";
import { readZip } from "../../support/read-zip.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTestPlatform, until } from "../test-platform.ts";
import {
  archive,
  createFakeExporter,
  createGatedExporter,
  domain,
  exportBundle,
  followExport,
  generateBundle,
  getExport,
  jobs,
  startExport,
} from "./export-platform.ts";

const anyDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const startOfYear = Date.parse("2026-01-01T00:00:00Z");

/** Exports a site on a platform that ends. `restart` starts another one with its data. */
async function exportAndEnd(dataDir: string) {
  const restart = () => startTestPlatform({ dataDir }, { exporter: createFakeExporter() });
  await using platform = await restart();
  return { ...(await exportBundle(platform)), restart };
}

describe("a static export job", () => {
  test("is queued, then running with progress, then completed", async () => {
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

  test.each([{}, { paths: ["guide"] }])("responds to a start with %j while it shuts down", async (fields) => {
    const shutdown = new AbortController();
    const exporter = createGatedExporter();
    await using platform = await startTestPlatform({}, { exporter, signal: shutdown.signal });
    const jobId = await startExport(platform, fields);
    await until(() => exporter.begun.length > 0);

    shutdown.abort();
    const again = await startExport(platform, fields);
    exporter.open();

    expect(again).toBe(jobId);
  });

  test("passes the version and the paths of its request to the renderer", async () => {
    const exporter = createGatedExporter();
    exporter.open();
    await using platform = await startTestPlatform({}, { exporter });

    await followExport(platform, await startExport(platform, { version: "v2", paths: ["guide"] }));

    expect(exporter.begun).toEqual([{ docsDir: platform.docsDir, version: "v2", paths: ["guide"] }]);
  });

  test("has its error in one line if it fails", async () => {
    const exporter = createGatedExporter({ failure: new Error("docs.json:\n  not valid JSON") });
    exporter.open();
    await using platform = await startTestPlatform({}, { exporter });

    const job = await followExport(platform, await startExport(platform));

    expect(job).toMatchObject({ status: "failed", error: "docs.json: not valid JSON" });
    expect(platform.warnings).toEqual([expect.stringContaining("docs.json: not valid JSON")]);
  });

  test("is logged with the reason if it is continued later", async () => {
    const exporter = createGatedExporter({ failure: new StorageUnavailableError("The bucket is away.") });
    exporter.open();
    await using platform = await startTestPlatform({}, { exporter });
    const jobId = await startExport(platform);

    const warnings = await until(
      async () => platform.warnings,
      ({ length }) => length > 0,
    );

    expect(warnings).toEqual([`Job ${jobId} is continued later: The bucket is away.`]);
    expect(await getExport(platform, jobId)).toMatchObject({ status: "running" });
  });

  test("waits while another export is running", async () => {
    const exporter = createGatedExporter();
    await using platform = await startTestPlatform({}, { exporter });

    const ids: string[] = [];
    for (const version of ["v1", "v2"]) ids.push(await startExport(platform, { version }));
    await until(() => exporter.begun.length === 1);
    const second = await getExport(platform, ids[1] ?? "");
    const begun = exporter.begun.length;
    exporter.open();

    expect(second.status).toBe("queued");
    expect(begun).toBe(1);
    expect((await followExport(platform, ids[1] ?? "")).status).toBe("completed");
  });

  test("is shared by identical requests while it is queued or its documents are unchanged", async () => {
    const exporter = createGatedExporter();
    await using platform = await startTestPlatform({}, { exporter });

    const same = await Promise.all([1, 2, 3].map(() => startExport(platform, { paths: ["guide", "index"] })));
    await until(() => exporter.begun.length > 0);
    same.push(
      await startExport(platform, { domain: "Docs.Example.COM", paths: ["index", "guide", "index"] }),
    );
    const other = await startExport(platform, { paths: ["guide"] });
    await writeFile(join(platform.docsDir, "guide.md"), "# Guide\n\nAnother text.\n");
    const changed = await startExport(platform, { paths: ["guide", "index"] });
    const waiting = await startExport(platform, { paths: ["guide", "index"] });
    exporter.open();
    await followExport(platform, changed);
    const afterwards = await startExport(platform, { paths: ["guide", "index"] });

    expect(new Set(same).size).toBe(1);
    expect(waiting).toBe(changed);
    expect(new Set([same[0], other, changed, afterwards]).size).toBe(4);
  });

  test("can be cancelled while it is queued or running, but not after its end", async () => {
    // An attempt looks every two seconds whether it was cancelled.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const exporter = createGatedExporter();
    await using platform = await startTestPlatform({}, { exporter });
    const running = await startExport(platform, { version: "v1" });
    const waiting = await startExport(platform, { version: "v2" });
    await until(async () => (await getExport(platform, running)).pageCount === 4);

    const cancel = (jobId: string) => platform.send(`${jobs}/${jobId}`, { method: "DELETE" });
    const answers = [await cancel(waiting), await cancel(running), await cancel(running)];
    // The cancelled job no longer counts as running, although the gate is closed.
    const next = await startExport(platform, { version: "v3" });
    vi.advanceTimersByTime(2_000);
    await followExport(platform, next, "running");
    exporter.open();
    await followExport(platform, next);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409]);
    for (const jobId of [running, waiting])
      expect(await getExport(platform, jobId)).toMatchObject({
        status: "failed",
        error: "The export was cancelled.",
      });
    expect(exporter.begun).toHaveLength(2);
    expect(platform.warnings).toEqual([]);
  });

  test("has no bundle while it is unfinished, or if it failed", async () => {
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

  test("creates a different link to the same archive for each bundle request", async () => {
    let now = startOfYear;
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter(), now: () => now });
    const first = await exportBundle(platform);

    const links = await Promise.all([1, 2, 3].map(() => generateBundle(platform, first.jobId)));
    now += 60_000;
    const response = await platform.send(`${jobs}/${first.jobId}/bundle`, { method: "POST" });

    // Even within one second, because of the nonce.
    expect(new Set([first, ...links].map(({ bundleUrl }) => bundleUrl)).size).toBe(4);
    expect(first).toMatchObject({ sizeBytes: 65_536, expiresAt: "2026-01-01T01:00:00.000Z" });
    expect(await response.json()).toEqual({
      jobId: first.jobId,
      bundleUrl: expect.not.stringContaining(first.bundleUrl),
      sizeBytes: 65_536,
      expiresAt: "2026-01-01T01:01:00.000Z",
    });
  });

  test("saves its progress once at a time while storage does not respond", async () => {
    const silent = () => undefined;
    await using data = await createTemporaryFolder();
    const clock = { now: startOfYear };
    const links = { lifetimeMs: 60_000, publicUrl: () => "http://localhost", now: () => clock.now };
    const responds = Promise.withResolvers<void>();
    let updates = 0;
    const openCluster = async () => {
      const storage = await openFileStorage(data.path, links, createRecordingLog());
      const openRecords: Storage["records"] = async (collection, schema) => {
        const records = await storage.records(collection, schema);
        const update: typeof records.update = async (...change) => {
          updates += 1;
          // The first two start the attempt and record the revision.
          if (updates > 2) await responds.promise;
          return records.update(...change);
        };
        return { ...records, update };
      };
      const observer = { request: silent, job: silent, answer: silent };
      return { storage: { ...storage, records: openRecords }, observer, routes: new Hono() };
    };
    let savedOf5 = 0;
    const render = createFakeExporter();
    const exporter: SiteExporter = async (options, signal, onProgress) => {
      for (const done of [1, 2, 3, 4, 5]) {
        clock.now += 2000;
        onProgress?.({ done, total: 10 });
      }
      savedOf5 = updates - 2;
      responds.resolve();
      return render(options, signal);
    };
    await using platform = await startTestPlatform({}, { exporter, openCluster, now: () => clock.now });

    const job = await followExport(platform, await startExport(platform));

    expect(job.status).toBe("completed");
    expect(savedOf5).toBe(1);
  });

  test("has a bundle of its own if it runs again after a restore of its record", async () => {
    await using data = await createTemporaryFolder();
    const { jobId, bundleUrl, restart } = await exportAndEnd(data.path);
    const file = join(data.path, "exports", "jobs", `${jobId}.json`);
    const { bundle: _lost, ...record } = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...record, status: "queued", attempt: 0 }));

    await using platform = await restart();
    await followExport(platform, jobId);
    const again = await generateBundle(platform, jobId);

    expect(new URL(again.bundleUrl).pathname).not.toBe(new URL(bundleUrl).pathname);
  });

  test("checks whether it was cancelled once at a time while storage does not respond", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const silent = () => undefined;
    await using data = await createTemporaryFolder();
    const links = { lifetimeMs: 60_000, publicUrl: () => "http://localhost", now: Date.now };
    const exporter = createGatedExporter();
    const responds = Promise.withResolvers<void>();
    let [checks, responding] = [0, true];
    const openCluster = async () => {
      const storage = await openFileStorage(data.path, links, createRecordingLog());
      const openRecords: Storage["records"] = async (collection, schema) => {
        const records = await storage.records(collection, schema);
        const get: typeof records.get = async (id) => {
          if (responding) return records.get(id);
          checks += 1;
          await responds.promise;
          return records.get(id);
        };
        return { ...records, get };
      };
      const observer = { request: silent, job: silent, answer: silent };
      return { storage: { ...storage, records: openRecords }, observer, routes: new Hono() };
    };
    await using platform = await startTestPlatform({}, { exporter, openCluster });
    const jobId = await startExport(platform);
    await until(async () => (await getExport(platform, jobId)).pageCount === 4);

    responding = false;
    vi.advanceTimersByTime(30_000);
    responding = true;
    responds.resolve();
    exporter.open();

    expect((await followExport(platform, jobId)).status).toBe("completed");
    expect(checks).toBe(1);
  });

  test("stays completed if old blobs cannot be removed", async () => {
    const links = { lifetimeMs: 60_000, publicUrl: () => "http://localhost", now: Date.now };
    const silent = () => undefined;
    const openCluster = async () => {
      const log = createRecordingLog();
      const storage = await openFileStorage(data.path, links, log);
      const removeAll = () => Promise.reject(new Error("Object storage answered 403 AccessDenied"));
      const blobs = { ...storage.blobs, removeAll };
      const observer = { request: silent, job: silent, answer: silent };
      return { storage: { ...storage, blobs }, observer, routes: new Hono() };
    };
    await using data = await createTemporaryFolder();
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter(), openCluster });

    const jobId = await startExport(platform);
    await followExport(platform, jobId, "completed");
    const next = await startExport(platform);
    await followExport(platform, next);

    expect((await getExport(platform, jobId)).status).toBe("completed");
  });

  test("loses the late upload of a superseded attempt with the next export", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    const { jobId, bundleUrl } = await exportBundle(platform);
    const bundles = join(platform.dataDir, "blobs", "bundles", jobId);
    await writeFile(join(bundles, "0.zip"), "late");

    await followExport(platform, await startExport(platform));

    await until(async () => !(await readdir(bundles)).includes("0.zip"));
    const bundle = await fetch(bundleUrl);
    expect(bundle.status).toBe(200);
    expect(bundle.headers.get("content-disposition")).toBe(`attachment; filename="${domain}.zip"`);
  });

  test("is kept while it is one of the newest, ended within the last hour, or has a valid link", async () => {
    let now = startOfYear;
    const deps = { exporter: createFakeExporter(), now: () => now };
    const minute = 60_000;
    const linkLifetimeMs = 180 * minute;
    await using platform = await startTestPlatform({ keptExports: 1, linkLifetimeMs }, deps);
    const exportOnce = async () => {
      const jobId = await startExport(platform);
      await followExport(platform, jobId);
      return jobId;
    };
    const linked = await exportBundle(platform);
    now += minute;
    const unlinked = await exportOnce();
    now += 31 * minute;
    const recent = await exportOnce();
    now += 30 * minute;

    const newest = await exportOnce();

    const statuses = () =>
      Promise.all(
        [linked.jobId, unlinked, recent, newest].map(
          async (id) => (await platform.send(`${jobs}/${id}`)).status,
        ),
      );
    expect(await until(statuses, ([, second]) => second === 404)).toEqual([200, 404, 200, 200]);
  });
});

describe("the newest bundle of a site", () => {
  test("is kept however many later exports fail", async () => {
    let now = startOfYear;
    const render = createFakeExporter();
    const exporter: SiteExporter = (...input) =>
      now === startOfYear ? render(...input) : Promise.reject(new Error("A broken page."));
    await using platform = await startTestPlatform({ keptExports: 1 }, { exporter, now: () => now });
    const { jobId } = await exportBundle(platform);
    const failed: string[] = [];
    for (let hours = 1; hours <= 3; hours += 1) {
      now = startOfYear + hours * 2 * 60 * 60_000;
      failed.push(await startExport(platform));
      await followExport(platform, failed.at(-1) ?? "");
    }

    // The last export removes the first failed one.
    await until(async () => (await platform.send(`${jobs}/${failed[0]}`)).status === 404);
    expect((await platform.send(`${jobs}/${jobId}/bundle`, { method: "POST" })).status).toBe(200);
  });
});

describe("a request for exports", () => {
  test("is rejected with 400 and the name of the invalid field", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    const expected = [
      [{}, "domain: is missing"],
      [{ domain, format: "zip" }, "unknown field format"],
      [{ domain: 7 }, "domain: must be of type string"],
      [{ domain: "https://docs.example.com/" }, "domain: must be a host name"],
      [{ domain: "other.example.com" }, "this platform does not serve other.example.com"],
      [{ domain, paths: [] }, "paths: must have at least 1 item"],
      [{ domain, paths: ["a", ""] }, "paths.1: must have at least 1 character"],
      [{ domain, paths: ["gone"] }, "paths.0: gone is neither a page nor a folder of pages."],
      [{ domain, paths: ["guide.md", "/guide/", "guid"] }, "paths.2: guid is neither"],
      [{ domain, paths: ["../secrets"] }, "paths.0: ../secrets is neither"],
    ] as const;

    for (const [json, message] of expected) {
      const response = await platform.send(jobs, { method: "POST", json });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.stringContaining(message) });
    }
  });

  test("is accepted if its paths cannot be checked; the job then fails with the reason", async () => {
    await using platform = await startTestPlatform();
    await rm(platform.docsDir, { recursive: true });

    const job = await followExport(platform, await startExport(platform, { domain, paths: ["guide"] }));

    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining("does not exist") });
  });

  test("is rejected if it is not JSON, has another content type or is too long", async () => {
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

  test("is rejected with 403 without the Enterprise plan", async () => {
    await using platform = await startTestPlatform({ plan: "pro" }, { exporter: createFakeExporter() });

    const responses = await Promise.all([
      platform.send(jobs, { method: "POST", json: { domain } }),
      platform.send(`${jobs}/se_none`),
      platform.send(`${jobs}/se_none/bundle`, { method: "POST" }),
    ]);

    expect(responses.map((response) => response.status)).toEqual([403, 403, 403]);
    expect(await responses[0]?.json()).toEqual({ error: expect.stringContaining("Enterprise plan") });
  });

  test("is rejected with 404 or 405 for an unknown job, URL or method", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });

    const responses = await Promise.all([
      platform.send(`${jobs}/se_none`),
      platform.send(`${jobs}/..%2f..%2flink-signing-key`),
      platform.send("/v3/nothing"),
      platform.send(jobs, { method: "DELETE" }),
    ]);
    const link = await platform.send("/blobs/bundles/se_none/1.zip?signature=wrong");

    expect(responses.map((response) => response.status)).toEqual([404, 404, 404, 405]);
    expect(responses[3]?.headers.get("allow")).toBe("POST");
    for (const response of responses) {
      expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
    expect(link.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
  });
});

describe("after a restart on the same data directory", () => {
  test("running and queued jobs are resumed, and files of interrupted ones are removed", async () => {
    await using data = await createTemporaryFolder();
    const options = { dataDir: data.path };
    const before = await startTestPlatform(options, { exporter: createGatedExporter() });
    const ids = [await startExport(before), await startExport(before, { version: "v2" })];
    await until(async () => (await getExport(before, ids[0] ?? "")).pageCount === 4);
    await before[Symbol.asyncDispose]();
    await mkdir(join(data.path, "work", "stray"));
    const blobs = join(data.path, "blobs", "bundles", ids[0] ?? "");
    await mkdir(blobs, { recursive: true });
    // As if a process ended after uploading the bundle and before recording it.
    await writeFile(join(blobs, "1.zip"), "left behind");

    await using after = await startTestPlatform(options, { exporter: createFakeExporter() });
    const ends = await Promise.all(ids.map((id) => followExport(after, id)));

    expect(ends.map((job) => job.status)).toEqual(["completed", "completed"]);
    // Blobs of earlier attempts and the work folder are removed right after the job is recorded as ended.
    await until(async () => /^2-\w+\.zip$/.test((await readdir(blobs)).join()));
    await until(async () => (await readdir(join(data.path, "work"))).length === 0);
  });

  test("finished jobs and their links still work, and new links can be created", async () => {
    await using data = await createTemporaryFolder();
    const { jobId, bundleUrl, restart } = await exportAndEnd(data.path);

    await using after = await restart();
    const oldLink = new URL(bundleUrl);
    oldLink.host = new URL(after.url).host;
    const download = await fetch(oldLink);
    const fresh = await generateBundle(after, jobId);

    expect(Buffer.from(await download.arrayBuffer()).equals(archive)).toBe(true);
    expect((await fetch(fresh.bundleUrl)).status).toBe(200);
  });

  test("an invalid record is ignored with a warning, and partial files are removed", async () => {
    await using data = await createTemporaryFolder();
    const { jobId, restart } = await exportAndEnd(data.path);
    const records = join(data.path, "exports", "jobs");
    await writeFile(join(records, "se_broken.json"), '{"jobId":');
    await writeFile(join(records, `${jobId}.json.tmp`), "half");

    await using after = await restart();

    expect((await getExport(after, jobId)).status).toBe("completed");
    expect(after.warnings).toEqual([expect.stringContaining("se_broken.json")]);
    expect((await readdir(records)).sort()).toEqual([`${jobId}.json`, "se_broken.json"].sort());
  });
});

describe("the platform's own renderer", () => {
  test("renders the documents into a bundle, and its link returns exactly its bytes", async () => {
    await using platform = await startTestPlatform();
    const { bundleUrl, sizeBytes } = await exportBundle(platform);

    const response = await fetch(bundleUrl);
    const bytes = Buffer.from(await response.arrayBuffer());

    expect(bytes).toHaveLength(sizeBytes ?? -1);
    expect(readZip(bytes).get("guide.html")?.toString()).toContain("Rotate keys every 90 days.");
    expect(platform.warnings).toEqual([]);
  });

  test("counts the pages, and exports only the requested paths", async () => {
    await using platform = await startTestPlatform();

    const jobId = await startExport(platform, { paths: ["guide"] });
    const job = await followExport(platform, jobId);
    const bundle = await fetch((await generateBundle(platform, jobId)).bundleUrl);

    expect(job).toMatchObject({ status: "completed", pageCount: 1 });
    expect(readZip(Buffer.from(await bundle.arrayBuffer())).has("guide.html")).toBe(true);
  });

  test("responds to polls while it renders, with increasing progress", async () => {
    await using platform = await startTestPlatform();
    const text = "Some text. ".repeat(500);
    for (let page = 0; page < 40; page += 1) {
      await writeFile(join(platform.docsDir, `page-${page}.md`), `# Page ${page}\n\n${text}\n`);
    }
    const jobId = await startExport(platform);
    const counts = new Set<unknown>();

    await until(
      async () => {
        const job = await getExport(platform, jobId);
        counts.add(job.pageCount);
        return job;
      },
      ({ status }) => status === "completed",
    );

    expect(counts.size).toBeGreaterThan(2);
  });

  test("logs warnings about documents, and exports them", async () => {
    await using platform = await startTestPlatform();
    await writeFile(join(platform.docsDir, "odd.mdx"), "# Odd\n\n<Bogus>text</Bogus>\n\n[gone](/gone)\n");

    const job = await followExport(platform, await startExport(platform));

    expect(job).toMatchObject({ status: "completed", pageCount: 3 });
    expect(platform.warnings).toEqual([
      expect.stringMatching(/^odd\.mdx:3: .*Bogus/),
      expect.stringMatching(/^odd\.mdx:5: .*\/gone/),
      "The documents were exported with 2 warnings (component 1, link 1). The bundle's export-report.json lists them.",
    ]);
  });
});
