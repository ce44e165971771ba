import { parse } from "yaml";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import { ContextItem } from "../client/assistant-contract.ts";

/**
 * Reads `context-items`, a YAML or JSON list.
 *
 * @throws {InputError} naming every item that is not as the specification has it.
 */
export function readContextItems(text: string | undefined): ContextItem[] {
  if (text === undefined) return [];
  const items = z.array(ContextItem).safeParse(parseYaml(text));
  if (items.success) return items.data;
  throw new InputError(
    items.error.issues.map(
      ({ path, message }) => `\`context-items\` (${path.join(".") || "list"}): ${message}`,
    ),
  );
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 20 });
  } catch (error) {
    throw new InputError([`\`context-items\` is neither YAML nor JSON: ${messageOf(error)}`]);
  }
}
