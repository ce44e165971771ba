import { corrupt, unsafe } from "../errors.ts";

const maxPathBytes = 4096;
const maxSegmentBytes = 255;
const maxDepth = 128;
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in names are what is refused.
const controlCharacter = /[\0-\x1f\x7f]/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads an entry's name as UTF-8.
 *
 * @throws {BundleError} for bytes that are not UTF-8: readers would disagree on the file's name
 */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw corrupt(`An entry's name is not UTF-8: ${quote(Buffer.from(bytes).toString("latin1"))}.`, cause);
  }
}

/**
 * The path of an entry below the folder it is unpacked to: `/` between segments, no empty and no `.` segments;
 * empty for the folder itself.
 *
 * @throws {BundleError} `unsafe-archive` for every name that means something else, or something harmful, on some
 *   system: the artifact made on Linux is unpacked on Windows and macOS too.
 */
export function parseEntryPath(name: string): string {
  const problem = problemOfName(name);
  if (problem) throw unsafe(`Entry ${quote(name)} ${problem}.`);
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length > maxDepth) throw unsafe(`Entry ${quote(name)} is more than ${maxDepth} folders deep.`);
  for (const segment of segments) {
    const segmentProblem = problemOfSegment(segment);
    if (segmentProblem) throw unsafe(`Entry ${quote(name)} ${segmentProblem}.`);
  }
  return segments.join("/");
}

/** An entry's name for a message: short, quoted, without control characters. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 117)}…` : name);
}

function problemOfName(name: string): string | undefined {
  if (name === "") return "has no name";
  if (Buffer.byteLength(name) > maxPathBytes) return `has a name of more than ${maxPathBytes} bytes`;
  if (controlCharacter.test(name)) return "has a control character in its name";
  if (name.includes("\\")) return "has a backslash in its name, which separates folders on Windows";
  if (name.startsWith("/")) return "has an absolute path";
  if (name.includes(":")) return "has a colon in its name: a drive or an alternate stream on Windows";
  return undefined;
}

function problemOfSegment(segment: string): string | undefined {
  if (segment === "..") return "leaves its folder (“..”)";
  if (Buffer.byteLength(segment) > maxSegmentBytes)
    return `has a segment of more than ${maxSegmentBytes} bytes`;
  if (/[. ]$/.test(segment)) return "has a segment that ends in a dot or a space, which Windows drops";
  if (windowsDevice.test(segment)) return "has the name of a Windows device";
  return undefined;
}
