/** Reads OpenAPI documents, once per site, and finds their operations by the names that pages and navigation use. */
import { parse } from "yaml";
import { BoundedMap } from "../../../base/bounded-map.ts";
import { cachePerObject } from "../../../base/cache-per-object.ts";
import { decodePercent, isJsonObject, type JsonObject, messageOf } from "../../../base/text.ts";
import { type DocsTree, readPageText, UnusableFileError } from "../content/docs-tree.ts";
import { withTimeLimit } from "../content/time-limit.ts";
import { entriesOf, firstText, parseExactJson } from "../json-values.ts";

export const maxJsonBytes = 32 * 1024 * 1024;
/** Maximum size of a YAML document. Parsing takes one second and 100 MB of memory per megabyte. */
const maxYamlBytes = 8 * 1024 * 1024;
/** Maximum total length of the texts whose parsed documents stay in memory. */
const maxCachedLength = 64 * 1024 * 1024;
const maxHops = 50;
/** Maximum number of properties that the merge keys (`<<`) of a YAML document add. */
const maxMergedProperties = 200_000;

/** An operation, webhook or schema with its location in the document. */
export interface Operation {
  /** An HTTP method, `WEBHOOK` or `SCHEMA`. */
  readonly method: string;
  /** The path, or the name of the webhook or schema. */
  readonly path: string;
  readonly operation: JsonObject;
  readonly pathItem: JsonObject;
}

const methods = "GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY".split(" ");

/** An OpenAPI 3 document. */
export class ApiDocument {
  readonly file: string;
  readonly root: JsonObject;
  readonly #operations = new Map<string, Operation>();

  constructor(file: string, root: JsonObject) {
    this.file = file;
    this.root = root;
    // Of duplicates, the first is used.
    for (const found of [...this.#operationsAt("paths"), ...this.#operationsAt("webhooks", "WEBHOOK")])
      if (!this.#operations.has(keyOf(found))) this.#operations.set(keyOf(found), found);
  }

  /** The operations in the document's order, then its webhooks. */
  get operations(): Operation[] {
    return [...this.#operations.values()];
  }

  /** Finds an operation, webhook or schema by its method and path. */
  findOperation(method: string, path: string): Operation | undefined {
    if (method !== "SCHEMA") return this.#operations.get(keyOf({ method, path }));
    const operation = this.#find(`#/components/schemas/${path}`);
    return isJsonObject(operation) ? { method, path, operation, pathItem: {} } : undefined;
  }

  /**
   * Resolves a value to an object. Properties beside a `$ref` override those of the referenced object.
   *
   * @returns `target` is the referenced object, whose identity reveals recursion; `name` is the last segment of the reference: the name of a
   * component.
   */
  resolve(value: unknown, onProblem: (message: string) => void = () => undefined) {
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
    const merged = hasOverrides ? { ...object, ...overrides } : object;
    return { value: merged, target: object, name: name || undefined };
  }

  #find(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    const memberOf = (value: unknown, key: string): unknown =>
      Object.hasOwn(Object(value), key) ? (value as JsonObject)[key] : undefined;
    return reference.split("/").slice(1).map(decodePointer).reduce(memberOf, this.root);
  }

  #operationsAt(key: string, as?: string): Operation[] {
    return entriesOf(this.root[key]).flatMap(([path, item]) => {
      const pathItem = this.resolve(item).value;
      return Object.entries(pathItem).flatMap(([name, operation]) => {
        const method = name.toUpperCase();
        if (!methods.includes(method) || !isJsonObject(operation)) return [];
        return [{ method: as ?? method, path, operation, pathItem }];
      });
    });
  }
}

/** Identifies an operation of a document. A trailing slash of the path is ignored. */
export function keyOf({ method, path }: Pick<Operation, "method" | "path">): string {
  return `${method} ${path.replace(/(?<=.)\/$/, "")}`;
}

function decodePointer(segment: string): string {
  return decodePercent(segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The documents of each site. An entry is garbage collected with its site. */
const cacheOf = cachePerObject((_site: DocsTree) => new BoundedMap<Promise<ApiDocument>>(maxCachedLength));

/**
 * Reads an OpenAPI document, once per site.
 *
 * @throws {UnusableFileError} if it cannot be read or is not an OpenAPI document
 */
export function readApiDocument(docs: DocsTree, file: string): Promise<ApiDocument> {
  // The lookup registers the file as a dependency of the current page, even if another page caused the reading.
  docs.files.has(file);
  const site = docs.watched ?? docs;
  const cache = cacheOf(site);
  const cached = cache.get(file);
  if (cached !== undefined) return cached;
  const reading = readPageText(site, file, isJson(file) ? maxJsonBytes : maxYamlBytes).then((text) => {
    cache.set(file, reading, text.length);
    return new ApiDocument(file, parseDocument(file, text));
  });
  cache.set(file, reading, 0);
  return reading;
}

function isJson(file: string): boolean {
  return /\.json$/i.test(file);
}

function parseDocument(file: string, text: string): JsonObject {
  let root: unknown;
  try {
    // An alias refers to the same object. The limit refuses documents whose aliases multiply exponentially.
    root = isJson(file)
      ? parseExactJson(text)
      : withTimeLimit(() =>
          normalizeYaml(parse(text, { logLevel: "error", maxAliasCount: 10_000, intAsBigInt: true })),
        );
  } catch (cause) {
    throw new UnusableFileError(`it cannot be parsed: ${messageOf(cause).split("\n", 1)[0]}`, { cause });
  }
  // YAML reads 3.1 as a number.
  if (isJsonObject(root) && firstText(root["openapi"])?.startsWith("3")) return root;
  throw new UnusableFileError("it is not an OpenAPI document of version 3.0 or 3.1");
}

/** Applies a YAML document's merge keys, and turns its integers into numbers where they are exact, as {@link parseExactJson} does. */
function normalizeYaml(root: unknown): unknown {
  const seen = new Set<unknown>();
  let mergedProperties = 0;
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, part] of Object.entries(value)) {
      const isExact = typeof part === "bigint" && Number.isSafeInteger(Number(part));
      if (isExact) Reflect.set(value, key, Number(part));
      else visit(part);
    }
    if (!Object.hasOwn(value, "<<")) return;
    const { "<<": merged, ...own } = value as JsonObject;
    // In place, because aliases refer to this object. Of several sources, the first has precedence.
    const inherited = [merged].flat().filter(isJsonObject).toReversed().flatMap(Object.entries);
    mergedProperties += inherited.length;
    if (mergedProperties > maxMergedProperties)
      throw new RangeError("its merge keys add too many properties");
    for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
    const all = Object.fromEntries([...inherited, ...Object.entries(own)]);
    Object.defineProperties(value, Object.getOwnPropertyDescriptors(all));
  };
  visit(root);
  return root;
}

/** The name of an operation in front matter or in the navigation. */
export type OperationName = NonNullable<ReturnType<typeof readOperationName>>;

const operationName = new RegExp(`^(?:(\\S+)\\s+)?(${methods.join("|")}|WEBHOOK|SCHEMA)\\s+(\\S.*)$`, "i");

/** Reads `GET /users`, `file.json GET /users`, `WEBHOOK name` or `SCHEMA name`; `undefined` for anything else. */
export function readOperationName(text = "") {
  const [, file, method = "", path = ""] = operationName.exec(text.trim()) ?? [];
  return method === "" ? undefined : { file, method: method.toUpperCase(), path: path.trim() };
}
