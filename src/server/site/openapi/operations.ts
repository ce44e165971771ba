/** Finds the operations and webhooks of an OpenAPI document by the names that pages and navigation use. */
import { cachePerObject } from "../../../base/cache-per-object.ts";
import { isJsonObject, type JsonObject } from "../../../base/text.ts";
import { entriesOf } from "../json-values.ts";
import type { ApiDocument } from "./api-document.ts";

/** An operation with its location in the document. */
export interface Operation {
  /** An HTTP method, or `WEBHOOK`. */
  readonly method: string;
  /** The path, or the name of the webhook. */
  readonly path: string;
  readonly operation: JsonObject;
  readonly pathItem: JsonObject;
}

const methods = "GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY".split(" ");

/** The operations of a document in its order, then its webhooks, by method and path. Of duplicates, the first is used. */
const indexOf = cachePerObject((document: ApiDocument): ReadonlyMap<string, Operation> => {
  const all = [...operationsAt(document, "paths"), ...operationsAt(document, "webhooks", "WEBHOOK")];
  const index = Map.groupBy(all, ({ method, path }) => keyOf(method, path));
  return new Map([...index].map(([key, [first]]) => [key, first as Operation]));
});

function operationsAt(document: ApiDocument, key: string, as?: string): Operation[] {
  return entriesOf(document.root[key]).flatMap(([path, item]) => {
    const pathItem = document.resolve(item, () => undefined).value;
    return Object.entries(pathItem).flatMap(([name, operation]) => {
      const method = name.toUpperCase();
      if (!methods.includes(method) || !isJsonObject(operation)) return [];
      return [{ method: as ?? method, path, operation, pathItem }];
    });
  });
}

/** A trailing slash of the path is ignored. */
function keyOf(method: string, path: string): string {
  return `${method} ${path.replace(/(?<=.)\/$/, "")}`;
}

/** The operations of a document in its order, then its webhooks. */
export function listOperations(document: ApiDocument): Operation[] {
  return [...indexOf(document).values()];
}

/** Finds an operation by its method and path. */
export function findOperation(document: ApiDocument, method: string, path: string): Operation | undefined {
  return indexOf(document).get(keyOf(method, path));
}

/** Finds a schema by its name. */
export function findSchema(document: ApiDocument, name: string): unknown {
  const { schemas } = document.resolve(document.root["components"], () => undefined).value;
  return entriesOf(schemas).find(([key]) => key === name)?.[1];
}

/** The name of an operation or schema in a page or in the navigation. */
export interface OperationName {
  readonly file: string | undefined;
  readonly method: string;
  readonly name: string;
}

const operationName = new RegExp(`^(?:(\\S+)\\s+)?(${methods.join("|")}|WEBHOOK)\\s+(\\S.*)$`, "i");

/** Reads `GET /users`, `file.json GET /users` or `WEBHOOK name`; `undefined` for anything else. */
export function readOperationName(text: string): OperationName | undefined {
  const [, file, method = "", name = ""] = operationName.exec(text.trim()) ?? [];
  return method === "" ? undefined : { file, method: method.toUpperCase(), name: name.trim() };
}

/** Reads the name of a schema: `Name` or `file.json Name`. */
export function readSchemaName(text: string): OperationName {
  const [, file, name = ""] = /^(?:(\S+\.(?:json|ya?ml))\s+)?(.*)$/is.exec(text.trim()) ?? [];
  return { file, method: "SCHEMA", name };
}

/** The title of an operation's page and its slug in the folder of its tag, according to the format's rules. */
export function nameOperation({ method, path, operation }: Operation): { title?: string; slug: string } {
  const summary = typeof operation["summary"] === "string" ? operation["summary"].trim() : "";
  const slug =
    slugOf(summary) || (method === "WEBHOOK" ? slugOf(path) : `${method.toLowerCase()}-${slugOf(path)}`);
  return { ...(summary !== "" && { title: summary }), slug: slug || "operation" };
}

/** Turns a text into a path segment, according to the format's rules. */
export function slugOf(text: string): string {
  // An unclosed brace matches to the end of its line: otherwise each would scan the rest, in quadratic time.
  return text
    .replaceAll(" ", "-")
    .replace(/\{.*?(\}|$)/gm, (match, end) => (end === "" ? match : "-"))
    .replace(/^-/, "")
    .replace(/-$/, "")
    .replace(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .toLowerCase();
}
