/** Checks of a bundle, while it arrives or once it is there: what it is, its structure, its length and its checksums. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { ArchiveContents, type ArchiveLimits, type ByteSource, streamRange } from "./archive.ts";
import { corrupt } from "./errors.ts";
import { storageErrorCode } from "./storage-response.ts";
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
  const { files, totalBytes } = contents;
  if (files === 0) throw corrupt("The archive holds no files.");
  return { format, files, totalBytes };
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

/**
 * Checks a bundle while it arrives: its structure, and beside it the checksums that storage states and the length that
 * the platform promised.
 *
 * @throws {BundleError} as soon as something is wrong
 */
export async function verifyBundle(
  source: ByteSource,
  checksums: readonly Checksum[],
  sizeBytes: number | undefined,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
): Promise<VerifiedBundle> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    const [digest, archive] = await Promise.all([
      digestSource(source, checksums, either),
      readArchive(source, limits, either),
    ]);
    if (sizeBytes !== undefined && sizeBytes !== digest.size)
      throw corrupt(`The bundle has ${digest.size} bytes; the platform promised ${sizeBytes}.`);
    return { ...digest, archive };
  } finally {
    stop.abort(new Error("The checks have ended."));
  }
}

// Checksums.

/** Checksums that are computed; others (CRC-32C, CRC-64) are left to TCP, TLS and the archive's own. */
type ChecksumAlgorithm = "crc32" | "md5" | "sha1" | "sha256" | "sha512";

/** A checksum of the whole object that storage states. */
interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly base64: string;
  /** Name of the header field that states it. */
  readonly field: string;
}

const algorithms: Readonly<Record<string, ChecksumAlgorithm>> = {
  md5: "md5",
  sha: "sha1",
  "sha-256": "sha256",
  "sha-512": "sha512",
};

/**
 * The checksums of the whole object in the header fields of an answer; names in lower case.
 *
 * @param isWhole whether the answer's body is the whole object; some fields are about the body only
 */
export function readChecksums(headers: ReadonlyMap<string, string>, isWhole: boolean): Checksum[] {
  const listed = (field: string, pattern: RegExp) =>
    [...(headers.get(field) ?? "").matchAll(pattern)].flatMap(([, name = "", base64 = ""]) => {
      const algorithm = algorithms[name.toLowerCase()];
      return algorithm ? [{ algorithm, base64, field }] : [];
    });
  const single = (field: string, algorithm: ChecksumAlgorithm) => {
    const base64 = headers.get(field)?.trim();
    // A dash marks a checksum of checksums: the object was uploaded in parts.
    return base64 && !base64.includes("-") ? [{ algorithm, base64, field }] : [];
  };
  const isComposite = headers.get("x-amz-checksum-type")?.toUpperCase() === "COMPOSITE";
  const amazon = isWhole && !isComposite ? (["sha256", "sha1", "crc32"] as const) : [];
  return [
    // RFC 9530 (structured fields, `sha-256=:…:`) and RFC 3230 before it.
    ...listed("repr-digest", /([a-z0-9-]+)=:([A-Za-z0-9+/=]+):/gi),
    ...listed("digest", /([a-z0-9-]+)=([A-Za-z0-9+/=]+)/gi),
    ...listed("x-goog-hash", /(md5)=([A-Za-z0-9+/=]+)/gi),
    ...single("x-ms-blob-content-md5", "md5"),
    ...(isWhole ? single("content-md5", "md5") : []),
    ...amazon.flatMap((algorithm) => single(`x-amz-checksum-${algorithm}`, algorithm)),
  ];
}

/** Computes SHA-256 and what else storage states, and compares. */
async function digestSource(
  source: ByteSource,
  checksums: readonly Checksum[],
  signal: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const stated = new Set(checksums.map(({ algorithm }) => algorithm)).add("sha256");
  const needsCrc = stated.delete("crc32");
  const hashes = new Map([...stated].map((algorithm) => [algorithm, createHash(algorithm)]));
  let crc = 0;
  let size = 0;
  for await (const chunk of streamRange(source, 0)) {
    signal.throwIfAborted();
    for (const hash of hashes.values()) hash.update(chunk);
    if (needsCrc) crc = crc32(chunk, crc);
    size += chunk.length;
  }
  const digests = new Map([...hashes].map(([algorithm, hash]) => [algorithm, hash.digest()]));
  const crcBytes = Buffer.alloc(4);
  crcBytes.writeUInt32BE(crc);
  digests.set("crc32", crcBytes);
  for (const { algorithm, base64, field } of checksums) {
    const actual = digests.get(algorithm)?.toString("base64");
    if (actual !== base64)
      throw corrupt(`The bundle's ${algorithm} is ${actual}, but storage stated ${base64} (${field}).`);
  }
  return { sha256: digests.get("sha256")?.toString("hex") ?? "", size };
}

// What a file is.

const sniffBytes = 512;

const foreignFormats = [
  ["a Zstandard archive", "28b52ffd"],
  ["an xz archive", "fd377a585a"],
  ["a bzip2 archive", "425a68"],
  ["a 7-Zip archive", "377abcaf"],
  ["a RAR archive", "52617221"],
  ["a PDF", "25504446"],
] as const;

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
  const start = buffer.subarray(0, filled);
  const hex = start.toString("hex", 0, 8);
  if (hex.startsWith("1f8b")) return "tar.gz";
  if (/^504b(0304|0506)/.test(hex)) return "zip";
  const [foreign] = foreignFormats.find(([, magic]) => hex.startsWith(magic)) ?? [];
  const isTar = start.toString("latin1", 257, 262) === "ustar";
  const name =
    (start.length === 0 ? "empty (0 bytes)" : foreign) ??
    (isTar ? "an uncompressed tar archive" : nameOfText(start)) ??
    "unknown data";
  throw corrupt(`The bundle is ${name}, not a zip or tar.gz archive.`);
}

/** Storage and proxies answer errors as documents; saved as a bundle, they deserve their name. */
function nameOfText(start: Buffer): string | undefined {
  const text = start
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (/^<(!doctype\s+html|html|head|body)\b/i.test(text)) return "an HTML page";
  if (/^<\?xml\b|^<Error>/i.test(text)) {
    const code = storageErrorCode(text);
    return code ? `an XML document (${code})` : "an XML document";
  }
  if (/^[{[]/.test(text)) return "a JSON document";
  // The last character may be cut in half where the file goes on.
  const isCut = start.length === sniffBytes;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells text from data.
  const isData = /[\0-\x08\x0e-\x1f\uFFFD]/.test(isCut ? text.slice(0, -1) : text);
  return isData ? undefined : "plain text";
}
