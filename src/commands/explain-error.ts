import type { ActionError } from "../errors.ts";
import { shorten } from "../shorten.ts";

/** An error as a record keeps it. */
export function explain(error: ActionError): string {
  return shorten(`${error.message} ${error.hint}`, 1000);
}
