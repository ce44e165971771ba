import { parseDocument } from "yaml";
import { InputError } from "../../base/errors.ts";

/**
 * The entries of a file that holds a list, as YAML or JSON. Every value is text: digits of a digest are no number, and a day is no time.
 *
 * @param option The option that names the file.
 * @throws {InputError} that quotes nothing of the file, as the parser's own messages do.
 */
export function parseYamlList(option: string, text: string): unknown[] {
  const document = parseDocument(text, { schema: "failsafe" });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new InputError([
      `${option}: line ${error.linePos?.[0].line} is neither YAML nor JSON (${error.code}).`,
    ]);
  }
  let entries: unknown;
  try {
    entries = document.toJS();
  } catch {
    throw new InputError([
      `${option}: the file has an alias (*) without an anchor (&) before it, or too many.`,
    ]);
  }
  if (Array.isArray(entries)) return entries;
  throw new InputError([`${option}: the file must hold a list, or [] for none.`]);
}
