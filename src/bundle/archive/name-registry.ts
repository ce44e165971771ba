import { hash } from "node:crypto";
import { unsafe } from "../errors.ts";
import { quote } from "./entry-path.ts";

type EntryKind = "file" | "directory";

/** Knows every path of one archive and refuses two that some file system takes for the same. */
export interface NameRegistry {
  /** @throws {BundleError} `unsafe-archive` when the path clashes with an earlier one */
  add(path: string, kind: EntryKind): void;
}

/**
 * Starts a registry.
 *
 * It keeps a digest of each path instead of the path: names are the archive's to choose, and a million long ones must
 * not fill the memory. Two different paths with one digest would only be refused.
 */
export function createNameRegistry(): NameRegistry {
  // Folded path → what it is and how exactly it was spelled.
  const known = new Map<bigint, bigint>();
  let lastParent = "";

  function addOne(path: string, kind: EntryKind): void {
    const folded = digestOf(fold(path));
    const entry = (digestOf(path) << 1n) | (kind === "file" ? 1n : 0n);
    const earlier = known.get(folded);
    if (earlier === undefined) {
      known.set(folded, entry);
      return;
    }
    if (earlier >> 1n !== entry >> 1n) {
      throw unsafe(
        `Entry ${quote(path)} differs from an earlier one only in case or Unicode form: where names ignore that, one would replace the other.`,
      );
    }
    if (kind === "file" || earlier !== entry) throw unsafe(`Entry ${quote(path)} appears twice.`);
  }

  return {
    add(path, kind) {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      if (parent !== lastParent) {
        for (const ancestor of ancestorsOf(path)) addOne(ancestor, "directory");
        lastParent = parent;
      }
      addOne(path, kind);
    },
  };
}

function* ancestorsOf(path: string): Generator<string> {
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    yield path.slice(0, slash);
  }
}

/** Upper case first: it folds what lower case alone keeps apart (ß and SS, ſ and S). */
function fold(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

function digestOf(text: string): bigint {
  return hash("sha1", text, "buffer").readBigUInt64LE(0);
}
