/**
 * Carries out a step's workflow commands as the runner does (actions/runner: `ActionCommandManager`, `OutputManager`),
 * so that a test of an injected command meets the runner's own rules.
 */

import { stripVTControlCharacters } from "node:util";
import type { SecretMasker } from "./secret-masker.ts";
import { COMMAND_NAMES, parseCommand, type WorkflowCommand } from "./workflow-commands.ts";

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
  /** `set-output`, `save-state`, `set-env`, `add-path`: the file commands replaced them, nothing of ours may use them. */
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
