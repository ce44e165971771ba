import { describe, expect, it } from "vitest";
import { buildBundle, buildZipBundle } from "../support/archives.ts";
import { setUpDownload, sha256 } from "./download-setup.ts";

const megabyte = 1e6;

describe("downloadBundle", () => {
  it("brings a bundle to disk with its digest and what it holds", async () => {
    const body = buildBundle(3 * megabyte);
    await using setup = await setUpDownload({ object: { body, etag: '"1"' } });

    const bundle = await setup.download();

    expect(bundle).toMatchObject({ size: body.length, sha256: sha256(body), format: "tar.gz" });
    expect(bundle.archive.files).toBe(2);
    expect(await setup.readBundle()).toEqual(body);
    expect(await setup.leftovers()).toEqual(["bundle.tar.gz"]);
    expect(setup.storage.requests).toHaveLength(1);
  });

  it("goes on behind the last byte after every cut", async () => {
    const body = buildZipBundle(3 * megabyte);
    await using setup = await setUpDownload({
      object: { body, etag: '"1"' },
      misbehave: ({ index }) => (index < 4 ? { kind: "cut", afterBytes: 600_000 } : undefined),
    });

    const bundle = await setup.download();

    expect(bundle.sha256).toBe(sha256(body));
    expect(setup.storage.requests[1]?.headers["if-match"]).toBe('"1"');
    const starts = setup.storage.requests.map(({ start }) => start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(starts.at(-1)).toBeGreaterThan(0);
  });

  it("uses several connections where each of them is limited", async () => {
    const body = buildBundle(12 * megabyte);
    await using setup = await setUpDownload({ object: { body, etag: '"1"' }, bytesPerSecond: 4 * megabyte });
    const bundle = await setup.download({ connections: 4 });
    expect(bundle.sha256).toBe(sha256(body));
    expect(bundle.transfer.connections).toBe(4);
  });
});
