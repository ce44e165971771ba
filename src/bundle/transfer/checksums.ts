import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { AnswerHead } from "./storage-exchange.ts";

/** Checksums that are computed; others (CRC-32C, CRC-64) are left to TCP, TLS and the archive's own. */
export type ChecksumAlgorithm = "crc32" | "md5" | "sha1" | "sha256" | "sha512";

/** A checksum of the whole object that storage states. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly base64: string;
  /** Name of the header field that states it. */
  readonly field: string;
}

const digestNames: Readonly<Record<string, ChecksumAlgorithm>> = {
  md5: "md5",
  sha: "sha1",
  "sha-256": "sha256",
  "sha-512": "sha512",
};

/**
 * The checksums of the whole object in an answer's head.
 *
 * @param isWhole whether the answer's body is the whole object; some fields are about the body only
 */
export function readChecksums({ headers }: AnswerHead, isWhole: boolean): Checksum[] {
  return [
    // RFC 9530 (structured fields, `sha-256=:…:`) and RFC 3230 before it.
    ...listOf("repr-digest", headers, /([a-z0-9-]+)=:([A-Za-z0-9+/=]+):/gi),
    ...listOf("digest", headers, /([a-z0-9-]+)=([A-Za-z0-9+/=]+)/gi),
    ...listOf("x-goog-hash", headers, /(md5)=([A-Za-z0-9+/=]+)/gi),
    ...single("x-ms-blob-content-md5", headers, "md5"),
    ...(isWhole ? single("content-md5", headers, "md5") : []),
    ...(isWhole ? amazonChecksums(headers) : []),
  ];
}

function listOf(field: string, headers: AnswerHead["headers"], pattern: RegExp): Checksum[] {
  return [...(headers.get(field) ?? "").matchAll(pattern)].flatMap(([, name, base64]) => {
    const algorithm = digestNames[(name ?? "").toLowerCase()];
    return algorithm && base64 ? [{ algorithm, base64, field }] : [];
  });
}

function single(field: string, headers: AnswerHead["headers"], algorithm: ChecksumAlgorithm): Checksum[] {
  const base64 = headers.get(field)?.trim();
  // A dash marks a checksum of checksums: the object was uploaded in parts.
  return base64 && !base64.includes("-") ? [{ algorithm, base64, field }] : [];
}

function amazonChecksums(headers: AnswerHead["headers"]): Checksum[] {
  if (headers.get("x-amz-checksum-type")?.toUpperCase() === "COMPOSITE") return [];
  return (["sha256", "sha1", "crc32"] as const).flatMap((algorithm) =>
    single(`x-amz-checksum-${algorithm}`, headers, algorithm),
  );
}

/** Computes several checksums of one stream of bytes. */
export interface Digester {
  update(chunk: Uint8Array): void;
  /** Call once, at the end. */
  digest(): ReadonlyMap<ChecksumAlgorithm, Buffer>;
}

/** Starts computing SHA-256 and what else is asked for. */
export function createDigester(algorithms: Iterable<ChecksumAlgorithm>): Digester {
  const wanted = new Set<ChecksumAlgorithm>(["sha256", ...algorithms]);
  const hashes = [...wanted].flatMap((algorithm) =>
    algorithm === "crc32" ? [] : [{ algorithm, hash: createHash(algorithm) }],
  );
  let crc = 0;
  return {
    update(chunk) {
      for (const { hash } of hashes) hash.update(chunk);
      if (wanted.has("crc32")) crc = crc32(chunk, crc);
    },
    digest() {
      const crcBytes = Buffer.alloc(4);
      crcBytes.writeUInt32BE(crc);
      return new Map<ChecksumAlgorithm, Buffer>([
        ...hashes.map(({ algorithm, hash }) => [algorithm, hash.digest()] as const),
        ...(wanted.has("crc32") ? [["crc32", crcBytes] as const] : []),
      ]);
    },
  };
}
