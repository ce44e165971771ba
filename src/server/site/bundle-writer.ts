/** Writes the bundle of a site: a reproducible zip (PKWARE APPNOTE 6.3.10). Its bytes depend only on its files and their order. */
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
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

/** Formats that are already compressed. */
const compressed = /\.(?:png|jpe?g|gif|webp|avif|mp4|m4v|webm|mov|mp3|ogg|woff2?|zip|gz|br)$/i;
const deflate = promisify<Uint8Array, Buffer>(deflateRaw);

/** Packs a file in the thread pool. */
export async function packFile(path: string, content: string | Uint8Array): Promise<PackedFile> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return describeFile(bytes, compressed.test(path) ? bytes : await deflate(bytes));
}

/** Packs a text synchronously. */
export function packText(text: string): PackedFile {
  const bytes = Buffer.from(text);
  return describeFile(bytes, deflateRawSync(bytes));
}

function describeFile(bytes: Uint8Array, deflated: Uint8Array): PackedFile {
  const data = deflated.length < bytes.length ? deflated : bytes;
  return { data, size: bytes.length, crc: crc32(bytes) };
}

/** Minimum size of a write. */
const minWriteBytes = 1024 * 1024;

/** A bundle that is being written. Calls must not overlap. Disposal before {@link finish} removes the file. */
export class BundleWriter implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  readonly #entries = new Map<string, ZipEntry>();
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #isFinished = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<BundleWriter> {
    return new BundleWriter(path, await open(path, "w+", 0o600));
  }

  /** Appends a file. @throws {RangeError} for a path that was added before */
  async add(path: string, { data, size, crc }: PackedFile): Promise<void> {
    if (this.#entries.has(path)) throw new RangeError(`The bundle has two files at ${path}.`);
    const { length } = data;
    const entry = { path, size, crc, length, isDeflated: length < size, offset: this.#bytes };
    this.#entries.set(path, entry);
    await this.#write(printLocalHeader(entry), data);
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** Reads the content of an added file. */
  async read(path: string): Promise<Buffer> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new RangeError(`The bundle has no file at ${path}.`);
    if (this.#waitingBytes > 0) await this.#flush();
    const data = Buffer.alloc(entry.length);
    // Synchronous: the thread pool is slower, and the lists read thousands of files.
    readSync(this.#file.fd, data, { position: entry.offset + printLocalHeader(entry).length });
    return entry.isDeflated ? inflateRawSync(data) : data;
  }

  /** Writes the central directory. */
  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const offset = this.#bytes;
    for (const entry of this.#entries.values()) await this.#write(printDirectoryRecord(entry));
    await this.#write(printArchiveEnd(this.#entries.size, offset, this.#bytes - offset));
    await this.#flush();
    this.#isFinished = true;
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  async #write(...parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) {
      this.#waiting.push(part);
      this.#waitingBytes += part.length;
      this.#bytes += part.length;
    }
    if (this.#waitingBytes >= minWriteBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    const position = this.#bytes - this.#waitingBytes;
    const bytes = Buffer.concat(this.#waiting);
    [this.#waiting, this.#waitingBytes] = [[], 0];
    this.#hash.update(bytes);
    for (let written = 0; written < bytes.length; )
      written += (await this.#file.write(bytes, written, undefined, position + written)).bytesWritten;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
    if (!this.#isFinished) await rm(this.#path, { force: true });
  }
}
