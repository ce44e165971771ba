import { parseDocument } from "yaml";
import { InputError } from "../../base/errors.ts";

/**
 * Parses a YAML or JSON file that contains a list. Scalars are read as strings, because a digest can look like a number.
 *
 * @param option The command-line option that names the file.
 * @throws {InputError} without quoting the file, unlike the parser's own messages: the file can contain secrets.
 */
export function parseYamlList(option: string, text: string): unknown[] {
  const document = parseDocument(text, { schema: "failsafe" });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new InputError([
      `${option}: line ${error.linePos?.[0].line} is not valid YAML or JSON (${error.code}).`,
    ]);
  }
  let entries: unknown;
  try {
    entries = document.toJS();
  } catch {
    throw new InputError([
      `${option}: the file has an alias (*) without an anchor (&), or too many aliases.`,
    ]);
  }
  if (Array.isArray(entries)) return entries;
  throw new InputError([`${option}: the file must contain a list, or [] for an empty list.`]);
}
