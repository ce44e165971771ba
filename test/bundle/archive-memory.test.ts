import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildTar, buildZip } from "../support/archives.ts";
import { setUpArchive } from "./archive-setup.ts";

const megabyte = 1024 * 1024;
const large = Buffer.concat(Array(5).fill(randomBytes(8 * megabyte)));

describe("reading an archive", () => {
  it.each([
    { name: "tar.gz", archive: () => gzipSync(buildTar([{ name: "large", body: large }]), { level: 0 }) },
    {
      name: "zip",
      archive: () => buildZip([{ name: "large", body: large, packed: deflateRawSync(large, { level: 0 }) }]),
    },
  ])("keeps only a few buffers of a $name in memory", async ({ archive }) => {
    await using setup = await setUpArchive(archive());
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    let isDone = false;
    let peak = 0;

    const verified = setup.verify().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
      await nextTurn();
    }
    await verified;

    expect(peak).toBeLessThan(16 * megabyte);
  });
});
