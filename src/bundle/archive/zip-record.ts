import { corrupt, unsafe } from "../errors.ts";
import { decodeName, quote } from "./entry-path.ts";

/** What the central directory says about one entry (APPNOTE 6.3.10, §4.3.12). */
export interface ZipRecord {
  readonly nameBytes: Buffer;
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Where the entry's local header starts. */
  readonly offset: number;
  readonly isDirectory: boolean;
  /** Length of the record in the directory. */
  readonly length: number;
}

/** Longest record there can be: fixed part, name, extra fields and comment. */
export const maxRecordBytes = 46 + 3 * 0xffff;
/** Length of a record without its name, extra fields and comment. */
export const fixedRecordBytes = 46;

const recordSignature = 0x02014b50;
const encryptionFlags = 0x0001 | 0x0040 | 0x2000;
const patchFlag = 0x0020;

/** Length of the record that starts with these bytes. */
export function recordLength(fixed: Buffer): number {
  if (fixed.readUInt32LE(0) !== recordSignature) throw corrupt("The zip's directory is damaged.");
  return fixedRecordBytes + fixed.readUInt16LE(28) + fixed.readUInt16LE(30) + fixed.readUInt16LE(32);
}

/**
 * Reads one record.
 *
 * @throws {BundleError} for links and devices, encryption, unknown methods and damaged fields
 */
export function parseZipRecord(bytes: Buffer): ZipRecord {
  const nameEnd = fixedRecordBytes + bytes.readUInt16LE(28);
  // A copy: the window the record is read from moves on.
  const nameBytes = Buffer.from(bytes.subarray(fixedRecordBytes, nameEnd));
  const name = decodeName(nameBytes);
  const flags = bytes.readUInt16LE(8);
  const method = bytes.readUInt16LE(10);
  requireReadable(name, { flags, method });
  if (bytes.readUInt16LE(34) !== 0) throw unsafe("The zip is one part of several.");
  const extra = bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(30));
  const isDirectory = name.endsWith("/");
  requireKind(name, { mode: bytes.readUInt32LE(38) >>> 16, isDirectory });
  return {
    nameBytes,
    name,
    flags,
    method,
    crc: bytes.readUInt32LE(16),
    ...readSizes(extra, {
      size: bytes.readUInt32LE(24),
      compressedSize: bytes.readUInt32LE(20),
      offset: bytes.readUInt32LE(42),
    }),
    isDirectory,
    length: bytes.length,
  };
}

function requireReadable(name: string, { flags, method }: { flags: number; method: number }): void {
  if ((flags & encryptionFlags) !== 0) throw unsafe(`Entry ${quote(name)} is encrypted.`);
  if ((flags & patchFlag) !== 0) throw unsafe(`Entry ${quote(name)} is a patch of another file.`);
  if (method !== 0 && method !== 8) {
    throw unsafe(
      `Entry ${quote(name)} uses compression method ${method}; only stored and deflated are read.`,
    );
  }
}

const kindBits = 0o170000;
const regularKind = 0o100000;
const directoryKind = 0o040000;

function requireKind(name: string, { mode, isDirectory }: { mode: number; isDirectory: boolean }): void {
  const kind = mode & kindBits;
  if (kind === 0) return;
  if (kind === 0o120000) throw unsafe(`Entry ${quote(name)} is a symbolic link.`);
  if (kind !== regularKind && kind !== directoryKind)
    throw unsafe(`Entry ${quote(name)} is a device or a pipe.`);
  if ((kind === directoryKind) !== isDirectory) {
    throw unsafe(`Entry ${quote(name)} is a folder by its mode or by its name, but not by both.`);
  }
}

interface ZipSizes {
  readonly size: number;
  readonly compressedSize: number;
  readonly offset: number;
}

const zip64Id = 1;

/** Numbers that do not fit into 32 bits stand in the zip64 extra field, in this order, only where they do not fit. */
function readSizes(extra: Buffer, plain: ZipSizes): ZipSizes {
  const isNeeded = [plain.size, plain.compressedSize, plain.offset].includes(0xffffffff);
  if (!isNeeded) return plain;
  const field = findExtraField(extra, zip64Id);
  let position = 0;
  function take(value: number): number {
    if (value !== 0xffffffff) return value;
    if (!field || position + 8 > field.length) throw corrupt("The zip is damaged: a 64-bit size is missing.");
    const wide = Number(field.readBigUInt64LE(position));
    position += 8;
    if (!Number.isSafeInteger(wide)) throw corrupt("The zip is damaged: a 64-bit number is out of range.");
    return wide;
  }
  return { size: take(plain.size), compressedSize: take(plain.compressedSize), offset: take(plain.offset) };
}

function findExtraField(extra: Buffer, id: number): Buffer | undefined {
  let found: Buffer | undefined;
  let position = 0;
  while (position + 4 <= extra.length) {
    const end = position + 4 + extra.readUInt16LE(position + 2);
    if (end > extra.length) break;
    if (extra.readUInt16LE(position) === id) {
      if (found) throw unsafe("The zip has an entry with two 64-bit size fields.");
      found = extra.subarray(position + 4, end);
    }
    position = end;
  }
  return found;
}
