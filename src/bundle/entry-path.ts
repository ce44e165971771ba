/** Validates the names of an archive's entries. */
import { hash } from "node:crypto";
import { shorten } from "../base/text.ts";
import { corrupt, unsafe } from "./errors.ts";

const maxPathBytes = 4096;
const maxSegmentBytes = 255;
const maxDepth = 128;
const windowsDevice =
  /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
/** Names that a file system may treat as `.git`: in upper or lower case, the NTFS short name, and with trailing dots or spaces (Windows). */
const gitFolder = /^(?:\.git|git~\d+)[. ]*$/i;
/**
 * Control characters, invisible characters, and characters that change the text direction. HFS+ ignores some of them in names. The
 * variation selector after a pictograph (emoji) is allowed.
 */
export const invisibleCharacter =
  /(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes an entry's name as UTF-8.
 *
 * @throws {BundleError} for bytes that are not UTF-8, which readers decode differently
 */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw corrupt(`An entry's name is not UTF-8: ${quote(Buffer.from(bytes).toString("latin1"))}.`, cause);
  }
}

/** Formats an entry's name for a message: shortened, quoted, and with escaped control characters. */
export function quote(name: string): string {
  return JSON.stringify(shorten(name, 120));
}

/**
 * Validates an entry's name and returns its path relative to the destination folder, without empty and `.` segments; empty for the
 * folder itself.
 *
 * @throws {BundleError} `unsafe-archive` for a name that is harmful, or has another meaning, on Linux, Windows or macOS, because
 *   artifacts are unpacked on all of them
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
  if (invisibleCharacter.test(name)) return "has a control character or an invisible character in its name";
  if (name !== name.normalize("NFC")) return "has a name that is not in Unicode normalization form C";
  if (name.includes("\\")) return "has a backslash in its name, which is a path separator on Windows";
  if (name.startsWith("/")) return "has an absolute path";
  if (name.includes(":")) return "has a colon in its name, which means a drive or a data stream on Windows";
  if (/["*<>?|]/.test(name)) return "has a character in its name that Windows does not allow";
  if (segments.length > maxDepth) return `is more than ${maxDepth} folders deep`;
  return undefined;
}

/** The problem of one path segment on some system; `undefined` if the name is safe everywhere. */
export function problemOfSegment(segment: string): string | undefined {
  if (segment === "..") return "would leave the destination folder (“..”)";
  if (Buffer.byteLength(segment) > maxSegmentBytes)
    return `has a segment of more than ${maxSegmentBytes} bytes`;
  if (/[. ]$/.test(segment)) return "has a segment that ends with a dot or a space, which Windows removes";
  if (windowsDevice.test(segment)) return "has the name of a Windows device";
  if (gitFolder.test(segment)) return "is in a `.git` folder, whose configuration can run programs";
  if (/;\d*$/.test(segment)) return "ends with a VMS version, which unzip removes";
  return undefined;
}

export type EntryType = "file" | "folder";

/**
 * The parts that make any folder a git repository, as bits whose union is 7. Git then reads the folder's `config`. The file
 * `commondir` refers to a folder with the other two parts.
 */
const repositoryParts: ReadonlyMap<string, number> = new Map([
  ["file head", 1],
  ["folder objects", 2],
  ["folder refs", 4],
  ["file commondir", 6],
]);

/** Limits the memory for the spellings of folders. Entries of a folder usually follow each other. */
const maxKnownFolders = 20_000;

/**
 * The paths of one archive. Rejects two paths that some file system treats as the same, and folders that git treats as repositories.
 *
 * It stores a digest of each path, so that a million long names do not fill the memory. A digest collision would only reject the
 * archive. A path's digest is computed from its folder's digest, so that the work is linear in the length of the names.
 */
export class EntryNames {
  /** Digest of the case-folded path → the digest of the exact spelling of its last segment, and 1 for a file or 0. */
  readonly #entries = new Map<string, string>();
  /** Digest of a folder's path → the {@link repositoryParts} that it contains. */
  readonly #repositoryParts = new Map<string, number>();
  /** Some folders: digest of the parent and exact spelling → digest. To hash each folder of each path would take minutes. */
  readonly #folders = new Map<string, string>();
  readonly #digestOf: (text: string) => string;

  constructor(digest = digestOf) {
    this.#digestOf = digest;
  }

  /**
   * Adds a path, and returns the number of new folders that it implies.
   *
   * @throws {BundleError} `unsafe-archive` if the path conflicts with an earlier one, or completes a git repository
   */
  add(path: string, type: EntryType): number {
    const sizeBefore = this.#entries.size;
    const folders = path.split("/");
    const name = folders.pop() ?? "";
    let parent = "";
    for (const folder of folders) {
      const key = `${parent}/${folder}`;
      const known = this.#folders.get(key);
      parent = known ?? this.#addOne(parent, folder, "folder", path);
      if (known !== undefined) continue;
      if (this.#folders.size === maxKnownFolders) this.#folders.clear();
      this.#folders.set(key, parent);
    }
    const implied = this.#entries.size - sizeBefore;
    this.#addOne(parent, name, type, path);
    return implied;
  }

  #addOne(parent: string, segment: string, type: EntryType, path: string): string {
    // Upper case first, because it also unifies ß with SS and ſ with S.
    const folded = segment.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
    const digest = this.#digestOf(`${parent}/${folded}`);
    const entry = `${this.#digestOf(segment)}${type === "file" ? 1 : 0}`;
    const earlier = this.#entries.get(digest);
    if (earlier === undefined) {
      this.#entries.set(digest, entry);
      this.#requireNoRepository(parent, `${type} ${folded}`, path);
    } else if (earlier.slice(0, -1) !== entry.slice(0, -1)) {
      throw unsafe(
        `Entry ${quote(path)} differs from an earlier entry only in case or Unicode form: on some file systems, one would replace the other.`,
      );
    } else if (type === "file" || earlier !== entry) throw unsafe(`Entry ${quote(path)} appears twice.`);
    return digest;
  }

  #requireNoRepository(folder: string, name: string, path: string): void {
    const part = repositoryParts.get(name);
    if (part === undefined) return;
    const parts = (this.#repositoryParts.get(folder) ?? 0) | part;
    this.#repositoryParts.set(folder, parts);
    if (parts === 7)
      throw unsafe(
        `Entry ${quote(path)} makes its folder a git repository, whose configuration can run programs.`,
      );
  }
}

function digestOf(text: string): string {
  return hash("sha1", text, "binary").slice(0, 8);
}
