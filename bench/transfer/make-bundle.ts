import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

const blockBytes = 1024 * 1024;
const fileBytes = 4 * blockBytes;

/**
 * Writes a tar.gz of about `bytes`: files of 4 MiB of data that does not compress, as a site's images and fonts are.
 * The same size gives the same bytes.
 */
export async function makeBundle(path: string, bytes: number): Promise<void> {
  await pipeline(Readable.from(tarOf(bytes)), createGzip({ level: 1, memLevel: 9 }), createWriteStream(path));
}

function* tarOf(bytes: number): Generator<Buffer> {
  const files = Math.max(1, Math.round(bytes / fileBytes));
  for (let index = 0; index < files; index += 1) {
    yield header(`site/assets/${index}.bin`, fileBytes);
    for (let block = 0; block < fileBytes / blockBytes; block += 1) yield noise(index * 4 + block);
  }
  yield Buffer.alloc(1024);
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write("0000644\0", 100);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** A block of noise that the number names. */
function noise(number: number): Buffer {
  return createHash("shake128", { outputLength: blockBytes }).update(String(number)).digest();
}
