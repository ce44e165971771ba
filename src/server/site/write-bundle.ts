/** Writes the bundle of a site: a reproducible zip (PKWARE APPNOTE 6.3.10). Its bytes depend only on its files and their order. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync, inflateRawSync, type ZlibOptions } from "node:zlib";
import {
  printArchiveEnd,
  printDirectoryRecord,
  printLocalHeader,
  type ZipEntry,
} from "../../base/zip-writer.ts";

/** A file as the bundle stores it. Worker threads and the page cache pass it on unchanged. */
export interface PackedFile {
  /** The content, compressed with raw DEFLATE if that is shorter. */
  readonly data: Uint8Array;
  /** Size of the uncompressed content. */
  readonly size: number;
  /** CRC-32 of the uncompressed content. */
  readonly crc: number;
}

/** A file with its path in the bundle. */
export type BundleFile = readonly [path: string, file: PackedFile];

/** Formats that are already compressed. */
const compressed = /\.(?:png|jpe?g|gif|webp|avif|mp4|m4v|webm|mov|mp3|ogg|woff2?|zip|gz|br)$/i;
const deflate = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw);

/** Packs a file in the thread pool. Each export does this again, so that it takes the fastest level with lazy matching. */
export async function packFile(path: string, content: string | Uint8Array): Promise<PackedFile> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return describeFile(bytes, compressed.test(path) ? bytes : await deflate(bytes, { level: 4 }));
}

/** Packs a text synchronously. */
export function packText(text: string): PackedFile {
  const bytes = Buffer.from(text);
  return describeFile(bytes, deflateRawSync(bytes));
}

/** A copy with memory of its own: the data of a page is a part of the much larger block that zlib or the page cache allocated. */
export function copyPacked(file: PackedFile): PackedFile {
  return { ...file, data: new Uint8Array(file.data) };
}

/** The content of a packed text. */
export function unpackText({ data, size }: PackedFile): string {
  return (data.length < size ? inflateRawSync(data) : Buffer.from(data)).toString();
}

function describeFile(bytes: Uint8Array, deflated: Uint8Array): PackedFile {
  const data = deflated.length < bytes.length ? deflated : bytes;
  return { data, size: bytes.length, crc: crc32(bytes) };
}

/** Bytes that are collected for one write. */
const bufferedBytes = 1024 * 1024;

/**
 * Writes files to an archive. After a failure, there is none.
 *
 * @returns the archive's length in bytes.
 * @throws {RangeError} for a path that occurs twice; the errors of the files
 */
export async function writeBundle(path: string, files: AsyncIterable<BundleFile>): Promise<number> {
  const archive = createWriteStream(path, { mode: 0o600, highWaterMark: bufferedBytes });
  try {
    await pipeline(printArchive(files), archive);
    return archive.bytesWritten;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function* printArchive(files: AsyncIterable<BundleFile>): AsyncGenerator<Uint8Array> {
  const entries = new Map<string, ZipEntry>();
  let offset = 0;
  for await (const [path, { data, size, crc }] of files) {
    if (entries.has(path)) throw new RangeError(`The bundle has two files at ${path}.`);
    const { length } = data;
    const entry = { path, size, crc, length, isDeflated: length < size, offset };
    entries.set(path, entry);
    const header = printLocalHeader(entry);
    offset += header.length + length;
    yield header;
    yield data;
  }
  const directory = Buffer.concat([...entries.values()].map(printDirectoryRecord));
  yield directory;
  yield printArchiveEnd(entries.size, offset, directory.length);
}
