import { corrupt, unsafe } from "../errors.ts";
import { decodeName } from "./entry-path.ts";

/** What an extended header says about the entry that follows it. */
export interface PaxRecords {
  readonly path?: string;
  readonly size?: number;
}

/**
 * Reads the records of a pax extended header: `"<length> <key>=<value>\n"`, the length counting itself.
 *
 * @throws {BundleError} for malformed records and for keys that make an entry sparse
 */
export function parsePaxRecords(bytes: Buffer): PaxRecords {
  const records: { path?: string; size?: number } = {};
  for (const { key, value } of recordsOf(bytes)) {
    if (key.startsWith("GNU.sparse.")) throw unsafe("The archive holds a sparse file.");
    if (key === "path") records.path = decodeName(value);
    if (key === "size") records.size = parseSize(value);
  }
  return records;
}

function* recordsOf(bytes: Buffer): Generator<{ key: string; value: Buffer }> {
  let position = 0;
  while (position < bytes.length) {
    const space = bytes.indexOf(0x20, position);
    const digits = space === -1 ? "" : bytes.toString("latin1", position, space);
    const end = /^[1-9]\d{0,9}$/.test(digits) ? position + Number(digits) : 0;
    const equals = bytes.indexOf(0x3d, space);
    if (end <= space || end > bytes.length || bytes[end - 1] !== 0x0a || equals === -1 || equals >= end) {
      throw corrupt("The tar archive is damaged: an extended header is malformed.");
    }
    yield { key: bytes.toString("utf8", space + 1, equals), value: bytes.subarray(equals + 1, end - 1) };
    position = end;
  }
}

function parseSize(value: Buffer): number {
  const text = value.toString("latin1");
  const size = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size))
    throw corrupt("The tar archive is damaged: an extended size is not a number.");
  return size;
}
