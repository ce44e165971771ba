/**
 * Writes zip archives (PKWARE APPNOTE 6.3.10, §4.3.7-16): their records, and whole archives as a stream. All numbers are
 * little-endian. An archive depends only on the paths and contents of its files: all entries have the same time and mode.
 */
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { constants, crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import { releaseBuffer } from "./release-buffer.ts";

/** A file in an archive. */
export interface ZipEntry {
  readonly path: string;
  /** Bytes of its content. */
  readonly size: number;
  readonly crc: number;
  /** Bytes of its data in the archive. */
  readonly length: number;
  readonly isDeflated: boolean;
  readonly offset: number;
  /** Whether CRC and lengths follow the data in a data descriptor, because they are unknown when the header is written. */
  readonly isStreamed?: boolean;
}

const max16 = 0xffff;
const max32 = 0xffffffff;
/** Zip64, which lengths and offsets above 4 GiB and more than 65,534 entries need, is version 4.5. */
const versions = { deflate: 20, zip64: 45 } as const;
const madeOnUnix = 3 << 8;
const flags = { utf8Names: 0x0800, dataDescriptor: 0x0008 } as const;
/** 1980-01-01 00:00, the first time of the format. */
const dosTime = 0x0021 << 16;
const regularFile = (0o100644 << 16) >>> 0;

type Field = readonly [bytes: 2 | 4 | 8, value: number];

function printFields(...fields: readonly Field[]): Buffer {
  const record = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) record.writeBigUInt64LE(BigInt(value), at);
    else record.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return record;
}

/** The extra field for lengths and offsets that do not fit into four bytes; empty if there are none. */
function printZip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  return printFields([2, 0x0001], [2, values.length * 8], ...values.map((value): Field => [8, value]));
}

/** The fields that a local header and a directory record share. */
function commonFields(entry: ZipEntry, extra: Buffer): Field[] {
  return [
    [2, extra.length > 0 ? versions.zip64 : versions.deflate],
    [2, flags.utf8Names | (entry.isStreamed ? flags.dataDescriptor : 0)],
    [2, entry.isDeflated ? 8 : 0],
    [4, dosTime],
    [4, entry.crc],
    [4, Math.min(entry.length, max32)],
    [4, Math.min(entry.size, max32)],
    [2, Buffer.byteLength(entry.path)],
    [2, extra.length],
  ];
}

/**
 * The header in front of a file's data. Before a streamed file it holds neither CRC nor lengths.
 *
 * @param isLarge whether a streamed file's lengths may exceed 4 GiB: a reader must know this before the data descriptor
 */
export function printLocalHeader(entry: ZipEntry, isLarge = false): Buffer {
  const extra = printZip64Extra(isLarge ? [0, 0] : []);
  const fields = commonFields(isLarge ? { ...entry, length: max32, size: max32 } : entry, extra);
  return Buffer.concat([printFields([4, 0x04034b50], ...fields), Buffer.from(entry.path), extra]);
}

/** A file's record in the directory at the end of the archive. */
export function printDirectoryRecord(entry: ZipEntry): Buffer {
  const extra = printZip64Extra([entry.size, entry.length, entry.offset].filter((value) => value >= max32));
  const fields = printFields(
    [4, 0x02014b50],
    [2, madeOnUnix | versions.zip64],
    ...commonFields(entry, extra),
    [2, 0],
    [2, 0],
    [2, 0],
    [4, regularFile],
    [4, Math.min(entry.offset, max32)],
  );
  return Buffer.concat([fields, Buffer.from(entry.path), extra]);
}

/** The end of an archive: the number of its entries, and the length and position of its directory. */
export function printArchiveEnd(entries: number, offset: number, size: number): Buffer {
  const isLarge = entries >= max16 || offset >= max32 || size >= max32;
  const zip64 = printFields(
    [4, 0x06064b50],
    [8, 44],
    [2, madeOnUnix | versions.zip64],
    [2, versions.zip64],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, size],
    [8, offset],
  );
  const locator = printFields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]);
  const end = printFields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entries, max16)],
    [2, Math.min(entries, max16)],
    [4, Math.min(size, max32)],
    [4, Math.min(offset, max32)],
    [2, 0],
  );
  return Buffer.concat(isLarge ? [zip64, locator, end] : [end]);
}

/** A file to be added to a streamed archive. */
export interface ZipSource {
  readonly path: string;
  /** Expected length in bytes. */
  readonly size: number;
  /** Its chunks are freed when they have been compressed. */
  readonly content: () => AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Up to this length, a file is read and compressed in one call: for thousands of small files, streams take several times as long. */
export const smallFileBytes = 512 * 1024;
/** After so many bytes in single calls, the rest of the process has its turn. An empty file counts, too. */
const turnBytes = 1024 * 1024;
const minFileBytes = 1024;
/** From this length on, a file's compressed or uncompressed length may exceed 4 GiB. */
const largeFromBytes = 0xff000000;
/** Only one chunk of input is buffered: when the next one is requested, it has been compressed. */
const deflateOptions = { chunkSize: 256 * 1024, writableHighWaterMark: 1 };

/**
 * An archive as a stream, in the order of its files.
 *
 * @param level of DEFLATE; level 0 only wraps the content, in a form that streaming readers can follow, unlike stored entries
 */
export async function* zipStream(sources: Iterable<ZipSource>, level: number): AsyncGenerator<Buffer> {
  const entries: ZipEntry[] = [];
  let position = 0;
  let sinceTurn = 0;
  for (const source of sources) {
    const isSmall = source.size <= smallFileBytes;
    const { entry, end } = yield* (isSmall ? packFile : streamFile)(source, position, level);
    entries.push(entry);
    position = end;
    sinceTurn += isSmall ? Math.max(source.size, minFileBytes) : 0;
    if (sinceTurn < turnBytes) continue;
    sinceTurn = 0;
    await setImmediate();
  }
  const directory = Buffer.concat(entries.map(printDirectoryRecord));
  yield directory;
  yield printArchiveEnd(entries.length, position, directory.length);
}

/** The bytes of a file in an archive. `end` is the position after them. */
type FileParts = AsyncGenerator<Buffer, { readonly entry: ZipEntry; readonly end: number }, void>;

async function* packFile({ path, content }: ZipSource, offset: number, level: number): FileParts {
  const bytes = Buffer.concat(await Array.fromAsync(content()));
  // Usually one chunk holds all; a chunk of the default size would be garbage after each of thousands of files.
  const data = deflateRawSync(bytes, { level, chunkSize: bytes.length + constants.Z_MIN_CHUNK });
  const [size, crc, length] = [bytes.length, crc32(bytes), data.length];
  const entry = { path, size, crc, length, isDeflated: true, offset };
  const header = printLocalHeader(entry);
  yield header;
  yield data;
  return { entry, end: offset + header.length + length };
}

async function* streamFile({ path, size, content }: ZipSource, offset: number, level: number): FileParts {
  const entry = { path, size: 0, crc: 0, length: 0, isDeflated: true, isStreamed: true, offset };
  const isLarge = size >= largeFromBytes;
  const header = printLocalHeader(entry, isLarge);
  yield header;
  const countedContent = async function* () {
    for await (const chunk of content()) {
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
      releaseBuffer(chunk);
    }
  };
  const deflate = createDeflateRaw({ level, ...deflateOptions });
  // A failure of the content destroys the stream that is read here.
  pipeline(countedContent, deflate).catch(() => undefined);
  for await (const part of deflate) {
    entry.length += part.length;
    yield part;
  }
  const bytes = isLarge ? 8 : 4;
  const descriptor = printFields([4, 0x08074b50], [4, entry.crc], [bytes, entry.length], [bytes, entry.size]);
  yield descriptor;
  return { entry, end: offset + header.length + entry.length + descriptor.length };
}
