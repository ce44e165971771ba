import { describe, expect, test } from "vitest";
import { startTestPlatform } from "../test-platform.ts";
import { exportBundle } from "./export-client.ts";
import { archive, createFakeExporter } from "./fake-exporter.ts";

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
  test("needs the link only, and answers with the archive's bytes", async () => {
    await using bundle = await startWithBundle();

    const response = await bundle.download();

    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-disposition": 'attachment; filename="docs.example.com.zip"',
      "content-length": "65536",
      "content-type": "application/zip",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    expect((await bytesOf(response)).equals(archive)).toBe(true);
  });

  test("HEAD answers like GET without a body, and ignores ranges", async () => {
    await using bundle = await startWithBundle();

    const response = await bundle.download({ range: "bytes=0-9" }, "HEAD");

    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("65536");
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test.each([
    ["bytes=0-99", 0, 100],
    ["bytes=65000-", 65_000, 65_536],
    ["bytes=65000-99999", 65_000, 65_536],
    ["bytes=-10", 65_526, 65_536],
    ["bytes=-99999", 0, 65_536],
    ["bytes=65535-65535", 65_535, 65_536],
  ])("the range %s is a part of the archive", async (range, first, end) => {
    await using bundle = await startWithBundle();

    const response = await bundle.download({ range });

    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${end - 1}/65536`);
    expect((await bytesOf(response)).equals(archive.subarray(first, end))).toBe(true);
  });

  test.each(["bytes=65536-", "bytes=99999-100000", "bytes=-0"])(
    "the range %s cannot be satisfied",
    async (range) => {
      await using bundle = await startWithBundle();

      const response = await bundle.download({ range });

      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe("bytes */65536");
    },
  );

  test.each(["bytes=9-1", "bytes=-", "bytes=a-b", "lines=0-1", "bytes=0-1,5-6"])(
    "the range %s is ignored",
    async (range) => {
      await using bundle = await startWithBundle();

      const response = await bundle.download({ range });

      expect(response.status).toBe(200);
      expect(await bytesOf(response)).toHaveLength(65_536);
    },
  );

  test("a part of another version is not continued", async () => {
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

  test("a client that goes away in the middle does no harm", async () => {
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
  test("works until its time is over, and not after", async () => {
    await using bundle = await startWithBundle();

    bundle.clock.now = start + 60 * 60 * 1000 - 1;
    const before = await bundle.download({}, "HEAD");
    bundle.clock.now += 1;
    const after = await bundle.download();

    expect([before.status, after.status]).toEqual([200, 403]);
    expect(await after.text()).toContain("<Code>AccessDenied</Code><Message>The link has expired.");
  });

  test.each<[string, (url: URL) => void]>([
    ["a later end", (url) => url.searchParams.set("expires", "99999999999")],
    ["no end", (url) => url.searchParams.delete("expires")],
    ["no signature", (url) => url.searchParams.delete("signature")],
    ["a shorter signature", (url) => url.searchParams.set("signature", "AAAA")],
    ["another signature", (url) => url.searchParams.set("signature", "A".repeat(43))],
    ["another job", (url) => (url.pathname = "/bundles/se_0000000000000000/bundle.zip")],
  ])("with %s is refused", async (_, alter) => {
    await using bundle = await startWithBundle();
    const url = new URL(bundle.bundleUrl);
    alter(url);

    const response = await fetch(url);

    expect(response.status).toBe(403);
    expect(await response.text()).toContain("<Code>SignatureDoesNotMatch</Code>");
  });
});
