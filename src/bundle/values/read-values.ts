import {
  type Document,
  isMap,
  isScalar,
  type ParsedNode,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from "yaml";
import { BundleError } from "../errors.ts";

/** A values file as the editor sees it. */
export interface ParsedValues {
  /** The top-level map; `undefined` in a file without any content. */
  readonly root: YAMLMap.Parsed | undefined;
  /** All values, as a reader of this YAML version sees them. */
  readonly tree: unknown;
}

/** The versions of YAML that read values files: 1.1 is Helm's, 1.2 nearly everybody else's. */
export type YamlVersion = "1.1" | "1.2";

/** Refuses a values file, by the name of the input that names it. */
export function refuseValues(problem: string, cause?: unknown): BundleError {
  return new BundleError("invalid-input", `The values file (\`values-file\`) was not changed: ${problem}.`, {
    cause,
    hint: "The file must be plain YAML with one top-level map; write `staticExport` into it by hand once if it uses more than that.",
  });
}

/**
 * Reads a values file.
 *
 * @throws {BundleError} `invalid-input` for anything but one plain YAML document with a map
 */
export function parseValues(text: string, version: YamlVersion): ParsedValues {
  const documents = parseAllDocuments(text, {
    version,
    merge: true,
    keepSourceTokens: true,
    prettyErrors: true,
  });
  if (!Array.isArray(documents)) return { root: undefined, tree: undefined };
  const [document, second] = documents;
  if (second) throw refuseValues("it holds more than one YAML document");
  if (!document) return { root: undefined, tree: undefined };
  requireValid(document);
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null && !contents.source)) {
    return { root: undefined, tree: undefined };
  }
  refuseTemplates(document, text);
  if (!isMap(contents)) throw refuseValues("its top level is not a map");
  return { root: contents, tree: toTree(document) };
}

function requireValid(document: Document.Parsed): void {
  const [error] = document.errors;
  if (!error) return;
  // Not the error's own message: it quotes the file, which may hold secrets.
  const [position] = error.linePos ?? [];
  const place = position ? ` in line ${position.line}, column ${position.col}` : "";
  throw refuseValues(`it is not valid YAML (${error.code}${place})`);
}

function toTree(document: Document.Parsed): unknown {
  try {
    return document.toJS({ mapAsMap: true, maxAliasCount: 1000 });
  } catch (cause) {
    throw refuseValues("its aliases cannot be resolved", cause);
  }
}

/** `{{ … }}` outside quotes is a template that YAML happens to read as something else. */
function refuseTemplates(document: Document.Parsed<ParsedNode>, text: string): void {
  visit(document, {
    Map(_key, node) {
      if (node.range && text.startsWith("{{", node.range[0]))
        throw refuseValues("it is a template (`{{ … }}`)");
    },
    Scalar(_key, node) {
      if (node.type === "PLAIN" && node.source?.includes("{{"))
        throw refuseValues("it is a template (`{{ … }}`)");
    },
  });
}
