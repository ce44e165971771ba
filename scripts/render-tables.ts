/** The generated tables, as Markdown. */

import { ActionError, errorCodes } from "../src/base/errors.ts";
import { commandNames, outputs } from "../src/commands/outputs.ts";
import { listInputs, publicName } from "../src/commands/read-inputs.ts";

export function renderInputTable(): string {
  const rows = listInputs().map(({ name, commands, required, default: value, description }) => [
    `\`${name}\``,
    commandCell(commands),
    required ? "required" : value === undefined || value === "" ? "" : `\`${value}\``,
    description,
  ]);
  return table(["input", "commands", "default", "meaning"], rows);
}

export function renderOutputTable(): string {
  const rows = Object.entries(outputs).map(([key, { commands, description }]) => [
    `\`${publicName(key)}\``,
    commandCell(commands),
    description,
  ]);
  return table(["output", "commands", "meaning"], rows);
}

export function renderErrorReference(): string {
  const rows = errorCodes.map((code) => {
    const { class: errorClass, retryable, hint } = new ActionError(code, "");
    return [`\`${code}\``, errorClass, retryable ? "yes" : "no", hint];
  });
  const note =
    "Where GitHub is at fault and not the platform, the class is `github`, and the hint says what to do there.";
  return `${table(["code", "class", "run again?", "next step"], rows)}\n\n${note}`;
}

function commandCell(commands: readonly string[]): string {
  return commands.length === commandNames.length ? "all" : commands.join(", ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
