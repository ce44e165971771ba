import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod/mini";

/** What the runner reads of an `action.yml`. */
const ActionMetadata = z.object({
  inputs: z._default(
    z.record(
      z.string(),
      z.object({ default: z.optional(z.coerce.string()), required: z.optional(z.boolean()) }),
    ),
    {},
  ),
  outputs: z._default(z.record(z.string(), z.object({ description: z.optional(z.string()) })), {}),
  runs: z.object({ using: z.literal("node24"), main: z.string(), post: z.optional(z.string()) }),
});
export type ActionMetadata = z.infer<typeof ActionMetadata>;

/** Reads the `action.yml` of the action in a folder. */
export async function readActionMetadata(folder: string): Promise<ActionMetadata> {
  return ActionMetadata.parse(parse(await readFile(join(folder, "action.yml"), "utf8")));
}

/** Carries out `${{ github.… }}` in an input's default; nothing else of the expression language is used there. */
function evaluateDefault(text: string, context: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    const name = /^github\.([a-z_]+)$/.exec(expression)?.[1];
    const value = name === undefined ? undefined : context[name];
    if (value === undefined)
      throw new Error(`The default \`${text}\` needs an expression that is not offered here`);
    return value;
  });
}

/** The variables that carry a step's inputs: upper case, blanks as underscores, hyphens kept. */
export function inputVariables(
  { inputs }: ActionMetadata,
  { given, context }: { given: Readonly<Record<string, string>>; context: Readonly<Record<string, string>> },
): Record<string, string> {
  for (const name of Object.keys(given)) {
    // The runner only warns; in a test it is a spelling mistake.
    if (!(name in inputs)) throw new Error(`action.yml declares no input "${name}"`);
  }
  const entries = Object.entries(inputs).map(([name, input]) => [
    `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`,
    given[name] ?? evaluateDefault(input.default ?? "", context),
  ]);
  return Object.fromEntries(entries);
}
