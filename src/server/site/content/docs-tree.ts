/** Reads a folder of documents that may be hostile: confined to the folder, no links followed, sizes bounded. */
import { constants, type Dirent } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ActionError } from "../../../base/errors.ts";

const maxFiles = 100_000;
const maxDepth = 40;
/** Larger pages are left out with a warning: parsing costs many times a page's size in memory. */
const maxPageBytes = 2 * 1024 * 1024;
const maxAssetBytes = 64 * 1024 * 1024;
const skippedFolders = new Set(["node_modules", "__MACOSX"]);

/** The regular files below a documents folder, by their path from it with `/` as separator, in a fixed order. */
export interface DocsTree {
  readonly root: string;
  readonly files: ReadonlySet<string>;
  /** Entries that were not taken, and why. */
  readonly skipped: readonly { readonly path: string; readonly message: string }[];
}

interface Walk {
  readonly root: string;
  readonly excluded: string;
  readonly signal: AbortSignal;
  readonly files: string[];
  readonly skipped: { path: string; message: string }[];
}

async function walkEntry(entry: Dirent, path: string, depth: number, walk: Walk): Promise<void> {
  if (entry.isSymbolicLink()) walk.skipped.push({ path, message: "symbolic links are not followed" });
  if (entry.isFile()) walk.files.push(path);
  if (entry.isDirectory() && join(walk.root, path) !== walk.excluded) await walkFolder(path, depth + 1, walk);
}

async function walkFolder(folder: string, depth: number, walk: Walk): Promise<void> {
  walk.signal.throwIfAborted();
  if (depth > maxDepth) {
    walk.skipped.push({ path: folder, message: `folders are nested deeper than ${maxDepth}` });
    return;
  }
  for (const entry of await readdir(join(walk.root, folder), { withFileTypes: true })) {
    if (entry.name.startsWith(".") || skippedFolders.has(entry.name)) continue;
    await walkEntry(entry, folder === "" ? entry.name : `${folder}/${entry.name}`, depth, walk);
    if (walk.files.length > maxFiles) {
      throw new ActionError("invalid-input", `The documents folder holds more than ${maxFiles} files.`);
    }
  }
}

/** Code-unit order: the same on every machine, whatever its locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

async function realFolder(docsDir: string): Promise<string> {
  try {
    return await realpath(docsDir);
  } catch (cause) {
    throw new ActionError("invalid-input", `The documents folder ${docsDir} does not exist.`, { cause });
  }
}

/**
 * Lists the files of a documents folder; hidden entries, `node_modules` and `outDir` are left out.
 *
 * @throws {ActionError} when the folder cannot be read or holds too many files.
 */
export async function readDocsTree(
  { docsDir, outDir }: { readonly docsDir: string; readonly outDir: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<DocsTree> {
  const root = await realFolder(docsDir);
  const walk: Walk = { root, excluded: resolve(outDir), signal, files: [], skipped: [] };
  try {
    await walkFolder("", 0, walk);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOTDIR") throw cause;
    throw new ActionError("invalid-input", `The documents folder ${docsDir} is not a folder.`, { cause });
  }
  walk.skipped.sort((left, right) => compareText(left.path, right.path));
  return { root, files: new Set(walk.files.sort(compareText)), skipped: walk.skipped };
}

/** A file of the tree could not be taken; `message` says why, without the machine's paths. */
export class UnusableFileError extends Error {}

async function readBounded(tree: DocsTree, path: string, maxBytes: number): Promise<Buffer> {
  if (!tree.files.has(path)) throw new UnusableFileError("the file is not part of the documents");
  // O_NOFOLLOW: the entry may have been exchanged for a link since it was listed.
  const file = await open(
    join(tree.root, path),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      throw new UnusableFileError(`the file has ${size} bytes; at most ${maxBytes} are taken`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function readOrExplain(tree: DocsTree, path: string, maxBytes: number): Promise<Buffer> {
  try {
    return await readBounded(tree, path, maxBytes);
  } catch (cause) {
    if (cause instanceof UnusableFileError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new UnusableFileError(`the file cannot be read (${code})`, { cause });
  }
}

/**
 * Reads a page or a configuration file as UTF-8; bytes that are none become replacement characters.
 *
 * @throws {UnusableFileError} when it is too large, unreadable or not one of the tree's files.
 */
export async function readPageText(tree: DocsTree, path: string): Promise<string> {
  return (await readOrExplain(tree, path, maxPageBytes)).toString("utf8");
}

/**
 * Reads an image or another file that is copied as it is.
 *
 * @throws {UnusableFileError} when it is too large, unreadable or not one of the tree's files.
 */
export async function readAsset(tree: DocsTree, path: string): Promise<Buffer> {
  return readOrExplain(tree, path, maxAssetBytes);
}
