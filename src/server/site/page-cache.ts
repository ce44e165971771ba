/**
 * What was made of pages, by all that it was made of: versions of a site repeat most of their pages, and an export most of the one
 * before. Kept in memory for one export, and in a folder where there is one for the next.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, statSync, utimesSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { BoundedMap } from "../../base/bounded-map.ts";
import { type DocsTree, readFile as readDocsFile } from "./content/docs-tree.ts";

/** A result with what it depends on besides its key. */
interface Entry<Result> {
  readonly result: Result;
  /** Files that were looked for, with a digest of those that are read; `undefined`: there was none. */
  readonly files: readonly (readonly [path: string, digest: string | undefined])[];
  /** Day whose date the page's code may show. */
  readonly day: string | undefined;
}

const readable = /\.(?:[jt]sx?|mdx?|json|ya?ml)$/i;
const digestBytes = 32;
/** Up to this, to unpack an entry takes longer than to read it as it is. */
const maxUnpackedBytes = 32 * 1024;
/** The first byte of what is serialized; packed data has another. */
const serializedMark = 0xff;
const dayMs = 24 * 60 * 60 * 1000;
/** What no export has used for so long is removed. */
const keptMs = 30 * dayMs;

/** What was made of the pages of one export, and of earlier ones. */
export class PageCache {
  readonly #docs: DocsTree;
  readonly #folder: string | undefined;
  readonly #day = new Date().toISOString().slice(0, 10);
  /** Entries by key, as they are written. */
  readonly #entries: BoundedMap<Buffer>;
  /** Of the files that pages depend on. */
  readonly #digests = new Map<string, Promise<string>>();
  #version: Promise<string> | undefined;

  /**
   * @param folder where entries are kept for later exports; several processes may share it
   * @param maxMemoryBytes how much is kept for this export
   */
  constructor(docs: DocsTree, folder: string | undefined, maxMemoryBytes: number) {
    this.#docs = docs;
    this.#folder = folder;
    this.#entries = new BoundedMap(maxMemoryBytes);
  }

  /** Whether later exports find what is kept. */
  get isLasting(): boolean {
    return this.#folder !== undefined;
  }

  /** The key of what is made of a text, by its {@link digestOfText}; `others`: all that it depends on besides files. */
  async keyOf(digest: string, ...others: readonly unknown[]): Promise<string> {
    this.#version ??= this.#folder === undefined ? Promise.resolve("") : digestOfRenderer();
    // Whether the text may show the date is told by its key. Only of copies, serialization gives the same bytes in every thread.
    return digest.charAt(0) + digestOf(serialize(structuredClone([await this.#version, digest, ...others])));
  }

  /** Whether there is a result in the folder, current or not. */
  has(key: string): boolean {
    return this.#folder !== undefined && statSync(this.#pathOf(key), { throwIfNoEntry: false }) !== undefined;
  }

  /** The result that was made before, if all that it depends on is the same. */
  async recall<Result>(key: string, docs = this.#docs): Promise<Result | undefined> {
    const written = this.#entries.get(key) ?? this.#readFile(key);
    if (written === undefined) return undefined;
    const { result, files, day } = deserialize(
      written[0] === serializedMark ? written : zstdDecompressSync(written),
    ) as Entry<Result>;
    if (day !== undefined && day !== this.#day) return undefined;
    for (const [path, digest] of files)
      if ((docs.files.has(path) ? await this.#digestOf(path) : undefined) !== digest) return undefined;
    return result;
  }

  /**
   * The result that was made before, or else a new one.
   *
   * @param make gets the documents to look for files in
   * @param docs those of a result that this one is part of: it depends on the same files then
   */
  async remember<Result>(
    key: string,
    make: (docs: DocsTree) => Promise<Result>,
    docs = this.#docs,
  ): Promise<Result> {
    const known = await this.recall<Result>(key, docs);
    if (known !== undefined) return known;
    const lookups = new Map<string, Promise<string> | undefined>();
    // A file is read for its digest before it is read for the result: one that changes meanwhile counts as changed.
    const watch = (path: string, isThere: boolean) =>
      void lookups.set(path, isThere ? this.#digestOf(path) : undefined);
    const result = await make(watchFiles(docs, watch));
    const files = await Array.fromAsync(lookups, async ([path, digest]) => [path, await digest] as const);
    const isDated = key.startsWith("d") || files.some(([, digest]) => digest?.startsWith("d"));
    await this.#write(key, { result, files, day: isDated ? this.#day : undefined });
    return result;
  }

  /** Keeps a result that depends on nothing but its key, in place of an earlier one. */
  async keep(key: string, result: unknown): Promise<void> {
    await this.#write(key, { result, files: [], day: undefined });
  }

  #digestOf(path: string): Promise<string> {
    const known = this.#digests.get(path) ?? this.#readDigest(path);
    this.#digests.set(path, known);
    return known;
  }

  async #readDigest(path: string): Promise<string> {
    // Of a picture only the address counts.
    if (!readable.test(path)) return "there";
    return digestOfText(String(await readDocsFile(this.#docs, path).catch(String)));
  }

  async #write(key: string, entry: Entry<unknown>): Promise<void> {
    const serialized = serialize(entry);
    const written = serialized.length > maxUnpackedBytes ? zstdCompressSync(serialized) : serialized;
    this.#entries.set(key, written, written.length);
    if (this.#folder === undefined) return;
    const path = this.#pathOf(key);
    const partial = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(partial, [Buffer.from(digestOf(written), "hex"), written], { mode: 0o600 });
    await rename(partial, path);
  }

  /** At once: it is a few kilobytes, and a way through other threads takes ten times as long. */
  #readFile(key: string): Buffer | undefined {
    if (this.#folder === undefined) return undefined;
    const path = this.#pathOf(key);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    try {
      const file = readFileSync(path);
      const written = file.subarray(digestBytes);
      // A file that lost its end in a crash is as good as none.
      if (digestOf(written) !== file.toString("hex", 0, digestBytes)) return undefined;
      const now = new Date();
      if (now.getTime() - stats.mtimeMs > dayMs) utimesSync(path, now, now);
      this.#entries.set(key, written, written.length);
      return written;
    } catch {
      // Another process has removed it.
      return undefined;
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder ?? "", key.slice(0, 2), key.slice(2));
  }
}

/** Removes what no export has used for a month. It looks at all entries, and therefore once a day: the folder's time says when. */
export async function pruneCache(folder: string): Promise<void> {
  const now = new Date();
  const { mtimeMs: lastMs = 0 } = (await stat(folder).catch(() => undefined)) ?? {};
  if (now.getTime() - lastMs < dayMs) return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path);
    if (now.getTime() - mtimeMs > keptMs) await rm(path, { force: true });
  }
  await utimes(folder, now, now);
}

/** The documents, with every look-up of a file told. */
function watchFiles(docs: DocsTree, onLookup: (path: string, isThere: boolean) => void): DocsTree {
  const files = new Proxy(docs.files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "has") return typeof value === "function" ? value.bind(target) : value;
      return (path: string) => {
        const isThere = target.has(path);
        onLookup(path, isThere);
        return isThere;
      };
    },
  });
  return { ...docs, files, watched: docs.watched ?? docs };
}

/** A digest of a page's or module's text, which also tells whether code in it may show the date. */
export function digestOfText(text: string): string {
  return `${/\bDate\b/.test(text) ? "d" : "f"}${digestOf(text)}`;
}

function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A digest of the program, so that another version of it makes its own entries: of these modules, or of the bundle that holds them. */
async function digestOfRenderer(): Promise<string> {
  const folder = import.meta.dirname;
  const lock = join(folder, "../../../package-lock.json");
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(?:[jt]s|css|br)$/.test(name),
  );
  const hash = createHash("sha256").update(process.version);
  for (const path of [...names.sort().map((name) => join(folder, name)), lock])
    hash.update(await readFile(path).catch(() => ""));
  return hash.digest("hex");
}
