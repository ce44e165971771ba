import type { ActionError } from "../../base/errors.ts";

/** What a job's end is worth, before it is written down. */
export type JobEnd =
  | { readonly outcome: "pull-request"; readonly url: string; readonly number: number | undefined }
  | { readonly outcome: "no-pull-request" }
  | { readonly outcome: "archived" }
  | { readonly outcome: "failed"; readonly error: ActionError };
