/** What GitHub does not show of a Mermaid diagram. */
import type { SourceRange } from "./markdown.ts";
import type { Unseen } from "./unseen.ts";

/**
 * Finds comments, configuration, descriptions for screen readers and what only shows on a click.
 *
 * A diagram whose styles can hide its words is taken out whole: what is left of it only a renderer can say.
 */
export function findUnseenInDiagram(source: string, { start, end }: SourceRange): Unseen[] {
  const diagram = source.slice(start, end);
  const silent = findSilent(diagram);
  if (canHideWords(diagram, silent)) return [{ start, end, hidesText: true, replacement: "(diagram)" }];
  return silent.map(([from, to]) => ({
    start: start + from,
    end: start + to,
    hidesText: true,
    replacement: "",
  }));
}

type Span = [from: number, to: number];

/** What is not drawn of one line: where it begins, and what ends it if that is on a later line. */
interface Silence {
  readonly from: number;
  readonly until: RegExp | undefined;
}

/** In these a `#` that begins no entity begins a comment. */
const hashComments = /^[ \t>]*(?:sequenceDiagram|stateDiagram|gantt|journey|timeline|requirementDiagram)\b/m;

function findSilent(diagram: string): Span[] {
  const spans: Span[] = [];
  const hasHashComments = hashComments.test(diagram);
  let offset = 0;
  let until: RegExp | undefined;
  let isFirst = true;
  for (const line of diagram.split("\n")) {
    const last = spans.at(-1);
    const end = offset + line.length;
    if (until !== undefined && last !== undefined) {
      last[1] = end;
      if (until.test(line)) until = undefined;
    } else {
      const silence = silenceOf(line, { isFirst, hasHashComments });
      if (silence !== undefined) spans.push([offset + silence.from, end]);
      until = silence?.until;
      isFirst &&= line.trim() === "";
    }
    offset = end + 1;
  }
  return spans;
}

const onlyOnClick = /(?:^|;)[ \t]*(?:click|callback|links?|href|properties|details)[ \t]/;

function silenceOf(
  line: string,
  { isFirst, hasHashComments }: { readonly isFirst: boolean; readonly hasHashComments: boolean },
): Silence | undefined {
  const prefix = /^[ \t>]*/.exec(line)?.[0].length ?? 0;
  const text = line.slice(prefix);
  if (isFirst && /^---[ \t]*$/.test(text)) return { from: prefix, until: /^[ \t>]*---[ \t]*$/ };
  if (/^accDescr[ \t]*\{/.test(text)) return { from: prefix, until: text.includes("}") ? undefined : /\}/ };
  if (/^(?:acc(?:Title|Descr)[ \t]*:|#)/.test(text)) return { from: prefix, until: undefined };
  const comment = /%%\{?/.exec(text);
  const isOpen = comment?.[0] === "%%{" && !text.slice(comment.index).includes("}%%");
  const begins = [
    comment?.index,
    onlyOnClick.exec(text)?.index,
    hasHashComments ? text.search(/#(?!\w+;)/) : -1,
  ];
  const from = Math.min(...begins.map((index) => (index === undefined || index < 0 ? line.length : index)));
  return from < line.length ? { from: prefix + from, until: isOpen ? /\}%%/ : undefined } : undefined;
}

const styleLine = /^[ \t>]*(?:style|classDef|linkStyle|rect|box|Update\w*Style|Add\w*Tag)\b(.*)$/gm;
const harmlessProperty = /^\s*(?:stroke(?:-width|-dasharray)?|rx|ry|fill-rule|font-weight)\s*:[\w\s#.,%-]*$/;

/** Nobody styles a node in more. */
const maxStyleLength = 500;

function canHideWords(diagram: string, silent: readonly Span[]): boolean {
  // Tags with attributes, and comments, inside labels.
  if (/<!--|<[a-z][\w-]*\s[^<>]*=/i.test(diagram)) return true;
  const isRestyled = silent.some(([from, to]) => {
    const text = diagram.slice(from, to);
    return /^(?:---|%%\{)/.test(text) && /color|css|opacity|font|background|fill/i.test(text);
  });
  return (
    isRestyled || [...diagram.matchAll(styleLine)].some(([line, rest = ""]) => !isHarmlessStyle(line, rest))
  );
}

function isHarmlessStyle(line: string, rest: string): boolean {
  if (line.length > maxStyleLength) return false;
  if (/^[ \t>]*(?:rect|box)\b/.test(line)) return lightness(rest) !== "dark";
  if (!/:/.test(rest)) return false;
  const [, properties = ""] = /^\s*[\w\s,*.-]*?\s([a-z-]+\s*:.*?)[\s;]*$/i.exec(rest) ?? [];
  return properties !== "" && properties.split(/,(?![^(]*\))/).every(isHarmlessProperty);
}

/** Dark words on a light ground, as the diagram has them without styles. */
function isHarmlessProperty(property: string): boolean {
  const [, name = "", value = ""] = /^\s*(fill|color)\s*:\s*(.*)$/i.exec(property) ?? [];
  if (name === "") return harmlessProperty.test(property);
  return lightness(value) === (name.toLowerCase() === "fill" ? "light" : "dark");
}

/** Whether the first colour of a text is light or dark enough to tell. */
function lightness(text: string): "light" | "dark" | undefined {
  const channels = readColor(text);
  if (channels === undefined)
    return /\b(?:black|navy|maroon|indigo|dark\w+)\b/i.test(text) ? "dark" : undefined;
  const [red = 0, green = 0, blue = 0] = channels;
  const luma = (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  if (luma > 0.55) return "light";
  return luma < 0.3 ? "dark" : undefined;
}

function readColor(text: string): number[] | undefined {
  const [, hex = ""] = /#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])/i.exec(text) ?? [];
  if (hex !== "") {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []);
    return digits.map((digit) => Number.parseInt(digit, 16));
  }
  const [, list] = /rgb\(\s*(\d+\s*,\s*\d+\s*,\s*\d+)\s*\)/i.exec(text) ?? [];
  return list?.split(",").map(Number);
}
