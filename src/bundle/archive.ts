/** Shared by the readers of zip and tar.gz: random access to bytes, limits, and the unpacked content. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Gunzip, InflateRaw } from "node:zlib";
import { exportReportPath, maxExportReportBytes } from "../base/export-report.ts";
import { releaseBuffer } from "../base/release-buffer.ts";
import { EntryNames, type EntryType, parseEntryPath, quote } from "./entry-path.ts";
import { BundleError, corrupt, fromWriteError, unsafe } from "./errors.ts";

/** Random access to the bytes of a file. For a file that is still being downloaded, reads wait until the bytes have arrived. */
export interface ByteSource {
  /** Length of the complete file; waits until it is known. */
  size(): Promise<number>;
  /** Reads up to `buffer.length` bytes at `position`; 0 only at the end. */
  read(buffer: Buffer, position: number): Promise<number>;
}

/** Limits of an archive's content. They apply to the actual content, not to the sizes in its headers. */
export interface ArchiveLimits {
  /** Maximum number of files, folders (including those that paths imply) and header blocks. */
  readonly maxEntries: number;
  readonly maxTotalBytes: number;
}

/** Maximum number of unpacked bytes per byte of the archive, after the first `ratioFreeBytes`. Only decompression bombs exceed it. */
const maxRatio = 200;
const ratioFreeBytes = 64 * 1024 * 1024;
/** Size of a folder in that ratio: it uses a block of the disk. */
const folderBytes = 4096;

/**
 * The entries of one archive. Counts them, rejects unsafe ones, and writes them to a new folder, if one is given. Existing files are
 * never opened. Modes and owners in the archive are ignored.
 *
 * Writes are synchronous, which is several times as fast as asynchronous writes for a site of thousands of small files.
 */
export class ArchiveContents implements Disposable {
  files = 0;
  /** Number of unpacked bytes (for a tar, including its headers). */
  totalBytes = 0;
  #entries = 0;
  /** The part of the export's report that has been read, nothing if it is too long; `undefined` if there is none. */
  #report: Buffer[] | undefined;
  #reportBytes = 0;
  readonly #limits: ArchiveLimits;
  readonly #folder: string | undefined;
  readonly #names = new EntryNames();
  /** The folder that was created last; the files of a folder usually follow each other. */
  #madeFolder = "";
  #folders = 0;
  #consumed = 0;
  #path = "";
  #file: number | undefined;

  constructor(
    { maxEntries = 1_000_000, maxTotalBytes = 10_240_000_000 }: Partial<ArchiveLimits>,
    folder?: string,
  ) {
    this.#limits = { maxEntries, maxTotalBytes };
    this.#folder = folder;
  }

  /** @throws {BundleError} `unsafe-archive` if there are too many entries */
  countEntry(count = 1): void {
    this.#entries += count;
    const { maxEntries } = this.#limits;
    if (this.#entries > maxEntries) throw unsafe(`The archive holds more than ${maxEntries} entries.`);
  }

  /**
   * Counts `bytes` more unpacked bytes. `consumed` is the number of bytes of the archive read so far.
   *
   * @throws {BundleError} `bundle-too-large` or `unsafe-archive`
   */
  countBytes(bytes: number, consumed: number): void {
    this.totalBytes += bytes;
    this.#consumed = consumed;
    const { maxTotalBytes } = this.#limits;
    if (this.totalBytes > maxTotalBytes)
      throw new BundleError("bundle-too-large", `The archive unpacks to more than ${maxTotalBytes} bytes.`);
    this.#requireRatio();
  }

  /** @throws {BundleError} for an unsafe name, a conflicting name, and a folder with a size */
  addFolder(name: string, size: number): void {
    const path = parseEntryPath(name);
    if (size !== 0) throw corrupt(`Folder ${quote(name)} has a size of ${size} bytes.`);
    if (path === "") return;
    this.#addName(path, "folder");
    this.#write(path, (folder) => this.#makeFolder(folder));
  }

  /** @throws {BundleError} for an unsafe or conflicting name */
  startFile(name: string): void {
    const path = parseEntryPath(name);
    if (/(?:^|\/)\.?$/.test(name))
      throw unsafe(`File ${quote(name)} of the archive has the name of a folder.`);
    this.#addName(path, "file");
    this.files += 1;
    this.#path = path;
    if (path === exportReportPath) this.#report = [];
    this.#write(path, (file) => {
      this.#makeFolder(dirname(file));
      this.#file = openSync(file, "wx", 0o644);
    });
  }

  /** Writes the next bytes of the current file. The chunk is valid only during the call. */
  write(chunk: Buffer): void {
    if (this.#path === exportReportPath) this.#keepReport(chunk);
    const file = this.#file;
    if (file === undefined) return;
    this.#write(this.#path, () => {
      for (let written = 0; written < chunk.length; ) written += writeSync(file, chunk, written);
    });
  }

  endFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }

  [Symbol.dispose](): void {
    this.endFile();
  }

  /** Untrusted text of the export's report, if the archive contains one. */
  get report(): string | undefined {
    return this.#report && Buffer.concat(this.#report).toString("utf8");
  }

  #keepReport(chunk: Buffer): void {
    this.#reportBytes += chunk.length;
    // Copied, because the chunk's buffer is reused.
    if (this.#reportBytes <= maxExportReportBytes) this.#report?.push(Buffer.from(chunk));
    else this.#report = [];
  }

  #addName(path: string, type: EntryType): void {
    const implied = this.#names.add(path, type);
    this.countEntry(implied);
    this.#folders += implied + (type === "folder" ? 1 : 0);
    this.#requireRatio();
  }

  #requireRatio(): void {
    const occupied = this.totalBytes + this.#folders * folderBytes;
    if (occupied > ratioFreeBytes && occupied > this.#consumed * maxRatio)
      throw unsafe(
        `The archive is a decompression bomb: ${this.#consumed} bytes of it unpack to ${this.totalBytes} and ${this.#folders} folders, more than ${maxRatio} times as much.`,
      );
  }

  #makeFolder(path: string): void {
    if (path === this.#madeFolder) return;
    mkdirSync(path, { recursive: true });
    this.#madeFolder = path;
  }

  #write(path: string, write: (path: string) => void): void {
    if (this.#folder === undefined) return;
    const target = join(this.#folder, path);
    try {
      write(target);
    } catch (error) {
      throw fromWriteError(error, target);
    }
  }
}

const chunkBytes = 1024 * 1024;

/**
 * Streams the bytes of a source from `start` to `end` (exclusive; default: its end). A chunk is valid until the next is requested.
 *
 * @throws {BundleError} if the source ends before `end`
 */
export async function* streamRange(
  source: ByteSource,
  start: number,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, end - start));
  for (let position = start; position < end; ) {
    const bytesRead = await source.read(buffer.subarray(0, end - position), position);
    if (bytesRead === 0 && Number.isFinite(end))
      throw corrupt(`The archive ends at byte ${position} instead of ${end}.`);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const jumpBytes = 4096;

/** A buffered window over a source, which turns many small reads in order into one large read. */
export class ByteWindow {
  readonly #source: ByteSource;
  readonly #buffer: Buffer;
  readonly #limit: number;
  #start = 0;
  #filled = 0;

  /** @param limit position that no read may exceed */
  constructor(source: ByteSource, windowBytes: number, limit: number) {
    this.#source = source;
    this.#buffer = Buffer.allocUnsafe(Math.min(windowBytes, limit));
    this.#limit = limit;
  }

  /** Reads `length` bytes (at most the window's size) from `position`. The result is valid until the next call. */
  async read(position: number, length: number): Promise<Buffer> {
    if (position + length > this.#limit) {
      throw corrupt(
        `A part of ${length} bytes at byte ${position} exceeds the position at which it must end (${this.#limit}).`,
      );
    }
    if (position < this.#start || position + length > this.#start + this.#filled)
      await this.#fill(position, length);
    return this.#buffer.subarray(position - this.#start, position - this.#start + length);
  }

  async #fill(position: number, length: number): Promise<void> {
    // A zip's directory may be in another order than its entries. A whole window for each of its records would be read in vain.
    const isNext = position > this.#start && position <= this.#start + this.#filled;
    const wanted = isNext ? this.#buffer.length : Math.max(length, jumpBytes);
    const expected = Math.min(wanted, this.#buffer.length, this.#limit - position);
    this.#start = position;
    this.#filled = 0;
    while (this.#filled < expected) {
      const rest = this.#buffer.subarray(this.#filled, expected);
      const bytesRead = await this.#source.read(rest, position + this.#filled);
      if (bytesRead === 0) throw corrupt(`The archive ends at byte ${position + this.#filled}, too early.`);
      this.#filled += bytesRead;
    }
  }
}

const maxOutputBytes = 4 * chunkBytes;
const minOutputBytes = 64 * 1024;

/**
 * Options of a zlib engine for {@link inflate}. It buffers only one chunk of input. An output chunk is larger: when one is full, zlib's
 * thread waits for this thread, which hashes at the same time.
 *
 * @param packedBytes length of the compressed data; a short one needs no large chunks
 */
export function engineOptions(packedBytes: number) {
  const chunkSize = Math.min(maxOutputBytes, Math.max(minOutputBytes, 4 * packedBytes));
  return { chunkSize, writableHighWaterMark: 1 };
}

/**
 * Decompresses the input with a zlib engine, to the end of the compressed stream or of the input. `onOutput` receives each output
 * chunk, which is valid only during the call.
 *
 * @throws the error of zlib, the input or `onOutput`, or the signal's reason
 */
export async function inflate(
  engine: Gunzip | InflateRaw,
  input: AsyncIterable<Buffer>,
  signal: AbortSignal,
  onOutput: (chunk: Buffer) => void,
): Promise<void> {
  await pipeline(
    input,
    engine,
    async (output: AsyncIterable<Buffer>) => {
      for await (const chunk of output) {
        onOutput(chunk);
        releaseBuffer(chunk);
      }
    },
    { signal },
  );
}
