/** Checks of a bundle, while it arrives or once it is there: what it is, its structure, its length and its checksums. */
import { createHash, type Hash } from "node:crypto";
import { open } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { ArchiveContents, type ArchiveLimits, type ByteSource, streamRange } from "./archive.ts";
import { corrupt, storageErrorCode } from "./errors.ts";
import type { Checksum } from "./storage-response.ts";
import { readTarGz } from "./tar.ts";
import { readZip } from "./zip.ts";

/** Kinds of archive that a bundle may be. */
export type ArchiveFormat = "zip" | "tar.gz";

/** What a verified archive holds. */
export interface ArchiveReport {
  readonly format: ArchiveFormat;
  /** Regular files. */
  readonly files: number;
  /** Bytes of everything unpacked (for a tar, its headers included). */
  readonly totalBytes: number;
  /** Text of the export's report, where the archive holds one; not trusted. */
  readonly report: string | undefined;
}

/**
 * Reads an archive once, to its last byte, and unpacks it into a new folder, if one is given. Structure, lengths, checksums,
 * names and limits are checked; the bytes may still be arriving.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`, as soon as the bytes so far cannot
 *   become a safe, whole archive; the folder may hold entries by then
 */
export async function readArchive(
  source: ByteSource,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
  folder?: string,
): Promise<ArchiveReport> {
  signal.throwIfAborted();
  const format = await detectFormat(source);
  using contents = new ArchiveContents(limits, folder);
  await (format === "zip" ? readZip : readTarGz)(source, contents, signal);
  signal.throwIfAborted();
  const { files, totalBytes, report } = contents;
  if (files === 0) throw corrupt("The archive holds no files.");
  return { format, files, totalBytes, report };
}

/** A finished file as a source of bytes. */
export async function openSource(path: string): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, "r");
  return {
    size: async () => (await file.stat()).size,
    read: async (buffer, position) => (await file.read(buffer, 0, buffer.length, position)).bytesRead,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** What is known of a bundle that has been checked to its end. */
export interface VerifiedBundle {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly size: number;
  readonly archive: ArchiveReport;
}

/** What a bundle must be, besides a whole and safe archive. */
export interface BundleFacts {
  /** What storage states. */
  readonly checksums: readonly Checksum[];
  /** Length that the platform promised. */
  readonly sizeBytes: number | undefined;
  readonly limits: Partial<ArchiveLimits>;
}

/** Checks a bundle while it arrives, in one pass. @throws {BundleError} as soon as something is wrong */
export async function verifyBundle(
  source: ByteSource,
  { checksums, sizeBytes, limits }: BundleFacts,
  signal: AbortSignal,
): Promise<VerifiedBundle> {
  const hashed = new HashedSource(source, checksums);
  const archive = await readArchive(hashed, limits, signal);
  const { sha256, size } = await hashed.finish(signal);
  if (sizeBytes !== undefined && sizeBytes !== size)
    throw corrupt(`The bundle has ${size} bytes; the platform promised ${sizeBytes}.`);
  return { sha256, size, archive };
}

/** Readers skip such pieces (a zip's data descriptors); what is skipped is read for the checksums alone. */
const maxSkippedBytes = 1024 * 1024;

/** A source whose bytes go into SHA-256, and into what else storage states, as they are read from the front. */
class HashedSource implements ByteSource {
  readonly #source: ByteSource;
  readonly #stated: readonly Checksum[];
  readonly #hashes: ReadonlyMap<string, Hash>;
  readonly #needsCrc: boolean;
  #crc = 0;
  /** Bytes before this position are in, or about to be. */
  #position = 0;
  #hashing: Promise<void> = Promise.resolve();

  constructor(source: ByteSource, stated: readonly Checksum[]) {
    const algorithms = new Set(stated.map(({ algorithm }) => algorithm)).add("sha256");
    this.#source = source;
    this.#stated = stated;
    this.#needsCrc = algorithms.delete("crc32");
    this.#hashes = new Map([...algorithms].map((algorithm) => [algorithm, createHash(algorithm)]));
  }

  size(): Promise<number> {
    return this.#source.size();
  }

  async read(buffer: Buffer, position: number): Promise<number> {
    await this.#hashing;
    if (position > this.#position && position - this.#position <= maxSkippedBytes)
      for await (const chunk of streamRange(this.#source, this.#position, position)) this.#update(chunk);
    const bytesRead = await this.#source.read(buffer, position);
    const isNext = position <= this.#position && this.#position < position + bytesRead;
    // In the next turn: meanwhile the reader has zlib inflate the same bytes in another thread.
    if (isNext) {
      const fresh = buffer.subarray(this.#position - position, bytesRead);
      this.#hashing = nextTurn().then(() => this.#update(fresh));
    }
    return bytesRead;
  }

  /** Reads what the reader left out, to the last byte, and compares. */
  async finish(signal: AbortSignal): Promise<{ sha256: string; size: number }> {
    await this.#hashing;
    for await (const chunk of streamRange(this.#source, this.#position)) {
      signal.throwIfAborted();
      this.#update(chunk);
    }
    const digests = new Map([...this.#hashes].map(([algorithm, hash]) => [algorithm, hash.digest()]));
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(this.#crc);
    digests.set("crc32", crc);
    for (const { algorithm, base64, field } of this.#stated) {
      const actual = digests.get(algorithm)?.toString("base64");
      if (actual !== base64)
        throw corrupt(`The bundle's ${algorithm} is ${actual}, but storage stated ${base64} (${field}).`);
    }
    return { sha256: digests.get("sha256")?.toString("hex") ?? "", size: this.#position };
  }

  #update(chunk: Buffer): void {
    for (const hash of this.#hashes.values()) hash.update(chunk);
    if (this.#needsCrc) this.#crc = crc32(chunk, this.#crc);
    this.#position += chunk.length;
  }
}

const sniffBytes = 512;

/** How files of some kinds begin, as Latin-1; the first that fits counts. Storage and proxies answer errors as documents. */
const kinds: readonly (readonly [name: string, start: RegExp])[] = [
  ["empty (0 bytes)", /^$/],
  ["a Zstandard archive", /^\x28\xb5\x2f\xfd/],
  ["an xz archive", /^\xfd7zXZ/],
  ["a bzip2 archive", /^BZh/],
  ["a 7-Zip archive", /^7z\xbc\xaf/],
  ["a RAR archive", /^Rar!/],
  ["a PDF", /^%PDF/],
  ["an uncompressed tar archive", /^[\s\S]{257}ustar/],
  ["an HTML page", /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)\b/i],
  ["an XML document", /^(?:\xef\xbb\xbf)?\s*<(?:\?xml\b|Error>)/i],
  ["a JSON document", /^(?:\xef\xbb\xbf)?\s*[{[]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells text from data.
  ["plain text", /^[^\0-\x08\x0e-\x1f]*$/],
  ["unknown data", /^/],
];

/**
 * Tells the kind of an archive by its first bytes; names and media types lie.
 *
 * @throws {BundleError} `bundle-corrupt`, naming what the file is instead
 */
async function detectFormat(source: ByteSource): Promise<ArchiveFormat> {
  const buffer = Buffer.alloc(sniffBytes);
  let filled = 0;
  for (let more = 1; more > 0 && filled < sniffBytes; filled += more)
    more = await source.read(buffer.subarray(filled), filled);
  const start = buffer.toString("latin1", 0, filled);
  if (start.startsWith("\x1f\x8b")) return "tar.gz";
  if (["PK\x03\x04", "PK\x05\x06"].includes(start.slice(0, 4))) return "zip";
  const [name] = kinds.find(([, pattern]) => pattern.test(start)) ?? [];
  const code = storageErrorCode(start);
  throw corrupt(`The bundle is ${name}${code ? ` (${code})` : ""}, not a zip or tar.gz archive.`);
}
