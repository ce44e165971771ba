/**
 * The oracle of the archive readers: every archive that this project unpacks is unpacked by the usual readers to the same
 * names, types and bytes. A reader that is not on this machine is skipped.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extractArchive } from "../../src/bundle/verify.ts";
import {
  buildTar,
  buildZip,
  extraField,
  paxRecords,
  type TarEntry,
  withTarChecksum,
  type ZipEntry,
} from "../support/archives.ts";
import { caseCount } from "../support/property-seed.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const archivesOfEach = caseCount(150);

interface Reader {
  readonly name: string;
  readonly formats: readonly string[];
  /** A shell script that unpacks `$1` into the folder `$2`, or a Python script that does so for a list. */
  readonly script: string;
}

const readers: readonly Reader[] = [
  {
    name: "bsdtar",
    formats: ["zip", "tar.gz"],
    script: 'bsdtar -x --no-same-owner --no-same-permissions -f "$1" -C "$2"',
  },
  { name: "unzip", formats: ["zip"], script: 'unzip -o -qq -d "$2" "$1"' },
  { name: "tar", formats: ["tar.gz"], script: 'tar -x -z --no-same-owner -f "$1" -C "$2"' },
  {
    name: "python3",
    formats: ["zip", "tar.gz"],
    script: `
import sys, tarfile, zipfile
for line in sys.stdin.read().splitlines():
    archive, target = line.split()
    try:
        opened = zipfile.ZipFile(archive) if archive.endswith("zip") else tarfile.open(archive, "r:gz")
        with opened: opened.extractall(target)
        print(0, flush=True)
    except Exception as error:
        print(repr(error).replace("\\n", " "), flush=True)
`,
  },
];

/** Various letters, including ones that some readers compose, fold or replace. */
const letters = fc
  .string({ unit: "binary", minLength: 1, maxLength: 4 })
  .map((text) => `${text.normalize("NFC")}.html`);
const name = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      ..."a.html b/c.html d/ d/e/ f/g/h.html é.html 日本/頁.html -rf [x].html a%2e.html ~x a&b.html ./k.html l//m.html n/./o.html ._p".split(
        " ",
      ),
      "with a space.html",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ..."a.html; a.html;1 a;b.html ./ . a/. a/.. e\u0301.html A.html .git/config nul.txt a\\b a:b q? \ufeffz".split(
        " ",
      ),
      "nul .txt",
      "dot.",
      "x".repeat(255),
      `${"y/".repeat(60)}z`,
    ),
  },
  { weight: 3, arbitrary: letters },
);
const body = fc.constantFrom("", "1", "page", "x".repeat(512), "y".repeat(1000));

/** A value that is absent `times` as often as present, because most archives have few unusual parts. */
function rarely<T>(arbitrary: fc.Arbitrary<T>, times = 20): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** A few entries, mostly with different names. */
function someOf<T extends { name: unknown }>(entry: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  const length = { minLength: 1, maxLength: 3 };
  return fc.oneof(
    { weight: 9, arbitrary: fc.uniqueArray(entry, { ...length, selector: ({ name: text }) => text }) },
    { weight: 1, arbitrary: fc.array(entry, length) },
  );
}

const systems = [0, 3, 6, 10, 11, 14, 19];
const modes = [0, 0o644, 0o100644, 0o100755, 0o104755, 0o100000, 0o040755, 0o040000, 0o120777, 0o020644];
const versions = [0, 10, 20, 45, 46, 63, 90, 0x0314];
const extraIds = [
  ...[0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0xcafe, 0xd935],
  ...[0x0001, 0x0007, 0x000c, 0x000d, 0x0017, 0x6375, 0x6c78, 0x7075, 0x756e, 0x9901],
];
const extraContents = [
  [],
  [1, 0, 0, 0, 0],
  [1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0],
  // libarchive's own: the mode of a symbolic link.
  [4, 0xff, 0xa1, 0, 0],
  // Another name, with the checksum of the one that it replaces.
  [1, ...crcOf("one.html"), ...Buffer.from("other.html")],
].map((bytes) => Uint8Array.from(bytes));
const extraContent = fc.oneof(fc.uint8Array({ maxLength: 14 }), fc.constantFrom(...extraContents));
const extra = fc
  .array(
    fc.tuple(fc.constantFrom(...extraIds), extraContent).map(([id, content]) => extraField(id, content)),
    { minLength: 1, maxLength: 2 },
  )
  .map((fields) => Buffer.concat(fields));

const zipEntry: fc.Arbitrary<ZipEntry> = fc
  .record({
    name,
    body,
    method: rarely(fc.constantFrom(0), 2),
    flags: rarely(fc.constantFrom(0x0800, 0, 0x0802, 0x0806, 0x0808, 0x1800, 0x0900, 0x8800)),
    mode: rarely(fc.constantFrom(...modes), 3),
    attributes: rarely(fc.oneof(fc.constantFrom(0x20, 0x10, 0x08, 0x01, 0x30), fc.nat(0xffff)), 4),
    system: rarely(fc.oneof(fc.constant(0), fc.nat(20)), 3),
    version: rarely(fc.constantFrom(...versions)),
    extra: rarely(extra, 3),
    local: rarely(
      fc.oneof(
        extra.map((field) => ({ extra: field })),
        fc.constantFrom({ version: 63 }, { flags: 0 }, { crc: 1 }, { name: "evil.html" }, { method: 0 }),
      ),
    ),
    descriptor: rarely(fc.constantFrom("signed" as const, "plain" as const, "wide" as const), 4),
    zip64: rarely(fc.constant(true), 5),
    gap: rarely(fc.constant(Buffer.from("gap")), 20),
  })
  .map(withoutAbsent);

const zip = fc
  .tuple(
    someOf(zipEntry),
    fc
      .record({
        zip64: rarely(fc.constant(true), 4),
        entries: rarely(fc.nat(4), 20),
        comment: rarely(
          fc.constantFrom("comment", "PK\x05\x06", "\0".repeat(30), "PK\x06\x07".repeat(9), "c".repeat(9000)),
        ).map((text) => (text === undefined ? undefined : Buffer.from(text, "latin1"))),
        order: rarely(fc.constant((names: readonly number[]) => names.toReversed())),
      })
      .map(withoutAbsent),
  )
  .map(([entries, end]) => buildZip(entries, end));

const paxOddities: readonly Readonly<Record<string, string>>[] = [
  { size: "4" },
  { mtime: "1700000000.5" },
  { mtime: "-1" },
  { mtime: "today" },
  { uid: "4294967295", gid: "7" },
  { uid: "99999999999" },
  { uname: "root\xff" },
  { comment: "x" },
  { linkpath: "/etc/passwd" },
  { hdrcharset: "BINARY" },
  { "GNU.sparse.name": "sparse.html" },
  { "SCHILY.realsize": "1" },
  { "SCHILY.xattr.user.x": "y" },
  { "LIBARCHIVE.creationtime": "1.5" },
  { "SCHILY.dev": "x", "SCHILY.nlink": "2" },
  { "RHT.security.selinux": "x" },
  { charset: "ISO-IR 8859 1 1998" },
];
const paxRecord = fc.oneof(
  name.map((path): Readonly<Record<string, string>> => ({ path })),
  fc.constantFrom(...paxOddities),
);
const extended: fc.Arbitrary<TarEntry> = fc.oneof(
  { weight: 5, arbitrary: fc.array(paxRecord, { maxLength: 2 }).map(paxHeader) },
  { weight: 3, arbitrary: name.map((path) => ({ name: "././@LongLink", type: "L", body: `${path}\0` })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { name: "g", type: "g", body: paxRecords({ comment: "commit" }) },
      { name: "g", type: "g", body: paxRecords({ mtime: "1.5", uname: "x" }) },
      { name: "g", type: "g", body: paxRecords({ path: "global.html" }) },
      { name: "k", type: "K", body: "target\0" },
    ),
  },
);
const types = ["0", "\0", "5", "7", "1", "2", "3", "6", "A", "S", "D", "V"];
const magics = ["", "ustar  \0", "ustar\0\0\0", "ustar 00", "ustar", "ustarX00", "tar\0\0\0\0\0"];
const prefixes = ["p", "p/q", "p/", "/p", "../p", "."];
const file = fc
  .record({
    name: name.filter((text) => Buffer.byteLength(text) <= 100),
    body,
    type: rarely(fc.constantFrom(...types), 3),
    magic: rarely(fc.constantFrom(...magics), 3),
    prefix: rarely(fc.constantFrom(...prefixes), 4),
    size: rarely(
      fc.constantFrom<Buffer | number>(0, Buffer.from("          4\0"), Buffer.alloc(12), wide(4)),
    ),
  })
  .map(withoutAbsent);
const tarEntries = fc
  .array(fc.tuple(rarely(fc.array(extended, { minLength: 1, maxLength: 2 }), 1), file), {
    minLength: 1,
    maxLength: 3,
  })
  .map((entries) => entries.flatMap(([headers = [], entry]) => [...headers, entry]));

/** Sets bytes in a header and recomputes its checksum. */
const headerPatch = fc.tuple(
  fc.oneof(
    fc.constantFrom(100, 108, 116, 124, 136, 156, 257, 265, 297, 329, 337, 345, 475, 500),
    fc.nat(511),
  ),
  fc.oneof(
    fc.constantFrom(
      "\0",
      " ",
      "\x80",
      "\xff",
      "-1",
      "99999999",
      "        ",
      "0000000\0",
      "\0".repeat(12),
      "tar\0",
    ),
    fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  ),
);
const tar = fc
  .tuple(
    tarEntries,
    rarely(headerPatch, 2),
    fc.constantFrom("", "", "", "\0".repeat(600), "\0"),
    rarely(fc.nat(1500), 3),
  )
  .map(([entries, patch, padding, cut]) => {
    const bytes = buildTar(entries);
    if (patch) {
      bytes.write(patch[1], patch[0], "latin1");
      withTarChecksum(bytes.subarray(0, 512));
    }
    const members = cut === undefined ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)];
    return Buffer.concat([...members.map((part) => gzipSync(part)), Buffer.from(padding, "latin1")]);
  });

/** Complete archives in which single bytes at any position are changed. */
const damaged = fc
  .tuple(
    fc.oneof(zip, tar),
    fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(0, 1, 0x10, 0xff), fc.nat(255))), { maxLength: 2 }),
  )
  .map(([bytes, changes]) => {
    const changed = Buffer.from(bytes);
    for (const [at, value] of changes) changed[at % changed.length] = value;
    return changed;
  });

/** Archives with one unusual part each, of every known type. */
function listOddArchives(): Buffer[] {
  const one = { name: "one.html", body: "1" };
  const pairs = <A, B>(first: readonly A[], second: readonly B[]) =>
    first.flatMap((left) => second.map((right) => [left, right] as const));
  const odd: Partial<ZipEntry>[] = [
    ...pairs(systems, [...Array(16).keys()]).map(([system, bit]) => ({ system, attributes: 1 << bit })),
    ...pairs(systems, modes).map(([system, mode]) => ({ system, mode })),
    ...versions.flatMap((version) => [{ version }, { local: { version } }]),
    ...pairs(extraIds, extraContents).flatMap(([id, content]) => [
      { extra: extraField(id, content) },
      { local: { extra: extraField(id, content) } },
    ]),
  ];
  const tars: TarEntry[][] = [
    ...paxOddities.map((record) => [paxHeader([record]), one]),
    ...pairs(types, ["one.html", "one/"]).map(([type, text]) => [{ ...one, type, name: text }]),
    ...pairs(types, ["one.html", "one/"]).map(([type, path]) => [paxHeader([{ path }]), { ...one, type }]),
    ...pairs(magics, ["", ...prefixes]).map(([magic, prefix]) => [{ ...one, magic, prefix }]),
  ];
  return [
    ...odd.map((part) =>
      buildZip([
        { name: "two.html", body: "2" },
        { ...one, ...part },
      ]),
    ),
    ...tars.map((entries) => gzipSync(buildTar([...entries, { name: "two.html", body: "2" }]))),
  ];
}

interface Accepted {
  readonly id: string;
  readonly format: string;
  readonly tree: Tree;
}

/** Path → the text of a file, or the type of anything else. */
type Tree = Readonly<Record<string, string>>;

const environment = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC" };
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let tried = 0;
const accepted: Accepted[] = [];

describe("every archive that is unpacked", () => {
  beforeAll(async () => {
    folder = await createTemporaryFolder();
    const generated = [zip, tar, damaged].flatMap((kind) => fc.sample(kind, archivesOfEach));
    const archives = [...listOddArchives(), ...generated];
    tried = archives.length;
    for (const [index, bytes] of archives.entries()) {
      const format = bytes[0] === 0x1f ? "tar.gz" : "zip";
      const path = join(folder.path, `${index}.${format}`);
      const target = join(folder.path, `${index}`);
      writeFileSync(path, bytes);
      try {
        await extractArchive(path, target, {}, new AbortController().signal);
      } catch (error) {
        expect(error).toHaveProperty("code", expect.stringMatching(/^(?:bundle-corrupt|unsafe-archive)$/));
        continue;
      }
      accepted.push({ id: String(index), format, tree: readTree(target) });
    }
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it("is one of many, and many are rejected", () => {
    expect(accepted.length).toBeGreaterThan(tried / 8);
    expect(accepted.length).toBeLessThan(tried);
  });

  for (const reader of readers) {
    const isMissing = spawnSync(reader.name, ["--version"]).error !== undefined;
    it.skipIf(isMissing)(`has the same names, types and bytes for ${reader.name}`, () => {
      const archives = accepted.filter(({ format }) => reader.formats.includes(format));
      const results = unpackAll(reader, archives);
      const differing = archives.flatMap(({ id, format, tree }, index) => {
        const status = results[index];
        const seen = readTree(join(folder.path, `${id}.${reader.name}`));
        const isSame = status === "0" && JSON.stringify(seen) === JSON.stringify(tree);
        return isSame ? [] : [{ archive: `${id}.${format}`, status, seen, tree }];
      });
      expect(differing).toEqual([]);
    });
  }
});

/** Unpacks all archives with the reader in one process; returns each exit status, "0" for success. */
function unpackAll(reader: Reader, archives: readonly Accepted[]): string[] {
  const list = archives.map(({ id, format }) => {
    const target = join(folder.path, `${id}.${reader.name}`);
    mkdirSync(target);
    return `${join(folder.path, `${id}.${format}`)} ${target}`;
  });
  const loop = `while read -r archive target; do set -- "$archive" "$target"; ${reader.script} </dev/null >/dev/null 2>&1; echo $?; done`;
  const [command, option, script] =
    reader.name === "python3" ? ["python3", "-c", reader.script] : ["sh", "-c", loop];
  const { stdout } = spawnSync(command, [option, script], {
    input: `${list.join("\n")}\n`,
    encoding: "utf8",
    env: environment,
    maxBuffer: 1e8,
  });
  return stdout.trim().split("\n");
}

/** The content of a folder; a name that is not UTF-8 is marked as such. */
function readTree(root: string): Tree {
  const tree: [string, string][] = [];
  const pending = [Buffer.from(root)];
  for (let folderPath = pending.pop(); folderPath !== undefined; folderPath = pending.pop()) {
    for (const entry of readdirSync(folderPath, { encoding: "buffer" })) {
      const path = Buffer.concat([folderPath, Buffer.from("/"), entry]);
      const stats = lstatSync(path);
      if (!stats.isSymbolicLink()) chmodSync(path, 0o700);
      if (stats.isDirectory()) pending.push(path);
      const kind = stats.isDirectory() ? "folder" : "special";
      const content = stats.isFile() ? `file: ${readFileSync(path, "latin1")}` : kind;
      tree.push([path.toString().slice(root.length + 1), content]);
    }
  }
  return Object.fromEntries(tree.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function crcOf(text: string): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(crc32(text));
  return bytes;
}

function paxHeader(records: readonly Readonly<Record<string, string>>[]): TarEntry {
  return { name: "x", type: "x", body: records.map(paxRecords).join("") };
}

function wide(size: number): Buffer {
  return Buffer.from([0x80, ...Array<number>(10).fill(0), size]);
}

/** Removes the fields that are `undefined`. */
function withoutAbsent<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
