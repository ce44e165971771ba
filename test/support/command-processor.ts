/**
 * Carries out a step's workflow commands as the runner does (actions/runner: `ActionCommandManager`, `OutputManager`),
 * so that a test of an injected command meets the runner's own rules.
 */

import { stripVTControlCharacters } from "node:util";
import type { SecretMasker } from "./secret-masker.ts";

/** A workflow command as parsed, before it is carried out. */
interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** Every command that the runner knows. */
const COMMAND_NAMES = [
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

/** The command in a line, if there is one that is `known` (actions/runner: `ActionCommand`). */
function parseCommand(line: string, known: ReadonlySet<string>): WorkflowCommand | undefined {
  return [parseCurrent(line), parseLegacy(line)].find((command) => command && known.has(command.name));
}

/** One line under the check run: what `core.error`, `core.warning` and `core.notice` leave behind. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly message: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** What the runner gathered from a step's output so far. */
export interface CommandEffects {
  /** The job's log as a person reads it on GitHub: masked, commands carried out. */
  readonly log: string[];
  readonly annotations: Annotation[];
  readonly groups: string[];
  readonly debugMessages: string[];
  /** `set-output`, `save-state`, `set-env`, `add-path`: the file commands replaced them, so who uses them was made to. */
  readonly deprecatedCommands: WorkflowCommand[];
}

/** Reads a step's lines one by one; `masker` belongs to the job and grows with every `add-mask`. */
export function createCommandProcessor(masker: SecretMasker) {
  const known = new Set<string>(COMMAND_NAMES);
  const effects = {
    log: [] as string[],
    annotations: [] as Annotation[],
    groups: [] as string[],
    debugMessages: [] as string[],
    deprecatedCommands: [] as WorkflowCommand[],
  } satisfies CommandEffects;
  let stopToken: string | undefined;

  const show = (line: string) => effects.log.push(masker.mask(line));

  const annotate = (level: Annotation["level"], { data, properties }: WorkflowCommand) => {
    const maskedProperties = Object.entries(properties).map(([key, value]) => [key, masker.mask(value)]);
    effects.annotations.push({
      level,
      message: masker.mask(data),
      properties: Object.fromEntries(maskedProperties),
    });
    show(`##[${level}]${data}`);
  };

  const carryOut: Record<string, (command: WorkflowCommand) => void> = {
    "add-mask": ({ data }) => masker.add(data),
    debug: ({ data }) => effects.debugMessages.push(masker.mask(data)),
    endgroup: () => show("##[endgroup]"),
    error: (command) => annotate("error", command),
    group: ({ data }) => {
      effects.groups.push(masker.mask(data));
      show(`##[group]${data}`);
    },
    notice: (command) => annotate("notice", command),
    warning: (command) => annotate("warning", command),
    "add-path": (command) => effects.deprecatedCommands.push(command),
    "save-state": (command) => effects.deprecatedCommands.push(command),
    "set-env": (command) => effects.deprecatedCommands.push(command),
    "set-output": (command) => effects.deprecatedCommands.push(command),
  };

  const readLine = (line: string) => {
    const command = parseCommand(line, known);
    if (command === undefined) return show(line);
    if (stopToken !== undefined) {
      if (command.name !== stopToken) return show(line);
      known.delete(stopToken);
      stopToken = undefined;
      return show(line);
    }
    if (command.name === "stop-commands") {
      stopToken = command.data.toLowerCase();
      known.add(stopToken);
      return show(line);
    }
    return carryOut[command.name]?.(command);
  };

  return { effects, readLine };
}

/** A log as plain text, without colours. */
export function plainText(lines: readonly string[]): string {
  return stripVTControlCharacters(lines.join("\n"));
}
