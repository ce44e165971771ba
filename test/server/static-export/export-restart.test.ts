import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTestPlatform, until } from "../test-platform.ts";
import { exportBundle, followExport, generateBundle, getExport, startExport } from "./export-client.ts";
import { archive, createFakeExporter, createGatedExporter } from "./fake-exporter.ts";

describe("after a restart on the same data directory", () => {
  test("jobs that were running or queued are taken up again", async () => {
    await using data = await createTemporaryFolder();
    const options = { dataDir: data.path };
    const before = await startTestPlatform(options, { exporter: createGatedExporter() });
    const ids = [await startExport(before), await startExport(before)];
    await until(
      () => getExport(before, ids[0] ?? ""),
      (job) => job.status === "running",
    );
    await before[Symbol.asyncDispose]();

    await using after = await startTestPlatform(options, { exporter: createFakeExporter() });
    const ends = await Promise.all(ids.map((id) => followExport(after, id)));

    expect(ends.map((job) => job.status)).toEqual(["completed", "completed"]);
  });

  test("an interrupted rendering leaves nothing of itself in the bundle's folder", async () => {
    await using data = await createTemporaryFolder();
    const options = { dataDir: data.path };
    const before = await startTestPlatform(options, { exporter: createGatedExporter() });
    const jobId = await startExport(before);
    await until(
      () => getExport(before, jobId),
      (job) => job.pageCount === 4,
    );
    await before[Symbol.asyncDispose]();
    const folder = join(data.path, "exports", "bundles", jobId);
    await writeFile(join(folder, "site", "stray.html"), "left behind");
    await writeFile(join(folder, "bundle.zip.partial"), "left behind");

    await using after = await startTestPlatform(options, { exporter: createFakeExporter() });
    await followExport(after, jobId);

    expect(await readdir(folder)).toEqual(["bundle.zip"]);
  });

  test("finished jobs are there, their links hold, and fresh links can be made", async () => {
    await using data = await createTemporaryFolder();
    const options = { dataDir: data.path };
    const deps = { exporter: createFakeExporter() };
    const before = await startTestPlatform(options, deps);
    const { jobId, bundleUrl } = await exportBundle(before);
    await before[Symbol.asyncDispose]();

    await using after = await startTestPlatform(options, deps);
    const oldLink = new URL(bundleUrl);
    oldLink.host = new URL(after.url).host;
    const download = await fetch(oldLink);
    const fresh = await generateBundle(after, jobId ?? "");

    expect(Buffer.from(await download.arrayBuffer()).equals(archive)).toBe(true);
    expect((await fetch(fresh.bundleUrl)).status).toBe(200);
  });

  test("a record that is not one is left alone with a warning, and half-written files go", async () => {
    await using data = await createTemporaryFolder();
    const options = { dataDir: data.path };
    const deps = { exporter: createFakeExporter() };
    const before = await startTestPlatform(options, deps);
    const { jobId } = await exportBundle(before);
    await before[Symbol.asyncDispose]();
    const records = join(data.path, "exports", "jobs");
    await writeFile(join(records, "se_broken.json"), '{"jobId":');
    await writeFile(join(records, `${jobId}.json.tmp`), "half");

    await using after = await startTestPlatform(options, deps);

    expect((await getExport(after, jobId ?? "")).status).toBe("completed");
    expect(after.warnings).toEqual([expect.stringContaining("se_broken.json")]);
    expect((await readdir(records)).sort()).toEqual([`${jobId}.json`, "se_broken.json"].sort());
  });
});
