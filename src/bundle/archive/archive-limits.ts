import { BundleError, unsafe } from "../errors.ts";

/** What an archive may grow to; counted on real bytes, never on what its headers claim. */
export interface ArchiveLimits {
  /** Files, folders and header blocks together. */
  readonly maxEntries: number;
  /** Bytes of everything unpacked. */
  readonly maxTotalBytes: number;
  /** Unpacked bytes for each byte of the archive, once `ratioFreeBytes` are out. */
  readonly maxRatio: number;
  readonly ratioFreeBytes: number;
}

/** Limits that real sites stay far below and decompression bombs do not. */
export const defaultArchiveLimits: ArchiveLimits = {
  maxEntries: 1_000_000,
  maxTotalBytes: 10_240 * 1_000_000,
  maxRatio: 200,
  ratioFreeBytes: 64 * 1024 * 1024,
};

/** Counts what an archive has produced so far. */
export interface ArchiveBudget {
  readonly entries: number;
  readonly totalBytes: number;
  /** @throws {BundleError} `unsafe-archive` beyond the allowed number of entries. */
  addEntry(): void;
  /**
   * @param bytes unpacked now
   * @param consumed bytes of the archive read so far
   * @throws {BundleError} `bundle-too-large` or `unsafe-archive`
   */
  addOutput(bytes: number, consumed: number): void;
}

/** Starts counting one archive. */
export function createArchiveBudget(limits: ArchiveLimits): ArchiveBudget {
  let entries = 0;
  let totalBytes = 0;
  return {
    get entries() {
      return entries;
    },
    get totalBytes() {
      return totalBytes;
    },
    addEntry() {
      entries += 1;
      if (entries > limits.maxEntries) {
        throw unsafe(`The archive holds more than ${limits.maxEntries} entries.`);
      }
    },
    addOutput(bytes, consumed) {
      totalBytes += bytes;
      if (totalBytes > limits.maxTotalBytes) {
        throw new BundleError(
          "bundle-too-large",
          `The archive unpacks to more than ${limits.maxTotalBytes} bytes.`,
        );
      }
      if (totalBytes > limits.ratioFreeBytes && totalBytes > consumed * limits.maxRatio) {
        throw unsafe(
          `The archive is a decompression bomb: ${consumed} bytes of it unpack to ${totalBytes}, more than ${limits.maxRatio} times as much.`,
        );
      }
    },
  };
}
