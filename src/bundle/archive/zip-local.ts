import { corrupt, unsafe } from "../errors.ts";
import type { ByteWindow } from "./byte-source.ts";
import { quote } from "./entry-path.ts";
import type { ZipRecord } from "./zip-record.ts";

const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const localFixedBytes = 30;
const descriptorFlag = 0x0008;
/** Bits 1 and 2 tell how hard the writer compressed; readers do not use them. */
const ignoredFlags = 0x0006;

/**
 * Reads an entry's local header and returns where its data starts.
 *
 * @throws {BundleError} `unsafe-archive` when it disagrees with the directory: streaming readers believe the one,
 *   others the other
 */
export async function readLocalHeader(window: ByteWindow, record: ZipRecord): Promise<number> {
  const fixed = await view(window, record.offset, localFixedBytes);
  if (fixed.readUInt32LE(0) !== localSignature) {
    throw corrupt(`Entry ${quote(record.name)} does not start where the zip's directory says.`);
  }
  const nameBytes = fixed.readUInt16LE(26);
  const extraBytes = fixed.readUInt16LE(28);
  if (!agrees(fixed, record)) disagree(record);
  const length = localFixedBytes + nameBytes + extraBytes;
  const header = await view(window, record.offset, length);
  if (!header.subarray(localFixedBytes, localFixedBytes + nameBytes).equals(record.nameBytes))
    disagree(record);
  return record.offset + length;
}

function agrees(fixed: Buffer, record: ZipRecord): boolean {
  const flagsAgree = ((fixed.readUInt16LE(6) ^ record.flags) & ~ignoredFlags) === 0;
  if (!flagsAgree || fixed.readUInt16LE(8) !== record.method) return false;
  // With a data descriptor the header was written before the sizes were known, and may hold zeros.
  const isOpen = hasDescriptor(record);
  return (
    same(fixed.readUInt32LE(14), record.crc, isOpen) &&
    same(fixed.readUInt32LE(18), record.compressedSize, isOpen) &&
    same(fixed.readUInt32LE(22), record.size, isOpen)
  );
}

function same(local: number, central: number, isOpen: boolean): boolean {
  // 0xffffffff refers to the zip64 field; the directory's copy of that field is the one that is checked.
  return local === central || local === 0xffffffff || (isOpen && local === 0);
}

function disagree(record: ZipRecord): never {
  throw unsafe(
    `Entry ${quote(record.name)} is described differently by its own header and by the zip's directory.`,
  );
}

function hasDescriptor(record: ZipRecord): boolean {
  return (record.flags & descriptorFlag) !== 0;
}

/**
 * Where an entry ends, its data descriptor included; `end` is where the next one starts.
 *
 * @throws {BundleError} when bytes between the two belong to no entry
 */
export async function requireEntryEnd(
  window: ByteWindow,
  { record, dataEnd, end }: { record: ZipRecord; dataEnd: number; end: number },
): Promise<void> {
  if (dataEnd === end && !hasDescriptor(record)) return;
  if (hasDescriptor(record) && (await isDescriptor(window, { record, start: dataEnd, end }))) return;
  throw unsafe(
    `Between ${quote(record.name)} and the next entry of the zip are bytes that belong to neither.`,
  );
}

async function isDescriptor(
  window: ByteWindow,
  { record, start, end }: { record: ZipRecord; start: number; end: number },
): Promise<boolean> {
  const length = end - start;
  if (![12, 16, 20, 24].includes(length)) return false;
  let bytes = await view(window, start, length);
  if (length === 16 || length === 24) {
    if (bytes.readUInt32LE(0) !== descriptorSignature) return false;
    bytes = bytes.subarray(4);
  }
  const isWide = bytes.length === 20;
  const compressedSize = isWide ? Number(bytes.readBigUInt64LE(4)) : bytes.readUInt32LE(4);
  const size = isWide ? Number(bytes.readBigUInt64LE(12)) : bytes.readUInt32LE(8);
  return (
    bytes.readUInt32LE(0) === record.crc && compressedSize === record.compressedSize && size === record.size
  );
}

async function view(window: ByteWindow, position: number, length: number): Promise<Buffer> {
  return window.peek(position, length) ?? (await window.fill(position, length));
}
