import { corrupt, unsafe } from "../errors.ts";
import { discardSink } from "./archive-sink.ts";
import { type ByteSource, type ByteWindow, createByteWindow } from "./byte-source.ts";
import { parseEntryPath, quote } from "./entry-path.ts";
import type { ArchiveContents, WalkDeps } from "./walk-interface.ts";
import { readZipData } from "./zip-data.ts";
import { readZipDirectory, type ZipDirectory } from "./zip-end.ts";
import { readLocalHeader, requireEntryEnd } from "./zip-local.ts";
import {
  fixedRecordBytes,
  maxRecordBytes,
  parseZipRecord,
  recordLength,
  type ZipRecord,
} from "./zip-record.ts";

const dataWindowBytes = 1024 * 1024;

/**
 * Reads a zip in the order of its bytes. Every byte of the file belongs to exactly one entry or to the directory, so
 * entries cannot overlap, and nothing hides between them.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
export async function walkZip(source: ByteSource, deps: WalkDeps): Promise<ArchiveContents> {
  const directory = await readZipDirectory(source);
  const records = createByteWindow(source, {
    windowBytes: 2 * maxRecordBytes,
    limit: directory.offset + directory.size,
  });
  const positions = await indexRecords(records, directory, deps);
  const window = createByteWindow(source, { windowBytes: dataWindowBytes, limit: directory.offset });
  let files = 0;
  let expected = 0;
  let record = await recordAt(records, positions[0]);
  for (let index = 0; record; index += 1) {
    deps.signal.throwIfAborted();
    if (record.offset !== expected) throw outOfPlace(record, expected);
    const next = await recordAt(records, positions[index + 1]);
    const end = next?.offset ?? directory.offset;
    await readEntry({ record, end }, { ...deps, source, window });
    if (!record.isDirectory) files += 1;
    expected = end;
    record = next;
  }
  if (expected !== directory.offset) throw unsafe("Bytes before the zip's directory belong to no entry.");
  return { files };
}

function outOfPlace(record: ZipRecord, expected: number): Error {
  return record.offset < expected
    ? unsafe(`Entry ${quote(record.name)} overlaps another entry of the zip.`)
    : unsafe(`Before entry ${quote(record.name)} are bytes that belong to no entry of the zip.`);
}

/** Positions of the directory's records, in the order in which their entries lie in the file. */
async function indexRecords(
  records: ByteWindow,
  directory: ZipDirectory,
  { budget, signal }: WalkDeps,
): Promise<Float64Array> {
  const positions: number[] = [];
  const offsets: number[] = [];
  const end = directory.offset + directory.size;
  let isSorted = true;
  for (let position = directory.offset; position < end; ) {
    signal.throwIfAborted();
    budget.addEntry();
    const record = parseZipRecord(await viewRecord(records, position));
    isSorted &&= record.offset >= (offsets.at(-1) ?? 0);
    positions.push(position);
    offsets.push(record.offset);
    position += record.length;
  }
  if (positions.length !== directory.entries) {
    throw corrupt(`The zip's directory lists ${positions.length} entries instead of ${directory.entries}.`);
  }
  if (isSorted) return Float64Array.from(positions);
  const order = Uint32Array.from(positions.keys()).sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  return Float64Array.from(order, (index) => positions[index] ?? 0);
}

async function recordAt(records: ByteWindow, position: number | undefined): Promise<ZipRecord | undefined> {
  return position === undefined ? undefined : parseZipRecord(await viewRecord(records, position));
}

async function viewRecord(records: ByteWindow, position: number): Promise<Buffer> {
  const fixed = records.peek(position, fixedRecordBytes) ?? (await records.fill(position, fixedRecordBytes));
  const length = recordLength(fixed);
  return records.peek(position, length) ?? (await records.fill(position, length));
}

interface EntryDeps extends WalkDeps {
  readonly source: ByteSource;
  readonly window: ByteWindow;
}

async function readEntry(
  { record, end }: { record: ZipRecord; end: number },
  deps: EntryDeps,
): Promise<void> {
  const path = parseEntryPath(record.name);
  const start = await readLocalHeader(deps.window, record);
  const dataEnd = start + record.compressedSize;
  if (dataEnd > end) throw unsafe(`Entry ${quote(record.name)} overlaps another entry of the zip.`);
  if (record.isDirectory) {
    if (record.size !== 0) throw corrupt(`Folder ${quote(record.name)} claims to have ${record.size} bytes.`);
    if (path !== "") {
      deps.names.add(path, "directory");
      deps.sink.directory(path);
    }
    // Some writers deflate the nothing in a folder.
    await readZipData({ record, start }, { ...deps, sink: discardSink });
  } else {
    if (path === "") throw unsafe("A file of the archive has the name of the folder itself.");
    deps.names.add(path, "file");
    deps.sink.startFile(path);
    await readZipData({ record, start }, deps);
    deps.sink.endFile();
  }
  await requireEntryEnd(deps.window, { record, dataEnd, end });
}
