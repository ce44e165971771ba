/** The operations and webhooks of an OpenAPI document, and how pages and navigation name them. */
import { isJsonObject, type JsonObject } from "../../../base/text.ts";
import type { ApiDocument } from "./api-document.ts";
import { entriesOf, listOf } from "./schema-reader.ts";

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
const maxOperations = 5000;

/** The operations of a document in its order, then its webhooks. */
export function listOperations(document: ApiDocument): Operation[] {
  const operations = [...operationsAt(document, "paths"), ...operationsAt(document, "webhooks")];
  return operations.slice(0, maxOperations);
}

function operationsAt(document: ApiDocument, key: "paths" | "webhooks"): Operation[] {
  return entriesOf(document.root[key]).flatMap(([path, item]) => {
    const pathItem = document.resolve(item, () => undefined).value;
    const own = Object.entries(pathItem).filter(([name]) => methods.includes(name.toUpperCase()));
    return own.flatMap(([name, operation]) => {
      const method = key === "webhooks" ? "WEBHOOK" : name.toUpperCase();
      return isJsonObject(operation) ? [{ method, path, operation, pathItem }] : [];
    });
  });
}

/** Finds an operation by its method and path; a slash at the end does not count. */
export function findOperation(document: ApiDocument, method: string, path: string): Operation | undefined {
  const key = method === "WEBHOOK" ? "webhooks" : "paths";
  const plain = (text: string) => text.replace(/(?<=.)\/$/, "");
  const name = entriesOf(document.root[key]).find(([written]) => plain(written) === plain(path))?.[0];
  if (name === undefined) return undefined;
  const pathItem = document.resolve((document.root[key] as JsonObject)[name], () => undefined).value;
  const found = Object.entries(pathItem).find(([written]) => {
    const upper = written.toUpperCase();
    return method === "WEBHOOK" ? methods.includes(upper) : upper === method;
  })?.[1];
  return isJsonObject(found) ? { method, path: name, operation: found, pathItem } : undefined;
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

/** The first tag of an operation: its name, and the name of its group. */
export function tagOf(
  document: ApiDocument,
  operation: JsonObject,
): { name: string; group: string } | undefined {
  const name = listOf(operation["tags"])[0];
  if (typeof name !== "string" || name === "") return undefined;
  const tag = listOf(document.root["tags"]).find((one) => isJsonObject(one) && one["name"] === name);
  const group = isJsonObject(tag) ? tag["x-group"] : undefined;
  return { name, group: typeof group === "string" && group !== "" ? group : name };
}
