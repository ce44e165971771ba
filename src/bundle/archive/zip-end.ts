import { corrupt, unsafe } from "../errors.ts";
import type { ByteSource } from "./byte-source.ts";

/** Where the central directory of a zip lies, from the end record (APPNOTE 6.3.10, §4.3.14-16). */
export interface ZipDirectory {
  readonly entries: number;
  readonly offset: number;
  readonly size: number;
}

const endBytes = 22;
const locatorBytes = 20;
const maxCommentBytes = 0xffff;
const maxDirectoryBytes = 256 * 1024 * 1024;
const endSignature = 0x06054b50;
const locatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;

/**
 * Finds the central directory. The end records must end the file, and the directory must end where they start.
 *
 * @throws {BundleError} `bundle-corrupt` when the zip is cut, `unsafe-archive` when readers could disagree about it
 */
export async function readZipDirectory(source: ByteSource): Promise<ZipDirectory> {
  const fileSize = await source.size();
  const tail = await readTail(source, fileSize);
  const endIndex = findEnd(tail.bytes);
  const end = tail.bytes.subarray(endIndex);
  const endOffset = tail.offset + endIndex;
  if (end.readUInt16LE(4) !== 0 || end.readUInt16LE(6) !== 0) throw unsafe("The zip is one part of several.");
  const plain = {
    entries: end.readUInt16LE(10),
    size: end.readUInt32LE(12),
    offset: end.readUInt32LE(16),
  };
  const zip64 = await readZip64(source, endOffset);
  const directory = zip64 ? merge(plain, zip64) : plain;
  const start = zip64?.start ?? endOffset;
  if (directory.offset + directory.size !== start) {
    throw corrupt(
      "The zip's directory is not where its end record says: the file is cut, or was glued to another.",
    );
  }
  if (directory.size > maxDirectoryBytes)
    throw unsafe(`The zip's directory is ${directory.size} bytes long.`);
  return directory;
}

async function readTail(source: ByteSource, fileSize: number): Promise<{ bytes: Buffer; offset: number }> {
  const length = Math.min(fileSize, endBytes + maxCommentBytes);
  return { bytes: await readAt(source, fileSize - length, length), offset: fileSize - length };
}

async function readAt(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = await source.read(bytes.subarray(filled), position + filled);
    if (bytesRead === 0) throw corrupt("The zip is cut: its end is missing.");
    filled += bytesRead;
  }
  return bytes;
}

/** The one record whose comment reaches exactly to the end of the file. */
function findEnd(tail: Buffer): number {
  const found: number[] = [];
  for (let index = tail.length - endBytes; index >= 0; index -= 1) {
    if (tail.readUInt32LE(index) !== endSignature) continue;
    if (index + endBytes + tail.readUInt16LE(index + 20) === tail.length) found.push(index);
  }
  const [first, second] = found;
  if (first === undefined) {
    throw corrupt("The zip is cut or has data after its end: no end record closes the file.");
  }
  if (second !== undefined)
    throw unsafe("The zip has two end records: readers would disagree about its contents.");
  return first;
}

interface Zip64Directory extends ZipDirectory {
  /** Where the zip64 end record starts. */
  readonly start: number;
}

async function readZip64(source: ByteSource, endOffset: number): Promise<Zip64Directory | undefined> {
  if (endOffset < locatorBytes) return undefined;
  const locator = await readAt(source, endOffset - locatorBytes, locatorBytes);
  if (locator.readUInt32LE(0) !== locatorSignature) return undefined;
  const start = readSafe(locator, 8);
  const locatorOffset = endOffset - locatorBytes;
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1)
    throw unsafe("The zip is one part of several.");
  if (start + 56 > locatorOffset) throw corrupt("The zip's 64-bit end record is damaged.");
  const record = await readAt(source, start, 56);
  if (record.readUInt32LE(0) !== end64Signature || start + 12 + readSafe(record, 4) !== locatorOffset) {
    throw corrupt("The zip's 64-bit end record is damaged.");
  }
  return { start, entries: readSafe(record, 32), size: readSafe(record, 40), offset: readSafe(record, 48) };
}

/** Both records describe one directory; where the short one has room for a number, it must be the same. */
function merge(plain: ZipDirectory, zip64: ZipDirectory): ZipDirectory {
  const agrees =
    (plain.entries === 0xffff || plain.entries === zip64.entries) &&
    (plain.size === 0xffffffff || plain.size === zip64.size) &&
    (plain.offset === 0xffffffff || plain.offset === zip64.offset);
  if (!agrees) throw unsafe("The zip's two end records disagree about its contents.");
  return zip64;
}

function readSafe(bytes: Buffer, offset: number): number {
  const value = bytes.readBigUInt64LE(offset);
  if (value > BigInt(Number.MAX_SAFE_INTEGER))
    throw corrupt("The zip is damaged: a 64-bit number is out of range.");
  return Number(value);
}
