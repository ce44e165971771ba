import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exportReportPath, maxExportReportBytes } from "../../src/base/export-report.ts";
import { ArchiveContents, type ByteSource, ByteWindow, streamRange } from "../../src/bundle/archive.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const unsafe = expect.objectContaining({ code: "unsafe-archive" });
const corrupt = expect.objectContaining({ code: "bundle-corrupt" });
const mebibyte = 1024 * 1024;

describe("the contents of an archive", () => {
  test("are limited in their entries, with the folders that paths imply", () => {
    using contents = new ArchiveContents({ maxEntries: 5 });
    contents.countEntry();
    contents.countEntry(2);
    contents.startFile("a/b/c");
    contents.startFile("a/b/d");

    expect(() => contents.startFile("a/e/f")).toThrow(unsafe);
    expect(contents.files).toBe(2);
  });

  test("are limited in their bytes", () => {
    using contents = new ArchiveContents({ maxTotalBytes: 10 });
    contents.countBytes(4, 1);
    contents.countBytes(6, 1);

    expect(contents.totalBytes).toBe(10);
    expect(() => contents.countBytes(1, 1)).toThrow(expect.objectContaining({ code: "bundle-too-large" }));
  });

  test("may unpack to 200 times as many bytes, of which the first 64 MiB are free", () => {
    using small = new ArchiveContents({});
    small.countBytes(64 * mebibyte, 0);
    expect(() => small.countBytes(1, 0)).toThrow(unsafe);

    using large = new ArchiveContents({});
    large.countBytes(80_000_000, 400_000);
    expect(() => large.countBytes(1, 400_000)).toThrow(unsafe);
  });

  test.each<[string, (contents: ArchiveContents, index: number) => void]>([
    ["folders", (contents, index) => contents.addFolder(`${index}/`, 0)],
    ["folders that paths imply", (contents, index) => contents.startFile(`${index}/file`)],
  ])("may have 4 KiB of %s for free, like bytes", (_kind, add) => {
    using contents = new ArchiveContents({});
    contents.countBytes(63 * mebibyte, 0);
    for (let index = 0; index < 256; index += 1) add(contents, index);

    expect(() => add(contents, 256)).toThrow(unsafe);
  });

  test("are no folder with a size, and no file with the name of a folder", () => {
    using contents = new ArchiveContents({ maxEntries: 1 });
    contents.addFolder("./", 0);
    contents.addFolder("a/b/", 0);

    expect(() => contents.addFolder("c/", 1)).toThrow(corrupt);
    for (const name of ["d/", "d/.", "."]) expect(() => contents.startFile(name)).toThrow(unsafe);
    expect(() => contents.addFolder("e/f/", 0)).toThrow(unsafe);
  });

  test.each([
    [0, true],
    [1, false],
  ])("include the export's report unless it is too long: by %i", (more, isKept) => {
    using contents = new ArchiveContents({});
    contents.startFile("index.html");
    contents.write(Buffer.from("no report"));
    expect(contents.report).toBeUndefined();
    contents.startFile(exportReportPath);
    const chunk = Buffer.alloc(maxExportReportBytes - 1 + more, "a");
    contents.write(chunk);
    contents.write(Buffer.from("b"));
    chunk.fill("x");
    contents.startFile("other.html");
    contents.write(Buffer.from("no report"));

    expect(contents.report).toBe(isKept ? `${"a".repeat(maxExportReportBytes - 1)}b` : "");
  });

  test("are written to a folder, each file closed after its end", async () => {
    await using folder = await createTemporaryFolder();
    const contents = new ArchiveContents({}, folder.path);
    contents.addFolder("empty/", 0);
    for (const name of ["a/one", "a/two", "b/three", "four"]) {
      contents.startFile(name);
      for (const word of [name, "!"]) contents.write(Buffer.from(word));
      contents.endFile();
    }
    contents.write(Buffer.from("to no file"));
    contents.startFile("five");
    contents[Symbol.dispose]();
    contents.write(Buffer.from("to no file"));

    for (const name of ["a/one", "a/two", "b/three", "four"])
      expect(await readFile(join(folder.path, name), "utf8")).toBe(`${name}!`);
    expect(statSync(join(folder.path, "empty")).isDirectory()).toBe(true);
    const { mode, size } = statSync(join(folder.path, "five"));
    expect({ mode: mode & 0o700, size }).toStrictEqual({ mode: 0o600, size: 0 });
  });
});

const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 251));

/** A source that returns at most `most` bytes at once, and the reads of it. */
function sourceOf(most = Number.POSITIVE_INFINITY, length = bytes.length) {
  const reads: [position: number, length: number][] = [];
  const source: ByteSource = {
    size: async () => length,
    async read(buffer, position) {
      reads.push([position, buffer.length]);
      return bytes.copy(buffer, 0, position, Math.min(position + most, length));
    },
  };
  return { source, reads };
}

describe("a range of a source", () => {
  test.each([undefined, 3])("is read to its end, at most %s bytes at once", async (most) => {
    const read = async (...range: [number, number?]) =>
      Buffer.concat(
        await Array.fromAsync(streamRange(sourceOf(most).source, ...range), (chunk) => Buffer.from(chunk)),
      );

    expect(await read(2, 90)).toStrictEqual(bytes.subarray(2, 90));
    expect(await read(99_900)).toStrictEqual(bytes.subarray(99_900));
    expect(await read(5, 5)).toHaveLength(0);
    await expect(read(99_900, 100_001)).rejects.toThrow("ends at byte 100000 instead of 100001");
  });
});

describe("a window over a source", () => {
  test("reads ahead in order, and little after a jump", async () => {
    const { source, reads } = sourceOf();
    const window = new ByteWindow(source, 10_000, 50_000);
    const steps: readonly [position: number, length: number, read?: [number, number]][] = [
      [0, 10, [0, 4096]],
      [4000, 96],
      [0, 1],
      [4096, 10, [4096, 10_000]],
      [14_000, 96],
      [14_090, 10, [14_090, 10_000]],
      [100, 5000, [100, 5000]],
      [99, 1, [99, 4096]],
      [4196, 1, [4196, 4096]],
      [45_000, 1, [45_000, 4096]],
      [45_001, 4999, [45_001, 4999]],
      [49_999, 1],
    ];
    for (const [position, length, read] of steps) {
      const before = reads.length;
      expect(await window.read(position, length)).toStrictEqual(bytes.subarray(position, position + length));
      expect(reads.slice(before), `${position}`).toStrictEqual(read ? [read] : []);
    }
    await expect(window.read(49_999, 2)).rejects.toThrow(corrupt);
  });

  test("is filled in as many reads as the source needs, and fails where it ends", async () => {
    const { source } = sourceOf(1000, 5000);
    const window = new ByteWindow(source, 10_000, 50_000);

    expect(await window.read(0, 3000)).toStrictEqual(bytes.subarray(0, 3000));
    await expect(window.read(4000, 3000)).rejects.toThrow("ends at byte 5000, too early");
  });
});
