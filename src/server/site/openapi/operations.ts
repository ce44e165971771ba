/** The operations and webhooks of an OpenAPI document, and how pages and navigation name them. */
import { cachePerObject } from "../../../base/cache-per-object.ts";
import { isJsonObject, type JsonObject } from "../../../base/text.ts";
import { entriesOf } from "../json-values.ts";
import type { ApiDocument } from "./api-document.ts";

/** An operation where it stands in its document. */
export interface Operation {
  /** `GET` and so on, or `WEBHOOK`. */
  readonly method: string;
  /** Its path, or the webhook's name. */
  readonly path: string;
  readonly operation: JsonObject;
  readonly pathItem: JsonObject;
}

const methods = "GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY".split(" ");

/** The operations of a document by method and path, in its order, then its webhooks; the first of two alike counts. */
const indexOf = cachePerObject((document: ApiDocument): ReadonlyMap<string, Operation> => {
  const found = [...operationsAt(document, "paths"), ...operationsAt(document, "webhooks", "WEBHOOK")];
  const index = Map.groupBy(found, ({ method, path }) => keyOf(method, path));
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

/** A slash at the end of a path does not count. */
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
  return entriesOf(schemas).find(([written]) => written === name)?.[1];
}

/** What a page or an entry of the navigation names. */
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

/** Reads `Name` or `file.json Name`, the schema that a page describes. */
export function readSchemaName(text: string): OperationName {
  const [, file, name = ""] = /^(?:(\S+\.(?:json|ya?ml))\s+)?(.*)$/is.exec(text.trim()) ?? [];
  return { file, method: "SCHEMA", name };
}

/** The title and the address of an operation's page within its tag's folder, as the format makes them. */
export function nameOperation({ method, path, operation }: Operation): { title?: string; slug: string } {
  const summary = typeof operation["summary"] === "string" ? operation["summary"].trim() : "";
  const slug =
    slugOf(summary) || (method === "WEBHOOK" ? slugOf(path) : `${method.toLowerCase()}-${slugOf(path)}`);
  return { ...(summary !== "" && { title: summary }), slug: slug || "operation" };
}

/** A text as a segment of an address: the format's own rule. */
export function slugOf(text: string): string {
  // An open brace is a match too: else the rest would be searched again from each.
  return text
    .replaceAll(" ", "-")
    .replace(/\{.*?(\}|$)/gm, (word, end) => (end === "" ? word : "-"))
    .replace(/^-/, "")
    .replace(/-$/, "")
    .replace(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .toLowerCase();
}
