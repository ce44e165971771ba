/** Writes the link to a bundle into a deployment's Helm values file (specification §4.8). Every other byte stays the same. */
import { randomUUID } from "node:crypto";
import { access, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  type Pair,
  type ParsedNode,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from "yaml";
import { isInside } from "../base/paths.ts";
import { BundleError } from "./errors.ts";

/** A values file in the workspace. It is checked before an export starts and written when the export has ended. */
export interface ValuesFile {
  /** Path in the workspace. */
  readonly file: string;
  /** Replaces the file atomically; `false` if it already has these values. */
  write(values: { readonly bundleUrl: string; readonly version?: string | undefined }): Promise<boolean>;
}

/**
 * Checks that the file can be changed.
 *
 * @param writes whether a version will be written, and whether the link is a presigned one that the user did not explicitly request
 * @throws {BundleError} `invalid-input` for a file outside the workspace or one that cannot be changed safely, and for an unintended
 *   presigned link in a file of a repository
 */
export async function openValuesFile(
  workspace: string,
  file: string,
  writes: { readonly version: boolean; readonly unintendedLink: boolean },
): Promise<ValuesFile> {
  const root = await realpath(workspace);
  const path = await realpath(resolve(workspace, file)).catch((error: unknown) => {
    throw new BundleError("invalid-input", `\`values-file\` ${file} cannot be read.`, {
      hint: "Give the path of an existing file in the workspace. In a workflow, check the repository out before this step.",
      cause: error,
    });
  });
  if (!isInside(root, path))
    throw new BundleError("invalid-input", `\`values-file\` ${file} is not in the workspace.`);
  if (writes.unintendedLink && (await isInRepository(path, root))) {
    throw new BundleError(
      "invalid-input",
      `\`values-file\` ${file} belongs to a repository. The bundle's link is a credential that expires soon, so it is not written there.`,
      {
        hint: "Copy the bundle to your own storage and set `values-bundle-url` to its URL. Or set `values-bundle-url: presigned` to write the link anyway.",
      },
    );
  }
  updateValues(await readText(path, file), "https://example.com/bundle", writes.version ? "1" : undefined);
  return {
    file: relative(root, path),
    async write({ bundleUrl, version }) {
      const before = await readText(path, file);
      const after = updateValues(before, bundleUrl, version);
      if (after !== before) await replaceFile(path, after);
      return after !== before;
    },
  };
}

/** Reads the file's text such that writing it back gives the same bytes. */
async function readText(path: string, file: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    throw new BundleError("invalid-input", `\`values-file\` ${file} is not a text file in UTF-8.`, {
      hint: "Set the path of a Helm values file in UTF-8.",
      cause: error,
    });
  }
}

/** Whether the file's folder, or a parent folder within the workspace, is a git work tree. */
async function isInRepository(path: string, root: string): Promise<boolean> {
  for (let folder = dirname(path); isInside(root, folder); folder = dirname(folder)) {
    const isWorkTree = await access(join(folder, ".git")).then(
      () => true,
      () => false,
    );
    if (isWorkTree || folder === dirname(folder)) return isWorkTree;
  }
  return false;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  const { mode } = await stat(path);
  try {
    await writeFile(temporary, text, { mode });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const parentKey = "staticExport";

/** The YAML versions of the programs that read values files: Helm uses 1.1, most other programs use 1.2. */
const versions = ["1.1", "1.2"] as const;

/**
 * Sets `staticExport.enabled`, `.bundleUrl` and, if given, `.version` in the text of a values file. Every other byte stays the same. A
 * text that already has the values is returned unchanged.
 *
 * @throws {BundleError} `invalid-input` for files that cannot be changed this way: templates, invalid YAML, and values that are shared
 *   through aliases
 */
export function updateValues(text: string, bundleUrl: string, version?: string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const values = new Map<string, string | true>([
    ["enabled", true],
    ["bundleUrl", bundleUrl],
    ...(version === undefined ? [] : [["version", version] as const]),
  ]);
  const before = versions.map((yaml) => parseValues(body, yaml));
  const changed = applyEdits(body, planEdits(body, before, values));
  // This check makes the edits safe: readers of both YAML versions must see the new values and no other change.
  for (const [index, yaml] of versions.entries())
    requireOnlyChange(before[index]?.tree, parseValues(changed, yaml).tree, values);
  return mark + changed;
}

/** A values file parsed with one YAML version; both fields are `undefined` for a file without content. */
interface ParsedValues {
  readonly root: YAMLMap.Parsed | undefined;
  readonly tree: unknown;
}

function refuse(problem: string, cause?: unknown): BundleError {
  return new BundleError("invalid-input", `The values file (\`values-file\`) was not changed: ${problem}.`, {
    cause,
    hint: "The file must be plain YAML with one top-level map. If it uses other features, add `staticExport` by hand once.",
  });
}

function parseValues(text: string, version: (typeof versions)[number]): ParsedValues {
  const options = { version, merge: true, keepSourceTokens: true, prettyErrors: true };
  const parsed = parseAllDocuments<ParsedNode>(text, options);
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
  if (hasTemplate(document, text)) throw refuse("it is a template (`{{ … }}`)");
  if (!isMap(contents)) throw refuse("its top level is not a map");
  try {
    return { root: contents, tree: document.toJS({ mapAsMap: true, maxAliasCount: 1000 }) };
  } catch (cause) {
    throw refuse("its aliases cannot be resolved", cause);
  }
}

/** Whether the file has `{{ … }}` outside quotes: a template that is valid YAML by chance. */
function hasTemplate(document: Document.Parsed<ParsedNode>, text: string): boolean {
  let isTemplate = false;
  visit(document, {
    Map(_key, { range }) {
      isTemplate ||= range !== undefined && range !== null && text.startsWith("{{", range[0]);
    },
    Scalar(_key, { type, source }) {
      isTemplate ||= type === "PLAIN" && source?.includes("{{") === true;
    },
  });
  return isTemplate;
}

function requireOnlyChange(
  before: unknown,
  after: unknown,
  values: ReadonlyMap<string, string | true>,
): void {
  for (const [key, value] of values) {
    const actual = childOf(after, key);
    if (actual !== value && !(value === true && isOldTrue(actual)))
      throw refuse(`\`${parentKey}.${key}\` cannot be set at its position`);
  }
  if (!isDeepStrictEqual(without(before, values), without(after, values)))
    throw refuse("the change would affect other values, through an anchor or the file's formatting");
}

function childOf(tree: unknown, key: string): unknown {
  const parent = tree instanceof Map ? tree.get(parentKey) : undefined;
  return parent instanceof Map ? parent.get(key) : undefined;
}

/** Whether a value is true in YAML 1.1 but a string in YAML 1.2. `y` is excluded, because YAML 1.1 parsers disagree about it. */
function isOldTrue(value: unknown): boolean {
  return typeof value === "string" && /^(yes|on)$/i.test(value);
}

/** The tree without the new values. An empty `staticExport` is removed. */
function without(tree: unknown, values: ReadonlyMap<string, unknown>): unknown {
  const rest = new Map(tree instanceof Map ? tree : []);
  const parent: unknown = rest.get(parentKey);
  const kept = parent instanceof Map ? [...parent].filter(([key]) => !values.has(key)) : [];
  rest.delete(parentKey);
  return kept.length === 0 ? rest : new Map([...rest, [parentKey, new Map(kept)]]);
}

/** Replaces the characters from `start` to `end` (exclusive) with `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap, from the last to the first, so that their positions stay valid. */
function applyEdits(before: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => a.start - b.start)
    .reduceRight((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), before);
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;
type Entry = readonly [key: string, value: string | true];

/** Plans the smallest edits that set the values. */
function planEdits(
  text: string,
  parsed: readonly ParsedValues[],
  values: ReadonlyMap<string, string | true>,
): Edit[] {
  const entries = [...values];
  const root = parsed.at(-1)?.root;
  const step = " ".repeat(indentStep(text));
  const block = [`${parentKey}:`, ...entries.map((entry) => step + inBlock(entry))];
  if (!root) {
    const lineEnd = lineEndOf(text);
    const separator = text === "" || text.endsWith("\n") ? "" : lineEnd;
    return [{ start: text.length, end: text.length, text: separator + block.join(lineEnd) + lineEnd }];
  }
  const parent = findPair(root, parentKey);
  if (!parent) return [insert(text, root, block, [`${inFlow(root, parentKey)}: ${flowMap(root, entries)}`])];
  const { value } = parent;
  if (isAlias(value)) throw refuse(`\`${parentKey}\` is an alias, so the change would affect its anchor`);
  if (isMap(value)) return changeMap(text, parsed, parent, value as YAMLMap.Parsed, entries);
  if (value !== null && !(isScalar(value) && value.value === null))
    throw refuse(`\`${parentKey}\` is not a map`);
  if (!value || value.range[0] === value.range[1]) return [fillBelow(text, parent, entries)];
  return [{ start: value.range[0], end: value.range[1], text: flowMap(root, entries) }];
}

function changeMap(
  text: string,
  parsed: readonly ParsedValues[],
  parent: ParsedPair,
  map: YAMLMap.Parsed,
  entries: readonly Entry[],
): Edit[] {
  const changes = entries.flatMap((entry) => {
    const pair = findPair(map, entry[0]);
    return pair && !isPresent(parsed, entry) ? [replaceValue(text, pair, entry)] : [];
  });
  const missing = entries.filter(([key]) => !findPair(map, key));
  if (missing.length === 0) return changes;
  if (!map.flow && map.items.length === 0) return [...changes, fillBelow(text, parent, missing)];
  const inFlowStyle = missing.map((entry) => flowEntry(map, entry));
  return [...changes, insert(text, map, missing.map(inBlock), inFlowStyle)];
}

/** Whether the value is already set. `yes` and `on` are true in Helm, so they are kept. */
function isPresent(parsed: readonly ParsedValues[], [key, value]: Entry): boolean {
  const [helm, other] = parsed.map(({ tree }) => childOf(tree, key));
  return helm === value && (other === value || (value === true && isOldTrue(other)));
}

function findPair(map: YAMLMap.Parsed, key: string): ParsedPair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function replaceValue(text: string, pair: ParsedPair, [key, value]: Entry): Edit {
  const node = pair.value;
  const name = `\`${parentKey}.${key}\``;
  if (isAlias(node)) throw refuse(`${name} is an alias, so the change would affect its anchor`);
  if (isCollection(node)) throw refuse(`${name} is a map or a list`);
  if (!node || !isScalar(node) || node.range[0] === node.range[1]) {
    const colon = endOfColon(pair);
    return { start: colon, end: colon, text: ` ${scalarText(value)}` };
  }
  const [start, end] = node.range;
  const source = text.slice(start, end);
  if (source.includes("{{")) throw refuse(`${name} is a template (\`{{ … }}\`)`);
  // A block scalar includes its final line break.
  const lineBreak = node.type?.startsWith("BLOCK") ? (/\r?\n$/.exec(source)?.[0] ?? "") : "";
  return { start, end, text: scalarText(value, node.type === "QUOTE_SINGLE") + lineBreak };
}

/** Appends entries to a map: indented lines to a block map, or entries within the braces of a flow map. */
function insert(
  text: string,
  map: YAMLMap.Parsed,
  lines: readonly string[],
  entries: readonly string[],
): Edit {
  const [first] = map.items;
  const last = map.items.at(-1);
  if (!map.flow) {
    const indent = first ? first.key.range[0] - (text.lastIndexOf("\n", first.key.range[0] - 1) + 1) : 0;
    return insertLines(text, last ? endOfPair(last) : map.range[1], indent, lines);
  }
  const joined = entries.join(", ");
  if (!last) return { start: map.range[0] + 1, end: map.range[1] - 1, text: ` ${joined} ` };
  const at = endOfPair(last);
  return { start: at, end: at, text: `, ${joined}` };
}

/** Adds a block map as the value of a key without a value. */
function fillBelow(text: string, parent: ParsedPair, entries: readonly Entry[]): Edit {
  const keyAt = parent.key.range[0];
  const column = keyAt - (text.lastIndexOf("\n", keyAt - 1) + 1);
  return insertLines(text, endOfColon(parent), column + indentStep(text), entries.map(inBlock));
}

/** Inserts lines after the line that contains the character before `offset`. */
function insertLines(text: string, offset: number, indent: number, lines: readonly string[]): Edit {
  const newline = text.indexOf("\n", offset > 0 && text[offset - 1] === "\n" ? offset - 1 : offset);
  const end = newline === -1 ? text.length : newline;
  const at = text[end - 1] === "\r" ? end - 1 : end;
  return {
    start: at,
    end: at,
    text: lines.map((line) => lineEndOf(text) + " ".repeat(indent) + line).join(""),
  };
}

function endOfPair({ key, value }: ParsedPair): number {
  if (!value || value.range[0] === value.range[1]) return Math.max(key.range[1], value?.range[1] ?? 0);
  return endOfNode(value);
}

/** The end of a node's content: the range of a block collection also includes comments and empty lines after it. */
function endOfNode(node: ParsedNode): number {
  const last = isCollection(node) && !node.flow ? node.items.at(-1) : undefined;
  if (!last) return node.range[1];
  if (isMap(node)) return endOfPair(last as ParsedPair);
  const item = last as ParsedNode;
  return item.range[0] === item.range[1] ? node.range[1] : endOfNode(item);
}

function endOfColon(pair: ParsedPair): number {
  const separators = pair.srcToken && "sep" in pair.srcToken ? pair.srcToken.sep : undefined;
  const colon = separators?.find(({ type }) => type === "map-value-ind");
  if (!colon) throw refuse("a key of it has no colon");
  return colon.offset + 1;
}

/** The text's line ending. */
function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The file's indentation, taken from the first indented line. */
function indentStep(text: string): number {
  const indented = /^[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( +)[^\s#-]/m;
  return indented.exec(text)?.[1]?.length ?? 2;
}

function inBlock([key, value]: Entry): string {
  return `${key}: ${scalarText(value)}`;
}

/** A key in the style of its neighbours: quoted in a JSON file. */
function inFlow(map: YAMLMap.Parsed, key: string): string {
  const isJson = map.flow && map.items.some((pair) => isScalar(pair.key) && pair.key.type === "QUOTE_DOUBLE");
  return isJson ? JSON.stringify(key) : key;
}

function flowEntry(map: YAMLMap.Parsed, [key, value]: Entry): string {
  return `${inFlow(map, key)}: ${scalarText(value)}`;
}

function flowMap(neighbour: YAMLMap.Parsed, entries: readonly Entry[]): string {
  return `{ ${entries.map((entry) => flowEntry(neighbour, entry)).join(", ")} }`;
}

/** Strings are always quoted: `2025.10` would be a number, and a URL may contain special characters. */
function scalarText(value: string | true, isSingle = false): string {
  if (value === true) return "true";
  if (isSingle && /^[ -~]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
