/** Which names the entries of an archive may have. */
import { hash } from "node:crypto";
import { corrupt, unsafe } from "./errors.ts";

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

/** An entry's name for a message: short, quoted, without control characters. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 117)}…` : name);
}

/**
 * The path of an entry below the folder it is unpacked to: `/` between segments, no empty and no `.` segments;
 * empty for the folder itself.
 *
 * @throws {BundleError} `unsafe-archive` for every name that means something else, or something harmful, on some
 *   system: the artifact made on Linux is unpacked on Windows and macOS too.
 */
export function parseEntryPath(name: string): string {
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  const problem = problemOfName(name, segments) ?? segments.map(problemOfSegment).find(Boolean);
  if (problem) throw unsafe(`Entry ${quote(name)} ${problem}.`);
  return segments.join("/");
}

function problemOfName(name: string, segments: readonly string[]): string | undefined {
  if (name === "") return "has no name";
  if (Buffer.byteLength(name) > maxPathBytes) return `has a name of more than ${maxPathBytes} bytes`;
  if (controlCharacter.test(name)) return "has a control character in its name";
  if (name.includes("\\")) return "has a backslash in its name, which separates folders on Windows";
  if (name.startsWith("/")) return "has an absolute path";
  if (name.includes(":")) return "has a colon in its name: a drive or an alternate stream on Windows";
  if (segments.length > maxDepth) return `is more than ${maxDepth} folders deep`;
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

/** Whether a path is a file or a folder. */
type EntryKind = "file" | "folder";

/**
 * Knows every path of one archive and refuses two that some file system takes for the same.
 *
 * It keeps a digest of each path instead of the path: the archive chooses its names, and a million long ones must not
 * fill the memory. Two different paths with one digest would only be refused.
 */
export class EntryNames {
  /** Folded path → what it is and how exactly it was spelled. */
  readonly #known = new Map<bigint, bigint>();
  #lastParent = "";

  /** @throws {BundleError} `unsafe-archive` when the path clashes with an earlier one */
  add(path: string, kind: EntryKind): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent !== this.#lastParent) {
      for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
        this.#addOne(path.slice(0, slash), "folder");
      this.#lastParent = parent;
    }
    this.#addOne(path, kind);
  }

  #addOne(path: string, kind: EntryKind): void {
    const folded = digestOf(fold(path));
    const entry = (digestOf(path) << 1n) | (kind === "file" ? 1n : 0n);
    const earlier = this.#known.get(folded);
    if (earlier === undefined) {
      this.#known.set(folded, entry);
      return;
    }
    if (earlier >> 1n !== entry >> 1n) {
      throw unsafe(
        `Entry ${quote(path)} differs from an earlier one only in case or Unicode form: where names ignore that, one would replace the other.`,
      );
    }
    if (kind === "file" || earlier !== entry) throw unsafe(`Entry ${quote(path)} appears twice.`);
  }
}

/** Upper case first: it folds what lower case alone keeps apart (ß and SS, ſ and S). */
function fold(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

function digestOf(text: string): bigint {
  return hash("sha1", text, "buffer").readBigUInt64LE(0);
}
