import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readZip } from "../../support/read-zip.ts";
import { startTestPlatform, until } from "../test-platform.ts";
import { exportBundle, followExport, generateBundle, getExport, startExport } from "./export-client.ts";

describe("the platform's own renderer", () => {
  test("turns the documents into a bundle whose link gives exactly its bytes", async () => {
    await using platform = await startTestPlatform();
    const { bundleUrl, sizeBytes } = await exportBundle(platform);

    const response = await fetch(bundleUrl);
    const bytes = Buffer.from(await response.arrayBuffer());
    const files = readZip(bytes);

    expect(bytes).toHaveLength(sizeBytes ?? -1);
    expect(response.headers.get("etag")).toBe(`"${createHash("sha256").update(bytes).digest("hex")}"`);
    expect(files.get("guide.html")?.toString()).toContain("Rotate keys every 90 days.");
    expect(platform.warnings).toEqual([]);
  });

  test("counts the pages, and exports only those that were asked for", async () => {
    await using platform = await startTestPlatform();

    const jobId = await startExport(platform, { paths: ["guide"] });
    const job = await followExport(platform, jobId);
    const bundle = await fetch((await generateBundle(platform, jobId)).bundleUrl);

    expect(job).toMatchObject({ status: "completed", pageCount: 1 });
    expect(readZip(Buffer.from(await bundle.arrayBuffer())).has("guide.html")).toBe(true);
  });

  test("looks at a job are answered while it renders, and see it move", async () => {
    await using platform = await startTestPlatform();
    for (let page = 0; page < 40; page += 1) {
      await writeFile(
        join(platform.docsDir, `page-${page}.md`),
        `# Page ${page}\n\n${"Some text. ".repeat(500)}\n`,
      );
    }
    const jobId = await startExport(platform);
    const seen = new Set<unknown>();

    await until(
      async () => {
        const job = await getExport(platform, jobId);
        seen.add(job.pageCount);
        return job;
      },
      ({ status }) => status === "completed",
    );

    expect(seen.size).toBeGreaterThan(2);
  });

  test("remarks on the documents reach the log, and do not fail the export", async () => {
    await using platform = await startTestPlatform();
    await writeFile(join(platform.docsDir, "odd.mdx"), "# Odd\n\n<Bogus>text</Bogus>\n\n[gone](/gone)\n");

    const job = await followExport(platform, await startExport(platform));

    expect(job).toMatchObject({ status: "completed", pageCount: 3 });
    expect(platform.warnings).toEqual(["The documents were exported with 2 remarks."]);
  });
});
