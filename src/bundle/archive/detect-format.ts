import { corrupt } from "../errors.ts";
import type { ByteSource } from "./byte-source.ts";

/** Kinds of archive that a bundle may be. */
export type ArchiveFormat = "zip" | "tar.gz";

const sniffBytes = 512;

const foreignFormats: readonly { readonly name: string; readonly magic: readonly number[] }[] = [
  { name: "a Zstandard archive", magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: "an xz archive", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { name: "a bzip2 archive", magic: [0x42, 0x5a, 0x68] },
  { name: "a 7-Zip archive", magic: [0x37, 0x7a, 0xbc, 0xaf] },
  { name: "a RAR archive", magic: [0x52, 0x61, 0x72, 0x21] },
  { name: "a PDF", magic: [0x25, 0x50, 0x44, 0x46] },
];

/**
 * Tells the kind of an archive by its first bytes; names and media types lie.
 *
 * @throws {BundleError} `bundle-corrupt`, naming what the file is instead
 */
export async function detectFormat(source: ByteSource): Promise<ArchiveFormat> {
  const buffer = Buffer.alloc(sniffBytes);
  let filled = 0;
  while (filled < sniffBytes) {
    const bytesRead = await source.read(buffer.subarray(filled), filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return classify(buffer.subarray(0, filled));
}

function classify(start: Buffer): ArchiveFormat {
  if (startsWith(start, [0x1f, 0x8b])) return "tar.gz";
  if (startsWith(start, [0x50, 0x4b, 3, 4]) || startsWith(start, [0x50, 0x4b, 5, 6])) return "zip";
  throw corrupt(`The bundle is ${nameOf(start)}, not a zip or tar.gz archive.`);
}

function nameOf(start: Buffer): string {
  if (start.length === 0) return "empty (0 bytes)";
  const foreign = foreignFormats.find(({ magic }) => startsWith(start, magic));
  if (foreign) return foreign.name;
  if (start.toString("latin1", 257, 262) === "ustar") return "an uncompressed tar archive";
  return nameOfText(start) ?? `unknown data (it starts with ${start.subarray(0, 8).toString("hex")})`;
}

/** Storage and proxies answer errors as documents; saved as a bundle, they deserve their name and their title. */
function nameOfText(start: Buffer): string | undefined {
  const text = start
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (/^<(!doctype\s+html|html|head|body)\b/i.test(text)) {
    const title = /<title[^>]*>([^<]{1,100})/i.exec(text)?.[1]?.trim();
    return title ? `an HTML page (“${title}”)` : "an HTML page";
  }
  if (/^<\?xml\b|^<Error>/i.test(text)) {
    const code = /<Code>([^<]{1,60})/i.exec(text)?.[1]?.trim();
    return code ? `an XML document (“${code}”)` : "an XML document";
  }
  if (/^[{[]/.test(text)) return "a JSON document";
  // The last character may be cut in half where the file goes on.
  const isCut = start.length === sniffBytes;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells text from data.
  if (!/[\0-\x08\x0e-\x1f\uFFFD]/.test(isCut ? text.slice(0, -1) : text)) return "plain text";
  return undefined;
}

function startsWith(start: Buffer, magic: readonly number[]): boolean {
  return start.length >= magic.length && magic.every((byte, index) => start[index] === byte);
}
