/**
 * Reads tar.gz archives: ustar and pax (POSIX.1-2001), and GNU tar. An archive that two readers could interpret differently is
 * rejected.
 */
import { createGunzip } from "node:zlib";
import { codeOf } from "../base/text.ts";
import { type ArchiveContents, type ByteSource, engineOptions, inflate, streamRange } from "./archive.ts";
import { decodeName, quote } from "./entry-path.ts";
import { corrupt, unsafe } from "./errors.ts";

export const blockBytes = 512;
const maxMetadataBytes = 1024 * 1024;

/**
 * Reads a gzip-compressed tar to its last byte. zlib checks the length and CRC of every gzip member.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
export async function readTarGz(
  source: ByteSource,
  contents: ArchiveContents,
  signal: AbortSignal,
): Promise<void> {
  const size = await source.size();
  const gunzip = createGunzip(engineOptions(size));
  const tar = new TarReader(contents);
  try {
    await inflate(gunzip, streamRange(source, 0, size), signal, (chunk) => {
      contents.countBytes(chunk.length, gunzip.bytesWritten);
      tar.write(chunk);
    });
  } catch (error) {
    signal.throwIfAborted();
    const code = codeOf(error) ?? "";
    if (code === "Z_BUF_ERROR") throw corrupt("The gzip stream is truncated.", error);
    if (code.startsWith("Z_")) throw corrupt(`The gzip stream is damaged (${code}).`, error);
    throw error;
  }
  tar.end();
  // Only zeros may follow the gzip stream as padding. Most readers would not see any other data.
  for await (const chunk of streamRange(source, gunzip.bytesWritten, size))
    if (!isZero(chunk)) throw corrupt("The gzip stream has data after its end.");
}

/** Parses a tar archive incrementally. Its generator yields when it needs more bytes. */
class TarReader {
  readonly #contents: ArchiveContents;
  readonly #reading = this.#read();
  #chunk: Buffer = Buffer.alloc(0);
  #hasEnded = false;

  constructor(contents: ArchiveContents) {
    this.#contents = contents;
  }

  /** @throws {BundleError} as soon as the bytes so far cannot be the start of a safe, complete archive */
  write(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#reading.next();
  }

  /** @throws {BundleError} if the two zero blocks at the end of the archive are missing */
  end(): void {
    if (!this.#hasEnded)
      throw corrupt("The tar archive is truncated: the two empty blocks at its end are missing.");
  }

  *#read(): Generator<void, never, void> {
    let extended: ExtendedHeader | undefined;
    for (;;) {
      const block = yield* this.#take(blockBytes);
      if (isZero(block)) break;
      this.#contents.countEntry();
      const header = parseHeader(block);
      if ("xgL".includes(header.type)) {
        if (extended) throw unsafe("An entry of the tar archive has two extended headers.");
        extended = yield* this.#readExtended(header);
      } else {
        yield* this.#readEntry(header, extended);
        extended = undefined;
      }
    }
    if (extended) throw corrupt("The tar archive is damaged: an extended header has no entry.");
    if (!isZero(yield* this.#take(blockBytes)))
      throw corrupt("The tar archive is damaged: an empty block is between two entries.");
    this.#hasEnded = true;
    for (;;) {
      if (!isZero(this.#chunk)) throw corrupt("The tar archive has data after its end.");
      yield;
    }
  }

  *#readExtended({ type, size }: TarHeader): Generator<void, ExtendedHeader | undefined, void> {
    if (size > maxMetadataBytes) throw unsafe(`An extended header of the tar archive is ${size} bytes long.`);
    const extended = parseExtended(type, yield* this.#take(size));
    yield* this.#take(paddingOf(size));
    return extended;
  }

  *#readEntry(header: TarHeader, extended?: ExtendedHeader): Generator<void, void, void> {
    const { type } = header;
    // A name that an extended header replaces may be cut within a character.
    const name = extended?.name ?? decodeName(header.name);
    const size = extended?.size ?? header.size;
    // Only some readers use an extended size. Sizes from 8 GiB on do not fit into the header.
    if (size !== header.size && size < 8 * 1024 ** 3) throw unsafe(`Entry ${quote(name)} has two sizes.`);
    if (type === "5") return this.#contents.addFolder(name, size);
    if (!"\u000007".includes(type))
      throw unsafe(`Entry ${quote(name)} is a link, a device or another special file (type ${quote(type)}).`);
    if (name.endsWith("/") || header.name.at(-1) === slash)
      throw unsafe(`Entry ${quote(name)} has the name of a folder but another type.`);
    this.#contents.startFile(name);
    for (let left = size; left > 0; ) {
      while (this.#chunk.length === 0) yield;
      const piece = this.#cut(left);
      this.#contents.write(piece);
      left -= piece.length;
    }
    this.#contents.endFile();
    yield* this.#take(paddingOf(size));
  }

  /** The next `length` bytes; valid until the next read. */
  *#take(length: number): Generator<void, Buffer, void> {
    if (this.#chunk.length >= length) return this.#cut(length);
    const pieces: Buffer[] = [];
    for (let left = length; left > 0; ) {
      while (this.#chunk.length === 0) yield;
      // Copied, because the chunk's buffer is reused.
      const piece = Buffer.from(this.#cut(left));
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  #cut(maxLength: number): Buffer {
    const piece = this.#chunk.subarray(0, maxLength);
    this.#chunk = this.#chunk.subarray(piece.length);
    return piece;
  }
}

type TarHeader = ReturnType<typeof parseHeader>;

const slash = 0x2f;

/** Positions of mode, owner, group and time. They are not used, but other readers reject invalid numbers. */
const otherNumbers = [
  [100, 108],
  [108, 116],
  [116, 124],
  [136, 148],
] as const;
/** The largest owner id; as a time, it is in the year 2106. */
const maxNumber = 0xffff_ffff;

function parseHeader(block: Buffer) {
  if (!isTarHeader(block)) throw corrupt("The tar archive is damaged: a header's checksum is wrong.");
  const magic = block.toString("latin1", 257, 265);
  // Only some readers use the prefix field of GNU's format, and of another version than 00.
  if (magic !== "ustar\x0000" && !(/^ustar(?: {2})?\0/.test(magic) && isZero(block.subarray(345, 500))))
    throw unsafe("The tar archive has a header of an unknown format.");
  const areNumbers = otherNumbers.every(
    ([start, end]) => (numberField(block.subarray(start, end)) ?? Number.NaN) <= maxNumber,
  );
  // 7-Zip reads no entry after a device number that is not octal.
  const areDevices = [329, 337].every((at) => octal(block.toString("latin1", at, at + 8)) !== undefined);
  const size = numberField(block.subarray(124, 136));
  if (size === undefined || !areNumbers || !areDevices)
    throw corrupt("The tar archive is damaged: a header has an invalid number.");
  const prefix = textField(block, 345, 500);
  const name = textField(block, 0, 100);
  return {
    name: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.of(slash), name]),
    size,
    type: block.toString("latin1", 156, 157),
  };
}

/** Whether a block has a valid header checksum: the sum of its bytes, with the checksum field read as spaces. */
export function isTarHeader(block: Buffer): boolean {
  const summed = Buffer.from(block).fill(" ", 148, 156);
  return octal(block.toString("latin1", 148, 156)) === summed.reduce((sum, byte) => sum + byte);
}

function textField(block: Buffer, start: number, end: number): Buffer {
  const field = block.subarray(start, end);
  return field.includes(0) ? field.subarray(0, field.indexOf(0)) : field;
}

/** Parses octal digits, or GNU's encoding of sizes from 8 GiB: big-endian with the top bit set. */
function numberField(field: Buffer): number | undefined {
  if (((field[0] ?? 0) & 0x80) === 0) return octal(field.toString("latin1"));
  // With another first byte, the number is negative or too large.
  if (field[0] !== 0x80) return undefined;
  const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
  return Number.isSafeInteger(value) ? value : undefined;
}

function octal(text: string): number | undefined {
  const digits = /^(?: *([0-7]+)[ \0]*|\0+)$/.exec(text);
  return digits === null ? undefined : Number.parseInt(digits[1] ?? "0", 8);
}

interface ExtendedHeader {
  readonly name?: string;
  readonly size?: number;
}

/** Parses a GNU long name or a pax header. A global header must not set names or sizes. */
function parseExtended(type: string, body: Buffer): ExtendedHeader | undefined {
  if (type === "L") return { name: decodeName(body.at(-1) === 0 ? body.subarray(0, -1) : body) };
  const records = parsePaxRecords(body);
  if (type === "x") return records;
  if (Object.keys(records).length > 0)
    throw unsafe("A global header of the tar archive sets the same name or size for all entries.");
  return undefined;
}

/** Records that do not affect the name or content of an entry in any reader, such as times and owners. */
const harmlessNumbers = new Set(["mtime", "atime", "ctime", "uid", "gid"]);
const harmlessRecord =
  /^(?:uname|gname|comment|SCHILY\.(?:dev|ino|nlink)|LIBARCHIVE\.creationtime|(?:SCHILY|LIBARCHIVE)\.xattr\..+)$/s;

/** Parses the records of a pax extended header: `"<length> <key>=<value>\n"`, where the length includes itself. */
function parsePaxRecords(bytes: Buffer): ExtendedHeader {
  const records: { name?: string; size?: number } = {};
  const seen = new Set<string>();
  for (let position = 0; position < bytes.length; ) {
    const space = bytes.indexOf(0x20, position);
    const digits = space === -1 ? "" : bytes.toString("latin1", position, space);
    const end = /^[1-9]\d{0,9}$/.test(digits) ? position + Number(digits) : 0;
    const equals = bytes.indexOf(0x3d, space);
    // A length that ends within its own digits, or behind the text, has no line end there.
    if (bytes[end - 1] !== 0x0a || equals === -1 || equals >= end)
      throw corrupt("The tar archive is damaged: an extended header is malformed.");
    const key = bytes.toString("utf8", space + 1, equals);
    const value = bytes.subarray(equals + 1, end - 1);
    if (seen.has(key)) throw unsafe(`An extended header of the tar archive has two records ${quote(key)}.`);
    seen.add(key);
    if (key === "path") records.name = decodeName(value);
    else if (key === "size") records.size = parsePaxSize(value.toString("latin1"));
    else requireHarmless(key, value.toString("latin1"));
    position = end;
  }
  return records;
}

function requireHarmless(key: string, value: string): void {
  if (!harmlessNumbers.has(key) && !harmlessRecord.test(key))
    throw unsafe(`An extended header of the tar archive has an unsupported record ${quote(key)}.`);
  const isNumber = /^\d{1,10}(?:\.\d{1,20})?$/.test(value) && Number(value) <= maxNumber;
  if (harmlessNumbers.has(key) && !isNumber)
    throw corrupt("The tar archive is damaged: an extended time or owner is not a number.");
}

function parsePaxSize(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw corrupt("The tar archive is damaged: an extended size is not a number.");
}

function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

function isZero(bytes: Buffer): boolean {
  // The first byte is zero, and each of the others is equal to the one before it.
  return bytes.length === 0 || (bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1)));
}
