import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { printArchiveEnd, printDirectoryRecord } from "../../../src/base/zip-writer.ts";
import { extractArchive } from "../../../src/bundle/verify.ts";
import {
  copyPacked,
  packFile,
  packText,
  unpackText,
  writeBundle,
} from "../../../src/server/site/write-bundle.ts";
import { verifyArchive } from "../../support/archives.ts";
import { createFolder } from "../../support/temporary-folder.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("render-alone.ts", import.meta.url));
const docsDir = fileURLToPath(new URL("../../fixtures/docs-site", import.meta.url));

/** The digest of a bundle that a process of its own makes. */
async function renderAlone(docs: string, timeZone: string, flags: readonly string[]) {
  await using work = await createFolder();
  const env = { ...process.env, NODE_OPTIONS: "", TZ: timeZone };
  const { stdout } = await run(process.execPath, [...flags, script, docs, work.path], { env });
  return stdout;
}

describe("a bundle", () => {
  test("has the same bytes in every time zone, and whether or not V8 optimizes regular expressions, as it does up to a megabyte of them", async () => {
    const code = { powershell: "msb run `\n  --copy-dir a:b", sql: "select a from b", php: "<?php ECHO 1;" };
    const blocks = Object.entries(code).map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\`\n`);
    await using docs = await createFolder({ "codes.md": blocks.join("\n") });
    await cp(docsDir, docs.path, { recursive: true });
    const bundles = await Promise.all([
      renderAlone(docs.path, "Asia/Kathmandu", []),
      renderAlone(docs.path, "America/Los_Angeles", ["--no-regexp-optimization"]),
    ]);
    expect(bundles[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(bundles[1]).toBe(bundles[0]);
  });

  test("holds its files as they were given, and is described as it lies on disk", async () => {
    await using out = await createFolder();
    const path = join(out.path, "site.zip");
    const noise = createHash("sha512").update("noise").digest();
    const files: Readonly<Record<string, string | Buffer>> = {
      "index.html": "<p>".repeat(1000),
      "b/größe/図.md": "short",
      "empty.txt": "",
      "logo.png": Buffer.alloc(5000, 7),
      "noise.bin": Buffer.concat(
        Array.from({ length: 200 }, (_, at) => Buffer.concat([noise, Buffer.from([at])])),
      ),
      "last.txt": "last",
    };
    async function* pack() {
      for (const [name, content] of Object.entries(files))
        yield [
          name,
          name.endsWith(".md") ? packText(String(content)) : await packFile(name, content),
        ] as const;
    }
    const bytes = await writeBundle(path, pack());

    const written = await readFile(path);
    expect(bytes).toBe(written.length);
    expect(await verifyArchive(path)).toMatchObject({ files: 6 });
    const site = join(out.path, "site");
    await extractArchive(path, site, {}, new AbortController().signal);
    for (const [name, content] of Object.entries(files))
      expect(await readFile(join(site, name))).toEqual(Buffer.from(content));
    // Only what gets shorter is compressed.
    expect(bytes).toBeLessThan(15_000);
    expect(written.includes(Buffer.alloc(5000, 7))).toBe(true);
  });

  test("of more files than the format's first version counts has their number in the second one's records", () => {
    expect(printArchiveEnd(65_534, 1000, 100)).toHaveLength(22);
    const end = printArchiveEnd(70_000, 1000, 100);
    expect(end).toHaveLength(56 + 20 + 22);
    expect(printArchiveEnd(65_535, 1000, 100)).toHaveLength(end.length);
    const numbers = [24, 32, 40, 48].map((at) => Number(end.readBigUInt64LE(at)));
    expect(numbers).toEqual([70_000, 70_000, 100, 1000]);
    expect(Number(end.readBigUInt64LE(56 + 8))).toBe(1100);
    expect([8, 10].map((at) => end.readUInt16LE(76 + at))).toEqual([0xffff, 0xffff]);
  });

  test("names a place above 4 GiB in the extra field", () => {
    const entry = { path: "a", size: 1, length: 1, isDeflated: false, crc: 1, offset: 2 ** 32 + 5 };
    const record = printDirectoryRecord(entry);
    expect(record.readUInt32LE(42)).toBe(0xffffffff);
    expect(record.subarray(47)).toEqual(Buffer.from([1, 0, 8, 0, 5, 0, 0, 0, 1, 0, 0, 0]));
    expect(printDirectoryRecord({ ...entry, offset: 5 })).toHaveLength(47);
  });

  test("with two files at a path is an error, and leaves no file", async () => {
    await using out = await createFolder();
    async function* repeat() {
      yield ["a.txt", packText("a".repeat(1_000_000))] as const;
      yield ["a.txt", packText("b")] as const;
    }
    const written = writeBundle(join(out.path, "site.zip"), repeat());
    await expect(written).rejects.toThrow("The bundle has two files at a.txt.");
    expect(await readdir(out.path)).toEqual([]);
  });

  test("in a folder that does not exist is an error", async () => {
    await using out = await createFolder();
    const files = ReadableStream.from<never>([]);
    await expect(writeBundle(join(out.path, "none", "site.zip"), files)).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  test("a copy of a packed text holds no more memory than its data", () => {
    const packed = packText("A page that is kept until the end. ".repeat(200));
    const copy = copyPacked(packed);
    expect(copy.data.buffer.byteLength).toBe(packed.data.length);
    expect(unpackText(copy)).toBe(unpackText(packed));
  });

  test("gives back the text that was packed", () => {
    for (const text of ["", "short", "long ".repeat(1000)]) expect(unpackText(packText(text))).toBe(text);
  });
});
