/**
 * Reads zip archives (PKWARE APPNOTE 6.3.10). It is stricter than most readers: an archive that two readers could interpret
 * differently is rejected.
 *
 *     local header · data · data descriptor     for each entry
 *     record                                    for each entry: the central directory
 *     zip64 end record · zip64 locator          if 16 or 32 bits are not enough
 *     end record · comment
 */
import { constants, crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { codeOf } from "../base/text.ts";
import {
  type ArchiveContents,
  type ByteSource,
  ByteWindow,
  engineOptions,
  inflate,
  streamRange,
} from "./archive.ts";
import { decodeName, quote } from "./entry-path.ts";
import { corrupt, unsafe } from "./errors.ts";
import { blockBytes, isTarHeader } from "./tar.ts";

/** Entries up to this size are inflated in one call, which is faster than a stream per entry for thousands of small files. */
const smallBytes = 512 * 1024;

/**
 * Reads a zip in the order of its bytes. Every byte of the file must belong to exactly one entry or to the directory, so that entries
 * cannot overlap and no data is hidden between them.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
export async function readZip(
  source: ByteSource,
  contents: ArchiveContents,
  signal: AbortSignal,
): Promise<void> {
  await requireOnlyZip(source);
  const directory = await findDirectory(source);
  const directoryEnd = directory.offset + directory.size;
  const records = new ByteWindow(source, 2 * maxRecordBytes, directoryEnd);
  const entries: { readonly recordAt: number; readonly offset: number }[] = [];
  for (let recordAt = directory.offset; recordAt < directoryEnd; ) {
    signal.throwIfAborted();
    contents.countEntry();
    const { offset, length } = await readRecord(records, recordAt);
    entries.push({ recordAt, offset });
    recordAt += length;
  }
  if (entries.length !== directory.entries)
    throw corrupt(`The zip's directory lists ${entries.length} entries instead of ${directory.entries}.`);
  entries.sort((a, b) => a.offset - b.offset);

  const window = new ByteWindow(source, 2 * smallBytes, directory.offset);
  const reading = { source, window, contents, signal };
  if ((entries[0]?.offset ?? directory.offset) !== 0)
    throw unsafe("The zip starts with bytes that belong to no entry.");
  for (const [index, { recordAt }] of entries.entries()) {
    signal.throwIfAborted();
    const record = await readRecord(records, recordAt);
    const end = entries[index + 1]?.offset ?? directory.offset;
    await readEntry(record, end, reading);
  }
}

interface ZipReading {
  readonly source: ByteSource;
  readonly window: ByteWindow;
  readonly contents: ArchiveContents;
  readonly signal: AbortSignal;
}

// The end records (§4.3.14-16).

interface ZipDirectory {
  readonly entries: number;
  readonly offset: number;
  readonly size: number;
}

const endBytes = 22;
const end64Bytes = 56;
const locatorBytes = 20;
const maxDirectoryBytes = 256 * 1024 * 1024;
/** libarchive searches for the end record in the last 16 KiB only. */
const maxCommentBytes = 8 * 1024;

/**
 * Some readers, such as bsdtar, detect tar archives and disc images by their content before they detect a zip.
 *
 * @throws {BundleError} `unsafe-archive` for a zip that is also a valid start of a tar archive or a disc image
 */
async function requireOnlyZip(source: ByteSource): Promise<void> {
  const size = await source.size();
  const startBytes = Math.min(size, discImageAt + 5);
  const start = await new ByteWindow(source, startBytes, size).read(0, startBytes);
  const isTar = size >= blockBytes && isTarHeader(start.subarray(0, blockBytes));
  if (isTar || start.toString("latin1", discImageAt) === "CD001")
    throw unsafe(
      "The zip is also a tar archive or a disc image, so readers would disagree about its contents.",
    );
}

/** Position of the identifier of ISO 9660's first descriptor. */
const discImageAt = 32_769;

/** Locates the directory. The end records must be at the end of the file, and the directory must be directly before them. */
async function findDirectory(source: ByteSource): Promise<ZipDirectory> {
  const fileBytes = await source.size();
  const tailBytes = Math.min(fileBytes, locatorBytes + endBytes + maxCommentBytes);
  const tailStart = fileBytes - tailBytes;
  const tail = await new ByteWindow(source, tailBytes, fileBytes).read(tailStart, tailBytes);
  const endAt = findEndRecord(tail);
  const plain = {
    entries: tail.readUInt16LE(endAt + 10),
    size: tail.readUInt32LE(endAt + 12),
    offset: tail.readUInt32LE(endAt + 16),
  };
  const locator = endAt < locatorBytes ? undefined : tail.subarray(endAt - locatorBytes, endAt);
  const zip64 =
    locator?.readUInt32LE(0) === 0x07064b50
      ? await readZip64End(source, locator, tailStart + endAt - locatorBytes)
      : undefined;
  const directory = zip64 ?? plain;
  const disks = tail.readUInt32LE(endAt + 4);
  const isOnlyPart = disks === 0 || (zip64 !== undefined && disks === 0xffffffff);
  if (!isOnlyPart || tail.readUInt16LE(endAt + 8) !== plain.entries)
    throw unsafe("The zip is one part of several.");
  // Both records describe the same directory. A number that fits into the shorter record must be the same in both.
  const agree =
    (plain.entries === 0xffff || plain.entries === directory.entries) &&
    (plain.size === 0xffffffff || plain.size === directory.size) &&
    (plain.offset === 0xffffffff || plain.offset === directory.offset);
  if (!agree) throw unsafe("The zip's two end records disagree about its contents.");
  if (directory.offset + directory.size !== (zip64?.startsAt ?? tailStart + endAt))
    throw corrupt(
      "The zip's directory is not at the position in its end record: the file is truncated, or has other data before it.",
    );
  if (directory.size > maxDirectoryBytes)
    throw unsafe(`The zip's directory is ${directory.size} bytes long.`);
  return directory;
}

/** Finds the only end record, whose comment must end at the end of the file. */
function findEndRecord(tail: Buffer): number {
  const found: number[] = [];
  for (let index = tail.length - endBytes; index >= 0; index -= 1) {
    if (tail.readUInt32LE(index) !== 0x06054b50) continue;
    if (index + endBytes + tail.readUInt16LE(index + 20) === tail.length) found.push(index);
  }
  const [first, second] = found;
  if (first === undefined)
    throw corrupt("The zip is truncated or has data after its end: no end record is at the end of the file.");
  if (second !== undefined || tail.lastIndexOf("PK\x05\x06", undefined, "latin1") !== first)
    throw unsafe("The zip has two end records, so readers would disagree about its contents.");
  return first;
}

async function readZip64End(
  source: ByteSource,
  locator: Buffer,
  locatorAt: number,
): Promise<ZipDirectory & { readonly startsAt: number }> {
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) !== 1)
    throw unsafe("The zip is one part of several.");
  const startsAt = readNumber(locator, 8);
  const record = await new ByteWindow(source, end64Bytes, locatorAt).read(startsAt, end64Bytes);
  if (
    record.readUInt32LE(0) !== 0x06064b50 ||
    readNumber(record, 4) !== end64Bytes - 12 ||
    startsAt + end64Bytes !== locatorAt
  )
    throw corrupt("The zip's 64-bit end record is damaged.");
  if (record.readBigUInt64LE(16) !== 0n || readNumber(record, 24) !== readNumber(record, 32))
    throw unsafe("The zip is one part of several.");
  return {
    startsAt,
    entries: readNumber(record, 32),
    size: readNumber(record, 40),
    offset: readNumber(record, 48),
  };
}

function readNumber(bytes: Buffer, offset: number): number {
  const value = Number(bytes.readBigUInt64LE(offset));
  if (!Number.isSafeInteger(value)) throw corrupt("The zip is damaged: a 64-bit number is out of range.");
  return value;
}

// The central directory (§4.3.12).

interface ZipName {
  readonly nameBytes: Buffer;
  readonly name: string;
  readonly flags: number;
  readonly system: number;
}

type ZipRecord = Awaited<ReturnType<typeof readRecord>>;

/** The system that created the entry (§4.4.2): MS-DOS or Unix. Readers interpret the attributes and names of others differently. */
const unixSystem = 3;
const knownSystems = new Set([0, unixSystem]);
/** Version 4.5: 64-bit sizes. Some readers skip entries that need a later version. */
const maxVersion = 45;
/** MS-DOS attributes of entries that are not plain files: volume label, device, and on NTFS a link. */
const specialAttributes = 0x0008 | 0x0040 | 0x0400;
const folderAttribute = 0x0010;
const utf8Flag = 0x0800;

const recordBytes = 46;
const maxRecordBytes = recordBytes + 3 * 0xffff;
const encryptionFlags = 0x0001 | 0x0040 | 0x2000;
const patchFlag = 0x0020;
const descriptorFlag = 0x0008;
/** Bits 1 and 2 are the compression level, which readers ignore. */
const ignoredFlags = 0x0006;

/** @throws {BundleError} for links and devices, encryption, unknown methods and damaged fields */
async function readRecord(window: ByteWindow, position: number) {
  const fixed = await window.read(position, recordBytes);
  if (fixed.readUInt32LE(0) !== 0x02014b50) throw corrupt("The zip's directory is damaged.");
  const nameEnd = recordBytes + fixed.readUInt16LE(28);
  const extraEnd = nameEnd + fixed.readUInt16LE(30);
  const length = extraEnd + fixed.readUInt16LE(32);
  const bytes = await window.read(position, length);
  // Copied, because the window's buffer is reused.
  const nameBytes = Buffer.from(bytes.subarray(recordBytes, nameEnd));
  const name = decodeName(nameBytes);
  const flags = bytes.readUInt16LE(8);
  const method = bytes.readUInt16LE(10);
  const isFolder = name.endsWith("/");
  const problem = problemOfFormat(bytes) ?? problemOfType(bytes, isFolder);
  if (problem) throw unsafe(`Entry ${quote(name)} ${problem}.`);
  const named = { nameBytes, name, flags, system: bytes.readUInt8(5) };
  const plain = {
    size: bytes.readUInt32LE(24),
    compressedSize: bytes.readUInt32LE(20),
    offset: bytes.readUInt32LE(42),
  };
  const sizes = readExtra(named, bytes.subarray(nameEnd, extraEnd), plain);
  return { ...named, method, crc: bytes.readUInt32LE(16), isFolder, length, ...sizes };
}

function problemOfFormat(record: Buffer): string | undefined {
  const flags = record.readUInt16LE(8);
  const method = record.readUInt16LE(10);
  if ((flags & encryptionFlags) !== 0) return "is encrypted";
  if ((flags & patchFlag) !== 0) return "is a patch of another file";
  if (method !== 0 && method !== 8)
    return `uses compression method ${method}; only stored and deflated are supported`;
  if (record.readUInt16LE(6) > maxVersion) return "needs a later version of zip than 4.5";
  if (!knownSystems.has(record.readUInt8(5))) return "was made on another system than MS-DOS or Unix";
  return record.readUInt16LE(34) === 0 ? undefined : "is in another part of the zip";
}

function problemOfType(record: Buffer, isFolder: boolean): string | undefined {
  const attributes = record.readUInt16LE(38);
  const type = record.readUInt16LE(40) & 0o170000;
  const isSpecial = (attributes & specialAttributes) !== 0 || ![0, 0o040000, 0o100000].includes(type);
  if (isSpecial) return "is a link, a device or a pipe";
  const isConsistent = type === 0 || (type === 0o040000) === isFolder;
  return isConsistent && (isFolder || (attributes & folderAttribute) === 0)
    ? undefined
    : "is a folder according to only one of its attributes and its name";
}

interface ZipSizes {
  readonly size: number;
  readonly compressedSize: number;
  readonly offset: number;
}

const zip64Id = 0x0001;
/** Times of Info-ZIP. libarchive treats an entry with an empty field as damaged. */
const timesId = 0x5455;
/** Extra fields that do not affect the unpacked content: times, owners, and markers of Java and Android. */
const harmlessExtraIds = new Set([0x000a, 0x5855, 0x7855, 0x7875, 0xcafe, 0xd935]);

/** Info-ZIP's copy of the name, in UTF-8. */
const unicodePathId = 0x7075;

/**
 * Reads the sizes from the zip64 extra field. It contains, in this order, only the numbers that do not fit into 32 bits.
 *
 * @throws {BundleError} for a name whose encoding readers guess, and for fields that only some readers use, such as another name
 */
function readExtra(named: ZipName, extra: Buffer, plain: ZipSizes): ZipSizes {
  requireMarked(named, extra);
  const { name, nameBytes } = named;
  let zip64: Buffer | undefined;
  for (const { id, content } of splitExtra(name, extra)) {
    if (id === zip64Id) {
      if (zip64) throw unsafe(`Entry ${quote(name)} has two 64-bit size fields.`);
      zip64 = content;
    } else if (!isHarmless(id, content, nameBytes))
      throw unsafe(`Entry ${quote(name)} has an unsupported extra field (0x${id.toString(16)}).`);
  }
  let position = 0;
  function widen(value: number): number {
    if (value !== 0xffffffff) return value;
    if (!zip64 || position + 8 > zip64.length)
      throw corrupt(`Entry ${quote(name)} is damaged: a 64-bit size is missing.`);
    position += 8;
    return readNumber(zip64, position - 8);
  }
  return {
    size: widen(plain.size),
    compressedSize: widen(plain.compressedSize),
    offset: widen(plain.offset),
  };
}

/** Info-ZIP's unzip decodes a name from MS-DOS with a code page, even if it is marked as UTF-8, unless it has extra fields. */
function requireMarked({ name, nameBytes, flags, system }: ZipName, extra: Buffer): void {
  const isMarked = (flags & utf8Flag) !== 0 && (system === unixSystem || extra.length > 0);
  if (!isMarked && nameBytes.some((byte) => byte >= 0x80))
    throw unsafe(
      `Entry ${quote(name)} has a name that is not ASCII, and not marked as UTF-8 for every reader: readers take it for different ones.`,
    );
}

function isHarmless(id: number, content: Buffer, name: Buffer): boolean {
  if (id === timesId) return content.length > 0;
  if (id !== unicodePathId) return harmlessExtraIds.has(id);
  // Version 1, the checksum of the name that this one replaces, and this one.
  const same = Buffer.concat([Buffer.of(1, 0, 0, 0, 0), name]);
  same.writeUInt32LE(crc32(name), 1);
  return content.equals(same);
}

function* splitExtra(name: string, extra: Buffer): Generator<{ id: number; content: Buffer }, void, void> {
  for (let position = 0; position < extra.length; ) {
    const start = position + 4;
    const end = start <= extra.length ? start + extra.readUInt16LE(position + 2) : Number.NaN;
    if (!(end <= extra.length)) throw unsafe(`Entry ${quote(name)} has damaged extra fields.`);
    yield { id: extra.readUInt16LE(position), content: extra.subarray(start, end) };
    position = end;
  }
}

// The entries (§4.3.7-9).

/** Reads an entry. It must end at `end`, where the next entry starts. */
async function readEntry(record: ZipRecord, end: number, reading: ZipReading): Promise<void> {
  const { window, contents, signal } = reading;
  const start = await readLocalHeader(window, record);
  const dataEnd = start + record.compressedSize;
  if (record.isFolder) contents.addFolder(record.name, record.size);
  else contents.startFile(record.name);
  let size = 0;
  let crc = 0;
  const consumed = await readData(record, start, reading, (chunk) => {
    size += chunk.length;
    contents.countBytes(chunk.length, dataEnd);
    if (size > record.size) throw corrupt(`Entry ${quote(record.name)} is longer than the zip states.`);
    crc = crc32(chunk, crc);
    // Some writers add empty deflated data to a folder.
    if (!record.isFolder) contents.write(chunk);
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw translateZlibError(error, record.name);
  });
  if (consumed !== record.compressedSize)
    throw corrupt(`Entry ${quote(record.name)} has data after the end of its compressed stream.`);
  if (size !== record.size)
    throw corrupt(`Entry ${quote(record.name)} has ${size} bytes instead of ${record.size}.`);
  if (crc !== record.crc) throw corrupt(`Entry ${quote(record.name)} is damaged: its CRC-32 is wrong.`);
  if (!record.isFolder) contents.endFile();
  const isEnded = hasDescriptor(record) ? await isDescriptor(record, window, dataEnd, end) : dataEnd === end;
  if (!isEnded)
    throw unsafe(`Entry ${quote(record.name)} does not end where the next one of the zip starts.`);
}

/**
 * Checks the local header of an entry and returns the position of its data.
 *
 * @throws {BundleError} `unsafe-archive` if the local header differs from the directory: streaming readers use the local header, other
 *   readers use the directory
 */
async function readLocalHeader(window: ByteWindow, record: ZipRecord): Promise<number> {
  const fixed = await window.read(record.offset, 30);
  if (fixed.readUInt32LE(0) !== 0x04034b50)
    throw corrupt(`Entry ${quote(record.name)} does not start at the position in the zip's directory.`);
  const nameEnd = 30 + fixed.readUInt16LE(26);
  const length = nameEnd + fixed.readUInt16LE(28);
  const bytes = await window.read(record.offset, length);
  const plain = { size: bytes.readUInt32LE(22), compressedSize: bytes.readUInt32LE(18), offset: 0 };
  const { size, compressedSize } = readExtra(record, bytes.subarray(nameEnd, length), plain);
  // With a data descriptor, the header was written before the numbers were known, and may contain zeros.
  const same = (local: number, central: number) =>
    local === central || (local === 0 && hasDescriptor(record));
  const agree =
    bytes.readUInt16LE(4) <= maxVersion &&
    bytes.subarray(30, nameEnd).equals(record.nameBytes) &&
    ((bytes.readUInt16LE(6) ^ record.flags) & ~ignoredFlags) === 0 &&
    bytes.readUInt16LE(8) === record.method &&
    same(bytes.readUInt32LE(14), record.crc) &&
    same(compressedSize, record.compressedSize) &&
    same(size, record.size);
  if (!agree)
    throw unsafe(`The local header of entry ${quote(record.name)} differs from the zip's directory.`);
  return record.offset + length;
}

function hasDescriptor({ flags }: ZipRecord): boolean {
  return (flags & descriptorFlag) !== 0;
}

/** Whether the bytes are the entry's data descriptor, with or without a signature, with sizes of 32 or 64 bits. */
async function isDescriptor(
  record: ZipRecord,
  window: ByteWindow,
  start: number,
  end: number,
): Promise<boolean> {
  if (![12, 16, 20, 24].includes(end - start)) return false;
  let bytes = await window.read(start, end - start);
  if (bytes.length % 8 === 0) {
    if (bytes.readUInt32LE(0) !== 0x08074b50) return false;
    bytes = bytes.subarray(4);
  }
  const isWide = bytes.length === 20;
  const compressedSize = isWide ? Number(bytes.readBigUInt64LE(4)) : bytes.readUInt32LE(4);
  const size = isWide ? Number(bytes.readBigUInt64LE(12)) : bytes.readUInt32LE(8);
  return (
    bytes.readUInt32LE(0) === record.crc && compressedSize === record.compressedSize && size === record.size
  );
}

/** Unpacks an entry's data, small entries in one call, large ones as a stream. Returns the number of compressed bytes used. */
async function readData(
  { method, size, compressedSize }: ZipRecord,
  start: number,
  { source, window, signal }: ZipReading,
  accept: (chunk: Buffer) => void,
): Promise<number> {
  if (size <= smallBytes && compressedSize <= smallBytes) {
    const packed = await window.read(start, compressedSize);
    if (method === 0) {
      accept(packed);
      return compressedSize;
    }
    // A larger buffer would be garbage after each of thousands of files, a smaller one would need a second call of zlib.
    const chunkSize = Math.max(constants.Z_MIN_CHUNK, Math.min(size + 1, constants.Z_DEFAULT_CHUNK));
    const options = { maxOutputLength: Math.max(1, size), chunkSize, info: true };
    // Node's type declarations do not include the result with `info`.
    const inflated: unknown = inflateRawSync(packed, options);
    const { buffer, engine } = inflated as { buffer: Buffer; engine: { bytesWritten: number } };
    accept(buffer);
    return engine.bytesWritten;
  }
  const data = streamRange(source, start, start + compressedSize);
  if (method === 0) {
    for await (const chunk of data) {
      signal.throwIfAborted();
      accept(chunk);
    }
    return compressedSize;
  }
  const engine = createInflateRaw(engineOptions(compressedSize));
  await inflate(engine, data, signal, accept);
  return engine.bytesWritten;
}

function translateZlibError(error: unknown, name: string): unknown {
  const code = codeOf(error) ?? "";
  if (code === "ERR_BUFFER_TOO_LARGE")
    return corrupt(`Entry ${quote(name)} is longer than the zip states.`, error);
  const isDamage = code.startsWith("Z_") || code === "ERR_STREAM_PREMATURE_CLOSE";
  return isDamage ? corrupt(`Entry ${quote(name)} is damaged (${code}).`, error) : error;
}
