import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { printDirectoryRecord } from "../../../src/base/zip-writer.ts";
import { extractArchive } from "../../../src/bundle/extract.ts";
import {
  copyPacked,
  packFile,
  packText,
  unpackText,
  writeBundle,
} from "../../../src/server/site/write-bundle.ts";
import { verifyArchive } from "../../support/archives.ts";
import { createFolder } from "./docs-folder.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("render-alone.ts", import.meta.url));
const docsDir = fileURLToPath(new URL("../../fixtures/docs-site", import.meta.url));

async function renderIn(timeZone: string): Promise<string> {
  return await renderAlone(docsDir, { TZ: timeZone });
}

/** The digest of a bundle that a process of its own makes. */
async function renderAlone(docs: string, env: NodeJS.ProcessEnv, flags: readonly string[] = []) {
  await using work = await createFolder();
  const { stdout } = await run(process.execPath, [...flags, script, docs, work.path], {
    env: { ...process.env, NODE_OPTIONS: "", ...env },
  });
  return stdout;
}

describe("a bundle", () => {
  test("has the same bytes for the same documents in every time zone", async () => {
    const zones = ["Asia/Kathmandu", "America/Los_Angeles"];
    const bundles = await Promise.all(zones.map(renderIn));
    expect(bundles[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(bundles).size).toBe(1);
  });

  test("has the same bytes whether or not V8 optimizes regular expressions, as it does up to a megabyte of them", async () => {
    const code = { powershell: "msb run `\n  --copy-dir a:b", sql: "select a from b", php: "<?php ECHO 1;" };
    const blocks = Object.entries(code).map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\`\n`);
    await using docs = await createFolder({ "index.md": blocks.join("\n") });
    const flags = [[], ["--no-regexp-optimization"]];
    const bundles = await Promise.all(flags.map((each) => renderAlone(docs.path, {}, each)));
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
    const { bytes, sha256 } = await writeBundle(path, pack());

    const written = await readFile(path);
    expect(bytes).toBe(written.length);
    expect(sha256).toBe(createHash("sha256").update(written).digest("hex"));
    expect(await verifyArchive(path)).toMatchObject({ files: 6 });
    const site = join(out.path, "site");
    await extractArchive(path, site, {}, new AbortController().signal);
    for (const [name, content] of Object.entries(files))
      expect(await readFile(join(site, name))).toEqual(Buffer.from(content));
    // Only what gets shorter is compressed.
    expect(bytes).toBeLessThan(15_000);
    expect(written.includes(Buffer.alloc(5000, 7))).toBe(true);
  });

  test("may have more files than the format's first version counts", async () => {
    await using out = await createFolder();
    const path = join(out.path, "site.zip");
    const file = packText("the same");
    async function* repeat() {
      for (let number = 0; number < 70_000; number += 1) yield [`pages/${number}.md`, file] as const;
    }
    await writeBundle(path, repeat());
    expect(await verifyArchive(path)).toMatchObject({ files: 70_000 });
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
