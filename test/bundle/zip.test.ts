import { randomBytes, randomFillSync } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ByteSource } from "../../src/bundle/archive.ts";
import { readArchive } from "../../src/bundle/verify.ts";
import { buildTar, buildZip, extraField, type ZipEntry } from "../support/archives.ts";
import { codeOf, setUpArchive } from "./archive-setup.ts";

const page = { name: "index.html", body: "<p>page</p>" };
const other: ZipEntry = { name: "other.html", body: "<p>other</p>" };
const large = randomBytes(2_000_000);
const harmlessIds = [0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0xcafe, 0xd935];
const harmless = Buffer.concat(harmlessIds.map((id) => extraField(id, "\x01time")));
const times = extraField(0x5455, "\x01time");
const accented: ZipEntry = { name: "é.html", body: "<p>é</p>" };

describe("zip", () => {
  it.each([
    { name: "deflated entries", zip: buildZip([page, other]) },
    { name: "stored entries", zip: buildZip([{ ...page, method: 0 }, other]) },
    { name: "folders", zip: buildZip([{ name: "a/", method: 0, mode: 0o040755 }, page]) },
    { name: "a folder with empty deflated data", zip: buildZip([{ name: "a/" }, page]) },
    { name: "data descriptors with a signature", zip: buildZip([{ ...page, descriptor: "signed" }, other]) },
    { name: "data descriptors without one", zip: buildZip([{ ...page, descriptor: "plain" }, other]) },
    { name: "data descriptors of 64 bits", zip: buildZip([other, { ...page, descriptor: "wide" }]) },
    {
      name: "extra fields of times, owners, Java and Android",
      zip: buildZip([{ ...page, extra: harmless }, other]),
    },
    {
      name: "other times in the local header",
      zip: buildZip([{ ...page, local: { extra: harmless } }, other]),
    },
    { name: "64-bit sizes in an extra field", zip: buildZip([{ ...page, zip64: true }, other]) },
    { name: "64-bit end records", zip: buildZip([page, other], { zip64: true }) },
    { name: "64-bit end records that also number the part", zip: withoutPart(true) },
    {
      name: "the same name in an extra field, in a zip from MS-DOS",
      zip: buildZip([page, { ...accented, system: 0, extra: unicodePath("é.html") }]),
    },
    {
      name: "a name in UTF-8 from MS-DOS with times",
      zip: buildZip([page, { ...accented, system: 0, extra: times }]),
    },
    { name: "a comment", zip: buildZip([page], { comment: Buffer.from("made by hand") }) },
    { name: "a comment of an entry", zip: withEntryComment("made by hand") },
    { name: "a read-only file of MS-DOS", zip: buildZip([{ ...page, attributes: 0x01 }]) },
    {
      name: "a directory in another order",
      zip: buildZip([other, page, { ...page, name: "z" }], { order: (all) => all.toReversed() }),
    },
    {
      name: "a local header of another compression level",
      zip: buildZip([{ ...page, local: { flags: 0x0802 } }]),
    },
    {
      name: "large entries, stored and deflated",
      zip: buildZip([page, { name: "s", body: large, method: 0 }, { name: "d", body: large }]),
    },
  ])("reads $name", async ({ zip }) => {
    await using setup = await setUpArchive(zip);

    expect(await setup.verify()).toMatchObject({ format: "zip" });
    await setup.extract();

    expect(await setup.read("index.html")).toBe("<p>page</p>");
  });

  /** Reads a zip of 2000 entries whose directory is in an order; returns what is read of the file. */
  async function measureReads(order: (names: readonly number[]) => readonly number[]) {
    const names = Array.from({ length: 2000 }, (_, index) => `${index}-${"n".repeat(200)}`);
    const zip = buildZip(
      names.map((name) => ({ name })),
      { order },
    );
    const read = { times: 0, bytes: 0 };
    const source: ByteSource = {
      size: async () => zip.length,
      async read(buffer, position) {
        const copied = zip.copy(buffer, 0, position);
        read.times += 1;
        read.bytes += copied;
        return copied;
      },
    };

    await readArchive(source, {}, new AbortController().signal);

    return { bytesPerEntry: read.bytes / names.length, reads: read.times };
  }

  it("reads little for each record of a directory in another order", async () => {
    const { bytesPerEntry } = await measureReads((all) => all.toReversed());
    expect(bytesPerEntry).toBeLessThan(10_000);
  });

  it("does not wait for bytes that a shortened file does not have", async () => {
    const zip = buildZip([page]);
    let reads = 0;
    const source: ByteSource = {
      size: async () => zip.length + 10,
      async read(buffer, position) {
        reads += 1;
        if (reads > 100) throw new Error("It is read again and again.");
        return zip.copy(buffer, 0, Math.min(position, zip.length));
      },
    };

    await expect(readArchive(source, {}, new AbortController().signal)).rejects.toThrow("too early");
  });

  it("reads many entries at once", async () => {
    const { reads } = await measureReads((all) => all);
    expect(reads).toBeLessThan(20);
  });

  it.each([
    { name: "a path upwards", zip: buildZip([{ ...page, name: "../evil" }]) },
    { name: "an absolute path", zip: buildZip([{ ...page, name: "/evil" }]) },
    { name: "a backslash", zip: buildZip([{ ...page, name: "..\\evil" }]) },
    { name: "a drive letter", zip: buildZip([{ ...page, name: "c:/evil" }]) },
    { name: "a NUL", zip: buildZip([{ ...page, name: "a\0b" }]) },
    { name: "a duplicate name", zip: buildZip([page, page]) },
    { name: "names that differ in case", zip: buildZip([page, { ...page, name: "Index.HTML" }]) },
    { name: "a symbolic link", zip: buildZip([{ ...page, mode: 0o120777 }]) },
    { name: "a device", zip: buildZip([{ ...page, mode: 0o020666 }]) },
    { name: "a folder that is one by its attributes only", zip: buildZip([{ ...page, attributes: 0x10 }]) },
    { name: "a volume label", zip: buildZip([{ ...page, attributes: 0x08 }]) },
    { name: "a device of MS-DOS", zip: buildZip([{ ...page, attributes: 0x40 }]) },
    { name: "a reparse point of NTFS", zip: buildZip([{ ...page, attributes: 0x400 }]) },
    { name: "an entry made on VMS", zip: buildZip([{ ...page, system: 2 }]) },
    { name: "an entry made on a Macintosh", zip: buildZip([{ ...page, system: 7 }]) },
    { name: "an entry that needs a later version", zip: buildZip([{ ...page, version: 46 }]) },
    {
      name: "a local header that needs a later version",
      zip: buildZip([{ ...page, local: { version: 63 } }]),
    },
    { name: "a name that is not marked as UTF-8", zip: buildZip([{ ...page, name: "é.html", flags: 0 }]) },
    { name: "a file whose name ends in a dot", zip: buildZip([{ ...page, name: "a/." }]) },
    { name: "a name that ends in a version", zip: buildZip([{ ...page, name: "index.html;1" }]) },
    {
      name: "a symbolic link in an extra field",
      zip: buildZip([{ ...page, extra: extraField(0x6c78, "\x05\xff\xa1\0\0") }]),
    },
    {
      name: "a symbolic link in a local extra field",
      zip: buildZip([{ ...page, local: { extra: extraField(0x6c78, "\x05\xff\xa1\0\0") } }]),
    },
    { name: "an end record inside the comment", zip: buildZip([page], { comment: fakeEnd() }) },
    { name: "a tar archive at its beginning", zip: tarInside() },
    { name: "a disc image", zip: buildZip([{ ...page, method: 0, body: discImage() }]) },
    { name: "a folder that is one by its mode only", zip: buildZip([{ ...page, mode: 0o040755 }]) },
    { name: "a file with a slash at the end", zip: buildZip([{ ...page, name: "a/", mode: 0o100644 }]) },
    { name: "an encrypted entry", zip: buildZip([{ ...page, flags: 0x0801 }]) },
    { name: "an unknown method", zip: buildZip([{ ...page, method: 12 }]) },
    { name: "a local header with another name", zip: buildZip([{ ...page, local: { name: "evil1.html" } }]) },
    { name: "a local header with another size", zip: buildZip([{ ...page, local: { size: 5 } }]) },
    {
      name: "a local header with another compressed size",
      zip: buildZip([{ ...page, local: { compressedSize: 5 } }]),
    },
    { name: "a patch of another file", zip: buildZip([{ ...page, flags: 0x0820 }]) },
    { name: "an entry in another part", zip: inAnotherPart() },
    { name: "a 64-bit end record in another part", zip: withLocator(4, 1) },
    { name: "a 64-bit locator of two parts", zip: withLocator(16, 2) },
    { name: "a 64-bit locator of no part", zip: withLocator(16, 0) },
    { name: "a part that only a 64-bit record would number", zip: withoutPart(false) },
    {
      name: "a name in UTF-8 from MS-DOS, without times in its local header",
      zip: buildZip([{ ...accented, system: 0, extra: times, local: { extra: Buffer.alloc(0) } }]),
    },
    { name: "a local header with another checksum", zip: buildZip([{ ...page, local: { crc: 5 } }]) },
    { name: "a local header with another method", zip: buildZip([{ ...page, local: { method: 0 } }]) },
    {
      name: "entries that share their bytes",
      zip: buildZip([page, { ...page, name: "twin.html", offset: 0 }]),
    },
    ...["checksum", "compressed size", "size"].map((field, index) => ({
      name: `a data descriptor with another ${field}`,
      zip: withWrongDescriptor(index),
    })),
    { name: "bytes between two entries", zip: buildZip([{ ...page, gap: Buffer.from("hidden") }, other]) },
    { name: "bytes after the last entry", zip: buildZip([{ ...page, gap: Buffer.alloc(40) }]) },
    {
      name: "an entry the directory does not list",
      zip: buildZip([page, other, { ...page, name: "z" }], { order: () => [0, 2], entries: 2 }),
    },
    {
      name: "a first entry that the directory does not list",
      zip: buildZip([page, other], { order: () => [1], entries: 1 }),
    },
    {
      name: "a copy of the name in an extra field with the checksum of another",
      zip: buildZip([{ ...page, extra: unicodePath(page.name, "evil.html") }]),
    },
    {
      name: "a copy of the name in an extra field of another version",
      zip: buildZip([{ ...page, extra: unicodePath(page.name, page.name, 2) }]),
    },
    {
      name: "a second name in an extra field",
      zip: buildZip([{ ...page, extra: unicodePath("evil.html", page.name) }]),
    },
    {
      name: "a second name in a local extra field",
      zip: buildZip([{ ...page, local: { extra: unicodePath("evil.html", page.name) } }]),
    },
    {
      name: "a truncated extra field",
      zip: buildZip([{ ...page, extra: extraField(0x5455, "time").subarray(0, 6) }]),
    },
    {
      name: "an empty extra field of times",
      zip: buildZip([{ ...page, extra: extraField(0x5455, "") }]),
    },
    { name: "a name from MS-DOS that is not ASCII", zip: buildZip([{ ...page, name: "é.html", system: 0 }]) },
    {
      name: "two 64-bit sizes",
      zip: buildZip([{ ...page, zip64: true, extra: extraField(1, "12345678") }]),
    },
    { name: "another size in the local 64-bit field", zip: wrongLocalSize() },
    { name: "two end records", zip: buildZip([page], { comment: buildZip([]) }) },
    { name: "end records that disagree", zip: disagreeingEnds() },
    { name: "an end record in another part", zip: withEnd(4, 1) },
    { name: "an end record with more entries in other parts", zip: withEnd(8, 2) },
  ])("rejects $name and leaves nothing", async ({ zip }) => {
    await using setup = await setUpArchive(zip);

    expect(await codeOf(setup.verify())).toBe("unsafe-archive");
    expect(await codeOf(setup.extract())).toBe("unsafe-archive");
    expect(await setup.paths()).toEqual([]);
  });

  it.each([
    { name: "a comment of 9 KB", zip: buildZip([page], { comment: Buffer.alloc(9000) }) },
    { name: "a 64-bit end record with additional data", zip: longWideEnd() },
    { name: "a cut", zip: buildZip([page, other]).subarray(0, -1) },
    { name: "a cut through the data", zip: buildZip([{ name: "big", body: large }]).subarray(0, 1_000_000) },
    { name: "bytes after the end", zip: buildZip([page], { trailer: Buffer.from("x") }) },
    { name: "a wrong checksum", zip: buildZip([{ ...page, crc: 1, local: { crc: 1 } }]) },
    { name: "a wrong checksum of a large entry", zip: buildZip([{ name: "big", body: large, crc: 1 }]) },
    { name: "a size that is too small", zip: buildZip([{ ...page, size: 3 }]) },
    { name: "a size that is too large", zip: buildZip([{ ...page, size: 300 }]) },
    { name: "a small size over a large body", zip: buildZip([{ name: "big", body: large, size: 10 }]) },
    {
      name: "damage in the compressed data",
      zip: buildZip([{ ...page, packed: Buffer.from("not deflated") }]),
    },
    {
      name: "bytes after the compressed data",
      zip: buildZip([{ ...page, packed: Buffer.concat([deflateRawSync("<p>page</p>"), Buffer.alloc(9)]) }]),
    },
    {
      name: "bytes after large compressed data",
      zip: buildZip([
        { name: "big", body: large, packed: Buffer.concat([deflateRawSync(large), Buffer.alloc(9)]) },
      ]),
    },
    { name: "more entries than there are", zip: buildZip([page], { entries: 2 }) },
    { name: "fewer entries than there are", zip: buildZip([page, other], { entries: 1 }) },
    { name: "no entries", zip: buildZip([]) },
    { name: "no files", zip: buildZip([{ name: "a/", method: 0 }]) },
    { name: "another file before the zip", zip: Buffer.concat([buildZip([page]), buildZip([other])]) },
    { name: "a name that is not UTF-8", zip: buildZip([{ ...page, name: Buffer.from([0x61, 0xe9]) }]) },
    {
      name: "a 64-bit size that is missing",
      zip: buildZip([
        { ...page, size: 0xffffffff, compressedSize: 0xffffffff, extra: extraField(1, "\x09\0\0\0\0\0\0\0") },
      ]),
    },
    { name: "an entry that starts beyond the file", zip: buildZip([{ ...page, offset: 9_999 }]) },
  ])("detects $name", async ({ zip }) => {
    await using setup = await setUpArchive(zip);

    expect(await codeOf(setup.verify())).toMatch(/^(bundle-corrupt|unsafe-archive)$/);
    expect(await codeOf(setup.extract())).toMatch(/^(bundle-corrupt|unsafe-archive)$/);
    expect(await setup.paths()).toEqual([]);
  });

  it("stops a decompression bomb by its ratio", async () => {
    const body = Buffer.alloc(34 * 1024 * 1024);
    const packed = deflateRawSync(body, { level: 1 });
    await using setup = await setUpArchive(buildZip(["a", "b"].map((name) => ({ name, body, packed }))));

    expect(await codeOf(setup.extract())).toBe("unsafe-archive");
    expect(await setup.paths()).toEqual([]);
  });

  it("accepts what compresses well, but not like a bomb", async () => {
    const body = Buffer.alloc(34 * 1024 * 1024);
    for (let position = 0; position < body.length; position += 65_536) randomFillSync(body, position, 400);
    const packed = deflateRawSync(body, { level: 9 });
    await using setup = await setUpArchive(buildZip(["a", "b"].map((name) => ({ name, body, packed }))));

    expect(body.length / packed.length).toBeGreaterThan(100);
    expect(await setup.verify()).toMatchObject({ files: 2, totalBytes: 2 * body.length });
  });

  it("counts real bytes against the limit", async () => {
    await using setup = await setUpArchive(buildZip([page, { name: "big", body: large }]));

    expect(await codeOf(setup.extract({ maxTotalBytes: 1_000_000 }))).toBe("bundle-too-large");
    expect(await setup.paths()).toEqual([]);
  });

  it("reads a directory that does not fit into one read", async () => {
    const entries = Array.from({ length: 700 }, (_, index) => ({
      name: `${"long-name".repeat(20)}/${"and-longer".repeat(20)}/${"name".repeat(50)}/${index}`,
      body: "x",
      method: 0,
    }));
    await using setup = await setUpArchive(buildZip(entries, { zip64: true }));

    expect(await setup.verify()).toMatchObject({ files: 700 });
  });
});

function wrongLocalSize(): Buffer {
  const zip = buildZip([{ ...page, zip64: true }]);
  zip.writeBigUInt64LE(9n, 30 + page.name.length + 4);
  return zip;
}

/** An archive whose first entry has a data descriptor with one wrong value: the checksum, the compressed size or the size. */
function withWrongDescriptor(index: number): Buffer {
  const packed = deflateRawSync(String(page.body));
  const values = [crc32(String(page.body)), packed.length, String(page.body).length];
  values[index] = (values[index] ?? 0) ^ 1;
  const descriptor = Buffer.from(Uint32Array.of(0x08074b50, ...values).buffer);
  const local = { crc: 0, compressedSize: 0, size: 0 };
  return buildZip([{ ...page, flags: 0x0808, local, gap: descriptor }, other]);
}

/** An end record that readers find that search backwards for its signature. */
function fakeEnd(): Buffer {
  return Buffer.concat([buildZip([]), Buffer.from("more")]);
}

/** A zip whose first 512 bytes are a tar header; the rest of the tar is in the entry's data. */
function tarInside(): Buffer {
  const data = buildTar([{ name: "", body: "tar" }]).subarray(30 + 5);
  const headerOf = (body: Buffer) => buildZip([{ name: "a.tar", method: 0, body }]);
  const header = headerOf(data).subarray(0, 512);
  // The entry's checksum is a part of the tar header and changes with the data, so a number in the padding compensates for it.
  const sums = tarSum(header);
  for (let filler = 0; filler < 65_536; filler += 1) {
    data.writeUInt16LE(filler, 500 - 35);
    data.write(`${sums.toString(8).padStart(6, "0")}\0 `, 148 - 35, "latin1");
    const zip = headerOf(data);
    if (tarSum(zip.subarray(0, 512)) === sums) return zip;
  }
  throw new Error("no filler balances the checksum");
}

function tarSum(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function discImage(): Buffer {
  const image = Buffer.alloc(40_000);
  image.write("\x01CD001\x01", 32_768 - 30 - page.name.length, "latin1");
  return image;
}

/** The 64-bit end record may have additional data; Python's reader then searches for the directory at another position. */
function longWideEnd(): Buffer {
  const zip = buildZip([page], { zip64: true });
  const end = zip.length - 22 - 20;
  const longer = Buffer.concat([zip.subarray(0, end), Buffer.alloc(8), zip.subarray(end)]);
  longer.writeBigUInt64LE(52n, end - 56 + 4);
  return longer;
}

function inAnotherPart(): Buffer {
  const zip = buildZip([page]);
  zip.writeUInt16LE(1, zip.readUInt32LE(zip.length - 6) + 34);
  return zip;
}

/** A zip whose 64-bit locator has this number at this position. */
function withLocator(position: number, value: number): Buffer {
  const zip = buildZip([page], { zip64: true });
  zip.writeUInt32LE(value, zip.length - 22 - 20 + position);
  return zip;
}

/** A zip whose end record has the largest number of a part, in place of one in a 64-bit record. */
function withoutPart(zip64: boolean): Buffer {
  const zip = buildZip([page], { zip64 });
  zip.writeUInt32LE(0xffffffff, zip.length - 22 + 4);
  return zip;
}

/** Another copy of an entry's name, which states that it replaces `replaced`. */
function unicodePath(name: string, replaced = name, version = 1): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(replaced));
  return extraField(0x7075, Buffer.concat([Buffer.of(version), checksum, Buffer.from(name)]));
}

/** A zip whose directory has a comment on the first entry. */
function withEntryComment(comment: string): Buffer {
  const zip = buildZip([page, other]);
  const end = zip.length - 22;
  const record = zip.readUInt32LE(end + 16);
  const recordEnd = record + 46 + zip.readUInt16LE(record + 28) + zip.readUInt16LE(record + 30);
  zip.writeUInt16LE(comment.length, record + 32);
  zip.writeUInt32LE(zip.readUInt32LE(end + 12) + comment.length, end + 12);
  return Buffer.concat([zip.subarray(0, recordEnd), Buffer.from(comment), zip.subarray(recordEnd)]);
}

/** A zip whose end record has this number at this position. */
function withEnd(position: number, value: number): Buffer {
  const zip = buildZip([page]);
  zip.writeUInt16LE(value, zip.length - 22 + position);
  return zip;
}

function disagreeingEnds(): Buffer {
  const zip = buildZip([page], { zip64: true });
  zip.writeUInt16LE(7, zip.length - 12);
  return zip;
}
