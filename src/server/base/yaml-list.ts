import { readFile } from "node:fs/promises";
import { parseDocument } from "yaml";
import type * as z from "zod/mini";
import { InputError } from "../../base/errors.ts";
import { messageOf } from "../../base/text.ts";

/** Reads the file that a command-line option names. @throws {InputError} */
export async function readOptionFile(option: string, path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new InputError([`${option}: ${messageOf(error)}.`]);
  });
}

/**
 * Parses a YAML or JSON file that contains a list. Scalars are read as strings, because a digest can look like a number. No message quotes
 * the file, which can contain secrets.
 *
 * @param option The command-line option that names the file.
 * @returns the valid entries, each with a function that reports another problem of it, and the problems of all entries.
 * @throws {InputError} if the file contains no list.
 */
export function parseYamlList<Fields>(
  option: string,
  text: string,
  schema: z.ZodMiniType<Fields> & { readonly shape: object },
) {
  const problems: string[] = [];
  const entries = parseList(option, text).flatMap((entry, index) => {
    const report = (field: string, message: string) =>
      problems.push(`${option}: entry ${index + 1}${field && `, ${field}`}: ${message}.`);
    const parsed = schema.safeParse(entry);
    for (const { path, message } of parsed.error?.issues ?? []) {
      const fields = `the fields are ${Object.keys(schema.shape).join(", ")}`;
      report(path.join("."), path.length === 0 ? fields : message);
    }
    return parsed.success ? [{ fields: parsed.data, report }] : [];
  });
  return { entries, problems };
}

function parseList(option: string, text: string): unknown[] {
  const document = parseDocument(text, { schema: "failsafe" });
  const [error] = document.errors;
  if (error !== undefined)
    throw new InputError([`${option}: line ${error.linePos?.[0].line} is not valid YAML or JSON.`]);
  let list: unknown;
  try {
    list = document.toJS();
  } catch {
    throw new InputError([`${option}: the file is not valid YAML: check its aliases (*).`]);
  }
  if (Array.isArray(list)) return list;
  throw new InputError([`${option}: the file must contain a list, or [] for an empty list.`]);
}
