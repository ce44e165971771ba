/** Which names the entries of an archive may have. */
import { hash } from "node:crypto";
import { corrupt, unsafe } from "./errors.ts";

const maxPathBytes = 4096;
const maxSegmentBytes = 255;
const maxDepth = 128;
const windowsDevice =
  /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
/** What file systems take for `.git`: in any case, by its short name on NTFS, with dots or spaces behind it on Windows. */
const gitFolder = /^(?:\.git|git~\d+)[. ]*$/i;
/**
 * Control characters, and what is not seen or changes the order of what is: HFS+ ignores such characters in names. Only
 * the selector that makes an emoji of a pictograph is left.
 */
export const invisibleCharacter =
  /(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
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
  if (invisibleCharacter.test(name)) return "has a control character or an invisible one in its name";
  if (name !== name.normalize("NFC")) return "has a name in a Unicode form that readers change";
  if (name.includes("\\")) return "has a backslash in its name, which separates folders on Windows";
  if (name.startsWith("/")) return "has an absolute path";
  if (name.includes(":")) return "has a colon in its name: a drive or an alternate stream on Windows";
  if (/["*<>?|]/.test(name)) return "has a character in its name that Windows does not allow";
  if (segments.length > maxDepth) return `is more than ${maxDepth} folders deep`;
  return undefined;
}

/** What some system would make of one segment of a path; `undefined` for a name that means the same everywhere. */
export function problemOfSegment(segment: string): string | undefined {
  if (segment === "..") return "leaves its folder (“..”)";
  if (Buffer.byteLength(segment) > maxSegmentBytes)
    return `has a segment of more than ${maxSegmentBytes} bytes`;
  if (/[. ]$/.test(segment)) return "has a segment that ends in a dot or a space, which Windows drops";
  if (windowsDevice.test(segment)) return "has the name of a Windows device";
  if (gitFolder.test(segment)) return "lies where git keeps its settings, which can name programs to run";
  if (/;\d*$/.test(segment)) return "ends in a VMS version, which unzip drops";
  return undefined;
}

/** Whether a path is a file or a folder. */
export type EntryKind = "file" | "folder";

/**
 * What makes a repository of a folder of any name, as bits that are 7 together: git then obeys its `config`. The file
 * `commondir` names a folder that has the other two.
 */
const repositoryParts: ReadonlyMap<string, number> = new Map([
  ["file head", 1],
  ["folder objects", 2],
  ["folder refs", 4],
  ["file commondir", 6],
]);

/**
 * Knows every path of one archive and refuses two that some file system takes for the same, and folders that git takes for
 * repositories.
 *
 * It keeps a digest of each path instead of the path: the archive chooses its names, and a million long ones must not
 * fill the memory. Two different paths with one digest would only be refused. A path's digest is made from its folder's,
 * so that the work grows with the length of the names, however deep the folders are.
 */
export class EntryNames {
  /** Digest of the folded path → what it is and how exactly its last segment was spelled. */
  readonly #known = new Map<bigint, bigint>();
  /** Digest of a folder's path → which {@link repositoryParts} it has. */
  readonly #repositoryParts = new Map<bigint, number>();
  readonly #digestOf: (text: string) => bigint;
  #lastParent = "";
  #lastParentDigest = 0n;

  constructor(digest = digestOf) {
    this.#digestOf = digest;
  }

  /**
   * Returns how many folders the path implies that no earlier one did.
   *
   * @throws {BundleError} `unsafe-archive` when the path clashes with an earlier one, or completes a repository
   */
  add(path: string, kind: EntryKind): number {
    const known = this.#known.size;
    const nameAt = path.lastIndexOf("/") + 1;
    const parent = path.slice(0, nameAt);
    if (parent !== this.#lastParent) {
      let digest = 0n;
      for (const segment of parent.split("/").slice(0, -1))
        digest = this.#addOne(digest, segment, "folder", path);
      this.#lastParent = parent;
      this.#lastParentDigest = digest;
    }
    const implied = this.#known.size - known;
    this.#addOne(this.#lastParentDigest, path.slice(nameAt), kind, path);
    return implied;
  }

  #addOne(parent: bigint, segment: string, kind: EntryKind, path: string): bigint {
    const folded = fold(segment);
    const digest = this.#digestOf(`${parent}/${folded}`);
    const entry = (this.#digestOf(segment) << 1n) | (kind === "file" ? 1n : 0n);
    const earlier = this.#known.get(digest);
    if (earlier === undefined) {
      this.#known.set(digest, entry);
      this.#requireNoRepository(parent, `${kind} ${folded}`, path);
    } else if (earlier >> 1n !== entry >> 1n) {
      throw unsafe(
        `Entry ${quote(path)} differs from an earlier one only in case or Unicode form: where names ignore that, one would replace the other.`,
      );
    } else if (kind === "file" || earlier !== entry) throw unsafe(`Entry ${quote(path)} appears twice.`);
    return digest;
  }

  #requireNoRepository(folder: bigint, name: string, path: string): void {
    const part = repositoryParts.get(name);
    if (part === undefined) return;
    const parts = (this.#repositoryParts.get(folder) ?? 0) | part;
    this.#repositoryParts.set(folder, parts);
    if (parts === 7)
      throw unsafe(
        `Entry ${quote(path)} makes a repository of its folder, whose settings can name programs that git runs.`,
      );
  }
}

/** Upper case first: it folds what lower case alone keeps apart (ß and SS, ſ and S). */
function fold(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

function digestOf(text: string): bigint {
  return hash("sha1", text, "buffer").readBigUInt64LE(0);
}
