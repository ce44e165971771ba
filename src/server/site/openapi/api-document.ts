/** OpenAPI documents: read once for a site, and their references resolved where they are used. */
import { posix } from "node:path";
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { parse } from "yaml";
import { BoundedMap } from "../../../base/bounded-map.ts";
import { cachePerObject } from "../../../base/cache-per-object.ts";
import { decodePercent, isJsonObject, type JsonObject, messageOf } from "../../../base/text.ts";
import { type DocsTree, ifUsable, readPageText, UnusableFileError } from "../content/docs-tree.ts";
import { withTimeLimit } from "../content/parse-page.ts";

/** Bytes of a document in JSON. */
export const maxJsonBytes = 32 * 1024 * 1024;
/** YAML takes a second and a hundred megabytes of memory for each. */
const maxYamlBytes = 8 * 1024 * 1024;
/** So much text of documents stays in memory as what it says. */
const maxCachedLength = 64 * 1024 * 1024;
/** Files that one document refers to, itself or through others. */
const maxFiles = 200;
const maxHops = 50;

/** What a value stands for. */
export interface Resolved {
  readonly value: JsonObject;
  /** The object that is referred to, which tells that one is inside itself. */
  readonly target: JsonObject;
  /** The last word of the reference: a component's name. */
  readonly name?: string;
}

/** An OpenAPI document of version 3, with the files that it refers to. */
export class ApiDocument {
  readonly file: string;
  readonly root: JsonObject;
  /** Characters of the text of all its files. */
  readonly length: number;
  readonly #files: ReadonlyMap<string, unknown>;

  constructor(file: string, root: JsonObject, files: ReadonlyMap<string, unknown> = new Map(), length = 0) {
    this.length = length;
    this.file = file;
    this.root = root;
    this.#files = files;
  }

  /** The files that it is made of. */
  get paths(): readonly string[] {
    return [this.file, ...this.#files.keys()];
  }

  /** The object that a value is or refers to; what stands beside a reference counts more than what it leads to. */
  resolve(value: unknown, onProblem: (message: string) => void): Resolved {
    let beside: JsonObject = {};
    let name: string | undefined;
    let target = value;
    for (let hops = 0; isJsonObject(target) && typeof target["$ref"] === "string"; hops += 1) {
      const { $ref: reference, ...own } = target;
      beside = { ...own, ...beside };
      target = hops < maxHops ? this.#find(String(reference)) : undefined;
      name = decodePointer(String(reference).split("/").at(-1) ?? "");
      if (!isJsonObject(target))
        onProblem(`the reference ${String(reference).slice(0, 200)} leads to nothing`);
    }
    const found = isJsonObject(target) ? target : {};
    const isAlone = Object.keys(beside).length === 0;
    return { value: isAlone ? found : { ...found, ...beside }, target: found, ...(name && { name }) };
  }

  #find(reference: string): unknown {
    const [file = "", pointer = ""] = reference.split("#", 2);
    const keys = pointer.split("/").slice(1).map(decodePointer);
    const whole: unknown = file === "" ? this.root : this.#files.get(file);
    const memberOf = (value: unknown, key: string): unknown =>
      Object.hasOwn(Object(value), key) ? (value as JsonObject)[key] : undefined;
    return keys.reduce(memberOf, whole);
  }
}

function decodePointer(segment: string): string {
  return decodePercent(segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What was read of each site's documents; it goes away with the site. */
const cacheOf = cachePerObject((_site: DocsTree) => new BoundedMap<Promise<ApiDocument>>(maxCachedLength));

/**
 * Reads an OpenAPI document once for a site. Swagger 2.0 becomes version 3.
 *
 * @throws {UnusableFileError} when it cannot be read, or is none.
 */
export async function readApiDocument(docs: DocsTree, file: string): Promise<ApiDocument> {
  const site = docs.watched ?? docs;
  const cache = cacheOf(site);
  const reading = cache.get(file) ?? loadDocument(site, file);
  cache.set(file, reading, 0);
  const document = await reading;
  cache.set(file, reading, document.length);
  // Who watches the files learns of them although they were read for another page.
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
    const written = text.matchAll(/\$ref["']?\s*:\s*["']?([^"'#\s{}][^"'#\n]*)/g);
    const others = [...written].map(([, other = ""]) => pathFrom(path, other.trim()));
    if (path !== file || others.length > 0) makeReferencesAbsolute(value, path === file ? "" : path, path);
    for (const other of others) if (docs.files.has(other) && paths.size <= maxFiles) paths.add(other);
    files.set(path, value);
  };
  await load(file);
  // The set grows while it is read; a file that is missing is noticed where something refers to it.
  for (const path of paths) if (path !== file) await ifUsable(load(path), () => undefined);
  return new ApiDocument(file, toVersion3(files.get(file)), files, length);
}

function toVersion3(root: unknown): JsonObject {
  const version = isJsonObject(root) ? String(root["openapi"] ?? root["swagger"] ?? "") : "";
  if (!isJsonObject(root) || !/^[23]/.test(version))
    throw new UnusableFileError("it is no OpenAPI document of version 2.0, 3.0 or 3.1");
  if (version.startsWith("3")) return root;
  try {
    const upgraded: unknown = withTimeLimit(() => upgradeFromTwoToThree({ ...root }));
    return isJsonObject(upgraded) ? upgraded : root;
  } catch (cause) {
    throw new UnusableFileError(`it cannot be read as Swagger 2.0: ${messageOf(cause)}`, { cause });
  }
}

function parseDocument(path: string, text: string): unknown {
  try {
    if (/\.json$/i.test(path)) return JSON.parse(text.replace(/^\uFEFF/, ""));
    // Aliases are the same object again; those that multiply each other are refused.
    return withTimeLimit(() => parse(text, { logLevel: "error", maxAliasCount: 10_000 }) as unknown);
  } catch (cause) {
    throw new UnusableFileError(`it cannot be read: ${messageOf(cause).split("\n", 1)[0]}`, { cause });
  }
}

/** The path of a file that another one refers to; an address elsewhere stays, and is no file. */
function pathFrom(file: string, reference: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference;
  return posix.join("/", posix.dirname(file), reference).slice(1);
}

/** Makes a file's references independent of the file that they are in; `own` is empty for the document itself. */
function makeReferencesAbsolute(value: unknown, own: string, file: string): void {
  // A list instead of recursion, so that depth does not matter; it grows while it is read.
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
