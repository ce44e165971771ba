/** Writes the bundle of a site: a zip (PKWARE APPNOTE 6.3.10) whose bytes depend on nothing but its files and their order. */
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";

/** A file as the bundle holds it; other threads and the page cache pass it on as it is. */
export interface PackedFile {
  /** Its content, as raw DEFLATE where that is shorter. */
  readonly data: Uint8Array;
  /** Bytes of its content. */
  readonly size: number;
  /** CRC-32 of its content. */
  readonly crc: number;
}

/** Formats that are compressed already. */
const compressed = /\.(?:png|jpe?g|gif|webp|avif|mp4|m4v|webm|mov|mp3|ogg|woff2?|zip|gz|br)$/i;
const deflate = promisify<Uint8Array, Buffer>(deflateRaw);

/** Packs a file outside of this thread. */
export async function packFile(path: string, content: string | Uint8Array): Promise<PackedFile> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return describeFile(bytes, compressed.test(path) ? bytes : await deflate(bytes));
}

/** The same for a text, in this thread. */
export function packText(text: string): PackedFile {
  const bytes = Buffer.from(text);
  return describeFile(bytes, deflateRawSync(bytes));
}

function describeFile(bytes: Uint8Array, deflated: Uint8Array): PackedFile {
  const data = deflated.length < bytes.length ? deflated : bytes;
  return { data, size: bytes.length, crc: crc32(bytes) };
}

/** Where a file is in the bundle. */
interface Entry extends Omit<PackedFile, "data"> {
  readonly path: string;
  readonly length: number;
  /** Of its local header. */
  readonly offset: number;
}

/** So much is written at once. */
const bytesAtOnce = 1024 * 1024;

/** A bundle that is being written, one call after the other. One that is disposed of before its end leaves no file. */
export class BundleWriter implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  readonly #entries = new Map<string, Entry>();
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

  /** Adds a file behind the others; every path is added once. */
  async add(path: string, { data, size, crc }: PackedFile): Promise<void> {
    if (this.#entries.has(path)) throw new RangeError(`The bundle has two files at ${path}.`);
    const entry = { path, size, crc, length: data.length, offset: this.#bytes };
    this.#entries.set(path, entry);
    await this.#write(printLocalHeader(entry), data);
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** The content of a file that was added. */
  async read(path: string): Promise<Buffer> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new RangeError(`The bundle has no file at ${path}.`);
    if (this.#waitingBytes > 0) await this.#flush();
    const data = Buffer.alloc(entry.length);
    // At once: a way through other threads takes longer, and lists read thousands of files.
    readSync(this.#file.fd, data, { position: entry.offset + printLocalHeader(entry).length });
    return isDeflated(entry) ? inflateRawSync(data) : data;
  }

  /** Writes the directory. */
  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const offset = this.#bytes;
    for (const entry of this.#entries.values()) await this.#write(printDirectoryRecord(entry));
    await this.#write(printEnd(this.#entries.size, offset, this.#bytes - offset));
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
    if (this.#waitingBytes >= bytesAtOnce) await this.#flush();
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

// The records (§4.3.7, §4.3.12, §4.3.14-16). All numbers are little-endian.

const max16 = 0xffff;
const max32 = 0xffffffff;
/** Zip64, which offsets above 4 GiB and more than 65,534 entries need, is version 4.5. */
const versions = { deflate: 20, zip64: 45 } as const;
const madeOnUnix = 3 << 8;
const utf8Names = 0x0800;
/** 1980-01-01 00:00, the first time of the format. */
const dosTime = 0x0021 << 16;
const regularFile = (0o100644 << 16) >>> 0;

const isDeflated = ({ length, size }: Entry) => length < size;

/** Fields of 2, 4 or 8 bytes. */
function printFields(...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const record = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) record.writeBigUInt64LE(BigInt(value), at);
    else record.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return record;
}

/** What the local header and the directory both say of a file. */
function describeEntry(entry: Entry, version: number, extraBytes: number) {
  const nameBytes = Buffer.byteLength(entry.path);
  return [
    [2, version],
    [2, utf8Names],
    [2, isDeflated(entry) ? 8 : 0],
    [4, dosTime],
    [4, entry.crc],
    [4, entry.length],
    [4, entry.size],
    [2, nameBytes],
    [2, extraBytes],
  ] as const;
}

function printLocalHeader(entry: Entry): Buffer {
  const fields = printFields([4, 0x04034b50], ...describeEntry(entry, versions.deflate, 0));
  return Buffer.concat([fields, Buffer.from(entry.path)]);
}

/** @internal */
export function printDirectoryRecord(entry: Entry): Buffer {
  const isFar = entry.offset >= max32;
  const extra = isFar ? printFields([2, 0x0001], [2, 8], [8, entry.offset]) : Buffer.alloc(0);
  const version = isFar ? versions.zip64 : versions.deflate;
  const fields = printFields(
    [4, 0x02014b50],
    [2, madeOnUnix | versions.zip64],
    ...describeEntry(entry, version, extra.length),
    [2, 0],
    [2, 0],
    [2, 0],
    [4, regularFile],
    [4, Math.min(entry.offset, max32)],
  );
  return Buffer.concat([fields, Buffer.from(entry.path), extra]);
}

/** The end of the bundle: how many files it has, and where its directory is. */
function printEnd(entries: number, offset: number, size: number): Buffer {
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
