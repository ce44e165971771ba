import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildTar, buildTarGz, paxRecords, type TarEntry, withTarChecksum } from "../support/archives.ts";
import { codeOf, setUpArchive } from "./archive-setup.ts";

const page: TarEntry = { name: "index.html", body: "<p>page</p>" };

const latestTime = { mtime: "4294967295" };

function octets(text: string): Buffer {
  return Buffer.from(text.padEnd(12, "\0"), "latin1");
}

describe("tar.gz", () => {
  it.each([
    { name: "plain names", entries: [page], file: "index.html" },
    {
      name: "a leading ./ and folders",
      entries: [
        { name: "./", type: "5" },
        { name: "./a/", type: "5" },
        { ...page, name: "./a/b.html" },
      ],
      file: "a/b.html",
    },
    {
      name: "a prefix and a name that fill their fields",
      entries: [{ ...page, name: "n".repeat(100), prefix: "p".repeat(155) }],
      file: `${"p".repeat(155)}/${"n".repeat(100)}`,
    },
    { name: "a prefix field", entries: [{ ...page, prefix: "deep/er" }], file: "deep/er/index.html" },
    {
      name: "a pax path and size",
      entries: [{ name: "x", type: "x", body: paxRecords({ path: "pax/é.html", size: "11" }) }, page],
      file: "pax/é.html",
    },
    {
      name: "a GNU long name",
      entries: [{ name: "././@LongLink", type: "L", body: `${"l".repeat(200)}/p.html\0` }, page],
      file: `${"l".repeat(200)}/p.html`,
    },
    {
      name: "a base-256 size",
      entries: [{ ...page, size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11]) }],
      file: "index.html",
    },
    {
      name: "a global header without names",
      entries: [{ name: "g", type: "g", body: paxRecords({ comment: "commit" }) }, page],
      file: "index.html",
    },
    {
      name: "the latest time, in an extended header of 1 MiB",
      entries: paxPage({ comment: "c".repeat(2 ** 20 - 17 - "20 mtime=4294967295\n".length) }, latestTime),
      file: "index.html",
    },
    {
      name: "a GNU header",
      entries: [{ ...page, magic: "ustar  \0" }],
      file: "index.html",
    },
    {
      name: "a folder that is listed twice",
      entries: [
        { name: "a/", type: "5" },
        { ...page, name: "a/p.html" },
        { name: "a", type: "5" },
      ],
      file: "a/p.html",
    },
  ])("reads $name", async ({ entries, file }) => {
    await using setup = await setUpArchive(buildTarGz(entries));

    expect(await setup.verify()).toMatchObject({ format: "tar.gz", files: 1 });
    await setup.extract();

    expect(await setup.read(file)).toBe("<p>page</p>");
  });

  it("reads a long name whose headers hold a part of it that ends within a character", async () => {
    const tar = buildTar([...longName("long/ü.html"), page]);
    for (const at of [0, 1024]) {
      tar.write("\xc3\0", at, "latin1");
      withTarChecksum(tar.subarray(at, at + 512));
    }
    await using setup = await setUpArchive(gzipSync(tar));

    await setup.extract();

    expect(await setup.read("long/ü.html")).toBe("<p>page</p>");
  });

  it("reads the largest owner", async () => {
    await using setup = await setUpArchive(gzipSync(withField(108, "\x80\0\0\0\xff\xff\xff\xff")));

    expect(await codeOf(setup.verify())).toBe("accepted");
  });

  it("reads a stream of several gzip members, padded with zeros", async () => {
    const tar = buildTar([page]);
    const members = [gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700)), Buffer.alloc(100_000)];
    await using setup = await setUpArchive(Buffer.concat(members));

    await setup.extract();

    expect(await setup.read("index.html")).toBe("<p>page</p>");
  });

  it.each([
    { name: "a path upwards", entries: [{ ...page, name: "../evil.html" }] },
    { name: "a path upwards in the middle", entries: [{ ...page, name: "a/../../evil.html" }] },
    { name: "a path upwards that stays inside", entries: [{ ...page, name: "a/../b.html" }] },
    { name: "an absolute path", entries: [{ ...page, name: "/evil.html" }] },
    {
      name: "an absolute path in a pax header",
      entries: [{ name: "x", type: "x", body: paxRecords({ path: "/evil.html" }) }, page],
    },
    {
      name: "a path upwards in a GNU long name",
      entries: [{ name: "l", type: "L", body: "../evil.html\0" }, page],
    },
    { name: "a path upwards in the prefix", entries: [{ ...page, name: "evil.html", prefix: "a/.." }] },
    { name: "a backslash", entries: [{ ...page, name: "..\\evil.html" }] },
    { name: "a drive letter", entries: [{ ...page, name: "C:evil.html" }] },
    { name: "an alternate stream", entries: [{ ...page, name: "page.html:evil" }] },
    { name: "a Windows device", entries: [{ ...page, name: "a/AUX.html" }] },
    { name: "a segment that ends in a dot", entries: [{ ...page, name: "a./b.html" }] },
    { name: "a segment that ends in a space", entries: [{ ...page, name: "a /b.html" }] },
    { name: "a line break in a name", entries: [{ ...page, name: "a\nb.html" }] },
    {
      name: "a NUL in a pax name",
      entries: [{ name: "x", type: "x", body: paxRecords({ path: "a\0b" }) }, page],
    },
    { name: "a name of 300 bytes", entries: [{ name: "l", type: "L", body: `${"n".repeat(300)}\0` }, page] },
    {
      name: "a path of 5000 bytes",
      entries: [{ name: "l", type: "L", body: `${"n/".repeat(2500)}p\0` }, page],
    },
    {
      name: "a tree 200 folders deep",
      entries: [{ name: "l", type: "L", body: `${"d/".repeat(200)}p\0` }, page],
    },
    { name: "a prefix in a GNU header", entries: [{ ...page, magic: "ustar  \0", prefix: "a" }] },
    { name: "a header older than ustar", entries: [{ ...page, magic: "" }] },
    { name: "a header of an unknown format", entries: [{ ...page, magic: "ustarX00" }] },
    { name: "a file with the name of a folder", entries: [{ name: "a/", type: "0" }, page] },
    { name: "a folder of the format before ustar", entries: [{ name: "a/", type: "\0" }, page] },
    { name: "a folder by its long name only", entries: [...longName("a/"), { name: "a" }] },
    { name: "a file by its long name only", entries: [...longName("a"), { name: "a/" }] },
    { name: "a file whose name ends in a dot", entries: [{ ...page, name: "a/." }] },
    { name: "two pax headers for one entry", entries: [...longName("a"), ...longName("a"), page] },
    {
      name: "a global header between a long name and its entry",
      entries: [...longName("a"), { name: "g", type: "g", body: paxRecords({ comment: "c" }) }, page],
    },
    { name: "a pax record of another character set", entries: paxPage({ hdrcharset: "BINARY" }) },
    { name: "two pax records with the entry's name", entries: paxPage({ path: "a" }, { path: "b" }) },
    { name: "a pax record of a link", entries: paxPage({ linkpath: "/etc/passwd" }) },
    { name: "the target of a link", entries: [{ name: "k", type: "K", body: "/etc\0" }, page] },
    { name: "a symbolic link", entries: [{ name: "l", type: "2", linkName: "/etc" }, page] },
    { name: "a hard link", entries: [page, { name: "l", type: "1", linkName: "index.html" }] },
    { name: "a character device", entries: [{ name: "d", type: "3" }, page] },
    { name: "a block device", entries: [{ name: "d", type: "4" }, page] },
    { name: "a named pipe", entries: [{ name: "p", type: "6" }, page] },
    { name: "a sparse file", entries: [{ name: "s", type: "S" }, page] },
    {
      name: "a pax sparse file",
      entries: [{ name: "x", type: "x", body: paxRecords({ "GNU.sparse.major": "1" }) }, page],
    },
    { name: "an unknown type", entries: [{ name: "u", type: "Z" }, page] },
    { name: "a duplicate name", entries: [page, page] },
    {
      name: "a duplicate name after normalization",
      entries: [page, { ...page, name: ".//index.html" }],
    },
    { name: "names that differ in case", entries: [page, { ...page, name: "INDEX.html" }] },
    {
      name: "folders that differ in case",
      entries: [
        { ...page, name: "a/x" },
        { ...page, name: "A/y" },
      ],
    },
    {
      name: "names that differ in Unicode form",
      entries: [
        { ...page, name: "é.html" },
        { ...page, name: "e\u0301.html" },
      ],
    },
    {
      name: "a file below a file",
      entries: [
        { ...page, name: "a" },
        { ...page, name: "a/b" },
      ],
    },
    {
      name: "a file with the path of a folder",
      entries: [
        { ...page, name: "a/b" },
        { ...page, name: "a" },
      ],
    },
    { name: "a file with the name of the root", entries: [{ ...page, name: "./", type: "7" }] },
    { name: "a global name", entries: [{ name: "g", type: "g", body: paxRecords({ path: "x" }) }, page] },
    {
      name: "two long names for one entry",
      entries: [
        { name: "l", type: "L", body: "a\0" },
        { name: "x", type: "x", body: paxRecords({ path: "b" }) },
        page,
      ],
    },
    {
      name: "a prefix in another version of the format",
      entries: [{ ...page, prefix: "p", magic: "ustar\0" }],
    },
    {
      name: "an extended size that differs from the header's",
      entries: [
        { name: "x", type: "x", body: paxRecords({ size: "11" }) },
        { ...page, size: 0 },
      ],
    },
    { name: "an extended header of 2 MiB", entries: [{ name: "x", type: "x", size: 2 ** 21 }, page] },
    {
      name: "an extended header of more than 1 MiB",
      entries: paxPage({ comment: "c".repeat(2 ** 20 - 16) }),
    },
  ])("rejects $name and leaves nothing", async ({ entries }) => {
    await using setup = await setUpArchive(buildTarGz([{ name: "first.html", body: "1" }, ...entries]));

    expect(await codeOf(setup.verify())).toBe("unsafe-archive");
    expect(await codeOf(setup.extract())).toBe("unsafe-archive");
    expect(await setup.paths()).toEqual([]);
  });

  it.each([
    { name: "no end", bytes: gzipSync(buildTar([page], { end: Buffer.alloc(0) })) },
    { name: "half an end", bytes: gzipSync(buildTar([page], { end: Buffer.alloc(512) })) },
    { name: "data after the end", bytes: gzipSync(Buffer.concat([buildTar([page]), buildTar([page])])) },
    {
      name: "an entry after an empty block",
      bytes: gzipSync(Buffer.concat([Buffer.alloc(512), buildTar([page])])),
    },
    { name: "a truncated tar in an intact gzip stream", bytes: gzipSync(buildTar([page]).subarray(0, 600)) },
    { name: "a truncated gzip stream", bytes: buildTarGz([page]).subarray(0, -9) },
    { name: "a truncated checksum", bytes: buildTarGz([page]).subarray(0, -1) },
    { name: "a wrong checksum of the stream", bytes: flip(buildTarGz([page]), -6) },
    { name: "a wrong length of the stream", bytes: flip(buildTarGz([page]), -2) },
    { name: "a wrong checksum of a header", bytes: gzipSync(flip(buildTar([page]), 3)) },
    { name: "bytes after the gzip stream", bytes: Buffer.concat([buildTarGz([page]), Buffer.from("extra")]) },
    {
      name: "bytes after the padding of the gzip stream",
      bytes: Buffer.concat([buildTarGz([page]), Buffer.alloc(9), buildTarGz([page])]),
    },
    { name: "a negative size", bytes: buildTarGz([{ ...page, size: Buffer.alloc(12, 0xff) }]) },
    {
      name: "a size that is too large for a number",
      bytes: buildTarGz([{ ...page, size: Buffer.from([0x80, ...Array(11).fill(0xff)]) }]),
    },
    { name: "a size that is not a number", bytes: buildTarGz([{ ...page, size: octets("0000009") }]) },
    { name: "a folder with contents", bytes: buildTarGz([{ name: "d/", type: "5", body: "x" }, page]) },
    { name: "a name that is not UTF-8", bytes: gzipSync(latin1Name()) },
    {
      name: "a malformed pax record",
      bytes: buildTarGz([{ name: "x", type: "x", body: "99 path=a\n" }, page]),
    },
    {
      name: "a pax record without its line end",
      bytes: buildTarGz([{ name: "x", type: "x", body: "9 path=ab" }, page]),
    },
    {
      name: "a pax record without its own equals sign",
      bytes: buildTarGz([{ name: "x", type: "x", body: "6 abc\n=x" }, page]),
    },
    {
      name: "a malformed pax size",
      bytes: buildTarGz([{ name: "x", type: "x", body: paxRecords({ size: "-1" }) }, page]),
    },
    {
      name: "an entry of 8 GiB, which only an extended header can state, without its content",
      bytes: buildTarGz([
        { name: "x", type: "x", body: paxRecords({ size: String(2 ** 33) }) },
        { ...page, size: 0 },
      ]),
    },
    { name: "no files", bytes: buildTarGz([{ name: "d/", type: "5" }]) },
    { name: "a long name without its entry", bytes: buildTarGz([page, ...longName("a")]) },
    { name: "an invalid pax time", bytes: buildTarGz(paxPage({ mtime: "today" })) },
    { name: "a pax time that is too late", bytes: buildTarGz(paxPage({ mtime: "4294967296" })) },
    { name: "a mode that is not a number", bytes: gzipSync(withField(100, "0000 64\0")) },
    { name: "a blank size", bytes: gzipSync(withField(124, " ".repeat(12))) },
    { name: "an owner that is too large", bytes: gzipSync(withField(108, "\x80\0\0\x01\0\0\0\0")) },
    { name: "an invalid device number", bytes: gzipSync(withField(329, "none")) },
    { name: "a base-256 device number", bytes: gzipSync(withField(337, "\x80\0\0\0\0\0\0\x07")) },
    { name: "an empty stream", bytes: gzipSync(Buffer.alloc(0)) },
    {
      name: "a zip that was compressed again",
      bytes: gzipSync(Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(600, 1)])),
    },
  ])("detects $name", async ({ bytes }) => {
    await using setup = await setUpArchive(bytes);

    expect(await codeOf(setup.verify())).toBe("bundle-corrupt");
    expect(await codeOf(setup.extract())).toBe("bundle-corrupt");
    expect(await setup.paths()).toEqual([]);
  });

  it("stops a decompression bomb by its ratio before it is unpacked", async () => {
    const tar = buildTar([{ name: "zeros", body: Buffer.alloc(68 * 1024 * 1024) }]);
    await using setup = await setUpArchive(gzipSync(tar, { level: 1 }));

    expect(await codeOf(setup.extract())).toBe("unsafe-archive");
    expect(await setup.paths()).toEqual([]);
  });

  it("stops an archive that unpacks to more than the limit", async () => {
    await using setup = await setUpArchive(buildTarGz([{ name: "large", body: Buffer.alloc(100_000) }]));

    expect(await codeOf(setup.extract({ maxTotalBytes: 50_000 }))).toBe("bundle-too-large");
    expect(await setup.paths()).toEqual([]);
  });

  it("stops an archive with too many entries, including entries that are not files", async () => {
    const headers = Array.from({ length: 50 }, () => ({
      name: "g",
      type: "g",
      body: paxRecords({ comment: "c" }),
    }));
    await using setup = await setUpArchive(buildTarGz([...headers, page]));

    expect(await codeOf(setup.verify({ maxEntries: 50 }))).toBe("unsafe-archive");
    expect(await codeOf(setup.verify({ maxEntries: 51 }))).toBe("accepted");
  });

  it("counts folders that paths imply", async () => {
    await using setup = await setUpArchive(buildTarGz([{ ...page, name: "a/b/c/index.html" }, page]));

    expect(await codeOf(setup.verify({ maxEntries: 4 }))).toBe("unsafe-archive");
    expect(await codeOf(setup.verify({ maxEntries: 5 }))).toBe("accepted");
  });

  it("stops a bomb of folders, which few bytes can imply in large numbers", async () => {
    const entries = Array.from({ length: 200 }, (_, index) => longName(`${index}/${"d/".repeat(122)}p`));
    const bytes = buildTarGz(entries.flatMap((header) => [...header, page]));
    await using setup = await setUpArchive(bytes);

    expect(bytes.length).toBeLessThan(10_000);
    expect(await codeOf(setup.verify())).toBe("unsafe-archive");
    expect(await codeOf(setup.extract({ maxEntries: 1000 }))).toBe("unsafe-archive");
    expect(await setup.paths()).toEqual([]);
  });

  it("is no bomb because of many small and equal files, such as redirects", async () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => ({ ...page, name: `${index}.html` }));
    await using setup = await setUpArchive(buildTarGz(entries));

    expect(await codeOf(setup.verify())).toBe("accepted");
  });
});

function flip(bytes: Buffer, index: number): Buffer {
  const copy = Buffer.from(bytes);
  const position = index < 0 ? copy.length + index : index;
  copy[position] = (copy[position] ?? 0) ^ 0x55;
  return copy;
}

function latin1Name(): Buffer {
  return withField(0, "\xe9.html");
}

/** A tar whose first header has other bytes at one position. */
function withField(at: number, bytes: string): Buffer {
  const tar = buildTar([page]);
  tar.write(bytes, at, "latin1");
  withTarChecksum(tar.subarray(0, 512));
  return tar;
}

function longName(path: string): TarEntry[] {
  return [{ name: "x", type: "x", body: paxRecords({ path }) }];
}

/** A page after a pax header with these records. */
function paxPage(...records: Readonly<Record<string, string>>[]): TarEntry[] {
  return [{ name: "x", type: "x", body: records.map(paxRecords).join("") }, page];
}
