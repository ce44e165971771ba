/** Writes the link to a bundle into a deployment's Helm values file (specification §4.8). Every other byte stays the same. */
import { existsSync } from "node:fs";
import { readFile, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  isAlias,
  isMap,
  isScalar,
  type Pair,
  type ParsedNode,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from "yaml";
import { isInside } from "../base/paths.ts";
import { BundleError, fromWriteError } from "./errors.ts";
import { preparePart } from "./prepare-part.ts";

/** A values file in the workspace. It is checked before an export starts and written when the export has ended. */
export interface ValuesFile {
  /** Replaces the file atomically; `false` if it already has these values. */
  write(values: { readonly bundleUrl: string; readonly version?: string | undefined }): Promise<boolean>;
}

/**
 * Checks that the file can be changed.
 *
 * @param writes whether a version will be written, and whether the link is a presigned one that the user did not explicitly request
 * @throws {BundleError} `invalid-input` for a file outside the workspace or one that cannot be changed safely, and for an unintended
 *   presigned link in a file of a repository; `disk-full` if its folder cannot be written to
 */
export async function openValuesFile(
  workspace: string,
  file: string,
  writes: { readonly version: boolean; readonly unintendedLink: boolean },
): Promise<ValuesFile> {
  const root = await realpath(workspace);
  const path = await realpath(resolve(workspace, file)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!isInside(root, path))
    throw new BundleError("invalid-input", `\`values-file\` ${file} is not in the workspace.`);
  if (writes.unintendedLink && isInRepository(path, root)) {
    throw new BundleError(
      "invalid-input",
      `\`values-file\` ${file} belongs to a repository. The bundle's link is a credential that expires soon, so it is not written there.`,
      {
        hint: "Copy the bundle to your own storage and set `values-bundle-url` to its URL. Or set `values-bundle-url: presigned` to write the link anyway.",
      },
    );
  }
  updateValues(await readText(path, file), "https://example.com/bundle", writes.version ? "1" : undefined);
  await replaceFile(path, "", "trial");
  return {
    async write({ bundleUrl, version }) {
      const before = await readText(path, file);
      const after = updateValues(before, bundleUrl, version);
      if (after === before) return false;
      await replaceFile(path, after);
      return true;
    },
  };
}

/** Writes a text beside the file and, unless this is only a trial, replaces the file by it. */
async function replaceFile(path: string, text: string, trial?: "trial"): Promise<void> {
  try {
    await using part = await preparePart(path);
    await writeFile(part.path, text, { mode: (await stat(path)).mode });
    if (trial === undefined) await part.publish();
  } catch (error) {
    throw fromWriteError(error, path);
  }
}

function unreadable(file: string, cause: unknown): BundleError {
  return new BundleError("invalid-input", `\`values-file\` ${file} cannot be read.`, {
    hint: "Give the path of an existing file in the workspace. In a workflow, check the repository out before this step.",
    cause,
  });
}

/** Reads the file's text such that writing it back gives the same bytes. */
async function readText(path: string, file: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new BundleError("invalid-input", `\`values-file\` ${file} is not a text file in UTF-8.`, {
      hint: "Set the path of a Helm values file in UTF-8.",
      cause: error,
    });
  }
}

/** Whether the file's folder, or a parent folder within the workspace, is a git work tree. */
function isInRepository(path: string, root: string): boolean {
  const folder = dirname(path);
  if (folder === path || !isInside(root, folder)) return false;
  return existsSync(join(folder, ".git")) || isInRepository(folder, root);
}

const parentKey = "staticExport";

const ownKeys = ["enabled", "bundleUrl", "version"];

/** The YAML versions of the programs that read values files: Helm uses 1.1, most other programs use 1.2. */
const versions = ["1.1", "1.2"] as const;

/** Line breaks that Helm sees and the parser does not. */
const otherLineBreak = /\r(?!\n)|[\u0085\u2028\u2029]/;

type Values = Readonly<Record<string, string | true>>;

/**
 * Sets `staticExport.enabled`, `.bundleUrl` and, if given, `.version` in the text of a values file. Every other byte stays the same. A
 * text that already has the values is returned unchanged.
 *
 * @throws {BundleError} `invalid-input` for files that cannot be changed this way: invalid YAML, and values that are shared through
 *   aliases or written by a template
 */
export function updateValues(text: string, bundleUrl: string, version?: string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const before = text.slice(mark.length);
  const values: Values = { enabled: true, bundleUrl, ...(version !== undefined && { version }) };
  // The platform chooses them, and the file may be a template of Helmfile, or a chart may evaluate its values.
  if (Object.values(values).some((value) => String(value).includes("{{")))
    throw refuse("a new value is a template (`{{ … }}`)");
  const after = Object.entries(values).reduce((body, [key, value]) => setValue(body, key, value), before);
  if (otherLineBreak.test(after))
    throw refuse("only some programs see a line break in one of its characters");
  // This check makes the edits safe: readers of both YAML versions must see the new values and no other change.
  for (const yaml of versions)
    requireOnlyChange(parseValues(before, yaml).tree, parseValues(after, yaml).tree, values);
  return mark + after;
}

function refuse(problem: string, cause?: unknown): BundleError {
  return new BundleError("invalid-input", `The values file (\`values-file\`) was not changed: ${problem}.`, {
    cause,
    hint: "The file must be plain YAML with one top-level map in block style; a template (`{{ … }}`) must be in quotes. If it uses other features, add `staticExport` by hand once.",
  });
}

/** Parses a values file with one YAML version; both fields are `undefined` for a file without content. */
function parseValues(text: string, version: (typeof versions)[number]) {
  const parsed = parseAllDocuments<ParsedNode>(text, { version, merge: true, prettyErrors: true });
  const [document, second] = Array.isArray(parsed) ? parsed : [];
  if (second) throw refuse("it holds more than one YAML document");
  if (!document) return { root: undefined, tree: undefined };
  const [error] = document.errors;
  if (error) {
    // The parser's message is not shown, because it quotes the file, which may contain secrets.
    const [position] = error.linePos ?? [];
    const location = position ? ` in line ${position.line}, column ${position.col}` : "";
    throw refuse(`it is not valid YAML (${error.code}${location})`);
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null && !contents.source))
    return { root: undefined, tree: undefined };
  if (!isMap(contents)) throw refuse("its top level is not a map");
  try {
    return { root: contents, tree: document.toJS({ mapAsMap: true, maxAliasCount: 1000 }) };
  } catch (cause) {
    throw refuse("its aliases cannot be resolved", cause);
  }
}

function requireOnlyChange(before: unknown, after: unknown, values: Values): void {
  for (const [key, value] of Object.entries(values))
    if (childOf(after, key) !== value) throw refuse(`\`${parentKey}.${key}\` cannot be set at its position`);
  if (!isDeepStrictEqual(without(before, values), without(after, values)))
    throw refuse("the change would affect other values, through an anchor or the file's formatting");
}

function childOf(tree: unknown, key: string): unknown {
  const parent = tree instanceof Map ? tree.get(parentKey) : undefined;
  return parent instanceof Map ? parent.get(key) : undefined;
}

/** The tree without the new values. An empty `staticExport` is removed. */
function without(tree: unknown, values: Values): unknown {
  const rest = new Map(tree instanceof Map ? tree : []);
  const parent: unknown = rest.get(parentKey);
  const kept = parent instanceof Map ? [...parent].filter(([key]) => !(key in values)) : [];
  rest.delete(parentKey);
  return kept.length === 0 ? rest : new Map([...rest, [parentKey, new Map(kept)]]);
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/** Sets one key of `staticExport`, unless it already has the value in both YAML versions. */
function setValue(text: string, key: string, value: string | true): string {
  if (versions.every((version) => childOf(parseValues(text, version).tree, key) === value)) return text;
  const { root } = parseValues(text, "1.2");
  if (root?.flow) throw refuse("its top level is a map in braces");
  const parent = root && findPair(root, parentKey);
  if (!parent) return setValue(appendParent(text, root), key, value);
  const map = parent.value;
  if (!map || map.range[0] === map.range[1]) return insertBelow(text, parent, parent, key, value);
  const isEmpty = isScalar(map) ? map.value === null : isMap(map) && map.items.length === 0;
  if (isEmpty) return setValue(splice(text, [colonEnd(text, parent), map.range[1]], ""), key, value);
  if (!isMap(map) || map.flow) throw refuse(`\`${parentKey}\` is not a map in block style`);
  // For Helm, a merge key has precedence over the keys before it.
  if (map.items.some((item) => isScalar(item.key) && item.key.source === "<<"))
    throw refuse(`\`${parentKey}\` has a merge key (\`<<\`)`);
  const pair = findPair(map, key);
  if (pair) return replaceValue(text, pair, value);
  const previous = ownKeys.slice(0, ownKeys.indexOf(key)).map((name) => findPair(map, name));
  return insertBelow(text, previous.findLast(Boolean) ?? parent, parent, key, value);
}

function findPair(map: YAMLMap.Parsed, key: string): ParsedPair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function colonEnd(text: string, { key }: ParsedPair): number {
  return text.indexOf(":", key.range[1]) + 1;
}

function splice(text: string, [start, end]: readonly number[], replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function appendParent(text: string, root: YAMLMap.Parsed | undefined): string {
  const lineEnd = lineEndOf(text);
  const mark = text.search(/^\.\.\.(?=\s|$)/m);
  const at = mark === -1 ? text.length : mark;
  // The parser adds a missing last line break to a block scalar, other parsers do not: for them, the new line would change the text.
  visit(root ?? null, {
    Scalar(_, { range, value }) {
      if (range?.[1] === text.length && !text.endsWith("\n") && String(value).endsWith("\n"))
        throw refuse("its last value is a block of text, and its last line does not end with a line break");
    },
  });
  const separator = /(?:^|\n)$/.test(text.slice(0, at)) ? "" : lineEnd;
  return splice(text, [at, at], `${separator}${parentKey}:${lineEnd}`);
}

function replaceValue(text: string, pair: ParsedPair, value: string | true): string {
  const { value: node } = pair;
  if (!isScalar(node) && !isAlias(node)) throw refuse(`a value of \`${parentKey}\` is a map or a list`);
  const source = text.slice(node.range[0], node.range[1]);
  if (node.tag) throw refuse(`a value of \`${parentKey}\` has a tag`);
  if (source.includes("{{")) throw refuse(`a value of \`${parentKey}\` is a template (\`{{ … }}\`)`);
  if (source === "")
    return splice(text, [colonEnd(text, pair), colonEnd(text, pair)], ` ${JSON.stringify(value)}`);
  // A block scalar includes its final line break.
  const lineBreak = /\r?\n$/.exec(source)?.[0] ?? "";
  return splice(text, node.range, JSON.stringify(value) + lineBreak);
}

/** Inserts a key in the line below its parent's key, or below a sibling with a value of one line. */
function insertBelow(
  text: string,
  above: ParsedPair,
  parent: ParsedPair,
  key: string,
  value: string | true,
): string {
  const columnOf = (node: ParsedNode) => node.range[0] - (text.lastIndexOf("\n", node.range[0] - 1) + 1);
  const [, indentation = "  "] = /^( +)[^\s#-]/m.exec(text) ?? [];
  const [first] = isMap(parent.value) ? parent.value.items : [];
  const column = first ? columnOf(first.key) : columnOf(parent.key) + indentation.length;
  const lineEnd = /\r?\n|$/g;
  lineEnd.lastIndex = above.key.range[1];
  const at = lineEnd.exec(text)?.index ?? text.length;
  return splice(text, [at, at], `${lineEndOf(text)}${" ".repeat(column)}${key}: ${JSON.stringify(value)}`);
}

function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
