/** The inputs as data: public name, commands, default and description, read off the schemas. */
import { z } from "zod";
import { type CommandName, commandNames } from "./command-names.ts";
import { inputsByCommand } from "./inputs.ts";

export interface InputEntry {
  /** Name in a workflow: `base-url`. */
  readonly name: string;
  /** Name in code: `baseUrl`. */
  readonly key: string;
  readonly commands: readonly CommandName[];
  readonly description: string;
  readonly required: boolean;
  /** The default, as text. */
  readonly default: string | undefined;
  /** True where the default is an expression that only the runner can evaluate. */
  readonly defaultIsExpression: boolean;
}

const Meta = z.object({ description: z.string(), runnerDefault: z.string().optional() });

/** All inputs, in the order of the schemas. */
export function listInputs(): InputEntry[] {
  const entries = new Map<string, InputEntry>();
  for (const command of commandNames) {
    for (const [key, schema] of Object.entries(inputsByCommand[command].shape)) {
      const known = entries.get(key);
      entries.set(
        key,
        known ? { ...known, commands: [...known.commands, command] } : describe(key, schema, command),
      );
    }
  }
  return [...entries.values()];
}

/** `base-url` for `baseUrl`: the one place where the two spellings meet. */
export function publicName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function describe(key: string, schema: z.ZodType, command: CommandName): InputEntry {
  const { description, runnerDefault } = Meta.parse(schema.meta());
  const prefault = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined;
  return {
    name: publicName(key),
    key,
    commands: [command],
    description,
    required: !(schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional),
    default: runnerDefault ?? prefault,
    defaultIsExpression: runnerDefault !== undefined,
  };
}
