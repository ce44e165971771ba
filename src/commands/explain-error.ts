import type { ActionError } from "../base/errors.ts";
import { shorten } from "../base/text.ts";

/** An error as a record keeps it. */
export function explain(error: ActionError): string {
  return shorten(`${error.message} ${error.hint}`, 1000);
}
