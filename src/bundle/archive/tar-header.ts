import { corrupt } from "../errors.ts";
import { decodeName } from "./entry-path.ts";

/** One 512-byte header of a tar archive, as POSIX.1-2001 (ustar, pax) and GNU tar write it. */
export interface TarHeader {
  readonly name: string;
  readonly size: number;
  /** The type flag; `"0"` for the old `NUL`. */
  readonly type: string;
}

/** Length of a header and unit of everything in a tar archive. */
export const tarBlockBytes = 512;

/**
 * Reads a header block.
 *
 * @throws {BundleError} `bundle-corrupt` when the block is no tar header
 */
export function parseTarHeader(block: Buffer): TarHeader {
  if (!hasValidChecksum(block)) throw corrupt(describeForeignBlock(block));
  const flag = block.toString("latin1", 156, 157);
  // GNU's magic is "ustar  \0"; what POSIX calls the prefix holds other fields there.
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? textField(block, 345, 500) : "";
  const name = textField(block, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    size: numberField(block.subarray(124, 136)),
    type: flag === "\0" ? "0" : flag,
  };
}

function describeForeignBlock(block: Buffer): string {
  const isArchive = block.readUInt16BE(0) === 0x1f8b || block.readUInt32BE(0) === 0x504b0304;
  return isArchive
    ? "The bundle is an archive inside a gzip stream that is not a tar: something on the way compressed it again."
    : "The tar archive is damaged: a header's checksum is wrong.";
}

/** Old tars summed signed bytes; both are accepted, as every tar does. */
function hasValidChecksum(block: Buffer): boolean {
  let unsigned = 0;
  let signed = 0;
  for (let index = 0; index < tarBlockBytes; index += 1) {
    const byte = index >= 148 && index < 156 ? 0x20 : (block[index] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  const stored = octal(block.toString("latin1", 148, 156));
  return stored !== undefined && (stored === unsigned || stored === signed);
}

function textField(block: Buffer, start: number, end: number): string {
  const nul = block.indexOf(0, start);
  return decodeName(block.subarray(start, nul === -1 || nul > end ? end : nul));
}

function numberField(field: Buffer): number {
  const first = field[0] ?? 0;
  const value = first & 0x80 ? base256(field) : octal(field.toString("latin1"));
  if (value === undefined) throw corrupt("The tar archive is damaged: an entry's size is not a number.");
  return value;
}

function octal(text: string): number | undefined {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits || "0", 8);
}

/** GNU's encoding of sizes from 8 GiB: big-endian, the top bit set; negative numbers make no sense as a size. */
function base256(field: Buffer): number | undefined {
  if ((field[0] ?? 0) !== 0x80) return undefined;
  let value = 0;
  for (const byte of field.subarray(1)) value = value * 256 + byte;
  return Number.isSafeInteger(value) ? value : undefined;
}
