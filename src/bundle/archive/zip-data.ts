import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { corrupt } from "../errors.ts";
import type { ArchiveBudget } from "./archive-limits.ts";
import type { ArchiveSink } from "./archive-sink.ts";
import { type ByteSource, type ByteWindow, streamRange } from "./byte-source.ts";
import { quote } from "./entry-path.ts";
import { inflate } from "./inflate.ts";
import type { ZipRecord } from "./zip-record.ts";

interface ZipDataDeps {
  readonly source: ByteSource;
  readonly window: ByteWindow;
  readonly sink: ArchiveSink;
  readonly budget: ArchiveBudget;
  readonly signal: AbortSignal;
}

/** Up to this size an entry is inflated in one call: a stream for each of thousands of small files costs more. */
const smallBytes = 512 * 1024;

/**
 * Unpacks one entry's data into the sink.
 *
 * @throws {BundleError} when the data's real length or CRC-32 is not what the directory says
 */
export async function readZipData(
  { record, start }: { record: ZipRecord; start: number },
  deps: ZipDataDeps,
): Promise<void> {
  const { source, window, budget, sink, signal } = deps;
  const end = start + record.compressedSize;
  let size = 0;
  let crc = 0;
  function accept(chunk: Buffer): void {
    size += chunk.length;
    budget.addOutput(chunk.length, end);
    if (size > record.size) throw corrupt(`Entry ${quote(record.name)} is longer than the zip says.`);
    crc = crc32(chunk, crc);
    sink.data(chunk);
  }
  if (record.compressedSize <= smallBytes && record.size <= smallBytes) {
    const packed =
      window.peek(start, record.compressedSize) ?? (await window.fill(start, record.compressedSize));
    accept(record.method === 0 ? packed : inflateSmall(packed, record));
  } else if (record.method === 0) {
    for await (const chunk of streamRange(source, { start, end })) {
      signal.throwIfAborted();
      accept(chunk);
    }
  } else {
    await inflateLarge({ source, start, end, signal }, { record, accept });
  }
  if (size !== record.size)
    throw corrupt(`Entry ${quote(record.name)} has ${size} bytes instead of ${record.size}.`);
  if (crc !== record.crc) throw corrupt(`Entry ${quote(record.name)} is damaged: its CRC-32 is wrong.`);
}

function inflateSmall(packed: Buffer, record: ZipRecord): Buffer {
  try {
    // The type of the result with `info` is not in Node's declarations.
    const result: unknown = inflateRawSync(packed, { maxOutputLength: Math.max(1, record.size), info: true });
    const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
    requireAllConsumed(engine.bytesWritten, record);
    return buffer;
  } catch (error) {
    throw translate(error, record);
  }
}

interface Stretch {
  readonly source: ByteSource;
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal;
}

async function inflateLarge(
  { source, start, end, signal }: Stretch,
  { record, accept }: { record: ZipRecord; accept: (chunk: Buffer) => void },
): Promise<void> {
  const engine = createInflateRaw({ chunkSize: 256 * 1024 });
  try {
    await inflate(engine, streamRange(source, { start, end }), { onOutput: accept, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw translate(error, record);
  }
  requireAllConsumed(engine.bytesWritten, record);
}

function requireAllConsumed(consumed: number, record: ZipRecord): void {
  if (consumed === record.compressedSize) return;
  throw corrupt(`Entry ${quote(record.name)} has data after the end of its compressed stream.`);
}

function translate(error: unknown, record: ZipRecord): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_BUFFER_TOO_LARGE")
    return corrupt(`Entry ${quote(record.name)} is longer than the zip says.`, error);
  const isDamage = code.startsWith("Z_") || code === "ERR_STREAM_PREMATURE_CLOSE";
  return isDamage ? corrupt(`Entry ${quote(record.name)} is damaged (${code}).`, error) : error;
}
