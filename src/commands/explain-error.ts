import type { ActionError } from "../errors.ts";

/** An error as a record keeps it. */
export function explain(error: ActionError): string {
  return `${error.message} ${error.hint}`.slice(0, 1000);
}
