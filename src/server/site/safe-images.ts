import { type DocsTree, readAsset, UnusableFileError } from "./content/docs-tree.ts";

const svgFile = /\.svg$/i;
/** What makes an SVG a program, or makes it load something, when it is opened by itself. */
const activeContent =
  /<\s*(?:\w+:)?(?:script|foreignObject|iframe|embed|object|handler|set|animate)\b|\bon\w+\s*=|javascript:|<!ENTITY|@import|(?:href|src)\s*=\s*["']?\s*(?:https?:)?\/\//i;
/** An `xmlns` names its standard by an address that is never loaded; so does the document type. */
const namespaces = /\s+xmlns(?::\w+)?\s*=\s*(?:"[^"]*"|'[^']*')|<!DOCTYPE[^>[]*>/gi;

async function isActiveImage(docs: DocsTree, path: string): Promise<boolean> {
  try {
    return activeContent.test((await readAsset(docs, path)).toString("utf8").replace(namespaces, " "));
  } catch (error) {
    if (error instanceof UnusableFileError) return true;
    throw error;
  }
}

/** The documents without SVG files that carry scripts or load something: a copied file runs with the site's rights. */
export async function withoutActiveImages(
  docs: DocsTree,
  { signal }: { readonly signal: AbortSignal },
): Promise<DocsTree> {
  const files = new Set(docs.files);
  const skipped = [...docs.skipped];
  for (const path of docs.files) {
    if (!svgFile.test(path)) continue;
    signal.throwIfAborted();
    if (!(await isActiveImage(docs, path))) continue;
    files.delete(path);
    skipped.push({ path, message: "this image holds scripts or loads something from elsewhere" });
  }
  return { ...docs, files, skipped };
}
