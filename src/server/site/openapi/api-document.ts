/** Reads OpenAPI documents, once per site, and resolves their references on demand. */
import { posix } from "node:path";
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { parse } from "yaml";
import { BoundedMap } from "../../../base/bounded-map.ts";
import { cachePerObject } from "../../../base/cache-per-object.ts";
import { decodePercent, isJsonObject, type JsonObject, messageOf } from "../../../base/text.ts";
import { type DocsTree, ifUsable, readPageText, UnusableFileError } from "../content/docs-tree.ts";
import { withTimeLimit } from "../content/time-limit.ts";

/** Maximum size of a JSON document. */
export const maxJsonBytes = 32 * 1024 * 1024;
/** Maximum size of a YAML document. Parsing takes one second and 100 MB of memory per megabyte. */
const maxYamlBytes = 8 * 1024 * 1024;
/** Maximum total length of the texts whose parsed documents stay in memory. */
const maxCachedLength = 64 * 1024 * 1024;
/** Maximum number of files that one document refers to, directly or indirectly. */
const maxFiles = 200;
const maxHops = 50;

/** A value with its references resolved. */
export interface Resolved {
  readonly value: JsonObject;
  /** The referenced object. Its identity reveals recursion. */
  readonly target: JsonObject;
  /** The last segment of the reference: the name of a component. */
  readonly name?: string;
}

/** An OpenAPI 3 document with the files that it refers to. */
export class ApiDocument {
  readonly file: string;
  readonly root: JsonObject;
  /** Total length of the texts of its files. */
  readonly length: number;
  readonly #files: ReadonlyMap<string, unknown>;

  constructor(file: string, root: JsonObject, files: ReadonlyMap<string, unknown> = new Map(), length = 0) {
    this.length = length;
    this.file = file;
    this.root = root;
    this.#files = files;
  }

  /** The paths of all its files. */
  get paths(): readonly string[] {
    return [this.file, ...this.#files.keys()];
  }

  /** Resolves a value to an object. Properties beside a `$ref` override those of the referenced object. */
  resolve(value: unknown, onProblem: (message: string) => void): Resolved {
    let overrides: JsonObject = {};
    let name: string | undefined;
    let target = value;
    for (let hops = 0; isJsonObject(target) && typeof target["$ref"] === "string"; hops += 1) {
      const { $ref: reference, ...own } = target;
      overrides = { ...own, ...overrides };
      target = hops < maxHops ? this.#find(String(reference)) : undefined;
      name = decodePointer(String(reference).split("/").at(-1) ?? "");
      if (!isJsonObject(target))
        onProblem(`the reference ${String(reference).slice(0, 200)} cannot be resolved`);
    }
    const object = isJsonObject(target) ? target : {};
    const hasOverrides = Object.keys(overrides).length > 0;
    return {
      value: hasOverrides ? { ...object, ...overrides } : object,
      target: object,
      ...(name && { name }),
    };
  }

  #find(reference: string): unknown {
    const [file = "", pointer = ""] = reference.split("#", 2);
    const keys = pointer.split("/").slice(1).map(decodePointer);
    const root: unknown = file === "" ? this.root : this.#files.get(file);
    const memberOf = (value: unknown, key: string): unknown =>
      Object.hasOwn(Object(value), key) ? (value as JsonObject)[key] : undefined;
    return keys.reduce(memberOf, root);
  }
}

function decodePointer(segment: string): string {
  return decodePercent(segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The documents of each site. An entry is garbage collected with its site. */
const cacheOf = cachePerObject((_site: DocsTree) => new BoundedMap<Promise<ApiDocument>>(maxCachedLength));

/**
 * Reads an OpenAPI document, once per site. Swagger 2.0 is converted to version 3.
 *
 * @throws {UnusableFileError} if it cannot be read or is not an OpenAPI document
 */
export async function readApiDocument(docs: DocsTree, file: string): Promise<ApiDocument> {
  const site = docs.watched ?? docs;
  const cache = cacheOf(site);
  const reading = cache.get(file) ?? loadDocument(site, file);
  cache.set(file, reading, 0);
  const document = await reading;
  cache.set(file, reading, document.length);
  // Registers the files as dependencies of the current page, even if another page caused the reading.
  for (const path of document.paths) docs.files.has(path);
  return document;
}

async function loadDocument(docs: DocsTree, file: string): Promise<ApiDocument> {
  let length = 0;
  const files = new Map<string, unknown>();
  const paths = new Set([file]);
  const load = async (path: string) => {
    const text = await readPageText(docs, path, /\.json$/i.test(path) ? maxJsonBytes : maxYamlBytes);
    length += text.length;
    const value = parseDocument(path, text);
    const references = text.matchAll(/\$ref["']?\s*:\s*["']?([^"'#\s{}][^"'#\n]*)/g);
    const others = [...references].map(([, other = ""]) => pathFrom(path, other.trim()));
    if (path !== file || others.length > 0) makeReferencesAbsolute(value, path === file ? "" : path, path);
    for (const other of others) if (docs.files.has(other) && paths.size <= maxFiles) paths.add(other);
    files.set(path, value);
  };
  await load(file);
  // The set grows during the iteration. A missing file is reported where a reference needs it.
  for (const path of paths) if (path !== file) await ifUsable(load(path), () => undefined);
  return new ApiDocument(file, toVersion3(files.get(file)), files, length);
}

function toVersion3(root: unknown): JsonObject {
  const version = isJsonObject(root) ? String(root["openapi"] ?? root["swagger"] ?? "") : "";
  if (!isJsonObject(root) || !/^[23]/.test(version))
    throw new UnusableFileError("it is not an OpenAPI document of version 2.0, 3.0 or 3.1");
  if (version.startsWith("3")) return root;
  try {
    const upgraded: unknown = withTimeLimit(() => upgradeFromTwoToThree({ ...root }));
    return isJsonObject(upgraded) ? upgraded : root;
  } catch (cause) {
    throw new UnusableFileError(`it cannot be converted from Swagger 2.0: ${messageOf(cause)}`, { cause });
  }
}

function parseDocument(path: string, text: string): unknown {
  try {
    if (/\.json$/i.test(path)) return JSON.parse(text.replace(/^\uFEFF/, ""));
    // An alias refers to the same object. The limit refuses documents whose aliases multiply exponentially.
    return withTimeLimit(() => parse(text, { logLevel: "error", maxAliasCount: 10_000 }) as unknown);
  } catch (cause) {
    throw new UnusableFileError(`it cannot be parsed: ${messageOf(cause).split("\n", 1)[0]}`, { cause });
  }
}

/** The path of a referenced file. A URL stays as it is, and matches no file. */
function pathFrom(file: string, reference: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference;
  return posix.join("/", posix.dirname(file), reference).slice(1);
}

/** Makes the references of a file absolute. @param own path for references within the file; empty for the main document */
function makeReferencesAbsolute(value: unknown, own: string, file: string): void {
  // A set that grows during the iteration, instead of recursion: nesting may be deep.
  const nodes = new Set([value]);
  for (const node of nodes) {
    if (typeof node !== "object" || node === null) continue;
    const reference = (node as JsonObject)["$ref"];
    if (typeof reference === "string") {
      const [path = "", pointer = ""] = reference.split("#", 2);
      (node as Record<string, unknown>)["$ref"] = `${path === "" ? own : pathFrom(file, path)}#${pointer}`;
    }
    for (const inner of Object.values(node)) if (typeof inner === "object") nodes.add(inner);
  }
}
