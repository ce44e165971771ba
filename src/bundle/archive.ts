/** What the readers of zip and tar.gz share: bytes at any position, the limits, and a place for what they unpack. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Gunzip, InflateRaw } from "node:zlib";
import { exportReportPath, maxExportReportBytes } from "../base/export-report.ts";
import { releaseBuffer } from "../base/release-buffer.ts";
import { EntryNames, type EntryType, parseEntryPath, quote } from "./entry-path.ts";
import { BundleError, corrupt, fromWriteError, unsafe } from "./errors.ts";

/** Bytes that can be read at any position; a source that is still growing waits until they have arrived. */
export interface ByteSource {
  /** Length of the whole, once it is known. */
  size(): Promise<number>;
  /** Reads up to `buffer.length` bytes at `position`; 0 only at the end. */
  read(buffer: Buffer, position: number): Promise<number>;
}

/** What an archive may grow to; counted on real bytes, never on what its headers claim. */
export interface ArchiveLimits {
  /** Files, folders (also those that only a path names) and header blocks together. */
  readonly maxEntries: number;
  /** Bytes of everything unpacked. */
  readonly maxTotalBytes: number;
}

/** Unpacked bytes for each byte of the archive, once `ratioFreeBytes` are out: only decompression bombs have more. */
const maxRatio = 200;
const ratioFreeBytes = 64 * 1024 * 1024;
/** What a folder counts in that ratio: it takes a block of the disk. */
const folderBytes = 4096;

/**
 * The entries of one archive: counts them, refuses what no archive may hold, and writes the rest below a folder, if there
 * is one. It must be new; existing files are never opened, and modes and owners of the archive are ignored.
 *
 * Writes are synchronous: a site is thousands of small files, and one synchronous write of each is several times as fast
 * as an awaited one.
 */
export class ArchiveContents implements Disposable {
  files = 0;
  /** Bytes of everything unpacked (for a tar, its headers included). */
  totalBytes = 0;
  /** Files, folders (also those that only a path names) and header blocks. */
  #entries = 0;
  /** The export's report, as far as it has been read; `undefined` where there is none, or it is too long. */
  #report: Buffer[] | undefined;
  readonly #limits: ArchiveLimits;
  readonly #folder: string | undefined;
  readonly #names = new EntryNames();
  readonly #madeFolders = new Set<string>();
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

  /** @throws {BundleError} `unsafe-archive` beyond the allowed number of entries */
  countEntry(count = 1): void {
    this.#entries += count;
    const { maxEntries } = this.#limits;
    if (this.#entries > maxEntries) throw unsafe(`The archive holds more than ${maxEntries} entries.`);
  }

  /**
   * Counts `bytes` that were unpacked now; `consumed` bytes of the archive have been read so far.
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

  /** @throws {BundleError} for an unsafe name, one that clashes with another, and a folder that claims to have bytes */
  addFolder(name: string, size: number): void {
    const path = parseEntryPath(name);
    if (size !== 0) throw corrupt(`Folder ${quote(name)} claims to have ${size} bytes.`);
    if (path === "") return;
    this.#addName(path, "folder");
    this.#write(path, (folder) => this.#makeFolder(folder));
  }

  /** @throws {BundleError} for an unsafe name, and one that clashes with another */
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

  /** Takes the next bytes of the file started last; the chunk is not valid afterwards. */
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

  /** Text of the export's report, where the archive holds one. */
  get report(): string | undefined {
    return this.#report && Buffer.concat(this.#report).toString("utf8");
  }

  #keepReport(chunk: Buffer): void {
    // A copy: the chunk is used again.
    this.#report?.push(Buffer.from(chunk));
    const length = this.#report?.reduce((sum, kept) => sum + kept.length, 0) ?? 0;
    if (length > maxExportReportBytes) this.#report = undefined;
  }

  #addName(path: string, kind: EntryType): void {
    const implied = this.#names.add(path, kind);
    this.countEntry(implied);
    this.#folders += implied + (kind === "folder" ? 1 : 0);
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
    if (this.#madeFolders.has(path)) return;
    mkdirSync(path, { recursive: true });
    // Remembered for the folders at hand only: there may be a million.
    if (this.#madeFolders.size > 10_000) this.#madeFolders.clear();
    this.#madeFolders.add(path);
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

const chunkBytes = 256 * 1024;

/**
 * Streams the bytes of a source from `start` up to, not including, `end`; without an `end`, to its last one. A chunk is
 * valid until the next is asked for.
 *
 * @throws {BundleError} when the source ends before
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

/** A sliding window over a source: many small reads cost one large one. */
export class ByteWindow {
  readonly #source: ByteSource;
  readonly #buffer: Buffer;
  readonly #limit: number;
  #start = 0;
  #filled = 0;

  /** @param limit position that no read may go beyond */
  constructor(source: ByteSource, windowBytes: number, limit: number) {
    this.#source = source;
    this.#buffer = Buffer.allocUnsafe(windowBytes);
    this.#limit = limit;
  }

  /** `length` bytes (they must fit into the window) from `position`; valid until the next call. */
  async read(position: number, length: number): Promise<Buffer> {
    if (position + length > this.#limit) {
      throw corrupt(
        `A part of ${length} bytes at byte ${position} goes beyond where it must end (${this.#limit}).`,
      );
    }
    if (position < this.#start || position + length > this.#start + this.#filled) await this.#fill(position);
    return this.#buffer.subarray(position - this.#start, position - this.#start + length);
  }

  async #fill(position: number): Promise<void> {
    this.#start = position;
    this.#filled = 0;
    const expected = Math.min(this.#buffer.length, this.#limit - position);
    while (this.#filled < expected) {
      const rest = this.#buffer.subarray(this.#filled, expected);
      const bytesRead = await this.#source.read(rest, position + this.#filled);
      if (bytesRead === 0) throw corrupt(`The archive ends at byte ${position + this.#filled}, too early.`);
      this.#filled += bytesRead;
    }
  }
}

/** Settings of a zlib engine for {@link inflate}: it takes one chunk at a time. */
export const engineOptions = { chunkSize: chunkBytes, writableHighWaterMark: 1 };

/**
 * Drives a zlib engine over its input, to the end of the compressed stream or of the input. `onOutput` gets each piece
 * of what comes out, which is not valid after the call.
 *
 * @throws what zlib, the input, `onOutput` or the signal failed with
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
