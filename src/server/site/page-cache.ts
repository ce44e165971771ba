/**
 * What pages were prepared to, by their content: versions of a site repeat most of their pages, and an export most of the one
 * before. Kept in memory for one export, and in a folder where there is one for the next.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Root as HtmlRoot } from "hast";
import type { Root } from "mdast";
import { type DocsTree, readPageText } from "./content/docs-tree.ts";
import type { PageReporter, Warning } from "./report.ts";

/** A page before its links are resolved: nothing in it depends on other pages, or on where the page is. */
export interface PreparedPage {
  /** Its evaluated Markdown. */
  readonly tree: Root;
  readonly html: HtmlRoot;
  readonly hasDiagram: boolean;
}

/** A prepared page with all that it depends on. */
interface Entry {
  readonly page: PreparedPage;
  readonly warnings: readonly Omit<Warning, "page">[];
  /** Files that were looked for, with a digest of those that are read; `undefined`: there was none. */
  readonly files: readonly (readonly [path: string, digest: string | undefined])[];
  /** Day whose date the page's code may show. */
  readonly day: string | undefined;
}

const maxMemoryBytes = 64 * 1024 * 1024;
/** Content whose imports count by where the page is. */
const importing = /^\s*import\s|<Snippet\b/m;
const readable = /\.(?:[jt]sx?|mdx?|json)$/i;
const digestBytes = 32;
const dayMs = 24 * 60 * 60 * 1000;
/** What no export has used for so long is removed. */
const keptMs = 30 * dayMs;

/** The prepared pages of one export, and of earlier ones. */
export class PageCache {
  readonly #docs: DocsTree;
  readonly #folder: string | undefined;
  readonly #day = new Date().toISOString().slice(0, 10);
  /** Entries by key, as they are written; the oldest first. */
  readonly #entries = new Map<string, Buffer>();
  #bytes = 0;
  /** Of the files that pages depend on. */
  readonly #digests = new Map<string, Promise<string>>();
  #version: Promise<string> | undefined;

  /** @param folder where entries are kept for later exports; several processes may share it */
  constructor(docs: DocsTree, folder: string | undefined) {
    this.#docs = docs;
    this.#folder = folder;
  }

  /**
   * The prepared page of a file's text: the one that was made before, with its warnings, while all that it depends on is the same.
   *
   * @param variant what else the result depends on; `undefined` for a page that is not kept
   */
  async prepare(
    path: string,
    body: string,
    variant: string | undefined,
    onWarning: PageReporter,
    make: (docs: DocsTree, onWarning: PageReporter) => Promise<PreparedPage>,
  ): Promise<PreparedPage> {
    if (variant === undefined) return make(this.#docs, onWarning);
    const key = await this.#keyOf(path, body, variant);
    const known = await this.#read(key);
    if (known !== undefined && (await this.#isCurrent(known))) {
      for (const { message, kind, line } of known.warnings) onWarning(message, kind, line);
      return known.page;
    }
    const lookups = new Map<string, boolean>();
    const warnings: Omit<Warning, "page">[] = [];
    const page = await make(watchFiles(this.#docs, lookups), (message, kind, line) => {
      warnings.push({ kind, message, ...(line !== undefined && { line }) });
      onWarning(message, kind, line);
    });
    const files = await Array.fromAsync(
      lookups,
      async ([path, isThere]) => [path, isThere ? await this.#digestOf(path) : undefined] as const,
    );
    const isDated = /\bDate\b/.test(body) || files.some(([, digest]) => digest?.startsWith("dated"));
    await this.#write(key, { page, warnings, files, day: isDated ? this.#day : undefined });
    return page;
  }

  async #keyOf(path: string, body: string, variant: string): Promise<string> {
    this.#version ??= this.#folder === undefined ? Promise.resolve("") : digestOfRenderer();
    const place = importing.test(body) ? path : path.slice(path.lastIndexOf("."));
    return digestOf(JSON.stringify([await this.#version, place, variant, body]));
  }

  async #isCurrent({ files, day }: Entry): Promise<boolean> {
    if (day !== undefined && day !== this.#day) return false;
    for (const [path, digest] of files) {
      const isThere = this.#docs.files.has(path);
      if ((isThere ? await this.#digestOf(path) : undefined) !== digest) return false;
    }
    return true;
  }

  #digestOf(path: string): Promise<string> {
    const known = this.#digests.get(path) ?? this.#readDigest(path);
    this.#digests.set(path, known);
    return known;
  }

  async #readDigest(path: string): Promise<string> {
    // Of a picture only the address counts.
    if (!readable.test(path)) return "there";
    const text = await readPageText(this.#docs, path).catch(String);
    return `${/\bDate\b/.test(text) ? "dated " : ""}${digestOf(text)}`;
  }

  async #read(key: string): Promise<Entry | undefined> {
    const written = this.#entries.get(key) ?? (await this.#readFile(key));
    return written && (deserialize(zstdDecompressSync(written)) as Entry);
  }

  async #write(key: string, entry: Entry): Promise<void> {
    const written = zstdCompressSync(serialize(entry));
    this.#keep(key, written);
    if (this.#folder === undefined) return;
    const path = this.#pathOf(key);
    const partial = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(partial, [Buffer.from(digestOf(written), "hex"), written], { mode: 0o600 });
    await rename(partial, path);
  }

  async #readFile(key: string): Promise<Buffer | undefined> {
    if (this.#folder === undefined) return undefined;
    const path = this.#pathOf(key);
    const file = await readFile(path).catch(() => undefined);
    const written = file?.subarray(digestBytes);
    // A file that lost its end in a crash is as good as none.
    if (file === undefined || written === undefined) return undefined;
    if (digestOf(written) !== file.toString("hex", 0, digestBytes)) return undefined;
    const now = new Date();
    if (now.getTime() - (await stat(path)).mtimeMs > dayMs) await utimes(path, now, now);
    this.#keep(key, written);
    return written;
  }

  #pathOf(key: string): string {
    return join(this.#folder ?? "", key.slice(0, 2), key.slice(2));
  }

  #keep(key: string, written: Buffer): void {
    this.#bytes += written.length - (this.#entries.get(key)?.length ?? 0);
    this.#entries.set(key, written);
    for (const [oldest, { length }] of this.#entries) {
      if (this.#bytes <= maxMemoryBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** Removes what no export has used for a month. */
export async function pruneCache(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > keptMs) await rm(path, { force: true });
  }
}

/** The documents, with every look-up of a file noted. */
function watchFiles(docs: DocsTree, lookups: Map<string, boolean>): DocsTree {
  const files = new Proxy(docs.files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "has") return typeof value === "function" ? value.bind(target) : value;
      return (path: string) => {
        lookups.set(path, target.has(path));
        return target.has(path);
      };
    },
  });
  return { ...docs, files };
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
