/**
 * Keeps rendered pages in a folder, by their inputs: successive exports repeat most pages. Several processes may share the folder.
 */
import { createHash, hash, randomUUID } from "node:crypto";
import { readFileSync, statSync, utimesSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { type DocsTree, readFile as readDocsFile } from "./content/docs-tree.ts";
import { mediaKindOf } from "./links.ts";

/** A result with its dependencies besides the key. */
interface Entry {
  readonly result: unknown;
  /** Files that were looked up, with their digests; `undefined` for a file that did not exist. */
  readonly files: readonly (readonly [path: string, digest: string | undefined])[];
}

const archive = /\.(?:pdf|zip|gz|tgz|tar)$/i;
const dayMs = 24 * 60 * 60 * 1000;
/** Entries that were not used for this long are removed. */
const maxUnusedMs = 30 * dayMs;

/** The rendered pages of one site. */
export class PageCache<Result> {
  readonly #docs: DocsTree;
  readonly #folder: string;
  readonly #site: readonly unknown[];
  /** Digests of the files that pages depend on. */
  readonly #digests = new Map<string, Promise<string>>();
  #siteKey: Promise<string> | undefined;

  /** @param site what the pages depend on besides files; texts by their digest ({@link digestOfText}), as in each page */
  constructor(docs: DocsTree, folder: string, site: readonly unknown[]) {
    this.#docs = docs;
    this.#folder = folder;
    this.#site = site;
  }

  /** The path of a page's entry, which may be outdated; `undefined` without one. */
  async find(page: object): Promise<string | undefined> {
    const path = await this.#pathOf(page);
    return statSync(path, { throwIfNoEntry: false }) && path;
  }

  /** Returns the result of an entry if its dependencies are unchanged. */
  async recall(path: string): Promise<Result | undefined> {
    const entry = this.#read(path);
    if (entry === undefined) return undefined;
    for (const [path, digest] of entry.files)
      if ((this.#docs.files.has(path) ? await this.#digestOf(path) : undefined) !== digest) return undefined;
    return entry.result as Result;
  }

  /**
   * Returns the cached result, or creates and caches one.
   *
   * @param make creates the result from the given documents, whose lookups are recorded as dependencies
   */
  async remember(page: object, make: (docs: DocsTree) => Promise<Result>): Promise<Result> {
    const path = await this.#pathOf(page);
    const cached = await this.recall(path);
    if (cached !== undefined) return cached;
    const lookups = new Map<string, Promise<string> | undefined>();
    // The digest is computed before the file is used, so a concurrent change invalidates the entry.
    const record = (file: string, exists: boolean) =>
      void lookups.set(file, exists ? this.#digestOf(file) : undefined);
    const result = await make(watchFiles(this.#docs, record));
    const files = await Array.fromAsync(lookups, async ([file, digest]) => [file, await digest] as const);
    await this.#write(path, { result, files });
    return result;
  }

  async #pathOf(page: object): Promise<string> {
    this.#siteKey ??= digestOfRenderer().then((version) =>
      digestOfValue([version, ...this.#docs.files, this.#site]),
    );
    const key = digestOfValue([await this.#siteKey, page]);
    return join(this.#folder, key.slice(0, 2), key.slice(2));
  }

  #digestOf(path: string): Promise<string> {
    const digest = this.#digests.get(path) ?? this.#readDigest(path);
    this.#digests.set(path, digest);
    return digest;
  }

  async #readDigest(path: string): Promise<string> {
    // Pages depend only on the existence of pictures and the like.
    if (mediaKindOf(path) !== undefined || archive.test(path)) return "there";
    return digestOfText(String(await readDocsFile(this.#docs, path).catch(String)));
  }

  async #write(path: string, entry: Entry): Promise<void> {
    const partial = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const params = { [constants.ZSTD_c_checksumFlag]: 1 };
    await writeFile(partial, zstdCompressSync(serialize(entry), { params }), { mode: 0o600 });
    await rename(partial, path);
  }

  /** Synchronous: for a few kilobytes, the thread pool takes ten times as long. */
  #read(path: string): Entry | undefined {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    try {
      const entry = deserialize(zstdDecompressSync(readFileSync(path))) as Entry;
      const now = new Date();
      if (now.getTime() - stats.mtimeMs > dayMs) utimesSync(path, now, now);
      return entry;
    } catch {
      // A crash has truncated the file, or another process has removed it.
      return undefined;
    }
  }
}

/** Removes entries that were unused for 30 days. It visits all entries, so it runs at most once a day, by the folder's modification time. */
export async function pruneCache(folder: string): Promise<void> {
  const now = new Date();
  const { mtimeMs: lastMs = 0 } = (await stat(folder).catch(() => undefined)) ?? {};
  if (now.getTime() - lastMs < dayMs) return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    // Another export may remove it at the same time.
    const lastUse = (await stat(path).catch(() => undefined))?.mtimeMs ?? now.getTime();
    if (now.getTime() - lastUse > maxUnusedMs) await rm(path, { force: true });
  }
  await utimes(folder, now, now);
}

/** Wraps the documents so that every file lookup is reported. */
function watchFiles(docs: DocsTree, onLookup: (path: string, exists: boolean) => void): DocsTree {
  const files = new Proxy(docs.files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "has") return typeof value === "function" ? value.bind(target) : value;
      return (path: string) => {
        const exists = target.has(path);
        onLookup(path, exists);
        return exists;
      };
    },
  });
  return { ...docs, files, watched: docs };
}

/** The digest of a text. If code in the text may use the date, it changes every day. */
export function digestOfText(text: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return hash("sha256", /\bDate\b/.test(text) ? `${today} ${text}` : text);
}

/** Cloning makes the serialization equal in all threads. */
function digestOfValue(value: unknown): string {
  return hash("sha256", serialize(structuredClone(value)));
}

/** The digest of the renderer's code and its dependencies, so that each version has entries of its own. */
async function digestOfRenderer(): Promise<string> {
  const folder = import.meta.dirname;
  const lock = join(folder, "../../../package-lock.json");
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(?:[jt]s|css|br)$/.test(name),
  );
  const digest = createHash("sha256").update(process.version);
  for (const path of [...names.sort().map((name) => join(folder, name)), lock])
    digest.update(await readFile(path).catch(() => ""));
  return digest.digest("hex");
}
