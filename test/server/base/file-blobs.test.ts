import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createBlobLinks } from "../../../src/server/base/file-storage.ts";
import { archive, createFakeExporter, exportBundle } from "../exports/export-platform.ts";
import { startTestPlatform } from "../test-platform.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

async function startWithBundle() {
  const clock = { now: start };
  const platform = await startTestPlatform({}, { exporter: createFakeExporter(), now: () => clock.now });
  const { bundleUrl } = await exportBundle(platform);
  return {
    platform,
    clock,
    bundleUrl,
    download: (headers: Record<string, string> = {}, method = "GET") => fetch(bundleUrl, { method, headers }),
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe("downloading a bundle", () => {
  test("needs only the link, and returns the archive's bytes", async () => {
    await using bundle = await startWithBundle();

    const response = await bundle.download();

    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-disposition": 'attachment; filename="docs.example.com.zip"',
      "content-length": "65536",
      "content-type": "application/zip",
      etag: expect.stringMatching(/^"bundles\/se_\w+\/1-\w+\.zip"$/),
    });
    expect((await bytesOf(response)).equals(archive)).toBe(true);
  });

  test("by HEAD returns the headers of GET, and ignores ranges", async () => {
    await using bundle = await startWithBundle();

    const response = await bundle.download({ range: "bytes=0-9" }, "HEAD");

    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("65536");
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test("supports a single range", async () => {
    await using bundle = await startWithBundle();
    const expected = [
      ["bytes=0-99", 206, "bytes 0-99/65536"],
      ["bytes=65000-", 206, "bytes 65000-65535/65536"],
      ["bytes=65000-99999", 206, "bytes 65000-65535/65536"],
      ["bytes=-10", 206, "bytes 65526-65535/65536"],
      ["bytes=-99999", 206, "bytes 0-65535/65536"],
      ["bytes=65535-65535", 206, "bytes 65535-65535/65536"],
      ["bytes=65536-", 416, "bytes */65536"],
      ["bytes=99999-100000", 416, "bytes */65536"],
      ["bytes=-0", 416, "bytes */65536"],
    ] as const;

    for (const [range, status, contentRange] of expected) {
      const response = await bundle.download({ range });
      const [, first = 0, last = 65_535] = /bytes (\d+)-(\d+)/.exec(contentRange ?? "") ?? [];
      const part = status === 416 ? Buffer.alloc(0) : archive.subarray(Number(first), Number(last) + 1);
      expect([range, response.status]).toEqual([range, status]);
      expect(response.headers.get("content-range")).toBe(contentRange);
      expect((await bytesOf(response)).equals(part)).toBe(true);
    }
  });

  test("does not resume a part of another version", async () => {
    await using bundle = await startWithBundle();
    const etag = (await bundle.download({}, "HEAD")).headers.get("etag") ?? "";
    const range = "bytes=1000-";

    const statuses = [
      (await bundle.download({ range, "if-range": etag })).status,
      (await bundle.download({ range, "if-range": '"other"' })).status,
      (await bundle.download({ range, "if-match": etag })).status,
      (await bundle.download({ range, "if-match": '"other"' })).status,
      (await bundle.download({ "if-none-match": `"other", W/${etag}` })).status,
    ];

    expect(statuses).toEqual([206, 200, 206, 412, 304]);
  });

  test("can be aborted by the client", async () => {
    await using bundle = await startWithBundle();
    const abort = new AbortController();
    const response = await fetch(bundle.bundleUrl, { signal: abort.signal });
    const reader = response.body?.getReader();
    await reader?.read();

    abort.abort();

    expect((await bundle.download()).status).toBe(200);
    expect(bundle.platform.warnings).toEqual([]);
  });
});

describe("a link to a bundle", () => {
  test("is not found if the file is gone", async () => {
    await using bundle = await startWithBundle();
    await rm(join(bundle.platform.dataDir, new URL(bundle.bundleUrl).pathname));

    const response = await bundle.download();

    expect(response.status).toBe(404);
    expect(await response.text()).toContain("<Code>NoSuchKey</Code>");
  });

  test("works until it expires", async () => {
    await using bundle = await startWithBundle();

    bundle.clock.now = start + 60 * 60 * 1000 - 1;
    const before = await bundle.download({}, "HEAD");
    bundle.clock.now += 1;
    const after = await bundle.download();

    expect([before.status, after.status]).toEqual([200, 403]);
    expect(await after.text()).toContain("<Code>AccessDenied</Code><Message>The link has expired.");
  });

  test("is rejected if it was altered", async () => {
    await using bundle = await startWithBundle();
    const changes: ((url: URL) => void)[] = [
      (url) => url.searchParams.set("expires", "99999999999"),
      (url) => url.searchParams.delete("expires"),
      (url) => url.searchParams.delete("signature"),
      (url) => url.searchParams.set("signature", "AAAA"),
      (url) => url.searchParams.set("signature", "A".repeat(43)),
      (url) => {
        url.pathname = "/blobs/bundles/se_0000000000000000/1.zip";
      },
    ];

    for (const change of changes) {
      const url = new URL(bundle.bundleUrl);
      change(url);
      const response = await fetch(url);
      expect([url.href, response.status]).toEqual([url.href, 403]);
      expect(await response.text()).toContain("<Code>SignatureDoesNotMatch</Code>");
    }
  });

  test("starts with the public URL, expires at a whole second, and is valid for its secret only", () => {
    const now = () => Date.parse("2026-01-01T00:00:00.999Z");
    const publicUrl = () => "https://platform.example.com/docs";
    const [ours, theirs] = [1, 2].map((fill) =>
      createBlobLinks(Buffer.alloc(32, fill), { lifetimeMs: 90_000, publicUrl, now }),
    );
    const link = ours?.sign("bundles/se_1/1.zip", "docs.zip");
    const query = Object.fromEntries(new URL(link?.url ?? "").searchParams);

    expect(link).toEqual({
      url: expect.stringMatching(
        /^https:\/\/platform\.example\.com\/docs\/blobs\/bundles\/se_1\/1\.zip\?expires=1767225690&nonce=[\w-]{12}&file=docs\.zip&signature=[\w-]{43}$/,
      ),
      expiresAt: "2026-01-01T00:01:30.000Z",
    });
    const results = ["nonce", "file"].map((name) =>
      ours?.verify("bundles/se_1/1.zip", { ...query, [name]: "another" }),
    );
    expect(results).toEqual(["forged", "forged"]);
    expect(ours?.verify("bundles/se_2/1.zip", query)).toBe("forged");
    expect([ours?.verify("bundles/se_1/1.zip", query), theirs?.verify("bundles/se_1/1.zip", query)]).toEqual([
      "valid",
      "forged",
    ]);
  });
});
