import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from "yaml";
import { type ParsedValues, refuseValues } from "./read-values.ts";
import { columnOf, endOfLine, lineEndOf, type Splice } from "./splice.ts";

/** One key below `staticExport` and the value it is to have. */
export interface WantedValue {
  readonly key: string;
  readonly value: string | true;
  /** Whether the file has the value already, for readers of every YAML version. */
  readonly isPresent: boolean;
}

/** The map that all of this is about. */
export const parentKey = "staticExport";

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/**
 * Plans the smallest change that gives the file the wanted values.
 *
 * @throws {BundleError} `invalid-input` where a value stands in a form that cannot be changed alone
 */
export function planSplices(text: string, { root }: ParsedValues, wanted: readonly WantedValue[]): Splice[] {
  if (!root) return [appendTo(text, blockLines(text, { indent: 0, wanted }))];
  const parent = findPair(root, parentKey);
  if (!parent) return [insertParent(text, root, wanted)];
  const { value } = parent;
  if (isAlias(value))
    throw refuseValues(`\`${parentKey}\` is an alias: a change would change what it stands for`);
  if (isMap(value)) return changeMap(text, { parent, map: value as YAMLMap.Parsed, wanted });
  if (value === null || (isScalar(value) && value.value === null)) return [fillEmpty(text, parent, wanted)];
  throw refuseValues(`\`${parentKey}\` is not a map`);
}

function findPair(map: YAMLMap.Parsed, key: string): ParsedPair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function changeMap(
  text: string,
  { parent, map, wanted }: { parent: ParsedPair; map: YAMLMap.Parsed; wanted: readonly WantedValue[] },
): Splice[] {
  const changes = wanted.flatMap((item) => {
    const pair = findPair(map, item.key);
    return pair && !item.isPresent ? [replaceValue(text, pair, item)] : [];
  });
  const missing = wanted.filter(({ key }) => !findPair(map, key));
  if (missing.length === 0) return changes;
  if (map.flow)
    return [
      ...changes,
      insertIntoFlow(
        map,
        missing.map((item) => flowEntry(item, isJson(map))),
      ),
    ];
  const first = map.items[0];
  if (!first) return [...changes, fillEmpty(text, parent, missing)];
  const indent = columnOf(text, first.key.range[0]);
  return [
    ...changes,
    insertBehind(
      text,
      map,
      missing.map((item) => `${" ".repeat(indent)}${blockEntry(item)}`),
    ),
  ];
}

function replaceValue(text: string, pair: ParsedPair, { key, value }: WantedValue): Splice {
  const node = pair.value;
  const place = `\`${parentKey}.${key}\``;
  if (isAlias(node)) throw refuseValues(`${place} is an alias: a change would change what it stands for`);
  if (isCollection(node)) throw refuseValues(`${place} is a map or a list`);
  if (!node || !isScalar(node) || node.range[0] === node.range[1]) {
    const colon = endOfColon(pair);
    return { start: colon, end: colon, text: ` ${scalarText(value)}` };
  }
  const [start, end] = node.range;
  if (text.slice(start, end).includes("{{")) throw refuseValues(`${place} is a template (\`{{ … }}\`)`);
  const isBlock = node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED";
  const isSingle = node.type === "QUOTE_SINGLE";
  const lineBreak = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? "";
  return { start, end, text: `${scalarText(value, isSingle)}${isBlock ? lineBreak : ""}` };
}

function insertParent(text: string, root: YAMLMap.Parsed, wanted: readonly WantedValue[]): Splice {
  if (root.flow) {
    const json = isJson(root);
    const key = json ? JSON.stringify(parentKey) : parentKey;
    return insertIntoFlow(root, [`${key}: ${flowMap(wanted, json)}`]);
  }
  const first = root.items[0];
  const indent = first ? columnOf(text, first.key.range[0]) : 0;
  return insertBehind(text, root, blockLines(text, { indent, wanted }));
}

/** `staticExport:` without a value gets a block below it; one with an explicit null, a map in its place. */
function fillEmpty(text: string, parent: ParsedPair, wanted: readonly WantedValue[]): Splice {
  const { value } = parent;
  if (value && value.range[0] < value.range[1]) {
    return { start: value.range[0], end: value.range[1], text: flowMap(wanted, false) };
  }
  const indent = columnOf(text, parent.key.range[0]) + indentStep(text);
  const at = endOfLine(text, endOfColon(parent));
  const lines = wanted.map((item) => `${" ".repeat(indent)}${blockEntry(item)}`);
  return { start: at, end: at, text: lines.map((line) => lineEndOf(text) + line).join("") };
}

function blockLines(
  text: string,
  { indent, wanted }: { indent: number; wanted: readonly WantedValue[] },
): string[] {
  const outer = " ".repeat(indent);
  const inner = " ".repeat(indent + indentStep(text));
  return [`${outer}${parentKey}:`, ...wanted.map((item) => `${inner}${blockEntry(item)}`)];
}

function insertBehind(text: string, map: YAMLMap.Parsed, lines: readonly string[]): Splice {
  const last = map.items.at(-1);
  const at = endOfLine(text, last ? endOfPair(last) : map.range[1]);
  return { start: at, end: at, text: lines.map((line) => lineEndOf(text) + line).join("") };
}

function appendTo(text: string, lines: readonly string[]): Splice {
  const lineEnd = lineEndOf(text);
  const separator = text === "" || text.endsWith("\n") ? "" : lineEnd;
  return { start: text.length, end: text.length, text: `${separator}${lines.join(lineEnd)}${lineEnd}` };
}

/** Behind the last entry, or between the braces of an empty map. */
function insertIntoFlow(map: YAMLMap.Parsed, entries: readonly string[]): Splice {
  const last = map.items.at(-1);
  const joined = entries.join(", ");
  if (!last) {
    const at = map.range[0] + 1;
    return { start: at, end: map.range[1] - 1, text: ` ${joined} ` };
  }
  const at = endOfPair(last);
  return { start: at, end: at, text: `, ${joined}` };
}

function endOfPair({ key, value }: ParsedPair): number {
  if (!value || value.range[0] === value.range[1]) return Math.max(key.range[1], value?.range[1] ?? 0);
  const isBlockCollection = isCollection(value) && !value.flow;
  const last = isBlockCollection ? value.items.at(-1) : undefined;
  if (isMap(value) && last) return endOfPair(last as ParsedPair);
  if (isSeq(value) && last) return endOfItem(last as ParsedNode, value.range[1]);
  return value.range[1];
}

function endOfItem(item: ParsedNode, fallback: number): number {
  if (isMap(item) && !item.flow) {
    const last = item.items.at(-1);
    return last ? endOfPair(last as ParsedPair) : fallback;
  }
  return item.range[0] === item.range[1] ? fallback : item.range[1];
}

function endOfColon(pair: ParsedPair): number {
  const separators = pair.srcToken && "sep" in pair.srcToken ? pair.srcToken.sep : undefined;
  const colon = separators?.find(({ type }) => type === "map-value-ind");
  if (!colon) throw refuseValues("a key of it has no colon");
  return colon.offset + 1;
}

/** How far the file indents: the first line that is indented tells. */
function indentStep(text: string): number {
  const step = /^[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( +)[^\s#-]/m.exec(
    text,
  )?.[1];
  return step?.length ?? 2;
}

function isJson(map: YAMLMap.Parsed): boolean {
  return map.items.some(({ key }) => isScalar(key) && key.type === "QUOTE_DOUBLE");
}

function flowMap(wanted: readonly WantedValue[], json: boolean): string {
  return `{ ${wanted.map((item) => flowEntry(item, json)).join(", ")} }`;
}

function flowEntry({ key, value }: WantedValue, json: boolean): string {
  return `${json ? JSON.stringify(key) : key}: ${scalarText(value)}`;
}

function blockEntry({ key, value }: WantedValue): string {
  return `${key}: ${scalarText(value)}`;
}

/** Text is always quoted: `2025.10` would be a number, and a link may hold anything. */
function scalarText(value: string | true, isSingle = false): string {
  if (value === true) return "true";
  if (isSingle && /^[ -~]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
