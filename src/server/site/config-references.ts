/** Puts the files that a configuration refers to (`{ "$ref": "./redirects.json" }`) in their place. */

import { posix } from "node:path";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { type DocsTree, readPageText, UnusableFileError } from "./content/docs-tree.ts";

interface Resolving {
  readonly docs: DocsTree;
  readonly onWarning: (message: string) => void;
  /** References multiply: a configuration gets at most this many, and this many characters of files. */
  remaining: number;
  remainingCharacters: number;
}

const maxReferences = 500;
/** Many times what a site's navigation takes; each file may be read again wherever it is referred to. */
const maxCharacters = 8 * 1024 * 1024;
const maxNesting = 64;

async function readReference(path: string, resolving: Resolving): Promise<unknown> {
  try {
    const text = await readPageText(resolving.docs, path);
    resolving.remainingCharacters -= text.length;
    if (resolving.remainingCharacters < 0) throw new UnusableFileError("the files together are too long");
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof UnusableFileError) && !(error instanceof SyntaxError)) throw error;
    resolving.onWarning(`the reference to ${path} was left out: ${error.message}`);
    return undefined;
  }
}

interface Place {
  /** The files around this value, innermost last. */
  readonly files: readonly string[];
  readonly depth: number;
}

async function follow(reference: string, place: Place, resolving: Resolving): Promise<unknown> {
  const path = posix.join("/", posix.dirname(place.files.at(-1) ?? ""), reference).slice(1);
  if (place.files.includes(path) || resolving.remaining <= 0) {
    resolving.onWarning(`the reference to ${path} was left out: it refers to itself, or there are too many`);
    return undefined;
  }
  resolving.remaining -= 1;
  const value = await readReference(path, resolving);
  return resolve(value, { files: [...place.files, path], depth: place.depth + 1 }, resolving);
}

async function resolveObject(value: JsonObject, place: Place, resolving: Resolving): Promise<unknown> {
  const { $ref: reference, ...own } = value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(own)) {
    entries.push([key, await resolve(item, { ...place, depth: place.depth + 1 }, resolving)]);
  }
  if (typeof reference !== "string") return Object.fromEntries(entries);
  const referred = await follow(reference, place, resolving);
  // What stands beside the reference counts more than what the file says.
  return isJsonObject(referred) ? { ...referred, ...Object.fromEntries(entries) } : referred;
}

async function resolve(value: unknown, place: Place, resolving: Resolving): Promise<unknown> {
  if (place.depth > maxNesting) return undefined;
  if (isJsonObject(value)) return resolveObject(value, place, resolving);
  if (!Array.isArray(value)) return value;
  const items: unknown[] = [];
  for (const item of value) {
    items.push(await resolve(item, { ...place, depth: place.depth + 1 }, resolving));
  }
  return items;
}

/** Gives a configuration in which every reference to another file of the documents is replaced by what that file holds. */
export function resolveReferences(
  config: unknown,
  { docs, file, onWarning }: Pick<Resolving, "docs" | "onWarning"> & { readonly file: string },
): Promise<unknown> {
  return resolve(
    config,
    { files: [file], depth: 0 },
    { docs, onWarning, remaining: maxReferences, remainingCharacters: maxCharacters },
  );
}
