/** Parses a line of a step's output as the runner does (actions/runner: `ActionCommand`). */

/** A workflow command as parsed, before it is carried out. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** Every command that the runner knows. */
export const COMMAND_NAMES = [
  "add-mask",
  "add-matcher",
  "add-path",
  "debug",
  "echo",
  "endgroup",
  "error",
  "group",
  "internal-set-repo-path",
  "notice",
  "remove-matcher",
  "save-state",
  "set-env",
  "set-output",
  "stop-commands",
  "warning",
] as const;

interface Syntax {
  readonly separator: string;
  /** What stands for the characters that would end a property. */
  readonly escapes: Readonly<Record<string, string>>;
}

const CURRENT: Syntax = { separator: ",", escapes: { "%3A": ":", "%2C": "," } };
const LEGACY: Syntax = { separator: ";", escapes: { "%3B": ";", "%5D": "]" } };

function decode(text: string, escapes: Syntax["escapes"] = {}): string {
  let decoded = text.replaceAll("%0D", "\r").replaceAll("%0A", "\n");
  for (const [escaped, character] of Object.entries(escapes))
    decoded = decoded.replaceAll(escaped, character);
  return decoded.replaceAll("%25", "%");
}

function parseProperties(text: string, { separator, escapes }: Syntax): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const property of text.split(separator)) {
    const equals = property.indexOf("=");
    if (equals >= 0) properties[property.slice(0, equals)] = decode(property.slice(equals + 1), escapes);
  }
  return properties;
}

/** Reads `name key=value,…`, the part between a command's marks. */
function parseInfo(info: string, syntax: Syntax): Pick<WorkflowCommand, "name" | "properties"> {
  const space = info.indexOf(" ");
  if (space < 0) return { name: info.toLowerCase(), properties: {} };
  return {
    name: info.slice(0, space).toLowerCase(),
    properties: parseProperties(info.slice(space + 1).trim(), syntax),
  };
}

/** `::name key=value,key=value::data`, leading blanks allowed. */
function parseCurrent(line: string): WorkflowCommand | undefined {
  const message = line.trimStart();
  const end = message.indexOf("::", 2);
  if (!message.startsWith("::") || end < 0) return undefined;
  return { ...parseInfo(message.slice(2, end), CURRENT), data: decode(message.slice(end + 2)) };
}

/** The older `##[name key=value;key=value]data`, which counts anywhere in a line. */
function parseLegacy(line: string): WorkflowCommand | undefined {
  const start = line.indexOf("##[");
  const end = line.indexOf("]", start);
  if (start < 0 || end < 0) return undefined;
  return {
    ...parseInfo(line.slice(start + 3, end), LEGACY),
    data: decode(line.slice(end + 1), LEGACY.escapes),
  };
}

/** The command in a line, if there is one that is `known`. */
export function parseCommand(line: string, known: ReadonlySet<string>): WorkflowCommand | undefined {
  return [parseCurrent(line), parseLegacy(line)].find((command) => command && known.has(command.name));
}
