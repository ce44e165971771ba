import { corrupt, unsafe } from "../errors.ts";
import type { ArchiveBudget } from "./archive-limits.ts";
import type { ArchiveSink } from "./archive-sink.ts";
import { decodeName, parseEntryPath, quote } from "./entry-path.ts";
import type { NameRegistry } from "./name-registry.ts";
import { parsePaxRecords } from "./pax-records.ts";
import { parseTarHeader, type TarHeader, tarBlockBytes } from "./tar-header.ts";

const maxMetadataBytes = 1024 * 1024;

const refusedTypes: Readonly<Record<string, string>> = {
  "1": "a hard link",
  "2": "a symbolic link",
  "3": "a character device",
  "4": "a block device",
  "6": "a named pipe",
  D: "a dump of a folder",
  M: "a part of a multi-volume archive",
  S: "a sparse file",
};

/** What the reader expects next in the stream. */
type State = "header" | "metadata" | "file" | "padding" | "ended";

interface TarReaderDeps {
  readonly sink: ArchiveSink;
  readonly budget: ArchiveBudget;
  readonly names: NameRegistry;
}

/** Reads a tar archive from chunks of any size and hands its files and folders to a sink. */
export class TarReader {
  readonly #deps: TarReaderDeps;
  readonly #block = Buffer.alloc(tarBlockBytes);
  #state: State = "header";
  #filled = 0;
  #remaining = 0;
  #padding = 0;
  #metadata: Buffer[] = [];
  #metadataType = "";
  #path: string | undefined;
  #size: number | undefined;
  #zeroBlocks = 0;
  #files = 0;

  constructor(deps: TarReaderDeps) {
    this.#deps = deps;
  }

  /** Regular files seen so far. */
  get files(): number {
    return this.#files;
  }

  /** @throws {BundleError} as soon as the bytes so far cannot be a safe, whole archive */
  write(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) offset += this.#take(chunk.subarray(offset));
  }

  /** @throws {BundleError} when the archive is cut: the two zero blocks that end it are missing */
  end(): void {
    if (this.#state !== "ended") {
      throw corrupt("The tar archive is cut: the two empty blocks that end it are missing.");
    }
  }

  #take(bytes: Buffer): number {
    switch (this.#state) {
      case "header":
        return this.#takeHeader(bytes);
      case "metadata":
      case "file":
        return this.#takeBody(bytes);
      case "padding":
        return this.#takePadding(bytes);
      case "ended":
        return takeZeros(bytes);
    }
  }

  #takeHeader(bytes: Buffer): number {
    if (this.#filled === 0 && bytes.length >= tarBlockBytes) {
      this.#readBlock(bytes.subarray(0, tarBlockBytes));
      return tarBlockBytes;
    }
    const taken = bytes.copy(this.#block, this.#filled);
    this.#filled += taken;
    if (this.#filled === tarBlockBytes) {
      this.#filled = 0;
      this.#readBlock(this.#block);
    }
    return taken;
  }

  #readBlock(block: Buffer): void {
    if (isZero(block)) {
      this.#zeroBlocks += 1;
      if (this.#zeroBlocks === 2) this.#state = "ended";
      return;
    }
    if (this.#zeroBlocks > 0)
      throw corrupt("The tar archive is damaged: an empty block stands between entries.");
    this.#deps.budget.addEntry();
    const header = parseTarHeader(block);
    if ("xgLK".includes(header.type)) this.#startMetadata(header);
    else this.#startEntry(header);
  }

  #startMetadata({ type, size }: TarHeader): void {
    if (size > maxMetadataBytes) throw unsafe(`An extended header of the tar archive is ${size} bytes long.`);
    this.#metadataType = type;
    this.#metadata = [];
    this.#startBody("metadata", size);
  }

  #startEntry(header: TarHeader): void {
    const name = this.#path ?? header.name;
    const size = this.#size ?? header.size;
    this.#path = undefined;
    this.#size = undefined;
    // Archives older than ustar mark a folder by the slash alone.
    const isDirectory = header.type === "5" || (header.type === "0" && name.endsWith("/"));
    if (!isDirectory && header.type !== "0" && header.type !== "7") {
      throw unsafe(
        `Entry ${quote(name)} is ${refusedTypes[header.type] ?? `of unknown type ${quote(header.type)}`}.`,
      );
    }
    const path = parseEntryPath(name);
    if (isDirectory) this.#addDirectory(path, size);
    else this.#startFile(path, size);
  }

  #addDirectory(path: string, size: number): void {
    if (size !== 0) throw corrupt(`Folder ${quote(path)} claims to have ${size} bytes.`);
    if (path === "") return;
    this.#deps.names.add(path, "directory");
    this.#deps.sink.directory(path);
  }

  #startFile(path: string, size: number): void {
    if (path === "") throw unsafe("A file of the archive has the name of the folder itself.");
    this.#deps.names.add(path, "file");
    this.#deps.sink.startFile(path);
    this.#files += 1;
    this.#startBody("file", size);
  }

  #startBody(state: "metadata" | "file", size: number): void {
    this.#state = state;
    this.#remaining = size;
    this.#padding = (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
    if (size === 0) this.#endBody();
  }

  #takeBody(bytes: Buffer): number {
    const taken = bytes.subarray(0, this.#remaining);
    this.#remaining -= taken.length;
    if (this.#state === "file") this.#deps.sink.data(taken);
    // A copy: the chunk behind the view may be reused before the header is complete.
    else this.#metadata.push(Buffer.from(taken));
    if (this.#remaining === 0) this.#endBody();
    return taken.length;
  }

  #endBody(): void {
    if (this.#state === "file") this.#deps.sink.endFile();
    else this.#readMetadata(Buffer.concat(this.#metadata));
    this.#state = this.#padding === 0 ? "header" : "padding";
  }

  #takePadding(bytes: Buffer): number {
    const taken = Math.min(this.#padding, bytes.length);
    this.#padding -= taken;
    if (this.#padding === 0) this.#state = "header";
    return taken;
  }

  #readMetadata(bytes: Buffer): void {
    this.#metadata = [];
    // The target of a link: the link itself is refused when it comes.
    if (this.#metadataType === "K") return;
    if (this.#metadataType === "L") {
      this.#setPath(decodeName(bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes));
      return;
    }
    const { path, size } = parsePaxRecords(bytes);
    if (this.#metadataType === "g" && (path !== undefined || size !== undefined)) {
      throw unsafe("A global header of the tar archive gives all entries one name or size.");
    }
    if (path !== undefined) this.#setPath(path);
    if (size !== undefined) this.#size = size;
  }

  #setPath(path: string): void {
    if (this.#path !== undefined)
      throw unsafe(`An entry has two long names: ${quote(this.#path)} and ${quote(path)}.`);
    this.#path = path;
  }
}

function takeZeros(bytes: Buffer): number {
  if (!isZero(bytes)) throw corrupt("The tar archive has data after its end.");
  return bytes.length;
}

const zeros = Buffer.alloc(64 * 1024);

function isZero(bytes: Buffer): boolean {
  for (let offset = 0; offset < bytes.length; offset += zeros.length) {
    const part = bytes.subarray(offset, offset + zeros.length);
    if (!part.equals(zeros.subarray(0, part.length))) return false;
  }
  return true;
}
