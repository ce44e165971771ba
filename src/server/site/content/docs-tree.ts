/** Reads a documents folder that may be hostile: no file outside it, no symbolic links, limited sizes. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readFile as readLarge } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import ignore from "ignore";
import { ActionError } from "../../../base/errors.ts";
import { exportReportPath } from "../../../base/export-report.ts";
import { codeOf, messageOf, normalizeLineEndings } from "../../../base/text.ts";
import { withTimeLimit } from "./time-limit.ts";

const maxFiles = 100_000;
const maxDepth = 40;
/** Larger pages are skipped with a warning: parsing takes many times a page's size in memory. */
const maxPageBytes = 2 * 1024 * 1024;
const maxAssetBytes = 64 * 1024 * 1024;
/** Files up to this size are read synchronously: libuv's thread pool takes ten times as long. */
const maxSyncReadBytes = 256 * 1024;
const skippedFolders = new Set(["node_modules", "__MACOSX"]);
/** A folder below the documents that contains one of these files is an exported site, or the data of a platform. */
const ownFiles = new Set([exportReportPath, "link-signing-key"]);

/** The files of a documents folder. */
export interface DocsTree {
  readonly root: string;
  /** Relative paths with `/` as separator, sorted. */
  readonly files: ReadonlySet<string>;
  /** Values that replace `{{name}}` in pages and snippets. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** Time limit for parsing a text of this length, in milliseconds; by default, that of rendering. */
  readonly parseLimitOf?: (length: number) => number;
  /** Skipped entries, and why. */
  readonly skipped: readonly { readonly path: string; readonly message: string }[];
  /** The original tree, if this copy records which files are looked up. */
  readonly watched?: DocsTree;
}

/** Compares by code units: the order does not depend on the machine's locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/**
 * Lists the files of a documents folder without `node_modules`, exported sites, data of the platform, paths that `.mintignore` names, and
 * hidden entries but GitBook's folder of pictures.
 *
 * @throws {ActionError} if the folder cannot be read or contains too many files.
 */
export async function readDocsTree(docsDir: string, signal: AbortSignal): Promise<DocsTree> {
  const files: string[] = [];
  const skipped: { path: string; message: string }[] = [];
  try {
    const root = await realpath(docsDir);
    for await (const { path, problem } of walkFolder(root, "", 0)) {
      signal.throwIfAborted();
      if (problem !== undefined) skipped.push({ path, message: problem });
      else if (files.push(path) > maxFiles)
        throw new ActionError("invalid-input", `The documents folder holds more than ${maxFiles} files.`);
    }
    const { kept, problem } = await removeIgnored(root, files.sort(compareText));
    if (problem !== undefined) skipped.push({ path: ignoreFile, message: problem });
    skipped.sort((left, right) => compareText(left.path, right.path));
    return { root, files: new Set(kept), skipped };
  } catch (cause) {
    const problem = { ENOENT: "does not exist", ENOTDIR: "is not a folder" }[codeOf(cause) ?? ""];
    if (problem === undefined) throw cause;
    throw new ActionError("invalid-input", `The documents folder ${docsDir} ${problem}.`, { cause });
  }
}

const ignoreFile = ".mintignore";
const maxIgnoreBytes = 64 * 1024;
/** Patterns become regular expressions, which may backtrack almost without end. */
const maxIgnoreMs = 5_000;

/** The format ignores these files on every site. */
const ignoredByDefault = ["README.md", "LICENSE.md", "CHANGELOG.md", "CONTRIBUTING.md"];

/** On a site with a configuration file, removes the files that the format or `.mintignore` ignores. */
async function removeIgnored(root: string, files: string[]) {
  if (!files.some((path) => path === "docs.json" || path === "mint.json")) return { kept: files };
  const matcher = ignore({ ignorecase: false }).add(ignoredByDefault);
  const keep = () => files.filter((path) => !matcher.ignores(path));
  try {
    const tree = { root, files: new Set([ignoreFile]), skipped: [] };
    matcher.add(await readPageText(tree, ignoreFile, maxIgnoreBytes));
    return { kept: withTimeLimit(keep, maxIgnoreMs) };
  } catch (error) {
    const isMissing = error instanceof UnusableFileError && codeOf(error.cause) === "ENOENT";
    if (isMissing) return { kept: keep() };
    return { kept: files, problem: messageOf(error) };
  }
}

/** Paths, sizes and times of a documents folder's files: a text that changes whenever a file changes. */
export async function fingerprintDocs(docsDir: string, signal: AbortSignal): Promise<string> {
  const { root, files } = await readDocsTree(docsDir, signal);
  const lines = [...files].map(async (path) => {
    const stats = await stat(join(root, path)).catch(() => undefined);
    return `${path} ${stats?.size} ${stats?.mtimeMs} ${stats?.ctimeMs}`;
  });
  return (await Promise.all(lines)).join("\n");
}

/** The entries of a folder, or why they are skipped. A folder below the documents may have been removed since it was listed. */
async function readFolder(root: string, folder: string, depth: number) {
  if (depth > maxDepth) return `folders are nested deeper than ${maxDepth}`;
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (depth === 0) throw error;
    return `the folder cannot be read (${codeOf(error)})`;
  }
}

/** Lists the files below a folder; `problem` states why an entry is skipped. */
async function* walkFolder(
  root: string,
  folder: string,
  depth: number,
): AsyncGenerator<{ readonly path: string; readonly problem?: string }> {
  const entries = await readFolder(root, folder, depth);
  if (typeof entries === "string") {
    yield { path: folder, problem: entries };
    return;
  }
  if (depth > 0 && entries.some((entry) => entry.isFile() && ownFiles.has(entry.name))) return;
  for (const entry of entries) {
    if (/^\.(?!gitbook$)/.test(entry.name) || skippedFolders.has(entry.name)) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isSymbolicLink()) yield { path, problem: "symbolic links are not followed" };
    else if (entry.isFile()) yield { path };
    else if (entry.isDirectory()) yield* walkFolder(root, path, depth + 1);
  }
}

/** The file of an import or of `<Snippet file>`. `@/` and `~/` stand for the documents folder, `@name/` for a folder in it. */
export function findImport(docs: DocsTree, from: string, specifier: string): string | undefined {
  const relative = posix.join(posix.dirname(from), specifier);
  const absolute = specifier.replace(/^(?:@\/|~\/|\/|@(?=[^/]+\/))/, "");
  const paths = specifier.startsWith(".")
    ? [relative]
    : [absolute, `snippets/${absolute}`, `_snippets/${absolute}`, relative];
  return paths
    .flatMap((path) =>
      ["", ".mdx", ".jsx", ".js", ".md"].map((extension) => posix.normalize(path) + extension),
    )
    .find((path) => docs.files.has(path));
}

/** A file of the tree cannot be used; `message` states why without absolute paths. */
export class UnusableFileError extends Error {}

/** Awaits work on a file. If the file cannot be used, reports that and returns `undefined`. */
export async function ifUsable<Result>(
  work: Promise<Result>,
  report: (message: string) => void,
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    report(error.message);
    return undefined;
  }
}

/**
 * Reads a page or a configuration file as UTF-8, or as UTF-16 if its byte order mark says so, as PowerShell writes it. The text has no
 * byte order mark, and `\n` as line ending; invalid bytes and NUL become replacement characters. In Markdown, the site's variables are
 * replaced.
 *
 * @throws {UnusableFileError} if it is too large, unreadable, binary or not one of the tree's files.
 */
export async function readPageText(tree: DocsTree, path: string, maxBytes = maxPageBytes): Promise<string> {
  const bytes = await readFile(tree, path, maxBytes);
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  const decoded = normalizeLineEndings(new TextDecoder(encoding).decode(bytes));
  const text = decoded.replaceAll("\0", "\ufffd");
  // Text that was copied from a PDF may have a few.
  if (decoded.split("\0").length - 1 > decoded.length / 100)
    throw new UnusableFileError("it has many NUL bytes: it is binary, or UTF-16 without a byte order mark");
  const { variables } = tree;
  if (variables === undefined || !/\.(?:mdx?|markdown)$/i.test(path)) return text;
  let { length } = text;
  return text.replace(/\{\{([\w-]+)\}\}/g, (match, name: string) => {
    const value = (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? match;
    length += value.length - match.length;
    if (length > maxBytes) throw new UnusableFileError("the page is too long with its variables");
    return value;
  });
}

/** Reads an image or another file as bytes. @throws {UnusableFileError} as `readPageText`. */
export async function readFile(tree: DocsTree, path: string, maxBytes = maxAssetBytes): Promise<Buffer> {
  if (!tree.files.has(path)) throw new UnusableFileError("the file is not part of the documents");
  // O_NOFOLLOW: the file may have been replaced by a symbolic link since it was listed.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    const file = openSync(join(tree.root, path), flags);
    try {
      const { size } = fstatSync(file);
      if (size > maxBytes)
        throw new UnusableFileError(`the file has ${size} bytes; at most ${maxBytes} are read`);
      return size > maxSyncReadBytes ? await promisify(readLarge)(file) : readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (cause instanceof UnusableFileError) throw cause;
    throw new UnusableFileError(`the file cannot be read (${codeOf(cause) ?? "unknown error"})`, { cause });
  }
}
