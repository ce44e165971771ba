/** Archives written byte by byte, so that a test can write any that no tool would. */
import { randomBytes } from "node:crypto";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { ArchiveLimits } from "../../src/bundle/archive.ts";
import { type ArchiveReport, openSource, readArchive } from "../../src/bundle/verify.ts";

/** Reads a file as every archive is read, without keeping any of it. */
export async function verifyArchive(
  path: string,
  limits: Partial<ArchiveLimits> = {},
  signal = new AbortController().signal,
): Promise<ArchiveReport> {
  await using source = await openSource(path);
  return await readArchive(source, limits, signal);
}

/** One entry of a tar archive; every field of its header may be chosen. */
export interface TarEntry {
  readonly name: string;
  readonly body?: Buffer | string;
  /** Type flag; a regular file by default. */
  readonly type?: string;
  readonly linkName?: string;
  /** The size field, where it is not the body's length: a number, or its 12 bytes. */
  readonly size?: number | Buffer;
  readonly prefix?: string;
  /** The six bytes of the magic and two of the version. */
  readonly magic?: string;
}

const blockBytes = 512;

/** A tar archive, by default with the two empty blocks that end it. */
export function buildTar(entries: readonly TarEntry[], { end = Buffer.alloc(2 * blockBytes) } = {}): Buffer {
  return Buffer.concat([...entries.flatMap(tarEntry), end]);
}

/** The same, compressed. */
export function buildTarGz(entries: readonly TarEntry[]): Buffer {
  return gzipSync(buildTar(entries));
}

function tarEntry(entry: TarEntry): Buffer[] {
  const body = Buffer.from(entry.body ?? "");
  const padding = Buffer.alloc((blockBytes - (body.length % blockBytes)) % blockBytes);
  return [tarHeader(entry, body.length), body, padding];
}

function tarHeader(entry: TarEntry, bodyBytes: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(entry.name, 0, 100);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  const size = entry.size ?? bodyBytes;
  if (typeof size === "number") header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  else size.copy(header, 124);
  header.write("00000000000\0", 136);
  header.write(entry.type ?? "0", 156);
  header.write(entry.linkName ?? "", 157, 100);
  header.write(entry.magic ?? "ustar\x0000", 257);
  header.write(entry.prefix ?? "", 345, 155);
  return withTarChecksum(header);
}

/** Fills in the checksum of a header block. */
export function withTarChecksum(header: Buffer): Buffer {
  header.write("        ", 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** The body of a pax extended header. */
export function paxRecords(records: Readonly<Record<string, string>>): string {
  return Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      const guess = Buffer.byteLength(rest) + String(Buffer.byteLength(rest)).length;
      const length = Buffer.byteLength(rest) + String(guess).length;
      return `${length}${rest}`;
    })
    .join("");
}

/** An extra field of a zip entry; a text stands for its bytes in Latin-1. */
export function extraField(id: number, content: string | Uint8Array): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : Buffer.from(content);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

/** One entry of a zip; every field may be chosen, for the local header and the directory alike or apart. */
export interface ZipEntry extends Partial<ZipFields> {
  readonly name: string | Buffer;
  readonly body?: Buffer | string;
  /** Fields that only the local header has so. */
  readonly local?: Partial<ZipFields> & { readonly name?: string; readonly extra?: Buffer };
  /** Further extra fields, in both places. */
  readonly extra?: Buffer;
  /** Writes the sizes behind the data, and zeros into the local header. */
  readonly descriptor?: "signed" | "plain" | "wide";
  /** Writes the sizes into a zip64 extra field. */
  readonly zip64?: boolean;
  /** Bytes between this entry and the next. */
  readonly gap?: Buffer;
  /** Unix mode. */
  readonly mode?: number;
  /** Attributes of MS-DOS. */
  readonly attributes?: number;
  /** The number of the system that made the entry; Unix by default. */
  readonly system?: number;
  /** Compressed bytes, where they are not the body's. */
  readonly packed?: Buffer;
}

interface ZipFields {
  /** Version of zip that is needed to unpack the entry. */
  readonly version: number;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** What of the end of a zip may be chosen. */
export interface ZipEnd {
  readonly comment?: Buffer;
  readonly entries?: number;
  readonly zip64?: boolean;
  /** Order of the directory's records; as written by default. */
  readonly order?: (names: readonly number[]) => readonly number[];
  readonly trailer?: Buffer;
}

/** A zip archive. */
export function buildZip(entries: readonly ZipEntry[], end: ZipEnd = {}): Buffer {
  let offset = 0;
  const written = entries.map((entry) => {
    const fields = zipFields(entry, offset);
    const parts = localParts(entry, fields);
    offset += parts.reduce((sum, part) => sum + part.length, 0);
    return { parts, record: centralRecord(entry, fields) };
  });
  const order = end.order?.([...written.keys()]) ?? [...written.keys()];
  const directory = Buffer.concat(order.flatMap((index) => written[index]?.record ?? []));
  return Buffer.concat([
    ...written.flatMap(({ parts }) => parts),
    directory,
    ...endRecords({ offset, size: directory.length, entries: end.entries ?? entries.length }, end),
  ]);
}

function zipFields(entry: ZipEntry, offset: number): ZipFields & { packed: Buffer } {
  const body = Buffer.from(entry.body ?? "");
  const method = entry.method ?? 8;
  const packed = entry.packed ?? (method === 8 ? deflateRawSync(body) : body);
  const isOpen = entry.descriptor !== undefined;
  return {
    version: entry.version ?? (entry.zip64 ? 45 : 20),
    flags: entry.flags ?? (isOpen ? 0x0808 : 0x0800),
    method,
    crc: entry.crc ?? crc32(body),
    compressedSize: entry.compressedSize ?? packed.length,
    size: entry.size ?? body.length,
    offset: entry.offset ?? offset,
    packed,
  };
}

function localParts(entry: ZipEntry, fields: ZipFields & { packed: Buffer }): Buffer[] {
  const open = entry.descriptor ? { crc: 0, compressedSize: 0, size: 0 } : {};
  const local = { ...fields, ...open, ...entry.local };
  const name = Buffer.from(entry.local?.name ?? entry.name);
  const extra = Buffer.concat([
    entry.zip64 ? wideSizes([fields.size, fields.compressedSize]) : Buffer.alloc(0),
    entry.local?.extra ?? entry.extra ?? Buffer.alloc(0),
  ]);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(local.version, 4);
  header.writeUInt16LE(local.flags, 6);
  header.writeUInt16LE(local.method, 8);
  header.writeUInt32LE(local.crc, 14);
  header.writeUInt32LE(entry.zip64 ? 0xffffffff : local.compressedSize, 18);
  header.writeUInt32LE(entry.zip64 ? 0xffffffff : local.size, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return [header, name, extra, fields.packed, descriptorOf(entry, fields), entry.gap ?? Buffer.alloc(0)];
}

function descriptorOf({ descriptor }: ZipEntry, { crc, compressedSize, size }: ZipFields): Buffer {
  if (!descriptor) return Buffer.alloc(0);
  const isWide = descriptor === "wide";
  const bytes = Buffer.alloc(isWide ? 24 : 16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  if (isWide) {
    bytes.writeBigUInt64LE(BigInt(compressedSize), 8);
    bytes.writeBigUInt64LE(BigInt(size), 16);
  } else {
    bytes.writeUInt32LE(compressedSize, 8);
    bytes.writeUInt32LE(size, 12);
  }
  return descriptor === "plain" ? bytes.subarray(4) : bytes;
}

function centralRecord(entry: ZipEntry, fields: ZipFields): Buffer {
  const name = Buffer.from(entry.name);
  const extra = Buffer.concat([
    entry.zip64 ? wideSizes([fields.size, fields.compressedSize, fields.offset]) : Buffer.alloc(0),
    entry.extra ?? Buffer.alloc(0),
  ]);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt8(20, 4);
  record.writeUInt8(entry.system ?? 3, 5);
  record.writeUInt16LE(fields.version, 6);
  record.writeUInt16LE(fields.flags, 8);
  record.writeUInt16LE(fields.method, 10);
  record.writeUInt32LE(fields.crc, 16);
  record.writeUInt32LE(entry.zip64 ? 0xffffffff : fields.compressedSize, 20);
  record.writeUInt32LE(entry.zip64 ? 0xffffffff : fields.size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt16LE(entry.attributes ?? 0, 38);
  record.writeUInt16LE(entry.mode ?? 0, 40);
  record.writeUInt32LE(entry.zip64 ? 0xffffffff : fields.offset, 42);
  return Buffer.concat([record, name, extra]);
}

function wideSizes(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

function endRecords(
  { offset, size, entries }: { offset: number; size: number; entries: number },
  { zip64 = false, comment = Buffer.alloc(0), trailer = Buffer.alloc(0) }: ZipEnd,
): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : entries, 8);
  end.writeUInt16LE(zip64 ? 0xffff : entries, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : size, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return [...(zip64 ? wideEnd({ offset, size, entries }) : []), end, comment, trailer];
}

function wideEnd({ offset, size, entries }: { offset: number; size: number; entries: number }): Buffer[] {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}

/** A site of a few pages and one large file that does not compress, as a tar.gz of about `bytes`. */
export function buildBundle(bytes: number): Buffer {
  return buildTarGz([
    { name: "site/", type: "5" },
    { name: "site/index.html", body: "<!doctype html><title>Docs</title>" },
    { name: "site/assets/large.bin", body: randomBytes(bytes) },
  ]);
}

/** The same as a zip. */
export function buildZipBundle(bytes: number): Buffer {
  return buildZip([
    { name: "site/", method: 0 },
    { name: "site/index.html", body: "<!doctype html><title>Docs</title>" },
    { name: "site/assets/large.bin", body: randomBytes(bytes), method: 0 },
  ]);
}
