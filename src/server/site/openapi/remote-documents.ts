/** Fetches the OpenAPI documents that a configuration names by a URL. They become files of the site under that URL. */
import { isJsonObject } from "../../../base/text.ts";
import { type DocsTree, ifUsable } from "../content/docs-tree.ts";
import type { FetchFile } from "../remote-files.ts";
import { maxJsonBytes } from "./api-document.ts";
import { readOperationName } from "./operations.ts";

const maxDocuments = 50;
const maxTotalBytes = 64 * 1024 * 1024;
const maxDepth = 32;

/** Whether a document is named by a URL instead of a path. */
export function isRemote(document: string): boolean {
  return /^https?:/i.test(document);
}

/** Adds the OpenAPI documents that the configuration names by a URL. @param report receives each one that was not fetched, and why */
export async function fetchRemoteDocuments<Tree extends DocsTree>(
  docs: Tree,
  config: unknown,
  fetchFile: FetchFile,
  report: (address: string, problem: string) => void,
): Promise<Tree> {
  const addresses = [...new Set(findAddresses(config, 0))];
  const fetched = new Map<string, string>();
  // Every rendering thread keeps all of them in memory.
  let bytesLeft = maxTotalBytes;
  for (const address of addresses.slice(0, maxDocuments)) {
    const file = fetchFile(address, "application/json, application/yaml", Math.min(maxJsonBytes, bytesLeft));
    const bytes = await ifUsable(file, (problem) => report(address, problem));
    if (bytes === undefined) continue;
    bytesLeft -= bytes.length;
    const text = bytes.toString();
    const isJson = /^\uFEFF?\s*\{/.test(text);
    fetched.set(
      /\.(?:json|ya?ml)$/i.test(address) ? address : `${address}${isJson ? ".json" : ".yaml"}`,
      text,
    );
  }
  for (const address of addresses.slice(maxDocuments))
    report(address, `there are more than ${maxDocuments} documents`);
  return { ...docs, files: new Set([...docs.files, ...fetched.keys()]), fetched };
}

/** The URLs of documents in a configuration: values of `openapi`, and entries such as `https://… GET /path`. */
function findAddresses(value: unknown, depth: number): string[] {
  if (depth > maxDepth) return [];
  if (typeof value === "string") return [readOperationName(value)?.file ?? ""].filter(isRemote);
  if (Array.isArray(value)) return value.flatMap((inner) => findAddresses(inner, depth + 1));
  if (!isJsonObject(value)) return [];
  const { openapi, ...rest } = value;
  const named = [openapi].flat().map((entry) => (isJsonObject(entry) ? entry["source"] : entry));
  const addresses = named.filter((entry) => typeof entry === "string").filter(isRemote);
  return [...addresses, ...findAddresses(Object.values(rest), depth + 1)];
}
